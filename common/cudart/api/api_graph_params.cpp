// SPDX-License-Identifier: MIT
// Nodes that get other parameters: those of a graph, for what is made of it from now on, and those
// of what was made of one.
#include <algorithm>
#include <utility>

#include "cudart/api/api.hpp"
#include "cudart/area.hpp"
#include "cudart/graph/node_work.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

GraphNode* find_node(std::vector<GraphNode>& nodes, cudaGraphNode_t node, NodeType type) {
  for (GraphNode& each : nodes) {
    if (each.handle == number(node) && each.type == type) return &each;
    if (GraphNode* found = find_node(each.inner, node, type)) return found;
  }
  return nullptr;
}

GraphNode* find_node(Context& state, cudaGraphExec_t executable, cudaGraphNode_t node,
                     NodeType type) {
  const auto found = state.graphs.executables.find(number(executable));
  return found == state.graphs.executables.end() ? nullptr : find_node(found->second, node, type);
}

template <class Set>
cudaError change(const char* name, cudaGraphExec_t executable, cudaGraphNode_t node, NodeType type,
                 Set&& set) {
  return call(name, [&](Context& state) {
    GraphNode* found = find_node(state, executable, node, type);
    return found ? set(state, *found) : cudaErrorInvalidValue;
  });
}

/// The same for a node of a graph.
template <class Set>
cudaError change(const char* name, cudaGraphNode_t node, NodeType type, Set&& set) {
  return call(name, [&](Context& state) {
    Graph* graph = state.graphs.graph_of(number(node));
    GraphNode* found = graph ? graph->find(number(node)) : nullptr;
    return found && found->type == type ? set(state, *found) : cudaErrorInvalidValue;
  });
}

/// What was made ready keeps where its copies come from and go to, and whether it fills one row, as
/// on a card.
template <class Set>
cudaError replace(GraphNode& node, Set&& set) {
  GraphNode made = node;
  const cudaError error = set(made);
  if (error != cudaSuccess) return error;
  if (!can_become(node, made)) return cudaErrorInvalidValue;
  node = std::move(made);
  return cudaSuccess;
}

}  // namespace

cudaError cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
  return change("cudaGraphKernelNodeSetParams", node, NodeType::kernel,
                [&](Context& state, GraphNode& found) { return set_kernel(state, params, found); });
}

cudaError cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* params) {
  return change("cudaGraphMemcpyNodeSetParams", node, NodeType::memcpy,
                [&](Context& state, GraphNode& found) { return set_copy(state, params, found); });
}

cudaError cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                         std::size_t bytes, cudaMemcpyKind kind) {
  return change("cudaGraphMemcpyNodeSetParams1D", node, NodeType::memcpy,
                [&](Context& state, GraphNode& found) {
                  return set_copy(state, to, from, bytes, kind, found);
                });
}

cudaError cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* params) {
  return change("cudaGraphMemsetNodeSetParams", node, NodeType::memset,
                [&](Context& state, GraphNode& found) { return set_fill(state, params, found); });
}

cudaError cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* params) {
  return change("cudaGraphHostNodeSetParams", node, NodeType::host,
                [&](Context&, GraphNode& found) { return set_host(params, found); });
}

cudaError cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaKernelNodeParams* params) {
  const cudaError error = call("cudaGraphExecKernelNodeSetParams", [&](Context& state) {
    if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    return state.find_function(params->func) ? cudaSuccess : not_a_kernel(params->func);
  });
  if (error != cudaSuccess) return error;
  return change("cudaGraphExecKernelNodeSetParams", executable, node, NodeType::kernel,
                [&](Context& state, GraphNode& found) { return set_kernel(state, params, found); });
}

cudaError cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaMemcpy3DParms* params) {
  return change("cudaGraphExecMemcpyNodeSetParams", executable, node, NodeType::memcpy,
                [&](Context& state, GraphNode& found) {
                  return replace(found,
                                 [&](GraphNode& made) { return set_copy(state, params, made); });
                });
}

cudaError cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             void* to, const void* from, std::size_t bytes,
                                             cudaMemcpyKind kind) {
  if (bytes != 0 && !is_kind(kind))
    return call("cudaGraphExecMemcpyNodeSetParams1D",
                [](Context&) { return cudaErrorInvalidMemcpyDirection; });
  return change("cudaGraphExecMemcpyNodeSetParams1D", executable, node, NodeType::memcpy,
                [&](Context& state, GraphNode& found) {
                  return replace(found, [&](GraphNode& made) {
                    return set_copy(state, to, from, bytes, kind, made);
                  });
                });
}

cudaError cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaMemsetParams* params) {
  return change("cudaGraphExecMemsetNodeSetParams", executable, node, NodeType::memset,
                [&](Context& state, GraphNode& found) {
                  return replace(found,
                                 [&](GraphNode& made) { return set_fill(state, params, made); });
                });
}

cudaError cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                         const cudaHostNodeParams* params) {
  return change("cudaGraphExecHostNodeSetParams", executable, node, NodeType::host,
                [&](Context&, GraphNode& found) { return set_host(params, found); });
}

cudaError cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaGraph_t child) {
  return change("cudaGraphExecChildGraphNodeSetParams", executable, node, NodeType::graph,
                [&](Context& state, GraphNode& found) {
                  GraphNode made = found;
                  const cudaError error = set_child(state, child, made);
                  if (error != cudaSuccess)
                    return state.graphs.find(child) ? cudaErrorGraphExecUpdateFailure : error;
                  if (!std::equal(found.inner.begin(), found.inner.end(), made.inner.begin(),
                                  made.inner.end(), can_become))
                    return cudaErrorGraphExecUpdateFailure;
                  found = std::move(made);
                  return cudaSuccess;
                });
}

cudaError cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return change("cudaGraphEventRecordNodeSetEvent", node, NodeType::record_event,
                [&](Context& state, GraphNode& found) { return set_record(state, event, found); });
}

cudaError cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return change("cudaGraphEventWaitNodeSetEvent", node, NodeType::wait_event,
                [&](Context& state, GraphNode& found) { return set_wait(state, event, found); });
}

cudaError cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return change("cudaGraphExecEventRecordNodeSetEvent", executable, node, NodeType::record_event,
                [&](Context& state, GraphNode& found) { return set_record(state, event, found); });
}

cudaError cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             cudaEvent_t event) {
  return change("cudaGraphExecEventWaitNodeSetEvent", executable, node, NodeType::wait_event,
                [&](Context& state, GraphNode& found) { return set_wait(state, event, found); });
}

cudaError cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params) {
  return call("cudaGraphNodeSetParams", [&](Context& state) {
    Graph* found = state.graphs.graph_of(number(node));
    if (!found || !is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    return set_parameters(state, *found->find(number(node)), *params);
  });
}

cudaError cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                     cudaGraphNodeParams* params) {
  return call("cudaGraphExecNodeSetParams", [&](Context& state) {
    if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    GraphNode* found = find_node(state, executable, node, static_cast<NodeType>(params->type));
    if (!found) return cudaErrorInvalidValue;
    return replace(*found, [&](GraphNode& made) { return set_parameters(state, made, *params); });
  });
}

}  // namespace lanescope::cudart

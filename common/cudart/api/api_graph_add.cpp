// SPDX-License-Identifier: MIT
// Nodes that are added to a graph, each kind by a function of its own. What they do is made in
// node_work.cpp; nodes of every kind by one function are in api_graph_node.cpp.
#include <utility>

#include "cudart/api/api.hpp"
#include "cudart/graph/node_work.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

cudaError add(Context& state, cudaGraphNode_t* node, cudaGraph_t graph,
              const cudaGraphNode_t* needs, std::size_t count, GraphNode made) {
  Graph* found = state.graphs.find(graph);
  if (!node || !found || (count > 0 && !is_mapped(needs, count * sizeof *needs)))
    return cudaErrorInvalidValue;
  for (std::size_t k = 0; k < count; ++k) {
    if (!found->find(number(needs[k])) || made.needs_node(number(needs[k])))
      return cudaErrorInvalidValue;
    made.needs.push_back(number(needs[k]));
  }
  *node = handle(add_node(state, *found, std::move(made)));
  return cudaSuccess;
}

/// A node whose work is made by `set(node)`.
template <class Set>
cudaError add_made(Context& state, cudaGraphNode_t* node, cudaGraph_t graph,
                   const cudaGraphNode_t* needs, std::size_t count, NodeType type, Set&& set) {
  GraphNode made;
  made.type = type;
  const cudaError error = set(made);
  return error != cudaSuccess ? error : add(state, node, graph, needs, count, std::move(made));
}

}  // namespace

cudaError cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* needs, std::size_t count,
                                 const cudaKernelNodeParams* params) {
  return call("cudaGraphAddKernelNode", [&](Context& state) {
    return add_made(state, node, graph, needs, count, NodeType::kernel,
                    [&](GraphNode& made) { return set_kernel(state, params, made); });
  });
}

cudaError cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* needs, std::size_t count,
                                 const cudaMemcpy3DParms* params) {
  return call("cudaGraphAddMemcpyNode", [&](Context& state) {
    return add_made(state, node, graph, needs, count, NodeType::memcpy,
                    [&](GraphNode& made) { return set_copy(state, params, made); });
  });
}

cudaError cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* needs, std::size_t count, void* to,
                                   const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return call("cudaGraphAddMemcpyNode1D", [&](Context& state) {
    return add_made(state, node, graph, needs, count, NodeType::memcpy,
                    [&](GraphNode& made) { return set_copy(state, to, from, bytes, kind, made); });
  });
}

cudaError cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* needs, std::size_t count,
                                 const cudaMemsetParams* params) {
  return call("cudaGraphAddMemsetNode", [&](Context& state) {
    return add_made(state, node, graph, needs, count, NodeType::memset,
                    [&](GraphNode& made) { return set_fill(state, params, made); });
  });
}

cudaError cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                               const cudaGraphNode_t* needs, std::size_t count,
                               const cudaHostNodeParams* params) {
  return call("cudaGraphAddHostNode", [&](Context& state) {
    return add_made(state, node, graph, needs, count, NodeType::host,
                    [&](GraphNode& made) { return set_host(params, made); });
  });
}

cudaError cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* needs, std::size_t count,
                                   cudaMemAllocNodeParams* params) {
  return call("cudaGraphAddMemAllocNode", [&](Context& state) {
    if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    if (const cudaError error = check_allocation(state, params->poolProps); error != cudaSuccess)
      return error;
    if (params->bytesize == 0) return cudaErrorInvalidValue;
    return add_made(state, node, graph, needs, count, NodeType::allocate, [&](GraphNode& made) {
      return set_allocation(state, params->bytesize, made, &params->dptr);
    });
  });
}

cudaError cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* needs, std::size_t count, void* pointer) {
  return call("cudaGraphAddMemFreeNode", [&](Context& state) {
    return add_made(state, node, graph, needs, count, NodeType::release, [&](GraphNode& made) {
      const Graph* found = state.graphs.find(graph);
      if (found && frees(found->nodes, pointer)) return cudaErrorInvalidValue;
      return set_release(state, pointer, made);
    });
  });
}

cudaError cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                const cudaGraphNode_t* needs, std::size_t count) {
  return call("cudaGraphAddEmptyNode",
              [&](Context& state) { return add(state, node, graph, needs, count, GraphNode{}); });
}

cudaError cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* needs, std::size_t count,
                                     cudaGraph_t child) {
  return call("cudaGraphAddChildGraphNode", [&](Context& state) {
    if (child == graph) return cudaErrorInvalidValue;
    const cudaError error =
        add_made(state, node, graph, needs, count, NodeType::graph,
                 [&](GraphNode& made) { return set_child(state, child, made); });
    if (error == cudaSuccess) state.graphs.objects.share(number(child), number(graph));
    return error;
  });
}

cudaError cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* needs, std::size_t count,
                                      cudaEvent_t event) {
  return call("cudaGraphAddEventRecordNode", [&](Context& state) {
    return add_made(state, node, graph, needs, count, NodeType::record_event, [&](GraphNode& made) {
      return event ? set_record(state, event, made) : cudaErrorInvalidValue;
    });
  });
}

cudaError cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* needs, std::size_t count,
                                    cudaEvent_t event) {
  return call("cudaGraphAddEventWaitNode", [&](Context& state) {
    return add_made(state, node, graph, needs, count, NodeType::wait_event, [&](GraphNode& made) {
      return event ? set_wait(state, event, made) : cudaErrorInvalidValue;
    });
  });
}

}  // namespace lanescope::cudart

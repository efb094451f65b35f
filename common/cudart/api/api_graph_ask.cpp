// SPDX-License-Identifier: MIT
// What graphs and their nodes are asked: parameters, neighbours, and how much memory is theirs.
#include <algorithm>

#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/graph/edges.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

const GraphNode* find_node(Context& state, cudaGraphNode_t node) {
  const Graph* graph = state.graphs.graph_of(number(node));
  return graph ? graph->find(number(node)) : nullptr;
}

/// Parameters as they were given, chosen from all that nodes may have.
template <class Parameters, class Choose>
cudaError ask(const char* name, cudaGraphNode_t node, NodeType type, Parameters* answer,
              Choose&& choose) {
  return call(name, [&](Context& state) {
    const GraphNode* found = find_node(state, node);
    if (!found || found->type != type || !found->given || !is_mapped(answer, sizeof *answer))
      return cudaErrorInvalidValue;
    *answer = choose(found->given->all);
    return cudaSuccess;
  });
}

/// As many as there is room for, no node in what room is left, and how many there are.
cudaError answer(const std::vector<std::uint64_t>& nodes, cudaGraphNode_t* room,
                 std::size_t* count) {
  if (room) {
    if (!is_mapped(room, *count * sizeof *room)) return cudaErrorInvalidValue;
    for (std::size_t k = 0; k < *count; ++k)
      room[k] = k < nodes.size() ? handle(nodes[k]) : nullptr;
  }
  *count = room ? std::min(*count, nodes.size()) : nodes.size();
  return cudaSuccess;
}

// cudaGraphMemAttributeType; 2 is what is reserved now, on an H200 as much as is used.
constexpr int kUsed = 0, kMostUsed = 1, kMostReserved = 3;

}  // namespace

cudaError cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* params) {
  return ask("cudaGraphKernelNodeGetParams", node, NodeType::kernel, params,
             [](const cudaGraphNodeParams& all) { return all.kernel; });
}

cudaError cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* params) {
  return ask("cudaGraphMemcpyNodeGetParams", node, NodeType::memcpy, params,
             [](const cudaGraphNodeParams& all) { return all.memcpy.copyParams; });
}

cudaError cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* params) {
  return ask("cudaGraphMemsetNodeGetParams", node, NodeType::memset, params,
             [](const cudaGraphNodeParams& all) { return all.memset; });
}

cudaError cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* params) {
  return ask("cudaGraphHostNodeGetParams", node, NodeType::host, params,
             [](const cudaGraphNodeParams& all) { return all.host; });
}

cudaError cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* params) {
  return ask("cudaGraphMemAllocNodeGetParams", node, NodeType::allocate, params,
             [](const cudaGraphNodeParams& all) { return all.alloc; });
}

cudaError cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return ask("cudaGraphMemFreeNodeGetParams", node, NodeType::release, static_cast<void**>(pointer),
             [](const cudaGraphNodeParams& all) { return all.freed; });
}

cudaError cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return ask("cudaGraphEventRecordNodeGetEvent", node, NodeType::record_event, event,
             [](const cudaGraphNodeParams& all) { return all.event; });
}

cudaError cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return ask("cudaGraphEventWaitNodeGetEvent", node, NodeType::wait_event, event,
             [](const cudaGraphNodeParams& all) { return all.event; });
}

cudaError cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return call("cudaGraphChildGraphNodeGetGraph", [&](Context& state) {
    Graph* parent = state.graphs.graph_of(number(node));
    if (!parent || !is_mapped(graph, sizeof *graph)) return cudaErrorInvalidValue;
    GraphNode& found = *parent->find(number(node));
    if (found.type != NodeType::graph) return cudaErrorInvalidValue;
    if (found.child == 0) {  // what is added to it from now on belongs to the node
      found.child = state.next_handle++;
      state.graphs.graphs[found.child] = copy_of(state, Graph{found.inner});
    }
    *graph = handle(found.child);
    return cudaSuccess;
  });
}

cudaError cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                   cudaGraph_t clone) {
  return call("cudaGraphNodeFindInClone", [&](Context& state) {
    const Graph* found = state.graphs.find(clone);
    if (!found || !is_mapped(node, sizeof *node) || !original) return cudaErrorInvalidValue;
    for (const GraphNode& each : found->nodes)
      if (each.origin == number(original)) {
        *node = handle(each.handle);
        return cudaSuccess;
      }
    return cudaErrorInvalidValue;
  });
}

cudaError cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags) {
  return call("cudaGraphExecGetFlags", [&](Context& state) {
    const auto found = state.graphs.flags.find(number(executable));
    if (found == state.graphs.flags.end() || !is_mapped(flags, sizeof *flags))
      return cudaErrorInvalidValue;
    *flags = found->second;
    return cudaSuccess;
  });
}

cudaError cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* needs,
                                       cudaGraphEdgeData* data, std::size_t* count) {
  return call("cudaGraphNodeGetDependencies", [&](Context& state) {
    const GraphNode* found = find_node(state, node);
    if (!found || !count || (data && !needs)) return cudaErrorInvalidValue;
    std::vector<Edge> edges;
    for (const std::uint64_t need : found->needs) edges.emplace_back(need, found);
    const cudaError error = answer_edges(edges, needs != nullptr, data, *count);
    return error != cudaSuccess ? error : answer(found->needs, needs, count);
  });
}

cudaError cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* later,
                                         cudaGraphEdgeData* data, std::size_t* count) {
  return call("cudaGraphNodeGetDependentNodes", [&](Context& state) {
    const Graph* graph = state.graphs.graph_of(number(node));
    if (!graph || !count || (data && !later)) return cudaErrorInvalidValue;
    std::vector<std::uint64_t> found;
    std::vector<Edge> edges;
    for (const GraphNode& each : graph->nodes) {
      if (!each.needs_node(number(node))) continue;
      found.push_back(each.handle);
      edges.emplace_back(number(node), &each);
    }
    const cudaError error = answer_edges(edges, later != nullptr, data, *count);
    return error != cudaSuccess ? error : answer(found, later, count);
  });
}

cudaError cudaDeviceGetGraphMemAttribute(int device, int attribute, void* value) {
  return call("cudaDeviceGetGraphMemAttribute", [&](Context& state) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (attribute < kUsed || attribute > kMostReserved || !is_mapped(value, sizeof(std::uint64_t)))
      return cudaErrorInvalidValue;
    const GraphMemory& memory = state.graphs.memory;
    *static_cast<std::uint64_t*>(value) = attribute == kMostUsed       ? memory.most_used_bytes
                                          : attribute == kMostReserved ? memory.most_reserved_bytes
                                                                       : memory.held_bytes;
    return cudaSuccess;
  });
}

cudaError cudaDeviceSetGraphMemAttribute(int device, int attribute, void* value) {
  return call("cudaDeviceSetGraphMemAttribute", [&](Context& state) {
    if (device != 0) return cudaErrorInvalidDevice;
    const bool is_high = attribute == kMostUsed || attribute == kMostReserved;
    if (!is_high || !is_mapped(value, sizeof(std::uint64_t)) ||
        *static_cast<std::uint64_t*>(value) != 0)
      return cudaErrorInvalidValue;
    GraphMemory& memory = state.graphs.memory;
    (attribute == kMostUsed ? memory.most_used_bytes : memory.most_reserved_bytes) =
        memory.held_bytes;
    return cudaSuccess;
  });
}

cudaError cudaDeviceGraphMemTrim(int device) {
  return call("cudaDeviceGraphMemTrim", [&](Context& state) {
    if (device != 0) return cudaErrorInvalidDevice;
    state.graphs.memory.trim();
    return cudaSuccess;
  });
}

}  // namespace lanescope::cudart

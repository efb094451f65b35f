// SPDX-License-Identifier: MIT
// Nodes of every kind by one call, and those that decide at run time: if, while, switch.
//
//     handle -> a number that kernels write (cudaGraphSetConditional)
//     node   -> the number chooses which of its graphs is done, or whether once more
//
// A handle is the address of its number: device code stores where it points.
// Source: CUDA Runtime API 13.0, 6.31 (graph management); the programming guide, "Conditional Graph
// Nodes".
#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/graph/edges.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {
namespace {

constexpr unsigned kAssignsDefault = 1;  // cudaGraphCondAssignDefault

cudaError add_conditional(Context& state, cudaGraphNode_t* node, cudaGraph_t graph,
                          const cudaGraphNode_t* needs, std::size_t count,
                          cudaConditionalNodeParams& params) {
  const auto found = state.graphs.graphs.find(number(graph));
  const auto condition = state.graphs.conditions.find(params.handle);
  const bool is_known = params.type >= 0 && params.type <= static_cast<int>(Choice::select);
  const auto choice = static_cast<Choice>(params.type);
  const unsigned most = choice == Choice::repeat ? 1 : choice == Choice::when ? 2 : ~0u;
  if (!node || found == state.graphs.graphs.end() || condition == state.graphs.conditions.end() ||
      condition->second.graph != number(graph) || !is_known || params.size < 1 ||
      params.size > most || (count > 0 && !is_mapped(needs, count * sizeof *needs)))
    return cudaErrorInvalidValue;
  GraphNode made;
  made.type = NodeType::conditional;
  made.condition = params.handle;
  made.choice = choice;
  for (std::size_t k = 0; k < count; ++k) {
    if (!found->second.find(number(needs[k]))) return cudaErrorInvalidValue;
    made.needs.push_back(number(needs[k]));
  }
  std::vector<cudaGraph_t> bodies;
  for (unsigned k = 0; k < params.size; ++k) {
    made.bodies.push_back(state.next_handle++);
    state.graphs.graphs[made.bodies.back()] = {};
    bodies.push_back(reinterpret_cast<cudaGraph_t>(made.bodies.back()));
  }
  // state.graphs.graphs is a map: what `found` points to has not moved.
  const std::uint64_t handle = add_node(state, found->second, std::move(made));
  std::vector<cudaGraph_t>& kept = state.graphs.bodies[handle] = std::move(bodies);
  params.phGraph_out = kept.data();
  *node = reinterpret_cast<cudaGraphNode_t>(handle);
  return cudaSuccess;
}

/// A node of any kind, behind `needs`.
cudaError add_node(Context& state, cudaGraphNode_t* node, cudaGraph_t graph,
                   const cudaGraphNode_t* needs, std::size_t count, cudaGraphNodeParams* params) {
  switch (static_cast<NodeType>(params->type)) {
    case NodeType::kernel:
      return cudaGraphAddKernelNode(node, graph, needs, count, &params->kernel);
    case NodeType::memcpy:
      return cudaGraphAddMemcpyNode(node, graph, needs, count, &params->memcpy.copyParams);
    case NodeType::memset:
      return cudaGraphAddMemsetNode(node, graph, needs, count, &params->memset);
    case NodeType::host:
      return cudaGraphAddHostNode(node, graph, needs, count, &params->host);
    case NodeType::graph:
      return cudaGraphAddChildGraphNode(node, graph, needs, count, params->graph);
    case NodeType::empty:
      return cudaGraphAddEmptyNode(node, graph, needs, count);
    case NodeType::wait_event:
      return cudaGraphAddEventWaitNode(node, graph, needs, count, params->event);
    case NodeType::record_event:
      return cudaGraphAddEventRecordNode(node, graph, needs, count, params->event);
    case NodeType::allocate:
      return cudaGraphAddMemAllocNode(node, graph, needs, count, &params->alloc);
    case NodeType::release:
      return cudaGraphAddMemFreeNode(node, graph, needs, count, params->freed);
    case NodeType::conditional:
      return add_conditional(state, node, graph, needs, count, params->conditional);
  }
  return refuse(state, cudaErrorNotSupported, "nodes of this type are not emulated");
}

}  // namespace

cudaError cudaGraphConditionalHandleCreate(unsigned long long* handle, cudaGraph_t graph,
                                           unsigned value, unsigned flags) {
  return call("cudaGraphConditionalHandleCreate", [&](Context& state) {
    if (!handle || flags > kAssignsDefault || state.graphs.graphs.count(number(graph)) == 0)
      return cudaErrorInvalidValue;
    Condition made;
    made.graph = number(graph);
    made.value = std::make_unique<unsigned>(0);
    if (flags == kAssignsDefault) made.at_start = value;
    const std::uint64_t address = number(made.value.get());
    if (state.machine->adopt(address, sizeof *made.value)) return cudaErrorMemoryAllocation;
    state.graphs.conditions[address] = std::move(made);
    *handle = address;
    return cudaSuccess;
  });
}

cudaError cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                           const cudaGraphEdgeData* edges, std::size_t count,
                           cudaGraphNodeParams* params) {
  return call("cudaGraphAddNode", [&](Context& state) {
    if (!is_mapped(params, sizeof *params) || (edges && !is_mapped(edges, count * sizeof *edges)))
      return cudaErrorInvalidValue;
    const cudaError error = add_node(state, node, graph, needs, count, params);
    if (error != cudaSuccess || !edges) return error;
    Graph* found = state.graphs.find(graph);
    for (std::size_t k = 0; k < count; ++k) {
      if (keep_edge(*found->find(number(*node)), number(needs[k]), edges[k])) continue;
      found->nodes.pop_back();
      return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

}  // namespace lanescope::cudart

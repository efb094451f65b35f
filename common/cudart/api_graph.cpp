// SPDX-License-Identifier: MIT
// Graphs made node by node, and doing them.
#include <utility>

#include "cudart/alias.hpp"
#include "cudart/api.hpp"
#include "cudart/context.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

std::uint64_t number(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle); }
void* handle(std::uint64_t number) { return reinterpret_cast<void*>(number); }

Graph* find_graph(Context& state, cudaGraph_t graph) {
  const auto found = state.graphs.graphs.find(number(graph));
  return found == state.graphs.graphs.end() ? nullptr : &found->second;
}

GraphNode* find_node(Context& state, cudaGraphExec_t executable, cudaGraphNode_t node,
                     NodeType type) {
  const auto found = state.graphs.executables.find(number(executable));
  if (found == state.graphs.executables.end()) return nullptr;
  for (GraphNode& each : found->second)
    if (each.handle == number(node) && each.type == type) return &each;
  return nullptr;
}

cudaError add(Context& state, cudaGraphNode_t* node, cudaGraph_t graph,
              const cudaGraphNode_t* needs, std::size_t count, GraphNode made) {
  Graph* found = find_graph(state, graph);
  if (!node || !found || (count > 0 && !is_mapped(needs, count * sizeof *needs)))
    return cudaErrorInvalidValue;
  for (std::size_t k = 0; k < count; ++k) {
    if (!found->find(number(needs[k]))) return cudaErrorInvalidValue;
    made.needs.push_back(number(needs[k]));
  }
  *node = handle(add_node(state, *found, std::move(made)));
  return cudaSuccess;
}

cudaError add(Context& state, cudaGraphNode_t* node, cudaGraph_t graph,
              const cudaGraphNode_t* needs, std::size_t count, NodeType type, Work work) {
  GraphNode made;
  made.type = type;
  made.work = std::move(work);
  return add(state, node, graph, needs, count, std::move(made));
}

cudaError kernel_work(Context& state, const cudaKernelNodeParams* params, Work& work) {
  if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
  Function* function = state.find_function(params->func);
  if (!function) return not_a_kernel(params->func);
  if (!params->kernelParams && params->extra)
    return refuse(state, cudaErrorNotSupported, "kernel nodes with `extra` are not emulated");
  const LaunchShape shape{params->gridDim, params->blockDim, {}, params->sharedMemBytes};
  KernelWork made;
  const cudaError error = prepare(state, *function, shape, params->kernelParams, made);
  if (error == cudaSuccess)
    work = [made = std::move(made)](Context& context) { return run(context, made); };
  return error;
}

Work fill_work(const cudaMemsetParams& params) {
  return [params](Context&) {
    return fill_values(params.dst, params.pitch, params.value, params.elementSize, params.width,
                       params.height, nullptr);
  };
}

cudaError list_nodes(Context& state, cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count,
                     bool only_roots) {
  const Graph* found = find_graph(state, graph);
  if (!found || !count) return cudaErrorInvalidValue;
  std::size_t listed = 0;
  for (const GraphNode& node : found->nodes) {
    if (only_roots && !node.needs.empty()) continue;
    if (nodes && listed < *count) nodes[listed] = handle(node.handle);
    ++listed;
  }
  *count = listed;
  return cudaSuccess;
}

/// Before a launch: the conditions that have a value to start with.
void start_conditions(Context& state, const std::vector<GraphNode>& nodes) {
  for (const GraphNode& node : nodes) {
    start_conditions(state, node.inner);
    for (const auto& branch : node.branches) start_conditions(state, branch);
    const auto found = state.graphs.conditions.find(node.condition);
    if (found != state.graphs.conditions.end() && found->second.at_start)
      *found->second.value = *found->second.at_start;
  }
}

cudaError perform(const std::vector<GraphNode>& nodes);

/// What the number chooses, as often as it says so. A kernel that failed ends it.
cudaError perform_chosen(const GraphNode& node) {
  while (true) {
    unsigned value = 0;
    cudaError error = call("cudaGraphLaunch", [&](Context& state) {
      const auto found = state.graphs.conditions.find(node.condition);
      if (found == state.graphs.conditions.end()) return cudaErrorInvalidValue;
      value = *found->second.value;
      return cudaSuccess;
    });
    if (error != cudaSuccess) return error;
    if (node.choice == Choice::repeat && value == 0) return cudaSuccess;
    const std::size_t chosen = node.choice == Choice::select               ? value
                               : node.choice == Choice::when && value == 0 ? 1
                                                                           : 0;
    if (chosen < node.branches.size()) error = perform(node.branches[chosen]);
    if (error != cudaSuccess || node.choice != Choice::repeat) return error;
  }
}

/// Host functions run without the lock.
cudaError perform(const std::vector<GraphNode>& nodes) {
  for (const GraphNode& node : nodes) {
    cudaError error = cudaSuccess;
    if (node.host)
      node.host->function(node.host->data);
    else if (node.type == NodeType::graph)
      error = perform(node.inner);
    else if (node.type == NodeType::conditional)
      error = perform_chosen(node);
    else if (node.work)
      error = call("cudaGraphLaunch", [&](Context& state) { return node.work(state); });
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace

cudaError cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return call("cudaGraphCreate", [&](Context& state) {
    if (!graph || flags != 0) return cudaErrorInvalidValue;
    const std::uint64_t made = state.next_handle++;
    state.graphs.graphs[made] = {};
    *graph = handle(made);
    return cudaSuccess;
  });
}

cudaError cudaGraphDestroy(cudaGraph_t graph) {
  return call("cudaGraphDestroy", [&](Context& state) {
    return state.graphs.graphs.erase(number(graph)) != 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return call("cudaGraphClone", [&](Context& state) {
    const Graph* found = find_graph(state, graph);
    if (!clone || !found) return cudaErrorInvalidValue;
    const std::uint64_t made = state.next_handle++;
    state.graphs.graphs[made] = Graph(*found);
    *clone = handle(made);
    return cudaSuccess;
  });
}

cudaError cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* needs, std::size_t count,
                                 const cudaKernelNodeParams* params) {
  return call("cudaGraphAddKernelNode", [&](Context& state) {
    Work work;
    const cudaError error = kernel_work(state, params, work);
    return error != cudaSuccess ? error
                                : add(state, node, graph, needs, count, NodeType::kernel, work);
  });
}

cudaError cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* needs, std::size_t count,
                                 const cudaMemcpy3DParms* params) {
  return call("cudaGraphAddMemcpyNode", [&](Context& state) {
    if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    return add(state, node, graph, needs, count, NodeType::memcpy,
               [copy = *params](Context&) { return cudaMemcpy3D(&copy); });
  });
}

cudaError cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* needs, std::size_t count, void* to,
                                   const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return call("cudaGraphAddMemcpyNode1D", [&](Context& state) {
    return add(state, node, graph, needs, count, NodeType::memcpy,
               [=](Context&) { return cudaMemcpy(to, from, bytes, kind); });
  });
}

cudaError cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* needs, std::size_t count,
                                 const cudaMemsetParams* params) {
  return call("cudaGraphAddMemsetNode", [&](Context& state) {
    if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    return add(state, node, graph, needs, count, NodeType::memset, fill_work(*params));
  });
}

cudaError cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                               const cudaGraphNode_t* needs, std::size_t count,
                               const cudaHostNodeParams* params) {
  return call("cudaGraphAddHostNode", [&](Context& state) {
    if (!is_mapped(params, sizeof *params) || !params->fn) return cudaErrorInvalidValue;
    GraphNode made;
    made.type = NodeType::host;
    made.host = HostWork{params->fn, params->userData};
    return add(state, node, graph, needs, count, std::move(made));
  });
}

// A graph's memory has the same address in every launch: it is there from now on, and kept.
cudaError cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* needs, std::size_t count,
                                   cudaMemAllocNodeParams* params) {
  return call("cudaGraphAddMemAllocNode", [&](Context& state) {
    if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    GraphNode made;
    made.type = NodeType::allocate;
    const cudaError error = add(state, node, graph, needs, count, std::move(made));
    return error != cudaSuccess ? error : cudaMalloc(&params->dptr, params->bytesize);
  });
}

cudaError cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* needs, std::size_t count, void* pointer) {
  return call("cudaGraphAddMemFreeNode", [&](Context& state) {
    if (!state.memory.starting_at(reinterpret_cast<std::uintptr_t>(pointer)))
      return cudaErrorInvalidValue;
    GraphNode made;
    made.type = NodeType::release;
    return add(state, node, graph, needs, count, std::move(made));
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
    const Graph* inner = find_graph(state, child);
    auto ordered = inner ? in_order(*inner) : std::nullopt;
    if (!ordered || child == graph) return cudaErrorInvalidValue;
    GraphNode made;
    made.type = NodeType::graph;
    made.inner = std::move(*ordered);
    return add(state, node, graph, needs, count, std::move(made));
  });
}

cudaError cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* needs, std::size_t count,
                                      cudaEvent_t event) {
  return call("cudaGraphAddEventRecordNode", [&](Context& state) {
    if (state.events.count(number(event)) == 0) return cudaErrorInvalidResourceHandle;
    return add(state, node, graph, needs, count, NodeType::record_event,
               [=](Context&) { return cudaEventRecord(event, nullptr); });
  });
}

cudaError cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* needs, std::size_t count,
                                    cudaEvent_t event) {
  return call("cudaGraphAddEventWaitNode", [&](Context& state) {
    if (state.events.count(number(event)) == 0) return cudaErrorInvalidResourceHandle;
    return add(state, node, graph, needs, count, NodeType::wait_event,
               [=](Context&) { return cudaEventQuery(event); });
  });
}

cudaError cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                   const cudaGraphNode_t* to, const void*, std::size_t count) {
  return call("cudaGraphAddDependencies", [&](Context& state) {
    Graph* found = find_graph(state, graph);
    if (!found || (count > 0 &&
                   (!is_mapped(from, count * sizeof *from) || !is_mapped(to, count * sizeof *to))))
      return cudaErrorInvalidValue;
    for (std::size_t k = 0; k < count; ++k) {
      GraphNode* later = found->find(number(to[k]));
      if (!later || !found->find(number(from[k]))) return cudaErrorInvalidValue;
      later->needs.push_back(number(from[k]));
    }
    return cudaSuccess;
  });
}

cudaError cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return call("cudaGraphGetNodes",
              [&](Context& state) { return list_nodes(state, graph, nodes, count, false); });
}

cudaError cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return call("cudaGraphGetRootNodes",
              [&](Context& state) { return list_nodes(state, graph, nodes, count, true); });
}

cudaError cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, void*,
                            std::size_t* count) {
  return call("cudaGraphGetEdges", [&](Context& state) {
    const Graph* found = find_graph(state, graph);
    if (!found || !count) return cudaErrorInvalidValue;
    std::size_t edge = 0;
    for (const GraphNode& node : found->nodes)
      for (const std::uint64_t need : node.needs) {
        if (from && to && edge < *count) {
          from[edge] = handle(need);
          to[edge] = handle(node.handle);
        }
        ++edge;
      }
    *count = edge;
    return cudaSuccess;
  });
}

cudaError cudaGraphNodeGetType(cudaGraphNode_t node, int* type) {
  return call("cudaGraphNodeGetType", [&](Context& state) {
    Graph* found = state.graphs.graph_of(number(node));
    if (!type || !found) return cudaErrorInvalidValue;
    *type = static_cast<int>(found->find(number(node))->type);
    return cudaSuccess;
  });
}

cudaError cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
  return call("cudaGraphKernelNodeSetParams", [&](Context& state) {
    Graph* found = state.graphs.graph_of(number(node));
    GraphNode* changed = found ? found->find(number(node)) : nullptr;
    if (!changed || changed->type != NodeType::kernel) return cudaErrorInvalidValue;
    return kernel_work(state, params, changed->work);
  });
}

cudaError cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  return call("cudaGraphInstantiate", [&](Context& state) {
    const Graph* found = find_graph(state, graph);
    if (!executable || !found) return cudaErrorInvalidValue;
    auto ordered = settled(state.graphs, *found);
    if (!ordered)
      return refuse(state, cudaErrorInvalidValue, "the graph's dependencies go in a circle");
    const std::uint64_t made = state.next_handle++;
    state.graphs.executables[made] = std::move(*ordered);
    *executable = handle(made);
    return cudaSuccess;
  });
}

cudaError cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                        unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return call("cudaGraphExecDestroy", [&](Context& state) {
    return state.graphs.executables.erase(number(executable)) != 0 ? cudaSuccess
                                                                   : cudaErrorInvalidValue;
  });
}

cudaError cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return call("cudaGraphUpload", [&](Context& state) {
    if (!state.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return state.graphs.executables.count(number(executable)) != 0 ? cudaSuccess
                                                                   : cudaErrorInvalidValue;
  });
}

cudaError cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  std::vector<GraphNode> nodes;
  const cudaError error = call("cudaGraphLaunch", [&](Context& state) {
    if (!state.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    const auto found = state.graphs.executables.find(number(executable));
    if (found == state.graphs.executables.end()) return cudaErrorInvalidValue;
    if (!is_captured(state, stream)) {
      nodes = found->second;
      start_conditions(state, nodes);
      return cudaSuccess;
    }
    Capture& capture = state.graphs.captures[number(stream)];
    GraphNode child;
    child.type = NodeType::graph;
    child.inner = found->second;
    child.needs = capture.last;
    capture.last = {add_node(state, state.graphs.graphs[capture.graph], std::move(child))};
    return cudaSuccess;
  });
  return error != cudaSuccess ? error : perform(nodes);
}

cudaError cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaKernelNodeParams* params) {
  return call("cudaGraphExecKernelNodeSetParams", [&](Context& state) {
    GraphNode* found = find_node(state, executable, node, NodeType::kernel);
    if (!found) return cudaErrorInvalidValue;
    return kernel_work(state, params, found->work);
  });
}

cudaError cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             void* to, const void* from, std::size_t bytes,
                                             cudaMemcpyKind kind) {
  return call("cudaGraphExecMemcpyNodeSetParams1D", [&](Context& state) {
    GraphNode* found = find_node(state, executable, node, NodeType::memcpy);
    if (!found) return cudaErrorInvalidValue;
    found->work = [=](Context&) { return cudaMemcpy(to, from, bytes, kind); };
    return cudaSuccess;
  });
}

cudaError cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaMemsetParams* params) {
  return call("cudaGraphExecMemsetNodeSetParams", [&](Context& state) {
    GraphNode* found = find_node(state, executable, node, NodeType::memset);
    if (!found) return cudaErrorInvalidValue;
    if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    found->work = fill_work(*params);
    return cudaSuccess;
  });
}

cudaError cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                         const cudaHostNodeParams* params) {
  return call("cudaGraphExecHostNodeSetParams", [&](Context& state) {
    GraphNode* found = find_node(state, executable, node, NodeType::host);
    if (!found) return cudaErrorInvalidValue;
    if (!is_mapped(params, sizeof *params) || !params->fn) return cudaErrorInvalidValue;
    found->host = HostWork{params->fn, params->userData};
    return cudaSuccess;
  });
}

cudaError cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                              cudaGraphExecUpdateResultInfo* result) {
  return call("cudaGraphExecUpdate", [&](Context& state) {
    const auto old = state.graphs.executables.find(number(executable));
    const Graph* found = find_graph(state, graph);
    if (old == state.graphs.executables.end() || !found || !result) return cudaErrorInvalidValue;
    auto ordered = settled(state.graphs, *found);
    bool same = ordered && ordered->size() == old->second.size();
    for (std::size_t k = 0; same && k < ordered->size(); ++k)
      same = (*ordered)[k].type == old->second[k].type &&
             (*ordered)[k].needs.size() == old->second[k].needs.size();
    *result = {same ? 0 : 2, nullptr, nullptr};
    if (!same) return cudaErrorGraphExecUpdateFailure;
    for (std::size_t k = 0; k < ordered->size(); ++k) {
      (*ordered)[k].handle = old->second[k].handle;  // nodes keep the names they were made with
      (*ordered)[k].needs = old->second[k].needs;
    }
    old->second = std::move(*ordered);
    return cudaSuccess;
  });
}

LANESCOPE_ALIAS(cudaGraphUpload, _ptsz);
LANESCOPE_ALIAS(cudaGraphLaunch, _ptsz);

}  // namespace lanescope::cudart

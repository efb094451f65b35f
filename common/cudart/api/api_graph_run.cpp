// SPDX-License-Identifier: MIT
// Graphs made ready to be done, done, and brought up to date. Nodes that get other parameters are
// in api_graph_params.cpp.
#include <map>
#include <set>
#include <utility>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/default_stream.hpp"
#include "cudart/graph/edges.hpp"
#include "cudart/graph/node_work.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

namespace {

// cudaGraphInstantiateFlag... AutoFreeOnLaunch; Upload, which wants a stream; DeviceLaunch;
// UseNodePriority.
constexpr unsigned long long kFreesAtLaunch = 1, kUploads = 2, kOfDevice = 4, kOrders = 8;
enum { kInstantiated = 0, kNotInstantiated = 1, kNotOnDevice = 3 };  // cudaGraphInstantiateResult

/// Flags with which a card says which node its kernels could not launch.
bool is_for_device(unsigned long long flags) {
  return (flags & kOfDevice) != 0 && (flags & ~(kUploads | kOfDevice | kOrders)) == 0;
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

/// Whether there is something ready to be done that was made of the graph.
bool is_made_of(const Context& state, const Graph& graph) {
  for (const auto& [handle, nodes] : state.graphs.executables)
    for (const GraphNode& node : nodes)
      if (graph.find(node.handle)) return true;
  return false;
}

/// Whether each node may become the one at its place, and needs the same ones, in child graphs,
/// too.
bool has_shape_of(const std::vector<GraphNode>& nodes, const std::vector<GraphNode>& others) {
  if (nodes.size() != others.size()) return false;
  std::map<std::uint64_t, std::uint64_t> counterpart;  // of the others' nodes
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const GraphNode &node = nodes[k], &other = others[k];
    std::set<std::uint64_t> needs;
    for (const std::uint64_t need : other.needs) needs.insert(counterpart[need]);
    if (!can_become(node, other) || !has_shape_of(node.inner, other.inner) ||
        needs != std::set<std::uint64_t>(node.needs.begin(), node.needs.end()))
      return false;
    counterpart[other.handle] = node.handle;
  }
  return true;
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
  const GraphNode* before = nullptr;
  for (const GraphNode& node : nodes) {
    cudaError error = cudaSuccess;
    if (node.is_off) continue;
    const bool is_early = before != nullptr && may_begin_early(node, *before);
    before = &node;
    if (node.host)
      node.host->function(node.host->data);
    else if (node.type == NodeType::graph)
      error = perform(node.inner);
    else if (node.type == NodeType::conditional)
      error = perform_chosen(node);
    else if (node.work)
      error = call("cudaGraphLaunch", [&](Context& state) {
        const DefaultStream of_graphs(kStreamOfGraphs);  // what the work calls is of no stream
        state.next_may_begin_early = is_early;
        return node.work(state);
      });
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace

cudaError cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                               unsigned long long flags) {
  return call("cudaGraphInstantiate", [&](Context& state) {
    const Graph* found = state.graphs.find(graph);
    if (!executable || !found) return cudaErrorInvalidValue;
    if ((flags & ~(kFreesAtLaunch | kOrders)) != 0)
      return refuse(state, cudaErrorInvalidValue,
                    "of the flags AutoFreeOnLaunch and UseNodePriority are here alone; to upload, "
                    "call cudaGraphInstantiateWithParams; no kernel launches graphs");
    if (has_memory(found->nodes) && is_made_of(state, *found))
      return refuse(state, cudaErrorNotSupported,
                    "a graph whose nodes allocate or free has one executable at a time: destroy "
                    "the other first");
    auto ordered = settled(state.graphs, *found);
    if (!ordered)
      return refuse(state, cudaErrorInvalidValue, "the graph's dependencies go in a circle");
    const std::uint64_t made = state.next_handle++;
    state.graphs.executables[made] = std::move(*ordered);
    state.graphs.flags[made] = flags & kFreesAtLaunch;  // the others are not told
    state.graphs.objects.share(number(graph), made);
    *executable = handle(made);
    return cudaSuccess;
  });
}

cudaError cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                         cudaGraphInstantiateParams* params) {
  return call("cudaGraphInstantiateWithParams", [&](Context& state) {
    if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    const cudaError error = cudaGraphInstantiate(executable, graph, params->flags & ~kUploads);
    params->errNode_out = nullptr;
    params->result_out = error == cudaSuccess ? kInstantiated : kNotInstantiated;
    const Graph* found = state.graphs.find(graph);
    if (error != cudaSuccess && is_for_device(params->flags) && found && !found->nodes.empty()) {
      params->errNode_out = handle(found->nodes.front().handle);
      params->result_out = kNotOnDevice;
    }
    return error;
  });
}

cudaError cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                        unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return call("cudaGraphExecDestroy", [&](Context& state) {
    state.graphs.flags.erase(number(executable));
    state.graphs.objects.drop(number(executable));
    return state.graphs.executables.erase(number(executable)) != 0 ? cudaSuccess
                                                                   : cudaErrorInvalidValue;
  });
}

cudaError cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return call("cudaGraphUpload", [&](Context& state) {
    if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
    return state.graphs.executables.count(number(executable)) != 0 ? cudaSuccess
                                                                   : cudaErrorInvalidValue;
  });
}

cudaError cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  std::vector<GraphNode> nodes;
  const cudaError error = call("cudaGraphLaunch", [&](Context& state) {
    if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
    const auto found = state.graphs.executables.find(number(executable));
    if (found == state.graphs.executables.end()) return cudaErrorInvalidValue;
    if (is_captured(state, stream)) {
      invalidate(state, stream);
      return refuse(state, cudaErrorStreamCaptureUnsupported,
                    "a captured stream cannot launch a graph, and the capture is invalid now; add "
                    "a node with cudaGraphAddChildGraphNode");
    }
    nodes = found->second;
    start_conditions(state, nodes);
    const bool frees = (state.graphs.flags[found->first] & kFreesAtLaunch) != 0;
    return clear_graph_memory(state, nodes, frees);
  });
  return error != cudaSuccess ? error : perform(nodes);
}

cudaError cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                              cudaGraphExecUpdateResultInfo* result) {
  return call("cudaGraphExecUpdate", [&](Context& state) {
    const auto old = state.graphs.executables.find(number(executable));
    const Graph* found = state.graphs.find(graph);
    if (old == state.graphs.executables.end() || !found || !result) return cudaErrorInvalidValue;
    auto ordered = settled(state.graphs, *found);
    const bool same = ordered && has_shape_of(old->second, *ordered);
    *result = {same ? 0 : 2, nullptr, nullptr};
    if (!same) return cudaErrorGraphExecUpdateFailure;
    for (std::size_t k = 0; k < ordered->size(); ++k) {
      (*ordered)[k].handle = old->second[k].handle;  // nodes keep the names they were made with
      (*ordered)[k].needs = old->second[k].needs;
      (*ordered)[k].is_off = old->second[k].is_off;
    }
    old->second = std::move(*ordered);
    state.graphs.objects.drop(old->first);
    state.graphs.objects.share(number(graph), old->first);
    return cudaSuccess;
  });
}

LANESCOPE_TWIN(cudaGraphInstantiateWithParams, _ptsz);
LANESCOPE_TWIN(cudaGraphUpload, _ptsz);
LANESCOPE_TWIN(cudaGraphLaunch, _ptsz);

}  // namespace lanescope::cudart

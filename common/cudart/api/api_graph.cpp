// SPDX-License-Identifier: MIT
// Graphs as a whole: made, copied, their nodes and edges. Nodes are added in api_graph_add.cpp, get
// other parameters in api_graph_params.cpp; a graph is done in api_graph_run.cpp.
#include <algorithm>

#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/graph/edges.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

constexpr const char* kHasMemory =
    "a graph whose nodes allocate or free is not cloned, and its nodes stay";

cudaError list_nodes(Context& state, cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count,
                     bool only_roots) {
  const Graph* found = state.graphs.find(graph);
  if (!found || !count || (nodes && *count == 0)) return cudaErrorInvalidValue;
  std::size_t listed = 0;
  for (const GraphNode& node : found->nodes) {
    if (only_roots && !node.needs.empty()) continue;
    if (nodes && listed == *count) break;
    if (nodes) nodes[listed] = handle(node.handle);
    ++listed;
  }
  *count = listed;
  return cudaSuccess;
}

/// `change(graph, later node, handle of the earlier, which)` for each edge; false: there is no
/// such.
template <class Change>
cudaError change_edges(const char* name, cudaGraph_t graph, const cudaGraphNode_t* from,
                       const cudaGraphNode_t* to, std::size_t count, Change&& change) {
  return call(name, [&](Context& state) {
    Graph* found = state.graphs.find(graph);
    if (!found || (count > 0 &&
                   (!is_mapped(from, count * sizeof *from) || !is_mapped(to, count * sizeof *to))))
      return cudaErrorInvalidValue;
    for (std::size_t k = 0; k < count; ++k) {
      GraphNode* later = found->find(number(to[k]));
      if (!later || !change(*found, *later, number(from[k]), k)) return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
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
    const Graph* found = state.graphs.find(graph);
    if (!found) return cudaErrorInvalidValue;
    for (const GraphNode& node : found->nodes) state.graphs.graphs.erase(node.child);
    state.graphs.graphs.erase(number(graph));
    state.graphs.objects.drop(number(graph));
    return cudaSuccess;
  });
}

cudaError cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return call("cudaGraphClone", [&](Context& state) {
    const Graph* found = state.graphs.find(graph);
    if (!clone || !found) return cudaErrorInvalidValue;
    if (has_memory(found->nodes)) return refuse(state, cudaErrorNotSupported, kHasMemory);
    const std::uint64_t made = state.next_handle++;
    state.graphs.graphs[made] = copy_of(state, *found);
    state.graphs.objects.share(number(graph), made);
    *clone = handle(made);
    return cudaSuccess;
  });
}

cudaError cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                   const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                   std::size_t count) {
  if (edges && !is_mapped(edges, count * sizeof *edges)) return cudaErrorInvalidValue;
  return change_edges(
      "cudaGraphAddDependencies", graph, from, to, count,
      [&](const Graph& found, GraphNode& later, std::uint64_t need, std::size_t which) {
        if (!found.find(need) || need == later.handle || later.needs_node(need)) return false;
        later.needs.push_back(need);
        if (!edges || keep_edge(later, need, edges[which])) return true;
        later.needs.pop_back();
        return false;
      });
}

cudaError cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                      const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                      std::size_t count) {
  return change_edges("cudaGraphRemoveDependencies", graph, from, to, count,
                      [](const Graph&, GraphNode& later, std::uint64_t need, std::size_t) {
                        later.edges.erase(need);
                        return std::erase(later.needs, need) != 0;
                      });
}

cudaError cudaGraphDestroyNode(cudaGraphNode_t node) {
  return call("cudaGraphDestroyNode", [&](Context& state) {
    Graph* graph = state.graphs.graph_of(number(node));
    if (!graph) return cudaErrorInvalidValue;
    if (has_memory(graph->nodes)) return refuse(state, cudaErrorNotSupported, kHasMemory);
    std::erase_if(graph->nodes, [&](const GraphNode& each) { return each.handle == number(node); });
    for (GraphNode& each : graph->nodes) {
      std::erase(each.needs, number(node));
      each.edges.erase(number(node));
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

cudaError cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                            cudaGraphEdgeData* data, std::size_t* count) {
  return call("cudaGraphGetEdges", [&](Context& state) {
    const Graph* found = state.graphs.find(graph);
    if (!found || !count || (data && (!from || !to))) return cudaErrorInvalidValue;
    std::vector<Edge> edges;
    for (const GraphNode& node : found->nodes)
      for (const std::uint64_t need : node.needs) edges.emplace_back(need, &node);
    const bool is_listed = from && to;
    if (const cudaError error = answer_edges(edges, is_listed, data, *count); error != cudaSuccess)
      return error;
    const std::size_t listed = is_listed ? std::min(*count, edges.size()) : edges.size();
    for (std::size_t k = 0; is_listed && k < listed; ++k) {
      from[k] = handle(edges[k].first);
      to[k] = handle(edges[k].second->handle);
    }
    *count = listed;
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

}  // namespace lanescope::cudart

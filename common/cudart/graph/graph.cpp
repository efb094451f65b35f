// SPDX-License-Identifier: MIT
// See graph.hpp.
#include "cudart/graph/graph.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "cudart/context.hpp"
#include "cudart/default_stream.hpp"
#include "cudart/graph/edges.hpp"
#include "cudart/handle.hpp"

namespace lanescope::cudart {

bool GraphNode::needs_node(std::uint64_t other) const {
  return std::find(needs.begin(), needs.end(), other) != needs.end();
}

const GraphNode* Graph::find(std::uint64_t handle) const {
  const auto found = std::find_if(nodes.begin(), nodes.end(),
                                  [&](const GraphNode& node) { return node.handle == handle; });
  return found == nodes.end() ? nullptr : &*found;
}

GraphNode* Graph::find(std::uint64_t handle) {
  return const_cast<GraphNode*>(std::as_const(*this).find(handle));
}

Graph* Graphs::find(cudaGraph_t graph) {
  const auto found = graphs.find(number(graph));
  return found == graphs.end() ? nullptr : &found->second;
}

Graph* Graphs::graph_of(std::uint64_t node) {
  for (auto& [handle, graph] : graphs)
    if (graph.find(node)) return &graph;
  return nullptr;
}

bool Graphs::is_captured(std::uint64_t graph) const {
  return std::any_of(captures.begin(), captures.end(), [&](const auto& known) {
    const Capture& capture = known.second;
    return capture.begun_here && capture.graph == graph && !capture.is_invalid;
  });
}

Capture* Graphs::capture_of(cudaStream_t stream) {
  const auto found = captures.find(stream_number(stream));
  return found == captures.end() ? nullptr : &found->second;
}

void Graphs::invalidate(std::uint64_t graph) {
  for (auto& [stream, capture] : captures)
    if (capture.graph == graph) capture.is_invalid = true;
}

void Graphs::end_captures(std::uint64_t graph) {
  std::erase_if(captures, [&](const auto& known) { return known.second.graph == graph; });
}

std::optional<std::vector<GraphNode>> in_order(const Graph& graph) {
  std::vector<GraphNode> ordered;
  std::set<std::uint64_t> done;
  while (ordered.size() < graph.nodes.size()) {
    const auto before = ordered.size();
    for (const GraphNode& node : graph.nodes) {
      const bool ready = std::all_of(node.needs.begin(), node.needs.end(),
                                     [&](std::uint64_t need) { return done.count(need) != 0; });
      if (!ready || done.count(node.handle) != 0) continue;
      done.insert(node.handle);
      ordered.push_back(node);
    }
    if (ordered.size() == before) return std::nullopt;
  }
  return ordered;
}

namespace {
bool settle(const Graphs& graphs, std::vector<GraphNode>& nodes) {
  for (GraphNode& node : nodes) {
    if (const auto child = graphs.graphs.find(node.child); child != graphs.graphs.end()) {
      auto inner = settled(graphs, child->second);
      if (!inner) return false;
      node.inner = std::move(*inner);
    } else if (!settle(graphs, node.inner)) {
      return false;
    }
    node.branches.clear();
    for (const std::uint64_t body : node.bodies) {
      const auto found = graphs.graphs.find(body);
      auto branch = found == graphs.graphs.end() ? std::nullopt : settled(graphs, found->second);
      if (!branch) return false;
      node.branches.push_back(std::move(*branch));
    }
  }
  return true;
}
}  // namespace

std::optional<std::vector<GraphNode>> settled(const Graphs& graphs, const Graph& graph) {
  auto nodes = in_order(graph);
  if (nodes && !settle(graphs, *nodes)) return std::nullopt;
  return nodes;
}

Graph copy_of(Context& context, const Graph& graph) {
  Graph made = graph;
  std::map<std::uint64_t, std::uint64_t> copies;
  for (GraphNode& node : made.nodes) {
    node.origin = node.handle;
    node.handle = copies[node.origin] = context.next_handle++;
    if (const Graph* child = context.graphs.find(handle(node.child)))
      node.inner = settled(context.graphs, *child).value_or(std::move(node.inner));
    node.child = 0;
  }
  for (GraphNode& node : made.nodes) {
    for (std::uint64_t& need : node.needs) need = copies[need];
    std::map<std::uint64_t, cudaGraphEdgeData> edges;
    for (const auto& [need, data] : node.edges) edges[copies[need]] = data;
    node.edges = std::move(edges);
  }
  return made;
}

std::uint64_t add_node(Context& context, Graph& graph, GraphNode node) {
  node.handle = context.next_handle++;
  graph.nodes.push_back(std::move(node));
  return graph.nodes.back().handle;
}

bool is_captured(const Context& context, cudaStream_t stream) {
  return context.graphs.captures.count(stream_number(stream)) != 0;
}

cudaError invalidate(Context& context, cudaStream_t stream, cudaError error) {
  if (const Capture* capture = context.graphs.capture_of(stream))
    context.graphs.invalidate(capture->graph);
  return error;
}

cudaError write_down(Context& context, cudaStream_t stream, GraphNode node) {
  Capture& capture = *context.graphs.capture_of(stream);
  if (capture.is_invalid) return cudaErrorStreamCaptureInvalidated;
  node.needs = capture.last;
  Graph& graph = context.graphs.graphs[capture.graph];
  if (node.is_programmatic) let_begin_early(graph, node);
  capture.last = {add_node(context, graph, std::move(node))};
  return cudaSuccess;
}

cudaError submit(Context& context, cudaStream_t stream, NodeType type, Work work,
                 std::string_view label) {
  if (!is_captured(context, stream)) return work(context);
  GraphNode node;
  node.type = type;
  node.work = std::move(work);
  node.label = label;
  return write_down(context, stream, std::move(node));
}

}  // namespace lanescope::cudart

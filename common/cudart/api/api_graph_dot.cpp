// SPDX-License-Identifier: MIT
// A graph as a file for Graphviz, as a driver writes it without flags: nodes by number, what they
// do, what they need; child graphs and the graphs of conditional nodes behind it, as graphs of
// their own. Flags ask for parameters and handles besides, which nodes do not keep here.
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <string>

#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

class DotWriter {
 public:
  explicit DotWriter(const Graphs& graphs) : graphs_(graphs) {}

  std::string write(const std::vector<GraphNode>& nodes) {
    std::string text = "digraph dot {\n";
    waiting_.push_back(&nodes);
    for (std::size_t at = 0; at < waiting_.size(); ++at) text += graph(at, *waiting_[at]);
    return text + "}\n";
  }

 private:
  std::string graph(std::size_t number, const std::vector<GraphNode>& nodes) {
    std::string text = fmt::format(
        "subgraph cluster_{0} {{\nlabel=\"graph_{0}\" graph[style=\"dashed\"];\n", number);
    std::map<std::uint64_t, std::size_t> places;
    for (const GraphNode& node : nodes) {
      const std::size_t place = places.size();
      places[node.handle] = place;
      text += fmt::format("\"graph_{}_node_{}\"[{} label=\"{}\n{}\n\"];\n\n", number, place,
                          shape(node), place, label(node));
    }
    for (const GraphNode& node : nodes)
      for (const std::uint64_t need : node.needs)
        text += fmt::format("\"graph_{0}_node_{1}\" -> \"graph_{0}_node_{2}\";\n", number,
                            places[need], places[node.handle]);
    return text + "}\n";
  }

  static const char* shape(const GraphNode& node) {
    switch (node.type) {
      case NodeType::kernel:
        return "style=\"bold\" shape=\"octagon\"";
      case NodeType::memset:
        return "style=\"solid\" shape=\"invtrapezium\"";
      case NodeType::memcpy:
        return "style=\"solid\" shape=\"trapezium\"";
      default:
        return "style=\"solid\" shape=\"rectangle\"";
    }
  }

  std::string label(const GraphNode& node) {
    switch (node.type) {
      case NodeType::kernel:
        return node.label.empty() ? "KERNEL" : node.label;
      case NodeType::memcpy:
        return "MEMCPY" + (node.label.empty() ? "" : "\n" + node.label);
      case NodeType::memset:
        return "MEMSET" + (node.label.empty() ? "" : "\n" + node.label);
      case NodeType::host:
        return "HOST";
      case NodeType::graph:
        return inner(node.inner);
      case NodeType::empty:
        return "EMPTY";
      case NodeType::wait_event:
        return "EVENT_WAIT";
      case NodeType::record_event:
        return "EVENT_RECORD";
      case NodeType::allocate:
        return "MEM_ALLOC";
      case NodeType::release:
        return "MEM_FREE";
      case NodeType::conditional:
        break;
    }
    std::string text = "CONDITIONAL";
    for (const std::uint64_t body : node.bodies)
      if (const auto found = graphs_.graphs.find(body); found != graphs_.graphs.end())
        text += "\n" + inner(found->second.nodes);
    return text;
  }

  std::string inner(const std::vector<GraphNode>& nodes) {
    waiting_.push_back(&nodes);
    return fmt::format("graph_{}", waiting_.size() - 1);
  }

  const Graphs& graphs_;
  std::vector<const std::vector<GraphNode>*> waiting_;  // by number
};

}  // namespace

cudaError cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  return call("cudaGraphDebugDotPrint", [&](Context& state) {
    const Graph* found = state.graphs.find(graph);
    if (!found || !is_mapped(path, 1)) return cudaErrorInvalidValue;
    std::FILE* file = std::fopen(path, "w");
    if (!file) return cudaErrorOperatingSystem;
    const std::string text = DotWriter(state.graphs).write(found->nodes);
    const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return std::fclose(file) == 0 && is_written ? cudaSuccess : cudaErrorOperatingSystem;
  });
}

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
#include "cudart/graph/edges.hpp"

#include <algorithm>

#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

// cudaGraphKernelNodePort...: the edge leaves the earlier kernel where each of its blocks has
// called cudaTriggerProgrammaticLaunchCompletion, or has ended.
constexpr unsigned char kDefault = 0, kProgrammatic = 1, kLaunchOrder = 2;

bool is_usual(const cudaGraphEdgeData& data) {
  return data.from_port == 0 && data.to_port == 0 && data.type == kDefault;
}

}  // namespace

cudaGraphEdgeData edge_of(const GraphNode& later, std::uint64_t need) {
  const auto found = later.edges.find(need);
  return found == later.edges.end() ? cudaGraphEdgeData{} : found->second;
}

bool keep_edge(GraphNode& later, std::uint64_t need, const cudaGraphEdgeData& data) {
  if (!later.needs_node(need) || data.to_port != 0 || data.type > kProgrammatic ||
      data.from_port > kLaunchOrder)
    return false;
  later.edges.erase(need);
  if (!is_usual(data)) later.edges[need] = data;
  return true;
}

cudaError answer_edges(std::span<const Edge> edges, bool is_listed, cudaGraphEdgeData* answer,
                       std::size_t room) {
  if (is_listed && room == 0) return cudaErrorInvalidValue;
  if (answer && !is_mapped(answer, room * sizeof *answer)) return cudaErrorInvalidValue;
  for (std::size_t k = 0; k < std::min(room, edges.size()); ++k) {
    const cudaGraphEdgeData data = edge_of(*edges[k].second, edges[k].first);
    if (answer)
      answer[k] = data;
    else if (is_listed && !is_usual(data))
      return cudaErrorLossyQuery;
  }
  return cudaSuccess;
}

bool may_begin_early(const GraphNode& later, const GraphNode& before) {
  return before.type == NodeType::kernel && later.needs.size() == 1 &&
         later.needs.front() == before.handle &&
         edge_of(later, before.handle).type == kProgrammatic;
}

void let_begin_early(const Graph& graph, GraphNode& later) {
  for (const std::uint64_t need : later.needs)
    if (const GraphNode* before = graph.find(need); before && before->type == NodeType::kernel)
      later.edges[need] = {kProgrammatic, 0, kProgrammatic, {}};
}

}  // namespace lanescope::cudart

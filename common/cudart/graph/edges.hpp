// SPDX-License-Identifier: MIT
// What is said of a graph's edges: whether a kernel may begin before the one ahead of it has ended.
// Kernels run one after the other here, so it is kept and told, and changes nothing but what the
// checker asks.
//
// Source: CUDA Runtime API, cudaGraphEdgeData; CUDA C++ Programming Guide, 6.2.4.5 (programmatic
// dependent launch, use in CUDA graphs).
#pragma once

#include <span>
#include <utility>

#include "cudart/graph/graph.hpp"

namespace lanescope::cudart {

/// An edge: what has to be done before, and the node that waits for it.
using Edge = std::pair<std::uint64_t, const GraphNode*>;

/// What is said of the edge from `need`; all zeros is the usual.
cudaGraphEdgeData edge_of(const GraphNode& later, std::uint64_t need);

/// Keeps what a program says of that edge, or forgets it where it is the usual.
/// @return false: there is no such edge.
bool keep_edge(GraphNode& later, std::uint64_t need, const cudaGraphEdgeData& data);

/// Writes as much as there is room for; `answer` may be null, but not where that loses something
/// and `is_listed` says that the edges are asked for, not only counted: cudaErrorLossyQuery.
cudaError answer_edges(std::span<const Edge> edges, bool is_listed, cudaGraphEdgeData* answer,
                       std::size_t room);

/// Whether a kernel may begin before that one has ended: it is all that it waits for.
bool may_begin_early(const GraphNode& later, const GraphNode& before);

/// A captured launch with programmaticStreamSerializationAllowed: its edges from kernels.
void let_begin_early(const Graph& graph, GraphNode& later);

}  // namespace lanescope::cudart

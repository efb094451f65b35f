// SPDX-License-Identifier: MIT
// Memory that belongs to a graph: a node of the graph allocates it. It has one address for every
// launch, is there from that node on, and goes where a node, cudaFree or cudaFreeAsync frees it;
// the next launch brings it back.
//
//     added, captured    an address, nothing there: kernels and copies that touch it fail
//     node allocates     there, with 0xa5 in it
//     freed              nothing there; the address is kept while a graph or what was made of it
//                        has the node
//
// Source: CUDA C++ Programming Guide 13.0, "Graph Memory Nodes".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

#include "cudart/abi.hpp"

namespace lanescope::cudart {

struct Context;
struct GraphNode;

struct GraphBlock {
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<std::byte, Free> room;
  std::size_t bytes = 0;
  bool is_there = false;
  std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(room.get()); }
};

struct GraphMemory {
  std::map<std::uint64_t, std::shared_ptr<GraphBlock>> blocks;  // by address
  std::uint64_t there_bytes = 0;  // of those that are there, each in whole pieces
  std::uint64_t held_bytes = 0;   // the same, and what was freed since the last trim
  std::uint64_t most_used_bytes = 0, most_reserved_bytes = 0;
  /// Whether the address lies in a graph's memory, there or not.
  bool around(std::uint64_t address) const;
  /// Gives back what no block needs that is there.
  void trim();
  /// Lets go of what is not there and of which no node knows any more.
  void forget();
};

/// Whether a node can allocate such memory: the card's.
cudaError check_allocation(const Context& context, const cudaMemPoolProps& asked);
/// Gives a node of type allocate what it does, and gives the address.
cudaError set_allocation(Context& context, std::size_t bytes, GraphNode& node, void** pointer);
/// Gives a node of type release what it frees: what a graph's node allocates.
cudaError set_release(Context& context, const void* pointer, GraphNode& node);
/// Whether nodes allocate or free: a card makes one executable of such a graph at a time, and none
/// of its nodes and edges go.
bool has_memory(const std::vector<GraphNode>& nodes);
/// Whether one of the nodes frees what begins at the address.
bool frees(const std::vector<GraphNode>& nodes, const void* pointer);
/// Frees a graph's memory that is there; false: it is none, or not there.
bool release_graph_memory(Context& context, std::uint64_t address);
/// Before a launch: all that the nodes allocate has been freed, or is freed now.
cudaError clear_graph_memory(Context& context, const std::vector<GraphNode>& nodes, bool frees);

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// See graph_memory.hpp.
#include "cudart/graph/graph_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cudart/context.hpp"
#include "cudart/errors.hpp"
#include "cudart/handle.hpp"
#include "cudart/managed.hpp"

namespace lanescope::cudart {

namespace {

constexpr std::size_t kAlignmentBytes = 256;     // cudaMalloc's promise
constexpr int kFresh = 0xa5;                     // as all memory that nobody has written
constexpr std::uint64_t kPieceBytes = 32 << 20;  // in which an H200 counts a graph's memory

std::uint64_t whole_pieces(std::uint64_t bytes) {
  return (bytes + kPieceBytes - 1) / kPieceBytes * kPieceBytes;
}

cudaError appear(Context& context, GraphBlock& block) {
  const std::uint64_t free_bytes = context.memory_bytes() - context.device_bytes;
  if (block.bytes > free_bytes)
    return refuse(context, cudaErrorMemoryAllocation,
                  fmt::format("the graph's node asks for {} bytes, {} of {} free", block.bytes,
                              free_bytes, context.memory_bytes()));
  if (const auto error = context.machine->adopt(block.address(), block.bytes))
    return refuse(context, to_cuda(error.code), error.message);
  std::memset(block.room.get(), kFresh, block.bytes);
  block.is_there = true;
  context.memory.add({.address = block.address(), .bytes = block.bytes});
  context.device_bytes += block.bytes;
  GraphMemory& memory = context.graphs.memory;
  memory.there_bytes += whole_pieces(block.bytes);
  memory.held_bytes = std::max(memory.held_bytes, memory.there_bytes);
  memory.most_used_bytes = std::max(memory.most_used_bytes, memory.held_bytes);
  memory.most_reserved_bytes = std::max(memory.most_reserved_bytes, memory.held_bytes);
  return cudaSuccess;
}

}  // namespace

bool GraphMemory::around(std::uint64_t address) const {
  const auto after = blocks.upper_bound(address);
  return after != blocks.begin() &&
         address - std::prev(after)->first < std::prev(after)->second->bytes;
}

void GraphMemory::trim() {
  forget();
  held_bytes = there_bytes;
}

void GraphMemory::forget() {
  for (auto each = blocks.begin(); each != blocks.end();)
    each = !each->second->is_there && each->second.use_count() == 1 ? blocks.erase(each)
                                                                    : std::next(each);
}

cudaError check_allocation(const Context& context, const cudaMemPoolProps& asked) {
  constexpr int kPinned = 1, kManaged = 2;  // cudaMemAllocationType
  const auto& [type, id] = asked.location;
  if (type == kCard && asked.allocType >= kPinned)
    return id == 0 ? cudaSuccess : cudaErrorInvalidValue;
  const bool is_elsewhere = (asked.allocType == kPinned && type == kHost) ||
                            (asked.allocType == kManaged && type != kCard);
  if (!is_elsewhere) return cudaErrorInvalidValue;
  return refuse(context, cudaErrorNotSupported,
                "a graph's nodes allocate memory of the card alone");
}

cudaError set_allocation(Context& context, std::size_t bytes, GraphNode& node, void** pointer) {
  if (bytes == 0 || bytes > context.memory_bytes()) return cudaErrorMemoryAllocation;
  context.graphs.memory.forget();
  const std::size_t rounded = (bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
  const auto block = std::make_shared<GraphBlock>();
  block->room.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignmentBytes, rounded)));
  if (!block->room) return cudaErrorMemoryAllocation;
  block->bytes = bytes;
  context.graphs.memory.blocks[block->address()] = block;
  node.block = block;
  node.work = [block](Context& state) { return appear(state, *block); };
  *pointer = block->room.get();
  node.given = std::make_shared<GivenParameters>();
  node.given->all.alloc.bytesize = bytes;
  node.given->all.alloc.dptr = *pointer;
  return cudaSuccess;
}

cudaError set_release(Context& context, const void* pointer, GraphNode& node) {
  const std::uint64_t address = number(pointer);
  if (context.graphs.memory.blocks.count(address) == 0) return cudaErrorInvalidValue;
  node.given = std::make_shared<GivenParameters>();
  node.given->all.freed = const_cast<void*>(pointer);
  node.work = [address](Context& state) {
    if (release_graph_memory(state, address)) return cudaSuccess;
    return refuse(state, cudaErrorInvalidValue,
                  fmt::format("a node frees {:#x}, which is not there", address));
  };
  return cudaSuccess;
}

bool has_memory(const std::vector<GraphNode>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const GraphNode& node) {
    return node.type == NodeType::allocate || node.type == NodeType::release ||
           has_memory(node.inner);
  });
}

bool frees(const std::vector<GraphNode>& nodes, const void* pointer) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const GraphNode& node) {
    return node.type == NodeType::release && node.given->all.freed == pointer;
  });
}

bool release_graph_memory(Context& context, std::uint64_t address) {
  GraphMemory& memory = context.graphs.memory;
  const auto found = memory.blocks.find(address);
  if (found == memory.blocks.end() || !found->second->is_there) return false;
  GraphBlock& block = *found->second;
  (void)context.machine->disown(address);
  context.memory.remove(address);
  context.device_bytes -= block.bytes;
  memory.there_bytes -= whole_pieces(block.bytes);
  block.is_there = false;
  return true;
}

cudaError clear_graph_memory(Context& context, const std::vector<GraphNode>& nodes, bool frees) {
  for (const GraphNode& node : nodes) {
    cudaError error = clear_graph_memory(context, node.inner, frees);
    for (const auto& branch : node.branches)
      if (error == cudaSuccess) error = clear_graph_memory(context, branch, frees);
    if (error != cudaSuccess) return error;
    if (!node.block || !node.block->is_there) continue;
    if (!frees)
      return refuse(context, cudaErrorInvalidValue,
                    fmt::format("the {} bytes at {:#x} that the graph allocates have not been "
                                "freed since its last launch",
                                node.block->bytes, node.block->address()));
    release_graph_memory(context, node.block->address());
  }
  return cudaSuccess;
}

}  // namespace lanescope::cudart

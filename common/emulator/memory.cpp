// SPDX-License-Identifier: MIT
#include "emulator/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace lanescope::emulator {

namespace {
constexpr std::uint64_t kAlignment = 512;  // what a texture needs, and an H200 gives
// Around each allocation nothing else lies for so many bytes, neither another one nor what the
// program has from malloc: an address there is an index too far, one elsewhere no index at all.
constexpr std::uint64_t kNearBytes = 4096;
constexpr std::uint64_t kFarBytes = std::uint64_t{1} << 32;
constexpr std::size_t kMostFreed = 64;

Error fail(ErrorCode code, std::string message) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  error.diagnostic.message = error.message;
  return error;
}
}  // namespace

void Memory::FreeBytes::operator()(std::byte* bytes) const { std::free(bytes); }

Result<std::uint64_t> Memory::allocate(std::uint64_t bytes, std::uint64_t limit_bytes) {
  Result<std::uint64_t> result;
  if (bytes == 0) return result;
  if (bytes > limit_bytes || allocated_bytes_ > limit_bytes - bytes) {
    result.error =
        fail(ErrorCode::out_of_memory, fmt::format("no room for {} bytes: {} of {} are in use",
                                                   bytes, allocated_bytes_, limit_bytes));
    return result;
  }
  const std::uint64_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  auto* begin = static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded + 2 * kNearBytes));
  if (begin == nullptr) {
    result.error =
        fail(ErrorCode::out_of_memory, fmt::format("the host has no room for {} bytes", bytes));
    return result;
  }
  std::byte* memory = begin + kNearBytes;
  std::memset(memory, kPoison, rounded);
  result.value = reinterpret_cast<std::uint64_t>(memory);
  freed_.erase(std::remove_if(freed_.begin(), freed_.end(),
                              [&](const Range& freed) {
                                return freed.begin < result.value + rounded &&
                                       result.value < freed.end;
                              }),
               freed_.end());
  Block& block = blocks_[result.value];
  block.bytes = bytes;
  block.number = made_++;
  block.owned.reset(begin);
  allocated_bytes_ += bytes;
  return result;
}

Error Memory::free(std::uint64_t address) {
  if (address == 0) return {};
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || !found->second.owned)
    return fail(ErrorCode::invalid_value,
                fmt::format("cannot free 0x{:x}: it is {}", address, describe(address)));
  allocated_bytes_ -= found->second.bytes;
  freed_.push_back({address, address + found->second.bytes});
  if (freed_.size() > kMostFreed) freed_.pop_front();
  blocks_.erase(found);
  return {};
}

Error Memory::adopt(std::uint64_t address, std::uint64_t bytes) {
  if (address == 0 || bytes == 0)
    return fail(ErrorCode::invalid_value, "cannot register an empty range of host memory");
  const auto after = blocks_.lower_bound(address);
  const bool hits_next = after != blocks_.end() && after->first < address + bytes;
  const bool hits_previous = after != blocks_.begin() &&
                             std::prev(after)->first + std::prev(after)->second.bytes > address;
  if (hits_next || hits_previous)
    return fail(ErrorCode::invalid_value,
                fmt::format("the host range 0x{:x} + {} is registered already", address, bytes));
  Block& block = blocks_[address];
  block.bytes = bytes;
  block.number = made_++;
  return {};
}

Error Memory::disown(std::uint64_t address) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || found->second.owned)
    return fail(ErrorCode::invalid_value,
                fmt::format("the host address 0x{:x} is not registered", address));
  blocks_.erase(found);
  return {};
}

std::vector<trace::Allocation> Memory::oldest(std::size_t most) const {
  std::map<std::uint64_t, trace::Allocation> by_number;
  for (const auto& [address, block] : blocks_) by_number[block.number] = {address, block.bytes};
  std::vector<trace::Allocation> oldest;
  for (const auto& [number, allocation] : by_number) {
    if (oldest.size() == most) break;
    oldest.push_back(allocation);
  }
  return oldest;
}

Range Memory::find(std::uint64_t address) const {
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return {};
  --after;
  const Range range{after->first, after->first + after->second.bytes};
  return address < range.end ? range : Range{};
}

bool Memory::is_near(std::uint64_t address, std::uint64_t bytes) const {
  const auto after = blocks_.upper_bound(address);
  if (after != blocks_.end() && after->first - address <= bytes) return true;
  if (after == blocks_.begin()) return false;
  const auto& [begin, block] = *std::prev(after);
  return address - begin <= block.bytes || address - begin - block.bytes <= bytes;
}

Range Memory::find_freed(std::uint64_t address) const {
  for (const Range& freed : freed_)
    if (freed.contains(address, 1)) return freed;
  return {};
}

std::string Memory::advise(std::uint64_t address) const {
  if (address < 4096) return "is this a null pointer, or a host variable used as a device pointer?";
  if (find_freed(address).end != 0) return "free memory after the last kernel that uses it";
  const auto after = blocks_.upper_bound(address);
  const bool is_near_next = after != blocks_.end() && after->first - address < kNearBytes;
  const bool is_near_last =
      after != blocks_.begin() &&
      address - std::prev(after)->first < std::prev(after)->second.bytes + kNearBytes;
  if (!is_near_next && !is_near_last)
    return "is this the host's memory (malloc, new, a variable)? copy it with cudaMemcpy, or use "
           "cudaMallocManaged; else compare the index with the size that was allocated";
  return "compare the index with the size that was allocated";
}

std::string Memory::describe(std::uint64_t address) const {
  if (const Range freed = find_freed(address); freed.end != 0)
    return fmt::format("{} bytes into the {} bytes at 0x{:x} that have been freed",
                       address - freed.begin, freed.end - freed.begin, freed.begin);
  if (blocks_.empty()) return "not in any allocation (there are none)";
  const auto after = blocks_.upper_bound(address);
  std::uint64_t distance = ~std::uint64_t{0};
  std::string text;
  if (after != blocks_.begin()) {
    const auto& [begin, block] = *std::prev(after);
    if (address < begin + block.bytes)
      return fmt::format("{} bytes into the allocation of {} bytes at 0x{:x}", address - begin,
                         block.bytes, begin);
    distance = address - (begin + block.bytes);
    text = fmt::format("{} bytes after the end of the allocation of {} bytes at 0x{:x}", distance,
                       block.bytes, begin);
  }
  if (after != blocks_.end() && after->first - address < distance) {
    distance = after->first - address;
    text = fmt::format("{} bytes before the allocation of {} bytes at 0x{:x}", distance,
                       after->second.bytes, after->first);
  }
  return distance < kFarBytes ? text : "far from every allocation";
}

}  // namespace lanescope::emulator

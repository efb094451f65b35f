// SPDX-License-Identifier: MIT
#include "emulator/device_heap.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace lanescope::emulator {

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes, std::uint64_t alignment) {
  constexpr std::uint64_t kUnit = 16, kMost = std::uint64_t{1} << 40;
  was_used_ = true;
  if (bytes > kMost || alignment > kMost || !std::has_single_bit(alignment)) return 0;
  const std::uint64_t wanted = std::max(kUnit, (bytes + kUnit - 1) / kUnit * kUnit);
  const std::uint64_t last = std::max(kUnit, alignment) - 1;
  for (auto at = free_.begin(); at != free_.end(); ++at) {
    const auto [begin, size] = *at;
    const std::uint64_t found = (begin + last) & ~last, skipped = found - begin;
    if (size < skipped + wanted) continue;
    free_.erase(at);
    if (skipped != 0) free_[begin] = skipped;
    if (size > skipped + wanted) free_[found + wanted] = size - skipped - wanted;
    used_[found] = wanted;
    return found;
  }
  return 0;
}

bool DeviceHeap::free(std::uint64_t address) {
  const auto found = used_.find(address);
  if (found == used_.end()) return false;
  auto at = free_.emplace(found->first, found->second).first;
  used_.erase(found);
  const auto next = std::next(at);
  if (next != free_.end() && at->first + at->second == next->first) {
    at->second += next->second;
    free_.erase(next);
  }
  if (at == free_.begin()) return true;
  const auto before = std::prev(at);
  if (before->first + before->second != at->first) return true;
  before->second += at->second;
  free_.erase(at);
  return true;
}

}  // namespace lanescope::emulator

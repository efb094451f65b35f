// SPDX-License-Identifier: MIT
#include "emulator/device_heap.hpp"

#include <algorithm>
#include <iterator>

namespace lanescope::emulator {

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes) {
  was_used_ = true;
  if (bytes > std::uint64_t{1} << 40) return 0;
  const std::uint64_t wanted = std::max<std::uint64_t>(16, (bytes + 15) / 16 * 16);
  for (auto at = free_.begin(); at != free_.end(); ++at) {
    const auto [begin, size] = *at;
    if (size < wanted) continue;
    free_.erase(at);
    if (size > wanted) free_[begin + wanted] = size - wanted;
    used_[begin] = wanted;
    return begin;
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

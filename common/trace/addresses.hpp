// SPDX-License-Identifier: MIT
// Where global memory lay in two traces. A run gets its memory where the allocator of the host
// happens to have room: 64-bit words that differ between two runs may be the address of the same
// byte. They are where each is as far from the beginning of an allocation, the n-th that its
// program had at this launch.
//
//     a   |== allocation 0 ==|   |== allocation 1 ==|       word - begin of 1 = 0x40
//     b        |== allocation 0 ==|       |== allocation 1 ==|             = 0x40, too
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "trace/event.hpp"

namespace lanescope::trace {

class Addresses {
 public:
  /// Of traces that do not say where memory was, no two words that differ are alike.
  Addresses() = default;
  Addresses(const Trace& a, const Trace& b);

  /// Whether what lane `lane` wrote into register `write` of two steps is the address of one byte.
  bool are_alike(const Step& a, std::size_t write, std::size_t lane, const Step& b) const;
  /// Whether both traces say where memory was at some launch.
  bool known() const { return !launches_.empty(); }

 private:
  struct Range {
    std::uint64_t begin = 0, end = 0;  // in a
  };
  /// By how much further an allocation lies in b: in a, where those that moved so far lie.
  using Moved = std::map<std::uint64_t, std::vector<Range>>;
  std::map<int, Moved> launches_;
};

}  // namespace lanescope::trace

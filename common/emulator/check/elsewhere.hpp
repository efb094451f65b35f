// SPDX-License-Identifier: MIT
// What clusters of a launch know of each other, through flags and counters in global memory.
//
//     cluster 3   release 1 {its clock then}   release 2 {...}   ...         Releases
//                                   ^
//     a thread of cluster 5    [ 0 0 0 2 0 . ]                               Elsewhere
//
// A fence makes a release of all that its thread knows; a strong store publishes it at its address;
// a strong load there learns it. Only the number of a release is handed around.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/check/clock.hpp"

namespace lanescope::emulator {

class Releases {
 public:
  /// Grids with more clusters than this are not told apart: who has heard of one has of all.
  static constexpr std::uint64_t kMostClusters = 4096;

  explicit Releases(std::uint64_t clusters)
      : logs_(clusters <= kMostClusters ? clusters : 0), clusters_(clusters) {}

  bool tells_apart() const { return clusters_ <= kMostClusters; }
  /// The number of a new release: 1, 2, ...
  std::uint32_t add(std::uint64_t cluster, Clock clock);
  const Clock& clock(std::uint64_t cluster, std::uint32_t number) const {
    return logs_[cluster].clocks[number - 1];
  }
  /// The latest; 0: there is none.
  std::uint32_t last(std::uint64_t cluster) const {
    return tells_apart() ? static_cast<std::uint32_t>(logs_[cluster].clocks.size()) : 0;
  }
  /// A release that says what both of these say; 0 says nothing.
  std::uint32_t join(std::uint64_t cluster, std::uint32_t a, std::uint32_t b);

 private:
  struct Log {
    std::vector<Clock> clocks;
    std::vector<std::uint32_t> since;  // each includes all from this one on
  };
  std::vector<Log> logs_;
  std::uint64_t clusters_;
};

struct Elsewhere {
  Releases* releases = nullptr;
  std::vector<std::uint32_t> heard;  // by cluster: the number of a release

  bool covers(std::uint64_t cluster, std::size_t component, std::uint32_t lanes, Time time) const;
};
using Heard = std::shared_ptr<const Elsewhere>;

/// What both know.
Heard joined(const Heard& a, const Heard& b);

}  // namespace lanescope::emulator

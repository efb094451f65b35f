// SPDX-License-Identifier: MIT
// Which wgmma of one warp is which of the other three: they run it together, so that all four have
// told of one before any tells of the next. To count each warp's from its first on would not do:
// the steps that `--steps` leaves out may have more of them in one warp than in another.
//
//   the trace      warp 0  warp 1  |  warp 0  warp 3  warp 2  warp 1  |  warp 0 ...
//   the number       0       0     |    1       1       1       1     |    2
#pragma once

#include <array>
#include <map>
#include <tuple>

#include "trace/event.hpp"

namespace lanescope::viz {

class WgmmaNumbers {
 public:
  /// Of the next wgmma in the order of the trace.
  int next(const trace::Place& place) {
    constexpr int kWarps = 4;
    Warpgroup& group = groups_[{place.launch, place.block, place.warp / kWarps}];
    const unsigned warp = 1u << place.warp % kWarps;
    if ((group.told & warp) != 0) group = {group.number + 1, 0};
    group.told |= warp;
    return group.number;
  }

 private:
  struct Warpgroup {
    int number = 0;
    unsigned told = 0;  // a bit a warp
  };
  std::map<std::tuple<int, std::array<int, 3>, int>, Warpgroup> groups_;
};

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// What tcgen05.ld brings out of tensor memory: for each that is recorded where it begins, and whose
// sums lie there when it runs. Pure model, no Dear ImGui; steps alone that are recorded.
//
//   tcgen05.mma [%r8], ...            D from lane 0, column 0 on
//   tcgen05.ld.16x256b.x1 {...}, [%r9]   16 lanes and 8 columns of it, from warp 1's lanes on
//
// Source: PTX ISA 9.2, 9.7.16.2.3, 9.7.16.8.
#pragma once

#include <cstdint>
#include <vector>

#include "layout/mover.hpp"
#include "panels/way/tensor_reads.hpp"

namespace lanescope::viz {

struct TensorLoaded {
  StepPlace place;
  StepPlace arrival;  // the item that has its registers as writes: its wait::ld
  const layout::Mover* mover = nullptr;
  int lane = 0, column = 0;  // where it begins
  int apart = 0;             // .16x32bx2: columns to the second half
  int sum = -1;              // index in the sums; -1: no D is known to be there

  /// The lane and column of tensor memory that a part of a register was in; `mover`: as another one
  /// would have it.
  struct Place {
    int lane = 0, column = 0;
  };
  Place at(const layout::Mover& mover, int lane, int value) const;
};
/// In the order of the warps and their steps.
std::vector<TensorLoaded> tensor_loads(RegisterHistory& history,
                                       const std::vector<TensorSum>& sums);

}  // namespace lanescope::viz

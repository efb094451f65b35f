// SPDX-License-Identifier: MIT
// Rung 12, halves. Large tiles are few: 8192 x 8192 has 1376 of 256 x 192, that is 10.4 for each of
// 132 blocks, and in an eleventh round most blocks would have nothing to do. So what is left after
// whole rounds is cut in halves, 128 x 192, if there are enough blocks for all of them at once:
//
//     round      1     2          10    11                      10    10.5
//     blocks   |####|####|  ... |####|####|           ... |####|##|
//              |####|####|  ... |####|####|           ... |####|##|
//              |####|####|  ... |####|    |           ... |####|##|
//              |####|####|  ... |####|    |           ... |####|##|
//                       rung 11                              rung 12
//
// The halves are a launch of their own, of the same code with half the rows. And every other tile
// goes through K backwards: what the blocks have fetched last of A and B is still in the L2.
#pragma once

#include "rung_11_rolling.cuh"

namespace rung_12 {

using rung_11::Consumer, rung_11::Producer, rung_11::Whole;
using rung_11::kK, rung_11::kConsumers, rung_11::kThreads, rung_9::Place;
using Half = rung_11::Shape<2>;

/// What a launch does: `count` pieces, from tile `first` on. A piece is a tile or its half.
struct Part {
  int first, count;
};

template <class S>
__device__ __forceinline__ Place place_of(const Gemm& g, const Part& part, int n) {
  constexpr int kPieces = Whole::kM / S::kM;  // of a tile
  Place at = rung_11::place_of(g, part.first + n / kPieces);
  at.row += n % kPieces * S::kM;
  return at;
}

template <class S>
__global__ void __launch_bounds__(kThreads, 1)
    pieces(Gemm g, Part part, const __grid_constant__ CUtensorMap a_map,
           const __grid_constant__ CUtensorMap b_map) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  rung_11::make_barriers<S>();
  const int first = static_cast<int>(blockIdx.x), blocks = static_cast<int>(gridDim.x);
  const int steps = blocks_along(g.K, kK);
  if (threadIdx.x >= kConsumers) {
    ptx::setmaxnreg_dec_sync_aligned<24>();
    if (threadIdx.x > kConsumers) return;
    Producer<S> producer{&a_map, &b_map, {}};
    bool backwards = false;
    for (int n = first; n < part.count; n += blocks, backwards = !backwards)
      for (int step = 0; step < steps; ++step)
        producer.fill(place_of<S>(g, part, n), (backwards ? steps - 1 - step : step) * kK);
    producer.fill({0, 0}, 0);
  } else {
    ptx::setmaxnreg_inc_sync_aligned<240>();
    Consumer<S> consumer;
    for (int n = first; n < part.count; n += blocks) {
      typename S::Sums acc = {};
      consumer.multiply(acc, steps);
      consumer.store(g, place_of<S>(g, part, n), acc);
    }
  }
#else
  (void)g, (void)part, (void)a_map, (void)b_map;
  __trap();  // ladder.cuh asks first
#endif
}

template <class S>
void launch_part(const Gemm& g, const Part& part, int blocks) {
  if (part.count == 0) return;
  pieces<S><<<static_cast<unsigned>(part.count < blocks ? part.count : blocks), kThreads,
              S::kSharedBytes>>>(g, part, rung_11::map_a<S>(g), rung_11::map_b(g));
}

inline void launch(const Gemm& g, int blocks) {
  const int tiles = rung_11::tiles_of(g), left = tiles % blocks;
  const int halved = 2 * left <= blocks ? left : 0;
  launch_part<Whole>(g, {0, tiles - halved}, blocks);
  launch_part<Half>(g, {tiles - halved, 2 * halved}, blocks);
}

}  // namespace rung_12

// SPDX-License-Identifier: MIT
// Rung 12, sharing. Large tiles are few: 4096 x 4096 has 352 of 256 x 192, that is 2.7 for each of
// 132 blocks, and so in the third round a third of the blocks has nothing to do. Here only whole
// rounds but the last are done tile by tile. All steps of k that are left then, of between one and
// two tiles for each block, are dealt out evenly, wherever that cuts a tile ("stream-K"):
//
//     tiles      |       0       |       1       |       2       |       3       |      3 blocks
//     blocks     |         0         |         1         |         2         |
//                                ^^^^^            the later part of tile 1, and its first step
//
// No part is shorter than a tile's k, so no tile is cut twice. The block that has a tile's later
// part does it first, leaves its sums in global memory, and says so; the block that has the earlier
// part does it last of all, and finds the others' sums there. Nobody waits long. What is gained is
// time, not energy: on an H200 2 % with zeros, and nothing or less with random numbers.
//
// Source: Osama, Merrill, Cecka, Garland, Owens, "Stream-K", PPoPP 2023.
#pragma once

#include "rung_11_rolling.cuh"

namespace rung_12 {

using rung_11::Consumer, rung_11::Producer, rung_11::Sums, rung_11::place_of;
using rung_11::kM, rung_11::kN, rung_11::kK, rung_11::kConsumers, rung_11::kThreads,
    rung_11::kSharedBytes;

/// Where the blocks leave sums for each other: a tile's for every block, and whether they are
/// there.
struct Exchange {
  float4* sums;
  int* there;
};
constexpr int kQuads = rung_11::kBlocksM * rung_11::kBlocksN;  // float4s of a thread

/// What a block has to do: `whole` tiles, and then its share of the steps that are left.
struct Share {
  struct Item {
    int tile, first, last;  // steps of k, without the last one
    __device__ bool exists() const { return first < last; }
  };
  int steps, whole, begin, end;

  __device__ __forceinline__ explicit Share(const Gemm& g) {
    const int tiles = rung_11::tiles_of(g), blocks = static_cast<int>(gridDim.x);
    steps = blocks_along(g.K, kK);
    whole = tiles % blocks == 0 ? tiles / blocks : tiles / blocks - 1;
    const int left = (tiles - whole * blocks) * steps, block = static_cast<int>(blockIdx.x);
    begin = block * left / blocks, end = (block + 1) * left / blocks;
  }
  __device__ __forceinline__ Item item(int n) const {
    const int blocks = static_cast<int>(gridDim.x), block = static_cast<int>(blockIdx.x);
    if (n < whole) return {block + n * blocks, 0, steps};
    const int tile = begin / steps + n - whole, from = tile * steps;
    return {whole * blocks + tile, max(begin - from, 0), min(end - from, steps)};
  }
};

__device__ __forceinline__ void all_consumers() {
  asm volatile("bar.sync 1, %0;" ::"n"(kConsumers) : "memory");
}

/// This block's sums, for the one before it.
__device__ __forceinline__ void give(const Exchange& exchange, const Sums& acc) {
  const int block = static_cast<int>(blockIdx.x);
  float4* to = exchange.sums + block * kQuads * kConsumers + threadIdx.x;
#pragma unroll
  for (int n = 0; n < kQuads; ++n) {
    const float(&d)[4] = acc[n / rung_11::kBlocksN][n % rung_11::kBlocksN];
    to[n * kConsumers] = make_float4(d[0], d[1], d[2], d[3]);
  }
  __threadfence();
  all_consumers();
  if (threadIdx.x == 0) atomicExch(&exchange.there[block], 1);
}

/// Adds what the block behind this one has left, and says that it may leave more: in the next run.
__device__ __forceinline__ void take(const Exchange& exchange, Sums& acc) {
  const int block = static_cast<int>(blockIdx.x) + 1;
  if (threadIdx.x == 0) {
    while (atomicExch(&exchange.there[block], 0) == 0) {
    }
    __threadfence();
  }
  all_consumers();
  const float4* from = exchange.sums + block * kQuads * kConsumers + threadIdx.x;
#pragma unroll
  for (int n = 0; n < kQuads; ++n) {
    float(&d)[4] = acc[n / rung_11::kBlocksN][n % rung_11::kBlocksN];
    const float4 more = __ldcg(&from[n * kConsumers]);
    d[0] += more.x, d[1] += more.y, d[2] += more.z, d[3] += more.w;
  }
}

__global__ void __launch_bounds__(kThreads, 1)
    sharing(Gemm g, Exchange exchange, const __grid_constant__ CUtensorMap a_map,
            const __grid_constant__ CUtensorMap b_map) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  rung_11::make_barriers();
  if (threadIdx.x >= kConsumers) {
    ptx::setmaxnreg_dec_sync_aligned<24>();
    if (threadIdx.x > kConsumers) return;
    const Share share(g);
    Producer producer{&a_map, &b_map, {}};
    for (int n = 0; share.item(n).exists(); ++n) {
      const Share::Item item = share.item(n);
      for (int step = item.first; step < item.last; ++step)
        producer.fill(place_of(g, item.tile), step * kK);
    }
    producer.fill({0, 0}, 0);
  } else {
    ptx::setmaxnreg_inc_sync_aligned<240>();
    const Share share(g);
    Consumer consumer;
    for (int n = 0; share.item(n).exists(); ++n) {
      const Share::Item item = share.item(n);
      Sums acc = {};
      consumer.multiply(acc, item.last - item.first);
      if (item.first > 0) {
        give(exchange, acc);
      } else {
        if (item.last < share.steps) take(exchange, acc);
        consumer.store(g, place_of(g, item.tile), acc);
      }
    }
  }
#else
  (void)g, (void)exchange, (void)a_map, (void)b_map;
  __trap();  // ladder.cuh asks first
#endif
}

/// Room for as many blocks as there may be, made once. Runs must not overlap.
inline const Exchange& exchange() {
  static const Exchange made = [] {
    const auto blocks = static_cast<std::size_t>(rung_10::multiprocessors());
    Exchange it{};
    CUDA_CHECK(cudaMalloc(&it.sums, blocks * kM * kN * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&it.there, blocks * sizeof(int)));
    CUDA_CHECK(cudaMemset(it.there, 0, blocks * sizeof(int)));
    return it;
  }();
  return made;
}

inline void launch(const Gemm& g, int blocks) {
  const int tiles = rung_11::tiles_of(g);
  sharing<<<static_cast<unsigned>(tiles < blocks ? tiles : blocks), kThreads, kSharedBytes>>>(
      g, exchange(), rung_11::map_a(g), rung_11::map_b(g));
}

}  // namespace rung_12

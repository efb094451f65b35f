// SPDX-License-Identifier: MIT
// Rung 10, producer, for Hopper (sm_90a) only: a look ahead to lessons 09 to 12. One thread of a
// warpgroup of its own starts all copies, by TMA, and runs ahead as far as there are free stages,
// also into the next tile of C. Nobody meets at a barrier any more: who needs a stage waits for its
// mbarrier `full`, who wants to fill it for `empty`. The other warps have nothing left to do but
// ldmatrix and mma:
//
//     slice      0               1               2               3 | 0 of the next stage
//     ldmatrix   1               2               3               0 of the next stage
//     mma        0               1               2               3
//                                             release, wait for full |
//
// Tiles and fragments are those of rungs 5 to 9. Each row of blocks of the warp's tile is
// multiplied while one fragment of A and two of B are on their way for the next slice.
//
// Source: PTX ISA 9.2, 9.7.9.25.5 (cp.async.bulk.tensor), 9.7.13.4 (fence.proxy), 9.7.13.15
// (mbarrier), 9.7.19.5 (setmaxnreg).
#pragma once

#include "check.cuh"
#include "ptx/cluster.cuh"
#include "ptx/tma.cuh"
#include "rung_9_epilogue.cuh"
#include "tensor_map.cuh"

namespace rung_10 {

using rung_9::kBlocksM, rung_9::kBlocksN, rung_9::kSlices, rung_9::warp_row, rung_9::warp_col;
using rung_9::kM, rung_9::kN, rung_9::kK, rung_9::kGroup;
using rung_9::place, rung_9::Place, rung_9::Sums, rung_9::TileA;

constexpr int kStages = 4, kConsumers = rung_9::kThreads, kThreads = kConsumers + 128;
// TMA's 128-byte swizzle is ours; a row of its box has 64 elements, so B takes four boxes. Each is
// just what a warp needs.
using BoxB = Tile<kK, 64, kSwizzled>;
constexpr int kBoxes = kN / 64;
static_assert(rung_9::kWarpN == 64);
constexpr int kStage = TileA::kElements + kBoxes * BoxB::kElements;
constexpr int kStageBytes = kStage * 2;
constexpr int kSharedBytes = kStages * kStageBytes + 2 * kStages * 8;

/// Which stage it is whose turn it is, and how often the ring has been gone round: even or odd.
struct Ring {
  int stage = 0, parity = 0;
  __device__ void next() {
    if (++stage == kStages) stage = 0, parity ^= 1;
  }
};

// The block's memory: four stages, and two barriers for each.
__device__ __forceinline__ unsigned char* memory() {
  extern __shared__ __align__(1024) unsigned char swizzled_by_tma[];
  return swizzled_by_tma;
}
__device__ __forceinline__ std::uint16_t* stage_at(int stage) {
  return reinterpret_cast<std::uint16_t*>(memory() + stage * kStageBytes);
}
__device__ __forceinline__ std::uint64_t* full(int stage) {
  return reinterpret_cast<std::uint64_t*>(memory() + kStages * kStageBytes) + stage;
}
__device__ __forceinline__ std::uint64_t* empty(int stage) { return full(kStages + stage); }

__device__ __forceinline__ int tiles_of(const Gemm& g) {
  return blocks_along(g.M, kM) * blocks_along(g.N, kN);
}
__device__ __forceinline__ Place place_of(const Gemm& g, int n) {
  const Place at = place(n, blocks_along(g.M, kM), blocks_along(g.N, kN), kGroup);
  return {at.row * kM, at.col * kN};
}

/// One thread: fills stage after stage, tile after tile, and one stage more than is needed, so that
/// the consumers need not ask whether there is a next one.
__device__ __forceinline__ void produce(const Gemm& g, const CUtensorMap* a_map,
                                        const CUtensorMap* b_map) {
  Ring ring;
  const auto fill = [&](const Place& at, int k) {
    std::uint16_t* stage = stage_at(ring.stage);
    // Of the other parity: at first every stage counts as emptied.
    ptx::mbarrier_wait_parity(empty(ring.stage), ring.parity ^ 1);
    // Who has arrived may still wait for its ldmatrix, and TMA would be there first: an mbarrier
    // alone orders nothing between proxies (docs/experiments/late_reads.md).
    ptx::fence_proxy_async_shared_cta();
    ptx::mbarrier_arrive_expect_tx_shared_b64(full(ring.stage), kStageBytes);
    ptx::cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
        stage, a_map, k, at.row, full(ring.stage));
#pragma unroll
    for (int box = 0; box < kBoxes; ++box)
      ptx::cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
          stage + TileA::kElements + box * BoxB::kElements, b_map, at.col + box * 64, k,
          full(ring.stage));
    ring.next();
  };
  for (int n = static_cast<int>(blockIdx.x); n < tiles_of(g); n += static_cast<int>(gridDim.x))
    for (int k = 0; k < g.K; k += kK) fill(place_of(g, n), k);
  fill({0, 0}, 0);
}

/// Eight warps: multiply what is full, and say when they are through with it.
__device__ __forceinline__ void consume(const Gemm& g) {
  const int steps = blocks_along(g.K, kK), box = TileA::kElements + warp_col() * kK;
  Ring ring;
  std::uint32_t a[2][kBlocksM][4], b[2][kBlocksN][2];
  // A quarter of a slice's fragments: block i of A, blocks 2i and 2i + 1 of B.
  static_assert(kBlocksN == 2 * kBlocksM);
  const auto load = [&](int buffer, int slice, int i) {
    const std::uint16_t* stage = stage_at(ring.stage);
    ldmatrix_a<TileA>(a[buffer][i], stage, warp_row() + i * 16, slice * 16);
    ldmatrix_b<BoxB>(b[buffer][2 * i], b[buffer][2 * i + 1], stage + box, slice * 16, i * 16);
  };
  ptx::mbarrier_wait_parity(full(0), 0);
#pragma unroll
  for (int i = 0; i < kBlocksM; ++i) load(0, 0, i);

  for (int n = static_cast<int>(blockIdx.x); n < tiles_of(g); n += static_cast<int>(gridDim.x)) {
    Sums acc = {};
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
#pragma unroll
      for (int slice = 0; slice < kSlices; ++slice) {
        const int now = slice % 2, next = 1 - now;
        const bool turn = slice + 1 == kSlices;  // the next slice is in the next stage
        if (turn) {
          __syncwarp();  // all 32 lanes have loaded their last of this stage
          if (lane_id() == 0) ptx::mbarrier_arrive_shared_b64(empty(ring.stage));
          ring.next();
          ptx::mbarrier_wait_parity(full(ring.stage), ring.parity);
        }
#pragma unroll
        for (int i = 0; i < kBlocksM; ++i) {
          load(next, turn ? 0 : slice + 1, i);
#pragma unroll
          for (int j = 0; j < kBlocksN; ++j) mma(acc[i][j], a[now][i], b[now][j]);
        }
      }
    }
    const Place at = place_of(g, n);
    rung_9::store_quads(g, at.row + warp_row(), at.col + warp_col(), acc);
  }
}

__global__ void __launch_bounds__(kThreads, 1)
    producer(Gemm g, const __grid_constant__ CUtensorMap a_map,
             const __grid_constant__ CUtensorMap b_map) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      ptx::mbarrier_init_shared_b64(full(stage), 1);
      ptx::mbarrier_init_shared_b64(empty(stage), kConsumers / 32);
    }
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  // 384 threads begin with 168 registers each. The producer needs few, the consumers all others.
  if (threadIdx.x >= kConsumers) {
    ptx::setmaxnreg_dec_sync_aligned<24>();
    if (threadIdx.x == kConsumers) produce(g, &a_map, &b_map);
  } else {
    ptx::setmaxnreg_inc_sync_aligned<240>();
    consume(g);
  }
#else
  (void)g, (void)a_map, (void)b_map;
  __trap();  // ladder.cuh asks first
#endif
}

/// Is there code for this card? -arch=native means sm_90 on Hopper, which lacks setmaxnreg.
__global__ void is_compiled(int* answer) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  *answer = 1;
#else
  *answer = 0;
#endif
}

inline int multiprocessors() {
  int count = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
  return count;
}

/// A matrix of rows x cols, in boxes of box_rows x 64.
inline CUtensorMap map(const std::uint16_t* matrix, int rows, int cols, int box_rows) {
  return tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, const_cast<std::uint16_t*>(matrix),
                       static_cast<std::uint64_t>(cols), static_cast<std::uint64_t>(rows),
                       static_cast<std::uint64_t>(cols) * 2, 64,
                       static_cast<std::uint32_t>(box_rows), CU_TENSOR_MAP_SWIZZLE_128B,
                       CU_TENSOR_MAP_L2_PROMOTION_NONE);
}

/// By at most so many blocks, of which each takes several tiles if it must.
inline void launch(const Gemm& g, int blocks) {
  const int tiles = blocks_along(g.M, kM) * blocks_along(g.N, kN);
  producer<<<static_cast<unsigned>(tiles < blocks ? tiles : blocks), kThreads, kSharedBytes>>>(
      g, map(g.A, g.M, g.K, kM), map(g.B, g.K, g.N, kK));
}

}  // namespace rung_10

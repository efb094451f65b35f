// SPDX-License-Identifier: MIT
// Rung 10, producer, for Hopper (sm_90a) only: a look ahead to lessons 09 to 12. One thread of a
// warpgroup of its own starts all copies, by TMA, and runs ahead as far as there are free stages,
// also into the next tile of C. Nobody meets at a barrier any more: who needs a stage waits for its
// mbarrier `full`, who wants to fill it for `empty`. What copying took of the other warps'
// registers goes into a larger tile: 64 x 96 a warp, 256 x 192 a block.
//
//     256 x 192 of C   warps 0 4     each 64 x 96: 4 x 12 blocks of mma
//                            1 5
//                            2 6     warps 8 to 11: the producer's
//                            3 7
//
// Fragments: 192 registers are sums, so there is no second buffer. B's stream by, 16 columns at a
// time; A's are loaded one by one as soon as their last mma has been started.
//
// Source: PTX ISA 9.2, 9.7.9.25.5 (cp.async.bulk.tensor), 9.7.13.15 (mbarrier), 9.7.19.5
// (setmaxnreg).
#pragma once

#include "check.cuh"
#include "ptx/cluster.cuh"
#include "ptx/tma.cuh"
#include "rung_9_epilogue.cuh"
#include "tensor_map.cuh"

namespace rung_10 {

using rung_8::place;
using rung_8::Place;

constexpr int kM = 256, kN = 192, kK = 64, kStages = 4, kConsumers = 256, kThreads = 384;
constexpr int kWarpM = 64, kWarpN = 96, kBlocksM = kWarpM / 16, kBlocksN = kWarpN / 8;
constexpr int kSlices = kK / 16, kPairs = kBlocksN / 2;  // of columns of blocks
constexpr int kGroup = 11;                               // 11 x 12 tiles run at the same time
// TMA's 128-byte swizzle is ours; a row of its box has 64 elements, so B takes three boxes.
using TileA = Tile<kM, kK, kSwizzled>;
using BoxB = Tile<kK, 64, kSwizzled>;
constexpr int kBoxes = kN / 64;
constexpr int kStage = TileA::kElements + kBoxes * BoxB::kElements;
constexpr int kStageBytes = kStage * 2;
constexpr int kSharedBytes = kStages * kStageBytes + 2 * kStages * 8;
using Sums = float[kBlocksM][kBlocksN][4];

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

/// One thread: fills stage after stage, tile after tile.
__device__ __forceinline__ void produce(const Gemm& g, const CUtensorMap* a_map,
                                        const CUtensorMap* b_map) {
  Ring ring;
  for (int n = static_cast<int>(blockIdx.x); n < tiles_of(g); n += static_cast<int>(gridDim.x)) {
    const Place at = place_of(g, n);
    for (int k = 0; k < g.K; k += kK) {
      std::uint16_t* stage = stage_at(ring.stage);
      // Of the other parity: at first every stage counts as emptied.
      ptx::mbarrier_wait_parity(empty(ring.stage), ring.parity ^ 1);
      ptx::mbarrier_arrive_expect_tx_shared_b64(full(ring.stage), kStageBytes);
      ptx::cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
          stage, a_map, k, at.row, full(ring.stage));
#pragma unroll
      for (int box = 0; box < kBoxes; ++box)
        ptx::cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
            stage + TileA::kElements + box * BoxB::kElements, b_map, at.col + box * 64, k,
            full(ring.stage));
      ring.next();
    }
  }
}

/// Eight warps: multiply what is full, and say when they are through with it.
__device__ __forceinline__ void consume(const Gemm& g) {
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = warp % 4 * kWarpM, warp_col = warp / 4 * kWarpN;
  const int tiles = tiles_of(g), steps = blocks_along(g.K, kK);
  Ring ring;
  std::uint32_t a[kBlocksM][4], b[2][2][2];
  const auto load_a = [&](int slice, int i) {
    ldmatrix_a<TileA>(a[i], stage_at(ring.stage), warp_row + i * 16, slice * 16);
  };
  const auto load_b = [&](int slice, int pair) {
    const int col = warp_col + pair * 16;
    const std::uint16_t* boxes = stage_at(ring.stage) + TileA::kElements;
    ldmatrix_b<BoxB>(b[pair % 2][0], b[pair % 2][1], boxes + col / 64 * BoxB::kElements, slice * 16,
                     col % 64);
  };
  ptx::mbarrier_wait_parity(full(0), 0);
#pragma unroll
  for (int i = 0; i < kBlocksM; ++i) load_a(0, i);
  load_b(0, 0);

  for (int n = static_cast<int>(blockIdx.x); n < tiles; n += static_cast<int>(gridDim.x)) {
    const bool last_tile = n + static_cast<int>(gridDim.x) >= tiles;
    Sums acc = {};
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
#pragma unroll
      for (int slice = 0; slice < kSlices; ++slice) {
        const bool turn = slice + 1 == kSlices;  // the next slice is in the next stage
        const bool more = step + 1 < steps || !last_tile;
#pragma unroll
        for (int pair = 0; pair < kPairs; ++pair) {
          const bool last = pair + 1 == kPairs;
          if (!last) load_b(slice, pair + 1);
          if (last && turn && more) {
            __syncwarp();  // all 32 lanes have loaded their last of this stage
            if (lane_id() == 0) ptx::mbarrier_arrive_shared_b64(empty(ring.stage));
            ring.next();
            ptx::mbarrier_wait_parity(full(ring.stage), ring.parity);
          }
          // Behind the very last slice this loads once more what is there: a branch would cost
          // more.
          if (last) load_b(turn ? 0 : slice + 1, 0);
#pragma unroll
          for (int m = 0; m < kBlocksM; ++m) {
            // What is loaded first, in the last pair, is needed first, in the first one.
            const int i = pair == 0 || pair % 2 == 1 ? kBlocksM - 1 - m : m;
            mma(acc[i][2 * pair + m % 2], a[i], b[pair % 2][m % 2]);
            mma(acc[i][2 * pair + 1 - m % 2], a[i], b[pair % 2][1 - m % 2]);
            if (last) load_a(turn ? 0 : slice + 1, i);
          }
        }
      }
    }
    const Place at = place_of(g, n);
    rung_9::store_quads(g, at.row + warp_row, at.col + warp_col, acc);
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

inline void launch(const Gemm& g) {
  int sms = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  const auto map = [](const std::uint16_t* matrix, int rows, int cols, int box_rows) {
    return tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, const_cast<std::uint16_t*>(matrix),
                         static_cast<std::uint64_t>(cols), static_cast<std::uint64_t>(rows),
                         static_cast<std::uint64_t>(cols) * 2, 64,
                         static_cast<std::uint32_t>(box_rows), CU_TENSOR_MAP_SWIZZLE_128B,
                         CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
  };
  const int tiles = blocks_along(g.M, kM) * blocks_along(g.N, kN);
  producer<<<static_cast<unsigned>(tiles < sms ? tiles : sms), kThreads, kSharedBytes>>>(
      g, map(g.A, g.M, g.K, kM), map(g.B, g.K, g.N, kK));
}

}  // namespace rung_10

// SPDX-License-Identifier: MIT
// The ladder up to its seventh rung: two kernels, each with the one thing that a rung adds.
//
//     alternate   rung 1   64 x 64     TMA brings a tile, all wait, wgmma multiplies it, all wait
//                 rung 2   128 x 128   the same, with four times the work for twice the bytes
//     pipelined   rung 3   a producer keeps a ring of stages full; a consumer empties it
//                 rung 4   128 x 256, two consumers
//                 rung 5   persistent: one block per SM goes from tile to tile
//                 rung 6   clusters of two share B
//                 rung 7   the producer hands registers over to the consumers
//
// Rungs 8 to 10 are kernel.cuh. Which instruction does what: lessons 09 to 12.
// Source: PTX ISA 9.2, 9.7.15 (wgmma), 9.7.9.25.5 (TMA), 9.7.13.15 (mbarrier), 9.7.19.5.
#pragma once

#include "hgemm.cuh"
#include "ptx/cluster.cuh"
#include "record.cuh"
#include "tile.cuh"
#include "watch.cuh"

namespace hgemm {

// ---- Rungs 1 and 2: load, wait, multiply, wait --------------------------------------------------

template <int kBlock>
struct AlternateShared {
  alignas(1024) std::uint16_t a[kBlock * kBlockK];
  std::uint16_t b[kBlock * kBlockK];
  std::uint64_t full;
};

template <Type kType, int kBlock, class Recording>
__global__ void __launch_bounds__(128)
    alternate(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
              std::uint16_t* D, Problem p, Recording recorder) {
  __shared__ AlternateShared<kBlock> shared;
  const int row = static_cast<int>(blockIdx.y) * kBlock,
            col = static_cast<int>(blockIdx.x) * kBlock;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&shared.full, 1);
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  float d[kBlock / 64][kBlock / 2];
  for (int step = 0; step < divide_up(p.K, kBlockK); ++step) {
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx_shared_b64(&shared.full, 2 * kBlock * kRowBytes);
      load<false>(shared.a, map_a, step * kBlockK, row, &shared.full);
      load<false>(shared.b, map_b, step * kBlockK, col, &shared.full);
    }
    ptx::mbarrier_wait_parity(&shared.full, step % 2);
    multiply<kType>(d, shared.a, shared.b, step > 0);
    ptx::wgmma_wait_group_sync_aligned<0>();
    if constexpr (!std::is_same_v<Recording, NoRecorder>)
      if (threadIdx.x < 32 && step == 0) {
        RECORD_TILE(recorder, "A", "f16", kBlock, kBlockK, shared.a, kRowBytes, kRowBytes);
        RECORD_TILE(recorder, "B", "f16", kBlock, kBlockK, shared.b, kRowBytes, kRowBytes);
      }
    __syncthreads();  // everybody has read the tiles: new ones may come
  }
  RECORD_WARPGROUP(recorder, "D", "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16", d[0]);
  store<kType>(d, D, p, row, col);
}

// ---- Rungs 3 to 7: a ring between a producer and its consumers ----------------------------------

/// What a rung is made of. The rows of a block are shared out among the consumers.
template <int kM, int kN, int kConsumerCount, bool kIsPersistent, int kClusterSize,
          bool kMovesRegisters>
struct Rung {
  static constexpr int kBlockM = kM, kBlockN = kN, kConsumers = kConsumerCount, kStages = 4,
                       kCluster = kClusterSize;
  static constexpr bool kPersistent = kIsPersistent, kRegisters = kMovesRegisters;
  static constexpr int kThreads = 128 * (1 + kConsumers);
  static constexpr int kStageBytes = (kBlockM + kBlockN) * kRowBytes;
};
using Rung3 = Rung<128, 128, 1, false, 1, false>;
using Rung4 = Rung<128, 256, 2, false, 1, false>;
using Rung5 = Rung<128, 256, 2, true, 1, false>;
using Rung6 = Rung<128, 256, 2, true, 2, false>;
using Rung7 = Rung<128, 256, 2, true, 2, true>;

template <class R>
struct PipelinedShared {
  alignas(1024) std::uint16_t a[R::kStages][R::kBlockM * kBlockK];
  std::uint16_t b[R::kStages][R::kBlockN * kBlockK];
  std::uint64_t full[R::kStages], empty[R::kStages];
};

/// Which tile of D a block works on next. Blocks of a cluster have tiles below each other.
template <class R>
struct TileLoop {
  int rows, tiles, tile;  // rows: of clusters
  __device__ explicit TileLoop(const Problem& p)
      : rows(divide_up(p.M, R::kBlockM * R::kCluster)),
        tiles(rows * divide_up(p.N, R::kBlockN)),
        tile(static_cast<int>(blockIdx.x) / R::kCluster) {}
  __device__ bool more() const { return tile < tiles; }
  __device__ void next() { tile += static_cast<int>(gridDim.x) / R::kCluster; }
  __device__ int row(int rank) const { return (tile % rows * R::kCluster + rank) * R::kBlockM; }
  __device__ int col() const { return tile / rows * R::kBlockN; }
};

/// One thread. Waits until a stage is empty in all blocks of the cluster, because its part of B
/// goes to all of them.
template <class R>
__device__ void produce(PipelinedShared<R>& shared, const CUtensorMap& map_a,
                        const CUtensorMap& map_b, const Problem& p, int rank) {
  constexpr int kPart = R::kBlockN / R::kCluster;  // rows of B's tile that this block loads
  constexpr int kAll = (1 << R::kCluster) - 1;
  Place<R::kStages> at;
  for (TileLoop<R> loop(p); loop.more(); loop.next())
    for (int k = 0; k < p.K; k += kBlockK, at.next()) {
      std::uint64_t* full = &shared.full[at.stage];
      ptx::mbarrier_wait_parity(&shared.empty[at.stage], at.parity ^ 1);  // round 0: passes at once
      ptx::mbarrier_arrive_expect_tx_shared_b64(full, R::kStageBytes);
      load<false>(shared.a[at.stage], map_a, k, loop.row(rank), full);
      load<(R::kCluster > 1)>(shared.b[at.stage] + rank * kPart * kBlockK, map_b, k,
                              loop.col() + rank * kPart, full, kAll);
    }
}

/// A warpgroup. A stage is empty again when its wgmmas are done, one step later: while the tensor
/// cores are busy with one step, the next one is in line.
template <class R, Type kType>
__device__ void consume(PipelinedShared<R>& shared, std::uint16_t* D, const Problem& p, int rank,
                        int consumer) {
  constexpr int kRows = R::kBlockM / R::kConsumers;
  const int thread = static_cast<int>(threadIdx.x) % 128;
  const auto release = [&](int stage) {
    if constexpr (R::kCluster == 1) {
      if (thread == 0) ptx::mbarrier_arrive_shared_b64(&shared.empty[stage]);
    } else if (thread < R::kCluster) {  // thread n tells block n
      ptx::mbarrier_arrive_shared_cluster_b64(&shared.empty[stage], thread);
    }
  };
  Place<R::kStages> at;
  for (TileLoop<R> loop(p); loop.more(); loop.next()) {
    float d[kRows / 64][R::kBlockN / 2];
    int before = 0;
    for (int k = 0; k < p.K; k += kBlockK) {
      ptx::mbarrier_wait_parity(&shared.full[at.stage], at.parity);
      multiply<kType>(d, shared.a[at.stage] + consumer * kRows * kBlockK, shared.b[at.stage],
                      k > 0);
      ptx::wgmma_wait_group_sync_aligned<1>();
      if (k > 0) release(before);
      before = at.stage;
      at.next();
    }
    ptx::wgmma_wait_group_sync_aligned<0>();
    release(before);
    store<kType>(d, D, p, loop.row(rank) + consumer * kRows, loop.col());
  }
}

template <class R, Type kType>
__global__ void __cluster_dims__(R::kCluster, 1, 1) __launch_bounds__(R::kThreads, 1)
    pipelined(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
              std::uint16_t* D, Problem p) {
  extern __shared__ __align__(1024) unsigned char raw[];
  auto& shared = *reinterpret_cast<PipelinedShared<R>*>(raw);
  const int rank = R::kCluster > 1 ? ptx::cluster_ctarank() : 0;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < R::kStages; ++stage) {
      ptx::mbarrier_init_shared_b64(&shared.full[stage], 1);
      ptx::mbarrier_init_shared_b64(&shared.empty[stage], R::kConsumers * R::kCluster);
    }
    WATCH_SHARED("full", shared.full);
    WATCH_SHARED("empty", shared.empty);
    ptx::fence_mbarrier_init_release_cluster();
  }
  meet<R::kCluster>();
  const int warpgroup = static_cast<int>(threadIdx.x) / 128;
  if (warpgroup == 0) {
    if constexpr (R::kRegisters) ptx::setmaxnreg_dec_sync_aligned<40>();
    if (threadIdx.x == 0) produce<R>(shared, map_a, map_b, p, rank);
  } else {
    if constexpr (R::kRegisters) ptx::setmaxnreg_inc_sync_aligned<232>();
    consume<R, kType>(shared, D, p, rank, warpgroup - 1);
  }
  meet<R::kCluster>();  // nobody leaves while others may write to its memory
}

}  // namespace hgemm

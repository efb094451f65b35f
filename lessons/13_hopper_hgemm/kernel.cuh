// SPDX-License-Identifier: MIT
// The kernel of hgemm.cuh: persistent blocks, each a producer that fills a ring of tiles by TMA and
// two consumers that multiply them by wgmma and store D; with or without clusters and taking turns,
// by Shape; in one shape, or in one for D's upper rows and one for those below. Rungs 8 to 10 of
// the lesson.
//
// How it works, and what each part of it gains: README.md, rungs.cuh, docs/performance.md.
// Source: PTX ISA 9.2, 9.7.15 (wgmma), 9.7.9.25.5 (TMA), 9.7.13.15 (mbarrier), 9.7.13
// (griddepcontrol), 9.7.19.5 (setmaxnreg).
#pragma once

#include <type_traits>

#include "ptx/cluster.cuh"
#include "ptx/ldmatrix.cuh"
#include "shape.cuh"
#include "tile.cuh"
#include "watch.cuh"

namespace hgemm {

// ---- Who waits for whom -------------------------------------------------------------------------

/// All threads of the block, or of the cluster.
template <int kCluster>
__device__ void meet() {
  if constexpr (kCluster > 1)
    ptx::cluster_sync();
  else
    __syncthreads();
}

/// The blocks of the next kernel of a stream may come while these still run (start() allows it):
/// they make their barriers ready, and wait here until all that came before is done and visible.
/// Only the producer has to: consumers store what it has loaded.
__device__ __forceinline__ void wait_for_earlier_kernels() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
__device__ __forceinline__ void let_later_kernels_come() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

// ---- The producer -------------------------------------------------------------------------------

/// A box of A or B: into this block, or into all of `blocks`.
template <bool kShared>
__device__ __forceinline__ void load(std::uint16_t* tile, const CUtensorMap& map, int k, int row,
                                     std::uint64_t* full, int blocks = 0) {
  if constexpr (kShared)
    ptx::
        cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes_multicast_cluster(
            tile, &map, k, row, full, blocks);
  else
    ptx::cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
        tile, &map, k, row, full);
}

/// One thread keeps the ring full. Of what blocks of the cluster share, each loads its part, for
/// all of them; so it waits until the stage is empty in all of them. Every other tile is done from
/// its last k to its first: what was read last is still in the L2.
template <class S, class R>
__device__ void produce(R& ring, const Part& part, int steps, Place<R::kStages>& at) {
  constexpr int kPartA = S::kBlockM / S::kClusterN, kPartB = S::kBlockN / S::kClusterM;
  const Member<S> me(part);
  const int same_a = me.same_a(), same_b = me.same_b();
  bool backwards = false;
  for (int index = me.first; index < part.order.count(); index += me.stride) {
    const int2 tile = part.order.at(index);
    const int row = me.row(tile) + me.right * kPartA, col = me.col(tile) + me.down * kPartB;
    const int stride = backwards ? -kBlockK : kBlockK;
    int k = backwards ? (steps - 1) * kBlockK : 0;
    backwards = !backwards;
    for (int step = 0; step < steps; ++step, k += stride, at.next()) {
      std::uint64_t* full = &ring.full[at.stage];
      ptx::mbarrier_wait_parity(&ring.empty[at.stage], at.parity ^ 1);  // round 0: at once
      ptx::mbarrier_arrive_expect_tx_shared_b64(full, S::kStageBytes);
      load<(S::kClusterN > 1)>(tile_a<S>(ring, at.stage) + me.right * kPartA * kBlockK, part.a, k,
                               row, full, same_a);
      load<(S::kClusterM > 1)>(tile_b<S>(ring, at.stage) + me.down * kPartB * kBlockK, part.b, k,
                               col, full, same_b);
    }
  }
}

// ---- The consumers ------------------------------------------------------------------------------

/// Says that this consumer has read a stage: thread i of it to the i-th block that loads for it.
/// Only to them: each of their barriers waits for R::kReaders. A shape with fewer readers has each
/// of them speak for several.
///
/// Without .release.cluster, which costs a fence of all memory every time: nothing was written, and
/// that the wgmmas have read the stage wgmma.wait_group has made sure of.
template <class S, class R>
__device__ __forceinline__ void release(R& ring, int stage, const Member<S>& me) {
  const int thread = static_cast<int>(threadIdx.x) % 128;
  if constexpr (S::kCluster == 1) {
    if (thread < R::kReaders / S::kReaders) ptx::mbarrier_arrive_shared_b64(&ring.empty[stage]);
  } else if (thread < S::kClusterM + S::kClusterN - 1) {
    const int i = thread - S::kClusterM;  // from 0 on: those beside this one, without itself
    const int rank = thread < S::kClusterM ? me.right * S::kClusterM + thread
                                           : (i + (i >= me.right)) * S::kClusterM + me.down;
    ptx::mbarrier_arrive_shared_cluster_b64(&ring.empty[stage], rank);
  }
}

/// Releases the stage through which D has left, if there is one; then lent is -1.
template <class S, class R>
__device__ __forceinline__ void release_lent(R& ring, const Member<S>& me, int& lent) {
  if (lent < 0) return;
  const int warpgroup = static_cast<int>(threadIdx.x) / 128;
  if (threadIdx.x % 32 == 0) ptx::cp_async_bulk_wait_group_read<0>();  // of this warp's pieces
  asm volatile("bar.sync %0, 128;" ::"r"(2 + warpgroup) : "memory");
  release<S>(ring, lent, me);
  lent = -1;
}

/// d = A * B, for one tile. While the tensor cores are busy with one step the next one is in line
/// already, so a stage is released one step later. The tile's last one is lent to D; that of the
/// tile before comes back when the first products of this one are under way. (In turns: not lent.)
template <class S, Type kType, int kBlocks, int kRegisters, class R>
__device__ __forceinline__ void multiply_tile(float (&d)[kBlocks][kRegisters], R& ring,
                                              const Member<S>& me, int steps, int first_row,
                                              Place<R::kStages>& at, int& lent) {
  int before = 0;
  for (int step = 0; step < steps; ++step, at.next()) {
    ptx::mbarrier_wait_parity(&ring.full[at.stage], at.parity);
    multiply<kType>(d, tile_a<S>(ring, at.stage) + first_row * kBlockK, tile_b<S>(ring, at.stage),
                    step > 0);
    if (step == 0) release_lent(ring, me, lent);
    ptx::wgmma_wait_group_sync_aligned<1>();
    if (step > 0) release(ring, before, me);
    before = at.stage;
  }
  ptx::wgmma_wait_group_sync_aligned<0>();
  if (S::kPingPong)
    release(ring, before, me);
  else
    lent = before;
}

/// A warp's part of d, 64 columns at a time: stmatrix into a swizzled piece, and TMA stores that,
/// and leaves out what is not in D. A tile's last piece may be narrower; it is not swizzled. The
/// first piece is at `place`, others are 64 rows of A further on; a place is free when at most
/// kPlaces - 1 later stores have yet to read theirs.
template <class S, Type kType, int kPlaces, int kBlocks, int kRegisters>
__device__ __forceinline__ void store_tile(const float (&d)[kBlocks][kRegisters],
                                           std::uint16_t* place, const Part& part, int row, int col,
                                           std::uint64_t policy) {
  const int lane = static_cast<int>(threadIdx.x) % 32, piece_row = lane % 16, half = lane / 16;
  int number = 0;
#pragma unroll
  for (int i = 0; i < kBlocks; ++i)
#pragma unroll
    for (int first = 0; first < S::kBlockN; first += kPieceCols) {
      const int cols = min(kPieceCols, S::kBlockN - first);
      const bool narrow = cols < kPieceCols;
      std::uint16_t* rows = place + number * 64 * kBlockK;
      if (lane == 0) ptx::cp_async_bulk_wait_group_read<kPlaces - 1>();
      __syncwarp();
#pragma unroll
      for (int j = 0; j < cols / 16; ++j) {
        const float* sums = &d[i][first / 2 + j * 8];
        const std::uint32_t r[4] = {pack<kType>(sums[0], sums[1]), pack<kType>(sums[2], sums[3]),
                                    pack<kType>(sums[4], sums[5]), pack<kType>(sums[6], sums[7])};
        const int swizzle = narrow ? 0 : piece_row % 8;
        const int chunk = (j * 2 + half) ^ swizzle;  // of 16 bytes
        ptx::stmatrix_sync_aligned_m8n8_x4_shared_b16(&rows[piece_row * cols + chunk * 8], r);
      }
      ptx::fence_proxy_async_shared_cta();
      __syncwarp();
      if (lane == 0) {
        ptx::cp_async_bulk_tensor_2d_global_shared_cta_tile_bulk_group_L2_cache_hint(
            narrow ? &part.rest : &part.d, col + first, row + i * 64, rows, policy);
        ptx::cp_async_bulk_commit_group();
      }
      number = number + 1 < kPlaces ? number + 1 : 0;
    }
}

/// Whose turn it is to multiply, where consumers take turns. Needed although the ring hands out the
/// tiles in order: a parity tells odd rounds from even ones, and no more. A consumer that waits for
/// a full stage must not be two rounds early.
template <class S>
struct Turns {
  int consumer;
  __device__ void begin() const {
    if (S::kPingPong) asm volatile("bar.sync %0, 256;" ::"r"(1 + consumer) : "memory");
  }
  __device__ void pass_on() const {
    if (S::kPingPong) asm volatile("bar.arrive %0, 256;" ::"r"(2 - consumer) : "memory");
  }
};

template <class S, Type kType, class R>
__device__ void consume(R& ring, const Part& part, int steps, std::uint64_t policy, int consumer,
                        Place<R::kStages>& at) {
  const Member<S> me(part);
  const int first_row = S::kPingPong ? 0 : consumer * S::kRows;  // in the block's tile
  const int row_of_warp = first_row + static_cast<int>(threadIdx.x) / 32 % 4 * 16;
  const int count = part.order.count(), others = S::kPingPong ? steps : 0;
  const Turns<S> turns{consumer};
  if (consumer == 1 && me.first < count) turns.pass_on();
  if (consumer == 1) at.skip(others);
  int lent = -1;  // the stage through which D leaves; -1: none
  const int every = S::kPingPong ? S::kConsumers * me.stride : me.stride;
  for (int index = me.first + (S::kPingPong ? consumer * me.stride : 0); index < count;
       index += every) {
    float d[S::kRows / 64][S::kBlockN / 2];
    turns.begin();
    multiply_tile<S, kType>(d, ring, me, steps, first_row, at, lent);
    if (index + me.stride < count) turns.pass_on();
    at.skip(others);
    const int2 tile = part.order.at(index);
    const int row = me.row(tile) + row_of_warp, col = me.col(tile);
    if constexpr (S::kPingPong)
      store_tile<S, kType, 1>(d, ring.pieces[threadIdx.x / 32 - 4], part, row, col, policy);
    else
      store_tile<S, kType, S::kRows / 64>(d, tile_a<S>(ring, lent) + row_of_warp * kBlockK, part,
                                          row, col, policy);
  }
  release_lent(ring, me, lent);  // the part below may have to wait for it
  if (S::kPingPong && threadIdx.x % 32 == 0) ptx::cp_async_bulk_wait_group_read<0>();
}

// ---- The kernel ---------------------------------------------------------------------------------

template <class Upper, class Lower, Type kType>
__global__ void __launch_bounds__(Upper::kThreads, 1)
    multiply_matrices(const __grid_constant__ Work work) {
  constexpr bool kTwo = !std::is_same_v<Lower, NoShape>;
  extern __shared__ __align__(1024) unsigned char raw[];
  auto& ring = *reinterpret_cast<Ring<Upper>*>(raw);
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < Upper::kStages; ++stage) {
      ptx::mbarrier_init_shared_b64(&ring.full[stage], 1);
      ptx::mbarrier_init_shared_b64(&ring.empty[stage], Upper::kReaders);
    }
    WATCH_SHARED("full", ring.full);
    WATCH_SHARED("empty", ring.empty);
    ptx::fence_mbarrier_init_release_cluster();
  }
  meet<Upper::kCluster>();
  let_later_kernels_come();
  // 64512 registers are there, 168 for each thread; 40 * 128 + 232 * 256 are as many.
  const int warpgroup = static_cast<int>(threadIdx.x) / 128;
  Place<Upper::kStages> at;
  if (warpgroup == 0) {
    ptx::setmaxnreg_dec_sync_aligned<40>();
    if (threadIdx.x == 0) {
      wait_for_earlier_kernels();
      produce<Upper>(ring, work.upper, work.steps, at);
      if constexpr (kTwo) produce<Lower>(ring, work.lower, work.steps, at);
    }
  } else {
    ptx::setmaxnreg_inc_sync_aligned<232>();
    const int consumer = warpgroup - 1;
    const std::uint64_t policy = work.fits_l2 ? ptx::createpolicy_fractional_L2_evict_first_b64()
                                              : ptx::createpolicy_fractional_L2_evict_normal_b64();
    consume<Upper, kType>(ring, work.upper, work.steps, policy, consumer, at);
    if constexpr (kTwo) consume<Lower, kType>(ring, work.lower, work.steps, policy, consumer, at);
  }
  meet<Upper::kCluster>();  // nobody leaves while others may write to its memory
}

}  // namespace hgemm

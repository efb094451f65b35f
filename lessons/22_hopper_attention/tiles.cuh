// SPDX-License-Identifier: MIT
// What lesson 22 has from those before it: tiles of Q, K and V as TMA brings them, swizzled
// (lessons 10 and 12), and the two products of attention by wgmma (lesson 09), started and not
// waited for.
//
// Source: PTX ISA 9.2, 9.7.15.5.1 (matrices in shared memory), 9.7.9.25.5 (tensor copies).
#pragma once

#include <cstdint>

#include "problem.cuh"
#include "ptx/mbarrier.cuh"
#include "ptx/settle.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"

// ---- Tiles --------------------------------------------------------------------------------------

// A row of Q, K and V has 128 numbers, 256 bytes, and a swizzled tile 128 bytes a row (lesson 10):
// two panels of 64 columns side by side. A warpgroup has 64 queries, a block of keys 128.
constexpr int kPanels = 2, kRowBytes = 128, kStages = 2;
template <int kRows>
struct Tile {
  alignas(1024) unsigned char panel[kPanels][kRows * kRowBytes];
};
enum Which { kKeysTile, kValuesTile };

template <int kConsumers>
struct Shared {
  Tile<kGroupQueries> q[kConsumers];
  Tile<kBlockKeys> tile[2][kStages];  // of K, and of V
  uint64_t q_full, full[2][kStages], empty[2][kStages];
};

template <int kRows>
__device__ void fetch(Tile<kRows>& tile, const CUtensorMap* map, int row, uint64_t* full) {
  for (int panel = 0; panel < kPanels; ++panel)
    ptx::cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
        tile.panel[panel], map, panel * 64, row, full);
}

template <int kConsumers>
__device__ void prepare(Shared<kConsumers>& shared) {
  ptx::mbarrier_init_shared_b64(&shared.q_full, 1);
  for (int i = 0; i < 2 * kStages; ++i) {
    ptx::mbarrier_init_shared_b64(&shared.full[i / kStages][i % kStages], 1);
    ptx::mbarrier_init_shared_b64(&shared.empty[i / kStages][i % kStages], kConsumers);
  }
  ptx::fence_mbarrier_init_release_cluster();
}

// One thread fetches Q, and K and V block after block, each through a ring of its own.
template <int kConsumers>
__device__ void produce(Shared<kConsumers>& shared, const Maps& maps, const Size& size) {
  const int head = static_cast<int>(blockIdx.y);
  const int query = static_cast<int>(blockIdx.x) * kConsumers * kGroupQueries;
  ptx::mbarrier_arrive_expect_tx_shared_b64(&shared.q_full, sizeof(shared.q));
  for (int group = 0; group < kConsumers; ++group)
    fetch(shared.q[group], &maps.q, head * size.queries + query + group * kGroupQueries,
          &shared.q_full);
#pragma unroll 1
  for (int block = 0; block < size.blocks(); ++block) {
    const int stage = block % kStages, row = head * size.keys + block * kBlockKeys;
    for (const Which which : {kKeysTile, kValuesTile}) {
      uint64_t* full = &shared.full[which][stage];
      ptx::mbarrier_wait_parity(&shared.empty[which][stage], block / kStages % 2 ^ 1);
      ptx::mbarrier_arrive_expect_tx_shared_b64(full, sizeof(Tile<kBlockKeys>));
      fetch(shared.tile[which][stage], which == kKeysTile ? &maps.k : &maps.v, row, full);
    }
  }
}

// ---- Two products -------------------------------------------------------------------------------

using Sums = float[64];          // a thread's of 64 x 128: of scores, of O
using Weights = uint32_t[8][4];  // the same of scores in f16, as A of eight wgmma

// s = Q * K^T. A row of K is a column of B: both lie K-major, 32 bytes on for the next 16 of k.
__device__ void multiply_by_keys(Sums& s, const Tile<kGroupQueries>& q, const Tile<kBlockKeys>& k) {
  for (int i = 0; i < kDim / 16; ++i) {
    const int at = i % 4 * 32;
    ptx::wgmma_mma_async_sync_aligned_m64n128k16_f32_f16_f16(
        s, ptx::matrix_descriptor(q.panel[i / 4] + at, 16, 8 * kRowBytes, 1),
        ptx::matrix_descriptor(k.panel[i / 4] + at, 16, 8 * kRowBytes, 1), i > 0);
  }
  ptx::wgmma_commit_group_sync_aligned();
}
// o += P * V. A row of V is a row of B, MN-major: its second panel lies a whole panel further on.
__device__ void multiply_by_values(Sums& o, const Weights& p, const Tile<kBlockKeys>& v) {
  for (int i = 0; i < kBlockKeys / 16; ++i)
    ptx::wgmma_mma_async_sync_aligned_m64n128k16_f32_f16_f16<1, 1, 1>(
        o, p[i],
        ptx::matrix_descriptor(v.panel[0] + i * 16 * kRowBytes, sizeof(v.panel[0]), 8 * kRowBytes,
                               1),
        1);
  ptx::wgmma_commit_group_sync_aligned();
}

// ---- Scores, weights ----------------------------------------------------------------------------

__device__ float power_of_two(float x) {
  asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}
__device__ uint32_t pack(float low, float high) {
  uint32_t packed;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}
// Two sums side by side are a register of A: nobody moves.
__device__ void to_weights(Weights& p, const Sums& s) {
  for (int i = 0; i < 32; ++i) p[i / 4][i % 4] = pack(s[2 * i], s[2 * i + 1]);
}

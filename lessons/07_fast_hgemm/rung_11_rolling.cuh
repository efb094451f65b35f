// SPDX-License-Identifier: MIT
// Rung 11, rolling fragments. What is fetched costs energy, and that is what runs out:
// docs/experiments/hgemm_mma_sync.md. A block has 256 x 192 of C, a warp 64 x 96: for the same work
// 22 % fewer bytes come from the L2, and a sixth fewer from shared memory. But of 240 registers 192
// are sums now, 40 are fragments, and 8 are left: there is no room for the next slice's fragments.
// They take the places of this slice's, one by one, each right behind its last mma:
//
//     mma         row 0        row 1        row 2        row 3           columns 0 to 11 each
//     ldmatrix           a0           a1           a2    b0,1 ... b10,11 a3       of the next slice
//
// Whatever is loaded is not needed for the next ten mma at least, so nobody waits, as in rung 10.
// The producer is that of rung 10, with larger boxes.
//
// Source: PTX ISA 9.2, 9.7.14.5.15 (ldmatrix); as for rung 10.
#pragma once

#include "rung_10_producer.cuh"

namespace rung_11 {

using rung_10::memory, rung_10::Ring, rung_9::Place;

constexpr int kWarpsM = 4, kWarpsN = 2;
constexpr int kBlocksN = 12, kN = kWarpsN * kBlocksN * 8, kK = 64, kSlices = kK / 16;
constexpr int kConsumers = kWarpsM * kWarpsN * 32, kThreads = kConsumers + 128;

// A stage: A's tile, then three boxes of B, 64 columns wide. All rows are the 128 bytes of the
// swizzle. A warp's columns are one half of every box, the left one or the right one.
constexpr int kRowBytes = kK * 2, kBoxBytes = kK * kRowBytes, kBoxes = kN / 64, kStages = 4;
static_assert(kStages == rung_10::kStages);  // Ring counts them

/// The tile, kM x kN. A warp has kBlocksM x kBlocksN blocks of 16 x 8: four rows of them here, two
/// in rung 12.
template <int kRowsOfBlocks>
struct Shape {
  static constexpr int kBlocksM = kRowsOfBlocks, kM = kWarpsM * kBlocksM * 16;
  static constexpr int kBytesA = kM * kRowBytes, kStageBytes = kBytesA + kBoxes * kBoxBytes;
  static constexpr int kBarriers = kStages * kStageBytes;  // where they are: behind the stages
  static constexpr int kSharedBytes = kBarriers + 2 * kStages * 8;
  using Sums = float[kBlocksM][kBlocksN][4];

  __device__ __forceinline__ static std::uint64_t* full(int stage) {
    return reinterpret_cast<std::uint64_t*>(memory() + kBarriers) + stage;
  }
  __device__ __forceinline__ static std::uint64_t* empty(int stage) {
    return full(kStages + stage);
  }
};
using Whole = Shape<4>;
constexpr int kM = Whole::kM;

// 132 of these tiles in groups of 10 rows are nearly a square of C, 2560 x 2534, and a square needs
// least of A and B.
constexpr int kGroup = 10;

__host__ __device__ __forceinline__ int tiles_of(const Gemm& g) {
  return blocks_along(g.M, kM) * blocks_along(g.N, kN);
}
__device__ __forceinline__ Place place_of(const Gemm& g, int n) {
  const Place at = rung_8::place(n, blocks_along(g.M, kM), blocks_along(g.N, kN), kGroup);
  return {at.row * kM, at.col * kN};
}

// ---- The producer -------------------------------------------------------------------------------

/// One thread: waits until the next stage is empty, and starts its copies.
template <class S>
struct Producer {
  const CUtensorMap *a_map, *b_map;
  Ring ring;

  __device__ __forceinline__ void fill(const Place& at, int k) {
    unsigned char* stage = memory() + ring.stage * S::kStageBytes;
    std::uint64_t* barrier = S::full(ring.stage);
    ptx::mbarrier_wait_parity(S::empty(ring.stage), ring.parity ^ 1);
    ptx::fence_proxy_async_shared_cta();  // behind their ldmatrix, as in rung 10
    ptx::mbarrier_arrive_expect_tx_shared_b64(barrier, S::kStageBytes);
    ptx::cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
        stage, a_map, k, at.row, barrier);
#pragma unroll
    for (int box = 0; box < kBoxes; ++box)
      ptx::cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
          stage + S::kBytesA + box * kBoxBytes, b_map, at.col + box * 64, k, barrier);
    ring.next();
  }
};

// ---- The consumers ------------------------------------------------------------------------------

/// A warp: its fragments, and where in a stage this lane's rows of them are.
template <class S>
struct Consumer {
  static constexpr int kBlocksM = S::kBlocksM;
  std::uint32_t a[kBlocksM][4], b[kBlocksN][2];
  Ring ring;
  unsigned a_at, b_at[2];  // of slice 0 in the stage of `ring`, bytes from memory() on

  // The warp has rows row() and so on of the block's tile, and of each box of 64 columns 32.
  __device__ __forceinline__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ __forceinline__ static int row() { return warp() / kWarpsN * kBlocksM * 16; }
  __device__ __forceinline__ static int half() { return warp() % kWarpsN; }

  __device__ __forceinline__ Consumer() {
    const int lane = lane_id(), right = lane / 16, swizzle = lane % 8;
    a_at = static_cast<unsigned>((row() + lane % 16) * kRowBytes + (right ^ swizzle) * 16);
#pragma unroll
    for (int pair = 0; pair < 2; ++pair)
      b_at[pair] = static_cast<unsigned>(S::kBytesA + lane % 16 * kRowBytes +
                                         ((half() * 4 + pair * 2 + right) ^ swizzle) * 16);
    ptx::mbarrier_wait_parity(S::full(0), 0);
#pragma unroll
    for (int i = 0; i < kBlocksM; ++i) load_a(i, 0);
#pragma unroll
    for (int pair = 0; pair < kBlocksN / 2; ++pair) load_b(pair, 0);
  }

  // 16 k are two chunks of A's rows: swizzled, that is an exclusive-or. They are 16 rows of B.
  __device__ __forceinline__ void load_a(int i, int slice) {
    ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(
        a[i], memory() + (a_at ^ static_cast<unsigned>(slice * 32)) + i * 16 * kRowBytes);
  }
  /// Blocks 2 * pair and the next one: two pairs are in each box.
  __device__ __forceinline__ void load_b(int pair, int slice) {
    std::uint32_t both[4];
    ptx::ldmatrix_sync_aligned_m8n8_x4_trans_shared_b16(
        both, memory() + b_at[pair % 2] + pair / 2 * kBoxBytes + slice * 16 * kRowBytes);
    b[2 * pair][0] = both[0], b[2 * pair][1] = both[1];
    b[2 * pair + 1][0] = both[2], b[2 * pair + 1][1] = both[3];
  }

  /// The stage has been read: says so, and waits for the next one.
  __device__ __forceinline__ void turn() {
    __syncwarp();  // all 32 lanes have
    if (lane_id() == 0) ptx::mbarrier_arrive_shared_b64(S::empty(ring.stage));
    constexpr unsigned kOn = S::kStageBytes;
    const unsigned on = ring.stage + 1 < kStages ? kOn : 0u - (kStages - 1) * kOn;
    a_at += on, b_at[0] += on, b_at[1] += on;
    ring.next();
    ptx::mbarrier_wait_parity(S::full(ring.stage), ring.parity);
  }

  __device__ __forceinline__ void multiply(typename S::Sums& acc, int steps) {
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
#pragma unroll
      for (int slice = 0; slice < kSlices; ++slice) {
        const int next = (slice + 1) % kSlices;
#pragma unroll
        for (int i = 0; i < kBlocksM; ++i) {
          const bool last = i + 1 == kBlocksM;
#pragma unroll
          for (int j = 0; j < kBlocksN; ++j) {
            mma(acc[i][j], a[i], b[j]);
            if (last && j % 2 == 1) load_b(j / 2, next);
          }
          if (i == 0 && next == 0) turn();  // all that is loaded from here on is in the next stage
          load_a(i, next);
        }
      }
    }
  }

  /// 32 columns of every box, as in rung 9.
  __device__ __forceinline__ void store(const Gemm& g, const Place& at,
                                        const typename S::Sums& acc) const {
#pragma unroll
    for (int box = 0; box < kBoxes; ++box) {
      float part[kBlocksM][4][4];
#pragma unroll
      for (int n = 0; n < kBlocksM * 16; ++n)
        part[n / 16][n / 4 % 4][n % 4] = acc[n / 16][box * 4 + n / 4 % 4][n % 4];
      rung_9::store_quads(g, at.row + row(), at.col + box * 64 + half() * 32, part);
    }
  }
};

// ---- The kernel ---------------------------------------------------------------------------------

template <class S>
__device__ __forceinline__ void make_barriers() {
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      ptx::mbarrier_init_shared_b64(S::full(stage), 1);
      ptx::mbarrier_init_shared_b64(S::empty(stage), kConsumers / 32);
    }
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
}

__global__ void __launch_bounds__(kThreads, 1)
    rolling(Gemm g, const __grid_constant__ CUtensorMap a_map,
            const __grid_constant__ CUtensorMap b_map) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  make_barriers<Whole>();
  const int first = static_cast<int>(blockIdx.x), blocks = static_cast<int>(gridDim.x);
  if (threadIdx.x >= kConsumers) {
    ptx::setmaxnreg_dec_sync_aligned<24>();
    if (threadIdx.x > kConsumers) return;
    Producer<Whole> producer{&a_map, &b_map, {}};
    for (int n = first; n < tiles_of(g); n += blocks)
      for (int k = 0; k < g.K; k += kK) producer.fill(place_of(g, n), k);
    producer.fill({0, 0}, 0);  // as in rung 10, one stage more than is needed
  } else {
    ptx::setmaxnreg_inc_sync_aligned<240>();
    Consumer<Whole> consumer;
    for (int n = first; n < tiles_of(g); n += blocks) {
      Whole::Sums acc = {};
      consumer.multiply(acc, blocks_along(g.K, kK));
      consumer.store(g, place_of(g, n), acc);
    }
  }
#else
  (void)g, (void)a_map, (void)b_map;
  __trap();  // ladder.cuh asks first
#endif
}

template <class S>
CUtensorMap map_a(const Gemm& g) {
  return rung_10::map(g.A, g.M, g.K, S::kM);
}
inline CUtensorMap map_b(const Gemm& g) { return rung_10::map(g.B, g.K, g.N, kK); }

inline void launch(const Gemm& g, int blocks) {
  const int tiles = tiles_of(g);
  rolling<<<static_cast<unsigned>(tiles < blocks ? tiles : blocks), kThreads,
            Whole::kSharedBytes>>>(g, map_a<Whole>(g), map_b(g));
}

}  // namespace rung_11

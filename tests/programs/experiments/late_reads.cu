// SPDX-License-Identifier: MIT
// Has been read what an mbarrier hears was read? A warp reads a tile of shared memory and arrives;
// another one, which has waited for that, puts the next tile there; and only then does the first
// one look at its registers. Beside them seven warps store into global memory as fast as they can,
// as at the end of a tile of C. Counted are registers that hold the next tile.
//
//     reader    wait for full,  ldmatrix or ld.shared,  what there is between,  arrive at empty
//     writer    wait for empty, what there is between,  bulk copy or st.shared, arrive at full
//
// Empty is an mbarrier, and in two cases a barrier of the CTA, at which the reader arrives or
// waits.
//
// PTX ISA 9.2, 8.2 (proxies), 9.7.13.1 (bar), 9.7.13.4 (fence.proxy), 9.7.13.15.13
// (mbarrier.arrive). The answer is docs/experiments/late_reads.md.
#include "../program.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/tma.cuh"

constexpr int kPieces = 128, kBytes = kPieces * 16, kTiles = 8;  // of a tile, 16 bytes each; tiles
constexpr int kStoring = 7, kThreads = (1 + kStoring + 2) * 32;  // a reader, these, two writers
constexpr int kLines = 64 * 32;                                  // that a storing warp stores to

enum class Read { kLdmatrix, kLdShared };
enum class Write { kBulkCopy, kStShared };
enum class Between {
  kNothing,
  kUse,
  kFence,
  kProxyFence,
  kWritersProxyFence,
  kBarArrive,  // these three not between: instead of the mbarrier
  kBarSync,
  kBarSyncProxyFence
};

template <Between kBetween>
constexpr bool kBarrier = kBetween >= Between::kBarArrive;

template <Read kRead>
__device__ __forceinline__ void read(std::uint32_t (&r)[4], const uint4* row) {
  if (kRead == Read::kLdmatrix)
    ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(r, row);
  else
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(ptx::shared_address(row))
                 : "memory");
}

// Every register of a tile is the tile's number, whichever lane gets which.
template <Read kRead, Between kBetween>
__device__ __forceinline__ unsigned reads(const uint4* tile, std::uint64_t* full,
                                          std::uint64_t* empty, const std::uint32_t* nought,
                                          int turns) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  unsigned late = 0;
  for (int turn = 0; turn < turns; ++turn) {
    std::uint32_t r[kPieces / 32][4];
    ptx::mbarrier_wait_parity(full, turn & 1);
#pragma unroll
    for (int n = 0; n < kPieces / 32; ++n) read<kRead>(r[n], tile + n * 32 + lane);
    if (kBetween == Between::kUse) {
      std::uint32_t any = 0;
#pragma unroll
      for (int n = 0; n < kPieces / 8; ++n) any |= r[n / 4][n % 4];
      if (any >= kTiles) __trap();  // it never is, but who asks must have them all
    }
    if (kBetween == Between::kFence) asm volatile("fence.acq_rel.cta;" ::: "memory");
    if (kBetween == Between::kProxyFence) ptx::fence_proxy_async_shared_cta();
    __syncwarp();
    if (kBarrier<kBetween>) {
      if (turn + 1 == turns) {  // nobody waits for the last turn
      } else if (kBetween == Between::kBarArrive) {
        asm volatile("bar.arrive 1, 64;" ::: "memory");
      } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
      }
    } else if (lane == 0) {
      ptx::mbarrier_arrive_shared_b64(empty);
    }
    // What to compare with is not known before: ptxas would have the registers compared, and so
    // waited for, in front of the arrival.
    std::uint32_t zero;
    asm volatile("ld.volatile.shared.u32 %0, [%1];"
                 : "=r"(zero)
                 : "r"(ptx::shared_address(nought))
                 : "memory");
#pragma unroll
    for (int n = 0; n < kPieces / 8; ++n)
      late += r[n / 4][n % 4] != static_cast<std::uint32_t>(turn % kTiles) + zero;
  }
  return late;
}

template <Write kWrite, Between kBetween>
__device__ __forceinline__ void writes(uint4* tile, std::uint64_t* full, std::uint64_t* empty,
                                       int turns, const uint4* tiles) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (kWrite == Write::kBulkCopy && !kBarrier<kBetween> && lane != 0) return;
  for (int turn = 0; turn < turns; ++turn) {
    if (kBarrier<kBetween>) {
      __syncwarp();  // the lane that copies, and those that do not
      if (turn > 0) asm volatile("bar.sync 1, 64;" ::: "memory");
    } else if (turn > 0) {
      ptx::mbarrier_wait_parity(empty, (turn - 1) & 1);
    }
    if (kWrite == Write::kBulkCopy && lane != 0) continue;
    if (kBetween == Between::kWritersProxyFence || kBetween == Between::kBarSyncProxyFence)
      ptx::fence_proxy_async_shared_cta();
    if (kWrite == Write::kBulkCopy) {
      ptx::mbarrier_arrive_expect_tx_shared_b64(full, kBytes);
      ptx::cp_async_bulk_shared_cluster_global_mbarrier_complete_tx_bytes(
          tile, tiles + turn % kTiles * kPieces, kBytes, full);
    } else {
      const unsigned value = static_cast<unsigned>(turn % kTiles);
#pragma unroll
      for (int n = 0; n < kPieces / 32; ++n)
        tile[n * 32 + lane] = make_uint4(value, value, value, value);
      __syncwarp();
      if (lane == 0) ptx::mbarrier_arrive_shared_b64(full);
    }
  }
}

/// One of the last two warps writes: the first is on the reader's part of the multiprocessor.
template <Read kRead, Write kWrite, Between kBetween>
__global__ void __launch_bounds__(kThreads, 1)
    meet(const uint4* tiles, uint4* out, int turns, int stores, int writer,
         unsigned long long* wrong) {
  __shared__ __align__(128) uint4 tile[kPieces];
  __shared__ __align__(8) std::uint64_t full, empty;
  __shared__ std::uint32_t nought;
  if (threadIdx.x == 0) {
    nought = 0;
    ptx::mbarrier_init_shared_b64(&full, 1);
    ptx::mbarrier_init_shared_b64(&empty, 1);
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  if (warp == 0) {
    const unsigned late = reads<kRead, kBetween>(tile, &full, &empty, &nought, turns);
    if (late != 0) atomicAdd(wrong, static_cast<unsigned long long>(late));
  } else if (warp <= kStoring) {
    uint4* mine = out + (static_cast<std::size_t>(blockIdx.x) * kStoring + warp - 1) * kLines * 8;
    for (int n = 0; n < stores; ++n)  // each lane in a line of its own
      asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(
                       __cvta_generic_to_global(mine + (n * 32 + lane) % kLines * 8)),
                   "r"(n)
                   : "memory");
  } else if (warp == 1 + kStoring + writer) {
    writes<kWrite, kBetween>(tile, &full, &empty, turns, tiles);
  }
}

struct Run {
  int blocks, turns, stores;
  const uint4* tiles;
  uint4* out;
  unsigned long long* wrong;
};

template <Read kRead, Write kWrite, Between kBetween>
void ask(const char* what, const Run& run) {
  for (const int writer : {0, 1})
    for (const int stores : {0, run.stores}) {
      meet<kRead, kWrite, kBetween>
          <<<run.blocks, kThreads>>>(run.tiles, run.out, run.turns, stores, writer, run.wrong);
      CHECK(cudaDeviceSynchronize());
      std::printf("  %-35s writer %d, stores beside it: %s  %llu of %llu late\n", what, writer,
                  stores != 0 ? "yes" : "no ", from_device(run.wrong, 1)[0],
                  kBytes / 4ull * run.turns * run.blocks);
      CHECK(cudaMemset(run.wrong, 0, sizeof *run.wrong));
    }
}

template <Read kRead, Write kWrite>
void ask_all(const char* what, const Run& run) {
  std::printf("%s\n", what);
  ask<kRead, kWrite, Between::kNothing>("nothing between", run);
  ask<kRead, kWrite, Between::kUse>("the reader uses what it read", run);
  ask<kRead, kWrite, Between::kFence>("reader: fence.acq_rel.cta", run);
  ask<kRead, kWrite, Between::kProxyFence>("reader: fence.proxy.async", run);
  ask<kRead, kWrite, Between::kWritersProxyFence>("writer: fence.proxy.async", run);
  ask<kRead, kWrite, Between::kBarArrive>("bar.arrive, the writer bar.sync", run);
  ask<kRead, kWrite, Between::kBarSync>("bar.sync of both", run);
  ask<kRead, kWrite, Between::kBarSyncProxyFence>("bar.sync, writer: fence.proxy.async", run);
}

int main(int argc, char**) {
  const bool small = argc > 1;  // any argument: a single block
  Run run{small ? 1 : 132, small ? 20 : 10000, small ? 40 : 60000, nullptr, nullptr, nullptr};
  std::vector<uint4> tiles(kTiles * kPieces);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const auto number = static_cast<unsigned>(i / kPieces);
    tiles[i] = make_uint4(number, number, number, number);
  }
  run.tiles = to_device(tiles);
  run.out =
      to_device(std::vector<uint4>(static_cast<std::size_t>(run.blocks) * kStoring * kLines * 8));
  run.wrong = to_device(std::vector<unsigned long long>(1));
  ask_all<Read::kLdmatrix, Write::kBulkCopy>("ldmatrix, cp.async.bulk overwrites", run);
  ask_all<Read::kLdShared, Write::kBulkCopy>("ld.shared, cp.async.bulk overwrites", run);
  ask_all<Read::kLdmatrix, Write::kStShared>("ldmatrix, st.shared overwrites", run);
  ask_all<Read::kLdShared, Write::kStShared>("ld.shared, st.shared overwrites", run);
}

// SPDX-License-Identifier: MIT
// What does a missing fence.proxy.async do? Threads write shared memory with ordinary stores, meet
// at a barrier, and the async proxy reads it: wgmma through a descriptor, or a TMA store. Every
// turn writes another value, so that an old byte shows. Counted are wrong elements, with the fence
// and without, over many turns on all SMs.
//
//     write    one thread's st.shared, or those of all      wait    bar.sync, or nothing where the
//     read     wgmma (B), or cp.async.bulk (out)                     writer itself starts the read
//
// PTX ISA 9.2, 8.2 (proxies), 9.7.13.4 (fence.proxy). The answer is
// docs/experiments/proxy_fence.md.
#include <cuda_fp16.h>

#include "../program.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"

constexpr int kTurns = 4000;

// All 128 threads write B, then multiply by it at once: D = 16 * turn everywhere.
template <bool kFence>
__global__ void wgmma_reads(unsigned long long* wrong) {
  __shared__ __align__(1024) __half a[64 * 16], b[64 * 16];
  for (int i = static_cast<int>(threadIdx.x); i < 64 * 16; i += 128) {
    a[i] = __float2half(1.0f);
    b[i] = __float2half(-1.0f);
  }
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  const std::uint64_t da = ptx::matrix_descriptor(a, 128, 256, 0);
  const std::uint64_t db = ptx::matrix_descriptor(b, 128, 256, 0);
  unsigned long long mine = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    const float value = static_cast<float>(turn % 100);
    // The last writes are those just before the read.
    for (int i = static_cast<int>(threadIdx.x); i < 64 * 16; i += 128) b[i] = __float2half(value);
    if (kFence) ptx::fence_proxy_async_shared_cta();
    __syncthreads();
    float d[32];
    ptx::wgmma_fence_sync_aligned();
    ptx::wgmma_mma_async_sync_aligned_m64n64k16_f32_f16_f16(d, da, db, 0);
    ptx::wgmma_commit_group_sync_aligned();
    ptx::wgmma_wait_group_sync_aligned<0>();
    for (const float sum : d) mine += sum != 16 * value;
    __syncthreads();
  }
  if (mine != 0) atomicAdd(wrong, mine);
}

// kThreads threads write `words` words; the last one, or after a barrier thread 0, stores them.
template <bool kFence, int kThreads>
__global__ void bulk_copy_reads(std::uint32_t* out, int words, unsigned long long* wrong) {
  extern __shared__ __align__(128) std::uint32_t tile[];
  std::uint32_t* mine = out + static_cast<std::size_t>(blockIdx.x) * words;
  unsigned long long bad = 0;
  for (int turn = 0; turn < kTurns / 4; ++turn) {
    const std::uint32_t value = static_cast<std::uint32_t>(turn + 1);
    for (int i = static_cast<int>(threadIdx.x); i < words; i += kThreads) tile[i] = value;
    if (kFence) ptx::fence_proxy_async_shared_cta();
    if (kThreads > 1) __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                       __cvta_generic_to_global(mine)),
                   "r"(ptx::shared_address(tile)), "r"(words * 4)
                   : "memory");
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group<0>();
      __threadfence();
    }
    if (kThreads > 1) __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < words; i += kThreads)
      bad += *reinterpret_cast<volatile std::uint32_t*>(mine + i) != value;
    if (kThreads > 1) __syncthreads();
  }
  if (bad != 0) atomicAdd(wrong, bad);
}

// The other way round: TMA has overwritten what ordinary loads have just read. Each turn reads the
// tile, meets, and has a bulk copy put the next one there; a load that came late would see it.
template <bool kFence>
__global__ void bulk_copy_writes(const std::uint32_t* in, int words, unsigned long long* wrong) {
  extern __shared__ __align__(128) std::uint32_t tile[];
  __shared__ __align__(8) std::uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&barrier, 1);
    ptx::fence_mbarrier_init_release_cluster();
  }
  for (int i = static_cast<int>(threadIdx.x); i < words; i += 128) tile[i] = 0xffff;
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  unsigned long long bad = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    const std::uint32_t expected = static_cast<std::uint32_t>(turn % 8);
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx_shared_b64(&barrier, words * 4);
      ptx::cp_async_bulk_shared_cluster_global_mbarrier_complete_tx_bytes(
          tile, in + static_cast<std::size_t>(expected) * words, words * 4, &barrier);
    }
    ptx::mbarrier_wait_parity(&barrier, turn & 1);
    for (int i = static_cast<int>(threadIdx.x); i < words; i += 128) {
      bad += tile[i] != expected;
      tile[i] = 0xdead;  // an ordinary store that the next copy must not come before
    }
    if (kFence) ptx::fence_proxy_async_shared_cta();
    __syncthreads();
  }
  if (bad != 0) atomicAdd(wrong, bad);
}

void report(const char* what, bool fence, unsigned long long* wrong, unsigned long long of) {
  CHECK(cudaDeviceSynchronize());
  const unsigned long long count = from_device(wrong, 1)[0];
  std::printf("%-58s %s  %llu of %llu elements wrong\n", what, fence ? "fence   " : "no fence",
              count, of);
  CHECK(cudaMemset(wrong, 0, sizeof *wrong));
}

template <bool kFence>
void run(unsigned long long* wrong, int blocks) {
  wgmma_reads<kFence><<<blocks, 128>>>(wrong);
  report("all threads write, barrier, wgmma reads", kFence, wrong,
         1ull * blocks * kTurns * 64 * 64);
  for (const int words : {4, 64, 4096}) {
    std::uint32_t* out =
        to_device(std::vector<std::uint32_t>(static_cast<std::size_t>(blocks) * words));
    char what[96];
    bulk_copy_reads<kFence, 128><<<blocks, 128, words * 4>>>(out, words, wrong);
    std::snprintf(what, sizeof what, "all threads write %d bytes, barrier, bulk copy reads",
                  words * 4);
    report(what, kFence, wrong, 1ull * blocks * (kTurns / 4) * words);
    bulk_copy_reads<kFence, 1><<<blocks, 1, words * 4>>>(out, words, wrong);
    std::snprintf(what, sizeof what, "one thread writes %d bytes, its bulk copy reads", words * 4);
    report(what, kFence, wrong, 1ull * blocks * (kTurns / 4) * words);
    CHECK(cudaFree(out));
    std::vector<std::uint32_t> in(static_cast<std::size_t>(8) * words);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint32_t>(i / words);
    std::uint32_t* source = to_device(in);
    bulk_copy_writes<kFence><<<blocks, 128, words * 4>>>(source, words, wrong);
    std::snprintf(what, sizeof what, "all threads write %d bytes, barrier, bulk copy overwrites",
                  words * 4);
    report(what, kFence, wrong, 1ull * blocks * kTurns * words);
    CHECK(cudaFree(source));
  }
}

int main(int argc, char**) {
  const int blocks = argc > 1 ? 1 : 528;  // any argument: a single block
  unsigned long long* wrong = to_device(std::vector<unsigned long long>(1));
  run<true>(wrong, blocks);
  run<false>(wrong, blocks);
}

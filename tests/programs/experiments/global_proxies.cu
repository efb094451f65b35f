// SPDX-License-Identifier: MIT
// Global memory between the generic and the async proxy. First: threads store 2 KB, and a bulk copy
// fetches it, of the same block or of another one behind a flag; counted are elements that are old.
// Then: a warp loads 2 KB of global memory and arrives, and a bulk copy overwrites it; counted are
// registers that hold the next turn's numbers. Each with no fence of proxies, one of shared memory,
// one of global memory; 132 blocks, 4,000 turns, with an argument two.
//
// Source: PTX ISA 9.2, 8.2 and 9.7.13.4 (fence.proxy). What an H200 says: docs/experiments.
#include <cstdint>
#include <cstdio>

#include "../program.cuh"

constexpr int kWords = 512, kBytes = 4 * kWords, kBlocks = 132;
__device__ uint32_t at(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void init(uint64_t* b, int n) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory");
}
__device__ void arrive(uint64_t* b) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(b)) : "memory");
}
__device__ void wait(uint64_t* b, int parity) {
  asm volatile(
      "{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra L; }" ::"r"(
          at(b)),
      "r"(parity)
      : "memory");
}
__device__ void fetch(void* to, const void* from, uint64_t* b) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(b)), "n"(kBytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(at(to)),
      "l"(from), "n"(kBytes), "r"(at(b))
      : "memory");
}
enum Fence { kNone, kShared, kGlobal };
template <Fence f>
__device__ void fence() {
  if (f == kShared) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  if (f == kGlobal) asm volatile("fence.proxy.async.global;" ::: "memory");
}
// How: 0 all threads store, bar.sync, thread 0 fetches; 1 thread 0 stores 16 bytes and fetches at
// once; 2 as 0, the fetch in the next block behind a flag.
template <int how, Fence f>
__global__ void stored(uint32_t turns, uint32_t* memory, uint32_t* flags,
                       unsigned long long* wrong) {
  __shared__ alignas(128) uint32_t tile[kWords];
  __shared__ uint64_t full;
  const int t = threadIdx.x, pair = blockIdx.x / 2, mine = how == 2 ? pair : blockIdx.x;
  uint32_t* own = memory + (size_t)mine * kWords;
  if (t == 0) {
    init(&full, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  unsigned bad = 0;
  for (uint32_t turn = 1; turn <= turns; ++turn) {
    const bool stores = how != 2 || blockIdx.x % 2 == 0, fetches = how != 2 || blockIdx.x % 2 == 1;
    if (stores) {
      if (how == 1) {
        if (t == 0)
          asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(own), "r"(turn) : "memory");
      } else
        for (int k = t; k < kWords; k += blockDim.x) own[k] = turn;
      if (how == 2) __threadfence();
      if (how != 1) __syncthreads();
      if (how == 2 && t == 0) {
        atomicExch(&flags[2 * pair], turn);
        while (atomicAdd(&flags[2 * pair + 1], 0) < turn) {
        }
      }
    }
    if (fetches) {
      if (how == 2 && t == 0) {
        while (atomicAdd(&flags[2 * pair], 0) < turn) {
        }
        __threadfence();
      }
      if (t == 0) {
        fence<f>();
        fetch(tile, own, &full);
      }
      wait(&full, (turn - 1) & 1);
      const int count = how == 1 ? 4 : kWords;
      for (int k = t; k < count; k += blockDim.x) bad += tile[k] != turn;
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      __syncthreads();
      if (how == 2 && t == 0) atomicExch(&flags[2 * pair + 1], turn);
    }
    __syncthreads();
  }
  if (bad) atomicAdd(wrong, bad);
}
// A warp reads, arrives and only then looks; thread 32 overwrites by a bulk copy; seven warps store
// beside them.
template <Fence f, bool looks>
__global__ void read_late(uint32_t turns, uint32_t* memory, uint32_t* sink,
                          unsigned long long* wrong) {
  __shared__ alignas(128) uint32_t tile[2][kWords];
  __shared__ uint64_t full, empty;
  __shared__ volatile uint32_t nought;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  uint32_t* own = memory + (size_t)blockIdx.x * kWords;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 1);
    nought = 0;
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (warp == 0) {
    unsigned bad = 0;
    for (uint32_t turn = 1; turn <= turns; ++turn) {
      wait(&full, (turn - 1) & 1);
      uint32_t r[4][4];
      for (int n = 0; n < 4; ++n)
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[n][0]), "=r"(r[n][1]), "=r"(r[n][2]), "=r"(r[n][3])
                     : "l"(own + (n * 32 + lane) * 4)
                     : "memory");
      if (looks) {
        uint32_t any = 0;
        for (int n = 0; n < 16; ++n) any |= r[n / 4][n % 4];
        if (any == 0xffffffff) __trap();
      }
      __syncwarp();
      if (lane == 0) arrive(&empty);
      const uint32_t zero = nought;
      for (int n = 0; n < 16; ++n) bad += r[n / 4][n % 4] != turn + zero;
    }
    if (bad) atomicAdd(wrong, bad);
  } else if (warp == 1) {
    for (uint32_t turn = 1; turn <= turns; ++turn) {
      for (int k = lane; k < kWords; k += 32) tile[turn & 1][k] = turn;
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      __syncwarp();
      if (lane == 0) {
        if (turn > 1) wait(&empty, (turn - 2) & 1);
        fence<f>();
        asm volatile(
            "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2; "
            "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::"l"(own),
            "r"(at(tile[turn & 1])), "n"(kBytes)
            : "memory");
        arrive(&full);
      }
      __syncwarp();
    }
  } else {
    for (int k = 0; k < 20 * static_cast<int>(turns); ++k)
      asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(
                       sink + ((size_t)(blockIdx.x * 9 + warp) * 64 + k % 64) * 128 + lane * 4),
                   "r"(k)
                   : "memory");
  }
}
int main(int argc, char**) {
  const uint32_t turns = argc > 1 ? 2 : 4000;
  uint32_t *memory, *flags, *sink;
  unsigned long long* wrong;
  CHECK(cudaMalloc(&memory, (size_t)kBlocks * kBytes));
  CHECK(cudaMalloc(&flags, 8 * kBlocks));
  CHECK(cudaMalloc(&sink, (size_t)kBlocks * 9 * 64 * 512));
  CHECK(cudaMallocManaged(&wrong, 8));
  const char* fences[] = {"no fence", "shared::cta", "global"};
#define TRY(name, f, total, ...)                                                                \
  do {                                                                                          \
    *wrong = 0;                                                                                 \
    CHECK(cudaMemset(memory, 0, (size_t)kBlocks* kBytes));                                      \
    CHECK(cudaMemset(flags, 0, 8 * kBlocks));                                                   \
    __VA_ARGS__;                                                                                \
    CHECK(cudaDeviceSynchronize());                                                             \
    printf("%-60s %-12s %llu of %llu\n", name, fences[f], *wrong, (unsigned long long)(total)); \
  } while (0)
#define EACH(name, total, kernel, ...)  \
  TRY(name, 0, total, kernel(kNone));   \
  TRY(name, 1, total, kernel(kShared)); \
  TRY(name, 2, total, kernel(kGlobal))
#define S0(f) stored<0, f><<<kBlocks, 128>>>(turns, memory, flags, wrong)
#define S1(f) stored<1, f><<<kBlocks, 128>>>(turns, memory, flags, wrong)
#define S2(f) stored<2, f><<<kBlocks, 128>>>(turns, memory, flags, wrong)
#define R0(f) read_late<f, false><<<kBlocks, 288>>>(turns, memory, sink, wrong)
#define R1(f) read_late<f, true><<<kBlocks, 288>>>(turns, memory, sink, wrong)
  const unsigned long long each = (unsigned long long)kBlocks * turns;
  for (int run = 0; run < (argc > 1 ? 1 : 3); ++run) {
    EACH("128 threads store 2 KB, bar.sync, bulk copy fetches", each * kWords, S0);
    EACH("one thread stores 16 bytes, starts its own bulk copy", each * 4, S1);
    EACH("another block stores, __threadfence, flag, bulk copy fetches", each / 2 * kWords, S2);
    EACH("a warp loads, arrives, bulk copy overwrites", each * kWords, R0);
    EACH("the same, what was loaded is looked at before", each * kWords, R1);
  }
  return 0;
}

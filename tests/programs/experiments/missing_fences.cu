// SPDX-License-Identifier: MIT
// A sum by the last block (lesson 21) with fences missing: four blocks store a part each, 8 x 16
// bytes a thread, count themselves, and the last one loads all four. Counted are loaded words that
// are not this turn's. The parts lie where those of the turn before lay, or, `fresh`, where nobody
// has been in this launch; before each part its block stores four times as much elsewhere, so that
// stores have to wait. 33 tiles, 2,000 turns, of which each begins when the last block has loaded;
// with an argument 2 turns.
//
// Then: of 33 pairs of blocks one stores 2 KB, fences and sets a flag, and the other, which stores
// nothing, looks at the flag by an atomic, a volatile load or an acquire, and loads the 2 KB.
//
// Source: PTX ISA 9.2, 8 (memory consistency) and 9.7.13.4 (fence). What an H200 says:
// docs/experiments.
#include <cstdint>
#include <cstdio>

#include "../program.cuh"

constexpr int kParts = 4, kTiles = 33, kThreads = 128, kEach = 8;
constexpr size_t kPart = kThreads * kEach;  // in 16 bytes

// Where the fences are: of each thread before the barrier, or of thread 0 alone behind it; and the
// other way round behind the counting.
enum Before { kNone, kEveryThread, kThread0 };
template <Before before, Before behind>
__device__ bool is_last(unsigned* came, unsigned turn) {
  __shared__ bool last;
  if (before == kEveryThread) __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    if (before == kThread0) __threadfence();
    last = atomicAdd(came, 1) == turn * kParts - 1;
    if (behind == kThread0) __threadfence();
  }
  __syncthreads();
  if (behind == kEveryThread) __threadfence();
  return last;
}

__device__ void store(uint4* to, unsigned word) {
  asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(to), "r"(word) : "memory");
}
__device__ uint4 load(const uint4* from) {
  uint4 all;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(all.x), "=r"(all.y), "=r"(all.z), "=r"(all.w)
               : "l"(from)
               : "memory");
  return all;
}

template <Before before, Before behind>
__global__ void add_up(unsigned turns, bool fresh, uint4* parts, uint4* elsewhere, unsigned* came,
                       unsigned* next, unsigned long long* wrong) {
  const unsigned tile = blockIdx.x / kParts, part = blockIdx.x % kParts;
  unsigned bad = 0;
  for (unsigned turn = 1; turn <= turns; ++turn) {
    uint4* all = parts + ((fresh ? turn - 1 : 0) * kTiles + tile) * kParts * kPart + threadIdx.x;
    for (int i = 0; i < 4 * kEach; ++i)
      store(elsewhere + (blockIdx.x * 4 * kEach + i) * kThreads + threadIdx.x, turn);
    for (int i = 0; i < kEach; ++i) store(all + part * kPart + i * kThreads, turn);
    if (is_last<before, behind>(&came[tile], turn)) {
      for (int i = 0; i < kParts * kEach; ++i) {
        const uint4 d = load(all + i * kThreads);
        bad += (d.x != turn) + (d.y != turn) + (d.z != turn) + (d.w != turn);
      }
      // What was loaded is looked at, so it is there. No fence: it would empty the L1, too.
      if (__syncthreads_or(bad == ~0u)) __trap();
      if (threadIdx.x == 0) atomicExch(&next[tile], turn);
    }
    if (threadIdx.x == 0)
      while (atomicAdd(&next[tile], 0) < turn) {
      }
    __syncthreads();
  }
  if (bad != 0) atomicAdd(wrong, bad);
}

enum Look { kAtomic, kVolatile, kAcquire };
template <Look look>
__device__ unsigned flag_at(unsigned* flag) {
  unsigned now;
  if (look == kAtomic) return atomicAdd(flag, 0);
  if (look == kVolatile) return *static_cast<volatile unsigned*>(flag);
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(flag) : "memory");
  return now;
}
template <Look look, bool fence>
__global__ void follow(unsigned turns, bool fresh, uint4* parts, uint4*, unsigned* flags,
                       unsigned* next, unsigned long long* wrong) {
  const unsigned pair = blockIdx.x / 2;
  if (blockIdx.x >= 2 * kTiles) return;
  unsigned bad = 0;
  for (unsigned turn = 1; turn <= turns; ++turn) {
    uint4* at = parts + ((fresh ? turn - 1 : 0) * kTiles + pair) * kParts * kPart + threadIdx.x;
    if (blockIdx.x % 2 == 0) {
      store(at, turn);
      __threadfence();
      __syncthreads();
      if (threadIdx.x == 0) {
        atomicExch(&flags[pair], turn);
        while (atomicAdd(&next[pair], 0) < turn) {
        }
      }
    } else {
      if (threadIdx.x == 0)
        while (flag_at<look>(&flags[pair]) < turn) {
        }
      if (fence && threadIdx.x == 0) __threadfence();
      __syncthreads();
      const uint4 d = load(at);
      bad += (d.x != turn) + (d.y != turn) + (d.z != turn) + (d.w != turn);
      if (__syncthreads_or(bad == ~0u)) __trap();
      if (threadIdx.x == 0) atomicExch(&next[pair], turn);
    }
    __syncthreads();
  }
  if (bad != 0) atomicAdd(wrong, bad);
}

int main(int argc, char**) {
  const unsigned turns = argc > 1 ? 2 : 2000;
  uint4 *parts, *elsewhere;
  unsigned *came, *next;
  unsigned long long* wrong;
  const size_t bytes = 16 * kPart * kParts * kTiles * turns;
  CHECK(cudaMalloc(&parts, bytes));
  CHECK(cudaMalloc(&elsewhere, 16 * kPart * 4 * kTiles * kParts));
  CHECK(cudaMalloc(&came, 4 * kTiles));
  CHECK(cudaMalloc(&next, 4 * kTiles));
  CHECK(cudaMallocManaged(&wrong, 8));
  const auto ask = [&](const char* name, const auto& kernel, size_t words) {
    for (const bool fresh : {false, true}) {
      *wrong = 0;
      CHECK(cudaMemset(parts, 0, bytes));
      CHECK(cudaMemset(came, 0, 4 * kTiles));
      CHECK(cudaMemset(next, 0, 4 * kTiles));
      kernel<<<kTiles * kParts, kThreads>>>(turns, fresh, parts, elsewhere, came, next, wrong);
      CHECK(cudaDeviceSynchronize());
      printf("%s, %s: %llu of %llu\n", name, fresh ? "fresh" : "again", *wrong,
             static_cast<unsigned long long>(words));
    }
  };
  const size_t all = bytes / 4, two_kb = all / kParts / kEach;
  for (int run = 0; run < (argc > 1 ? 1 : 3); ++run) {
    ask("both fences, of every thread", add_up<kEveryThread, kEveryThread>, all);
    ask("both fences, of thread 0", add_up<kThread0, kThread0>, all);
    ask("none before the counting", add_up<kNone, kEveryThread>, all);
    ask("none behind it", add_up<kEveryThread, kNone>, all);
    ask("none", add_up<kNone, kNone>, all);
    ask("a flag, by an atomic, fence", follow<kAtomic, true>, two_kb);
    ask("a flag, by an atomic", follow<kAtomic, false>, two_kb);
    ask("a flag, by a volatile load", follow<kVolatile, false>, two_kb);
    ask("a flag, by an acquire", follow<kAcquire, false>, two_kb);
  }
  return 0;
}

// SPDX-License-Identifier: MIT
// How much of a line stays in the L1 when one word of it is loaded: of 33 pairs of blocks one loads
// word 0 of each of 128 lines of 128 bytes, the other stores word `offset` of them, fences and sets
// a flag, and the first looks at it by an atomic, without a fence, and loads that word. Counted are
// words that are old. 1,000 turns, behind each a fence; with an argument 2 turns.
//
// Source: PTX ISA 9.2, 8 (memory consistency). What an H200 says:
// docs/experiments/missing_fences.md.
#include <cstdint>
#include <cstdio>

#include "../program.cuh"

constexpr int kPairs = 33, kLines = 128, kWords = 32;

__device__ unsigned load(const unsigned* from) {
  unsigned word;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(from) : "memory");
  return word;
}
__device__ void wait(unsigned* flag, unsigned value) {
  while (atomicAdd(flag, 0) < value) {
  }
}

__global__ void neighbours(int offset, unsigned turns, unsigned* memory, unsigned* loaded,
                           unsigned* stored, unsigned long long* wrong) {
  const unsigned pair = blockIdx.x / 2;
  unsigned* line = memory + (pair * kLines + threadIdx.x) * kWords;
  unsigned bad = 0;
  for (unsigned turn = 1; turn <= turns; ++turn) {
    if (blockIdx.x % 2 == 0) {
      if (threadIdx.x == 0) wait(&loaded[pair], 2 * turn - 1);
      __syncthreads();
      line[offset] = turn;
      __threadfence();
      __syncthreads();
      if (threadIdx.x == 0) {
        atomicExch(&stored[pair], turn);
        wait(&loaded[pair], 2 * turn);
      }
    } else {
      // What was loaded is looked at, so it is there.
      if (__syncthreads_or(load(line) == ~0u)) __trap();
      if (threadIdx.x == 0) {
        atomicExch(&loaded[pair], 2 * turn - 1);
        wait(&stored[pair], turn);
      }
      __syncthreads();
      bad += load(line + offset) != turn;
      if (__syncthreads_or(bad == ~0u)) __trap();
      __threadfence();
      __syncthreads();
      if (threadIdx.x == 0) atomicExch(&loaded[pair], 2 * turn);
    }
    __syncthreads();
  }
  if (bad != 0) atomicAdd(wrong, bad);
}

int main(int argc, char**) {
  const unsigned turns = argc > 1 ? 2 : 1000;
  unsigned *memory, *loaded, *stored;
  unsigned long long* wrong;
  CHECK(cudaMalloc(&memory, 4 * kPairs * kLines * kWords));
  CHECK(cudaMalloc(&loaded, 4 * kPairs));
  CHECK(cudaMalloc(&stored, 4 * kPairs));
  CHECK(cudaMallocManaged(&wrong, 8));
  for (const int offset : {0, 1, 7, 8, 15, 16, 31}) {
    *wrong = 0;
    CHECK(cudaMemset(memory, 0, 4 * kPairs * kLines * kWords));
    CHECK(cudaMemset(loaded, 0, 4 * kPairs));
    CHECK(cudaMemset(stored, 0, 4 * kPairs));
    neighbours<<<2 * kPairs, kLines>>>(offset, turns, memory, loaded, stored, wrong);
    CHECK(cudaDeviceSynchronize());
    printf("word %d: %llu of %u\n", offset, *wrong, kPairs * kLines * turns);
  }
  return 0;
}

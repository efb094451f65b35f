// SPDX-License-Identifier: MIT
// Warps with roles, twice. The sums of blocks of numbers: one warp copies with cp.async into a ring
// of stages, three warps add them up. `by_mbarrier` says full and empty with mbarriers
// (cp.async.mbarrier.arrive); `by_named_barrier` with bar.sync and bar.arrive. The last step adds
// the warps' sums through shared memory with an atomic.
#include "program.cuh"

constexpr int kStages = 2, kBlock = 128, kBlocks = 6, kWarps = 4;

__device__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}
__device__ void copy_16_bytes(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from)
               : "memory");
}
__device__ void wait(std::uint64_t* barrier, int parity) {
  asm volatile(
      "{ .reg .pred done; WAIT: mbarrier.test_wait.parity.shared.b64 done, [%0], %1; @!done bra "
      "WAIT; }" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}

__global__ void by_mbarrier(const int* numbers, int* sum) {
  __shared__ __align__(16) int stages[kStages][kBlock];
  __shared__ __align__(8) std::uint64_t full[kStages], empty[kStages];
  __shared__ int total;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    total = 0;
    for (int stage = 0; stage < kStages; ++stage) {
      asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(shared_address(&full[stage])));
      asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(&empty[stage])),
                   "r"(kWarps - 1));
    }
  }
  __syncthreads();
  if (warp == 0) {
#pragma unroll 1
    for (int block = 0; block < kBlocks; ++block) {
      const int stage = block % kStages;
      wait(&empty[stage], (block / kStages & 1) ^ 1);
      copy_16_bytes(&stages[stage][lane * 4], numbers + block * kBlock + lane * 4);
      asm volatile(
          "cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(&full[stage]))
          : "memory");
    }
  } else {
    int mine = 0;
#pragma unroll 1
    for (int block = 0; block < kBlocks; ++block) {
      const int stage = block % kStages;
      wait(&full[stage], block / kStages & 1);
      for (int i = (warp - 1) * 32 + lane; i < kBlock; i += 96) mine += stages[stage][i];
      __syncwarp();
      if (lane == 0)
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(&empty[stage]))
                     : "memory");
    }
    atomicAdd(&total, mine);
  }
  __syncthreads();
  if (threadIdx.x == 0) *sum = total;
}

// Barrier 1 + stage: full; barrier 3 + stage: empty. Who only announces arrives, who needs waits.
__global__ void by_named_barrier(const int* numbers, int* sum) {
  __shared__ __align__(16) int stages[kStages][kBlock];
  __shared__ int partial[kWarps];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int mine = 0;
#pragma unroll 1
  for (int block = 0; block < kBlocks; ++block) {
    const int stage = block % kStages;
    if (warp == 0) {
      if (block >= kStages) asm volatile("bar.sync %0, 128;" ::"r"(3 + stage) : "memory");
      copy_16_bytes(&stages[stage][lane * 4], numbers + block * kBlock + lane * 4);
      asm volatile("cp.async.wait_all;" ::: "memory");
      asm volatile("bar.arrive %0, 128;" ::"r"(1 + stage) : "memory");
    } else {
      asm volatile("bar.sync %0, 128;" ::"r"(1 + stage) : "memory");
      for (int i = (warp - 1) * 32 + lane; i < kBlock; i += 96) mine += stages[stage][i];
      if (block + kStages < kBlocks)
        asm volatile("bar.arrive %0, 128;" ::"r"(3 + stage) : "memory");
    }
  }
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, offset);
  if (lane == 0) partial[warp] = mine;
  __syncthreads();
  if (threadIdx.x == 0) *sum = partial[0] + partial[1] + partial[2] + partial[3];
}

int main() {
  Numbers random;
  std::vector<int> numbers(kBlock * kBlocks);
  int expected = 0;
  for (int& number : numbers) expected += number = random.next(100);
  int* device = to_device(numbers);
  int* sums = to_device(std::vector<int>{-1, -1});
  by_mbarrier<<<1, kWarps * 32>>>(device, sums);
  by_named_barrier<<<1, kWarps * 32>>>(device, sums + 1);
  CHECK(cudaDeviceSynchronize());
  const std::vector<int> found = from_device(sums, 2);
  return verdict("warp_specialised", (found[0] != expected) + (found[1] != expected), 2);
}

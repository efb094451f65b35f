// SPDX-License-Identifier: MIT
// A cluster of four CTAs that works on after one piece (persistent): each CTA adds up its numbers,
// writes its sum into the shared memory of the CTA of rank 0, which adds the four. Then a softmax
// over a row in each CTA with shuffles and shared memory, and an atomic on global memory that
// gathers the pieces (split-K).
#include "program.cuh"

constexpr int kRanks = 4, kPieces = 3, kThreads = 128, kNumbers = kThreads * kRanks;

__device__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}
__device__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// The sum over a CTA, in every thread; `box` is one word for each warp.
__device__ int sum_of_block(int value, int* box) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  if (lane == 0) box[warp] = value;
  __syncthreads();
  int total = 0;
  for (int i = 0; i < kThreads / 32; ++i) total += box[i];
  __syncthreads();
  return total;
}

__global__ void __cluster_dims__(kRanks, 1, 1) reduce(const int* numbers, int* sums, int* all) {
  __shared__ int box[kThreads / 32];
  __shared__ int of_rank[kRanks];
  std::uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  cluster_sync();
#pragma unroll 1
  for (int piece = 0; piece < kPieces; ++piece) {
    const int mine = numbers[piece * kNumbers + rank * kThreads + threadIdx.x];
    const int sum = sum_of_block(mine, box);
    if (threadIdx.x == 0)
      asm volatile(
          "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, 0; st.shared::cluster.u32 "
          "[there], %1; }" ::"r"(shared_address(&of_rank[rank])),
          "r"(sum)
          : "memory");
    cluster_sync();  // all four are there
    if (rank == 0 && threadIdx.x == 0) {
      int total = 0;
      for (int i = 0; i < kRanks; ++i) total += of_rank[i];
      sums[piece] = total;
      atomicAdd(all, total);
    }
    cluster_sync();  // rank 0 has read them
  }
}

// Softmax with base 2 of whole numbers from 0 to 7: exact while the sum is a power of two.
__global__ void softmax(const int* exponents, float* out) {
  __shared__ int most[kThreads / 32];
  __shared__ float sums[kThreads / 32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int mine = exponents[blockIdx.x * kThreads + threadIdx.x];
  int high = mine;
  for (int offset = 16; offset > 0; offset /= 2)
    high = max(high, __shfl_xor_sync(0xffffffffu, high, offset));
  if (lane == 0) most[warp] = high;
  __syncthreads();
  for (int i = 0; i < kThreads / 32; ++i) high = max(high, most[i]);
  const float raised = exp2f(static_cast<float>(mine - high));
  float sum = raised;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < kThreads / 32; ++i) sum += sums[i];
  out[blockIdx.x * kThreads + threadIdx.x] = raised / sum;
}

int main() {
  Numbers random;
  std::vector<int> numbers(kNumbers * kPieces), expected(kPieces, 0);
  int expected_all = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = random.next(50);
    expected[i / kNumbers] += numbers[i];
    expected_all += numbers[i];
  }
  int* sums = to_device(std::vector<int>(kPieces, -1));
  int* all = to_device(std::vector<int>{0});
  reduce<<<kRanks, kThreads>>>(to_device(numbers), sums, all);
  std::vector<int> exponents(kThreads * 2);
  for (std::size_t i = 0; i < exponents.size(); ++i) exponents[i] = static_cast<int>(i / kThreads);
  float* out = to_device(std::vector<float>(exponents.size(), -1.0f));
  softmax<<<2, kThreads>>>(to_device(exponents), out);
  CHECK(cudaDeviceSynchronize());
  int wrong = from_device(all, 1)[0] != expected_all;
  const std::vector<int> found = from_device(sums, kPieces);
  for (int piece = 0; piece < kPieces; ++piece) wrong += found[piece] != expected[piece];
  for (const float value : from_device(out, exponents.size())) wrong += value != 1.0f / kThreads;
  return verdict("cluster_reduce", wrong, 1 + kPieces + static_cast<int>(exponents.size()));
}

// SPDX-License-Identifier: MIT
// Sorting and filtering as libraries do it: histograms in shared memory, scans by warp shuffles,
// a radix sort by digits of 4 bits that keeps the order of equals, a compaction with one atomic a
// warp, and the runs of equal keys counted. Everything is compared with the CPU.
#include <algorithm>
#include <numeric>

#include "program.cuh"

constexpr int kThreads = 256, kDigits = 16;

__device__ int scan_warp(int value) {
  const int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    const int before = __shfl_up_sync(~0u, value, step);
    if (lane >= step) value += before;
  }
  return value;
}

// Of a whole block, without the own value; every thread gets the sum, too.
__device__ int scan_block(int value, int& sum) {
  __shared__ int of_warps[kThreads / 32];
  const int warp = threadIdx.x / 32;
  const int inclusive = scan_warp(value);
  if (threadIdx.x % 32 == 31) of_warps[warp] = inclusive;
  __syncthreads();
  int before = 0;
  sum = 0;
  for (int k = 0; k < kThreads / 32; ++k) {
    if (k < warp) before += of_warps[k];
    sum += of_warps[k];
  }
  __syncthreads();
  return before + inclusive - value;
}

__global__ void count_digits(const unsigned* keys, int count, int shift, int* counts) {
  __shared__ int found[kDigits];
  if (threadIdx.x < kDigits) found[threadIdx.x] = 0;
  __syncthreads();
  const int at = blockIdx.x * kThreads + threadIdx.x;
  if (at < count) atomicAdd(&found[keys[at] >> shift & (kDigits - 1)], 1);
  __syncthreads();
  if (threadIdx.x < kDigits) counts[threadIdx.x * gridDim.x + blockIdx.x] = found[threadIdx.x];
}

// One block for all: digit after digit, and block after block of each.
__global__ void scan_counts(int* counts, int count) {
  int done = 0;
  for (int from = 0; from < count; from += kThreads) {
    const int at = from + threadIdx.x;
    const int value = at < count ? counts[at] : 0;
    int sum;
    const int before = scan_block(value, sum);
    if (at < count) counts[at] = done + before;
    done += sum;
  }
}

__global__ void scatter(const unsigned* keys, const unsigned* values, int count, int shift,
                        const int* places, unsigned* sorted, unsigned* carried) {
  __shared__ int of_warps[kThreads / 32][kDigits];
  const int at = blockIdx.x * kThreads + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned key = at < count ? keys[at] : ~0u;
  const int digit = at < count ? key >> shift & (kDigits - 1) : kDigits;
  if (lane < kDigits) of_warps[warp][lane] = 0;
  __syncwarp();
  const unsigned same = __match_any_sync(~0u, digit);
  if (digit < kDigits && lane == __ffs(same) - 1) of_warps[warp][digit] = __popc(same);
  __syncthreads();
  if (digit == kDigits) return;
  int place = places[digit * gridDim.x + blockIdx.x] + __popc(same & ((1u << lane) - 1));
  for (int k = 0; k < warp; ++k) place += of_warps[k][digit];
  sorted[place] = key;
  carried[place] = values[at];
}

// The order of what is kept is anybody's.
__global__ void keep_multiples(const unsigned* keys, int count, unsigned of, unsigned* kept,
                               int* number) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= count || keys[at] % of != 0) return;
  const unsigned here = __activemask();
  const int leader = __ffs(here) - 1, lane = threadIdx.x % 32;
  int place = 0;
  if (lane == leader) place = atomicAdd(number, __popc(here));
  place = __shfl_sync(here, place, leader) + __popc(here & ((1u << lane) - 1));
  kept[place] = keys[at];
}

__global__ void count_runs(const unsigned* sorted, int count, int* runs, int* longest) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  int length = 0;
  if (at < count && (at == 0 || sorted[at] != sorted[at - 1])) do
      ++length;
    while (at + length < count && sorted[at + length] == sorted[at]);
  const int heads = __syncthreads_count(length > 0);
  if (threadIdx.x == 0) atomicAdd(runs, heads);
  length = __reduce_max_sync(~0u, length);
  if (threadIdx.x % 32 == 0) atomicMax(longest, length);
}

int main() {
  constexpr int kCount = 20011, kBlocks = (kCount + kThreads - 1) / kThreads;
  Numbers numbers;
  std::vector<unsigned> keys(kCount), values(kCount);
  for (unsigned& key : keys) key = static_cast<unsigned>(numbers.next(30000) + 30000) * 7u;
  std::iota(values.begin(), values.end(), 0u);
  unsigned *in = to_device(keys), *carried = to_device(values);
  unsigned *out = to_device(keys), *carried_out = to_device(values);
  int* counts = to_device(std::vector<int>(kDigits * kBlocks));
  for (int shift = 0; shift < 20; shift += 4) {
    count_digits<<<kBlocks, kThreads>>>(in, kCount, shift, counts);
    scan_counts<<<1, kThreads>>>(counts, kDigits * kBlocks);
    scatter<<<kBlocks, kThreads>>>(in, carried, kCount, shift, counts, out, carried_out);
    std::swap(in, out);
    std::swap(carried, carried_out);
  }
  std::stable_sort(values.begin(), values.end(),
                   [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
  const std::vector<unsigned> sorted = from_device(in, kCount),
                              order = from_device(carried, kCount);
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += sorted[i] != keys[values[i]] || order[i] != values[i];
  print_bits(order);
  int failed = verdict("sorted", wrong, kCount);

  int* found = to_device(std::vector<int>(3));
  keep_multiples<<<kBlocks, kThreads>>>(in, kCount, 5, out, found);
  std::vector<unsigned> expected;
  for (const unsigned key : sorted)
    if (key % 5 == 0) expected.push_back(key);
  count_runs<<<kBlocks, kThreads>>>(in, kCount, found + 1, found + 2);
  const std::vector<int> numbers_found = from_device(found, 3);
  std::vector<unsigned> kept = from_device(out, numbers_found[0]);
  std::sort(kept.begin(), kept.end());
  failed |= verdict("kept", kept != expected, 1);
  std::printf("%d kept, %d runs, the longest of %d\n", numbers_found[0], numbers_found[1],
              numbers_found[2]);
  return failed;
}

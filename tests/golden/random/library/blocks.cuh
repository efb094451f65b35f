// SPDX-License-Identifier: MIT
// What a block of 128 threads does by the toolkit's libraries, each in a function that library.py's
// kernels call with registers of theirs. Not a test by itself.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/warp>

namespace cg = cooperative_groups;
typedef unsigned long long Word;
typedef unsigned short Half;
typedef unsigned char Byte;
constexpr int kThreads = 128, kRoom = 32768;

/// Twelve bytes, compared by the first word alone: what is stable shows.
struct Big {
  unsigned key;
  float value;
  unsigned tag;
  __device__ bool operator==(const Big& o) const { return key == o.key; }
  __device__ bool operator!=(const Big& o) const { return key != o.key; }
  __device__ Big operator-(const Big& o) const {
    return {key - o.key, value - o.value, tag ^ o.tag};
  }
};

// Operators: sums, the larger, and one that does not commute.
template <class T>
struct Plus {
  __device__ T operator()(const T& a, const T& b) const { return static_cast<T>(a + b); }
};
template <>
struct Plus<Big> {
  __device__ Big operator()(const Big& a, const Big& b) const {
    return {a.key + b.key, a.value + b.value, a.tag ^ b.tag};
  }
};
template <class T>
struct Larger {
  __device__ T operator()(const T& a, const T& b) const { return b > a ? b : a; }
};
template <>
struct Larger<Big> {
  __device__ Big operator()(const Big& a, const Big& b) const { return b.key > a.key ? b : a; }
};
template <class T>
struct Right {
  __device__ T operator()(const T& a, const T& b) const {
    return (b & 1) != 0 ? b : static_cast<T>(a + b);
  }
};
template <>
struct Right<float> {
  __device__ float operator()(float a, float b) const { return b > 1.0f ? b : a; }
};
template <>
struct Right<double> {
  __device__ double operator()(double a, double b) const { return b > 1.0 ? b : a; }
};
template <>
struct Right<Big> {
  __device__ Big operator()(const Big& a, const Big& b) const {
    return (b.key & 1) != 0 ? b : Big{a.key + b.key, b.value, a.tag};
  }
};
template <class T>
struct Less {
  __device__ bool operator()(const T& a, const T& b) const { return a < b; }
};
template <>
struct Less<Big> {
  __device__ bool operator()(const Big& a, const Big& b) const { return a.key < b.key; }
};

template <class Tool>
__device__ typename Tool::TempStorage& storage(void* room) {
  static_assert(sizeof(typename Tool::TempStorage) <= kRoom, "larger than the room");
  return *static_cast<typename Tool::TempStorage*>(room);
}
__device__ void* of_warp(void* room) {
  return static_cast<char*>(room) + threadIdx.x / 32 * (kRoom / 4);
}
__device__ unsigned lane() { return threadIdx.x & 31; }

/// What thread 0 has, for all.
template <class T>
__device__ T spread(void* room, T value) {
  __syncthreads();
  if (threadIdx.x == 0) *static_cast<T*>(room) = value;
  __syncthreads();
  const T all = *static_cast<T*>(room);
  __syncthreads();
  return all;
}

template <cub::BlockReduceAlgorithm kHow, class Op, class T, int N>
__device__ void reduce(void* room, T (&items)[N], int valid) {
  using Tool = cub::BlockReduce<T, kThreads, kHow>;
  __syncthreads();
  T sum = N > 1 || valid == 0 ? Tool(storage<Tool>(room)).Reduce(items, Op())
                              : Tool(storage<Tool>(room)).Reduce(items[0], Op(), valid);
  items[0] = spread(room, sum);
}
template <cub::BlockScanAlgorithm kHow, class Op, class T, int N>
__device__ void scan(void* room, T (&items)[N], bool exclusive) {
  using Tool = cub::BlockScan<T, kThreads, kHow>;
  __syncthreads();
  const T first = items[N - 1];
  T all;
  if (exclusive)
    Tool(storage<Tool>(room))
        .ExclusiveScan(items, items, spread(static_cast<char*>(room) + kRoom - 64, first), Op(),
                       all);
  else
    Tool(storage<Tool>(room)).InclusiveScan(items, items, Op(), all);
  __syncthreads();
  if (threadIdx.x % 3 == 0) items[0] = all;
}
template <int kBits, class K, class V, int N>
__device__ void sort_digits(void* room, K (&keys)[N], V (&values)[N], int how, int from, int to) {
  using Tool = cub::BlockRadixSort<K, kThreads, N, V, kBits>;
  __syncthreads();
  Tool tool(storage<Tool>(room));
  if (how == 0) tool.Sort(keys, values, from, to);
  if (how == 1) tool.SortDescending(keys, values, from, to);
  if (how == 2) tool.SortBlockedToStriped(keys, values, from, to);
  if (how == 3) tool.SortDescendingBlockedToStriped(keys, values, from, to);
  __syncthreads();
}
template <class K, class V, int N>
__device__ void sort_merging(void* room, K (&keys)[N], V (&values)[N], int valid) {
  using Tool = cub::BlockMergeSort<K, kThreads, N, V>;
  __syncthreads();
  if (valid == 0)
    Tool(storage<Tool>(room)).StableSort(keys, values, Less<K>());
  else
    Tool(storage<Tool>(room)).StableSort(keys, values, Less<K>(), valid, keys[0]);
  __syncthreads();
}
template <bool kSlices, class T, int N>
__device__ void exchange(void* room, T (&items)[N], int how, int step) {
  using Tool = cub::BlockExchange<T, kThreads, N, kSlices>;
  __syncthreads();
  Tool tool(storage<Tool>(room));
  int ranks[N];
  for (int n = 0; n < N; ++n)
    ranks[n] = (static_cast<int>(threadIdx.x) * N + n) * step % (kThreads * N);
  if (how == 0) tool.BlockedToStriped(items);
  if (how == 1) tool.StripedToBlocked(items);
  if (how == 2) tool.BlockedToWarpStriped(items);
  if (how == 3) tool.WarpStripedToBlocked(items);
  if (how == 4) tool.ScatterToBlocked(items, ranks);
  if (how == 5) tool.ScatterToStriped(items, ranks);
  __syncthreads();
}
template <class T, int N>
__device__ void shuffle(void* room, T (&items)[N], int how, int distance) {
  using Tool = cub::BlockShuffle<T, kThreads>;
  __syncthreads();
  T to[N], end = items[0];
  for (int n = 0; n < N; ++n) to[n] = items[n];
  if (how == 0) Tool(storage<Tool>(room)).Offset(items[0], to[0], distance - 60);
  if (how == 1) Tool(storage<Tool>(room)).Rotate(items[0], to[0], static_cast<unsigned>(distance));
  if (how == 2) Tool(storage<Tool>(room)).Up(items, to, end);
  if (how == 3) Tool(storage<Tool>(room)).Down(items, to, end);
  __syncthreads();
  for (int n = 0; n < N; ++n) items[n] = to[n];
  if (how > 1 && threadIdx.x % 5 == 1) items[0] = end;
}
template <class T, int N>
__device__ unsigned flags(void* room, T (&items)[N], bool tails) {
  using Tool = cub::BlockDiscontinuity<T, kThreads>;
  __syncthreads();
  bool at[N];
  if (tails)
    Tool(storage<Tool>(room)).FlagTails(at, items, cuda::std::not_equal_to<>());
  else
    Tool(storage<Tool>(room)).FlagHeads(at, items, cuda::std::not_equal_to<>());
  unsigned bits = 0;
  for (int n = 0; n < N; ++n) bits = bits * 2 + at[n];
  __syncthreads();
  return bits;
}
template <class T, int N>
__device__ void differences(void* room, T (&items)[N], bool right, int valid) {
  using Tool = cub::BlockAdjacentDifference<T, kThreads>;
  __syncthreads();
  const auto minus = [](const T& a, const T& b) { return static_cast<T>(a - b); };
  if (right)
    Tool(storage<Tool>(room)).SubtractRightPartialTile(items, items, minus, valid);
  else
    Tool(storage<Tool>(room)).SubtractLeft(items, items, minus);
  __syncthreads();
}
template <cub::BlockHistogramAlgorithm kHow, int N>
__device__ void histogram(void* room, Byte (&items)[N], unsigned& to) {
  using Tool = cub::BlockHistogram<Byte, kThreads, N, 64, kHow>;
  __syncthreads();
  unsigned* counts = static_cast<unsigned*>(room) + 7900;
  Byte small[N];
  for (int n = 0; n < N; ++n) small[n] = items[n] & 63;
  Tool(storage<Tool>(room)).Histogram(small, *reinterpret_cast<unsigned(*)[64]>(counts));
  __syncthreads();
  to ^= counts[threadIdx.x & 63];
  __syncthreads();
}
template <class T, int N>
__device__ void decode_runs(void* room, T (&items)[N], const unsigned (&lengths)[N]) {
  using Tool = cub::BlockRunLengthDecode<T, kThreads, N, 3>;
  __syncthreads();
  unsigned runs[N], total = 0;
  for (int n = 0; n < N; ++n) runs[n] = (lengths[n] & 7) + 1;
  Tool tool(storage<Tool>(room), items, runs, total);
  T got[3];
  unsigned offsets[3];
  tool.RunLengthDecode(got, offsets, total / 3);
  __syncthreads();
  items[0] = got[offsets[1] % 3];
}
template <cub::BlockLoadAlgorithm kHow, class T, int N>
__device__ void load(void* room, T (&items)[N], const void* from, unsigned at, int valid) {
  using Tool = cub::BlockLoad<T, kThreads, N, kHow>;
  __syncthreads();
  const T* source = reinterpret_cast<const T*>(static_cast<const char*>(from) + (at & 255) * 16);
  if (valid == 0)
    Tool(storage<Tool>(room)).Load(source, items);
  else
    Tool(storage<Tool>(room)).Load(source, items, valid, items[0]);
  __syncthreads();
}
template <cub::BlockStoreAlgorithm kHow, class T, int N>
__device__ void store(void* room, T (&items)[N], int valid) {
  using Tool = cub::BlockStore<T, kThreads, N, kHow>;
  __syncthreads();
  T* to = reinterpret_cast<T*>(static_cast<char*>(room) + kRoom / 2);
  static_assert(
      sizeof(typename Tool::TempStorage) <= kRoom / 2 && sizeof(T) * N * kThreads <= kRoom / 2,
      "larger than its half");
  for (int n = 0; n < N; ++n) to[threadIdx.x + n * kThreads] = items[N - 1 - n];
  __syncthreads();
  if (valid == 0)
    Tool(storage<Tool>(room)).Store(to, items);
  else
    Tool(storage<Tool>(room)).Store(to, items, valid);
  __syncthreads();
  for (int n = 0; n < N; ++n) items[n] = to[(threadIdx.x * 7 + n * 31) % (kThreads * N)];
  __syncthreads();
}

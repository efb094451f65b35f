// SPDX-License-Identifier: MIT
// For cluster_atomics.cu: numbers at the edges, each with each, by every way.
#pragma once

#include <cstring>

#include "cluster_atomics.cuh"

constexpr int kEdges = 20, kPairs = kEdges * kEdges;

template <int form, int way, class T>
__device__ void operate(T* tile, T* source, Long* bar, const T* thirds, T* olds) {
  using F = Form<form>;
  if constexpr (has(F::kExtras, way)) {
    const Word rank = is_other(way) ? 1 : 0;
    if constexpr (is_bulk(way)) {
      if (threadIdx.x == 0)
        F::reduce(target_at(tile, bar, rank), shared_address(source), kPairs * sizeof(T));
    } else {
      for (int i = threadIdx.x; i < kPairs; i += kThreads) {
        Target to = target_at(tile + i, bar, rank);
        if (way == kOwn) to.address = shared_address(tile + i);
        if (way == kOwnGeneric) to.generic = reinterpret_cast<Long>(tile + i);
        olds[i] = F::template apply<way>(to, source[i], thirds[i]);
      }
    }
  }
}

// The CTA of rank 0 acts; `cells` has the old numbers and gets what comes of them.
template <int form, class T>
__global__ void __cluster_dims__(2, 1, 1)
    edges(int way, T* cells, const T* values, const T* thirds, T* olds) {
  __shared__ __align__(16) T tile[kPairs], source[kPairs];
  __shared__ __align__(8) Long bar;
  const bool acts = rank_here() == 0, receives = acts != is_other(way);
  for (int i = threadIdx.x; i < kPairs; i += kThreads) tile[i] = cells[i], source[i] = values[i];
  if (threadIdx.x == 0 && receives && is_async(way)) begin(&bar, kPairs * sizeof(T));
  meet();
#define WAY(which) \
  if (acts && way == which) operate<form, which>(tile, source, &bar, thirds, olds)
  WAY(kOwn);
  WAY(kOwnCluster);
  WAY(kOwnGeneric);
  WAY(kOwnRed);
  WAY(kOwnAsync);
  WAY(kOwnBulk);
  WAY(kOther);
  WAY(kOtherGeneric);
  WAY(kOtherRed);
  WAY(kOtherAsync);
  WAY(kOtherBulk);
#undef WAY
  if (receives && is_async(way)) wait(&bar);
  meet();
  if (receives)
    for (int i = threadIdx.x; i < kPairs; i += kThreads) cells[i] = tile[i];
}

template <class T>
void print_hex(T value) {
  if constexpr (sizeof(T) == 16)
    std::printf("%016llx.", static_cast<unsigned long long>(value >> 64));
  std::printf("%llx", static_cast<unsigned long long>(value));
}

const Long kIntegers[kEdges] = {0,
                                1,
                                2,
                                3,
                                5,
                                0x7f,
                                0x80,
                                0xff,
                                0x7fff,
                                0x8000,
                                0xffff,
                                0x7fffffff,
                                0x80000000,
                                0xffffffff,
                                0x100000000ull,
                                0x7fffffffffffffffull,
                                0x8000000000000000ull,
                                0xfffffffffffffffeull,
                                0xffffffffffffffffull,
                                0x123456789abcdef0ull};
const Half kHalves[kEdges] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x8400,
                              0x3c00, 0xbc00, 0x3555, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
                              0x7e00, 0x7d01, 0xfe12, 0x7fff, 0x200,  0x1234};
const Half kBrains[kEdges] = {0,      0x8000, 1,      0x8001, 0x7f,   0x80,   0x8080,
                              0x3f80, 0xbf80, 0x3eaa, 0x7f7f, 0xff7f, 0x7f80, 0xff80,
                              0x7fc0, 0x7f81, 0xffc1, 0x7fff, 0x40,   0x1234};
const Word kFloats[kEdges] = {0,          0x80000000, 1,          0x80000001, 0x7fffff,
                              0x800000,   0x80800000, 0x3f800000, 0xbf800000, 0x3eaaaaab,
                              0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
                              0x7f812345, 0xffc12345, 0x7fffffff, 0x400000,   0x12345678};
const Long kDoubles[kEdges] = {0,
                               1ull << 63,
                               1,
                               1ull << 63 | 1,
                               0xfffffffffffffull,
                               0x10000000000000ull,
                               0x8010000000000000ull,
                               0x3ff0000000000000ull,
                               0xbff0000000000000ull,
                               0x3fd5555555555555ull,
                               0x7fefffffffffffffull,
                               0xffefffffffffffffull,
                               0x7ff0000000000000ull,
                               0xfff0000000000000ull,
                               0x7ff8000000000000ull,
                               0x7ff0123456789abcull,
                               0xfff8123456789abcull,
                               0x7fffffffffffffffull,
                               0x8000000000000ull,
                               0x123456789abcdef0ull};

template <class T>
T edge(const char* type, int i, int j) {
  const auto is = [&](const char* name) { return std::strcmp(type, name) == 0; };
  if (is("f16")) return static_cast<T>(kHalves[i]);
  if (is("bf16")) return static_cast<T>(kBrains[i]);
  if (is("f16x2")) return static_cast<T>(kHalves[i] | static_cast<Word>(kHalves[j]) << 16);
  if (is("bf16x2")) return static_cast<T>(kBrains[i] | static_cast<Word>(kBrains[j]) << 16);
  if (is("f32")) return static_cast<T>(kFloats[i]);
  if (is("f64")) return static_cast<T>(kDoubles[i]);
  if constexpr (sizeof(T) == 16) return static_cast<T>(kIntegers[i]) << 64 | kIntegers[i];
  return static_cast<T>(kIntegers[i]);
}

template <int form>
void ask_edges() {
  using F = Form<form>;
  using T = typename F::Value;
  std::vector<T> olds, values, thirds, own;
  for (int i = 0; i < kEdges; ++i)
    for (int j = 0; j < kEdges; ++j) {
      olds.push_back(edge<T>(F::kType, i, j));
      values.push_back(edge<T>(F::kType, j, (i + 5) % kEdges));
      thirds.push_back(edge<T>(F::kType, (i * 7 + j * 3) % kEdges, i));
    }
  for (int way = 0; way < kWays; ++way) {
    if (!has(F::kExtras, way)) continue;
    T *cells = to_device(olds), *operands = to_device(values), *others = to_device(thirds);
    T* returned = to_device(olds);
    edges<form><<<2, kThreads>>>(way, cells, operands, others, returned);
    CHECK(cudaDeviceSynchronize());
    const std::vector<T> made = from_device(cells, kPairs), before = from_device(returned, kPairs);
    for (void* p : {(void*)cells, (void*)operands, (void*)others, (void*)returned})
      CHECK(cudaFree(p));
    if (way == kOwn) own = made;
    const bool answers = way != kOwnRed && way != kOtherRed && !is_async(way);
    int same = 0, kept = 0;
    for (int i = 0; i < kPairs; ++i) same += made[i] == own[i], kept += before[i] == olds[i];
    std::printf("%s.%s, %s: %d of %d as in the own memory, ", F::kOperation, F::kType,
                kWayNames[way], same, kPairs);
    if (answers) std::printf("%d old ones returned, ", kept);
    print_bits(made);
    for (int i = 0, shown = 0; i < kPairs && shown < 3; ++i)
      if (made[i] != own[i] && ++shown) {
        std::printf("  ");
        for (const T value : {olds[i], values[i], made[i], own[i]})
          std::printf(" "), print_hex(value);
        std::printf("\n");
      }
  }
}

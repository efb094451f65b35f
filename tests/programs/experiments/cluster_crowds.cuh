// SPDX-License-Identifier: MIT
// For cluster_atomics.cu: many threads at one word, and whether every operation counts.
#pragma once

#include "cluster_atomics.cuh"

constexpr int kTurns = 4, kCrowds = 20;

__host__ __device__ constexpr bool starts(const char* a, const char* b) {
  return *b == 0 || (*a == *b && starts(a + 1, b + 1));
}
__host__ __device__ constexpr Word stir(Word n) {
  n = (n ^ 0x5bd1e995u) * 0x9e3779b1u;
  n = (n ^ n >> 15) * 0x85ebca77u;
  return n ^ n >> 13;
}
// The n-th of those that meet: what they give does not depend on their order.
template <class F>
__host__ __device__ constexpr typename F::Value operand(Word n) {
  using T = typename F::Value;
  const Long one = F::kType[0] == 'b'   ? 0x3f80
                   : F::kType[1] == '1' ? 0x3c00
                   : F::kType[1] == '3' ? 0x3f800000
                                        : 0x3ff0000000000000ull;
  const Long sign = Long{1} << (sizeof(T) == 8 ? 63 : F::kType[1] == '3' ? 31 : 15);
  if (starts(F::kOperation, "add") && F::kType[0] != 'u' && F::kType[0] != 's') {
    const Long value = n % 2 == 0 ? one : one | sign;
    return static_cast<T>(sizeof(T) == 4 && one < 0x8000 ? value << 16 | (value ^ sign) : value);
  }
  if (starts(F::kOperation, "inc") || starts(F::kOperation, "dec")) return static_cast<T>(100000);
  T value = static_cast<T>(stir(n));
  if (sizeof(T) >= 8) value = static_cast<T>(static_cast<Long>(stir(n)) << 32 | stir(n + 77777));
  // A bit each, of few of them: what another one loses nobody sets again.
  const T bit = n % 8 == 0 ? static_cast<T>(T{1} << n / 8 % (8 * sizeof(T))) : T{0};
  if (starts(F::kOperation, "or")) return bit;
  if (starts(F::kOperation, "and")) return static_cast<T>(~bit);
  return value;
}
template <class F>
typename F::Value first_number() {
  using T = typename F::Value;
  const T top = static_cast<T>(T{1} << (sizeof(T) * 8 - 1)), all = static_cast<T>(~T{0});
  const bool is_signed = F::kType[0] == 's';
  if (starts(F::kOperation, "and")) return all;
  if (starts(F::kOperation, "min")) return is_signed ? static_cast<T>(all ^ top) : all;
  if (starts(F::kOperation, "max")) return is_signed ? top : T{0};
  return starts(F::kOperation, "dec") ? static_cast<T>(50000) : T{0};
}
template <class F>
typename F::Value fold(typename F::Value a, typename F::Value b) {
  using T = typename F::Value;
  const T top = F::kType[0] == 's' ? static_cast<T>(T{1} << (sizeof(T) * 8 - 1)) : T{0};
  const bool less = static_cast<T>(b ^ top) < static_cast<T>(a ^ top);
  if (starts(F::kOperation, "and")) return a & b;
  if (starts(F::kOperation, "or")) return a | b;
  if (starts(F::kOperation, "min")) return less ? b : a;
  if (starts(F::kOperation, "max")) return less ? a : b;
  if (starts(F::kOperation, "xor") || starts(F::kOperation, "exch")) return a ^ b;
  if (starts(F::kOperation, "dec")) return static_cast<T>(a - 1);
  if (starts(F::kOperation, "inc") || starts(F::kOperation, "cas")) return static_cast<T>(a + 1);
  return F::kType[0] == 'u' || F::kType[0] == 's' ? static_cast<T>(a + b) : T{0};
}

// cas counts.
template <class F, int way, class T>
__device__ T meet_at(const Target& to, T value) {
  if (!starts(F::kOperation, "cas")) return F::template apply<way>(to, value, value);
  T old = 0, wanted = 1;
  while (wanted != old) {
    wanted = old;
    old = F::template apply<way>(to, wanted, static_cast<T>(wanted + 1));
  }
  return 0;
}

// A word of rank 1: to one of its own threads come by `way`, to another's those of rank 0, and with
// `both` those of rank 1 by atom.shared.
template <int form, int way, class T>
__global__ void __cluster_dims__(2, 1, 1) crowd(bool both, T* cells, T* returned) {
  using F = Form<form>;
  constexpr Word count = is_bulk(way) ? 16 / sizeof(T) : 1, turns = is_bulk(way) ? 1 : kTurns;
  __shared__ __align__(16) T tile[16], mine[kThreads * count];
  __shared__ __align__(8) Long bar;
  const Word rank = rank_here(), thread = threadIdx.x, first = is_other(way) ? 0 : 1;
  if (thread < 16) tile[thread] = cells[0];
  if (thread == 0 && rank == 1 && is_async(way)) begin(&bar, kThreads * turns * count * sizeof(T));
  meet();
  const Target to = target_at(tile, &bar, 1);
  T olds = 0;
  for (Word turn = 0; turn < turns && (rank == first || both); ++turn) {
    const T value = operand<F>(((rank ^ first) * kThreads + thread) * turns + turn);
    if (rank != first) {
      for (Word k = 0; k < count; ++k)
        olds ^= meet_at<F, kOwn>({shared_address(tile + k), 0, 0}, value);
    } else if constexpr (is_bulk(way)) {
      for (Word k = 0; k < count; ++k) mine[thread * count + k] = value;
      asm volatile("fence.proxy.async;" ::: "memory");
      F::reduce(to, shared_address(mine + thread * count), 16);
    } else {
      const Long own = reinterpret_cast<Long>(tile);
      olds ^= meet_at<F, way>({to.address, way == kOwnGeneric ? own : to.generic, to.bar}, value);
    }
  }
  if (rank == 1 && is_async(way)) wait(&bar);
  meet();
  returned[rank * kThreads + thread] = olds;
  if (rank == 1 && thread < count) cells[thread] = tile[thread];
}

template <int form, int way>
void ask_crowd(bool both) {
  using F = Form<form>;
  using T = typename F::Value;
  constexpr int count = is_bulk(way) ? 16 / sizeof(T) : 1, turns = is_bulk(way) ? 1 : kTurns;
  T wanted = first_number<F>();
  for (int n = 0; n < (both ? 2 : 1) * kThreads * turns; ++n)
    wanted = fold<F>(wanted, operand<F>(n));
  T *cells = to_device(std::vector<T>(16)), *returned = to_device(std::vector<T>(2 * kThreads));
  int wrong = 0;
  for (int turn = 0; turn < kCrowds; ++turn) {
    const std::vector<T> first(16, first_number<F>());
    CHECK(cudaMemcpy(cells, first.data(), 16 * sizeof(T), cudaMemcpyHostToDevice));
    crowd<form, way><<<2, kThreads>>>(both, cells, returned);
    CHECK(cudaDeviceSynchronize());
    std::vector<T> made = from_device(cells, count);
    if (starts(F::kOperation, "exch"))
      for (const T old : from_device(returned, 2 * kThreads)) made[0] ^= old;
    bool is_right = true;
    for (const T value : made) is_right = is_right && value == wanted;
    wrong += !is_right;
  }
  CHECK(cudaFree(cells));
  CHECK(cudaFree(returned));
  std::printf("%s.%s, %s, by %s: %s\n", F::kOperation, F::kType, kWayNames[way],
              both            ? "both CTAs' threads"
              : is_other(way) ? "another CTA's threads"
                              : "its own threads",
              wrong == 0 ? "every operation counts" : "LOST");
}
template <int form, int way>
void ask_crowds() {
  if constexpr (has(Form<form>::kExtras, way)) {
    ask_crowd<form, way>(false);
    if (is_other(way)) ask_crowd<form, way>(true);
  }
}

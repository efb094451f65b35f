// SPDX-License-Identifier: MIT
// For cluster_atomics.cu: whether st.async brings every bit.
#pragma once

#include "cluster_crowds.cuh"
#include "cluster_edges.cuh"

#define SENT(X)   \
  X(b32, Word, r) \
  X(u32, Word, r) \
  X(s32, Word, r) X(f32, Word, r) X(b64, Long, l) X(u64, Long, l) X(s64, Long, l) X(f64, Long, l)
template <int type>
struct Sent;
constexpr int kSentBefore = __COUNTER__ + 1;
#define STORE(type, T, letter)                                                                 \
  template <>                                                                                  \
  struct Sent<__COUNTER__ - kSentBefore> {                                                     \
    using Value = T;                                                                           \
    static constexpr const char* kType = #type;                                                \
    static __device__ void store(const Target& to, const T* v, int count) {                    \
      if (count == 1)                                                                          \
        asm volatile("st.async.weak.shared::cluster" ASYNC #type                               \
                     " [%0], %1, [%2];" ::"r"(to.address),                                     \
                     #letter(v[0]), "r"(to.bar)                                                \
                     : "memory");                                                              \
      if (count == 2)                                                                          \
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2." #type    \
                     " [%0], {%1, %2}, [%3];" ::"r"(to.address),                               \
                     #letter(v[0]), #letter(v[1]), "r"(to.bar)                                 \
                     : "memory");                                                              \
      if constexpr (sizeof(T) == 4)                                                            \
        if (count == 4)                                                                        \
          asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4." #type  \
                       " [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to.address),                     \
                       #letter(v[0]), #letter(v[1]), #letter(v[2]), #letter(v[3]), "r"(to.bar) \
                       : "memory");                                                            \
    }                                                                                          \
  };
SENT(STORE)
constexpr int kSent = __COUNTER__ - kSentBefore;

template <int type, class T>
__global__ void __cluster_dims__(2, 1, 1) send(Word to_rank, int count, const T* values, T* cells) {
  __shared__ __align__(16) T tile[kPairs];
  __shared__ __align__(8) Long bar;
  if (threadIdx.x == 0 && rank_here() == to_rank) begin(&bar, kPairs * sizeof(T));
  meet();
  for (int i = threadIdx.x * count; i < kPairs && rank_here() == 0; i += kThreads * count)
    Sent<type>::store(target_at(tile + i, &bar, to_rank), values + i, count);
  if (rank_here() == to_rank) {
    wait(&bar);
    for (int i = threadIdx.x; i < kPairs; i += kThreads) cells[i] = tile[i];
  }
  meet();
}
template <int type>
void ask_sent() {
  using T = typename Sent<type>::Value;
  std::vector<T> values;
  for (int i = 0; i < kPairs; ++i) {
    T value = static_cast<T>(static_cast<Long>(stir(i)) << 32 | stir(i + 1000));
    if (i < 2 * kEdges) value = static_cast<T>(i < kEdges ? kDoubles[i] : kIntegers[i - kEdges]);
    if (i < kEdges && sizeof(T) == 4) value = static_cast<T>(kFloats[i]);
    values.push_back(value);
  }
  T* from = to_device(values);
  for (const int count : {1, 2, 4})
    for (const Word rank : {0u, 1u}) {
      if (count * sizeof(T) > 16) continue;
      T* cells = to_device(std::vector<T>(kPairs));
      send<type><<<2, kThreads>>>(rank, count, from, cells);
      CHECK(cudaDeviceSynchronize());
      const std::vector<T> got = from_device(cells, kPairs);
      std::printf("st.async of %d %s to %s memory: %s\n", count, Sent<type>::kType,
                  rank == 0 ? "own" : "another's", got == values ? "every bit" : "OTHER BITS");
      CHECK(cudaFree(cells));
    }
  CHECK(cudaFree(from));
}

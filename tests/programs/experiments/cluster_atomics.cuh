// SPDX-License-Identifier: MIT
// For cluster_atomics.cu: the forms that ptxas takes, each by every way to address the word; the
// mbarrier that hears of asynchronous ones.
#pragma once

#include "../program.cuh"

using Half = std::uint16_t;
using Word = std::uint32_t;
using Long = std::uint64_t;
using Wide = unsigned __int128;

constexpr int kThreads = 128;

enum Way {
  kOwn,
  kOwnCluster,
  kOwnGeneric,
  kOwnRed,
  kOwnAsync,
  kOwnBulk,
  kOther,
  kOtherGeneric,
  kOtherRed,
  kOtherAsync,
  kOtherBulk,
  kWays
};
const char* const kWayNames[] = {"own memory, .shared",
                                 "own memory, .shared::cluster",
                                 "own memory, generic",
                                 "own memory, red",
                                 "own memory, red.async",
                                 "own memory, cp.reduce.async.bulk",
                                 "another's, .shared::cluster",
                                 "another's, generic",
                                 "another's, red",
                                 "another's, red.async",
                                 "another's, cp.reduce.async.bulk"};
__host__ __device__ constexpr bool is_other(int way) { return way >= kOther; }
__host__ __device__ constexpr bool is_bulk(int way) { return way == kOwnBulk || way == kOtherBulk; }
__host__ __device__ constexpr bool is_async(int way) {
  return is_bulk(way) || way == kOwnAsync || way == kOtherAsync;
}

/// Where an operation goes: a word of shared memory, the mbarrier of its CTA.
struct Target {
  Word address;
  Long generic;
  Word bar;
};

// What there is of a form beside atom.
enum { kRed = 1, kAsync = 2, kBulk = 4 };
__host__ __device__ constexpr bool has(int extras, int way) {
  if (is_bulk(way)) return (extras & kBulk) != 0;
  if (is_async(way)) return (extras & kAsync) != 0;
  return (way != kOwnRed && way != kOtherRed) || (extras & kRed) != 0;
}

// Operation, type, C++'s type, register, what else there is, a third operand.
#define FORMS(X)                                  \
  X(add, u32, Word, r, kRed | kAsync | kBulk, "") \
  X(add, s32, Word, r, kRed | kAsync | kBulk, "") \
  X(add, u64, Long, l, kRed | kAsync | kBulk, "") \
  X(add, f32, Word, r, kRed, "")                  \
  X(add, f64, Long, l, kRed, "")                  \
  X(add.noftz, f16, Half, h, kRed, "")            \
  X(add.noftz, f16x2, Word, r, kRed, "")          \
  X(add.noftz, bf16, Half, h, kRed, "")           \
  X(add.noftz, bf16x2, Word, r, kRed, "")         \
  X(and, b32, Word, r, kRed | kAsync | kBulk, "") \
  X(and, b64, Long, l, kRed, "")                  \
  X(or, b32, Word, r, kRed | kAsync | kBulk, "")  \
  X(or, b64, Long, l, kRed, "")                   \
  X(xor, b32, Word, r, kRed | kAsync | kBulk, "") \
  X(xor, b64, Long, l, kRed, "")                  \
  X(inc, u32, Word, r, kRed | kAsync | kBulk, "") \
  X(dec, u32, Word, r, kRed | kAsync | kBulk, "") \
  X(min, u32, Word, r, kRed | kAsync | kBulk, "") \
  X(min, s32, Word, r, kRed | kAsync | kBulk, "") \
  X(min, u64, Long, l, kRed, "")                  \
  X(min, s64, Long, l, kRed, "")                  \
  X(max, u32, Word, r, kRed | kAsync | kBulk, "") \
  X(max, s32, Word, r, kRed | kAsync | kBulk, "") \
  X(max, u64, Long, l, kRed, "")                  \
  X(max, s64, Long, l, kRed, "")                  \
  X(exch, b32, Word, r, 0, "")                    \
  X(exch, b64, Long, l, 0, "")                    \
  X(exch, b128, Wide, q, 0, "")                   \
  X(cas, b16, Half, h, 0, ", %3")                 \
  X(cas, b32, Word, r, 0, ", %3")                 \
  X(cas, b64, Long, l, 0, ", %3")                 \
  X(cas, b128, Wide, q, 0, ", %3")

template <int number>
struct Form;

#define ASYNC ".mbarrier::complete_tx::bytes."
#define FORM(op, type, T, letter, others, third)                                            \
  template <>                                                                               \
  struct Form<__COUNTER__ - kBefore> {                                                      \
    using Value = T;                                                                        \
    static constexpr const char *kOperation = #op, *kType = #type;                          \
    static constexpr int kExtras = others;                                                  \
    template <int way>                                                                      \
    static __device__ T apply(const Target& to, T value, T c) {                             \
      T old = 0;                                                                            \
      if constexpr (way == kOwn)                                                            \
        asm volatile("atom.shared." #op "." #type " %0, [%1], %2" third ";"                 \
                     : "=" #letter(old)                                                     \
                     : "r"(to.address), #letter(value), #letter(c)                          \
                     : "memory");                                                           \
      if constexpr (way == kOwnCluster || way == kOther)                                    \
        asm volatile("atom.shared::cluster." #op "." #type " %0, [%1], %2" third ";"        \
                     : "=" #letter(old)                                                     \
                     : "r"(to.address), #letter(value), #letter(c)                          \
                     : "memory");                                                           \
      if constexpr (way == kOwnGeneric || way == kOtherGeneric)                             \
        asm volatile("atom." #op "." #type " %0, [%1], %2" third ";"                        \
                     : "=" #letter(old)                                                     \
                     : "l"(to.generic), #letter(value), #letter(c)                          \
                     : "memory");                                                           \
      if constexpr (way == kOwnRed || way == kOtherRed)                                     \
        asm volatile("red.shared::cluster." #op "." #type " [%0], %1;" ::"r"(to.address),   \
                     #letter(value)                                                         \
                     : "memory");                                                           \
      if constexpr (way == kOwnAsync || way == kOtherAsync)                                 \
        asm volatile("red.async.relaxed.cluster.shared::cluster" ASYNC #op "." #type        \
                     " [%0], %1, [%2];" ::"r"(to.address),                                  \
                     #letter(value), "r"(to.bar)                                            \
                     : "memory");                                                           \
      return old;                                                                           \
    }                                                                                       \
    static __device__ void reduce(const Target& to, Word source, Word bytes) {              \
      if constexpr ((kExtras & kBulk) != 0)                                                 \
        asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta" ASYNC #op "." #type \
                     " [%0], [%1], %2, [%3];" ::"r"(to.address),                            \
                     "r"(source), "r"(bytes), "r"(to.bar)                                   \
                     : "memory");                                                           \
    }                                                                                       \
  };
constexpr int kBefore = __COUNTER__ + 1;
FORMS(FORM)
constexpr int kForms = __COUNTER__ - kBefore;

// ---- the mbarrier and the cluster
__device__ inline Word shared_address(const void* p) {
  return static_cast<Word>(__cvta_generic_to_shared(p));
}
__device__ inline Word rank_here() {
  Word rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
template <class T>
__device__ Target target_at(T* word, Long* bar, Word rank) {
  Target to;
  to.generic = reinterpret_cast<Long>(word);
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(to.address)
               : "r"(shared_address(word)), "r"(rank));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(to.bar)
               : "r"(shared_address(bar)), "r"(rank));
  asm volatile("mapa.u64 %0, %0, %1;" : "+l"(to.generic) : "r"(rank));
  return to;
}
/// By one thread: `bytes` are to come.
__device__ inline void begin(Long* bar, Word bytes) {
  const Word at = shared_address(bar);
  asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(at)
               : "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at), "r"(bytes)
               : "memory");
}
__device__ inline void wait(Long* bar) {
  Word done = 0;
  while (done == 0)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; "
        "selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(shared_address(bar))
        : "memory");
}
__device__ inline void meet() {
  asm volatile("fence.proxy.async; barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

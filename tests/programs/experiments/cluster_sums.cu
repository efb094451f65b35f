// SPDX-License-Identifier: MIT
// What an atomic sum of floating-point numbers gives in another CTA's shared memory: 441 sums of
// numbers at the edges, by every way to address them, beside the same sums in the own CTA's.
//
// PTX ISA 9.2, 9.7.13.5 (atom), 9.7.13.6 (red). The answer is docs/experiments/cluster_sums.md.
#include "../program.cuh"

enum Way {
  kOwn,
  kOwnCluster,
  kOwnGeneric,
  kOther,
  kOtherGeneric,
  kOtherRed,
  kGlobal,
  kGlobalGeneric,
  kWays
};
const char* const kWayNames[] = {"own memory, .shared",    "own memory, .shared::cluster",
                                 "own memory, generic",    "another's, .shared::cluster",
                                 "another's, generic",     "another's, red.shared::cluster",
                                 "global memory, .global", "global memory, generic"};
enum Type { kF16x2, kBf16x2, kF32, kF64, kTypes };
const char* const kTypeNames[] = {"f16x2", "bf16x2", "f32", "f64"};
constexpr int kEdges = 21, kSums = kEdges * kEdges, kThreads = 128;

__host__ __device__ constexpr bool is_own(int way) { return way <= kOwnGeneric; }

#define SUM(type, letter)                                                                \
  if (way == kOwn)                                                                       \
    asm volatile("atom.shared.add" type " %0, [%1], %2;"                                 \
                 : "=" letter(old)                                                       \
                 : "r"(here), letter(value)                                              \
                 : "memory");                                                            \
  if (way == kOwnCluster || way == kOther)                                               \
    asm volatile("atom.shared::cluster.add" type " %0, [%1], %2;"                        \
                 : "=" letter(old)                                                       \
                 : "r"(way == kOther ? there : here), letter(value)                      \
                 : "memory");                                                            \
  if (way == kOwnGeneric || way == kOtherGeneric || way == kGlobalGeneric)               \
    asm volatile("atom.add" type " %0, [%1], %2;"                                        \
                 : "=" letter(old)                                                       \
                 : "l"(generic), letter(value)                                           \
                 : "memory");                                                            \
  if (way == kOtherRed)                                                                  \
    asm volatile("red.shared::cluster.add" type " [%0], %1;" ::"r"(there), letter(value) \
                 : "memory");                                                            \
  if (way == kGlobal)                                                                    \
    asm volatile("atom.global.add" type " %0, [%1], %2;"                                 \
                 : "=" letter(old)                                                       \
                 : "l"(cell), letter(value)                                              \
                 : "memory");

template <int type, class T>
__device__ T sum(int way, std::uint32_t here, std::uint32_t there, std::uint64_t generic, T* cell,
                 T value) {
  T old = 0;
  if constexpr (type == kF16x2) {
    SUM(".noftz.f16x2", "r")
  } else if constexpr (type == kBf16x2) {
    SUM(".noftz.bf16x2", "r")
  } else if constexpr (type == kF32) {
    SUM(".f32", "r")
  } else {
    SUM(".f64", "l")
  }
  return old;
}

// The CTA of rank 0 adds; `cells` has the old numbers and gets the sums.
template <int type, class T>
__global__ void __cluster_dims__(2, 1, 1) add(int way, T* cells, const T* values, T* olds) {
  __shared__ T tile[kSums];
  std::uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  for (int i = threadIdx.x; i < kSums; i += kThreads) tile[i] = cells[i];
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  for (int i = threadIdx.x; i < kSums && rank == 0; i += kThreads) {
    const std::uint32_t here = static_cast<std::uint32_t>(__cvta_generic_to_shared(tile + i));
    std::uint32_t there;
    std::uint64_t generic = reinterpret_cast<std::uint64_t>(way >= kGlobal ? cells + i : tile + i);
    asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(there) : "r"(here));
    if (way == kOtherGeneric) asm volatile("mapa.u64 %0, %0, 1;" : "+l"(generic));
    olds[i] = sum<type>(way, here, there, generic, cells + i, values[i]);
  }
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  if (way >= kGlobal || rank != (is_own(way) ? 0u : 1u)) return;
  for (int i = threadIdx.x; i < kSums; i += kThreads) cells[i] = tile[i];
}

template <int type, class T>
void ask(const std::vector<T>& olds, const std::vector<T>& values) {
  std::vector<T> own;
  for (int way = 0; way < kWays; ++way) {
    T* cells = to_device(olds);
    T* operands = to_device(values);
    T* returned = to_device(std::vector<T>(kSums));
    add<type><<<2, kThreads>>>(way, cells, operands, returned);
    CHECK(cudaDeviceSynchronize());
    const std::vector<T> sums = from_device(cells, kSums), before = from_device(returned, kSums);
    if (way == kOwn) own = sums;
    int same = 0, whole = 0, kept = 0;
    for (int i = 0; i < kSums; ++i) {
      same += sums[i] == own[i];
      whole += sums[i] == static_cast<T>(olds[i] + values[i]);
      kept += before[i] == olds[i];
    }
    std::printf("%s, %s: %d as in the own memory, %d as whole numbers, %d old ones returned, ",
                kTypeNames[type], kWayNames[way], same, whole, kept);
    print_bits(sums);
    for (int i = 0, shown = 0; i < kSums && shown < 4; ++i)
      if (sums[i] != own[i] && ++shown)
        std::printf(
            "  %llx + %llx = %llx, in the own memory %llx\n",
            static_cast<unsigned long long>(olds[i]), static_cast<unsigned long long>(values[i]),
            static_cast<unsigned long long>(sums[i]), static_cast<unsigned long long>(own[i]));
  }
}

const std::uint64_t kEdge[kTypes][kEdges] = {
    {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x8400, 0x3c00, 0xbc00, 0x3555, 0x7bff,
     0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7d01, 0xfe12, 0x7fff, 0xffff, 0x200,  0x1234},
    {0,      0x8000, 1,      0x8001, 0x7f,   0x80,   0x8080, 0x3f80, 0xbf80, 0x3eaa, 0x7f7f,
     0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7f81, 0xffc1, 0x7fff, 0xffff, 0x40,   0x1234},
    {0,          0x80000000, 1,          0x80000001, 0x7fffff,   0x800000,   0x80800000,
     0x3f800000, 0xbf800000, 0x3eaaaaab, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
     0x7fc00000, 0x7f812345, 0xffc12345, 0x7fffffff, 0xffffffff, 0x400000,   0x12345678},
    {0,
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
     0xffffffffffffffffull,
     0x8000000000000ull,
     0x123456789abcdef0ull}};

template <int type, class T>
void ask_edges() {
  std::vector<T> olds, values;
  for (int i = 0; i < kEdges; ++i)
    for (int j = 0; j < kEdges; ++j) {
      const std::uint64_t a = kEdge[type][i], b = kEdge[type][j], c = kEdge[type][(i + 5) % kEdges];
      const bool pairs = type <= kBf16x2;
      olds.push_back(static_cast<T>(pairs ? a | b << 16 : a));
      values.push_back(static_cast<T>(pairs ? b | c << 16 : b));
    }
  ask<type>(olds, values);
}

int main() {
  ask_edges<kF16x2, std::uint32_t>();
  ask_edges<kBf16x2, std::uint32_t>();
  ask_edges<kF32, std::uint32_t>();
  ask_edges<kF64, std::uint64_t>();
}

// SPDX-License-Identifier: MIT
// Forms of PTX whose machine code does something else than the PTX says, with ptxas 13.0, found by
// random programs (tests/golden/random). Each line: what is asked, what came, what the PTX ISA
// wants. See docs/experiments/ptxas_mistakes.md.
#include <cuda_fp16.h>

#include <cstdio>

__device__ unsigned any(bool differs, int bit) { return differs ? 1u << bit : 0; }

// D and C share registers, each at another place of the lists; beside it the same with D apart.
__global__ void shared_registers_fp8(unsigned* out) {
  const unsigned lane = threadIdx.x, a = 0x3c3c3c3c + lane;
  const unsigned c[4] = {0x3f800000 + lane * 65536, 0x3f84d000 + lane * 65536,
                         0xc5000000 + lane * 7777, 0xc501869f + lane * 7777};
  unsigned d[4], e[4], differs = 0;
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.e5m2.e5m2.f32 "
      "{%0,%1,%2,%3},{%4,%4},{%4},{%5,%6,%7,%8};"
      : "=&r"(d[0]), "=&r"(d[1]), "=&r"(d[2]), "=&r"(d[3])
      : "r"(a), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
  asm volatile(
      "{ .reg .b32 s, t, u, v; mov.b32 s, %5; mov.b32 t, %6; mov.b32 u, %7; mov.b32 v, %8;\n"
      "mma.sync.aligned.m16n8k16.row.col.f32.e5m2.e5m2.f32 {v,u,t,s},{%4,%4},{%4},{s,t,u,v};\n"
      "mov.b32 %0, v; mov.b32 %1, u; mov.b32 %2, t; mov.b32 %3, s; }"
      : "=&r"(e[0]), "=&r"(e[1]), "=&r"(e[2]), "=&r"(e[3])
      : "r"(a), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
  for (int k = 0; k < 4; ++k) differs |= any(d[k] != e[k], k);
  atomicOr(out, differs);
}

#define LOAD                                                                                     \
  ".reg .b32 f<16>, c<8>;\n"                                                                     \
  "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {f0,f1,f2,f3,f4,f5,f6,f7},[%8],16;\n"       \
  "wmma.load.b.sync.aligned.col.m16n16k16.shared.f16 {f8,f9,f10,f11,f12,f13,f14,f15},[%8],16;\n" \
  "mov.b32 c0,%9; mov.b32 c1,%10; mov.b32 c2,%11; mov.b32 c3,%12;\n"                             \
  "mov.b32 c4,%13; mov.b32 c5,%14; mov.b32 c6,%15; mov.b32 c7,%16;\n"
#define FROM                                                    \
  ",{f0,f1,f2,f3,f4,f5,f6,f7},{f8,f9,f10,f11,f12,f13,f14,f15}," \
  "{c0,c1,c2,c3,c4,c5,c6,c7};\n"
#define RESULTS(d)                                                                           \
  "=&r"(d[0]), "=&r"(d[1]), "=&r"(d[2]), "=&r"(d[3]), "=&r"(d[4]), "=&r"(d[5]), "=&r"(d[6]), \
      "=&r"(d[7])
#define SUMS "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7])

__global__ void shared_registers_wmma(unsigned* out) {
  __shared__ __align__(32) __half m[512];
  const unsigned lane = threadIdx.x;
  for (int i = lane; i < 512; i += 32) m[i] = __float2half((i * 37 % 101) / 16.f - 3);
  __syncwarp();
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(m));
  unsigned c[8], d[8], e[8], differs = 0;
  for (int k = 0; k < 8; ++k) c[k] = __float_as_uint(1000.f * k + lane);
  asm volatile("{" LOAD
               "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 "
               "{%0,%1,%2,%3,%4,%5,%6,%7}" FROM "}"
               : RESULTS(d)
               : "r"(at), SUMS);
  asm volatile("{" LOAD
               "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 "
               "{c7,c6,c5,c4,c3,c2,c1,c0}" FROM
               "mov.b32 %0,c7; mov.b32 %1,c6; mov.b32 %2,c5; mov.b32 %3,c4;\n"
               "mov.b32 %4,c3; mov.b32 %5,c2; mov.b32 %6,c1; mov.b32 %7,c0; }"
               : RESULTS(e)
               : "r"(at), SUMS);
  for (int k = 0; k < 8; ++k) differs |= any(d[k] != e[k], k);
  atomicOr(out, differs);
}

// A guard that is false in every lane: the destination stays what it was.
__global__ void guarded_set(unsigned* out) {
  unsigned to_f32 = 0xf8e9b1b3, to_u32 = 0xf8e9b1b3, to_s32 = 0xc0583000;
  const unsigned lane = threadIdx.x;
  const unsigned short h = lane, g = lane * 7;
  asm volatile(
      "{ .reg .pred p; setp.eq.u32 p, %3, 99; @p set.ne.f32.s32 %0, %3, %4;\n"
      "@p set.lt.u32.s32 %1, %3, %4; @p set.ge.ftz.s32.f16 %2, %5, %6; }"
      : "+r"(to_f32), "+r"(to_u32), "+r"(to_s32)
      : "r"(lane), "r"(lane * 3), "h"(h), "h"(g));
  if (lane == 0) out[0] = to_f32, out[1] = to_u32, out[2] = to_s32;
}

// 256 threads of two CTAs lower one number of CTA 0. Thread 127 of CTA 1 has the least, 3729.
__global__ void __cluster_dims__(2) cluster_min(unsigned long long* out) {
  __shared__ unsigned long long least;
  const auto here = static_cast<unsigned>(__cvta_generic_to_shared(&least));
  if (threadIdx.x == 0) least = 1000000;
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  unsigned there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(here));
  const unsigned long long mine = 5000 - 10 * threadIdx.x - blockIdx.x;
  asm volatile("red.shared::cluster.min.u64 [%0], %1;" ::"r"(there), "l"(mine) : "memory");
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  if (threadIdx.x == 0 && blockIdx.x == 0) *out = least;
}

// A register that an f32 instruction wrote, 5.5: its bits are a count of more than 64, its low byte
// is 0. And with a mov between.
__global__ void read_as_integer(float a, float b, unsigned* out) {
  __shared__ unsigned byte, moved_byte;
  unsigned shifted, moved;
  byte = moved_byte = 0x77;
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&byte));
  const auto moved_at = static_cast<unsigned>(__cvta_generic_to_shared(&moved_byte));
  asm volatile(
      "{ .reg .b32 c, d; .reg .b64 x; add.rn.f32 c, %2, %3; mov.b64 x, 0x1000;\n"
      "shr.u64 x, x, c; cvt.u32.u64 %0, x; st.shared.b8 [%4], c;\n"
      "mov.b32 d, c; mov.b64 x, 0x1000; shr.u64 x, x, d; cvt.u32.u64 %1, x; st.shared.b8 [%5], d; }"
      : "=&r"(shifted), "=&r"(moved)
      : "f"(a), "f"(b), "r"(at), "r"(moved_at)
      : "memory");
  out[0] = shifted, out[1] = byte, out[2] = moved, out[3] = moved_byte;
}

// A guard that is false in every lane.
__global__ void guarded_sum(unsigned* out) {
  unsigned sum = 0xf8e9b1b3;
  const unsigned lane = threadIdx.x;
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 99; @p vadd4.u32.u32.u32.add %0, %1, %2, %2; }"
               : "+r"(sum)
               : "r"(lane), "r"(lane * 3));
  if (lane == 0) *out = sum;
}

// Ones by ones with A taken negative: minus the k. A's registers hold a number that ptxas knows, or
// what came from memory.
#define NEGATED(name, k, type, tail)                                            \
  template <bool is_known>                                                      \
  __global__ void name(const unsigned* ones, float* out) {                      \
    __shared__ __align__(128) unsigned b[256];                                  \
    for (int i = threadIdx.x; i < 256; i += 128) b[i] = ones[0];                \
    asm volatile("fence.proxy.async; bar.sync 0;" ::: "memory");                \
    const unsigned long long descriptor =                                       \
        (__cvta_generic_to_shared(b) & 0x3ffff) >> 4 | 8ull << 16 | 8ull << 32; \
    const unsigned a = is_known ? kOnes_##type : ones[0];                       \
    float d[4] = {0, 0, 0, 0};                                                  \
    asm volatile(                                                               \
        "wgmma.fence.sync.aligned;\n"                                           \
        "wgmma.mma_async.sync.aligned.m64n8k" #k ".f32." #type "." #type        \
        " {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, -1, 1" tail                \
        ";\n"                                                                   \
        "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"     \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                        \
        : "r"(a), "r"(a), "r"(a), "r"(a), "l"(descriptor)                       \
        : "memory");                                                            \
    if (threadIdx.x == 0) *out = d[0];                                          \
  }
constexpr unsigned kOnes_f16 = 0x3c003c00, kOnes_bf16 = 0x3f803f80, kOnes_tf32 = 0x3f800000,
                   kOnes_e4m3 = 0x38383838;
NEGATED(negated_f16, 16, f16, ", 0")
NEGATED(negated_bf16, 16, bf16, ", 0")
NEGATED(negated_tf32, 8, tf32, "")
NEGATED(negated_e4m3, 32, e4m3, "")

// Ones by ones twice, in one group, from sums of 1000 that the first product forgets: 32. It has
// D's registers in another order than the second.
__global__ void other_order(const unsigned* ones, float* out) {
  __shared__ __align__(128) unsigned tile[512];
  for (int i = threadIdx.x; i < 512; i += 128) tile[i] = ones[0];
  asm volatile("fence.proxy.async; bar.sync 0;" ::: "memory");
  const unsigned long long descriptor =
      (__cvta_generic_to_shared(tile) & 0x3ffff) >> 4 | 8ull << 16 | 8ull << 32;
  float d[4] = {1000, 1000, 1000, 1000};
  asm volatile(
      "wgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %2, %1, %3}, %4, %4, 0, 1, 1, 0, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %4, 1, 1, 1, 0, 0;\n"
      "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(descriptor)
      : "memory");
  if (threadIdx.x == 0)
    for (int k = 0; k < 4; ++k) out[k] = d[k];
}

int main() {
  unsigned* words;
  unsigned long long* least;
  if (cudaMallocManaged(&words, 128) != cudaSuccess || cudaMallocManaged(&least, 8) != cudaSuccess)
    return 2;
  words[4] = words[5] = 0;
  shared_registers_fp8<<<1, 32>>>(words + 4);
  shared_registers_wmma<<<1, 32>>>(words + 5);
  guarded_set<<<1, 32>>>(words);
  cluster_min<<<2, 128>>>(least);
  read_as_integer<<<1, 1>>>(2.25f, 3.25f, words + 6);
  guarded_sum<<<1, 32>>>(words + 10);
  auto* sums = reinterpret_cast<float*>(words + 16);
  words[24] = kOnes_f16, words[25] = kOnes_bf16, words[26] = kOnes_tf32, words[27] = kOnes_e4m3;
  negated_f16<false><<<1, 128>>>(words + 24, sums);
  negated_bf16<false><<<1, 128>>>(words + 25, sums + 1);
  negated_tf32<false><<<1, 128>>>(words + 26, sums + 2);
  negated_e4m3<false><<<1, 128>>>(words + 27, sums + 3);
  negated_f16<true><<<1, 128>>>(words + 24, sums + 4);
  negated_bf16<true><<<1, 128>>>(words + 25, sums + 5);
  negated_tf32<true><<<1, 128>>>(words + 26, sums + 6);
  negated_e4m3<true><<<1, 128>>>(words + 27, sums + 7);
  other_order<<<1, 128>>>(words + 24, sums + 12);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("mma of fp8, D in C's registers: wrong elements %x, wanted 0\n", words[4]);
  std::printf("wmma.mma, D in C's registers: wrong elements %x, wanted 0\n", words[5]);
  std::printf("@p set.f32.s32, p false: %08x, wanted f8e9b1b3\n", words[0]);
  std::printf("@p set.u32.s32, p false: %08x, wanted f8e9b1b3\n", words[1]);
  std::printf("@p set.s32.f16, p false: %08x, wanted c0583000\n", words[2]);
  std::printf("red.shared::cluster.min.u64: %llu, wanted 3729\n", *least);
  std::printf("shr.u64 by the bits of 5.5: %x, wanted 0\n", words[6]);
  std::printf("st.b8 of the bits of 5.5: %x, wanted 0\n", words[7]);
  std::printf("the same shift with a mov between: %x, wanted 0\n", words[8]);
  std::printf("the same store with a mov between: %x, wanted 0\n", words[9]);
  std::printf("@p vadd4.add, p false: %08x, wanted f8e9b1b3\n", words[10]);
  const char* const types[] = {"f16", "bf16", "tf32", "e4m3"};
  const int wanted[] = {-16, -16, -8, -32};
  for (int n = 0; n < 8; ++n)
    std::printf("wgmma of %s, A negated, %s: %g, wanted %d\n", types[n % 4],
                n < 4 ? "from memory" : "known to ptxas", sums[n], wanted[n % 4]);
  for (int k = 0; k < 4; ++k)
    std::printf("two wgmmas, D in another order, D.r%d: %g, wanted 32\n", k, sums[12 + k]);
  return 0;
}

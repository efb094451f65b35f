// SPDX-License-Identifier: MIT
// What every random kernel of hopper.py begins with: addresses, mbarriers, what fills shared memory
// and what makes a number of it again. It is pasted into the programs, which stand alone.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <vector>

typedef unsigned long long Word;
struct Maps {
  CUtensorMap m[24];
};
// Bytes of shared memory: what statements use, mbarriers, maps that are changed, and what copies
// fill meanwhile.
constexpr unsigned kRoom = 65536, kBars = kRoom, kMap = kRoom + 768, kLate = kRoom + 1024,
                   kShared = kLate + 32768;
constexpr unsigned kIn = 1 << 18, kScratch = 1 << 16;  // bytes; the latter for every CTA
__device__ CUtensorMap slots[8 * 32];                  // maps that kernels have changed, 32 a CTA
extern __shared__ __align__(1024) unsigned char room[];

// ---- numbers
__device__ unsigned stir(unsigned h, unsigned w) {
  h = (h ^ w) * 0x9e3779b1u;
  return h ^ h >> 15;
}
// As numbers of an ordinary size, whatever the type: 0 bits, 1 f16, 2 f32, bf16 and tf32, 3 bytes
// of fp8, 4 f64
__device__ unsigned sane(unsigned u, int how, unsigned i = 0) {
  if (how == 1) return (u & 0x8fff8fffu) | 0x30003000u;
  if (how == 2) return (u & 0x81ff81ffu) | 0x3e003e00u;
  if (how == 3) return (u & 0xb7b7b7b7u) | 0x20202020u;
  if (how == 4) return i & 1 ? (u & 0x801fffffu) | 0x3fe00000u : u & 0xffff0000u;
  return u;
}
__device__ unsigned bits(float f) { return f != f ? 0x7fffffffu : __float_as_uint(f); }

// ---- shared memory
__device__ unsigned at(unsigned offset) {
  return (unsigned)__cvta_generic_to_shared(room) + offset;
}
__device__ unsigned rank_here() {
  unsigned r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}
__device__ unsigned there(unsigned offset, unsigned rank) {
  unsigned a;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(a) : "r"(at(offset)), "r"(rank));
  return a;
}
__device__ Word there64(unsigned offset, unsigned rank) {
  Word a;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(a) : "l"(room + offset), "r"(rank));
  return a;
}
__device__ void fill(unsigned offset, unsigned bytes, unsigned u, int how) {
  for (unsigned i = threadIdx.x; i < bytes / 4; i += blockDim.x)
    ((unsigned*)(room + offset))[i] = sane(stir(u, i + 77), how, i);
}
__device__ unsigned absorb(const unsigned char* from, unsigned bytes, unsigned h) {
  for (unsigned i = threadIdx.x; i < bytes / 4; i += blockDim.x)
    h = stir(h, ((const unsigned*)from)[i]);
  return h;
}
__device__ bool elect() {
  unsigned p;
  asm volatile("{ .reg .pred p; elect.sync _|p, -1; selp.u32 %0, 1, 0, p; }" : "=r"(p));
  return p != 0;
}

// ---- warpgroups
__device__ Word descriptor(unsigned offset, unsigned leading, unsigned stride, unsigned base,
                           unsigned mode) {
  return (Word)((at(offset) & 0x3ffff) >> 4) | (Word)leading << 16 | (Word)stride << 32 |
         (Word)base << 49 | (Word)mode << 62;
}
// Two of four: every nibble one of the six, or of the two that tf32 has.
__device__ unsigned legal(unsigned u) {
  unsigned m = 0;
  for (int k = 0; k < 8; ++k) m |= (0xed9c84u >> ((u >> 4 * k & 15) % 6) * 4 & 15) << 4 * k;
  return m;
}
__device__ unsigned legal32(unsigned u) {
  unsigned m = 0;
  for (int k = 0; k < 8; ++k) m |= (u >> 4 * k & 1 ? 14u : 4u) << 4 * k;
  return m;
}
__device__ void group_barrier() {
  asm volatile("bar.sync %0, 128;" : : "r"(threadIdx.x / 128 + 1) : "memory");
}

// ---- order
__device__ void fence_async() { asm volatile("fence.proxy.async;" : : : "memory"); }
__device__ void meet() {  // all threads of the cluster
  fence_async();
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;"
               :
               :
               : "memory");
}
__device__ void init(unsigned bar, unsigned count) {
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1; fence.mbarrier_init.release.cluster;"
                 :
                 : "r"(at(kBars + bar * 8)), "r"(count)
                 : "memory");
}
__device__ void inval(unsigned bar) {
  if (threadIdx.x == 0)
    asm volatile("mbarrier.inval.shared.b64 [%0];" : : "r"(at(kBars + bar * 8)) : "memory");
}
__device__ void expect(unsigned bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
               :
               : "r"(at(kBars + bar * 8)), "r"(bytes)
               : "memory");
}
__device__ void arrive(unsigned bar) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" : : "r"(at(kBars + bar * 8)) : "memory");
}
__device__ void arrive_there(unsigned bar, unsigned rank) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];"
               :
               : "r"(there(kBars + bar * 8, rank))
               : "memory");
}
__device__ void wait(unsigned bar, unsigned parity) {
  unsigned done;
  do
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; "
        "selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(at(kBars + bar * 8)), "r"(parity)
        : "memory");
  while (!done);
}
// What a statement made of a thread's registers, for who looks for the first that differs.
__device__ void note(Word* out, int n, const unsigned* u, const Word* l, const float* f) {
  unsigned h = 1;
  for (int k = 0; k < 6; ++k) h = stir(h, u[k]);
  for (int k = 0; k < 2; ++k) h = stir(stir(h, (unsigned)l[k]), (unsigned)(l[k] >> 32));
  for (int k = 0; k < 4; ++k) h = stir(h, bits(f[k]));
  out[10 + n] = h;
}

// ---- tensor maps
__device__ void take_map(const CUtensorMap* from) {  // by a warp
  if (threadIdx.x % 32 < 16)
    ((Word*)(room + kMap))[threadIdx.x % 32] = ((const Word*)from)[threadIdx.x % 32];
  __syncwarp();
}
__device__ void give_map(CUtensorMap* to) {  // by a warp
  __syncwarp();
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
      "[%0], [%1], 128;"
      :
      : "l"(to), "r"(at(kMap))
      : "memory");
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" : : "l"(to) : "memory");
}

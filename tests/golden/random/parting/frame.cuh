// SPDX-License-Identifier: MIT
// What random kernels of parting.py call: pasted in front of them, behind what keeping.py begins
// with.
__device__ unsigned stirred(unsigned a, unsigned b) {
  a = (a ^ b) * 0x9e3779b1u;
  return a ^ a >> 15;
}
__device__ unsigned pack2_b(float a, float b) {
  return bits(__float2bfloat16_rn(a)) | bits(__float2bfloat16_rn(b)) << 16;
}
__device__ __forceinline__ void digest(Word* to, const unsigned* u, const float* f, const Word* l,
                                       const double* d) {
  unsigned h = 1;
#pragma unroll
  for (int n = 0; n < 5; ++n) h = stirred(stirred(h, u[n]), bits(f[n]));
#pragma unroll
  for (int n = 0; n < 3; ++n)
    h = stirred(stirred(h, (unsigned)l[n] ^ (unsigned)(l[n] >> 32) * 3),
                (unsigned)(bits(d[n]) >> 20));
  *to = h;
}
/// The place of the n-th lane of a mask.
__device__ unsigned nth(unsigned mask, unsigned n) {
  return __fns(mask, 0, (int)(n % __popc(mask)) + 1);
}
__device__ unsigned lane_here() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
__noinline__ __device__ unsigned meet_once(unsigned here, unsigned u, unsigned members) {
  const unsigned w = __shfl_sync(here, u, nth(members, u >> 3));
  return __ballot_sync(here, w & 1) + __reduce_xor_sync(here, w);
}
/// Halves of halves of the lanes, until nobody has company.
__noinline__ __device__ unsigned shrink(unsigned here, unsigned u, unsigned deep) {
  if (deep > 5 || (here & (here - 1)) == 0) return u + here;
  const unsigned yes = __ballot_sync(here, u >> deep & 1);
  const bool is_one = yes >> lane_here() & 1;
  const unsigned w = shrink(is_one ? yes : here & ~yes, u * 3 + deep, deep + 1);
  return __reduce_add_sync(here, w) ^ u;
}
/// Everybody as many rounds as it likes.
__noinline__ __device__ unsigned drained(unsigned here, unsigned rounds, unsigned u) {
  unsigned sum = 0;
  for (unsigned n = 0;; ++n) {
    here = __ballot_sync(here, n < rounds);
    if (n >= rounds) return sum;
    sum = sum * 3 + __reduce_max_sync(here, u + n) + __popc(here);
  }
}
__noinline__ __device__ unsigned meets0(unsigned here, unsigned u) {
  return __reduce_min_sync(here, u);
}
__noinline__ __device__ unsigned meets1(unsigned here, unsigned u) {
  return __shfl_sync(here, u, __ffs(here) - 1) * 3;
}
__noinline__ __device__ unsigned meets2(unsigned here, unsigned u) {
  unsigned w = u;
  for (unsigned n = 0; n < (unsigned)__popc(here); ++n) w ^= __shfl_sync(here, u + n, nth(here, n));
  return w;
}
__noinline__ __device__ unsigned meets3(unsigned here, unsigned u) {
  return __any_sync(here, u & 4) ? __ballot_sync(here, u & 1) : drained(here, u & 3, u);
}
/// As much of the stack as each lane wants; the same from the heap.
__noinline__ __device__ unsigned on_stack(unsigned u, unsigned n) {
  auto* w = static_cast<unsigned*>(alloca(4 * n + 4));
  for (unsigned k = 0; k <= n; ++k) w[k] = u * (k + 1);
  unsigned sum = 0;
  for (unsigned k = 0; k <= n; ++k) sum = sum * 3 + w[(k * 5 + (u >> 4)) % (n + 1)];
  return n > 2 ? sum ^ on_stack(sum, n / 2) ^ w[n] : sum;
}
__noinline__ __device__ unsigned from_heap(unsigned u, unsigned n) {
  auto* w = static_cast<unsigned*>(malloc(4 * n + 4));
  if (w == nullptr) return 1;
  for (unsigned k = 0; k <= n; ++k) w[k] = u ^ k;
  const unsigned sum = w[u % (n + 1)] + w[n / 2] * 3;
  free(w);
  return sum;
}
__device__ unsigned (*const kMeets[4])(unsigned, unsigned) = {meets0, meets1, meets2, meets3};
__device__ unsigned far(const unsigned* p, unsigned rank) {
  unsigned w, at = (unsigned)__cvta_generic_to_shared(p);
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(at), "r"(rank));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(w) : "r"(at) : "memory");
  return w;
}
__device__ unsigned first_of(const unsigned* p) {
  unsigned w;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(w) : "l"(p) : "memory");
  return w;
}
__device__ void hand_over(unsigned* p, unsigned w) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(p), "r"(w) : "memory");
}

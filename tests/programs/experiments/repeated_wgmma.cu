// SPDX-License-Identifier: MIT
// Wgmmas that say the same, in the same registers: how many of them does ptxas 13.0 leave in its
// machine code? Ones times ones, so that each adds its k to every element of D. The PTX ISA wants
// all of them. See docs/experiments/repeated_wgmma.md.
#include <cstdio>

#include "ptx/wgmma.cuh"

// Four registers of D; descriptors of A, A2, B and B2, all of them ones; a pointer; A in registers.
#define D "{%0, %1, %2, %3}"
#define E "{%4, %5, %6, %7}"
#define A "%8"
#define A2 "%9"
#define B "%10"
#define B2 "%11"
#define FROM_REGISTERS "{%13, %13, %13, %13}"
#define WGMMA(d, a, b, tail) \
  "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " d ", " a ", " b ", " tail ";\n"
#define SAME WGMMA(D, A, B, "1, 1, 1, 0, 0")
#define FOUR_TIMES(x) x x x x

// Without a branch, which is what it takes.
__device__ __forceinline__ void fill(unsigned (&tiles)[2048], unsigned ones) {
#pragma unroll
  for (int i = 0; i < 16; ++i) tiles[i * 128 + threadIdx.x] = ones;
}

// What is asked: `body`, PTX, stands between wgmma.fence and wgmma.commit_group.
#define ASK(name, type, constraint, body)                                                         \
  __global__ void __launch_bounds__(128) name(const unsigned* ones, int* to, float* out) {        \
    __shared__ __align__(128) unsigned tiles[2048];                                               \
    fill(tiles, *ones);                                                                           \
    asm volatile("fence.proxy.async; bar.sync 0;" ::: "memory");                                  \
    const std::uint64_t a = ptx::matrix_descriptor(tiles, 128, 256, 0);                           \
    type d[8] = {0, 0, 0, 0, 0, 0, 0, 0};                                                         \
    asm volatile(                                                                                 \
        "wgmma.fence.sync.aligned;\n{\n.reg .b64 c;\n" body                                       \
        "}\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"                   \
        : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]), "+" constraint(d[3]), \
          "+" constraint(d[4]), "+" constraint(d[5]), "+" constraint(d[6]), "+" constraint(d[7])  \
        : "l"(a), "l"(a + 128), "l"(a + 256), "l"(a + 384), "l"(to), "r"(*ones), "r"(0x44444444)  \
        : "memory");                                                                              \
    out[threadIdx.x] = static_cast<float>(d[0] + d[4]);                                           \
  }
#define ASK_F16(name, body) ASK(name, float, "f", body)

ASK_F16(once, SAME)
ASK_F16(twice, SAME SAME)
ASK_F16(eight, FOUR_TIMES(SAME SAME))
ASK_F16(in_turn, FOUR_TIMES(SAME WGMMA(D, A2, B2, "1, 1, 1, 0, 0")))
ASK_F16(two_sums, FOUR_TIMES(SAME WGMMA(E, A, B, "1, 1, 1, 0, 0")))
ASK_F16(other_places, SAME WGMMA(D, A2, B, "1, 1, 1, 0, 0") WGMMA(D, A, B2, "1, 1, 1, 0, 0")
                          WGMMA(D, A2, B2, "1, 1, 1, 0, 0"))
ASK_F16(first_anew, WGMMA(D, A, B, "0, 1, 1, 0, 0") FOUR_TIMES(SAME))
ASK_F16(computed, FOUR_TIMES("add.u64 c, %8, 8;\n" WGMMA(D, "c", B, "1, 1, 1, 0, 0")))
ASK_F16(registers, FOUR_TIMES(WGMMA(D, FROM_REGISTERS, B, "1, 1, 1, 0")))
ASK_F16(committed, FOUR_TIMES(SAME "wgmma.commit_group.sync.aligned;\n"))
ASK_F16(fenced, FOUR_TIMES(SAME "wgmma.fence.sync.aligned;\n"))
ASK_F16(stored, FOUR_TIMES(SAME "st.global.b32 [%12], %13;\n"))
ASK_F16(synced, FOUR_TIMES(SAME "bar.sync 0;\n"))
ASK(four_bf16, float, "f",
    FOUR_TIMES("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 " D ", " A ", " B
               ", 1, 1, 1, 0, 0;\n"))
ASK(four_tf32, float, "f",
    FOUR_TIMES("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 " D ", " A ", " B
               ", 1, 1, 1;\n"))
ASK(four_e4m3, float, "f",
    FOUR_TIMES("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 " D ", " A ", " B
               ", 1, 1, 1;\n"))
ASK(four_s8, int, "r",
    FOUR_TIMES("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 " D ", " A ", " B ", 1;\n"))
ASK(four_sparse, float, "f",
    FOUR_TIMES("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 " D ", " A ", " B
               ", %14, 0, 1, 1, 1, 0, 0;\n"))

// The same eight times, as a program of CUDA C++ has it: a wrapper around one wgmma, called again.
template <bool kBranches>
__global__ void __launch_bounds__(128) by_wrapper(const unsigned* ones, int*, float* out) {
  __shared__ __align__(128) unsigned tiles[2048];
  fill(tiles, *ones);
  asm volatile("fence.proxy.async; bar.sync 0;" ::: "memory");
  const std::uint64_t a = ptx::matrix_descriptor(tiles, 128, 256, 0);
  float d[4] = {0, 0, 0, 0};
  ptx::wgmma_fence_sync_aligned();
  for (int n = 0; n < 8; ++n)
    ptx::wgmma_mma_async_sync_aligned_m64n8k16_f32_f16_f16(d, a, a + 256, 1);
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  if (!kBranches || threadIdx.x == 0) out[threadIdx.x] = d[0];
}

int main() {
  constexpr unsigned kF16 = 0x3c003c00;
  struct Case {
    const char* what;
    void (*kernel)(const unsigned*, int*, float*);
    int products, k = 16;
    unsigned ones = kF16;
  };
  const Case cases[] = {
      {"one", once, 1},
      {"the same twice", twice, 2},
      {"the same eight times", eight, 8},
      {"eight times by a wrapper of one", by_wrapper<false>, 8},
      {"and a branch behind it", by_wrapper<true>, 8},
      {"two in turn, four times", in_turn, 8},
      {"the same to two sums in turn, four times", two_sums, 8},
      {"four with other descriptors", other_places, 4},
      {"one that begins anew, then four", first_anew, 5},
      {"the same four times, its descriptor computed anew", computed, 4},
      {"the same four times, A in registers", registers, 4},
      {"the same four times, commit_group between", committed, 4},
      {"the same four times, fence between", fenced, 4},
      {"the same four times, a store between", stored, 4},
      {"the same four times, bar.sync between", synced, 4},
      {"bf16, the same four times", four_bf16, 4, 16, 0x3f803f80},
      {"tf32, the same four times", four_tf32, 4, 8, 0x3f800000},
      {"e4m3, the same four times", four_e4m3, 4, 32, 0x38383838},
      {"s8, the same four times", four_s8, 4, 32, 0x01010101},
      {"sparse f16, the same four times", four_sparse, 4},
  };
  unsigned* ones;
  int* to;
  float* out;
  if (cudaMallocManaged(&ones, 4) != cudaSuccess || cudaMallocManaged(&to, 4) != cudaSuccess ||
      cudaMallocManaged(&out, 512) != cudaSuccess)
    return 2;
  for (const Case& asked : cases) {
    *ones = asked.ones;
    asked.kernel<<<1, 128>>>(ones, to, out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    std::printf("%s: %g made, wanted %d\n", asked.what, *out / asked.k, asked.products);
  }
  return 0;
}

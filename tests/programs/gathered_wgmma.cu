// SPDX-License-Identifier: MIT
// D = A * B with wgmma, what it multiplies found by numbers in memory: the first argument says how,
// the second one names a mistake, or "right".
//
//   gathered   cp.async brings row rows[r] of A, swizzled       scattered  D goes to row rows[r]
//   pages8     TMA brings columns of B in pages of 8, pages[] says which; pages32: of 32
//   steps      A has its steps of k in another order, steps[] says which is where
//
// A has 128 rows of 128, B 64 columns of 128; a block, a warpgroup, has 64 x 32 of D.
#include <cuda_bf16.h>

#include <cstring>

#include "hopper.cuh"

constexpr int kM = 128, kN = 64, kK = 128, kTileM = 64, kTileN = 32, kTileK = 64, kRow = 128;

enum How { gathered, scattered, in_pages, by_steps };
enum Mistake { none, neighbour, other_page };

struct Shared {
  alignas(1024) unsigned char a[kTileM * kRow], b[kTileN * kRow];  // rows of 128 bytes
  alignas(8) std::uint64_t full;
};
struct Arguments {
  const __nv_bfloat16* A;
  float* D;
  const int *rows, *pages, *steps;
  int page;
};

__device__ void multiply(float (&d)[16], std::uint64_t a, std::uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,"
      "%12,%13,%14,%15}, %16, %17, 1, 1, 1, 0, 0;"
      : ACCUMULATORS_8(d, 0), ACCUMULATORS_8(d, 8)
      : "l"(a), "l"(b));
}

template <How kHow, Mistake kMade>
__device__ void fill(Shared& s, const CUtensorMap& a, const CUtensorMap& b, const Arguments& g,
                     int step) {
  const int row = blockIdx.x * kTileM, col = blockIdx.y * kTileN;
  if (kHow == gathered)
    for (int i = threadIdx.x; i < kTileM * 8; i += 128) {
      const int r = i / 8, unit = i % 8;
      const int of_a = g.rows[row + r + (kMade == neighbour && r == 5)];
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                       shared_address(s.a + r * kRow + ((unit ^ (r % 8)) * 16))),
                   "l"(g.A + of_a * kK + step * kTileK + unit * 8)
                   : "memory");
    }
  if (threadIdx.x == 0) {
    expect_bytes(&s.full, sizeof(s.b) + (kHow == gathered ? 0 : sizeof(s.a)));
    if (kHow != gathered)
      fetch_2d(s.a, &a, (kHow == by_steps ? g.steps[step] : step) * kTileK, row, &s.full);
    for (int n = 0; n < kTileN; n += g.page) {
      const int page = (col + n) / g.page, other = kMade == other_page && n == g.page;
      fetch_2d(s.b + n * kRow, &b, step * kTileK,
               kHow == in_pages ? g.pages[page + other] * g.page : col + n, &s.full);
    }
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  fence_async_proxy();
  __syncthreads();
  wait(&s.full, step % 2);
}

template <How kHow, Mistake kMade>
__global__ void __launch_bounds__(128)
    multiply_all(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                 Arguments g) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Shared& s = *reinterpret_cast<Shared*>(raw);
  if (threadIdx.x == 0) {
    init(&s.full, 1);
    fence_init();
  }
  __syncthreads();
  float d[16] = {};
  for (int step = 0; step < kK / kTileK; ++step) {
    fill<kHow, kMade>(s, a, b, g, step);
    wgmma_fence();
    for (int k = 0; k < 4; ++k) multiply(d, descriptor(s.a) + k * 2, descriptor(s.b) + k * 2);
    wgmma_commit();
    wgmma_wait<0>();
    __syncthreads();
  }
  for (int i = 0; i < 16; ++i) {
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * kTileM + threadIdx.x / 32 * 16 + lane / 4 + i / 2 % 2 * 8;
    const int col = blockIdx.y * kTileN + i / 4 * 8 + lane % 4 * 2 + i % 2;
    g.D[(kHow == scattered ? g.rows[row] : row) * kN + col] = d[i];
  }
}

struct Case {
  const char *how, *mistake;
  void (*kernel)(CUtensorMap, CUtensorMap, Arguments);
  int page;
};
const Case kCases[] = {{"gathered", "right", multiply_all<gathered, none>, 32},
                       {"gathered", "neighbour", multiply_all<gathered, neighbour>, 32},
                       {"scattered", "right", multiply_all<scattered, none>, 32},
                       {"pages8", "right", multiply_all<in_pages, none>, 8},
                       {"pages8", "other-page", multiply_all<in_pages, other_page>, 8},
                       {"pages32", "right", multiply_all<in_pages, none>, 32},
                       {"steps", "right", multiply_all<by_steps, none>, 32}};

int main(int argc, char** argv) {
  const Case* made = nullptr;
  for (const Case& one : kCases)
    if (argc == 3 && std::strcmp(argv[1], one.how) == 0 && std::strcmp(argv[2], one.mistake) == 0)
      made = &one;
  if (made == nullptr) return std::printf("how, and which mistake?\n"), 2;
  Numbers numbers;
  std::vector<__nv_bfloat16> A(kM * kK), B(kN * kK);
  for (std::vector<__nv_bfloat16>* all : {&A, &B})
    for (__nv_bfloat16& value : *all) value = __float2bfloat16(static_cast<float>(numbers.next(4)));
  std::vector<int> rows(kM + 1);
  for (int i = 0; i <= kM; ++i) rows[i] = (i * 37 + 11) % kM;
  const std::vector<int> pages =
      made->page == 32 ? std::vector<int>{1, 0} : std::vector<int>{5, 2, 7, 0, 3, 1, 6, 4};
  const Arguments g{to_device(A),     to_device(std::vector<float>(kM * kN)), to_device(rows),
                    to_device(pages), to_device(std::vector<int>{1, 0}),      made->page};
  CUtensorMap a, b;
  const std::uint64_t size_a[2] = {kK, kM}, size_b[2] = {kK, kN};
  const std::uint32_t box_a[2] = {kTileK, kTileM},
                      box_b[2] = {kTileK, static_cast<std::uint32_t>(made->page)};
  const auto type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  if (!make_map<2>(a, type, 2, const_cast<__nv_bfloat16*>(g.A), size_a, box_a,
                   CU_TENSOR_MAP_SWIZZLE_128B) ||
      !make_map<2>(b, type, 2, to_device(B), size_b, box_b, CU_TENSOR_MAP_SWIZZLE_128B))
    return verdict("gathered_wgmma", 1, 1);
  CHECK(cudaFuncSetAttribute(made->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             sizeof(Shared)));
  made->kernel<<<dim3(kM / kTileM, kN / kTileN), 128, sizeof(Shared)>>>(a, b, g);
  CHECK(cudaDeviceSynchronize());
  print_bits(from_device(g.D, kM * kN));
  return 0;
}

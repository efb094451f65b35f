// SPDX-License-Identifier: MIT
// D = A * B^T with A in 8 bits and a scale a row, B in bf16. A comes through shared memory like B,
// by TMA, but each lane takes its elements from there with ordinary loads, widens them, and hands
// them to wgmma as A operands in registers. When the products are done one thread releases the
// stage for the whole warpgroup, as libraries do: cards run the four warps together, PTX does not
// say so. The tiles of B begin inside the swizzle's pattern, which TMA and wgmma both count from
// address 0. Whole numbers, |A| up to 100, |B| up to 4, K = 256: sums below 2^17, exact.
#include <cuda_bf16.h>

#include "hopper.cuh"

constexpr int kM = 128, kN = 64, kK = 256, kTileM = 64, kTileK = 64, kStages = 3;
constexpr int kBytesA = kTileM * kTileK, kBytesB = kN * kTileK * 2, kSteps = kK / kTileK;

struct Shared {
  std::uint64_t full[kStages], empty[kStages];
  alignas(128) signed char a[kStages][kBytesA];
  alignas(128) unsigned char b[kStages][kBytesB];  // begins 128 bytes into the swizzle's pattern
};

__device__ void multiply(float (&d)[32], const std::uint32_t (&a)[4], std::uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {" REGISTERS_32
               "}, {%32,%33,%34,%35}, %36, 1, 1, 1, 0;"
               : ACCUMULATORS_32(d, 0)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

__device__ void produce(Shared& shared, const CUtensorMap* a, const CUtensorMap* b) {
#pragma unroll 1
  for (int step = 0; step < kSteps; ++step) {
    const int stage = step % kStages;
    wait(&shared.empty[stage], (step / kStages & 1) ^ 1);
    fence_async_proxy();  // A was read through the other proxy
    expect_bytes(&shared.full[stage], kBytesA + kBytesB);
    fetch_2d(shared.a[stage], a, step * kTileK, blockIdx.x * kTileM, &shared.full[stage]);
    fetch_2d(shared.b[stage], b, step * kTileK, 0, &shared.full[stage]);
  }
}

// The elements of A that this lane holds for 16 columns from `first` on.
__device__ void widen(std::uint32_t (&to)[4], const signed char* tile, int first) {
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
  for (int i = 0; i < 4; ++i) {
    const int col = first + i / 2 * 8 + lane % 4 * 2;
    const char2 two = *reinterpret_cast<const char2*>(tile + (row + i % 2 * 8) * kTileK + col);
    const __nv_bfloat162 wide = __floats2bfloat162_rn(two.x, two.y);
    to[i] = reinterpret_cast<const std::uint32_t&>(wide);
  }
}

__device__ void consume(Shared& shared, const float* scales, float* d) {
  float sums[32];
  for (float& sum : sums) sum = 0;
#pragma unroll 1
  for (int step = 0; step < kSteps; ++step) {
    const int stage = step % kStages;
    wait(&shared.full[stage], step / kStages & 1);
    std::uint32_t a[kTileK / 16][4];
    for (int k = 0; k < kTileK / 16; ++k) widen(a[k], shared.a[stage], k * 16);
    wgmma_fence();
    for (int k = 0; k < kTileK / 16; ++k) multiply(sums, a[k], descriptor(shared.b[stage]) + k * 2);
    wgmma_commit();
    wgmma_wait<0>();
    if (threadIdx.x == 0) arrive(&shared.empty[stage]);
  }
  const int lane = threadIdx.x % 32;
  for (int i = 0; i < 32; ++i) {
    const int row = blockIdx.x * kTileM + threadIdx.x / 32 * 16 + lane / 4 + i / 2 % 2 * 8;
    d[row * kN + i / 4 * 8 + lane % 4 * 2 + i % 2] = sums[i] * scales[row];
  }
}

__global__ void __launch_bounds__(160)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
         const float* scales, float* d) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Shared& shared = *reinterpret_cast<Shared*>(raw);
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      init(&shared.full[stage], 1);
      init(&shared.empty[stage], 1);
    }
    fence_init();
  }
  __syncthreads();
  if (threadIdx.x < 128)
    consume(shared, scales, d);
  else if (threadIdx.x == 128)
    produce(shared, &a, &b);
}

int main() {
  Numbers numbers;
  std::vector<signed char> A(kM * kK);
  std::vector<__nv_bfloat16> B(kN * kK);
  std::vector<float> scales(kM);
  for (signed char& value : A) value = static_cast<signed char>(numbers.next(100));
  for (__nv_bfloat16& value : B) value = __float2bfloat16(static_cast<float>(numbers.next(4)));
  for (float& scale : scales) scale = static_cast<float>(numbers.next(3) + 4) / 8;
  float* device_D = to_device(std::vector<float>(kM * kN, -1.0f));
  CUtensorMap a, b;
  if (!make_map<2>(a, CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, to_device(A), {kK, kM}, {kTileK, kTileM},
                   CU_TENSOR_MAP_SWIZZLE_NONE) ||
      !make_map<2>(b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, to_device(B), {kK, kN}, {kTileK, kN},
                   CU_TENSOR_MAP_SWIZZLE_128B))
    return verdict("tensor maps", 1, 1);
  CHECK(cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
  gemm<<<kM / kTileM, 160, sizeof(Shared)>>>(a, b, to_device(scales), device_D);
  CHECK(cudaGetLastError());
  const std::vector<float> D = from_device(device_D, kM * kN);
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int col = 0; col < kN; ++col) {
      float sum = 0;
      for (int k = 0; k < kK; ++k)
        sum += static_cast<float>(A[row * kK + k]) * __bfloat162float(B[col * kK + k]);
      wrong += D[row * kN + col] != sum * scales[row];
    }
  print_bits(D);
  return verdict("mixed_input", wrong, kM * kN);
}

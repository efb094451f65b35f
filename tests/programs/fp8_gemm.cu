// SPDX-License-Identifier: MIT
// D = A * B^T in e4m3 with scales, as inference does it: A has a scale for each 128 of K of a row,
// B one for each block of 128 x 128. The tensor cores add up 128 of K, and no more than that: their
// sums of fp8 keep 13 bits behind the point. The scaled parts are added up in f32 by the CUDA
// cores. Persistent CTAs; a producer fetches tiles by tensor maps and scales by plain bulk copies;
// two consumer warpgroups have 64 rows each. M fills no tile. Whole numbers up to 4: parts below
// 2^12, scales of 3 bits and exponents 0 to 3: all sums exact.
#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include "hopper.cuh"

constexpr int kTileM = 128, kTileN = 128, kTileK = 128, kStages = 3;
constexpr int kBytesA = kTileM * kTileK, kBytesB = kTileN * kTileK;
constexpr int kBytesScales = kTileM * static_cast<int>(sizeof(float));

struct Shared {
  alignas(1024) unsigned char a[kStages][kBytesA];
  alignas(1024) unsigned char b[kStages][kBytesB];
  alignas(128) float scales[kStages][kTileM];
  alignas(8) std::uint64_t full[kStages], empty[kStages];
};

struct Problem {
  int M, N, K;
  const float* scales_of_a;  // [K / 128][M rounded up to tiles]
  const float* scales_of_b;  // [N / 128][K / 128]
  __nv_bfloat16* d;
  __host__ __device__ int tiles_m() const { return (M + kTileM - 1) / kTileM; }
  __host__ __device__ int tiles_n() const { return N / kTileN; }
  __host__ __device__ int steps() const { return K / kTileK; }
};

__device__ void multiply(float (&d)[64], std::uint64_t a, std::uint64_t b, int adds) {
  asm volatile(
      "{ .reg .pred adds; setp.ne.b32 adds, %66, 0; "
      "wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 {" REGISTERS_64
      "}, %64, %65, adds, 1, 1; }"
      : ACCUMULATORS_32(d, 0), ACCUMULATORS_32(d, 32)
      : "l"(a), "l"(b), "r"(adds));
}

__device__ void produce(Shared& shared, const CUtensorMap* a, const CUtensorMap* b,
                        const Problem& problem) {
  int turn = 0;
#pragma unroll 1
  for (int tile = blockIdx.x; tile < problem.tiles_m() * problem.tiles_n(); tile += gridDim.x) {
    const int row = tile % problem.tiles_m() * kTileM, col = tile / problem.tiles_m() * kTileN;
#pragma unroll 1
    for (int step = 0; step < problem.steps(); ++step, ++turn) {
      const int stage = turn % kStages;
      wait(&shared.empty[stage], (turn / kStages & 1) ^ 1);
      fence_async_proxy();  // the scales were read through the other proxy
      expect_bytes(&shared.full[stage], kBytesA + kBytesB + kBytesScales);
      fetch_2d(shared.a[stage], a, step * kTileK, row, &shared.full[stage]);
      fetch_2d(shared.b[stage], b, step * kTileK, col, &shared.full[stage]);
      fetch_bytes(shared.scales[stage],
                  problem.scales_of_a + step * problem.tiles_m() * kTileM + row, kBytesScales,
                  &shared.full[stage]);
    }
  }
}

__device__ void store(const float (&sums)[64], const Problem& problem, int row, int col) {
  for (int i = 0; i < 64; i += 2) {
    const int at = row + i / 2 % 2 * 8;
    if (at < problem.M)
      *reinterpret_cast<__nv_bfloat162*>(problem.d + at * problem.N + col + i / 4 * 8) =
          __floats2bfloat162_rn(sums[i], sums[i + 1]);
  }
}

__device__ void consume(Shared& shared, const Problem& problem, int group) {
  const int thread = threadIdx.x % 128, lane = thread % 32;
  const int mine = group * 64 + thread / 32 * 16 + lane / 4;  // and 8 rows further down
  int turn = 0;
#pragma unroll 1
  for (int tile = blockIdx.x; tile < problem.tiles_m() * problem.tiles_n(); tile += gridDim.x) {
    const int row = tile % problem.tiles_m() * kTileM, block = tile / problem.tiles_m();
    float sums[64] = {};
#pragma unroll 1
    for (int step = 0; step < problem.steps(); ++step, ++turn) {
      const int stage = turn % kStages;
      float part[64];
      const float scale_b = __ldg(problem.scales_of_b + block * problem.steps() + step);
      wait(&shared.full[stage], turn / kStages & 1);
      const float scales[2] = {shared.scales[stage][mine] * scale_b,
                               shared.scales[stage][mine + 8] * scale_b};
      wgmma_fence();
      const std::uint64_t a = descriptor(shared.a[stage] + group * 64 * kTileK);
      const std::uint64_t b = descriptor(shared.b[stage]);
      for (int k = 0; k < kTileK / 32; ++k) multiply(part, a + k * 2, b + k * 2, k);
      wgmma_commit();
      wgmma_wait<0>();
      __syncwarp();  // the scales, too, have been read by every lane
      if (lane == 0) arrive(&shared.empty[stage]);
      for (int i = 0; i < 64; ++i) sums[i] += scales[i / 2 % 2] * part[i];
    }
    store(sums, problem, row + mine, block * kTileN + lane % 4 * 2);
  }
}

__global__ void __launch_bounds__(384, 1)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
         const Problem problem) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Shared& shared = *reinterpret_cast<Shared*>(raw);
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      init(&shared.full[stage], 1);
      init(&shared.empty[stage], 8);  // a lane of each consumer warp
    }
    fence_init();
  }
  __syncthreads();
  if (threadIdx.x >= 256) {
    keep_registers<40>();
    if (threadIdx.x == 256) produce(shared, &a, &b, problem);
  } else {
    get_registers<232>();
    consume(shared, problem, threadIdx.x / 128);
  }
}

// 8/8 to 15/8, times 1 to 8: both scales together have 8 bits and a range of 2^8, a part 12 bits.
float scale(Numbers& numbers) {
  return (12 + numbers.next(3)) / 8.0f * static_cast<float>(1 << (numbers.next(1) + 1));
}

int count_wrong(const Problem& problem, const std::vector<__nv_fp8_e4m3>& A,
                const std::vector<__nv_fp8_e4m3>& B, const std::vector<float>& scales_of_a,
                const std::vector<float>& scales_of_b, const std::vector<__nv_bfloat16>& D) {
  const std::vector<float> a(A.begin(), A.end()), b(B.begin(), B.end());
  int wrong = 0;
  for (int row = 0; row < problem.M; ++row)
    for (int col = 0; col < problem.N; ++col) {
      double sum = 0;
      for (int step = 0; step < problem.steps(); ++step) {
        float part = 0;
        for (int k = step * kTileK; k < (step + 1) * kTileK; ++k)
          part += a[row * problem.K + k] * b[col * problem.K + k];
        sum += double{part} * scales_of_a[step * problem.tiles_m() * kTileM + row] *
               scales_of_b[col / kTileN * problem.steps() + step];
      }
      const float expected = __bfloat162float(__double2bfloat16(sum));
      wrong += __bfloat162float(D[row * problem.N + col]) != expected;
    }
  return wrong;
}

int main() {
  constexpr int M = 200, N = 256, K = 512;
  Numbers numbers;
  std::vector<__nv_fp8_e4m3> A(M * K), B(N * K);
  for (auto* matrix : {&A, &B})
    for (__nv_fp8_e4m3& value : *matrix) value = __nv_fp8_e4m3(static_cast<float>(numbers.next(4)));
  Problem problem{M, N, K, nullptr, nullptr, nullptr};
  std::vector<float> scales_of_a(problem.steps() * problem.tiles_m() * kTileM),
      scales_of_b(problem.tiles_n() * problem.steps());
  for (float& value : scales_of_a) value = scale(numbers);
  for (float& value : scales_of_b) value = scale(numbers);
  problem.scales_of_a = to_device(scales_of_a);
  problem.scales_of_b = to_device(scales_of_b);
  problem.d = to_device(std::vector<__nv_bfloat16>(M * N, __float2bfloat16(-1.0f)));
  CUtensorMap a, b;
  if (!make_map<2>(a, CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, to_device(A), {K, M}, {kTileK, kTileM},
                   CU_TENSOR_MAP_SWIZZLE_128B) ||
      !make_map<2>(b, CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, to_device(B), {K, N}, {kTileK, kTileN},
                   CU_TENSOR_MAP_SWIZZLE_128B))
    return verdict("tensor maps", 1, 1);
  CHECK(cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
  gemm<<<2, 384, sizeof(Shared)>>>(a, b, problem);
  CHECK(cudaGetLastError());
  const std::vector<__nv_bfloat16> D = from_device(problem.d, M * N);
  print_bits(D);
  return verdict("fp8_gemm", count_wrong(problem, A, B, scales_of_a, scales_of_b, D), M * N);
}

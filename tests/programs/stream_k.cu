// SPDX-License-Identifier: MIT
// D = A * B^T by stream-K: 7 CTAs share the 45 steps of 9 tiles evenly, so that most tiles begin in
// one CTA and end in another. Who begins a tile stores it; who only goes on with one leaves its
// sums in a workspace and says so with a flag (red.release), which the tile's owner waits for
// (ld.acquire). cp.async in three stages, ldmatrix, mma.sync; four warps with 32 x 32 each.
// Whole numbers up to 8 and K = 320: sums below 2^15, exact in any order.
#include <cuda_fp16.h>

#include "ampere.cuh"
#include "program.cuh"

constexpr int kM = 190, kN = 184, kK = 320, kThreads = 128, kStages = 3, kCtas = 7;
constexpr int kTile = 64, kTilesM = (kM + kTile - 1) / kTile, kTilesN = (kN + kTile - 1) / kTile;
constexpr int kSteps = kK / kTile, kAllSteps = kTilesM * kTilesN * kSteps;

struct Shared {
  alignas(128) __half a[kStages][kTile][kTile];
  __half b[kStages][kTile][kTile];
};
using Sums = float[2][4][4];  // of a warp: 2 x 4 tiles of m16n8

// 64 x 64 from (row, col) on, in pieces of 16 bytes that are exchanged within a row.
__device__ void fetch_tile(__half (*tile)[kTile], const __half* from, int row, int col, int rows) {
#pragma unroll
  for (int i = threadIdx.x; i < kTile * 8; i += kThreads) {
    const int line = i / 8, piece = i % 8;
    const bool is_inside = row + line < rows;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                     shared_address(&tile[line][(piece ^ line % 8) * 8])),
                 "l"(from + (is_inside ? row + line : 0) * kK + col + piece * 8),
                 "r"(is_inside ? 16 : 0)
                 : "memory");
  }
}
__device__ void load_piece(std::uint32_t (&to)[4], __half (*tile)[kTile], int row, int piece) {
  load(to, &tile[row][(piece ^ row % 8) * 8]);
}

__device__ void multiply_stage(Sums& sums, __half (*a)[kTile], __half (*b)[kTile]) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int k = 0; k < kTile / 16; ++k) {
    std::uint32_t rows[2][4], cols[2][4];
    for (int i = 0; i < 2; ++i) {
      load_piece(rows[i], a, warp / 2 * 32 + i * 16 + lane % 16, k * 2 + lane / 16);
      load_piece(cols[i], b, warp % 2 * 32 + i * 16 + lane / 16 * 8 + lane % 8,
                 k * 2 + lane / 8 % 2);
    }
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 4; ++j)
        multiply(sums[i][j], rows[i], cols[j / 2][j % 2 * 2], cols[j / 2][j % 2 * 2 + 1]);
  }
}

// Steps `first` to `end` of a tile.
__device__ void multiply_steps(Sums& sums, Shared& shared, const __half* a, const __half* b,
                               int tile, int first, int end) {
  const auto fetch = [&](int step) {
    if (step < end) {
      fetch_tile(shared.a[step % kStages], a, tile % kTilesM * kTile, step * kTile, kM);
      fetch_tile(shared.b[step % kStages], b, tile / kTilesM * kTile, step * kTile, kN);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  __syncthreads();  // the tile before has been read
  for (int step = first; step < first + kStages - 1; ++step) fetch(step);
#pragma unroll 1
  for (int step = first; step < end; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
    __syncthreads();
    fetch(step + kStages - 1);
    multiply_stage(sums, shared.a[step % kStages], shared.b[step % kStages]);
  }
}

__device__ void leave(const Sums& sums, float4* workspace, int* flag) {
  for (int i = 0; i < 8; ++i)
    workspace[i * kThreads + threadIdx.x] = make_float4(
        sums[i / 4][i % 4][0], sums[i / 4][i % 4][1], sums[i / 4][i % 4][2], sums[i / 4][i % 4][3]);
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(flag) : "memory");
}

__device__ void add(Sums& sums, const float4* workspace, const int* flag) {
  if (threadIdx.x == 0) {
    int seen = 0;
    while (seen == 0)
      asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
  }
  __syncthreads();
  for (int i = 0; i < 8; ++i) {
    const float4 part = workspace[i * kThreads + threadIdx.x];
    sums[i / 4][i % 4][0] += part.x;
    sums[i / 4][i % 4][1] += part.y;
    sums[i / 4][i % 4][2] += part.z;
    sums[i / 4][i % 4][3] += part.w;
  }
}

__device__ void store(const Sums& sums, float* d, int tile) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int half = 0; half < 2; ++half) {
        const int row = tile % kTilesM * kTile + warp / 2 * 32 + i * 16 + half * 8 + lane / 4;
        const int col = tile / kTilesM * kTile + warp % 2 * 32 + j * 8 + lane % 4 * 2;
        if (row < kM && col < kN)
          *reinterpret_cast<float2*>(d + row * kN + col) =
              make_float2(sums[i][j][2 * half], sums[i][j][2 * half + 1]);
      }
}

__device__ int share(int cta) { return cta * kAllSteps / kCtas; }

__global__ void __launch_bounds__(kThreads)
    gemm(const __half* a, const __half* b, float* d, float4* workspace, int* flags) {
  __shared__ Shared shared;
  const int end = share(blockIdx.x + 1);
#pragma unroll 1
  for (int at = share(blockIdx.x); at < end;) {
    const int tile = at / kSteps, first = at % kSteps;
    const int last = min(kSteps, first + end - at);
    Sums sums = {};
    multiply_steps(sums, shared, a, b, tile, first, last);
    at += last - first;
    if (first > 0) {
      leave(sums, workspace + blockIdx.x * 8 * kThreads, flags + blockIdx.x);
      continue;
    }
    // Who goes on with this tile comes behind this CTA.
    for (int cta = blockIdx.x + 1; cta < kCtas && share(cta) < (tile + 1) * kSteps; ++cta)
      add(sums, workspace + cta * 8 * kThreads, flags + cta);
    store(sums, d, tile);
  }
}

int main() {
  Numbers numbers;
  std::vector<__half> A(kM * kK), B(kN * kK);
  for (auto* matrix : {&A, &B})
    for (__half& value : *matrix) value = __float2half(static_cast<float>(numbers.next(8)));
  float* device_D = to_device(std::vector<float>(kM * kN, -1.0f));
  float4* workspace = to_device(std::vector<float4>(kCtas * 8 * kThreads));
  gemm<<<kCtas, kThreads>>>(to_device(A), to_device(B), device_D, workspace,
                            to_device(std::vector<int>(kCtas, 0)));
  CHECK(cudaGetLastError());
  const std::vector<float> D = from_device(device_D, kM * kN);
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int col = 0; col < kN; ++col) {
      double sum = 0;
      for (int k = 0; k < kK; ++k)
        sum += double{__half2float(A[row * kK + k])} * __half2float(B[col * kK + k]);
      wrong += D[row * kN + col] != sum;
    }
  print_bits(D);
  return verdict("stream_k", wrong, kM * kN);
}

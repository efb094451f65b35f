// SPDX-License-Identifier: MIT
// The naive tensor-core HGEMM: one warp computes one 16 x 8 tile of C with f16 accumulators, loads
// through shared memory, and stores C through shared memory. M, N and K fill no tile. B is stored
// by columns (N x K). Whole numbers up to 2 and K = 70 give sums up to 280: exact in f16.
#include <cuda_fp16.h>

#include "program.cuh"

constexpr int kTileM = 16, kTileN = 8, kTileK = 16;

__global__ void hgemm(const __half* A, const __half* B, __half* C, int M, int N, int K) {
  __shared__ alignas(16) __half a_tile[kTileM][kTileK];
  __shared__ alignas(16) __half b_tile[kTileN][kTileK];
  __shared__ alignas(16) __half c_tile[kTileM][kTileN];
  const int lane = threadIdx.x;
  const int first_row = blockIdx.y * kTileM, first_col = blockIdx.x * kTileN;
  std::uint32_t c[2] = {0, 0};
  for (int first_k = 0; first_k < K; first_k += kTileK) {
    for (int i = lane; i < kTileM * kTileK; i += 32) {
      const int row = first_row + i / kTileK, k = first_k + i % kTileK;
      a_tile[i / kTileK][i % kTileK] = row < M && k < K ? A[row * K + k] : __float2half(0);
    }
    for (int i = lane; i < kTileN * kTileK; i += 32) {
      const int col = first_col + i / kTileK, k = first_k + i % kTileK;
      b_tile[i / kTileK][i % kTileK] = col < N && k < K ? B[col * K + k] : __float2half(0);
    }
    __syncthreads();
    std::uint32_t a[4], b[2];
    const auto a_address =
        static_cast<std::uint32_t>(__cvta_generic_to_shared(&a_tile[lane % 16][lane / 16 * 8]));
    const auto b_address =
        static_cast<std::uint32_t>(__cvta_generic_to_shared(&b_tile[lane % 8][lane / 8 % 2 * 8]));
    asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(a_address));
    asm volatile("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%0, %1}, [%2];\n"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"(b_address));
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, "
        "{%8, %9};\n"
        : "=r"(c[0]), "=r"(c[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]));
    __syncthreads();
  }
  *reinterpret_cast<std::uint32_t*>(&c_tile[lane / 4][lane % 4 * 2]) = c[0];
  *reinterpret_cast<std::uint32_t*>(&c_tile[lane / 4 + 8][lane % 4 * 2]) = c[1];
  __syncthreads();
  for (int i = lane; i < kTileM * kTileN; i += 32) {
    const int row = first_row + i / kTileN, col = first_col + i % kTileN;
    if (row < M && col < N) C[row * N + col] = c_tile[i / kTileN][i % kTileN];
  }
}

int run(int M, int N, int K) {
  Numbers numbers;
  std::vector<__half> A(M * K), B(N * K);
  for (__half& value : A) value = __float2half(numbers.next(2));
  for (__half& value : B) value = __float2half(numbers.next(2));
  // One row more than C has, to see that nothing is written behind it.
  __half* device_C = to_device(std::vector<__half>((M + 1) * N, __float2half(999)));
  const dim3 grid((N + kTileN - 1) / kTileN, (M + kTileM - 1) / kTileM);
  hgemm<<<grid, 32>>>(to_device(A), to_device(B), device_C, M, N, K);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const std::vector<__half> C = from_device(device_C, (M + 1) * N);
  int wrong = 0;
  for (int row = 0; row <= M; ++row)
    for (int col = 0; col < N; ++col) {
      float sum = row < M ? 0 : 999;
      for (int k = 0; k < K && row < M; ++k)
        sum += __half2float(A[row * K + k]) * __half2float(B[col * K + k]);
      wrong += __half2float(C[row * N + col]) != sum;
    }
  char name[64];
  std::snprintf(name, sizeof name, "hgemm_warp %dx%dx%d", M, N, K);
  return verdict(name, wrong, (M + 1) * N);
}

int main() { return run(16, 8, 16) + run(45, 27, 70) + run(1, 1, 1) + run(64, 64, 64) != 0; }

// SPDX-License-Identifier: MIT
// D = A * B in f32, each CTA a 32 x 32 tile, as it is done without cp.async: the next tiles are
// fetched into registers while the present ones are multiplied, two buffers take turns, one barrier
// a step. The sums of a row of D are made with a reduction through shared memory and shuffles.
#include "program.cuh"

constexpr int kTile = 32, kSize = 96;

__global__ void multiply(const float* A, const float* B, float* D, float* row_sums) {
  __shared__ float a[2][kTile][kTile + 1], b[2][kTile][kTile];
  __shared__ float partial[8][kTile];
  const int col = threadIdx.x, first = threadIdx.y;  // 32 x 8 threads, four rows each
  const int row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
  float next_a[4], next_b[4], sum[4] = {};
  const auto fetch = [&](int k) {
    for (int i = 0; i < 4; ++i) {
      next_a[i] = A[(row0 + first + i * 8) * kSize + k + col];
      next_b[i] = B[(k + first + i * 8) * kSize + col0 + col];
    }
  };
  const auto keep = [&](int buffer) {
    for (int i = 0; i < 4; ++i) {
      a[buffer][first + i * 8][col] = next_a[i];
      b[buffer][first + i * 8][col] = next_b[i];
    }
  };
  fetch(0);
  keep(0);
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < kSize; k += kTile) {
    const int buffer = k / kTile % 2;
    if (k + kTile < kSize) fetch(k + kTile);
    for (int step = 0; step < kTile; ++step)
      for (int i = 0; i < 4; ++i) sum[i] += a[buffer][first + i * 8][step] * b[buffer][step][col];
    if (k + kTile < kSize) {
      keep(1 - buffer);
      __syncthreads();
    }
  }
  for (int i = 0; i < 4; ++i) D[(row0 + first + i * 8) * kSize + col0 + col] = sum[i];
  // Sums over the rows' columns: a column's sum over this thread's rows, then over the warps.
  partial[first][col] = sum[0] + sum[1] + sum[2] + sum[3];
  __syncthreads();
  if (first == 0) {
    float total = 0;
    for (int i = 0; i < 8; ++i) total += partial[i][col];
    for (int offset = 16; offset > 0; offset /= 2)
      total += __shfl_down_sync(0xffffffffu, total, offset);
    if (col == 0) row_sums[blockIdx.y * gridDim.x + blockIdx.x] = total;
  }
}

int main() {
  Numbers numbers;
  std::vector<float> A(kSize * kSize), B(kSize * kSize);
  for (float& value : A) value = static_cast<float>(numbers.next(4));
  for (float& value : B) value = static_cast<float>(numbers.next(4));
  constexpr int kBlocks = kSize / kTile;
  float* device_D = to_device(std::vector<float>(kSize * kSize, -1.0f));
  float* device_sums = to_device(std::vector<float>(kBlocks * kBlocks, -1.0f));
  multiply<<<dim3(kBlocks, kBlocks), dim3(32, 8)>>>(to_device(A), to_device(B), device_D,
                                                    device_sums);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, kSize * kSize);
  const std::vector<float> sums = from_device(device_sums, kBlocks * kBlocks);
  int wrong = 0;
  std::vector<float> expected_sums(kBlocks * kBlocks, 0.0f);
  for (int row = 0; row < kSize; ++row)
    for (int col = 0; col < kSize; ++col) {
      float sum = 0;
      for (int k = 0; k < kSize; ++k) sum += A[row * kSize + k] * B[k * kSize + col];
      wrong += D[row * kSize + col] != sum;
      expected_sums[row / kTile * kBlocks + col / kTile] += sum;
    }
  for (int i = 0; i < kBlocks * kBlocks; ++i) wrong += sums[i] != expected_sums[i];
  return verdict("double_buffered", wrong, kSize * kSize + kBlocks * kBlocks);
}

// SPDX-License-Identifier: MIT
// D = A * B of 16 x 16 with nvcuda::wmma, K = 32: both tiles go through shared memory, A's by a
// generic address, and so does D. The first argument names a mistake: "right"; "tile-rows", two
// rows of A's tile are exchanged where it is filled; "stored", D is stored column after column and
// read row after row.
#include <cuda_fp16.h>
#include <mma.h>

#include <string>

#include "program.cuh"

using namespace nvcuda;

enum class Mistake { right, tile_rows, stored };
constexpr const char* kNames[] = {"right", "tile-rows", "stored"};

constexpr int kTile = 16, kDepth = 32, kLine = kTile + 8;  // a tile's line is padded

// `in_shared` is true, but who compiles the kernel does not know: A's address is a generic one.
__global__ void multiply(const __half* A, const __half* B, float* D, Mistake mistake,
                         bool in_shared) {
  __shared__ __align__(32) __half a_tile[kTile * kLine], b_tile[kTile * kLine];
  __shared__ __align__(32) float d_tile[kTile * kTile];
  wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> d;
  wmma::fill_fragment(d, 0.0f);
  for (int k = 0; k < kDepth; k += kTile) {
    for (int i = threadIdx.x; i < kTile * kTile; i += 32) {
      const int row = i / kTile, col = i % kTile;
      const int to = mistake == Mistake::tile_rows && row < 2 ? 1 - row : row;
      a_tile[to * kLine + col] = A[row * kDepth + k + col];
      b_tile[row * kLine + col] = B[(k + row) * kTile + col];
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, __half, wmma::row_major> b;
    wmma::load_matrix_sync(a, in_shared ? a_tile : A, kLine);
    wmma::load_matrix_sync(b, b_tile, kLine);
    wmma::mma_sync(d, a, b, d);
    __syncwarp();
  }
  wmma::store_matrix_sync(d_tile, d, kTile,
                          mistake == Mistake::stored ? wmma::mem_col_major : wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < kTile * kTile; i += 32) D[i] = d_tile[i];
}

int main(int argc, char** argv) {
  int mistake = 0;
  for (int k = 0; argc > 1 && k < 3; ++k)
    if (argv[1] == std::string(kNames[k])) mistake = k;
  Numbers numbers;
  std::vector<__half> A(kTile * kDepth), B(kDepth * kTile);
  std::vector<float> a(A.size()), b(B.size());
  for (std::size_t i = 0; i < A.size(); ++i) A[i] = __float2half(a[i] = numbers.next(4));
  for (std::size_t i = 0; i < B.size(); ++i) B[i] = __float2half(b[i] = numbers.next(4));
  float* device_D = to_device(std::vector<float>(kTile * kTile));
  multiply<<<1, 32>>>(to_device(A), to_device(B), device_D, static_cast<Mistake>(mistake), true);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, kTile * kTile);
  int wrong = 0;
  for (int row = 0; row < kTile; ++row)
    for (int col = 0; col < kTile; ++col) {
      float sum = 0;
      for (int k = 0; k < kDepth; ++k) sum += a[row * kDepth + k] * b[k * kTile + col];
      wrong += D[row * kTile + col] != sum;
    }
  std::printf("%d of %d elements of D are wrong\n", wrong, kTile * kTile);
  return wrong != 0;
}

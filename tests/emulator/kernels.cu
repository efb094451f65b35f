// SPDX-License-Identifier: MIT
// Kernels in the styles people write, compiled to PTX for kernel_test.cpp and the benchmark:
// registers straight into mma, the chain cp.async -> ldmatrix -> mma, a tile a warp with ragged
// edges, and a block tile with several stages of cp.async in flight.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace {

__device__ void mma_f16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}
__device__ void copy16(uint32_t to, const void* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
}
__device__ void ldmatrix_x4(uint32_t (&r)[4], uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}
__device__ void ldmatrix_x2(uint32_t (&r)[2], uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%0,%1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(address));
}

}  // namespace

// Registers [register][lane], as they are.
extern "C" __global__ void registers_f16(const uint32_t* a, const uint32_t* b, const float* c,
                                         float* d) {
  const int lane = threadIdx.x;
  uint32_t ra[4], rb[2];
  float rd[4];
  for (int r = 0; r < 4; ++r) ra[r] = a[r * 32 + lane];
  for (int r = 0; r < 2; ++r) rb[r] = b[r * 32 + lane];
  for (int r = 0; r < 4; ++r) rd[r] = c[r * 32 + lane];
  mma_f16(rd, ra, rb);
  for (int r = 0; r < 4; ++r) d[r * 32 + lane] = rd[r];
}

extern "C" __global__ void registers_bf16(const uint32_t* a, const uint32_t* b, const float* c,
                                          float* d) {
  const int lane = threadIdx.x;
  float rd[4];
  for (int r = 0; r < 4; ++r) rd[r] = c[r * 32 + lane];
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(rd[0]), "+f"(rd[1]), "+f"(rd[2]), "+f"(rd[3])
      : "r"(a[lane]), "r"(a[32 + lane]), "r"(a[64 + lane]), "r"(a[96 + lane]), "r"(b[lane]),
        "r"(b[32 + lane]));
  for (int r = 0; r < 4; ++r) d[r * 32 + lane] = rd[r];
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 890
extern "C" __global__ void registers_e4m3(const uint32_t* a, const uint32_t* b, const float* c,
                                          float* d) {
  const int lane = threadIdx.x;
  float rd[4];
  for (int r = 0; r < 4; ++r) rd[r] = c[r * 32 + lane];
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(rd[0]), "+f"(rd[1]), "+f"(rd[2]), "+f"(rd[3])
      : "r"(a[lane]), "r"(a[32 + lane]), "r"(a[64 + lane]), "r"(a[96 + lane]), "r"(b[lane]),
        "r"(b[32 + lane]));
  for (int r = 0; r < 4; ++r) d[r * 32 + lane] = rd[r];
}
#endif

// A (16 x 16) and B (8 x 16: a row per column of the product) through shared memory; one warp.
extern "C" __global__ void chain(const half* A, const half* B, float* D) {
  __shared__ __align__(16) half tile_a[16][16];
  __shared__ __align__(16) half tile_b[8][16];
  const int lane = threadIdx.x;
  copy16(shared_address(&tile_a[lane / 2][lane % 2 * 8]), A + lane * 8, 16);
  if (lane < 16) copy16(shared_address(&tile_b[lane / 2][lane % 2 * 8]), B + lane * 8, 16);
  asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;");
  __syncwarp();
  uint32_t a[4], b[2];
  ldmatrix_x4(a, shared_address(&tile_a[lane % 16][lane / 16 * 8]));
  ldmatrix_x2(b, shared_address(&tile_b[lane % 8][lane / 8 % 2 * 8]));
  float d[4] = {};
  mma_f16(d, a, b);
  for (int i = 0; i < 4; ++i) D[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

// D = A * B, A row-major M x K, B column-major (N rows of K), D row-major; K a multiple of 8, M and
// N as they come. A warp makes 16 x 8 of D.
extern "C" __global__ void ragged_hgemm(const half* A, const half* B, float* D, int M, int N,
                                        int K) {
  __shared__ __align__(16) half tile_a[16][16];
  __shared__ __align__(16) half tile_b[8][16];
  const int lane = threadIdx.x;
  const int row0 = blockIdx.y * 16;
  const int col0 = blockIdx.x * 8;
  float d[4] = {};
  for (int k = 0; k < K; k += 16) {
    const int row = row0 + lane / 2;
    const int at = k + lane % 2 * 8;
    const bool inside = row < M && at < K;
    copy16(shared_address(&tile_a[lane / 2][lane % 2 * 8]), inside ? A + row * K + at : A,
           inside ? 16 : 0);
    if (lane < 16) {
      const int col = col0 + lane / 2;
      const bool there = col < N && at < K;
      copy16(shared_address(&tile_b[lane / 2][lane % 2 * 8]), there ? B + col * K + at : B,
             there ? 16 : 0);
    }
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    uint32_t a[4], b[2];
    ldmatrix_x4(a, shared_address(&tile_a[lane % 16][lane / 16 * 8]));
    ldmatrix_x2(b, shared_address(&tile_b[lane % 8][lane / 8 % 2 * 8]));
    mma_f16(d, a, b);
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    const int row = row0 + lane / 4 + i / 2 * 8;
    const int col = col0 + lane % 4 * 2 + i % 2;
    if (row < M && col < N) D[row * N + col] = d[i];
  }
}

// 128 x 128 of D a block of eight warps, three stages of 32 in K; M, N multiples of 128, K of 32.
extern "C" __global__ void __launch_bounds__(256)
    staged_hgemm(const half* A, const half* B, float* D, int N, int K) {
  constexpr int kStages = 3;
  constexpr int kPitch = 40;  // 80 bytes: eight rows of a matrix fall into different banks
  extern __shared__ __align__(16) half shared[];
  const int thread = threadIdx.x;
  const int lane = thread % 32;
  const int warp_row = thread / 32 / 4 * 64;
  const int warp_col = thread / 32 % 4 * 32;
  half* tiles_a = shared;
  half* tiles_b = shared + kStages * 128 * kPitch;
  const half* from_a = A + (blockIdx.y * 128 + thread / 2) * K + thread % 2 * 16;
  const half* from_b = B + (blockIdx.x * 128 + thread / 2) * K + thread % 2 * 16;
  const int to = thread / 2 * kPitch + thread % 2 * 16;
  float d[4][4][4] = {};
  const int steps = K / 32;
  const auto fetch = [&](int step) {
    if (step < steps) {
      const int stage = step % kStages * 128 * kPitch;
      for (int part = 0; part < 2; ++part) {
        copy16(shared_address(tiles_a + stage + to + part * 8), from_a + step * 32 + part * 8, 16);
        copy16(shared_address(tiles_b + stage + to + part * 8), from_b + step * 32 + part * 8, 16);
      }
    }
    asm volatile("cp.async.commit_group;");
  };
  fetch(0);
  fetch(1);
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group 1;");
    __syncthreads();
    fetch(step + 2);
    const int stage = step % kStages * 128 * kPitch;
#pragma unroll
    for (int k = 0; k < 32; k += 16) {
      uint32_t a[4][4], b[4][2];
#pragma unroll
      for (int m = 0; m < 4; ++m)
        ldmatrix_x4(a[m],
                    shared_address(tiles_a + stage + (warp_row + m * 16 + lane % 16) * kPitch + k +
                                   lane / 16 * 8));
#pragma unroll
      for (int n = 0; n < 4; ++n)
        ldmatrix_x2(b[n], shared_address(tiles_b + stage + (warp_col + n * 8 + lane % 8) * kPitch +
                                         k + lane / 8 % 2 * 8));
#pragma unroll
      for (int m = 0; m < 4; ++m)
#pragma unroll
        for (int n = 0; n < 4; ++n) mma_f16(d[m][n], a[m], b[n]);
    }
  }
#pragma unroll
  for (int m = 0; m < 4; ++m)
#pragma unroll
    for (int n = 0; n < 4; ++n)
#pragma unroll
      for (int i = 0; i < 4; i += 2) {
        const int row = blockIdx.y * 128 + warp_row + m * 16 + lane / 4 + i / 2 * 8;
        const int col = blockIdx.x * 128 + warp_col + n * 8 + lane % 4 * 2;
        *reinterpret_cast<float2*>(D + row * N + col) = make_float2(d[m][n][i], d[m][n][i + 1]);
      }
}

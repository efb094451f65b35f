// SPDX-License-Identifier: MIT
// Attention forward as it is written for Ampere. A CTA has 64 queries of one head, each of its four
// warps 16 of them; keys and values come in blocks of 64 through two stages of shared memory
// (cp.async, 16-byte pieces exchanged within a row). Scores stay in registers and become the A
// operand of the second product; the softmax is kept as it goes. Causal; the length fills no block.
// Queries and keys are eighths up to 2, so that scores are exact: see `tolerance` for what is left.
#include <cuda_fp16.h>

#include <cmath>

#include "ampere.cuh"
#include "attention.cuh"
#include "program.cuh"

constexpr int kHead = 64, kBlock = 64, kThreads = 128;
constexpr float kScale = 0.125f * 1.44269504f;  // 1 / sqrt(kHead), and log2(e) for powers of two

struct Shared {
  alignas(128) __half q[kBlock * kHead];
  __half k[2][kBlock * kHead];
  __half v[2][kBlock * kHead];
};

struct Softmax {
  float maximum[2] = {-INFINITY, -INFINITY};  // of rows lane / 4 and 8 + lane / 4
  float sum[2] = {0, 0};                      // this lane's share
};

// Where a row's 16-byte piece lies: eight rows of a column of pieces are in eight different banks.
__device__ __half* place(__half* tile, int row, int piece) {
  return tile + row * kHead + (piece ^ row % 8) * 8;
}

// A block of rows; those beyond the length are zeros.
__device__ void fetch(__half* tile, const __half* from, int first, int length) {
#pragma unroll
  for (int i = 0; i < kBlock * 8 / kThreads; ++i) {
    const int row = (i * kThreads + threadIdx.x) / 8, piece = threadIdx.x % 8;
    const bool is_inside = first + row < length;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                     shared_address(place(tile, row, piece))),
                 "l"(from + (is_inside ? first + row : 0) * kHead + piece * 8),
                 "r"(is_inside ? 16 : 0)
                 : "memory");
  }
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kLeft>
__device__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

__device__ void load_transposed(std::uint32_t (&to)[4], const __half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row))
               : "memory");
}
__device__ void multiply_by_keys(float (&scores)[8][4], __half* q, __half* k) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int step = 0; step < kHead / 16; ++step) {
    std::uint32_t a[4];
    load(a, place(q, warp * 16 + lane % 16, step * 2 + lane / 16));
#pragma unroll
    for (int pair = 0; pair < kBlock / 16; ++pair) {
      std::uint32_t b[4];
      load(b, place(k, pair * 16 + lane / 16 * 8 + lane % 8, step * 2 + lane / 8 % 2));
      multiply(scores[2 * pair], a, b[0], b[1]);
      multiply(scores[2 * pair + 1], a, b[2], b[3]);
    }
  }
}

__device__ void multiply_by_values(float (&out)[8][4], const float (&p)[8][4], __half* v) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int step = 0; step < kBlock / 16; ++step) {
    const std::uint32_t a[4] = {
        pack(p[2 * step][0], p[2 * step][1]), pack(p[2 * step][2], p[2 * step][3]),
        pack(p[2 * step + 1][0], p[2 * step + 1][1]), pack(p[2 * step + 1][2], p[2 * step + 1][3])};
#pragma unroll
    for (int pair = 0; pair < kHead / 16; ++pair) {
      std::uint32_t b[4];
      load_transposed(b, place(v, step * 16 + lane % 16, pair * 2 + lane / 16));
      multiply(out[2 * pair], a, b[0], b[1]);
      multiply(out[2 * pair + 1], a, b[2], b[3]);
    }
  }
}

// Scores become their powers; what was summed up before is scaled to the new maximum.
__device__ void soften(Softmax& softmax, float (&scores)[8][4], float (&out)[8][4]) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float maximum = softmax.maximum[half];
    for (int n = 0; n < 8; ++n)
      maximum = fmaxf(maximum, fmaxf(scores[n][2 * half], scores[n][2 * half + 1]));
    maximum = fmaxf(maximum, __shfl_xor_sync(~0u, maximum, 1));
    maximum = fmaxf(maximum, __shfl_xor_sync(~0u, maximum, 2));
    const float shrink = power_of_two((softmax.maximum[half] - maximum) * kScale);
    softmax.maximum[half] = maximum;
    softmax.sum[half] *= shrink;
    for (int n = 0; n < 8; ++n) {
      for (int i = 2 * half; i < 2 * half + 2; ++i) {
        scores[n][i] = power_of_two(scores[n][i] * kScale - maximum * kScale);
        softmax.sum[half] += scores[n][i];
        out[n][i] *= shrink;
      }
    }
  }
}

__device__ void store(__half* to, const Softmax& softmax, const float (&out)[8][4], __half* tile,
                      int first, int length) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float sum = softmax.sum[half];
    sum += __shfl_xor_sync(~0u, sum, 1);
    sum += __shfl_xor_sync(~0u, sum, 2);
    for (int n = 0; n < 8; ++n)
      reinterpret_cast<std::uint32_t*>(place(tile, warp * 16 + half * 8 + lane / 4, n))[lane % 4] =
          pack(out[n][2 * half] / sum, out[n][2 * half + 1] / sum);
  }
  __syncwarp();  // each warp has its own 16 rows
  for (int i = lane; i < 16 * 8; i += 32) {
    const int row = warp * 16 + i / 8;
    if (first + row < length)
      *reinterpret_cast<uint4*>(to + (first + row) * kHead + i % 8 * 8) =
          *reinterpret_cast<const uint4*>(place(tile, row, i % 8));
  }
}

__global__ void __launch_bounds__(kThreads)
    attention(const __half* q, const __half* k, const __half* v, __half* out, int length) {
  __shared__ Shared shared;
  const int first = blockIdx.x * kBlock, blocks = blockIdx.x + 1;  // none above the diagonal
  const std::size_t head = static_cast<std::size_t>(blockIdx.y) * length * kHead;
  fetch(shared.q, q + head, first, length);
  fetch(shared.k[0], k + head, 0, length);
  commit();
  fetch(shared.v[0], v + head, 0, length);
  commit();
  float sums[8][4] = {};
  Softmax softmax;
#pragma unroll 1
  for (int block = 0; block < blocks; ++block) {
    const int next = block + 1;
    if (next < blocks) fetch(shared.k[next % 2], k + head, next * kBlock, length);
    commit();  // the last ones are empty, so that the counts below hold
    if (next < blocks) fetch(shared.v[next % 2], v + head, next * kBlock, length);
    commit();
    wait<3>();
    __syncthreads();
    float scores[8][4] = {};
    multiply_by_keys(scores, shared.q, shared.k[block % 2]);
    const int row = first + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
    for (int n = 0; n < 8; ++n)
      for (int i = 0; i < 4; ++i)
        if (block * kBlock + n * 8 + static_cast<int>(threadIdx.x) % 4 * 2 + i % 2 >
            row + i / 2 * 8)
          scores[n][i] = -INFINITY;
    soften(softmax, scores, sums);
    wait<2>();
    __syncthreads();
    multiply_by_values(sums, scores, shared.v[block % 2]);
    __syncthreads();  // before the next but one block comes into this stage
  }
  store(out + head, softmax, sums, shared.q, first, length);
}

int main() {
  constexpr int kLength = 150, kHeads = 2, kCount = kHeads * kLength * kHead;
  Numbers numbers;
  std::vector<__half> q(kCount), k(kCount), v(kCount);
  for (auto* tensor : {&q, &k, &v})
    for (__half& value : *tensor) value = __float2half(static_cast<float>(numbers.next(16)) / 8);
  __half* device_out = to_device(std::vector<__half>(kCount, __float2half(-9.0f)));
  attention<<<dim3((kLength + kBlock - 1) / kBlock, kHeads), kThreads>>>(
      to_device(q), to_device(k), to_device(v), device_out, kLength);
  CHECK(cudaGetLastError());
  const std::vector<__half> out = from_device(device_out, kCount);
  print_bits(out);
  return verdict("flash_mma", count_wrong(q, k, v, out, kLength), kCount);
}

// SPDX-License-Identifier: MIT
// D = alpha * scale_m * scale_n * A * B^T + bias + beta * C with mma.sync, and the mistakes that
// people make between the sums and the store; the first argument names one. Right are "right",
// "staged", where all comes and goes through shared memory, "padded", whose C has longer rows,
// "columns", whose C lies column after column, "header", whose bias lies behind four other
// numbers, "heads", whose bias begins anew every 32 columns, "first", where the sums begin with
// the bias, "begun", where they begin with C instead, rounded to f16, and "begun-columns".
//
// D is 128 x 64, with a scale for each row and each column, a bias for each column; a block has 32
// x 32 of it, each of its two warps 16 x 32, that is four sums.
#include <cuda_fp16.h>

#include <cstring>

#include "program.cuh"

constexpr int kM = 128, kN = 64, kK = 32, kTile = 32, kHeader = 4;

enum Mistake {
  none,
  staged,
  padded,
  columns,
  header,
  heads,
  first,
  first_next,
  bias_next,
  bias_tile,
  bias_block,
  bias_lanes,
  bias_pairs,
  scale_warp,
  scale_block,
  scale_half,
  scales,
  residual_row,
  residual_length,
  residual_turned,
  residual_registers,
  residual_halves,
  alpha_beta,
  begun,
  begun_columns,
  begun_turned,
  padded_row,
  padded_length,
  residual_again,
};

#define INPUTS                                                                               \
  const __half *A, const __half *B, const float *C, const float *bias, const float *scale_m, \
      const float *scale_n, float alpha, float beta

__device__ void multiply(float (&d)[4], const __half* A, const __half* B, int row, int col, int k) {
  const int lane = threadIdx.x % 32, at = k + lane % 4 * 2;
  std::uint32_t a[4], b[2];
  for (int i = 0; i < 4; ++i)
    a[i] = *reinterpret_cast<const std::uint32_t*>(
        &A[(row + lane / 4 + i % 2 * 8) * kK + at + i / 2 * 8]);
  for (int i = 0; i < 2; ++i)
    b[i] = *reinterpret_cast<const std::uint32_t*>(&B[(col + lane / 4) * kK + at + i * 8]);
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where element i of a lane's four is.
__device__ int row_of(int i) { return threadIdx.x % 32 / 4 + i / 2 * 8; }
__device__ int col_of(int i) { return threadIdx.x % 4 * 2 + i % 2; }

// Which element of the bias is added; `n`: the sum of the warp's four.
template <Mistake kMade>
__device__ int bias_at(int col, int n, int i) {
  const int lane = threadIdx.x % 32;
  switch (kMade) {
    case header:
      return kHeader + col;
    case heads:
      return col % 32;
    case bias_next:
    case first_next:
      return col + 1 < kN ? col + 1 : 0;
    case bias_tile:
      return col - n * 8;
    case bias_block:
      return col - static_cast<int>(blockIdx.x) * kTile;
    case bias_lanes:
      return col - col_of(i) + lane % 4 + i % 2;
    case bias_pairs:
      return col / 2;
    default:
      return col;
  }
}

// Which element of C is added.
template <Mistake kMade>
__device__ int residual_at(int row, int col, int i) {
  switch (kMade) {
    case padded_row:
      return (row - static_cast<int>(threadIdx.x / 32) * 16) * (kN + 8) + col;
    case padded_length:
      return row * (kN + 4) + col;
    case padded:
      return row * (kN + 8) + col;
    case residual_length:
      return row * (kN - 8) + col;
    case columns:
    case begun_columns:
      return col * kM + row;
    case residual_row:
      return (row - static_cast<int>(threadIdx.x / 32) * 16) * kN + col;
    case residual_turned:
    case begun_turned:
      return col * kN + row;
    case residual_registers:
      return (row - row_of(i) + row_of(i % 2 * 2 + i / 2)) * kN + col - col_of(i) +
             col_of(i % 2 * 2 + i / 2);
    case residual_halves:
      return (row ^ 8) * kN + col;
    default:
      return row * kN + col;
  }
}

template <Mistake kMade>
constexpr bool kBeginsWithC = kMade == begun || kMade == begun_columns || kMade == begun_turned;

// All of an element but what it is stored as.
template <Mistake kMade>
__device__ float finished(float sum, INPUTS, int row, int col, int n, int i) {
  const int tile_row = static_cast<int>(blockIdx.y) * kTile;
  const int by_row = kMade == scale_warp   ? tile_row + row_of(i)
                     : kMade == scale_half ? row - i / 2 * 8
                                           : row;
  const float scale = kMade == scales ? scale_m[col] * scale_n[row % kN]
                      : kMade == scale_block
                          ? scale_m[blockIdx.x * kTile + row - tile_row] * scale_n[col]
                          : scale_m[by_row] * scale_n[col];
  const float added = kMade == first || kMade == first_next ? 0 : bias[bias_at<kMade>(col, n, i)];
  const float c = kBeginsWithC<kMade> ? 0 : C[residual_at<kMade>(row, col, i)];
  return kMade == alpha_beta ? beta * (sum * scale) + added + alpha * c
                             : alpha * (sum * scale) + added + beta * c;
}

// A warp's 16 x 32 through shared memory: each lane finishes what it stores, four columns at once.
__device__ void store_staged(const float (&d)[4][4], INPUTS, float* D, int row, int col) {
  __shared__ alignas(16) float tile[2][16][kTile + 4];
  __shared__ float staged_bias[kTile];
  if (threadIdx.x < kTile) staged_bias[threadIdx.x] = bias[col + threadIdx.x];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int n = 0; n < 4; ++n)
    for (int i = 0; i < 4; ++i) tile[warp][row_of(i)][n * 8 + col_of(i)] = d[n][i];
  __syncthreads();
  for (int from = lane / 8, at = lane % 8 * 4; from < 16; from += 4) {
    const float4 sums = *reinterpret_cast<const float4*>(&tile[warp][from][at]);
    const float4 c = *reinterpret_cast<const float4*>(&C[(row + from) * kN + col + at]);
    const float by = alpha * scale_m[row + from];
    const float* scale = &scale_n[col + at];
    *reinterpret_cast<float4*>(&D[(row + from) * kN + col + at]) =
        make_float4(by * (sums.x * scale[0]) + staged_bias[at] + beta * c.x,
                    by * (sums.y * scale[1]) + staged_bias[at + 1] + beta * c.y,
                    by * (sums.z * scale[2]) + staged_bias[at + 2] + beta * c.z,
                    by * (sums.w * scale[3]) + staged_bias[at + 3] + beta * c.w);
  }
}

template <Mistake kMade>
__global__ void __launch_bounds__(64) gemm(INPUTS, float* D) {
  const int row = blockIdx.y * kTile + threadIdx.x / 32 * 16, col = blockIdx.x * kTile;
  float d[4][4] = {};
  if (kMade == first || kMade == first_next)
    for (int n = 0; n < 4; ++n)
      for (int i = 0; i < 4; ++i) d[n][i] = bias[bias_at<kMade>(col + n * 8 + col_of(i), n, i)];
  if (kBeginsWithC<kMade>)
    for (int n = 0; n < 4; ++n)
      for (int i = 0; i < 4; ++i)
        d[n][i] = __half2float(
            __float2half(C[residual_at<kMade>(row + row_of(i), col + n * 8 + col_of(i), i)]));
  for (int n = 0; n < 4; ++n)
    for (int k = 0; k < kK; k += 16) {
      multiply(d[n], A, B, row, col + n * 8, k);
      if (kMade == residual_again)
        for (int i = 0; i < 4; ++i)
          d[n][i] += C[residual_at<kMade>(row + row_of(i), col + n * 8 + col_of(i), i)];
    }
  if constexpr (kMade == staged)
    store_staged(d, A, B, C, bias, scale_m, scale_n, alpha, beta, D, row, col);
  else
    for (int n = 0; n < 4; ++n)
      for (int i = 0; i < 4; ++i) {
        const int at_row = row + row_of(i), at_col = col + n * 8 + col_of(i);
        D[at_row * kN + at_col] = finished<kMade>(d[n][i], A, B, C, bias, scale_m, scale_n, alpha,
                                                  beta, at_row, at_col, n, i);
      }
}

// ---- The mistakes -------------------------------------------------------------------------------

struct Case {
  const char* name;
  void (*kernel)(INPUTS, float*);
};
const Case kCases[] = {
    {"right", gemm<none>},
    {"staged", gemm<staged>},
    {"padded", gemm<padded>},
    {"columns", gemm<columns>},
    {"header", gemm<header>},
    {"heads", gemm<heads>},
    {"first", gemm<first>},
    {"first-next", gemm<first_next>},
    {"bias-next", gemm<bias_next>},
    {"bias-tile", gemm<bias_tile>},
    {"bias-block", gemm<bias_block>},
    {"bias-lanes", gemm<bias_lanes>},
    {"bias-pairs", gemm<bias_pairs>},
    {"scale-warp", gemm<scale_warp>},
    {"scale-block", gemm<scale_block>},
    {"scale-half", gemm<scale_half>},
    {"scales", gemm<scales>},
    {"residual-row", gemm<residual_row>},
    {"residual-length", gemm<residual_length>},
    {"residual-turned", gemm<residual_turned>},
    {"residual-registers", gemm<residual_registers>},
    {"residual-halves", gemm<residual_halves>},
    {"alpha-beta", gemm<alpha_beta>},
    {"begun", gemm<begun>},
    {"begun-columns", gemm<begun_columns>},
    {"begun-turned", gemm<begun_turned>},
    {"padded-row", gemm<padded_row>},
    {"padded-length", gemm<padded_length>},
    {"residual-again", gemm<residual_again>},
};

int main(int argc, char** argv) {
  const Case* made = nullptr;
  const auto is = [&](const char* name) { return argc == 2 && std::strcmp(argv[1], name) == 0; };
  for (const Case& one : kCases)
    if (is(one.name)) made = &one;
  if (made == nullptr) return std::printf("which mistake?\n"), 2;
  const int before = is("header") ? kHeader : 0, period = is("heads") ? 32 : kN;
  const auto begins = [&](const char* with) {
    return std::strncmp(argv[1], with, std::strlen(with)) == 0;
  };
  const bool by_columns = is("columns") || is("begun-columns"), begins_with_bias = begins("first");
  const bool begins_with_C = begins("begun");
  const int length = begins("padded") ? kN + 8 : kN;
  Numbers numbers;
  std::vector<__half> A(kM * kK), B(kN * kK);
  std::vector<float> C(kM * length), bias(before + period), scale_m(kM), scale_n(kN);
  for (__half& value : A) value = __float2half(static_cast<float>(numbers.next(4)));
  for (__half& value : B) value = __float2half(static_cast<float>(numbers.next(4)));
  for (float& value : scale_m) value = static_cast<float>(1 << (numbers.next(1) + 1));
  for (float& value : scale_n) value = static_cast<float>(1 << (numbers.next(1) + 1));
  for (std::vector<float>* all : {&C, &bias})
    for (float& value : *all) value = static_cast<float>(numbers.next(100));
  const float alpha = 2, beta = 3;
  float* device_D = to_device(std::vector<float>(kM * kN, -1.0f));
  made->kernel<<<dim3(kN / kTile, kM / kTile), 64>>>(to_device(A), to_device(B), to_device(C),
                                                     to_device(bias), to_device(scale_m),
                                                     to_device(scale_n), alpha, beta, device_D);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, kM * kN);
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int col = 0; col < kN; ++col) {
      const float of_col = bias[before + col % period];
      const float c = C[by_columns ? col * kM + row : row * length + col];
      float sum = begins_with_bias ? of_col : begins_with_C ? c : 0;
      for (int k = 0; k < kK; ++k)
        sum += __half2float(A[row * kK + k]) * __half2float(B[col * kK + k]);
      wrong += D[row * kN + col] != alpha * sum * scale_m[row] * scale_n[col] +
                                        (begins_with_bias ? 0 : of_col) +
                                        (begins_with_C ? 0 : beta * c);
    }
  std::printf("%d of %d elements of D are wrong\n", wrong, kM * kN);
  return 0;
}

// SPDX-License-Identifier: MIT
// The small kernels between the products of a transformer, as inference code writes them: RMS and
// layer normalisation, rotary embedding, SwiGLU, softmax in one pass, top-k and sampling, in bf16
// and f16 with 16-byte accesses and warp shuffles. What they compute is printed as hashes: every
// rounding and every approximate function counts.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "program.cuh"

constexpr int kRows = 24, kWidth = 512, kThreads = 128;

__device__ float sum_of_warp(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
  return value;
}
__device__ float sum_of_block(float value) {
  __shared__ float parts[kThreads / 32];
  value = sum_of_warp(value);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = threadIdx.x % 32 < kThreads / 32 ? parts[threadIdx.x % 32] : 0.0f;
  __syncthreads();
  return sum_of_warp(value);
}

struct alignas(8) Four {
  __nv_bfloat162 low, high;
};

__global__ void normalise(const __nv_bfloat16* in, const __nv_bfloat16* weight, __nv_bfloat16* out,
                          bool around_mean) {
  const auto* row = reinterpret_cast<const Four*>(in + blockIdx.x * kWidth);
  const Four four = row[threadIdx.x];
  const float2 low = __bfloat1622float2(four.low), high = __bfloat1622float2(four.high);
  float mean = 0;
  if (around_mean) mean = sum_of_block(low.x + low.y + high.x + high.y) / kWidth;
  const float a = low.x - mean, b = low.y - mean, c = high.x - mean, d = high.y - mean;
  const float scale = rsqrtf(sum_of_block(a * a + b * b + c * c + d * d) / kWidth + 1e-5f);
  const Four by = reinterpret_cast<const Four*>(weight)[threadIdx.x];
  Four result;
  result.low = __hmul2(__floats2bfloat162_rn(a * scale, b * scale), by.low);
  result.high = __hmul2(__floats2bfloat162_rn(c * scale, d * scale), by.high);
  reinterpret_cast<Four*>(out + blockIdx.x * kWidth)[threadIdx.x] = result;
}

__global__ void rotate(__half2* pairs, float base) {
  const int pair = threadIdx.x, position = blockIdx.x;
  const float angle = position * powf(base, -2.0f * pair / kWidth);
  float sine, cosine;
  sincosf(angle, &sine, &cosine);
  __half2& at = pairs[position * kWidth / 2 + pair];
  const float2 old = __half22float2(at);
  at = __floats2half2_rn(old.x * cosine - old.y * sine, old.x * sine + old.y * cosine);
}

__global__ void gate(const __half2* gates, const __half2* values, __half2* out) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 g = gates[at];
  const __half2 one = __float2half2_rn(1.0f);
  const __half2 silu = __h2div(g, __hadd2(one, h2exp(__hneg2(g))));
  out[at] = __hmul2(silu, values[at]);
}

__global__ void gelu(const float* in, float* exact, float* by_tanh) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = in[at];
  exact[at] = 0.5f * value * (1.0f + erff(value * 0.70710678f));
  by_tanh[at] =
      0.5f * value * (1.0f + tanhf(0.7978845608f * (value + 0.044715f * value * value * value)));
}

// A warp a row; maximum and sum together, then the probabilities, and one of them drawn.
__global__ void softmax(const float* in, float* out, int* best, int* drawn) {
  const float* row = in + blockIdx.x * kWidth;
  const int lane = threadIdx.x;
  float top = -INFINITY, sum = 0;
  for (int at = lane; at < kWidth; at += 32) {
    const float value = row[at], higher = fmaxf(top, value);
    sum = sum * __expf(top - higher) + __expf(value - higher);
    top = higher;
  }
  for (int step = 16; step > 0; step /= 2) {
    const float other = __shfl_xor_sync(~0u, top, step), more = __shfl_xor_sync(~0u, sum, step);
    const float higher = fmaxf(top, other);
    sum = sum * __expf(top - higher) + more * __expf(other - higher);
    top = higher;
  }
  for (int at = lane; at < kWidth; at += 32)
    out[blockIdx.x * kWidth + at] = __fdividef(__expf(row[at] - top), sum);
  // The four best, the first of equals: value and place in one number.
  unsigned long long last = ~0ull;
  for (int k = 0; k < 4; ++k) {
    unsigned long long mine = 0;
    for (int at = lane; at < kWidth; at += 32) {
      const unsigned bits = __float_as_uint(row[at]);
      const unsigned order = bits ^ (bits >> 31 ? ~0u : 0x80000000u);
      const unsigned long long key = static_cast<unsigned long long>(order) << 32 | (kWidth - at);
      if (key < last && key > mine) mine = key;
    }
    for (int step = 16; step > 0; step /= 2) {
      const unsigned long long other = __shfl_down_sync(~0u, mine, step);
      if (other > mine) mine = other;
    }
    last = __shfl_sync(~0u, mine, 0);
    if (lane == 0) best[blockIdx.x * 4 + k] = kWidth - static_cast<int>(last & 0xffffffff);
  }
  __syncwarp();
  const float wanted = (blockIdx.x + 0.5f) / gridDim.x;
  float before = 0;
  int found = kWidth - 1;
  for (int from = 0; from < kWidth; from += 32) {
    float running = out[blockIdx.x * kWidth + from + lane];
    for (int step = 1; step < 32; step *= 2) {
      const float other = __shfl_up_sync(~0u, running, step);
      if (lane >= step) running += other;
    }
    const unsigned past = __ballot_sync(~0u, before + running >= wanted);
    if (past != 0) {
      found = from + __ffs(past) - 1;
      break;
    }
    before += __shfl_sync(~0u, running, 31);
  }
  if (lane == 0) drawn[blockIdx.x] = found;
}

int main() {
  Numbers numbers;
  std::vector<float> real(kRows * kWidth);
  for (float& value : real) value = numbers.next(4000) / 997.0f;
  std::vector<__nv_bfloat16> narrow(real.begin(), real.end());
  std::vector<__nv_bfloat16> weight(kWidth);
  for (auto& value : weight) value = __float2bfloat16(numbers.next(100) / 64.0f);
  std::vector<__half> halves(real.begin(), real.end());

  const auto* in = to_device(narrow);
  auto* out = to_device(narrow);
  for (const bool around_mean : {false, true}) {
    normalise<<<kRows, kThreads>>>(in, to_device(weight), out, around_mean);
    print_bits(from_device(out, kRows * kWidth));
  }
  __half* pairs = to_device(halves);
  rotate<<<kRows, kWidth / 2>>>(reinterpret_cast<__half2*>(pairs), 10000.0f);
  print_bits(from_device(pairs, kRows * kWidth));
  __half* gated = to_device(halves);
  gate<<<kRows, kWidth / 2>>>(reinterpret_cast<__half2*>(to_device(halves)),
                              reinterpret_cast<__half2*>(pairs), reinterpret_cast<__half2*>(gated));
  print_bits(from_device(gated, kRows * kWidth));
  const float* values = to_device(real);
  float *exact = to_device(real), *by_tanh = to_device(real);
  gelu<<<kRows * 2, kWidth / 2>>>(values, exact, by_tanh);
  print_bits(from_device(exact, kRows * kWidth));
  print_bits(from_device(by_tanh, kRows * kWidth));
  int* best = to_device(std::vector<int>(kRows * 4));
  int* drawn = to_device(std::vector<int>(kRows));
  softmax<<<kRows, 32>>>(values, exact, best, drawn);
  print_bits(from_device(exact, kRows * kWidth));
  for (const int place : from_device(best, kRows * 4)) std::printf("%d ", place);
  std::printf("\n");
  for (const int place : from_device(drawn, kRows)) std::printf("%d ", place);
  std::printf("\n");
  CHECK(cudaDeviceSynchronize());
  return 0;
}

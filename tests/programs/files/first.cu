// SPDX-License-Identifier: MIT
// One of two files built with -rdc=true: its kernel calls a function and reads variables of the
// other, and has a static function, dynamic shared memory and a printf of the same names.
#include "../program.cuh"

extern __constant__ int weights[8];
extern __device__ int runs;
__device__ float square(float value);
void run_second(float* values);

static __device__ __noinline__ int scaled(int value) {
  if (value == 3) printf("first: %d\n", value);
  return 3 * value;
}

extern __shared__ int scratch[];

template <class T>
__device__ __noinline__ T mean(const T* values, int count) {
  T sum = 0;
  for (int k = 0; k < count; ++k) sum += values[k];
  return sum / count;
}

__global__ void first(float* values) {
  scratch[threadIdx.x] = scaled(threadIdx.x);
  __syncthreads();
  values[threadIdx.x] = square(scratch[threadIdx.x ^ 1]) + weights[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) values[8] = mean(values, 8);
  atomicAdd(&runs, 1);
}

int main() {
  float* values = nullptr;
  CHECK(cudaMallocManaged(&values, 16 * sizeof(float)));
  const int host[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(cudaMemcpyToSymbol(weights, host, sizeof host));
  first<<<1, 8, 64>>>(values);
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    const float expected = 9.0f * (k ^ 1) * (k ^ 1) + k + 1;
    wrong += values[k] != expected;
    sum += expected;
  }
  wrong += values[8] != sum / 8;
  run_second(values);
  wrong += values[0] != 5 * 3 + sum / 8 + 1;
  int counted = 0;
  CHECK(cudaMemcpyFromSymbol(&counted, runs, sizeof counted));
  wrong += counted != 9;
  return verdict("two_files", wrong, 11);
}

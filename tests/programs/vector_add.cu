// SPDX-License-Identifier: MIT
// The first program of every tutorial, with a length that fills no block and a grid-stride loop.
// One float addition is one rounding on both sides: exact.
#include "program.cuh"

__global__ void add(const float* a, const float* b, float* sum, int count) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < count;
       index += gridDim.x * blockDim.x)
    sum[index] = a[index] + b[index];
}

int main() {
  const int count = 1000;
  Numbers numbers;
  std::vector<float> a(count), b(count);
  for (int index = 0; index < count; ++index) {
    a[index] = numbers.next(1000000) / 7.0f;
    b[index] = numbers.next(1000) * 0.37f;
  }
  const float* device_a = to_device(a);
  const float* device_b = to_device(b);
  float* device_sum = to_device(std::vector<float>(count, -1.0f));
  add<<<3, 96>>>(device_a, device_b, device_sum, count);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> sum = from_device(device_sum, count);
  int wrong = 0;
  for (int index = 0; index < count; ++index) wrong += sum[index] != a[index] + b[index];
  return verdict("vector_add", wrong, count);
}

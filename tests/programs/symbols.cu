// SPDX-License-Identifier: MIT
// Variables of the device: __constant__ read by index, __device__ with an initial value and counted
// up atomically, __managed__ touched by both sides, and their addresses and sizes.
#include "program.cuh"

__constant__ int weights[8];
__device__ unsigned counter = 1000;
__device__ int table[4] = {10, 20, 30, 40};
__managed__ int shared_with_host = 5;

__global__ void use(int* out) {
  const int index = threadIdx.x;
  out[index] = weights[index % 8] * 100 + table[index % 4];
  atomicAdd(&counter, 1u);
  if (index == 0) shared_with_host += 37;
}

int main() {
  int wrong = 0;
  int host_weights[8];
  for (int i = 0; i < 8; ++i) host_weights[i] = i * i - 3;
  CHECK(cudaMemcpyToSymbol(weights, host_weights, 4 * sizeof(int)));
  CHECK(cudaMemcpyToSymbol(weights, host_weights + 4, 4 * sizeof(int), 4 * sizeof(int)));
  int* out = to_device(std::vector<int>(64, 0));
  use<<<1, 64>>>(out);
  CHECK(cudaDeviceSynchronize());
  const std::vector<int> values = from_device(out, 64);
  for (int i = 0; i < 64; ++i) wrong += values[i] != host_weights[i % 8] * 100 + (i % 4 + 1) * 10;

  unsigned count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  wrong += count != 1064;
  wrong += shared_with_host != 42;

  void* address = nullptr;
  size_t bytes = 0;
  CHECK(cudaGetSymbolAddress(&address, table));
  CHECK(cudaGetSymbolSize(&bytes, table));
  wrong += bytes != sizeof table;
  int last = 0;
  CHECK(cudaMemcpy(&last, static_cast<int*>(address) + 3, sizeof last, cudaMemcpyDeviceToHost));
  wrong += last != 40;

  const int seven = 7;  // a managed variable is a symbol, too
  CHECK(cudaMemcpyToSymbol(shared_with_host, &seven, sizeof seven));
  wrong += shared_with_host != 7;
  CHECK(cudaMemcpyFromSymbol(&last, shared_with_host, sizeof last));
  wrong += last != 7;
  CHECK(cudaGetSymbolAddress(&address, shared_with_host));
  CHECK(cudaGetSymbolSize(&bytes, shared_with_host));
  wrong += address != &shared_with_host || bytes != sizeof(int);

  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, use));
  wrong += attributes.constSizeBytes != sizeof weights;

  // More than the symbol has.
  wrong += cudaMemcpyToSymbol(weights, host_weights, 8 * sizeof(int), 4) != cudaErrorInvalidValue;
  wrong += cudaGetLastError() != cudaErrorInvalidValue;
  wrong += cudaGetLastError() != cudaSuccess;
  return verdict("symbols", wrong, 72);
}

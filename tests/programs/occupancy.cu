// SPDX-License-Identifier: MIT
// What the runtime says of kernels with few and many registers: how many blocks of them a
// multiprocessor runs, how many threads a block may have, and a launch that asks for too many.
#include "program.cuh"

// kCount values of a thread that are all needed until the end.
template <int kCount>
__device__ void keep(float* data) {
  float held[kCount];
#pragma unroll
  for (int i = 0; i < kCount; ++i) held[i] = data[threadIdx.x + i * blockDim.x];
  for (int round = 0; round < 4; ++round) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) held[i] = held[i] * held[(i + 1) % kCount] + data[round];
  }
#pragma unroll
  for (int i = 0; i < kCount; ++i) data[threadIdx.x + i * blockDim.x] = held[i];
}

__global__ void few(float* data) { data[threadIdx.x] += 1; }
__global__ void some(float* data) { keep<40>(data); }
__global__ void many(float* data) { keep<100>(data); }
__global__ void most(float* data) { keep<200>(data); }
__global__ void __launch_bounds__(1024) bounded(float* data) { keep<40>(data); }
__global__ void __launch_bounds__(256, 4) four_at_least(float* data) { keep<40>(data); }
__global__ void __maxnreg__(40) limited(float* data) { keep<30>(data); }

void ask(const char* name, void (*kernel)(float*)) {
  cudaFuncAttributes found;
  CHECK(cudaFuncGetAttributes(&found, kernel));
  std::printf("%s: %d registers, %d threads in a block, blocks on a multiprocessor:", name,
              found.numRegs, found.maxThreadsPerBlock);
  for (const int threads : {32, 96, 128, 160, 256, 384, 512, 1024}) {
    int blocks = -1;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0));
    std::printf(" %d", blocks);
  }
  int grid = 0, block = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel));
  std::printf("; best %d of %d\n", grid, block);
}

int main() {
  ask("few", few);
  ask("some", some);
  ask("many", many);
  ask("most", most);
  ask("bounded", bounded);
  ask("four_at_least", four_at_least);
  ask("limited", limited);
  float* data = to_device(std::vector<float>(1024 * 200));
  most<<<1, 1024>>>(data);
  std::printf("1024 threads of most: %s\n", cudaGetErrorName(cudaGetLastError()));
  void* arguments[] = {&data};
  std::printf("cooperative: %s\n",
              cudaGetErrorName(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(many),
                                                           dim3(1056), dim3(128), arguments)));
  return 0;
}

// SPDX-License-Identifier: MIT
// What cudaDeviceSetLimit takes and what becomes of it; and how many blocks a multiprocessor has
// room for, by how much of its cache a kernel prefers as shared memory. h200/limits.txt has a
// card's answers.
#include "program.cuh"

__global__ void some(int* out) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = 1;
  __syncthreads();
  if (out) *out = shared[0];
}

void limit(const char* name, cudaLimit which, std::initializer_list<std::size_t> values) {
  for (const std::size_t value : values) {
    const cudaError_t set = cudaDeviceSetLimit(which, value);
    std::size_t got = 7;
    const cudaError_t get = cudaDeviceGetLimit(&got, which);
    std::printf("%s %zu: %s, then %s %zu\n", name, value, cudaGetErrorName(set),
                cudaGetErrorName(get), got);
    cudaGetLastError();
  }
}

void blocks(int percent) {
  std::printf("%d percent: %s:", percent,
              cudaGetErrorName(cudaFuncSetAttribute(
                  some, cudaFuncAttributePreferredSharedMemoryCarveout, percent)));
  cudaGetLastError();
  for (const int bytes : {0, 1000, 7000, 7040, 7041, 15000, 31000, 48000})
    for (const int threads : {32, 256, 1024}) {
      int count = -1;
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, some, threads, bytes);
      std::printf(" %d", count);
    }
  std::printf("\n");
}

int main() {
  limit("stack", cudaLimitStackSize, {0, 1, 100, 1000, 1024, 1025, 2000, 500000, 1 << 20, 1024});
  limit("depth", cudaLimitDevRuntimeSyncDepth, {0, 2, 64});
  limit("launches", cudaLimitDevRuntimePendingLaunchCount,
        {0, 31, 32, 33, 5000, 599186, 599187, std::size_t{1} << 40});
  limit("granularity", cudaLimitMaxL2FetchGranularity, {0, 1, 31, 64, 100, 128, 129, 5000});
  limit("none", static_cast<cudaLimit>(99), {1});
  for (int percent = -2; percent <= 101; ++percent) blocks(percent);
  return 0;
}

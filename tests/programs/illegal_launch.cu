// SPDX-License-Identifier: MIT
// Launches that never start, and the error of each: reported by the launch, gone once it was read.
#include "program.cuh"

__global__ void nothing() {}
__global__ void __launch_bounds__(64) bounded(int* out) { out[threadIdx.x] = 1; }
__global__ void dynamic(int* out) {
  extern __shared__ int numbers[];
  numbers[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = numbers[threadIdx.x];
}

static void report(const char* what) {
  std::printf("%s: %s\n", what, cudaGetErrorName(cudaGetLastError()));
}

int main() {
  int* out = to_device(std::vector<int>(1024, 7));
  nothing<<<1, 1025>>>();
  report("1025 threads");
  nothing<<<0, 32>>>();
  report("no blocks");
  nothing<<<1, dim3(1, 1, 65)>>>();
  report("65 deep");
  nothing<<<dim3(1, 65536), 32>>>();
  report("65536 high");
  bounded<<<1, 65>>>(out);
  report("65 of 64 threads");
  dynamic<<<1, 32, 48 * 1024 + 1>>>(out);
  report("48 KiB and one");
  std::printf("setting 1 MiB: %s\n",
              cudaGetErrorName(cudaFuncSetAttribute(
                  dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20)));
  cudaGetLastError();
  CHECK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
  dynamic<<<1, 32, 64 * 1024>>>(out);
  report("64 KiB allowed");
  void* none[1] = {nullptr};
  cudaLaunchKernel(reinterpret_cast<const void*>(0x1234), dim3(1), dim3(1), none, 0, nullptr);
  report("no kernel");
  CHECK(cudaDeviceSynchronize());
  const std::vector<int> values = from_device(out, 1024);
  int wrong = 0;
  for (int i = 0; i < 1024; ++i) wrong += values[i] != (i < 32 ? i : 7);
  return verdict("illegal_launch", wrong, 1024);
}

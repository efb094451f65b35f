// SPDX-License-Identifier: MIT
// What the runtime and the driver answer to launches and questions that cannot be: each line is a
// call, what it returned and what cudaGetLastError then said. h200/launch_errors.txt is a card's.
#include <cuda.h>

#include "program.cuh"

__global__ void plain(int* out) { out[0] = 1; }
__global__ void __launch_bounds__(64) bounded(int* out) { out[0] = 1; }
__global__ void __cluster_dims__(2, 1, 1) clustered(int* out) { out[0] = 1; }
__global__ void dynamic(int* out) {
  extern __shared__ int numbers[];
  numbers[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = numbers[threadIdx.x];
}
__device__ int variable;

static int* memory;

#define LAUNCH(...) (__VA_ARGS__, say(#__VA_ARGS__, cudaPeekAtLastError()))

static cudaError_t launch(void (*kernel)(int*), dim3 grid, dim3 block, dim3 cluster,
                          bool cooperative = false, std::size_t shared_bytes = 0) {
  cudaLaunchConfig_t how{grid, block, shared_bytes, nullptr, nullptr, 0};
  cudaLaunchAttribute attributes[2];
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim = {cluster.x, cluster.y, cluster.z};
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = cooperative;
  how.attrs = attributes;
  how.numAttrs = 2;
  return cudaLaunchKernelEx(&how, kernel, memory);
}

static void shapes() {
  LAUNCH(plain<<<1, 1025>>>(memory));
  LAUNCH(plain<<<0, 1>>>(memory));
  LAUNCH(plain<<<1, 0>>>(memory));
  LAUNCH(plain<<<dim3(1, 70000), 1>>>(memory));
  LAUNCH(plain<<<dim3(1, 1, 65536), 1>>>(memory));
  LAUNCH(plain<<<0x80000000u, 1>>>(memory));
  LAUNCH(plain<<<1, dim3(1, 1, 65)>>>(memory));
  LAUNCH(plain<<<1, dim3(32, 33)>>>(memory));
  LAUNCH(bounded<<<1, 65>>>(memory));
  LAUNCH(bounded<<<1, 1025>>>(memory));
  LAUNCH(bounded<<<0, 65>>>(memory));
  LAUNCH(dynamic<<<1, 32, 49153>>>(memory));
  LAUNCH(dynamic<<<1, 32, 300000>>>(memory));
  LAUNCH(dynamic<<<0, 32, 300000>>>(memory));
  SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
  LAUNCH(dynamic<<<1, 32, 232448>>>(memory));
  SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
  SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  LAUNCH(dynamic<<<1, 32, 232449>>>(memory));
}

static void clusters() {
  LAUNCH(clustered<<<3, 1>>>(memory));
  LAUNCH(clustered<<<4, 1>>>(memory));
  LAUNCH(clustered<<<0, 1>>>(memory));
  LAUNCH(clustered<<<3, 1025>>>(memory));
  SAY(launch(clustered, 4, 1, 4));
  SAY(launch(clustered, 4, 1, 2));
  SAY(launch(clustered, 4, 1, 1));
  SAY(launch(clustered, 4, 1, dim3(1, 2, 1)));
  SAY(launch(plain, 3, 1, 2));
  SAY(launch(plain, 2, 1, dim3(1, 2, 1)));
  SAY(launch(plain, 4, 1, 0));
  SAY(launch(plain, 4, 1, dim3(2, 0, 1)));
  SAY(launch(plain, 0, 1, 2));
  SAY(launch(plain, 8, 1, 8));
  SAY(launch(plain, 9, 1, 9));
  SAY(launch(plain, 16, 1, 16));
  SAY(launch(plain, 17, 1, 17));
  SAY(launch(plain, 15, 1025, 16));
  SAY(launch(plain, 16, 1025, 16));
  SAY(launch(plain, 16, 1, 16, false, 300000));
  SAY(cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  SAY(launch(plain, 9, 1, 9));
  SAY(launch(plain, 12, 1, 12));
  SAY(launch(plain, dim3(4, 4, 1), 1, dim3(4, 4, 1)));
  SAY(launch(plain, 16, 1, 16));
  SAY(launch(plain, 17, 1, 17));
  SAY(launch(plain, 32, 1, 32));
  SAY(cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 2));
  SAY(cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
  SAY(launch(plain, 16, 1, 16));
  SAY(launch(bounded, 2, 65, 2));
  SAY(launch(plain, 100000, 256, 1, true));
  SAY(launch(plain, 132, 256, 1, true));
  SAY(launch(plain, 132, 256, 2, true));
  SAY(launch(plain, 100000, 256, 2, true));
}

static void unknown() {
  void* arguments[] = {&memory};
  const void* none = reinterpret_cast<const void*>(say);
  SAY(cudaLaunchKernel(none, dim3(1), dim3(1), arguments, 0, nullptr));
  SAY(cudaLaunchKernel(none, dim3(0), dim3(1), arguments, 0, nullptr));
  SAY(cudaLaunchKernel(nullptr, dim3(1), dim3(1), arguments, 0, nullptr));
  SAY(cudaLaunchCooperativeKernel(none, dim3(1), dim3(1), arguments, 0, nullptr));
  cudaFuncAttributes found;
  SAY(cudaFuncGetAttributes(&found, none));
  SAY(cudaFuncGetAttributes(&found, (const void*)nullptr));
  SAY(cudaFuncSetAttribute(none, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
  SAY(cudaFuncSetCacheConfig(none, cudaFuncCachePreferL1));
  const char* name = nullptr;
  SAY(cudaFuncGetName(&name, none));
  std::size_t offset = 0, size = 0;
  SAY(cudaFuncGetParamInfo(none, 0, &offset, &size));
  SAY(cudaFuncGetParamInfo((const void*)plain, 0, &offset, &size));
  SAY(cudaFuncGetParamInfo((const void*)plain, 1, &offset, &size));
  int blocks = 0;
  SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, none, 32, 0));
  cudaFunction_t function;
  SAY(cudaGetFuncBySymbol(&function, none));
  cudaKernel_t kernel;
  SAY(cudaGetKernel(&kernel, none));
  void* address;
  SAY(cudaGetSymbolAddress(&address, &blocks));
  SAY(cudaGetSymbolSize(&size, &blocks));
  SAY(cudaMemcpyToSymbol(&blocks, &blocks, 4));
  SAY(cudaMemcpyToSymbol(variable, &blocks, 8));
  SAY(cudaMemcpyToSymbol(variable, &blocks, 4, 1));
  SAY(cudaFuncSetAttribute(plain, (cudaFuncAttribute)77, 1));
  SAY(cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
}

static void occupancy() {
  int blocks = -1;
  for (const int threads : {-1, 0, 1, 33, 64, 65, 1024, 1025, 2048}) {
    const cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, threads, 0);
    std::printf("%d threads: %s %d\n", threads, cudaGetErrorName(error), blocks);
    cudaGetLastError();
  }
  for (const int threads : {64, 65}) {
    const cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, threads, 0);
    std::printf("bounded, %d threads: %s %d\n", threads, cudaGetErrorName(error), blocks);
  }
  for (const std::size_t bytes : {1u, 1000u, 7168u, 49152u, 49153u, 116000u, 232448u, 232449u}) {
    const cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 32, bytes);
    const cudaError_t more =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 32, bytes);
    std::printf("%zu bytes: %s %s %d\n", bytes, cudaGetErrorName(error), cudaGetErrorName(more),
                blocks);
    cudaGetLastError();
  }
  std::size_t bytes = 0;
  for (const int each : {1, 2, 8, 32, 33}) {
    const cudaError_t error = cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, dynamic, each, 64);
    std::printf("%d blocks: %s %zu\n", each, cudaGetErrorName(error), bytes);
    cudaGetLastError();
  }
}

static void device() {
  std::size_t value = 0;
  int number = 0;
  SAY(cudaDeviceGetLimit(&value, (cudaLimit)99));
  SAY(cudaDeviceSetLimit((cudaLimit)99, 1));
  SAY(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  SAY(cudaDeviceEnablePeerAccess(0, 0));
  SAY(cudaDeviceEnablePeerAccess(7, 0));
  SAY(cudaDeviceDisablePeerAccess(0));
  SAY(cudaDeviceDisablePeerAccess(7));
  SAY(cudaDeviceCanAccessPeer(&number, 0, 0));
  SAY(cudaDeviceCanAccessPeer(&number, 0, 7));
  SAY(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                         cudaFlushGPUDirectRDMAWritesToOwner));
  SAY(cudaSetDevice(7));
  SAY(cudaSetDevice(-1));
  cudaDeviceProp properties;
  SAY(cudaGetDeviceProperties(&properties, 3));
  SAY(cudaDeviceGetAttribute(&number, (cudaDeviceAttr)9999, 0));
  SAY(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 5));
  SAY(cudaEventSynchronize(nullptr));
  SAY(cudaStreamSynchronize(nullptr));
  SAY(cudaMemset(nullptr, 0, 4));
  SAY(cudaMemset(nullptr, 0, 0));
  SAY(cudaFree((void*)0x12340));
  SAY(cudaFree((char*)memory + 4));
  SAY(cudaFreeHost((void*)&number));
  SAY(cudaMemcpy(memory, nullptr, 4, cudaMemcpyHostToDevice));
  SAY(cudaMemcpy(memory, &number, 4, (cudaMemcpyKind)77));
  SAY(cudaMemcpy2D(memory, 50, memory, 100, 60, 2, cudaMemcpyDeviceToDevice));
  SAY(cudaHostRegister(nullptr, 4, 0));
  SAY(cudaMallocHost((void**)nullptr, 4));
  SAY(cudaMalloc((void**)nullptr, 4));
  SAY(cudaStreamCreate(nullptr));
  SAY(cudaEventCreate((cudaEvent_t*)nullptr));
  std::printf("%s | %s | %s | %s\n", cudaGetErrorString(cudaErrorIllegalAddress),
              cudaGetErrorString((cudaError_t)12345), cudaGetErrorName((cudaError_t)12345),
              cudaGetErrorString(cudaErrorInvalidClusterSize));
}

static CUresult drive(CUfunction function, dim3 grid, dim3 block, unsigned shared_bytes = 0,
                      unsigned cluster = 1) {
  void* arguments[] = {&memory};
  CUlaunchConfig how{grid.x,  grid.y,       grid.z,  block.x, block.y,
                     block.z, shared_bytes, nullptr, nullptr, 0};
  CUlaunchAttribute attribute;
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = cluster;
  attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  how.attrs = &attribute;
  how.numAttrs = cluster != 1;
  void* call = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion("cuLaunchKernelEx", &call, 12000, cudaEnableDefault,
                                         &found));
  return reinterpret_cast<CUresult (*)(const CUlaunchConfig*, CUfunction, void**, void**)>(call)(
      &how, function, arguments, nullptr);
}
#define DRIVE(call) std::printf(#call ": %d\n", static_cast<int>(call))

static void driver() {
  cudaFunction_t plain_, bounded_, clustered_;
  CHECK(cudaGetFuncBySymbol(&plain_, (const void*)plain));
  CHECK(cudaGetFuncBySymbol(&bounded_, (const void*)bounded));
  CHECK(cudaGetFuncBySymbol(&clustered_, (const void*)clustered));
  DRIVE(drive(plain_, 1, 1));
  DRIVE(drive(plain_, 0, 1));
  DRIVE(drive(plain_, 1, 1025));
  DRIVE(drive(plain_, dim3(1, 70000), 1));
  DRIVE(drive(bounded_, 1, 65));
  DRIVE(drive(plain_, 1, 1, 300000));
  DRIVE(drive(clustered_, 3, 1));
  DRIVE(drive(plain_, 3, 1, 0, 2));
  DRIVE(drive(plain_, 16, 1, 0, 16));
  DRIVE(drive(plain_, 17, 1, 0, 17));
}

int main() {
  CHECK(cudaMalloc(&memory, 1 << 20));
  shapes();
  clusters();
  unknown();
  occupancy();
  device();
  driver();
  CHECK(cudaDeviceSynchronize());
  return 0;
}

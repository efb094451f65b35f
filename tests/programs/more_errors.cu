// SPDX-License-Identifier: MIT
// More of launch_errors.cu: clusters that a kernel or cudaFuncSetAttribute wants, shared memory
// that is left for so many blocks, nodes of graphs, memory of no bytes, captures. A line a
// question; h200/more_errors.txt has a card's answers.
#include "program.cuh"
__global__ void plain(int* out) { out[0] = 1; }
__global__ void __launch_bounds__(64) bounded(int* out) { out[0] = 1; }
__global__ void __cluster_dims__(16, 1, 1) sixteen(int* out) { out[0] = 1; }
__global__ void __cluster_dims__(9, 1, 1) nine(int* out) { out[0] = 1; }
__global__ void fixed(int* out) {
  __shared__ int more[3000];
  more[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[0] = more[out[1] & 31];
}
static int* memory;
int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);
  CHECK(cudaMalloc(&memory, 1 << 20));
  sixteen<<<16, 1>>>(memory);
  SAY(cudaPeekAtLastError());
  nine<<<9, 1>>>(memory);
  SAY(cudaPeekAtLastError());
  SAY(cudaFuncSetAttribute(sixteen, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  sixteen<<<16, 1>>>(memory);
  SAY(cudaPeekAtLastError());
  sixteen<<<15, 1>>>(memory);
  SAY(cudaPeekAtLastError());
  SAY(cudaDeviceSynchronize());
  std::size_t bytes = 0;
  for (int each : {0, 1, 2, 3, 5, 7, 8, 16, 17, 31, 32})
    for (int threads : {1, 64, 128, 1024}) {
      const cudaError_t a = cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fixed, each, threads);
      std::printf("%d x %d: %s %zu\n", each, threads, cudaGetErrorName(a), bytes);
      cudaGetLastError();
    }
  cudaGraph_t graph;
  cudaGraphNode_t node;
  CHECK(cudaGraphCreate(&graph, 0));
  void* arguments[] = {&memory};
  cudaKernelNodeParams how{};
  auto ask = [&](const char* what) {
    say(what, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &how));
  };
  how.func = (void*)plain;
  how.gridDim = 1;
  how.blockDim = 1;
  how.kernelParams = arguments;
  ask("node");
  how.gridDim = 0;
  ask("grid 0");
  how.gridDim = 1;
  how.blockDim = 1025;
  ask("block 1025");
  how.func = (void*)bounded;
  how.blockDim = 65;
  ask("bounded 65");
  how.func = (void*)say;
  how.blockDim = 1;
  ask("unknown");
  how.func = nullptr;
  ask("null");
  how.func = (void*)plain;
  how.sharedMemBytes = 300000;
  ask("shared");
  how.sharedMemBytes = 0;
  how.kernelParams = nullptr;
  ask("no parameters");
  cudaGraphExec_t exec;
  SAY(cudaGraphInstantiate(&exec, graph, 0));
  cudaFuncAttributes found;
  CHECK(cudaFuncGetAttributes(&found, fixed));
  std::printf("%zu %zu %d %d %d %d\n", found.sharedSizeBytes, found.localSizeBytes,
              found.maxThreadsPerBlock, found.maxDynamicSharedSizeBytes,
              found.preferredShmemCarveout, found.clusterDimMustBeSet);
  CHECK(cudaFuncGetAttributes(&found, sixteen));
  std::printf("%d %d %d %d %d %d\n", found.clusterDimMustBeSet, found.requiredClusterWidth,
              found.requiredClusterHeight, found.requiredClusterDepth,
              found.clusterSchedulingPolicyPreference, found.nonPortableClusterSizeAllowed);
  CHECK(cudaFuncGetAttributes(&found, plain));
  std::printf("%d %d %d %d %d %d\n", found.clusterDimMustBeSet, found.requiredClusterWidth,
              found.requiredClusterHeight, found.requiredClusterDepth,
              found.clusterSchedulingPolicyPreference, found.nonPortableClusterSizeAllowed);
  SAY(cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterWidth, 2));
  SAY(cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterHeight, 1));
  SAY(cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterDepth, 1));
  plain<<<3, 1>>>(memory);
  SAY(cudaPeekAtLastError());
  plain<<<4, 1>>>(memory);
  SAY(cudaPeekAtLastError());
  cudaLaunchConfig_t c{4, 1, 0, nullptr, nullptr, 0};
  int clusters = -1;
  SAY(cudaOccupancyMaxActiveClusters(&clusters, plain, &c));
  std::printf("%d\n", clusters);
  SAY(cudaOccupancyMaxPotentialClusterSize(&clusters, plain, &c));
  std::printf("%d\n", clusters);
  void* p = nullptr;
  SAY(cudaMalloc(&p, 0));
  std::printf("%d\n", p == nullptr);
  SAY(cudaMallocManaged(&p, 0));
  SAY(cudaMallocAsync(&p, 0, 0));
  SAY(cudaFreeAsync(nullptr, 0));
  SAY(cudaFreeHost(nullptr));
  SAY(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  SAY(cudaMemcpy(memory, memory + 100, 1 << 20, cudaMemcpyDeviceToDevice));
  int host[4] = {};
  SAY(cudaMemcpy(host, memory, 16, cudaMemcpyHostToDevice));
  SAY(cudaMemcpy(memory, host, 16, cudaMemcpyDeviceToHost));
  SAY(cudaMemcpy(host, memory, 16, cudaMemcpyDefault));
  SAY(cudaMemset(host, 0, 16));
  SAY(cudaMemset2D(memory, 10, 0, 20, 2));
  SAY(cudaMemcpyToSymbol(host, host, 4));
  cudaEvent_t a, b;
  float ms = 0;
  CHECK(cudaEventCreate(&a));
  CHECK(cudaEventCreate(&b));
  SAY(cudaEventElapsedTime(&ms, a, b));
  SAY(cudaEventQuery(a));
  SAY(cudaEventSynchronize(a));
  SAY(cudaEventRecord(a));
  SAY(cudaEventRecord(b));
  SAY(cudaEventSynchronize(b));
  SAY(cudaEventElapsedTime(&ms, b, a));
  cudaPointerAttributes at;
  SAY(cudaPointerGetAttributes(&at, nullptr));
  std::printf("%d %d\n", at.type, at.device);
  SAY(cudaPointerGetAttributes(&at, memory + 10));
  std::printf("%d %d\n", at.type, at.device);
  SAY(cudaHostGetDevicePointer(&p, host, 0));
  SAY(cudaHostUnregister(host));
  SAY(cudaMemPrefetchAsync(memory, 16, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0));
  SAY(cudaMemAdvise(memory, 16, cudaMemAdviseSetReadMostly,
                    cudaMemLocation{cudaMemLocationTypeDevice, 0}));
  SAY(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  cudaGraph_t g = nullptr;
  SAY(cudaStreamEndCapture(s, &g));
  SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  SAY(cudaStreamEndCapture(s, &g));
  SAY(cudaGraphInstantiate(&exec, g, 0));
  SAY(cudaGraphLaunch(exec, s));
  SAY(cudaGraphExecDestroy(exec));
  SAY(cudaGraphDestroy(g));
  SAY(cudaDeviceSynchronize());
  return 0;
}

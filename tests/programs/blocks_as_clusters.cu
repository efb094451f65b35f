// SPDX-License-Identifier: MIT
// What kernels say of their clusters: none, __cluster_dims__() that wants a launch to name one, the
// most of __launch_bounds__, and __block_size__, with which a launch counts clusters. A line a
// question; h200/blocks_as_clusters.txt has a card's answers.
#include "program.cuh"
__device__ void tell(int* out) {
  int rank, ranks, is_explicit;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(ranks));
  asm("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.s32 %0, 1, 0, p;}"
      : "=r"(is_explicit));
  if (threadIdx.x != 0) return;
  atomicAdd(out, 1);
  atomicAdd(out + 1, rank);
  out[2] = ranks;
  out[3] = gridDim.x;
  out[4] = blockDim.x;
  out[5] = is_explicit;
}
__global__ void plain(int* out) { tell(out); }
__global__ void __cluster_dims__() some(int* out) { tell(out); }
__global__ void __cluster_dims__(1, 1, 1) one(int* out) { tell(out); }
__global__ void __launch_bounds__(32, 1, 2) bounded(int* out) { tell(out); }
__block_size__((32, 1, 1), (2, 1, 1)) __global__ void pairs(int* out) { tell(out); }
__block_size__((64, 1, 1)) __global__ void single(int* out) { tell(out); }

static int* memory;
static void* arguments[] = {&memory};
void answer(const char* what, cudaError_t error) {
  std::printf("%s: %s", what, cudaGetErrorName(error));
  cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int out[6];
  CHECK(cudaMemcpy(out, memory, sizeof out, cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(memory, 0, sizeof out));
  if (error == cudaSuccess)
    std::printf(", %d CTAs of %d, grid %d, block %d, ranks %d, explicit %d", out[0], out[2], out[3],
                out[4], out[1], out[5]);
  std::puts("");
}
#define SHOW(...) (__VA_ARGS__, answer(#__VA_ARGS__, cudaPeekAtLastError()))

struct Named {
  const char* name;
  void (*kernel)(int*);
};
void ask_each(const Named& named) {
  const auto kernel = reinterpret_cast<const void*>(named.kernel);
  std::printf("-- %s\n", named.name);
  cudaFuncAttributes about;
  CHECK(cudaFuncGetAttributes(&about, kernel));
  std::printf("must be set %d, %d %d %d\n", about.clusterDimMustBeSet, about.requiredClusterWidth,
              about.requiredClusterHeight, about.requiredClusterDepth);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cudaLaunchConfig_t config{4, 32, 0, nullptr, &cluster, 0};
  for (unsigned width : {0, 1, 2, 4}) {
    cluster.val.clusterDim = {width, 1, 1};
    config.numAttrs = width != 0;
    std::printf("cluster %u: ", width);
    answer("launch", cudaLaunchKernelExC(&config, kernel, arguments));
    int clusters = -1;
    std::printf("  active %s",
                cudaGetErrorName(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config)));
    std::printf(" %d", clusters);
    clusters = -1;
    std::printf(", potential %s",
                cudaGetErrorName(cudaOccupancyMaxPotentialClusterSize(&clusters, kernel, &config)));
    std::printf(" %d\n", clusters);
    cudaGetLastError();
  }
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  config.attrs = &together;
  config.numAttrs = 1;
  answer("cooperative", cudaLaunchKernelExC(&config, kernel, arguments));
}

void ask_graph() {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  std::size_t count = 1;
  cudaKernelNodeParams how{};
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(pairs), 4, 1, arguments, 0, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphGetNodes(graph, &node, &count));
  CHECK(cudaGraphKernelNodeGetParams(node, &how));
  std::printf("captured: grid %u, block %u\n", how.gridDim.x, how.blockDim.x);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  SHOW(cudaGraphLaunch(exec, stream));
  SAY(cudaGraphExecKernelNodeSetParams(exec, node, &how));
  SHOW(cudaGraphLaunch(exec, stream));
  how.func = reinterpret_cast<void*>(pairs);
  how.gridDim = 3;
  how.blockDim = 1;
  SAY(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &how));
  CHECK(cudaGraphKernelNodeGetParams(node, &how));
  std::printf("added: grid %u, block %u\n", how.gridDim.x, how.blockDim.x);
}

int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);
  CHECK(cudaMalloc(&memory, 64));
  CHECK(cudaMemset(memory, 0, 64));
  SHOW(plain<<<1, 1>>>(memory));
  SHOW(some<<<1, 1>>>(memory));
  SHOW(one<<<1, 1>>>(memory));
  SHOW(bounded<<<4, 32>>>(memory));
  SHOW(pairs<<<4>>>(memory));
  SHOW(single<<<4>>>(memory));
  const auto of = [](auto kernel) { return reinterpret_cast<const void*>(kernel); };
  SHOW(cudaLaunchKernel(of(pairs), 3, 32, arguments, 0, nullptr));
  SHOW(cudaLaunchKernel(of(pairs), 3, 0, arguments, 0, nullptr));
  SHOW(cudaLaunchKernel(of(pairs), 3, 2000, arguments, 0, nullptr));
  SHOW(cudaLaunchKernel(of(pairs), 0, 32, arguments, 0, nullptr));
  SHOW(cudaLaunchKernel(of(pairs), dim3(1u << 30), 32, arguments, 0, nullptr));
  SHOW(cudaLaunchKernel(of(single), 3, 1, arguments, 0, nullptr));
  for (const Named& named : {Named{"plain", plain},
                             {"some", some},
                             {"one", one},
                             {"bounded", bounded},
                             {"pairs", pairs},
                             {"single", single}})
    ask_each(named);
  ask_graph();
  SAY(cudaFuncSetAttribute(pairs, cudaFuncAttributeRequiredClusterWidth, 2));
  SAY(cudaFuncSetAttribute(some, cudaFuncAttributeRequiredClusterWidth, 2));
  SHOW(some<<<2, 1>>>(memory));
  SHOW(some<<<3, 1>>>(memory));
}

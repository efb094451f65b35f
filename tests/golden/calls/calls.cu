// SPDX-License-Identifier: MIT
// Calls of the CUDA runtime with arguments at random, right and wrong ones, and what each answers:
// a line `CALL(ARGUMENTS) -> CODE WHAT CAME OUT`, and where that is not what the code leads to,
// behind `then` what cudaDeviceSynchronize, cudaPeekAtLastError, cudaGetLastError and
// cudaGetLastError once more say. Exit code 4: the context is lost, go on behind this call.
//
// usage: calls SEED FIRST END
#include "../check_cuda.cuh"
#include "arrays.cuh"
#include "card.cuh"
#include "copies.cuh"
#include "graphs.cuh"
#include "kernels.cuh"
#include "memory.cuh"
#include "nodes.cuh"
#include "pools.cuh"
#include "streams.cuh"

#include <vector>

using namespace calls;

template <size_t kCount>
static void append(std::vector<Call>& all, const Call (&more)[kCount]) {
  all.insert(all.end(), more, more + kCount);
}

/// In the order in which the recording draws them.
static std::vector<Call> all_calls() {
  std::vector<Call> all;
  append(all, kCopies);
  append(all, kMemory);
  append(all, kArrays);
  append(all, kCard);
  append(all, kStreams);
  append(all, kKernels);
  append(all, kPools);
  append(all, kNodes);
  append(all, kGraphs);
  return all;
}

static void make_memory() {
  CHECK_CUDA(cudaMalloc(&dev, kBytes));
  CHECK_CUDA(cudaMalloc(&dev2, kBytes));
  CHECK_CUDA(cudaMallocHost(&pinned, kBytes));
  CHECK_CUDA(cudaHostAlloc(&mapped, kBytes, cudaHostAllocMapped));
  CHECK_CUDA(cudaMallocManaged(&man, kBytes));
  host = (char*)aligned_alloc(4096, 2 * kBytes);
  memset(host, 0, 2 * kBytes);
  CHECK_CUDA(cudaMalloc(&freed, 4096));
  CHECK_CUDA(cudaFree(freed));
}

static void make_streams() {
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream_nb, cudaStreamNonBlocking));
  CHECK_CUDA(cudaEventCreate(&event));
  CHECK_CUDA(cudaEventCreateWithFlags(&event_nt, cudaEventDisableTiming));
  CHECK_CUDA(cudaEventCreate(&event_never));
  CHECK_CUDA(cudaEventRecord(event));
  CHECK_CUDA(cudaEventRecord(event_nt));
}

static void make_arrays() {
  const cudaChannelFormatDesc f32 = cudaCreateChannelDesc<float>();
  CHECK_CUDA(cudaMallocArray(&array1, &f32, 64));
  CHECK_CUDA(cudaMallocArray(&array2, &f32, 64, 32));
  CHECK_CUDA(cudaMalloc3DArray(&array3, &f32, {16, 8, 4}));
  CHECK_CUDA(cudaMalloc3DArray(&layered, &f32, {16, 8, 4}, cudaArrayLayered));
  CHECK_CUDA(cudaMallocArray(&surface_array, &f32, 64, 32, cudaArraySurfaceLoadStore));
  CHECK_CUDA(cudaMallocMipmappedArray(&mip, &f32, {16, 8, 0}, 3));
}

static void make_graph() {
  CHECK_CUDA(cudaGraphCreate(&graph, 0));
  CHECK_CUDA(cudaGraphAddEmptyNode(&node_a, graph, nullptr, 0));
  cudaMemsetParams fill{};
  fill.dst = dev;
  fill.elementSize = 1;
  fill.width = 64;
  fill.height = 1;
  CHECK_CUDA(cudaGraphAddMemsetNode(&node_b, graph, &node_a, 1, &fill));
  cudaKernelNodeParams kernel{};
  kernel.func = (void*)nothing;
  kernel.gridDim = kernel.blockDim = dim3(1);
  CHECK_CUDA(cudaGraphAddKernelNode(&node_c, graph, &node_b, 1, &kernel));
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
}

static void make_things() {
  CHECK_CUDA(cudaSetDevice(0));
  make_memory();
  make_streams();
  make_arrays();
  cudaMemPoolProps how{};
  how.allocType = cudaMemAllocationTypePinned;
  how.location = {cudaMemLocationTypeDevice, 0};
  CHECK_CUDA(cudaMemPoolCreate(&pool, &how));
  CHECK_CUDA(cudaDeviceGetDefaultMemPool(&default_pool, 0));
  make_graph();
  CHECK_CUDA(cudaDeviceSynchronize());
}

/// False where the context is lost.
static bool ask(const Call& call) {
  said = std::string(call.name) + "(";
  told.clear();
  const int answer = call.run();
  const int sync = cudaDeviceSynchronize();
  const int peek = cudaPeekAtLastError(), last = cudaGetLastError(), again = cudaGetLastError();
  printf("%s) -> %d%s", said.c_str(), answer, told.c_str());
  if (sync != 0 || peek != answer || last != answer || again != 0)
    printf(" then %d %d %d %d", sync, peek, last, again);
  printf("\n");
  fflush(stdout);
  return sync == 0 && again == 0;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const uint64_t seed = strtoull(argv[1], nullptr, 10);
  const long first = atol(argv[2]), end = atol(argv[3]);
  make_things();
  const std::vector<Call> all = all_calls();
  for (long which = first; which < end; ++which) {
    state = seed * 1000003 + uint64_t(which);
    next(), next();
    if (!ask(all[below(unsigned(all.size()))])) return 4;
  }
}

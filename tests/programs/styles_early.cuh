// SPDX-License-Identifier: MIT
// Kernels that may begin before the one ahead of them has ended, and wait before they touch what
// that one has to do with. Kernels of styles.cu.
#pragma once

#include "styles_copies.cuh"

/// Launched behind another kernel in the stream, early.
template <class... Given, class... Values>
void launch_early(cudaStream_t stream, void (*kernel)(Given...), Values... values) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = kBlocks;
  config.blockDim = kThreads;
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, kernel, static_cast<Given>(values)...));
}

// The next layer's weights may be read at once, what the layer before has made not; one thread
// waits for all.
__global__ void next_layer(const int* weights, const int* before, int* after) {
  const int at = blockIdx.x * kThreads + threadIdx.x, weight = weights[at];
  cudaTriggerProgrammaticLaunchCompletion();
  if (threadIdx.x == 0) cudaGridDependencySynchronize();
  __syncthreads();
  after[at] = weight + before[(at + kThreads) % kCount];
}

// The producer waits; consumers hear of it with the tile.
__global__ void next_layer_by_copies(const int* before, int* after) {
  __shared__ Stage stage;
  prepare(stage);
  if (threadIdx.x == 0) {
    cudaGridDependencySynchronize();
    fetch(stage, before + blockIdx.x * kThreads);
  }
  ptx::mbarrier_wait_parity(&stage.full, 0);
  after[blockIdx.x * kThreads + threadIdx.x] += stage.tile[threadIdx.x];
  cudaTriggerProgrammaticLaunchCompletion();
}

// A block waits and says so to the next one.
__global__ void told_that_it_is_over(int* data, int* turn) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0)
      cudaGridDependencySynchronize();
    else
      await(&turn[blockIdx.x - 1]);
    set(&turn[blockIdx.x]);
  }
  __syncthreads();
  data[blockIdx.x * kThreads + threadIdx.x] *= 2;
}

/// What is launched into the stream meanwhile, as a graph.
template <class Launch>
void launch_as_graph(Launch launch) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  launch(stream);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&ready, graph, 0));
  CHECK(cudaGraphLaunch(ready, stream));
  CHECK(cudaStreamSynchronize(stream));
}

// SPDX-License-Identifier: MIT
// Odd and wrong arguments, a few for each rule: what is looked at first, and what is left alone.
// The answers are an H200's; tests/golden/calls has thousands, where there is a toolkit.
#include <doctest/doctest.h>

#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;
using lanescope::tests::Program;

namespace {

void* new_memory(std::size_t bytes) {
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, bytes) == cudaSuccess);
  return memory;
}

}  // namespace

TEST_CASE("of nothing nothing is looked at, and of one row no pitch of 0") {
  const Fresh fresh;
  void* memory = new_memory(64);
  char host[64] = {};
  constexpr auto kNoKind = static_cast<cudaMemcpyKind>(7);
  CHECK(cudaMemcpy(nullptr, nullptr, 0, kNoKind) == cudaSuccess);
  CHECK(cudaMemcpy2D(nullptr, 0, nullptr, 0, 8, 0, kNoKind) == cudaSuccess);
  CHECK(cudaMemcpy2D(memory, 4, host, 8, 8, 2, kNoKind) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(memory, 4, host, 8, 8, 1, kNoKind) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy2D(memory, 4, host, 8, 8, 1, cudaMemcpyDefault) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2D(memory, 0, host, 8, 8, 1, cudaMemcpyDefault) == cudaSuccess);
  // Host memory is none of the card's, the card's may be called the host's.
  CHECK(cudaMemcpy(memory, host, 8, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(memory, memory, 8, cudaMemcpyHostToHost) == cudaSuccess);
  // Where memory of the card ends nothing of the host's begins: refused here, whatever lies there.
  CHECK(cudaMemcpy(static_cast<char*>(memory) + 64, host, 8, cudaMemcpyHostToHost) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpyPeer(nullptr, 5, nullptr, 6, 0) == cudaSuccess);
}

TEST_CASE("a volume's kind is looked at first, then one end after the other, then the bytes") {
  const Fresh fresh;
  char host[64] = {};
  cudaMemcpy3DParms copy{};
  copy.extent = {4, 2, 2};
  copy.kind = static_cast<cudaMemcpyKind>(5);
  CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidMemcpyDirection);
  copy.kind = cudaMemcpyDefault;
  CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);  // neither an array nor a pointer
  copy.srcPtr = {host, 2, 2, 2};
  CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidPitchValue);
  copy.srcPtr = {host, 8, 8, 2};
  copy.dstPtr = {new_memory(64), 8, 8, 1};
  CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidPitchValue);
  copy.extent.depth = 1;
  CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
  copy.dstPtr.ysize = 2;
  CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
  copy.dstPtr.pitch = SIZE_MAX;
  copy.dstPos = {0, 2, 2};
  CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);  // no sum that there is
}

TEST_CASE("a node is looked at when it is added, and an edge is there once") {
  const Fresh fresh;
  auto* memory = static_cast<char*>(new_memory(64));
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t fill = nullptr, copy = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  cudaMemsetParams params{memory + 2, 0, 7, 4, 4, 1};
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &params) == cudaErrorInvalidValue);
  params.dst = memory;
  REQUIRE(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &params) == cudaSuccess);
  const auto add = [&](std::size_t bytes) {
    return cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, memory, memory, bytes,
                                    cudaMemcpyDefault);
  };
  CHECK(add(0) == cudaErrorInvalidValue);
  CHECK(add(65) == cudaErrorInvalidValue);
  REQUIRE(add(64) == cudaSuccess);
  CHECK(cudaGraphAddDependencies(graph, &fill, &copy, nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddDependencies(graph, &fill, &fill, nullptr, 1) == cudaErrorInvalidValue);
  cudaGraphNode_t nodes[2] = {};
  std::size_t count = 1;
  CHECK(cudaGraphGetNodes(graph, nodes, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(nodes[1] == nullptr);
  count = 0;
  CHECK(cudaGraphGetNodes(graph, nodes, &count) == cudaErrorInvalidValue);
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiate(&executable, graph, 2) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphInstantiate(&executable, graph, 8) == cudaSuccess);
  params.height = 2;
  params.pitch = 32;
  CHECK(cudaGraphExecMemsetNodeSetParams(executable, fill, &params) == cudaErrorInvalidValue);
}

TEST_CASE("what is preferred of shared memory counts, and less of it takes nothing away") {
  const Fresh fresh;
  const Program program;
  const auto blocks = [&](unsigned flags = 0) {
    int found = -1;
    const cudaError error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &found, &program.store_stub, 32, 8192, flags);
    return error == cudaSuccess ? found : -static_cast<int>(error);
  };
  constexpr int kPreferL1 = 2, kAlike = 3;
  const int usual = blocks();
  CHECK(blocks(2) == -cudaErrorInvalidValue);
  CHECK(cudaDeviceSetCacheConfig(4) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetCacheConfig(kPreferL1) == cudaSuccess);
  CHECK(blocks() == 1);
  CHECK(cudaFuncSetCacheConfig(&program.store_stub, kAlike) == cudaSuccess);
  CHECK(blocks() > 1);
  CHECK(blocks() < usual);
  CHECK(cudaDeviceSetCacheConfig(0) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(&program.store_stub, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             16) == cudaSuccess);
  CHECK(blocks() > 1);
}

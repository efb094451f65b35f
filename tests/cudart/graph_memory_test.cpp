// SPDX-License-Identifier: MIT
// Memory that a graph's nodes allocate and free: one address for every launch, nothing there
// between them.
#include <doctest/doctest.h>

#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;
using lanescope::tests::Program;

namespace {

constexpr std::size_t kBytes = 128;
constexpr unsigned long long kFreesAtLaunch = 1;

/// A graph whose kernel stores 7 + index into memory of the graph's own.
struct Captured {
  Program program;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  void* pointer = nullptr;

  explicit Captured(unsigned long long flags = 0, bool frees = false) {
    int value = 7;
    void* arguments[] = {&pointer, &value};
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    REQUIRE(cudaStreamBeginCapture(stream, 0) == cudaSuccess);
    REQUIRE(cudaMallocAsync(&pointer, kBytes, stream) == cudaSuccess);
    REQUIRE(cudaLaunchKernel(&program.store_stub, {1, 1, 1}, {32, 1, 1}, arguments, 0, stream) ==
            cudaSuccess);
    if (frees) REQUIRE(cudaFreeAsync(pointer, stream) == cudaSuccess);
    REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    REQUIRE(cudaGraphInstantiate(&executable, graph, flags) == cudaSuccess);
  }
  ~Captured() {
    cudaFree(pointer);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaDeviceGraphMemTrim(0);
  }

  cudaError launch() const { return cudaGraphLaunch(executable, stream); }
  int last() const {
    int got[32] = {};
    return cudaMemcpy(got, pointer, kBytes, cudaMemcpyDeviceToHost) == cudaSuccess ? got[31] : -1;
  }
};

std::uint64_t attribute(int which) {
  std::uint64_t value = 0;
  REQUIRE(cudaDeviceGetGraphMemAttribute(0, which, &value) == cudaSuccess);
  return value;
}

}  // namespace

TEST_CASE("a graph's memory is there from its launch until somebody frees it") {
  const Fresh fresh;
  const Captured captured;
  CHECK(captured.last() == -1);
  CHECK(cudaFree(captured.pointer) == cudaErrorInvalidValue);
  REQUIRE(captured.launch() == cudaSuccess);
  CHECK(captured.last() == 38);
  CHECK(captured.launch() == cudaErrorInvalidValue);  // it would allocate what is allocated
  CHECK(captured.last() == 38);
  CHECK(cudaFree(captured.pointer) == cudaSuccess);
  CHECK(captured.last() == -1);
  REQUIRE(captured.launch() == cudaSuccess);
  CHECK(captured.last() == 38);
  CHECK(cudaFreeAsync(captured.pointer, captured.stream) == cudaSuccess);
  CHECK(cudaFreeAsync(captured.pointer, captured.stream) == cudaErrorInvalidValue);
}

TEST_CASE("another graph may free it") {
  const Fresh fresh;
  const Captured captured;
  cudaGraph_t other = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t frees = nullptr;
  REQUIRE(cudaGraphCreate(&other, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddMemFreeNode(&node, other, nullptr, 0, captured.pointer) == cudaSuccess);
  void* freed = nullptr;
  CHECK(cudaGraphMemFreeNodeGetParams(node, &freed) == cudaSuccess);
  CHECK(freed == captured.pointer);
  REQUIRE(cudaGraphInstantiate(&frees, other, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(frees, captured.stream) == cudaErrorInvalidValue);  // nothing is there
  REQUIRE(captured.launch() == cudaSuccess);
  CHECK(cudaGraphLaunch(frees, captured.stream) == cudaSuccess);
  CHECK(captured.last() == -1);
  CHECK(captured.launch() == cudaSuccess);
  int* ordinary = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&ordinary), 4) == cudaSuccess);
  CHECK(cudaGraphAddMemFreeNode(&node, other, nullptr, 0, ordinary) == cudaErrorInvalidValue);
  cudaFree(ordinary);
}

TEST_CASE("a launch frees what the last one left, where it was told to") {
  const Fresh fresh;
  const Captured captured(kFreesAtLaunch);
  for (int round = 0; round < 3; ++round) CHECK(captured.launch() == cudaSuccess);
  CHECK(captured.last() == 38);
}

TEST_CASE("what a graph's memory takes is counted, and given back with the graph") {
  const Fresh fresh;
  constexpr int kUsed = 0, kMost = 1;
  std::size_t before = 0, during = 0, after = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);
  {
    const Captured captured;
    CHECK(attribute(kUsed) == 0);
    REQUIRE(captured.launch() == cudaSuccess);
    CHECK(attribute(kUsed) == kBytes);
    REQUIRE(cudaMemGetInfo(&during, &total) == cudaSuccess);
    CHECK(during == before - kBytes);
    cudaMemAllocNodeParams asked{};
    cudaGraphNode_t first = nullptr;
    std::size_t count = 1;
    REQUIRE(cudaGraphGetRootNodes(captured.graph, &first, &count) == cudaSuccess);
    CHECK(cudaGraphMemAllocNodeGetParams(first, &asked) == cudaSuccess);
    CHECK(asked.dptr == captured.pointer);
    CHECK(asked.bytesize == kBytes);
    CHECK(context().graphs.memory.blocks.size() == 1);
  }
  CHECK(context().graphs.memory.blocks.empty());
  CHECK(attribute(kUsed) == 0);
  CHECK(attribute(kMost) >= kBytes);
  std::uint64_t value = 5;
  CHECK(cudaDeviceSetGraphMemAttribute(0, kMost, &value) == cudaErrorInvalidValue);
  value = 0;
  CHECK(cudaDeviceSetGraphMemAttribute(0, kUsed, &value) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetGraphMemAttribute(0, kMost, &value) == cudaSuccess);
  CHECK(attribute(kMost) == 0);
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(after == before);
}

TEST_CASE("a graph that frees its own memory is launched again and again") {
  const Fresh fresh;
  const Captured captured(0, true);
  for (int round = 0; round < 3; ++round) CHECK(captured.launch() == cudaSuccess);
  CHECK(captured.last() == -1);
  CHECK(cudaFree(captured.pointer) == cudaErrorInvalidValue);
}

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

// The numbers are those of an H200 (driver 580.159.04, CUDA 13.0).
TEST_CASE("what a graph's memory takes is counted in whole pieces, and kept until it is trimmed") {
  const Fresh fresh;
  constexpr int kUsed = 0, kMostUsed = 1, kReserved = 2, kMostReserved = 3;
  constexpr std::uint64_t kPiece = 32 << 20;
  std::size_t before = 0, during = 0, after = 0, total = 0;
  REQUIRE(cudaDeviceGraphMemTrim(0) == cudaSuccess);
  std::uint64_t value = 0;
  for (const int most : {kMostUsed, kMostReserved})
    REQUIRE(cudaDeviceSetGraphMemAttribute(0, most, &value) == cudaSuccess);
  REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);
  {
    const Captured captured;
    CHECK(attribute(kUsed) == 0);
    REQUIRE(captured.launch() == cudaSuccess);
    CHECK(attribute(kUsed) == kPiece);
    CHECK(attribute(kReserved) == kPiece);
    REQUIRE(cudaMemGetInfo(&during, &total) == cudaSuccess);
    CHECK(during == before - kBytes);
    REQUIRE(cudaFree(captured.pointer) == cudaSuccess);
    CHECK(attribute(kUsed) == kPiece);
    REQUIRE(captured.launch() == cudaSuccess);
    CHECK(cudaDeviceGraphMemTrim(0) == cudaSuccess);
    CHECK(attribute(kUsed) == kPiece);
    CHECK(context().graphs.memory.blocks.size() == 1);
  }
  CHECK(context().graphs.memory.blocks.empty());
  CHECK(attribute(kUsed) == 0);
  CHECK(attribute(kMostUsed) == kPiece);
  value = 5;
  CHECK(cudaDeviceSetGraphMemAttribute(0, kMostUsed, &value) == cudaErrorInvalidValue);
  value = 0;
  CHECK(cudaDeviceSetGraphMemAttribute(0, kUsed, &value) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetGraphMemAttribute(0, kMostUsed, &value) == cudaSuccess);
  CHECK(attribute(kMostUsed) == 0);
  CHECK(attribute(kMostReserved) == kPiece);
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(after == before);
}

TEST_CASE("a graph with memory is made ready once at a time, and stays as it is") {
  const Fresh fresh;
  const Captured captured;
  cudaGraphExec_t second = nullptr;
  cudaGraph_t clone = nullptr;
  CHECK(cudaGraphInstantiate(&second, captured.graph, 0) == cudaErrorNotSupported);
  CHECK(cudaGraphClone(&clone, captured.graph) == cudaErrorNotSupported);
  cudaGraphNode_t nodes[2] = {}, node = nullptr;
  std::size_t count = 2;
  REQUIRE(cudaGraphGetNodes(captured.graph, nodes, &count) == cudaSuccess);
  cudaMemAllocNodeParams asked{};
  CHECK(cudaGraphMemAllocNodeGetParams(nodes[0], &asked) == cudaSuccess);
  CHECK(asked.dptr == captured.pointer);
  CHECK(asked.bytesize == kBytes);
  CHECK(cudaGraphDestroyNode(nodes[1]) == cudaErrorNotSupported);
  const auto free_behind_kernel = [&] {
    return cudaGraphAddMemFreeNode(&node, captured.graph, &nodes[1], 1, captured.pointer);
  };
  CHECK(free_behind_kernel() == cudaSuccess);
  CHECK(free_behind_kernel() == cudaErrorInvalidValue);
  REQUIRE(cudaGraphExecDestroy(captured.executable) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&second, captured.graph, 0) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(second) == cudaSuccess);
}

TEST_CASE("a graph that frees its own memory is launched again and again") {
  const Fresh fresh;
  const Captured captured(0, true);
  for (int round = 0; round < 3; ++round) CHECK(captured.launch() == cudaSuccess);
  CHECK(captured.last() == -1);
  CHECK(cudaFree(captured.pointer) == cudaErrorInvalidValue);
}

// SPDX-License-Identifier: MIT
// What a kernel says of its clusters, and launches that heed it or not, as an H200 answers
// (tests/programs/blocks_as_clusters.cu has more, where there is a toolkit).
#include <doctest/doctest.h>

#include <array>
#include <string>

#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::FatBinaryBuilder;
using lanescope::tests::Fresh;
using lanescope::tests::kStorePtx;
using lanescope::tests::Packing;
using lanescope::tests::Program;

namespace {

// `store`, with attributes: each thread of a block says of how many blocks it is.
std::vector<std::byte> with(const std::string& attributes) {
  std::string ptx = kStorePtx;
  ptx.replace(ptx.find("sm_80"), 5, "sm_90");
  ptx.replace(ptx.find("add.s32 %r3, %r1, %r2"), 21, "mov.u32 %r3, %nctaid.x");
  ptx.insert(ptx.find("\n{"), attributes);
  return FatBinaryBuilder().ptx(90, ptx, Packing::none).build();
}

struct Launched {
  cudaError error = cudaSuccess;
  std::array<unsigned, 64> told{};  // by thread of a block
};

// `cluster`: how many blocks of it the launch names; 0: it names none.
Launched launch(const Program& program, unsigned grid, unsigned block, unsigned cluster = 0) {
  Launched made;
  void* memory = nullptr;
  unsigned value = 0;
  REQUIRE(cudaMalloc(&memory, sizeof made.told) == cudaSuccess);
  REQUIRE(cudaMemset(memory, 0, sizeof made.told) == cudaSuccess);
  void* arguments[] = {&memory, &value};
  cudaLaunchAttribute size{};
  size.id = cudaLaunchAttributeClusterDimension;
  size.val.clusterDim = {cluster, 1, 1};
  const cudaLaunchConfig_t config{{grid}, {block}, 0, nullptr, &size, cluster != 0};
  made.error = cudaLaunchKernelExC(&config, &program.store_stub, arguments);
  CHECK(cudaMemcpy(made.told.data(), memory, sizeof made.told, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
  return made;
}

}  // namespace

TEST_CASE("where blocks are clusters the grid counts those, and a block of 1 is the kernel's") {
  const Fresh fresh;
  const Program pairs(with("\n.blocksareclusters\n.reqntid 32, 1, 1\n.reqnctapercluster 2, 1, 1"));
  for (const unsigned block : {1u, 32u}) {
    const Launched made = launch(pairs, 3, block);
    CHECK(made.error == cudaSuccess);
    CHECK(made.told[0] == 6);
    CHECK(made.told[31] == 6);
    CHECK(made.told[32] == 0);
  }
  CHECK(launch(pairs, 3, 1, 2).told[0] == 6);
  CHECK(launch(pairs, 3, 64).error == cudaErrorInvalidValue);
  CHECK(launch(pairs, 3, 0).error == cudaErrorInvalidValue);
  CHECK(launch(pairs, 1u << 30, 1).error == cudaErrorInvalidValue);
}

TEST_CASE("a captured node has such a grid as the program said it, and may be given it again") {
  const Fresh fresh;
  const Program pairs(with("\n.blocksareclusters\n.reqntid 32, 1, 1\n.reqnctapercluster 2, 1, 1"));
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  std::size_t count = 1;
  cudaKernelNodeParams how{};
  unsigned* memory = nullptr;
  unsigned value = 0, told = 0;
  void* arguments[] = {&memory, &value};
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&memory), 128) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(stream, 0) == cudaSuccess);
  CHECK(cudaLaunchKernel(&pairs.store_stub, {3}, {1}, arguments, 0, stream) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphGetNodes(graph, &node, &count) == cudaSuccess);
  REQUIRE(cudaGraphKernelNodeGetParams(node, &how) == cudaSuccess);
  CHECK(how.gridDim.x == 3);
  CHECK(how.blockDim.x == 1);
  REQUIRE(cudaGraphKernelNodeSetParams(node, &how) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess);
  CHECK(cudaMemcpy(&told, memory, sizeof told, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(told == 6);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("a kernel that wants a cluster named, and one that has a bound for them") {
  const Fresh fresh;
  cudaFuncAttributes about{};
  int clusters = -1;
  {
    const Program some(with("\n.explicitcluster"));
    CHECK(launch(some, 2, 1).error == cudaErrorInvalidClusterSize);
    CHECK(launch(some, 2, 1, 1).error == cudaSuccess);
    CHECK(launch(some, 2, 1, 2).told[0] == 2);
    REQUIRE(cudaFuncGetAttributes(&about, &some.store_stub) == cudaSuccess);
    CHECK(about.clusterDimMustBeSet == 1);
    CHECK(about.requiredClusterWidth == 0);
    const cudaLaunchConfig_t none{{4}, {32}, 0, nullptr, nullptr, 0};
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, &some.store_stub, &none) ==
          cudaErrorInvalidClusterSize);
  }
  const Program bounded(with("\n.maxclusterrank 2"));
  CHECK(launch(bounded, 4, 1).error == cudaSuccess);
  CHECK(launch(bounded, 4, 1, 2).error == cudaSuccess);
  CHECK(launch(bounded, 4, 1, 4).error == cudaErrorInvalidClusterSize);
  REQUIRE(cudaFuncGetAttributes(&about, &bounded.store_stub) == cudaSuccess);
  CHECK(about.clusterDimMustBeSet == 0);
  const cudaLaunchConfig_t none{{4}, {32}, 0, nullptr, nullptr, 0};
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, &bounded.store_stub, &none) == cudaSuccess);
  CHECK(clusters == 0);
}

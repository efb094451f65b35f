// SPDX-License-Identifier: MIT
// Nodes of graphs by the driver's own descriptions: copies, events, memory, what hangs together.
#include <doctest/doctest.h>

#include <array>

#include "cudart/driver/driver_graph_node.hpp"
#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;

namespace {

constexpr int kOfHost = 1, kOfCard = 2;
using Words = std::array<int, 8>;

/// A graph that copies eight words to the card, adds their indices, and copies them back.
struct Round {
  Round() {
    REQUIRE(cuModuleLoadData(&module, lanescope::tests::kStorePtx) == 0);
    REQUIRE(cuModuleGetFunction(&function, module, "store") == 0);
    REQUIRE(cuMemAlloc_v2(&memory, sizeof(Words)) == 0);
    REQUIRE(cuStreamCreate(&stream, 1) == 0);
    REQUIRE(cuEventCreate(&event, 0) == 0);
    REQUIRE(cuGraphCreate(&graph, 0) == 0);
    params.node.func = function;
    params.node.gridDim = {1, 1, 1};
    params.node.blockDim = {4, 1, 1};
    params.node.kernelParams = arguments;
    const CUDA_MEMCPY3D to = block(true), from = block(false);
    REQUIRE(cuGraphAddMemcpyNode(&up, graph, nullptr, 0, &to, nullptr) == 0);
    REQUIRE(cuGraphAddKernelNode_v2(&kernel, graph, &up, 1, &params) == 0);
    REQUIRE(cuGraphAddMemcpyNode(&down, graph, &kernel, 1, &from, nullptr) == 0);
  }
  CUDA_MEMCPY3D block(bool to_card) {
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = to_card ? kOfHost : kOfCard;
    copy.dstMemoryType = to_card ? kOfCard : kOfHost;
    copy.srcHost = sent.data();
    copy.dstHost = got.data();
    copy.srcDevice = copy.dstDevice = memory;
    copy.WidthInBytes = sizeof(Words);
    copy.Height = copy.Depth = 1;
    return copy;
  }
  void launch(CUhandle executable) {
    got = {};
    CHECK(cuGraphLaunch(executable, stream) == 0);
  }
  Words sent{9, 9, 9, 9, 5, 6, 7, 8}, got{};
  int value = 30;
  CUdeviceptr memory = 0;
  void* arguments[2] = {&memory, &value};
  CUhandle module = nullptr, function = nullptr, stream = nullptr, event = nullptr;
  CUhandle graph = nullptr, up = nullptr, kernel = nullptr, down = nullptr;
  CUDA_KERNEL_NODE_PARAMS params{};
};

}  // namespace

TEST_CASE("copies of a driver's graph: run, asked for, changed, switched off") {
  const Fresh fresh;
  Round it;
  CUhandle executable = nullptr;
  REQUIRE(cuGraphInstantiateWithFlags(&executable, it.graph, 0) == 0);
  it.launch(executable);
  CHECK(it.got == Words{30, 31, 32, 33, 5, 6, 7, 8});
  CUDA_MEMCPY3D said{};
  CHECK(cuGraphMemcpyNodeGetParams(it.down, &said) == 0);
  CHECK(said.WidthInBytes == sizeof(Words));
  CHECK(said.dstHost == it.got.data());
  CHECK(said.srcDevice == it.memory);
  CHECK(said.srcMemoryType == kOfCard);
  said.WidthInBytes = 8;
  CHECK(cuGraphExecMemcpyNodeSetParams(executable, it.down, &said, nullptr) == 0);
  it.launch(executable);
  CHECK(it.got == Words{30, 31});
  unsigned is_on = 1;
  CHECK(cuGraphNodeSetEnabled(executable, it.kernel, 0) == 0);
  CHECK(cuGraphNodeGetEnabled(executable, it.kernel, &is_on) == 0);
  CHECK(is_on == 0);
  it.launch(executable);
  CHECK(it.got == Words{9, 9});
  CUDA_KERNEL_NODE_PARAMS kernel{};
  CHECK(cuGraphKernelNodeGetParams_v2(it.kernel, &kernel) == 0);
  CHECK(kernel.node.func == it.function);
  CHECK(kernel.node.blockDim.x == 4);
  said.srcMemoryType = 7;
  CHECK(cuGraphMemcpyNodeSetParams(it.down, &said) == 1);
  CHECK(cuGraphMemcpyNodeGetParams(it.kernel, &said) == 1);
}

TEST_CASE("events, edges, memory and children of a driver's graph") {
  const Fresh fresh;
  Round it;
  CUhandle record = nullptr, wait = nullptr, other = nullptr, found = nullptr;
  REQUIRE(cuEventCreate(&other, 2) == 0);
  CHECK(cuGraphAddEventRecordNode(&record, it.graph, &it.down, 1, it.event) == 0);
  CHECK(cuGraphAddEventWaitNode(&wait, it.graph, &record, 1, it.event) == 0);
  CHECK(cuGraphEventRecordNodeSetEvent(record, other) == 0);
  CHECK(cuGraphEventRecordNodeGetEvent(record, &found) == 0);
  CHECK(found == other);
  std::size_t count = 0;
  CHECK(cuGraphGetEdges_v2(it.graph, nullptr, nullptr, nullptr, &count) == 0);
  CHECK(count == 4);
  CHECK(cuGraphRemoveDependencies_v2(it.graph, &record, &wait, nullptr, 1) == 0);
  CHECK(cuGraphAddDependencies_v2(it.graph, &it.up, &wait, nullptr, 1) == 0);
  count = 1;
  CHECK(cuGraphNodeGetDependencies_v2(wait, &found, nullptr, &count) == 0);
  CHECK(found == it.up);
  cudaMemAllocNodeParams memory{};
  memory.poolProps.allocType = 1;
  memory.poolProps.location.type = 1;
  memory.bytesize = 4096;
  CUhandle whole = nullptr, taken = nullptr, child = nullptr, freed = nullptr, inner = nullptr;
  REQUIRE(cuGraphCreate(&whole, 0) == 0);
  REQUIRE(cuGraphAddMemAllocNode(&taken, whole, nullptr, 0, &memory) == 0);
  CHECK(memory.dptr != nullptr);
  CHECK(cuGraphAddChildGraphNode(&child, whole, &taken, 1, it.graph) == 0);
  CHECK(cuGraphAddMemFreeNode(&freed, whole, &child, 1, address_of(memory.dptr)) == 0);
  CHECK(cuGraphChildGraphNodeGetGraph(child, &inner) == 0);
  cudaGraphInstantiateParams params{};
  CUhandle executable = nullptr;
  REQUIRE(cuGraphInstantiateWithParams(&executable, whole, &params) == 0);
  it.launch(executable);
  CHECK(it.got == Words{30, 31, 32, 33, 5, 6, 7, 8});
  CHECK(cuGraphExecDestroy(executable) == 0);
  CHECK(cuGraphDestroy(whole) == 0);
  CHECK(cuDeviceGraphMemTrim(0) == 0);
}

TEST_CASE("a node of any kind is described as the driver does") {
  const Fresh fresh;
  Round it;
  CUgraphNodeParams params{};
  CUhandle node = nullptr, executable = nullptr;
  params.type = 1;  // a copy
  params.memcpy.copy = it.block(false);
  params.memcpy.copy.WidthInBytes = 4;
  CHECK(cuGraphNodeSetParams(it.down, &params) == 0);
  params.memcpy.copy.srcMemoryType = 0;
  CHECK(cuGraphNodeSetParams(it.down, &params) == 1);
  params = {};
  it.value = 70;
  params.type = 0;  // a kernel, where no CUfunction is given
  params.kernel = it.params;
  params.kernel.node.func = nullptr;
  params.kernel.kernel = it.function;
  CHECK(cuGraphAddNode_v2(&node, it.graph, &it.up, nullptr, 1, &params) == 0);
  CHECK(cuGraphAddDependencies_v2(it.graph, &node, &it.down, nullptr, 1) == 0);
  CHECK(cuGraphAddDependencies_v2(it.graph, &it.kernel, &node, nullptr, 1) == 0);
  REQUIRE(cuGraphInstantiateWithFlags(&executable, it.graph, 0) == 0);
  it.launch(executable);
  CHECK(it.got == Words{70});
}

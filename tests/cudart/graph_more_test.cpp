// SPDX-License-Identifier: MIT
// Graphs: objects they keep alive, nodes switched off, attributes, captured nodes that are asked,
// clones. What a card answers is in tests/programs/graph_more.cu.
#include <doctest/doctest.h>

#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;
using lanescope::tests::Program;

namespace {

void destroy_one(void* count) { ++*static_cast<int*>(count); }

cudaGraph_t new_graph() {
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  return graph;
}

/// A stream that captures a fill with 5, a kernel that stores 40 + index, and a copy to the host.
struct WrittenDown {
  Program program;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  int* device = nullptr;
  int got[4] = {}, value = 40;
  void* arguments[2] = {&device, &value};

  WrittenDown() {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), sizeof got) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    REQUIRE(cudaStreamBeginCapture(stream, 0) == cudaSuccess);
    REQUIRE(cudaMemsetAsync(device, 5, sizeof got, stream) == cudaSuccess);
    REQUIRE(cudaLaunchKernel(&program.store_stub, {1, 1, 1}, {2, 1, 1}, arguments, 0, stream) ==
            cudaSuccess);
    REQUIRE(cudaMemcpyAsync(got, device, sizeof got, cudaMemcpyDeviceToHost, stream) ==
            cudaSuccess);
    REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  }
  ~WrittenDown() {
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(device);
  }
  cudaGraphNode_t node(std::size_t number) const {
    cudaGraphNode_t nodes[3] = {};
    std::size_t count = 3;
    REQUIRE(cudaGraphGetNodes(graph, nodes, &count) == cudaSuccess);
    REQUIRE(count == 3);
    return nodes[number];
  }
};

}  // namespace

TEST_CASE("an object lives as long as a graph, a clone, a parent or an executable has it") {
  const Fresh fresh;
  int gone = 0;
  cudaUserObject_t object = nullptr;
  REQUIRE(cudaUserObjectCreate(&object, &gone, destroy_one, 1, 1) == cudaSuccess);
  const cudaGraph_t graph = new_graph(), parent = new_graph();
  REQUIRE(cudaGraphRetainUserObject(graph, object, 1, 1) == cudaSuccess);
  cudaGraph_t clone = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphClone(&clone, graph) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(gone == 0);
  REQUIRE(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, clone) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(clone) == cudaSuccess);
  CHECK(gone == 0);
  REQUIRE(cudaGraphInstantiate(&executable, parent, 0) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(parent) == cudaSuccess);
  CHECK(gone == 0);
  REQUIRE(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(gone == 1);
  CHECK(cudaUserObjectRelease(object, 1) == cudaErrorInvalidValue);
}

TEST_CASE("an executable that is brought up to date keeps what the new graph keeps") {
  const Fresh fresh;
  int first_gone = 0, second_gone = 0;
  cudaUserObject_t first = nullptr, second = nullptr;
  REQUIRE(cudaUserObjectCreate(&first, &first_gone, destroy_one, 1, 1) == cudaSuccess);
  REQUIRE(cudaUserObjectCreate(&second, &second_gone, destroy_one, 1, 1) == cudaSuccess);
  const cudaGraph_t graph = new_graph(), other = new_graph();
  REQUIRE(cudaGraphRetainUserObject(graph, first, 1, 1) == cudaSuccess);
  REQUIRE(cudaGraphRetainUserObject(other, second, 1, 1) == cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(first_gone == 0);
  cudaGraphExecUpdateResultInfo info{};
  REQUIRE(cudaGraphExecUpdate(executable, other, &info) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(other) == cudaSuccess);
  CHECK(first_gone == 1);
  CHECK(second_gone == 0);
  REQUIRE(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(second_gone == 1);
}

TEST_CASE("what was captured says what it was given, and gets other parameters") {
  const Fresh fresh;
  WrittenDown written;
  cudaMemsetParams fill{};
  REQUIRE(cudaGraphMemsetNodeGetParams(written.node(0), &fill) == cudaSuccess);
  CHECK(fill.dst == written.device);
  CHECK(fill.value == 5);
  CHECK(fill.width * fill.elementSize * fill.height == sizeof written.got);
  cudaKernelNodeParams kernel{};
  REQUIRE(cudaGraphKernelNodeGetParams(written.node(1), &kernel) == cudaSuccess);
  CHECK(kernel.func == &written.program.store_stub);
  CHECK(kernel.blockDim.x == 2);
  CHECK(*static_cast<int*>(kernel.kernelParams[1]) == 40);
  cudaMemcpy3DParms copy{};
  REQUIRE(cudaGraphMemcpyNodeGetParams(written.node(2), &copy) == cudaSuccess);
  CHECK(copy.dstPtr.ptr == written.got);

  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, written.graph, 0) == cudaSuccess);
  written.value = 70;
  kernel.kernelParams = written.arguments;
  REQUIRE(cudaGraphExecKernelNodeSetParams(executable, written.node(1), &kernel) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  CHECK(written.got[1] == 71);
  CHECK(written.got[2] == 0x05050505);
  REQUIRE(cudaGraphNodeSetEnabled(executable, written.node(1), 0) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  CHECK(written.got[1] == 0x05050505);
  cudaGraphExecDestroy(executable);
}

TEST_CASE("a clone's nodes are its own") {
  const Fresh fresh;
  WrittenDown written;
  cudaGraph_t clone = nullptr;
  cudaGraphNode_t found = nullptr;
  REQUIRE(cudaGraphClone(&clone, written.graph) == cudaSuccess);
  REQUIRE(cudaGraphNodeFindInClone(&found, written.node(1), clone) == cudaSuccess);
  CHECK(found != written.node(1));
  cudaKernelNodeParams kernel{};
  REQUIRE(cudaGraphKernelNodeGetParams(found, &kernel) == cudaSuccess);
  written.value = 90;
  kernel.kernelParams = written.arguments;
  REQUIRE(cudaGraphKernelNodeSetParams(found, &kernel) == cudaSuccess);
  for (const auto& [graph, value] : {std::pair{written.graph, 40}, std::pair{clone, 90}}) {
    cudaGraphExec_t executable = nullptr;
    REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
    REQUIRE(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
    CHECK(written.got[0] == value);
    cudaGraphExecDestroy(executable);
  }
  cudaGraphDestroy(clone);
}

TEST_CASE("what is added to a child graph belongs to the node") {
  const Fresh fresh;
  WrittenDown written;
  const cudaGraph_t parent = new_graph();
  cudaGraphNode_t child = nullptr, fill = nullptr;
  cudaGraph_t inner = nullptr;
  REQUIRE(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, written.graph) == cudaSuccess);
  REQUIRE(cudaGraphChildGraphNodeGetGraph(child, &inner) == cudaSuccess);
  CHECK(inner != written.graph);
  int last = 0;
  REQUIRE(cudaGraphAddMemcpyNode1D(&fill, inner, nullptr, 0, &last, &written.value, 4,
                                   cudaMemcpyHostToHost) == cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, parent, 0) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  CHECK(written.got[1] == 41);
  CHECK(last == 40);
  cudaGraphExecDestroy(executable);
  REQUIRE(cudaGraphDestroy(parent) == cudaSuccess);
  std::size_t count = 0;
  CHECK(cudaGraphGetNodes(inner, nullptr, &count) == cudaErrorInvalidValue);
}

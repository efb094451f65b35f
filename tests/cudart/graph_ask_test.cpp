// SPDX-License-Identifier: MIT
// What nodes of graphs are asked, what they are told anew, and nodes and edges that go.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;
using lanescope::tests::Program;

namespace {

void count_up(void* data) { ++*static_cast<int*>(data); }

/// Cleared to 2, then a kernel, then copied to the host, then a function of the host's.
struct Chain {
  Program program;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t fill = nullptr, kernel = nullptr, copy = nullptr, host = nullptr;
  int* device = nullptr;
  int got[4] = {}, calls = 0, value = 40;
  void* arguments[2] = {&device, &value};

  Chain() {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), sizeof got) == cudaSuccess);
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    const cudaMemsetParams two{device, 0, 2, 4, 4, 1};
    REQUIRE(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &two) == cudaSuccess);
    const cudaKernelNodeParams stores = parameters(1);
    REQUIRE(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &stores) == cudaSuccess);
    REQUIRE(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, got, device, sizeof got,
                                     cudaMemcpyDeviceToHost) == cudaSuccess);
    const cudaHostNodeParams counts{count_up, &calls};
    REQUIRE(cudaGraphAddHostNode(&host, graph, &copy, 1, &counts) == cudaSuccess);
  }
  ~Chain() {
    cudaGraphDestroy(graph);
    cudaFree(device);
  }
  cudaKernelNodeParams parameters(unsigned threads) {
    cudaKernelNodeParams made{};
    made.func = &program.store_stub;
    made.gridDim = {1, 1, 1};
    made.blockDim = {threads, 1, 1};
    made.kernelParams = arguments;
    return made;
  }
  void launch() const {
    cudaGraphExec_t executable = nullptr;
    REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
    REQUIRE(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
    REQUIRE(cudaGraphExecDestroy(executable) == cudaSuccess);
  }
};

std::vector<cudaGraphNode_t> neighbours(decltype(&cudaGraphNodeGetDependencies) which,
                                        cudaGraphNode_t node) {
  std::size_t count = 77;
  REQUIRE(which(node, nullptr, nullptr, &count) == cudaSuccess);
  std::vector<cudaGraphNode_t> found(count + 1, node);
  std::size_t room = found.size();
  REQUIRE(which(node, found.data(), nullptr, &room) == cudaSuccess);
  CHECK(room == count);
  CHECK(found.back() == nullptr);  // there is no such node
  found.pop_back();
  return found;
}

}  // namespace

TEST_CASE("nodes say what they were given") {
  const Fresh fresh;
  Chain chain;
  cudaKernelNodeParams kernel{};
  chain.value = 50;  // the graph has its own copy
  REQUIRE(cudaGraphKernelNodeGetParams(chain.kernel, &kernel) == cudaSuccess);
  CHECK(kernel.func == &chain.program.store_stub);
  CHECK(kernel.blockDim.x == 1);
  REQUIRE(kernel.kernelParams != nullptr);
  CHECK(std::memcmp(kernel.kernelParams[0], &chain.device, sizeof chain.device) == 0);
  CHECK(*static_cast<int*>(kernel.kernelParams[1]) == 40);
  cudaMemsetParams fill{};
  REQUIRE(cudaGraphMemsetNodeGetParams(chain.fill, &fill) == cudaSuccess);
  CHECK(fill.dst == chain.device);
  CHECK(fill.value == 2);
  cudaMemcpy3DParms copy{};
  REQUIRE(cudaGraphMemcpyNodeGetParams(chain.copy, &copy) == cudaSuccess);
  CHECK(copy.srcPtr.ptr == chain.device);
  CHECK(copy.dstPtr.ptr == chain.got);
  CHECK(copy.extent.width == sizeof chain.got);
  cudaHostNodeParams host{};
  REQUIRE(cudaGraphHostNodeGetParams(chain.host, &host) == cudaSuccess);
  CHECK(host.userData == &chain.calls);
  CHECK(cudaGraphKernelNodeGetParams(chain.copy, &kernel) == cudaErrorInvalidValue);
  CHECK(cudaGraphHostNodeGetParams(nullptr, &host) == cudaErrorInvalidValue);
}

TEST_CASE("what a kernel's node says makes the same node again") {
  const Fresh fresh;
  Chain chain;
  cudaKernelNodeParams kernel{};
  REQUIRE(cudaGraphKernelNodeGetParams(chain.kernel, &kernel) == cudaSuccess);
  kernel.blockDim.x = 3;
  REQUIRE(cudaGraphKernelNodeSetParams(chain.kernel, &kernel) == cudaSuccess);
  chain.launch();
  CHECK(chain.got[2] == 42);
  CHECK(chain.got[3] == 2);
  CHECK(chain.calls == 1);
}

TEST_CASE("nodes of a graph get other parameters") {
  const Fresh fresh;
  Chain chain;
  const cudaMemsetParams nine{chain.device, 0, 9, 4, 4, 1};
  CHECK(cudaGraphMemsetNodeSetParams(chain.fill, &nine) == cudaSuccess);
  CHECK(cudaGraphMemcpyNodeSetParams1D(chain.copy, chain.got, chain.device + 1, 8,
                                       cudaMemcpyDeviceToHost) == cudaSuccess);
  int others = 0;
  const cudaHostNodeParams counts{count_up, &others};
  CHECK(cudaGraphHostNodeSetParams(chain.host, &counts) == cudaSuccess);
  CHECK(cudaGraphHostNodeSetParams(chain.copy, &counts) == cudaErrorInvalidValue);
  chain.launch();
  CHECK(chain.got[0] == 9);
  CHECK(chain.got[2] == 0);
  CHECK(chain.calls == 0);
  CHECK(others == 1);
}

TEST_CASE("nodes know their neighbours; nodes and edges go") {
  const Fresh fresh;
  Chain chain;
  using Nodes = std::vector<cudaGraphNode_t>;
  CHECK(neighbours(&cudaGraphNodeGetDependencies, chain.fill).empty());
  CHECK(neighbours(&cudaGraphNodeGetDependencies, chain.copy) == Nodes{chain.kernel});
  CHECK(neighbours(&cudaGraphNodeGetDependentNodes, chain.kernel) == Nodes{chain.copy});
  std::size_t count = 0;
  CHECK(cudaGraphNodeGetDependencies(nullptr, nullptr, nullptr, &count) == cudaErrorInvalidValue);

  REQUIRE(cudaGraphDestroyNode(chain.kernel) == cudaSuccess);
  CHECK(cudaGraphDestroyNode(chain.kernel) == cudaErrorInvalidValue);
  CHECK(neighbours(&cudaGraphNodeGetDependencies, chain.copy).empty());
  CHECK(cudaGraphRemoveDependencies(chain.graph, &chain.fill, &chain.copy, nullptr, 1) ==
        cudaErrorInvalidValue);
  REQUIRE(cudaGraphRemoveDependencies(chain.graph, &chain.copy, &chain.host, nullptr, 1) ==
          cudaSuccess);
  CHECK(neighbours(&cudaGraphNodeGetDependentNodes, chain.copy).empty());
  chain.launch();
  CHECK(chain.got[0] == 2);  // no kernel any more
}

// What programmatic dependent launch is in a graph: the guide's table of the two spellings
// (CUDA C++ Programming Guide, "Use in CUDA Graphs").
TEST_CASE("edges say whether a kernel may begin early") {
  const Fresh fresh;
  Chain chain;
  constexpr cudaGraphEdgeData kEarly{1, 0, 1, {}};
  const auto edges = [&](cudaGraph_t graph) {
    std::vector<cudaGraphNode_t> from(4), to(4);
    std::vector<cudaGraphEdgeData> data(4, {9, 9, 9, {}});
    std::size_t count = data.size();
    REQUIRE(cudaGraphGetEdges(graph, from.data(), to.data(), data.data(), &count) == cudaSuccess);
    std::string said;
    for (std::size_t k = 0; k < count; ++k)
      said += std::to_string(data[k].from_port) + std::to_string(data[k].to_port) +
              std::to_string(data[k].type) + " ";
    return said;
  };
  CHECK(edges(chain.graph) == "000 000 000 ");
  cudaGraphNodeParams params{};
  params.type = 0;
  params.kernel = chain.parameters(1);
  cudaGraphNode_t later = nullptr, never = nullptr;
  const cudaGraphEdgeData impossible{1, 0, 7, {}};
  CHECK(cudaGraphAddNode(&never, chain.graph, &chain.kernel, &impossible, 1, &params) ==
        cudaErrorInvalidValue);
  CHECK(edges(chain.graph) == "000 000 000 ");
  REQUIRE(cudaGraphAddNode(&later, chain.graph, &chain.kernel, &kEarly, 1, &params) == cudaSuccess);
  CHECK(edges(chain.graph) == "000 000 000 101 ");
  cudaGraph_t clone = nullptr;
  REQUIRE(cudaGraphClone(&clone, chain.graph) == cudaSuccess);
  CHECK(edges(clone) == "000 000 000 101 ");
  // Who does not ask what is said of them is not told a part; how many there are he is.
  std::size_t count = 1;
  cudaGraphNode_t need = nullptr;
  CHECK(cudaGraphNodeGetDependencies(later, &need, nullptr, &count) == cudaErrorLossyQuery);
  CHECK(cudaGraphNodeGetDependencies(later, nullptr, nullptr, &count) == cudaSuccess);
  cudaGraphEdgeData data{};
  CHECK(cudaGraphNodeGetDependencies(later, &need, &data, &count) == cudaSuccess);
  CHECK(data.type == 1);
  cudaGraphNode_t both[2];
  cudaGraphEdgeData two[2];
  count = 2;
  CHECK(cudaGraphNodeGetDependentNodes(chain.kernel, both, nullptr, &count) == cudaErrorLossyQuery);
  CHECK(cudaGraphNodeGetDependentNodes(chain.kernel, both, two, &count) == cudaSuccess);
  CHECK(two[0].type + two[1].type == 1);
  CHECK(cudaGraphRemoveDependencies(chain.graph, &chain.kernel, &later, &kEarly, 1) == cudaSuccess);
  CHECK(cudaGraphAddDependencies(chain.graph, &chain.kernel, &later, nullptr, 1) == cudaSuccess);
  CHECK(edges(chain.graph) == "000 000 000 000 ");
  chain.launch();
}

TEST_CASE("a captured launch that may begin early says so on its edge from a kernel") {
  const Fresh fresh;
  Chain chain;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  const cudaLaunchConfig_t config{{1, 1, 1}, {1, 1, 1}, 0, stream, &early, 1};
  REQUIRE(cudaStreamBeginCapture(stream, 0) == cudaSuccess);
  REQUIRE(cudaMemsetAsync(chain.device, 0, 16, stream) == cudaSuccess);
  for (int k = 0; k < 2; ++k)
    REQUIRE(cudaLaunchKernelExC(&config, &chain.program.store_stub, chain.arguments) ==
            cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  cudaGraphNode_t from[2], to[2];
  cudaGraphEdgeData data[2];
  std::size_t count = 2;
  REQUIRE(cudaGraphGetEdges(graph, from, to, data, &count) == cudaSuccess);
  CHECK(count == 2);
  CHECK(data[0].type == 0);  // a fill has no such moment
  CHECK(data[1].type == 1);
  CHECK(data[1].from_port == 1);
}

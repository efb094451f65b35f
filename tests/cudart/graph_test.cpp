// SPDX-License-Identifier: MIT
// Graphs, modules and the driver's functions from the inside: what is refused, and that handles
// which are none do no harm. Whole programs are in tests/programs.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cudart/default_stream.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/driver/driver_older.hpp"
#include "cudart/module.hpp"
#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;
using lanescope::tests::Program;

namespace {

void* const kNobody = reinterpret_cast<void*>(std::uintptr_t{0x7fff'1234});

}  // namespace

TEST_CASE("handles of graphs that are none") {
  const Fresh fresh;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t executable = nullptr;
  for (void* handle : {static_cast<void*>(nullptr), kNobody}) {
    CHECK(cudaGraphDestroy(handle) == cudaErrorInvalidValue);
    CHECK(cudaGraphInstantiate(&executable, handle, 0) == cudaErrorInvalidValue);
    CHECK(cudaGraphLaunch(handle, nullptr) == cudaErrorInvalidValue);
    CHECK(cudaGraphExecDestroy(handle) == cudaErrorInvalidValue);
    CHECK(cudaGraphAddEmptyNode(&node, handle, nullptr, 0) == cudaErrorInvalidValue);
    CHECK(cudaStreamEndCapture(handle, &graph) == cudaErrorIllegalState);
    CHECK(cudaMemPoolDestroy(handle) == cudaErrorInvalidValue);
    CHECK(cudaLibraryUnload(handle) == cudaErrorInvalidResourceHandle);
  }
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  CHECK(cudaGraphAddEmptyNode(&node, graph, &kNobody, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddHostNode(&node, graph, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddEmptyNode(&node, graph, nullptr, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("a graph that cannot be updated into another keeps what it does") {
  const Fresh fresh;
  const Program program;
  int* device = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), 4) == cudaSuccess);
  cudaGraph_t graph = nullptr, other = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphCreate(&other, 0) == cudaSuccess);
  cudaGraphNode_t node = nullptr;
  int value = 40;
  void* arguments[] = {&device, &value};
  cudaKernelNodeParams kernel{};
  kernel.func = const_cast<char*>(&program.store_stub);
  kernel.gridDim = kernel.blockDim = {1, 1, 1};
  kernel.kernelParams = arguments;
  REQUIRE(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&node, other, nullptr, 0) == cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  value = 50;  // the graph has its own copy
  cudaGraphExecUpdateResultInfo info{};
  CHECK(cudaGraphExecUpdate(executable, other, &info) == cudaErrorGraphExecUpdateFailure);
  CHECK(info.result == 2);
  CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  int got = 0;
  CHECK(cudaMemcpy(&got, device, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(got == 40);
  cudaFree(device);
}

TEST_CASE("a capture that another stream joined must be waited for") {
  const Fresh fresh;
  cudaStream_t stream = nullptr, side = nullptr;
  cudaEvent_t fork = nullptr;
  int* device = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), 4) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&side) == cudaSuccess);
  REQUIRE(cudaEventCreate(&fork) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(nullptr, 0) == cudaErrorStreamCaptureUnsupported);
  REQUIRE(cudaStreamBeginCapture(stream, 0) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(stream, 0) == cudaErrorIllegalState);
  CHECK(cudaEventRecord(fork, stream) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(side, fork, 0) == cudaSuccess);
  CHECK(cudaMemsetAsync(device, 1, 4, side) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(side, &graph) == cudaErrorStreamCaptureUnmatched);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureUnjoined);
  CHECK(cudaStreamSynchronize(side) == cudaSuccess);
  cudaFree(device);
}

TEST_CASE("what a captured stream waits for can be said anew, as an H200 has it") {
  const Fresh fresh;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr, other = nullptr;
  cudaGraphNode_t side = nullptr, alone = nullptr, foreign = nullptr;
  int* device = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), 4) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaGraphCreate(&other, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&foreign, other, nullptr, 0) == cudaSuccess);
  const auto update = [&](cudaGraphNode_t* nodes, std::size_t count, unsigned flags) {
    return cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, count, flags);
  };
  const auto waits_for = [&] {
    int status = 0;
    std::size_t count = 0;
    CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, nullptr, nullptr, &count) ==
          cudaSuccess);
    return count;
  };
  constexpr unsigned kAdd = 0, kReplace = 1;
  CHECK(update(nullptr, 0, kReplace) == cudaErrorIllegalState);
  CHECK(cudaStreamUpdateCaptureDependencies(kNobody, nullptr, nullptr, 0, kReplace) ==
        cudaErrorInvalidResourceHandle);
  REQUIRE(cudaStreamBeginCapture(stream, 0) == cudaSuccess);
  CHECK(cudaMemsetAsync(device, 1, 4, stream) == cudaSuccess);
  CHECK(waits_for() == 1);
  REQUIRE(cudaGraphAddEmptyNode(&side, graph, nullptr, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&alone, graph, nullptr, 0) == cudaSuccess);
  CHECK(update(&side, 1, kAdd) == cudaSuccess);
  CHECK(waits_for() == 2);
  CHECK(update(&side, 1, kAdd) == cudaSuccess);
  CHECK(waits_for() == 2);
  CHECK(update(&side, 1, 7) == cudaErrorInvalidValue);
  CHECK(update(nullptr, 1, kReplace) == cudaErrorInvalidValue);
  CHECK(update(&foreign, 1, kReplace) == cudaErrorInvalidValue);
  CHECK(waits_for() == 2);
  CHECK(update(nullptr, 0, kReplace) == cudaSuccess);
  CHECK(waits_for() == 0);
  CHECK(update(&alone, 1, kReplace) == cudaSuccess);
  CHECK(cudaMemsetAsync(device, 2, 4, stream) == cudaSuccess);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  std::array<cudaGraphNode_t, 2> from{}, to{};
  std::size_t count = from.size();
  CHECK(cudaGraphGetEdges(graph, from.data(), to.data(), nullptr, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(from[0] == alone);
  // A graph that the program has already need not be asked for.
  CHECK(cudaStreamBeginCaptureToGraph(stream, other, nullptr, nullptr, 0, 0) == cudaSuccess);
  CHECK(cudaMemsetAsync(device, 3, 4, stream) == cudaSuccess);
  CHECK(cudaStreamEndCapture(stream, nullptr) == cudaSuccess);
  CHECK(cudaGraphGetNodes(other, nullptr, &count) == cudaSuccess);
  CHECK(count == 2);
  cudaFree(device);
}

TEST_CASE("volumes without an extent, and those that are too large") {
  const Fresh fresh;
  void* device = nullptr;
  REQUIRE(cudaMalloc(&device, 100) == cudaSuccess);
  const std::size_t huge = ~std::size_t{0};
  CHECK(cudaMemset3D({device, 10, 10, 10}, 0, {0, huge, huge}) == cudaSuccess);
  CHECK(cudaMemset3D({device, 10, 10, 10}, 0, {10, 10, 1}) == cudaSuccess);
  CHECK(cudaMemset3D({device, 10, 10, 10}, 0, {10, 10, 2}) == cudaErrorInvalidValue);
  CHECK(cudaMemset3D({device, 10, 10, 10}, 0, {huge, huge, huge}) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy3D(nullptr) == cudaErrorInvalidValue);
  // Of two slices the first would have fitted: nothing of it is done.
  std::array<unsigned char, 200> host{};
  CHECK(cudaMemset(device, 7, 100) == cudaSuccess);
  CHECK(cudaMemset3D({device, 10, 10, 10}, 1, {10, 10, 2}) == cudaErrorInvalidValue);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = {host.data(), 10, 10, 10};
  copy.dstPtr = {device, 10, 10, 10};
  copy.extent = {10, 10, 2};
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host.data(), device, 100, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::count(host.begin(), host.end(), 7) == 100);
  copy.extent.depth = 1;
  host.fill(9);
  CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
  host.fill(0);
  CHECK(cudaMemcpy(host.data(), device, 100, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::count(host.begin(), host.end(), 9) == 100);
  cudaFree(device);
}

TEST_CASE("modules: text, machine code, nonsense") {
  const Fresh fresh;
  void* module = nullptr;
  CHECK(cuModuleLoadData(&module, nullptr) == 1);
  CHECK(cuModuleLoadData(&module, "this is no PTX at all") == 200);
  CHECK(cuModuleLoadData(&module,
                         "\x7f"
                         "ELF, machine code") == 209);
  CHECK(lanescope::cudart::how_to_make_ptx(lanescope::cudart::context()) ==
        "load PTX: what nvrtcGetPTX gives of a program compiled with "
        "--gpu-architecture=compute_90a, or nvcc -arch=compute_90a -ptx");
  CHECK(cuModuleLoadData(&module, ".version 9.0\n.target sm_80\n.visible .entry k( {\n") == 218);
  CHECK(cuModuleLoad(&module, "/nowhere/at/all.ptx") == 301);
  REQUIRE(cuModuleLoadData(&module, lanescope::tests::kStorePtx) == 0);
  void* function = nullptr;
  CHECK(cuModuleGetFunction(&function, module, "nobody") == 500);
  REQUIRE(cuModuleGetFunction(&function, module, "store") == 0);
  CUdeviceptr words = 0;
  std::size_t bytes = 0;
  REQUIRE(cuModuleGetGlobal_v2(&words, &bytes, module, "words") == 0);
  CHECK(bytes == 16);
  int value = 70;
  void* arguments[] = {&words, &value};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr) == 0);
  int got[4] = {};
  CHECK(cuMemcpyDtoH_v2(got, words, 16) == 0);
  CHECK(got[3] == 73);
  CHECK(cuLaunchKernel(function, 0, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr) == 1);
  CHECK(cuModuleUnload(module) == 0);
  CHECK(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr) == 400);
  CHECK(cuMemcpyDtoH_v2(got, words, 16) == 1);
  CHECK(cudaGetLastError() == cudaSuccess);  // it does not hear of the driver's errors
}

TEST_CASE("the driver's functions by name") {
  void* function = nullptr;
  int status = -1;
  CHECK(cuGetProcAddress_v2("cuMemAlloc", &function, 13000, 0, &status) == 0);
  CHECK(function == reinterpret_cast<void*>(&cuMemAlloc_v2));
  CHECK(status == 0);
  CHECK(cuGetProcAddress_v2("cuGreenCtxCreate", &function, 13000, 0, &status) == 0);
  REQUIRE(function != nullptr);
  CHECK(reinterpret_cast<CUresult (*)()>(function)() == 801);
  CHECK(cudaGetLastError() == cudaSuccess);  // it does not hear of the driver's errors
  CHECK(cuGetProcAddress_v2("cuNobody", &function, 13000, 0, &status) == 0);
  CHECK(status == 1);
  CHECK(function == nullptr);
  CHECK(cuGetProcAddress_v2("cuNobody", &function, 13000, 0, nullptr) == 500);
  CHECK(cuGetProcAddress_v2("", &function, 13000, 0, nullptr) == 500);
  const char* text = nullptr;
  CHECK(cuGetErrorName(400, &text) == 0);
  CHECK(std::strcmp(text, "CUDA_ERROR_INVALID_HANDLE") == 0);
  for (const int code : {217, 304, 402, 705, 714, 800}) {
    CHECK(cuGetErrorName(code, &text) == 0);
    CHECK(std::string(text).rfind("CUDA_ERROR_", 0) == 0);
    CHECK(cuGetErrorString(code, &text) == 0);
    CHECK(std::string(text) != "unrecognized error code");
  }
  CHECK(cuGetErrorName(12345, &text) == 1);
}

TEST_CASE("the driver's functions by name have the thread's own stream, where that is asked for") {
  const Fresh fresh;
  unsigned long long own = 0, id = 0;
  REQUIRE(cudaStreamGetId(reinterpret_cast<cudaStream_t>(kPerThreadStream), &own) == cudaSuccess);
  using GetId = CUresult(CUhandle, unsigned long long*);
  void* function = nullptr;
  const auto id_of_default = [&] {
    CHECK(reinterpret_cast<GetId*>(function)(nullptr, &id) == 0);
    return id;
  };
  constexpr unsigned kDefault = 0, kLegacy = 1, kPerThread = 2;
  for (const unsigned flag : {kDefault, kLegacy, kPerThread}) {
    CAPTURE(flag);
    const unsigned long long wanted = flag == kPerThread ? own : kLegacyStream;
    const auto version = static_cast<unsigned>(13000);
    CHECK(cuGetProcAddress_v2("cuStreamGetId", &function, 13000, flag, nullptr) == 0);
    CHECK(id_of_default() == wanted);
    CHECK(cudaGetDriverEntryPoint("cuStreamGetId", &function, flag, nullptr) == cudaSuccess);
    CHECK(id_of_default() == wanted);
    CHECK(cudaGetDriverEntryPointByVersion("cuStreamGetId", &function, version, flag, nullptr) ==
          cudaSuccess);
    CHECK(id_of_default() == wanted);
    // Of a program built with --default-stream per-thread.
    const unsigned long long twins = flag == kLegacy ? kLegacyStream : own;
    CHECK(cudaGetDriverEntryPoint_ptsz("cuStreamGetId", &function, flag, nullptr) == cudaSuccess);
    CHECK(id_of_default() == twins);
    CHECK(cudaGetDriverEntryPointByVersion_ptsz("cuStreamGetId", &function, version, flag,
                                                nullptr) == cudaSuccess);
    CHECK(id_of_default() == twins);
  }
  // Without a stream there is no twin; an older form has its own.
  CHECK(cuGetProcAddress_v2("cuMemAlloc", &function, 13000, kPerThread, nullptr) == 0);
  CHECK(function == reinterpret_cast<void*>(&cuMemAlloc_v2));
  void* older = nullptr;
  CHECK(cuGetProcAddress_v2("cuMemPrefetchAsync", &function, 12020, kPerThread, nullptr) == 0);
  CHECK(cuGetProcAddress_v2("cuMemPrefetchAsync", &older, 12010, kPerThread, nullptr) == 0);
  CHECK(function != older);
  CHECK(older != reinterpret_cast<void*>(&cuMemPrefetchAsync));
}

TEST_CASE("attributes of streams are remembered") {
  const Fresh fresh;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  char given[64] = "a window of the L2 cache", got[64] = "";
  CHECK(cudaStreamSetAttribute(stream, 1, given) == cudaSuccess);
  CHECK(cudaStreamGetAttribute(stream, 1, got) == cudaSuccess);
  CHECK(std::strcmp(given, got) == 0);
  CHECK(cudaStreamGetAttribute(stream, 3, got) == cudaSuccess);
  CHECK(got[0] == 0);
  CHECK(cudaStreamGetAttribute(stream, 2, got) == cudaErrorInvalidValue);  // of launches only
  CHECK(cudaStreamSetAttribute(stream, 1, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamSetAttribute(kNobody, 1, given) == cudaErrorInvalidResourceHandle);
  constexpr int kPriority = 8;
  for (const auto& [asked, held] : {std::pair{-100, -5}, {-3, -3}, {50, 0}}) {  // as on an H200
    std::memcpy(given, &asked, sizeof asked);
    CHECK(cudaStreamSetAttribute(stream, kPriority, given) == cudaSuccess);
    int priority = 1;
    CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
    CHECK(priority == held);
  }
}

TEST_CASE("the kernels of a library, counted and listed") {
  const Fresh fresh;
  cudaLibrary_t library = nullptr;
  REQUIRE(cudaLibraryLoadData(&library, lanescope::tests::kStorePtx, nullptr, nullptr, 0, nullptr,
                              nullptr, 0) == cudaSuccess);
  unsigned count = 0;
  CHECK(cudaLibraryGetKernelCount(&count, library) == cudaSuccess);
  REQUIRE(count == 2);
  std::vector<cudaKernel_t> kernels(count + 1);
  CHECK(cudaLibraryEnumerateKernels(kernels.data(), count + 1, library) == cudaSuccess);
  CHECK(kernels.back() == nullptr);
  cudaKernel_t store = nullptr;
  CHECK(cudaLibraryGetKernel(&store, library, "store") == cudaSuccess);
  CHECK(std::count(kernels.begin(), kernels.end(), store) == 1);
  CHECK(cudaLibraryGetKernelCount(&count, kNobody) == cudaErrorInvalidResourceHandle);
  CHECK(cudaLibraryEnumerateKernels(nullptr, 1, library) == cudaErrorInvalidValue);
  CHECK(cudaLibraryUnload(library) == cudaSuccess);
}

TEST_CASE("a graph is printed with what its nodes do and need") {
  const Fresh fresh;
  cudaGraph_t graph = nullptr, child = nullptr;
  cudaGraphNode_t filled = nullptr, inner = nullptr, empty = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphCreate(&child, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&empty, child, nullptr, 0) == cudaSuccess);
  void* place = nullptr;
  REQUIRE(cudaMalloc(&place, 128) == cudaSuccess);
  cudaMemsetParams params{place, 0, 7, 4, 32, 1};
  REQUIRE(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &params) == cudaSuccess);
  REQUIRE(cudaGraphAddChildGraphNode(&inner, graph, &filled, 1, child) == cudaSuccess);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("lanescope_graph_" + std::to_string(getpid())))
          .string();
  REQUIRE(cudaGraphDebugDotPrint(graph, path.c_str(), 0) == cudaSuccess);
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  CHECK(text ==
        "digraph dot {\nsubgraph cluster_0 {\nlabel=\"graph_0\" graph[style=\"dashed\"];\n"
        "\"graph_0_node_0\"[style=\"solid\" shape=\"invtrapezium\" "
        "label=\"0\nMEMSET\n(7,128)\n\"];\n\n"
        "\"graph_0_node_1\"[style=\"solid\" shape=\"rectangle\" label=\"1\ngraph_1\n\"];\n\n"
        "\"graph_0_node_0\" -> \"graph_0_node_1\";\n}\n"
        "subgraph cluster_1 {\nlabel=\"graph_1\" graph[style=\"dashed\"];\n"
        "\"graph_1_node_0\"[style=\"solid\" shape=\"rectangle\" label=\"0\nEMPTY\n\"];\n\n}\n}\n");
  std::filesystem::remove(path);
  CHECK(cudaGraphDebugDotPrint(graph, "/nowhere/at/all.dot", 0) == cudaErrorOperatingSystem);
  CHECK(cudaGraphDebugDotPrint(kNobody, path.c_str(), 0) == cudaErrorInvalidValue);
}

TEST_CASE("a node takes parameters of its own type only") {
  const Fresh fresh;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  void* place = nullptr;
  REQUIRE(cudaMalloc(&place, 16) == cudaSuccess);
  cudaMemsetParams fill{place, 0, 7, 4, 4, 1};
  REQUIRE(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill) == cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  cudaGraphNodeParams params{};
  params.type = 2;
  params.memset = fill;
  CHECK(cudaGraphNodeSetParams(node, &params) == cudaSuccess);
  CHECK(cudaGraphExecNodeSetParams(executable, node, &params) == cudaSuccess);
  params.memset.width = 0;
  CHECK(cudaGraphExecNodeSetParams(executable, node, &params) == cudaErrorInvalidValue);
  params.memset = fill;
  params.reserved2 = 1;
  CHECK(cudaGraphNodeSetParams(node, &params) == cudaErrorInvalidValue);
  params.reserved2 = 0;
  params.type = 5;
  CHECK(cudaGraphNodeSetParams(node, &params) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecNodeSetParams(executable, node, &params) == cudaErrorInvalidValue);
  CHECK(cudaGraphNodeSetParams(kNobody, &params) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecNodeSetParams(kNobody, node, &params) == cudaErrorInvalidValue);
  CHECK(cudaGraphNodeSetParams(node, nullptr) == cudaErrorInvalidValue);
}

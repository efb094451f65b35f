// SPDX-License-Identifier: MIT
// What launchers of others ask the driver for: what is known of an address, pools, values that
// streams write, graphs, logs of a compilation, whose a function is.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "cudart/driver/driver.hpp"
#include "cudart/driver/driver_graph.hpp"
#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;

namespace {

void* const kNoHandle = reinterpret_cast<void*>(std::uintptr_t{0x7fff'1234});

struct Loaded {
  Loaded() {
    REQUIRE(cuModuleLoadData(&module, lanescope::tests::kStorePtx) == 0);
    REQUIRE(cuModuleGetFunction(&function, module, "store") == 0);
    REQUIRE(cuMemAlloc_v2(&memory, 128) == 0);
    REQUIRE(cuStreamCreate(&stream, 1) == 0);
  }
  int at(int index) const {
    int value = -1;
    CHECK(cuMemcpyDtoH_v2(&value, memory + 4 * static_cast<CUdeviceptr>(index), 4) == 0);
    return value;
  }
  CUhandle module = nullptr, function = nullptr, stream = nullptr;
  CUdeviceptr memory = 0;
};

}  // namespace

TEST_CASE("the driver says of an address all that it is asked at once") {
  const Fresh fresh;
  CUdeviceptr device = 0;
  REQUIRE(cuMemAlloc_v2(&device, 1000) == 0);
  int asked[] = {2, 8, 9, 11, 12};
  unsigned type = 77;
  int managed = 77, ordinal = 77;
  CUdeviceptr begin = 77;
  std::size_t bytes = 77;
  void* values[] = {&type, &managed, &ordinal, &begin, &bytes};
  CHECK(cuPointerGetAttributes(5, asked, values, device + 100) == 0);
  CHECK(type == 2);
  CHECK(managed == 0);
  CHECK(ordinal == 0);
  CHECK(begin == device);
  CHECK(bytes == 1000);
  int here = 0;
  CHECK(cuPointerGetAttributes(5, asked, values, reinterpret_cast<CUdeviceptr>(&here)) == 0);
  CHECK(type == 0);
  CHECK(ordinal == -2);
  CHECK(bytes == 1000);  // of nobody the size is not written, as on an H200
  int access = 0, orders = 0, host = 4, wrong[] = {16, 6, 99};
  CUdeviceptr on_host = 0;
  void* more[] = {&access, &orders, &access};
  CHECK(cuPointerGetAttributes(2, wrong, more, device) == 0);
  CHECK(access == 3);
  CHECK(orders == 0);
  CHECK(cuPointerGetAttributes(3, wrong, more, device) == 1);
  orders = 2;
  CHECK(cuPointerSetAttribute(&orders, 6, device) == 0);
  CHECK(cuPointerGetAttribute(&orders, 6, device + 8) == 0);
  CHECK(orders == 1);
  CHECK(cuPointerSetAttribute(&orders, 2, device) == 1);
  CHECK(cuPointerSetAttribute(&orders, 6, reinterpret_cast<CUdeviceptr>(&here)) == 1);
  void* one[] = {&on_host};
  CHECK(cuPointerGetAttributes(1, &host, one, reinterpret_cast<CUdeviceptr>(&here)) == 0);
  CHECK(on_host == reinterpret_cast<CUdeviceptr>(&here));
  CHECK(cuPointerGetAttributes(0, asked, values, device) == 1);
  CHECK(cuPointerGetAttributes(1, asked, nullptr, device) == 1);
}

TEST_CASE("a stream writes values, and goes on where those it waits for are there") {
  const Fresh fresh;
  const Loaded it;
  CHECK(cuStreamWriteValue32_v2(it.stream, it.memory, 5, 0) == 0);
  CHECK(it.at(0) == 5);
  CHECK(cuStreamWriteValue64_v2(it.stream, it.memory + 8, 0x100000006u, 0) == 0);
  CHECK(it.at(2) == 6);
  CHECK(it.at(3) == 1);
  constexpr unsigned kAtLeast = 0, kEqual = 1, kAnd = 2, kNor = 3;
  CHECK(cuStreamWaitValue32_v2(it.stream, it.memory, 4, kAtLeast) == 0);
  CHECK(cuStreamWaitValue32_v2(it.stream, it.memory, 0xffffffff, kAtLeast) == 0);  // a circle
  CHECK(cuStreamWaitValue32_v2(it.stream, it.memory, 6, kAtLeast) == 801);
  CHECK(cuStreamWaitValue32_v2(it.stream, it.memory, 5, kEqual) == 0);
  CHECK(cuStreamWaitValue32_v2(it.stream, it.memory, 4, kEqual) == 801);
  CHECK(cuStreamWaitValue32_v2(it.stream, it.memory, 1, kAnd) == 0);
  CHECK(cuStreamWaitValue32_v2(it.stream, it.memory, 2, kAnd) == 801);
  CHECK(cuStreamWaitValue32_v2(it.stream, it.memory, 2, kNor) == 0);
  CHECK(cuStreamWaitValue32_v2(it.stream, it.memory, ~5u, kNor) == 801);
  CHECK(cuStreamWaitValue64_v2(it.stream, it.memory + 8, 0x100000006u, kEqual) == 0);
  CHECK(cuStreamWaitValue32_v2(it.stream, it.memory, 4, 4) == 1);
  CHECK(cuStreamWriteValue32_v2(it.stream, it.memory, 5, 1) == 1);
  CHECK(cuStreamWriteValue32_v2(it.stream, it.memory + 1, 5, 0) == 1);
  CHECK(cuStreamWriteValue64_v2(it.stream, it.memory + 4, 5, 0) == 1);
  CHECK(cuStreamWriteValue64_v2(it.stream, it.memory + 124, 5, 0) == 1);
  CHECK(cuStreamWriteValue32_v2(it.stream, 0, 5, 0) == 1);
  CHECK(cuStreamWriteValue32_v2(kNoHandle, it.memory, 5, 0) == 400);
}

TEST_CASE("graphs of the driver: made of nodes, and captured") {
  const Fresh fresh;
  const Loaded it;
  CUhandle graph = nullptr, node = nullptr, empty = nullptr, executable = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == 0);
  CHECK(cuGraphAddEmptyNode(&empty, graph, nullptr, 0) == 0);
  CUdeviceptr memory = it.memory;
  int value = 30;
  void* arguments[] = {&memory, &value};
  CUDA_KERNEL_NODE_PARAMS params{};
  params.kernel = it.function;  // a CUkernel, where no CUfunction is given
  params.node.gridDim = {1, 1, 1};
  params.node.blockDim = {8, 1, 1};
  params.node.kernelParams = arguments;
  CHECK(cuGraphAddKernelNode_v2(&node, graph, &empty, 1, nullptr) == 1);
  REQUIRE(cuGraphAddKernelNode_v2(&node, graph, &empty, 1, &params) == 0);
  int type = -1;
  CHECK(cuGraphNodeGetType(node, &type) == 0);
  CHECK(type == 0);
  std::size_t count = 0;
  CHECK(cuGraphGetNodes(graph, nullptr, &count) == 0);
  CHECK(count == 2);
  REQUIRE(cuGraphInstantiateWithFlags(&executable, graph, 0) == 0);
  CHECK(cuGraphLaunch(executable, it.stream) == 0);
  CHECK(it.at(7) == 37);
  value = 50;
  CHECK(cuGraphExecKernelNodeSetParams_v2(executable, node, &params) == 0);
  CHECK(cuGraphLaunch(executable, it.stream) == 0);
  CHECK(it.at(7) == 57);
  CHECK(cuGraphExecDestroy(executable) == 0);
  CHECK(cuGraphDestroy(graph) == 0);

  int capturing = -1;
  REQUIRE(cuStreamBeginCapture_v2(it.stream, 2) == 0);
  CHECK(cuStreamIsCapturing(it.stream, &capturing) == 0);
  CHECK(capturing == 1);
  value = 90;
  CHECK(cuLaunchKernel(it.function, 1, 1, 1, 8, 1, 1, 0, it.stream, arguments, nullptr) == 0);
  CHECK(cuStreamWriteValue32_v2(it.stream, it.memory, 5, 0) == 801);
  CHECK(it.at(7) == 57);
  unsigned long long id = 0;
  const CUhandle* needs = nullptr;
  CHECK(cuStreamGetCaptureInfo_v2(it.stream, &capturing, &id, &graph, &needs, &count) == 0);
  CHECK(count == 1);
  REQUIRE(cuStreamEndCapture(it.stream, &graph) == 0);
  REQUIRE(cuGraphInstantiateWithFlags(&executable, graph, 0) == 0);
  CHECK(cuGraphUpload(executable, it.stream) == 0);
  CHECK(cuGraphLaunch(executable, it.stream) == 0);
  CHECK(it.at(7) == 97);
  CHECK(cuGraphLaunch(kNoHandle, it.stream) == 1);
  CHECK(cuGraphDestroy(graph) == 0);
}

TEST_CASE("a module that does not compile leaves its line in the log that is given for it") {
  const Fresh fresh;
  char info[32], error[512], small[8];
  const auto load = [](const char* text, char* to, std::size_t bytes, char* other) {
    const int options[] = {5, 6, 3, 4};
    void* values[] = {to, reinterpret_cast<void*>(bytes), other, reinterpret_cast<void*>(32)};
    CUhandle module = nullptr;
    const CUresult result = cuModuleLoadDataEx(&module, text, 4, options, values);
    CHECK(reinterpret_cast<std::uintptr_t>(values[1]) == std::strlen(to));
    return result;
  };
  std::memset(info, 'x', sizeof info);
  CHECK(load(".version 9.0\n.target sm_80\n.visible .entry k( {\n", error, 512, info) == 218);
  CHECK(std::string(error).find("'{' should be '.param', PTX of the module:3:") == 0);
  CHECK(info[0] == 0);
  CHECK(load(".version 9.0\n.target sm_80\n.visible .entry k( {\n", small, 8, info) == 218);
  CHECK(std::string(small) == "'{' sho");
  CHECK(load(lanescope::tests::kStorePtx, error, 512, info) == 0);
  CHECK(std::string(error).empty());
}

TEST_CASE("a kernel of the program itself has a module, with its kernels and variables") {
  const Fresh fresh;
  const lanescope::tests::Program program;
  CUhandle module = nullptr, store = nullptr, each[4] = {};
  REQUIRE(cuFuncGetModule(&module, const_cast<char*>(&program.store_stub)) == 0);
  CHECK(cuModuleGetFunction(&store, module, "store") == 0);
  unsigned count = 0;
  CHECK(cuModuleGetFunctionCount(&count, module) == 0);
  CHECK(count == 3);
  CHECK(cuModuleEnumerateFunctions(each, 3, module) == 0);
  CHECK(std::find(each, each + 3, store) != each + 3);
  CUdeviceptr memory = 0, words = 0;
  std::size_t bytes = 0;
  REQUIRE(cuMemAlloc_v2(&memory, 128) == 0);
  int first = 70;
  void* arguments[] = {&memory, &first};
  CHECK(cuLaunchKernel(store, 1, 1, 1, 8, 1, 1, 0, nullptr, arguments, nullptr) == 0);
  int found = 0;
  CHECK(cuMemcpyDtoH_v2(&found, memory + 28, 4) == 0);
  CHECK(found == 77);
  CHECK(cuModuleGetGlobal_v2(&words, &bytes, module, "words") == 0);
  CHECK(bytes == 16);
  CHECK(cuMemcpyDtoH_v2(&found, words + 8, 4) == 0);
  CHECK(found == 3);
  CHECK(cuModuleGetFunction(&store, module, "none") == 500);
  CHECK(cuModuleGetGlobal_v2(&words, &bytes, module, "none") == 500);
  CHECK(cuModuleUnload(module) == 400);
  CHECK(cuMemFree_v2(memory) == 0);
}

TEST_CASE("whose a function is, what the context has, which card a bus has") {
  const Fresh fresh;
  const Loaded it;
  CUhandle found = nullptr;
  CHECK(cuFuncGetModule(&found, it.function) == 0);
  CHECK(found == it.module);
  CHECK(cuKernelGetLibrary(&found, it.function) == 0);
  CHECK(found == it.module);
  CHECK(cuFuncGetModule(&found, kNoHandle) == 400);
  CHECK(cuFuncGetModule(nullptr, it.function) == 1);
  std::size_t offset = 0, bytes = 0;
  CHECK(cuKernelGetParamInfo(it.function, 1, &offset, &bytes) == 0);
  CHECK(offset == 8);
  CHECK(bytes == 4);
  unsigned long long id = 0;
  CHECK(cuCtxGetId(nullptr, &id) == 0);
  CHECK(cuCtxGetId(kNoHandle, &id) == 1);
  char bus[32];
  CUdevice device = 9;
  CHECK(cuDeviceGetPCIBusId(bus, sizeof bus, 0) == 0);
  CHECK(cuDeviceGetByPCIBusId(&device, bus) == 0);
  CHECK(device == 0);
  CUhandle pool = nullptr, current = nullptr;
  CHECK(cuDeviceGetDefaultMemPool(&pool, 0) == 0);
  CHECK(cuDeviceGetMemPool(&current, 0) == 0);
  CHECK(pool == current);
  const cudaMemPoolProps properties{1, 0, {1, 0}, nullptr, 0, 0, {}};  // pinned, the device's
  REQUIRE(cuMemPoolCreate(&pool, &properties) == 0);
  CUdeviceptr memory = 0;
  CHECK(cuMemAllocFromPoolAsync(&memory, 64, pool, it.stream) == 0);
  constexpr int kUsed = 7;
  std::uint64_t used = 0;
  CHECK(cuMemPoolGetAttribute(pool, kUsed, &used) == 0);
  CHECK(used >= 64);
  CHECK(cuMemFreeAsync(memory, it.stream) == 0);
  CHECK(cuMemPoolDestroy(pool) == 0);
  std::size_t shared = 0;
  CHECK(cuOccupancyAvailableDynamicSMemPerBlock(&shared, it.function, 2, 128) == 0);
  CHECK(shared == 49152);  // until cuFuncSetAttribute allows more
}

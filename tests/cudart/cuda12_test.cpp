// SPDX-License-Identifier: MIT
// libcudart.so.12 as a program built with CUDA 12 sees it: this test is linked with it, and
// declares what it calls as cuda_runtime_api.h of CUDA 12.4 does. abi_test.cpp looks at CUDA 13.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {
constexpr int kSuccess = 0, kInvalidValue = 1;
using Handle = void*;
struct Attributes {
  int type, device;
  void *device_pointer, *host_pointer;
};
/// cudaResourceDesc of linear memory, and of nothing else.
struct Resource {
  int type, padding;
  void* pointer;
  int bits_x, bits_y, bits_z, bits_w, kind, padding_behind;
  std::size_t bytes, rest[2];
};
static_assert(sizeof(Resource) == 64);
struct View {
  int format, padding;
  std::size_t sizes[3];
  unsigned firsts_and_lasts[4];
};
static_assert(sizeof(View) == 48);
/// cudaTextureDesc, by its first words; zeros are fine for the others.
struct How {
  int words[18];
};
struct Launch {
  const void* function;
  unsigned grid[3], block[3];
  void** arguments;
  std::size_t shared_bytes;
  Handle stream;
};
/// A caller's struct with something of the caller's behind it.
template <class T>
struct Guarded {
  T value{};
  std::uint64_t behind[16] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
  bool whole() const {
    for (const std::uint64_t word : behind)
      if (word != 7) return false;
    return true;
  }
};
/// Offsets of cudaDeviceProp.
constexpr std::size_t kPropBytes = 1032, kWarpSize = 308, kMaxThreads = 320, kMajor = 360,
                      kMultiprocessors = 388, kComputeMode = 404, kL2Bytes = 616;
}  // namespace

extern "C" {
int cudaMalloc(void**, std::size_t);
int cudaMallocManaged(void**, std::size_t, unsigned);
int cudaFree(void*);
int cudaMemset(void*, int, std::size_t);
int cudaMemcpy(void*, const void*, std::size_t, int);
int cudaGetLastError();
int cudaRuntimeGetVersion(int*);
int cudaDriverGetVersion(int*);
int cudaDeviceGetAttribute(int*, int, int);
int cudaGetDeviceProperties(void*, int);
int cudaGetDeviceProperties_v2(void*, int);
int cudaPointerGetAttributes(Attributes*, const void*);
int cudaCreateTextureObject(unsigned long long*, const Resource*, const How*, const View*);
int cudaDestroyTextureObject(unsigned long long);
int cudaGetTextureObjectResourceDesc(Resource*, unsigned long long);
int cudaGetTextureObjectResourceViewDesc(View*, unsigned long long);
int cudaLaunchCooperativeKernelMultiDevice(const Launch*, unsigned cards, unsigned flags);
int cudaThreadSynchronize();
int cudaThreadGetLimit(std::size_t*, int);
int cudaDeviceGetLimit(std::size_t*, int);
int cudaSetDoubleForDevice(double*);
int cudaMemAdvise(const void*, std::size_t, int, int device);
int cudaMemPrefetchAsync(const void*, std::size_t, int device, Handle stream);
int cudaMemRangeGetAttribute(void*, std::size_t, int, const void*, std::size_t);
int cudaGraphCreate(Handle*, unsigned);
int cudaGraphDestroy(Handle);
int cudaGraphAddEmptyNode(Handle*, Handle, const Handle*, std::size_t);
int cudaGraphAddDependencies(Handle, const Handle*, const Handle*, std::size_t);
int cudaGraphRemoveDependencies(Handle, const Handle*, const Handle*, std::size_t);
int cudaGraphGetEdges(Handle, Handle*, Handle*, std::size_t*);
int cudaGraphGetEdges_v2(Handle, Handle*, Handle*, void*, std::size_t*);
int cudaGraphNodeGetDependencies(Handle, Handle*, std::size_t*);
int cudaGraphNodeGetDependentNodes(Handle, Handle*, std::size_t*);
int cudaStreamCreate(Handle*);
int cudaStreamDestroy(Handle);
int cudaStreamBeginCapture(Handle, int);
int cudaStreamEndCapture(Handle, Handle*);
int cudaStreamGetCaptureInfo_v2(Handle, int*, unsigned long long*, Handle*, const Handle**,
                                std::size_t*);
int cudaStreamUpdateCaptureDependencies(Handle, Handle*, std::size_t, unsigned);
int cudaStreamBeginCapture_ptsz(Handle, int);
int cudaStreamEndCapture_ptsz(Handle, Handle*);
int cudaStreamGetCaptureInfo_ptsz(Handle, int*, unsigned long long*);
int cudaStreamGetCaptureInfo_v2_ptsz(Handle, int*, unsigned long long*, Handle*, const Handle**,
                                     std::size_t*);
int cudaStreamUpdateCaptureDependencies_ptsz(Handle, Handle*, std::size_t, unsigned);
int cudaMemPrefetchAsync_ptsz(const void*, std::size_t, int device, Handle stream);
}

TEST_CASE("what has not changed is CUDA 13's, and the memory is one") {
  Dl_info where;
  REQUIRE(dladdr(reinterpret_cast<void*>(&cudaMalloc), &where) != 0);
  CHECK(std::strstr(where.dli_fname, "libcudart.so.12") != nullptr);
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 64) == kSuccess);
  REQUIRE(cudaMemset(memory, 0x5a, 64) == kSuccess);
  std::vector<std::uint8_t> bytes(64);
  constexpr int kToHost = 2;
  REQUIRE(cudaMemcpy(bytes.data(), memory, 64, kToHost) == kSuccess);
  CHECK(bytes == std::vector<std::uint8_t>(64, 0x5a));

  // CUDA 13's has room for eight words more behind these: they are the caller's here.
  Guarded<Attributes> asked;
  REQUIRE(cudaPointerGetAttributes(&asked.value, memory) == kSuccess);
  constexpr int kOfDevice = 2;
  CHECK(asked.value.type == kOfDevice);
  CHECK(asked.value.device_pointer == memory);
  CHECK(asked.whole());
  CHECK(cudaFree(memory) == kSuccess);
  CHECK(cudaGetLastError() == kSuccess);
}

TEST_CASE("the properties lie where CUDA 12 has them") {
  const auto number = [](const std::vector<std::uint8_t>& prop, std::size_t at) {
    int value;
    std::memcpy(&value, prop.data() + at, sizeof value);
    return value;
  };
  const auto attribute = [](int which) {
    int value = -1;
    REQUIRE(cudaDeviceGetAttribute(&value, which, 0) == kSuccess);
    return value;
  };
  std::vector<std::uint8_t> prop(kPropBytes + 8, 0xcc);
  REQUIRE(cudaGetDeviceProperties_v2(prop.data(), 0) == kSuccess);
  CHECK(number(prop, kWarpSize) == 32);
  CHECK(number(prop, kMaxThreads) == attribute(1));
  CHECK(number(prop, kMajor) == attribute(75));
  CHECK(number(prop, kMultiprocessors) == attribute(16));
  CHECK(number(prop, kComputeMode) == attribute(20));
  CHECK(number(prop, kL2Bytes) == attribute(38));
  CHECK(cudaGetLastError() == kSuccess);  // nothing of it was asked in vain
  CHECK(number(prop, kPropBytes) == static_cast<int>(0xcccccccc));

  constexpr std::size_t kBytesOfCuda11 = 728;
  std::vector<std::uint8_t> older(kPropBytes, 0xcc);
  REQUIRE(cudaGetDeviceProperties(older.data(), 0) == kSuccess);
  CHECK(std::memcmp(older.data(), prop.data(), kBytesOfCuda11) == 0);
  CHECK(number(older, kBytesOfCuda11) == static_cast<int>(0xcccccccc));
  CHECK(cudaGetDeviceProperties_v2(nullptr, 0) == kInvalidValue);
  cudaGetLastError();

  int version = 0, driver = 0;
  CHECK(cudaRuntimeGetVersion(&version) == kSuccess);
  CHECK(version == 12090);
  CHECK(cudaDriverGetVersion(&driver) == kSuccess);
  CHECK(driver >= 13000);
}

TEST_CASE("a place in memory is a device's number") {
  void* memory = nullptr;
  constexpr unsigned kGlobal = 1;
  constexpr std::size_t kPage = 65536;
  REQUIRE(cudaMallocManaged(&memory, kPage, kGlobal) == kSuccess);
  constexpr int kSetPreferred = 3, kPreferred = 2, kLastPrefetch = 4, kHost = -1;
  int place = 99;
  CHECK(cudaMemAdvise(memory, kPage, kSetPreferred, 0) == kSuccess);
  CHECK(cudaMemRangeGetAttribute(&place, sizeof place, kPreferred, memory, kPage) == kSuccess);
  CHECK(place == 0);
  CHECK(cudaMemAdvise(memory, kPage, kSetPreferred, kHost) == kSuccess);
  CHECK(cudaMemRangeGetAttribute(&place, sizeof place, kPreferred, memory, kPage) == kSuccess);
  CHECK(place == kHost);
  CHECK(cudaMemPrefetchAsync(memory, kPage, 0, nullptr) == kSuccess);
  CHECK(cudaMemRangeGetAttribute(&place, sizeof place, kLastPrefetch, memory, kPage) == kSuccess);
  CHECK(place == 0);
  CHECK(cudaFree(memory) == kSuccess);
}

TEST_CASE("what a texture is of ends where CUDA 12 has it end") {
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4096) == kSuccess);
  constexpr int kLinear = 2, kFloat = 2;
  const Resource of{kLinear, 0, memory, 32, 0, 0, 0, kFloat, 0, 4096, {}};
  const How how{};
  unsigned long long texture = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &of, &how, nullptr) == kSuccess);
  Guarded<Resource> found;
  CHECK(cudaGetTextureObjectResourceDesc(&found.value, texture) == kSuccess);
  CHECK(found.value.type == kLinear);
  CHECK(found.value.pointer == memory);
  CHECK(found.value.bytes == 4096);
  CHECK(found.whole());
  Guarded<View> view;
  CHECK(cudaGetTextureObjectResourceViewDesc(&view.value, texture) == kSuccess);
  CHECK(view.whole());
  CHECK(cudaGetTextureObjectResourceDesc(nullptr, texture) == kInvalidValue);
  CHECK(cudaCreateTextureObject(&texture, nullptr, &how, nullptr) == kInvalidValue);
  CHECK(cudaDestroyTextureObject(texture) == kSuccess);
  CHECK(cudaFree(memory) == kSuccess);
  cudaGetLastError();
}

TEST_CASE("names that CUDA 13 dropped are there") {
  CHECK(cudaThreadSynchronize() == kSuccess);
  std::size_t then = 0, now = 1;
  constexpr int kStackBytes = 0;
  CHECK(cudaThreadGetLimit(&then, kStackBytes) == kSuccess);
  CHECK(cudaDeviceGetLimit(&now, kStackBytes) == kSuccess);
  CHECK(then == now);
  double pi = 3.14159;
  CHECK(cudaSetDoubleForDevice(&pi) == kSuccess);
  CHECK(pi == 3.14159);
  const Launch launches[2] = {};
  CHECK(cudaLaunchCooperativeKernelMultiDevice(launches, 2, 0) == kInvalidValue);
  constexpr int kInvalidFunction = 98;
  CHECK(cudaLaunchCooperativeKernelMultiDevice(launches, 1, 0) == kInvalidFunction);
  cudaGetLastError();
}

TEST_CASE("edges of graphs have no data") {
  Handle graph, a, b, from[2], to[2];
  REQUIRE(cudaGraphCreate(&graph, 0) == kSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&a, graph, nullptr, 0) == kSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&b, graph, nullptr, 0) == kSuccess);
  REQUIRE(cudaGraphAddDependencies(graph, &a, &b, 1) == kSuccess);
  std::size_t count = 2;
  CHECK(cudaGraphGetEdges(graph, from, to, &count) == kSuccess);
  REQUIRE(count == 1);
  CHECK(from[0] == a);
  CHECK(to[0] == b);
  count = 2;
  CHECK(cudaGraphGetEdges_v2(graph, from, to, nullptr, &count) == kSuccess);
  CHECK(count == 1);
  count = 2;
  CHECK(cudaGraphNodeGetDependencies(b, from, &count) == kSuccess);
  CHECK(count == 1);
  CHECK(from[0] == a);
  count = 2;
  CHECK(cudaGraphNodeGetDependentNodes(a, to, &count) == kSuccess);
  CHECK(count == 1);
  CHECK(to[0] == b);
  CHECK(cudaGraphRemoveDependencies(graph, &a, &b, 1) == kSuccess);
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &count) == kSuccess);
  CHECK(count == 0);
  CHECK(cudaGraphDestroy(graph) == kSuccess);
}

TEST_CASE("a capture is asked and changed without data of edges") {
  Handle stream, graph, captured, node;
  REQUIRE(cudaStreamCreate(&stream) == kSuccess);
  REQUIRE(cudaStreamBeginCapture(stream, 0) == kSuccess);
  int status = 0;
  unsigned long long id = 0;
  const Handle* needs = nullptr;
  std::size_t count = 9;
  CHECK(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &captured, &needs, &count) == kSuccess);
  constexpr int kActive = 1;
  CHECK(status == kActive);
  CHECK(count == 0);
  REQUIRE(cudaGraphAddEmptyNode(&node, captured, nullptr, 0) == kSuccess);
  constexpr unsigned kAdd = 0;
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &node, 1, kAdd) == kSuccess);
  CHECK(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &captured, &needs, &count) == kSuccess);
  REQUIRE(count == 1);
  CHECK(needs[0] == node);
  CHECK(cudaStreamEndCapture(stream, &graph) == kSuccess);
  CHECK(cudaGraphDestroy(graph) == kSuccess);
  CHECK(cudaStreamDestroy(stream) == kSuccess);
}

TEST_CASE("a capture of the thread's own default stream, too") {
  Handle captured = nullptr, graph = nullptr, node = nullptr;
  int status = 0;
  unsigned long long id = 0, same = 0;
  const Handle* needs = nullptr;
  std::size_t count = 9;
  void* memory = nullptr;
  constexpr unsigned kReplace = 1;
  REQUIRE(cudaMallocManaged(&memory, 4096, 1) == kSuccess);
  REQUIRE(cudaStreamBeginCapture_ptsz(nullptr, 2) == kSuccess);
  CHECK(cudaStreamGetCaptureInfo_ptsz(nullptr, &status, &id) == kSuccess);
  CHECK(status == 1);
  CHECK(cudaStreamGetCaptureInfo_v2_ptsz(nullptr, &status, &same, &captured, &needs, &count) ==
        kSuccess);
  CHECK(same == id);
  CHECK(count == 0);
  REQUIRE(cudaGraphAddEmptyNode(&node, captured, nullptr, 0) == kSuccess);
  CHECK(cudaStreamUpdateCaptureDependencies_ptsz(nullptr, &node, 1, kReplace) == kSuccess);
  CHECK(cudaStreamEndCapture_ptsz(nullptr, &graph) == kSuccess);
  CHECK(cudaMemPrefetchAsync_ptsz(memory, 4096, 0, nullptr) == kSuccess);
  CHECK(cudaGraphDestroy(graph) == kSuccess);
  CHECK(cudaFree(memory) == kSuccess);
}

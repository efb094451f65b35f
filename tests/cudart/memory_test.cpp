// SPDX-License-Identifier: MIT
// Memory and copies through the API: what is refused, what arrives, what is left.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;
using lanescope::tests::Program;

namespace {
std::size_t free_bytes() {
  std::size_t free = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&free, &total) == cudaSuccess);
  return free;
}
}  // namespace

TEST_CASE("device memory comes, is counted, and goes once") {
  const Fresh fresh;
  const std::size_t before = free_bytes();
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 1000) == cudaSuccess);
  CHECK(reinterpret_cast<std::uintptr_t>(memory) % 512 == 0);
  CHECK(free_bytes() == before - 1000);
  CHECK(cudaFree(static_cast<char*>(memory) + 4) == cudaErrorInvalidValue);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaErrorInvalidValue);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(free_bytes() == before);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("no bytes are no memory and no error") {
  const Fresh fresh;
  void* memory = &memory;
  CHECK(cudaMalloc(&memory, 0) == cudaSuccess);
  CHECK(memory == nullptr);
}

TEST_CASE("too much is out of memory") {
  const Fresh fresh;
  void* memory = nullptr;
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX / 2, std::size_t{1} << 60})
    CHECK(cudaMalloc(&memory, bytes) == cudaErrorMemoryAllocation);
  CHECK(cudaMallocHost(&memory, SIZE_MAX) == cudaErrorMemoryAllocation);
  std::size_t pitch = 0;
  CHECK(cudaMallocPitch(&memory, &pitch, SIZE_MAX, 2) == cudaErrorInvalidValue);
  CHECK(cudaMallocPitch(&memory, &pitch, 1 << 20, std::size_t{1} << 50) ==
        cudaErrorMemoryAllocation);
  CHECK(memory == nullptr);
}

TEST_CASE("bytes survive the way there and back, at odd offsets and lengths") {
  const Fresh fresh;
  std::vector<unsigned char> sent(777), received(777, 0);
  std::iota(sent.begin(), sent.end(), static_cast<unsigned char>(3));
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 1000) == cudaSuccess);
  char* device = static_cast<char*>(memory);
  CHECK(cudaMemcpy(device + 13, sent.data(), 777, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(device, device + 13, 777, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(received.data(), device, 777, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(sent == received);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("a batch of copies, with attributes from one copy on") {
  const Fresh fresh;
  void* device = nullptr;
  REQUIRE(cudaMalloc(&device, 300) == cudaSuccess);
  std::vector<unsigned char> sent(300), received(300, 0);
  std::iota(sent.begin(), sent.end(), static_cast<unsigned char>(5));
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  auto* there = static_cast<unsigned char*>(device);
  void* to[] = {there, there + 100, there + 200};
  const void* from[] = {sent.data(), sent.data() + 100, sent.data() + 200};
  const std::size_t bytes[] = {100, 100, 100};
  cudaMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = 1;
  attributes[1].srcAccessOrder = 3;
  std::size_t first[] = {0, 2};
  CHECK(cudaMemcpyBatchAsync(to, from, bytes, 3, attributes, first, 2, stream) == cudaSuccess);
  REQUIRE(cudaMemcpy(received.data(), device, 300, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(received == sent);
  const auto refused = [&](std::size_t count, std::size_t attribute_count) {
    return cudaMemcpyBatchAsync(to, from, bytes, count, attributes, first, attribute_count,
                                stream) == cudaErrorInvalidValue;
  };
  CHECK(refused(3, 0));
  CHECK(refused(1, 2));
  first[1] = 3;
  CHECK(refused(3, 2));
  first[1] = 0;
  CHECK(refused(3, 2));
  first[0] = 1;
  CHECK(refused(3, 1));
  first[0] = 0;
  attributes[0].srcAccessOrder = 0;
  CHECK(refused(3, 1));
  attributes[0].srcAccessOrder = 4;
  CHECK(refused(3, 1));
  attributes[0].srcAccessOrder = 2;
  CHECK_FALSE(refused(3, 1));
  attributes[0].flags = 2;
  CHECK(refused(3, 1));
  attributes[0].flags = 1;  // rather beside kernels
  CHECK_FALSE(refused(3, 1));
  for (const std::uintptr_t number : {0, 1}) {  // the default stream, and by its name
    auto* other = reinterpret_cast<cudaStream_t>(number);
    CHECK(cudaMemcpyBatchAsync(to, from, bytes, 3, attributes, first, 1, other) ==
          cudaErrorInvalidValue);
  }
  to[1] = there + 201;  // a byte too far
  CHECK(refused(3, 1));
  const std::size_t none[] = {100, 0, 100};
  CHECK(cudaMemcpyBatchAsync(to, from, none, 3, attributes, first, 1, stream) ==
        cudaErrorInvalidValue);
}

TEST_CASE("a copy that would run over its allocation moves nothing") {
  const Fresh fresh;
  std::vector<char> host(2000, 'h');
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 1000) == cudaSuccess);
  REQUIRE(cudaMemset(memory, 'd', 1000) == cudaSuccess);
  char* device = static_cast<char*>(memory);
  CHECK(cudaMemcpy(device, host.data(), 1001, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(device + 1000, host.data(), 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(device - 1, host.data(), 10, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(device + 1, host.data(), SIZE_MAX, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host.data(), device + 600, 401, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host.data(), device + 600, 401, cudaMemcpyDefault) == cudaErrorInvalidValue);
  CHECK(cudaMemset(device, 0, 1001) == cudaErrorInvalidValue);
  CHECK(host[0] == 'h');
  CHECK(cudaMemcpy(host.data(), device, 1000, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::vector<char>(host.begin(), host.begin() + 1000) == std::vector<char>(1000, 'd'));
  CHECK(host[1000] == 'h');
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("the direction of a copy has to be true") {
  const Fresh fresh;
  char host[16] = {};
  void* device = nullptr;
  REQUIRE(cudaMalloc(&device, 16) == cudaSuccess);
  CHECK(cudaMemcpy(host, device, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(device, host, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(device, host, 16, cudaMemcpyHostToHost) == cudaSuccess);  // nobody minds
  CHECK(cudaMemcpy(device, host, 16, cudaMemcpyDefault) == cudaSuccess);
  for (const int kind : {-1, 5, 1000})
    CHECK(cudaMemcpy(device, host, 16, static_cast<cudaMemcpyKind>(kind)) ==
          cudaErrorInvalidMemcpyDirection);
  CHECK(cudaFree(device) == cudaSuccess);
}

TEST_CASE("wild pointers are answered") {
  const Fresh fresh;
  void* device = nullptr;
  REQUIRE(cudaMalloc(&device, 16) == cudaSuccess);
  void* const wild[] = {nullptr, reinterpret_cast<void*>(8), reinterpret_cast<void*>(0x10),
                        reinterpret_cast<void*>(~0ull), reinterpret_cast<void*>(1ull << 62)};
  for (void* pointer : wild) {
    CAPTURE(pointer);
    CHECK(cudaMemcpy(device, pointer, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(pointer, device, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(pointer, pointer, 16, cudaMemcpyDefault) == cudaErrorInvalidValue);
    CHECK(cudaMemset(pointer, 0, 16) == cudaErrorInvalidValue);
    CHECK(cudaHostRegister(pointer, 16, 0) == cudaErrorInvalidValue);
    CHECK(cudaHostUnregister(pointer) != cudaSuccess);
    CHECK(cudaMemcpyToSymbol(pointer, &device, 4, 0, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidSymbol);
    if (pointer) CHECK(cudaFree(pointer) == cudaErrorInvalidValue);
    if (pointer) CHECK(cudaFreeHost(pointer) == cudaErrorInvalidValue);
  }
  CHECK(cudaMalloc(nullptr, 16) == cudaErrorInvalidValue);
  CHECK(cudaMallocManaged(nullptr, 16, 1) == cudaErrorInvalidValue);
  CHECK(cudaHostAlloc(nullptr, 16, 0) == cudaErrorInvalidValue);
  CHECK(cudaMemGetInfo(nullptr, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaPointerGetAttributes(nullptr, device) == cudaErrorInvalidValue);
  CHECK(cudaFree(device) == cudaSuccess);
}

TEST_CASE("pinned and registered memory") {
  const Fresh fresh;
  void* pinned = nullptr;
  REQUIRE(cudaHostAlloc(&pinned, 100, 2) == cudaSuccess);
  std::memset(pinned, 1, 100);
  void* device = nullptr;
  CHECK(cudaHostGetDevicePointer(&device, pinned, 0) == cudaSuccess);
  CHECK(device == pinned);
  unsigned flags = 0;
  CHECK(cudaHostGetFlags(&flags, pinned) == cudaSuccess);
  CHECK(flags == 2);
  CHECK(cudaHostRegister(pinned, 10, 0) == cudaErrorInvalidValue);
  CHECK(cudaFree(pinned) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaHostAlloc(&pinned, 100, 0x100) == cudaErrorInvalidValue);

  std::vector<char> own(100);
  CHECK(cudaHostRegister(own.data(), own.size(), 0) == cudaSuccess);
  CHECK(cudaHostRegister(own.data() + 50, 100, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostUnregister(own.data() + 1) == cudaErrorHostMemoryNotRegistered);
  CHECK(cudaHostUnregister(own.data()) == cudaSuccess);
  CHECK(cudaHostUnregister(own.data()) == cudaErrorHostMemoryNotRegistered);
}

TEST_CASE("a pointer's attributes") {
  const Fresh fresh;
  int local = 0;
  void* device = nullptr;
  void* managed = nullptr;
  REQUIRE(cudaMalloc(&device, 16) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 16, 1) == cudaSuccess);
  const auto type_of = [](const void* pointer) {
    cudaPointerAttributes attributes{};
    CHECK(cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess);
    return attributes.type;
  };
  CHECK(type_of(&local) == cudaMemoryTypeUnregistered);
  CHECK(type_of(static_cast<char*>(device) + 15) == cudaMemoryTypeDevice);
  CHECK(type_of(static_cast<char*>(managed) + 15) == cudaMemoryTypeManaged);
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(cudaFree(device) == cudaSuccess);
  CHECK(type_of(device) == cudaMemoryTypeUnregistered);
}

TEST_CASE("rows need a pitch that holds them") {
  const Fresh fresh;
  void* device = nullptr;
  REQUIRE(cudaMalloc(&device, 100) == cudaSuccess);
  char host[100] = {};
  CHECK(cudaMemcpy2D(device, 10, host, 20, 15, 2, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(device, 20, host, 20, 20, 5, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2D(device, 20, host, 20, 20, 6, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2D(device, SIZE_MAX, host, 20, 20, 3, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemset2D(device, 20, 0, 20, 5) == cudaSuccess);
  CHECK(cudaMemset2D(device, 25, 0, 20, 5) == cudaErrorInvalidValue);
  CHECK(cudaFree(device) == cudaSuccess);
}

TEST_CASE("slices that begin beyond their memory are not somebody else's, as on an H200") {
  const Fresh fresh;
  constexpr std::size_t kPage = 4096, kRow = 64, kRows = 8, kSlice = kRow * kRows;
  alignas(kPage) static std::byte pages[2 * kPage];  // behind the first one is ordinary memory
  REQUIRE(cudaHostRegister(pages, kPage, 0) == cudaSuccess);
  void* device = nullptr;
  REQUIRE(cudaMalloc(&device, 2 * kSlice) == cudaSuccess);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = {pages, kRow, kRow, kRows};
  copy.dstPtr = {device, kRow, kRow, kRows};
  copy.extent = {kRow, kRows, 2};
  copy.kind = cudaMemcpyHostToDevice;
  copy.srcPos.z = kPage / kSlice - 2;  // the last two
  CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
  copy.srcPos.z += 1;  // one begins behind them
  CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
  copy.srcPos.z += 1;  // both do
  CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(pages) == cudaSuccess);
  CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
  CHECK(cudaFree(device) == cudaSuccess);
}

TEST_CASE("variables by their shadow") {
  const Fresh fresh;
  Program program;
  void* address = nullptr;
  std::size_t bytes = 0;
  REQUIRE(cudaGetSymbolAddress(&address, &program.words_shadow) == cudaSuccess);
  CHECK(cudaGetSymbolSize(&bytes, &program.words_shadow) == cudaSuccess);
  CHECK(bytes == 16);
  unsigned words[4] = {};
  CHECK(cudaMemcpyFromSymbol(words, &program.words_shadow, 16, 0, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  CHECK(words[0] == 1);
  CHECK(words[3] == 4);
  const unsigned seven = 7;
  CHECK(cudaMemcpyToSymbol(&program.words_shadow, &seven, 4, 12, cudaMemcpyHostToDevice) ==
        cudaSuccess);
  CHECK(cudaMemcpy(words, address, 16, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(words[2] == 3);
  CHECK(words[3] == 7);
  CHECK(cudaMemcpyToSymbol(&program.words_shadow, &seven, 4, 13, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(&program.words_shadow, &seven, 4, SIZE_MAX, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(&program.words_shadow, &seven, 4, 0, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidMemcpyDirection);
}

TEST_CASE("managed memory begins with zeros, as on an H200") {
  const Fresh fresh;
  unsigned char* managed = nullptr;
  REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(&managed), 5000, 1) == cudaSuccess);
  CHECK(std::count(managed, managed + 5000, 0) == 5000);
  cudaFree(managed);
}

// SPDX-License-Identifier: MIT
// The card, its errors, streams and events, and the functions that are not emulated.
#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "cudart/errors.hpp"
#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;

extern "C" cudaError cudaMipmappedArrayGetMemoryRequirements();

TEST_CASE("one card, and its properties agree with its attributes") {
  const Fresh fresh;
  int count = 0, device = -1;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  cudaDeviceProp prop{};
  CHECK(cudaGetDeviceProperties(&prop, 0) == cudaSuccess);
  CHECK(std::string(prop.name) == "Lanescope emulator");
  CHECK(prop.major == 9);
  CHECK(prop.multiProcessorCount == 132);
  const auto attribute_of = [](int number) {
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, number, 0) == cudaSuccess);
    return value;
  };
  CHECK(attribute_of(1) == prop.maxThreadsPerBlock);
  CHECK(attribute_of(5) == prop.maxGridSize[0]);
  CHECK(attribute_of(8) == static_cast<int>(prop.sharedMemPerBlock));
  CHECK(attribute_of(10) == prop.warpSize);
  CHECK(attribute_of(16) == prop.multiProcessorCount);
  CHECK(attribute_of(39) == prop.maxThreadsPerMultiProcessor);
  CHECK(attribute_of(75) == prop.major);
  CHECK(attribute_of(76) == prop.minor);
  CHECK(attribute_of(81) == static_cast<int>(prop.sharedMemPerMultiprocessor));
  CHECK(attribute_of(97) == static_cast<int>(prop.sharedMemPerBlockOptin));
  CHECK(attribute_of(106) == prop.maxBlocksPerMultiProcessor);
  CHECK(attribute_of(120) == prop.clusterLaunch);
  int value = 0;
  CHECK(attribute_of(13) == 1000000);  // kHz of the clock
  CHECK(cudaDeviceGetAttribute(&value, 100000, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetAttribute(&value, 1, 1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetAttribute(nullptr, 1, 0) == cudaErrorInvalidValue);
  CHECK(cudaGetDeviceProperties(nullptr, 0) == cudaErrorInvalidValue);
}

// docs/runtime.md says which are not.
TEST_CASE("attributes are an H200's, but for what is not there") {
  const Fresh fresh;
  std::set<int> other{13, 32, 34, 139, 140, 134};  // clock, ECC, the PCI bus, the host's NUMA node
  for (const int array : {112, 121}) other.insert(array);  // sparse, mapped later
  // several cards at once, handles for other processes
  for (const int shared :
       {96, 107, 110, 114, 116, 117, 118, 119, 124, 125, 128, 141, 142, 144, 145})
    other.insert(shared);
  std::ifstream file(LANESCOPE_CARD_ATTRIBUTES);
  int same = 0;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '#') continue;
    std::istringstream words(line);
    int number = 0, card = 0, ours = 0;
    words >> number >> card;
    CHECK(cudaDeviceGetAttribute(&ours, number, 0) == cudaSuccess);
    CHECK_MESSAGE((ours == card) == (other.count(number) == 0), number, ": ", ours, ", ", card);
    same += ours == card;
  }
  CHECK(same > 70);
}

TEST_CASE("every architecture that is named has a card") {
  std::string names(known_archs());
  int cards = 0;
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(", ", at), names.size());
    const Card* card = find_card(parse_target(names.substr(at, end - at)));
    REQUIRE(card);
    CHECK(is_emulated({card->sm, 0}));
    CHECK(card->shared_bytes_per_block_optin() <= card->shared_bytes_per_multiprocessor);
    CHECK(card->threads_per_multiprocessor % 32 == 0);
    ++cards;
    at = end + 2;
  }
  CHECK(cards == 13);
  CHECK(find_card(parse_target("sm_70")) == nullptr);
  for (int number = 50; number < 200; ++number)
    CHECK(is_emulated({number, 0}) == (find_card({number, 0}) != nullptr));
}

TEST_CASE("errors have names and sentences") {
  CHECK(std::string(cudaGetErrorName(cudaErrorIllegalAddress)) == "cudaErrorIllegalAddress");
  CHECK(std::string(cudaGetErrorString(cudaErrorIllegalAddress)) ==
        "an illegal memory access was encountered");
  CHECK(std::string(cudaGetErrorString(static_cast<cudaError>(12345))) ==
        "unrecognized error code");
}

TEST_CASE("every error of the emulator has an error of CUDA") {
  using lanescope::emulator::ErrorCode;
  for (int code = 1; code <= static_cast<int>(ErrorCode::assertion); ++code) {
    const cudaError error = to_cuda(static_cast<ErrorCode>(code));
    CHECK(error != cudaSuccess);
    CHECK(error != cudaErrorUnknown);
  }
  CHECK(to_cuda(ErrorCode::none) == cudaSuccess);
  lanescope::emulator::Error stopped;
  stopped.code = ErrorCode::assertion;
  CHECK(to_cuda(stopped) == cudaErrorAssert);
  stopped.diagnostic.kind = "trap";
  CHECK(to_cuda(stopped) == cudaErrorLaunchFailure);
  CHECK(is_sticky(cudaErrorIllegalAddress));
  CHECK(is_sticky(cudaErrorMisalignedAddress));
  CHECK_FALSE(is_sticky(cudaErrorInvalidValue));
  CHECK_FALSE(is_sticky(cudaErrorInvalidConfiguration));
}

TEST_CASE("what is not emulated says so") {
  const Fresh fresh;
  CHECK(cudaMipmappedArrayGetMemoryRequirements() == cudaErrorNotSupported);
  CHECK(cudaGetLastError() == cudaErrorNotSupported);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("streams live until they are destroyed") {
  const Fresh fresh;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithPriority(&stream, 1, -100) == cudaSuccess);
  int priority = 1;
  unsigned flags = 0;
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(priority == -5);
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(flags == 1);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
  for (const std::uintptr_t special : {1, 2})  // cudaStreamLegacy, cudaStreamPerThread
    CHECK(cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(special)) == cudaSuccess);
  CHECK(cudaStreamSynchronize(&stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamCreate(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamCreateWithFlags(&stream, 77) == cudaErrorInvalidValue);
  CHECK(cudaLaunchHostFunc(nullptr, nullptr, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("events measure the time between their records") {
  const Fresh fresh;
  cudaEvent_t first = nullptr, second = nullptr, silent = nullptr;
  REQUIRE(cudaEventCreate(&first) == cudaSuccess);
  REQUIRE(cudaEventCreate(&second) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&silent, kEventDisableTiming) == cudaSuccess);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, first, second) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(first, nullptr) == cudaSuccess);
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(5)) {
  }
  CHECK(cudaEventRecord(second, nullptr) == cudaSuccess);
  CHECK(cudaEventRecord(silent, nullptr) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, first, second) == cudaSuccess);
  CHECK(milliseconds >= 5.0f);
  CHECK(cudaEventElapsedTime(&milliseconds, second, first) == cudaSuccess);
  CHECK(milliseconds <= -5.0f);
  CHECK(cudaEventElapsedTime(&milliseconds, first, silent) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventElapsedTime(nullptr, first, second) == cudaErrorInvalidValue);
  CHECK(cudaEventDestroy(silent) == cudaSuccess);
  CHECK(cudaEventDestroy(silent) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(silent, nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventQuery(reinterpret_cast<cudaEvent_t>(~0ull)) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventDestroy(first) == cudaSuccess);
  CHECK(cudaEventDestroy(second) == cudaSuccess);
}

TEST_CASE("settings are remembered") {
  const Fresh fresh;
  std::size_t value = 0;
  CHECK(cudaDeviceGetLimit(&value, 1) == cudaSuccess);
  CHECK(value == 8650752);
  CHECK(cudaDeviceSetLimit(1, 4096) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&value, 1) == cudaSuccess);
  CHECK(value == 512 << 10);  // the least
  CHECK(cudaDeviceSetLimit(99, 1) == cudaErrorInvalidValue);
  const std::size_t others[] = {2048, 64, 11796480};  // launches, grain, L2 kept
  for (int limit = 4; limit <= 6; ++limit) {
    CHECK(cudaDeviceGetLimit(&value, limit) == cudaSuccess);
    CHECK(value == others[limit - 4]);
  }
  int version = 0;
  CHECK(cudaRuntimeGetVersion(&version) == cudaSuccess);
  CHECK(version == 13000);
}

TEST_CASE("as many clusters at a time as an H200 said") {
  // cudaOccupancyMaxActiveClusters of that card (driver 580.159.04, CUDA 13.0), by cluster size,
  // for 1, 2, 3, 4, 5 and 8 blocks on each multiprocessor.
  constexpr int kBlocks[] = {1, 2, 3, 4, 5, 8};
  constexpr int kClusters[16][6] = {
      {132, 264, 396, 528, 660, 1056},  // 1
      {66, 132, 198, 264, 330, 528},    // 2
      {39, 79, 124, 163, 203, 327},     // 3
      {30, 62, 92, 124, 154, 248},      // 4
      {22, 47, 69, 94, 124, 193},       // 5
      {17, 39, 62, 79, 101, 163},       // 6
      {15, 32, 47, 69, 84, 139},        // 7
      {15, 30, 45, 62, 77, 124},        // 8
      {9, 23, 37, 51, 60, 102},         // 9
      {7, 21, 30, 44, 58, 88},          // 10
      {7, 16, 28, 37, 51, 81},          // 11
      {7, 16, 28, 37, 44, 74},          // 12
      {7, 14, 23, 30, 42, 67},          // 13
      {7, 14, 21, 30, 37, 65},          // 14
      {7, 14, 21, 28, 37, 58},          // 15
      {7, 14, 21, 28, 35, 58},          // 16
  };
  const Card* card = find_card(parse_target("sm_90"));
  REQUIRE(card);
  for (int size = 1; size <= 16; ++size)
    for (int k = 0; k < 6; ++k) {
      CAPTURE(size);
      CHECK(active_clusters(*card, kBlocks[k], size) == kClusters[size - 1][k]);
    }
}

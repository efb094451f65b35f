// SPDX-License-Identifier: MIT
// The driver's functions as programs ask for them that were written for an older CUDA: by a
// version, with the parameters that the function had then (PFN_..._v12080 and so on in
// cudaTypedefs.h, as types here).
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>

#include "cudart/driver/driver_older.hpp"
#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;

namespace {

void* form(const char* name, int version) {
  void* function = nullptr;
  int status = 7;
  REQUIRE(cuGetProcAddress_v2(name, &function, version, 0, &status) == 0);
  REQUIRE(status == 0);
  return function;
}
template <class Function>
Function* older(const char* name, int version) {
  return reinterpret_cast<Function*>(form(name, version));
}

CUdeviceptr address_of(void* memory) { return reinterpret_cast<CUdeviceptr>(memory); }

}  // namespace

TEST_CASE("copies in a batch and advice have the parameters of the CUDA that was asked for") {
  const Fresh fresh;
  void* words = nullptr;
  CUhandle stream = nullptr;
  REQUIRE(cudaMallocManaged(&words, 64, 1) == cudaSuccess);
  REQUIRE(cuStreamCreate(&stream, 1) == 0);
  std::memset(words, 3, 4);
  const auto copy =
      older<CUresult(CUdeviceptr*, CUdeviceptr*, std::size_t*, std::size_t, cudaMemcpyAttributes*,
                     std::size_t*, std::size_t, std::size_t*, CUhandle)>("cuMemcpyBatchAsync",
                                                                         12080);
  CUdeviceptr from = address_of(words), to = from + 32;
  std::size_t bytes = 4, first = 0, failed = 5;
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = 1;
  CHECK(copy(&to, &from, &bytes, 1, &attributes, &first, 1, &failed, stream) == 0);
  CHECK(static_cast<unsigned char*>(words)[35] == 3);
  CHECK(failed == 5);
  CHECK(copy(&to, &from, &bytes, 1, &attributes, &first, 1, &failed, nullptr) == 1);
  CHECK(failed == SIZE_MAX);
  void* newest = nullptr;
  CHECK(cudaGetDriverEntryPointByVersion("cuMemcpyBatchAsync", &newest, 12080, 0, nullptr) ==
        cudaSuccess);
  CHECK(newest == reinterpret_cast<void*>(copy));
  CHECK(cudaGetDriverEntryPointByVersion("cuMemcpyBatchAsync", &newest, 13000, 0, nullptr) ==
        cudaSuccess);
  CHECK(newest == reinterpret_cast<void*>(&cuMemcpyBatchAsync_v2));

  constexpr int kPreferred = 3, kAskPreferred = 2, kHost = -1;
  const auto advise = older<CUresult(CUdeviceptr, std::size_t, int, int)>("cuMemAdvise", 12010);
  int place = 7;
  for (const int device : {0, kHost}) {
    CHECK(advise(from, 64, kPreferred, device) == 0);
    CHECK(cuMemRangeGetAttribute(&place, sizeof place, kAskPreferred, from, 64) == 0);
    CHECK(place == device);
  }
  const auto prefetch =
      older<CUresult(CUdeviceptr, std::size_t, int, CUhandle)>("cuMemPrefetchAsync", 8000);
  CHECK(prefetch(from, 64, 0, stream) == 0);
  CHECK(prefetch(from, 64, 4, stream) != 0);
  cudaFree(words);
}

TEST_CASE("captures and graphs have the parameters of the CUDA that was asked for") {
  const Fresh fresh;
  CUhandle stream = nullptr, graph = nullptr, nodes[2] = {}, from = nullptr, to = nullptr;
  REQUIRE(cuStreamCreate(&stream, 1) == 0);
  int status = 7;
  unsigned long long id = 7;
  const auto short_info =
      older<CUresult(CUhandle, int*, unsigned long long*)>("cuStreamGetCaptureInfo", 11020);
  CHECK(short_info(stream, &status, &id) == 0);
  CHECK(status == 0);
  CHECK(form("cuStreamGetCaptureInfo", 12020) ==
        reinterpret_cast<void*>(&cuStreamGetCaptureInfo_v2));
  CHECK(form("cuStreamGetCaptureInfo", 12030) ==
        reinterpret_cast<void*>(&cuStreamGetCaptureInfo_v3));
  REQUIRE(cuGraphCreate(&graph, 0) == 0);
  for (CUhandle& node : nodes) REQUIRE(cuGraphAddEmptyNode(&node, graph, nullptr, 0) == 0);
  using Edges = CUresult(CUhandle, const CUhandle*, const CUhandle*, std::size_t);
  CHECK(older<Edges>("cuGraphAddDependencies", 12020)(graph, &nodes[0], &nodes[1], 1) == 0);
  std::size_t count = 1;
  const auto list =
      older<CUresult(CUhandle, CUhandle*, CUhandle*, std::size_t*)>("cuGraphGetEdges", 10000);
  CHECK(list(graph, &from, &to, &count) == 0);
  CHECK(count == 1);
  CHECK(from == nodes[0]);
  CHECK(to == nodes[1]);
  CHECK(older<Edges>("cuGraphRemoveDependencies", 12020)(graph, &nodes[0], &nodes[1], 1) == 0);
  CHECK(list(graph, &from, &to, &count) == 0);
  CHECK(count == 0);
  // A node of a kernel was told less then: refused, not read beyond its end.
  const auto short_node =
      older<CUresult(CUhandle, const void*)>("cuGraphKernelNodeSetParams", 11080);
  CHECK(short_node(nodes[0], nullptr) == 801);
}

TEST_CASE("who asks for cuGetProcAddress of CUDA 11 is told nothing but the function") {
  const Fresh fresh;
  using Asks = CUresult(const char*, void**, int, std::uint64_t);
  const auto ask = older<Asks>("cuGetProcAddress", 11030);
  void* function = nullptr;
  CHECK(ask("cuMemAlloc", &function, 11030, 0) == 0);
  CHECK(function == reinterpret_cast<void*>(&cuMemAlloc_v2));
  CHECK(ask("cuNobody", &function, 11030, 0) == 500);
  CUhandle made = nullptr;
  const auto create = older<CUresult(CUhandle*, void*, int, unsigned, int)>("cuCtxCreate", 11040);
  CHECK(create(&made, nullptr, 0, 0, 0) == 0);
  CHECK(made != nullptr);
  CHECK(form("cuCtxCreate", 11030) == reinterpret_cast<void*>(&cuCtxCreate_v2));
}

// SPDX-License-Identifier: MIT
// The driver API: several operations at a time, and what programs ask of the device before them.
#include <doctest/doctest.h>

#include <cstring>

#include "cudart/driver/driver_batch.hpp"
#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;

namespace {

struct Memory {
  Memory() {
    REQUIRE(cudaMallocManaged(&words, 64, 1) == cudaSuccess);
    REQUIRE(cuMemHostAlloc(&pinned, 64, 0) == 0);
    std::memset(words, 0, 64);
    std::memset(pinned, 0, 64);
    REQUIRE(cuStreamCreate(&stream, 1) == 0);
  }
  int at(int index) const { return static_cast<const int*>(words)[index]; }
  CUdeviceptr address(int index) const {
    return reinterpret_cast<CUdeviceptr>(words) + 4 * static_cast<CUdeviceptr>(index);
  }
  void *words = nullptr, *pinned = nullptr;
  CUhandle stream = nullptr;
};

CUstreamOperation operation(unsigned kind, CUdeviceptr address, std::uint64_t value,
                            unsigned flags = 0) {
  return {kind, 0, address, value, flags, 0, 0};
}

}  // namespace

TEST_CASE("a stream writes values and waits for them in one call") {
  const Fresh fresh;
  const Memory it;
  const auto found = [&](int index) { return static_cast<const int*>(it.pinned)[index]; };
  const auto pinned = [&](std::uint64_t index) {
    return reinterpret_cast<CUdeviceptr>(it.pinned) + 4 * index;
  };
  constexpr unsigned kWait32 = 1, kWrite32 = 2, kWait64 = 4, kWrite64 = 5, kBarrier = 6;
  const CUstreamOperation all[] = {operation(kWrite32, pinned(1), 7), operation(kBarrier, 0, 0),
                                   operation(kWait32, pinned(1), 7, 1),
                                   operation(kWrite64, pinned(2), 0x500000006u),
                                   operation(kWait64, pinned(2), 0x500000006u, 1)};
  CHECK(cuStreamBatchMemOp_v2(it.stream, 5, all, 0) == 0);
  CHECK(found(1) == 7);
  CHECK(found(2) == 6);
  CHECK(found(3) == 5);
  const CUstreamOperation late[] = {operation(kWrite32, pinned(1), 8),
                                    operation(kWait32, pinned(1), 9, 1)};
  CHECK(cuStreamBatchMemOp_v2(it.stream, 2, late, 0) == 801);  // nobody will write it
  const CUstreamOperation unknown[] = {operation(kWrite32, pinned(1), 10),
                                       operation(99, pinned(1), 0)};
  CHECK(cuStreamBatchMemOp_v2(it.stream, 2, unknown, 0) == 1);
  CHECK(found(1) == 8);  // all are looked at before the first is done
  CHECK(cuStreamBatchMemOp_v2(it.stream, 2, nullptr, 0) == 1);
  CHECK(cuStreamBatchMemOp_v2(it.stream, 5, all, 1) == 1);
  const CUstreamOperation managed[] = {operation(kWrite32, it.address(0), 7)};
  CHECK(cuStreamBatchMemOp_v2(it.stream, 1, managed, 0) == 1);
  const CUstreamOperation flush[] = {operation(3, 0, 0)};
  CHECK(cuStreamBatchMemOp_v2(it.stream, 1, flush, 0) == 801);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("the driver copies, prefetches and discards in batches as the runtime does") {
  const Fresh fresh;
  const Memory it;
  const int from[] = {11, 22};
  CUdeviceptr to[] = {it.address(0), it.address(8)};
  CUdeviceptr sources[] = {reinterpret_cast<CUdeviceptr>(&from[0]),
                           reinterpret_cast<CUdeviceptr>(&from[1])};
  std::size_t bytes[] = {4, 4}, first = 0;
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = 1;
  CHECK(cuMemcpyBatchAsync_v2(to, sources, bytes, 2, &attributes, &first, 1, it.stream) == 0);
  CHECK(it.at(0) == 11);
  CHECK(it.at(8) == 22);
  CHECK(cuMemcpyBatchAsync_v2(to, sources, bytes, 2, &attributes, &first, 1, nullptr) == 1);
  cudaMemLocation card{1, 0};
  CHECK(cuMemPrefetchBatchAsync(to, bytes, 2, &card, &first, 1, 0, it.stream) == 0);
  CHECK(it.at(8) == 22);
  CHECK(cuMemDiscardBatchAsync(&to[1], bytes, 1, 0, it.stream) == 0);
  CHECK(it.at(0) == 11);
  CHECK(it.at(8) != 22);
  CHECK(cuMemDiscardAndPrefetchBatchAsync(to, bytes, 1, &card, &first, 1, 0, it.stream) == 0);
  CHECK(it.at(0) != 11);
  CHECK(cuMemDiscardBatchAsync(to, bytes, 1, 1, it.stream) == 1);
}

TEST_CASE("a block of one device goes to the same one as a peer's") {
  const Fresh fresh;
  const Memory it;
  static_cast<int*>(it.words)[1] = 5;
  cudaMemcpy3DPeerParms copy{};
  copy.srcPtr = {reinterpret_cast<void*>(it.address(1)), 4, 4, 1};
  copy.dstPtr = {reinterpret_cast<void*>(it.address(9)), 4, 4, 1};
  copy.extent = {4, 1, 1};
  CHECK(cudaMemcpy3DPeer(&copy) == cudaSuccess);
  CHECK(it.at(9) == 5);
  copy.dstDevice = 1;
  CHECK(cudaMemcpy3DPeerAsync(&copy, it.stream) == cudaErrorInvalidDevice);
  CHECK(cudaMemcpy3DPeer(nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("the driver tells of the device what the runtime tells") {
  const Fresh fresh;
  cudaDeviceProp same{};
  REQUIRE(cudaGetDeviceProperties(&same, 0) == cudaSuccess);
  CUdevprop old{};
  CHECK(cuDeviceGetProperties(&old, 0) == 0);
  CHECK(old.maxThreadsPerBlock == same.maxThreadsPerBlock);
  CHECK(old.maxThreadsDim[2] == same.maxThreadsDim[2]);
  CHECK(old.SIMDWidth == 32);
  CHECK(old.regsPerBlock == same.regsPerBlock);
  CHECK(cuDeviceGetProperties(&old, 1) == 101);
  CHECK(cuDeviceGetProperties(nullptr, 0) == 1);
  int value = 0;
  CHECK(cuDeviceGetP2PAttribute(&value, 2, 0, 0) == 101);  // nobody is its own peer
  CHECK(cuDeviceGetP2PAttribute(nullptr, 2, 0, 0) == 1);
  constexpr int kFloat = 0x20;
  std::size_t texels = 0;
  CHECK(cuDeviceGetTexture1DLinearMaxWidth(&texels, kFloat, 4, 0) == 0);
  CHECK(texels == std::size_t{1} << 28);
  CHECK(cuDeviceGetTexture1DLinearMaxWidth(&texels, kFloat, 3, 0) == 1);
  unsigned flags = 0;
  constexpr unsigned kBlocks = 4, kMapsHost = 8;
  CHECK(cuCtxSetFlags(kBlocks) == 0);
  CHECK(cuCtxGetFlags(&flags) == 0);
  CHECK(flags == (kBlocks | kMapsHost));
  CHECK(cuCtxSetFlags(1024) == 1);
  CHECK(cuCtxSetFlags(0) == 0);
  CUexecAffinityParam affinity{7, 0};
  CHECK(cuCtxGetExecAffinity(&affinity, 0) == 0);
  CHECK(affinity.type == 0);
  CHECK(static_cast<int>(affinity.count) == same.multiProcessorCount);
  CHECK(cuCtxGetExecAffinity(&affinity, 1) == 224);
  CUhandle attached = nullptr;
  CHECK(cuCtxAttach(&attached, 0) == 0);
  CHECK(cuCtxDetach(attached) == 0);
}

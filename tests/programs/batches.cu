// SPDX-License-Identifier: MIT
// Batches of prefetches and discards of managed memory, and calls about other cards, other
// processes and pools by place: what each answers, and what the memory holds and says then. An H200
// answered the same (h200/batches.txt).
#include <cstring>

#include "program.cuh"

namespace {

constexpr std::size_t kBytes = 1 << 21;

int* memory(char value) {
  int* pointer = nullptr;
  CHECK(cudaMallocManaged(&pointer, kBytes));
  std::memset(pointer, value, kBytes);
  return pointer;
}

void where(const char* what, const void* pointer) {
  int type = -9, id = -9;
  CHECK(cudaMemRangeGetAttribute(&type, 4, cudaMemRangeAttributeLastPrefetchLocationType, pointer,
                                 kBytes));
  CHECK(cudaMemRangeGetAttribute(&id, 4, cudaMemRangeAttributeLastPrefetchLocationId, pointer,
                                 kBytes));
  std::printf("%s: prefetched to type %d, id %d\n", what, type, id);
}

void batches() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int *a = memory(1), *b = memory(2), *plain = nullptr;
  CHECK(cudaMalloc(&plain, kBytes));
  void* both[] = {a, b};
  void* mixed[] = {a, plain};
  std::size_t sizes[] = {kBytes, kBytes}, first[] = {0, 1}, late[] = {1, 2};
  std::size_t nothing[] = {kBytes, 0}, much[] = {kBytes, 2 * kBytes};
  cudaMemLocation places[] = {{cudaMemLocationTypeDevice, 0}, {cudaMemLocationTypeHost, 0}};
  cudaMemLocation wrong[] = {{cudaMemLocationTypeDevice, 7}, {cudaMemLocationTypeInvalid, 0}};
  SAY(cudaMemPrefetchBatchAsync(both, sizes, 2, places, first, 1, 0, stream));
  where("a", a);
  where("b", b);
  SAY(cudaMemPrefetchBatchAsync(both, sizes, 2, places, first, 2, 0, stream));
  where("a", a);
  where("b", b);
  SAY(cudaMemPrefetchBatchAsync(both, sizes, 2, places, first, 2, 0, nullptr));
  SAY(cudaMemPrefetchBatchAsync(both, sizes, 2, places, first, 2, 1, stream));
  SAY(cudaMemPrefetchBatchAsync(both, sizes, 2, places, late, 1, 0, stream));
  SAY(cudaMemPrefetchBatchAsync(both, sizes, 2, places, first, 0, 0, stream));
  SAY(cudaMemPrefetchBatchAsync(both, sizes, 0, places, first, 1, 0, stream));
  SAY(cudaMemPrefetchBatchAsync(both, sizes, 1, places, first, 2, 0, stream));
  SAY(cudaMemPrefetchBatchAsync(nullptr, sizes, 2, places, first, 1, 0, stream));
  SAY(cudaMemPrefetchBatchAsync(both, nullptr, 2, places, first, 1, 0, stream));
  SAY(cudaMemPrefetchBatchAsync(both, sizes, 2, nullptr, first, 1, 0, stream));
  SAY(cudaMemPrefetchBatchAsync(both, sizes, 2, places, nullptr, 1, 0, stream));
  SAY(cudaMemPrefetchBatchAsync(both, nothing, 2, places, first, 1, 0, stream));
  SAY(cudaMemPrefetchBatchAsync(both, much, 2, places, first, 1, 0, stream));
  SAY(cudaMemPrefetchBatchAsync(mixed, sizes, 2, places, first, 1, 0, stream));
  SAY(cudaMemPrefetchBatchAsync(both, sizes, 2, wrong, first, 1, 0, stream));
  SAY(cudaMemPrefetchBatchAsync(both, sizes, 2, wrong + 1, first, 1, 0, stream));
  SAY(cudaStreamSynchronize(stream));
  std::printf("a[0] is 0x%x, b[0] is 0x%x\n", a[0], b[0]);
  SAY(cudaMemDiscardBatchAsync(both, sizes, 2, 0, stream));
  SAY(cudaMemDiscardBatchAsync(both, sizes, 2, 0, nullptr));
  SAY(cudaMemDiscardBatchAsync(both, sizes, 2, 1, stream));
  SAY(cudaMemDiscardBatchAsync(both, sizes, 0, 0, stream));
  SAY(cudaMemDiscardBatchAsync(nullptr, sizes, 2, 0, stream));
  SAY(cudaMemDiscardBatchAsync(both, nothing, 2, 0, stream));
  SAY(cudaMemDiscardBatchAsync(mixed, sizes, 2, 0, stream));
  SAY(cudaMemDiscardAndPrefetchBatchAsync(both, sizes, 2, places, first, 2, 0, stream));
  where("a", a);
  where("b", b);
  SAY(cudaMemDiscardAndPrefetchBatchAsync(both, sizes, 2, places, first, 2, 0, nullptr));
  SAY(cudaMemDiscardAndPrefetchBatchAsync(mixed, sizes, 2, places, first, 1, 0, stream));
  CHECK(cudaStreamSynchronize(stream));
  a[0] = b[0] = 5;
  std::printf("a[0] is %d, b[0] is %d\n", a[0], b[0]);
  // In a capture.
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SAY(cudaMemPrefetchBatchAsync(both, sizes, 2, places, first, 1, 0, stream));
  SAY(cudaMemDiscardBatchAsync(both, sizes, 2, 0, stream));
  SAY(cudaStreamEndCapture(stream, &graph));
}

void peers() {
  int value = -9;
  SAY(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
  SAY(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 0, 1));
  SAY(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 0));
  SAY(cudaDeviceGetP2PAttribute(&value, static_cast<cudaDeviceP2PAttr>(99), 0, 0));
  unsigned flags = 99;
  SAY(cudaGetDeviceFlags(&flags));
  std::printf("flags %u\n", flags);
  SAY(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  SAY(cudaGetDeviceFlags(&flags));
  std::printf("flags %u\n", flags);
  SAY(cudaSetDeviceFlags(cudaDeviceScheduleAuto));
  SAY(cudaGetDeviceFlags(&flags));
  std::printf("flags %u\n", flags);
}

void pools() {
  cudaMemLocation card{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
  cudaMemLocation other{cudaMemLocationTypeDevice, 1};
  cudaMemPool_t usual = nullptr, found = nullptr;
  CHECK(cudaDeviceGetDefaultMemPool(&usual, 0));
  SAY(cudaMemGetDefaultMemPool(&found, &card, cudaMemAllocationTypePinned));
  std::printf("the card's own: %d\n", found == usual);
  SAY(cudaMemGetDefaultMemPool(&found, &other, cudaMemAllocationTypePinned));
  SAY(cudaMemGetDefaultMemPool(nullptr, &card, cudaMemAllocationTypePinned));
  SAY(cudaMemGetDefaultMemPool(&found, nullptr, cudaMemAllocationTypePinned));
  SAY(cudaMemGetDefaultMemPool(&found, &card, cudaMemAllocationTypeInvalid));
  SAY(cudaMemGetMemPool(&found, &card, cudaMemAllocationTypePinned));
  std::printf("the card's own: %d\n", found == usual);
  cudaMemPoolProps wanted{};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location = card;
  cudaMemPool_t made = nullptr;
  CHECK(cudaMemPoolCreate(&made, &wanted));
  SAY(cudaMemSetMemPool(&card, cudaMemAllocationTypePinned, made));
  SAY(cudaMemGetMemPool(&found, &card, cudaMemAllocationTypePinned));
  std::printf("the one that was set: %d\n", found == made);
  SAY(cudaDeviceGetMemPool(&found, 0));
  std::printf("the one that was set: %d\n", found == made);
  SAY(cudaMemSetMemPool(&host, cudaMemAllocationTypePinned, made));
  SAY(cudaMemSetMemPool(&card, cudaMemAllocationTypePinned, usual));
}

__global__ void empty() {}

void preferred(unsigned cluster, unsigned wanted, unsigned blocks) {
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributePreferredClusterDimension;
  attributes[0].val.preferredClusterDim = {wanted, 1, 1};
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim = {cluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = 32;
  config.attrs = attributes;
  config.numAttrs = cluster == 0 ? 1 : 2;
  std::printf("cluster %u, rather %u, of %u blocks: ", cluster, wanted, blocks);
  SAY(cudaLaunchKernelEx(&config, empty));
}

}  // namespace

int main() {
  batches();
  peers();
  pools();
  preferred(0, 2, 8);
  preferred(2, 4, 8);
  preferred(2, 2, 8);
  preferred(4, 2, 8);
  preferred(2, 3, 6);
  preferred(2, 4, 6);
  preferred(2, 16, 16);
  preferred(0, 1, 8);
  preferred(1, 4, 8);
  SAY(cudaDeviceSynchronize());
}

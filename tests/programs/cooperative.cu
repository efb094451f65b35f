// SPDX-License-Identifier: MIT
// cooperative_groups: this_grid().sync() in a cooperative launch, by its own call and by the launch
// attribute; one block more than the card has room for; the same kernel launched the plain way.
#include <cooperative_groups.h>

#include "program.cuh"

namespace cg = cooperative_groups;

// Rounds of values[k] += values[k + 1], every round in the other half.
__global__ void add_neighbours(int* values, int count, int rounds) {
  cg::grid_group grid = cg::this_grid();
  for (int round = 0; round < rounds; ++round) {
    const int* from = values + round % 2 * count;
    int* to = values + (round + 1) % 2 * count;
    for (int k = grid.thread_rank(); k < count; k += grid.size())
      to[k] = from[k] + from[(k + 1) % count];
    grid.sync();
  }
}

int main() {
  constexpr int kCount = 5000, kRounds = 6, kThreads = 256;
  int can = 0, each = 0, processors = 0;
  CHECK(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0));
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, add_neighbours, kThreads, 0));
  std::printf("can: %d\n", can);
  Numbers numbers;
  std::vector<int> start(2 * kCount), expected[2];
  for (int& value : start) value = numbers.next(100);
  expected[0] = expected[1] = start;
  for (int round = 0; round < kRounds; ++round)
    for (int k = 0; k < kCount; ++k)
      expected[(round + 1) % 2][k] = expected[round % 2][k] + expected[round % 2][(k + 1) % kCount];
  int failures = 0, count = kCount, rounds = kRounds;
  for (const bool by_attribute : {false, true}) {
    int* values = to_device(start);
    void* arguments[] = {&values, &count, &rounds};
    if (by_attribute) {
      cudaLaunchConfig_t config = {};
      config.gridDim = 20;
      config.blockDim = kThreads;
      cudaLaunchAttribute attribute = {};
      attribute.id = cudaLaunchAttributeCooperative;
      attribute.val.cooperative = 1;
      config.attrs = &attribute;
      config.numAttrs = 1;
      CHECK(cudaLaunchKernelEx(&config, add_neighbours, values, count, rounds));
    } else {
      CHECK(cudaLaunchCooperativeKernel(add_neighbours, 20, kThreads, arguments));
    }
    const std::vector<int> got = from_device(values, kCount);
    int wrong = 0;
    for (int k = 0; k < kCount; ++k) wrong += got[k] != expected[kRounds % 2][k];
    failures += verdict(by_attribute ? "by attribute" : "by call", wrong, kCount);
    if (by_attribute) continue;
    std::printf("one too many: %s\n",
                cudaGetErrorName(cudaLaunchCooperativeKernel(add_neighbours, each * processors + 1,
                                                             kThreads, arguments)));
  }
  int* values = to_device(start);
  add_neighbours<<<20, kThreads>>>(values, count, rounds);
  std::printf("plain launch: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return failures;
}

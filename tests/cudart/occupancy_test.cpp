// SPDX-License-Identifier: MIT
// How many blocks and clusters of a kernel fit, which block fits best, and questions about blocks
// that no launch may have, with the errors an H200 answers.
#include <doctest/doctest.h>

#include <array>

#include "cudart/driver/driver.hpp"
#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;
using lanescope::tests::Program;

TEST_CASE("occupancy is limited by threads, shared memory and blocks") {
  const Fresh fresh;
  Program program;
  const auto blocks = [&](int threads, std::size_t shared_bytes) {
    int count = -1;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, &program.store_stub, threads,
                                                        shared_bytes) == cudaSuccess);
    return count;
  };
  CHECK(blocks(1024, 0) == 2);
  CHECK(blocks(33, 0) == 32);         // 64 threads each
  CHECK(blocks(32, 0) == 32);         // the most blocks there may be
  CHECK(blocks(64, 47 * 1024) == 4);  // 48 KiB each with the driver's, of 228
  CHECK(blocks(64, 49 * 1024) == 0);  // not asked for
}

TEST_CASE("the driver looks for the block with the most threads, the largest of equals") {
  const Fresh fresh;
  Program program;
  void *store = nullptr, *bounded = nullptr;
  REQUIRE(cudaGetFuncBySymbol(&store, &program.store_stub) == cudaSuccess);
  REQUIRE(cudaGetFuncBySymbol(&bounded, &program.bounded_stub) == cudaSuccess);
  const auto best = [](void* function, CUoccupancyB2DSize shared_of, std::size_t shared_bytes,
                       int limit) {
    int grid = -1, block = -1;
    CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, shared_of, shared_bytes,
                                           limit) == 0);
    CHECK(grid % 132 == 0);
    return std::array<int, 2>{grid / 132, block};
  };
  using Best = std::array<int, 2>;
  CHECK(best(store, nullptr, 0, 0) == Best{2, 1024});
  CHECK(best(store, nullptr, 0, 100) == Best{32, 64});  // 21 of 96 are 2,016 threads
  CHECK(best(bounded, nullptr, 0, 0) == Best{32, 64});
  CHECK(best(bounded, nullptr, 0, 40) == Best{32, 40});
  CHECK(best(store, nullptr, 40 * 1024, 0) == Best{2, 1024});
  // 64 bytes a thread: more than 768 want what nobody has asked for, and of 768 two fit
  const auto of_threads = [](int threads) { return static_cast<std::size_t>(threads) * 64; };
  CHECK(best(store, of_threads, 0, 0) == Best{4, 512});
  CHECK(best(store, nullptr, 60000, 0) == Best{0, 0});  // as on an H200
  int grid = 0, block = 0;
  CHECK(cuOccupancyMaxPotentialBlockSize(nullptr, &block, store, nullptr, 0, 0) == 1);
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, nullptr, nullptr, 0, 0) == 400);
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, store, nullptr, 0, -1) == 1);
}

TEST_CASE("clusters of blocks that no launch may have, and of sizes beyond what a number holds") {
  const Fresh fresh;
  Program program;
  const auto ask = [&](dim3 block, dim3 cluster, dim3 grid = {64}) {
    cudaLaunchAttribute size{};
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim = {cluster.x, cluster.y, cluster.z};
    const cudaLaunchConfig_t config{grid, block, 0, nullptr, &size, 1};
    int clusters = -1, largest = -1;
    const cudaError error = cudaOccupancyMaxActiveClusters(&clusters, &program.store_stub, &config);
    const cudaError other =
        cudaOccupancyMaxPotentialClusterSize(&largest, &program.store_stub, &config);
    return std::array<int, 4>{error, clusters, other, largest};
  };
  using Answers = std::array<int, 4>;
  CHECK(ask({1024}, {2}) == Answers{cudaSuccess, 132, cudaSuccess, 8});
  const Answers none{cudaErrorInvalidValue, -1, cudaErrorInvalidValue, -1};
  CHECK(ask({0}, {2}) == none);
  CHECK(ask({64, 0, 1}, {2}) == none);
  CHECK(ask({64}, {2}, {0}) == none);
  CHECK(ask({65536, 65536}, {2}) == none);  // 2^32 threads, of which 32 bits keep nothing
  CHECK(ask({0x80000000u}, {2}) == none);
  const Answers too_large{cudaSuccess, 0, cudaSuccess, 0};
  CHECK(ask({1025}, {2}) == too_large);
  CHECK(ask({65536, 65537}, {2}) == too_large);  // ... and here 65536
  const Answers no_cluster{cudaErrorInvalidClusterSize, -1, cudaErrorInvalidClusterSize, -1};
  for (const dim3 cluster : {dim3{0}, dim3{3}, dim3{65537, 65536}, dim3{0x80000001u, 2}})
    CHECK(ask({64}, cluster) == no_cluster);
  for (const int attribute : {11, 12, 13})
    REQUIRE(cudaFuncSetAttribute(&program.store_stub, static_cast<cudaFuncAttribute>(attribute),
                                 1 << 20) == cudaSuccess);
  const cudaLaunchConfig_t plain{{64}, {64}, 0, nullptr, nullptr, 0};
  int clusters = -1;
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, &program.store_stub, &plain) ==
        cudaErrorInvalidClusterSize);
}

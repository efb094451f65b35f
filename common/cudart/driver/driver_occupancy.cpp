// SPDX-License-Identifier: MIT
// The driver's questions about occupancy: the runtime's answers, and the size of block that the
// runtime's header looks for by itself.
// Source: CUDA Driver API 13.0, 6.29 (occupancy); cudaOccupancyMaxPotentialBlockSize of
// cuda_runtime.h.
#include <algorithm>

#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

constexpr unsigned kFlags = 1;    // no caching that takes from what blocks may have
constexpr int kGranularity = 32;  // blocks are tried in steps of a warp

/// A copy of what the runtime's functions take.
cudaLaunchConfig_t as_runtime(const CUlaunchConfig& config) {
  const auto to_size = [](const unsigned(&size)[3]) { return dim3{size[0], size[1], size[2]}; };
  return {to_size(config.grid), to_size(config.block), config.sharedMemBytes,
          config.hStream,       config.attrs,          config.numAttrs};
}

/// A preferred cluster without one beside it.
cudaError refuse_preferred(const cudaLaunchConfig_t& config) {
  const auto has = [&](int id) {
    return std::any_of(config.attrs, config.attrs + config.numAttrs,
                       [&](const cudaLaunchAttribute& one) { return one.id == id; });
  };
  const bool is_alone = has(cudaLaunchAttributePreferredClusterDimension) &&
                        !has(cudaLaunchAttributeClusterDimension);
  return is_alone ? cudaErrorInvalidClusterSize : cudaSuccess;
}

/// What `ask` of the runtime says; where it refuses, `count` stays.
CUresult clusters(cudaError (*ask)(int*, const void*, const cudaLaunchConfig_t*), int* count,
                  CUhandle function, const CUlaunchConfig* config,
                  const char* function_called = __builtin_FUNCTION()) {
  if (!function || !is_mapped(config, sizeof *config)) return to_driver(cudaErrorInvalidValue);
  const cudaLaunchConfig_t same = as_runtime(*config);
  const auto find = [&] {
    int found = 0;
    cudaError error = ask(count ? &found : nullptr, function, &same);
    if (error == cudaSuccess) error = refuse_preferred(same);
    if (error == cudaSuccess) *count = found;
    return error;
  };
  return drive(find, function_called);
}

/// The size of block with the most threads on a multiprocessor, the largest of equals.
cudaError best_block(int* least_grid, int* block, CUhandle function, CUoccupancyB2DSize shared_of,
                     std::size_t shared_bytes, int limit) {
  cudaFuncAttributes attributes{};
  cudaError error = cudaFuncGetAttributes(&attributes, function);
  if (error != cudaSuccess) return error;
  const int most =
      limit == 0 ? attributes.maxThreadsPerBlock : std::min(limit, attributes.maxThreadsPerBlock);
  int best_threads = 0;
  *least_grid = *block = 0;  // where no block fits
  for (int rounded = (most + kGranularity - 1) / kGranularity * kGranularity; rounded > 0;
       rounded -= kGranularity) {
    const int threads = std::min(most, rounded);
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, function, threads, shared_of ? shared_of(threads) : shared_bytes);
    if (error != cudaSuccess) return error;
    if (blocks * threads <= best_threads) continue;
    best_threads = blocks * threads;
    *least_grid = blocks * context().card->multiprocessors;
    *block = threads;
  }
  return cudaSuccess;
}

}  // namespace

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUhandle function, int threads,
                                                     std::size_t shared_bytes) {
  return drive([&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared_bytes);
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUhandle function,
                                                              int threads, std::size_t shared_bytes,
                                                              unsigned flags) {
  if (current_context() != 0 && flags > kFlags) return to_driver(cudaErrorInvalidValue);
  return drive([&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared_bytes);
  });
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* shared_bytes, CUhandle function,
                                                 int blocks, int threads) {
  if (blocks <= 0 && current_context() != 0) return to_driver(cudaErrorInvalidValue);
  return drive([&] {
    return cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, function, blocks, threads);
  });
}

CUresult cuOccupancyMaxActiveClusters(int* count, CUhandle function, const CUlaunchConfig* config) {
  return clusters(cudaOccupancyMaxActiveClusters, count, function, config);
}

CUresult cuOccupancyMaxPotentialClusterSize(int* count, CUhandle function,
                                            const CUlaunchConfig* config) {
  return clusters(cudaOccupancyMaxPotentialClusterSize, count, function, config);
}

CUresult cuOccupancyMaxPotentialBlockSize(int* least_grid, int* block, CUhandle function,
                                          CUoccupancyB2DSize shared_of, std::size_t shared_bytes,
                                          int limit) {
  constexpr CUresult kInvalidHandle = 400;
  if (!least_grid || !block || limit < 0) return to_driver(cudaErrorInvalidValue);
  if (!function) return kInvalidHandle;
  return drive(
      [&] { return best_block(least_grid, block, function, shared_of, shared_bytes, limit); });
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* least_grid, int* block, CUhandle function,
                                                   CUoccupancyB2DSize shared_of,
                                                   std::size_t shared_bytes, int limit,
                                                   unsigned flags) {
  if (current_context() != 0 && flags > kFlags) return to_driver(cudaErrorInvalidValue);
  return cuOccupancyMaxPotentialBlockSize(least_grid, block, function, shared_of, shared_bytes,
                                          limit);
}

}  // namespace lanescope::cudart

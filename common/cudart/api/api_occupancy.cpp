// SPDX-License-Identifier: MIT
// How many blocks, or clusters, of a kernel the card runs at a time: the runtime's questions, put
// to occupancy.cpp. The driver's are in driver_occupancy.cpp.
#include <algorithm>

#include "cudart/api/api.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/occupancy.hpp"

namespace lanescope::cudart {

namespace {

/// The launch that is asked about; refused is what an H200 refuses.
cudaError read_config(const Context& state, const Function& function,
                      const cudaLaunchConfig_t* config, LaunchShape& shape) {
  if (!is_mapped(config, sizeof *config)) return cudaErrorInvalidValue;
  if (state.card->sm < 90) return cudaErrorNotSupported;
  shape = {config->gridDim, config->blockDim, {}, config->dynamicSmemBytes};
  if (const cudaError error = apply_attributes(config->attrs, config->numAttrs, shape);
      error != cudaSuccess)
    return error;
  complete_shape(function, shape);
  const dim3 &grid = shape.grid, &cluster = shape.cluster;
  if (volume(cluster, 1) == 0 && shape.names_cluster) return cudaErrorInvalidClusterSize;
  if (!impossible_grid(grid).empty()) return cudaErrorInvalidValue;
  const bool divides = volume(cluster, 1) != 0 && grid.x % cluster.x == 0 &&
                       grid.y % cluster.y == 0 && grid.z % cluster.z == 0;
  const bool fits = divides && unlike_kernel(function, shape).empty();
  if (!fits) return cudaErrorInvalidClusterSize;
  return threads_of(shape.block) >= 1 ? cudaSuccess : cudaErrorInvalidValue;
}

/// What a program is told, and may divide its work by: `--fidelity` says where nobody knows it.
int told_blocks(const Context& state, const Function& function, int block_threads,
                std::size_t shared_bytes) {
  if (registers_of(function) == 0) state.tracing->counted_without_registers(function.name);
  return blocks_per_multiprocessor(state, function, block_threads, shared_bytes);
}

}  // namespace

cudaError cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                        int block_threads,
                                                        std::size_t shared_bytes) {
  return with_function("cudaOccupancyMaxActiveBlocksPerMultiprocessor", function,
                       [&](Context& state, Function& found) {
                         if (!blocks || block_threads < 1) return cudaErrorInvalidValue;
                         *blocks = told_blocks(state, found, block_threads, shared_bytes);
                         return cudaSuccess;
                       });
}

cudaError cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                 int block_threads,
                                                                 std::size_t shared_bytes,
                                                                 unsigned flags) {
  constexpr unsigned kKnown = 1;  // cudaOccupancyDisableCachingOverride
  if (function && flags > kKnown)
    return call("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                [](Context&) { return cudaErrorInvalidValue; });
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_threads,
                                                       shared_bytes);
}

cudaError cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* shared_bytes, const void* function,
                                                    int blocks, int block_threads) {
  if (function && (blocks < 1 || block_threads < 1))
    return call("cudaOccupancyAvailableDynamicSMemPerBlock",
                [](Context&) { return cudaErrorInvalidValue; });
  return with_function(
      "cudaOccupancyAvailableDynamicSMemPerBlock", function, [&](Context& state, Function& found) {
        if (!shared_bytes || blocks < 1 || block_threads < 1) return cudaErrorInvalidValue;
        if (blocks > told_blocks(state, found, block_threads, 0)) return cudaErrorInvalidValue;
        // The kilobyte of each block that is the driver's is not subtracted, on a card neither.
        const int least = found.kernel->static_shared_bytes + state.card->reserved_shared_bytes();
        // One block has what it may ask for, whatever is preferred.
        const int all = blocks == 1 ? state.card->shared_bytes_per_multiprocessor
                                    : shared_bytes_for(state, found, least);
        const int each = all / blocks / kSharedUnit * kSharedUnit;
        const std::int64_t most = std::min<std::int64_t>(each - found.kernel->static_shared_bytes,
                                                         dynamic_shared_limit(found));
        *shared_bytes = static_cast<std::size_t>(std::max<std::int64_t>(0, most));
        return cudaSuccess;
      });
}

cudaError cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                         const cudaLaunchConfig_t* config) {
  return with_function(
      "cudaOccupancyMaxActiveClusters", function, [&](Context& state, Function& found) {
        LaunchShape shape;
        if (!clusters) return cudaErrorInvalidValue;
        if (const cudaError error = read_config(state, found, config, shape); error != cudaSuccess)
          return error;
        // A launch without clusters has none, on a card too.
        const bool has_clusters = shape.names_cluster || required_cluster(found)[0] != 0;
        if (!has_clusters) return *clusters = 0, cudaSuccess;
        const int most = most_cluster_blocks(found);
        const int blocks = volume(shape.cluster, most);
        if (blocks > most) return cudaErrorInvalidClusterSize;
        const int each =
            told_blocks(state, found, threads_of(shape.block), shape.dynamic_shared_bytes);
        *clusters = active_clusters(*state.card, each, blocks);
        return cudaSuccess;
      });
}

cudaError cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                               const cudaLaunchConfig_t* config) {
  return with_function(
      "cudaOccupancyMaxPotentialClusterSize", function, [&](Context& state, Function& found) {
        LaunchShape shape;
        if (!blocks) return cudaErrorInvalidValue;
        if (const cudaError error = read_config(state, found, config, shape); error != cudaSuccess)
          return error;
        const int each =
            told_blocks(state, found, threads_of(shape.block), shape.dynamic_shared_bytes);
        *blocks = each > 0 ? most_cluster_blocks(found) : 0;
        return cudaSuccess;
      });
}

}  // namespace lanescope::cudart

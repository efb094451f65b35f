// SPDX-License-Identifier: MIT
// How many blocks, or clusters, of a kernel the card runs at a time: the runtime's questions, put
// to occupancy.cpp. The driver's are in driver_occupancy.cpp.
#include <algorithm>

#include "cudart/api.hpp"
#include "cudart/context.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

cudaError cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                        int block_threads,
                                                        std::size_t shared_bytes) {
  return with_function("cudaOccupancyMaxActiveBlocksPerMultiprocessor", function,
                       [&](Context& state, Function& found) {
                         if (!blocks || block_threads < 1) return cudaErrorInvalidValue;
                         *blocks =
                             blocks_per_multiprocessor(state, found, block_threads, shared_bytes);
                         return cudaSuccess;
                       });
}

cudaError cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                 int block_threads,
                                                                 std::size_t shared_bytes,
                                                                 unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_threads,
                                                       shared_bytes);
}

cudaError cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* shared_bytes, const void* function,
                                                    int blocks, int block_threads) {
  return with_function(
      "cudaOccupancyAvailableDynamicSMemPerBlock", function, [&](Context& state, Function& found) {
        if (!shared_bytes || blocks < 1 || block_threads < 1) return cudaErrorInvalidValue;
        if (blocks > blocks_per_multiprocessor(state, found, block_threads, 0))
          return cudaErrorInvalidValue;
        // The kilobyte of each block that is the driver's is not subtracted, on a card neither.
        const Card& card = *state.card;
        const int each = card.shared_bytes_per_multiprocessor / blocks / kSharedUnit * kSharedUnit;
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
        if (!clusters || !is_mapped(config, sizeof *config)) return cudaErrorInvalidValue;
        if (state.card->sm < 90) return cudaErrorNotSupported;
        LaunchShape shape{config->gridDim, config->blockDim, {}, config->dynamicSmemBytes};
        if (const cudaError error = apply_attributes(config->attrs, config->numAttrs, shape);
            error != cudaSuccess)
          return error;
        complete_cluster(found, shape);
        const int blocks = volume(shape.cluster, most_cluster_blocks(found));
        if (blocks < 1 || blocks > most_cluster_blocks(found)) return cudaErrorInvalidClusterSize;
        const int threads = volume(shape.block, kMaxThreadsPerBlock);
        if (threads < 1) return cudaErrorInvalidValue;
        const int each =
            blocks_per_multiprocessor(state, found, threads, shape.dynamic_shared_bytes);
        *clusters = active_clusters(*state.card, each, blocks);
        return cudaSuccess;
      });
}

cudaError cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                               const cudaLaunchConfig_t* config) {
  return with_function(
      "cudaOccupancyMaxPotentialClusterSize", function, [&](Context& state, Function& found) {
        if (!blocks || !is_mapped(config, sizeof *config)) return cudaErrorInvalidValue;
        if (state.card->sm < 90) return cudaErrorNotSupported;
        const int threads = volume(config->blockDim, kMaxThreadsPerBlock);
        if (threads < 1) return cudaErrorInvalidValue;
        const int each = blocks_per_multiprocessor(state, found, threads, config->dynamicSmemBytes);
        *blocks = each > 0 ? most_cluster_blocks(found) : 0;
        return cudaSuccess;
      });
}

}  // namespace lanescope::cudart

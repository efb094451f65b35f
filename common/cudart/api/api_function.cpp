// SPDX-License-Identifier: MIT
// Asking about kernels, and setting what their launches may have.
#include <fmt/format.h>

#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/occupancy.hpp"

namespace lanescope::cudart {

cudaError cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return with_function("cudaFuncGetAttributes", function, [&](Context& state, Function& found) {
    if (!attributes) return cudaErrorInvalidValue;
    const emulator::Kernel& kernel = *found.kernel;
    *attributes = {};
    attributes->sharedSizeBytes = static_cast<std::size_t>(kernel.static_shared_bytes);
    attributes->localSizeBytes = static_cast<std::size_t>(kernel.local_bytes);
    attributes->constSizeBytes = static_cast<std::size_t>(kernel.constant_bytes);
    attributes->maxThreadsPerBlock = most_threads(found);
    const int registers = registers_of(found);
    attributes->numRegs = registers > 0 ? registers : kRegistersPerThread;
    attributes->ptxVersion = kernel.target;
    attributes->binaryVersion = state.card->sm;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_shared_limit(found));
    attributes->preferredShmemCarveout = found.carveout;
    attributes->nonPortableClusterSizeAllowed = found.nonportable_cluster;
    // As they were set; a part of them is told, and does not have to be set.
    const bool is_asked = found.asked_cluster != std::array<int, 3>{};
    const bool by_kernel = kernel.required_cluster[0] != 0 || !is_asked;
    const std::array<int, 3> cluster = by_kernel ? kernel.required_cluster : found.asked_cluster;
    attributes->clusterDimMustBeSet =
        kernel.explicit_cluster ||
        (!by_kernel && cluster[0] != 0 && cluster[1] != 0 && cluster[2] != 0);
    attributes->requiredClusterWidth = cluster[0];
    attributes->requiredClusterHeight = cluster[1];
    attributes->requiredClusterDepth = cluster[2];
    return cudaSuccess;
  });
}

cudaError cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  // What there is not is refused before the kernel is looked for.
  if (attribute < cudaFuncAttributeMaxDynamicSharedMemorySize ||
      attribute > cudaFuncAttributeClusterSchedulingPolicyPreference)
    return call("cudaFuncSetAttribute", [](Context&) { return cudaErrorInvalidValue; });
  return with_function("cudaFuncSetAttribute", function, [&](Context& state, Function& found) {
    switch (attribute) {
      case cudaFuncAttributeMaxDynamicSharedMemorySize: {
        const int most =
            state.card->shared_bytes_per_block_optin() - found.kernel->static_shared_bytes;
        if (value < 0 || value > most)
          return refuse(
              state, cudaErrorInvalidValue,
              fmt::format("{}: {} bytes of dynamic shared memory; sm_{} has {} left beside "
                          "the kernel's {} static ones",
                          found.name, value, state.card->sm, most,
                          found.kernel->static_shared_bytes));
        found.dynamic_shared_limit_bytes = value;
        return cudaSuccess;
      }
      case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100) return cudaErrorInvalidValue;
        found.carveout = value;
        return cudaSuccess;
      case cudaFuncAttributeRequiredClusterWidth:
      case cudaFuncAttributeRequiredClusterHeight:
      case cudaFuncAttributeRequiredClusterDepth:
        // What __block_size__ says an H200 lets be said again.
        if (found.kernel->required_cluster[0] != 0 && found.kernel->explicit_cluster)
          return cudaErrorInvalidValue;
        if (value < 0) return cudaErrorInvalidValue;
        found.asked_cluster[static_cast<std::size_t>(
            attribute - cudaFuncAttributeRequiredClusterWidth)] = value;
        return cudaSuccess;
      case cudaFuncAttributeClusterSchedulingPolicyPreference:
        if (value < 0 || value > 2) return cudaErrorInvalidValue;
        found.cluster_policy = value;
        return cudaSuccess;
      case cudaFuncAttributeNonPortableClusterSizeAllowed:
        found.nonportable_cluster = value;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError cudaFuncSetCacheConfig(const void* function, int config) {
  return with_function("cudaFuncSetCacheConfig", function, [&](Context&, Function& found) {
    if (!is_cache_config(config)) return cudaErrorInvalidValue;
    found.cache_config = config;
    return cudaSuccess;
  });
}

cudaError cudaFuncSetSharedMemConfig(const void* function, int) {
  return with_function("cudaFuncSetSharedMemConfig", function,
                       [](Context&, Function&) { return cudaSuccess; });
}

cudaError cudaFuncGetName(const char** name, const void* function) {
  return call("cudaFuncGetName", [&](Context& state) {
    Function* found = state.find_function(function);
    if (!name) return cudaErrorInvalidValue;
    if (!found) return not_a_kernel(function);
    *name = found->name.c_str();
    return cudaSuccess;
  });
}

cudaError cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset_bytes,
                               std::size_t* size_bytes) {
  return with_function("cudaFuncGetParamInfo", function, [&](Context&, Function& found) {
    if (!offset_bytes || index >= found.kernel->parameters.size()) return cudaErrorInvalidValue;
    const auto& parameter = found.kernel->parameters[index];
    *offset_bytes = static_cast<std::size_t>(parameter.offset_bytes);
    if (size_bytes) *size_bytes = static_cast<std::size_t>(parameter.size_bytes);
    return cudaSuccess;
  });
}

}  // namespace lanescope::cudart

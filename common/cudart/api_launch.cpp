// SPDX-License-Identifier: MIT
// Launching kernels and asking about them. kernel<<<grid, block>>>(...) arrives as a pushed
// configuration, popped again by nvcc's stub, which then calls __cudaLaunchKernel.
#include <fmt/format.h>

#include "cudart/alias.hpp"
#include "cudart/api.hpp"
#include "cudart/context.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

std::vector<Configuration>& configurations() {
  thread_local std::vector<Configuration> stack;
  return stack;
}

cudaError launch_one(Context& state, const void* function, const LaunchShape& shape,
                     cudaStream_t stream, void** arguments) {
  Function* found = state.find_function(function);
  if (!found)
    return refuse(state, not_a_kernel(function),
                  fmt::format("{} is no __global__ function of this program", function));
  if (!state.is_stream(stream))
    return refuse(state, cudaErrorInvalidResourceHandle, found->name + ": no such stream");
  KernelWork work;
  if (const cudaError error = prepare(state, *found, shape, arguments, work); error != cudaSuccess)
    return error;
  return submit(
      state, stream, NodeType::kernel,
      [work = std::move(work)](Context& context) { return run(context, work); }, found->name);
}

/// Finds a function and loads its module; then calls `body(function)`.
template <class Body>
cudaError with_function(const char* name, const void* function, Body&& body) {
  return call(name, [&](Context& state) {
    Function* found = state.find_function(function);
    if (!found) return not_a_kernel(function);
    if (const cudaError error = resolve(state, *found); error != cudaSuccess) return error;
    return body(state, *found);
  });
}

}  // namespace

/// They are obeyed or refused; hints about speed are ignored.
cudaError apply_attributes(const cudaLaunchAttribute* attributes, unsigned count,
                           LaunchShape& shape) {
  if (count > 0 && !is_mapped(attributes, count * sizeof *attributes)) return cudaErrorInvalidValue;
  for (unsigned index = 0; index < count; ++index) {
    const cudaLaunchAttribute& attribute = attributes[index];
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      const auto& size = attribute.val.clusterDim;
      shape.cluster = {size.x, size.y, size.z};
      shape.names_cluster = true;
    } else if (attribute.id == cudaLaunchAttributeCooperative) {
      shape.cooperative = attribute.val.cooperative != 0;
    }
  }
  return cudaSuccess;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes,
                                     cudaStream_t stream) {
  configurations().push_back({grid, block, shared_bytes, stream});
  return 0;
}

cudaError __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes,
                                     void* stream) {
  auto& stack = configurations();
  if (stack.empty()) return last_error() = cudaErrorMissingConfiguration;
  const Configuration top = stack.back();
  stack.pop_back();
  if (grid) *grid = top.grid;
  if (block) *block = top.block;
  if (shared_bytes) *shared_bytes = top.shared_bytes;
  if (stream) *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

cudaError __cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  Function* function = state.find_function(stub);
  if (!kernel || !function) return cudaErrorInvalidDeviceFunction;
  *kernel = reinterpret_cast<void*>(function->handle);
  return cudaSuccess;
}

cudaError cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  const cudaError error = kernel ? __cudaGetKernel(kernel, stub) : cudaErrorInvalidValue;
  if (error != cudaSuccess) last_error() = error;
  return error;
}

cudaError __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                           std::size_t shared_bytes, cudaStream_t stream) {
  return call("kernel launch", [&](Context& state) {
    return launch_one(state, function, {grid, block, {}, shared_bytes}, stream, arguments);
  });
}

cudaError cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared_bytes, cudaStream_t stream) {
  return call("cudaLaunchCooperativeKernel", [&](Context& state) {
    return launch_one(state, function, {grid, block, {}, shared_bytes, true}, stream, arguments);
  });
}

cudaError cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                              void** arguments) {
  return call("cudaLaunchKernelEx", [&](Context& state) {
    if (!is_mapped(config, sizeof *config)) return cudaErrorInvalidValue;
    LaunchShape shape{config->gridDim, config->blockDim, {}, config->dynamicSmemBytes};
    if (const cudaError error = apply_attributes(config->attrs, config->numAttrs, shape);
        error != cudaSuccess)
      return error;
    return launch_one(state, function, shape, config->stream, arguments);
  });
}

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
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_shared_limit(state, found));
    attributes->preferredShmemCarveout = found.carveout;
    attributes->nonPortableClusterSizeAllowed = found.nonportable_cluster;
    const std::array<int, 3> cluster = required_cluster(found);
    attributes->clusterDimMustBeSet = cluster[0] != 0;
    attributes->requiredClusterWidth = cluster[0];
    attributes->requiredClusterHeight = cluster[1];
    attributes->requiredClusterDepth = cluster[2];
    return cudaSuccess;
  });
}

cudaError cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return with_function("cudaFuncSetAttribute", function, [&](Context& state, Function& found) {
    switch (attribute) {
      case cudaFuncAttributeMaxDynamicSharedMemorySize: {
        const int most =
            state.card->shared_bytes_per_block_optin - found.kernel->static_shared_bytes;
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
        if (found.kernel->required_cluster[0] != 0) return cudaErrorNotPermitted;
        if (value < 0) return cudaErrorInvalidValue;
        found.asked_cluster[static_cast<std::size_t>(
            attribute - cudaFuncAttributeRequiredClusterWidth)] = value;
        return cudaSuccess;
      case cudaFuncAttributeClusterSchedulingPolicyPreference:
        return value >= 0 && value <= 2 ? cudaSuccess : cudaErrorInvalidValue;  // a hint
      case cudaFuncAttributeNonPortableClusterSizeAllowed:
        found.nonportable_cluster = value != 0;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError cudaFuncSetCacheConfig(const void* function, int) {
  return with_function("cudaFuncSetCacheConfig", function,
                       [](Context&, Function&) { return cudaSuccess; });
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
                                                         dynamic_shared_limit(state, found));
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
        const std::array<int, 3> required = required_cluster(found);
        const auto blocks =
            !shape.names_cluster && required[0] != 0
                ? required[0] * required[1] * required[2]
                : static_cast<int>(shape.cluster.x * shape.cluster.y * shape.cluster.z);
        const auto threads = static_cast<int>(shape.block.x * shape.block.y * shape.block.z);
        if (blocks < 1 || blocks > most_cluster_blocks(found)) return cudaErrorInvalidClusterSize;
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
        const dim3& size = config->blockDim;
        const int each = blocks_per_multiprocessor(
            state, found, static_cast<int>(size.x * size.y * size.z), config->dynamicSmemBytes);
        *blocks = each > 0 ? most_cluster_blocks(found) : 0;
        return cudaSuccess;
      });
}

LANESCOPE_ALIAS(__cudaLaunchKernel, _ptsz);
LANESCOPE_ALIAS(cudaLaunchKernel, _ptsz);
LANESCOPE_ALIAS(cudaLaunchCooperativeKernel, _ptsz);
LANESCOPE_ALIAS(cudaLaunchKernelExC, _ptsz);

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// Launching kernels. kernel<<<grid, block>>>(...) arrives as a pushed configuration, popped again
// by nvcc's stub, which then calls __cudaLaunchKernel.
#include <fmt/format.h>

#include <cstring>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/graph/capture_rules.hpp"
#include "cudart/graph/node_work.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/launch.hpp"

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

cudaError try_launch(Context& state, const void* function, const LaunchShape& shape,
                     cudaStream_t stream, void** arguments) {
  Function* found = state.find_function(function);
  if (!found)
    return refuse(state, not_a_kernel(function),
                  fmt::format("{} is no __global__ function of this program", function));
  if (!state.is_stream(stream))
    return refuse(state, cudaErrorInvalidResourceHandle, found->name + ": no such stream");
  if (const cudaError error = forbid_default(state, stream); error != cudaSuccess) return error;
  KernelWork work;
  if (const cudaError error = prepare(state, *found, shape, arguments, work); error != cudaSuccess)
    return error;
  return submit(state, stream, std::move(work), state.stub_of(function));
}

constexpr int kSynchronizationPolicy = 3;  // cudaLaunchAttributeID

/// An H200 hears no more of the size of a launch's shared memory.
std::size_t to_32_bits(std::size_t bytes) { return bytes & 0xffffffff; }

cudaError launch_one(Context& state, const void* function, const LaunchShape& shape,
                     cudaStream_t stream, void** arguments) {
  const cudaError error = try_launch(state, function, shape, stream, arguments);
  if (error != cudaSuccess && state.is_stream(stream)) invalidate(state, stream);
  if (error == cudaErrorNotSupported) state.was_not_launched = true;
  return error;
}

}  // namespace

bool is_possible(int id, const void* value) {
  constexpr int kSchedulingPolicy = 5, kMemSyncDomainMap = 9, kMemSyncDomain = 10, kNone = 15;
  int number = 0;
  std::memcpy(&number, value, sizeof number);
  switch (id) {
    case kSynchronizationPolicy:  // automatic, spin, yield, blocking
      return number >= 1 && number <= 4;
    case kSchedulingPolicy:
      return number >= 0 && number <= 2;
    case kMemSyncDomainMap: {  // the default and the remote one, of four domains
      constexpr unsigned char kDomains = 4;
      unsigned char domains[2];
      std::memcpy(domains, value, sizeof domains);
      return domains[0] < kDomains && domains[1] < kDomains;
    }
    case kMemSyncDomain:  // the default or the remote one
      return number == 0 || number == 1;
    case kNone:  // no attribute has this number
      return false;
    default:
      return true;
  }
}

/// They are obeyed or refused; hints about speed are ignored.
cudaError apply_attributes(const cudaLaunchAttribute* attributes, unsigned count,
                           LaunchShape& shape) {
  if (count > 0 && !is_mapped(attributes, count * sizeof *attributes)) return cudaErrorInvalidValue;
  for (unsigned index = 0; index < count; ++index) {
    const cudaLaunchAttribute& attribute = attributes[index];
    // How the host waits is a stream's alone.
    if (attribute.id == kSynchronizationPolicy || !is_possible(attribute.id, attribute.val.bytes))
      return cudaErrorInvalidValue;
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      const auto& size = attribute.val.clusterDim;
      if (size.x == 0 && size.y == 0 && size.z == 0) continue;  // names none
      shape.cluster = {size.x, size.y, size.z};
      shape.names_cluster = true;
    } else if (attribute.id == cudaLaunchAttributePreferredClusterDimension) {
      const auto& size = attribute.val.clusterDim;
      shape.rather = {size.x, size.y, size.z};
    } else if (attribute.id == cudaLaunchAttributeCooperative) {
      shape.cooperative = attribute.val.cooperative != 0;
    } else if (attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization) {
      shape.programmatic = attribute.val.programmaticStreamSerializationAllowed != 0;
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
    return launch_one(state, function, {grid, block, {}, to_32_bits(shared_bytes)}, stream,
                      arguments);
  });
}

cudaError cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared_bytes, cudaStream_t stream) {
  return call("cudaLaunchCooperativeKernel", [&](Context& state) {
    return launch_one(state, function, {grid, block, {}, to_32_bits(shared_bytes), true}, stream,
                      arguments);
  });
}

cudaError cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                              void** arguments) {
  return call("cudaLaunchKernelEx", [&](Context& state) {
    if (!is_mapped(config, sizeof *config)) return cudaErrorInvalidValue;
    if (!state.find_function(function)) return not_a_kernel(function);
    LaunchShape shape{config->gridDim, config->blockDim, {}, config->dynamicSmemBytes};
    if (const cudaError error = apply_attributes(config->attrs, config->numAttrs, shape);
        error != cudaSuccess)
      return error;
    return launch_one(state, function, shape, config->stream, arguments);
  });
}

LANESCOPE_TWIN(__cudaLaunchKernel, _ptsz);
LANESCOPE_TWIN(cudaLaunchKernel, _ptsz);
LANESCOPE_TWIN(cudaLaunchCooperativeKernel, _ptsz);
LANESCOPE_TWIN(cudaLaunchKernelExC, _ptsz);

}  // namespace lanescope::cudart

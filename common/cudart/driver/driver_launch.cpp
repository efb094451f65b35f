// SPDX-License-Identifier: MIT
// Functions (kernels) and launches of the driver API; where they come from is in driver_module.cpp.
#include <iterator>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/graph/node_work.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/launch.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

namespace {

dim3 to_size(const unsigned (&size)[3]) { return {size[0], size[1], size[2]}; }

/// The buffer that `extra` names, of CU_LAUNCH_PARAM_BUFFER_POINTER and _SIZE.
bool find_buffer(void** extra, std::span<const std::byte>& buffer) {
  constexpr std::uintptr_t kEnd = 0, kPointer = 1, kSize = 2;
  const std::byte* bytes = nullptr;
  std::size_t count = 0;
  for (int entry = 0;; entry += 2) {
    if (!is_mapped(extra + entry, 2 * sizeof *extra)) return false;
    const auto key = reinterpret_cast<std::uintptr_t>(extra[entry]);
    if (key == kEnd) break;
    if (key > kSize) return false;
    if (key == kPointer) bytes = static_cast<const std::byte*>(extra[entry + 1]);
    if (key == kSize) {
      if (!is_mapped(extra[entry + 1], sizeof count)) return false;
      count = *static_cast<const std::size_t*>(extra[entry + 1]);
    }
  }
  buffer = {bytes, count};
  return is_mapped(bytes, count);
}

/// A buffer with more than the parameters is refused, behind all else.
cudaError prepare_buffer(Context& state, Function& function, const LaunchShape& shape,
                         std::span<const std::byte> buffer, KernelWork& work) {
  const std::size_t needed = parameter_bytes(*function.kernel);
  const bool is_more = buffer.size() > needed;
  const auto used = is_more ? buffer.first(needed) : buffer;
  const cudaError error = prepare(state, function, shape, used, work);
  return error == cudaSuccess && is_more ? cudaErrorLaunchOutOfResources : error;
}

CUresult launch_driver(CUhandle function, const LaunchShape& shape, CUhandle stream,
                       void** parameters, void** extra,
                       const char* function_called = __builtin_FUNCTION()) {
  const auto launch = [&] {
    return call(function_called, [&](Context& state) {
      Function* found = state.find_function(function);
      if (!found) return cudaErrorInvalidResourceHandle;
      if (const cudaError error = use_stream_for_kernel(state, stream); error != cudaSuccess)
        return error;
      KernelWork work;
      cudaError error = cudaSuccess;
      std::span<const std::byte> buffer;
      if (!extra)
        error = prepare(state, *found, shape, parameters, work);
      else if (parameters || !find_buffer(extra, buffer))
        error = cudaErrorInvalidValue;
      else if (error = resolve(state, *found); error == cudaSuccess)
        error = prepare_buffer(state, *found, shape, buffer, work);
      if (error != cudaSuccess) return error;
      return submit(state, stream, std::move(work), function);
    });
  };
  return drive_in(stream, launch, function_called);
}

/// CUfunction_attribute: the fields of cudaFuncAttributes by number.
CUresult get_attribute(int* value, int attribute, CUhandle function,
                       const char* function_called = __builtin_FUNCTION()) {
  cudaFuncAttributes all{};
  const CUresult error =
      drive([&] { return cudaFuncGetAttributes(&all, function); }, function_called);
  if (error != 0) return error;
  const int fields[] = {all.maxThreadsPerBlock,
                        static_cast<int>(all.sharedSizeBytes),
                        static_cast<int>(all.constSizeBytes),
                        static_cast<int>(all.localSizeBytes),
                        all.numRegs,
                        all.ptxVersion,
                        all.binaryVersion,
                        all.cacheModeCA,
                        all.maxDynamicSharedSizeBytes,
                        all.preferredShmemCarveout,
                        all.clusterDimMustBeSet,
                        all.requiredClusterWidth,
                        all.requiredClusterHeight,
                        all.requiredClusterDepth,
                        all.nonPortableClusterSizeAllowed,
                        all.clusterSchedulingPolicyPreference};
  if (!value || attribute < 0 || attribute >= static_cast<int>(std::size(fields)))
    return to_driver(cudaErrorInvalidValue);
  *value = fields[attribute];
  const Function& kernel = *context().find_function(function);
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize &&
      kernel.dynamic_shared_limit_bytes >= 0)
    *value = static_cast<int>(kernel.dynamic_shared_limit_bytes);  // what was said
  if (attribute == cudaFuncAttributeClusterSchedulingPolicyPreference)
    *value = kernel.cluster_policy;
  return 0;
}

/// What a kernel was compiled for may be said again.
bool is_said_again(const Function& function, int attribute, int value) {
  const int axis = attribute - cudaFuncAttributeRequiredClusterWidth;
  if (axis < 0 || axis > 2 || !function.kernel) return false;
  const auto& required = function.kernel->required_cluster;
  return required[0] != 0 && required[static_cast<std::size_t>(axis)] == value;
}

CUresult set_attribute(CUhandle function, int attribute, int value,
                       const char* function_called = __builtin_FUNCTION()) {
  const Function* found = context().find_function(function);
  if (!found) return to_driver(cudaErrorInvalidResourceHandle);
  if (is_said_again(*found, attribute, value)) return 0;
  const auto set = [&] {
    return cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value);
  };
  return drive(set, function_called);
}

/// The module that a function was loaded with, or the program's own.
CUresult owner(CUhandle* module, CUhandle function,
               const char* function_called = __builtin_FUNCTION()) {
  const auto find = [&] {
    return call(function_called, [&](Context& state) {
      if (!module) return cudaErrorInvalidValue;
      const Function* found = state.find_function(function);
      if (!found) return function ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
      *module = found->binary;
      for (const auto& [number, each] : state.modules)
        if (each.binary.get() == found->binary) *module = reinterpret_cast<CUhandle>(number);
      return cudaSuccess;
    });
  };
  return drive(find, function_called);
}

}  // namespace

CUresult cuFuncGetModule(CUhandle* module, CUhandle function) { return owner(module, function); }

CUresult cuKernelGetLibrary(CUhandle* library, CUhandle kernel) {
  return kernel ? owner(library, kernel) : to_driver(cudaErrorInvalidResourceHandle);
}

CUresult cuKernelGetParamInfo(CUhandle kernel, std::size_t index, std::size_t* offset_bytes,
                              std::size_t* size_bytes) {
  return current_context() == 0 ? kInvalidContext
                                : cuFuncGetParamInfo(kernel, index, offset_bytes, size_bytes);
}

CUresult cuKernelSetCacheConfig(CUhandle kernel, int config, CUdevice device) {
  if (!kernel) return to_driver(cudaErrorInvalidResourceHandle);
  if (device != 0) return to_driver(cudaErrorInvalidDevice);
  return drive([&] { return cudaFuncSetCacheConfig(kernel, config); });
}

CUresult cuKernelGetFunction(CUhandle* function, CUhandle kernel) {
  return drive([&] {
    return call("cuKernelGetFunction", [&](Context& state) {
      if (!function) return cudaErrorInvalidValue;
      if (!state.find_function(kernel)) return cudaErrorInvalidResourceHandle;
      *function = kernel;
      return cudaSuccess;
    });
  });
}

// Of a kernel the number is told that was said, of a function whether it is one.
CUresult cuFuncGetAttribute(int* value, int attribute, CUhandle function) {
  const CUresult result = get_attribute(value, attribute, function);
  if (result == 0 && attribute == cudaFuncAttributeNonPortableClusterSizeAllowed)
    *value = *value != 0;
  return result;
}

CUresult cuFuncSetAttribute(CUhandle function, int attribute, int value) {
  return set_attribute(function, attribute, value);
}

CUresult cuKernelGetAttribute(int* value, int attribute, CUhandle kernel, CUdevice device) {
  if (kernel && device != 0) return to_driver(cudaErrorInvalidDevice);
  return get_attribute(value, attribute, kernel);
}

CUresult cuKernelSetAttribute(int attribute, int value, CUhandle kernel, CUdevice device) {
  if (kernel && device != 0) return to_driver(cudaErrorInvalidDevice);
  return set_attribute(kernel, attribute, value);
}

CUresult cuFuncSetCacheConfig(CUhandle function, int config) {
  return drive([&] { return cudaFuncSetCacheConfig(function, config); });
}

CUresult cuFuncGetName(const char** name, CUhandle function) {
  if (!function) return to_driver(cudaErrorInvalidValue);
  return drive([&] { return cudaFuncGetName(name, function); });
}

CUresult cuKernelGetName(const char** name, CUhandle kernel) { return cuFuncGetName(name, kernel); }

// Nothing is loaded late here.
CUresult cuFuncLoad(CUhandle function) {
  if (!function) return to_driver(cudaErrorInvalidResourceHandle);
  const char* name = nullptr;
  return cuFuncGetName(&name, function);
}

CUresult cuFuncIsLoaded(int* state, CUhandle function) {
  if (!state) return to_driver(cudaErrorInvalidValue);
  const CUresult found = cuFuncLoad(function);
  if (found == 0) *state = 1;
  return found;
}

CUresult cuFuncGetParamInfo(CUhandle function, std::size_t index, std::size_t* offset_bytes,
                            std::size_t* size_bytes) {
  if (!function) return to_driver(cudaErrorInvalidValue);
  return drive([&] { return cudaFuncGetParamInfo(function, index, offset_bytes, size_bytes); });
}

CUresult cuLaunchKernel(CUhandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUhandle stream, void** parameters, void** extra) {
  return launch_driver(function,
                       {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, {}, shared_bytes},
                       stream, parameters, extra);
}

CUresult cuLaunchCooperativeKernel(CUhandle function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, CUhandle stream,
                                   void** parameters) {
  return launch_driver(
      function, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, {}, shared_bytes, true},
      stream, parameters, nullptr);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUhandle function, void** parameters,
                          void** extra) {
  if (!is_mapped(config, sizeof *config)) return to_driver(cudaErrorInvalidValue);
  LaunchShape shape{to_size(config->grid), to_size(config->block), {}, config->sharedMemBytes};
  if (!context().find_function(function)) return to_driver(cudaErrorInvalidResourceHandle);
  const cudaError error = apply_attributes(config->attrs, config->numAttrs, shape);
  if (error != cudaSuccess) return to_driver(error);
  return launch_driver(function, shape, config->hStream, parameters, extra);
}

CUresult cuLaunchHostFunc(CUhandle stream, cudaHostFn_t function, void* data) {
  if (!function) return to_driver(cudaErrorInvalidValue);
  return drive_in(stream, [&] { return cudaLaunchHostFunc(stream, function, data); });
}

LANESCOPE_TWIN(cuLaunchCooperativeKernel, _ptsz);
LANESCOPE_TWIN(cuLaunchHostFunc, _ptsz);
LANESCOPE_TWIN(cuLaunchKernelEx, _ptsz);
LANESCOPE_TWIN(cuLaunchKernel, _ptsz);

}  // namespace lanescope::cudart

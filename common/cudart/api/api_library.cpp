// SPDX-License-Identifier: MIT
// Libraries: modules that a program loads at run time through the runtime. A cudaLibrary_t and a
// CUmodule, a cudaKernel_t and a CUfunction are the same here, as handles of ours.
#include "cudart/api/api.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/module.hpp"

namespace lanescope::cudart {

namespace {
/// NVIDIA's runtime looks at the code when something of it is asked for: what is wrong with it is
/// said then.
cudaError keep_library(Context& state, cudaError error, std::uint64_t made,
                       cudaLibrary_t* library) {
  const bool is_there = error != cudaErrorInvalidValue && error != cudaErrorFileNotFound;
  if (error != cudaSuccess && !is_there) return error;
  *library = handle(error == cudaSuccess ? made : keep_broken(state, error));
  return cudaSuccess;
}
}  // namespace

cudaError cudaLibraryLoadData(cudaLibrary_t* library, const void* code, const void*, const void*,
                              unsigned, const void*, const void*, unsigned) {
  return call("cudaLibraryLoadData", [&](Context& state) {
    if (!library) return cudaErrorInvalidValue;
    std::uint64_t made = 0;
    const cudaError error = load_module(state, code, made);
    return keep_library(state, error, made, library);
  });
}

cudaError cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* path, const void*,
                                  const void*, unsigned, const void*, const void*, unsigned) {
  return call("cudaLibraryLoadFromFile", [&](Context& state) {
    if (!library) return cudaErrorInvalidValue;
    std::uint64_t made = 0;
    const cudaError error = load_module_file(state, path, made);
    return keep_library(state, error, made, library);
  });
}

cudaError cudaLibraryUnload(cudaLibrary_t library) {
  return call("cudaLibraryUnload",
              [&](Context& state) { return unload_module(state, number(library)); });
}

cudaError cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return call("cudaLibraryGetKernel", [&](Context& state) {
    if (!kernel) return cudaErrorInvalidValue;
    std::uint64_t made = 0;
    const cudaError error = module_function(state, number(library), name, made);
    if (error == cudaSuccess) *kernel = handle(made);
    return error;
  });
}

cudaError cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
  return call("cudaLibraryGetKernelCount", [&](Context& state) {
    std::vector<std::string> names;
    const cudaError error = module_kernels(state, number(library), names);
    if (error != cudaSuccess) return error;
    if (!count) return cudaErrorInvalidValue;
    *count = static_cast<unsigned>(names.size());
    return cudaSuccess;
  });
}

cudaError cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned count,
                                      cudaLibrary_t library) {
  return call("cudaLibraryEnumerateKernels", [&](Context& state) {
    std::vector<std::string> names;
    cudaError error = module_kernels(state, number(library), names);
    if (error == cudaSuccess && !is_mapped(kernels, count * sizeof *kernels))
      error = cudaErrorInvalidValue;
    for (unsigned k = 0; k < count && k < names.size() && error == cudaSuccess; ++k) {
      std::uint64_t made = 0;
      error = module_function(state, number(library), names[k].c_str(), made);
      kernels[k] = handle(made);
    }
    return error;
  });
}

cudaError cudaLibraryGetGlobal(void** pointer, std::size_t* bytes, cudaLibrary_t library,
                               const char* name) {
  return call("cudaLibraryGetGlobal", [&](Context& state) {
    std::uint64_t address = 0, count = 0;
    const cudaError error = module_variable(state, number(library), name, address, count);
    if (error != cudaSuccess) return error;
    if (pointer) *pointer = handle(address);
    if (bytes) *bytes = count;
    return cudaSuccess;
  });
}

cudaError cudaLibraryGetManaged(void** pointer, std::size_t* bytes, cudaLibrary_t library,
                                const char* name) {
  return cudaLibraryGetGlobal(pointer, bytes, library, name);
}

cudaError cudaGetFuncBySymbol(void** function, const void* symbol) {
  return call("cudaGetFuncBySymbol", [&](Context& state) {
    const Function* found = state.find_function(symbol);
    if (!function) return cudaErrorInvalidValue;
    if (!found) return cudaErrorInvalidDeviceFunction;
    *function = handle(found->handle);
    return cudaSuccess;
  });
}

cudaError cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                          int value, int device) {
  if (device == 0) return cudaFuncSetAttribute(kernel, attribute, value);
  return call("cudaKernelSetAttributeForDevice", [](Context&) { return cudaErrorInvalidDevice; });
}

}  // namespace lanescope::cudart

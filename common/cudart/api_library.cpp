// SPDX-License-Identifier: MIT
// Libraries: modules that a program loads at run time through the runtime. A cudaLibrary_t and a
// CUmodule, a cudaKernel_t and a CUfunction are the same here, as handles of ours.
#include "cudart/api.hpp"
#include "cudart/context.hpp"

namespace lanescope::cudart {

namespace {

std::uint64_t number(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle); }
void* handle(std::uint64_t number) { return reinterpret_cast<void*>(number); }

}  // namespace

cudaError cudaLibraryLoadData(cudaLibrary_t* library, const void* code, const void*, const void*,
                              unsigned, const void*, const void*, unsigned) {
  return call("cudaLibraryLoadData", [&](Context& state) {
    if (!library) return cudaErrorInvalidValue;
    std::uint64_t made = 0;
    const cudaError error = load_module(state, code, made);
    if (error == cudaSuccess) *library = handle(made);
    return error;
  });
}

cudaError cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* path, const void*,
                                  const void*, unsigned, const void*, const void*, unsigned) {
  return call("cudaLibraryLoadFromFile", [&](Context& state) {
    if (!library) return cudaErrorInvalidValue;
    std::uint64_t made = 0;
    const cudaError error = load_module_file(state, path, made);
    if (error == cudaSuccess) *library = handle(made);
    return error;
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

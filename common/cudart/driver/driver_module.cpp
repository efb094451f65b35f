// SPDX-License-Identifier: MIT
// Modules and libraries of the driver API: loaded, searched, unloaded. The two are one thing here.
#include <algorithm>
#include <cstring>

#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/module.hpp"

namespace lanescope::cudart {

namespace {

void** as_pointers(CUdeviceptr* made) { return reinterpret_cast<void**>(made); }

bool is_empty(const char* text) { return is_mapped(text, 1) && *text == 0; }

bool is_module(const void* asked) { return context().modules.contains(number(asked)); }

/// At once, not as the runtime's libraries are: what is wrong with it is said now.
template <class Load>
cudaError load_now(CUhandle* made, Load load) {
  return call("cuModuleLoad", [&](Context& state) {
    if (!made) return cudaErrorInvalidValue;
    std::uint64_t module = 0;
    const cudaError error = load(state, module);
    if (error == cudaSuccess) *made = handle(module);
    return error;
  });
}

CUresult load_image(CUhandle* made, const void* image,
                    const char* function_called = __builtin_FUNCTION()) {
  const auto load = [&](Context& state, std::uint64_t& module) {
    return load_module(state, image, module);
  };
  return drive([&] { return load_now(made, load); }, function_called);
}

CUresult load_file(CUhandle* made, const char* path,
                   const char* function_called = __builtin_FUNCTION()) {
  const auto load = [&](Context& state, std::uint64_t& module) {
    return load_module_file(state, path, module);
  };
  if (is_empty(path)) return to_driver(cudaErrorInvalidValue);
  return drive([&] { return load_now(made, load); }, function_called);
}

/// A kernel's name is no variable's, which is another error than a name that nothing has.
CUresult find_global(CUdeviceptr* address, std::size_t* bytes, CUhandle module, const char* name,
                     const char* function_called = __builtin_FUNCTION()) {
  const auto find = [&] {
    const cudaError error = cudaLibraryGetGlobal(as_pointers(address), bytes, module, name);
    if (error != cudaErrorSymbolNotFound) return error;
    void* kernel = nullptr;
    const bool is_kernel = cudaLibraryGetKernel(&kernel, module, name) == cudaSuccess;
    return is_kernel || is_empty(name) ? cudaErrorInvalidValue : error;
  };
  return drive(find, function_called);
}

/// CU_JIT_INFO_LOG_BUFFER and CU_JIT_ERROR_LOG_BUFFER, which programs print: the second gets what
/// stderr has got, the first nothing. The sizes become what is in them.
void write_logs(unsigned count, const int* options, void** values, const std::string& error) {
  constexpr int kInfo = 3, kInfoBytes = 4, kError = 5, kErrorBytes = 6;
  if (!is_mapped(options, count * sizeof *options) || !is_mapped(values, count * sizeof *values))
    return;
  const auto value_of = [&](int option) -> void** {
    const int* found = std::find(options, options + count, option);
    return found == options + count ? nullptr : values + (found - options);
  };
  const auto write = [&](int buffer, int bytes, const std::string& text) {
    void** to = value_of(buffer);
    void** size = value_of(bytes);
    if (to == nullptr || size == nullptr) return;
    const auto room = reinterpret_cast<std::uintptr_t>(*size) & 0xffffffffu;
    if (room == 0 || !is_mapped(*to, room)) return;
    const std::size_t length = std::min<std::size_t>(text.size(), room - 1);
    std::memcpy(*to, text.data(), length);
    static_cast<char*>(*to)[length] = 0;
    *size = reinterpret_cast<void*>(length);
  };
  write(kInfo, kInfoBytes, "");
  write(kError, kErrorBytes, error);
}

}  // namespace

CUresult cuModuleLoadData(CUhandle* module, const void* image) { return load_image(module, image); }

CUresult cuModuleLoadDataEx(CUhandle* module, const void* image, unsigned count, const int* options,
                            void** values) {
  last_refusal().clear();
  const CUresult result = load_image(module, image);
  if (count != 0) write_logs(count, options, values, result == 0 ? "" : last_refusal());
  return result;
}

CUresult cuModuleLoadFatBinary(CUhandle* module, const void* image) {
  return load_image(module, image);
}

CUresult cuModuleLoad(CUhandle* module, const char* path) { return load_file(module, path); }

CUresult cuModuleUnload(CUhandle module) {
  return drive([&] { return cudaLibraryUnload(module); });
}

CUresult cuModuleGetFunction(CUhandle* function, CUhandle module, const char* name) {
  if (is_empty(name) && is_module(module)) return to_driver(cudaErrorInvalidValue);
  if (is_module(module)) clear(function);
  return drive([&] { return cudaLibraryGetKernel(function, module, name); });
}

// CU_MODULE_LAZY_LOADING, as an H200 has it.
CUresult cuModuleGetLoadingMode(int* mode) {
  constexpr int kLazy = 2;
  if (!mode) return to_driver(cudaErrorInvalidValue);
  *mode = kLazy;
  return 0;
}

CUresult cuModuleGetFunctionCount(unsigned* count, CUhandle module) {
  return cuLibraryGetKernelCount(count, module);
}

CUresult cuModuleEnumerateFunctions(CUhandle* functions, unsigned count, CUhandle module) {
  return cuLibraryEnumerateKernels(functions, count, module);
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, std::size_t* bytes, CUhandle module,
                              const char* name) {
  clear(address, bytes);
  return find_global(address, bytes, module, name);
}

CUresult cuLibraryLoadData(CUhandle* library, const void* code, const void*, const void*, unsigned,
                           const void*, const void*, unsigned) {
  return load_image(library, code);
}

CUresult cuLibraryLoadFromFile(CUhandle* library, const char* path, const void*, const void*,
                               unsigned, const void*, const void*, unsigned) {
  return load_file(library, path);
}

CUresult cuLibraryUnload(CUhandle library) {
  return drive([&] { return cudaLibraryUnload(library); });
}

CUresult cuLibraryGetKernel(CUhandle* kernel, CUhandle library, const char* name) {
  return drive([&] { return cudaLibraryGetKernel(kernel, library, name); });
}

CUresult cuLibraryGetKernelCount(unsigned* count, CUhandle library) {
  return drive([&] { return cudaLibraryGetKernelCount(count, library); });
}

CUresult cuLibraryEnumerateKernels(CUhandle* kernels, unsigned count, CUhandle library) {
  return drive([&] { return cudaLibraryEnumerateKernels(kernels, count, library); });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUhandle library,
                            const char* name) {
  return find_global(address, bytes, library, name);
}

CUresult cuLibraryGetModule(CUhandle* module, CUhandle library) {
  return drive([&] {
    if (!module) return cudaErrorInvalidValue;
    if (!is_module(library)) return cudaErrorInvalidResourceHandle;
    *module = library;
    return cudaSuccess;
  });
}

CUresult cuLibraryGetManaged(CUdeviceptr* address, std::size_t* bytes, CUhandle library,
                             const char* name) {
  return drive([&] { return cudaLibraryGetManaged(as_pointers(address), bytes, library, name); });
}

}  // namespace lanescope::cudart

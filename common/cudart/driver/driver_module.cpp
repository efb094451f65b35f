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
  return drive([&] { return is_empty(path) ? cudaErrorInvalidValue : load_now(made, load); },
               function_called);
}

/// Says nothing where there is none.
bool is_kernel(CUhandle module, std::string_view name) {
  std::vector<std::string> names;
  call("cuModuleEnumerateFunctions",
       [&](Context& state) { return module_kernels(state, number(module), names); });
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// A kernel's name is no variable's, which is another error than a name that nothing has.
CUresult find_global(CUdeviceptr* address, std::size_t* bytes, CUhandle module, const char* name,
                     const char* function_called = __builtin_FUNCTION()) {
  const auto find = [&] {
    const cudaError error = cudaLibraryGetGlobal(as_pointers(address), bytes, module, name);
    if (error != cudaErrorSymbolNotFound) return error;
    return is_empty(name) || is_kernel(module, name) ? cudaErrorInvalidValue : error;
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

bool are_all_below(int end, const int* numbers, unsigned count) {
  return is_mapped(numbers, count * sizeof *numbers) &&
         std::all_of(numbers, numbers + count, [&](int one) { return one >= 0 && one < end; });
}

/// Whether an option is there with a value that `is_wrong`.
template <class Wrong>
bool has(int option, Wrong is_wrong, unsigned count, const int* options, void* const* values) {
  for (unsigned k = 0; k < count; ++k)
    if (options[k] == option && is_wrong(static_cast<unsigned>(number(values[k])))) return true;
  return false;
}

}  // namespace

CUresult problem_of_options(unsigned count, const int* options, void* const* values) {
  constexpr int kOptions = 35, kRegisters = 0, kTarget = 9, kCacheMode = 14;
  constexpr unsigned kCacheModes = 3, kOldestTarget = 10;
  if (count == 0) return 0;
  const bool are_options = are_all_below(kOptions, options, count);
  if (!are_options || !is_mapped(values, count * sizeof *values))
    return to_driver(cudaErrorInvalidValue);
  const auto has_wrong = [&](int option, auto is_wrong) {
    return has(option, is_wrong, count, options, values);
  };
  if (has_wrong(kRegisters, [](unsigned value) { return value == 0; }) ||
      has_wrong(kCacheMode, [](unsigned value) { return value >= kCacheModes; }))
    return to_driver(cudaErrorInvalidValue);
  const bool is_old = has_wrong(kTarget, [](unsigned value) { return value < kOldestTarget; });
  return is_old ? to_driver(cudaErrorInvalidKernelImage) : 0;
}

CUresult cuModuleLoadData(CUhandle* module, const void* image) { return load_image(module, image); }

CUresult cuModuleLoadDataEx(CUhandle* module, const void* image, unsigned count, const int* options,
                            void** values) {
  if (const CUresult wrong = problem_of_options(count, options, values); wrong != 0) return wrong;
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

// What is wrong with it is said when something of it is asked for.
CUresult cuLibraryLoadData(CUhandle* library, const void* code, const int* options,
                           void* const* values, unsigned count, const int* library_options,
                           const void*, unsigned library_count) {
  constexpr int kLibraryOptions = 2;
  if (library_count != 0 && !are_all_below(kLibraryOptions, library_options, library_count))
    return to_driver(cudaErrorInvalidValue);
  if (const CUresult wrong = problem_of_options(count, options, values); wrong != 0) return wrong;
  return drive(
      [&] { return cudaLibraryLoadData(library, code, nullptr, nullptr, 0, nullptr, nullptr, 0); });
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
  if (is_empty(name)) return to_driver(cudaErrorInvalidValue);
  return find_global(address, bytes, library, name);
}

CUresult cuLibraryGetModule(CUhandle* module, CUhandle library) {
  return drive([&] {
    if (!module) return cudaErrorInvalidValue;
    if (!is_module(library)) return cudaErrorInvalidResourceHandle;
    const cudaError error = context().modules[number(library)].binary->load_error;
    if (error != cudaSuccess) return error;
    *module = library;
    return cudaSuccess;
  });
}

CUresult cuLibraryGetManaged(CUdeviceptr* address, std::size_t* bytes, CUhandle library,
                             const char* name) {
  if (is_empty(name)) return to_driver(cudaErrorInvalidValue);
  return drive([&] { return cudaLibraryGetManaged(as_pointers(address), bytes, library, name); });
}

}  // namespace lanescope::cudart

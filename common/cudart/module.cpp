// SPDX-License-Identifier: MIT
// Modules that a program loads itself: PTX as text, or a fat binary in memory or in a file, for
// cudaLibraryLoadData and cuModuleLoadData. A cubin is machine code and cannot run.
#include "cudart/module.hpp"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cudart/binary/fatbinary.hpp"
#include "cudart/errors.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/occupancy.hpp"

namespace lanescope::cudart {

namespace {

/// The text at `image`, which ends with a zero; empty when no zero comes before the memory ends.
std::string_view text_at(const void* image) {
  constexpr std::size_t kPiece = 4096, kLongest = std::size_t{1} << 30;
  const auto* text = static_cast<const char*>(image);
  std::size_t known = 0;
  while (known < kLongest) {
    const std::size_t next = kPiece - (reinterpret_cast<std::uintptr_t>(text) + known) % kPiece;
    if (!is_mapped(text + known, next)) return {};
    if (const void* end = std::memchr(text + known, 0, next); end != nullptr)
      return {text, static_cast<std::size_t>(static_cast<const char*>(end) - text)};
    known += next;
  }
  return {};
}

cudaError load_text(Context& context, std::string_view text, std::string_view name,
                    Binary& binary) {
  if (text.find(".version") == std::string_view::npos)
    return refuse(context, cudaErrorInvalidKernelImage,
                  "the image is neither PTX nor a fat binary");
  auto loaded = context.machine->load(text, name);
  if (!loaded.ok()) {
    const cudaError error = to_cuda(loaded.error.code);
    // Of a text for another card an H200 says no more; of a fat binary it does.
    return refuse(context, error == cudaErrorNoKernelImageForDevice ? cudaErrorInvalidPtx : error,
                  loaded.error.message);
  }
  keep_for_ptxas(binary, text, "");
  context.saving->keep(binary, text);
  binary.tried = true;
  binary.module = loaded.value;
  return cudaSuccess;
}

cudaError no_kernel(const Context& context, const char* name) {
  return refuse(context, cudaErrorSymbolNotFound,
                fmt::format("no kernel {} in the module; is its name mangled?", name));
}

// What a program was linked with is a module, too: cuFuncGetModule of a kernel of its own gives it.
// Kernels and variables are those that it has registered, by their stubs and shadows.
const Binary* own_binary(Context& context, std::uint64_t module) {
  return context.find_binary(handle(module));
}

cudaError own_function(Context& context, std::uint64_t module, const char* name,
                       std::uint64_t& found) {
  const Binary* binary = own_binary(context, module);
  if (!binary) return cudaErrorInvalidResourceHandle;
  if (!is_mapped(name, 1)) return cudaErrorInvalidValue;
  for (const auto& [stub, function] : context.functions)
    if (function->binary == binary && function->name == name)
      return found = number(stub), cudaSuccess;
  return no_kernel(context, name);
}

cudaError own_kernels(Context& context, std::uint64_t module, std::vector<std::string>& names) {
  const Binary* binary = own_binary(context, module);
  if (!binary) return cudaErrorInvalidResourceHandle;
  for (const auto& [stub, function] : context.functions)
    if (function->binary == binary) names.push_back(function->name);
  return cudaSuccess;
}

cudaError own_variable(Context& context, std::uint64_t module, const char* name,
                       std::uint64_t& address, std::uint64_t& bytes) {
  const Binary* binary = own_binary(context, module);
  if (!binary) return cudaErrorInvalidResourceHandle;
  if (!is_mapped(name, 1)) return cudaErrorInvalidValue;
  for (auto& [shadow, symbol] : context.symbols) {
    if (symbol.binary != binary || symbol.name != name) continue;
    const cudaError error = resolve(context, symbol);
    address = symbol.address;
    bytes = symbol.bytes;
    return error;
  }
  return refuse(context, cudaErrorSymbolNotFound, fmt::format("there is no variable {}", name));
}

std::uint64_t keep(Context& context, std::unique_ptr<Binary> binary) {
  const std::uint64_t handle = context.next_handle++;
  context.modules[handle].binary = std::move(binary);
  return handle;
}

}  // namespace

std::string how_to_make_ptx(const Context& context) {
  return fmt::format(
      "load PTX: what nvrtcGetPTX gives of a program compiled with --gpu-architecture={0}, or nvcc "
      "-arch={0} -ptx",
      "compute_" + to_string(context.arch).substr(3));
}

cudaError load_module(Context& context, const void* image, std::uint64_t& handle,
                      std::string_view name) {
  constexpr std::size_t kHeaderBytes = 16;
  if (!is_mapped(image, kHeaderBytes)) return cudaErrorInvalidValue;
  auto binary = std::make_unique<Binary>();
  cudaError error = cudaSuccess;
  std::uint32_t magic;
  std::memcpy(&magic, image, sizeof magic);
  const std::span header(static_cast<const std::byte*>(image), kHeaderBytes);
  if (std::memcmp(image,
                  "\x7f"
                  "ELF",
                  4) == 0) {
    return refuse(context, cudaErrorNoKernelImageForDevice,
                  "the image is machine code (a cubin), which the emulator cannot run; " +
                      how_to_make_ptx(context));
  } else if (magic == kWrapperMagic) {
    binary->wrapper = static_cast<const FatBinaryWrapper*>(image);
    error = load(context, *binary);
  } else if (container_bytes(header) != 0) {
    binary->own_wrapper = {kWrapperMagic, 1, image, nullptr};
    binary->wrapper = &binary->own_wrapper;
    error = load(context, *binary);
  } else {
    error = load_text(context, text_at(image), name, *binary);
  }
  if (error == cudaSuccess) handle = keep(context, std::move(binary));
  return error;
}

cudaError load_module_file(Context& context, const char* path, std::uint64_t& handle) {
  if (!is_mapped(path, 1)) return cudaErrorInvalidValue;
  if (std::filesystem::is_directory(path)) return cudaErrorMemoryAllocation;  // says an H200
  std::ifstream file(path, std::ios::binary);
  if (!file) return refuse(context, cudaErrorFileNotFound, fmt::format("no file {}", path));
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  bytes.append(16, 0);
  return load_module(context, bytes.data(), handle, path);
}

std::uint64_t keep_broken(Context& context, cudaError error) {
  auto binary = std::make_unique<Binary>();
  binary->load_error = error;
  return keep(context, std::move(binary));
}

cudaError unload_module(Context& context, std::uint64_t handle) {
  const auto found = context.modules.find(handle);
  if (found == context.modules.end()) return cudaErrorInvalidResourceHandle;
  for (const auto& [name, function] : found->second.functions)
    context.function_handles.erase(function->handle);
  for (const std::uint64_t address : found->second.variables) context.memory.remove(address);
  if (found->second.binary->load_error == cudaSuccess)
    (void)context.machine->unload(found->second.binary->module);
  context.modules.erase(found);
  return cudaSuccess;
}

cudaError module_function(Context& context, std::uint64_t module, const char* name,
                          std::uint64_t& handle) {
  const auto found = context.modules.find(module);
  if (found == context.modules.end()) return own_function(context, module, name, handle);
  if (!is_mapped(name, 1)) return cudaErrorInvalidValue;
  if (const cudaError error = found->second.binary->load_error; error != cudaSuccess) return error;
  auto& function = found->second.functions[name];
  if (!function) {
    const auto* kernel = context.machine->find_kernel(found->second.binary->module, name);
    if (kernel == nullptr) {
      found->second.functions.erase(name);
      return no_kernel(context, name);
    }
    function = std::make_unique<Function>();
    function->binary = found->second.binary.get();
    function->name = name;
    function->handle = context.next_handle++;
    function->kernel = kernel;
    context.function_handles[function->handle] = function.get();
  }
  handle = function->handle;
  return cudaSuccess;
}

cudaError module_kernels(Context& context, std::uint64_t module, std::vector<std::string>& names) {
  const auto found = context.modules.find(module);
  if (found == context.modules.end()) return own_kernels(context, module, names);
  if (found->second.binary->load_error != cudaSuccess) return cudaSuccess;  // it has none
  names = context.machine->kernel_names(found->second.binary->module);
  return cudaSuccess;
}

cudaError module_variable(Context& context, std::uint64_t module, const char* name,
                          std::uint64_t& address, std::uint64_t& bytes) {
  const auto found = context.modules.find(module);
  if (found == context.modules.end()) return own_variable(context, module, name, address, bytes);
  if (!is_mapped(name, 1)) return cudaErrorInvalidValue;
  if (const cudaError error = found->second.binary->load_error; error != cudaSuccess) return error;
  const auto variable = context.machine->find_variable(found->second.binary->module, name);
  if (!variable.ok()) return refuse(context, cudaErrorSymbolNotFound, variable.error.message);
  address = variable.value.address;
  bytes = variable.value.bytes;
  if (context.memory.starting_at(address) == nullptr) {
    context.memory.add({.address = address, .bytes = bytes, .kind = MemoryKind::symbol});
    found->second.variables.push_back(address);
  }
  return cudaSuccess;
}

}  // namespace lanescope::cudart

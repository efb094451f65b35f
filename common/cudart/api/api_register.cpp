// SPDX-License-Identifier: MIT
// The calls that nvcc writes into a program's static constructors: here is my fat binary, these are
// its kernels and variables. Nothing is read yet; a program that never launches never fails.
#include <fmt/format.h>

#include <algorithm>

#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

void forget(Context& state, Binary* binary) {
  for (auto it = state.functions.begin(); it != state.functions.end();) {
    const bool its = it->second->binary == binary;
    if (its) state.function_handles.erase(it->second->handle);
    it = its ? state.functions.erase(it) : std::next(it);
  }
  for (auto it = state.symbols.begin(); it != state.symbols.end();) {
    const bool its = it->second.binary == binary;
    if (its && it->second.address) state.memory.remove(it->second.address);
    it = its ? state.symbols.erase(it) : std::next(it);
  }
  if (binary->tried && binary->load_error == cudaSuccess)
    (void)state.machine->unload(binary->module);  // nobody is left to be told
  const auto same = [&](const auto& other) { return other.get() == binary; };
  state.binaries.erase(std::find_if(state.binaries.begin(), state.binaries.end(), same));
}

}  // namespace

void** __cudaRegisterFatBinary(void* wrapper) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  auto binary = std::make_unique<Binary>();
  binary->wrapper = static_cast<const FatBinaryWrapper*>(wrapper);
  state.binaries.push_back(std::move(binary));
  return reinterpret_cast<void**>(state.binaries.back().get());
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  Binary* binary = state.find_binary(handle);
  if (!binary) return;
  forget(state, binary);
  // As on a GPU, where the buffer of device printf is lost at exit; there nobody says so.
  if (state.binaries.empty() && !state.printed.empty()) {
    say(
        fmt::format("{} bytes of device printf were never shown: call cudaDeviceSynchronize() "
                    "before the program ends",
                    state.printed.size()));
    state.printed.clear();
  }
}

void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int, void*,
                            void*, dim3*, dim3*, int*) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  Binary* binary = state.find_binary(handle);
  if (!binary || !stub || !is_mapped(name, 1)) return;
  auto function = std::make_unique<Function>();
  function->binary = binary;
  function->name = name;
  function->handle = state.next_handle++;
  state.function_handles[function->handle] = function.get();
  auto& slot = state.functions[stub];
  if (slot) state.function_handles.erase(slot->handle);
  slot = std::move(function);
}

void __cudaRegisterVar(void** handle, char* shadow, char*, const char* name, int, std::size_t bytes,
                       int, int) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  Binary* binary = state.find_binary(handle);
  if (!binary || !shadow || !is_mapped(name, 1)) return;
  state.symbols[shadow] = {.binary = binary, .name = name, .bytes = bytes};
}

void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* name, int,
                              std::size_t bytes, int, int) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  Binary* binary = state.find_binary(handle);
  if (!binary || !is_mapped(pointer, sizeof *pointer) || !is_mapped(name, 1)) return;
  state.symbols[pointer] = {
      .binary = binary, .name = name, .bytes = bytes, .managed_pointer = pointer};
}

char __cudaInitModule(void** handle) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  if (Binary* binary = state.find_binary(handle); binary && state.enter() == cudaSuccess) {
    // Only managed variables need their module before the first launch.
    for (const auto& [shadow, symbol] : state.symbols)
      if (symbol.binary == binary && symbol.managed_pointer) {
        if (const cudaError error = load(state, *binary); error != cudaSuccess)
          last_error() = error;
        break;
      }
  }
  return 1;
}

}  // namespace lanescope::cudart

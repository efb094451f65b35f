// SPDX-License-Identifier: MIT
// Pinned and registered memory: ordinary memory of this process that kernels may touch, too.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>

#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/errors.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::uint64_t kAddressBytes = std::uint64_t{1} << 47;  // that a program may have
constexpr unsigned kOfDevice = 4;  // cudaHostRegisterIoMemory: no ordinary memory is

cudaError allocate_pinned(Context& state, void** pointer, std::size_t bytes, unsigned flags) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  if ((flags & ~kHostAllocFlags) != 0) return cudaErrorInvalidValue;
  if (bytes > SIZE_MAX - kPageBytes) return cudaErrorMemoryAllocation;
  const std::size_t rounded = (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  void* memory = std::aligned_alloc(kPageBytes, rounded);
  if (!memory) return cudaErrorMemoryAllocation;
  if (const auto error = state.machine->adopt(address_of(memory), bytes)) {
    std::free(memory);
    return refuse(state, to_cuda(error.code), error.message);
  }
  state.memory.add({address_of(memory), bytes, MemoryKind::pinned, flags});
  *pointer = memory;
  return cudaSuccess;
}

/// The allocation that a host pointer names for kernels, or nullptr.
const Allocation* host_visible(Context& state, const void* pointer) {
  const Allocation* found = state.memory.containing(address_of(pointer));
  return found && found->on_host() ? found : nullptr;
}

}  // namespace

cudaError cudaMallocHost(void** pointer, std::size_t bytes) {
  return call("cudaMallocHost",
              [&](Context& state) { return allocate_pinned(state, pointer, bytes, 0); });
}

cudaError cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return call("cudaHostAlloc",
              [&](Context& state) { return allocate_pinned(state, pointer, bytes, flags); });
}

cudaError cudaFreeHost(void* pointer) {
  return call("cudaFreeHost", [&](Context& state) {
    if (!pointer) return cudaSuccess;
    const Allocation* found = state.memory.starting_at(address_of(pointer));
    if (!found || found->kind != MemoryKind::pinned)
      return refuse(state, cudaErrorInvalidValue,
                    fmt::format("{} is not from cudaMallocHost, or is already freed", pointer));
    (void)state.machine->disown(found->address);
    state.memory.remove(found->address);
    std::free(pointer);
    return cudaSuccess;
  });
}

cudaError cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
  return call("cudaHostRegister", [&](Context& state) {
    if (!pointer || bytes == 0 || (flags & ~kHostRegisterFlags) != 0 ||
        bytes > UINTPTR_MAX - address_of(pointer))
      return cudaErrorInvalidValue;
    if (bytes > kAddressBytes - address_of(pointer) &&
        !state.memory.containing(address_of(pointer)))
      return cudaErrorMemoryAllocation;
    if (const Allocation* touched = state.memory.touching(address_of(pointer), bytes))
      return touched->kind == MemoryKind::registered ? cudaErrorHostMemoryAlreadyRegistered
                                                     : cudaErrorInvalidValue;
    if ((flags & kOfDevice) != 0 || !is_mapped(pointer, bytes)) return cudaErrorInvalidValue;
    if (const auto error = state.machine->adopt(address_of(pointer), bytes))
      return refuse(state, to_cuda(error.code), error.message);
    state.memory.add({address_of(pointer), bytes, MemoryKind::registered, flags});
    return cudaSuccess;
  });
}

cudaError cudaHostUnregister(void* pointer) {
  return call("cudaHostUnregister", [&](Context& state) {
    const Allocation* found = state.memory.starting_at(address_of(pointer));
    if (!found || found->kind != MemoryKind::registered) {
      const Allocation* around = state.memory.containing(address_of(pointer));
      const bool is_ours = around && around->kind != MemoryKind::registered;
      return !pointer || is_ours ? cudaErrorInvalidValue : cudaErrorHostMemoryNotRegistered;
    }
    (void)state.machine->disown(found->address);
    state.memory.remove(found->address);
    return cudaSuccess;
  });
}

cudaError cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return call("cudaHostGetDevicePointer", [&](Context& state) {
    const Allocation* found = host_visible(state, host);
    if (!device || flags != 0 || !found || found->kind == MemoryKind::managed)
      return cudaErrorInvalidValue;
    *device = host;  // one address space
    return cudaSuccess;
  });
}

cudaError cudaHostGetFlags(unsigned* flags, void* host) {
  return call("cudaHostGetFlags", [&](Context& state) {
    const Allocation* found = host_visible(state, host);
    if (!flags || !found) return cudaErrorInvalidValue;
    constexpr unsigned kMapped = 2;  // everything is, with unified addressing
    *flags = found->flags | kMapped;
    return cudaSuccess;
  });
}

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// Device and managed memory: getting it, giving it back, asking what a pointer is. Pinned memory is
// in api_pinned.cpp.
#include <fmt/format.h>

#include <cstring>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/environment.hpp"
#include "cudart/errors.hpp"
#include "cudart/graph/capture_rules.hpp"
#include "cudart/handle.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

namespace {

constexpr std::size_t kPitchBytes = 512;  // rows of cudaMallocPitch begin at multiples of it

cudaError allocate(Context& state, void** pointer, std::size_t bytes, MemoryKind kind) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (bytes > state.memory_bytes() - state.device_bytes)
    return refuse(
        state, cudaErrorMemoryAllocation,
        fmt::format("{} bytes asked for, {} of {} free ({}, in MiB, is what the card has)", bytes,
                    state.memory_bytes() - state.device_bytes, state.memory_bytes(),
                    kMemoryVariable));
  const auto got = state.machine->allocate(bytes);
  if (!got.ok()) return refuse(state, to_cuda(got.error.code), got.error.message);
  state.memory.add({.address = got.value, .bytes = bytes, .kind = kind});
  state.device_bytes += bytes;
  *pointer = reinterpret_cast<void*>(got.value);
  return cudaSuccess;
}

cudaError release(Context& state, void* pointer) {
  if (!pointer) return cudaSuccess;
  const std::uint64_t address = address_of(pointer);
  if (release_graph_memory(state, address)) return cudaSuccess;
  const Allocation* found = state.memory.starting_at(address);
  if (!found || (found->kind != MemoryKind::device && found->kind != MemoryKind::managed) ||
      state.machine->free(address))
    return refuse(
        state, cudaErrorInvalidValue,
        fmt::format("{} is nothing that cudaMalloc has given, or is already freed", pointer));
  state.device_bytes -= found->bytes;
  if (const auto pool = state.pools.find(found->pool); pool != state.pools.end())
    pool->second.give_back(found->bytes);
  if (found->kind == MemoryKind::managed) state.advice.forget(address, found->bytes);
  state.memory.remove(address);
  return cudaSuccess;
}

}  // namespace

cudaError cudaMalloc(void** pointer, std::size_t bytes) {
  return call("cudaMalloc",
              [&](Context& state) { return allocate(state, pointer, bytes, MemoryKind::device); });
}

cudaError cudaMallocPitch(void** pointer, std::size_t* pitch_bytes, std::size_t width_bytes,
                          std::size_t height) {
  return call("cudaMallocPitch", [&](Context& state) {
    if (!pointer || !pitch_bytes) return cudaErrorInvalidValue;
    *pointer = nullptr;
    *pitch_bytes = 0;
    if (width_bytes == 0 || height == 0) return cudaSuccess;
    if (width_bytes > SIZE_MAX - kPitchBytes) return cudaErrorInvalidValue;
    const std::size_t pitch = (width_bytes + kPitchBytes - 1) / kPitchBytes * kPitchBytes;
    *pitch_bytes = pitch;
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(pitch, height, &bytes)) return cudaErrorMemoryAllocation;
    return allocate(state, pointer, bytes, MemoryKind::device);
  });
}

cudaError cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
  return call("cudaMallocManaged", [&](Context& state) {
    constexpr unsigned kAttachGlobal = 1, kAttachHost = 2;
    if (pointer) *pointer = nullptr;
    if (bytes != 0 && flags != kAttachGlobal && flags != kAttachHost) return cudaErrorInvalidValue;
    const cudaError error = allocate(state, pointer, bytes, MemoryKind::managed);
    if (error == cudaSuccess && *pointer) std::memset(*pointer, 0, bytes);  // as on an H200
    return error;
  });
}

cudaError allocate_from(Context& state, cudaMemPool_t pool, void** pointer, std::size_t bytes,
                        cudaStream_t stream) {
  if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
  if (is_captured(state, stream)) {
    if (!pointer) return cudaErrorInvalidValue;
    return write_down(state, stream, NodeType::allocate,
                      [&](GraphNode& node) { return set_allocation(state, bytes, node, pointer); });
  }
  const cudaError error = allocate(state, pointer, bytes, MemoryKind::device);
  if (error != cudaSuccess || bytes == 0) return error;
  state.memory.put_into_pool(address_of(*pointer), number(pool));
  state.pools[number(pool)].take(bytes);
  return cudaSuccess;
}

cudaError cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return call("cudaMallocAsync", [&](Context& state) {
    if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
    if (!is_captured(state, stream))
      if (const cudaError error = forbid_waiting(state); error != cudaSuccess) return error;
    return allocate_from(state, current_pool(state), pointer, bytes, stream);
  });
}

cudaError cudaFree(void* pointer) {
  return call("cudaFree", [&](Context& state) {
    state.flush_printed();
    return release(state, pointer);
  });
}

cudaError cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return call("cudaFreeAsync", [&](Context& state) {
    if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
    if (!is_captured(state, stream)) {
      const cudaError error = forbid_waiting(state);
      return error != cudaSuccess ? error : release(state, pointer);
    }
    return write_down(state, stream, NodeType::release,
                      [&](GraphNode& node) { return set_release(state, pointer, node); });
  });
}

cudaError cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return call("cudaMemGetInfo", [&](Context& state) {
    if (!free_bytes || !total_bytes) return cudaErrorInvalidValue;
    *total_bytes = state.memory_bytes();
    *free_bytes = state.memory_bytes() - state.device_bytes;
    return cudaSuccess;
  });
}

cudaError cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call("cudaPointerGetAttributes", [&](Context& state) {
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = {};
    void* same = const_cast<void*>(pointer);
    const Allocation* found = state.memory.containing(address_of(pointer));
    attributes->device = found ? 0 : -2;  // cudaInvalidDeviceId
    if (!found) {
      attributes->hostPointer = same;
      return cudaSuccess;
    }
    attributes->devicePointer = same;
    if (found->on_host()) attributes->hostPointer = same;
    attributes->type = found->kind == MemoryKind::managed ? cudaMemoryTypeManaged
                       : found->on_host()                 ? cudaMemoryTypeHost
                                                          : cudaMemoryTypeDevice;
    return cudaSuccess;
  });
}

cudaError cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t bytes,
                                   unsigned flags) {
  return call("cudaStreamAttachMemAsync", [&](Context& state) {
    if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
    constexpr unsigned kGlobal = 1, kHost = 2, kSingle = 4;
    if (flags != kGlobal && flags != kHost && flags != kSingle) return cudaErrorInvalidValue;
    const Allocation* found = state.memory.starting_at(address_of(pointer));
    const bool is_whole = found && (bytes == 0 || bytes == found->bytes);
    return is_whole && found->kind == MemoryKind::managed ? cudaSuccess : cudaErrorInvalidValue;
  });
}

LANESCOPE_TWIN(cudaMallocAsync, _ptsz);
LANESCOPE_TWIN(cudaFreeAsync, _ptsz);
LANESCOPE_TWIN(cudaStreamAttachMemAsync, _ptsz);

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// The card, its errors and its settings. There is one card, number 0.
#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <string_view>

#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/errors.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

/// For settings that change speed only: accepted and forgotten.
cudaError accept(const char* name) {
  return call(name, [](Context&) { return cudaSuccess; });
}

template <class T>
cudaError answer(const char* name, T* where, T value) {
  return call(name, [&](Context&) {
    if (!where) return cudaErrorInvalidValue;
    *where = value;
    return cudaSuccess;
  });
}

/// Calls that work after a fault, too: they ask nothing of the card.
cudaError without_card(cudaError error) {
  if (error != cudaSuccess) last_error() = error;
  return error;
}

// What an H200 says (driver 580.159.04, CUDA 13.0).
std::size_t limit_at_start(int limit) {
  constexpr std::size_t kAtStart[] = {1024, 8650752, std::size_t{8} << 20, 0, 2048, 64, 11796480};
  static_assert(std::size(kAtStart) == kLastLimit + 1);
  return kAtStart[limit];
}

/// What a limit becomes when it is set to `value`, as on an H200.
cudaError settle_limit(int limit, std::size_t& value) {
  switch (limit) {
    case kLimitStack:
      if (value > 523488) return cudaErrorInvalidValue;
      value = (value + 15) / 16 * 16;
      return cudaSuccess;
    case kLimitHeap:
      value = std::max<std::size_t>(value, 4 << 20);
      return cudaSuccess;
    case kLimitSyncDepth:
      return cudaErrorUnsupportedLimit;
    case kLimitPendingLaunches:
      value = std::clamp<std::size_t>(value, 32, 599186);
      return cudaSuccess;
    case kLimitFetchGranularity:
      return value > 128 ? cudaErrorInvalidValue : cudaSuccess;
    default:
      return limit < 0 || limit > kLastLimit ? cudaErrorInvalidValue : cudaSuccess;
  }
}

}  // namespace

cudaError cudaDeviceSynchronize() {
  // What a kernel printed before it faulted is shown, too.
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  const cudaError settled = state.settle();
  return call("cudaDeviceSynchronize", [&](Context&) { return settled; });
}

cudaError cudaDeviceReset() {
  // Memory stays: the emulator's is gone with the process, and a fault is not forgiven either.
  return cudaDeviceSynchronize();
}

cudaError cudaGetLastError() {
  const cudaError error = last_error();
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  last_error() = state.fault;  // a fault stays
  state.was_not_launched = false;
  return error;
}

cudaError cudaPeekAtLastError() { return last_error(); }

const char* cudaGetErrorName(cudaError code) { return error_name(code); }
const char* cudaGetErrorString(cudaError code) { return error_text(code); }

cudaError cudaGetDeviceCount(int* count) {
  if (!count) return without_card(cudaErrorInvalidValue);
  if (!context().card) return without_card(cudaErrorNoDevice);
  *count = 1;
  return cudaSuccess;
}

cudaError cudaGetDevice(int* device) {
  if (!device) return without_card(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError cudaSetDevice(int device) {
  return call("cudaSetDevice", [&](Context& state) {
    if (device == 0) return cudaSuccess;
    return refuse(state, cudaErrorInvalidDevice, fmt::format("no device {}, only 0", device));
  });
}

cudaError cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }

cudaError cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  if (!wanted) return without_card(cudaErrorInvalidValue);
  return answer("cudaChooseDevice", device, 0);
}

cudaError cudaSetValidDevices(int* devices, int count) {
  return call("cudaSetValidDevices", [&](Context&) {
    if (count < 0 || count > 1) return cudaErrorInvalidValue;
    if (count == 1 && (!devices || devices[0] != 0)) return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}

cudaError cudaSetDeviceFlags(unsigned flags) {
  return call("cudaSetDeviceFlags", [&](Context& state) {
    constexpr unsigned kKnown = 0xff;
    if ((flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    state.device_flags = flags;
    return cudaSuccess;
  });
}

cudaError cudaGetDeviceFlags(unsigned* flags) {
  constexpr unsigned kMapHost = 8;  // as on an H200, whatever was set
  return answer("cudaGetDeviceFlags", flags, context().device_flags | kMapHost);
}

cudaError cudaGetDeviceProperties(cudaDeviceProp* wanted, int device) {
  return call("cudaGetDeviceProperties", [&](Context& state) {
    if (!wanted) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *wanted = properties(*state.card, state.memory_bytes());
    return cudaSuccess;
  });
}

cudaError cudaDeviceGetAttribute(int* value, int number, int device) {
  return call("cudaDeviceGetAttribute", [&](Context& state) {
    if (!value) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const auto found = attribute(*state.card, number);
    if (!found) return cudaErrorInvalidValue;
    *value = *found;
    return cudaSuccess;
  });
}

namespace {
constexpr char kNowhere[] = "0000:00:00.0";
}

cudaError cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return call("cudaDeviceGetByPCIBusId", [&](Context&) {
    if (!device || !is_mapped(text, 1)) return cudaErrorInvalidValue;
    // "0000:00:00.0", "0000:00:00", "00:00.0" name the same card.
    const std::string_view asked(text), whole(kNowhere);
    const bool is_ours = !asked.empty() && (whole == asked || whole.substr(0, 10) == asked ||
                                            whole.substr(5) == asked);
    if (!is_ours) return cudaErrorInvalidDevice;
    *device = 0;
    return cudaSuccess;
  });
}

// There is one card, and it is no peer of its own.
cudaError cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return without_card(peer == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice);
}
cudaError cudaDeviceDisablePeerAccess(int peer) {
  return without_card(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}

cudaError cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  return call("cudaDeviceGetPCIBusId", [&](Context&) {
    if (!text || bytes < static_cast<int>(sizeof kNowhere)) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    std::memcpy(text, kNowhere, sizeof kNowhere);
    return cudaSuccess;
  });
}

cudaError cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (device != 0 || peer != 0) return without_card(cudaErrorInvalidDevice);
  return answer("cudaDeviceCanAccessPeer", can, 0);
}

// There is one card, and no card is its own peer.
cudaError cudaDeviceGetP2PAttribute(int* value, int, int, int) {
  return call("cudaDeviceGetP2PAttribute", [&](Context&) {
    return value == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidDevice;
  });
}

cudaError cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call("cudaDeviceGetStreamPriorityRange", [&](Context&) {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return cudaSuccess;
  });
}

cudaError cudaDeviceGetLimit(std::size_t* value, int limit) {
  return call("cudaDeviceGetLimit", [&](Context& state) {
    if (!value) return cudaErrorInvalidValue;
    if (limit < 0 || limit > kLastLimit) return cudaErrorInvalidValue;
    if (limit == kLimitSyncDepth) return cudaErrorUnsupportedLimit;
    const auto set = state.limits.find(limit);
    *value = set == state.limits.end() ? limit_at_start(limit) : set->second;
    return cudaSuccess;
  });
}

cudaError cudaDeviceSetLimit(int limit, std::size_t value) {
  return call("cudaDeviceSetLimit", [&](Context& state) {
    if (const cudaError error = settle_limit(limit, value); error != cudaSuccess) return error;
    if (limit == kLimitHeap && !state.machine->forget_heaps())
      return refuse(state, cudaErrorInvalidValue,
                    "a kernel has called malloc already; set cudaLimitMallocHeapSize before");
    state.limits[limit] = value;
    return cudaSuccess;
  });
}

cudaError cudaDeviceGetCacheConfig(int* config) {
  return answer("cudaDeviceGetCacheConfig", config, 0);
}
cudaError cudaDeviceSetCacheConfig(int) { return accept("cudaDeviceSetCacheConfig"); }
cudaError cudaDeviceGetSharedMemConfig(int* config) {
  return answer("cudaDeviceGetSharedMemConfig", config, 1);  // banks of four bytes
}
cudaError cudaDeviceSetSharedMemConfig(int) { return accept("cudaDeviceSetSharedMemConfig"); }
cudaError cudaDeviceFlushGPUDirectRDMAWrites(int, int) {
  return accept("cudaDeviceFlushGPUDirectRDMAWrites");
}
cudaError cudaCtxResetPersistingL2Cache() { return accept("cudaCtxResetPersistingL2Cache"); }

cudaError cudaDriverGetVersion(int* version) {
  if (!version) return without_card(cudaErrorInvalidValue);
  *version = kRuntimeVersion;
  return cudaSuccess;
}

cudaError cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError cudaProfilerStart() { return accept("cudaProfilerStart"); }
cudaError cudaProfilerStop() { return accept("cudaProfilerStop"); }

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return {x, y, z, w, kind};
}

}  // namespace lanescope::cudart

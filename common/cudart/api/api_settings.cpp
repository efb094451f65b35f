// SPDX-License-Identifier: MIT
// The card's settings: limits, flags, and what changes speed only.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>

#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/errors.hpp"

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

constexpr std::size_t kL2PieceBytes = 3932160;  // of what may be set aside

// What an H200 says (driver 580.159.04, CUDA 13.0).
std::size_t limit_at_start(int limit) {
  constexpr std::size_t kAtStart[] = {1024, 8650752, std::size_t{8} << 20, 0, 2048, 64, 11796480};
  static_assert(std::size(kAtStart) == kLimitShared);
  return kAtStart[limit];
}

/// What a limit becomes when it is set to `value`, as on an H200.
cudaError settle_limit(int limit, std::size_t& value) {
  switch (limit) {
    case kLimitStack:
      if (value > 523488) return cudaErrorInvalidValue;
      value = (value + 15) / 16 * 16;
      return cudaSuccess;
    case kLimitPrinted:
      value = std::max<std::size_t>(value, 512 << 10);
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
    case kLimitPersistingL2:
      value = (value + kL2PieceBytes - 1) / kL2PieceBytes * kL2PieceBytes;
      return cudaSuccess;
    case kLimitShared:
    case kLimitGraphics:
      return cudaErrorNotPermitted;  // to be asked alone
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

cudaError cudaSetDeviceFlags(unsigned flags) {
  return call("cudaSetDeviceFlags", [&](Context& state) {
    constexpr unsigned kKnown = 0xff, kSchedules = 7;  // of which one may be chosen
    if ((flags & ~kKnown) != 0 || std::popcount(flags & kSchedules) > 1)
      return cudaErrorInvalidValue;
    state.device_flags = flags;
    return cudaSuccess;
  });
}

cudaError cudaGetDeviceFlags(unsigned* flags) {
  constexpr unsigned kMapHost = 8;  // as on an H200, whatever was set
  return answer("cudaGetDeviceFlags", flags, context().device_flags | kMapHost);
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
    if (limit == kLimitShared)
      *value = static_cast<std::size_t>(state.card->shared_bytes_per_block_optin());
    else if (limit == kLimitGraphics)
      *value = 0;
    else
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
  return answer("cudaDeviceGetCacheConfig", config, context().cache_config);
}
cudaError cudaDeviceSetCacheConfig(int config) {
  return call("cudaDeviceSetCacheConfig", [&](Context& state) {
    if (!is_cache_config(config)) return cudaErrorInvalidValue;
    state.cache_config = config;
    return cudaSuccess;
  });
}
cudaError cudaDeviceGetSharedMemConfig(int* config) {
  return answer("cudaDeviceGetSharedMemConfig", config, 1);  // banks of four bytes
}
cudaError cudaDeviceSetSharedMemConfig(int) { return accept("cudaDeviceSetSharedMemConfig"); }
cudaError cudaDeviceFlushGPUDirectRDMAWrites(int, int) {
  return accept("cudaDeviceFlushGPUDirectRDMAWrites");
}
cudaError cudaCtxResetPersistingL2Cache() { return accept("cudaCtxResetPersistingL2Cache"); }

cudaError cudaProfilerStart() { return accept("cudaProfilerStart"); }
cudaError cudaProfilerStop() { return accept("cudaProfilerStop"); }

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// Memory pools. All memory comes from one place; a pool is a handle and what was set of it.
#include <cstring>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

// cudaMemPoolAttr: the first three are int, the others 64 bits.
constexpr int kFirst = 1, kLastInt = 3, kReserved = 5, kUsed = 7, kLast = 8;

std::size_t bytes_of(int attribute) { return attribute <= kLastInt ? 4 : 8; }

bool is_pool(const Context& state, cudaMemPool_t pool) {
  return state.pools.count(number(pool)) != 0;
}

cudaMemPool_t new_pool(Context& state) {
  const std::uint64_t made = state.next_handle++;
  state.pools[made] = {{1, 1}, {2, 1}, {3, 1}};
  return static_cast<cudaMemPool_t>(handle(made));
}

/// The first that was made is the card's.
cudaMemPool_t default_pool(Context& state) {
  if (state.default_pool == 0) state.default_pool = number(new_pool(state));
  return static_cast<cudaMemPool_t>(handle(state.default_pool));
}

}  // namespace

cudaError cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call("cudaDeviceGetDefaultMemPool", [&](Context& state) {
    if (!pool) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *pool = default_pool(state);
    return cudaSuccess;
  });
}

cudaError cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call("cudaDeviceGetMemPool", [&](Context& state) {
    if (!pool) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *pool = default_pool(state);
    return cudaSuccess;
  });
}

cudaError cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call("cudaDeviceSetMemPool", [&](Context& state) {
    if (device != 0) return cudaErrorInvalidDevice;
    return is_pool(state, pool) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError cudaMemPoolCreate(cudaMemPool_t* pool, const void* properties) {
  return call("cudaMemPoolCreate", [&](Context& state) {
    if (!pool || !properties) return cudaErrorInvalidValue;
    *pool = new_pool(state);
    return cudaSuccess;
  });
}

cudaError cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call("cudaMemPoolDestroy", [&](Context& state) {
    return is_pool(state, pool) && pool != default_pool(state) && state.pools.erase(number(pool))
               ? cudaSuccess
               : cudaErrorInvalidValue;
  });
}

cudaError cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  return call("cudaMemPoolTrimTo", [&](Context& state) {
    return is_pool(state, pool) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, void* value) {
  return call("cudaMemPoolSetAttribute", [&](Context& state) {
    if (!is_pool(state, pool) || attribute < kFirst || attribute > kLast ||
        !is_mapped(value, bytes_of(attribute)))
      return cudaErrorInvalidValue;
    std::uint64_t kept = 0;
    std::memcpy(&kept, value, bytes_of(attribute));
    state.pools[number(pool)][attribute] = kept;
    return cudaSuccess;
  });
}

cudaError cudaMemPoolGetAttribute(cudaMemPool_t pool, int attribute, void* value) {
  return call("cudaMemPoolGetAttribute", [&](Context& state) {
    if (!is_pool(state, pool) || attribute < kFirst || attribute > kLast ||
        !is_mapped(value, bytes_of(attribute)))
      return cudaErrorInvalidValue;
    const bool counts = attribute == kReserved || attribute == kUsed;
    const std::uint64_t kept = counts ? state.device_bytes : state.pools[number(pool)][attribute];
    std::memcpy(value, &kept, bytes_of(attribute));
    return cudaSuccess;
  });
}

cudaError cudaMemPoolSetAccess(cudaMemPool_t pool, const void*, std::size_t) {
  return call("cudaMemPoolSetAccess", [&](Context& state) {
    return is_pool(state, pool) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                  cudaStream_t stream) {
  const cudaError error = call("cudaMallocFromPoolAsync", [&](Context& state) {
    return is_pool(state, pool) ? cudaSuccess : cudaErrorInvalidValue;
  });
  return error != cudaSuccess ? error : cudaMallocAsync(pointer, bytes, stream);
}

LANESCOPE_ALIAS(cudaMallocFromPoolAsync, _ptsz);

}  // namespace lanescope::cudart

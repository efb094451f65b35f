// SPDX-License-Identifier: MIT
// Memory pools: handles, what was set of them, and what they count (pool.hpp).
#include <cstring>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

// cudaMemPoolAttr: the first three are int, the others 64 bits.
constexpr int kFirst = 1, kLastInt = 3, kThreshold = 4, kLast = 8;
constexpr int kReserved = 5, kReservedMost = 6, kUsed = 7, kUsedMost = 8;

std::size_t bytes_of(int attribute) { return attribute <= kLastInt ? 4 : 8; }

Pool* find_pool(Context& state, cudaMemPool_t pool) {
  const auto found = state.pools.find(number(pool));
  return found == state.pools.end() ? nullptr : &found->second;
}
bool is_pool(Context& state, cudaMemPool_t pool) { return find_pool(state, pool) != nullptr; }

cudaMemPool_t new_pool(Context& state) {
  const std::uint64_t made = state.next_handle++;
  state.pools[made];
  return static_cast<cudaMemPool_t>(handle(made));
}

/// The first that was made is the card's.
cudaMemPool_t default_pool(Context& state) {
  if (state.default_pool == 0) state.default_pool = number(new_pool(state));
  return static_cast<cudaMemPool_t>(handle(state.default_pool));
}

/// Pools are the card's: of pinned memory, where device 0 is.
bool is_place_of_pools(const cudaMemLocation* place, int type) {
  constexpr int kCard = 1, kPinned = 1;
  return is_mapped(place, sizeof *place) && type == kPinned && place->type == kCard &&
         place->id == 0;
}

std::uint64_t count_of(const Pool& pool, int attribute) {
  switch (attribute) {
    case kThreshold:
      return pool.threshold_bytes;
    case kReserved:
      return pool.reserved.now;
    case kReservedMost:
      return pool.reserved.most;
    case kUsed:
      return pool.used.now;
    case kUsedMost:
      return pool.used.most;
    default:
      return pool.flags.at(attribute);
  }
}

}  // namespace

cudaMemPool_t current_pool(Context& state) {
  if (state.current_pool == 0) return default_pool(state);
  return static_cast<cudaMemPool_t>(handle(state.current_pool));
}

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
    *pool = current_pool(state);
    return cudaSuccess;
  });
}

cudaError cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call("cudaDeviceSetMemPool", [&](Context& state) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (!is_pool(state, pool)) return cudaErrorInvalidValue;
    state.current_pool = number(pool);
    return cudaSuccess;
  });
}

cudaError cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* place, int type) {
  return call("cudaMemGetDefaultMemPool", [&](Context& state) {
    if (!pool || !is_place_of_pools(place, type)) return cudaErrorInvalidValue;
    *pool = default_pool(state);
    return cudaSuccess;
  });
}

cudaError cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* place, int type) {
  return call("cudaMemGetMemPool", [&](Context& state) {
    if (!pool || !is_place_of_pools(place, type)) return cudaErrorInvalidValue;
    *pool = current_pool(state);
    return cudaSuccess;
  });
}

cudaError cudaMemSetMemPool(cudaMemLocation* place, int type, cudaMemPool_t pool) {
  return call("cudaMemSetMemPool", [&](Context& state) {
    if (!is_place_of_pools(place, type) || !is_pool(state, pool)) return cudaErrorInvalidValue;
    state.current_pool = number(pool);
    return cudaSuccess;
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
    if (!is_pool(state, pool) || pool == default_pool(state)) return cudaErrorInvalidValue;
    if (state.current_pool == number(pool)) state.current_pool = 0;
    state.pools.erase(number(pool));
    return cudaSuccess;
  });
}

cudaError cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytes) {
  return call("cudaMemPoolTrimTo", [&](Context& state) {
    Pool* found = find_pool(state, pool);
    if (!found) return cudaErrorInvalidValue;
    found->trim(bytes);
    return cudaSuccess;
  });
}

cudaError cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, void* value) {
  return call("cudaMemPoolSetAttribute", [&](Context& state) {
    Pool* found = find_pool(state, pool);
    if (!found || attribute < kFirst || attribute > kLast || !is_mapped(value, bytes_of(attribute)))
      return cudaErrorInvalidValue;
    std::uint64_t kept = 0;
    std::memcpy(&kept, value, bytes_of(attribute));
    if (attribute == kThreshold) {
      found->threshold_bytes = kept;
    } else if (attribute <= kLastInt) {
      found->flags[attribute] = kept;
    } else {  // a mark of the most there was goes down to what there is, nothing else can be set
      if (kept != 0 || attribute == kReserved || attribute == kUsed) return cudaErrorInvalidValue;
      Count& count = attribute == kUsedMost ? found->used : found->reserved;
      count.most = count.now;
    }
    return cudaSuccess;
  });
}

cudaError cudaMemPoolGetAttribute(cudaMemPool_t pool, int attribute, void* value) {
  return call("cudaMemPoolGetAttribute", [&](Context& state) {
    const Pool* found = find_pool(state, pool);
    if (!found || attribute < kFirst || attribute > kLast || !is_mapped(value, bytes_of(attribute)))
      return cudaErrorInvalidValue;
    const std::uint64_t kept = count_of(*found, attribute);
    std::memcpy(value, &kept, bytes_of(attribute));
    return cudaSuccess;
  });
}

cudaError cudaMemPoolSetAccess(cudaMemPool_t pool, const void*, std::size_t) {
  return call("cudaMemPoolSetAccess", [&](Context& state) {
    return is_pool(state, pool) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

// The card reads and writes what is its own; of other places nothing was said to anybody.
cudaError cudaMemPoolGetAccess(int* access, cudaMemPool_t pool, cudaMemLocation* where) {
  return call("cudaMemPoolGetAccess", [&](Context& state) {
    constexpr int kOnDevice = 1, kReadWrite = 3;
    if (!access || !is_pool(state, pool) || !is_mapped(where, sizeof *where))
      return cudaErrorInvalidValue;
    if (where->type != kOnDevice) return cudaErrorInvalidValue;
    if (where->id != 0) return cudaErrorInvalidDevice;
    *access = kReadWrite;
    return cudaSuccess;
  });
}

cudaError cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                  cudaStream_t stream) {
  return call("cudaMallocFromPoolAsync", [&](Context& state) {
    if (!is_pool(state, pool)) return cudaErrorInvalidValue;
    return allocate_from(state, pool, pointer, bytes, stream);
  });
}

LANESCOPE_TWIN(cudaMallocFromPoolAsync, _ptsz);

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// Memory pools: handles, what was set of them, and what they count (pool.hpp).
#include <cstring>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/managed.hpp"

namespace lanescope::cudart {

namespace {

// cudaMemPoolAttr: the first three are int, the others 64 bits.
constexpr int kFirst = 1, kLastInt = 3, kThreshold = 4, kLast = 8;
constexpr int kPinned = 1;                               // cudaMemAllocationType
constexpr int kNoAccess = 0, kRead = 1, kReadWrite = 3;  // cudaMemAccessFlags
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
  return is_mapped(place, sizeof *place) && type == kPinned && place->type == kCard &&
         place->id == 0;
}

/// What an H200 makes a pool of, on the card or in the host's memory.
bool can_be_made(const cudaMemPoolProps& asked) {
  constexpr int kNoHandles = 0, kFileHandles = 1;
  if (asked.allocType != kPinned || asked.handleTypes < kNoHandles ||
      asked.handleTypes > kFileHandles)
    return false;
  switch (asked.location.type) {
    case kHost:
      return asked.handleTypes == kNoHandles;
    case kCard:
    case kHostNuma:
      return asked.location.id == 0;
    default:
      return false;
  }
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
    if (!pool || device != 0) return cudaErrorInvalidValue;
    *pool = current_pool(state);
    return cudaSuccess;
  });
}

cudaError cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call("cudaDeviceSetMemPool", [&](Context& state) {
    if (device != 0 || !is_pool(state, pool)) return cudaErrorInvalidValue;
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

cudaError cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call("cudaMemPoolCreate", [&](Context& state) {
    if (!pool || !is_mapped(properties, sizeof *properties) || !can_be_made(*properties))
      return cudaErrorInvalidValue;
    if (properties->location.type == kCard && properties->maxSize > state.memory_bytes())
      return cudaErrorMemoryAllocation;
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

// The card reads and writes what is its own, which cannot be taken from it; no other place may.
cudaError cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access,
                               std::size_t count) {
  return call("cudaMemPoolSetAccess", [&](Context& state) {
    if (!is_pool(state, pool) || (count > 0 && !is_mapped(access, count * sizeof *access)))
      return cudaErrorInvalidValue;
    for (std::size_t k = 0; k < count; ++k) {
      const auto& [where, flags] = access[k];
      if (where.type != kCard) return cudaErrorNotSupported;
      if (flags == kRead) return cudaErrorNotSupported;
      if (where.id != 0 || flags == kNoAccess) return cudaErrorInvalidDevice;
      if (flags != kReadWrite) return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError cudaMemPoolGetAccess(int* access, cudaMemPool_t pool, cudaMemLocation* where) {
  return call("cudaMemPoolGetAccess", [&](Context& state) {
    if (!access || !is_pool(state, pool) || !is_mapped(where, sizeof *where))
      return cudaErrorInvalidValue;
    constexpr int kLastPlace = 3;  // a node of the host
    const bool is_card = where->type == kCard;
    const bool is_place = where->type > kNowhere && where->type <= kLastPlace;
    if (!is_place || (is_card && where->id != 0)) return cudaErrorInvalidValue;
    *access = is_card ? kReadWrite : kNoAccess;
    return cudaSuccess;
  });
}

cudaError cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                  cudaStream_t stream) {
  return call("cudaMallocFromPoolAsync", [&](Context& state) {
    if (pointer) *pointer = nullptr;
    if (!is_pool(state, pool)) return cudaErrorInvalidValue;
    return allocate_from(state, pool, pointer, bytes, stream);
  });
}

LANESCOPE_TWIN(cudaMallocFromPoolAsync, _ptsz);

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// A tensor map in global memory whose address is changed from a tensor of ones to one of twos or
// back, the ways to change it, and a copy by it: map_fences.cu and map_overlaps.cu ask when the
// copy goes by the map as it was changed last.
#pragma once

#include "../hopper.cuh"

constexpr int kWords = 32;

enum Change { by_host, by_store, by_store_released, by_replace, by_replace_released, by_copy };
inline const char* const kChanges[] = {"cudaMemcpy",
                                       "st.global",
                                       "st.global, release",
                                       "tensormap.replace.global",
                                       "tensormap.replace.global, release",
                                       "tensormap.cp_fenceproxy"};

struct alignas(128) Maps {
  CUtensorMap used;        // the one in question
  CUtensorMap choices[2];  // of the ones, of the twos
  const std::uint32_t* tensors[2];
};

struct Shared {
  alignas(128) std::uint32_t tile[kWords];
  alignas(128) CUtensorMap map;
  alignas(8) std::uint64_t full;
  int turn;
};

__device__ inline void begin(Shared& shared) {
  if (threadIdx.x == 0) {
    init(&shared.full, 1);
    fence_init();
    shared.turn = 0;
  }
  __syncwarp();
}

// By a whole warp: what a copy through the map brings.
__device__ inline std::uint32_t use(Shared& shared, const CUtensorMap* map, bool acquires) {
  if (threadIdx.x == 0) {
    if (acquires)
      asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
    expect_bytes(&shared.full, sizeof shared.tile);
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
        "[%1, {%2}], [%3];" ::"r"(shared_address(shared.tile)),
        "l"(map), "r"(0), "r"(shared_address(&shared.full))
        : "memory");
  }
  wait(&shared.full, shared.turn & 1);
  const std::uint32_t seen = shared.tile[threadIdx.x % kWords];
  __syncwarp();
  if (threadIdx.x == 0) {
    shared.turn ^= 1;
    fence_async_proxy();
  }
  __syncwarp();
  return seen;
}

__device__ inline void change(Shared& shared, Maps* maps, Change how, int choice) {
  const int lane = static_cast<int>(threadIdx.x);
  auto* to = reinterpret_cast<std::uint32_t*>(&maps->used);
  const auto* from = reinterpret_cast<const std::uint32_t*>(&maps->choices[choice]);
  if (how == by_copy) {
    reinterpret_cast<std::uint32_t*>(&shared.map)[lane] = from[lane];
    __syncwarp();
    asm volatile(
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
        "[%0], [%1], 128;" ::"l"(to),
        "r"(shared_address(&shared.map))
        : "memory");
  } else if (lane == 0) {
    if (how == by_store || how == by_store_released) {
      for (int i = 0; i < 32; ++i) to[i] = from[i];
    } else {
      asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(to),
                   "l"(maps->tensors[choice])
                   : "memory");
    }
    if (how == by_store_released || how == by_replace_released)
      asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
  }
  __syncwarp();
}

// The map on the card, once for each of `count`, as it is at first: of the ones.
inline Maps* make_maps(int count) {
  const std::vector<std::uint32_t> ones(kWords, 1), twos(kWords, 2);
  Maps host{};
  host.tensors[0] = to_device(ones);
  host.tensors[1] = to_device(twos);
  for (int i = 0; i < 2; ++i)
    if (!make_map<1>(host.choices[i], CU_TENSOR_MAP_DATA_TYPE_UINT32, 4,
                     const_cast<std::uint32_t*>(host.tensors[i]), {kWords}, {kWords},
                     CU_TENSOR_MAP_SWIZZLE_NONE))
      std::exit(1);
  host.used = host.choices[0];
  return to_device(std::vector<Maps>(count, host));
}

inline void tell(const char* where, Change how, bool acquires, unsigned* stale, int of) {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s: %s, %s: %s\n", where, kChanges[how], acquires ? "acquire" : "nothing",
                cudaGetErrorName(error));
    std::exit(1);
  }
  std::printf("%s: %s, %s: %u of %d old\n", where, kChanges[how], acquires ? "acquire" : "nothing",
              from_device(stale, 1)[0], of);
  CHECK(cudaMemset(stale, 0, sizeof *stale));
}

// SPDX-License-Identifier: MIT
// Does a tensor copy see the tensor map in global memory as it was changed last? A map lies in
// global memory and has been used; somebody changes the address in it, from a tensor of ones to one
// of twos or back; it is used again. Counted are the copies that bring the other tensor's numbers.
//
//     changed by   the host; st.global; tensormap.replace in global memory, without and with
//                  fence.proxy.tensormap::generic.release; tensormap.cp_fenceproxy
//     where        a kernel before; the same warp; another block, grid.sync() between
//     used behind  nothing, or fence.proxy.tensormap::generic.acquire of that thread
//
// PTX ISA 9.2, 8.2 (proxies), 9.7.13.4 (fence.proxy). The answer is docs/experiments/map_fences.md.
#include <cooperative_groups.h>

#include "../hopper.cuh"

constexpr int kWords = 32;

enum Change { by_host, by_store, by_store_released, by_replace, by_replace_released, by_copy };
const char* const kChanges[] = {"cudaMemcpy",
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

__device__ void begin(Shared& shared) {
  if (threadIdx.x == 0) {
    init(&shared.full, 1);
    fence_init();
    shared.turn = 0;
  }
  __syncwarp();
}

// By a whole warp: what a copy through the map brings.
__device__ std::uint32_t use(Shared& shared, const CUtensorMap* map, bool acquires) {
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

__device__ void change(Shared& shared, Maps* maps, Change how, int choice) {
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

__global__ void use_it(const Maps* maps, bool acquires, unsigned expected, unsigned* stale) {
  __shared__ Shared shared;
  begin(shared);
  const std::uint32_t seen = use(shared, &maps->used, acquires);
  if (threadIdx.x == 0 && seen != expected) atomicAdd(stale, 1);
}
__global__ void change_it(Maps* maps, Change how, int choice) {
  __shared__ Shared shared;
  change(shared, maps, how, choice);
}
// Each block has a map of its own.
__global__ void in_one_warp(Maps* all, Change how, bool acquires, int turns, unsigned* stale) {
  __shared__ Shared shared;
  begin(shared);
  Maps* maps = all + blockIdx.x;
  for (int turn = 0; turn < turns; ++turn) {
    change(shared, maps, how, turn % 2);
    const std::uint32_t seen = use(shared, &maps->used, acquires);
    if (threadIdx.x == 0 && seen != turn % 2 + 1u) atomicAdd(stale, 1);
  }
}
__global__ void in_a_grid(Maps* maps, Change how, bool acquires, int turns, unsigned* stale) {
  __shared__ Shared shared;
  begin(shared);
  const auto grid = cooperative_groups::this_grid();
  for (int turn = 0; turn < turns; ++turn) {
    if (blockIdx.x == turn % gridDim.x) change(shared, maps, how, turn % 2);
    grid.sync();
    const std::uint32_t seen = use(shared, &maps->used, acquires);
    if (threadIdx.x == 0 && seen != turn % 2 + 1u) atomicAdd(stale, 1);
    grid.sync();
  }
}

void tell(const char* where, Change how, bool acquires, unsigned* stale, int of) {
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

int main(int argc, char**) {
  const int blocks = argc > 1 ? 2 : 132, turns = argc > 1 ? 4 : 400;
  const std::vector<std::uint32_t> ones(kWords, 1), twos(kWords, 2);
  Maps host{};
  host.tensors[0] = to_device(ones);
  host.tensors[1] = to_device(twos);
  for (int i = 0; i < 2; ++i)
    if (!make_map<1>(host.choices[i], CU_TENSOR_MAP_DATA_TYPE_UINT32, 4,
                     const_cast<std::uint32_t*>(host.tensors[i]), {kWords}, {kWords},
                     CU_TENSOR_MAP_SWIZZLE_NONE))
      return 1;
  host.used = host.choices[0];
  Maps* maps = to_device(std::vector<Maps>(blocks, host));
  unsigned* stale = to_device(std::vector<unsigned>(1));
  for (int how = by_host; how <= by_copy; ++how)
    for (bool acquires : {false, true}) {
      Change change = static_cast<Change>(how);
      for (int turn = 0; turn < turns; ++turn) {
        const int choice = turn % 2;
        if (change == by_host)
          CHECK(cudaMemcpyAsync(&maps->used, &maps->choices[choice], sizeof(CUtensorMap),
                                cudaMemcpyDeviceToDevice));
        else
          change_it<<<1, 32>>>(maps, change, choice);
        use_it<<<blocks, 32>>>(maps, acquires, choice + 1, stale);
      }
      tell("a kernel before", change, acquires, stale, turns * blocks);
      if (change == by_host) continue;
      in_one_warp<<<blocks, 32>>>(maps, change, acquires, turns, stale);
      tell("the same warp", change, acquires, stale, turns * blocks);
      int count = turns;
      void* arguments[] = {&maps, &change, &acquires, &count, &stale};
      CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(in_a_grid), dim3(blocks), dim3(32),
                                        arguments, 0, nullptr));
      tell("another block", change, acquires, stale, turns * blocks);
    }
}

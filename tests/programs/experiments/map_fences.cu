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

#include "map_changes.cuh"

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

int main(int argc, char**) {
  const int blocks = argc > 1 ? 2 : 132, turns = argc > 1 ? 4 : 400;
  Maps* maps = make_maps(blocks);
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

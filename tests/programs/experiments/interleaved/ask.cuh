// SPDX-License-Identifier: MIT
// One question put to the card: the memory, the map, the copy, and what is seen afterwards.
#pragma once

#include "answer.cuh"
#include "ptx/mbarrier.cuh"
#include "ptx/tma.cuh"

// A map of a map: with another interleave layout, by the lanes of one warp.
__device__ inline void replace(const CUtensorMap& map, int interleave, CUtensorMap* fresh) {
  __shared__ __align__(128) std::uint32_t copy[32];
  copy[threadIdx.x] = reinterpret_cast<const std::uint32_t*>(&map)[threadIdx.x];
  __syncwarp();
  const std::uint32_t here = ptx::shared_address(copy);
#define REPLACE(layout)                                                                        \
  asm volatile("tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%0], " #layout \
               ";" ::"r"(here)                                                                 \
               : "memory")
  if (threadIdx.x == 0) {
    if (interleave == 1) REPLACE(1);
    if (interleave == 2) REPLACE(2);
  }
  __syncwarp();
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
      "[%0], [%1], 128; fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(fresh),
      "r"(here)
      : "memory");
}

// The box is 0xff before a load, its words' numbers before a store. A load's bytes are counted when
// they have come, and then the mbarrier is told how many to expect.
__global__ void ask_card(const __grid_constant__ CUtensorMap map, TensorCopy copy, int replaced,
                         CUtensorMap* fresh, std::uint32_t* seen, int* told) {
  extern __shared__ __align__(1024) std::uint32_t box[];
  __shared__ __align__(8) std::uint64_t barrier;
  __shared__ int came;
  for (int i = static_cast<int>(threadIdx.x); i < kBoxWords; i += 32)
    box[i] = is_load(copy.way) ? 0xffffffffu : static_cast<std::uint32_t>(1 + i);
  if (replaced != 0) replace(map, replaced, fresh);
  ptx::fence_proxy_async_shared_cta();
  if (threadIdx.x == 0) {
    came = 0;
    ptx::mbarrier_init_shared_b64(&barrier, 1);
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    start(copy, replaced != 0 ? fresh : &map, ptx::shared_address(box),
          ptx::shared_address(&barrier));
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group<0>();
  }
  if (is_load(copy.way)) {
    for (int i = 0; i < 40; ++i) __nanosleep(1000);
    __syncthreads();
    int mine = 0;
    for (int i = static_cast<int>(threadIdx.x); i < kBoxWords; i += 32)
      mine += static_cast<volatile std::uint32_t*>(box)[i] != 0xffffffffu ? 4 : 0;
    atomicAdd(&came, mine);
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx_shared_b64(&barrier, came);
      told[0] = came;
      told[1] = ptx::mbarrier_test_wait_parity_shared_b64(&barrier, 0) ? 1 : 0;
    }
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kBoxWords; i += 32) seen[i] = box[i];
}

// What a load reads from: words with numbers. What a store writes to: zeros.
inline std::uint32_t* memory_for(Way way) {
  static std::uint32_t *numbered = nullptr, *zeros = nullptr;
  if (numbered == nullptr) {
    std::vector<std::uint32_t> words(kMemoryWords);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(1 + i);
    numbered = to_device(words);
    CHECK(cudaMalloc(&zeros, kMemoryBytes));
  }
  if (!is_load(way)) CHECK(cudaMemset(zeros, 0, kMemoryBytes));
  return is_load(way) ? numbered : zeros;
}

/// By an instruction of `copied` dimensions; false when the card refused: nothing works after that.
inline bool ask(const Question& q, int copied) {
  print(q);
  std::uint32_t* memory = memory_for(q.way);
  static std::uint32_t* seen = to_device(std::vector<std::uint32_t>(kBoxWords));
  static CUtensorMap* fresh = to_device(std::vector<CUtensorMap>(1));
  static int* told = to_device(std::vector<int>(2));
  CUtensorMap map;
  if (const CUresult error = make(q, memory + kBase / 4, map); error != CUDA_SUCCESS) {
    std::printf(" no map, %d\n", static_cast<int>(error));
    return true;
  }
  TensorCopy copy{q.way, copied, q.bytes, {}, {}};
  for (std::size_t d = 0; d < 5; ++d) copy.at[d] = q.at[d];
  for (std::size_t d = 0; d < 3; ++d) copy.offset[d] = static_cast<unsigned short>(q.offset[d]);
  ask_card<<<1, 32, kBoxBytes>>>(map, copy, q.is_replaced ? q.interleave : 0, fresh, seen, told);
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::printf(" %s\n", cudaGetErrorString(error));
    return false;
  }
  const std::vector<int> count = from_device(told, 2);
  if (is_load(q.way))
    show_load(from_device(seen, kBoxWords), count[0], count[1] != 0);
  else
    show_store(from_device(memory, kMemoryWords));
  std::printf("\n");
  return true;
}
inline bool ask(const Question& q) { return ask(q, q.rank); }

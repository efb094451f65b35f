// SPDX-License-Identifier: MIT
// One function for each instruction of the Tensor Memory Accelerator that a lesson uses, named as
// in the PTX with _ for dots. One thread starts a copy of a box of a tensor, and hardware does it.
//
//     tensor map (made by the host)      + where the box begins     + who to tell: an mbarrier
//     address, sizes, strides, box,        column first, in elements     counts the bytes that land
//     swizzle, what is outside
//
// Loads complete on an mbarrier, stores in a bulk group of the thread that started them. The copies
// see memory through the async proxy: a thread that wrote shared memory with ordinary stores says
// fence_proxy_async before a store may read it.
//
// Source: PTX ISA 9.2, 9.7.9.25.4 and .5 (bulk and tensor copies), 9.7.13.4 (fences); sm_90.
// What it is for: lesson 12. Tensor maps: tensor_map.cuh.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "mbarrier.cuh"

namespace ptx {

// Orders earlier ordinary accesses to shared memory before later ones of the async proxy (TMA,
// wgmma). By the threads that wrote; then a barrier, then the copy.
__device__ __forceinline__ void fence_proxy_async_shared_cta() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
// The same for all of memory.
__device__ __forceinline__ void fence_proxy_async() {
  asm volatile("fence.proxy.async;" ::: "memory");
}

__device__ __forceinline__ void prefetch_tensormap(const CUtensorMap* map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

// ---- Loads: global to shared --------------------------------------------------------------------

// `to` begins at a multiple of 128 bytes. The coordinates are those of the box's first element, the
// fastest dimension first; they may lie outside of the tensor.
__device__ __forceinline__ void
cp_async_bulk_tensor_1d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
    void* to, const CUtensorMap* map, int c0, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2}], [%3];" ::"r"(shared_address(to)),
      "l"(map), "r"(c0), "r"(shared_address(barrier))
      : "memory");
}
__device__ __forceinline__ void
cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
    void* to, const CUtensorMap* map, int c0, int c1, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
      "l"(map), "r"(c0), "r"(c1), "r"(shared_address(barrier))
      : "memory");
}
__device__ __forceinline__ void
cp_async_bulk_tensor_3d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
    void* to, const CUtensorMap* map, int c0, int c1, int c2, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(shared_address(to)),
      "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(shared_address(barrier))
      : "memory");
}

// Into every block of the cluster whose bit is set in `blocks`, at the same place in each; each
// block's mbarrier at that place counts its own bytes.
__device__ __forceinline__ void
cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes_multicast_cluster(
    void* to, const CUtensorMap* map, int c0, int c1, std::uint64_t* barrier, int blocks) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
      "l"(map), "r"(c0), "r"(c1), "r"(shared_address(barrier)),
      "h"(static_cast<std::uint16_t>(blocks))
      : "memory");
}

// Bytes in a row, without a tensor map: address and size are multiples of 16.
__device__ __forceinline__ void cp_async_bulk_shared_cluster_global_mbarrier_complete_tx_bytes(
    void* to, const void* from, int bytes, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(to)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

// ---- Stores: shared to global -------------------------------------------------------------------

__device__ __forceinline__ void cp_async_bulk_tensor_2d_global_shared_cta_tile_bulk_group(
    const CUtensorMap* map, int c0, int c1, const void* from) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),
      "r"(c0), "r"(c1), "r"(shared_address(from))
      : "memory");
}

// The same, with advice for the L2 of how long to keep what is stored, from createpolicy.
__device__ __forceinline__ void
cp_async_bulk_tensor_2d_global_shared_cta_tile_bulk_group_L2_cache_hint(const CUtensorMap* map,
                                                                        int c0, int c1,
                                                                        const void* from,
                                                                        std::uint64_t policy) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.L2::cache_hint "
      "[%0, {%1, %2}], [%3], %4;" ::"l"(map),
      "r"(c0), "r"(c1), "r"(shared_address(from)), "l"(policy)
      : "memory");
}
// Advice for the L2 (ISA 9.7.9, "createpolicy"): as without advice, or that this is to leave first.
__device__ __forceinline__ std::uint64_t createpolicy_fractional_L2_evict_normal_b64() {
  std::uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
__device__ __forceinline__ std::uint64_t createpolicy_fractional_L2_evict_first_b64() {
  std::uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

__device__ __forceinline__ void cp_async_bulk_commit_group() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// At most kGroups of the thread's latest groups are still under way.
template <int kGroups>
__device__ __forceinline__ void cp_async_bulk_wait_group() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(kGroups) : "memory");
}
// At most kGroups have yet to read shared memory: it may be written again.
template <int kGroups>
__device__ __forceinline__ void cp_async_bulk_wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kGroups) : "memory");
}

}  // namespace ptx

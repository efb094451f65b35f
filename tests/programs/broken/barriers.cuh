// SPDX-License-Identifier: MIT
// Mistakes with mbarriers, bulk copies and tensor maps.
#pragma once

#include "arguments.cuh"
#include "ptx/mbarrier.cuh"
#include "ptx/tma.cuh"

namespace {

__global__ void never_initialised(Arguments) {
  __shared__ Ring ring;
  if (threadIdx.x == 0) ptx::mbarrier_arrive_shared_b64(&ring.barrier);  //! mbarrier
}

__global__ void before_init(Arguments) {
  __shared__ Ring ring;
  if (threadIdx.x == 0) ptx::mbarrier_init_shared_b64(&ring.barrier, 64);
  ptx::mbarrier_arrive_shared_b64(&ring.barrier);  //! mbarrier-before-init
}

__global__ void initialised_twice(Arguments) {
  __shared__ Ring ring;
  if (threadIdx.x % 32 == 0) ptx::mbarrier_init_shared_b64(&ring.barrier, 64);  //! mbarrier
  __syncthreads();
  ptx::mbarrier_arrive_shared_b64(&ring.barrier);
}

__global__ void too_many_arrivals(Arguments) {
  __shared__ Ring ring;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&ring.barrier, 63);
    ptx::mbarrier_arrive_expect_tx_shared_b64(&ring.barrier, 16);  // the phase stays open
  }
  __syncthreads();
  ptx::mbarrier_arrive_shared_b64(&ring.barrier);  //! mbarrier
}

__global__ void too_many_bytes(Arguments) {
  __shared__ Ring ring;
  if (threadIdx.x != 0) return;
  ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
  ptx::mbarrier_arrive_expect_tx_shared_b64(&ring.barrier, 1 << 20);  //! mbarrier
}

__global__ void used_after_inval(Arguments) {
  __shared__ Ring ring;
  if (threadIdx.x != 0) return;
  ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
  ptx::mbarrier_inval_shared_b64(&ring.barrier);
  ptx::mbarrier_arrive_shared_b64(&ring.barrier);  //! mbarrier
}

__global__ void ended_in_use(Arguments) {
  __shared__ Ring ring;
  if (threadIdx.x == 0) ptx::mbarrier_init_shared_b64(&ring.barrier, 64);
  __syncthreads();
  ptx::mbarrier_arrive_shared_b64(&ring.barrier);
  if (threadIdx.x == 63) ptx::mbarrier_inval_shared_b64(&ring.barrier);  //! mbarrier
}

__global__ void written_without_inval(Arguments) {
  __shared__ Ring ring;
  if (threadIdx.x == 0) ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
  __syncthreads();
  if (threadIdx.x == 0) *reinterpret_cast<volatile std::uint64_t*>(&ring.barrier) = 8;  //! mbarrier
}

__global__ void before_second_init(Arguments) {
  __shared__ Ring ring;
  if (threadIdx.x == 0) ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_inval_shared_b64(&ring.barrier);
    ptx::mbarrier_init_shared_b64(&ring.barrier, 64);
  }
  ptx::mbarrier_arrive_shared_b64(&ring.barrier);  //! mbarrier-before-init
}

#define FETCH(ring, from)                                                                   \
  ptx::cp_async_bulk_shared_cluster_global_mbarrier_complete_tx_bytes(ring.tile, from, 256, \
                                                                      &ring.barrier)
#define SEND(to, from, bytes)                                                           \
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), \
               "r"(shared_address(from)), "r"(bytes)                                    \
               : "memory")

__device__ void start(Ring& ring, const Arguments& a, int bytes) {
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
    ptx::fence_proxy_async_shared_cta();
    ptx::mbarrier_arrive_expect_tx_shared_b64(&ring.barrier, bytes);
    FETCH(ring, a.memory);
  }
  __syncthreads();
}

__global__ void no_bulk_wait(Arguments a) {
  __shared__ Ring ring;
  start(ring, a, 256);
  a.memory[threadIdx.x + 512] = ring.tile[threadIdx.x];  //! missing-bulk-wait
  ptx::mbarrier_wait_parity(&ring.barrier, 0);
}

__global__ void asks_once(Arguments a) {
  __shared__ Ring ring;
  start(ring, a, 256);
  asm volatile("{ .reg .pred done; mbarrier.try_wait.parity.shared.b64 done, [%0], 0; }" ::"r"(
                   shared_address(&ring.barrier))
               : "memory");
  a.memory[threadIdx.x + 512] = ring.tile[threadIdx.x];  //! missing-bulk-wait
}

__global__ void runs_ahead(Arguments a) {  // and nobody says that a stage is empty
  __shared__ Ring ring;
  if (threadIdx.x == 0) ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
  __syncthreads();
  if (threadIdx.x == 32) {
    for (int k = 0; k < 3; ++k) {
      ring.tile[0] = k;
      ptx::mbarrier_arrive_shared_b64(&ring.barrier);
    }
  }
  if (threadIdx.x >= 32) return;
  ptx::mbarrier_wait_parity(&ring.barrier, 0);  //! mbarrier
  a.memory[threadIdx.x + 512] = ring.tile[0];
}

__global__ void ends_in_flight(Arguments a) {
  __shared__ Ring ring;
  if (threadIdx.x != 0) return;
  ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
  ptx::fence_proxy_async_shared_cta();
  ptx::mbarrier_arrive_expect_tx_shared_b64(&ring.barrier, 256);
  FETCH(ring, a.memory);  //! missing-bulk-wait
}

__global__ void wrong_parity(Arguments a) {
  __shared__ Ring ring;
  start(ring, a, 256);
  ptx::mbarrier_wait_parity(&ring.barrier, 0);
  ptx::mbarrier_wait_parity(&ring.barrier, 1);  //! deadlock
  a.memory[threadIdx.x + 512] = ring.tile[threadIdx.x];
}

__global__ void never_completes(Arguments a) {
  __shared__ Ring ring;
  start(ring, a, 512);                          // twice what the copy brings
  ptx::mbarrier_wait_parity(&ring.barrier, 0);  //! deadlock
}

__global__ void no_proxy_fence(Arguments a) {
  __shared__ Ring ring;
  ring.tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x != 0) return;
  SEND(a.memory, ring.tile, 256);  //! missing-proxy-fence
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group<0>();
}

__global__ void no_proxy_fence_before_load(Arguments a) {
  __shared__ Ring ring;
  ring.tile[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
    ptx::fence_mbarrier_init_release_cluster();
    ptx::mbarrier_arrive_expect_tx_shared_b64(&ring.barrier, 256);
    FETCH(ring, a.memory);  //! missing-proxy-fence
  }
  __syncthreads();
  ptx::mbarrier_wait_parity(&ring.barrier, 0);
}

__global__ void no_proxy_fence_behind_reads(Arguments a) {
  __shared__ Ring ring;
  start(ring, a, 256);
  ptx::mbarrier_wait_parity(&ring.barrier, 0);
  a.memory[threadIdx.x + 512] = ring.tile[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx_shared_b64(&ring.barrier, 256);
    FETCH(ring, a.memory);  //! late-read
  }
  ptx::mbarrier_wait_parity(&ring.barrier, 1);
}

__global__ void no_commit(Arguments a) {
  __shared__ Ring ring;
  ring.tile[threadIdx.x] = threadIdx.x;
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x != 0) return;
  SEND(a.memory, ring.tile, 256);  //! missing-bulk-wait
  ptx::cp_async_bulk_wait_group<0>();
}

__global__ void no_init_fence(Arguments a) {
  __shared__ Ring ring;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
    ptx::mbarrier_arrive_expect_tx_shared_b64(&ring.barrier, 256);
    FETCH(ring, a.memory);  //! missing-proxy-fence strict
  }
  __syncthreads();
  ptx::mbarrier_wait_parity(&ring.barrier, 0);
}

#define PUBLISH(to, from)                                                                       \
  asm volatile(                                                                                 \
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned " \
      "[%0], [%1], 128;" ::"l"(to),                                                             \
      "r"(from)                                                                                 \
      : "memory")

__global__ void map_half_written(Arguments a) {
  __shared__ alignas(128) int map[32];
  map[threadIdx.x] = static_cast<int>(threadIdx.x);
  const std::uint32_t from = shared_address(map);
  PUBLISH(a.memory, from);  //! race-read-after-write
}

#define ACQUIRE(map) \
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory")
#define MOVE_MAP(map, address)                                                                \
  asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(map), \
               "l"(address)                                                                   \
               : "memory")

// A map in global memory, and an mbarrier that expects a box.
__device__ const CUtensorMap* expect_box(Ring& ring, const Arguments& a) {
  ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
  ptx::fence_mbarrier_init_release_cluster();
  ptx::mbarrier_arrive_expect_tx_shared_b64(&ring.barrier, 256);
  return reinterpret_cast<const CUtensorMap*>(a.memory + kMap);
}
#define FETCH_BOX(ring, map)                                                          \
  ptx::cp_async_bulk_tensor_1d_shared_cluster_global_tile_mbarrier_complete_tx_bytes( \
      ring.tile, map, 0, &ring.barrier)

__global__ void map_moved(Arguments a) {
  __shared__ Ring ring;
  if (threadIdx.x != 0) return;
  const CUtensorMap* map = expect_box(ring, a);
  ACQUIRE(map);
  MOVE_MAP(map, a.memory + 64);
  asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
  FETCH_BOX(ring, map);  //! missing-proxy-fence
  ptx::mbarrier_wait_parity(&ring.barrier, 0);
}

__global__ void map_stored(Arguments a) {
  __shared__ Ring ring;
  if (threadIdx.x == 0) ACQUIRE(a.memory + kMap);
  __syncthreads();
  a.memory[kMap + threadIdx.x] += a.threads - 32;  // the same number
  __syncthreads();
  if (threadIdx.x != 0) return;
  FETCH_BOX(ring, expect_box(ring, a));  //! missing-proxy-fence
  ptx::mbarrier_wait_parity(&ring.barrier, 0);
}

__global__ void map_not_released(Arguments a) {
  __shared__ Ring ring;
  if (threadIdx.x != 0) return;
  const CUtensorMap* map = expect_box(ring, a);
  MOVE_MAP(map, a.memory + 64);
  ACQUIRE(map);
  FETCH_BOX(ring, map);  //! missing-proxy-fence
  ptx::mbarrier_wait_parity(&ring.barrier, 0);
}

// Both CTAs' threads hear of it, but the fence is the other CTA's.
__global__ void __cluster_dims__(2) map_acquired_elsewhere(Arguments a) {
  __shared__ Ring ring;
  const bool is_first = blockIdx.x == 0;
  const CUtensorMap* map = threadIdx.x == 0 ? expect_box(ring, a) : nullptr;
  if (threadIdx.x == 0 && is_first) {
    MOVE_MAP(map, a.memory + 64);
    asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
    ACQUIRE(map);
  }
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  if (threadIdx.x != 0 || is_first) return;
  FETCH_BOX(ring, map);  //! missing-proxy-fence
  ptx::mbarrier_wait_parity(&ring.barrier, 0);
}

__global__ void map_never_acquired(Arguments a) {
  __shared__ Ring ring;
  if (threadIdx.x != 0) return;
  FETCH_BOX(ring, expect_box(ring, a));  //! missing-proxy-fence strict
  ptx::mbarrier_wait_parity(&ring.barrier, 0);
}

}  // namespace

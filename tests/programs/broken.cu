// SPDX-License-Identifier: MIT
// Every mistake that docs/checker.md names, once: `broken NAME` runs the kernel that makes it.
// A comment "//! KIND" stands at the line that the checker must name, "//! KIND strict" where only
// --strict does. No program to learn from, except what not to do.
#include <cstring>

#include "ptx/cluster.cuh"
#include "ptx/cp_async.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mbarrier.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"

#include "program.cuh"

namespace {

using ptx::shared_address;

struct Arguments {
  int* memory;  // 1024 numbers, zero
  int threads;
};

// ---- Shared memory ------------------------------------------------------------------------------

__global__ void uninitialised(Arguments a) {
  __shared__ int tile[256];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a.memory[threadIdx.x] = tile[threadIdx.x + 64];  //! uninitialised-shared
}

__global__ void read_after_write(Arguments a) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncwarp();
  if (threadIdx.x >= 32) a.memory[threadIdx.x] = tile[threadIdx.x - 32];  //! race-read-after-write
}

__global__ void write_after_read(Arguments a) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a.memory[threadIdx.x] = tile[threadIdx.x ^ 32];
  if (threadIdx.x >= 32) tile[threadIdx.x] = a.threads;  //! race-write-after-read
}

__global__ void write_after_write(Arguments a) {
  __shared__ int tile[32];
  tile[threadIdx.x % 32] = threadIdx.x;  //! race-write-after-write
  __syncthreads();
  a.memory[threadIdx.x] = tile[threadIdx.x % 32];
}

__global__ void in_flight(Arguments a) {
  __shared__ alignas(16) int tile[256];
  ptx::cp_async_cg_shared_global_16(&tile[4 * threadIdx.x], a.memory + 4 * threadIdx.x);
  ptx::cp_async_commit_group();
  a.memory[threadIdx.x + 512] = tile[4 * threadIdx.x];  //! missing-cp-async-wait
  ptx::cp_async_wait_group<0>();
}

__global__ void weak_wait(Arguments a) {
  __shared__ alignas(16) int tile[2][256];
  for (int stage = 0; stage < 2; ++stage) {
    ptx::cp_async_cg_shared_global_16(&tile[stage][4 * threadIdx.x], a.memory + 4 * threadIdx.x);
    ptx::cp_async_commit_group();
  }
  ptx::cp_async_wait_group<1>();
  __syncthreads();
  a.memory[threadIdx.x + 256] = tile[1][threadIdx.x];  //! missing-cp-async-wait
}

// ---- Global memory ------------------------------------------------------------------------------

__global__ void neighbours(Arguments a) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  a.memory[index] = index;                                       //! race-write-after-read
  a.memory[index + 512] = a.memory[(index + blockDim.x) % 512];  //! race-read-after-write
}

__global__ void no_fence(Arguments a) {
  a.memory[blockIdx.x] = blockIdx.x;
  if (atomicAdd(&a.memory[64], 1) != static_cast<int>(gridDim.x) - 1) return;
  int sum = 0;
  for (unsigned k = 0; k < gridDim.x; ++k) sum += a.memory[k];  //! race-read-after-write
  a.memory[65] = sum;
}

__global__ void out_of_bounds(Arguments a) {
  a.memory[1024 + threadIdx.x] = 1;  //! out-of-bounds
}

// ---- mbarriers and bulk copies ------------------------------------------------------------------

struct Ring {
  alignas(128) int tile[256];
  std::uint64_t barrier;
};

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

// ---- wgmma --------------------------------------------------------------------------------------

struct Tiles {
  alignas(128) std::uint16_t a[64 * 16], b[8 * 16];
};

/// `swizzle`: 0 for none, 1 for 128 bytes.
__device__ std::uint64_t descriptor(const void* tile, std::uint64_t stride, std::uint64_t swizzle) {
  return (shared_address(tile) & 0x3ffffu) >> 4 | 128ull >> 4 << 16 | stride >> 4 << 32 |
         swizzle << 62;
}

__device__ void fill(Tiles& tiles) {
  for (int k = threadIdx.x; k < 64 * 16; k += blockDim.x) tiles.a[k] = 0;
  for (int k = threadIdx.x; k < 8 * 16; k += blockDim.x) tiles.b[k] = 0;
}

#define MULTIPLY(d, tiles, stride, swizzle)                                                     \
  asm volatile(                                                                                 \
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;" \
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                          \
      : "l"(descriptor(tiles.a, stride, swizzle)), "l"(descriptor(tiles.b, stride, swizzle)))

__global__ void no_wgmma_fence(Arguments a) {
  __shared__ Tiles tiles;
  fill(tiles);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  MULTIPLY(d, tiles, 256, 0);  //! missing-wgmma-fence
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  a.memory[threadIdx.x] = static_cast<int>(d[0]);
}

__global__ void no_wgmma_commit(Arguments a) {
  __shared__ Tiles tiles;
  fill(tiles);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  ptx::wgmma_fence_sync_aligned();
  MULTIPLY(d, tiles, 256, 0);
  ptx::wgmma_wait_group_sync_aligned<0>();
  a.memory[threadIdx.x] = static_cast<int>(d[0]);  //! accumulator-in-flight
}

__global__ void no_wgmma_wait(Arguments a) {
  __shared__ Tiles tiles;
  fill(tiles);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  ptx::wgmma_fence_sync_aligned();
  MULTIPLY(d, tiles, 256, 0);
  ptx::wgmma_commit_group_sync_aligned();
  a.memory[threadIdx.x] = static_cast<int>(d[0]);  //! accumulator-in-flight
  ptx::wgmma_wait_group_sync_aligned<0>();
}

__global__ void no_fence_before_wgmma(Arguments a) {
  __shared__ Tiles tiles;
  fill(tiles);
  __syncthreads();
  float d[4] = {};
  ptx::wgmma_fence_sync_aligned();
  MULTIPLY(d, tiles, 256, 0);  //! missing-proxy-fence
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  a.memory[threadIdx.x] = static_cast<int>(d[0]);
}

__global__ void overwritten_operand(Arguments a) {
  __shared__ Tiles tiles;
  fill(tiles);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  ptx::wgmma_fence_sync_aligned();
  MULTIPLY(d, tiles, 256, 0);
  ptx::wgmma_commit_group_sync_aligned();
  tiles.a[threadIdx.x] = 1;  //! race-write-after-read
  ptx::wgmma_wait_group_sync_aligned<0>();
  a.memory[threadIdx.x] = static_cast<int>(d[0]);
}

__global__ void lockstep(Arguments a) {
  __shared__ Tiles tiles;
  fill(tiles);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  ptx::wgmma_fence_sync_aligned();
  MULTIPLY(d, tiles, 256, 0);
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  tiles.a[threadIdx.x] = 1;  //! warpgroup-lockstep strict
  a.memory[threadIdx.x] = static_cast<int>(d[0]);
}

__global__ void descriptor_outside(Arguments a) {
  __shared__ Tiles tiles;
  fill(tiles);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  ptx::wgmma_fence_sync_aligned();
  MULTIPLY(d, tiles, 0x3fff0, 0);  //! out-of-bounds
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  a.memory[threadIdx.x] = static_cast<int>(d[0]);
}

__global__ void descriptor_misaligned(Arguments a) {
  __shared__ alignas(1024) unsigned char space[12 * 1024];
  for (int k = threadIdx.x; k < 12 * 1024; k += blockDim.x) space[k] = 0;
  struct {
    unsigned char *a, *b;
  } tiles{space + 128, space + 10 * 1024};  // A should begin at a multiple of 1024
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  ptx::wgmma_fence_sync_aligned();
  MULTIPLY(d, tiles, 1024, 1);  //! descriptor
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  a.memory[threadIdx.x] = static_cast<int>(d[0]);
}

// ---- Warps --------------------------------------------------------------------------------------

__global__ void crooked_row(Arguments a) {
  __shared__ alignas(16) std::uint16_t tile[32 * 9];  // rows of 18 bytes
  for (int k = threadIdx.x; k < 32 * 9; k += 32) tile[k] = k;
  __syncwarp();
  std::uint32_t r[4];
  ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(r, &tile[9 * threadIdx.x]);  //! misaligned-address
  a.memory[threadIdx.x] = r[0];
}

__global__ void diverged(Arguments a) {
  __shared__ alignas(16) std::uint16_t tile[32 * 8];
  for (int k = threadIdx.x; k < 32 * 8; k += 32) tile[k] = k;
  __syncwarp();
  std::uint32_t r[4] = {};
  if (threadIdx.x < 16) ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(r, &tile[8 * threadIdx.x]);
  __syncwarp();  //! diverged-collective
  a.memory[threadIdx.x] = r[0];
}

__global__ void outside_mask(Arguments a) {
  int value = threadIdx.x;
  if (threadIdx.x < 16) value = __shfl_sync(0xffff0000u, value, 20);  //! membermask
  a.memory[threadIdx.x] = value;
}

__global__ void missing_lane(Arguments a) {
  int value = threadIdx.x;
  if (threadIdx.x < 16) value = __shfl_sync(0xffffffffu, value, 20);
  __syncwarp();  //! diverged-collective
  a.memory[threadIdx.x] = value;
}

__global__ void waits_forever(Arguments) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 96;");  //! deadlock
}

// ---- Clusters -----------------------------------------------------------------------------------

__device__ std::uint32_t mapa(std::uint32_t address, int rank) {
  std::uint32_t other;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(address), "r"(rank));
  return other;
}

#define STORE(to, value) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to), "r"(value))

__global__ void __cluster_dims__(2) too_early(Arguments a) {
  __shared__ int number;
  const std::uint32_t other = mapa(shared_address(&number), blockIdx.x ^ 1);
  if (threadIdx.x == 0) STORE(other, a.threads);  //! cluster-start
  ptx::barrier_cluster_arrive_release_aligned();
  ptx::barrier_cluster_wait_acquire_aligned();
}

__global__ void __cluster_dims__(2) no_wait_for_stores(Arguments a) {
  __shared__ Ring ring;
  ring.tile[threadIdx.x] = 0;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&ring.barrier, 1);
    ptx::mbarrier_arrive_expect_tx_shared_b64(&ring.barrier, 256);
    ptx::fence_mbarrier_init_release_cluster();
  }
  ptx::barrier_cluster_arrive_release_aligned();
  ptx::barrier_cluster_wait_acquire_aligned();
  if (ptx::cluster_ctarank() == 0)
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
            mapa(shared_address(&ring.tile[threadIdx.x]), 1)),
        "r"(a.threads), "r"(mapa(shared_address(&ring.barrier), 1)));
  else
    a.memory[threadIdx.x] = ring.tile[threadIdx.x];  //! race-read-after-write
  ptx::barrier_cluster_arrive_release_aligned();
  ptx::barrier_cluster_wait_acquire_aligned();
}

#define MEET_RELAXED()                                                                    \
  asm volatile("barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;" :: \
                   : "memor"                                                              \
                     "y")

__global__ void __cluster_dims__(2) no_fence_before_relaxed(Arguments) {
  __shared__ Ring ring;
  if (threadIdx.x == 0) ptx::mbarrier_init_shared_b64(&ring.barrier, 64);
  MEET_RELAXED();
  ptx::mbarrier_arrive_shared_b64(&ring.barrier);  //! mbarrier-before-init
}

__global__ void __cluster_dims__(2) relaxed_orders_nothing(Arguments a) {
  __shared__ int number;
  if (threadIdx.x == 0) number = a.threads;
  ptx::fence_mbarrier_init_release_cluster();
  MEET_RELAXED();
  a.memory[blockIdx.x * 64 + threadIdx.x] = number;  //! race-read-after-write
}

__global__ void __cluster_dims__(2) too_late(Arguments a) {
  __shared__ int number;
  if (threadIdx.x == 0) number = blockIdx.x;
  ptx::barrier_cluster_arrive_release_aligned();
  ptx::barrier_cluster_wait_acquire_aligned();
  const std::uint32_t other = mapa(shared_address(&number), blockIdx.x ^ 1);
  int value;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(other));  //! cluster-exit
  a.memory[blockIdx.x] = value;
}

struct Mistake {
  const char* name;
  void (*kernel)(Arguments);
  int ctas, threads;
};

#define MISTAKE(name, ctas, threads) \
  { #name, name, ctas, threads }
const Mistake kMistakes[] = {
    MISTAKE(uninitialised, 1, 64),
    MISTAKE(read_after_write, 1, 64),
    MISTAKE(write_after_read, 1, 64),
    MISTAKE(write_after_write, 1, 64),
    MISTAKE(in_flight, 1, 64),
    MISTAKE(weak_wait, 1, 64),
    MISTAKE(neighbours, 8, 64),
    MISTAKE(no_fence, 8, 1),
    MISTAKE(out_of_bounds, 1, 64),
    MISTAKE(never_initialised, 1, 64),
    MISTAKE(before_init, 1, 64),
    MISTAKE(initialised_twice, 1, 64),
    MISTAKE(too_many_arrivals, 1, 64),
    MISTAKE(too_many_bytes, 1, 64),
    MISTAKE(used_after_inval, 1, 64),
    MISTAKE(no_bulk_wait, 1, 64),
    MISTAKE(wrong_parity, 1, 64),
    MISTAKE(never_completes, 1, 64),
    MISTAKE(no_proxy_fence, 1, 64),
    MISTAKE(no_proxy_fence_before_load, 1, 64),
    MISTAKE(no_commit, 1, 64),
    MISTAKE(no_init_fence, 1, 64),
    MISTAKE(no_wgmma_fence, 1, 128),
    MISTAKE(no_wgmma_commit, 1, 128),
    MISTAKE(no_wgmma_wait, 1, 128),
    MISTAKE(no_fence_before_wgmma, 1, 128),
    MISTAKE(overwritten_operand, 1, 128),
    MISTAKE(lockstep, 1, 128),
    MISTAKE(descriptor_outside, 1, 128),
    MISTAKE(descriptor_misaligned, 1, 128),
    MISTAKE(crooked_row, 1, 32),
    MISTAKE(diverged, 1, 32),
    MISTAKE(outside_mask, 1, 32),
    MISTAKE(missing_lane, 1, 32),
    MISTAKE(waits_forever, 1, 64),
    MISTAKE(too_early, 2, 64),
    MISTAKE(no_wait_for_stores, 2, 64),
    MISTAKE(no_fence_before_relaxed, 2, 64),
    MISTAKE(relaxed_orders_nothing, 2, 64),
    MISTAKE(too_late, 2, 64),
};

}  // namespace

int main(int argc, char** argv) {
  for (const Mistake& mistake : kMistakes) {
    if (argc < 2) std::printf("%s\n", mistake.name);
    if (argc < 2 || std::strcmp(mistake.name, argv[1]) != 0) continue;
    const Arguments arguments{to_device(std::vector<int>(1024)), mistake.threads};
    mistake.kernel<<<mistake.ctas, mistake.threads>>>(arguments);
    cudaDeviceSynchronize();  // whether it goes well is not the question
    return 0;
  }
  return argc < 2 ? 0 : 2;
}

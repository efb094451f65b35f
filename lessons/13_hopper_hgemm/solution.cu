// SPDX-License-Identifier: MIT
// Exercise 13: who shares what in a cluster.
//
// Two blocks of a cluster have tiles of D below each other: 128 x 192 each, 64 rows for each of two
// consumers (warpgroups). Their rows of A differ, their 192 columns of B are the same. So each
// block loads half of B's tile, and TMA puts it into both, at the same place.
//
//                    block 0                  block 1
//     stage   a  128 x 64   its own     128 x 64   its own
//             b  192 x 64   half 0  ->  half 0            whoever fills b[stage] overwrites it in
//                           half 1  <-  half 1            both blocks: are all done with it?
//
//   arrivals    how many arrivals empty[stage] of a block waits for, in every round
//   bytes       how many bytes full[stage] of a block waits for, in every round
//   first_row   of the 192 rows in b: the first of the half that this block loads for both
//   tells       the block (0 or 1) at whose empty[stage] this thread of a consumer arrives when it
//               has read the stage; -1: at none. How many threads tell is yours to choose: arrivals
//               counts them
//
// `rank` is the block's number in the cluster, `thread` 0 to 127 within its consumer. Fill the gap
// in share, then:  ./learn check 13
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <vector>

#include "check.cuh"
#include "device_array.cuh"
#include "ptx/cluster.cuh"
#include "ptx/mbarrier.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"
#include "record.cuh"
#include "tensor_map.cuh"

constexpr int kBlockM = 128, kBlockN = 192, kBlockK = 64, kStages = 3;
constexpr int kBlocks = 2, kConsumers = 2;  // of a cluster, of a block
constexpr int kRowBytes = kBlockK * 2;      // of a and b
constexpr int kHalf = kBlockN / kBlocks;    // rows of b that one TMA brings

struct Sharing {
  int arrivals = -1, bytes = -1, first_row = -1, tells = -1;
};

__device__ Sharing share(int rank, int thread) {
  Sharing s;
  // ---- your code begins (four lines) ----
  s.arrivals = kConsumers * kBlocks;
  s.bytes = (kBlockM + kBlockN) * kRowBytes;
  s.first_row = rank * kHalf;
  s.tells = thread < kBlocks ? thread : -1;
  // ---- your code ends ----
  (void)rank, (void)thread;
  return s;
}

__global__ void tell(int* out) {
  const int rank = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  const Sharing s = share(rank, thread);
  int* mine = out + (rank * 128 + thread) * 4;
  mine[0] = s.arrivals, mine[1] = s.bytes, mine[2] = s.first_row, mine[3] = s.tells;
}

struct Ring {
  alignas(1024) std::uint16_t a[kStages][kBlockM * kBlockK];
  alignas(1024) std::uint16_t b[kStages][kBlockN * kBlockK];
  std::uint64_t full[kStages], empty[kStages];
};

__device__ void produce(Ring& ring, const CUtensorMap& map_a, const CUtensorMap& map_b, int K,
                        int rank) {
  const Sharing s = share(rank, 0);
  for (int step = 0; step * kBlockK < K; ++step) {
    const int stage = step % kStages;
    std::uint64_t* full = &ring.full[stage];
    ptx::mbarrier_wait_parity(&ring.empty[stage], (step / kStages & 1) ^ 1);
    ptx::mbarrier_arrive_expect_tx_shared_b64(full, s.bytes);
    ptx::cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
        ring.a[stage], &map_a, step * kBlockK, rank * kBlockM, full);
    ptx::
        cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes_multicast_cluster(
            ring.b[stage] + s.first_row * kBlockK, &map_b, step * kBlockK, s.first_row, full, 0b11);
  }
}

__device__ void consume(Ring& ring, float* D, int K, int rank, int consumer) {
  const int thread = static_cast<int>(threadIdx.x) % 128, lane = thread % 32;
  const Sharing s = share(rank, thread);
  float d[kBlockN / 2];
  for (int step = 0; step * kBlockK < K; ++step) {
    const int stage = step % kStages;
    ptx::mbarrier_wait_parity(&ring.full[stage], step / kStages & 1);
    const std::uint64_t a =
        ptx::matrix_descriptor(ring.a[stage] + consumer * 64 * kBlockK, 16, 8 * kRowBytes, 1);
    const std::uint64_t b = ptx::matrix_descriptor(ring.b[stage], 16, 8 * kRowBytes, 1);
    ptx::wgmma_fence_sync_aligned();
    for (int k = 0; k < kBlockK / 16; ++k)
      ptx::wgmma_mma_async_sync_aligned_m64n192k16_f32_f16_f16(d, a + k * 2, b + k * 2,
                                                               step + k > 0);
    ptx::wgmma_commit_group_sync_aligned();
    ptx::wgmma_wait_group_sync_aligned<0>();
    if (s.tells >= 0) ptx::mbarrier_arrive_shared_cluster_b64(&ring.empty[stage], s.tells);
  }
  const int row = rank * kBlockM + consumer * 64 + thread / 32 * 16 + lane / 4;
  for (int i = 0; i < kBlockN / 2; ++i)
    D[(row + i / 2 % 2 * 8) * kBlockN + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
}

__global__ void __cluster_dims__(kBlocks, 1, 1) __launch_bounds__(128 * (1 + kConsumers), 1)
    multiply(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
             float* D, int K, DeviceRecorder recorder) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Ring& ring = *reinterpret_cast<Ring*>(raw);
  const int rank = ptx::cluster_ctarank();
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      ptx::mbarrier_init_shared_b64(&ring.full[stage], 1);
      ptx::mbarrier_init_shared_b64(&ring.empty[stage], share(rank, 0).arrivals);
    }
    ptx::fence_mbarrier_init_release_cluster();
  }
  ptx::cluster_sync();
  const int warpgroup = static_cast<int>(threadIdx.x) / 128;
  if (warpgroup > 0)
    consume(ring, D, K, rank, warpgroup - 1);
  else if (threadIdx.x == 0)
    produce(ring, map_a, map_b, K, rank);
  ptx::cluster_sync();
  if (threadIdx.x < 32)
    RECORD_TILE(recorder, "B", "f16", kBlockN, kBlockK, ring.b[0], kRowBytes, kRowBytes);
}

// check.cpp calls this. Without matrices: arrivals, bytes, first_row and tells of the 128 threads
// of a consumer in block 0, then of those in block 1. With A (256 x K) and B (K x 192, column by
// column) of f16: their product, 256 x 192.
std::vector<int> share_on_device(const std::vector<std::uint16_t>& a,
                                 const std::vector<std::uint16_t>& b, const char* trace) {
  if (a.empty()) {
    DeviceArray<int> out(kBlocks * 128 * 4);
    tell<<<kBlocks, 128>>>(out.data());
    return out.get();
  }
  Recorder recorder(trace, "13_hopper_hgemm");
  recorder.view("13 HGEMM the Hopper way, your exercise", {"memory"}, "",
                "B's first stage in both blocks: the same, whoever brought it.");
  const int K = static_cast<int>(b.size()) / kBlockN;
  DeviceArray<std::uint16_t> device_a(a), device_b(b);
  DeviceArray<float> D(kBlocks * kBlockM * kBlockN);
  const auto map = [K](std::uint16_t* matrix, int rows, int box_rows) {
    return tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, matrix, std::uint64_t(K),
                         std::uint64_t(rows), std::uint64_t(K) * 2, kBlockK,
                         std::uint32_t(box_rows), CU_TENSOR_MAP_SWIZZLE_128B);
  };
  CUDA_CHECK(
      cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Ring)));
  multiply<<<kBlocks, 128 * (1 + kConsumers), sizeof(Ring)>>>(
      map(device_a.data(), kBlocks * kBlockM, kBlockM), map(device_b.data(), kBlockN, kHalf),
      D.data(), K, recorder.launch("multiply", kBlocks, 128 * (1 + kConsumers)));
  std::vector<int> numbers;
  for (const float value : D.get()) numbers.push_back(static_cast<int>(value));
  recorder.write();
  return numbers;
}

// SPDX-License-Identifier: MIT
// Lesson 12, TMA and mbarrier: one thread asks for a box of a matrix, hardware fetches it, swizzles
// it, fills up what lies outside, and an mbarrier says when the last byte has come. Then a ring of
// stages between a thread that loads and 128 that work; one box for two blocks; and the way back,
// with a fence that must not be forgotten (--no-fence forgets it).
//
//   By hand:  nvcc -gencode arch=compute_90a,code=sm_90a -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 5.5 (tensors, boxes, swizzles), 9.7.9.25.5 (tensor copies), 9.7.13.15
//             (mbarrier), 9.7.13.4 (fence.proxy).
//   Steps:    kernel=ring
#include <vector>

#include "boxes.cuh"
#include "device_array.cuh"
#include "ptx/cluster.cuh"
#include "ptx/tma.cuh"
#include "record.cuh"
#include "tensor_map.cuh"
#include "this_device.cuh"

// The matrix is 20 x 72, A[row][col] = 100*row + col in f16; boxes have 8 rows and up to 64
// columns. Its numbers, and what is printed of a box, are in boxes.cuh.

// A matrix of that size at `address`, to be copied in boxes of so many columns and rows.
CUtensorMap boxes_of(uint16_t* address, int cols, int rows, CUtensorMapSwizzle swizzle) {
  return tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, address, kCols, kRows, kCols * 2,
                       static_cast<uint32_t>(cols), static_cast<uint32_t>(rows), swizzle);
}

// ---- 1. A box -----------------------------------------------------------------------------------

// Starts the copy of the box that begins at col, row, and goes on; `full` counts its bytes as they
// come. The other instructions read the same way: ptx/tma.cuh, ptx/mbarrier.cuh.
__device__ void load_box(void* to, const CUtensorMap* map, int col, int row, uint64_t* full) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(ptx::shared_address(to)),
      "l"(map), "r"(col), "r"(row), "r"(ptx::shared_address(full))
      : "memory");
}

__global__ void fetch(const __grid_constant__ CUtensorMap map, int col, int row, int bytes,
                      uint16_t* seen, DeviceRecorder recorder) {
  __shared__ __align__(1024) uint16_t box[kBoxRows * kBoxCols];
  __shared__ __align__(8) uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&full, 1);     // one arrival a phase: this thread's
    ptx::fence_mbarrier_init_release_cluster();  // the copy engine must see it, too
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx_shared_b64(&full, bytes);  // I am here, and so much will come
    load_box(box, &map, col, row, &full);                     // starts; the thread goes on
  }
  ptx::mbarrier_wait_parity(&full, 0);  // phase 0 is over: arrival and all bytes
  const int row_bytes = bytes / kBoxRows;
  if (threadIdx.x < 32)
    RECORD_TILE(recorder, "box", "f16", kBoxRows, row_bytes / 2, box, row_bytes, row_bytes);
  for (int i = static_cast<int>(threadIdx.x); i < bytes / 2; i += 128) seen[i] = box[i];
}

bool show_boxes(uint16_t* address, Recorder& recorder) {
  print_head_of_boxes();
  bool good = true;
  for (const Box& b : kBoxes) {
    const int cols = b.units * 8, bytes = kBoxRows * cols * 2;
    const CUtensorMap map = boxes_of(address, cols, kBoxRows, b.swizzle);
    DeviceArray<uint16_t> seen(static_cast<size_t>(bytes / 2));
    fetch<<<1, 128>>>(map, b.col, b.row, bytes, seen.data(), recorder.launch("fetch", 1, 128));
    good = print_box(b, seen.get()) && good;
  }
  return good;
}

// ---- 2. A ring of stages ------------------------------------------------------------------------

// Warp 4 has a thread that fills stages; warps 0 to 3 empty them. full[s]: the bytes of stage s
// have come. empty[s]: all 128 have read it. Each mbarrier counts its own phases, and whoever waits
// says by their parity which one he means.
constexpr int kStages = 3, kTiles = 8;

__global__ void ring(const __grid_constant__ CUtensorMap map, int* sums, int* parities) {
  __shared__ __align__(1024) uint16_t tiles[kStages][kBoxRows * kBoxCols];
  __shared__ __align__(8) uint64_t full[kStages], empty[kStages];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      ptx::mbarrier_init_shared_b64(&full[stage], 1);
      ptx::mbarrier_init_shared_b64(&empty[stage], 128);
    }
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  int stage = 0, parity = 0;  // of the ring's first round; every round they change
  if (thread == 128) {
    for (int tile = 0; tile < kTiles; ++tile) {
      // In the first round nobody has to empty anything. Parity 1 is that of the phase before the
      // first, which counts as complete: this wait is over at once.
      ptx::mbarrier_wait_parity(&empty[stage], parity ^ 1);
      // An arrival does not wait for reads that are under way, and the copy goes through the other
      // proxy: without a fence it may be there before them.
      ptx::fence_proxy_async_shared_cta();  // behind all reads
      ptx::mbarrier_arrive_expect_tx_shared_b64(&full[stage], kBoxBytes);
      load_box(tiles[stage], &map, 0, tile, &full[stage]);  // tile t: rows t to t + 7
      if (++stage == kStages) stage = 0, parity ^= 1;
    }
  } else if (thread < 128) {
    for (int tile = 0; tile < kTiles; ++tile) {
      ptx::mbarrier_wait_parity(&full[stage], parity);
      int sum = 0;
      for (int i = thread; i < kBoxRows * kBoxCols; i += 128) sum += tiles[stage][i];
      ptx::mbarrier_arrive_shared_b64(&empty[stage]);
      atomicAdd(&sums[tile], sum);
      if (thread == 0) parities[tile] = stage * 2 + parity;
      if (++stage == kStages) stage = 0, parity ^= 1;
    }
  }
}

bool show_ring(uint16_t* address, Recorder& recorder) {
  const CUtensorMap map = boxes_of(address, kBoxCols, kBoxRows, CU_TENSOR_MAP_SWIZZLE_128B);
  DeviceArray<int> sums(std::vector<int>(kTiles, 0)), parities(kTiles);
  recorder.launch("ring", 1, 160);
  ring<<<1, 160>>>(map, sums.data(), parities.data());
  return print_ring(sums.get(), parities.get());
}

// ---- 3. One box for two blocks ------------------------------------------------------------------

// Each block of the cluster fetches half of the rows, and both get them: global memory is read
// once. Either mbarrier counts the bytes that land in its own block, whoever sent them.
__global__ void __cluster_dims__(2, 1, 1)
    share(const __grid_constant__ CUtensorMap half, uint16_t* seen) {
  __shared__ __align__(1024) uint16_t box[kBoxRows * kBoxCols];
  __shared__ __align__(8) uint64_t full;
  const int rank = ptx::cluster_ctarank();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&full, 1);
    ptx::fence_mbarrier_init_release_cluster();
  }
  ptx::cluster_sync();  // the other one's mbarrier must be there before bytes for it come
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx_shared_b64(&full, kBoxBytes);  // both halves
    ptx::
        cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes_multicast_cluster(
            box + rank * kBoxRows / 2 * kBoxCols, &half, 0, rank * kBoxRows / 2, &full, 0b11);
  }
  ptx::mbarrier_wait_parity(&full, 0);
  for (int i = static_cast<int>(threadIdx.x); i < kBoxRows * kBoxCols; i += 128)
    seen[rank * kBoxRows * kBoxCols + i] = box[i];
  ptx::cluster_sync();  // nobody leaves while something may still come for him
}

bool show_multicast(uint16_t* address, Recorder& recorder) {
  const CUtensorMap half = boxes_of(address, kBoxCols, kBoxRows / 2, CU_TENSOR_MAP_SWIZZLE_NONE);
  DeviceArray<uint16_t> seen(2 * kBoxRows * kBoxCols);
  recorder.launch("share", 2, 128);
  share<<<2, 128>>>(half, seen.data());
  return print_multicast(seen.get());
}

// ---- 4. The way back, and the fence -------------------------------------------------------------

// The threads write shared memory with ordinary stores; TMA reads it by another path, the async
// proxy. Without the fence between the two it may read what was there before.
template <bool kFence>
__global__ void store(const __grid_constant__ CUtensorMap map) {
  __shared__ __align__(1024) uint16_t box[kBoxRows * kBoxCols];
  for (int i = static_cast<int>(threadIdx.x); i < kBoxRows * kBoxCols; i += 128)
    box[i] = static_cast<uint16_t>(i + 1);
  if constexpr (kFence) ptx::fence_proxy_async_shared_cta();  // by every thread that wrote ...
  __syncthreads();                                            // ... and then everybody has
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_tensor_2d_global_shared_cta_tile_bulk_group(&map, 40, 17, box);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group<0>();
  }
}

bool show_store(bool fence, Recorder& recorder) {
  DeviceArray<uint16_t> target(kRows * kCols);
  const CUtensorMap map = boxes_of(target.data(), kBoxCols, kBoxRows, CU_TENSOR_MAP_SWIZZLE_NONE);
  recorder.launch("store", 1, 128);
  if (fence)
    store<true><<<1, 128>>>(map);
  else
    store<false><<<1, 128>>>(map);
  return print_store(target.get(), fence);
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"}, {"--no-fence"});
  Recorder recorder(argc, argv, "12_tma_mbarrier");
  recorder.view(
      "12 TMA and mbarrier", {"memory", "pipeline", "lanes"}, "",
      "Seven boxes as they lie in shared memory; ] is the next: swizzled, and over every edge.");
  const ThisDevice device = introduce("TMA and mbarrier");
  if (device.sm / 10 < 9) return device.lacks("TMA came with sm_90", 12);
  DeviceArray<uint16_t> matrix(matrix_a());
  bool good = show_boxes(matrix.data(), recorder);
  good = show_ring(matrix.data(), recorder) && good;
  good = show_multicast(matrix.data(), recorder) && good;
  good = show_store(!argument_given(argc, argv, "--no-fence"), recorder) && good;
  return recorder.write() && good ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// Lesson 12, TMA and mbarrier: one thread asks for a box of a matrix, hardware fetches it, swizzles
// it, fills up what lies outside, and an mbarrier says when the last byte has come. Then a ring of
// stages between a thread that loads and 128 that work; one box for two blocks; and the way back,
// with a fence that must not be forgotten (--no-fence forgets it).
//
//   By hand:  nvcc -gencode arch=compute_90a,code=sm_90a -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 5.5 (tensors, boxes, swizzles), 9.7.9.27 (tensor copies), 9.7.13.15
//             (mbarrier), 9.7.13.4 (fence.proxy).
//   Steps:    kernel=ring
#include <cstdlib>
#include <vector>

#include "arguments.cuh"
#include "check.cuh"
#include "device_array.cuh"
#include "element.cuh"
#include "ptx/cluster.cuh"
#include "ptx/tma.cuh"
#include "record.cuh"
#include "tensor_map.cuh"
#include "this_device.cuh"

// The matrix: f16, A[row][col] = 100*row + col, 20 x 72.
constexpr int kRows = 20, kCols = 72;
constexpr int kBoxRows = 8, kBoxCols = 64, kBoxBytes = kBoxRows * kBoxCols * 2;

int number(int row, int col) { return 100 * row + col; }
uint16_t f16(int n) { return static_cast<uint16_t>(F16::encode(n)); }

// A matrix of that size at `address`, to be copied in boxes of so many columns and rows.
CUtensorMap boxes_of(uint16_t* address, int cols, int rows, CUtensorMapSwizzle swizzle) {
  return tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, address, kCols, kRows, kCols * 2,
                       static_cast<uint32_t>(cols), static_cast<uint32_t>(rows), swizzle);
}

// ---- 1. A box -----------------------------------------------------------------------------------

// The names of the instructions are long; they are all here.
__device__ void load_box(void* to, const CUtensorMap* map, int col, int row, uint64_t* full) {
  ptx::cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(to, map, col,
                                                                                     row, full);
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

// The byte of the box where its element (row, col) is: rows of `units` times 16 bytes, one behind
// the other; then the swizzle of lesson 10.
int place(int row, int col, int units) {
  const int byte = row * 16 * units + col * 2;
  return byte ^ (byte / 128 % units) * 16;
}

bool show_boxes(uint16_t* address, Recorder& recorder) {
  struct Box {
    const char* what;
    CUtensorMapSwizzle swizzle;
    int units, col, row;  // units: of 16 bytes, in a row
  };
  constexpr Box kBoxes[] = {
      {"no swizzle, 8 columns", CU_TENSOR_MAP_SWIZZLE_NONE, 1, 40, 7},
      {"32 B, 16 columns", CU_TENSOR_MAP_SWIZZLE_32B, 2, 40, 7},
      {"64 B, 32 columns", CU_TENSOR_MAP_SWIZZLE_64B, 4, 40, 7},
      {"128 B, 64 columns", CU_TENSOR_MAP_SWIZZLE_128B, 8, 8, 7},
      {"128 B, over the end", CU_TENSOR_MAP_SWIZZLE_128B, 8, 40, 17},
      {"128 B, before the beginning", CU_TENSOR_MAP_SWIZZLE_128B, 8, -16, -3},
      {"128 B, outside", CU_TENSOR_MAP_SWIZZLE_128B, 8, 0, 20},
  };
  std::printf(
      "A box of 8 rows of      A[row][col] of its first  bytes  right  zeros  row 2's units of "
      "16\n");
  bool good = true;
  for (const Box& b : kBoxes) {
    const int cols = b.units * 8, bytes = kBoxRows * cols * 2;
    const CUtensorMap map = boxes_of(address, cols, kBoxRows, b.swizzle);
    DeviceArray<uint16_t> seen(static_cast<size_t>(bytes / 2));
    fetch<<<1, 128>>>(map, b.col, b.row, bytes, seen.data(), recorder.launch("fetch", 1, 128));
    const std::vector<uint16_t> box = seen.get();
    int right = 0, zeros = 0;
    for (int row = 0; row < kBoxRows; ++row)
      for (int col = 0; col < cols; ++col) {
        const int r = b.row + row, c = b.col + col;
        const bool inside = r >= 0 && r < kRows && c >= 0 && c < kCols;
        zeros += !inside;
        right += box[static_cast<size_t>(place(row, col, b.units) / 2)] ==
                 (inside ? f16(number(r, c)) : 0);
      }
    std::printf("%-28s%4d,%-4d         %9d  %5d  %5d ", b.what, b.row, b.col, bytes, right, zeros);
    for (int unit = 0; unit < b.units; ++unit)
      std::printf(" %d", place(2, unit * 8, b.units) % (16 * b.units) / 16);
    std::printf("\n");
    good = good && right == bytes / 2;
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
  const std::vector<int> sum = sums.get(), where = parities.get();
  const auto print_row = [](const char* name, auto number) {
    std::printf("%s", name);
    for (size_t tile = 0; tile < kTiles; ++tile) std::printf(" %d", static_cast<int>(number(tile)));
  };
  print_row("\nA ring of 3 stages:  tile ", [](size_t tile) { return tile; });
  print_row("\n                    stage ", [&](size_t tile) { return where[tile] / 2; });
  print_row("\n   wait for full, parity ", [&](size_t tile) { return where[tile] % 2; });
  print_row("\n  wait for empty, parity ", [&](size_t tile) { return 1 - where[tile] % 2; });
  int right = 0;
  for (int tile = 0; tile < kTiles; ++tile) {
    int expected = 0;
    for (int row = tile; row < tile + kBoxRows; ++row)
      for (int col = 0; col < kBoxCols; ++col) expected += f16(number(row, col));
    right += sum[static_cast<size_t>(tile)] == expected;
  }
  std::printf("\n%d of %d tiles came whole.\n", right, kTiles);
  return right == kTiles;
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
  const std::vector<uint16_t> boxes = seen.get();
  int right = 0;
  for (int i = 0; i < 2 * kBoxRows * kBoxCols; ++i)
    right += boxes[static_cast<size_t>(i)] == f16(number(i / kBoxCols % kBoxRows, i % kBoxCols));
  std::printf(
      "\nMulticast: each of two blocks fetched half; both have it all: %d of 1024 elements.\n",
      right);
  return right == 1024;
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
  const std::vector<uint16_t> matrix = target.get();
  int right = 0, touched = 0;
  for (int row = 0; row < kRows; ++row)
    for (int col = 0; col < kCols; ++col) {
      const uint16_t found = matrix[static_cast<size_t>(row * kCols + col)];
      const bool inside = row >= 17 && col >= 40;
      touched += found != 0xffff;
      right += found == (inside ? (row - 17) * kBoxCols + col - 40 + 1 : 0xffff);
    }
  std::printf(
      "\nStore %s: box at 17,40 of a matrix of 20 x 72: %d elements written, %d of %d right.\n",
      fence ? "with its fence" : "WITHOUT its fence", touched, right, kRows * kCols);
  return !fence || right == kRows * kCols;
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"}, {"--no-fence"});
  Recorder recorder(argc, argv, "12_tma_mbarrier");
  recorder.view("12 TMA and mbarrier", {"memory", "pipeline", "lanes"}, "",
                "Boxes as they lie in shared memory: swizzled, and zeros where the matrix ends.");
  const ThisDevice device = introduce("TMA and mbarrier");
  if (device.sm / 10 < 9) return device.lacks("TMA came with sm_90", 12);
  std::vector<uint16_t> values;
  for (int i = 0; i < kRows * kCols; ++i) values.push_back(f16(number(i / kCols, i % kCols)));
  DeviceArray<uint16_t> matrix(values);
  bool good = show_boxes(matrix.data(), recorder);
  good = show_ring(matrix.data(), recorder) && good;
  good = show_multicast(matrix.data(), recorder) && good;
  good = show_store(!argument_given(argc, argv, "--no-fence"), recorder) && good;
  return recorder.write() && good ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// Where do the rows of a box lie in shared memory when the box is narrower than its swizzle? Every
// element of the tensor is its own number, shared memory is poisoned, and what a 16-byte unit holds
// afterwards is printed: "." where nothing was written. Numbers only, to be compared with diff.
//
// CUDA Driver API, cuTensorMapEncodeTiled; PTX ISA 9.2, 5.5. The answer is
// docs/experiments/narrow_box.md.
#include "../tensor_map.cuh"
#include "ptx/tma.cuh"

constexpr int kRows = 8, kUnits = 80;  // of 16 bytes: 8 rows of 128 bytes, and some more

__global__ void load(const __grid_constant__ CUtensorMap map, int bytes, int* seen) {
  __shared__ __align__(1024) int box[kUnits * 4];
  __shared__ __align__(8) std::uint64_t barrier;
  for (int i = static_cast<int>(threadIdx.x); i < kUnits * 4; i += 32) box[i] = -1;
  ptx::fence_proxy_async_shared_cta();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&barrier, 1);
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx_shared_b64(&barrier, bytes);
    ptx::cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(box, &map, 0,
                                                                                       0, &barrier);
  }
  // A box that brings another number of bytes must not hang the program.
  bool complete = false;
  for (int turn = 0; turn < 100 && !complete; ++turn)
    complete = ptx::mbarrier_try_wait_parity_shared_b64(&barrier, 0);
  for (int i = static_cast<int>(threadIdx.x); i < kUnits * 4; i += 32) seen[i] = box[i];
  if (threadIdx.x == 0) seen[kUnits * 4] = complete;
}

int main() {
  constexpr int kCols = 32;  // of 4 bytes: a row of 128 bytes
  std::vector<int> tensor(kRows * kCols);
  for (int i = 0; i < kRows * kCols; ++i) tensor[i] = i;
  int* device = to_device(tensor);
  for (const CUtensorMapSwizzle swizzle : {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B,
                                           CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B})
    for (const std::uint32_t units : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u}) {
      std::printf("swizzle %d, box of %u x 16 bytes by %d rows:", static_cast<int>(swizzle), units,
                  kRows);
      CUtensorMap map;
      const std::uint64_t size[2] = {kCols, kRows};
      const std::uint32_t box[2] = {units * 4, kRows};
      if (!make_map(map, CU_TENSOR_MAP_DATA_TYPE_INT32, 4, device, size, box, swizzle)) {
        std::printf(" refused\n");
        continue;
      }
      int* seen_device = to_device(std::vector<int>(kUnits * 4 + 1, -2));
      load<<<1, 32>>>(map, static_cast<int>(units) * 16 * kRows, seen_device);
      CHECK(cudaDeviceSynchronize());
      const std::vector<int> seen = from_device(seen_device, kUnits * 4 + 1);
      std::printf(" %s\n", seen[kUnits * 4] == 1 ? "complete" : "not complete");
      for (int unit = 0; unit < kUnits; ++unit) {
        const int first = seen[unit * 4];
        if (unit % 8 == 0) std::printf("   ");
        if (first < 0)
          std::printf("   .   ");
        else
          std::printf(" r%d u%d ", first / kCols, first % kCols / 4);
        if (unit % 8 == 7) std::printf("\n");
      }
      CHECK(cudaFree(seen_device));
    }
}

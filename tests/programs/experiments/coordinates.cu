// SPDX-License-Identifier: MIT
// At which coordinates may a box begin? One copy a run, because what a card refuses ends the
// program:
//
//     coordinates load|store|add COLUMN ROW       of a matrix of 64 x 64 elements of 4 bytes, box 8
//     x 8
//
// PTX ISA 9.2, 5.5; it says nothing of a refusal. The answer is docs/experiments/coordinates.md.
#include <cstring>

#include "../tensor_map.cuh"
#include "ptx/tma.cuh"

enum Way { kLoad, kStore, kAdd };

__global__ void copy(const __grid_constant__ CUtensorMap map, Way way, int col, int row,
                     int* seen) {
  __shared__ __align__(1024) int box[64];
  __shared__ __align__(8) std::uint64_t barrier;
  for (int i = static_cast<int>(threadIdx.x); i < 64; i += 32) box[i] = 7000 + i;
  ptx::fence_proxy_async_shared_cta();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&barrier, 1);
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  if (way == kLoad) {
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx_shared_b64(&barrier, 256);
      ptx::cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
          box, &map, col, row, &barrier);
    }
    ptx::mbarrier_wait_parity(&barrier, 0);
  } else if (threadIdx.x == 0) {
    if (way == kStore)
      ptx::cp_async_bulk_tensor_2d_global_shared_cta_tile_bulk_group(&map, col, row, box);
    else
      asm volatile(
          "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], "
          "[%3];" ::"l"(&map),
          "r"(col), "r"(row), "r"(ptx::shared_address(box))
          : "memory");
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group<0>();
  }
  __syncwarp();
  for (int i = static_cast<int>(threadIdx.x); i < 64; i += 32) seen[i] = box[i];
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const Way way = std::strcmp(argv[1], "load") == 0    ? kLoad
                  : std::strcmp(argv[1], "store") == 0 ? kStore
                                                       : kAdd;
  std::vector<int> matrix(64 * 64);
  for (int i = 0; i < 64 * 64; ++i) matrix[i] = i;
  int* device = to_device(matrix);
  CUtensorMap map;
  const std::uint64_t size[2] = {64, 64};
  const std::uint32_t box[2] = {8, 8};
  if (!make_map(map, CU_TENSOR_MAP_DATA_TYPE_INT32, 4, device, size, box,
                CU_TENSOR_MAP_SWIZZLE_NONE))
    return verdict("tensor map", 1, 1);
  int* seen = to_device(std::vector<int>(64, -1));
  copy<<<1, 32>>>(map, way, std::atoi(argv[2]), std::atoi(argv[3]), seen);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s at %s,%s:", argv[1], argv[2], argv[3]);
  if (error != cudaSuccess) {
    std::printf(" %s\n", cudaGetErrorString(error));
    return 0;
  }
  if (way == kLoad) {
    for (const int element : from_device(seen, 64)) std::printf(" %d", element);
  } else {
    const std::vector<int> now = from_device(device, 64 * 64);
    for (int i = 0; i < 64 * 64; ++i)
      if (now[i] != i) std::printf(" %d=%d", i, now[i]);
  }
  std::printf("\n");
}

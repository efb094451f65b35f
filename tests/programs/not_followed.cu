// SPDX-License-Identifier: MIT
// D = A * B^T of one m16n8k16 in each CTA of a cluster of two, whose A comes on a way that diagnose
// does not follow; the first argument names it. "load": out of the other CTA's shared memory.
// "store", "async", "bulk": the other CTA puts it into this one's, where something else was before.
// "strided": through a tensor map with every other row. "im2col", "interleaved": as pixels of 16
// channels, as two slices of 8 channels. All are right.
#include <cuda_fp16.h>

#include <cstring>
#include <string>

#include "tensor_map.cuh"

enum class By { load, store, async, bulk, strided, im2col, interleaved };
__host__ __device__ constexpr bool is_mapped(By by) { return by >= By::strided; }

constexpr int kBytes = 16 * 16 * 2, kRows = 64;  // of a tile; of A

__device__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}
__device__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ std::uint32_t in_other(std::uint32_t address, int rank) {
  std::uint32_t there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank ^ 1));
  return there;
}
__device__ void wait(std::uint64_t* barrier) {
  asm volatile(
      "{ .reg .pred done; WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0; @!done bra "
      "WAIT; }" ::"r"(shared_address(barrier))
      : "memory");
}

// Word i of A's tile, four a lane, to where the other CTA has its own.
template <By kBy>
__device__ void send(const __half* A, std::uint32_t* own, std::uint32_t to, std::uint32_t full) {
  const auto* words = reinterpret_cast<const std::uint32_t*>(A);
  for (int i = threadIdx.x; i < kBytes / 4; i += 32) {
    if (kBy == By::store)
      asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to + 4 * i), "r"(words[i]) : "memory");
    if (kBy == By::async)
      asm volatile(
          "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to +
                                                                                            4 * i),
          "r"(words[i]), "r"(full)
          : "memory");
    if (kBy == By::bulk || kBy == By::load) own[i] = words[i];
  }
  if (kBy != By::bulk) return;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncwarp();
  if (threadIdx.x == 0)
    asm volatile(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, "
        "[%3];" ::"r"(to),
        "r"(shared_address(own)), "n"(kBytes), "r"(full)
        : "memory");
}

#define COPY_3D(mode, offsets, to, column, slice)                                    \
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global." mode                \
               ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, 0}], [%4]" offsets \
               ";" ::"r"(to),                                                        \
               "l"(map), "r"(column), "r"(slice), "r"(full)                          \
               : "memory")

// A's tile from a row on.
template <By kBy>
__device__ void copy(std::uint32_t tile, const CUtensorMap* map, int row, std::uint32_t full) {
  if (kBy == By::strided)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
        "[%1, {0, %2}], [%3];" ::"r"(tile),
        "l"(map), "r"(row), "r"(full)
        : "memory");
  if (kBy == By::im2col) COPY_3D("im2col", ", {0}", tile, 0, row);
  if (kBy == By::interleaved)
    for (int slice = 0; slice < 2; ++slice)
      COPY_3D("tile", "", tile + slice * kBytes / 2, row, slice);
}

// A is 64 x 16; the CTA of rank r has its rows 16 r to 16 r + 15, of "strided" every other one from
// 32 r on.
template <By kBy>
__global__ void __cluster_dims__(2, 1, 1)
    multiply(const __half* A, const __half* B, float* D, const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) std::uint32_t tile[kBytes / 4], own[kBytes / 4];
  __shared__ std::uint64_t full;
  const int lane = threadIdx.x, group = lane / 4, thread = lane % 4;
  const int rank = static_cast<int>(blockIdx.x);
  if (lane == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    if (kBy == By::async || kBy == By::bulk || is_mapped(kBy))
      asm volatile(
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&full)),
          "n"(kBytes)
          : "memory");
  }
  // The other CTA's rows, which are not meant to be multiplied here.
  for (int i = lane; i < kBytes / 4; i += 32)
    tile[i] = reinterpret_cast<const std::uint32_t*>(A + (rank ^ 1) * 256)[i];
  if (is_mapped(kBy)) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  cluster_sync();
  if (is_mapped(kBy)) {
    if (lane == 0)
      copy<kBy>(shared_address(tile), &map, rank * (kBy == By::strided ? 32 : 16),
                shared_address(&full));
  } else {
    send<kBy>(A + (rank ^ 1) * 256, own, in_other(shared_address(tile), rank),
              in_other(shared_address(&full), rank));
  }
  if (kBy == By::async || kBy == By::bulk || is_mapped(kBy)) wait(&full);
  cluster_sync();
  const std::uint32_t from =
      kBy == By::load ? in_other(shared_address(own), rank) : shared_address(tile);
  std::uint32_t a[4], b[2];
  for (int i = 0; i < 4; ++i) {
    const int row = group + i % 2 * 8, eight = i / 2;  // of k
    const std::uint32_t at =
        from + thread * 4 +
        (kBy == By::interleaved ? eight * kBytes / 2 + row * 16 : row * 32 + eight * 16);
    if (kBy == By::load)
      asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(a[i]) : "r"(at) : "memory");
    else
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a[i]) : "r"(at) : "memory");
  }
  for (int i = 0; i < 2; ++i)
    b[i] = *reinterpret_cast<const std::uint32_t*>(&B[group * 16 + thread * 2 + i * 8]);
  float d[4] = {};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i) D[(rank * 16 + group + i / 2 * 8) * 8 + thread * 2 + i % 2] = d[i];
  cluster_sync();  // the other one may still read
}

bool map_of(CUtensorMap& map, By by, void* A) {
  constexpr CUtensorMapDataType kType = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  constexpr CUtensorMapSwizzle kPlain = CU_TENSOR_MAP_SWIZZLE_NONE;
  if (by != By::im2col && by != By::interleaved)
    return make_map(map, kType, 2, A, {16, kRows}, {16, 32}, kPlain, 2);
  const std::uint64_t pixels[] = {16, kRows, 1}, slices[] = {kRows, 2, 1};
  const std::uint64_t strides[] = {by == By::im2col ? 32u : kRows * 16u, kRows * 32u};
  const std::uint32_t box[] = {16, 1, 1}, steps[] = {1, 1, 1};
  const int corner[] = {0};
  const CUresult result =
      by == By::im2col
          ? im2col_map_encoder()(&map, kType, 3, A, pixels, strides, corner, corner, 16, 16, steps,
                                 CU_TENSOR_MAP_INTERLEAVE_NONE, kPlain,
                                 CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
          : tensor_map_encoder()(
                &map, kType, 3, A, slices, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_16B,
                kPlain, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return result == CUDA_SUCCESS;
}

int main(int argc, char** argv) {
  constexpr int kWays = 7;
  const char* names[kWays] = {"load", "store", "async", "bulk", "strided", "im2col", "interleaved"};
  const decltype(&multiply<By::load>) kernels[kWays] = {
      multiply<By::load>,    multiply<By::store>,  multiply<By::async>,      multiply<By::bulk>,
      multiply<By::strided>, multiply<By::im2col>, multiply<By::interleaved>};
  int which = 0;
  while (which < kWays && (argc != 2 || std::strcmp(argv[1], names[which]) != 0)) ++which;
  if (which == kWays) return std::printf("which way?\n"), 2;
  const By by = static_cast<By>(which);
  const int apart = by == By::strided ? 2 : 1;
  Numbers numbers;
  std::vector<__half> A(kRows * 16), B(8 * 16);
  for (__half& value : A) value = __float2half(static_cast<float>(numbers.next(4)));
  for (__half& value : B) value = __float2half(static_cast<float>(numbers.next(4)));
  std::vector<__half> lies = A;
  if (by == By::interleaved)
    for (int row = 0; row < kRows; ++row)
      for (int k = 0; k < 16; ++k) lies[(k / 8 * kRows + row) * 8 + k % 8] = A[row * 16 + k];
  __half* device_A = to_device(lies);
  float* device_D = to_device(std::vector<float>(32 * 8, -1.0f));
  CUtensorMap map;
  if (!map_of(map, by, device_A)) return verdict("tensor map", 1, 1);
  kernels[which]<<<2, 32>>>(device_A, to_device(B), device_D, map);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, 32 * 8);
  int wrong = 0;
  for (int row = 0; row < 32; ++row)
    for (int col = 0; col < 8; ++col) {
      float sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += __half2float(A[row * apart * 16 + k]) * __half2float(B[col * 16 + k]);
      wrong += D[row * 8 + col] != sum;
    }
  std::printf("%d of %d elements of D are wrong\n", wrong, 32 * 8);
  return 0;
}

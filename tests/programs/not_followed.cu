// SPDX-License-Identifier: MIT
// D = A * B^T of one m16n8k16 in each CTA of a cluster of two, whose A comes on a way that diagnose
// does not follow; the first argument names it. "load": out of the other CTA's shared memory.
// "store", "async", "bulk": the other CTA puts it into this one's, where something else was before.
// "strided": through a tensor map with every other row. All are right.
#include <cuda_fp16.h>

#include <cstring>
#include <string>

#include "tensor_map.cuh"

enum class By { load, store, async, bulk, strided };

constexpr int kBytes = 16 * 16 * 2;

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

// A is 32 x 16, but for "strided" 64 x 16; the CTA of rank r has its rows 16 r to 16 r + 15, of
// "strided" every other one from 32 r on.
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
    if (kBy == By::async || kBy == By::bulk || kBy == By::strided)
      asm volatile(
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&full)),
          "n"(kBytes)
          : "memory");
  }
  // The other CTA's rows, which are not meant to be multiplied here.
  for (int i = lane; i < kBytes / 4; i += 32)
    tile[i] = reinterpret_cast<const std::uint32_t*>(A + (rank ^ 1) * 256)[i];
  if (kBy == By::strided) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  cluster_sync();
  if (kBy == By::strided) {
    if (lane == 0)
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
          "[%1, {%2, %3}], [%4];" ::"r"(shared_address(tile)),
          "l"(&map), "r"(0), "r"(rank * 32), "r"(shared_address(&full))
          : "memory");
  } else {
    send<kBy>(A + (rank ^ 1) * 256, own, in_other(shared_address(tile), rank),
              in_other(shared_address(&full), rank));
  }
  if (kBy == By::async || kBy == By::bulk || kBy == By::strided) wait(&full);
  cluster_sync();
  const std::uint32_t from =
      kBy == By::load ? in_other(shared_address(own), rank) : shared_address(tile);
  std::uint32_t a[4], b[2];
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t at = from + (group + i % 2 * 8) * 32 + (thread * 2 + i / 2 * 8) * 2;
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

int main(int argc, char** argv) {
  const char* names[] = {"load", "store", "async", "bulk", "strided"};
  const decltype(&multiply<By::load>) kernels[] = {multiply<By::load>, multiply<By::store>,
                                                   multiply<By::async>, multiply<By::bulk>,
                                                   multiply<By::strided>};
  int which = 0;
  while (which < 5 && (argc != 2 || std::strcmp(argv[1], names[which]) != 0)) ++which;
  if (which == 5) return std::printf("which way?\n"), 2;
  const int apart = which == 4 ? 2 : 1;
  Numbers numbers;
  std::vector<__half> A(64 * 16), B(8 * 16);
  for (__half& value : A) value = __float2half(static_cast<float>(numbers.next(4)));
  for (__half& value : B) value = __float2half(static_cast<float>(numbers.next(4)));
  __half* device_A = to_device(A);
  float* device_D = to_device(std::vector<float>(32 * 8, -1.0f));
  CUtensorMap map;
  if (!make_map(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, device_A, {16, 64}, {16, 32},
                CU_TENSOR_MAP_SWIZZLE_NONE, 2))
    return verdict("tensor map", 1, 1);
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

// SPDX-License-Identifier: MIT
// D = A * B^T in bf16 with f32 accumulators, as kernels for Hopper are written: one producer warp
// fills a ring of stages with TMA, two consumer warpgroups multiply with wgmma out of swizzled
// shared memory, mbarriers say full and empty. The two CTAs of a cluster share B by multicast.
// Whole numbers up to 4 and K = 320: sums below 2^13, exact.
#include <cuda_bf16.h>

#include "tensor_map.cuh"

constexpr int kTileM = 128, kTileN = 64, kTileK = 64, kStages = 3, kCluster = 2;
constexpr int kBytesA = kTileM * kTileK * 2, kBytesB = kTileN * kTileK * 2;

struct Shared {
  alignas(1024) unsigned char a[kStages][kBytesA];
  alignas(1024) unsigned char b[kStages][kBytesB];
  alignas(8) std::uint64_t full[kStages], empty[kStages];
};

__device__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ void wait(std::uint64_t* barrier, int parity) {
  asm volatile(
      "{ .reg .pred done; WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @!done "
      "bra WAIT; }" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}

__device__ std::uint64_t descriptor(const void* tile) {
  // K-major, 128-byte swizzle, 1024 bytes from eight rows to the next eight.
  return (shared_address(tile) & 0x3ffffu) >> 4 | std::uint64_t{1} << 16 |
         std::uint64_t{1024 >> 4} << 32 | std::uint64_t{1} << 62;
}

__device__ void multiply(float (&d)[32], std::uint64_t a, std::uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,"
      "%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, "
      "1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "l"(a), "l"(b));
}

// Half of B's rows, into both CTAs of the cluster.
__device__ void load_share_of_b(Shared& shared, int stage, const CUtensorMap* map, int k, int row,
                                std::uint32_t rank) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
      "cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(
          shared_address(shared.b[stage] + rank * (kBytesB / kCluster))),
      "l"(map), "r"(k), "r"(row), "r"(shared_address(&shared.full[stage])),
      "h"(static_cast<unsigned short>(3))
      : "memory");
}

__device__ void produce(Shared& shared, const CUtensorMap* a, const CUtensorMap* b, int K,
                        std::uint32_t rank) {
  for (int step = 0; step < K / kTileK; ++step) {
    const int stage = step % kStages;
    wait(&shared.empty[stage], (step / kStages & 1) ^ 1);
    const std::uint32_t full = shared_address(&shared.full[stage]);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(full),
                 "r"(kBytesA + kBytesB)
                 : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
        "[%1, "
        "{%2, %3}], [%4];" ::"r"(shared_address(shared.a[stage])),
        "l"(a), "r"(step * kTileK), "r"(static_cast<int>(blockIdx.x) * kTileM), "r"(full)
        : "memory");
    load_share_of_b(
        shared, stage, b, step * kTileK,
        static_cast<int>(blockIdx.y) * kTileN + static_cast<int>(rank) * kTileN / kCluster, rank);
  }
}

// A stage is empty when the consumers of both CTAs have read it: B goes to both.
__device__ void release(Shared& shared, int stage) {
  if (threadIdx.x % 128 < kCluster)
    asm volatile(
        "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }" ::"r"(
            shared_address(&shared.empty[stage])),
        "r"(threadIdx.x % 128)
        : "memory");
}

__device__ void consume(Shared& shared, float (&d)[32], int group, int K) {
  for (float& value : d) value = 0;
  for (int step = 0; step < K / kTileK; ++step) {
    const int stage = step % kStages;
    wait(&shared.full[stage], step / kStages & 1);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    const std::uint64_t a = descriptor(shared.a[stage] + group * 64 * kTileK * 2);
    const std::uint64_t b = descriptor(shared.b[stage]);
    for (int k = 0; k < kTileK / 16; ++k) multiply(d, a + k * 2, b + k * 2);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    release(shared, stage);
  }
}

__global__ void __cluster_dims__(kCluster, 1, 1) __launch_bounds__(384)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* D,
         int N, int K) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Shared& shared = *reinterpret_cast<Shared*>(raw);
  std::uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      asm volatile(
          "mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&shared.full[stage])));
      asm volatile(
          "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&shared.empty[stage])),
          "r"(2 * kCluster));
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
  if (threadIdx.x >= 256) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 256) produce(shared, &a, &b, K, rank);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const int group = static_cast<int>(threadIdx.x) / 128;
    float d[32];
    consume(shared, d, group, K);
    const int thread = static_cast<int>(threadIdx.x) % 128;
    for (int i = 0; i < 32; ++i) {
      const int row = static_cast<int>(blockIdx.x) * kTileM + group * 64 + thread / 32 * 16 +
                      thread % 32 / 4 + i / 2 % 2 * 8;
      const int col = static_cast<int>(blockIdx.y) * kTileN + i / 4 * 8 + thread % 4 * 2 + i % 2;
      D[row * N + col] = d[i];
    }
  }
  // Nobody leaves while the other CTA may still write here.
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

int main() {
  constexpr int M = 512, N = 128, K = 320;
  Numbers numbers;
  std::vector<__nv_bfloat16> A(M * K), B(N * K);
  for (auto& value : A) value = __float2bfloat16(static_cast<float>(numbers.next(4)));
  for (auto& value : B) value = __float2bfloat16(static_cast<float>(numbers.next(4)));
  float* device_D = to_device(std::vector<float>(M * N, -1.0f));
  CUtensorMap a, b;
  if (!make_map(a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, to_device(A), {K, M}, {kTileK, kTileM},
                CU_TENSOR_MAP_SWIZZLE_128B) ||
      !make_map(b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, to_device(B), {K, N},
                {kTileK, kTileN / kCluster}, CU_TENSOR_MAP_SWIZZLE_128B))
    return verdict("tensor maps", 1, 1);
  CHECK(cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
  gemm<<<dim3(M / kTileM, N / kTileN), 384, sizeof(Shared)>>>(a, b, device_D, N, K);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, M * N);
  int wrong = 0;
  for (int row = 0; row < M; ++row) {
    for (int col = 0; col < N; ++col) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += __bfloat162float(A[row * K + k]) * __bfloat162float(B[col * K + k]);
      wrong += D[row * N + col] != sum;
    }
  }
  return verdict("tma_gemm", wrong, M * N);
}

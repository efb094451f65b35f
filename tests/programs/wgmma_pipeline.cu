// SPDX-License-Identifier: MIT
// D = A * B^T in bf16, persistent: each CTA makes several tiles. A producer warp fills two stages
// with TMA; a warpgroup multiplies with one wgmma group in flight, puts its tile into shared memory
// with ordinary stores, fences, and one thread sends it off with TMA while the next tile begins.
// Whole numbers up to 4 and K = 256: sums below 2^13, exact.
#include <cuda_bf16.h>

#include "tensor_map.cuh"

constexpr int kM = 128, kN = 96, kK = 256;
constexpr int kTileM = 64, kTileN = 32, kTileK = 64, kStages = 2;
constexpr int kTiles = kM / kTileM * (kN / kTileN), kSteps = kK / kTileK;
constexpr int kBytesA = kTileM * kTileK * 2, kBytesB = kTileN * kTileK * 2;

struct Shared {
  alignas(1024) unsigned char a[kStages][kBytesA];
  alignas(1024) unsigned char b[kStages][kBytesB];
  alignas(1024) float d[kTileM][kTileN];
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

__device__ void multiply(float (&d)[16], std::uint64_t a, std::uint64_t b, int adds) {
  asm volatile(
      "{ .reg .pred adds; setp.ne.b32 adds, %18, 0; "
      "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,"
      "%12,%13,%14,%15}, %16, %17, adds, 1, 1, 0, 0; }"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15])
      : "l"(a), "l"(b), "r"(adds));
}

__device__ void fetch(std::uint32_t to, const CUtensorMap* map, int k, int row,
                      std::uint32_t full) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
      "[%1, {%2, %3}], [%4];" ::"r"(to),
      "l"(map), "r"(k), "r"(row), "r"(full)
      : "memory");
}

__device__ void produce(Shared& shared, const CUtensorMap* a, const CUtensorMap* b) {
  int turn = 0;
#pragma unroll 1
  for (int tile = blockIdx.x; tile < kTiles; tile += gridDim.x) {
#pragma unroll 1
    for (int step = 0; step < kSteps; ++step, ++turn) {
      const int stage = turn % kStages;
      wait(&shared.empty[stage], (turn / kStages & 1) ^ 1);
      const std::uint32_t full = shared_address(&shared.full[stage]);
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(full),
                   "r"(kBytesA + kBytesB)
                   : "memory");
      fetch(shared_address(shared.a[stage]), a, step * kTileK, tile / (kN / kTileN) * kTileM, full);
      fetch(shared_address(shared.b[stage]), b, step * kTileK, tile % (kN / kTileN) * kTileN, full);
    }
  }
}

__device__ void release(Shared& shared, int stage) {
  if (threadIdx.x == 0)
    asm volatile(
        "mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&shared.empty[stage]))
        : "memory");
}

__device__ void store(Shared& shared, const float (&d)[16], const CUtensorMap* map, int tile) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  // The tile before has been read out of shared memory, and everybody knows.
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  asm volatile("bar.sync 1, 128;" ::: "memory");
  for (int i = 0; i < 16; ++i)
    shared.d[warp * 16 + lane / 4 + i / 2 % 2 * 8][i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("bar.sync 1, 128;" ::: "memory");
  if (threadIdx.x == 0) {
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
            map),
        "r"(tile % (kN / kTileN) * kTileN), "r"(tile / (kN / kTileN) * kTileM),
        "r"(shared_address(shared.d))
        : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  }
}

__device__ void consume(Shared& shared, const CUtensorMap* map) {
  int turn = 0;
#pragma unroll 1
  for (int tile = blockIdx.x; tile < kTiles; tile += gridDim.x) {
    float d[16];
#pragma unroll 1
    for (int step = 0; step < kSteps; ++step, ++turn) {
      const int stage = turn % kStages;
      wait(&shared.full[stage], turn / kStages & 1);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      const std::uint64_t a = descriptor(shared.a[stage]), b = descriptor(shared.b[stage]);
      for (int k = 0; k < kTileK / 16; ++k) multiply(d, a + k * 2, b + k * 2, step + k != 0);
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
      if (step > 0) release(shared, (turn - 1) % kStages);
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    release(shared, (turn - 1) % kStages);
    store(shared, d, map, tile);
  }
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

__global__ void __launch_bounds__(160)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
         const __grid_constant__ CUtensorMap d) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Shared& shared = *reinterpret_cast<Shared*>(raw);
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      asm volatile(
          "mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&shared.full[stage])));
      asm volatile(
          "mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&shared.empty[stage])));
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128) produce(shared, &a, &b);
  } else {
    consume(shared, &d);
  }
}

int main() {
  Numbers numbers;
  std::vector<__nv_bfloat16> A(kM * kK), B(kN * kK);
  for (__nv_bfloat16& value : A) value = __float2bfloat16(static_cast<float>(numbers.next(4)));
  for (__nv_bfloat16& value : B) value = __float2bfloat16(static_cast<float>(numbers.next(4)));
  float* device_D = to_device(std::vector<float>(kM * kN, -1.0f));
  CUtensorMap a, b, d;
  const std::uint64_t size_a[2] = {kK, kM}, size_b[2] = {kK, kN}, size_d[2] = {kN, kM};
  const std::uint32_t box_a[2] = {kTileK, kTileM}, box_b[2] = {kTileK, kTileN},
                      box_d[2] = {kTileN, kTileM};
  if (!make_map<2>(a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, to_device(A), size_a, box_a,
                   CU_TENSOR_MAP_SWIZZLE_128B) ||
      !make_map<2>(b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, to_device(B), size_b, box_b,
                   CU_TENSOR_MAP_SWIZZLE_128B) ||
      !make_map<2>(d, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, device_D, size_d, box_d,
                   CU_TENSOR_MAP_SWIZZLE_NONE))
    return verdict("wgmma_pipeline", 1, 1);
  CHECK(cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
  gemm<<<2, 160, sizeof(Shared)>>>(a, b, d);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, kM * kN);
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int col = 0; col < kN; ++col) {
      float sum = 0;
      for (int k = 0; k < kK; ++k)
        sum += __bfloat162float(A[row * kK + k]) * __bfloat162float(B[col * kK + k]);
      wrong += D[row * kN + col] != sum;
    }
  return verdict("wgmma_pipeline", wrong, kM * kN);
}

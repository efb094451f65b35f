// SPDX-License-Identifier: MIT
// Products of many sizes in one launch, D[g] = A[g] * B[g]^T in bf16, as mixtures of experts have
// them; one group has no rows at all. The host makes one tensor map for A and one for B; each CTA
// puts a group's addresses, sizes and strides into copies of them in shared memory
// (tensormap.replace), which go to global memory and through the tensor map proxy before TMA uses
// them. Persistent; a producer warp, one consumer warpgroup.
// Whole numbers up to 4 and K to 320: sums below 2^13, exact.
#include <cuda_bf16.h>

#include "hopper.cuh"

constexpr int kTile = 64, kStages = 4, kBytes = kTile * kTile * 2;  // a tile of A, or of B
constexpr int kGroups = 5, kCtas = 3;

struct Group {
  const __nv_bfloat16 *a, *b;
  float* d;
  int M, N, K;
};

struct Shared {
  alignas(1024) unsigned char a[kStages][kBytes];
  alignas(1024) unsigned char b[kStages][kBytes];
  alignas(128) CUtensorMap maps[2];
  alignas(8) std::uint64_t full[kStages], empty[kStages];
};

// Walks over the tiles of all groups, gridDim.x further each time.
struct Walk {
  int group = 0, tile = static_cast<int>(blockIdx.x);
  __device__ bool settle(const Group* groups) {
    for (; group < kGroups; ++group) {
      const int tiles =
          (groups[group].M + kTile - 1) / kTile * ((groups[group].N + kTile - 1) / kTile);
      if (tile < tiles) return true;
      tile -= tiles;
    }
    return false;
  }
  __device__ int row(const Group& g) const { return tile % ((g.M + kTile - 1) / kTile) * kTile; }
  __device__ int col(const Group& g) const { return tile / ((g.M + kTile - 1) / kTile) * kTile; }
};

__device__ void replace(CUtensorMap& map, const void* address, int rows, int K) {
  const std::uint64_t at = __cvta_generic_to_shared(&map);
  asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"l"(at),
               "l"(address)
               : "memory");
  asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"l"(at),
               "r"(K)
               : "memory");
  asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"l"(at),
               "r"(rows)
               : "memory");
  asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" ::"l"(at),
               "l"(std::uint64_t{2} * K)
               : "memory");
}
// By the whole warp: the map's 128 bytes go to global memory, ordered before who acquires them
// there.
__device__ void publish(CUtensorMap* to, const CUtensorMap& map) {
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
      "[%0], [%1], 128;" ::"l"(to),
      "r"(shared_address(&map))
      : "memory");
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(to) : "memory");
}

// `maps`: two for each CTA and group. Copies that still read the last group's maps are not
// disturbed.
__device__ void produce(Shared& shared, const Group* groups, CUtensorMap* maps) {
  int turn = 0, ready = -1;
  Walk walk;
#pragma unroll 1
  for (; walk.settle(groups); walk.tile += gridDim.x) {
    const Group group = groups[walk.group];
    CUtensorMap* mine = maps + (blockIdx.x * kGroups + walk.group) * 2;
    if (ready != walk.group) {
      ready = walk.group;
      if (threadIdx.x % 32 == 0) {
        replace(shared.maps[0], group.a, group.M, group.K);
        replace(shared.maps[1], group.b, group.N, group.K);
      }
      __syncwarp();
      publish(&mine[0], shared.maps[0]);
      publish(&mine[1], shared.maps[1]);
    }
#pragma unroll 1
    for (int k = 0; k < group.K; k += kTile, ++turn) {
      const int stage = turn % kStages;
      wait(&shared.empty[stage], (turn / kStages & 1) ^ 1);
      if (threadIdx.x % 32 == 0) {
        expect_bytes(&shared.full[stage], 2 * kBytes);
        fetch_2d(shared.a[stage], &mine[0], k, walk.row(group), &shared.full[stage]);
        fetch_2d(shared.b[stage], &mine[1], k, walk.col(group), &shared.full[stage]);
      }
      __syncwarp();
    }
  }
}

__device__ void multiply(float (&d)[32], std::uint64_t a, std::uint64_t b, int adds) {
  asm volatile(
      "{ .reg .pred adds; setp.ne.b32 adds, %34, 0; "
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {" REGISTERS_32
      "}, %32, %33, adds, 1, 1, 0, 0; }"
      : ACCUMULATORS_32(d, 0)
      : "l"(a), "l"(b), "r"(adds));
}

__device__ void consume(Shared& shared, const Group* groups) {
  int turn = 0;
  Walk walk;
#pragma unroll 1
  for (; walk.settle(groups); walk.tile += gridDim.x) {
    const Group group = groups[walk.group];
    float sums[32];
#pragma unroll 1
    for (int k = 0; k < group.K; k += kTile, ++turn) {
      const int stage = turn % kStages;
      wait(&shared.full[stage], turn / kStages & 1);
      wgmma_fence();
      const std::uint64_t a = descriptor(shared.a[stage]), b = descriptor(shared.b[stage]);
      for (int i = 0; i < kTile / 16; ++i) multiply(sums, a + i * 2, b + i * 2, k + i);
      wgmma_commit();
      wgmma_wait<0>();
      arrive(&shared.empty[stage]);
    }
    const int thread = threadIdx.x, lane = thread % 32;
    for (int i = 0; i < 32; ++i) {
      const int row = walk.row(group) + thread / 32 * 16 + lane / 4 + i / 2 % 2 * 8;
      const int col = walk.col(group) + i / 4 * 8 + lane % 4 * 2 + i % 2;
      if (row < group.M && col < group.N) group.d[row * group.N + col] = sums[i];
    }
  }
}

__global__ void __launch_bounds__(160)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
         const Group* groups, CUtensorMap* maps) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Shared& shared = *reinterpret_cast<Shared*>(raw);
  if (threadIdx.x < 32) {
    const auto word = [](const CUtensorMap& map) {
      return reinterpret_cast<const int*>(&map)[threadIdx.x];
    };
    reinterpret_cast<int*>(&shared.maps[0])[threadIdx.x] = word(a);
    reinterpret_cast<int*>(&shared.maps[1])[threadIdx.x] = word(b);
  }
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      init(&shared.full[stage], 1);
      init(&shared.empty[stage], 128);
    }
    fence_init();
  }
  __syncthreads();
  if (threadIdx.x >= 128)
    produce(shared, groups, maps);
  else
    consume(shared, groups);
}

std::vector<__nv_bfloat16> matrix(Numbers& numbers, int count) {
  std::vector<__nv_bfloat16> values(count);
  for (__nv_bfloat16& value : values) value = __float2bfloat16(static_cast<float>(numbers.next(4)));
  return values;
}

int main() {
  const int sizes[kGroups][3] = {
      {128, 64, 128}, {40, 100, 320}, {0, 64, 64}, {200, 72, 64}, {1, 8, 136}};
  Numbers numbers;
  std::vector<std::vector<__nv_bfloat16>> A, B;
  std::vector<Group> groups;
  for (const auto& [M, N, K] : sizes) {
    A.push_back(matrix(numbers, M * K));
    B.push_back(matrix(numbers, N * K));
    groups.push_back({to_device(A.back()), to_device(B.back()),
                      to_device(std::vector<float>(M * N + 1, -1.0f)), M, N, K});
  }
  CUtensorMap map;
  if (!make_map<2>(map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, to_device(A[0]), {128, 128},
                   {kTile, kTile}, CU_TENSOR_MAP_SWIZZLE_128B))
    return verdict("tensor map", 1, 1);
  CHECK(cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
  gemm<<<kCtas, 160, sizeof(Shared)>>>(map, map, to_device(groups),
                                       to_device(std::vector<CUtensorMap>(kCtas * kGroups * 2)));
  CHECK(cudaGetLastError());
  int wrong = 0, count = 0;
  for (int g = 0; g < kGroups; ++g) {
    const auto [M, N, K] = sizes[g];
    const std::vector<float> D = from_device(groups[g].d, M * N + 1);
    wrong += D[M * N] != -1.0f;  // nothing behind the last row
    count += M * N;
    for (int row = 0; row < M; ++row)
      for (int col = 0; col < N; ++col) {
        float sum = 0;
        for (int k = 0; k < K; ++k)
          sum += __bfloat162float(A[g][row * K + k]) * __bfloat162float(B[g][col * K + k]);
        wrong += D[row * N + col] != sum;
      }
  }
  print_bits(from_device(groups[1].d, 40 * 100));
  return verdict("grouped_gemm", wrong, count);
}

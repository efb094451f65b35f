// SPDX-License-Identifier: MIT
// D = A * B^T by pairs of CTAs on Blackwell's tensor memory (.cta_group::2): each CTA of a cluster
// of two fetches its half of A's rows and of B's, one thread of the even one multiplies for both,
// and both fetch their half of D. Rows, columns and K hang over the last tile. Whole numbers, so
// that every sum is exact; the host adds them up in f64. No card has run this.
//
//     rank 0   A rows 0 .. M/2, B rows 0 .. N/2    full[0] hears of both      tcgen05.mma
//     rank 1   A rows M/2 ..,   B rows N/2 ..      empty[0], empty[1] <------ tcgen05.commit
//
// An argument makes a mistake on purpose: 1 to 5, below.
#include <cuda_bf16.h>

#include <cstdlib>

#include "blackwell.cuh"

constexpr int kTileN = 96, kTileK = 64, kStages = 2, kColumns = 256, kWarps = 6;

enum Mistake {
  kNone,
  kOwnBarrier,    // 1: the odd CTA's copies tell its own mbarrier, of which the even one hears
                  // nothing
  kBothMultiply,  // 2: a thread of each CTA multiplies
  kOneCommit,     // 3: the commit tells the even CTA alone
  kNoWait,        // 4: the odd CTA fetches D and waits for nobody
  kNoClusterEnd,  // 5: columns are given back while others may still fetch D
};

template <int M>
struct Shared {
  alignas(1024) unsigned char a[kStages][M / 2 * kTileK * 2];
  alignas(1024) unsigned char b[kStages][kTileN / 2 * kTileK * 2];
  alignas(8) std::uint64_t full[kStages], empty[kStages], done[2], taken[2];
  std::uint32_t columns;
};

__device__ void arrive_at_even(std::uint64_t* barrier) {
  asm volatile(
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(even_address(barrier))
      : "memory");
}
// Tells the mbarriers at this place of both CTAs, or of those in the mask.
__device__ void commit(std::uint64_t* barrier, int mask) {
  asm volatile(
      "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 "
      "[%0], %1;" ::"r"(shared_address(barrier)),
      "h"(static_cast<short>(mask))
      : "memory");
}
__device__ void allocate(std::uint32_t* address, int columns) {
  asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(
                   shared_address(address)),
               "r"(columns)
               : "memory");
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;");
}
__device__ void give_back(std::uint32_t address, int columns) {
  asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, %1;" ::"r"(address),
               "r"(columns));
}
__device__ constexpr std::uint32_t instruction(int M, int N) {  // D f32, A and B bf16
  return 1 << 4 | 1 << 7 | 1 << 10 | (N >> 3) << 17 | (M >> 4) << 24;
}

// Each CTA its own half; the even one's mbarrier hears of all bytes.
template <int M>
__device__ void produce(Shared<M>& shared, const CUtensorMap* a, const CUtensorMap* b, int tiles,
                        int steps, int mistake) {
  const int row = static_cast<int>(blockIdx.x) * (M / 2);
  for (int step = 0; step < tiles * steps; ++step) {
    const int stage = step % kStages, k = step % steps * kTileK, tile = step / steps;
    wait(&shared.empty[stage], (step / kStages & 1) ^ 1);
    const int own = sizeof shared.a[0] + sizeof shared.b[0];
    const bool apart = mistake == kOwnBarrier;
    if (rank() == 0 || apart) expect(&shared.full[stage], apart ? own : 2 * own);
    const std::uint32_t full =
        apart ? shared_address(&shared.full[stage]) : even_address(&shared.full[stage]);
    fetch<2>(shared.a[stage], a, k, row, full);
    fetch<2>(shared.b[stage], b, k, tile * kTileN + rank() * (kTileN / 2), full);
  }
}

template <int M>
__device__ void multiply(Shared<M>& shared, std::uint32_t columns, int tiles, int steps,
                         int mistake) {
  int step = 0;
  const int both = mistake == kOneCommit ? 1 : 3;
  for (int tile = 0; tile < tiles; ++tile) {
    const int half = tile % 2;
    wait(&shared.taken[half], (tile / 2 & 1) ^ 1);
    fence_after();
    for (int k = 0; k < steps; ++k, ++step) {
      const int stage = step % kStages;
      wait(&shared.full[stage], step / kStages & 1);
      for (int part = 0; part < kTileK / 16; ++part)
        asm volatile(
            "{ .reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::2.kind::f16 [%0], %1, "
            "%2, %3, p; }" ::"r"(columns + half * 128),
            "l"(descriptor(shared_address(shared.a[stage]) + part * 32, 16, 1024, 2)),
            "l"(descriptor(shared_address(shared.b[stage]) + part * 32, 16, 1024, 2)),
            "r"(instruction(M, kTileN)), "r"(static_cast<int>(k + part > 0))
            : "memory");
      commit(&shared.empty[stage], both);
    }
    commit(&shared.done[half], both);
  }
}

// M 256: a lane has a row, 128 of them in each CTA. M 128: 64 rows, and the right half of the
// columns in the upper 64 lanes.
template <int M>
__device__ void take(Shared<M>& shared, std::uint32_t columns, float* D, int tiles, int rows, int N,
                     int mistake) {
  const int lane = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.x) * (M / 2) + lane % (M / 2);
  const int width = M == 256 ? kTileN : kTileN / 2, left = M == 256 ? 0 : lane / 64 * width;
  for (int tile = 0; tile < tiles; ++tile) {
    const int half = tile % 2;
    if (mistake != kNoWait || rank() == 0) wait(&shared.done[half], tile / 2 & 1);
    fence_after();
    for (int col = 0; col < width; col += 8) {
      std::uint32_t d[8];
      load(columns + (lane / 32 * 32 << 16) + half * 128 + col, d);
      for (int i = 0; i < 8; ++i) {
        const int at = tile * kTileN + left + col + i;
        if (row < rows && at < N) D[row * N + at] = __uint_as_float(d[i]);
      }
    }
    fence_before();
    arrive_at_even(&shared.taken[half]);
  }
}

template <int M>
__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(32 * kWarps)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* D,
         int rows, int N, int K, int mistake) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Shared<M>& shared = *reinterpret_cast<Shared<M>*>(raw);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (warp == 0) allocate(&shared.columns, kColumns);
  if (threadIdx.x == 32) {
    for (int stage = 0; stage < kStages; ++stage) {
      init(&shared.full[stage], 1);
      init(&shared.empty[stage], 1);
    }
    for (int half = 0; half < 2; ++half) {
      init(&shared.done[half], 1);
      init(&shared.taken[half], 256);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  fence_before();
  meet();
  fence_after();
  const std::uint32_t columns = shared.columns;
  const int tiles = (N + kTileN - 1) / kTileN, steps = (K + kTileK - 1) / kTileK;
  if (warp < 4) take(shared, columns, D, tiles, rows, N, mistake);
  if (threadIdx.x == 128) produce(shared, &a, &b, tiles, steps, mistake);
  if (threadIdx.x == 160 && (rank() == 0 || mistake == kBothMultiply))
    multiply(shared, columns, tiles, steps, mistake);
  fence_before();
  if (mistake != kNoClusterEnd) meet();
  fence_after();
  if (warp == 0) give_back(columns, kColumns);
}

template <int M>
int product(int rows, int N, int K, int mistake) {
  Numbers numbers;
  std::vector<int> a_numbers(rows * K), b_numbers(N * K);  // -4 to 4: every sum is exact
  std::vector<__nv_bfloat16> A, B;
  for (int& number : a_numbers) A.push_back(__float2bfloat16(number = numbers.next(4)));
  for (int& number : b_numbers) B.push_back(__float2bfloat16(number = numbers.next(4)));
  float* device_D = to_device(std::vector<float>(rows * N, -1.0f));
  const auto size = [](int value) { return static_cast<std::uint64_t>(value); };
  CUtensorMap a, b;
  if (!make_map(a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, to_device(A), {size(K), size(rows)},
                {kTileK, M / 2}, CU_TENSOR_MAP_SWIZZLE_128B) ||
      !make_map(b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, to_device(B), {size(K), size(N)},
                {kTileK, kTileN / 2}, CU_TENSOR_MAP_SWIZZLE_128B))
    return 1;
  CHECK(cudaFuncSetAttribute(gemm<M>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             sizeof(Shared<M>)));
  gemm<M><<<(rows + M - 1) / M * 2, 32 * kWarps, sizeof(Shared<M>)>>>(a, b, device_D, rows, N, K,
                                                                      mistake);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, rows * N);
  print_bits(D);
  int wrong = 0;
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < N; ++col) {
      int sum = 0;
      for (int k = 0; k < K; ++k) sum += a_numbers[row * K + k] * b_numbers[col * K + k];
      wrong += D[row * N + col] != static_cast<float>(sum);
    }
  std::printf("M %d: %d x %d x %d, %d wrong\n", M, rows, N, K, wrong);
  return wrong;
}

int main(int argc, char** argv) {
  const int mistake = argc > 1 ? std::atoi(argv[1]) : kNone;
  int wrong = product<256>(400, 392, 296, mistake);
  if (mistake == kNone) wrong += product<128>(192, 392, 168, mistake);
  return verdict("tensor_pair", wrong, 0);
}

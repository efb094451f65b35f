// SPDX-License-Identifier: MIT
// D = A * B^T on Blackwell's tensor memory, as kernels for sm_100a are written: a ring of two
// stages filled by TMA, one thread that multiplies with tcgen05.mma, four warps that read D's two
// halves of columns while the next tile is under way. And small products of every M, type and place
// of A, from tiles that threads stored. Whole numbers, so that every sum is exact. No card has run
// this.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstring>

#include "blackwell.cuh"

constexpr int kTileM = 128, kTileN = 64, kTileK = 64, kStages = 2, kColumns = 128;
constexpr int kBytesA = kTileM * kTileK * 2, kBytesB = kTileN * kTileK * 2;

struct Shared {
  alignas(1024) unsigned char a[kStages][kBytesA];
  alignas(1024) unsigned char b[kStages][kBytesB];
  alignas(8) std::uint64_t full[kStages], empty[kStages], done[2], taken[2];
  std::uint32_t columns;
};

__device__ void arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
               : "memory");
}
__device__ void commit(std::uint64_t* barrier) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(
                   shared_address(barrier))
               : "memory");
}
__device__ void allocate(std::uint32_t* address, int columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(
                   shared_address(address)),
               "r"(columns)
               : "memory");
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
}
__device__ void give_back(std::uint32_t address, int columns) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(address),
               "r"(columns));
}
__host__ __device__ std::uint32_t instruction(int d, int a, int b, int M, int N) {
  return d << 4 | a << 7 | b << 10 | (N >> 3) << 17 | (M >> 4) << 24;
}

#define MULTIPLY(kind, d, b, what, adds)                                                    \
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::1.kind::" kind \
               " [%0], %1, %2, %3, p; }" ::"r"(d),                                          \
               "l"(a_operand), "l"(b), "r"(what), "r"(static_cast<int>(adds))               \
               : "memory")

__device__ void produce(Shared& shared, const CUtensorMap* a, const CUtensorMap* b, int tiles,
                        int K) {
  for (int step = 0; step < tiles * (K / kTileK); ++step) {
    const int stage = step % kStages, k = step % (K / kTileK), tile = step / (K / kTileK);
    wait(&shared.empty[stage], (step / kStages & 1) ^ 1);
    const std::uint32_t full = shared_address(&shared.full[stage]);
    expect(&shared.full[stage], kBytesA + kBytesB);
    fetch<1>(shared.a[stage], a, k * kTileK, static_cast<int>(blockIdx.x) * kTileM, full);
    fetch<1>(shared.b[stage], b, k * kTileK, tile * kTileN, full);
  }
}

__device__ void multiply(Shared& shared, std::uint32_t columns, int tiles, int K) {
  const std::uint32_t what = instruction(1, 1, 1, kTileM, kTileN);
  int step = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    const int half = tile % 2;
    wait(&shared.taken[half], (tile / 2 & 1) ^ 1);
    fence_after();
    for (int k = 0; k < K / kTileK; ++k, ++step) {
      const int stage = step % kStages;
      wait(&shared.full[stage], step / kStages & 1);
      fence_after();
      for (int part = 0; part < kTileK / 16; ++part) {
        const std::uint64_t a_operand =
            descriptor(shared_address(shared.a[stage]) + part * 32, 16, 1024, 2);
        const std::uint64_t b =
            descriptor(shared_address(shared.b[stage]) + part * 32, 16, 1024, 2);
        MULTIPLY("f16", columns + half * kTileN, b, what, k + part > 0);
      }
      commit(&shared.empty[stage]);
    }
    commit(&shared.done[half]);
  }
}

__device__ void take(Shared& shared, std::uint32_t columns, float* D, int tiles, int N) {
  const int row = static_cast<int>(blockIdx.x) * kTileM + static_cast<int>(threadIdx.x);
  for (int tile = 0; tile < tiles; ++tile) {
    const int half = tile % 2;
    wait(&shared.done[half], tile / 2 & 1);
    fence_after();
    for (int col = 0; col < kTileN; col += 8) {
      std::uint32_t d[8];
      load(columns + (threadIdx.x / 32 * 32 << 16) + half * kTileN + col, d);
      for (int i = 0; i < 8; ++i) D[row * N + tile * kTileN + col + i] = __uint_as_float(d[i]);
    }
    fence_before();
    arrive(&shared.taken[half]);
  }
}

__global__ void __launch_bounds__(192)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* D,
         int N, int K) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Shared& shared = *reinterpret_cast<Shared*>(raw);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (warp == 0) allocate(&shared.columns, kColumns);
  if (threadIdx.x == 32) {
    for (int stage = 0; stage < kStages; ++stage) {
      init(&shared.full[stage], 1);
      init(&shared.empty[stage], 1);
    }
    for (int half = 0; half < 2; ++half) {
      init(&shared.done[half], 1);
      init(&shared.taken[half], 128);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  fence_before();
  __syncthreads();
  fence_after();
  const std::uint32_t columns = shared.columns;
  const int tiles = N / kTileN;
  if (warp < 4) take(shared, columns, D, tiles, N);
  if (threadIdx.x == 128) produce(shared, &a, &b, tiles, K);
  if (threadIdx.x == 160) multiply(shared, columns, tiles, K);
  fence_before();
  __syncthreads();
  fence_after();
  if (warp == 0) give_back(columns, kColumns);
}

int ring() {
  constexpr int M = 256, N = 320, K = 192;
  Numbers numbers;
  std::vector<__nv_bfloat16> A(M * K), B(N * K);
  for (auto& value : A) value = __float2bfloat16(static_cast<float>(numbers.next(4)));
  for (auto& value : B) value = __float2bfloat16(static_cast<float>(numbers.next(4)));
  float* device_D = to_device(std::vector<float>(M * N, -1.0f));
  CUtensorMap a, b;
  if (!make_map(a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, to_device(A), {K, M}, {kTileK, kTileM},
                CU_TENSOR_MAP_SWIZZLE_128B) ||
      !make_map(b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, to_device(B), {K, N}, {kTileK, kTileN},
                CU_TENSOR_MAP_SWIZZLE_128B))
    return 1;
  CHECK(cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
  gemm<<<M / kTileM, 192, sizeof(Shared)>>>(a, b, device_D, N, K);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, M * N);
  print_bits(D);
  int wrong = 0;
  for (int row = 0; row < M; ++row)
    for (int col = 0; col < N; ++col) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += __bfloat162float(A[row * K + k]) * __bfloat162float(B[col * K + k]);
      wrong += D[row * N + col] != sum;
    }
  return wrong;
}

// A few K of one kind: A and B as bytes, rows of 32 bytes each, in a mode that the host names.
enum Kind { kF16, kTf32, kFp8, kInteger };
struct Small {
  int kind, M, N, mode, lbo_a, lbo_b, sbo;
  std::uint32_t what;
  int a_in_tensor;
};

__global__ void __launch_bounds__(128)
    small(const uint4* a, const uint4* b, const std::uint32_t* a_rows, std::uint32_t* D, Small s) {
  __shared__ alignas(1024) uint4 tile_a[512];
  __shared__ alignas(1024) uint4 tile_b[512];
  __shared__ std::uint32_t columns;
  __shared__ alignas(8) std::uint64_t done;
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32;
  for (int i = thread; i < 512; i += 128) {
    tile_a[i] = a[i];
    tile_b[i] = b[i];
  }
  if (warp == 0) allocate(&columns, 512);
  if (thread == 0) init(&done, 1);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  fence_before();
  __syncthreads();
  fence_after();
  const std::uint32_t mine = columns + (warp * 32 << 16);
  const std::uint32_t* row = a_rows + thread * 8;
  asm volatile(
      "tcgen05.st.sync.aligned.32x32b.x8.b32 [%0], {%1,%2,%3,%4,%5,%6,%7,%8};" ::"r"(mine + 256),
      "r"(row[0]), "r"(row[1]), "r"(row[2]), "r"(row[3]), "r"(row[4]), "r"(row[5]), "r"(row[6]),
      "r"(row[7])
      : "memory");
  asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
  fence_before();
  __syncthreads();
  fence_after();
  if (thread == 0) {
    const std::uint64_t in_shared = descriptor(shared_address(tile_a), s.lbo_a, s.sbo, s.mode);
    const std::uint64_t b_operand = descriptor(shared_address(tile_b), s.lbo_b, s.sbo, s.mode);
    std::uint64_t a_operand = in_shared;
    if (s.kind == kTf32) MULTIPLY("tf32", columns, b_operand, s.what, 0);
    if (s.kind == kFp8) MULTIPLY("f8f6f4", columns, b_operand, s.what, 0);
    if (s.kind == kInteger) MULTIPLY("i8", columns, b_operand, s.what, 0);
    if (s.kind == kF16 && s.a_in_tensor == 0) MULTIPLY("f16", columns, b_operand, s.what, 0);
    if (s.kind == kF16 && s.a_in_tensor != 0)
      asm volatile(
          "{ .reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], [%1], "
          "%2, %3, p; }" ::"r"(columns),
          "r"(columns + 256), "l"(b_operand), "r"(s.what), "r"(0)
          : "memory");
    commit(&done);
  }
  wait(&done, 0);
  fence_after();
  for (int col = 0; col < s.N; col += 8) {
    std::uint32_t d[8];
    load(mine + col, d);
    for (int i = 0; i < 8; ++i) D[thread * 256 + col + i] = d[i];
  }
  fence_before();
  __syncthreads();
  fence_after();
  if (warp == 0) give_back(columns, 512);
}

// The bytes of a whole number from -4 to 4, and how many elements a row of 32 bytes has.
std::uint32_t bytes_of(int kind, int value, bool is_bf16) {
  const float real = static_cast<float>(value);
  std::uint32_t bits = 0;
  if (kind == kTf32) {
    std::memcpy(&bits, &real, 4);
  } else if (kind == kFp8) {
    bits = __nv_fp8_e4m3(real).__x;
  } else if (kind == kInteger) {
    bits = static_cast<std::uint8_t>(value);
  } else if (is_bf16) {
    const __nv_bfloat16 half = __float2bfloat16(real);
    std::memcpy(&bits, &half, 2);
  } else {
    const __half half = __float2half(real);
    std::memcpy(&bits, &half, 2);
  }
  return bits;
}

int try_small(int kind, int M, int N, int mode, bool is_bf16, bool a_in_tensor) {
  const int bytes = kind == kTf32 ? 4 : kind == kF16 ? 2 : 1, K = 32 / bytes;
  // Atoms of 8 rows: without a swizzle two of 16 bytes a row, rows after rows; else 32 bytes of a
  // row of 32, 64 or 128.
  const int width = mode == 0 ? 16 : mode == 6 ? 32 : mode == 4 ? 64 : 128;
  const int across = mode == 0 ? 1 : width / 16;
  Numbers numbers;
  numbers.state += static_cast<std::uint64_t>(M * 1000 + N + mode);
  std::vector<int> A(M * K), B(N * K);
  for (int& value : A) value = numbers.next(4);
  for (int& value : B) value = numbers.next(4);
  std::vector<unsigned char> tile_a(8192), tile_b(8192), rows(128 * 32);
  const auto put = [&](std::vector<unsigned char>& tile, const std::vector<int>& matrix,
                       int count) {
    for (int row = 0; row < count; ++row)
      for (int k = 0; k < K; ++k) {
        std::size_t at = row % 8 * width + row / 8 * 8 * width;
        at += mode == 0 ? k * bytes / 16 * (count * 16) + k * bytes % 16 : k * bytes;
        at ^= (at / 128 & (across - 1)) * 16;
        const std::uint32_t bits = bytes_of(kind, matrix[row * K + k], is_bf16);
        std::memcpy(&tile[at], &bits, bytes);
      }
  };
  put(tile_a, A, M);
  put(tile_b, B, N);
  const auto lane_of = [&](int row) { return M == 128 ? row : row % 16 + row / 16 * 32; };
  for (int row = 0; row < M; ++row)
    for (int k = 0; k < K; ++k) {
      const std::uint32_t bits = bytes_of(kind, A[row * K + k], is_bf16);
      std::memcpy(&rows[lane_of(row) * 32 + k * bytes], &bits, bytes);
    }
  const int type = kind == kTf32 ? 2 : kind == kInteger || is_bf16 ? 1 : 0;
  Small s{kind,       M,      N,         mode,
          M * 16,     N * 16, 8 * width, instruction(kind == kInteger ? 2 : 1, type, type, M, N),
          a_in_tensor};
  std::uint32_t* device_D = to_device(std::vector<std::uint32_t>(128 * 256));
  small<<<1, 128>>>(reinterpret_cast<uint4*>(to_device(tile_a)),
                    reinterpret_cast<uint4*>(to_device(tile_b)),
                    reinterpret_cast<std::uint32_t*>(to_device(rows)), device_D, s);
  CHECK(cudaDeviceSynchronize());
  const std::vector<std::uint32_t> D = from_device(device_D, 128 * 256);
  int wrong = 0;
  for (int row = 0; row < M; ++row)
    for (int col = 0; col < N; ++col) {
      int sum = 0;
      for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[col * K + k];
      std::uint32_t bits = static_cast<std::uint32_t>(sum);
      const float real = static_cast<float>(sum);
      if (kind != kInteger) std::memcpy(&bits, &real, 4);
      wrong += D[lane_of(row) * 256 + col] != bits;
    }
  if (wrong != 0)
    std::printf("kind %d M %d N %d mode %d%s: %d wrong\n", kind, M, N, mode,
                a_in_tensor ? " A in tensor memory" : "", wrong);
  return wrong;
}

int main() {
  int wrong = ring();
  for (const int mode : {0, 6})
    for (const int M : {64, 128})
      for (const int N : {16, 48, 128, 256}) {
        for (const int kind : {kF16, kTf32, kFp8, kInteger})
          wrong += try_small(kind, M, N, mode, false, false);
        wrong += try_small(kF16, M, N, mode, true, true);
      }
  for (const int mode : {4, 2})
    for (const int kind : {kF16, kTf32, kFp8, kInteger})
      wrong += try_small(kind, 64, 48, mode, false, false);
  return verdict("tensor_memory", wrong, 0);
}

// SPDX-License-Identifier: MIT
// D = (A * scale_A) * (B * scale_B)^T on Blackwell's tensor memory: MXFP8, MXFP4 and NVFP4, by one
// CTA and by pairs (.cta_group::2). Scale factors come by TMA into shared memory, by
// tcgen05.cp.32x128b.warpx4 into tensor memory, where each tcgen05.mma takes the bytes that its
// instruction descriptor names. Every sum is exact; the host adds up in f64, from factors that it
// has as plain matrices. No card has run this.
//
//     128 rows' factors for 4 neighbouring chunks of K: 512 bytes, row r at r % 32 * 16 + r / 32 *
//     4 in tensor memory, of 32 lanes each: lane r % 32, column r / 32, a byte a chunk
//
//     a step of 128 bytes of K     MXFP8  4 chunks of 32    1 such piece    mma 0 to 3: byte 0, 1,
//     2, 3
//                                  MXFP4  8 of 32           2               bytes 0, 2, 0, 2
//                                  NVFP4  16 of 16          4               byte 0, a piece each
#include <cuda_fp8.h>

#include "tensor_map.cuh"

constexpr int kTileM = 128, kTileN = 192, kStepBytes = 128, kPiece = 512, kColumns = 256;
constexpr int kPiecesN = 2;  // of 128 columns: the second is half full

enum Kind { kMxfp8, kMxfp4, kNvfp4 };
template <Kind kind>
constexpr int kVectors = kind == kMxfp8   ? 1
                         : kind == kMxfp4 ? 2
                                          : 4;
constexpr int block(Kind kind) { return kind == kNvfp4 ? 16 : 32; }
constexpr int per_byte(Kind kind) { return kind == kMxfp8 ? 1 : 2; }

template <Kind kind, int ctas>
struct Shared {
  alignas(1024) unsigned char a[kTileM * kStepBytes];
  alignas(1024) unsigned char b[kTileN / ctas * kStepBytes];
  alignas(1024) unsigned char scale_a[kVectors<kind> * kPiece];
  alignas(1024) unsigned char scale_b[kVectors<kind> * kPiecesN * kPiece];
  alignas(8) std::uint64_t full, done;
  std::uint32_t columns;
};

__device__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}
// Bit 24 of a shared address is the lowest one of the CTA's rank: without it, the even CTA's.
__device__ std::uint32_t even_address(const void* pointer) {
  return shared_address(pointer) & 0xfeffffffu;
}
__device__ void wait(std::uint64_t* barrier, int parity) {
  asm volatile(
      "{ .reg .pred done; WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, "
      "[%0], %1; @!done bra WAIT; }" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}
__device__ void meet() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}
__device__ std::uint64_t descriptor(const void* start, int offset, int sbo, int mode) {
  return (shared_address(start) + offset & 0x3ffffu) >> 4 | std::uint64_t{1} << 16 |
         std::uint64_t(sbo >> 4) << 32 | std::uint64_t{1} << 46 | std::uint64_t(mode) << 61;
}

// One statement for each .cta_group: what it says must be a literal.
#define GROUP(ctas, before, after, ...)                        \
  do {                                                         \
    if constexpr (ctas == 1)                                   \
      asm volatile(before "1" after ::__VA_ARGS__ : "memory"); \
    else                                                       \
      asm volatile(before "2" after ::__VA_ARGS__ : "memory"); \
  } while (0)
#define MULTIPLY(ctas, kind)                                                                     \
  GROUP(ctas, "{ .reg .pred p; setp.ne.b32 p, %6, 0; tcgen05.mma.cta_group::",                   \
        ".kind::" kind " [%0], %1, %2, %3, [%4], [%5], p; }", "r"(d), "l"(a), "l"(b), "r"(what), \
        "r"(scale_a), "r"(scale_b), "r"(adds))

template <Kind kind, int ctas>
__device__ void multiply(std::uint32_t d, std::uint64_t a, std::uint64_t b, std::uint32_t what,
                         std::uint32_t scale_a, std::uint32_t scale_b, int adds) {
  if constexpr (kind == kMxfp8) MULTIPLY(ctas, "mxf8f6f4.block_scale");
  if constexpr (kind == kMxfp4) MULTIPLY(ctas, "mxf4.block_scale.scale_vec::2X");
  if constexpr (kind == kNvfp4) MULTIPLY(ctas, "mxf4nvf4.block_scale.block16");
}

template <int ctas>
__device__ void fetch(void* to, const CUtensorMap* map, int column, int row,
                      std::uint64_t* barrier) {
  if constexpr (ctas == 1)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
        "[%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
        "l"(map), "r"(column), "r"(row), "r"(even_address(barrier))
        : "memory");
  else
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        ".cta_group::2 [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
        "l"(map), "r"(column), "r"(row), "r"(even_address(barrier))
        : "memory");
}

// Where tensor memory has what: D, then a step's factors of A, then those of B.
constexpr int kScaleA = kTileN;
template <Kind kind>
constexpr int kScaleB = kScaleA + 4 * kVectors<kind>;

// By one thread, of the even CTA: the factors of a step, and its four products.
template <Kind kind, int ctas>
__device__ void work(Shared<kind, ctas>& shared, std::uint32_t columns, std::uint32_t what,
                     int step) {
  const auto copy = [&](std::uint32_t to, const unsigned char* pieces, int piece) {
    GROUP(ctas, "tcgen05.cp.cta_group::", ".32x128b.warpx4 [%0], %1;", "r"(to + 4 * piece),
          "l"(descriptor(pieces, piece * kPiece, 128, 0)));
  };
  for (int piece = 0; piece < kVectors<kind>; ++piece)
    copy(columns + kScaleA, shared.scale_a, piece);
  for (int piece = 0; piece < kVectors<kind> * kPiecesN; ++piece)
    copy(columns + kScaleB<kind>, shared.scale_b, piece);
  for (int part = 0; part < 4; ++part) {
    const int chunk = part * kVectors<kind>, piece = chunk / 4;
    const std::uint32_t byte = chunk % 4;  // SFA_ID and SFB_ID
    multiply<kind, ctas>(columns, descriptor(shared.a, part * 32, 1024, 2),
                         descriptor(shared.b, part * 32, 1024, 2), what | byte << 29 | byte << 4,
                         columns + kScaleA + 4 * piece,
                         columns + kScaleB<kind> + 4 * kPiecesN * piece, step + part > 0);
  }
  if constexpr (ctas == 1)
    asm volatile(
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(
            shared_address(&shared.done))
        : "memory");
  else
    asm volatile(
        "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 "
        "[%0], %1;" ::"r"(shared_address(&shared.done)),
        "h"(static_cast<short>(3))
        : "memory");
}

template <Kind kind, int ctas>
__global__ void __launch_bounds__(128)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
         const __grid_constant__ CUtensorMap scale_a, const __grid_constant__ CUtensorMap scale_b,
         float* D, int N, int steps, std::uint32_t what) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Shared<kind, ctas>& shared = *reinterpret_cast<Shared<kind, ctas>*>(raw);
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32;
  const int rank = static_cast<int>(blockIdx.x) % ctas;
  const int tile_m = static_cast<int>(blockIdx.x), tile_n = static_cast<int>(blockIdx.y);
  if (warp == 0) {
    GROUP(ctas, "tcgen05.alloc.cta_group::", ".sync.aligned.shared::cta.b32 [%0], %1;",
          "r"(shared_address(&shared.columns)), "r"(kColumns));
  }
  if (thread == 32) {
    for (std::uint64_t* barrier : {&shared.full, &shared.done})
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier))
                   : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  meet();
  const std::uint32_t columns = shared.columns;
  for (int step = 0; step < steps; ++step) {
    if (thread == 0) {
      if (rank == 0)
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                         shared_address(&shared.full)),
                     "r"(static_cast<int>(ctas * (sizeof shared.a + sizeof shared.b +
                                                  sizeof shared.scale_a + sizeof shared.scale_b)))
                     : "memory");
      const int pieces = kVectors<kind>;
      fetch<ctas>(shared.a, &a, step * kStepBytes, tile_m * kTileM, &shared.full);
      fetch<ctas>(shared.b, &b, step * kStepBytes, tile_n * kTileN + rank * kTileN / ctas,
                  &shared.full);
      fetch<ctas>(shared.scale_a, &scale_a, 0, (tile_m * steps + step) * pieces, &shared.full);
      fetch<ctas>(shared.scale_b, &scale_b, 0, (tile_n * steps + step) * pieces * kPiecesN,
                  &shared.full);
      if (rank == 0) {
        wait(&shared.full, step & 1);
        work<kind, ctas>(shared, columns, what, step);
      }
    }
    wait(&shared.done, step & 1);
  }
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  for (int col = 0; col < kTileN; col += 4) {
    float d[4];
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(columns + (warp * 32 << 16) + col));
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
    for (int i = 0; i < 4; ++i)
      D[(tile_m * kTileM + thread) * N + tile_n * kTileN + col + i] = d[i];
  }
  meet();
  if (warp == 0)
    GROUP(ctas, "tcgen05.dealloc.cta_group::", ".sync.aligned.b32 %0, %1;", "r"(columns),
          "r"(kColumns));
}

// A matrix of small numbers, its factors, and both as the kernel wants them.
struct Matrix {
  int rows, K, block;
  std::vector<double> values, factors;  // [row][k], [row][chunk]
  std::vector<unsigned char> bytes, factor_bytes;
};

Matrix make(Kind kind, int rows, int K, bool e5m2, std::uint64_t seed) {
  constexpr double kE2m1[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  Matrix made{rows, K, block(kind)};
  Numbers numbers;
  numbers.state += seed;
  made.bytes.resize(rows * K / per_byte(kind));
  for (int i = 0; i < rows * K; ++i) {
    const int drawn = numbers.next(7);
    if (kind == kMxfp8) {
      made.values.push_back(drawn / 2);
      const float value = static_cast<float>(drawn / 2);
      made.bytes[i] = e5m2 ? __nv_fp8_e5m2(value).__x : __nv_fp8_e4m3(value).__x;
    } else {
      made.values.push_back(drawn < 0 ? -kE2m1[-drawn] : kE2m1[drawn]);
      made.bytes[i / 2] |= (drawn < 0 ? 8 - drawn : drawn) << i % 2 * 4;
    }
  }
  for (int i = 0; i < rows * K / made.block; ++i) {
    const int drawn = numbers.next(2);
    made.factors.push_back(kind == kNvfp4 ? 1 + 0.25 * drawn
                           : drawn < 0    ? 1.0 / (1 << -drawn)
                                          : 1 << drawn);
    made.factor_bytes.push_back(kind == kNvfp4
                                    ? __nv_fp8_e4m3(static_cast<float>(made.factors.back())).__x
                                    : static_cast<unsigned char>(127 + drawn));
  }
  return made;
}

// Piece after piece of 128 rows and 4 chunks: for each tile of `tile` rows all its chunks, for each
// 4 of these its rows.
std::vector<unsigned char> arrange(const Matrix& matrix, int tile) {
  const int chunks = matrix.K / matrix.block, pieces = (tile + 127) / 128;
  std::vector<unsigned char> all(matrix.rows / tile * (chunks / 4) * pieces * kPiece);
  for (int row = 0; row < matrix.rows; ++row)
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const int in_tile = row % tile, in_piece = in_tile % 128;
      const int piece = (row / tile * (chunks / 4) + chunk / 4) * pieces + in_tile / 128;
      all[piece * kPiece + in_piece % 32 * 16 + in_piece / 32 * 4 + chunk % 4] =
          matrix.factor_bytes[row * chunks + chunk];
    }
  return all;
}

bool map_bytes(CUtensorMap& map, const std::vector<unsigned char>& bytes, std::uint64_t width,
               std::uint32_t rows, CUtensorMapSwizzle swizzle) {
  const std::uint64_t words = width / 4;  // boxes are at most 256 wide
  if (swizzle == CU_TENSOR_MAP_SWIZZLE_NONE)
    return make_map(map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 4, to_device(bytes),
                    {words, bytes.size() / width}, {static_cast<std::uint32_t>(words), rows},
                    swizzle);
  return make_map(map, CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, to_device(bytes),
                  {width, bytes.size() / width}, {kStepBytes, rows}, swizzle);
}

template <Kind kind, int ctas>
int run(const char* name) {
  constexpr int M = 256, N = ctas * kTileN, kSteps = 2;
  constexpr int K = kSteps * kStepBytes * per_byte(kind);
  const Matrix A = make(kind, M, K, false, 1), B = make(kind, N, K, true, 2);
  CUtensorMap a, b, scale_a, scale_b;
  constexpr auto kSwizzle = CU_TENSOR_MAP_SWIZZLE_128B, kNone = CU_TENSOR_MAP_SWIZZLE_NONE;
  if (!map_bytes(a, A.bytes, K / per_byte(kind), kTileM, kSwizzle) ||
      !map_bytes(b, B.bytes, K / per_byte(kind), kTileN / ctas, kSwizzle) ||
      !map_bytes(scale_a, arrange(A, kTileM), kPiece, kVectors<kind>, kNone) ||
      !map_bytes(scale_b, arrange(B, kTileN), kPiece, kVectors<kind> * kPiecesN, kNone))
    return 1;
  // Bits 7 and 10 the types, 17 N / 8, 23 the factors' type, 27 M / 128.
  const std::uint32_t types = kind == kMxfp8 ? 1 << 10 : 1 << 7 | 1 << 10;
  const std::uint32_t what = types | kTileN / 8 << 17 | (kind == kNvfp4 ? 0 : 1) << 23 | ctas << 27;
  float* device_D = to_device(std::vector<float>(M * N, -1.0f));
  const auto kernel = gemm<kind, ctas>;
  constexpr int kBytes = sizeof(Shared<kind, ctas>);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {ctas, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = {M / kTileM, N / kTileN, 1};
  config.blockDim = {128, 1, 1};
  config.dynamicSmemBytes = kBytes;
  config.attrs = &cluster;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, kernel, a, b, scale_a, scale_b, device_D, N, kSteps, what));
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, M * N);
  int wrong = 0;
  for (int row = 0; row < M; ++row)
    for (int col = 0; col < N; ++col) {
      double sum = 0;
      for (int k = 0; k < K; ++k)
        sum += A.values[row * K + k] * A.factors[(row * K + k) / A.block] * B.values[col * K + k] *
               B.factors[(col * K + k) / B.block];
      wrong += D[row * N + col] != sum;
    }
  std::printf("%s, %d CTA%s: %d x %d x %d, %d wrong\n", name, ctas, ctas == 1 ? "" : "s", M, N, K,
              wrong);
  return wrong;
}

int main() {
  int wrong = run<kMxfp8, 1>("MXFP8") + run<kMxfp4, 1>("MXFP4") + run<kNvfp4, 1>("NVFP4");
  wrong += run<kMxfp8, 2>("MXFP8") + run<kMxfp4, 2>("MXFP4") + run<kNvfp4, 2>("NVFP4");
  return verdict("tensor_scale", wrong, 0);
}

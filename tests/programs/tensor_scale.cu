// SPDX-License-Identifier: MIT
// D = (A * scale_A) * (B * scale_B)^T on Blackwell's tensor memory: MXFP8, MXFP4 and NVFP4, by one
// CTA and by pairs (.cta_group::2). Scale factors come by TMA into shared memory, by
// tcgen05.cp.32x128b.warpx4 into tensor memory, where each tcgen05.mma takes the bytes that its
// instruction descriptor names. Every sum is exact; the host adds up in f64, from factors that it
// has as plain matrices. Every tcgen05 is a function of ptx/tcgen05.cuh, as lesson 17 has them. No
// card has run this.
//
//     128 rows' factors for 4 neighbouring chunks of K: 512 bytes, row r at r % 32 * 16 + r / 32 *
//     4 in tensor memory, of 32 lanes each: lane r % 32, column r / 32, a byte a chunk
//
//     a step of 128 bytes of K     MXFP8  4 chunks of 32    1 such piece    mma 0 to 3: byte 0, 1,
//     2, 3
//                                  MXFP4  8 of 32           2               bytes 0, 2, 0, 2
//                                  NVFP4  16 of 16          4               byte 0, a piece each
#include <cuda_fp8.h>

#include "blackwell.cuh"
#include "ptx/tcgen05.cuh"

constexpr int kTileM = 128, kTileN = 192, kStepBytes = 128, kPiece = 512, kColumns = 256;
constexpr int kPiecesN = 2;                // of 128 columns: the second is half full
constexpr std::uint32_t kE5m2 = 1u << 10;  // in an instruction descriptor: so is B, not e4m3

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

// What the PTX says of .cta_group and .kind is in the functions' names.
template <int ctas>
__device__ void allocate(std::uint32_t* answer) {
  if constexpr (ctas == 1)
    ptx::tcgen05_alloc_cta_group_1_sync_aligned_shared_cta_b32(answer, kColumns);
  if constexpr (ctas == 2)
    ptx::tcgen05_alloc_cta_group_2_sync_aligned_shared_cta_b32(answer, kColumns);
}
template <int ctas>
__device__ void give_back(std::uint32_t columns) {
  if constexpr (ctas == 1) ptx::tcgen05_dealloc_cta_group_1_sync_aligned_b32(columns, kColumns);
  if constexpr (ctas == 2) ptx::tcgen05_dealloc_cta_group_2_sync_aligned_b32(columns, kColumns);
}
template <int ctas>
__device__ void copy(std::uint32_t to, std::uint64_t from) {
  if constexpr (ctas == 1) ptx::tcgen05_cp_cta_group_1_32x128b_warpx4(to, from);
  if constexpr (ctas == 2) ptx::tcgen05_cp_cta_group_2_32x128b_warpx4(to, from);
}
template <int ctas>
__device__ void commit(std::uint64_t* done) {
  if constexpr (ctas == 1)
    ptx::tcgen05_commit_cta_group_1_mbarrier_arrive_one_shared_cluster_b64(done);
  if constexpr (ctas == 2)
    ptx::tcgen05_commit_cta_group_2_mbarrier_arrive_one_shared_cluster_multicast_cluster_b64(done,
                                                                                             3);
}
#define MULTIPLY(ctas, words) \
  ptx::tcgen05_mma_cta_group_##ctas##_kind_##words(d, a, b, what, scale_a, scale_b, adds)
template <Kind kind, int ctas>
__device__ void multiply(std::uint32_t d, std::uint64_t a, std::uint64_t b, std::uint32_t what,
                         std::uint32_t scale_a, std::uint32_t scale_b, int adds) {
  if constexpr (ctas == 1) {
    if constexpr (kind == kMxfp8) MULTIPLY(1, mxf8f6f4_block_scale_scale_vec_1X);
    if constexpr (kind == kMxfp4) MULTIPLY(1, mxf4_block_scale_scale_vec_2X);
    if constexpr (kind == kNvfp4) MULTIPLY(1, mxf4nvf4_block_scale_scale_vec_4X);
  } else {
    if constexpr (kind == kMxfp8) MULTIPLY(2, mxf8f6f4_block_scale_scale_vec_1X);
    if constexpr (kind == kMxfp4) MULTIPLY(2, mxf4_block_scale_scale_vec_2X);
    if constexpr (kind == kNvfp4) MULTIPLY(2, mxf4nvf4_block_scale_scale_vec_4X);
  }
}

// Where tensor memory has what: D, then a step's factors of A, then those of B.
constexpr int kScaleA = kTileN;
template <Kind kind>
constexpr int kScaleB = kScaleA + 4 * kVectors<kind>;

// By one thread, of the even CTA: the factors of a step, and its four products.
template <Kind kind, int ctas>
__device__ void work(Shared<kind, ctas>& shared, std::uint32_t columns, std::uint32_t what,
                     int step) {
  const auto at = [](const unsigned char* from, int bytes, int sbo, int mode) {
    return ptx::tcgen05_matrix_descriptor(from + bytes, 16, sbo, mode);
  };
  for (int piece = 0; piece < kVectors<kind>; ++piece)
    copy<ctas>(columns + kScaleA + 4 * piece, at(shared.scale_a, piece * kPiece, 128, 0));
  for (int piece = 0; piece < kVectors<kind> * kPiecesN; ++piece)
    copy<ctas>(columns + kScaleB<kind> + 4 * piece, at(shared.scale_b, piece * kPiece, 128, 0));
  for (int part = 0; part < 4; ++part) {
    const int chunk = part * kVectors<kind>, piece = chunk / 4;
    const std::uint32_t byte = chunk % 4;  // SFA_ID and SFB_ID
    multiply<kind, ctas>(columns, at(shared.a, part * 32, 1024, 2),
                         at(shared.b, part * 32, 1024, 2), what | byte << 29 | byte << 4,
                         columns + kScaleA + 4 * piece,
                         columns + kScaleB<kind> + 4 * kPiecesN * piece, step + part > 0);
  }
  commit<ctas>(&shared.done);
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
  if (warp == 0) allocate<ctas>(&shared.columns);
  if (thread == 32) {
    for (std::uint64_t* barrier : {&shared.full, &shared.done}) init(barrier, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  ptx::tcgen05_fence_before_thread_sync();
  meet();
  ptx::tcgen05_fence_after_thread_sync();
  const std::uint32_t columns = shared.columns;
  for (int step = 0; step < steps; ++step) {
    if (thread == 0) {
      if (rank == 0)
        expect(&shared.full,
               static_cast<int>(ctas * (sizeof shared.a + sizeof shared.b + sizeof shared.scale_a +
                                        sizeof shared.scale_b)));
      const std::uint32_t full = even_address(&shared.full);
      const int pieces = kVectors<kind>;
      fetch<ctas>(shared.a, &a, step * kStepBytes, tile_m * kTileM, full);
      fetch<ctas>(shared.b, &b, step * kStepBytes, tile_n * kTileN + rank * kTileN / ctas, full);
      fetch<ctas>(shared.scale_a, &scale_a, 0, (tile_m * steps + step) * pieces, full);
      fetch<ctas>(shared.scale_b, &scale_b, 0, (tile_n * steps + step) * pieces * kPiecesN, full);
      if (rank == 0) {
        wait(&shared.full, step & 1);
        work<kind, ctas>(shared, columns, what, step);
      }
    }
    wait(&shared.done, step & 1);
  }
  ptx::tcgen05_fence_after_thread_sync();
  for (int col = 0; col < kTileN; col += 16) {
    float d[16];
    ptx::tcgen05_ld_sync_aligned_32x32b_x16_b32(d, columns + (warp * 32 << 16) + col);
    ptx::tcgen05_wait_ld_sync_aligned();
    ptx::settle(d);
    for (int i = 0; i < 16; ++i)
      D[(tile_m * kTileM + thread) * N + tile_n * kTileN + col + i] = d[i];
  }
  ptx::tcgen05_fence_before_thread_sync();
  meet();
  ptx::tcgen05_fence_after_thread_sync();
  if (warp == 0) give_back<ctas>(columns);
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
  constexpr int kM = ctas * kTileM;  // of the pair
  const std::uint32_t what =
      kind == kMxfp8   ? ptx::tcgen05_instruction_mxf8f6f4_e4m3_e4m3_ue8m0(kM, kTileN, 0, 0) | kE5m2
      : kind == kMxfp4 ? ptx::tcgen05_instruction_mxf4_e2m1_e2m1_ue8m0(kM, kTileN, 0, 0)
                       : ptx::tcgen05_instruction_mxf4nvf4_e2m1_e2m1_ue4m3(kM, kTileN);
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
  print_bits(D);
  std::printf("%s, %d CTA%s: %d x %d x %d, %d wrong\n", name, ctas, ctas == 1 ? "" : "s", M, N, K,
              wrong);
  return wrong;
}

int main() {
  int wrong = run<kMxfp8, 1>("MXFP8") + run<kMxfp4, 1>("MXFP4") + run<kNvfp4, 1>("NVFP4");
  wrong += run<kMxfp8, 2>("MXFP8") + run<kMxfp4, 2>("MXFP4") + run<kNvfp4, 2>("NVFP4");
  return verdict("tensor_scale", wrong, 0);
}

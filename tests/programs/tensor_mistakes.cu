// SPDX-License-Identifier: MIT
// D = A * B^T by tcgen05.mma, with every mistake of D in tensor memory and of scale factors that
// `lanescope diagnose` knows, one at a time: the argument names one. Right are "right" (f16),
// "half" (f16, M 64), "twice" (f16, D stored as lanes hold it, too), "scaled" (mxf8f6f4, factors by
// tcgen05.cp), "pieces" (the same, laid out before) and "stored" (factors by tcgen05.st). No card
// has run this.
//
// A block has 128 rows (or 64), all 64 columns, two steps of 128 bytes of K.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstring>

#include "blackwell.cuh"
#include "ptx/tcgen05.cuh"

constexpr int kN = 64, kSteps = 2, kUnits = 8, kBlocks = 2, kColumns = 128;
constexpr int kSfa = 64, kSfb = 72;  // columns of tensor memory

struct Options {
  int M = 128;
  bool twice = false, scaled = false, stored = false, pieces = false;
  // The mistakes.
  bool fragments = false;  // registers of tcgen05.ld.16x256b.x2 as those of .32x32b.x8
  bool row_is_lane = false;
  int column = 0, tile = 1, unstored = 0;
  bool same_id = false, in_rows = false, stale = false, one_warp = false;
  int sbo = 128;
};

__device__ void load_fragment(std::uint32_t address, std::uint32_t (&d)[8]) {
  asm volatile("tcgen05.ld.sync.aligned.16x256b.x2.b32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]),
                 "=r"(d[7])
               : "r"(address));
  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
}

// The factors of one operand in a step, a word a row: into shared memory as tcgen05.cp wants them.
__device__ void bring(unsigned char* to, const std::uint32_t* factors, int rows, int first,
                      int step, const Options& o) {
  const int row = static_cast<int>(threadIdx.x);
  if (row >= (o.pieces ? 128 : rows)) return;
  const std::uint32_t word = o.pieces ? factors[((first / rows * kSteps + step) * 128) + row]
                                      : factors[(first + row) * kSteps + step];
  const int place = o.pieces || o.in_rows ? row * 4 : row % 32 * 16 + row / 32 * 4;
  *reinterpret_cast<std::uint32_t*>(to + place) = word;
}
// ... or into the lanes of each warp.
__device__ void store_factors(std::uint32_t columns, const std::uint32_t* factors, int rows,
                              int first, int step) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int part = 0; part < rows / 32; ++part)
    asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(columns + part),
                 "r"(factors[(first + part * 32 + lane) * kSteps + step])
                 : "memory");
}

__device__ void multiply(std::uint32_t columns, const uint4* a, const uint4* b, std::uint32_t what,
                         int step, const Options& o) {
  for (int part = 0; part < 4; ++part) {
    const std::uint64_t of_a = ptx::tcgen05_matrix_descriptor(a + part * 2, 16, 1024, 2);
    const std::uint64_t of_b = ptx::tcgen05_matrix_descriptor(b + part * 2, 16, 1024, 2);
    const std::uint32_t id = o.same_id ? 0 : part;
    if (o.scaled)
      ptx::tcgen05_mma_cta_group_1_kind_mxf8f6f4_block_scale_scale_vec_1X(
          columns, of_a, of_b, what | id << 29 | part << 4, columns + kSfa, columns + kSfb,
          step + part > 0);
    else
      ptx::tcgen05_mma_cta_group_1_kind_f16(columns, of_a, of_b, what, step + part > 0);
  }
}

__device__ void take(std::uint32_t columns, float* D, const Options& o) {
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
  const bool half = o.M == 64 && !o.row_is_lane;
  const int in_tile = half ? warp * 16 + lane : thread;
  const int row = static_cast<int>(blockIdx.x) * o.M * o.tile + in_tile;
  for (int col = 0; col < kN; col += 8) {
    std::uint32_t d[8];
    const std::uint32_t from = columns + (warp * 32 << 16) + col + o.column;
    if (o.fragments)
      load_fragment(from, d);
    else
      load(from, d);
    for (int i = 0; i < 8; ++i)
      if (i + o.unstored < 8 && (half ? lane < 16 : in_tile < o.M))
        D[row * kN + col + i] = __uint_as_float(d[i]);
    if (!o.twice) continue;
    load_fragment(from, d);
    float* behind = D + gridDim.x * o.M * kN;
    for (int i = 0; i < 8; ++i) behind[row * kN + col + i] = __uint_as_float(d[i]);
  }
}

__global__ void __launch_bounds__(128)
    gemm(const uint4* a, const uint4* b, const std::uint32_t* sfa, const std::uint32_t* sfb,
         float* D, std::uint32_t what, Options o) {
  __shared__ alignas(1024) uint4 tile_a[128 * kUnits];
  __shared__ alignas(1024) uint4 tile_b[kN * kUnits];
  __shared__ alignas(128) unsigned char factors[2][1024];
  __shared__ std::uint32_t columns;
  __shared__ alignas(8) std::uint64_t done;
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32;
  const int first = static_cast<int>(blockIdx.x) * o.M;
  if (warp == 0) ptx::tcgen05_alloc_cta_group_1_sync_aligned_shared_cta_b32(&columns, kColumns);
  if (thread == 0) init(&done, 1);
  fence_before();
  __syncthreads();
  fence_after();
  for (int step = 0; step < kSteps; ++step) {
    for (int unit = 0; unit < kUnits; ++unit) {
      const int to = thread * kUnits + (unit ^ thread % 8);
      if (thread < o.M) tile_a[to] = a[((first + thread) * kSteps + step) * kUnits + unit];
      if (thread < kN) tile_b[to] = b[(thread * kSteps + step) * kUnits + unit];
    }
    if (o.scaled && !o.stored) {
      bring(factors[0], sfa, 128, first, step, o);
      bring(factors[1], sfb, kN, 0, step, o);
    }
    if (o.stored && (!o.one_warp || warp == 0)) {
      store_factors(columns + (warp * 32 << 16) + kSfa, sfa, 128, first, step);
      store_factors(columns + (warp * 32 << 16) + kSfb, sfb, kN, 0, step);
      ptx::tcgen05_wait_st_sync_aligned();
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    fence_before();
    __syncthreads();
    fence_after();
    if (thread == 0) {
      if (o.scaled && !o.stored && (step == 0 || !o.stale)) {
        ptx::tcgen05_cp_cta_group_1_32x128b_warpx4(
            columns + kSfa, ptx::tcgen05_matrix_descriptor(factors[0], 16, o.sbo, 0));
        ptx::tcgen05_cp_cta_group_1_32x128b_warpx4(
            columns + kSfb, ptx::tcgen05_matrix_descriptor(factors[1], 16, 128, 0));
      }
      multiply(columns, tile_a, tile_b, what, step, o);
      ptx::tcgen05_commit_cta_group_1_mbarrier_arrive_one_shared_cluster_b64(&done);
    }
    wait(&done, step & 1);
    fence_after();
  }
  take(columns, D, o);
  fence_before();
  __syncthreads();
  fence_after();
  if (warp == 0) ptx::tcgen05_dealloc_cta_group_1_sync_aligned_b32(columns, kColumns);
}

bool find(const char* name, Options& o) {
  const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
  if (is("right")) return true;
  if (is("half")) return o.M = 64, true;
  if (is("twice")) return o.twice = true;
  if (is("fragments")) return o.fragments = true;
  if (is("row-is-lane")) return o.M = 64, o.row_is_lane = true;
  if (is("column")) return o.column = 4, true;
  if (is("tile")) return o.tile = 0, true;
  if (is("unstored")) return o.unstored = 1, true;
  o.scaled = true;
  if (is("scaled")) return true;
  if (is("pieces")) return o.pieces = true;
  if (is("stored")) return o.stored = true;
  if (is("same-id")) return o.same_id = true;
  if (is("sbo")) return o.sbo = 256, true;
  if (is("rows")) return o.in_rows = true;
  if (is("stale")) return o.stale = true;
  if (is("one-warp")) return o.stored = o.one_warp = true;
  return false;
}

// Small whole numbers, and factors 1, 2 and 4 of 32 of K each.
struct Matrix {
  std::vector<int> values;
  std::vector<unsigned char> bytes, factors;
  Matrix(int rows, const Options& o, Numbers& numbers) {
    const int K = kSteps * 128 / (o.scaled ? 1 : 2);
    bytes.resize(rows * kSteps * 128);
    for (int i = 0; i < rows * K; ++i) {
      values.push_back(numbers.next(3));
      const __half half = __float2half(static_cast<float>(values.back()));
      if (o.scaled)
        bytes[i] = __nv_fp8_e4m3(static_cast<float>(values.back())).__x;
      else
        std::memcpy(&bytes[i * 2], &half, 2);
    }
    for (int i = 0; i < rows * kSteps * 4; ++i)
      factors.push_back(static_cast<unsigned char>(128 + numbers.next(1)));
    for (int i = 0; o.scaled && i < rows * K; ++i) values[i] <<= factors[i / 32] - 127;
  }
};

// As "pieces" has them: of each tile and step 512 bytes.
std::vector<unsigned char> laid_out(const Matrix& matrix, int rows, int tile, const Options& o) {
  if (!o.pieces) return matrix.factors;
  std::vector<unsigned char> all(rows / tile * kSteps * 512);
  for (int i = 0; i < rows * kSteps * 4; ++i) {
    const int row = i / (kSteps * 4), step = i / 4 % kSteps, in_tile = row % tile;
    all[(row / tile * kSteps + step) * 512 + in_tile % 32 * 16 + in_tile / 32 * 4 + i % 4] =
        matrix.factors[i];
  }
  return all;
}

int main(int argc, char** argv) {
  Options o;
  if (argc != 2 || !find(argv[1], o)) return std::printf("which mistake?\n"), 2;
  const int M = kBlocks * o.M, K = kSteps * 128 / (o.scaled ? 1 : 2);
  Numbers numbers;
  const Matrix A(M, o, numbers), B(kN, o, numbers);
  float* device_D = to_device(std::vector<float>(2 * M * kN, -1.0f));
  const std::uint32_t what = o.scaled
                                 ? ptx::tcgen05_instruction_mxf8f6f4_e4m3_e4m3_ue8m0(o.M, kN, 0, 0)
                                 : ptx::tcgen05_instruction_f32_f16_f16(o.M, kN);
  const auto words = [](const std::vector<unsigned char>& bytes) {
    return reinterpret_cast<const std::uint32_t*>(to_device(bytes));
  };
  gemm<<<kBlocks, 128>>>(reinterpret_cast<const uint4*>(to_device(A.bytes)),
                         reinterpret_cast<const uint4*>(to_device(B.bytes)),
                         words(laid_out(A, M, o.M, o)), words(laid_out(B, kN, kN, o)), device_D,
                         what, o);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, M * kN);
  int wrong = 0;
  for (int row = 0; row < M; ++row)
    for (int col = 0; col < kN; ++col) {
      int sum = 0;
      for (int k = 0; k < K; ++k) sum += A.values[row * K + k] * B.values[col * K + k];
      wrong += D[row * kN + col] != static_cast<float>(sum);
    }
  std::printf("%d of %d elements of D are wrong\n", wrong, M * kN);
  return 0;
}

// SPDX-License-Identifier: MIT
// Lesson 03, ldmatrix: eight lanes name eight rows of shared memory, and all 32 get the fragment.
// Which lane's address serves which row, what .trans does, why it fits mma; movmatrix; stmatrix,
// the way back; and two kernels that both pass their test, of which one is wrong.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.14.5.15 (ldmatrix), .16 (stmatrix), .17 (movmatrix).
//   Steps:    kernel=load
#include <vector>

#include "device_array.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"
#include "tables.cuh"
#include "this_device.cuh"

// ---- The instructions ---------------------------------------------------------------------------

// Each lane hands in the address of a row of eight 16-bit elements: 16 bytes, a multiple of 16. An
// address in shared memory has 32 bits, counted from the block's window. The others, x1, x2 and
// those without .trans, read the same way: ptx/ldmatrix.cuh.
__device__ void ldmatrix_x4_trans(uint32_t (&r)[4], const uint16_t* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(row)))
               : "memory");
}

// ---- 1. Ask: which lane's address serves which row? ---------------------------------------------

// 32 rows of eight elements, element = 8 * row + column. Lane n hands in the address of row n.
__global__ void ask(uint32_t* words) {
  __shared__ __align__(16) uint16_t rows[32 * 8];
  const int lane = static_cast<int>(threadIdx.x);
  for (int col = 0; col < 8; ++col) rows[lane * 8 + col] = static_cast<uint16_t>(lane * 8 + col);
  __syncwarp();
  uint32_t x1[1], x2[2], x4[4], x4_trans[4];
  ptx::ldmatrix_sync_aligned_m8n8_x1_shared_b16(x1, &rows[lane * 8]);
  ptx::ldmatrix_sync_aligned_m8n8_x2_shared_b16(x2, &rows[lane * 8]);
  ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(x4, &rows[lane * 8]);
  ldmatrix_x4_trans(x4_trans, &rows[lane * 8]);
  const uint32_t moved = ptx::movmatrix_sync_aligned_m8n8_trans_b16(x1[0]);
  uint32_t* out = words + lane * 12;
  for (int reg = 0; reg < 4; ++reg) out[reg] = x4[reg], out[4 + reg] = x4_trans[reg];
  out[8] = x1[0], out[9] = x2[0], out[10] = x2[1], out[11] = moved;
}

bool show_rows(Recorder& recorder) {
  DeviceArray<uint32_t> words(32 * 12);
  recorder.launch("ask", 1, 32);
  ask<<<1, 32>>>(words.data());
  return print_rows(words.get());
}

// ---- 2. It fits mma -----------------------------------------------------------------------------

constexpr int kStride = 24;  // elements from row to row in shared memory: 48 bytes, 3 * 16

__device__ void to_shared(uint16_t* tile, const uint16_t* matrix, int cols) {
  for (int i = static_cast<int>(threadIdx.x); i < 16 * cols; i += 32)
    tile[i / cols * kStride + i % cols] = matrix[i];
  __syncwarp();
}

// A (16 x 16) and B (16 x 8) are row-major. a[0] to a[3] are 8 x 8 blocks of A, b[0] and b[1] of B:
// lane n gives row n % 8 of block n / 8. A lane's two elements of B lie below each other: .trans.
__global__ void load(const uint16_t* A, const uint16_t* B, uint32_t* words,
                     [[maybe_unused]] uint16_t* back, DeviceRecorder recorder) {
  __shared__ __align__(16) uint16_t tile_a[16 * kStride], tile_b[16 * kStride];
  const int lane = static_cast<int>(threadIdx.x);
  to_shared(tile_a, A, 16);
  to_shared(tile_b, B, 8);
  uint32_t a[4], b[2];
  ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(a, &tile_a[lane % 16 * kStride + lane / 16 * 8]);
  ptx::ldmatrix_sync_aligned_m8n8_x2_trans_shared_b16(b, &tile_b[lane % 16 * kStride]);
  float d[4];
  const float zero[4] = {};
  ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d, a, b, zero);
  RECORD_TILE(recorder, "A in shared memory", "f16", 16, 16, tile_a, 32, kStride * 2);
  RECORD_TILE(recorder, "B in shared memory", "f16", 16, 8, tile_b, 16, kStride * 2);
  RECORD(recorder, "A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
  RECORD(recorder, "B", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", b);
  RECORD(recorder, "D", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", d);

  for (int reg = 0; reg < 4; ++reg) words[lane * 6 + reg] = a[reg];
  for (int reg = 0; reg < 2; ++reg) words[lane * 6 + 4 + reg] = b[reg];
#if __CUDA_ARCH__ >= 900
  // And back: a lane names a row as before, and hands in its registers of A.
  __shared__ __align__(16) uint16_t tile_back[16 * kStride];
  ptx::stmatrix_sync_aligned_m8n8_x4_shared_b16(&tile_back[lane % 16 * kStride + lane / 16 * 8], a);
  __syncwarp();
  for (int i = lane; i < 256; i += 32) back[i] = tile_back[i / 16 * kStride + i % 16];
#endif
}

bool show_load(bool has_stmatrix, Recorder& recorder) {
  DeviceArray<uint16_t> A(f16(matrix_a())), B(f16(matrix_b())), back(256);
  DeviceArray<uint32_t> words(32 * 6);
  load<<<1, 32>>>(A.data(), B.data(), words.data(), back.data(), recorder.launch("load", 1, 32));
  return print_fragments(words.get(), back.get(), has_stmatrix);
}

// ---- 3. Two kernels, one test -------------------------------------------------------------------

// Both compute D = A*B, and both pass when A is the identity. One of them is wrong.
template <int kWhich>
__global__ void multiply(const uint16_t* A, const uint16_t* B, float* D) {
  __shared__ __align__(16) uint16_t tile_a[16 * kStride], tile_b[16 * kStride];
  const int lane = static_cast<int>(threadIdx.x);
  to_shared(tile_a, A, 16);
  to_shared(tile_b, B, 8);
  uint32_t a[4], b[2];
  if (kWhich == 1)
    ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(a, &tile_a[lane % 16 * kStride + lane / 16 * 8]);
  else
    ldmatrix_x4_trans(a, &tile_a[(lane % 8 + lane / 16 * 8) * kStride + lane / 8 % 2 * 8]);
  ptx::ldmatrix_sync_aligned_m8n8_x2_trans_shared_b16(b, &tile_b[lane % 16 * kStride]);
  float d[4];
  const float zero[4] = {};
  ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d, a, b, zero);
  for (int i = 0; i < 4; ++i) D[((lane >> 2) + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

template <int kWhich>
bool test(const Matrix& A, Recorder& recorder) {
  DeviceArray<uint16_t> device_a(f16(A)), device_b(f16(matrix_b()));
  DeviceArray<float> D(16 * 8);
  recorder.launch("multiply", 1, 32);
  multiply<kWhich><<<1, 32>>>(device_a.data(), device_b.data(), D.data());
  return print_test(kWhich, D.get(), A);
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"}, {"--asymmetric"});
  const bool asymmetric = argument_given(argc, argv, "--asymmetric");
  Recorder recorder(argc, argv, "03_ldmatrix");
  recorder.view("03 ldmatrix", {"fragments", "memory", "lanes"}, "A 9,5",
                "A[9][5] is 905: in shared memory in row 9, in a register of lane 6.");
  introduce("From shared memory into fragments");
  bool good = show_rows(recorder);
  good = show_load(compiled_for(load) >= 90, recorder) && good;

  std::printf("Two kernels, tested with %s:\n",
              asymmetric ? "A[row][k] = 100 * row + k" : "A = identity");
  const Matrix A = asymmetric ? matrix_a() : identity();
  good = test<1>(A, recorder) && good;
  test<2>(A, recorder);  // right or not: that is the question
  return recorder.write() && good ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// Lesson 03, ldmatrix: eight lanes name eight rows of shared memory, and all 32 get the fragment.
// Which lane's address serves which row, what .trans does, why it fits mma; and two kernels that
// both pass their test, of which one is wrong. At the end the way back: movmatrix, stmatrix.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.14.5.15 (ldmatrix), .16 (stmatrix), .17 (movmatrix).
//   Steps:    kernel=load
#include <string>
#include <vector>

#include "check.cuh"
#include "device_array.cuh"
#include "element.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"
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

// "5,2..3": row 5, columns 2 and 3; "2..3,5": rows 2 and 3 of column 5. Low half first.
std::string places(uint32_t word) {
  const auto range = [](unsigned from, unsigned to) {
    return std::to_string(from) + (from == to ? "" : ".." + std::to_string(to));
  };
  const unsigned low = word & 0xffff, high = word >> 16;
  return range(low / 8, high / 8) + "," + range(low % 8, high % 8);
}

bool show_rows() {
  DeviceArray<uint32_t> device_words(32 * 12);
  ask<<<1, 32>>>(device_words.data());
  const std::vector<uint32_t> words = device_words.get();
  std::printf("Lane n hands in the address of row n. Row,columns that each lane gets:\n\n");
  std::printf("      ldmatrix.x4                          ldmatrix.x4.trans\n");
  std::printf("lane  r0       r1       r2        r3       r0       r1       r2        r3\n");
  const int widths[] = {9, 9, 10, 9, 9, 9, 10, 0};
  int same = 0, moved = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const uint32_t* w = &words[lane * 12];
    same += w[8] == w[0] && w[9] == w[0] && w[10] == w[1];
    moved += w[11] == w[4];
    if (lane == 6) std::printf(" ...\n");
    if (lane >= 6 && lane < 31) continue;
    std::printf("%4d  ", lane);
    for (int reg = 0; reg < 8; ++reg) std::printf("%-*s", widths[reg], places(w[reg]).c_str());
    std::printf("\n");
  }
  std::printf("\nx1 is r0 of x4, x2 is r0 and r1: %d of 32 lanes. ", same);
  std::printf("movmatrix makes r0 of .trans from r0: %d.\n\n", moved);
  return same == 32 && moved == 32;
}

// ---- 2. It fits mma -----------------------------------------------------------------------------

constexpr int kStride = 24;  // elements from row to row in shared memory: 48 bytes, 3 * 16

__device__ void to_shared(uint16_t* tile, const uint16_t* matrix, int cols) {
  for (int i = static_cast<int>(threadIdx.x); i < 16 * cols; i += 32)
    tile[i / cols * kStride + i % cols] = matrix[i];
  __syncwarp();
}

// A (16 x 16) and B (16 x 8) are row-major. a0 to a3 are 8 x 8 blocks of A, b0 and b1 of B: so lane
// n gives row n % 8 of block n / 8. A lane's two elements of B lie below each other: .trans.
__global__ void load(const uint16_t* A, const uint16_t* B, int* right, DeviceRecorder recorder) {
  __shared__ __align__(16) uint16_t tile_a[16 * kStride], tile_b[16 * kStride];
  const int lane = static_cast<int>(threadIdx.x), group = lane >> 2, thread = lane % 4;
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

  int right_a = 0, right_b = 0, right_back = 0;  // as lesson 01 loads them, by hand
  for (int reg = 0; reg < 4; ++reg) {
    const uint16_t* at = &A[(group + reg % 2 * 8) * 16 + thread * 2 + reg / 2 * 8];
    right_a += a[reg] == (at[0] | static_cast<uint32_t>(at[1]) << 16);
  }
  for (int reg = 0; reg < 2; ++reg) {
    const uint16_t* at = &B[(thread * 2 + reg * 8) * 8 + group];
    right_b += b[reg] == (at[0] | static_cast<uint32_t>(at[8]) << 16);
  }
#if __CUDA_ARCH__ >= 900
  __shared__ __align__(16) uint16_t back[16 * kStride];
  ptx::stmatrix_sync_aligned_m8n8_x4_shared_b16(&back[lane % 16 * kStride + lane / 16 * 8], a);
  __syncwarp();
  for (int i = lane; i < 256; i += 32) right_back += back[i / 16 * kStride + i % 16] == A[i];
#endif
  atomicAdd(&right[0], right_a);
  atomicAdd(&right[1], right_b);
  atomicAdd(&right[2], right_back);
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

using Matrix = std::vector<int>;  // whole numbers that f16 stores exactly

std::vector<uint16_t> f16(const Matrix& matrix) {
  std::vector<uint16_t> bits;
  for (const int number : matrix) bits.push_back(static_cast<uint16_t>(F16::encode(number)));
  return bits;
}

int count_right(const std::vector<float>& D, const Matrix& A, const Matrix& B, bool transposed) {
  int right = 0;
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 8; ++col) {
      int sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += A[transposed ? k * 16 + row : row * 16 + k] * B[k * 8 + col];
      right += D[row * 8 + col] == static_cast<float>(sum);
    }
  return right;
}

template <int kWhich>
int test(const Matrix& A, const Matrix& B, bool tell_transposed, Recorder& recorder) {
  DeviceArray<uint16_t> device_a(f16(A)), device_b(f16(B));
  DeviceArray<float> D(16 * 8);
  recorder.launch("multiply", 1, 32);
  multiply<kWhich><<<1, 32>>>(device_a.data(), device_b.data(), D.data());
  const int right = count_right(D.get(), A, B, false);
  std::printf("kernel %d: %d of 128 elements of D are those of A*B", kWhich, right);
  if (tell_transposed)
    std::printf(", %d are those of A-transposed times B", count_right(D.get(), A, B, true));
  std::printf("\n");
  return right;
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"}, {"--asymmetric"});
  const bool asymmetric = argument_given(argc, argv, "--asymmetric");
  Recorder recorder(argc, argv, "03_ldmatrix");
  recorder.view("03 ldmatrix", {"fragments", "memory", "lanes"}, "A 9,5",
                "A[9][5] is 905: in shared memory in row 9, in a register of lane 6.");
  const ThisDevice device = introduce("From shared memory into fragments");
  recorder.launch("ask", 1, 32);
  bool good = show_rows();

  Matrix A(256), B(128), identity(256, 0);
  for (int i = 0; i < 256; ++i) A[i] = 100 * (i / 16) + i % 16;
  for (int i = 0; i < 128; ++i) B[i] = 10 * (i / 8) + i % 8;
  for (int i = 0; i < 16; ++i) identity[i * 17] = 1;
  DeviceArray<uint16_t> device_a(f16(A)), device_b(f16(B));
  DeviceArray<int> right(std::vector<int>(3, 0));
  load<<<1, 32>>>(device_a.data(), device_b.data(), right.data(), recorder.launch("load", 1, 32));
  const std::vector<int> counts = right.get();
  std::printf("A by ldmatrix.x4: %d of 128 registers are what lesson 01 loads by hand.\n",
              counts[0]);
  std::printf("B by ldmatrix.x2.trans: %d of 64.\n", counts[1]);
  if (device.sm >= 90)
    std::printf("A put back by stmatrix.x4: %d of 256 elements.\n\n", counts[2]);
  else
    std::printf("stmatrix needs sm_90 or newer: left out.\n\n");
  good = good && counts[0] == 128 && counts[1] == 64 && (device.sm < 90 || counts[2] == 256);

  std::printf("Two kernels, tested with %s:\n",
              asymmetric ? "A[row][k] = 100 * row + k" : "A = identity");
  good = test<1>(asymmetric ? A : identity, B, asymmetric, recorder) == 128 && good;
  test<2>(asymmetric ? A : identity, B, asymmetric, recorder);
  return recorder.write() && good ? 0 : 1;
}

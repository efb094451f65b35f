// SPDX-License-Identifier: MIT
// Exercise 03: the four address expressions of A and of B.
//
// A is 16 x 16 (M x K) and B is 16 x 16 (K x N), both f16, but A comes transposed: in shared memory
// lies a_t with a_t[k][m] = A[m][k]. B lies as it is, b[k][n]. Both are loaded by
// ldmatrix.x4.trans: A for one mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32, B for two of
// them, b[0] and b[1] for columns 0 to 7, b[2] and b[3] for columns 8 to 15.
//
// Which row does each lane name? Fill the gap in load, then:  ./learn check 3
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <vector>

#include "device_array.cuh"
#include "record.cuh"

constexpr int kStride = 24;      // elements from one row to the next in shared memory
constexpr int kRows = 17;        // 16, and one of NaNs for addresses that are no row of the tile
constexpr int kOut = 4 + 4 + 4;  // words a lane hands back: a, b, and what it computed

__device__ void ldmatrix_x4_trans(std::uint32_t (&r)[4], const std::uint16_t* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(row)))
               : "memory");
}

// Where a row of eight elements begins; the row of NaNs when the tile has none there.
__device__ const std::uint16_t* row_at(const std::uint16_t* tile, int row, int col) {
  const bool is_row = row >= 0 && row < 16 && (col == 0 || col == 8);
  return is_row ? tile + row * kStride + col : tile + 16 * kStride;
}

__global__ void load(const std::uint16_t* a_t, const std::uint16_t* b_matrix, std::uint32_t* out,
                     DeviceRecorder recorder) {
  __shared__ __align__(16) std::uint16_t tile_a[kRows * kStride], tile_b[kRows * kStride];
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = lane; i < kRows * kStride; i += 32) {
    const bool inside = i / kStride < 16 && i % kStride < 16;
    tile_a[i] = inside ? a_t[i / kStride * 16 + i % kStride] : 0xffff;
    tile_b[i] = inside ? b_matrix[i / kStride * 16 + i % kStride] : 0xffff;
  }
  __syncwarp();

  // The row of eight elements that this lane names: it begins at a_t[a_row][a_col],
  // b[b_row][b_col].
  int a_row = -1, a_col = -1, b_row = -1, b_col = -1;

  // ---- your code begins (four lines) ----
  a_row = lane % 8 + lane / 16 * 8;
  a_col = lane / 8 % 2 * 8;
  b_row = lane % 16;
  b_col = lane / 16 * 8;
  // ---- your code ends ----

  std::uint32_t a[4], b[4];
  ldmatrix_x4_trans(a, row_at(tile_a, a_row, a_col));
  ldmatrix_x4_trans(b, row_at(tile_b, b_row, b_col));
  RECORD_TILE(recorder, "a_t", "f16", 16, 16, tile_a, 32, kStride * 2);
  RECORD_TILE(recorder, "b", "f16", 16, 16, tile_b, 32, kStride * 2);
  const std::uint32_t b_left[2] = {b[0], b[1]}, b_right[2] = {b[2], b[3]};
  RECORD(recorder, "A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
  RECORD(recorder, "B", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", b_left);
  RECORD(recorder, "B n=8", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", b_right);
  const int computed[4] = {a_row, a_col, b_row, b_col};
  for (int i = 0; i < 4; ++i) {
    out[lane * kOut + i] = a[i];
    out[lane * kOut + 4 + i] = b[i];
    out[lane * kOut + 8 + i] = static_cast<std::uint32_t>(computed[i]);
  }
}

// check.cpp calls this: the kernel on two 16 x 16 matrices; of each lane a[0] to a[3], b[0] to
// b[3], a_row, a_col, b_row, b_col. With `trace` it also writes what the lanes held.
std::vector<std::uint32_t> load_on_device(const std::vector<std::uint16_t>& a_t,
                                          const std::vector<std::uint16_t>& b, const char* trace) {
  Recorder recorder(trace, "03_ldmatrix");
  recorder.view("03 ldmatrix, your exercise", {"fragments", "memory", "lanes"}, "A 0,0",
                "What your addresses loaded.");
  DeviceArray<std::uint16_t> device_a(a_t), device_b(b);
  DeviceArray<std::uint32_t> out(32 * kOut);
  load<<<1, 32>>>(device_a.data(), device_b.data(), out.data(), recorder.launch("load", 1, 32));
  return out.get();
}

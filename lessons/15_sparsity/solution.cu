// SPDX-License-Identifier: MIT
// Exercise 15: compress A for mma.sp.
//
// A is 16 x 64, f16, row-major. Of every four neighbours in a row two are kept, the others are
// zero. Two instructions multiply it, mma.sp::ordered_metadata...m16n8k32: tile 0 is columns 0 to
// 31 and goes with selector 0, tile 1 is columns 32 to 63 and goes with selector 1. For both of
// them each lane hands in
//
//     a[tile]   the four registers of its stored elements: 16 x 16 of them, placed as lesson 01's A
//     e         one register of metadata. Selector 0 has lanes 4g and 4g + 1 read, selector 1 the
//               other two of the four: so each lane has one tile to speak of, and half of its fours
//
// Fill the gap in compress, then:  ./learn check 15
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <utility>
#include <vector>

#include "device_array.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"

constexpr int kK = 64;

// Four neighbours of a row of A, 0 to 15 of each row: columns 4 * n to 4 * n + 3.
__device__ const std::uint16_t* four(const std::uint16_t* A, int row, int n) {
  return A + row * kK + n * 4;
}

// Which of four are kept, 0 to 3, in this order; where less than two are not zero, a zero fills up.
struct Pair {
  std::uint32_t first, second;
};
__device__ Pair kept_of(const std::uint16_t* four) {
  std::uint32_t first = 0, second = 3;
  while (first < 2 && four[first] == 0) ++first;
  while (second > first + 1 && four[second] == 0) --second;
  return {first, second};
}

// One register out of two f16 numbers: the low half is bits 0 to 15, the high half bits 16 to 31.
__device__ std::uint32_t pack(std::uint16_t low, std::uint16_t high) {
  return low | static_cast<std::uint32_t>(high) << 16;
}

// What this lane hands in of A. e is 0, a is NaN when the gap begins.
__device__ void compress([[maybe_unused]] std::uint32_t (&a)[2][4],
                         [[maybe_unused]] std::uint32_t& e,
                         [[maybe_unused]] const std::uint16_t* A) {
  [[maybe_unused]] const int lane = static_cast<int>(threadIdx.x);
  // ---- your code begins (about ten lines) ----
  for (int tile = 0; tile < 2; ++tile)
    for (int reg = 0; reg < 4; ++reg) {
      const int row = lane / 4 + reg % 2 * 8, n = tile * 8 + reg / 2 * 4 + lane % 4;
      const Pair kept = kept_of(four(A, row, n));
      a[tile][reg] = pack(four(A, row, n)[kept.first], four(A, row, n)[kept.second]);
    }
  for (int i = 0; i < 8; ++i) {
    const Pair kept = kept_of(four(A, lane / 4 + i / 4 * 8, lane % 4 * 4 + i % 4));
    e |= (kept.first | kept.second << 2) << i * 4;
  }
  // ---- your code ends ----
}

// B is 64 x 8. `words`: a[0], a[1] and e of lane 0, of lane 1, ...
__global__ void multiply(const std::uint16_t* A, const std::uint16_t* B, std::uint32_t* words,
                         float* D, DeviceRecorder recorder) {
  const int lane = static_cast<int>(threadIdx.x), group = lane / 4, thread = lane % 4;
  std::uint32_t a[2][4], e[1] = {0}, b[2][4];
  for (int i = 0; i < 8; ++i) a[i / 4][i % 4] = 0xffffffff;  // NaN: nothing stored yet
  compress(a, e[0], A);
  for (int i = 0; i < 8; ++i) {
    const std::uint16_t* at = B + (i * 8 + thread * 2) * 8 + group;
    b[i / 4][i % 4] = pack(at[0], at[8]);
  }
  float d[4] = {};
  ptx::mma_sp_ordered_metadata_sync_aligned_m16n8k32_row_col_f32_f16_f16_f32<0>(d, a[0], b[0], d,
                                                                                e[0]);
  RECORD(recorder, "A", "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
         a[0]);
  RECORD(recorder, "E", "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
         e);
  RECORD(recorder, "B", "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
         b[0]);
  RECORD(recorder, "D", "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
         d);
  ptx::mma_sp_ordered_metadata_sync_aligned_m16n8k32_row_col_f32_f16_f16_f32<1>(d, a[1], b[1], d,
                                                                                e[0]);
  RECORD(recorder, "A k=32",
         "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", a[1]);
  RECORD(recorder, "E selector 1",
         "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", e);
  RECORD(recorder, "B k=32",
         "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", b[1]);
  RECORD(recorder, "D k=32",
         "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", d);
  for (int i = 0; i < 8; ++i) words[lane * 9 + i] = a[i / 4][i % 4];
  words[lane * 9 + 8] = e[0];
  for (int i = 0; i < 4; ++i) D[(group + i / 2 * 8) * 8 + thread * 2 + i % 2] = d[i];
}

// check.cpp calls this: what the lanes handed in for A, 16 x 64, nine words a lane; and D = A * B.
std::pair<std::vector<std::uint32_t>, std::vector<float>> compress_on_device(
    const std::vector<std::uint16_t>& A, const std::vector<std::uint16_t>& B, const char* trace) {
  Recorder recorder(trace, "15_sparsity");
  recorder.view("15 Sparsity, your exercise", {"fragments", "lanes"}, "A 0,0",
                "What your lanes stored of A, columns 0 to 31; the next one: columns 32 to 63.");
  DeviceArray<std::uint16_t> device_a(A), device_b(B);
  DeviceArray<std::uint32_t> words(32 * 9);
  DeviceArray<float> D(16 * 8);
  multiply<<<1, 32>>>(device_a.data(), device_b.data(), words.data(), D.data(),
                      recorder.launch("multiply", 1, 32));
  recorder.memory("dense A", "f16", 16, kK, device_a.data(), kK * 2, kK * 2);
  return {words.get(), D.get()};
}

// SPDX-License-Identifier: MIT
// Exercise 18: hand in the scales.
//
// D = A * B in MXFP4: A is 16 x 256, B is 256 x 16, numbers of e2m1, and 32 neighbours along K
// share a scale, ue8m0. An instruction, m16n8k64 with scale_vec::2X, does 64 of k, a step, and 8
// columns, a tile: eight instructions. All of them are given the same two registers, your sfa and
// sfb. Which lanes and bytes of them each one reads, its selectors say:
//
//     step 0 to 3, tile 0 or 1     A: {byte-id step % 2 * 2, thread-id step / 2}
//                                  B: {byte-id step % 2 * 2, thread-id tile * 2 + step / 2}
//
// With 2X two neighbouring bytes are read, from byte-id on: k 0 to 31 of the step and k 32 to 63.
//
// Fill the gap in hand_in, then:  ./learn check 18
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <utility>
#include <vector>

#include "device_array.cuh"
#include "record.cuh"

constexpr int kK = 256, kBlocks = kK / 32;  // along K, of a row or a column

#define MXFP4 \
  "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0"

// What this lane hands in. scales_a[row * kBlocks + block] is of 32 numbers of row `row` of A, from
// k = block * 32 on; scales_b[col * kBlocks + block] of column `col` of B. sfa and sfb are 0 when
// the gap begins.
__device__ void hand_in([[maybe_unused]] std::uint32_t& sfa, [[maybe_unused]] std::uint32_t& sfb,
                        [[maybe_unused]] const std::uint8_t* scales_a,
                        [[maybe_unused]] const std::uint8_t* scales_b) {
  [[maybe_unused]] const std::uint32_t lane = threadIdx.x;
  // ---- your code begins (about seven lines) ----
  // ---- your code ends ----
}

// The selectors are numbers of 16 bits: here they are in registers.
__device__ void mma(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                    std::uint32_t sfa, std::uint32_t sfb, int step, int tile) {
  const auto byte_id = static_cast<std::uint16_t>(step % 2 * 2);
  const auto thread_a = static_cast<std::uint16_t>(step / 2);
  const auto thread_b = static_cast<std::uint16_t>(tile * 2 + step / 2);
  asm volatile(MXFP4
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}, %10, {%12, %13}, "
               "%11, {%12, %14};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(sfa),
                 "r"(sfb), "h"(byte_id), "h"(thread_a), "h"(thread_b));
}

// A row by row, B column by column, two numbers in a byte. `words`: sfa and sfb of lane 0, of lane
// 1, ...
__global__ void multiply(const std::uint8_t* A, const std::uint8_t* B, const std::uint8_t* scales_a,
                         const std::uint8_t* scales_b, std::uint32_t* words, float* D,
                         DeviceRecorder recorder) {
  const int lane = static_cast<int>(threadIdx.x), group = lane / 4, thread = lane % 4;
  std::uint32_t sfa[1] = {0}, sfb[1] = {0};
  hand_in(sfa[0], sfb[0], scales_a, scales_b);
  words[lane * 2] = sfa[0], words[lane * 2 + 1] = sfb[0];
  const auto eight = [](const std::uint8_t* matrix, int line, int k) {
    return *reinterpret_cast<const std::uint32_t*>(matrix + (line * kK + k) / 2);
  };
  for (int tile = 0; tile < 2; ++tile) {
    float d[4] = {};
    for (int step = 0; step < kBlocks / 2; ++step) {
      std::uint32_t a[4], b[2];
      for (int reg = 0; reg < 4; ++reg)
        a[reg] = eight(A, group + reg % 2 * 8, step * 64 + reg / 2 * 32 + thread * 8);
      for (int reg = 0; reg < 2; ++reg)
        b[reg] = eight(B, tile * 8 + group, step * 64 + reg * 32 + thread * 8);
      mma(d, a, b, sfa[0], sfb[0], step, tile);
      if (step != 0 || tile != 0) continue;
      RECORD(recorder, "A", MXFP4, a);
      RECORD(recorder, "B", MXFP4, b);
      RECORD(recorder, "SFA", MXFP4, sfa);
      RECORD(recorder, "SFB", MXFP4, sfb);
      RECORD(recorder, "D", MXFP4, d);
    }
    for (int i = 0; i < 4; ++i) D[(group + i / 2 * 8) * 16 + tile * 8 + thread * 2 + i % 2] = d[i];
  }
}

// check.cpp calls this: sfa and sfb of every lane; and D, 16 x 16.
std::pair<std::vector<std::uint32_t>, std::vector<float>> multiply_on_device(
    const std::vector<std::uint8_t>& A, const std::vector<std::uint8_t>& B,
    const std::vector<std::uint8_t>& scales_a, const std::vector<std::uint8_t>& scales_b,
    const char* trace) {
  Recorder recorder(trace, "18_block_scale");
  recorder.view("18 Block scaling, your exercise", {"fragments", "lanes"}, "A 0,0",
                "The first of eight instructions: k 0 to 63, columns 0 to 7.");
  DeviceArray<std::uint8_t> device_a(A), device_b(B), device_sa(scales_a), device_sb(scales_b);
  DeviceArray<std::uint32_t> words(32 * 2);
  DeviceArray<float> D(16 * 16);
  multiply<<<1, 32>>>(device_a.data(), device_b.data(), device_sa.data(), device_sb.data(),
                      words.data(), D.data(), recorder.launch("multiply", 1, 32));
  return {words.get(), D.get()};
}

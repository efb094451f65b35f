// SPDX-License-Identifier: MIT
// Exercise 19: pack weights, and unpack them.
//
// W is 128 x 8. Of every weight there is a number q from 0 to 15; the weight is q - 8. Eight
// instructions, mma.m16n8k16, multiply it as their B: step s has k from 16 * s on. For them a lane
// has
//
//     words   its 32 numbers, 4 bits each, eight in a word, packed once and for all: words[w] is
//             about steps 2 * w and 2 * w + 1
//     b       what it hands in to each step: two registers, two weights in each, f16. Each is made
//             of a word's bits under one mask, so that nobody shifts a weight to its half:
//
//                 b[2 * w][0]       words[w] & 0x000f000f
//                 b[2 * w][1]       words[w] & 0x00f000f0
//                 b[2 * w + 1][0]   words[w] >> 8 & 0x000f000f
//                 b[2 * w + 1][1]   words[w] >> 8 & 0x00f000f0
//
// In the real thing packing and unpacking are years apart, in two programs; here they are one
// function. Fill the gap in it, then:  ./learn check 19
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <utility>
#include <vector>

#include "device_array.cuh"
#include "element.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"

constexpr int kK = 128, kN = 8, kSteps = kK / 16;

#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"

// (word & mask) | bits.
__device__ std::uint32_t and_or(std::uint32_t word, std::uint32_t mask, std::uint32_t bits) {
  std::uint32_t result;
  asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(result) : "r"(word), "r"(mask), "r"(bits));
  return result;
}
// a - b and a * b + c, of two f16 numbers each: one in the low half of a register, one in the high.
__device__ std::uint32_t sub_f16x2(std::uint32_t a, std::uint32_t b) {
  std::uint32_t result;
  asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
__device__ std::uint32_t fma_f16x2(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t result;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
  return result;
}
// Some numbers as f16: 1024 is 0x6400, 1032 is 0x6408, 1 / 16 is 0x2c00, -72 is 0xd480.

// What this lane keeps of W, and what it makes of that. W[k * kN + col] is the q of row k and
// column col. words are 0, b is NaN when the gap begins.
__device__ void pack_and_unpack([[maybe_unused]] std::uint32_t (&words)[4],
                                [[maybe_unused]] std::uint32_t (&b)[kSteps][2],
                                [[maybe_unused]] const std::uint8_t* W) {
  [[maybe_unused]] const int lane = static_cast<int>(threadIdx.x);
  // ---- your code begins (about ten lines) ----
  // ---- your code ends ----
}

// A is 16 x 128, row-major. `registers`: words and b of lane 0, of lane 1, ...
__global__ void multiply(const std::uint16_t* A, const std::uint8_t* W, std::uint32_t* registers,
                         float* D, DeviceRecorder recorder) {
  const int lane = static_cast<int>(threadIdx.x), group = lane / 4, thread = lane % 4;
  std::uint32_t words[4] = {}, b[kSteps][2];
  for (int i = 0; i < kSteps * 2; ++i) b[i / 2][i % 2] = 0xffffffff;  // NaN: nothing there yet
  pack_and_unpack(words, b, W);
  for (int i = 0; i < 4; ++i) registers[lane * 20 + i] = words[i];
  for (int i = 0; i < kSteps * 2; ++i) registers[lane * 20 + 4 + i] = b[i / 2][i % 2];
  float d[4] = {};
  for (int step = 0; step < kSteps; ++step) {
    std::uint32_t a[4];
    for (int reg = 0; reg < 4; ++reg)
      a[reg] = *reinterpret_cast<const std::uint32_t*>(A + (group + reg % 2 * 8) * kK + step * 16 +
                                                       thread * 2 + reg / 2 * 8);
    ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d, a, b[step], d);
    if (step > 1) continue;
    if (step == 0) {
      RECORD(recorder, "A", MMA, a);
      RECORD(recorder, "B", MMA, b[0]);
      RECORD(recorder, "D", MMA, d);
    } else {
      RECORD(recorder, "A k=16", MMA, a);
      RECORD(recorder, "B k=16", MMA, b[1]);
      RECORD(recorder, "D k=16", MMA, d);
    }
  }
  for (int i = 0; i < 4; ++i) D[(group + i / 2 * 8) * kN + thread * 2 + i % 2] = d[i];
}

// check.cpp calls this: words and b of every lane, 20 registers each; and D = A * W, 16 x 8.
std::pair<std::vector<std::uint32_t>, std::vector<float>> pack_on_device(
    const std::vector<std::uint16_t>& A, const std::vector<std::uint8_t>& W, const char* trace) {
  Recorder recorder(trace, "19_packed_weights");
  recorder.view("19 Packed weights, your exercise", {"fragments", "lanes", "memory"}, "B 0,0",
                "B of step 0, as you made it of the words; the next one: step 1.");
  DeviceArray<std::uint16_t> device_a(A);
  DeviceArray<std::uint8_t> device_w(W);
  DeviceArray<std::uint32_t> registers(32 * 20);
  DeviceArray<float> D(16 * kN);
  multiply<<<1, 32>>>(device_a.data(), device_w.data(), registers.data(), D.data(),
                      recorder.launch("multiply", 1, 32));
  // For the window, and for `lanescope diagnose`: the matrices that the fragments should be of.
  std::vector<std::uint16_t> weights;
  for (const int q : W)
    weights.push_back(q < 8 ? static_cast<std::uint16_t>(F16::encode(8 - q) | 0x8000)
                            : static_cast<std::uint16_t>(F16::encode(q - 8)));
  DeviceArray<std::uint16_t> matrix(weights);
  recorder.memory("A", "f16", 16, kK, device_a.data(), kK * 2, kK * 2);
  recorder.memory("B", "f16", kK, kN, matrix.data(), kN * 2, kN * 2);
  return {registers.get(), D.get()};
}

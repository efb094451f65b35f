// SPDX-License-Identifier: MIT
// Lesson 19, packed weights: no mma multiplies f16 by integers of 4 bits, so weights of 4 bits
// become f16 in registers. Nobody but the mma reads them: they are stored, once and for all, so
// that what a lane wants of them lies together, in the order in which two instructions a register
// make f16 of it.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.14.5.8 (B of m16n8k16), 9.7.8.6 (lop3), 9.7.4 (f16x2).
//   Steps:    kernel=multiply,launch=5   (in fragment order)
#include <vector>

#include "bench_packed.cuh"
#include "counts.cuh"
#include "device_array.cuh"
#include "halves.cuh"
#include "problem.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"
#include "tables.cuh"
#include "this_device.cuh"

// ---- Where a weight lies ------------------------------------------------------------------------

// What a lane's B has, of a step of eight, 16 of k each: two registers of two halves (lesson 01).
__host__ __device__ Weight wanted(int lane, int step, int reg, int half) {
  return {step * 16 + reg * 8 + lane % 4 * 2 + half, lane / 4};
}

// A nibble is 4 bits of memory: nibble 2 * i is the low half of byte i.
__host__ __device__ int nibble_in_rows(Weight w) { return w.k * kN + w.col; }
__host__ __device__ int nibble_in_columns(Weight w) { return w.col * kK + w.k; }

// In fragment order a lane's 32 nibbles of eight steps are neighbours, 16 bytes, and the warp's 32
// times 16 as well. A word has two steps; the two halves of a register are 16 bits apart:
//
//   bits 31..28   27..24   23..20   19..16 | 15..12   11..8    7..4     3..0
//        high half of                      | low half of
//        b[1]     b[0]     b[1]     b[0]   | b[1]     b[0]     b[1]     b[0]
//        odd step          even step       | odd step          even step
__host__ __device__ int nibble_of_lane(int step, int reg, int half) {
  return step / 2 * 8 + half * 4 + step % 2 * 2 + reg;
}
__host__ __device__ int nibble_in_fragments(int lane, int step, int reg, int half) {
  return lane * 32 + nibble_of_lane(step, reg, half);
}

// Once, offline. Block x has columns 8 * x to 8 * x + 7, block y has k from 128 * y on.
__global__ void pack(const uint8_t* columns, uint4* packed) {
  const int lane = static_cast<int>(threadIdx.x), tile = static_cast<int>(blockIdx.x);
  uint32_t words[4] = {};
  for (int i = 0; i < 32; ++i) {
    const int step = i / 4, reg = i / 2 % 2, half = i % 2, to = nibble_of_lane(step, reg, half);
    const Weight w = wanted(lane, step, reg, half);
    const int group = static_cast<int>(blockIdx.y);
    const int from = nibble_in_columns({group * kGroup + w.k, tile * 8 + w.col});
    words[to / 8] |= (columns[from / 2] >> from % 2 * 4 & 15u) << to % 8 * 4;
  }
  packed[(blockIdx.x * kGroups + blockIdx.y) * 32 + threadIdx.x] =
      make_uint4(words[0], words[1], words[2], words[3]);
}

// ---- From 4 bits to f16 -------------------------------------------------------------------------

// (word & mask) | bits, in one instruction: 0xea is that function's table, (0xf0 & 0xcc) | 0xaa.
__device__ uint32_t and_or(uint32_t word, uint32_t mask, uint32_t bits) {
  uint32_t result;
  asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(result) : "r"(word), "r"(mask), "r"(bits));
  return result;
}

// f16 numbers from 1024 to 2047 are 1 apart: 0x6400 is 1024, and a nibble q in its lowest bits
// makes 1024 + q of it; four bits further up, 1024 + 16 * q. The weight is q - 8, a small whole
// number: the second instruction (halves.cuh) has nothing to round.
constexpr uint32_t k1024 = 0x64006400, k1032 = 0x64086408;          // both halves alike
constexpr uint32_t kSixteenth = 0x2c002c00, kMinus72 = 0xd480d480;  // 1 / 16, -(64 + 8)
__device__ uint32_t even_nibbles(uint32_t word) {                   // 0 and 4
  return sub_f16x2(and_or(word, 0x000f000f, k1024), k1032);
}
__device__ uint32_t odd_nibbles(uint32_t word) {  // 1 and 5, without a shift
  return fma_f16x2(and_or(word, 0x00f000f0, k1024), kSixteenth, kMinus72);
}

__global__ void convert(uint4* answers) {  // lanes q and q + 16: what becomes of nibble q
  const uint32_t q = threadIdx.x % 16, word = 0xff00ff00 | q * 0x00110011;
  answers[threadIdx.x] = make_uint4(and_or(word, 0x000f000f, k1024), even_nibbles(word),
                                    and_or(word, 0x00f000f0, k1024), odd_nibbles(word));
}

// ---- D = A * W ----------------------------------------------------------------------------------

using FragA = uint32_t[4];
using FragB = uint32_t[2];
using FragD = float[4];
#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"

// What a lane has of 128 of k and of eight columns, a tile, and what it hands in to a step of them.
struct Columns {  // two neighbours along k are a byte, those 8 further on four bytes further
  const uint8_t* at;
  __device__ static Columns of(const uint8_t* W, int tile, int group) {
    const int lane = static_cast<int>(threadIdx.x);
    return {W + nibble_in_columns({group * kGroup, tile * 8 + lane / 4}) / 2 + lane % 4};
  }
  __device__ void to_f16(FragB& b, int step) const {
    for (int reg = 0; reg < 2; ++reg) {
      const uint32_t byte = at[step * 8 + reg * 4];
      b[reg] = sub_f16x2((byte & 0xf) | (byte & 0xf0) << 12 | k1024, k1032);
    }
  }
};
struct Packed {  // one load of 16 bytes
  uint4 all;
  __device__ static Packed of(const uint8_t* W, int tile, int group) {
    return {reinterpret_cast<const uint4*>(W)[(tile * kGroups + group) * 32 + threadIdx.x]};
  }
  __device__ void to_f16(FragB& b, int step) const {
    const uint32_t words[4] = {all.x, all.y, all.z, all.w};
    const uint32_t word = words[step / 2] >> step % 2 * 8;
    b[0] = even_nibbles(word);
    b[1] = odd_nibbles(word);
  }
};

// A is row-major, 16 x kK. A block is a warp and has a tile of W. 128 of k of a column, a group,
// share a scale. kScaleWeights: it multiplies the weights, in f16; else the sums, in f32.
template <class Stored, bool kScaleWeights, class AnyRecorder>
__global__ void multiply(const uint16_t* A, const uint8_t* W, const uint16_t* scales, float* D,
                         AnyRecorder recorder) {
  const int lane = static_cast<int>(threadIdx.x), tile = static_cast<int>(blockIdx.x);
  const int row = lane / 4, col = tile * 8 + lane % 4 * 2;
  float sums[4] = {};
  for (int group = 0; group < kGroups; ++group) {
    const Stored stored = Stored::of(W, tile, group);
    // Of the column that its weights are of.
    const uint32_t scale = scales[group * kN + tile * 8 + lane / 4] * 0x10001u;
    FragD d = {};
#pragma unroll
    for (int step = 0; step < kGroup / 16; ++step) {
      const uint16_t* at = A + row * kK + group * kGroup + step * 16 + lane % 4 * 2;
      FragA a;
      FragB b;
      for (int reg = 0; reg < 4; ++reg)
        a[reg] = *reinterpret_cast<const uint32_t*>(at + reg % 2 * 8 * kK + reg / 2 * 8);
      stored.to_f16(b, step);
      for (int reg = 0; kScaleWeights && reg < 2; ++reg) b[reg] = mul_f16x2(b[reg], scale);
      ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d, a, b, d);
      if (step != 0 || group != 0 || tile != 0) continue;
      RECORD(recorder, "A", MMA, a);
      RECORD(recorder, "B", MMA, b);
      RECORD(recorder, "D", MMA, d);
    }
    for (int i = 0; i < 4; ++i)  // its sums are of other columns
      sums[i] += kScaleWeights ? d[i] : d[i] * to_f32(scales[group * kN + col + i % 2]);
  }
  for (int i = 0; i < 4; ++i) D[(row + i / 2 * 8) * kN + col + i % 2] = sums[i];
}

// ---- The lesson ---------------------------------------------------------------------------------

template <class Stored, bool kScaleWeights, class AnyRecorder>
std::vector<float> run(const Problem& p, const uint8_t* W, const AnyRecorder& recorder) {
  DeviceArray<uint16_t> A(p.A), scales(p.scales);
  DeviceArray<float> D(kRows * kN);
  multiply<Stored, kScaleWeights><<<kN / 8, 32>>>(A.data(), W, scales.data(), D.data(), recorder);
  return D.get();
}
template <class Stored, bool kScaleWeights>
bool use(const char* order, const Problem& p, const uint8_t* W) {
  counts::Block block;
  counts::start();
  const std::vector<float> D = run<Stored, kScaleWeights>(p, W, NoRecorder());
  return print_product(order, kScaleWeights, p, D, counts::of_last_launch(block), block);
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"}, {"--bench"});
  if (argument_given(argc, argv, "--bench")) return bench_packed::run<Columns, Packed>();
  Recorder recorder(argc, argv, "19_packed_weights");
  recorder.view("19 Packed weights", {"fragments", "lanes", "memory"}, "B 13,1",
                "B[13][1] was nibble 5 of lane 6's first word of W; A is f16 as ever.");
  introduce("Packed weights");
  const auto launch = [&recorder](const char* kernel, dim3 grid) {
    return recorder.launch(kernel, grid, 32);
  };

  bool good = print_where(wanted, nibble_in_rows, nibble_in_columns, nibble_in_fragments);
  DeviceArray<uint4> answers(32);
  launch("convert", 1);
  convert<<<1, 32>>>(answers.data());
  good = print_conversions(answers.get()) && good;

  const Problem p;
  DeviceArray<uint8_t> columns(p.columns), packed(p.columns.size());
  const dim3 all(kN / 8, kGroups);
  launch("pack", all);
  pack<<<all, 32>>>(columns.data(), reinterpret_cast<uint4*>(packed.data()));
  print_head_of_products();
  launch("multiply", kN / 8);
  good = use<Columns, false>("column after column", p, columns.data()) && good;
  launch("multiply", kN / 8);
  good = use<Packed, false>("in fragment order", p, packed.data()) && good;
  launch("multiply", kN / 8);
  good = use<Packed, true>("in fragment order", p, packed.data()) && good;
  // Once more, to be looked at: what records would be counted, too.
  good = p.right(run<Packed, false>(p, packed.data(), launch("multiply", kN / 8))) && good;
  recorder.memory("W, a row a lane", "u4", 32, 32, packed.data(), 16, 16);
  if (!good) std::printf("\nSomething above is not as it should be.\n");
  return recorder.write() && good ? 0 : 1;
}

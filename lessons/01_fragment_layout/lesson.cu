// SPDX-License-Identifier: MIT
// Lesson 01, fragment layout: which lane holds which matrix element?
//
// mma.sync multiplies two small matrices with all 32 lanes of a warp. Each lane hands in a few
// registers, its fragment of A and of B, and gets back a fragment of D. This program asks the
// instruction itself which elements those are: it feeds it operands whose slots it knows, reads D
// back, draws its conclusions, and only then opens the manual and compares.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.14.5.8 (m16n8k16) and 9.7.14.5.10 (m16n8k32), "Matrix Fragments".
//   Steps:    kernel=multiply
#include <vector>

#include "conclude.cuh"
#include "device_array.cuh"
#include "element.cuh"
#include "fragment_table.cuh"
#include "matrices.cuh"
#include "record.cuh"
#include "siblings.cuh"
#include "this_device.cuh"

// ---- The instruction --------------------------------------------------------------------------

// D = A*B + C, where D and C are 16 x 8, A is 16 x K, B is K x 8. One lane's share of it:
using FragA = uint32_t[4];  // each register holds kParts elements
using FragB = uint32_t[2];
using FragD = float[4];  // C too

struct MmaF16 {
  using Type = F16;
  static constexpr int K = 16, kParts = 2;
  static constexpr int kStepA = 100, kStepB = 10;  // A[9][5] will be 905, B[9][5] will be 95
  __host__ __device__ static constexpr const char* name() {
    return "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
  }
  // Inline PTX. %0, %1, ... are the operands listed behind the text: first what comes out ("=f": a
  // float's register is written), then what goes in ("r": a 32-bit register, "f": a float's).
  __device__ static void run(FragD& d, const FragA& a, const FragB& b, const FragD& c) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]),
          "f"(c[2]), "f"(c[3]));
  }
};

// MmaBf16 and MmaE4m3 look the same, for other types: siblings.cuh.

// ---- 1. Ask: who meets whom? ------------------------------------------------------------------

// A slot is room for one element: a lane, a register, a part of the register (low bits first).
template <class Mma>
__host__ __device__ constexpr int slot(int registers, int lane, int reg, int part = 0) {
  return (lane * registers + reg) * Mma::kParts + part;
}

// Block s asks about slot s of A: there is a 1, the rest of A is 0, and every slot of B holds its
// own number. So D is 0, except where slot s took part: there it is the number of the slot of B
// that it met. The number goes in as two digits from 1 to 16, which every type stores exactly.
template <class Mma>
__global__ void ask(float* answers) {
  using Type = typename Mma::Type;
  const int lane = static_cast<int>(threadIdx.x);
  const int s = static_cast<int>(blockIdx.x);
  FragA a = {};
  FragB low_digit = {}, high_digit = {};
  for (int reg = 0; reg < 4; ++reg)
    for (int part = 0; part < Mma::kParts; ++part)
      if (slot<Mma>(4, lane, reg, part) == s) a[reg] = Type::encode(1) << (part * Type::kBits);
  for (int reg = 0; reg < 2; ++reg)
    for (int part = 0; part < Mma::kParts; ++part) {
      const int number = slot<Mma>(2, lane, reg, part);
      low_digit[reg] |= Type::encode(number % 16 + 1) << (part * Type::kBits);
      high_digit[reg] |= Type::encode(number / 16 + 1) << (part * Type::kBits);
    }
  const FragD zero = {};
  FragD low, high;
  Mma::run(low, a, low_digit, zero);
  Mma::run(high, a, high_digit, zero);
  for (int reg = 0; reg < 4; ++reg)  // below 0: slot s had no part in this element of D
    answers[(s * 32 + lane) * 4 + reg] = 16 * high[reg] + low[reg] - 17;
}

// ---- 2. Conclude: rows, columns and k ---------------------------------------------------------

// conclude.cuh makes a map of the answers: slots that met share a row, a column or a k, and the
// order in which they come up gives them their numbers.

// ---- 3. Compare with the manual ---------------------------------------------------------------

// The formulas of the PTX ISA. It counts a lane's elements as i = kParts * reg + part.
template <class Mma>
Map manual() {
  constexpr int kParts = Mma::kParts;
  Map map;
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane >> 2, thread = lane % 4;  // groupID, threadID_in_group
    for (int i = 0; i < 4 * kParts; ++i)
      map.a.push_back({i / kParts % 2 == 0 ? group : group + 8,
                       thread * kParts + i % kParts + (i < 2 * kParts ? 0 : 4 * kParts)});
    for (int i = 0; i < 2 * kParts; ++i)
      map.b.push_back({thread * kParts + i % kParts + (i < kParts ? 0 : 4 * kParts), group});
    for (int i = 0; i < 4; ++i) map.d.push_back({i < 2 ? group : group + 8, thread * 2 + i % 2});
  }
  return map;
}

// ---- 4. Use it: multiply two matrices, and record who holds what ------------------------------

template <class Mma>
__global__ void multiply(const uint32_t* a_words, const uint32_t* b_words, const float* c_words,
                         float* d_words, DeviceRecorder recorder) {
  const int lane = static_cast<int>(threadIdx.x);
  FragA a;
  FragB b;
  FragD c, d;
  for (int reg = 0; reg < 4; ++reg) a[reg] = a_words[lane * 4 + reg];
  for (int reg = 0; reg < 2; ++reg) b[reg] = b_words[lane * 2 + reg];
  for (int reg = 0; reg < 4; ++reg) c[reg] = c_words[lane * 4 + reg];
  Mma::run(d, a, b, c);
  RECORD(recorder, "A", Mma::name(), a);
  RECORD(recorder, "B", Mma::name(), b);
  RECORD(recorder, "C", Mma::name(), c);
  RECORD(recorder, "D", Mma::name(), d);
  for (int reg = 0; reg < 4; ++reg) d_words[lane * 4 + reg] = d[reg];
}

template <class Mma>
bool use(const Map& map, Recorder& recorder) {
  const std::vector<uint32_t> a = packed<Mma>(map.a, Mma::kStepA),
                              b = packed<Mma>(map.b, Mma::kStepB);
  std::vector<float> c(128);
  for (int s = 0; s < 128; ++s) c[s] = 10.0f * map.d[s].row + map.d[s].col;
  DeviceArray<uint32_t> device_a(a), device_b(b);
  DeviceArray<float> device_c(c), device_d(128);
  multiply<Mma><<<1, 32>>>(device_a.data(), device_b.data(), device_c.data(), device_d.data(),
                           recorder.launch("multiply", 1, 32));
  const int right = count_right<Mma>(map, c, device_d.get());
  std::printf(
      "D = A*B + C with fragments packed so: %d of 128 elements are what the host gets.\n\n",
      right);
  return right == 128;
}

// ---- The lesson -------------------------------------------------------------------------------

template <class Mma>
bool study(Recorder& recorder, bool all_lanes) {
  const int questions = slot<Mma>(4, 32, 0);
  std::printf("%s\n", Mma::name());
  DeviceArray<float> answers(questions * 128);
  recorder.launch("ask", questions, 32);
  ask<Mma><<<questions, 32>>>(answers.data());
  Map map;
  if (!conclude(answers.get(), Mma::K, Mma::kParts, map)) {
    std::printf("lesson: %s: the answers do not add up to a matrix multiplication\n", Mma::name());
    return false;
  }
  const bool agrees = fragment_table::compare(map, manual<Mma>(), Mma::kParts, all_lanes);
  return use<Mma>(map, recorder) && agrees;
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"});
  Recorder recorder(argc, argv, "01_fragment_layout");
  recorder.view("01 Fragment layout", {"fragments", "lanes"}, "A 9,5",
                "A[9][5] is 905, B[9][5] is 95: the elements say where they belong.");
  const ThisDevice device = introduce("Who holds what? We ask");

  bool good = study<MmaF16>(recorder, true);
  good = study<MmaBf16>(recorder, false) && good;
  if (device.sm >= 89)
    good = study<MmaE4m3>(recorder, false) && good;
  else
    std::printf("e4m3 needs sm_89 or newer: left out.\n\n");

  fragment_table::print_proof(good, device.emulator);
  return recorder.write() && good ? 0 : 1;
}

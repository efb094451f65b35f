// SPDX-License-Identifier: MIT
// Lesson 02, data types: one matrix, nine encodings. How many elements share a register, what is
// left of a number after rounding, and what the tensor core does with it: no chain of FMAs.
//
// The program has no decoder: it multiplies each encoded A by the identity, and D tells what the
// tensor core takes A to be.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.14.5 (mma), 9.7.9.22 (cvt), 5.2.3 (alternate formats).
//   Steps:    kernel=multiply
#include <algorithm>
#include <cmath>
#include <vector>

#include "check.cuh"
#include "device_array.cuh"
#include "record.cuh"
#include "this_device.cuh"

// ---- Nine encodings -----------------------------------------------------------------------------

#define ANY_ARCH(statement) statement
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 890
#define FROM_SM_89(statement) statement
#else
#define FROM_SM_89(statement) __trap()  // main() leaves these out
#endif

// D += A*B: four registers of A, two of B, four of D, whatever the type.
#define INSTRUCTION(SumType, constraint, arch, text)                                        \
  using Sum = SumType;                                                                      \
  static constexpr const char* kMnemonic = text;                                            \
  __device__ static void run(Sum(&d)[4], const uint32_t(&a)[4], const uint32_t(&b)[2]) {    \
    arch(asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"         \
                      : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]),   \
                        "+" constraint(d[3])                                                \
                      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))); \
  }

// x as the low bits of a register. With kLevels, x is a whole number of steps, this many at most.
struct Tf32 {
  static constexpr int kBits = 32, kLevels = 0;  // an f32 whose low 13 bits do not count
  INSTRUCTION(float, "f", ANY_ARCH, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32")
  __device__ static uint32_t encode(float x) {
    uint32_t bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
  }
};
struct F16 {
  static constexpr int kBits = 16, kLevels = 0;
  INSTRUCTION(float, "f", ANY_ARCH, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
  __device__ static uint32_t encode(float x) {
    uint16_t bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
  }
};
struct Bf16 {
  static constexpr int kBits = 16, kLevels = 0;
  INSTRUCTION(float, "f", ANY_ARCH, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
  __device__ static uint32_t encode(float x) {
    uint16_t bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
  }
};
struct E4m3 {
  static constexpr int kBits = 8, kLevels = 0;
  INSTRUCTION(float, "f", FROM_SM_89, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32")
  __device__ static uint32_t encode(float x) {
    uint16_t bits = 0;  // cvt makes two numbers at a time; the one in the high byte is 0 here
    FROM_SM_89(asm("cvt.rn.satfinite.e4m3x2.f32 %0, 0f00000000, %1;" : "=h"(bits) : "f"(x)));
    return bits;
  }
};
struct E5m2 {
  static constexpr int kBits = 8, kLevels = 0;
  INSTRUCTION(float, "f", FROM_SM_89, "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32")
  __device__ static uint32_t encode(float x) {
    uint16_t bits = 0;
    FROM_SM_89(asm("cvt.rn.satfinite.e5m2x2.f32 %0, 0f00000000, %1;" : "=h"(bits) : "f"(x)));
    return bits;
  }
};
struct S8 {
  static constexpr int kBits = 8, kLevels = 127;
  INSTRUCTION(int, "r", ANY_ARCH, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32")
  __device__ static uint32_t encode(float x) { return __float2int_rn(x) & 0xff; }
};
struct S4 {
  static constexpr int kBits = 4, kLevels = 7;
  INSTRUCTION(int, "r", ANY_ARCH, "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32")
  __device__ static uint32_t encode(float x) { return __float2int_rn(x) & 0xf; }
};
struct B1 {  // 0 or 1: a product is `and`, the sum counts the ones
  static constexpr int kBits = 1, kLevels = 1;
  INSTRUCTION(int, "r", ANY_ARCH, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc")
  __device__ static uint32_t encode(float x) { return x > 0.5f; }
};
struct F64 {  // below: nothing to encode
  static constexpr int kBits = 64, kLevels = 0;
  static constexpr const char* kMnemonic = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64";
};

// ---- One matrix ---------------------------------------------------------------------------------

constexpr int kRows = 8, kK = 4, kCols = 8;  // A is 8 x 4 and B 4 x 8, the smallest mma of the nine

// Eight types, one kernel. A register holds kParts elements; lesson 01's formulas hold with kParts
// where a 2 stood, so A is 8 * kParts columns wide. Ours fill a corner of it: the rest is 0.
template <class Type>
__global__ void multiply(const float* A, float a_step, const float* B, float b_step, double* D,
                         DeviceRecorder recorder) {
  constexpr int kParts = 32 / Type::kBits;
  const int lane = static_cast<int>(threadIdx.x), group = lane >> 2, thread = lane % 4;
  uint32_t a[4] = {}, b[2] = {};
  typename Type::Sum d[4] = {};
  for (int part = 0; part < kParts; ++part) {
    const int k = thread * kParts + part;  // of a0, a1 and b0; a2, a3 and b1 lie beyond our kK
    if (k >= kK) break;
    a[0] |= Type::encode(A[group * kK + k] / a_step) << (part * Type::kBits);
    b[0] |= Type::encode(B[k * kCols + group] / b_step) << (part * Type::kBits);
  }
  Type::run(d, a, b);
  RECORD(recorder, "A", Type::kMnemonic, a);
  RECORD(recorder, "B", Type::kMnemonic, b);
  RECORD(recorder, "D", Type::kMnemonic, d);
  for (int i = 0; i < 2; ++i)  // d2 and d3 are rows 8 to 15
    D[group * kCols + thread * 2 + i] = static_cast<double>(d[i]) * a_step * b_step;
}

// The ninth: 64-bit registers, one element each, and an instruction that wants one of A.
template <>
__global__ void multiply<F64>(const float* A, float, const float* B, float, double* D,
                              DeviceRecorder recorder) {
  const int lane = static_cast<int>(threadIdx.x), group = lane >> 2, thread = lane % 4;
  double a[1] = {A[group * kK + thread]}, b[1] = {B[thread * kCols + group]}, d[2] = {};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(d[0]), "+d"(d[1])
               : "d"(a[0]), "d"(b[0]));
  RECORD(recorder, "A", F64::kMnemonic, a);
  RECORD(recorder, "B", F64::kMnemonic, b);
  RECORD(recorder, "D", F64::kMnemonic, d);
  for (int i = 0; i < 2; ++i) D[group * kCols + thread * 2 + i] = d[i];
}

using Matrix = std::vector<float>;

float largest(const Matrix& matrix) {
  float most = 0;
  for (const float x : matrix) most = std::max(most, std::fabs(x));
  return most;
}

template <class Type>
std::vector<double> product(const Matrix& A, const Matrix& B, DeviceRecorder recorder) {
  const auto step = [](const Matrix& m) { return Type::kLevels ? largest(m) / Type::kLevels : 1; };
  // The identity needs no steps: its 1 is a 1 in every type.
  const float b_step = largest(B) == 1 ? 1 : step(B);
  DeviceArray<float> device_a(A), device_b(B);
  DeviceArray<double> D(kRows * kCols);
  multiply<Type><<<1, 32>>>(device_a.data(), step(A), device_b.data(), b_step, D.data(), recorder);
  return D.get();
}

// One line of the table. `bound`: how wrong rounding may make an element at most.
template <class Type>
bool study(const char* name, const Matrix& A, const Matrix& B, double relative_bound,
           Recorder& recorder) {
  Matrix identity(kK * kCols, 0);
  for (int k = 0; k < kK; ++k) identity[k * kCols + k] = 1;
  recorder.launch("multiply", 1, 32);
  const std::vector<double> arrived = product<Type>(A, identity, {});
  const std::vector<double> D = product<Type>(A, B, recorder.launch("multiply", 1, 32));
  double element_error = 0, sum_error = 0;
  bool good = true;
  for (int row = 0; row < kRows; ++row)
    for (int col = 0; col < kCols; ++col) {
      double exact = 0;
      for (int k = 0; k < kK; ++k) exact += double(A[row * kK + k]) * B[k * kCols + col];
      sum_error = std::max(sum_error, std::fabs(D[row * kCols + col] - exact));
      if (col >= kK) continue;
      const double x = A[row * kK + col], error = std::fabs(arrived[row * kCols + col] - x);
      element_error = std::max(element_error, error);
      const double bound =
          Type::kLevels ? relative_bound * largest(A) : relative_bound * std::fabs(x);
      good = good && error <= bound * (1 + 1e-6);
    }
  std::printf("%-5s %4d  %5d  %3d    %11.7f   %10.7f   %10.7f%s\n", name, Type::kBits,
              std::max(1, 32 / Type::kBits), Type::kBits == 64 ? 4 : 8 * (32 / Type::kBits),
              arrived[5 * kCols + 2], element_error, sum_error, good ? "" : "   ^ too much");
  return good;
}

// ---- Not a chain of FMAs ------------------------------------------------------------------------

// One row of A times one column of B, 16 products: on the tensor core, and as the loop one writes.
__global__ void sum(const float* x, const float* y, float c, float* out) {
  const int lane = static_cast<int>(threadIdx.x);
  uint32_t a[4] = {}, b[2] = {};
  float d[4] = {c};
  if (lane < 4)  // row 0 of A and column 0 of B are with lanes 0 to 3
    for (int i = 0; i < 4; ++i) {
      const int k = lane * 2 + i % 2 + i / 2 * 8;
      a[i / 2 * 2] |= F16::encode(x[k]) << (i % 2 * 16);
      b[i / 2] |= F16::encode(y[k]) << (i % 2 * 16);
    }
  F16::run(d, a, b);
  float chain = c;
  for (int k = 0; k < 16; ++k) chain = fmaf(x[k], y[k], chain);
  if (lane == 0) out[0] = d[0], out[1] = chain;
}

void add_up(const char* what, int k_of_second, float c) {
  Matrix x(16, 0), y(16, 0);  // 2.25 - 2.25 + 3.0625 * 2^-25
  x[0] = 1.5f, y[0] = 1.5f;
  x[k_of_second] = -3, y[k_of_second] = 0.75f;
  x[2] = std::ldexp(1.75f, -12), y[2] = std::ldexp(1.75f, -13);
  DeviceArray<float> device_x(x), device_y(y), out(2);
  sum<<<1, 32>>>(device_x.data(), device_y.data(), c, out.data());
  const std::vector<float> found = out.get();
  std::printf("%-36s", what);
  uint32_t bits[2];
  std::memcpy(bits, found.data(), 8);
  std::printf("  %08x = %-13.8g  %08x = %.8g\n", bits[0], found[0], bits[1], found[1]);
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"});
  Recorder recorder(argc, argv, "02_data_types");
  recorder.view("02 Data types", {"fragments", "lanes"}, "A 5,2",
                "The same A nine times: watch how many elements share a register.");
  const ThisDevice device = introduce("One matrix, nine encodings");

  Matrix A(kRows * kK), B(kK * kCols);
  for (size_t i = 0; i < A.size(); ++i) A[i] = (static_cast<int>(i * 37 + 5) % 97 - 48) / 7.0f;
  for (size_t i = 0; i < B.size(); ++i) B[i] = (static_cast<int>(i * 29 + 7) % 89 - 44) / 9.0f;
  std::printf(
      "            in a           A[5][2]      largest error\n"
      "type  bits  register  K    %11.7f  of A         of A*B\n",
      A[5 * kK + 2]);
  const bool fp8 = device.sm >= 89;
  bool good = study<F16>("f16", A, B, std::ldexp(1, -11), recorder);
  good = study<Bf16>("bf16", A, B, std::ldexp(1, -8), recorder) && good;
  good = study<Tf32>("tf32", A, B, std::ldexp(1, -11), recorder) && good;
  if (fp8) good = study<E4m3>("e4m3", A, B, std::ldexp(1, -4), recorder) && good;
  if (fp8) good = study<E5m2>("e5m2", A, B, std::ldexp(1, -3), recorder) && good;
  good = study<S8>("s8", A, B, 0.5 / 127, recorder) && good;
  good = study<S4>("s4", A, B, 0.5 / 7, recorder) && good;
  good = study<B1>("b1", A, B, 1, recorder) && good;
  good = study<F64>("f64", A, B, 0, recorder) && good;
  if (!fp8) std::printf("e4m3 and e5m2 need sm_89 or newer: left out.\n");

  std::printf(
      "\nNot a chain of FMAs (f16 in, f32 sums; t = 3.0625 * 2^-25):\n"
      "%-36s  tensor core                 FMA, k = 0 to 15\n",
      "");
  add_up("2.25 - 2.25 + t", 1, 0);
  add_up("1 + 2.25 - 2.25 + t", 1, 1);
  add_up("2.25 + t - 2.25, the last at k = 8", 8, 0);
  if (!good) std::printf("\nRounding went further than it may: look for the ^.\n");
  return recorder.write() && good ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// Lesson 02, data types: one matrix, nine encodings. How many elements share a register, what is
// left of a number after rounding, and what the tensor core does with it: no chain of FMAs.
//
// The program has no decoder: it multiplies each encoded A by the identity, and D tells what the
// tensor core takes A to be.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.14.5 (mma), 9.7.9.21 (cvt), 5.2.3 (alternate formats).
//   Steps:    kernel=multiply
#include <cmath>
#include <vector>

#include "device_array.cuh"
#include "instruction.cuh"
#include "matrices.cuh"
#include "record.cuh"
#include "this_device.cuh"

// ---- Nine encodings -----------------------------------------------------------------------------

// Of each type: the bits of an element; the instruction, of which INSTRUCTION makes run(d, a, b) (D
// += A*B, four registers of A, two of B, four of D); and encode(x), x as the low bits of a
// register, made by the instruction that ENCODE is given. With kLevels, x is a whole number of
// steps, so many at most. Both macros are in instruction.cuh: one asm statement each.
struct F16 {
  static constexpr int kBits = 16, kLevels = 0;
  INSTRUCTION(float, "f", ANY_ARCH, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
  ENCODE(uint16_t, "=h", ANY_ARCH, "cvt.rn.f16.f32 %0, %1;")
};
struct Bf16 {
  static constexpr int kBits = 16, kLevels = 0;
  INSTRUCTION(float, "f", ANY_ARCH, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
  ENCODE(uint16_t, "=h", ANY_ARCH, "cvt.rn.bf16.f32 %0, %1;")
};
struct Tf32 {
  static constexpr int kBits = 32, kLevels = 0;  // an f32 whose low 13 bits do not count
  INSTRUCTION(float, "f", ANY_ARCH, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32")
  ENCODE(uint32_t, "=r", ANY_ARCH, "cvt.rna.tf32.f32 %0, %1;")
};
struct E4m3 {
  static constexpr int kBits = 8, kLevels = 0;
  INSTRUCTION(float, "f", FROM_SM_89, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32")
  // cvt makes two numbers at a time; the one in the high byte is 0 here
  ENCODE(uint16_t, "=h", FROM_SM_89, "cvt.rn.satfinite.e4m3x2.f32 %0, 0f00000000, %1;")
};
struct E5m2 {
  static constexpr int kBits = 8, kLevels = 0;
  INSTRUCTION(float, "f", FROM_SM_89, "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32")
  ENCODE(uint16_t, "=h", FROM_SM_89, "cvt.rn.satfinite.e5m2x2.f32 %0, 0f00000000, %1;")
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

// A is kRows x kK, B kK x kCols, row-major. Eight types, one kernel. A register holds kParts
// elements; lesson 01's formulas for A and B hold with kParts for 2 and 4 * kParts for 8 of k, so
// the instruction's A is 8 * kParts columns wide. Ours fill a corner of it: the rest is 0.
template <class Type>
__global__ void multiply(const float* A, float a_step, const float* B, float b_step, double* D,
                         DeviceRecorder recorder) {
  constexpr int kParts = 32 / Type::kBits;
  const int lane = static_cast<int>(threadIdx.x), group = lane >> 2, thread = lane % 4;
  uint32_t a[4] = {}, b[2] = {};
  typename Type::Sum d[4] = {};
  for (int part = 0; part < kParts; ++part) {
    const int k = thread * kParts + part;  // of A.r0, A.r1, B.r0; the others lie beyond our kK
    if (k >= kK) break;
    a[0] |= Type::encode(A[group * kK + k] / a_step) << (part * Type::kBits);
    b[0] |= Type::encode(B[k * kCols + group] / b_step) << (part * Type::kBits);
  }
  Type::run(d, a, b);
  RECORD(recorder, "A", Type::kMnemonic, a);
  RECORD(recorder, "B", Type::kMnemonic, b);
  RECORD(recorder, "D", Type::kMnemonic, d);
  for (int i = 0; i < 2; ++i)  // D.r2 and D.r3 are rows 8 to 15
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

// One line of the table: what arrives of A, and what becomes of A*B.
template <class Type>
bool study(const char* name, double relative_bound, Recorder& recorder) {
  const Matrix A = matrix_a(), B = matrix_b();
  recorder.launch("multiply", 1, 32);
  const std::vector<double> arrived = product<Type>(A, identity(), {});
  const std::vector<double> D = product<Type>(A, B, recorder.launch("multiply", 1, 32));
  return print_line(name, Type::kBits, Type::kLevels != 0, relative_bound, A, B, arrived, D);
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
  print_sums(what, out.get());
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"});
  Recorder recorder(argc, argv, "02_data_types");
  recorder.view("02 Data types", {"fragments", "lanes"}, "A 5,2",
                "The same A nine times: watch how many elements share a register.");
  const ThisDevice device = introduce("One matrix, nine encodings");

  print_head(matrix_a());
  const bool fp8 = device.sm >= 89;
  bool good = study<F16>("f16", std::ldexp(1, -11), recorder);
  good = study<Bf16>("bf16", std::ldexp(1, -8), recorder) && good;
  good = study<Tf32>("tf32", std::ldexp(1, -11), recorder) && good;
  if (fp8) good = study<E4m3>("e4m3", std::ldexp(1, -4), recorder) && good;
  if (fp8) good = study<E5m2>("e5m2", std::ldexp(1, -3), recorder) && good;
  good = study<S8>("s8", 0.5 / 127, recorder) && good;
  good = study<S4>("s4", 0.5 / 7, recorder) && good;
  good = study<B1>("b1", 1, recorder) && good;
  good = study<F64>("f64", 0, recorder) && good;
  if (!fp8) std::printf("e4m3 and e5m2 need sm_89 or newer: left out.\n");

  print_head_of_sums();
  add_up("2.25 - 2.25 + t", 1, 0);
  add_up("1 + 2.25 - 2.25 + t", 1, 1);
  add_up("2.25 + t - 2.25, the last at k = 8", 8, 0);
  if (!good) std::printf("\nRounding went further than it may: look for the ^.\n");
  return recorder.write() && good ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// Lesson 11, wgmma in every type: all shapes and types that the instruction has, with A from shared
// memory and from registers, with all its immediates, each against a sum worked out exactly by the
// host. Without --all a few N of each; with --all every one. It is also the proof that a card (or
// the emulator) has them all.
//
// The numbers are small and whole, so that no type has to round: a wrong bit is a wrong
// instruction.
//
//   By hand:  nvcc -gencode arch=compute_90a,code=sm_90a -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.15.2 (shapes), .5.1.1 (fragments), .5.2 (types and immediates).
//   Steps:    kernel=multiply
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "arguments.cuh"
#include "check.cuh"
#include "device_array.cuh"
#include "operands.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"
#include "record.cuh"
#include "registers.cuh"
#include "this_device.cuh"

// ---- The instructions ---------------------------------------------------------------------------

// One instruction in one asm statement: D comes from memory at c and goes to memory at o, so that
// 128 registers need no C++ names. shared: A by descriptor. registers: A's four registers.
//   TYPE    the name below       REGS   registers of D      TEXT   dtype.atype.btype
//   IMM_S, IMM_R                 the immediates behind scale-d that this type has
#define MMA(TYPE, N, REGS, K, TEXT, IMM_S, IMM_R)                                                 \
  template <int kScaleA, int kScaleB, int kTransA, int kTransB>                                   \
  struct Mma<TYPE, N, kScaleA, kScaleB, kTransA, kTransB> {                                       \
    static constexpr int kRegisters = REGS;                                                       \
    static __device__ void shared(const uint32_t* c, uint32_t* o, uint64_t a, uint64_t b,         \
                                  int scale_d) {                                                  \
      asm volatile(                                                                               \
          "{ .reg .b64 c, o; .reg .pred p; .reg .b32 d<" #REGS                                    \
          ">;"                                                                                    \
          " mov.b64 c, %0; mov.b64 o, %1; setp.ne.b32 p, %4, 0; " LOAD_##REGS                     \
          " wgmma.fence.sync.aligned;"                                                            \
          " wgmma.mma_async.sync.aligned.m64n" #N "k" #K "." TEXT " {" REGISTERS_##REGS           \
          "}, %2, %3, p" IMM_S                                                                    \
          ";"                                                                                     \
          " wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; " STORE_##REGS      \
          "}" ::"l"(c),                                                                           \
          "l"(o), "l"(a), "l"(b), "r"(scale_d), "n"(kScaleA), "n"(kScaleB), "n"(kTransA),         \
          "n"(kTransB)                                                                            \
          : "memory");                                                                            \
    }                                                                                             \
    static __device__ void registers(const uint32_t* c, uint32_t* o, const uint32_t (&a)[4],      \
                                     uint64_t b, int scale_d) {                                   \
      asm volatile(                                                                               \
          "{ .reg .b64 c, o; .reg .pred p; .reg .b32 d<" #REGS                                    \
          ">;"                                                                                    \
          " mov.b64 c, %0; mov.b64 o, %1; setp.ne.b32 p, %7, 0; " LOAD_##REGS                     \
          " wgmma.fence.sync.aligned;"                                                            \
          " wgmma.mma_async.sync.aligned.m64n" #N "k" #K "." TEXT " {" REGISTERS_##REGS           \
          "}, {%2, %3, %4, %5}, %6, p" IMM_R                                                      \
          ";"                                                                                     \
          " wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; " STORE_##REGS      \
          "}" ::"l"(c),                                                                           \
          "l"(o), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(scale_d), "n"(kScaleA), \
          "n"(kScaleB), "n"(kTransB)                                                              \
          : "memory");                                                                            \
    }                                                                                             \
  };

// The types: name, K, bits of an element, A's and B's elements, D's, and what .satfinite there is.
struct Type {
  const char* text;
  int K, bits;
  Kind a, b, d;
  bool saturates;
  __host__ __device__ constexpr bool transposes() const { return bits == 16; }
  __host__ __device__ constexpr bool is_float() const { return bits != 1 && a != kS8 && a != kU8; }
  __host__ __device__ constexpr bool has(int n) const {
    return is_float() || n % 16 == 0 || n == 8 || n == 24;
  }
};

// clang-format off
#define EVERY_TYPE(X)                                                                              \
  X( 0, 16, 16, "f16.f16.f16",    kF16,  kF16,  kF16, 0) X( 1, 16, 16, "f32.f16.f16",   kF16,  kF16,  kF32, 0) \
  X( 2, 16, 16, "f32.bf16.bf16",  kBf16, kBf16, kF32, 0) X( 3,  8, 32, "f32.tf32.tf32", kTf32, kTf32, kF32, 0) \
  X( 4, 32,  8, "f16.e4m3.e4m3",  kE4m3, kE4m3, kF16, 0) X( 5, 32,  8, "f16.e4m3.e5m2", kE4m3, kE5m2, kF16, 0) \
  X( 6, 32,  8, "f16.e5m2.e4m3",  kE5m2, kE4m3, kF16, 0) X( 7, 32,  8, "f16.e5m2.e5m2", kE5m2, kE5m2, kF16, 0) \
  X( 8, 32,  8, "f32.e4m3.e4m3",  kE4m3, kE4m3, kF32, 0) X( 9, 32,  8, "f32.e4m3.e5m2", kE4m3, kE5m2, kF32, 0) \
  X(10, 32,  8, "f32.e5m2.e4m3",  kE5m2, kE4m3, kF32, 0) X(11, 32,  8, "f32.e5m2.e5m2", kE5m2, kE5m2, kF32, 0) \
  X(12, 32,  8, "s32.s8.s8",      kS8,   kS8,   kS32, 0) X(13, 32,  8, "s32.s8.s8.satfinite", kS8, kS8, kS32, 1) \
  X(14, 32,  8, "s32.s8.u8",      kS8,   kU8,   kS32, 0) X(15, 32,  8, "s32.s8.u8.satfinite", kS8, kU8, kS32, 1) \
  X(16, 32,  8, "s32.u8.s8",      kU8,   kS8,   kS32, 0) X(17, 32,  8, "s32.u8.s8.satfinite", kU8, kS8, kS32, 1) \
  X(18, 32,  8, "s32.u8.u8",      kU8,   kU8,   kS32, 0) X(19, 32,  8, "s32.u8.u8.satfinite", kU8, kU8, kS32, 1) \
  X(20, 256, 1, "s32.b1.b1.and.popc", kB1, kB1, kS32, 0)
constexpr int kTypes = 21;
#define TYPE_LINE(I, K, BITS, TEXT, A, B, D, SAT) {TEXT, K, BITS, A, B, D, SAT != 0},
constexpr Type kEveryType[kTypes] = {EVERY_TYPE(TYPE_LINE)};

template <int kType, int kN, int kScaleA, int kScaleB, int kTransA, int kTransB>
struct Mma;
#define F16_16(N, R32, R16) MMA(0, N, R16, 16, "f16.f16.f16", ", %5, %6, %7, %8", ", %8, %9, %10")
#define F32_16(N, R32, R16) \
  MMA(1, N, R32, 16, "f32.f16.f16", ", %5, %6, %7, %8", ", %8, %9, %10") \
  MMA(2, N, R32, 16, "f32.bf16.bf16", ", %5, %6, %7, %8", ", %8, %9, %10")
#define F32_8(N, R32, R16) MMA(3, N, R32, 8, "f32.tf32.tf32", ", %5, %6", ", %8, %9")
#define F16_32(N, R32, R16) \
  MMA(4, N, R16, 32, "f16.e4m3.e4m3", ", %5, %6", ", %8, %9") MMA(5, N, R16, 32, "f16.e4m3.e5m2", ", %5, %6", ", %8, %9") \
  MMA(6, N, R16, 32, "f16.e5m2.e4m3", ", %5, %6", ", %8, %9") MMA(7, N, R16, 32, "f16.e5m2.e5m2", ", %5, %6", ", %8, %9")
#define F32_32(N, R32, R16) \
  MMA(8, N, R32, 32, "f32.e4m3.e4m3", ", %5, %6", ", %8, %9") MMA(9, N, R32, 32, "f32.e4m3.e5m2", ", %5, %6", ", %8, %9") \
  MMA(10, N, R32, 32, "f32.e5m2.e4m3", ", %5, %6", ", %8, %9") MMA(11, N, R32, 32, "f32.e5m2.e5m2", ", %5, %6", ", %8, %9")
#define S32_32(N, R32, R16) \
  MMA(12, N, R32, 32, "s32.s8.s8", "", "") MMA(13, N, R32, 32, "s32.s8.s8.satfinite", "", "") \
  MMA(14, N, R32, 32, "s32.s8.u8", "", "") MMA(15, N, R32, 32, "s32.s8.u8.satfinite", "", "") \
  MMA(16, N, R32, 32, "s32.u8.s8", "", "") MMA(17, N, R32, 32, "s32.u8.s8.satfinite", "", "") \
  MMA(18, N, R32, 32, "s32.u8.u8", "", "") MMA(19, N, R32, 32, "s32.u8.u8.satfinite", "", "")
#define S32_256(N, R32, R16) MMA(20, N, R32, 256, "s32.b1.b1.and.popc", "", "")
EVERY_N(F16_16) EVERY_N(F32_16) EVERY_N(F32_8) EVERY_N(F16_32) EVERY_N(F32_32)
EVERY_INTEGER_N(S32_32) EVERY_INTEGER_N(S32_256)
static_assert(true);  // for clang-format: the macros end without a semicolon
// clang-format on

// ---- The kernel ---------------------------------------------------------------------------------

// What the host prepares: A and B as they are to lie in shared memory, A's registers, and strides.
constexpr int kBytesA = 64 * 32, kBytesB = 256 * 32;  // K elements are always 32 bytes
struct Operands {
  uint32_t a[kBytesA / 4], b[kBytesB / 4], a_registers[128 * 4];
  int a_lbo, a_sbo, b_lbo, b_sbo;
};

// Which of the type's instructions. Bits 0 and 1 of `immediates` negate A and B, 2 and 3 transpose.
struct Which {
  int n, immediates;
  bool from_registers;
  int scale_d;
};

template <int kType>
constexpr int kImmediates = !kEveryType[kType].is_float()    ? 1
                            : kEveryType[kType].transposes() ? 16
                                                             : 4;

// With N = 8 there are all immediates, with every other N the next combination.
template <int kType, int kN = 8, int v = 0>
__device__ void run(const Which& which, const uint32_t* c, uint32_t* d, const uint32_t (&a)[4],
                    uint64_t of_a, uint64_t of_b) {
  constexpr int kTransA = v >> 2 & 1;
  if constexpr (kEveryType[kType].has(kN)) {
    constexpr int kA = v & 1 ? -1 : 1, kB = v & 2 ? -1 : 1, kTransB = v >> 3 & 1;
    using Instruction = Mma<kType, kN, kA, kB, kTransA, kTransB>;
    const int first = static_cast<int>(threadIdx.x) * Instruction::kRegisters;
    if (which.n == kN && which.immediates == v && !which.from_registers)
      Instruction::shared(c + first, d + first, of_a, of_b, which.scale_d);
    if constexpr (kTransA == 0)  // A in registers cannot be transposed
      if (which.n == kN && which.immediates == v && which.from_registers)
        Instruction::registers(c + first, d + first, a, of_b, which.scale_d);
  }
  if constexpr (kN == 8 && v + 1 < kImmediates<kType>)
    run<kType, 8, v + 1>(which, c, d, a, of_a, of_b);
  else if constexpr (kN < 256)
    run<kType, kN + 8, (kN / 8 + 1) % kImmediates<kType>>(which, c, d, a, of_a, of_b);
}

template <int kType>
__global__ void multiply(const Operands* in, const uint32_t* c, uint32_t* d, Which which) {
  __shared__ __align__(128) uint32_t a[kBytesA / 4], b[kBytesB / 4];
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < kBytesA / 4; i += 128) a[i] = in->a[i];
  for (int i = thread; i < kBytesB / 4; i += 128) b[i] = in->b[i];
  uint32_t a_registers[4];
  for (int reg = 0; reg < 4; ++reg) a_registers[reg] = in->a_registers[thread * 4 + reg];
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  run<kType>(which, c, d, a_registers, ptx::matrix_descriptor(a, in->a_lbo, in->a_sbo, 0),
             ptx::matrix_descriptor(b, in->b_lbo, in->b_sbo, 0));
}

// What the registers of A and D were, for the trace: at N = 8.
#define RECORD_TYPE(I, K, BITS, TEXT, A, B, D, SAT)                                        \
  if constexpr (kType == I) {                                                              \
    RECORD_WARPGROUP(recorder, "A", "wgmma.mma_async.sync.aligned.m64n8k" #K "." TEXT, a); \
    RECORD_WARPGROUP(recorder, "D", "wgmma.mma_async.sync.aligned.m64n8k" #K "." TEXT, d); \
  }
template <int kType>
__global__ void record(const Operands* in, const uint32_t* results, DeviceRecorder recorder) {
  constexpr int kRegisters = kEveryType[kType].d == kF16 ? 2 : 4;
  const int thread = static_cast<int>(threadIdx.x);
  uint32_t a[4], d[kRegisters];
  for (int reg = 0; reg < 4; ++reg) a[reg] = in->a_registers[thread * 4 + reg];
  for (int reg = 0; reg < kRegisters; ++reg) d[reg] = results[thread * kRegisters + reg];
  EVERY_TYPE(RECORD_TYPE)
}

// ---- The host's side ----------------------------------------------------------------------------

using Multiply = void (*)(const Operands*, const uint32_t*, uint32_t*, Which);
using Record = void (*)(const Operands*, const uint32_t*, DeviceRecorder);
#define MULTIPLY(I, ...) multiply<I>,
#define RECORD_IT(I, ...) record<I>,
const Multiply kMultiply[kTypes] = {EVERY_TYPE(MULTIPLY)};
const Record kRecord[kTypes] = {EVERY_TYPE(RECORD_IT)};

struct Case {
  const Type& type;
  int n, immediates;
  bool from_registers;

  int sign() const { return (immediates & 1 ? -1 : 1) * (immediates & 2 ? -1 : 1); }
  bool trans_a() const { return (immediates & 4) != 0; }
  bool trans_b() const { return (immediates & 8) != 0; }
  int d_bits() const { return type.d == kF16 ? 16 : 32; }
  int registers() const { return n / 2 * d_bits() / 32; }
};
struct Count {
  long long instructions = 0, right = 0, elements = 0, saturated = 0;
};

// A's fragment: value i (counted through a thread's four registers) of `thread` is (row, k).
void a_place(const Type& type, int thread, int i, int& row, int& k) {
  const int per = 32 / type.bits, reg = i / per, lane = thread % 32;
  row = thread / 32 * 16 + lane / 4 + reg % 2 * 8;
  k = (lane % 4 + reg / 2 * 4) * per + i % per;
}
void d_place(int thread, int i, int& row, int& col) {
  row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
  col = i / 4 * 8 + thread % 4 * 2 + i % 2;
}

struct Matrices {
  std::vector<int> A, B, C;  // [m][k], [n][k], [m][n]
};
Matrices random_matrices(const Case& c, Numbers& numbers) {
  const auto size = [](int count) { return static_cast<size_t>(count); };
  Matrices m{std::vector<int>(size(64 * c.type.K)), std::vector<int>(size(c.n * c.type.K)),
             std::vector<int>(size(64 * c.n))};
  for (int& a : m.A) a = random_number(c.type.a, numbers);
  for (int& b : m.B) b = random_number(c.type.b, numbers);
  for (int& sum : m.C) {
    sum = numbers.between(-64, 64);
    if (c.type.d == kS32 && numbers.between(0, 1) == 0)  // near the ends of s32
      sum = numbers.between(0, 1) == 0 ? 0x7fffffff - numbers.between(0, 99999)
                                       : -0x7fffffff + numbers.between(0, 99999);
  }
  return m;
}

std::vector<Operands> operands_of(const Case& c, const Matrices& m) {
  std::vector<Operands> in(1);
  std::memset(in.data(), 0, sizeof(Operands));
  const Type& type = c.type;
  lay_out(in[0].a, type.K, type.bits, type.a, m.A, 64, c.trans_a());
  lay_out(in[0].b, type.K, type.bits, type.b, m.B, c.n, c.trans_b());
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < 4 * 32 / type.bits; ++i) {
      int row, k;
      a_place(type, thread, i, row, k);
      put(in[0].a_registers + thread * 4, i * type.bits,
          encode(type.a, m.A[static_cast<size_t>(row * type.K + k)]));
    }
  // K-major: 128 bytes to the next 16 bytes of k, 256 to the next 8 rows. Else LBO leads to the
  // next 8 of k, SBO to the next 8 of m or n.
  in[0].a_lbo = c.trans_a() ? 64 / 8 * 128 : 128, in[0].a_sbo = c.trans_a() ? 128 : 256;
  in[0].b_lbo = c.trans_b() ? c.n / 8 * 128 : 128, in[0].b_sbo = c.trans_b() ? 128 : 256;
  return in;
}

// What D[row][col] must be, exactly; `saturated` counts the sums that .satfinite stopped.
uint32_t expected(const Case& c, const Matrices& m, int row, int col, int scale_d,
                  long long& saturated) {
  long long sum = 0;
  for (int k = 0; k < c.type.K; ++k)
    sum += static_cast<long long>(m.A[static_cast<size_t>(row * c.type.K + k)]) *
           m.B[static_cast<size_t>(col * c.type.K + k)];
  sum *= c.sign();
  if (scale_d != 0) sum += m.C[static_cast<size_t>(row * c.n + col)];
  if (c.type.saturates && (sum > 0x7fffffffLL || sum < -0x80000000LL)) {
    sum = sum < 0 ? -0x80000000LL : 0x7fffffffLL;
    ++saturated;
  }
  return encode(c.type.d, static_cast<int>(static_cast<uint32_t>(sum)));  // s32 wraps
}

// One instruction, with scale-d 0 and 1.
void check(int type, const Case& c, Numbers& numbers, Count& count, Recorder& recorder) {
  const Matrices m = random_matrices(c, numbers);
  std::vector<uint32_t> start(static_cast<size_t>(128 * c.registers()), 0);
  int row, col;
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < c.n / 2; ++i) {
      d_place(thread, i, row, col);
      put(start.data() + thread * c.registers(), i * c.d_bits(),
          encode(c.type.d, m.C[static_cast<size_t>(row * c.n + col)]));
    }
  DeviceArray<Operands> in(operands_of(c, m));
  DeviceArray<uint32_t> device_c(start), device_d(start.size());
  for (const int scale_d : {0, 1}) {
    recorder.launch("multiply", 1, 128);
    kMultiply[type]<<<1, 128>>>(in.data(), device_c.data(), device_d.data(),
                                {c.n, c.immediates, c.from_registers, scale_d});
    const std::vector<uint32_t> d = device_d.get();
    ++count.instructions;
    for (int thread = 0; thread < 128; ++thread)
      for (int i = 0; i < c.n / 2; ++i) {
        d_place(thread, i, row, col);
        const uint32_t word = d[static_cast<size_t>(thread * c.registers() + i * c.d_bits() / 32)];
        const uint32_t found = c.d_bits() == 16 ? word >> (i % 2 * 16) & 0xffff : word;
        ++count.elements;
        count.right += found == expected(c, m, row, col, scale_d, count.saturated);
      }
  }
  if (c.n == 8 && c.immediates == 0 && !c.from_registers)
    kRecord[type]<<<1, 128>>>(in.data(), device_d.data(), recorder.launch("record", 1, 128));
}

bool sweep(int which, bool all, Recorder& recorder) {
  const Type& type = kEveryType[which];
  const int combinations = !type.is_float() ? 1 : type.transposes() ? 16 : 4;
  Numbers numbers;
  Count count;
  for (int n = 8; n <= 256; n += 8) {
    if (!type.has(n) || !(all || n == 8 || n == 24 || n == 64 || n == 256)) continue;
    const int first = n == 8 ? 0 : n / 8 % combinations, last = n == 8 ? combinations - 1 : first;
    for (int v = first; v <= last; ++v)
      for (const bool from_registers : {false, true}) {
        const Case c{type, n, v, from_registers};
        if (!from_registers || !c.trans_a()) check(which, c, numbers, count, recorder);
      }
  }
  std::printf("m64nNk%-3d %-20s %3lld times, %9lld of %9lld elements exact", type.K, type.text,
              count.instructions, count.right, count.elements);
  if (type.saturates) std::printf(", %lld saturated", count.saturated);
  std::printf("\n");
  return count.right == count.elements && (!type.saturates || count.saturated > 0);
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"}, {"--all"});
  Recorder recorder(argc, argv, "11_wgmma_types");
  recorder.view("11 wgmma in every type", {"fragments", "lanes"}, "A 9,5",
                "One type after the other: A and D of m64n8. How many elements fit a register?");
  const ThisDevice device = introduce("wgmma in every type");
  const bool all = argument_given(argc, argv, "--all");
  if (device.sm / 10 != 9) return device.lacks("wgmma is an instruction of sm_90a alone", 11);
  std::printf("%s\n\n", all ? "Every N." : "N = 8, 24, 64 and 256; every N with --all.");
  bool good = true;
  for (int type = 0; type < kTypes; ++type) good = sweep(type, all, recorder) && good;
  std::printf("\n%s\n", good ? "All of them are exact." : "NOT all of them are exact.");
  return recorder.write() && good ? 0 : 1;
}

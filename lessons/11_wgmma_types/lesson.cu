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
#include <vector>

#include "device_array.cuh"
#include "exact.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"
#include "record.cuh"
#include "registers.cuh"
#include "this_device.cuh"

// ---- The instructions ---------------------------------------------------------------------------

// One instruction in one asm statement: D comes from memory at c and goes to memory at o, so that
// 128 registers need no C++ names. shared: A by descriptor. registers: A's four registers.
//   TYPE    its line in the table below    REGS   registers of D    TEXT   dtype.atype.btype
//   IMM     the immediates behind scale-d that this type has: integers none, floats the signs of A
//           and B (1 or -1), 16-bit types trans-a and trans-b, too; A in registers has no trans-a
#define NO_SHARED ""
#define NO_REGISTERS ""
#define SCALES_SHARED ", %5, %6"
#define SCALES_REGISTERS ", %8, %9"
#define SCALES_AND_TRANS_SHARED ", %5, %6, %7, %8"
#define SCALES_AND_TRANS_REGISTERS ", %8, %9, %10"
template <int kType, int kN, int kScaleA, int kScaleB, int kTransA, int kTransB>
struct Mma;
#define MMA(TYPE, N, REGS, K, TEXT, IMM)                                                          \
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
          "}, %2, %3, p" IMM##_SHARED                                                             \
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
          "}, {%2, %3, %4, %5}, %6, p" IMM##_REGISTERS                                            \
          ";"                                                                                     \
          " wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; " STORE_##REGS      \
          "}" ::"l"(c),                                                                           \
          "l"(o), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(scale_d), "n"(kScaleA), \
          "n"(kScaleB), "n"(kTransB)                                                              \
          : "memory");                                                                            \
    }                                                                                             \
  };

// EVERY_TYPE, the table of the 21 types, is in exact.cuh, the list of all instructions in
// registers.cuh: one Mma a type, N and set of immediates.
EVERY_INSTRUCTION;

// ---- The kernel ---------------------------------------------------------------------------------

// Which of the type's instructions. Bits 0 and 1 of `immediates` negate A and B, 2 and 3 transpose.
struct Which {
  int n, immediates;
  bool from_registers;
  int scale_d;
};

// With N = 8 there are all immediates, with every other N the next combination.
template <int kType, int kN = 8, int v = 0>
__device__ void run(const Which& which, const uint32_t* c, uint32_t* d, const uint32_t (&a)[4],
                    uint64_t of_a, uint64_t of_b) {
  constexpr int kTransA = v >> 2 & 1, kCombinations = kEveryType[kType].combinations();
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
  if constexpr (kN == 8 && v + 1 < kCombinations)
    run<kType, 8, v + 1>(which, c, d, a, of_a, of_b);
  else if constexpr (kN < 256)
    run<kType, kN + 8, (kN / 8 + 1) % kCombinations>(which, c, d, a, of_a, of_b);
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

// One instruction, with scale-d 0 and 1.
void check(int type, const Case& c, Numbers& numbers, Count& count, Recorder& recorder) {
  const Matrices m = random_matrices(c, numbers);
  DeviceArray<Operands> in(operands_of(c, m));
  const std::vector<uint32_t> sums = sums_of(c, m);
  DeviceArray<uint32_t> before(sums), after(sums.size());
  for (const int scale_d : {0, 1}) {
    recorder.launch("multiply", 1, 128);
    kMultiply[type]<<<1, 128>>>(in.data(), before.data(), after.data(),
                                {c.n, c.immediates, c.from_registers, scale_d});
    compare(c, m, after.get(), scale_d, count);
  }
  if (c.n == 8 && c.immediates == 0 && !c.from_registers)
    kRecord[type]<<<1, 128>>>(in.data(), after.data(), recorder.launch("record", 1, 128));
}

bool sweep(int type, bool every_n, Recorder& recorder) {
  Numbers numbers;
  Count count;
  for (const Case& c : cases_of(kEveryType[type], every_n))
    check(type, c, numbers, count, recorder);
  return print_count(kEveryType[type], count);
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"}, {"--all"});
  Recorder recorder(argc, argv, "11_wgmma_types");
  recorder.view("11 wgmma in every type", {"fragments", "lanes"}, "A 9,5",
                "One type after the other: A and D of m64n8. How many elements fit a register?");
  const ThisDevice device = introduce("wgmma in every type");
  const bool all = argument_given(argc, argv, "--all");
  if (device.arch != "sm_90a") return device.lacks("wgmma is an instruction of sm_90a alone", 11);
  std::printf("%s\n\n", all ? "Every N." : "N = 8, 24, 64 and 256; every N with --all.");
  bool good = true;
  for (int type = 0; type < kTypes; ++type) good = sweep(type, all, recorder) && good;
  std::printf("\n%s\n", good ? "All of them are exact." : "NOT all of them are exact.");
  return recorder.write() && good ? 0 : 1;
}

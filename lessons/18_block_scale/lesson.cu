// SPDX-License-Identifier: MIT
// Lesson 18, block scaling: numbers of 8 and 4 bits share a scale, 32 or 16 neighbours along K one.
// Which lane's which byte scales which row of A, which column of B and which k: we ask the
// instruction. Then an f32 matrix becomes NVFP4, and what one scale for each 16 numbers is worth.
//
// Nobody has run this on a card here: it is what the PTX ISA says, as ptxas takes it and the
// emulator follows it.
//
//   By hand:  nvcc -gencode arch=compute_120a,code=sm_120a -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.14.3 (block scaling), 9.7.14.5.10, .11 (fragments), .14 (mma).
//   Arch:     sm_120a
//   Steps:    kernel=multiply
#include <vector>

#include "convert.cuh"
#include "device_array.cuh"
#include "problem.cuh"
#include "record.cuh"
#include "tables.cuh"
#include "this_device.cuh"

// ---- The instructions ---------------------------------------------------------------------------

using FragA = uint32_t[4];  // 16 x 32 of e4m3, a byte each; 16 x 64 of e2m1, two in a byte
using FragB = uint32_t[2];  // 32 x 8, 64 x 8
using FragD = float[4];     // 16 x 8

// Two operands more than mma has: a register of scales for A and one for B, which every lane hands
// in, and behind each two numbers, {byte-id, thread-id}, that say whose bytes are read.
#define MXFP8                                                                                     \
  "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32." \
  "ue8m0"
#define NVFP4                                                                                     \
  "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32." \
  "ue4m3"
#define OPERANDS                                                                            \
  " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}, %10, {%12, %13}, %11, " \
  "{%14, %15};"

template <int kByteA, int kThreadA, int kByteB, int kThreadB>
__device__ void mma_mxfp8(FragD& d, const FragA& a, const FragB& b, uint32_t sfa, uint32_t sfb) {
  asm volatile(MXFP8 OPERANDS
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(sfa),
                 "r"(sfb), "n"(kByteA), "n"(kThreadA), "n"(kByteB), "n"(kThreadB));
}
__device__ void mma_nvfp4(FragD& d, const FragA& a, const FragB& b, uint32_t sfa, uint32_t sfb) {
  asm volatile(NVFP4 OPERANDS
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(sfa),
                 "r"(sfb), "n"(0), "n"(0), "n"(0), "n"(0));
}

__device__ void store(float* D, const FragD& d) {  // as lesson 01's
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = 0; i < 4; ++i) D[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

// ---- 1. Ask: whose byte scales which row, which column? -----------------------------------------

// Block q asks about one byte, q % 4, of one lane's register, q / 4. All numbers are 1 and all
// scales 2^0, this one is 2^1. So D is 32, and 64 in the row or column that the byte scales.
template <bool kOfA, int kByte, int kThread>
__global__ void ask_whose(float* answers) {
  const int lane = static_cast<int>(threadIdx.x), q = static_cast<int>(blockIdx.x);
  const FragA a = {0x38383838, 0x38383838, 0x38383838, 0x38383838};  // e4m3 1
  const FragB b = {0x38383838, 0x38383838};
  uint32_t scales = 0x7f7f7f7f;  // ue8m0: 2^(byte - 127)
  if (lane == q / 4) scales += 1u << (q % 4 * 8);
  FragD d = {};
  if constexpr (kOfA) mma_mxfp8<kByte, kThread, 0, 0>(d, a, b, scales, 0x7f7f7f7f);
  if constexpr (!kOfA) mma_mxfp8<0, 0, kByte, kThread>(d, a, b, 0x7f7f7f7f, scales);
  store(answers + q * 128, d);
}

// ---- 2. Ask: which k? ---------------------------------------------------------------------------

// NVFP4 reads all four bytes of a lane, 16 of k each. Column n of B is 1 where k / 16 == n % 4, so
// that D[row][n] is 16, and 32 where the byte scales chunk n % 4 of this row.
__global__ void ask_which(float* answers) {
  const int lane = static_cast<int>(threadIdx.x), q = static_cast<int>(blockIdx.x);
  const FragA a = {0x22222222, 0x22222222, 0x22222222, 0x22222222};  // e2m1 1
  FragB b;  // a register: eight neighbours along K of column lane / 4
  for (int reg = 0; reg < 2; ++reg)
    b[reg] = lane % 4 / 2 + reg * 2 == lane / 4 % 4 ? 0x22222222 : 0;
  uint32_t scales = 0x38383838;  // ue4m3 1
  if (lane == q / 4) scales += 8u << (q % 4 * 8);
  FragD d = {};
  mma_nvfp4(d, a, b, scales, 0x38383838);
  store(answers + q * 128, d);
}

// ---- 3. NVFP4 -----------------------------------------------------------------------------------

// Eight neighbours along K become a register (cvt: convert.cuh). Sixteen share a scale: the lane
// beside this one has the other eight. The largest of the sixteen becomes 6, the largest e2m1;
// `whole`, where it is not 0, is taken for it.
__device__ uint32_t quantise(const float* from, float whole, uint32_t& scale) {
  float most = 0;
  for (int i = 0; i < 8; ++i) most = fmaxf(most, fabsf(from[i]));
  most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, 1));
  scale = to_ue4m3((whole != 0 ? whole : most) / 6);
  const float by = scale == 0 ? 0 : 1 / from_ue4m3(scale);
  uint32_t word = 0;
  for (int i = 0; i < 8; i += 2) word |= to_e2m1(from[i] * by, from[i + 1] * by) << i * 4;
  return word;
}

// The scales go to the lanes that hand them in: byte c of the word that has row `row` scales chunk
// c. Register `reg` has rows lane / 4 + reg % 2 * 8 (of B: column lane / 4) and chunks 0 and 1, or
// 2 and 3; lanes 4g and 4g + 2 of the four know them.
template <int kRegisters>
__device__ uint32_t gather(const uint32_t (&scales)[kRegisters]) {
  constexpr int kHalves = kRegisters / 2;  // 8 rows each: two of A, one of B
  const int lane = static_cast<int>(threadIdx.x);
  uint32_t word = 0;
  for (int reg = 0; reg < kRegisters; ++reg)
    for (int pair = 0; pair < 2; ++pair) {
      const uint32_t scale = __shfl_sync(0xffffffff, scales[reg], lane / 4 * 4 + pair * 2);
      if (lane % kHalves == reg % kHalves) word |= scale << (reg / kHalves * 2 + pair) * 8;
    }
  return word;
}

// A is 16 x 64, row after row; B is 64 x 8, column after column. `registers`: a, b, sfa, sfb of
// each lane, for the host to read again.
__global__ void multiply(const float* A, const float* B, float whole_a, float whole_b, float* D,
                         uint32_t* registers, DeviceRecorder recorder) {
  const int lane = static_cast<int>(threadIdx.x), group = lane / 4, thread = lane % 4;
  FragA a, scales_a;
  FragB b, scales_b;
  for (int reg = 0; reg < 4; ++reg)
    a[reg] = quantise(A + (group + reg % 2 * 8) * kK + reg / 2 * 32 + thread * 8, whole_a,
                      scales_a[reg]);
  for (int reg = 0; reg < 2; ++reg)
    b[reg] = quantise(B + group * kK + reg * 32 + thread * 8, whole_b, scales_b[reg]);
  const uint32_t sfa[1] = {gather(scales_a)}, sfb[1] = {gather(scales_b)};
  FragD d = {};
  mma_nvfp4(d, a, b, sfa[0], sfb[0]);
  RECORD(recorder, "A", NVFP4, a);
  RECORD(recorder, "B", NVFP4, b);
  RECORD(recorder, "SFA", NVFP4, sfa);
  RECORD(recorder, "SFB", NVFP4, sfb);
  RECORD(recorder, "D", NVFP4, d);
  store(D, d);
  const uint32_t words[8] = {a[0], a[1], a[2], a[3], b[0], b[1], sfa[0], sfb[0]};
  for (int i = 0; i < 8; ++i) registers[lane * 8 + i] = words[i];
}

// ---- The lesson ---------------------------------------------------------------------------------

template <bool kOfA, int kByte, int kThread>
bool whose(Recorder& recorder) {
  DeviceArray<float> answers(128 * 128);
  recorder.launch("ask_whose", 128, 32);
  ask_whose<kOfA, kByte, kThread><<<128, 32>>>(answers.data());
  return print_whose(kOfA, kByte, kThread, answers.get());
}

bool which(Recorder& recorder) {
  DeviceArray<float> answers(128 * 128);
  recorder.launch("ask_which", 128, 32);
  ask_which<<<128, 32>>>(answers.data());
  return print_which(answers.get());
}

bool use(const char* name, bool blocks, Recorder& recorder) {
  const Problem p;
  DeviceArray<float> A(p.A), B(p.B), D(128);
  DeviceArray<uint32_t> registers(32 * 8);
  multiply<<<1, 32>>>(A.data(), B.data(), blocks ? 0 : largest(p.A), blocks ? 0 : largest(p.B),
                      D.data(), registers.data(), recorder.launch("multiply", 1, 32));
  return print_product(name, blocks, p, registers.get(), D.get());
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"});
  Recorder recorder(argc, argv, "18_block_scale");
  recorder.view("18 Block scaling", {"fragments", "lanes"}, "A 9,37",
                "A[9][37] is in lane 4; its scale is byte 2 of lane 5's register SFA. Specified by "
                "the PTX ISA; no card has shown it here.");
  const ThisDevice device = introduce("Block scaling");
  if (device.arch != "sm_120a")
    return device.lacks("block scaling is sm_120a's, a GeForce Blackwell's", 18, "sm_120a");
  print_head_of_whose();
  bool good = whose<true, 0, 0>(recorder);
  good = whose<true, 2, 1>(recorder) && good;
  good = whose<false, 0, 0>(recorder) && good;
  good = whose<false, 3, 2>(recorder) && good;
  good = which(recorder) && good;
  print_head_of_products();
  good = use("16 neighbours", true, recorder) && good;
  good = use("all of a matrix", false, recorder) && good;
  device.print_proof(good, "card");
  return recorder.write() && good ? 0 : 1;
}

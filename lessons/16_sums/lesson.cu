// SPDX-License-Identifier: MIT
// Lesson 16, sums: what a tensor core does with the last bits. How far below the largest product
// may one lie and still be heard, is the rest rounded or cut off, which products meet before a
// rounding: we ask the instructions. Then fp8 is multiplied over a long K, where wgmma keeps 13
// bits behind the point, and the sums are moved out of the tensor core every so often, which mends
// it.
//
//   By hand:  nvcc -gencode arch=compute_90a,code=sm_90a -cudart shared -lineinfo
//             -I ../../common/device lesson.cu    (arch=compute_80,code=sm_80: without wgmma)
//   Source:   docs/arithmetic.md; PTX ISA 9.2, 9.7.14.5.8 and .10 (mma), 9.7.15 (wgmma).
//   Steps:    kernel=multiply,launch=21   (K = 256, the sums moved out every 128)
#include <type_traits>
#include <vector>

#include "bench_sums.cuh"
#include "device_array.cuh"
#include "drift.cuh"
#include "operands.cuh"
#include "ptx/mma.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"
#include "record.cuh"
#include "this_device.cuh"

// ---- The instructions ---------------------------------------------------------------------------

// All rows of A are alike here, and all columns of B (operands.cuh): every element of D is the same
// sum, a[0]*b[0] + a[1]*b[1] + ... + c.
template <class Type>
struct Mma {
  static constexpr int kK = Operands<Type>::kK, kThreads = 32;
  static __device__ float sum(const Question& q) {
    Operands<Type> o(q);
    if constexpr (Type::kBits == 16)
      ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(o.d, o.a, o.b, o.d);
    else
      ptx::mma_sync_aligned_m16n8k32_row_col_f32_e4m3_e4m3_f32(o.d, o.a, o.b, o.d);
    return o.d[0];
  }
};

// wgmma takes the same registers of A; B, 8 columns of 32 bytes, has to lie in shared memory: two
// blocks of 8 x 16 bytes (lesson 10).
template <class Type>
struct Wgmma {
  static constexpr int kK = Operands<Type>::kK, kThreads = 128;
  static __device__ float sum(const Question& q) {
    Operands<Type> o(q);
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // sm_90a
    using namespace ptx;
    __shared__ __align__(128) uint32_t tile[64];
    for (int i = static_cast<int>(threadIdx.x); i < 64; i += kThreads)
      tile[i] = o.word(q.b + (i / 32 * 4 + i % 4) * o.kPer);
    fence_proxy_async_shared_cta();
    __syncthreads();
    const uint64_t b = matrix_descriptor(tile, 128, 256, 0);
    settle(o.a);
    settle(o.d);
    wgmma_fence_sync_aligned();
    if constexpr (Type::kBits == 16)
      wgmma_mma_async_sync_aligned_m64n8k16_f32_f16_f16(o.d, o.a, b, 1);
    else
      wgmma_mma_async_sync_aligned_m64n8k32_f32_e4m3_e4m3(o.d, o.a, b, 1);
    wgmma_commit_group_sync_aligned();
    wgmma_wait_group_sync_aligned<0>();
#endif
    return o.d[0];
  }
};

struct FmaChain {  // for comparison: one after the other, each to the nearest f32
  static constexpr int kK = 32, kThreads = 32;
  static __device__ float sum(const Question& q) {
    float sum = q.c;
    for (int k = 0; k < kK; ++k) sum = fmaf(q.a[k], q.b[k], sum);
    return sum;
  }
};

template <class Instruction>
__global__ void add_up(const Question* questions, float* answers) {
  const float sum = Instruction::sum(questions[blockIdx.x]);
  if (threadIdx.x == 0) answers[blockIdx.x] = sum;
}

// ---- 3. A long K --------------------------------------------------------------------------------

__device__ uint32_t word(const unsigned char* four) {
  return *reinterpret_cast<const uint32_t*>(four);
}

// D = A*B, A 64 x K and B K x 8, both e4m3 and k by k in memory. Every `every` of K the sums move
// out of the tensor core and are added to those of the threads, in f32; kNever: at the end.
#define WGMMA "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3"
__global__ void multiply(const unsigned char* A, const unsigned char* B, int K, int every, float* D,
                         DeviceRecorder recorder) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // sm_90a
  using namespace ptx;
  __shared__ __align__(128) uint32_t tile[64];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  const int row = thread / 32 * 16 + lane / 4, col = lane % 4 * 2;
  float d[4] = {}, sums[4] = {};
  for (int k = 0; k < K; k += 32) {
    uint32_t a[4];
    for (int reg = 0; reg < 4; ++reg)
      a[reg] = word(A + (row + reg % 2 * 8) * K + k + lane % 4 * 4 + reg / 2 * 16);
    if (thread < 64)
      tile[thread] = word(B + thread / 4 % 8 * K + k + thread / 32 * 16 + thread % 4 * 4);
    fence_proxy_async_shared_cta();
    __syncthreads();
    const bool anew = every != kNever && k % every == 0;
    settle(a);
    settle(d);
    wgmma_fence_sync_aligned();
    wgmma_mma_async_sync_aligned_m64n8k32_f32_e4m3_e4m3(d, a, matrix_descriptor(tile, 128, 256, 0),
                                                        anew ? 0 : 1);
    wgmma_commit_group_sync_aligned();
    wgmma_wait_group_sync_aligned<0>();
    __syncthreads();  // the tile is free
    if (k + 32 == K || (every != kNever && (k + 32) % every == 0))
      for (int i = 0; i < 4; ++i) sums[i] += d[i];
  }
  if (every == kNever) RECORD_WARPGROUP(recorder, "D", WGMMA, d);
  if (every != kNever) RECORD_WARPGROUP(recorder, "D moved out", WGMMA, sums);
  for (int i = 0; i < 4; ++i) D[(row + i / 2 * 8) * 8 + col + i % 2] = sums[i];
#endif
}

// ---- The lesson ---------------------------------------------------------------------------------

template <class Instruction>
std::vector<float> ask(const std::vector<Question>& questions, Recorder& recorder) {
  const unsigned count = static_cast<unsigned>(questions.size());
  DeviceArray<Question> device(questions);
  DeviceArray<float> answers(count);
  recorder.launch("add_up", count, Instruction::kThreads);
  add_up<Instruction><<<count, Instruction::kThreads>>>(device.data(), answers.data());
  return answers.get();
}

// What was found out of an instruction, and whether it is what docs/arithmetic.md says.
bool answers_of(const ThisDevice& device, Recorder& recorder) {
  std::vector<Found> all;
  const auto ask_of = [&](auto instruction, const char* name) {
    using Instruction = decltype(instruction);
    Found found{name, Instruction::kK};
    const std::vector<float> places = ask<Instruction>(ask_places(), recorder);
    found.last = last_place(places), found.bits = bits_of(places);
    found.rest = ask<Instruction>(ask_rest(found.last), recorder);
    if constexpr (!std::is_same_v<Instruction, FmaChain>)
      found.mask = together(ask<Instruction>(ask_together(found.last, found.K), recorder));
    found.adds = adds_of(ask<Instruction>(ask_ones(found.bits, found.K), recorder), found.bits);
    all.push_back(found);
  };
  ask_of(Mma<F16Type>(), "mma.sync m16n8k16 f16");
  if (device.sm >= 89) ask_of(Mma<E4m3Type>(), "mma.sync m16n8k32 e4m3");
  if (device.arch == "sm_90a") ask_of(Wgmma<F16Type>(), "wgmma m64n8k16 f16");
  if (device.arch == "sm_90a") ask_of(Wgmma<E4m3Type>(), "wgmma m64n8k32 e4m3");
  ask_of(FmaChain(), "fma.rn.f32, one by one");
  return print_found(all, device.arch);
}

// D for every interval; the trace has those of 4096 random numbers, never and every 128.
bool drift(const Numbers& numbers, int K, Recorder& recorder) {
  const Problem problem(numbers, K);
  DeviceArray<unsigned char> A(problem.a), B(problem.b);
  std::vector<std::vector<float>> all;
  for (const int every : kIntervals) {
    DeviceArray<float> D(kRows * kCols);
    const DeviceRecorder of_launch = recorder.launch("multiply", 1, 128);
    const bool shown = !numbers.signs && K == 4096 && (every == kNever || every == 128);
    multiply<<<1, 128>>>(A.data(), B.data(), K, every, D.data(),
                         shown ? of_launch : DeviceRecorder{});
    all.push_back(D.get());
  }
  return print_drift(problem, numbers, all);
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"}, {"--bench"});
  if (argument_given(argc, argv, "--bench")) return bench_sums::run();
  Recorder recorder(argc, argv, "16_sums");
  recorder.view("16 Sums", {"fragments", "lanes"}, "D 9,5",
                "K = 4096, all of it summed up in the tensor core: the last ten bits are 0. The "
                "next product: "
                "the same, moved out every 128.");
  const ThisDevice device = introduce("Sums");
  bool good = answers_of(device, recorder);
  if (device.arch != "sm_90a") {
    std::printf("\nThe rest needs wgmma, which sm_90a alone has: ./learn lesson 16 %s\n",
                device.emulator ? "--arch sm_90a" : "--device cpu");
    return recorder.write() && good ? 0 : 1;
  }
  print_head_of_drift();
  for (const Numbers& numbers : kNumbers)
    for (const int K : numbers.lengths) good = drift(numbers, K, recorder) && good;
  if (!good) std::printf("\nSomething above is not as it should be.\n");
  return recorder.write() && good ? 0 : 1;
}

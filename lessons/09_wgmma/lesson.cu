// SPDX-License-Identifier: MIT
// Lesson 09, wgmma: four warps multiply together while they go on. Who holds which element of D,
// for N from 8 to 256; fence, commit, wait; A from registers; scale-d, negation, transposition.
//
// How a matrix has to lie in shared memory, and what a descriptor is, is lesson 10: here it is
// given.
//
//   By hand:  nvcc -gencode arch=compute_90a,code=sm_90a -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.15; the fragments are figures 148, 149 (A) and 156 (D).
//   Steps:    kernel=vary
#include <vector>

#include "device_array.cuh"
#include "element.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"
#include "record.cuh"
#include "tables.cuh"
#include "this_device.cuh"

// ---- The operands -------------------------------------------------------------------------------

// Only two of the 16 columns of K are used: A[m][0] = m, A[m][1] = 1, B[0][n] = 100, B[1][n] = n.
// So D[m][n] = 100*m + n: every element of D is its own name.
__device__ int a_element(int m, int k) { return k == 0 ? m : k == 1 ? 1 : 0; }
__device__ int b_element(int k, int n) { return k == 0 ? 100 : k == 1 ? n : 0; }

__device__ uint16_t f16(int number) { return static_cast<uint16_t>(F16::encode(number)); }

// In shared memory (lesson 10): blocks of 8 x 8 elements, a block's rows one behind the other, two
// blocks beside each other in K. A and B as wgmma has them by default: neighbours in k are
// neighbours in memory. For n up to 255 that is 8 KB of B.
constexpr int kBlock = 64, kBytes = 2;
__device__ int place(int mn, int k) {
  return mn / 8 * 2 * kBlock + k / 8 * kBlock + mn % 8 * 8 + k % 8;
}

template <int kN>
struct Tiles {
  alignas(128) uint16_t a[64 * 16], b[kN * 16];

  __device__ void fill() {
    for (int i = static_cast<int>(threadIdx.x); i < 64 * 16; i += 128)
      a[place(i / 16, i % 16)] = f16(a_element(i / 16, i % 16));
    for (int i = static_cast<int>(threadIdx.x); i < kN * 16; i += 128)
      b[place(i / 16, i % 16)] = f16(b_element(i % 16, i / 16));
    // wgmma reads shared memory by another path than these stores took (lesson 12).
    ptx::fence_proxy_async_shared_cta();
    __syncthreads();
  }
  __device__ uint64_t describe_a() const {
    return ptx::matrix_descriptor(a, kBlock * kBytes, 2 * kBlock * kBytes, 0);
  }
  __device__ uint64_t describe_b() const {
    return ptx::matrix_descriptor(b, kBlock * kBytes, 2 * kBlock * kBytes, 0);
  }
};

// ---- 1. Who holds which element of D? -----------------------------------------------------------

// The instruction with N = 8, written out: four registers of D, two descriptors, then scale-d (0: D
// = A*B, what was in D does not count), imm-scale-a and -b, trans-a and -b. For other N only the
// list of registers is longer: ptx/wgmma.cuh.
__device__ void multiply_n8(float (&d)[4], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(a), "l"(b));
}

template <int kN>
__device__ void multiply(float (&d)[kN / 2], uint64_t a, uint64_t b) {
  if constexpr (kN == 8) multiply_n8(d, a, b);
  if constexpr (kN == 16) ptx::wgmma_mma_async_sync_aligned_m64n16k16_f32_f16_f16(d, a, b, 0);
  if constexpr (kN == 64) ptx::wgmma_mma_async_sync_aligned_m64n64k16_f32_f16_f16(d, a, b, 0);
  if constexpr (kN == 128) ptx::wgmma_mma_async_sync_aligned_m64n128k16_f32_f16_f16(d, a, b, 0);
  if constexpr (kN == 256) ptx::wgmma_mma_async_sync_aligned_m64n256k16_f32_f16_f16(d, a, b, 0);
}

template <int kN>
__global__ void ask(float* out) {
  __shared__ Tiles<kN> tiles;
  tiles.fill();
  float d[kN / 2];
  ptx::wgmma_fence_sync_aligned();                          // the registers are yours now
  multiply<kN>(d, tiles.describe_a(), tiles.describe_b());  // starts; the threads go on
  ptx::wgmma_commit_group_sync_aligned();                   // what was started is a group
  ptx::wgmma_wait_group_sync_aligned<0>();  // ... and is done: the registers are ours again
  for (int i = 0; i < kN / 2; ++i) out[threadIdx.x * (kN / 2) + static_cast<unsigned>(i)] = d[i];
}

template <int kN>
bool show_map(Recorder& recorder) {
  DeviceArray<float> out(128 * kN / 2);
  recorder.launch("ask", 1, 128);
  ask<kN><<<1, 128>>>(out.data());
  return print_map(kN, out.get());
}

// ---- 2. A from registers, and the immediates ----------------------------------------------------

constexpr int kCases = 8;
const std::vector<Variation> kVariations{
    {"scale-d 1: D + A*B", 10000, 1, true},        {"scale-d 0: A*B", 0, 1, true},
    {"A from registers: D + A*B", 10000, 1, true}, {"imm-scale-a -1: D - A*B", 10000, -1, true},
    {"imm-scale-b -1: D - A*B", 10000, -1, true},  {"both -1: D + A*B", 10000, 1, true},
    {"trans-b 1, B's memory as is", 0, 1, false},  {"trans-b 1, B stored N-major", 0, 1, true},
};

__global__ void vary(float* out, DeviceRecorder recorder) {
  __shared__ Tiles<16> tiles;
  __shared__ __align__(128) uint16_t b_n_major[16 * 16];
  for (int i = static_cast<int>(threadIdx.x); i < 256; i += 128)  // neighbours in n lie together
    b_n_major[place(i / 16, i % 16)] = f16(b_element(i / 16, i % 16));
  tiles.fill();
  const uint64_t a = tiles.describe_a(), b = tiles.describe_b();
  // N-major the two strides change places: LBO leads to the next 8 of k, SBO to the next 8 of n.
  constexpr int kLbo = 2 * kBlock * kBytes, kSbo = kBlock * kBytes;
  const uint64_t n_major = ptx::matrix_descriptor(b_n_major, kLbo, kSbo, 0);
  const uint64_t not_n_major = ptx::matrix_descriptor(tiles.b, kLbo, kSbo, 0);

  // A's fragment: warp w has rows 16*w to 16*w + 15, and in them it is the one of mma.m16n8k16.
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32,
            row = thread / 32 * 16 + lane / 4;
  uint32_t a_registers[4];
  for (int reg = 0; reg < 4; ++reg) {
    const int m = row + reg % 2 * 8, k = lane % 4 * 2 + reg / 2 * 8;
    a_registers[reg] = f16(a_element(m, k)) | static_cast<uint32_t>(f16(a_element(m, k + 1))) << 16;
  }

  float d[kCases][8];
  for (auto& sums : d)
    for (float& sum : sums) sum = 10000;
  using namespace ptx;
  settle(a_registers);  // the compiler must not compute them behind the fence
  for (auto& sums : d) settle(sums);
  wgmma_fence_sync_aligned();
  wgmma_mma_async_sync_aligned_m64n16k16_f32_f16_f16(d[0], a, b, 1);
  wgmma_mma_async_sync_aligned_m64n16k16_f32_f16_f16(d[1], a, b, 0);
  wgmma_mma_async_sync_aligned_m64n16k16_f32_f16_f16(d[2], a_registers, b, 1);
  wgmma_mma_async_sync_aligned_m64n16k16_f32_f16_f16<-1, 1>(d[3], a, b, 1);
  wgmma_commit_group_sync_aligned();  // group 0: the first four
  wgmma_mma_async_sync_aligned_m64n16k16_f32_f16_f16<1, -1>(d[4], a, b, 1);
  wgmma_mma_async_sync_aligned_m64n16k16_f32_f16_f16<-1, -1>(d[5], a, b, 1);
  wgmma_mma_async_sync_aligned_m64n16k16_f32_f16_f16<1, 1, 0, 1>(d[6], a, not_n_major, 0);
  wgmma_mma_async_sync_aligned_m64n16k16_f32_f16_f16<1, 1, 0, 1>(d[7], a, n_major, 0);
  wgmma_commit_group_sync_aligned();   // group 1: the other four
  wgmma_wait_group_sync_aligned<1>();  // at most one group is under way: group 0 is done
  for (int which = 0; which < 4; ++which)
    for (int i = 0; i < 8; ++i) out[(which * 128 + thread) * 8 + i] = d[which][i];
  wgmma_wait_group_sync_aligned<0>();
  for (int which = 4; which < kCases; ++which)
    for (int i = 0; i < 8; ++i) out[(which * 128 + thread) * 8 + i] = d[which][i];
  RECORD_WARPGROUP(recorder, "A", "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16",
                   a_registers);
  RECORD_WARPGROUP(recorder, "D", "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16", d[1]);
}

bool show_variations(Recorder& recorder) {
  DeviceArray<float> out(kCases * 128 * 8);
  vary<<<1, 128>>>(out.data(), recorder.launch("vary", 1, 128));
  return print_variations(kVariations, out.get());
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"});
  Recorder recorder(argc, argv, "09_wgmma");
  recorder.view("09 wgmma", {"fragments", "lanes"}, "D 41,9",
                "D[41][9] is 4109: row 41 belongs to warp 2, and there it is row 9 of 16.");
  const ThisDevice device = introduce("wgmma");
  if (device.arch != "sm_90a") return device.lacks("wgmma is an instruction of sm_90a alone", 9);
  bool good = show_map<16>(recorder);
  good = show_map<8>(recorder) && good;
  good = show_map<64>(recorder) && good;
  good = show_map<128>(recorder) && good;
  good = show_map<256>(recorder) && good;
  good = show_variations(recorder) && good;
  return recorder.write() && good ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// Lesson 08, SASS: PTX is what we write, SASS is what the card runs. ptxas translates the one into
// the other, for every architecture in its own way. Five kernels, each with one thing to see; the
// folder listings/ has what became of them, as record.sh recorded it with NVIDIA's disassembler.
// The program runs the kernels, and prints which line of PTX became what.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   SASS:     ./record.sh sm_90a, where the toolkit has nvdisasm
//   Source:   CUDA Binary Utilities 13.0, "Instruction Set Reference" (the names, not more).
//   Steps:    kernel=multiply_f16
#include "device_array.cuh"
#include "ptx/mma.cuh"
#include "ptx/wgmma.cuh"
#include "record.cuh"

#ifdef LISTING  // record.sh: without the recorder, which would be most of the listing
#undef RECORD
#define RECORD(...)
#else
#include "listing.hpp"
#include "numbers.cuh"
#include "this_device.cuh"
#endif

// ---- 1. cp.async, ldmatrix, mma -----------------------------------------------------------------

// D = A*B for A 16 x 16 and B 16 x 8, row-major f16: by way of shared memory, as lessons 03 and 05.
extern "C" __global__ void multiply_f16(const uint16_t* A, const uint16_t* B, float* D,
                                        [[maybe_unused]] DeviceRecorder recorder) {
  __shared__ __align__(128) uint16_t tile[16 * 16 + 16 * 8];
  const uint32_t lane = threadIdx.x;
  const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + lane * 16),
               "l"(A + lane * 8));
  if (lane < 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + 512 + lane * 16),
                 "l"(B + lane * 8));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncwarp();
  uint32_t a[4], b[2];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(to + lane % 16 * 32 + lane / 16 * 16)
               : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(b[0]), "=r"(b[1])
               : "r"(to + 512 + lane % 16 * 16)
               : "memory");
  const float zero[4] = {};
  float d[4];
  ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d, a, b, zero);
  RECORD(recorder, "A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
  RECORD(recorder, "B", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", b);
  RECORD(recorder, "D", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", d);
  float2* rows = reinterpret_cast<float2*>(D + lane / 4 * 8 + lane % 4 * 2);
  rows[0] = {d[0], d[1]};
  rows[8 * 8 / 2] = {d[2], d[3]};
}

// ---- 2. The same line of PTX, another number of instructions -----------------------------------

// D = A*B for A 16 x 32 and B 32 x 8, e4m3, four to a register; B lies column by column.
extern "C" __global__ void multiply_e4m3(const uint32_t* A, const uint32_t* B, float* D) {
  const uint32_t group = threadIdx.x / 4, thread = threadIdx.x % 4;
  const uint32_t* at = A + group * 8 + thread;
  const uint32_t a[4] = {at[0], at[8 * 8], at[4], at[8 * 8 + 4]};
  const uint32_t b[2] = {B[group * 8 + thread], B[group * 8 + thread + 4]};
  const float zero[4] = {};
  float d[4];
  ptx::mma_sync_aligned_m16n8k32_row_col_f32_e4m3_e4m3_f32(d, a, b, zero);
  float2* rows = reinterpret_cast<float2*>(D + group * 8 + thread * 2);
  rows[0] = {d[0], d[1]};
  rows[8 * 8 / 2] = {d[2], d[3]};
}

// ---- 3. Spills: 64 sums, and room for them or not ----------------------------------------------

constexpr int kTiles = 16;

// 16 tiles of 16 x 8, all with the same A: the sums alone are 64 registers of every lane.
__device__ __forceinline__ void row_of_tiles(const uint32_t* A, const uint32_t* B, float* D,
                                             int steps) {
  const uint32_t lane = threadIdx.x;
  float d[kTiles][4] = {};
  for (int step = 0; step < steps; ++step) {
    uint32_t a[4];
    for (int reg = 0; reg < 4; ++reg) a[reg] = A[(step * 4 + reg) * 32 + lane];
#pragma unroll
    for (int tile = 0; tile < kTiles; ++tile) {
      const uint32_t* at = B + (step * kTiles + tile) * 2 * 32 + lane;
      const uint32_t b[2] = {at[0], at[32]};
      ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d[tile], a, b, d[tile]);
    }
  }
#pragma unroll
  for (int tile = 0; tile < kTiles; ++tile)
    for (int reg = 0; reg < 4; ++reg) D[(tile * 4 + reg) * 32 + lane] = d[tile][reg];
}
// A block of 32 threads may have 255 registers each, one of 1024 only 64: there are 65536.
extern "C" __global__ void __launch_bounds__(32)
    tiles_fit(const uint32_t* A, const uint32_t* B, float* D, int steps) {
  row_of_tiles(A, B, D, steps);
}
extern "C" __global__ void __launch_bounds__(1024, 1)
    tiles_spill(const uint32_t* A, const uint32_t* B, float* D, int steps) {
  row_of_tiles(A, B, D, steps);
}

// ---- 4. wgmma: Hopper's own --------------------------------------------------------------------

// D = A*B for A 64 x 16 and B 16 x 8 (stored column by column), by four warps; lessons 09 and 10
// explain every word of it. Here: what it becomes.
extern "C" __global__ void multiply_wgmma(const uint4* A, const uint4* B, float* D) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  // 16 bytes a thread into 8 x 8 blocks of 128 bytes, one behind the other: k first, then rows.
  __shared__ __align__(128) uint4 tile_a[128], tile_b[16];
  const uint32_t thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const uint32_t place = (thread / 16 * 2 + thread % 2) * 8 + thread / 2 % 8;
  tile_a[place] = A[thread];
  if (thread < 16) tile_b[place] = B[thread];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float d[4];
  ptx::wgmma_fence_sync_aligned();
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "l"(ptx::matrix_descriptor(tile_a, 128, 256, 0)),
        "l"(ptx::matrix_descriptor(tile_b, 128, 256, 0)));
  ptx::wgmma_commit_group_sync_aligned();
  asm volatile("wgmma.wait_group.sync.aligned 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
  float2* rows = reinterpret_cast<float2*>(D + (warp * 16 + lane / 4) * 8 + lane % 4 * 2);
  rows[0] = {d[0], d[1]};
  rows[8 * 8 / 2] = {d[2], d[3]};
#else
  (void)A, (void)B, (void)D;
  __trap();
#endif
}

#ifndef LISTING
// ---- The lesson -------------------------------------------------------------------------------

bool run_f16(Recorder& recorder) {
  DeviceArray<uint32_t> A(words<F16>(16, 16, a_at)), B(words<F16>(16, 8, b_at));
  DeviceArray<float> D(16 * 8);
  multiply_f16<<<1, 32>>>(as<uint16_t>(A), as<uint16_t>(B), D.data(),
                          recorder.launch("multiply_f16", 1, 32));
  const bool good = say("multiply_f16", D.get(), product(16, 16));
  show("multiply_f16", {"cp.async.cg.shared.global", "cp.async.commit_group", "cp.async.wait_group",
                        "bar.warp.sync", "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
                        "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16",
                        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"});
  return good;
}

bool run_e4m3(Recorder& recorder) {
  DeviceArray<uint32_t> A(words<E4m3>(16, 32, a_at)), B(words<E4m3>(8, 32, kTransposedB));
  DeviceArray<float> D(16 * 8);
  recorder.launch("multiply_e4m3", 1, 32);
  multiply_e4m3<<<1, 32>>>(A.data(), B.data(), D.data());
  return say("\nmultiply_e4m3", D.get(), product(16, 32));
}

bool run_tiles(Recorder& recorder) {
  constexpr int kSteps = 3;
  DeviceArray<uint32_t> A(ones(kSteps * 4 * 32)), B(tile_numbers(kSteps, kTiles));
  DeviceArray<float> fit(kTiles * 4 * 32), spill(kTiles * 4 * 32);
  recorder.launch("tiles_fit", 1, 32);
  tiles_fit<<<1, 32>>>(A.data(), B.data(), fit.data(), kSteps);
  recorder.launch("tiles_spill", 1, 32);
  tiles_spill<<<1, 32>>>(A.data(), B.data(), spill.data(), kSteps);
  bool good = say("\ntiles_fit", fit.get(), sums_of_tiles(kSteps, kTiles));
  show_registers("tiles_fit");
  good = say("tiles_spill", spill.get(), sums_of_tiles(kSteps, kTiles)) && good;
  show_registers("tiles_spill");
  return good;
}

bool run_wgmma(Recorder& recorder) {
  DeviceArray<uint32_t> A(words<F16>(64, 16, a_at)), B(words<F16>(8, 16, kTransposedB));
  DeviceArray<float> D(64 * 8);
  recorder.launch("multiply_wgmma", 1, 128);
  multiply_wgmma<<<1, 128>>>(as<uint4>(A), as<uint4>(B), D.data());
  return say("\nmultiply_wgmma", D.get(), product(64, 16));
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"});
  Recorder recorder(argc, argv, "08_sass");
  recorder.view("08 SASS", {"fragments", "lanes"}, "D 9,5",
                "What the kernels compute. What they became: listings/, and the page.");
  const ThisDevice device = introduce("What ptxas makes of it");
  show_provenance();

  bool good = run_f16(recorder);
  if (device.sm >= 89) good = run_e4m3(recorder) && good;
  show("multiply_e4m3", {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32"});
  good = run_tiles(recorder) && good;
  if (device.arch == "sm_90a") good = run_wgmma(recorder) && good;
  show("multiply_wgmma", {"fence.proxy.async.shared::cta", "wgmma.fence.sync.aligned",
                          "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16",
                          "wgmma.commit_group.sync.aligned", "wgmma.wait_group.sync.aligned"});
  return recorder.write() && good ? 0 : 1;
}
#endif  // LISTING

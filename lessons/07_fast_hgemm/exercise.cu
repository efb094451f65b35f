// SPDX-License-Identifier: MIT
// Exercise 07: the pipeline of rung 6, in registers and in shared memory at once.
//
// Four warps compute C = A*B, A 32 x K and B K x 64. A step is 64 of K: one of three stages of
// shared memory, multiplied in four slices of 16. Two buffers of registers hold fragments: while
// one slice is multiplied, the next one's fragments are loaded into the other buffer. The copies of
// the stage two steps ahead are started in three parts, one in each slice but the last.
//
// Fill the gap in multiply_all: what happens in slice `slice` of step `step`? Before it, the
// fragments of this slice are in buffer slice % 2 already. Then:  ./learn check 7
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <utility>
#include <vector>

#include "device_array.cuh"
#include "ptx/cp_async.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"

constexpr int kM = 32, kN = 64, kK = 64, kStages = 3, kSlices = 4, kParts = 3, kThreads = 128;
constexpr int kMostNotes = 300, kNote = 4;  // what a thread does: so many, words of each

// One step's tiles, 32 x 64 of A and 64 x 64 of B, swizzled.
struct Stage {
  std::uint16_t a[kM * kK], b[kK * kN];
};

// What you have to build with. Every thread also notes what it does, for the check.
struct Pipe {
  Stage* stages;
  const std::uint16_t *A, *B;
  int steps;
  int* notes;  // this thread's
  int count = 0;
  std::uint32_t a[2][4], b[2][4][2];  // the two buffers of a warp: 16 x 16 of A, 16 x 32 of B
  float acc[4][4] = {};               // 16 x 32 of C

  // Starts part 0, 1 or 2 of this thread's copies of a step. Beyond the last step: nothing.
  __device__ void start_part(int step, int part) {
    note(1, step, part);
    if (step < 0 || step >= steps || part < 0 || part >= kParts) return;
    Stage& to = stages[step % kStages];
    const int thread = static_cast<int>(threadIdx.x);
    for (int i = part * 2; i < part * 2 + 2; ++i) {  // 2 chunks of A, then 4 of B
      const int chunk = (i < 2 ? i : i - 2) * kThreads + thread, row = chunk / 8,
                col = chunk % 8 * 8;
      if (i < 2)
        ptx::cp_async_cg_shared_global_16(&to.a[at(row, col)],
                                          A + row * steps * kK + step * kK + col);
      else
        ptx::cp_async_cg_shared_global_16(&to.b[at(row, col)], B + (step * kK + row) * kN + col);
    }
  }
  // The parts started since the last commit are a group, be they none.
  __device__ void commit() {
    note(2);
    ptx::cp_async_commit_group();
  }
  // Waits until at most kGroups of this thread's groups, the last ones, are still under way.
  template <int kGroups>
  __device__ void wait() {
    note(3, kGroups);
    ptx::cp_async_wait_group<kGroups>();
  }
  // Waits for all 128 threads.
  __device__ void barrier() {
    note(4);
    __syncthreads();
  }
  // Loads the fragments of a slice, 0 to 3, into buffer 0 or 1. Beyond the last step: nothing.
  __device__ void load(int buffer, int step, int slice) {
    note(5, buffer, step, slice);
    if (step < 0 || step >= steps || slice < 0 || slice >= kSlices || (buffer & ~1) != 0) return;
    const Stage& from = stages[step % kStages];
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int k = slice * 16, row = lane % 16, col = lane / 16 * 8;
    ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(a[buffer],
                                                  &from.a[at(warp / 2 * 16 + row, k + col)]);
    for (int j = 0; j < 4; j += 2) {
      std::uint32_t two[4];
      ptx::ldmatrix_sync_aligned_m8n8_x4_trans_shared_b16(
          two, &from.b[at(k + row, warp % 2 * 32 + j * 8 + col)]);
      for (int reg = 0; reg < 4; ++reg) b[buffer][j + reg / 2][reg % 2] = two[reg];
    }
  }
  // Adds the product of the fragments in a buffer to the sums.
  __device__ void multiply(int buffer) {
    note(6, buffer);
    if ((buffer & ~1) != 0) return;  // there are two
    for (int j = 0; j < 4; ++j)
      ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(acc[j], a[buffer], b[buffer][j],
                                                             acc[j]);
  }

  __device__ static int at(int row, int col) { return row * 64 + ((col / 8) ^ (row % 8)) * 8; }
  __device__ void note(int what, int first = 0, int second = 0, int third = 0) {
    if (count >= kMostNotes) return;
    const int words[kNote] = {what, first, second, third};
    for (int i = 0; i < kNote; ++i) notes[count * kNote + i] = words[i];
    ++count;
  }
};

__device__ void multiply_all(Pipe& pipe) {
  for (int step = 0; step < kStages - 1; ++step) {
    for (int part = 0; part < kParts; ++part) pipe.start_part(step, part);
    pipe.commit();
  }
  pipe.wait<kStages - 2>();
  pipe.barrier();
  pipe.load(0, 0, 0);

  for (int step = 0; step < pipe.steps; ++step) {
#pragma unroll
    for (int slice = 0; slice < kSlices; ++slice) {
      // ---- your code begins (about ten lines) ----
      // ---- your code ends ----
    }
  }
}

__global__ void __launch_bounds__(kThreads)
    hgemm(const std::uint16_t* A, const std::uint16_t* B, float* C, int steps, int* notes,
          DeviceRecorder recorder) {
  __shared__ __align__(128) Stage stages[kStages];
  for (int i = static_cast<int>(threadIdx.x); i < static_cast<int>(sizeof stages / 4);
       i += kThreads)
    reinterpret_cast<std::uint32_t*>(stages)[i] = 0xffffffff;  // NaNs, where nothing is copied
  __syncthreads();
  Pipe pipe{stages, A, B, steps, notes + threadIdx.x * kMostNotes * kNote};
  multiply_all(pipe);
  RECORD(recorder, "D", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", pipe.acc[0]);
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  for (int j = 0; j < 4; ++j)
    for (int reg = 0; reg < 4; ++reg)
      C[(warp / 2 * 16 + lane / 4 + reg / 2 * 8) * kN + warp % 2 * 32 + j * 8 + lane % 4 * 2 +
        reg % 2] = pipe.acc[j][reg];
}

// check.cpp calls this: 32 x 64 of C, and the notes of each thread, four words each: what it did,
// by the number in Pipe, and what it was given; -1 where there is none. With `trace` it also writes
// what the lanes held.
std::pair<std::vector<float>, std::vector<int>> multiply_on_device(
    const std::vector<std::uint16_t>& A, const std::vector<std::uint16_t>& B, int steps,
    const char* trace) {
  Recorder recorder(trace, "07_fast_hgemm");
  recorder.view("07 A fast HGEMM, your exercise", {"fragments", "lanes"}, "D 0,0",
                "The sums of each warp's first 16 x 8 block.");
  DeviceArray<std::uint16_t> device_a(A), device_b(B);
  DeviceArray<float> C(kM * kN);
  DeviceArray<int> notes(kThreads * kMostNotes * kNote);  // all -1
  hgemm<<<1, kThreads>>>(device_a.data(), device_b.data(), C.data(), steps, notes.data(),
                         recorder.launch("hgemm", 1, kThreads));
  std::vector<float> sums = C.get();
  return {sums, notes.get()};
}

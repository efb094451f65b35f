// SPDX-License-Identifier: MIT
// Exercise 05: keep two tiles under way in a loop over three stages.
//
// Four warps compute D = A*B, A 16 x K and B K x 32. In every step of k they multiply one pair of
// tiles, while cp.async fills the other two stages. All 128 threads copy, so what a warp reads has
// been copied by others: after the wait for one's own copies it takes a barrier.
//
// Fill the gap in multiply: what has to happen before tile `step` may be read, and which tile is
// started next? Then:  ./learn check 5
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <utility>
#include <vector>

#include "device_array.cuh"
#include "ptx/cp_async.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"

constexpr int kStages = 3, kStride = 24, kStrideB = 40, kThreads = 128;
constexpr int kMostNotes = 300;  // what a thread does: so many

// One step's tiles: 16 x 16 of A, 16 x 32 of B, row-major.
struct Tiles {
  std::uint16_t a[16 * kStride], b[16 * kStrideB];
};

// What you have to build with. Every thread also notes what it does, for the check.
struct Pipe {
  Tiles* tiles;
  const std::uint16_t *A, *B;
  int K;
  int* notes;  // this thread's
  int count = 0;

  // Starts this thread's share of the copies of tile `step` into stage step % 3. Beyond the last
  // tile there is nothing to copy.
  __device__ void start(int step) {
    note(1, step);
    if (step < 0 || step >= K / 16) return;
    const int thread = static_cast<int>(threadIdx.x);
    Tiles& to = tiles[step % kStages];
    if (thread < 32)
      ptx::cp_async_cg_shared_global_16(&to.a[thread / 2 * kStride + thread % 2 * 8],
                                        A + thread / 2 * K + step * 16 + thread % 2 * 8);
    else if (thread < 96)
      ptx::cp_async_cg_shared_global_16(&to.b[(thread / 4 - 8) * kStrideB + thread % 4 * 8],
                                        B + (step * 16 + thread / 4 - 8) * 32 + thread % 4 * 8);
  }
  // The copies started since the last commit are a group, be they none.
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
  __device__ void note(int what, int which = 0) {
    if (count >= kMostNotes) return;
    notes[count * 2] = what;
    notes[count++ * 2 + 1] = which;
  }
};

// Adds the product of tile `step` to d. What warp 0 read of the first four tiles is recorded: two
// that were started before the loop, the first of yours, and the first in a stage that was used.
__device__ void multiply_tile(Pipe& pipe, float (&d)[4], int step, DeviceRecorder recorder) {
  pipe.note(5, step);
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const Tiles& from = pipe.tiles[step % kStages];
  std::uint32_t a[4], b[2];
  ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(a, &from.a[lane % 16 * kStride + lane / 16 * 8]);
  ptx::ldmatrix_sync_aligned_m8n8_x2_trans_shared_b16(b, &from.b[lane % 16 * kStrideB + warp * 8]);
  ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d, a, b, d);
  if (warp == 0 && step == 0) {
    RECORD(recorder, "A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
    RECORD(recorder, "B", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", b);
  } else if (warp == 0 && step == 1) {
    RECORD(recorder, "A k=16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
    RECORD(recorder, "B k=16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", b);
  } else if (warp == 0 && step == 2) {
    RECORD(recorder, "A k=32", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
    RECORD(recorder, "B k=32", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", b);
  } else if (warp == 0 && step == 3) {
    RECORD(recorder, "A k=48", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
    RECORD(recorder, "B k=48", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", b);
  }
}

__global__ void multiply(const std::uint16_t* A, const std::uint16_t* B, float* D, int K,
                         int* notes, DeviceRecorder recorder) {
  __shared__ __align__(128) Tiles tiles[kStages];
  for (int i = static_cast<int>(threadIdx.x); i < static_cast<int>(sizeof tiles / 4); i += kThreads)
    reinterpret_cast<std::uint32_t*>(tiles)[i] = 0xffffffff;  // NaN until a copy has landed
  __syncthreads();

  Pipe pipe{tiles, A, B, K, notes + threadIdx.x * kMostNotes * 2};
  float d[4] = {};
  pipe.start(0);
  pipe.commit();
  pipe.start(1);
  pipe.commit();
  for (int step = 0; step < K / 16; ++step) {
    // ---- your code begins (four lines) ----
    pipe.wait<1>();
    pipe.barrier();
    pipe.start(step + 2);
    pipe.commit();
    // ---- your code ends ----
    multiply_tile(pipe, d, step, recorder);
  }

  RECORD(recorder, "D", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", d);
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  for (int i = 0; i < 4; ++i)
    D[((lane >> 2) + i / 2 * 8) * 32 + warp * 8 + lane % 4 * 2 + i % 2] = d[i];
}

// check.cpp calls this: D of 16 x K times K x 32, and what each thread did, in its order, two words
// each: 1 and the tile for a start, 2 a commit, 3 and the groups a wait, 4 a barrier, 5 and the
// tile a multiplication; 0 where there is none.
std::pair<std::vector<float>, std::vector<int>> multiply_on_device(
    const std::vector<std::uint16_t>& A, const std::vector<std::uint16_t>& B, int K,
    const char* trace) {
  Recorder recorder(trace, "05_cp_async");
  recorder.view("05 cp.async, your exercise", {"fragments", "lanes"}, "A 0,0",
                "What warp 0 read of the first four tiles. NaN: before it had landed.");
  DeviceArray<std::uint16_t> device_a(A), device_b(B);
  DeviceArray<float> D(16 * 32);
  DeviceArray<int> notes(std::vector<int>(kThreads * kMostNotes * 2, 0));
  multiply<<<1, kThreads>>>(device_a.data(), device_b.data(), D.data(), K, notes.data(),
                            recorder.launch("multiply", 1, kThreads));
  recorder.memory("A", "f16", 16, K, device_a.data(), std::size_t(K) * 2, std::size_t(K) * 2);
  recorder.memory("B", "f16", K, 32, device_b.data(), 64, 64);
  return {D.get(), notes.get()};
}

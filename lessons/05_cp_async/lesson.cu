// SPDX-License-Identifier: MIT
// Lesson 05, cp.async: shared memory is filled while the warp does something else. The copy is
// under way until a wait says otherwise; who reads too early reads what was there before. First
// four copies and every wait there is, then a loop that always has copies under way.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.9.25.3 (cp.async, cp.async.commit_group, cp.async.wait_group).
//   Steps:    kernel=multiply,launch=7   (three stages)
#include <vector>

#include "device_array.cuh"
#include "problem.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"
#include "this_device.cuh"

// ---- The instructions ---------------------------------------------------------------------------

// 16 bytes from global to shared memory. No register holds them and nobody waits; .cg: past the L1.
__device__ void cp_async(uint16_t* to, const uint16_t* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(ptx::shared_address(to)), "l"(from)
               : "memory");
}
// The copies that this thread started since its last commit are a group.
__device__ void commit_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// Waits until at most kGroups of this thread's groups, the last ones, are still under way.
template <int kGroups>
__device__ void wait_group() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kGroups) : "memory");
}

constexpr int kStride = 24;  // elements from row to row of a tile: 48 bytes, no bank conflicts
constexpr uint16_t kNan = 0xffff;

// One step's tiles: 16 x 16 of A, row-major, and 16 x 8 of B.
struct Tiles {
  uint16_t a[16 * kStride], b[16 * 8];
};

// Lane n copies half a row of A, lanes 0 to 15 a row of B each.
__device__ void start(Tiles& to, const uint16_t* A, const uint16_t* B, int K, int step) {
  const int lane = static_cast<int>(threadIdx.x);
  cp_async(&to.a[lane / 2 * kStride + lane % 2 * 8], A + lane / 2 * K + step * 16 + lane % 2 * 8);
  if (lane < 16) cp_async(&to.b[lane * 8], B + (step * 16 + lane) * 8);
}
__device__ void load_a(uint32_t (&a)[4], const Tiles& from) {
  const int lane = static_cast<int>(threadIdx.x);
  ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(a, &from.a[lane % 16 * kStride + lane / 16 * 8]);
}
__device__ void poison(Tiles* tiles, int count) {
  uint16_t* at = reinterpret_cast<uint16_t*>(tiles);
  for (int i = static_cast<int>(threadIdx.x); i < count * static_cast<int>(sizeof(Tiles) / 2);
       i += 32)
    at[i] = kNan;
  __syncwarp();
}

// ---- 1. Four copies, and every wait there is ----------------------------------------------------

template <int kWait>
__global__ void arrived(const uint16_t* A, const uint16_t* B, uint32_t* out,
                        DeviceRecorder recorder) {
  __shared__ __align__(128) Tiles tiles[4];
  poison(tiles, 4);
  for (int step = 0; step < 4; ++step) {
    start(tiles[step], A, B, 64, step);
    commit_group();
  }
  if constexpr (kWait < 4) wait_group<kWait>();
  __syncwarp();  // a wait is about the thread's own copies; ldmatrix reads those of all 32
  uint32_t a[4][4];
  for (int step = 0; step < 4; ++step) load_a(a[step], tiles[step]);
  RECORD(recorder, "A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a[0]);
  RECORD(recorder, "A k=16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a[1]);
  RECORD(recorder, "A k=32", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a[2]);
  RECORD(recorder, "A k=48", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a[3]);
  for (int i = 0; i < 16; ++i) out[threadIdx.x * 16 + i] = a[i / 4][i % 4];
}

template <int kWait>
bool show_arrived(DeviceArray<uint16_t>& A, DeviceArray<uint16_t>& B, Recorder& recorder) {
  DeviceArray<uint32_t> out(32 * 16);
  arrived<kWait><<<1, 32>>>(A.data(), B.data(), out.data(), recorder.launch("arrived", 1, 32));
  return print_copies(kWait, out.get());
}

// ---- 2. A loop that always has copies under way -------------------------------------------------

// D = A*B for 16 x K times K x 8. kStages tiles take turns: while one is multiplied, the others are
// being filled. Tile `step` is in stage step % kStages.
template <int kStages, int kWait>
__global__ void multiply(const uint16_t* A, const uint16_t* B, float* D, int K, long long* cycles,
                         DeviceRecorder recorder) {
  __shared__ __align__(128) Tiles tiles[kStages];
  poison(tiles, kStages);
  const int lane = static_cast<int>(threadIdx.x), steps = K / 16;
  const long long begin = clock64();
  for (int step = 0; step < kStages - 1; ++step) {
    if (step < steps) start(tiles[step], A, B, K, step);
    commit_group();
  }
  float d[4] = {};
  for (int step = 0; step < steps; ++step) {
    const int next = step + kStages - 1;
    if (next < steps) start(tiles[next % kStages], A, B, K, next);
    commit_group();  // also an empty one: so the count below is right to the end
    wait_group<kWait>();
    __syncwarp();
    uint32_t a[4], b[2];
    load_a(a, tiles[step % kStages]);
    ptx::ldmatrix_sync_aligned_m8n8_x2_trans_shared_b16(b, &tiles[step % kStages].b[lane % 16 * 8]);
    ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d, a, b, d);
    __syncwarp();  // all have read this stage: it may be filled again
  }
  *cycles = clock64() - begin;
  RECORD(recorder, "D", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", d);
  for (int i = 0; i < 4; ++i) D[((lane >> 2) + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

// How many of the 128 elements of D are right.
template <int kStages, int kWait>
int run(const Problem& problem, bool gpu, Recorder& recorder) {
  DeviceArray<uint16_t> A(problem.A), B(problem.B);
  DeviceArray<float> D(16 * 8);
  DeviceArray<long long> cycles(1);
  multiply<kStages, kWait><<<1, 32>>>(A.data(), B.data(), D.data(), Problem::K, cycles.data(),
                                      recorder.launch("multiply", 1, 32));
  return print_loop(kStages, kWait, problem, D.get(), cycles.get()[0], gpu);
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"}, {"--correct"});
  const bool correct = argument_given(argc, argv, "--correct");  // leave the mistakes out
  Recorder recorder(argc, argv, "05_cp_async");
  recorder.view("05 cp.async", {"fragments", "lanes"}, "A 9,5",
                "No wait at all: what the lanes read before the copies had landed.");
  const ThisDevice device = introduce("Loading while computing");
  const bool gpu = !device.emulator;

  print_head_of_copies();
  DeviceArray<uint16_t> A(four_tiles_of_a()), B(std::vector<uint16_t>(64 * 8, 0));
  bool good = true;
  if (!correct) {
    good = show_arrived<4>(A, B, recorder);
    good = show_arrived<3>(A, B, recorder) && good;
    good = show_arrived<2>(A, B, recorder) && good;
    good = show_arrived<1>(A, B, recorder) && good;
  }
  good = show_arrived<0>(A, B, recorder) && good;
  std::printf("   %s\n\n", gpu ? "A GPU may be early, never late: a wait is a promise, no clock."
                               : "On the emulator bytes land at the wait, and not before.");

  const Problem problem;
  print_head_of_loops(gpu);
  good = run<1, 0>(problem, gpu, recorder) == 128 && good;
  good = run<2, 1>(problem, gpu, recorder) == 128 && good;
  good = run<3, 2>(problem, gpu, recorder) == 128 && good;
  good = run<4, 3>(problem, gpu, recorder) == 128 && good;
  if (!correct) {
    std::printf("  and one wait too short:\n");
    good = (run<3, 3>(problem, gpu, recorder) < 128 || gpu) && good;  // a GPU may be lucky
  }
  if (!good) std::printf("Something above is not as it should be: 128, but for the last line.\n");
  return recorder.write() && good ? 0 : 1;
}

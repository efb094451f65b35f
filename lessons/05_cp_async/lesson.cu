// SPDX-License-Identifier: MIT
// Lesson 05, cp.async: shared memory is filled while the warp does something else. The copy is
// under way until a wait says otherwise; who reads too early reads what was there before. First
// four copies and every wait there is, then a loop that always has copies under way.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.1, 9.7.9.25.3 (cp.async, cp.async.commit_group, cp.async.wait_group).
//   Steps:    kernel=multiply,launch=7   (three stages)
#include <cmath>
#include <string>
#include <vector>

#include "check.cuh"
#include "device_array.cuh"
#include "element.cuh"
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
  const std::vector<uint32_t> words = out.get();
  bool promised = true;
  std::printf("  %s", kWait == 4 ? "no wait at all" : "wait_group ");
  if (kWait < 4) std::printf("%d  ", kWait);
  for (int step = 0; step < 4; ++step) {
    int there = 0;
    for (int i = 0; i < 128; ++i) there += words[i / 4 * 16 + step * 4 + i % 4] != 0xffffffff;
    std::printf("%11d", there);
    if (step < 4 - kWait) promised = promised && there == 128;
  }
  std::printf("%s\n", promised ? "" : "   ^ not what the manual promises");
  return promised;
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

// Whole numbers, so that every sum is exact: anything else than the right D is a wrong answer.
struct Problem {
  static constexpr int K = 1024;
  std::vector<uint16_t> A, B;
  std::vector<float> D = std::vector<float>(16 * 8, 0);
  Problem() : A(16 * K), B(K * 8) {
    for (int row = 0; row < 16; ++row)
      for (int k = 0; k < K; ++k) A[row * K + k] = F16::encode((row * 5 + k * 3) % 7);
    for (int k = 0; k < K; ++k)
      for (int col = 0; col < 8; ++col) B[k * 8 + col] = F16::encode((k + col * 3) % 5);
    for (int i = 0; i < 16 * 8; ++i)
      for (int k = 0; k < K; ++k)
        D[i] += static_cast<float>((i / 8 * 5 + k * 3) % 7 * ((k + i % 8 * 3) % 5));
  }
};

template <int kStages, int kWait>
int run(const Problem& problem, bool gpu, Recorder& recorder) {
  DeviceArray<uint16_t> A(problem.A), B(problem.B);
  DeviceArray<float> device_d(16 * 8);
  DeviceArray<long long> cycles(1);
  multiply<kStages, kWait><<<1, 32>>>(A.data(), B.data(), device_d.data(), Problem::K,
                                      cycles.data(), recorder.launch("multiply", 1, 32));
  const std::vector<float> D = device_d.get();
  int right = 0, nan = 0;
  for (int i = 0; i < 16 * 8; ++i) right += D[i] == problem.D[i], nan += std::isnan(D[i]);
  std::printf("  %6d  %10d  %6d  %10d  %9d  %5d", kStages, kWait, kStages - 1, (kStages - 1) * 768,
              right, nan);
  if (gpu) std::printf("  %8.0f", static_cast<double>(cycles.get()[0]) / (Problem::K / 16));
  std::printf("\n");
  return right;
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"}, {"--correct"});
  const bool correct = argument_given(argc, argv, "--correct");  // leave the mistakes out
  Recorder recorder(argc, argv, "05_cp_async");
  recorder.view("05 cp.async", {"fragments", "lanes"}, "A 9,5",
                "No wait at all: what the lanes read before the copies had landed.");
  const ThisDevice device = introduce("Loading while computing");
  const bool gpu = !device.emulator;

  std::printf(
      "1. Four groups are committed, then a wait, then all four tiles are read. Shared memory "
      "held\n"
      "   NaNs before. Of 128 registers of A's fragment, filled:\n\n"
      "                      group 0    group 1    group 2    group 3\n");
  std::vector<uint16_t> small(16 * 64);
  for (int i = 0; i < 16 * 64; ++i) small[i] = F16::encode(100 * (i / 64) + i % 64);
  DeviceArray<uint16_t> A(small), B(std::vector<uint16_t>(64 * 8, 0));
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
  std::printf(
      "2. D = A*B over %d steps of k: tiles and bytes under way while one is multiplied;\n"
      "   of 128 elements of D:\n\n"
      "  stages  wait_group   tiles       bytes      right    NaN%s\n",
      Problem::K / 16, gpu ? "    cycles a step" : "");
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

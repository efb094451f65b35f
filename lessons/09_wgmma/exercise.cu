// SPDX-License-Identifier: MIT
// Exercise 09: two products under way, and from the registers of 128 threads to a matrix in memory.
//
// A warpgroup computes D, 64 x 32, in two halves, each with one
// wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 and each a group of its own: first left, D's
// columns 0 to 15, then right, columns 16 to 31. A thread holds eight elements of each. Both groups
// are committed when your code begins, and neither need be done.
//
// Write D to the row-major matrix at `tile`, where element (row, col) belongs to
// tile[row * stride + col]: left as soon as it is there, while right may still be under way; then
// right.
//
// Fill the gap in store_tile, then:  ./learn check 9
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <utility>
#include <vector>

#include "device_array.cuh"
#include "element.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"
#include "record.cuh"

constexpr int kN = 16;  // of one half
constexpr int kMostNotes = 100, kEnd = 9;

// The waits you have. Thread 0 also notes what it had read and stored of its own by then, for the
// check.
struct Groups {
  const volatile float* tile;
  int* notes;
  int count = 0, read = 0;  // read: since the last note, 1 of left, 2 of right

  // Waits until at most kUnderWay of the two groups, the last ones, are still under way.
  template <int kUnderWay>
  __device__ void wait() {
    note(kUnderWay);
    ptx::wgmma_wait_group_sync_aligned<kUnderWay>();
  }
  __device__ void note(int what) {
    if (threadIdx.x == 0 && count < kMostNotes)
      notes[count++] =
          read * 1000 + what * 100 + (isnan(tile[0]) ? 0 : 10) + (isnan(tile[kN]) ? 0 : 1);
    read = 0;
  }
};

// What a thread holds of a half: half[i] is element i. That it is read is noted here, as you wrote
// it: the compiler, which does not know what a wait is for, may read a register later.
class Half {
 public:
  __device__ Half(const float (&sums)[kN / 2], int number, Groups& groups)
      : sums_(sums), number_(number), groups_(groups) {}
  __device__ float operator[](int i) const {
    groups_.read |= number_;
    if (i < 0 || i >= kN / 2) __trap();  // a thread holds no such element
    return sums_[i];
  }

 private:
  const float (&sums_)[kN / 2];
  int number_;  // 1: left, 2: right
  Groups& groups_;
};

__device__ void store_tile(float* tile, int stride, const Half& left, const Half& right,
                           Groups& groups) {
  const int thread = static_cast<int>(threadIdx.x);  // 0 to 127: all four warps come here

  // ---- your code begins (about eight lines) ----
  // ---- your code ends ----
  (void)tile, (void)stride, (void)left, (void)right, (void)groups, (void)thread;
}

// D[m][n] = 100*m + n, as in the lesson. Until the product is there, its registers hold -1.
__global__ void multiply_and_store(float* tile, int stride, int* notes, DeviceRecorder recorder) {
  __shared__ __align__(128) std::uint16_t a[64 * 16], b[2 * kN * 16];
  const int thread = static_cast<int>(threadIdx.x);
  const auto place = [](int mn, int k) { return mn / 8 * 128 + k / 8 * 64 + mn % 8 * 8 + k % 8; };
  const auto f16 = [](int number) { return static_cast<std::uint16_t>(F16::encode(number)); };
  for (int i = thread; i < 64 * 16; i += 128) {
    const int m = i / 16, k = i % 16;
    a[place(m, k)] = f16(k == 0 ? m : k == 1 ? 1 : 0);
  }
  for (int i = thread; i < 2 * kN * 16; i += 128) {
    const int n = i / 16, k = i % 16;
    b[place(n, k)] = f16(k == 0 ? 100 : k == 1 ? n : 0);
  }
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float left[kN / 2], right[kN / 2];
  for (int i = 0; i < kN / 2; ++i) left[i] = right[i] = -1;
  ptx::settle(left);
  ptx::settle(right);
  const std::uint64_t of_a = ptx::matrix_descriptor(a, 128, 256, 0);
  ptx::wgmma_fence_sync_aligned();
  ptx::wgmma_mma_async_sync_aligned_m64n16k16_f32_f16_f16(
      left, of_a, ptx::matrix_descriptor(b, 128, 256, 0), 0);
  ptx::wgmma_commit_group_sync_aligned();  // group 0
  ptx::wgmma_mma_async_sync_aligned_m64n16k16_f32_f16_f16(
      right, of_a, ptx::matrix_descriptor(b + kN * 16, 128, 256, 0), 0);
  ptx::wgmma_commit_group_sync_aligned();  // group 1
  Groups groups{tile, notes};
  store_tile(tile, stride, {left, 1, groups}, {right, 2, groups}, groups);
  groups.note(kEnd);
  ptx::wgmma_wait_group_sync_aligned<0>();
  RECORD_WARPGROUP(recorder, "D", "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16", left);
  RECORD_WARPGROUP(recorder, "D n=16", "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16", right);
}

// check.cpp calls this: the tile begins `first` elements into a matrix of `size` elements, poisoned
// with NaN. The matrix, and of every wait of thread 0: groups left under way * 100 (9: the end of
// your code), + 10 if it had stored its first element of left before, + 1 if that of right, + 1000
// if it has read left since the wait before, + 2000 if right; -1 where there is none. With `trace`
// it also writes what the threads held.
std::pair<std::vector<float>, std::vector<int>> store_on_device(int size, int first, int stride,
                                                                const char* trace) {
  Recorder recorder(trace, "09_wgmma");
  recorder.view("09 wgmma, your exercise", {"fragments", "lanes"}, "D 0,0",
                "Who holds what of each half when both are done.");
  DeviceArray<float> matrix(static_cast<std::size_t>(size));
  DeviceArray<int> notes(kMostNotes);  // all -1
  multiply_and_store<<<1, 128>>>(matrix.data() + first, stride, notes.data(),
                                 recorder.launch("multiply_and_store", 1, 128));
  return {matrix.get(), notes.get()};
}

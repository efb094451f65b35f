// SPDX-License-Identifier: MIT
// Exercise 16: move the sums out of the tensor core.
//
// A warpgroup multiplies A, 64 x K, by B, K x 8, both e4m3: 32 of K with each wgmma, a step. Its
// f32 sums keep 13 bits behind the point. So every 128 of K, that is every four steps, d is to be
// added to `sums` in f32, and the tensor core is to begin anew. K is a multiple of 32, but not
// always of 128: the last group of steps may be shorter. You have
//
//     core.fence()                     wgmma.fence: what the threads did with d so far comes first
//     core.multiply(d, step, scale_d)  starts a wgmma, steps 0 to steps - 1.
//                                      scale_d 0: d = A*B, what was in d is forgotten; 1: d = A*B +
//                                      d
//     core.commit()                    wgmma.commit_group
//     core.wait()                      wgmma.wait_group 0: all that was committed is done
//     d[i], sums[i]                    this thread's four elements, 0 to 3
//
// d holds NaN when your code begins, sums 0. No more waits than there have to be: four steps run
// one behind the other.
//
// Fill the gap in add_up, then:  ./learn check 16
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <utility>
#include <vector>

#include "device_array.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"
#include "record.cuh"

constexpr int kMostSteps = 18, kMostNotes = 120, kEnd = 5, kTouched = 10000;

// The elements of D that the tensor core adds up. Reads and writes are noted in the order in which
// you wrote them: the compiler, which does not know what a wait is for, may do them later.
class Held {
 public:
  Held() = default;
  Held(const Held&) = delete;  // a copy would be a read that nobody notes
  Held& operator=(const Held&) = delete;
  __device__ float& operator[](int i) {
    touched_ = true;
    if (i < 0 || i > 3) __trap();  // a thread holds no such element
    return value_[i];
  }

 private:
  friend struct Core;
  friend __global__ void multiply(const unsigned char*, const unsigned char*, int, float*, int*,
                                  DeviceRecorder);
  float value_[4];
  bool touched_ = false;
};

// What you have. The first thread of each warp also notes what it is asked, whether d has been
// touched since the note before, and what sums[0] is then, for the check.
struct Core {
  const unsigned char *a, *b;  // in shared memory: blocks of 8 x 16 bytes
  int steps;
  const volatile float* sums;
  Held& held;
  int* notes;
  int count = 0;

  __device__ void note(int what) {
    if (threadIdx.x % 32 != 0 || count >= kMostNotes) return;
    notes[count * 2] = what + (held.touched_ ? kTouched : 0);
    held.touched_ = false;
    notes[count++ * 2 + 1] = __float_as_int(sums[0]);
  }
  __device__ void fence() { note(1), ptx::wgmma_fence_sync_aligned(); }
  __device__ void commit() { note(2), ptx::wgmma_commit_group_sync_aligned(); }
  __device__ void wait() { note(3), ptx::wgmma_wait_group_sync_aligned<0>(); }
  __device__ void multiply(Held& d, int step, int scale_d) {
    const bool there = step >= 0 && step < steps;  // else nothing happens
    note(!there ? 4 : 1000 + step * 2 + (scale_d != 0 ? 1 : 0));
    if (!there) return;
    ptx::wgmma_mma_async_sync_aligned_m64n8k32_f32_e4m3_e4m3(
        d.value_, ptx::matrix_descriptor(a + step * 64 * 32, 1024, 128, 0),
        ptx::matrix_descriptor(b + step * 8 * 32, 128, 128, 0), scale_d);
  }
};

__device__ void add_up([[maybe_unused]] float (&sums)[4], [[maybe_unused]] Held& d,
                       [[maybe_unused]] int steps, [[maybe_unused]] Core& core) {
  // ---- your code begins (about ten lines) ----
  // ---- your code ends ----
}

__global__ void multiply(const unsigned char* A, const unsigned char* B, int steps, float* D,
                         int* notes, DeviceRecorder recorder) {
  __shared__ __align__(128) unsigned char a[64 * 32 * kMostSteps], b[8 * 32 * kMostSteps];
  const int thread = static_cast<int>(threadIdx.x), K = steps * 32;
  for (int i = thread; i < 64 * K; i += 128) a[i % K / 16 * 1024 + i / K * 16 + i % 16] = A[i];
  for (int i = thread; i < 8 * K; i += 128) b[i % K / 16 * 128 + i / K * 16 + i % 16] = B[i];
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float sums[4] = {};
  Held d;
  for (float& sum : d.value_) sum = __int_as_float(0x7fffffff);
  ptx::settle(d.value_);
  Core core{a, b, steps, sums, d, notes + thread / 32 * 2 * kMostNotes};
  add_up(sums, d, steps, core);
  core.note(kEnd);
  ptx::wgmma_wait_group_sync_aligned<0>();
  RECORD_WARPGROUP(recorder, "D", "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3", d.value_);
  RECORD_WARPGROUP(recorder, "D sums", "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3", sums);
  const int row = thread / 32 * 16 + thread % 32 / 4, col = thread % 4 * 2;
  for (int i = 0; i < 4; ++i) D[(row + i / 2 * 8) * 8 + col + i % 2] = sums[i];
}

// check.cpp calls this: D, and of every call that thread 0 made of core two words: 1 fence, 2
// commit, 3 wait, 4 a step that is none, 5 the end of your code, 1000 + 2 * step + scale_d; 10000
// more if d has been touched since the one before; and sums[0]. Then -1. Behind them those of
// threads 32, 64 and 96.
std::pair<std::vector<float>, std::vector<int>> multiply_on_device(
    const std::vector<unsigned char>& A, const std::vector<unsigned char>& B, int steps,
    const char* trace) {
  Recorder recorder(trace, "16_sums");
  recorder.view("16 Sums, your exercise", {"fragments", "lanes"}, "D 0,0",
                "What the tensor core holds at the end; the next one: your sums.");
  DeviceArray<unsigned char> device_a(A), device_b(B);
  DeviceArray<float> D(64 * 8);
  DeviceArray<int> notes(4 * 2 * kMostNotes);  // of each warp; all -1
  multiply<<<1, 128>>>(device_a.data(), device_b.data(), steps, D.data(), notes.data(),
                       recorder.launch("multiply", 1, 128));
  return {D.get(), notes.get()};
}

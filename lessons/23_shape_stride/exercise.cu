// SPDX-License-Identifier: MIT
// Exercise 23: four layouts.
//
// D = A * B, 32 x 32 x 32, by four warps. Warp w has two tiles of D: rows from 16 * (w % 2) on,
// columns from 8 * (w / 2) on, and the same 16 columns further right; each takes two steps of 16
// along k. Elements are numbered column after column: m + 32 * k in A, n + 32 * k in B, m + 32 * n
// in D. The digits of the layouts, the fastest first:
//
//              the thread's                                     its value's
//        A     lane % 4, lane / 4, w % 2, w / 2: (4,8,2,2)      half, A.r1, A.r2, step: (2,2,2,2)
//        B     the same                                         half, B.r1, tile, step: (2,2,2,2)
//        D     the same                                         D.r1, D.r2, tile:       (2,2,2)
//
// The fourth one says where A lies in shared memory: digits of m, then digits of k. It has room for
// kRoom elements. A register of A shall be one load, 32 bits a lane, and have no bank conflict.
//
// Fill the gap in layouts, then:  ./learn check 23
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <utility>
#include <vector>

#include "device_array.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"

constexpr int kSize = 32, kThreads = 128, kRoom = 1536, kMostDigits = 8;

// A layout is {{shape}, {strides}}: {{4, 8, 2, 2}, {32, 1, 16, 8}} is that of D in lesson.cu.
struct Layout {
  int shape[kMostDigits], stride[kMostDigits];  // behind the last digit the shape is 0
  __device__ int operator()(int number) const {
    int offset = 0;
    for (int i = 0; i < kMostDigits && shape[i] != 0; ++i) {
      offset += number % shape[i] * stride[i];
      number /= shape[i];
    }
    return offset;
  }
};

struct Layouts {
  Layout A, B, D, shared;
};

__device__ Layouts layouts() {
  Layouts of = {};

  // ---- your code begins (four lines) ----
  // ---- your code ends ----

  return of;
}

#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"

// Every number below the size of a matrix is one of its elements; behind that there is a NaN.
__device__ int element(const Layout& of, int value, int elements) {
  const int number = of(static_cast<int>(threadIdx.x) + kThreads * value);
  return number >= 0 && number < elements ? number : elements;
}
__device__ std::uint32_t pack(std::uint16_t low, std::uint16_t high) {
  return low | static_cast<std::uint32_t>(high) << 16;
}

// `numbers`: the four layouts, eight digits and their strides each.
__global__ void multiply(const std::uint16_t* A, const std::uint16_t* B, float* D, int* numbers,
                         DeviceRecorder recorder) {
  __shared__ __align__(16) std::uint16_t tile[kRoom + 1];
  const Layouts of = layouts();
  const int thread = static_cast<int>(threadIdx.x);
  const Layout* all[] = {&of.A, &of.B, &of.D, &of.shared};
  for (int i = 0; thread == 0 && i < 4 * kMostDigits; ++i) {
    numbers[i / 8 * 16 + i % 8] = all[i / 8]->shape[i % 8];
    numbers[i / 8 * 16 + 8 + i % 8] = all[i / 8]->stride[i % 8];
  }
  for (int i = thread; i < kRoom + 1; i += kThreads) tile[i] = 0xffff;
  __syncthreads();
  for (int i = thread; i < kSize * kSize; i += kThreads) {
    const int at = of.shared(i);
    if (at >= 0 && at < kRoom) tile[at] = A[i];
  }
  __syncthreads();
  const auto a = [&](int value) {
    const int number = element(of.A, value, kSize * kSize);
    const int at = number < kSize * kSize ? of.shared(number) : kRoom;
    return tile[at >= 0 && at < kRoom ? at : kRoom];
  };
  const auto b = [&](int value) { return B[element(of.B, value, kSize * kSize)]; };
  float sums[2][4] = {};
#pragma unroll
  for (int step = 0; step < 2; ++step) {
    std::uint32_t registers_a[4], registers_b[2];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int value = step * 8 + i * 2;
      registers_a[i] = pack(a(value), a(value + 1));
    }
#pragma unroll
    for (int n = 0; n < 2; ++n) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int value = step * 8 + n * 4 + i * 2;
        registers_b[i] = pack(b(value), b(value + 1));
      }
      ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(sums[n], registers_a, registers_b,
                                                             sums[n]);
      if (step > 0 || n > 0) continue;
      RECORD(recorder, "A", MMA, registers_a);
      RECORD(recorder, "B", MMA, registers_b);
      RECORD(recorder, "D", MMA, sums[0]);
    }
  }
#pragma unroll
  for (int value = 0; value < 8; ++value) {
    const int number = element(of.D, value, kSize * kSize);
    if (number < kSize * kSize) D[number] = sums[value / 4][value % 4];
  }
}

// check.cpp calls this: the numbers of your layouts, and D. A, B and D are stored column after
// column, B as n x k; behind A's and B's last element is a NaN.
std::pair<std::vector<int>, std::vector<float>> multiply_on_device(
    const std::vector<std::uint16_t>& A, const std::vector<std::uint16_t>& B, const char* trace) {
  Recorder recorder(trace, "23_shape_stride");
  recorder.view("23 Shape and stride, your exercise", {"fragments", "lanes"}, "A 0,0",
                "What your layouts loaded for the first product of each warp.");
  DeviceArray<std::uint16_t> device_a(A), device_b(B);
  DeviceArray<float> D(kSize * kSize);
  DeviceArray<int> numbers(4 * 2 * kMostDigits);
  multiply<<<1, kThreads>>>(device_a.data(), device_b.data(), D.data(), numbers.data(),
                            recorder.launch("multiply", 1, kThreads));
  return {numbers.get(), D.get()};
}

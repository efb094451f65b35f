// SPDX-License-Identifier: MIT
// Exercise 09: from the registers of 128 threads to a matrix in memory.
//
// A warpgroup has computed D, 64 x 32, with wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16:
// each thread holds 16 of its elements in d[0] to d[15]. Write them to the row-major matrix at
// `tile`: element (row, col) belongs to tile[row * stride + col].
//
// Fill the gap in store_tile, then:  ./learn check 9
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <vector>

#include "check.cuh"
#include "device_array.cuh"
#include "element.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"
#include "record.cuh"

constexpr int kN = 32;

__device__ void store_tile(float* tile, int stride, const float (&d)[kN / 2]) {
  const int thread = static_cast<int>(threadIdx.x);  // 0 to 127: all four warps come here

  // ---- your code begins (about five lines) ----
  const int row = thread / 32 * 16 + thread % 32 / 4;
  const int col = thread % 4 * 2;
  for (int i = 0; i < kN / 2; ++i)
    tile[(row + i / 2 % 2 * 8) * stride + col + i / 4 * 8 + i % 2] = d[i];
  // ---- your code ends ----
  (void)tile, (void)stride, (void)d, (void)thread;
}

// D[m][n] = 100*m + n, as in the lesson.
__global__ void multiply_and_store(float* tile, int stride, DeviceRecorder recorder) {
  __shared__ __align__(128) std::uint16_t a[64 * 16], b[kN * 16];
  const int thread = static_cast<int>(threadIdx.x);
  const auto place = [](int mn, int k) { return mn / 8 * 128 + k / 8 * 64 + mn % 8 * 8 + k % 8; };
  const auto f16 = [](int number) { return static_cast<std::uint16_t>(F16::encode(number)); };
  for (int i = thread; i < 64 * 16; i += 128) {
    const int m = i / 16, k = i % 16;
    a[place(m, k)] = f16(k == 0 ? m : k == 1 ? 1 : 0);
  }
  for (int i = thread; i < kN * 16; i += 128) {
    const int n = i / 16, k = i % 16;
    b[place(n, k)] = f16(k == 0 ? 100 : k == 1 ? n : 0);
  }
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[kN / 2];
  ptx::wgmma_fence_sync_aligned();
  ptx::wgmma_mma_async_sync_aligned_m64n32k16_f32_f16_f16(
      d, ptx::matrix_descriptor(a, 128, 256, 0), ptx::matrix_descriptor(b, 128, 256, 0), 0);
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  RECORD_WARPGROUP(recorder, "D", "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16", d);
  store_tile(tile, stride, d);
}

// check.cpp calls this: the tile begins `first` elements into a matrix of `size` elements, poisoned
// with NaN. With `trace` it also writes what the threads held.
std::vector<float> store_on_device(int size, int first, int stride, const char* trace) {
  Recorder recorder(trace, "09_wgmma");
  recorder.view("09 wgmma, your exercise", {"fragments", "lanes"}, "D 0,0",
                "Who holds what before you store it.");
  DeviceArray<float> matrix(static_cast<std::size_t>(size));
  multiply_and_store<<<1, 128>>>(matrix.data() + first, stride,
                                 recorder.launch("multiply_and_store", 1, 128));
  return matrix.get();
}

// SPDX-License-Identifier: MIT
// Exercise 11: A from registers, in 8-bit elements.
//
// wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 takes A, 64 x 32 elements of one byte, from
// four registers of each of the 128 threads. Load them from the row-major matrix at `tile`: element
// (row, col) is the byte tile[row * stride + col], and stride is any number. `pack` makes a
// register of four bytes, the first one in the lowest bits.
//
// You know this fragment with 16-bit elements (lessons 01 and 09). What changes when an element has
// 8 bits? `./learn view 11` shows A for every width.
//
// Fill the gap in load_a, then:  ./learn check 11
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <vector>

#include "device_array.cuh"
#include "record.cuh"

// Four bytes as a register.
__device__ std::uint32_t pack(std::uint8_t b0, std::uint8_t b1, std::uint8_t b2, std::uint8_t b3) {
  return b0 | static_cast<std::uint32_t>(b1) << 8 | static_cast<std::uint32_t>(b2) << 16 |
         static_cast<std::uint32_t>(b3) << 24;
}

__device__ void load_a(std::uint32_t (&a)[4], const std::uint8_t* tile, int stride) {
  const int thread = static_cast<int>(threadIdx.x);  // 0 to 127: all four warps come here

  // ---- your code begins (about five lines) ----
  // ---- your code ends ----
  (void)a, (void)tile, (void)stride, (void)thread;
}

__global__ void load(const std::uint8_t* tile, int stride, std::uint32_t* out,
                     DeviceRecorder recorder) {
  std::uint32_t a[4] = {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};  // NaN in e4m3
  load_a(a, tile, stride);
  RECORD_WARPGROUP(recorder, "A", "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3", a);
  for (int reg = 0; reg < 4; ++reg) out[threadIdx.x * 4 + static_cast<unsigned>(reg)] = a[reg];
}

// check.cpp calls this: the tile begins `first` bytes into the matrix. The four registers of every
// thread. With `trace` it also writes what the threads held.
std::vector<std::uint32_t> load_a_on_device(const std::vector<std::uint8_t>& matrix, int first,
                                            int stride, const char* trace) {
  Recorder recorder(trace, "11_wgmma_types");
  recorder.view("11 wgmma in every type, your exercise", {"fragments", "lanes"}, "A 9,5",
                "What your load_a put into the registers.");
  DeviceArray<std::uint8_t> device_matrix(matrix);
  DeviceArray<std::uint32_t> out(128 * 4);
  load<<<1, 128>>>(device_matrix.data() + first, stride, out.data(),
                   recorder.launch("load", 1, 128));
  return out.get();
}

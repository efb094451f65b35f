// SPDX-License-Identifier: MIT
// Exercise 01: load the fragment of A for mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 by
// hand.
//
// A is a 16 x 16 tile of f16 numbers, somewhere in a larger row-major matrix in global memory. Each
// of the 32 lanes puts the eight elements that the instruction wants from it into its registers
// a[0] .. a[3], two to a register.
//
// Fill the gap in load_a, then:  ./learn check 1
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <vector>

#include "device_array.cuh"
#include "record.cuh"

// One register out of two f16 numbers: the low half is bits 0 to 15, the high half bits 16 to 31.
__device__ std::uint32_t pack(std::uint16_t low, std::uint16_t high) {
  return low | static_cast<std::uint32_t>(high) << 16;
}

// `tile` points to the tile's element 0,0, an f16 number as its 16 bits. The element to its right
// is the next in memory; the element below it lies `stride` elements further on.
__global__ void load_a(const std::uint16_t* tile, int stride, std::uint32_t* registers,
                       DeviceRecorder recorder) {
  const int lane = static_cast<int>(threadIdx.x);
  std::uint32_t a[4] = {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};  // NaN: nothing loaded yet

  // ---- your code begins (six or seven lines) ----
  const int row = lane >> 2;
  const int col = lane % 4 * 2;
  const std::uint16_t* at = tile + row * stride + col;
  a[0] = pack(at[0], at[1]);
  a[1] = pack(at[8 * stride], at[8 * stride + 1]);
  a[2] = pack(at[8], at[9]);
  a[3] = pack(at[8 * stride + 8], at[8 * stride + 9]);
  // ---- your code ends ----

  RECORD(recorder, "A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
  for (int reg = 0; reg < 4; ++reg) registers[lane * 4 + reg] = a[reg];
}

// check.cpp calls this: the kernel on the tile that begins at matrix[first]; the registers of lane
// 0, of lane 1, ... With `trace` it also writes what the lanes held, for `./learn view`.
std::vector<std::uint32_t> load_a_on_device(const std::vector<std::uint16_t>& matrix, int first,
                                            int stride, const char* trace) {
  Recorder recorder(trace, "01_fragment_layout");
  recorder.view(
      "01 Fragment layout, your exercise", {"fragments", "lanes"}, "A 0,0",
      "What your lanes loaded. A[row][col] should be 100*row + col of the whole matrix; in "
      "the last check some are negative.");
  DeviceArray<std::uint16_t> device_matrix(matrix);
  DeviceArray<std::uint32_t> registers(32 * 4);  // NaN until the kernel writes them
  load_a<<<1, 32>>>(device_matrix.data() + first, stride, registers.data(),
                    recorder.launch("load_a", 1, 32));
  recorder.memory("A", "f16", 16, 16, device_matrix.data() + first, 32, std::size_t(stride) * 2);
  return registers.get();
}

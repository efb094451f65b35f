// SPDX-License-Identifier: MIT
// Exercise 02: pack the fragment of A for mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32.
//
// A is a 16 x 64 tile of whole numbers from -8 to 7, a byte each in global memory. The instruction
// takes them four bits each, in two's complement, eight to a register: part p of a register is its
// bits 4p to 4p + 3.
//
// Fill the gap in pack_a, then:  ./learn check 2
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <vector>

#include "device_array.cuh"
#include "record.cuh"

// `tile` points to the tile's element 0,0. The element to its right is the next byte; the element
// below it lies `stride` bytes further on.
__global__ void pack_a(const std::int8_t* tile, int stride, std::uint32_t* registers,
                       DeviceRecorder recorder) {
  const int lane = static_cast<int>(threadIdx.x);
  std::uint32_t a[4] = {};  // 0: so that parts can be or-ed into them

  // ---- your code begins (about eight lines) ----
  for (int reg = 0; reg < 4; ++reg)
    for (int part = 0; part < 8; ++part) {
      const int row = (lane >> 2) + reg % 2 * 8;
      const int col = lane % 4 * 8 + part + reg / 2 * 32;
      const std::uint32_t bits = static_cast<std::uint32_t>(tile[row * stride + col]) & 0xf;
      a[reg] |= bits << (4 * part);
    }
  // ---- your code ends ----

  RECORD(recorder, "A", "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", a);
  for (int reg = 0; reg < 4; ++reg) registers[lane * 4 + reg] = a[reg];
}

// check.cpp calls this: the kernel on the tile that begins at matrix[first]; the registers of lane
// 0, of lane 1, ... With `trace` it also writes what the lanes held, for `./learn view`.
std::vector<std::uint32_t> pack_a_on_device(const std::vector<std::int8_t>& matrix, int first,
                                            int stride, const char* trace) {
  Recorder recorder(trace, "02_data_types");
  recorder.view("02 Data types, your exercise", {"fragments", "lanes"}, "A 0,0",
                "What your lanes packed: eight elements to a register.");
  DeviceArray<std::int8_t> device_matrix(matrix);
  DeviceArray<std::uint32_t> registers(32 * 4);
  pack_a<<<1, 32>>>(device_matrix.data() + first, stride, registers.data(),
                    recorder.launch("pack_a", 1, 32));
  recorder.memory("A", "s4", 16, 64, device_matrix.data() + first, 64, std::size_t(stride));
  return registers.get();
}

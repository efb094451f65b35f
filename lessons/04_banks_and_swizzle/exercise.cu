// SPDX-License-Identifier: MIT
// Exercise 04: write the swizzle that makes a tile free of bank conflicts.
//
// The tile has 16 rows of 32 f16 numbers: a row is 64 bytes, four units of 16 bytes. No padding:
// rows lie 64 bytes apart, and each row keeps its four units, but in an order of its own. The order
// decides whether ldmatrix, which wants the same unit of eight rows at a time, has to wait.
//
// Fill the gap in place, then:  ./learn check 4
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <vector>

#include "device_array.cuh"
#include "ptx/ldmatrix.cuh"
#include "record.cuh"

constexpr int kRows = 16, kUnits = 4;

// At which of the four places of its row, 0 to 3, unit `unit` of row `row` lies.
__device__ int place([[maybe_unused]] int row, [[maybe_unused]] int unit) {
  int at = -1;

  // ---- your code begins (one line) ----
  // ---- your code ends ----

  return at;
}

// The byte where a unit lies; a row of NaNs when place() leaves the row.
__device__ int byte_of(int row, int at) {
  return at >= 0 && at < kUnits ? row * 64 + at * 16 : kRows * 64;
}

__global__ void load(const uint4* matrix, std::uint32_t* out, DeviceRecorder recorder) {
  __shared__ __align__(128) unsigned char tile[kRows * 64 + 64];
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = lane; i < (kRows + 1) * kUnits; i += 32)
    reinterpret_cast<uint4*>(tile)[i] = {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
  __syncwarp();
  for (int i = lane; i < kRows * kUnits; i += 32) {
    const int at = place(i / kUnits, i % kUnits);
    if (at >= 0 && at < kUnits)
      *reinterpret_cast<uint4*>(tile + byte_of(i / kUnits, at)) = matrix[i];
    out[i] = static_cast<std::uint32_t>(at);
  }
  __syncwarp();
  RECORD_TILE(recorder, "tile", "f16", kRows, 32, tile, 64, 64);
  out += kRows * kUnits + lane * 10;
  for (int k = 0; k < 2; ++k) {  // columns 0 to 15, then 16 to 31
    const int row = lane % 16, at = place(row, k * 2 + lane / 16);
    std::uint32_t a[4];
    ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(a, tile + byte_of(row, at));
    if (k == 0) RECORD(recorder, "A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
    if (k == 1) RECORD(recorder, "A k=16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
    for (int reg = 0; reg < 4; ++reg) out[k * 4 + reg] = a[reg];
    out[8 + k] = static_cast<std::uint32_t>(at);
  }
}

// check.cpp calls this: the kernel on a 16 x 32 matrix. First place(row, unit) as the lane that
// stored the unit had it, for all 64; then of each lane a[0] to a[3] of both loads, and place() as
// that lane had it for each.
std::vector<std::uint32_t> load_on_device(const std::vector<std::uint16_t>& matrix,
                                          const char* trace) {
  Recorder recorder(trace, "04_banks_and_swizzle");
  recorder.view("04 Banks and swizzles, your exercise", {"memory", "fragments", "lanes"}, "A 0,0",
                "Where your swizzle put the units, and what ldmatrix found there.");
  DeviceArray<std::uint16_t> device_matrix(matrix);
  DeviceArray<std::uint32_t> out(kRows * kUnits + 32 * 10);
  load<<<1, 32>>>(reinterpret_cast<const uint4*>(device_matrix.data()), out.data(),
                  recorder.launch("load", 1, 32));
  recorder.memory("A", "f16", kRows, 32, device_matrix.data(), 64, 64);
  return out.get();
}

// SPDX-License-Identifier: MIT
// Exercise 20: a convolution whose A is never stored.
//
// X is two images of 6 x 24 pixels with 64 channels, f16. Channel c of pixel y,x is element
//
//     ((image * kHeight + y) * kWidth + x) * kChannels + c
//
// F is 8 filters of 3 x 3, F[filter][r][s][c], with padding 1: tap 1,1 is on the pixel itself. A
// block is a warp and has 2 x 8 pixels of D, from pixel top,left on: row i of its A is pixel
// top + i / 8, left + i % 8. They want 4 x 10 pixels of X, in shared memory, in the tile, without
// bank conflicts. Who names what, as numbers, is missing:
//
//     copies   the ten copies of a lane, 16 bytes each: `from`, an element of X; `bytes`, how many
//              of the 16 are read, the others become zeros; `to`, a byte of the tile
//     rows     what the lane hands to ldmatrix.x4, a byte of the tile, for each of 36 steps. Step i
//              has k from 16 * i on, and k goes as F's elements do: r, s, c
//
// Fill the gap in name, then:  ./learn check 20
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <utility>
#include <vector>

#include "device_array.cuh"
#include "ptx/cp_async.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"

constexpr int kImages = 2, kHeight = 6, kWidth = 24, kChannels = 64, kFilters = 8;
constexpr int kK = 9 * kChannels, kSteps = kK / 16;
constexpr int kCopies = 10;       // of a lane: 4 x 10 pixels of 8 units, by 32 lanes
constexpr int kTileBytes = 6144;  // 40 pixels of 128 bytes are 5120: there is room for padding

struct Copy {
  int from, bytes, to;
};

// What this lane copies and names. All numbers are -1 when the gap begins.
__device__ void name([[maybe_unused]] Copy (&copies)[kCopies], [[maybe_unused]] int (&rows)[kSteps],
                     [[maybe_unused]] int image, [[maybe_unused]] int top,
                     [[maybe_unused]] int left) {
  [[maybe_unused]] const int lane = static_cast<int>(threadIdx.x);
  // ---- your code begins (about twelve lines) ----
  // ---- your code ends ----
}

// Whether a number may be used as a byte of the tile, or of the row of NaNs behind it.
__device__ bool in_tile(int byte) { return byte >= 0 && byte % 16 == 0 && byte < kTileBytes; }
__device__ void copy(unsigned char* tile, const std::uint16_t* X, Copy copy) {
  constexpr int kElements = kImages * kHeight * kWidth * kChannels;
  const bool nothing = copy.bytes == 0;
  const bool readable = copy.from >= 0 && copy.from % 8 == 0 && copy.from < kElements;
  if (!in_tile(copy.to) || copy.bytes < 0 || copy.bytes > 16 || (!nothing && !readable)) return;
  ptx::cp_async_cg_shared_global_16(tile + copy.to, X + (nothing ? 0 : copy.from), copy.bytes);
}

// `numbers`: of block 0, of lane 0 of it, its copies and its rows, and so on.
__global__ void convolve(const std::uint16_t* X, const std::uint16_t* F, int* numbers, float* D,
                         DeviceRecorder recorder) {
  __shared__ __align__(128) unsigned char tile[kTileBytes + 16];
  const int lane = static_cast<int>(threadIdx.x), image = static_cast<int>(blockIdx.z);
  const int top = static_cast<int>(blockIdx.y) * 2, left = static_cast<int>(blockIdx.x) * 8;
  for (int i = lane; i < kTileBytes / 4 + 4; i += 32)
    reinterpret_cast<std::uint32_t*>(tile)[i] = 0xffffffff;  // NaN
  Copy copies[kCopies];
  int rows[kSteps];
  for (Copy& one : copies) one = {-1, -1, -1};
  for (int& row : rows) row = -1;
  name(copies, rows, image, top, left);
  __syncwarp();
  numbers +=
      (((image * kHeight + top) / 2 * (kWidth / 8) + static_cast<int>(blockIdx.x)) * 32 + lane) *
      (kCopies * 3 + kSteps);
  for (int i = 0; i < kCopies; ++i) {
    copy(tile, X, copies[i]);
    numbers[i * 3] = copies[i].from, numbers[i * 3 + 1] = copies[i].bytes,
                numbers[i * 3 + 2] = copies[i].to;
  }
  ptx::cp_async_commit_group();
  ptx::cp_async_wait_group<0>();
  __syncwarp();
  const bool shown = image + top + left == 0;
  if (shown) RECORD_TILE(recorder, "tile", "f16", 40, kChannels, tile, 128, 128);
  float d[4] = {};
  for (int step = 0; step < kSteps; ++step) {
    numbers[kCopies * 3 + step] = rows[step];
    std::uint32_t a[4], b[2];
    ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(
        a, tile + (in_tile(rows[step]) ? rows[step] : kTileBytes));
    const std::uint16_t* column = F + lane / 4 * kK + step * 16 + lane % 4 * 2;
    for (int reg = 0; reg < 2; ++reg)
      b[reg] = *reinterpret_cast<const std::uint32_t*>(column + reg * 8);
    ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d, a, b, d);
    if (!shown) continue;
    if (step == 16) {  // tap 1,1
      RECORD(recorder, "A k=256", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
      RECORD(recorder, "B k=256", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", b);
    } else if (step == 21) {  // tap 1,2, channels 16 to 31
      RECORD(recorder, "A k=336", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
      RECORD(recorder, "B k=336", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", b);
    }
  }
  for (int i = 0; i < 4; ++i) {
    const int row = lane / 4 + i / 2 * 8, y = top + row / 8, x = left + row % 8;
    D[((image * kHeight + y) * kWidth + x) * kFilters + lane % 4 * 2 + i % 2] = d[i];
  }
}

// check.cpp calls this: copies and rows of all lanes of all blocks; and D, of every pixel 8
// filters.
std::pair<std::vector<int>, std::vector<float>> convolve_on_device(
    const std::vector<std::uint16_t>& X, const std::vector<std::uint16_t>& F, const char* trace) {
  Recorder recorder(trace, "20_convolution");
  recorder.view(
      "20 Convolution, your exercise", {"fragments", "lanes", "memory"}, "A 0,0",
      "A of tap 1,1, as ldmatrix found it at the bytes that you named; the next: tap 1,2.");
  DeviceArray<std::uint16_t> device_x(X), device_f(F);
  DeviceArray<int> numbers(kImages * kHeight / 2 * (kWidth / 8) * 32 * (kCopies * 3 + kSteps));
  DeviceArray<float> D(kImages * kHeight * kWidth * kFilters);
  const dim3 grid(kWidth / 8, kHeight / 2, kImages);
  convolve<<<grid, 32>>>(device_x.data(), device_f.data(), numbers.data(), D.data(),
                         recorder.launch("convolve", grid, 32));
  // For the window, and for `lanescope diagnose`: the matrix that nobody has stored, of block 0.
  std::vector<std::uint16_t> A(16 * kK), B(kK * kFilters);
  for (int i = 0; i < 16 * kK; ++i) {
    const int row = i / kK, tap = i % kK / kChannels, c = i % kChannels;
    const int y = row / 8 + tap / 3 - 1, x = row % 8 + tap % 3 - 1;
    A[i] = y < 0 || x < 0 ? 0 : X[(y * kWidth + x) * kChannels + c];
  }
  for (int i = 0; i < kK * kFilters; ++i) B[i] = F[i % kFilters * kK + i / kFilters];
  DeviceArray<std::uint16_t> device_a(A), device_b(B);
  recorder.memory("A", "f16", 16, kK, device_a.data(), kK * 2, kK * 2);
  recorder.memory("B", "f16", kK, kFilters, device_b.data(), kFilters * 2, kFilters * 2);
  return {numbers.get(), D.get()};
}

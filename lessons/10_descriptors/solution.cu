// SPDX-License-Identifier: MIT
// Exercise 10: the descriptors of two given tiles, and of their slices along K.
//
// In shared memory lie A, 64 x 64 (M x K), and B, 64 x 64 (N x K), f16, both K-major:
//
//   A, at a_start, without a swizzle: 8 x 8 elements are a block of 128 bytes. The eight blocks of
//      rows 0 to 7 lie one behind the other, k = 0..7 first; then those of rows 8 to 15, and so on.
//   B, at b_start, a multiple of 1024, with the 128 B swizzle: a row is 64 elements, 128 bytes; row
//      follows row.
//
// One wgmma takes 16 of K: slice 0 has k = 0..15, slice 1 has k = 16..31, and so on to slice 3.
//
// Fill the gap in describe, then:  ./learn check 10
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <cstring>
#include <vector>

#include "device_array.cuh"
#include "element.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"
#include "record.cuh"

// A number of bytes as a field of a descriptor has it: in units of 16 bytes.
__device__ std::uint64_t field(std::uint32_t bytes) { return (bytes & 0x3ffff) >> 4; }

// The bits: 0 start, 16 LBO, 32 SBO, 49 base offset, 62 mode (0 none, 1 = 128 B, 2 = 64 B, 3 = 32
// B).
__device__ void describe(std::uint32_t a_start, std::uint32_t b_start, std::uint32_t slice,
                         std::uint64_t& a, std::uint64_t& b) {
  // ---- your code begins (two lines: a and b) ----
  a = field(a_start + slice * 256) | field(128) << 16 | field(1024) << 32;
  b = field(b_start + slice * 32) | field(1024) << 32 | std::uint64_t{1} << 62;
  // ---- your code ends ----
  (void)a_start, (void)b_start, (void)slice, (void)a, (void)b;
}

constexpr int kTile = 64 * 64, kSlices = 4;

// out: where A and B begin, then the two descriptors of each slice.
__global__ void multiply(int a_offset, int b_offset, bool multiplies, std::uint64_t* out, float* D,
                         DeviceRecorder recorder) {
  extern __shared__ __align__(1024) unsigned char memory[];
  auto* a = reinterpret_cast<std::uint16_t*>(memory + a_offset);
  auto* b = reinterpret_cast<std::uint16_t*>(memory + b_offset);
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < kTile; i += 128) {
    const int row = i / 64, k = i % 64;
    a[row / 8 * 512 + k / 8 * 64 + row % 8 * 8 + k % 8] =
        static_cast<std::uint16_t>(F16::encode((row * 3 + k * 5) % 16));
    b[row * 64 + ((k / 8) ^ (row % 8)) * 8 + k % 8] =
        static_cast<std::uint16_t>(F16::encode((row * 7 + k * 11) % 16));
  }
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  std::uint64_t of_a[kSlices], of_b[kSlices];
  for (int slice = 0; slice < kSlices; ++slice) {
    of_a[slice] = of_b[slice] = 0;
    describe(ptx::shared_address(a), ptx::shared_address(b), static_cast<std::uint32_t>(slice),
             of_a[slice], of_b[slice]);
    if (thread == 0) out[2 + 2 * slice] = of_a[slice], out[3 + 2 * slice] = of_b[slice];
  }
  if (thread == 0) out[0] = ptx::shared_address(a), out[1] = ptx::shared_address(b);
  if (!multiplies) return;
  float d[32];
  ptx::wgmma_fence_sync_aligned();
  for (int slice = 0; slice < kSlices; ++slice)
    ptx::wgmma_mma_async_sync_aligned_m64n64k16_f32_f16_f16(d, of_a[slice], of_b[slice], slice > 0);
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  RECORD_WARPGROUP(recorder, "D", "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16", d);
  for (int i = 0; i < 32; ++i) {
    const int row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
    D[row * 64 + i / 4 * 8 + thread % 4 * 2 + i % 2] = d[i];
  }
}

// check.cpp calls this: first for the descriptors alone, and when they lead to the right bytes, for
// D as well: 64 x 64 floats behind them.
std::vector<std::uint64_t> describe_on_device(int a_offset, int b_offset, bool multiplies,
                                              const char* trace) {
  Recorder recorder(multiplies ? trace : nullptr, "10_descriptors");
  recorder.view("10 descriptors, your exercise", {"fragments", "lanes"}, "D 0,0",
                "The product, by your descriptors.");
  DeviceArray<std::uint64_t> out(2 + 2 * kSlices);
  DeviceArray<float> D(64 * 64);
  constexpr int kBytes = 4 * 8192;
  multiply<<<1, 128, kBytes>>>(a_offset, b_offset, multiplies, out.data(), D.data(),
                               recorder.launch("multiply", 1, 128, kBytes));
  std::vector<std::uint64_t> words = out.get();
  for (const float sum : D.get()) {
    std::uint32_t bits;
    std::memcpy(&bits, &sum, 4);
    words.push_back(bits);
  }
  return words;
}

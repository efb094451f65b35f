// SPDX-License-Identifier: MIT
// --bench of lesson 19: 16 rows of A times a large W, as in a language model that writes the next
// word for 16 readers. W is read once, and time is the time to read it: f16, 4 bits column after
// column, 4 bits in fragment order. The same loop for all three: eight warps a block, each with 32
// columns and half of K, the next chunk of W on its way while one is multiplied. A lies in
// fragment order, too. Whole numbers, and scales of 1: D has to be the same, to the bit.
//
// Method: common/device/bench.cuh. For GPUs only.
#pragma once

#include <utility>
#include <vector>

#include "bench.cuh"
#include "device_array.cuh"
#include "element.cuh"
#include "halves.cuh"
#include "ptx/mma.cuh"

namespace bench_packed {

constexpr int kK = 8192, kN = 32768, kGroup = 128, kTiles = 4, kWarps = 8, kThreads = kWarps * 32;
constexpr int kSteps = kK / 16, kColsOfBlock = kWarps / 2 * kTiles * 8;

__host__ __device__ inline uint32_t hash(uint32_t i) {
  const uint32_t once = i * 2654435761u;
  return (once ^ once >> 15) * 2654435761u >> 16;
}
__device__ inline uint32_t q_of(int k, int col) {
  return hash(static_cast<uint32_t>(col * kK + k)) % 16;
}
__device__ inline uint16_t f16_of(int number) {  // -8 to 8
  return static_cast<uint16_t>(F16::encode(number < 0 ? -number : number) |
                               (number < 0 ? 0x8000u : 0u));
}

// ---- How W is stored: chunks of kSteps steps of a tile, of which a lane loads 16 bytes ----------

struct F16Way {
  static constexpr int kSteps = 2;
  static constexpr bool kScaled = false;
  uint4 all;
  __device__ static F16Way of(const uint8_t* W, int tile, int chunk) {
    return {reinterpret_cast<const uint4*>(
        W)[(std::size_t(tile) * (kK / 32) + chunk) * 32 + threadIdx.x % 32]};
  }
  __device__ void to_f16(uint32_t (&b)[2], int step) const {
    b[0] = step == 0 ? all.x : all.z;
    b[1] = step == 0 ? all.y : all.w;
  }
};
template <class Packed>  // the lesson's
struct PackedWay : Packed {
  static constexpr int kSteps = 8;
  static constexpr bool kScaled = true;
  __device__ static PackedWay of(const uint8_t* W, int tile, int chunk) {
    return {{reinterpret_cast<const uint4*>(
        W)[(std::size_t(tile) * (kK / kGroup) + chunk) * 32 + threadIdx.x % 32]}};
  }
};
template <class Columns>  // 16 loads of a byte instead
struct ColumnsWay : Columns {
  static constexpr int kSteps = 8;
  static constexpr bool kScaled = true;
  __device__ static ColumnsWay of(const uint8_t* W, int tile, int chunk) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    return {{W + std::size_t(tile * 8 + lane / 4) * (kK / 2) + chunk * (kGroup / 2) + lane % 4}};
  }
};

/// A thread a lane, a block 128 of k of a tile: all three Ws.
static __global__ void fill(uint4* f16, uint8_t* columns, uint4* packed) {
  const int lane = static_cast<int>(threadIdx.x), tile = static_cast<int>(blockIdx.y);
  const int group = static_cast<int>(blockIdx.x), col = tile * 8 + lane / 4;
  uint32_t words[4] = {}, halves[16] = {};
  for (int i = 0; i < 32; ++i) {
    const int step = i / 4, reg = i / 2 % 2, half = i % 2;
    const uint32_t q = q_of(group * kGroup + step * 16 + reg * 8 + lane % 4 * 2 + half, col);
    words[step / 2] |= q << (half * 16 + step % 2 * 8 + reg * 4);
    halves[i / 2] |= uint32_t(f16_of(static_cast<int>(q) - 8)) << half * 16;
  }
  const std::size_t at = (std::size_t(tile) * (kK / kGroup) + group) * 32 + lane;
  packed[at] = make_uint4(words[0], words[1], words[2], words[3]);
  for (int i = 0; i < 4; ++i)
    f16[(at - lane) * 4 + i * 32 + lane] =
        make_uint4(halves[i * 4], halves[i * 4 + 1], halves[i * 4 + 2], halves[i * 4 + 3]);
  for (int k = group * kGroup + lane % 4 * 32; k < group * kGroup + lane % 4 * 32 + 32; k += 2)
    columns[(std::size_t(col) * kK + k) / 2] =
        static_cast<uint8_t>(q_of(k, col) | q_of(k + 1, col) << 4);
}
/// A thread a lane, a block a step: A from -2 to 2.
static __global__ void fill_a(uint4* A) {
  uint32_t a[4] = {};
  for (int i = 0; i < 8; ++i)
    a[i / 2] |=
        uint32_t(f16_of(static_cast<int>(hash((blockIdx.x * 32 + threadIdx.x) * 8 + i) % 5) - 2))
        << i % 2 * 16;
  A[blockIdx.x * 32 + threadIdx.x] = make_uint4(a[0], a[1], a[2], a[3]);
}

template <class Way>
__global__ void __launch_bounds__(kThreads, 2)
    multiply(const uint4* A, const uint8_t* W, const uint16_t* scales, float* D) {
  constexpr int kChunks = kSteps / Way::kSteps / 2;  // of half of K
  __shared__ float parts[kWarps / 2][kTiles * 4][32];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int tile = static_cast<int>(blockIdx.x) * (kColsOfBlock / 8) + warp % 4 * kTiles;
  const int first = warp / 4 * kChunks;
  float sums[kTiles][4] = {};
  Way now[kTiles], next[kTiles];
  for (int i = 0; i < kTiles; ++i) now[i] = Way::of(W, tile + i, first);
#pragma unroll 1
  for (int chunk = first; chunk < first + kChunks; ++chunk) {
    for (int i = 0; i < kTiles; ++i)
      next[i] = Way::of(W, tile + i, min(chunk + 1, first + kChunks - 1));
    float d[kTiles][4] = {};
#pragma unroll
    for (int step = 0; step < Way::kSteps; ++step) {
      const uint4 all = A[(chunk * Way::kSteps + step) * 32 + lane];
      const uint32_t a[4] = {all.x, all.y, all.z, all.w};
#pragma unroll
      for (int i = 0; i < kTiles; ++i) {
        uint32_t b[2];
        now[i].to_f16(b, step);
        float(&to)[4] = Way::kScaled ? d[i] : sums[i];
        ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(to, a, b, to);
      }
    }
    for (int i = 0; i < kTiles; ++i) {
      const uint16_t* scale = scales + std::size_t(chunk) * kN + (tile + i) * 8 + lane % 4 * 2;
      for (int n = 0; Way::kScaled && n < 4; ++n) sums[i][n] += d[i][n] * to_f32(scale[n % 2]);
      now[i] = next[i];
    }
  }
  for (int i = 0; warp >= 4 && i < kTiles * 4; ++i) parts[warp - 4][i][lane] = sums[i / 4][i % 4];
  __syncthreads();
  for (int i = 0; warp < 4 && i < kTiles * 4; ++i)
    D[std::size_t(lane / 4 + i % 4 / 2 * 8) * kN + (tile + i / 4) * 8 + lane % 4 * 2 + i % 2] =
        sums[i / 4][i % 4] + parts[warp][i][lane];
}

template <class Columns, class Packed>
int run() {
  if (bench::needs_gpu()) return 0;
  const std::size_t weights = std::size_t{kK} * kN;
  DeviceArray<uint8_t> f16(weights * 2), columns(weights / 2), packed(weights / 2);
  DeviceArray<uint4> A(kSteps * 32);
  DeviceArray<uint16_t> scales(std::vector<uint16_t>(weights / kGroup, 0x3c00));  // 1
  DeviceArray<float> D(std::size_t{16} * kN);
  fill<<<dim3(kK / kGroup, kN / 8), 32>>>(reinterpret_cast<uint4*>(f16.data()), columns.data(),
                                          reinterpret_cast<uint4*>(packed.data()));
  fill_a<<<kSteps, 32>>>(A.data());
  std::vector<bench::Contestant> contestants;
  std::vector<double> bytes;
  std::vector<std::vector<float>> found;
  const auto enter = [&](const char* name, auto* kernel, DeviceArray<uint8_t>& W) {
    contestants.push_back({name, [=, &A, &W, &scales, &D](int) {
                             kernel<<<kN / kColsOfBlock, kThreads>>>(A.data(), W.data(),
                                                                     scales.data(), D.data());
                           }});
    bytes.push_back(static_cast<double>(W.size()));
    contestants.back().launch(0);
    found.push_back(D.get());
  };
  enter("f16, in fragment order", multiply<F16Way>, f16);
  enter("4 bits, column after column", multiply<ColumnsWay<Columns>>, columns);
  enter("4 bits, in fragment order", multiply<PackedWay<Packed>>, packed);
  const bool alike = found[0] == found[1] && found[0] == found[2];
  const bench::Monitor monitor;
  std::printf("%s\nA, 16 x %d, times W, %d x %d; D is %s in all three:\n", bench::card().c_str(),
              kK, kK, kN, alike ? "the same" : "NOT THE SAME");
  std::size_t i = 0;
  for (const bench::Measured& one : bench::race(contestants, {3}, monitor)) {
    const double seconds = one.seconds.median;
    std::printf("  %-28s %8.1f us  %6.0f GB/s of W  +-%.1f %%  %5.0f MHz  %4.0f W\n",
                one.name.c_str(), seconds * 1e6, bytes[i++] / seconds * 1e-9,
                bench::spread_percent(one.seconds), one.mhz, one.watts);
  }
  return alike ? 0 : 1;
}

}  // namespace bench_packed

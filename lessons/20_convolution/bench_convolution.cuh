// SPDX-License-Identifier: MIT
// --bench of lesson 20: a layer of a network, 32 images of 56 x 56 pixels, 128 channels, 128
// filters of 3 x 3, padding 1. A written out by im2col and multiplied, and A never stored. The same
// loop for both: 128 pixels (8 x 8 of two images) by 128 filters a block, four warps of 64 x 64,
// steps of 64 of K, three stages of cp.async. Whole numbers: D has to be the same, to the bit, and
// of some pixels what the host makes of them.
//
// Method: common/device/bench.cuh. For GPUs only.
#pragma once

#include <vector>

#include "bench.cuh"
#include "device_array.cuh"
#include "element.cuh"
#include "ptx/cp_async.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mma.cuh"

namespace bench_convolution {

constexpr int kImages = 32, kSide = 56, kChannels = 128, kFilters = 128, kTaps = 9;
constexpr int kK = kTaps * kChannels, kPixels = kImages * kSide * kSide;
constexpr int kThreads = 128, kRows = 128, kStep = 64, kSteps = kK / kStep, kStages = 3;
constexpr int kTile = 8, kHalo = kTile + 2, kPlaces = kHalo * kHalo, kTilesOfSide = kSide / kTile;
constexpr dim3 kGrid(kTilesOfSide, kTilesOfSide, kImages / 2);

// Steps go through the taps of channels 0 to 63, and then of 64 to 127.
__device__ inline int tap_of(int step) { return step % kTaps; }
__device__ inline int channel_of(int step) { return step / kTaps * kStep; }

__host__ __device__ constexpr bool inside(int y, int x) {
  return y >= 0 && y < kSide && x >= 0 && x < kSide;
}
/// The pixel of D that a row of a block's 128 is.
__device__ inline int pixel_of(int row) {
  const int image = static_cast<int>(blockIdx.z) * 2 + row / 64;
  const int y = static_cast<int>(blockIdx.y) * kTile + row % 64 / kTile;
  return (image * kSide + y) * kSide + static_cast<int>(blockIdx.x) * kTile + row % kTile;
}
/// The element where a unit begins of a row of 64 elements.
__device__ inline int at(int row, int unit) { return row * kStep + (unit ^ row % 8) * 8; }

// ---- Where A comes from: what is loaded for a step, and which row it then is ------------------

struct Written {  // A[pixel][r][s][channel]
  static constexpr int kElements = kStages * kRows * kStep;
  __device__ static void start(uint16_t* to, const uint16_t* A, int step) {
    const int unit = static_cast<int>(threadIdx.x) % 8;
    for (int row = static_cast<int>(threadIdx.x) / 8; row < kRows; row += kThreads / 8)
      ptx::cp_async_cg_shared_global_16(&to[step % kStages * kRows * kStep + at(row, unit)],
                                        A + static_cast<std::size_t>(pixel_of(row)) * kK +
                                            tap_of(step) * kChannels + channel_of(step) + unit * 8);
  }
  __device__ static int place(int row, int step) { return step % kStages * kRows + row; }
};

struct Never {  // X[image][y][x][channel]: the tiles of two images, half of the channels at a time
  static constexpr int kElements = 2 * 2 * kPlaces * kStep;
  __device__ static void start(uint16_t* to, const uint16_t* X, int step) {
    if (step >= 2) return;  // all is there, or on its way
    const int unit = static_cast<int>(threadIdx.x) % 8;
    for (int i = static_cast<int>(threadIdx.x) / 8; i < 2 * kPlaces; i += kThreads / 8) {
      const int image = static_cast<int>(blockIdx.z) * 2 + i / kPlaces;
      const int y = static_cast<int>(blockIdx.y) * kTile + i % kPlaces / kHalo - 1;
      const int x = static_cast<int>(blockIdx.x) * kTile + i % kPlaces % kHalo - 1;
      const int from = ((image * kSide + y) * kSide + x) * kChannels + step * kStep + unit * 8;
      ptx::cp_async_cg_shared_global_16(&to[at(step * 2 * kPlaces + i, unit)],
                                        X + (inside(y, x) ? from : 0), inside(y, x) ? 16 : 0);
    }
  }
  __device__ static int place(int row, int step) {
    const int y = row % 64 / kTile + tap_of(step) / 3, x = row % kTile + tap_of(step) % 3;
    return (step / kTaps * 2 + row / 64) * kPlaces + y * kHalo + x;
  }
};

// ---- The loop -----------------------------------------------------------------------------------

__device__ inline void start_f(uint16_t* to, const uint16_t* F, int step) {
  const int unit = static_cast<int>(threadIdx.x) % 8;
  const uint16_t* from = F + tap_of(step) * kChannels + channel_of(step) + unit * 8;
  for (int row = static_cast<int>(threadIdx.x) / 8; row < kFilters; row += kThreads / 8)
    ptx::cp_async_cg_shared_global_16(&to[step % kStages * kFilters * kStep + at(row, unit)],
                                      from + row * kK);
}

constexpr int kBytesOfF = kStages * kFilters * kStep * 2;
constexpr int kBytesWritten = Written::kElements * 2 + kBytesOfF;
constexpr int kBytesNever = Never::kElements * 2 + kBytesOfF;

template <class FromA>
__global__ void __launch_bounds__(kThreads, 2)
    multiply(const uint16_t* A, const uint16_t* F, float* D) {
  extern __shared__ __align__(128) uint16_t shared[];
  uint16_t* const f = shared + FromA::kElements;
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const auto start = [=](int step) {
    if (step < kSteps) {
      FromA::start(shared, A, step);
      start_f(f, F, step);
    }
    ptx::cp_async_commit_group();
  };
  for (int step = 0; step < kStages - 1; ++step) start(step);
  float d[4][8][4] = {};
#pragma unroll 1
  for (int step = 0; step < kSteps; ++step) {
    ptx::cp_async_wait_group<kStages - 2>();
    __syncthreads();
    start(step + kStages - 1);
    int places[4];
    for (int m = 0; m < 4; ++m) places[m] = FromA::place(warp / 2 * 64 + m * 16 + lane % 16, step);
#pragma unroll
    for (int unit = 0; unit < kStep / 8; unit += 2) {
      uint32_t a[4][4], b[4][4];
      for (int m = 0; m < 4; ++m)
        ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(a[m],
                                                      &shared[at(places[m], unit + lane / 16)]);
      for (int n = 0; n < 4; ++n) {
        const int filter = warp % 2 * 64 + n * 16 + lane / 16 * 8 + lane % 8;
        ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(
            b[n], &f[at(step % kStages * kFilters + filter, unit + lane / 8 % 2)]);
      }
      for (int m = 0; m < 4; ++m)
        for (int n = 0; n < 8; ++n) {
          const uint32_t pair[2] = {b[n / 2][n % 2 * 2], b[n / 2][n % 2 * 2 + 1]};
          ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d[m][n], a[m], pair, d[m][n]);
        }
    }
  }
  for (int m = 0; m < 4; ++m)
    for (int half = 0; half < 2; ++half) {
      float* row =
          D + static_cast<std::size_t>(pixel_of(warp / 2 * 64 + m * 16 + half * 8 + lane / 4)) *
                  kFilters;
      for (int n = 0; n < 8; ++n)
        *reinterpret_cast<float2*>(row + warp % 2 * 64 + n * 8 + lane % 4 * 2) =
            make_float2(d[m][n][half * 2], d[m][n][half * 2 + 1]);
    }
}

// A thread a unit.
static __global__ void im2col(const uint4* X, uint4* A) {
  constexpr int kUnits = kChannels / 8;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = i / (kUnits * kTaps), tap = i / kUnits % kTaps;
  const int y = row / kSide % kSide + tap / 3 - 1, x = row % kSide + tap % 3 - 1;
  const int from = row + (tap / 3 - 1) * kSide + tap % 3 - 1;
  A[i] = inside(y, x) ? X[from * kUnits + i % kUnits] : make_uint4(0, 0, 0, 0);
}

// ---- The numbers --------------------------------------------------------------------------------

/// From -2 to 2: a sum is at most 1152 * 4, and f32 has it exactly.
inline int number(std::size_t i) {  // Knuth's multiplicative hash, twice
  const uint32_t once = static_cast<uint32_t>(i) * 2654435761u;
  return static_cast<int>(((once ^ once >> 15) * 2654435761u >> 16) % 5) - 2;
}
inline std::vector<uint16_t> numbers(std::size_t from, std::size_t count) {
  std::vector<uint16_t> all;
  for (std::size_t i = from; i < from + count; ++i)
    all.push_back(
        static_cast<uint16_t>(F16::encode(std::abs(number(i))) | (number(i) < 0 ? 0x8000u : 0u)));
  return all;
}
constexpr std::size_t kBehindX = 1u << 30;  // the filters' numbers are others

inline bool as_on_host(const std::vector<float>& D) {
  for (int at = 0; at < kPixels; at += 997)
    for (int filter = 0; filter < kFilters; ++filter) {
      int sum = 0;
      for (int k = 0; k < kK; ++k) {
        const int dy = k / kChannels / 3 - 1, dx = k / kChannels % 3 - 1;
        if (!inside(at / kSide % kSide + dy, at % kSide + dx)) continue;
        const auto pixel = static_cast<std::size_t>(at + dy * kSide + dx);
        sum += number(pixel * kChannels + static_cast<std::size_t>(k % kChannels)) *
               number(kBehindX + static_cast<std::size_t>(filter * kK + k));
      }
      if (D[static_cast<std::size_t>(at) * kFilters + static_cast<std::size_t>(filter)] !=
          static_cast<float>(sum))
        return false;
    }
  return true;
}

inline int run() {
  if (bench::needs_gpu()) return 0;
  DeviceArray<uint16_t> X(numbers(0, static_cast<std::size_t>(kPixels) * kChannels)),
      F(numbers(kBehindX, static_cast<std::size_t>(kFilters) * kK)),
      A(static_cast<std::size_t>(kPixels) * kK);
  DeviceArray<float> D(static_cast<std::size_t>(kPixels) * kFilters);
  CUDA_CHECK(cudaFuncSetAttribute(multiply<Written>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  kBytesWritten));
  CUDA_CHECK(cudaFuncSetAttribute(multiply<Never>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  kBytesNever));
  const auto write_out = [&X, &A](int) {
    im2col<<<kPixels*(kK / 8) / kThreads, kThreads>>>(reinterpret_cast<const uint4*>(X.data()),
                                                      reinterpret_cast<uint4*>(A.data()));
  };
  const auto written = [&A, &F, &D](int) {
    multiply<Written><<<kGrid, kThreads, kBytesWritten>>>(A.data(), F.data(), D.data());
  };
  const auto never = [&X, &F, &D](int) {
    multiply<Never><<<kGrid, kThreads, kBytesNever>>>(X.data(), F.data(), D.data());
  };
  const auto both = [=](int set) { write_out(set), written(set); };
  both(0);
  const std::vector<float> first = D.get();
  CUDA_CHECK(cudaMemset(D.data(), 0xff, D.size() * sizeof(float)));
  never(0);
  const bool good = first == D.get() && as_on_host(first);

  const bench::Monitor monitor;
  std::printf("%s\n%d images of %d x %d, %d channels, %d filters of 3 x 3; D is %s:\n",
              bench::card().c_str(), kImages, kSide, kSide, kChannels, kFilters,
              good ? "right both ways" : "WRONG");
  const std::vector<bench::Contestant> contestants{{"A written out by im2col", write_out},
                                                   {"A, written out, times F", written},
                                                   {"both, one after the other", both},
                                                   {"A never stored", never}};
  for (const bench::Measured& one : bench::race(contestants, {5}, monitor)) {
    const double seconds = one.seconds.median;
    std::printf("  %-26s %8.1f us", one.name.c_str(), seconds * 1e6);
    if (one.name != contestants[0].name)
      std::printf("  %6.1f TFLOP/s", 2.0 * kPixels * kK * kFilters / seconds * 1e-12);
    else
      std::printf("  %6.0f GB/s   ", kPixels * (kK + kChannels) * 2.0 / seconds * 1e-9);
    std::printf("  +-%.1f %%  %5.0f MHz  %4.0f W\n", bench::spread_percent(one.seconds), one.mhz,
                one.watts);
  }
  return good ? 0 : 1;
}

}  // namespace bench_convolution

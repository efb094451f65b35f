// SPDX-License-Identifier: MIT
// Lesson 20, convolution: a product whose A is never stored. A row of A is a pixel of D, and has
// the pixels of X around it, channel after channel; written out that is every pixel nine times. But
// ldmatrix takes an address a row: with the pixels in shared memory once, A is a matter of
// addresses.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.14.5.15 (ldmatrix), 9.7.9.25.3 (cp.async with a source size).
//   Steps:    kernel=convolve,launch=5   (the swizzle by place)
#include <vector>

#include "bench_convolution.cuh"
#include "counts.cuh"
#include "device_array.cuh"
#include "problem.cuh"
#include "ptx/cp_async.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"
#include "tables.cuh"
#include "this_device.cuh"
#include "tile.cuh"

// ---- A pixel in shared memory -------------------------------------------------------------------

// Its 64 channels are 128 bytes, all banks, 8 units of 16 bytes. What ldmatrix wants is a unit of
// eight pixels that are neighbours in a row of the image: the same unit, so they must not all have
// it in the same place (lesson 04).
constexpr int kUnits = kChannels / 8;
enum Swizzle { kNone, kByRow, kByPlace };

// The element where a unit begins of the pixel at `place`. kByRow goes by the row of A that the
// pixel is just now: who stores the pixel knows no such row.
template <Swizzle kSwizzle>
__device__ int at(int place, int unit, int row) {
  const int turn = kSwizzle == kNone ? 0 : (kSwizzle == kByRow ? row : place) % 8;
  return place * kChannels + (unit ^ turn) * 8;
}

// ---- One tap: 64 of K ---------------------------------------------------------------------------

using FragA = uint32_t[4];
using FragB = uint32_t[2];
using Sums = float[kFilters / 8][4];
#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"

// d += A * F for one tap. `place`: where the pixel lies that this lane's row of A is. F's rows are
// filters, and along k, r after r and s after s, channels: B, column after column.
template <Swizzle kSwizzle>
__device__ void multiply_tap(Sums& d, const uint16_t* pixels, int place, const uint16_t* F, int tap,
                             DeviceRecorder recorder) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const bool shown = recorder.on() && tap == 6 && first_warp();
#pragma unroll
  for (int c = 0; c < kChannels; c += 16) {
    FragA a;
    ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(
        a, &pixels[at<kSwizzle>(place, c / 8 + lane / 16, my_row())]);
#pragma unroll
    for (int n = 0; n < kFilters / 8; ++n) {
      const uint16_t* column = F + (n * 8 + lane / 4) * kK + tap * kChannels + c + lane % 4 * 2;
      FragB b;
      for (int reg = 0; reg < 2; ++reg)
        b[reg] = *reinterpret_cast<const uint32_t*>(column + reg * 8);
      ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d[n], a, b, d[n]);
      if (!shown || c != 16 || n != 0) continue;
      RECORD(recorder, "A", MMA, a);
      RECORD(recorder, "B", MMA, b);
      const float now[4] = {d[n][0], d[n][1], d[n][2], d[n][3]};
      RECORD(recorder, "D", MMA, now);
    }
  }
}
// A lane's sums are of two rows of A, of two filters each.
template <class PixelOf>
__device__ void store(float* D, const Sums& d, PixelOf pixel_of) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  for (int i = 0; i < kFilters / 2; ++i) {
    const int row = warp * 16 + lane / 4 + i / 2 % 2 * 8;
    D[pixel_of(row) * kFilters + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i / 4][i % 4];
  }
}

// ---- A written out ------------------------------------------------------------------------------

// im2col: a thread a unit. Outside of the image is 0.
__global__ void im2col(const uint4* X, uint4* A) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = i / kUnits / kTaps, tap = i / kUnits % kTaps, unit = i % kUnits;
  const int image = row / kWidth / kHeight;
  const int y = row / kWidth % kHeight + tap / 3 - 1, x = row % kWidth + tap % 3 - 1;
  A[i] = inside(y, x) ? X[pixel(image, y, x) * kUnits + unit] : make_uint4(0, 0, 0, 0);
}

// D = A * F, any A. A block has 64 rows; for every tap it loads their 64 of K.
__global__ void multiply(const uint16_t* A, const uint16_t* F, float* D) {
  __shared__ __align__(128) uint16_t rows[kRows * kChannels];
  const int first = static_cast<int>(blockIdx.x) * kRows;
  const int unit = static_cast<int>(threadIdx.x) % kUnits;
  Sums d = {};
  for (int tap = 0; tap < kTaps; ++tap) {
    __syncthreads();  // all have read the rows before
    for (int row = static_cast<int>(threadIdx.x) / kUnits; row < kRows; row += kThreads / kUnits)
      ptx::cp_async_cg_shared_global_16(&rows[at<kByPlace>(row, unit, row)],
                                        A + (first + row) * kK + tap * kChannels + unit * 8);
    ptx::cp_async_commit_group();
    ptx::cp_async_wait_group<0>();
    __syncthreads();
    multiply_tap<kByPlace>(d, rows, my_row(), F, tap, DeviceRecorder());
  }
  store(D, d, [=](int row) { return first + row; });
}

// ---- A never stored -----------------------------------------------------------------------------

// A block has 4 x 16 pixels of D, a warp a row of them. What they want of X is 6 x 18 pixels, the
// tile with its halo, loaded once; for every tap ldmatrix gets other addresses.
template <Swizzle kSwizzle>
__global__ void convolve(const uint16_t* X, const uint16_t* F, float* D, DeviceRecorder recorder) {
  __shared__ __align__(128) uint16_t tile[kPlaces * kChannels];
  const int image = static_cast<int>(blockIdx.z), top = static_cast<int>(blockIdx.y) * kHigh,
            left = static_cast<int>(blockIdx.x) * kWide;
  const int unit = static_cast<int>(threadIdx.x) % kUnits;
  for (int place = static_cast<int>(threadIdx.x) / kUnits; place < kPlaces;
       place += kThreads / kUnits) {
    const int y = top + place / kApart - 1, x = left + place % kApart - 1;
    const bool there = inside(y, x);  // else: 16 zeros, and nothing is read
    const uint16_t* from = X + (there ? pixel(image, y, x) * kChannels + unit * 8 : 0);
    ptx::cp_async_cg_shared_global_16(&tile[at<kSwizzle>(place, unit, place)], from,
                                      there ? 16 : 0);
  }
  ptx::cp_async_commit_group();
  ptx::cp_async_wait_group<0>();
  __syncthreads();
  if (first_warp())
    RECORD_TILE(recorder, "tile", "f16", kPlaces, kChannels, tile, kChannels * 2, kChannels * 2);
  Sums d = {};
  for (int tap = 0; tap < kTaps; ++tap)
    multiply_tap<kSwizzle>(d, tile, place_of(my_row(), tap / 3, tap % 3), F, tap, recorder);
  store(D, d, [=](int row) { return pixel(image, top + row / kWide, left + row % kWide); });
}

// ---- The lesson ---------------------------------------------------------------------------------

const dim3 kTiles(kWidth / kWide, kHeight / kHigh, kImages);

template <Swizzle kSwizzle>
std::vector<float> run(const Problem& p, const DeviceRecorder& recorder) {
  DeviceArray<uint16_t> X(p.X), F(p.F);
  DeviceArray<float> D(p.D.size());
  convolve<kSwizzle><<<kTiles, kThreads>>>(X.data(), F.data(), D.data(), recorder);
  return D.get();
}
template <Swizzle kSwizzle>
bool use(const char* swizzle, const Problem& p) {
  counts::Block block;
  counts::start();
  const std::vector<float> D = run<kSwizzle>(p, DeviceRecorder());
  return print_product("the tile with halo", swizzle, p, D, kSwizzle != kByRow,
                       counts::of_last_launch(block), block);
}
bool use_written_out(const Problem& p) {
  DeviceArray<uint16_t> X(p.X), F(p.F), A(static_cast<size_t>(kPixels) * kK);
  DeviceArray<float> D(p.D.size());
  counts::Block block;
  im2col<<<kPixels * kTaps * kUnits / kThreads, kThreads>>>(
      reinterpret_cast<const uint4*>(X.data()), reinterpret_cast<uint4*>(A.data()));
  counts::start();
  multiply<<<kPixels / kRows, kThreads>>>(A.data(), F.data(), D.data());
  const std::vector<float> found = D.get();
  return print_product("im2col's matrix", "u ^ row % 8", p, found, true,
                       counts::of_last_launch(block), block);
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"}, {"--bench"});
  if (argument_given(argc, argv, "--bench")) return bench_convolution::run();
  Recorder recorder(argc, argv, "20_convolution");
  recorder.view("20 Convolution", {"fragments", "lanes", "memory"}, "A 9,5",
                "Tap 2,0, channels 16 to 31: row 9 of A is column 8, row 1, unit 2 of X: 812.");
  introduce("Convolution");
  const auto launch = [&recorder](const char* kernel, dim3 grid = kTiles) {
    return recorder.launch(kernel, grid, kThreads);
  };

  bool good = print_traffic();
  good = print_rows(58) && good;
  const Problem p;
  print_head_of_products();
  launch("im2col", kPixels * kTaps * kUnits / kThreads);
  launch("multiply", kPixels / kRows);
  good = use_written_out(p) && good;
  launch("convolve");
  good = use<kNone>("u", p) && good;
  launch("convolve");
  good = use<kByRow>("u ^ row % 8", p) && good;
  launch("convolve");
  good = use<kByPlace>("u ^ place % 8", p) && good;
  // Once more, to be looked at: pixels that say where they lie.
  const Problem numbered(true);
  good = run<kByPlace>(numbered, launch("convolve")) == numbered.D && good;
  if (!good) std::printf("\nSomething above is not as it should be.\n");
  return recorder.write() && good ? 0 : 1;
}

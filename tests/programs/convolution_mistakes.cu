// SPDX-License-Identifier: MIT
// D = X convolved with filters of 3 x 3 pixels, as a product whose A is copied together tap by tap
// (lesson 20), and mistakes in the addresses of its rows. The first argument says which pixels a
// block has, the second one names a mistake, or "right".
//
// A block has 32 pixels, each of its two warps 16: a part of the image, "4x8", "8x4", "2x16" or
// "1x32", with a stride, "4x8s2", "2x16s2", or dilated, "4x8d2"; or 32 in the order of D, "linear",
// where rows of D are two shorter than those of X; "odd", its sizes odd and with a stride, "full",
// where they are two longer, "partial", whose last parts hang over, "pixel" and "wide-pixel",
// filters of one pixel with a stride, "padded-pixel", with padding. X has 32 channels, and there
// are eight filters.
#include <cuda_fp16.h>

#include <cstring>

#include "ampere.cuh"
#include "program.cuh"

constexpr int kChannels = 32, kFilters = 8, kImages = 2, kPixels = 32, kPitch = kChannels + 8;

enum Mistake {
  none,
  tap_off,
  neighbour,
  line_below,
  half_below,
  stored_as_neighbour,
  stored_below
};

struct Geometry {
  int high, wide;                                 // of a block; 0: all in the order of D
  int down, across;                               // D
  int stride, apart, padding;                     // apart: from tap to tap
  int taps = 3;                                   // in a row of a filter, and rows
  __host__ __device__ int size(int of_d) const {  // of X
    return (of_d - 1) * stride + (taps - 1) * apart + 1 - 2 * padding;
  }
  __host__ __device__ int ks() const { return taps * taps * kChannels; }
};
struct Pixel {
  int image, y, x;
};
__device__ Pixel pixel_of(const Geometry& g, int block, int row) {
  if (g.high == 0) {
    const int at = block * kPixels + row;
    return {at / g.across / g.down, at / g.across % g.down, at % g.across};
  }
  const int blocks_across = (g.across + g.wide - 1) / g.wide,
            blocks_down = (g.down + g.high - 1) / g.high;
  return {block / blocks_across / blocks_down,
          block / blocks_across % blocks_down * g.high + row / g.wide,
          block % blocks_across * g.wide + row % g.wide};
}

__device__ void copy(__half* to, const __half* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
               "r"(bytes)
               : "memory");
}

template <Mistake kMade>
__device__ void copy_tap(__half (&tile)[kPixels][kPitch], const __half* X, const Geometry& g,
                         int tap) {
  for (int i = threadIdx.x; i < kPixels * kChannels / 8; i += 64) {
    const int row = i / (kChannels / 8), unit = i % (kChannels / 8);
    const Pixel of = pixel_of(g, blockIdx.x, row);
    const int high = g.size(g.down), wide = g.size(g.across);
    int y = of.y * g.stride + tap / g.taps * g.apart - g.padding;
    int x = of.x * g.stride + tap % g.taps * g.apart - g.padding;
    if (kMade == tap_off && tap == 5) --x;
    if (kMade == neighbour && row == 5) ++x;
    if (kMade == line_below && row / 8 == 1) ++y;
    if (kMade == half_below && row / 8 % 2 == 1) ++y;
    const bool there = y >= 0 && y < high && x >= 0 && x < wide && of.image < kImages;
    const int pixel = there ? (of.image * high + y) * wide + x : 0;
    copy(&tile[row][unit * 8], &X[pixel * kChannels + unit * 8], there ? 16 : 0);
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
}

template <Mistake kMade>
__global__ void __launch_bounds__(64)
    convolve(const __half* X, const __half* F, float* D, Geometry g) {
  __shared__ alignas(128) __half tile[kPixels][kPitch];
  const int lane = threadIdx.x % 32, first = threadIdx.x / 32 * 16;
  float d[4] = {};
  for (int tap = 0; tap < g.taps * g.taps; ++tap) {
    copy_tap<kMade>(tile, X, g, tap);
    for (int c = 0; c < kChannels; c += 16) {
      std::uint32_t a[4], b[2];
      load(a, &tile[first + lane % 16][c + lane / 16 * 8]);
      const __half* filter = F + lane / 4 * g.ks() + tap * kChannels + c + lane % 4 * 2;
      for (int i = 0; i < 2; ++i) b[i] = *reinterpret_cast<const std::uint32_t*>(filter + i * 8);
      multiply(d, a, b[0], b[1]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    const int row = first + lane / 4 + i / 2 * 8;
    Pixel of = pixel_of(g, blockIdx.x, row);
    if (kMade == stored_as_neighbour && row == 5) ++of.x;
    if (kMade == stored_below && row / 8 == 1) ++of.y;
    const int pixel = (of.image * g.down + of.y) * g.across + of.x;
    if (of.image < kImages && of.y < g.down && of.x < g.across)
      D[pixel * kFilters + lane % 4 * 2 + i % 2] = d[i];
  }
}

// ---- The cases ----------------------------------------------------------------------------------

struct Block {
  const char* name;
  Geometry g;
};
const Block kBlocks[] = {{"4x8", {4, 8, 16, 16, 1, 1, 1}},
                         {"8x4", {8, 4, 16, 16, 1, 1, 1}},
                         {"2x16", {2, 16, 16, 32, 1, 1, 1}},
                         {"1x32", {1, 32, 4, 64, 1, 1, 1}},
                         {"4x8s2", {4, 8, 16, 16, 2, 1, 1}},
                         {"4x8d2", {4, 8, 16, 16, 1, 2, 2}},
                         {"2x16s2", {2, 16, 16, 32, 2, 1, 1}},
                         {"linear", {0, 0, 14, 14, 1, 1, 0}},
                         {"odd", {0, 0, 7, 7, 2, 1, 1}},
                         {"full", {0, 0, 12, 12, 1, 1, 2}},
                         {"partial", {8, 4, 11, 13, 1, 1, 1}},
                         {"pixel", {0, 0, 7, 7, 2, 1, 0, 1}},
                         {"wide-pixel", {0, 0, 16, 16, 2, 1, 0, 1}},
                         {"padded-pixel", {4, 8, 16, 16, 1, 1, 1, 1}}};
struct Case {
  const char* name;
  void (*kernel)(const __half*, const __half*, float*, Geometry);
};
const Case kCases[] = {{"right", convolve<none>},
                       {"tap-off", convolve<tap_off>},
                       {"neighbour", convolve<neighbour>},
                       {"line-below", convolve<line_below>},
                       {"half-below", convolve<half_below>},
                       {"stored-as-neighbour", convolve<stored_as_neighbour>},
                       {"stored-below", convolve<stored_below>}};

float sum(const std::vector<__half>& X, const std::vector<__half>& F, const Geometry& g, int pixel,
          int filter) {
  const int high = g.size(g.down), wide = g.size(g.across);
  const int image = pixel / g.across / g.down, y = pixel / g.across % g.down, x = pixel % g.across;
  float sum = 0;
  for (int tap = 0; tap < g.taps * g.taps; ++tap) {
    const int from_y = y * g.stride + tap / g.taps * g.apart - g.padding;
    const int from_x = x * g.stride + tap % g.taps * g.apart - g.padding;
    if (from_y < 0 || from_y >= high || from_x < 0 || from_x >= wide) continue;
    const __half* from = &X[((image * high + from_y) * wide + from_x) * kChannels];
    for (int c = 0; c < kChannels; ++c)
      sum += __half2float(from[c]) * __half2float(F[filter * g.ks() + tap * kChannels + c]);
  }
  return sum;
}

int main(int argc, char** argv) {
  const Block* block = nullptr;
  const Case* made = nullptr;
  for (const Block& one : kBlocks)
    if (argc == 3 && std::strcmp(argv[1], one.name) == 0) block = &one;
  for (const Case& one : kCases)
    if (argc == 3 && std::strcmp(argv[2], one.name) == 0) made = &one;
  if (block == nullptr || made == nullptr) return std::printf("which block, which mistake?\n"), 2;
  const Geometry& g = block->g;
  Numbers numbers;
  std::vector<__half> X(kImages * g.size(g.down) * g.size(g.across) * kChannels),
      F(kFilters * g.ks());
  for (std::vector<__half>* all : {&X, &F})
    for (__half& value : *all) value = __float2half(static_cast<float>(numbers.next(4)));
  const int pixels = kImages * g.down * g.across;
  float* device_D = to_device(std::vector<float>(pixels * kFilters, -1.0f));
  const int parts =
      g.high == 0 ? 0 : (g.across + g.wide - 1) / g.wide * ((g.down + g.high - 1) / g.high);
  const int blocks = g.high == 0 ? (pixels + kPixels - 1) / kPixels : kImages * parts;
  made->kernel<<<blocks, 64>>>(to_device(X), to_device(F), device_D, g);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, pixels * kFilters);
  int wrong = 0;
  for (int i = 0; i < pixels * kFilters; ++i)
    wrong += D[i] != sum(X, F, g, i / kFilters, i % kFilters);
  std::printf("%d of %d elements of D are wrong\n", wrong, pixels * kFilters);
  return 0;
}

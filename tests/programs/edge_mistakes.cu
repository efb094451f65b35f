// SPDX-License-Identifier: MIT
// D = A * B^T with mma.sync, where K is no multiple of a step of k, and the mistakes that people
// make at its end, and with the leading dimension of D; the first argument names one. Right are
// "right", whose lanes fill the last step with zeros, "one-filled", where A's do alone, "copied",
// where cp.async does, "wide", whose D has longer rows, "heads", whose D is cut into matrices of 32
// columns, and "ragged", whose A has eight rows less than the blocks have.
//
// A is 64 x 40, B 96 x 40; a block has 32 x 32 of D, each of its two warps 16 x 32, that is four
// sums, of three steps of k.
#include <cuda_fp16.h>

#include <cstring>

#include "program.cuh"

constexpr int kM = 64, kN = 96, kK = 40, kTile = 32, kMore = 8;

enum Mistake {
  none,
  one_filled,
  copied,
  wide,
  heads,
  ragged,
  unfilled,
  copied_whole,
  dropped,
  narrow,
  two_lengths,
  of_block,
  of_tile,
};

// Two numbers of a row of K, or zeros behind its end.
template <bool kFills>
__device__ std::uint32_t two(const __half* of, int row, int k, int K) {
  if (kFills && k >= K) return 0;
  return *reinterpret_cast<const std::uint32_t*>(&of[row * K + k]);
}

__device__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Sixteen k of 32 rows, eight at once: behind the end of a row there is nothing to copy.
template <Mistake kMade>
__device__ void copy(__half (&to)[kTile][16], const __half* of, int row, int k, int K) {
  const int line = threadIdx.x / 2, at = threadIdx.x % 2 * 8;
  const int bytes = kMade == copied_whole || k + at < K ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   static_cast<std::uint32_t>(__cvta_generic_to_shared(&to[line][at]))),
               "l"(&of[(row + line) * K + k + at]), "r"(bytes)
               : "memory");
}

template <Mistake kMade>
__global__ void __launch_bounds__(64)
    gemm(const __half* A, const __half* B, float* D, int K, int length) {
  constexpr bool kCopies = kMade == copied || kMade == copied_whole, kFills = kMade != unfilled;
  __shared__ alignas(16) __half tile_a[kTile][16], tile_b[kTile][16];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row = blockIdx.y * kTile, col = blockIdx.x * kTile;
  const int rows = kMade == ragged ? kM - kMore : kM;
  float d[4][4] = {};
  for (int k = 0; k < (kMade == dropped ? K / 16 * 16 : K); k += 16) {
    if (kCopies) {
      copy<kMade>(tile_a, A, row, k, K);
      copy<kMade>(tile_b, B, col, k, K);
      asm volatile("cp.async.wait_all;" ::: "memory");
      __syncthreads();
    }
    std::uint32_t a[4], b[2];
    const int at = lane % 4 * 2;
    for (int i = 0; i < 4; ++i) {
      const int in_row = warp * 16 + lane / 4 + i % 2 * 8, in_k = at + i / 2 * 8;
      a[i] = kCopies               ? *reinterpret_cast<const std::uint32_t*>(&tile_a[in_row][in_k])
             : row + in_row < rows ? two<kFills>(A, row + in_row, k + in_k, K)
                                   : 0;
    }
    for (int n = 0; n < 4; ++n) {
      for (int i = 0; i < 2; ++i) {
        const int in_col = n * 8 + lane / 4, in_k = at + i * 8;
        b[i] = kCopies ? *reinterpret_cast<const std::uint32_t*>(&tile_b[in_col][in_k])
                       : two < kFills && kMade != one_filled > (B, col + in_col, k + in_k, K);
      }
      multiply(d[n], a, b);
    }
    if (kCopies) __syncthreads();
  }
  for (int n = 0; n < 4; ++n)
    for (int i = 0; i < 4; ++i) {
      const int lane_row = lane / 4 + i / 2 * 8, in_row = warp * 16 + lane_row;
      const int in_col = n * 8 + lane % 4 * 2 + i % 2;
      int place = (row + in_row) * length + col + in_col;
      if (kMade == heads) place = (blockIdx.x * kM + row + in_row) * kTile + in_col;
      if (kMade == two_lengths) place = (row + warp * 16) * kN + col + lane_row * length + in_col;
      if (kMade == of_block) place = row * kN + col + in_row * length + in_col;
      if (row + in_row < rows) D[place] = d[n][i];
    }
}

// ---- The mistakes -------------------------------------------------------------------------------

struct Case {
  const char* name;
  void (*kernel)(const __half*, const __half*, float*, int, int);
  int length = kN;  // of a row of D, as the kernel is told
};
const Case kCases[] = {
    {"right", gemm<none>},
    {"one-filled", gemm<one_filled>},
    {"copied", gemm<copied>},
    {"wide", gemm<wide>, kN + kMore},
    {"heads", gemm<heads>},
    {"ragged", gemm<ragged>},
    {"unfilled", gemm<unfilled>},
    {"copied-whole", gemm<copied_whole>},
    {"dropped", gemm<dropped>},
    {"narrow", gemm<narrow>, kN - kMore},
    {"two-lengths", gemm<two_lengths>, kN - kMore},
    {"of-block", gemm<of_block>, kN - kMore},
    {"of-tile", gemm<of_tile>, kTile},
};

int main(int argc, char** argv) {
  const Case* made = nullptr;
  const auto is = [&](const char* name) { return argc == 2 && std::strcmp(argv[1], name) == 0; };
  for (const Case& one : kCases)
    if (is(one.name)) made = &one;
  if (made == nullptr) return std::printf("which mistake?\n"), 2;
  Numbers numbers;
  // What is read behind the last row is there, and no zero.
  const bool reads_on = is("unfilled") || is("one-filled") || is("copied-whole");
  std::vector<__half> A(kM * kK + (reads_on ? kMore : 0)), B(kN * kK + (reads_on ? kMore : 0));
  for (std::vector<__half>* all : {&A, &B})
    for (__half& value : *all) value = __float2half(static_cast<float>(numbers.next(4)));
  const int length = is("wide") ? kN + kMore : kN;
  float* device_D = to_device(std::vector<float>(kM * length, -1.0f));
  made->kernel<<<dim3(kN / kTile, kM / kTile), 64>>>(to_device(A), to_device(B), device_D, kK,
                                                     made->length);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, kM * length);
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int col = 0; col < kN; ++col) {
      const bool is_there = !is("ragged") || row < kM - kMore;
      float sum = is_there ? 0 : -1;
      for (int k = 0; k < kK && is_there; ++k)
        sum += __half2float(A[row * kK + k]) * __half2float(B[col * kK + k]);
      wrong +=
          D[is("heads") ? (col / kTile * kM + row) * kTile + col % kTile : row * length + col] !=
          sum;
    }
  std::printf("%d of %d elements of D are wrong\n", wrong, kM * kN);
  return 0;
}

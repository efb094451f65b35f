// SPDX-License-Identifier: MIT
// D = A * B with mma.sync, its tiles in shared memory, and the mistakes that people make on the way
// through it: the first argument names one. Right are "right", two stages filled by cp.async,
// "plain", one filled by stores, and "window", a convolution along one dimension.
//
// A is 64 x 64, B 64 x 128, both row after row; a block has 32 x 64 of D, each of its two warps 16
// rows of it. Rows of A's tile are 8 elements longer than they need to be, B's are swizzled.
#include <cuda_fp16.h>

#include <cstring>

#include "ampere.cuh"
#include "program.cuh"

constexpr int kM = 64, kN = 128, kK = 64, kTileM = 32, kTileN = 64, kTileK = 16;
constexpr int kPitchA = kTileK + 8;

enum Mistake {
  none,
  plain,
  window,
  no_wait,
  no_barrier,
  overwritten,
  pitch,
  half_stored,
  unswizzled,
  no_trans,
  other_register,
  lanes_of_rows,
  k_order,
  pairs_by_index,
  one_register
};

__device__ void copy(__half* to, const __half* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from)
               : "memory");
}
template <int kLeft>
__device__ void wait_group() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}
__device__ void load_as_it_is(std::uint32_t (&to)[4], const void* row) { load(to, row); }
__device__ void load_transposed(std::uint32_t (&to)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row))
               : "memory");
}

struct Tiles {
  alignas(1024) __half b[kTileK][kTileN];
  alignas(128) __half a[kTileM][kPitchA];
};
// Its unit of 8 elements.
__device__ __half* in_b(Tiles& tiles, int row, int unit, bool swizzles) {
  return &tiles.b[row][(swizzles ? unit ^ row % 8 : unit) * 8];
}

template <Mistake kMade>
__device__ void fetch(Tiles& tiles, const __half* A, const __half* B, int row, int col, int k) {
  constexpr bool kStores = kMade == plain || kMade == overwritten;
  const auto one = [](__half* to, const __half* from) {
    if (kStores)
      *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
    else
      copy(to, from);
  };
  const int thread = threadIdx.x;
  if (kMade != half_stored || thread % 2 == 0)
    one(&tiles.a[thread / 2][thread % 2 * 8], &A[(row + thread / 2) * kK + k + thread % 2 * 8]);
  for (int i = thread; i < kTileK * 8; i += 64)
    one(in_b(tiles, i / 8, i % 8, kMade != unswizzled), &B[(k + i / 8) * kN + col + i % 8 * 8]);
  if (!kStores) asm volatile("cp.async.commit_group;" ::: "memory");
}

template <Mistake kMade>
__device__ void load_a(std::uint32_t (&a)[4], Tiles& tiles, const __half* A, int row, int k) {
  const int lane = threadIdx.x % 32, first = threadIdx.x / 32 * 16;
  if (kMade == k_order) {  // eight bytes a lane, in one piece
    for (int i = 0; i < 4; ++i)
      a[i] = *reinterpret_cast<const std::uint32_t*>(
          &A[(row + first + lane / 4 + i % 2 * 8) * kK + k + lane % 4 * 4 + i / 2 * 2]);
    return;
  }
  if (kMade == one_register) {  // of the four one is read two elements too far on
    for (int i = 0; i < 4; ++i)
      a[i] =
          *reinterpret_cast<const std::uint32_t*>(&A[(row + first + lane / 4 + i % 2 * 8) * kK + k +
                                                     lane % 4 * 2 + i / 2 * 8 + (i == 1 ? 2 : 0)]);
    return;
  }
  const int of_lane = kMade == lanes_of_rows ? lane / 2 : lane % 16;
  const int unit = kMade == lanes_of_rows ? lane % 2 : lane / 16;
  constexpr int kPitch = kMade == pitch ? kPitchA - 8 : kPitchA;
  load_as_it_is(a, &tiles.a[0][0] + (first + of_lane) * kPitch + unit * 8);
}

template <Mistake kMade>
__device__ void multiply_tile(float (&d)[8][4], Tiles& tiles, const __half* A, const __half* B,
                              int row, int col, int k) {
  const int lane = threadIdx.x % 32;
  std::uint32_t a[4], b[4];
  load_a<kMade>(a, tiles, A, row, k);
  for (int n = 0; n < 8; n += 2) {
    const __half* at = in_b(tiles, lane % 16, n + lane / 16, true);
    if (kMade == no_trans)
      load_as_it_is(b, at);
    else
      load_transposed(b, at);
    if (kMade == pairs_by_index)  // B[col][k], where B[k][col] was meant
      for (int i = 0; i < 4; ++i)
        b[i] = *reinterpret_cast<const std::uint32_t*>(
            &B[(k + i % 2 * 8 + lane / 4) * kN + col + (n + i / 2) * 8 + lane % 4 * 2]);
    const int second = kMade == other_register ? 2 : 1;
    multiply(d[n], a, b[0], b[second]);
    multiply(d[n + 1], a, b[3 - second], b[3]);
  }
}

template <Mistake kMade>
__global__ void __launch_bounds__(64) gemm(const __half* A, const __half* B, float* D) {
  __shared__ Tiles tiles[2];
  constexpr bool kStores = kMade == plain || kMade == overwritten;
  constexpr int kSteps = kK / kTileK;
  const int row = blockIdx.y * kTileM, col = blockIdx.x * kTileN;
  float d[8][4] = {};
  if (!kStores) fetch<kMade>(tiles[0], A, B, row, col, 0);
#pragma unroll 1
  for (int step = 0; step < kSteps; ++step) {
    if (kStores) {
      fetch<kMade>(tiles[0], A, B, row, col, step * kTileK);
    } else if (step + 1 < kSteps) {
      fetch<kMade>(tiles[(step + 1) % 2], A, B, row, col, (step + 1) * kTileK);
      wait_group<1>();
    } else {
      wait_group<kMade == no_wait ? 1 : 0>();
    }
    if (kMade != no_barrier) __syncthreads();
    multiply_tile<kMade>(d, tiles[kStores ? 0 : step % 2], A, B, row, col, step * kTileK);
    if (kMade != overwritten) __syncthreads();
  }
  const int lane = threadIdx.x % 32, first = row + threadIdx.x / 32 * 16;
  for (int n = 0; n < 8; ++n)
    for (int i = 0; i < 4; ++i)
      D[(first + lane / 4 + i / 2 * 8) * kN + col + n * 8 + lane % 4 * 2 + i % 2] = d[n][i];
}

// D[row][col] = sum of A[row + s][k] * B[s * 16 + k][col], for three s; a warp has 16 x 8.
__global__ void convolve(const __half* A, const __half* B, float* D) {
  const int lane = threadIdx.x, group = lane / 4, pair = lane % 4 * 2;
  const int row = blockIdx.y * 16, col = blockIdx.x * 8;
  float d[4] = {};
  for (int s = 0; s < 3; ++s) {
    std::uint32_t a[4], b[2];
    for (int i = 0; i < 4; ++i)
      a[i] = *reinterpret_cast<const std::uint32_t*>(
          &A[(row + s + group + i % 2 * 8) * 16 + pair + i / 2 * 8]);
    for (int i = 0; i < 2; ++i) {
      const __half* at = &B[(s * 16 + pair + i * 8) * kN + col + group];
      const __half2 both = __halves2half2(at[0], at[kN]);
      std::memcpy(&b[i], &both, sizeof both);
    }
    multiply(d, a, b[0], b[1]);
  }
  for (int i = 0; i < 4; ++i) D[(row + group + i / 2 * 8) * kN + col + pair + i % 2] = d[i];
}

struct Case {
  const char* name;
  void (*kernel)(const __half*, const __half*, float*);
};
const Case kCases[] = {{"right", gemm<none>},
                       {"plain", gemm<plain>},
                       {"window", convolve},
                       {"no-wait", gemm<no_wait>},
                       {"no-barrier", gemm<no_barrier>},
                       {"overwritten", gemm<overwritten>},
                       {"pitch", gemm<pitch>},
                       {"half-stored", gemm<half_stored>},
                       {"unswizzled", gemm<unswizzled>},
                       {"no-trans", gemm<no_trans>},
                       {"other-register", gemm<other_register>},
                       {"lanes-of-rows", gemm<lanes_of_rows>},
                       {"k-order", gemm<k_order>},
                       {"pairs-by-index", gemm<pairs_by_index>},
                       {"one-register", gemm<one_register>}};

int main(int argc, char** argv) {
  const Case* made = nullptr;
  for (const Case& one : kCases)
    if (argc == 2 && std::strcmp(argv[1], one.name) == 0) made = &one;
  if (made == nullptr) return std::printf("which mistake?\n"), 2;
  const bool convolves = made->kernel == convolve;
  Numbers numbers;
  std::vector<__half> A(kM * kK), B(kK * kN);
  for (__half& value : A) value = __float2half(static_cast<float>(numbers.next(4)));
  for (__half& value : B) value = __float2half(static_cast<float>(numbers.next(4)));
  float* device_D = to_device(std::vector<float>(kM * kN, -1.0f));
  const dim3 grid = convolves ? dim3(kN / 8, kM / 16) : dim3(kN / kTileN, kM / kTileM);
  made->kernel<<<grid, convolves ? 32 : 64>>>(to_device(A), to_device(B), device_D);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, kM * kN);
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int col = 0; col < kN; ++col) {
      float sum = 0;
      for (int k = 0; k < (convolves ? 48 : kK); ++k)
        sum += __half2float(convolves ? A[(row + k / 16) * 16 + k % 16] : A[row * kK + k]) *
               __half2float(B[k * kN + col]);
      wrong += D[row * kN + col] != sum;
    }
  std::printf("%d of %d elements of D are wrong\n", wrong, kM * kN);
  return 0;
}

// SPDX-License-Identifier: MIT
// D = A * B^T where A is 2:4 sparse: of each four neighbours two are zero. The host keeps the other
// two and, in two bits each, where they were, in the order in which the lanes of mma.sp hold them
// (PTX ISA 9.7.14.6.1). A CTA of four warps makes 64 x 64; two stages of cp.async, ldmatrix.
// Whole numbers up to 8 and K = 256: sums below 2^14, exact.
#include <cuda_fp16.h>

#include "ampere.cuh"
#include "program.cuh"

constexpr int kM = 128, kN = 192, kK = 256, kThreads = 128;
constexpr int kTileM = 64, kTileN = 64, kTileK = 64;  // of K as in B: A has half as much
constexpr int kSteps = kK / kTileK;

struct Shared {
  alignas(16) __half a[2][kTileM][kTileK / 2];
  __half b[2][kTileN][kTileK];
};

__device__ void copy_16_bytes(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from)
               : "memory");
}
// Lanes 4 i and 4 i + 1 give the metadata (selector 0), or 4 i + 2 and 4 i + 3 (selector 1).
template <int kSelector>
__device__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                         std::uint32_t b1, std::uint32_t b2, std::uint32_t b3, std::uint32_t e) {
  asm volatile(
      "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "
      "{%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, %13;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "r"(b2), "r"(b3), "r"(e),
        "n"(kSelector));
}

// Pieces of 16 bytes are exchanged within a row: of A's four by row / 2, of B's eight by row.
__device__ void* place_a(Shared& shared, int stage, int row, int piece) {
  return &shared.a[stage][row][(piece ^ row / 2 % 4) * 8];
}
__device__ void* place_b(Shared& shared, int stage, int row, int piece) {
  return &shared.b[stage][row][(piece ^ row % 8) * 8];
}

__device__ void fetch(Shared& shared, int stage, const __half* a, const __half* b, int step) {
  const int thread = threadIdx.x;
  for (int i = thread; i < kTileM * 4; i += kThreads)
    copy_16_bytes(place_a(shared, stage, i / 4, i % 4),
                  a + (blockIdx.y * kTileM + i / 4) * (kK / 2) + step * (kTileK / 2) + i % 4 * 8);
  for (int i = thread; i < kTileN * 8; i += kThreads)
    copy_16_bytes(place_b(shared, stage, i / 8, i % 8),
                  b + (blockIdx.x * kTileN + i / 8) * kK + step * kTileK + i % 8 * 8);
  asm volatile("cp.async.commit_group;" ::: "memory");
}

// The warp's 16 rows times 64 columns of B, 64 of K: two mma.sp along K, one selector each.
__device__ void multiply_stage(float (&sums)[8][4], Shared& shared, int stage, std::uint32_t e) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  std::uint32_t a[2][4];
  for (int half = 0; half < 2; ++half)
    load(a[half], place_a(shared, stage, warp * 16 + lane % 16, half * 2 + lane / 16));
  for (int n = 0; n < kTileN / 8; ++n) {
    std::uint32_t b[2][4];
    for (int half = 0; half < 2; ++half)
      load(b[half], place_b(shared, stage, n * 8 + lane % 8, half * 4 + lane / 8));
    multiply<0>(sums[n], a[0], b[0][0], b[0][1], b[0][2], b[0][3], e);
    multiply<1>(sums[n], a[1], b[1][0], b[1][1], b[1][2], b[1][3], e);
  }
}

// metadata: [M / 16][K / 64][lane]
__global__ void __launch_bounds__(kThreads)
    gemm(const __half* a, const std::uint32_t* metadata, const __half* b, float* d) {
  __shared__ Shared shared;
  const int lane = threadIdx.x % 32, rows = blockIdx.y * 4 + threadIdx.x / 32;
  float sums[8][4] = {};
  fetch(shared, 0, a, b, 0);
#pragma unroll 1
  for (int step = 0; step < kSteps; ++step) {
    const std::uint32_t e = metadata[(rows * kSteps + step) * 32 + lane];
    if (step + 1 < kSteps) {
      fetch(shared, (step + 1) % 2, a, b, step + 1);
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    } else {
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
    __syncthreads();
    multiply_stage(sums, shared, step % 2, e);
    __syncthreads();
  }
  for (int n = 0; n < kTileN / 8; ++n)
    for (int half = 0; half < 2; ++half)
      *reinterpret_cast<float2*>(d + (rows * 16 + half * 8 + lane / 4) * kN + blockIdx.x * kTileN +
                                 n * 8 + lane % 4 * 2) =
          make_float2(sums[n][2 * half], sums[n][2 * half + 1]);
}

// A matrix in which two of each four are kept, the first at `first`, the second at `second`.
struct Sparse {
  std::vector<__half> kept;        // [row][K / 2]
  std::vector<int> first, second;  // [row][K / 4]
  std::vector<float> dense;

  explicit Sparse(Numbers& numbers)
      : kept(kM * kK / 2), first(kM * kK / 4), second(kM * kK / 4), dense(kM * kK) {
    constexpr int kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (int four = 0; four < kM * kK / 4; ++four) {
      const int* pair = kPairs[(numbers.next(1000) + 1000) % 6];
      first[four] = pair[0];
      second[four] = pair[1];
      for (int i = 0; i < 2; ++i) {
        const float value = static_cast<float>(numbers.next(8));
        kept[four * 2 + i] = __float2half(value);
        dense[four * 4 + pair[i]] = value;
      }
    }
  }

  // Eight fours of a row from column `col` on, in 32 bits: 4 bits for each, the first one lowest.
  std::uint32_t places(int row, int col, int fours) const {
    std::uint32_t bits = 0;
    for (int i = 0; i < fours; ++i) {
      const int four = (row * kK + col) / 4 + i;
      bits |= static_cast<std::uint32_t>(first[four] | second[four] << 2) << 4 * i;
    }
    return bits;
  }

  // What each lane gives to mma.sp.m16n8k32: of the four lanes of a row pair, those chosen by the
  // selector have, the even one, 16 columns of row lane / 4 below 16 of row 8 + lane / 4, and the
  // odd one the next 16 columns.
  std::vector<std::uint32_t> metadata() const {
    std::vector<std::uint32_t> all;
    for (int rows = 0; rows < kM / 16; ++rows)
      for (int step = 0; step < kSteps; ++step)
        for (int lane = 0; lane < 32; ++lane) {
          const int row = rows * 16 + lane / 4;
          const int col = step * kTileK + lane / 2 % 2 * 32 + lane % 2 * 16;
          all.push_back(places(row, col, 4) | places(row + 8, col, 4) << 16);
        }
    return all;
  }
};

int main() {
  Numbers numbers;
  const Sparse A(numbers);
  std::vector<__half> B(kN * kK);
  for (__half& value : B) value = __float2half(static_cast<float>(numbers.next(8)));
  float* device_D = to_device(std::vector<float>(kM * kN, -1.0f));
  gemm<<<dim3(kN / kTileN, kM / kTileM), kThreads>>>(to_device(A.kept), to_device(A.metadata()),
                                                     to_device(B), device_D);
  CHECK(cudaGetLastError());
  const std::vector<float> D = from_device(device_D, kM * kN);
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int col = 0; col < kN; ++col) {
      double sum = 0;
      for (int k = 0; k < kK; ++k)
        sum += double{A.dense[row * kK + k]} * __half2float(B[col * kK + k]);
      wrong += D[row * kN + col] != sum;
    }
  print_bits(D);
  return verdict("sparse_gemm", wrong, kM * kN);
}

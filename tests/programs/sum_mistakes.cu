// SPDX-License-Identifier: MIT
// D = A * B^T + C with mma.sync, and the mistakes that people make with the loop along k and with
// the sums at its end: the first argument names one. Right are "right", "staged", whose D, in f16,
// goes through shared memory, "ldmatrix", whose A does, and "shared-work", whose blocks have 16
// rows of D, and both warps make them.
//
// A, B, C and D are 64 x 64; a block has 32 x 16 of D, each of its two warps 16 x
// 16, that is two sums, of four steps of k.
#include <cuda_fp16.h>

#include <cstring>
#include <string>

#include "program.cuh"

constexpr int kM = 64, kN = 64, kK = 64, kTileM = 32, kTileN = 16;

enum Mistake {
  none,
  staged,
  never_set,
  zero_in_loop,
  one_short,
  twice,
  b_stays,
  a_by_rows,
  one_sum,
  registers,
  half_stored,
  same_rows,
  no_warp,
  exchanged,
  c_transposed,
  d_transposed,
  staged_rows,
  operands,
  ldmatrix,
  half_row,
  c_order,
  same_warp,
  shared_work
};

__device__ void load_a(std::uint32_t (&a)[4], const __half* A, int row, int k) {
  const int lane = threadIdx.x % 32;
  for (int i = 0; i < 4; ++i)
    a[i] = *reinterpret_cast<const std::uint32_t*>(
        &A[(row + lane / 4 + i % 2 * 8) * kK + k + i / 2 * 8 + lane % 4 * 2]);
}
__device__ void load_b(std::uint32_t (&b)[2], const __half* B, int col, int k) {
  const int lane = threadIdx.x % 32;
  for (int i = 0; i < 2; ++i)
    b[i] = *reinterpret_cast<const std::uint32_t*>(
        &B[(col + lane / 4) * kK + k + i * 8 + lane % 4 * 2]);
}
// A's 16 x 16, and behind it, as in many a kernel, some of B, through shared memory.
template <Mistake kMade>
__device__ void load_through_shared(std::uint32_t (&a)[4], const __half* A, const __half* B,
                                    int row, int col, int k) {
  __shared__ alignas(16) __half tile[2][16 + 16][16];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const auto copy = [&](const __half* from, __half* to) {
    *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
  };
  copy(&A[(row + lane / 2) * kK + k + lane % 2 * 8], &tile[warp][lane / 2][lane % 2 * 8]);
  copy(&B[(col + lane / 2) * kK + k + lane % 2 * 8], &tile[warp][16 + lane / 2][lane % 2 * 8]);
  __syncwarp();
  const __half* at = &tile[warp][lane % 16][lane / 16 * 8] + (kMade == half_row ? 8 : 0);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(at)))
               : "memory");
  __syncwarp();
}
__device__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// C's registers in another order than D's.
__device__ void multiply_c_in_order(float (&d)[4], const std::uint32_t (&a)[4],
                                    const std::uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %2, %1, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where element i of a lane's four is.
__device__ int row_of(int i) { return threadIdx.x % 32 / 4 + i / 2 * 8; }
__device__ int col_of(int i) { return threadIdx.x % 4 * 2 + i % 2; }

// The four numbers of a sum, to 16 x 8 of D.
template <Mistake kMade>
__device__ void store(const float (&d)[4], float* D, int row, int col) {
  for (int i = 0; i < (kMade == half_stored ? 2 : 4); ++i) {
    const int to = kMade == registers ? i % 2 * 2 + i / 2 : i;
    const int at_row = row + (kMade == same_rows ? row_of(to % 2) : row_of(to));
    const int at_col = col + col_of(to);
    D[kMade == d_transposed ? at_col * kN + at_row : at_row * kN + at_col] = d[i];
  }
}

// A warp's 16 x 16 of D through shared memory, in f16, eight numbers at once.
template <Mistake kMade>
__device__ void store_staged(const float (&d)[2][4], __half* D, int row, int col) {
  __shared__ alignas(16) __half tile[2][16][16 + 8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int n = 0; n < 2; ++n)
    for (int i = 0; i < 4; i += 2)
      *reinterpret_cast<__half2*>(&tile[warp][row_of(i)][n * 8 + col_of(i)]) =
          __floats2half2_rn(0.5f * d[n][i], 0.5f * d[n][i + 1]);
  __syncwarp();
  const int from = kMade == staged_rows ? (lane / 2) ^ 1 : lane / 2;
  *reinterpret_cast<uint4*>(&D[(row + lane / 2) * kN + col + lane % 2 * 8]) =
      *reinterpret_cast<const uint4*>(&tile[warp][from][lane % 2 * 8]);
}

template <Mistake kMade>
__global__ void __launch_bounds__(64)
    gemm(const __half* A, const __half* B, const float* C, float* D, __half* half_D) {
  const int warp = threadIdx.x / 32;
  const int row = kMade == shared_work ? blockIdx.y * 16
                                       : blockIdx.y * kTileM + (kMade == same_warp ? 0 : warp * 16),
            col = blockIdx.x * kTileN;
  float d[2][4];
  if (kMade != never_set)
    for (int n = 0; n < 2; ++n)
      for (int i = 0; i < 4; ++i)
        d[n][i] = kMade == c_transposed ? C[(col + n * 8 + col_of(i)) * kN + row + row_of(i)]
                                        : C[(row + row_of(i)) * kN + col + n * 8 + col_of(i)];
#pragma unroll 1
  for (int step = 0; step < kK / 16 - (kMade == one_short); ++step) {
    const int k = (kMade == twice ? step / 2 : step) * 16;
    std::uint32_t a[4], b[2];
    if (kMade == a_by_rows)
      load_a(a, A, k, 0);
    else if (kMade == ldmatrix || kMade == half_row)
      load_through_shared<kMade>(a, A, B, row, col, k);
    else if (kMade == operands)
      load_a(a, B, col, k);
    else
      load_a(a, A, row, k);
    for (int n = 0; n < 2; ++n) {
      if (kMade == zero_in_loop)
        for (float& one : d[n]) one = 0;
      if (kMade == operands)
        load_b(b, A, row + n * 8, k);
      else
        load_b(b, B, col + n * 8, kMade == b_stays ? 0 : k);
      if (kMade == c_order)
        multiply_c_in_order(d[n], a, b);
      else
        multiply(d[kMade == one_sum ? 0 : n], a, b);
    }
  }
  if (kMade == staged || kMade == staged_rows) return store_staged<kMade>(d, half_D, row, col);
  const int to_row = kMade == no_warp     ? static_cast<int>(blockIdx.y) * kTileM
                     : kMade == exchanged ? col
                                          : row;
  const int to_col = kMade == exchanged ? row : col;
  for (int n = 0; n < 2; ++n) store<kMade>(d[n], D, to_row, to_col + n * 8);
}

// ---- The mistakes -------------------------------------------------------------------------------

struct Case {
  const char* name;
  void (*kernel)(const __half*, const __half*, const float*, float*, __half*);
};
const Case kCases[] = {
    {"right", gemm<none>},
    {"staged", gemm<staged>},
    {"never-set", gemm<never_set>},
    {"zero-in-loop", gemm<zero_in_loop>},
    {"one-short", gemm<one_short>},
    {"twice", gemm<twice>},
    {"b-stays", gemm<b_stays>},
    {"a-by-rows", gemm<a_by_rows>},
    {"one-sum", gemm<one_sum>},
    {"registers", gemm<registers>},
    {"half-stored", gemm<half_stored>},
    {"same-rows", gemm<same_rows>},
    {"no-warp", gemm<no_warp>},
    {"exchanged", gemm<exchanged>},
    {"c-transposed", gemm<c_transposed>},
    {"d-transposed", gemm<d_transposed>},
    {"staged-rows", gemm<staged_rows>},
    {"operands", gemm<operands>},
    {"ldmatrix", gemm<ldmatrix>},
    {"half-row", gemm<half_row>},
    {"c-order", gemm<c_order>},
    {"same-warp", gemm<same_warp>},
    {"shared-work", gemm<shared_work>},
};

int main(int argc, char** argv) {
  const Case* made = nullptr;
  for (const Case& one : kCases)
    if (argc == 2 && std::strcmp(argv[1], one.name) == 0) made = &one;
  if (made == nullptr) return std::printf("which mistake?\n"), 2;
  Numbers numbers;
  std::vector<__half> A(kM * kK), B(kN * kK);
  std::vector<float> C(kM * kN);
  for (__half& value : A) value = __float2half(static_cast<float>(numbers.next(4)));
  for (__half& value : B) value = __float2half(static_cast<float>(numbers.next(4)));
  for (float& value : C) value = static_cast<float>(numbers.next(100) * 2);
  float* device_D = to_device(std::vector<float>(kM * kN, -1.0f));
  __half* half_D = to_device(std::vector<__half>(kM * kN, __float2half(-1.0f)));
  const int rows = made->kernel == gemm<shared_work> ? 16 : kTileM;
  made->kernel<<<dim3(kN / kTileN, kM / rows), 64>>>(to_device(A), to_device(B), to_device(C),
                                                     device_D, half_D);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, kM * kN);
  const std::vector<__half> halves = from_device(half_D, kM * kN);
  const bool half = std::strncmp(made->name, "staged", 6) == 0;
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int col = 0; col < kN; ++col) {
      float sum = C[row * kN + col];
      for (int k = 0; k < kK; ++k)
        sum += __half2float(A[row * kK + k]) * __half2float(B[col * kK + k]);
      wrong += half ? __half2float(halves[row * kN + col]) != 0.5f * sum : D[row * kN + col] != sum;
    }
  std::printf("%d of %d elements of D are wrong\n", wrong, kM * kN);
  return 0;
}

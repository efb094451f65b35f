// SPDX-License-Identifier: MIT
// D = (A * SFA) * (B * SFB)^T with block-scaled mma.sync of sm_120a, and the mistakes that people
// make with whose factors these are: the first argument names one. Right are "right", of e4m3 with
// a factor for 32 of k, "nvfp4", of e2m1 with one for 16, and "packed", whose factors of B were
// laid out column after column of eight before.
//
// A is 32 x 128, B 32 x 128, row after row, and so are their factors; a warp makes all of D.
#include <cuda_fp8.h>

#include <cmath>
#include <cstring>

#include "program.cuh"

constexpr int kM = 32, kN = 32, kK = 128;

enum Mistake { none, nvfp4, packed, thread_id, byte_id, lanes, next_word };

struct Operands {
  const std::uint32_t *A, *B;  // rows of K elements
  const std::uint32_t *SFA, *SFB;
  float* D;
};

__device__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                         std::uint32_t sfa, std::uint16_t byte, std::uint16_t lanes_of_a,
                         std::uint32_t sfb, std::uint16_t lane_of_b, bool is_nvfp4) {
  if (is_nvfp4)
    asm volatile(
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1."
        "f32.ue4m3 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, {%10}, {%11,%12}, {%13}, "
        "{%11,%14};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(sfa), "h"(byte),
          "h"(lanes_of_a), "r"(sfb), "h"(lane_of_b));
  else
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3."
        "f32.ue8m0 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, {%10}, {%11,%12}, {%13}, "
        "{%11,%14};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(sfa), "h"(byte),
          "h"(lanes_of_a), "r"(sfb), "h"(lane_of_b));
}

// Each step of k has 32 bytes of a row, whatever the type; a word of factors has four chunks.
template <Mistake kMade>
__global__ void __launch_bounds__(32) gemm(Operands of) {
  constexpr bool kIsNvfp4 = kMade == nvfp4 || kMade == next_word;
  constexpr int kWords = kIsNvfp4 ? kK / 8 : kK / 4, kFactorWords = kIsNvfp4 ? 2 : 1;
  const int lane = threadIdx.x, group = lane / 4, quad = lane % 4;
  float d[2][4][4] = {};
#pragma unroll
  for (int k = 0; k < kWords / 8; ++k) {
    std::uint32_t a[2][4], b[4][2];
    for (int m = 0; m < 2; ++m)
      for (int i = 0; i < 4; ++i)
        a[m][i] = of.A[(m * 16 + group + i % 2 * 8) * kWords + k * 8 + quad + i / 2 * 4];
    for (int n = 0; n < 4; ++n)
      for (int i = 0; i < 2; ++i) b[n][i] = of.B[(n * 8 + group) * kWords + k * 8 + quad + i * 4];
    const int word = kMade == next_word ? 1 - k : kIsNvfp4 ? k : 0;
    // Of the lanes of four each has another row: of A by twos, of B its own.
    const int row = (kMade == lanes ? 1 - quad % 2 : quad % 2) * 8 + quad / 2 * 16 + group;
    const int col = kMade == packed ? group * 4 + quad : quad * 8 + group;
    const std::uint32_t sfa = of.SFA[row * kFactorWords + word];
    const std::uint32_t sfb = of.SFB[col * kFactorWords + (kIsNvfp4 ? k : 0)];
    const int byte = kIsNvfp4 ? 0 : kMade == byte_id ? k / 2 * 2 : k;
    for (int m = 0; m < 2; ++m)
      for (int n = 0; n < 4; ++n)
        multiply(d[m][n], a[m], b[n], sfa, byte, m, sfb, kMade == thread_id ? 3 - n : n, kIsNvfp4);
  }
  for (int m = 0; m < 2; ++m)
    for (int n = 0; n < 4; ++n)
      for (int i = 0; i < 4; ++i)
        of.D[(m * 16 + group + i / 2 * 8) * kN + n * 8 + quad * 2 + i % 2] = d[m][n][i];
}

struct Case {
  const char* name;
  void (*kernel)(Operands);
};
const Case kCases[] = {{"right", gemm<none>},         {"nvfp4", gemm<nvfp4>},
                       {"packed", gemm<packed>},      {"thread-id", gemm<thread_id>},
                       {"byte-id", gemm<byte_id>},    {"lanes", gemm<lanes>},
                       {"next-word", gemm<next_word>}};

// Small numbers, their bits in rows, and what they are.
struct Matrix {
  std::vector<std::uint32_t> bits, factor_bits;
  std::vector<float> value;
  Matrix(Numbers& numbers, int rows, bool is_nvfp4)
      : bits(rows * kK / (is_nvfp4 ? 8 : 4)),
        factor_bits(rows * (is_nvfp4 ? 2 : 1)),
        value(rows * kK) {
    const int each = is_nvfp4 ? 16 : 32, in_word = is_nvfp4 ? 8 : 4;
    for (int at = 0; at < rows * kK; ++at) {
      const int n = numbers.next(2);
      const std::uint32_t of[] = {0, 2, 4};  // 0, 1 and 2 of e2m1
      const std::uint32_t b =
          is_nvfp4 ? of[std::abs(n)] | (n < 0 ? 8u : 0u) : __nv_fp8_e4m3(static_cast<float>(n)).__x;
      bits[at / in_word] |= b << at % in_word * (32 / in_word);
      value[at] = static_cast<float>(n);
    }
    for (int at = 0; at < rows * kK / each; ++at) {
      const int e = numbers.next(3);
      factor_bits[at / 4] |= static_cast<std::uint32_t>(is_nvfp4 ? (e + 7) << 3 : e + 127)
                             << at % 4 * 8;
      for (int k = 0; k < each; ++k) value[at * each + k] *= std::exp2(static_cast<float>(e));
    }
  }
};

int main(int argc, char** argv) {
  const Case* made = nullptr;
  for (const Case& one : kCases)
    if (argc == 2 && std::strcmp(argv[1], one.name) == 0) made = &one;
  if (made == nullptr) return std::printf("which mistake?\n"), 2;
  const auto is = [made](const char* name) { return std::strcmp(made->name, name) == 0; };
  const bool is_nvfp4 = is("nvfp4") || is("next-word");
  Numbers numbers;
  const Matrix A(numbers, kM, is_nvfp4), B(numbers, kN, is_nvfp4);
  std::vector<std::uint32_t> sfb = B.factor_bits;
  if (is("packed"))
    for (int col = 0; col < kN; ++col) sfb[col % 8 * 4 + col / 8] = B.factor_bits[col];
  const Operands of{to_device(A.bits), to_device(B.bits), to_device(A.factor_bits), to_device(sfb),
                    to_device(std::vector<float>(kM * kN))};
  made->kernel<<<1, 32>>>(of);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(of.D, kM * kN);
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int col = 0; col < kN; ++col) {
      float sum = 0;
      for (int k = 0; k < kK; ++k) sum += A.value[row * kK + k] * B.value[col * kK + k];
      wrong += D[row * kN + col] != sum;
    }
  std::printf("%d of %d elements of D are wrong\n", wrong, kM * kN);
  return 0;
}

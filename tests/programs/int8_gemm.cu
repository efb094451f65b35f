// SPDX-License-Identifier: MIT
// C = A x B of signed bytes, 96 x 80 x 160, three ways: dp4a, mma.sync m16n8k32 and m16n8k16 with
// saturation, then requantised to bytes with a scale for each column, a bias and a rounding that
// is the nearest, ties to even. And of unsigned nibbles with mma m16n8k64.
#include "program.cuh"

constexpr int kM = 96, kN = 80, kK = 160;

__global__ void with_dp4a(const std::int8_t* a, const std::int8_t* b, int* c) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  const int* of_row = reinterpret_cast<const int*>(a + row * kK);
  const int* of_col = reinterpret_cast<const int*>(b + col * kK);
  int sum = 0;
  for (int k = 0; k < kK / 4; ++k) sum = __dp4a(of_row[k], of_col[k], sum);
  c[row * kN + col] = sum;
}

__device__ void multiply_k32(int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ void multiply_k16(int (&d)[4], const unsigned (&a)[2], unsigned b) {
  asm("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5}, "
      "{%6}, {%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b));
}
__device__ void multiply_k64(int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ unsigned word(const std::int8_t* bytes, int at) {
  return *reinterpret_cast<const unsigned*>(bytes + at);
}

// A warp for 16 x 8 of C. `start` is what the sums begin with.
template <int kWay>
__global__ void with_mma(const std::int8_t* a, const std::int8_t* b, int start, int* c) {
  const int lane = threadIdx.x, row = blockIdx.y * 16 + lane / 4, col = blockIdx.x * 8;
  const std::int8_t* above = a + row * kK + lane % 4 * 4;
  const std::int8_t* below = above + 8 * kK;
  const std::int8_t* of_col = b + (col + lane / 4) * kK + lane % 4 * 4;
  int sum[4] = {start, start, start, start};
  if (kWay == 32)
    for (int k = 0; k < kK; k += 32)
      multiply_k32(sum, {word(above, k), word(below, k), word(above, k + 16), word(below, k + 16)},
                   {word(of_col, k), word(of_col, k + 16)});
  if (kWay == 16)
    for (int k = 0; k < kK; k += 16)
      multiply_k16(sum, {word(above, k), word(below, k)}, word(of_col, k));
  if (kWay == 64)  // two nibbles in each byte
    for (int k = 0; k < kK; k += 32)
      multiply_k64(sum, {word(above, k), word(below, k), word(above, k + 16), word(below, k + 16)},
                   {word(of_col, k), word(of_col, k + 16)});
  int* to = c + row * kN + col + lane % 4 * 2;
  to[0] = sum[0];
  to[1] = sum[1];
  to[8 * kN] = sum[2];
  to[8 * kN + 1] = sum[3];
}

__global__ void requantise(const int* c, const float* scale, const float* bias, char4* out) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  const int4 four = reinterpret_cast<const int4*>(c)[at];
  const int col = at * 4 % kN;
  const auto byte = [&](int value, int k) {
    const float real = __int2float_rn(value) * scale[col + k] + bias[col + k];
    return static_cast<signed char>(__float2int_rn(fminf(fmaxf(real, -128.0f), 127.0f)));
  };
  out[at] = make_char4(byte(four.x, 0), byte(four.y, 1), byte(four.z, 2), byte(four.w, 3));
}

int main() {
  Numbers numbers;
  std::vector<std::int8_t> a(kM * kK), b(kN * kK);
  for (auto& value : a) value = numbers.next(127);
  for (auto& value : b) value = numbers.next(127);
  const auto *left = to_device(a), *right = to_device(b);
  int* c = to_device(std::vector<int>(kM * kN));
  int failed = 0;
  const auto compare = [&](const char* name, const auto& product) {
    CHECK(cudaGetLastError());
    const std::vector<int> found = from_device(c, kM * kN);
    int wrong = 0;
    for (int row = 0; row < kM; ++row)
      for (int col = 0; col < kN; ++col)
        wrong += found[row * kN + col] != product(&a[row * kK], &b[col * kK]);
    failed |= verdict(name, wrong, kM * kN);
    print_bits(found);
  };
  const auto signed_bytes = [](const std::int8_t* a, const std::int8_t* b) {
    int sum = 0;
    for (int k = 0; k < kK; ++k) sum += a[k] * b[k];
    return sum;
  };
  with_dp4a<<<dim3(kN / 16, kM / 16), dim3(16, 16)>>>(left, right, c);
  compare("dp4a", signed_bytes);
  with_mma<32><<<dim3(kN / 8, kM / 16), 32>>>(left, right, 0, c);
  compare("m16n8k32", signed_bytes);

  std::vector<float> scale(kN), bias(kN);
  for (int col = 0; col < kN; ++col) scale[col] = 1.0f / (600 + 37 * col), bias[col] = col * 0.5f;
  char4* bytes = to_device(std::vector<char4>(kM * kN / 4));
  requantise<<<kM * kN / 4 / 64, 64>>>(c, to_device(scale), to_device(bias), bytes);
  print_bits(from_device(bytes, kM * kN / 4));

  constexpr int kNearTop = 0x7fffffff - 200000;
  with_mma<16><<<dim3(kN / 8, kM / 16), 32>>>(left, right, kNearTop, c);
  compare("m16n8k16, signed by unsigned, saturated",
          [](const std::int8_t* a, const std::int8_t* b) {
            long long sum = kNearTop;
            for (int from = 0; from < kK; from += 16) {
              for (int k = from; k < from + 16; ++k) sum += a[k] * static_cast<std::uint8_t>(b[k]);
              if (sum > 0x7fffffff) sum = 0x7fffffff;  // after every mma
            }
            return static_cast<int>(sum);
          });
  with_mma<64><<<dim3(kN / 8, kM / 16), 32>>>(left, right, 0, c);
  compare("m16n8k64 of nibbles", [](const std::int8_t* a, const std::int8_t* b) {
    int sum = 0;
    for (int k = 0; k < kK; ++k)
      for (int shift = 0; shift < 8; shift += 4) {
        const int other = static_cast<std::uint8_t>(b[k]) >> shift & 15;
        sum += (static_cast<std::uint8_t>(a[k]) >> shift & 15) * (other - (other & 8) * 2);
      }
    return sum;
  });
  return failed;
}

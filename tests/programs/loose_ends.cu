// SPDX-License-Identifier: MIT
// D = A * B with mma.sync as people write it, where addresses tell less than elsewhere: the first
// argument names a kernel. Right are "gathered", whose rows of B a list names, "scattered", whose A
// has eight elements in a row, whose columns a list names, "ragged", which has 13 rows of A,
// fetches no others and stores no others, "outside", which multiplies 16 rows more of a larger
// tile, of which it fetches and stores none, "own-names", whose inline assembly calls its registers
// as it likes, "nibbles", whose B has 4 bits and a zero point of 4 bits in another word, "doubles",
// which copies numbers of 8 bytes by 16, and "blocks", whose A and B were laid out in a block of
// memory for each step of k, and which leaves out the space before {. Mistakes: "by-table", whose
// tile a table names, and whose registers of A are exchanged; "all-stored", as "ragged", but all 16
// rows are stored.
//
// A is 16 x 32, B 32 x 8, row after row; one warp, both through shared memory.
#include <cuda_fp16.h>

#include <cstring>

#include "ampere.cuh"
#include "program.cuh"

constexpr int kM = 16, kN = 8, kK = 32, kStep = 16, kInWord = 8, kRagged = 13, kStored = 8;

enum Kind { gathered, scattered, ragged, outside, own_names, nibbles, by_table, all_stored };

struct Operands {
  const __half *A, *B;
  const std::uint32_t *packed, *zeros;  // of B: a column's 32 k in four words; 4 bits a column
  const int* list;                      // of rows of B, of columns of A, or which tile of A
  float* D;
};

__device__ std::uint32_t rounded_to_itself(std::uint32_t both) {
  asm("{ .reg .b32 __$1; mov.b32 __$1, %0; mov.b32 %0, __$1; }" : "+r"(both));
  return both;
}

// A lane has a word of eight k of a column: each less the column's zero point, and halved.
__device__ void widen(__half (&tile)[kN][kStep], const Operands& of, int k) {
  const int lane = threadIdx.x, col = lane / 2;
  if (lane >= 2 * kN) return;
  std::uint32_t word = of.packed[col * kK / kInWord + k / kInWord + lane % 2];
  const auto zero = static_cast<float>(of.zeros[0] >> col * 4 & 15);
#pragma unroll
  for (int i = 0; i < kInWord; ++i) {
    tile[col][lane % 2 * 8 + i] = __float2half(0.5f * (static_cast<float>(word & 15) - zero));
    word >>= 4;
  }
}

template <Kind kKind>
__global__ void __launch_bounds__(32) gemm(Operands of) {
  __shared__ __half a_tile[2 * kM][kStep], b_tile[kN][kStep];
  constexpr bool kIsRagged = kKind == ragged || kKind == all_stored;
  const int lane = threadIdx.x, group = lane / 4, pair = lane % 4 * 2;
  const __half* A = of.A + (kKind == by_table ? of.list[0] : 0) * kM * kK;
  float d[4] = {}, beyond[4] = {};
  for (int k = 0; k < kK; k += kStep) {
    for (int i = lane; i < (kIsRagged ? kRagged : kM) * kStep; i += 32)
      a_tile[i / kStep][i % kStep] =
          kKind == scattered ? __float2half(0) : A[i / kStep * kK + k + i % kStep];
    if (kKind == scattered) {
      __syncwarp();
      for (int i = lane; i < kM * kStored; i += 32)
        a_tile[i / kStored][of.list[i]] = A[(k + i / kStored) * kStep + i % kStored];
    }
    if (kKind == nibbles)
      widen(b_tile, of, k);
    else
      for (int i = lane; i < kStep * kN; i += 32)
        b_tile[i % kN][i / kN] =
            of.B[(kKind == gathered ? of.list[k + i / kN] : k + i / kN) * kN + i % kN];
    __syncwarp();
    std::uint32_t a[4];
    for (int i = 0; i < 4; ++i) {
      const int down = kKind == by_table ? i / 2 : i % 2, right = kKind == by_table ? i % 2 : i / 2;
      a[i] = reinterpret_cast<const std::uint32_t&>(a_tile[group + 8 * down][pair + 8 * right]);
      if (kKind == own_names) a[i] = rounded_to_itself(a[i]);
    }
    multiply(d, a, reinterpret_cast<const std::uint32_t&>(b_tile[group][pair]),
             reinterpret_cast<const std::uint32_t&>(b_tile[group][pair + 8]));
    if (kKind == outside) {
      for (int i = 0; i < 4; ++i)
        a[i] = reinterpret_cast<const std::uint32_t&>(
            a_tile[kM + group + 8 * (i % 2)][pair + 8 * (i / 2)]);
      multiply(beyond, a, reinterpret_cast<const std::uint32_t&>(b_tile[group][pair]),
               reinterpret_cast<const std::uint32_t&>(b_tile[group][pair + 8]));
    }
    __syncwarp();
  }
  for (int i = 0; i < 4; ++i)
    if (kKind != ragged || group + i / 2 * 8 < kRagged)
      of.D[(group + i / 2 * 8) * kN + pair + i % 2] = d[i];
}

// A lane has a number of each, and two of D.
__global__ void __launch_bounds__(32) of_doubles(const double* A, const double* B, double* D) {
  __shared__ alignas(16) double tile[8][8];
  const int lane = threadIdx.x, group = lane / 4, quad = lane % 4;
  double d[2] = {};
  for (int k = 0; k < 8; k += 4)
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(A[group * 8 + k + quad]), "d"(B[group * 8 + k + quad]));
  for (int i = 0; i < 2; ++i) tile[group][quad * 2 + i] = d[i];
  __syncwarp();
  reinterpret_cast<uint4*>(D)[lane] = reinterpret_cast<const uint4*>(tile)[lane];
}

int multiply_doubles() {
  Numbers numbers;
  std::vector<double> A(64), B(64);
  for (int at = 0; at < 64; ++at) A[at] = numbers.next(9), B[at] = numbers.next(9);
  double* to = to_device(std::vector<double>(64));
  of_doubles<<<1, 32>>>(to_device(A), to_device(B), to);
  CHECK(cudaDeviceSynchronize());
  const std::vector<double> D = from_device(to, 64);
  int wrong = 0;
  for (int at = 0; at < 64; ++at) {
    double sum = 0;
    for (int k = 0; k < 8; ++k) sum += A[at / 8 * 8 + k] * B[at % 8 * 8 + k];
    wrong += D[at] != sum;
  }
  std::printf("%d of 64 elements of D are wrong\n", wrong);
  return 0;
}

// A has a block of 16 x 16 for each step of k, B one of 8 x 16.
__global__ void __launch_bounds__(32)
    of_blocks(const std::uint32_t* A, const std::uint32_t* B, float* D) {
  constexpr int kWords = kStep / 2;
  const int lane = threadIdx.x, group = lane / 4, quad = lane % 4;
  float d[4] = {};
  for (int step = 0; step < kK / kStep; ++step) {
    std::uint32_t a[4], b[2];
    for (int i = 0; i < 4; ++i)
      a[i] = A[(step * kM + group + i % 2 * 8) * kWords + quad + i / 2 * 4];
    for (int i = 0; i < 2; ++i) b[i] = B[(step * kN + group) * kWords + quad + i * 4];
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
  for (int i = 0; i < 4; ++i) D[(group + i / 2 * 8) * kN + quad * 2 + i % 2] = d[i];
}

int multiply_blocks() {
  Numbers numbers;
  std::vector<__half> A(kM * kK), B(kN * kK);
  for (__half& value : A) value = __float2half(static_cast<float>(numbers.next(4)));
  for (__half& value : B) value = __float2half(static_cast<float>(numbers.next(4)));
  float* to = to_device(std::vector<float>(kM * kN));
  of_blocks<<<1, 32>>>(reinterpret_cast<const std::uint32_t*>(to_device(A)),
                       reinterpret_cast<const std::uint32_t*>(to_device(B)), to);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(to, kM * kN);
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int col = 0; col < kN; ++col) {
      float sum = 0;
      for (int k = 0; k < kK; ++k)
        sum += __half2float(A[(k / kStep * kM + row) * kStep + k % kStep]) *
               __half2float(B[(k / kStep * kN + col) * kStep + k % kStep]);
      wrong += D[row * kN + col] != sum;
    }
  std::printf("%d of %d elements of D are wrong\n", wrong, kM * kN);
  return 0;
}

struct Case {
  const char* name;
  void (*kernel)(Operands);
};
const Case kCases[] = {{"gathered", gemm<gathered>},   {"scattered", gemm<scattered>},
                       {"ragged", gemm<ragged>},       {"outside", gemm<outside>},
                       {"own-names", gemm<own_names>}, {"nibbles", gemm<nibbles>},
                       {"by-table", gemm<by_table>},   {"all-stored", gemm<all_stored>}};

int main(int argc, char** argv) {
  const Case* made = nullptr;
  for (const Case& one : kCases)
    if (argc == 2 && std::strcmp(argv[1], one.name) == 0) made = &one;
  if (argc == 2 && std::strcmp(argv[1], "doubles") == 0) return multiply_doubles();
  if (argc == 2 && std::strcmp(argv[1], "blocks") == 0) return multiply_blocks();
  if (made == nullptr) return std::printf("which kernel?\n"), 2;
  const auto is = [made](const char* name) { return std::strcmp(made->name, name) == 0; };
  const bool has_list = is("gathered"), is_packed = is("nibbles");
  const int rows = is("ragged") || is("all-stored") ? kRagged : kM;
  Numbers numbers;
  std::vector<__half> A(2 * kM * kK), B(kK * kN);
  std::vector<std::uint32_t> packed(kN * kK / kInWord), zeros(1);
  std::vector<int> list(kM * kStored);
  for (__half& value : A) value = __float2half(static_cast<float>(numbers.next(4)));
  for (int k = 0; k < kK; ++k) list[k] = k * 7 % kK;
  list[0] = has_list ? 3 : 1;
  const bool is_scattered = is("scattered");
  for (int i = 0; i < kM * kStored && is_scattered; ++i)
    list[i] = i % kStored < 4 ? i % kStored : i % kStored + 4 + i / kStored % 4;
  for (int col = 0; col < kN; ++col) {
    const int zero = (numbers.next(7) + 7) % 16;
    zeros[0] |= static_cast<std::uint32_t>(zero) << 4 * col;
    for (int k = 0; k < kK; ++k) {
      const int value = (numbers.next(7) + 7) % 16;
      packed[(col * kK + k) / kInWord] |= static_cast<std::uint32_t>(value) << 4 * (k % kInWord);
      B[k * kN + col] = __float2half(is_packed ? 0.5f * static_cast<float>(value - zero)
                                               : static_cast<float>(numbers.next(4)));
    }
  }
  const Operands of{to_device(A),     to_device(B),    to_device(packed),
                    to_device(zeros), to_device(list), to_device(std::vector<float>(kM * kN))};
  made->kernel<<<1, 32>>>(of);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(of.D, kM * kN);
  if (is_scattered) {
    std::vector<__half> dense(2 * kM * kK, __float2half(0));
    for (int i = 0; i < kM * kStored; ++i)
      for (int step = 0; step < kK / kStep; ++step)
        dense[i / kStored * kK + step * kStep + list[i]] =
            A[(step * kM + i / kStored) * kStep + i % kStored];
    A = dense;
  }
  int wrong = 0;
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < kN; ++col) {
      float sum = 0;
      for (int k = 0; k < kK; ++k)
        sum += __half2float(A[(row + (is("by-table") ? kM : 0)) * kK + k]) *
               __half2float(B[(has_list ? list[k] : k) * kN + col]);
      wrong += D[row * kN + col] != sum;
    }
  std::printf("%d of %d elements of D are wrong\n", wrong, rows * kN);
  return 0;
}

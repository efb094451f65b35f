// SPDX-License-Identifier: MIT
// D = A * (B - 8)^T with mma.sync, B of 4 bits, eight to a word, that each lane widens to f16 in
// registers; and the mistakes that people make with that: the first argument names one. Right are
// "masks", whose lanes take k by k, "copied", where the words come through shared memory,
// "interleaved", whose words were packed for two at a time to be k's neighbours, and "reordered",
// where A has the order of k that this gives a word that was not;
// and "lane-words", where a lane's word has its weights of both sums.
//
// A is 16 x 32, B 16 x 32; a warp makes both sums of D.
#include <cuda_fp16.h>

#include <cstring>

#include "program.cuh"

constexpr int kM = 16, kN = 16, kK = 32, kInWord = 8;

enum Mistake {
  masks,
  copied,
  interleaved,
  reordered,
  lane_words,
  swapped,
  not_shifted,
  in_order,
  magic,
  overlapping
};

// Two numbers, at bits 0 and 16 of a word, as 1024 + n: 0x6400 is 1024 in f16.
__device__ std::uint32_t above_1024(std::uint32_t word) {
  std::uint32_t both;
  asm("lop3.b32 %0, %1, 0x000f000f, 0x64006400, 0xea;" : "=r"(both) : "r"(word));
  return both;
}
__device__ std::uint32_t without_1032(std::uint32_t both) {
  std::uint32_t less;
  asm("sub.f16x2 %0, %1, %2;" : "=r"(less) : "r"(both), "r"(0x64086408));
  return less;
}
__device__ std::uint32_t two(std::uint32_t low, std::uint32_t high) {
  const __half2 both = __halves2half2(__int2half_rn(static_cast<int>(low) - 8),
                                      __int2half_rn(static_cast<int>(high) - 8));
  return reinterpret_cast<const std::uint32_t&>(both);
}

// The k that a lane's pair has, of the sixteen: in a register of its own for k and for k + 8.
template <Mistake kMade>
__device__ std::uint32_t widened(std::uint32_t word) {
  const int pair = threadIdx.x % 4;
  if (kMade == masks || kMade == copied)
    return two(word >> pair * 8 & 15, word >> (pair * 8 + 4) & 15);
  if (kMade == swapped) return two(word >> (pair * 8 + 4) & 15, word >> pair * 8 & 15);
  if (kMade == not_shifted) return two(word & 15, word >> 4 & 15);
  const std::uint32_t both = above_1024(word >> pair * 4);
  return kMade == magic ? both : without_1032(both);
}

template <Mistake kMade>
__global__ void __launch_bounds__(32) gemm(const __half* A, const std::uint32_t* B, float* D) {
  __shared__ std::uint32_t words[kN * kK / kInWord];
  const int lane = threadIdx.x, pair = lane % 4;
  if (kMade == copied) {
    for (int at = lane; at < kN * kK / kInWord; at += 32) words[at] = B[at];
    __syncwarp();
  }
  float d[2][4] = {};
#pragma unroll
  for (int k = 0; k < kK; k += 16) {
    std::uint32_t a[4], b[2];
    for (int i = 0; i < 4; ++i) {
      const __half* row = &A[(lane / 4 + i % 2 * 8) * kK + k + i / 2 * 8];
      const __half2 both = kMade == reordered ? __halves2half2(row[pair], row[pair + 4])
                                              : *reinterpret_cast<const __half2*>(&row[pair * 2]);
      a[i] = reinterpret_cast<const std::uint32_t&>(both);
    }
    for (int n = 0; n < 2; ++n) {
      for (int i = 0; i < 2; ++i) {
        if (kMade == lane_words || kMade == overlapping) {
          const std::uint32_t word = B[k / 16 * 32 + lane];
          b[i] = without_1032(above_1024(word >> (n * (kMade == overlapping ? 4 : 8) + i * 4)));
          continue;
        }
        const int at = (n * 8 + lane / 4) * kK / kInWord + k / kInWord + i;
        b[i] = widened<kMade>(kMade == copied ? words[at] : B[at]);
      }
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
          "{%8, %9}, {%0, %1, %2, %3};"
          : "+f"(d[n][0]), "+f"(d[n][1]), "+f"(d[n][2]), "+f"(d[n][3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
  }
  for (int n = 0; n < 2; ++n)
    for (int i = 0; i < 4; ++i) D[(lane / 4 + i / 2 * 8) * kN + n * 8 + pair * 2 + i % 2] = d[n][i];
}

struct Case {
  const char* name;
  void (*kernel)(const __half*, const std::uint32_t*, float*);
};
const Case kCases[] = {
    {"masks", gemm<masks>},
    {"copied", gemm<copied>},
    {"interleaved", gemm<interleaved>},
    {"reordered", gemm<reordered>},
    {"swapped", gemm<swapped>},
    {"not-shifted", gemm<not_shifted>},
    {"in-order", gemm<in_order>},
    {"lane-words", gemm<lane_words>},
    {"overlapping", gemm<overlapping>},
    {"magic", gemm<magic>},
};

int main(int argc, char** argv) {
  const Case* made = nullptr;
  for (const Case& one : kCases)
    if (argc == 2 && std::strcmp(argv[1], one.name) == 0) made = &one;
  if (made == nullptr) return std::printf("which mistake?\n"), 2;
  // Which place of a word has k: two neighbours lie four places apart.
  const bool is_interleaved = std::strcmp(made->name, "interleaved") == 0;
  const auto place_of = [&](int k) { return is_interleaved ? k / 2 + k % 2 * 4 : k; };
  Numbers numbers;
  std::vector<__half> A(kM * kK);
  std::vector<int> B(kN * kK);
  std::vector<std::uint32_t> words(kN * kK / kInWord);
  for (__half& value : A) value = __float2half(static_cast<float>(numbers.next(4)));
  const bool for_lanes =
      std::strcmp(made->name, "lane-words") == 0 || std::strcmp(made->name, "overlapping") == 0;
  for (int at = 0; at < kN * kK; ++at) {
    B[at] = numbers.next(7);
    const int col = at / kK, k = at % kK;
    if (for_lanes) {
      const int place = k % 2 * 4 + col / 8 * 2 + k % 16 / 8;
      words[k / 16 * 32 + col % 8 * 4 + k % 8 / 2] |= static_cast<std::uint32_t>(B[at] + 8)
                                                      << 4 * place;
      continue;
    }
    words[at / kInWord] |= static_cast<std::uint32_t>(B[at] + 8) << 4 * place_of(at % kInWord);
  }
  float* device_D = to_device(std::vector<float>(kM * kN, -1.0f));
  made->kernel<<<1, 32>>>(to_device(A), to_device(words), device_D);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, kM * kN);
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int col = 0; col < kN; ++col) {
      float sum = 0;
      for (int k = 0; k < kK; ++k) sum += __half2float(A[row * kK + k]) * B[col * kK + k];
      wrong += D[row * kN + col] != sum;
    }
  std::printf("%d of %d elements of D are wrong\n", wrong, kM * kN);
  return 0;
}

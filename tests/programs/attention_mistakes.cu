// SPDX-License-Identifier: MIT
// out = softmax(Q K^T) V with mma.sync, the maximum and the sum of each row as they come, and the
// mistakes that people make between the two products; the first argument names one. Right are
// "right", "two-passes", which takes all of the maximum first, "reordered", where the columns of P
// and the rows of V have the same other order, "causal", where a row has the keys up to its own,
// and "paged", where K and V lie in pages of 8 that one table finds, "paged-apart": each has its
// own.
//
// Q and K have 32 rows of 16, V 32 rows of 16; a block, a warp, has 16 rows of Q, and takes 16 keys
// at a time: two sums of one product for S, two of the block's two for out.
#include <cmath>
#include <cstring>

#include "attention.cuh"
#include "program.cuh"

constexpr int kRows = 32, kKeys = 32, kSize = 16;

enum Mistake {
  none,
  two_passes,
  reordered,
  causal,
  not_rescaled,
  other_maximum,
  shrunk_by_row,
  divided_by_row,
  rows,
  columns,
  pairs,
  paged,
  paged_apart,
  paged_columns,
};
constexpr int kPage = 8, kPages = kKeys / kPage;
struct Pages {
  const int *of_k, *of_v;
};
// Where a key lies.
template <Mistake kMade>
__device__ int place(const int* pages, int key) {
  return kMade < paged ? key : pages[key / kPage] * kPage + key % kPage;
}

__device__ std::uint32_t two(const __half* of, int row, int col) {
  return *reinterpret_cast<const std::uint32_t*>(&of[row * kSize + col]);
}
__device__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                         std::uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Scores of 16 keys, in powers of two.
template <Mistake kMade>
__device__ void scores_of(float (&s)[2][4], const std::uint32_t (&q)[4], const __half* k, int key,
                          const int* pages) {
  const int lane = threadIdx.x, at = lane % 4 * 2;
  for (int n = 0; n < 2; ++n) {
    for (float& one : s[n]) one = 0;
    const int row = place<kMade>(pages, key + n * 8 + lane / 4);
    multiply(s[n], q, two(k, row, at), two(k, row, at + 8));
  }
}

__device__ float maximum_of(const float (&s)[2][4], int half, float before) {
  for (int n = 0; n < 2; ++n) before = fmaxf(before, fmaxf(s[n][2 * half], s[n][2 * half + 1]));
  before = fmaxf(before, __shfl_xor_sync(~0u, before, 1));
  return fmaxf(before, __shfl_xor_sync(~0u, before, 2));
}

template <Mistake kMade>
__device__ void by_values(float (&out)[2][4], const float (&p)[2][4], const __half* v, int key,
                          const int* pages) {
  const int lane = threadIdx.x;
  std::uint32_t a[4] = {pack(p[0][0], p[0][1]), pack(p[0][2], p[0][3]), pack(p[1][0], p[1][1]),
                        pack(p[1][2], p[1][3])};
  if (kMade == rows) a[0] = pack(p[0][2], p[0][3]), a[1] = pack(p[0][0], p[0][1]);
  if (kMade == columns || kMade == reordered || kMade == paged_columns) {
    a[0] = pack(p[1][0], p[1][1]), a[1] = pack(p[1][2], p[1][3]);
    a[2] = pack(p[0][0], p[0][1]), a[3] = pack(p[0][2], p[0][3]);
  }
  if (kMade == pairs) a[0] = pack(p[0][1], p[0][0]);
  const auto of_v = [&](int row, int col) {
    const int other = kMade == reordered ? row ^ 8 : row;
    return static_cast<std::uint32_t>(reinterpret_cast<const unsigned short&>(
               v[place<kMade>(pages, key + other + 1) * kSize + col]))
               << 16 |
           reinterpret_cast<const unsigned short&>(
               v[place<kMade>(pages, key + other) * kSize + col]);
  };
  for (int n = 0; n < 2; ++n)
    multiply(out[n], a, of_v(lane % 4 * 2, n * 8 + lane / 4),
             of_v(lane % 4 * 2 + 8, n * 8 + lane / 4));
}

template <Mistake kMade>
__global__ void __launch_bounds__(32)
    attention(const __half* q, const __half* k, const __half* v, float* out, Pages pages) {
  const int lane = threadIdx.x, first = blockIdx.x * 16, at = lane % 4 * 2;
  const std::uint32_t rows_of_q[4] = {
      two(q, first + lane / 4, at), two(q, first + lane / 4 + 8, at),
      two(q, first + lane / 4, at + 8), two(q, first + lane / 4 + 8, at + 8)};
  float maximum[2] = {-INFINITY, -INFINITY}, sum[2] = {}, sums[2][4] = {};
  if (kMade == two_passes)
    for (int key = 0; key < kKeys; key += 16) {
      float s[2][4];
      scores_of<kMade>(s, rows_of_q, k, key, pages.of_k);
      for (int half = 0; half < 2; ++half) maximum[half] = maximum_of(s, half, maximum[half]);
    }
#pragma unroll 1
  for (int key = 0; key < kKeys; key += 16) {
    float p[2][4], shrink[2];
    scores_of<kMade>(p, rows_of_q, k, key, pages.of_k);
    if (kMade == causal)
      for (int n = 0; n < 2; ++n)
        for (int i = 0; i < 4; ++i)
          if (key + n * 8 + at + i % 2 > first + lane / 4 + i / 2 * 8) p[n][i] = -1e6f;
    for (int half = 0; half < 2; ++half) {
      const float now = kMade == two_passes ? maximum[half] : maximum_of(p, half, maximum[half]);
      shrink[half] = power_of_two(maximum[half] - now);
      maximum[half] = now;
      sum[half] *= shrink[half];
    }
    for (int n = 0; n < 2; ++n)
      for (int i = 0; i < 4; ++i) {
        const int half = i / 2;
        p[n][i] = power_of_two(p[n][i] - maximum[kMade == other_maximum ? 1 - half : half]);
        sum[half] += p[n][i];
        if (kMade != not_rescaled && kMade != two_passes)
          sums[n][i] *= shrink[kMade == shrunk_by_row ? 1 - half : half];
      }
    by_values<kMade>(sums, p, v, key, pages.of_v);
  }
  for (int half = 0; half < 2; ++half) {
    sum[half] += __shfl_xor_sync(~0u, sum[half], 1);
    sum[half] += __shfl_xor_sync(~0u, sum[half], 2);
  }
  for (int n = 0; n < 2; ++n)
    for (int i = 0; i < 4; ++i)
      out[(first + lane / 4 + i / 2 * 8) * kSize + n * 8 + at + i % 2] =
          sums[n][i] / sum[kMade == divided_by_row ? 1 - i / 2 : i / 2];
}

// ---- The mistakes -------------------------------------------------------------------------------

struct Case {
  const char* name;
  void (*kernel)(const __half*, const __half*, const __half*, float*, Pages);
};
const Case kCases[] = {
    {"right", attention<none>},
    {"two-passes", attention<two_passes>},
    {"reordered", attention<reordered>},
    {"causal", attention<causal>},
    {"not-rescaled", attention<not_rescaled>},
    {"other-maximum", attention<other_maximum>},
    {"shrunk-by-row", attention<shrunk_by_row>},
    {"divided-by-row", attention<divided_by_row>},
    {"rows", attention<rows>},
    {"columns", attention<columns>},
    {"pairs", attention<pairs>},
    {"paged", attention<paged>},
    {"paged-apart", attention<paged_apart>},
    {"paged-columns", attention<paged_columns>},
};

// As a cache of pages has them.
std::vector<__half> in_pages(const std::vector<__half>& rows, const int* pages) {
  std::vector<__half> all(rows.size());
  for (int i = 0; i < kKeys * kSize; ++i) {
    const int row = i / kSize;
    all[(pages[row / kPage] * kPage + row % kPage) * kSize + i % kSize] = rows[i];
  }
  return all;
}

int main(int argc, char** argv) {
  const Case* made = nullptr;
  for (const Case& one : kCases)
    if (argc == 2 && std::strcmp(argv[1], one.name) == 0) made = &one;
  if (made == nullptr) return std::printf("which mistake?\n"), 2;
  Numbers numbers;
  std::vector<__half> q(kRows * kSize), k(kKeys * kSize), v(kKeys * kSize);
  for (auto* tensor : {&q, &k, &v})
    for (__half& value : *tensor) value = __float2half(static_cast<float>(numbers.next(8)) / 8);
  float* device_out = to_device(std::vector<float>(kRows * kSize, -9.0f));
  const bool is_paged = std::strncmp(made->name, "paged", 5) == 0;
  const std::vector<int> tables{1, 0, 3, 2, 2, 1, 0, 3};  // of K, and of V where it has its own
  const int own = std::strcmp(made->name, "paged-apart") == 0 ? kPages : 0;
  const int* device_tables = to_device(tables);
  made->kernel<<<kRows / 16, 32>>>(to_device(q),
                                   to_device(is_paged ? in_pages(k, tables.data()) : k),
                                   to_device(is_paged ? in_pages(v, tables.data() + own) : v),
                                   device_out, {device_tables, device_tables + own});
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> out = from_device(device_out, kRows * kSize);
  int wrong = 0;
  for (int row = 0; row < kRows; ++row)
    for (int col = 0; col < kSize; ++col) {
      double sum = 0, expected = 0, magnitude = 0;
      const bool has_all = std::strcmp(made->name, "causal") != 0;
      for (int key = 0; key < (has_all ? kKeys : row + 1); ++key) {
        double score = 0;
        for (int d = 0; d < kSize; ++d)
          score += double{__half2float(q[row * kSize + d])} * __half2float(k[key * kSize + d]);
        const double p = std::exp2(score), value = __half2float(v[key * kSize + col]);
        sum += p;
        expected += p * value;
        magnitude += p * std::abs(value);
      }
      const double far = std::abs(out[row * kSize + col] - expected / sum);
      wrong += !(far <= tolerance(magnitude / sum, kKeys));
    }
  std::printf("%d of %d elements of out are wrong\n", wrong, kRows * kSize);
  return 0;
}

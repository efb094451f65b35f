// SPDX-License-Identifier: MIT
// The kernels of record.cu: one tile a warp, or a warpgroup. Operands come as rows of words and
// results go back so; registers are loaded by the ISA's fragment formulas, which are the same for
// all element widths when written in 32-bit words:
//
//     A  register r of lane 4g+t: row g + 8*(r & 1), word t + 4*(r >> 1) of the row
//     B  register r: column g, word t + 4r
//     C, D of 32 bits: row g + 8*(r >> 1), col 2t + (r & 1)
//
// Source: PTX ISA 9.2, 9.7.14.5, 9.7.14.6 (metadata), 9.7.15.
#pragma once

#include "forms.cuh"

__device__ Word metadata_of(Meta meta, const std::uint64_t* rows, int g, int t) {
  const std::uint64_t low = rows[g], high = rows[g + 8];
  switch (meta) {
    case Meta::one:
      return static_cast<Word>(low & 0xffff) | static_cast<Word>(high & 0xffff) << 16;
    case Meta::halves:
      return static_cast<Word>(low >> (16 * (t & 1)) & 0xffff) |
             static_cast<Word>(high >> (16 * (t & 1)) & 0xffff) << 16;
    case Meta::rows:
      return static_cast<Word>((t & 1) != 0 ? high : low);
    case Meta::all:
      return static_cast<Word>(((t & 1) != 0 ? high : low) >> (32 * (t >> 1)));
    default:
      return 0;
  }
}

// One warp, one tile. Rows of A, B, C and D lie in `*_words` words each.
template <class I>
__global__ void run_mma(const Word* a_all, const Word* b_all, const std::uint64_t* e_all,
                        Word* d_all, int M, int d_words) {
  constexpr int a_words = I::kA == 4 ? 8 : 4, b_words = 4 * I::kB;
  const int lane = static_cast<int>(threadIdx.x), g = lane >> 2, t = lane & 3,
            tile = static_cast<int>(blockIdx.x);
  const Word* a_rows = a_all + tile * M * a_words;
  const Word* b_columns = b_all + tile * 8 * b_words;
  Word* d_rows = d_all + tile * M * d_words;
  Word a[I::kA], b[I::kB], d[I::kD];
  for (int r = 0; r < I::kA; ++r) a[r] = a_rows[(g + 8 * (r & 1)) * a_words + t + 4 * (r >> 1)];
  for (int r = 0; r < I::kB; ++r) b[r] = b_columns[g * b_words + t + 4 * r];
  const bool halves = d_words == 4;  // f16 sums: two columns in a word
  const auto place = [&](int r) {
    return halves ? (g + 8 * r) * 4 + t : (g + 8 * (r >> 1)) * 8 + 2 * t + (r & 1);
  };
  for (int r = 0; r < I::kD; ++r) d[r] = d_rows[place(r)];
  const Word e = I::kMeta == Meta::none ? 0 : metadata_of(I::kMeta, e_all + tile * M, g, t);
  I::run(d, a, b, e);
  for (int r = 0; r < I::kD; ++r) d_rows[place(r)] = d[r];
}

// One warpgroup, one tile of 64 x 8. Core matrices of 8 rows by 16 bytes, one after the other along
// K (LBO 128), then the next eight rows (SBO): no swizzle, both operands K-major.
template <class I>
__global__ void run_wgmma(const Word* a_all, const Word* b_all, const std::uint64_t* e_all,
                          Word* d_all, int d_words) {
  constexpr int a_words = 8, b_words = 4 * I::kB;
  __shared__ alignas(128) Word a_shared[64 * a_words];
  __shared__ alignas(128) Word b_shared[8 * b_words];
  const int thread = static_cast<int>(threadIdx.x), warp = thread >> 5, lane = thread & 31;
  const int g = lane >> 2, t = lane & 3, tile = static_cast<int>(blockIdx.x);
  const Word* a_rows = a_all + tile * 64 * a_words;
  const Word* b_columns = b_all + tile * 8 * b_words;
  Word* d_rows = d_all + tile * 64 * d_words;
  for (int i = thread; i < 64 * a_words; i += 128) {
    const int row = i / a_words, word = i % a_words;
    a_shared[row / 8 * (8 * a_words) + word / 4 * 32 + row % 8 * 4 + word % 4] = a_rows[i];
  }
  for (int i = thread; i < 8 * b_words; i += 128) {
    const int col = i / b_words, word = i % b_words;
    b_shared[word / 4 * 32 + col * 4 + word % 4] = b_columns[i];
  }
  const int base = 16 * warp;
  Word a[4], d[I::kD];
  for (int r = 0; r < 4; ++r) a[r] = a_rows[(base + g + 8 * (r & 1)) * a_words + t + 4 * (r >> 1)];
  const bool halves = d_words == 4;
  const auto place = [&](int r) {
    return halves ? (base + g + 8 * r) * 4 + t : (base + g + 8 * (r >> 1)) * 8 + 2 * t + (r & 1);
  };
  for (int r = 0; r < I::kD; ++r) d[r] = d_rows[place(r)];
  const Word e = I::kMeta == Meta::none ? 0 : metadata_of(I::kMeta, e_all + tile * 64 + base, g, t);
  const auto descriptor = [](const void* start, unsigned lbo, unsigned sbo) {
    const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(start));
    return (address & 0x3ffff) >> 4 | static_cast<std::uint64_t>(lbo >> 4) << 16 |
           static_cast<std::uint64_t>(sbo >> 4) << 32;
  };
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  I::run(d, a, descriptor(a_shared, 128, 256), descriptor(b_shared, 128, 32 * I::kB * 4), I::kScale,
         e);
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int r = 0; r < I::kD; ++r) d_rows[place(r)] = d[r];
}

// f64: registers of 64 bits, otherwise as run_mma.
#define R1D(a) "d"(a[0])
#define DOUBLE_2_1_1(t) \
  asm volatile(t " {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(d[0]), "+d"(d[1]) : "d"(a[0]), "d"(b[0]))
#define DOUBLE_4_2_1(t)                                          \
  asm volatile(t " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" \
               : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])  \
               : "d"(a[0]), "d"(a[1]), "d"(b[0]))
#define DOUBLE_4_4_2(t)                                                   \
  asm volatile(t " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
               : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])           \
               : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]))
#define DOUBLE_4_8_4(t)                                                                           \
  asm volatile(t " {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%0,%1,%2,%3};" \
               : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])                                   \
               : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]),     \
                 "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]))

template <int nd, int na, int nb>
struct Double;
#define DOUBLE(nd, na, nb, text)                                              \
  template <>                                                                 \
  struct Double<nd, na, nb> {                                                 \
    static constexpr const char* kName = text;                                \
    static __device__ void run(double* d, const double* a, const double* b) { \
      DOUBLE_##nd##_##na##_##nb(text);                                        \
    }                                                                         \
  };
DOUBLE(2, 1, 1, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64")
DOUBLE(4, 2, 1, "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64")
DOUBLE(4, 4, 2, "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64")
DOUBLE(4, 8, 4, "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64")

template <int nd, int na, int nb>
__global__ void run_double(const double* a_all, const double* b_all, double* d_all, int M, int K) {
  const int lane = static_cast<int>(threadIdx.x), g = lane >> 2, t = lane & 3,
            tile = static_cast<int>(blockIdx.x);
  double a[na], b[nb], d[nd];
  const int rows = M / 8;
  for (int r = 0; r < na; ++r)
    a[r] = a_all[(tile * M + g + 8 * (r % rows)) * K + t + 4 * (r / rows)];
  for (int r = 0; r < nb; ++r) b[r] = b_all[(tile * 8 + g) * K + t + 4 * r];
  for (int r = 0; r < nd; ++r) d[r] = d_all[(tile * M + g + 8 * (r >> 1)) * 8 + 2 * t + (r & 1)];
  Double<nd, na, nb>::run(d, a, b);
  for (int r = 0; r < nd; ++r) d_all[(tile * M + g + 8 * (r >> 1)) * 8 + 2 * t + (r & 1)] = d[r];
}

// m8n8k4 .f16, row.col: four products at once; all four get the same matrices, the first is kept.
#define QUAD_PAIR_F16 "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16"
#define QUAD_PAIR_F32 "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"
#define QUAD_PAIR_MIXED "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16"
template <int kind>
__global__ void run_quad_pair(const Word* a_all, const Word* b_all, const Word* c_all,
                              Word* d_all) {
  const int lane = static_cast<int>(threadIdx.x), tile = static_cast<int>(blockIdx.x);
  const int place = (lane & 3) + (lane >= 16 ? 4 : 0);
  const Word* a = a_all + (tile * 8 + place) * 2;
  const Word* b = b_all + (tile * 8 + place) * 2;
  const bool keeps = (lane >> 2 & 3) == 0;
  Word c[8], d[8];
  const auto element = [&](int i) {
    return ((lane & 1) + (i & 2) + (lane >= 16 ? 4 : 0)) * 8 + (i & 4) + (lane & 2) + (i & 1);
  };
  if (kind == 1)
    for (int i = 0; i < 8; ++i) c[i] = c_all[tile * 64 + element(i)];
  else
    for (int i = 0; i < 4; ++i) c[i] = c_all[tile * 32 + place * 4 + i];
  if (kind == 0)
    asm volatile(QUAD_PAIR_F16 " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11};"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]),
                   "r"(c[3]));
  else if (kind == 1)
    asm volatile(
        QUAD_PAIR_F32
        " {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]),
          "=r"(d[7])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]),
          "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7]));
  else
    asm volatile(
        QUAD_PAIR_MIXED " {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%12,%13,%14,%15};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]),
          "=r"(d[7])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
  if (!keeps) return;
  if (kind == 0)
    for (int i = 0; i < 4; ++i) d_all[tile * 32 + place * 4 + i] = d[i];
  else
    for (int i = 0; i < 8; ++i) d_all[tile * 64 + element(i)] = d[i];
}

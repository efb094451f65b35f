// SPDX-License-Identifier: MIT
// Records what the tensor cores of this machine's card compute: every mma.sync, mma.sp and wgmma
// type and accumulator, on the operands of vectors.hpp. Only results are written.
//
//     nvcc -std=c++17 -O2 -gencode arch=compute_90a,code=[sm_90a,compute_90a] -o record record.cu
//     ./record OUT FULL HASHED [WORD]    FULL tiles of each instruction whole, then HASHED more as
//                                        fingerprints; WORD picks instructions by a part of the
//                                        name
//
// A tile is one instruction; registers are loaded by the ISA's fragment formulas, which are the
// same for all element widths when written in 32-bit words:
//
//     A  register r of lane 4g+t: row g + 8*(r & 1), word t + 4*(r >> 1) of the row
//     B  register r: column g, word t + 4r;     C, D of 32 bits: row g + 8*(r >> 1), col 2t + (r &
//     1)
//
// Source: PTX ISA 9.2, 9.7.14.5, 9.7.14.6 (metadata), 9.7.15. nvcc alone builds it; the emulator
// runs it too.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "vectors.hpp"

using namespace lanescope::golden;

#define CHECK_CUDA(call)                                                          \
  do {                                                                            \
    const cudaError_t error = (call);                                             \
    if (error != cudaSuccess) {                                                   \
      std::fprintf(stderr, "record: %s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                                               \
    }                                                                             \
  } while (false)

using Word = std::uint32_t;

// How a lane's metadata is put together from the rows' bits (PTX ISA 9.2, figures 119 to 147):
// one lane of a quad hands in 16 bits of rows g and g+8; a pair the low and the high half of both;
// a pair one row each; or all four lanes a row and a half each.
enum class Meta { none, one, halves, rows, all };

#define D2(d) "+r"(d[0]), "+r"(d[1])
#define D4(d) "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define R1(a) "r"(a[0])
#define R2(a) "r"(a[0]), "r"(a[1])
#define R4(a) "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])

#define MMA_4_4_2(t) \
  asm volatile(t " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : D4(d) : R4(a), R2(b))
#define MMA_4_2_1(t) \
  asm volatile(t " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" : D4(d) : R2(a), R1(b))
#define MMA_2_4_2(t) \
  asm volatile(t " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};" : D2(d) : R4(a), R2(b))
#define MMA_2_2_1(t) asm volatile(t " {%0,%1}, {%2,%3}, {%4}, {%0,%1};" : D2(d) : R2(a), R1(b))
#define MMA_2_1_1(t) asm volatile(t " {%0,%1}, {%2}, {%3}, {%0,%1};" : D2(d) : R1(a), R1(b))
#define SP_4_2_2(t)                                                          \
  asm volatile(t " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%0,%1,%2,%3}, %8, 0x0;" \
               : D4(d)                                                       \
               : R2(a), R2(b), "r"(e))
#define SP_2_2_2(t) \
  asm volatile(t " {%0,%1}, {%2,%3}, {%4,%5}, {%0,%1}, %6, 0x0;" : D2(d) : R2(a), R2(b), "r"(e))
#define SP_4_4_4(t)                                                                         \
  asm volatile(t " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x0;" \
               : D4(d)                                                                      \
               : R4(a), R4(b), "r"(e))
#define SP_2_4_4(t)                                                           \
  asm volatile(t " {%0,%1}, {%2,%3,%4,%5}, {%6,%7,%8,%9}, {%0,%1}, %10, 0x0;" \
               : D2(d)                                                        \
               : R4(a), R4(b), "r"(e))

#define DENSE(id, nd, na, nb, text)                                           \
  struct id {                                                                 \
    static constexpr int kD = nd, kA = na, kB = nb;                           \
    static constexpr Meta kMeta = Meta::none;                                 \
    static constexpr const char* kName = text;                                \
    static __device__ void run(Word* d, const Word* a, const Word* b, Word) { \
      MMA_##nd##_##na##_##nb(text);                                           \
    }                                                                         \
  };
#define SPARSE(id, nd, na, nb, meta, text)                                      \
  struct id {                                                                   \
    static constexpr int kD = nd, kA = na, kB = nb;                             \
    static constexpr Meta kMeta = Meta::meta;                                   \
    static constexpr const char* kName = text;                                  \
    static __device__ void run(Word* d, const Word* a, const Word* b, Word e) { \
      SP_##nd##_##na##_##nb(text);                                              \
    }                                                                           \
  };
// A wgmma of m64n8: D 4 or 2 registers. `tail` is what follows scale-d: scales of A and B, majors.
#define WG_SS(nd, t, tail)                                                                 \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" WG_SCALE_##nd ", 0;\n" t " " WG_D_##nd \
               ", %" WG_A_##nd ", %" WG_B_##nd ", p" tail ";\n}"                           \
               : D##nd(d)                                                                  \
               : "l"(da), "l"(db), "r"(scale)                                              \
               : "memory")
#define WG_D_4 "{%0,%1,%2,%3}"
#define WG_A_4 "4"
#define WG_B_4 "5"
#define WG_SCALE_4 "6"
#define WG_D_2 "{%0,%1}"
#define WG_A_2 "2"
#define WG_B_2 "3"
#define WG_SCALE_2 "4"
#define WG_RS(nd, t, tail) WG_RS_##nd(t, tail)
#define WG_RS_4(t, tail)                                          \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %9, 0;\n" t      \
               " {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, p" tail ";\n}" \
               : D4(d)                                            \
               : R4(a), "l"(db), "r"(scale)                       \
               : "memory")
#define WG_RS_2(t, tail)                                                                           \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %7, 0;\n" t " {%0,%1}, {%2,%3,%4,%5}, %6, p" tail \
               ";\n}"                                                                              \
               : D2(d)                                                                             \
               : R4(a), "l"(db), "r"(scale)                                                        \
               : "memory")
#define WGSP_SS(nd, t, tail) WGSP_SS_##nd(t, tail)
#define WGSP_SS_4(t, tail)                                    \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n" t  \
               " {%0,%1,%2,%3}, %4, %5, %7, 0, p" tail ";\n}" \
               : D4(d)                                        \
               : "l"(da), "l"(db), "r"(scale), "r"(e)         \
               : "memory")
#define WGSP_SS_2(t, tail)                                                                     \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n" t " {%0,%1}, %2, %3, %5, 0, p" tail \
               ";\n}"                                                                          \
               : D2(d)                                                                         \
               : "l"(da), "l"(db), "r"(scale), "r"(e)                                          \
               : "memory")
#define WGSP_RS(nd, t, tail) WGSP_RS_##nd(t, tail)
#define WGSP_RS_4(t, tail)                                                \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %9, 0;\n" t              \
               " {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, %10, 0, p" tail ";\n}" \
               : D4(d)                                                    \
               : R4(a), "l"(db), "r"(scale), "r"(e)                       \
               : "memory")
#define WGSP_RS_2(t, tail)                                         \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %7, 0;\n" t       \
               " {%0,%1}, {%2,%3,%4,%5}, %6, %8, 0, p" tail ";\n}" \
               : D2(d)                                             \
               : R4(a), "l"(db), "r"(scale), "r"(e)                \
               : "memory")

#define WARPGROUP(id, nd, nb, how, meta, text, words, scale_d, tail)                       \
  struct id {                                                                              \
    static constexpr int kD = nd, kB = nb;                                                 \
    static constexpr Meta kMeta = Meta::meta;                                              \
    static constexpr Word kScale = scale_d;                                                \
    static constexpr const char* kName = text words;                                       \
    static __device__ void run(Word* d, const Word* a, std::uint64_t da, std::uint64_t db, \
                               Word scale, Word e) {                                       \
      how(nd, text, tail);                                                                 \
    }                                                                                      \
  };

#include "instructions.inc"

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

// ---- host ----

struct Packed {
  std::vector<unsigned char> a, b, c;
  std::vector<std::uint64_t> e;
};

void draw_tile(const Case& what, int number, int index, Packed& out) {
  const Tile tile = make_tile(what, number);
  const auto at = [index](int rows, int bytes) {
    return static_cast<std::size_t>(index) * rows * bytes;
  };
  for (int row = 0; row < what.M; ++row)
    pack(&tile.a[static_cast<std::size_t>(row * what.kept())], what.kept(), what.a->bits,
         &out.a[at(what.M, what.a_bytes()) + static_cast<std::size_t>(row * what.a_bytes())]);
  for (int col = 0; col < what.N; ++col)
    pack(&tile.b[static_cast<std::size_t>(col * what.K)], what.K, what.b->bits,
         &out.b[at(what.N, what.b_bytes()) + static_cast<std::size_t>(col * what.b_bytes())]);
  pack(tile.c.data(), what.M * what.N, what.c->bits, &out.c[at(what.M * what.N, what.c_bytes())]);
  for (std::size_t row = 0; row < tile.e.size(); ++row)
    out.e[static_cast<std::size_t>(index * what.M) + row] = tile.e[row];
}

Packed draw_tiles(const Case& what, int first, int count) {
  Packed out;
  const auto tiles = static_cast<std::size_t>(count);
  out.a.resize(tiles * what.M * what.a_bytes());
  out.b.resize(tiles * what.N * what.b_bytes());
  out.c.resize(tiles * what.M * what.N * what.c_bytes());
  out.e.resize(tiles * what.M);
  const unsigned workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (unsigned w = 0; w < workers; ++w)
    threads.emplace_back([&, w] {
      for (int i = static_cast<int>(w); i < count; i += static_cast<int>(workers))
        draw_tile(what, first + i, i, out);
    });
  for (std::thread& thread : threads) thread.join();
  return out;
}

template <class T>
struct OnDevice {
  explicit OnDevice(const std::vector<T>& from) : bytes(from.size() * sizeof(T)) {
    CHECK_CUDA(cudaMalloc(&pointer, bytes + 16));
    CHECK_CUDA(cudaMemcpy(pointer, from.data(), bytes, cudaMemcpyHostToDevice));
  }
  ~OnDevice() { cudaFree(pointer); }
  template <class U>
  U* as() const {
    return static_cast<U*>(pointer);
  }
  void* pointer = nullptr;
  std::size_t bytes;
};

struct Options {
  std::FILE* out;
  int tiles, full;
  const char* word;
};

/// `launch(a, b, c, e, d, tiles)` computes; d holds c beforehand where both have the same type.
template <class Launch>
void record(const Options& options, const char* name, Launch launch) {
  const Case what = parse_case(name);
  if (options.word != nullptr && std::strstr(name, options.word) == nullptr) return;
  const std::size_t bytes = static_cast<std::size_t>(what.M * what.N * what.d_bytes());
  // As many outputs of every instruction, in whole turns of the themes.
  const int total = what.M < 16   ? 2 * options.tiles
                    : what.M < 64 ? options.tiles
                                  : (options.tiles / 4 + 15) / 16 * 16;
  // Whole tiles are for finding out what is wrong; one variant of an instruction is enough for
  // that.
  const bool common = what.a->exponent_bits != 0 && std::strchr(name, ' ') == nullptr &&
                      (!what.sparse || what.wgmma || std::strstr(name, "ordered") != nullptr);
  const int full = common ? std::min(total, what.M < 64 ? options.full : options.full / 4) : 0;
  std::fprintf(options.out, "%s|%d|%d|%zu\n", name, full, total - full, bytes);
  for (int first = 0; first < total; first += 1024) {
    const int tiles = std::min(1024, total - first);
    const Packed in = draw_tiles(what, first, tiles);
    std::vector<unsigned char> d(bytes * static_cast<std::size_t>(tiles));
    if (d.size() == in.c.size()) d = in.c;
    OnDevice<unsigned char> a(in.a), b(in.b), c(in.c), device_d(d);
    OnDevice<std::uint64_t> e(in.e);
    launch(what, a, b, c, e, device_d, tiles);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaMemcpy(d.data(), device_d.pointer, d.size(), cudaMemcpyDeviceToHost));
    for (int i = 0; i < tiles; ++i) {
      const unsigned char* tile = &d[static_cast<std::size_t>(i) * bytes];
      if (first + i < full) {
        std::fwrite(tile, 1, bytes, options.out);
      } else {
        const std::uint32_t print = fingerprint(tile, bytes);
        std::fwrite(&print, sizeof print, 1, options.out);
      }
    }
  }
}

template <class I>
void record_mma(const Options& options) {
  record(options, I::kName,
         [](const Case& what, auto& a, auto& b, auto&, auto& e, auto& d, int tiles) {
           run_mma<I><<<static_cast<unsigned>(tiles), 32>>>(
               a.template as<Word>(), b.template as<Word>(), e.template as<std::uint64_t>(),
               d.template as<Word>(), what.M, what.N * what.d_bytes() / 4);
         });
}
template <class I>
void record_wgmma(const Options& options) {
  record(options, I::kName,
         [](const Case& what, auto& a, auto& b, auto&, auto& e, auto& d, int tiles) {
           run_wgmma<I><<<static_cast<unsigned>(tiles), 128>>>(
               a.template as<Word>(), b.template as<Word>(), e.template as<std::uint64_t>(),
               d.template as<Word>(), what.N * what.d_bytes() / 4);
         });
}
template <int nd, int na, int nb>
void record_double(const Options& options) {
  record(options, Double<nd, na, nb>::kName,
         [](const Case& what, auto& a, auto& b, auto&, auto&, auto& d, int tiles) {
           run_double<nd, na, nb><<<static_cast<unsigned>(tiles), 32>>>(
               a.template as<double>(), b.template as<double>(), d.template as<double>(), what.M,
               what.K);
         });
}
template <int kind>
void record_quad_pair(const Options& options, const char* name) {
  record(options, name, [](const Case&, auto& a, auto& b, auto& c, auto&, auto& d, int tiles) {
    run_quad_pair<kind><<<static_cast<unsigned>(tiles), 32>>>(
        a.template as<Word>(), b.template as<Word>(), c.template as<Word>(), d.template as<Word>());
  });
}

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "record: OUT TILES FULL NOTE [WORD]\n");
    return 2;
  }
  const Options options{std::fopen(argv[1], "wb"), std::atoi(argv[2]), std::atoi(argv[3]),
                        argc > 5 ? argv[5] : nullptr};
  if (options.out == nullptr) {
    std::fprintf(stderr, "record: cannot write %s\n", argv[1]);
    return 2;
  }
  cudaDeviceProp card{};
  int driver = 0, runtime = 0;
  CHECK_CUDA(cudaGetDeviceProperties(&card, 0));
  CHECK_CUDA(cudaDriverGetVersion(&driver));
  CHECK_CUDA(cudaRuntimeGetVersion(&runtime));
  std::fprintf(options.out, "lanescope arithmetic 1|%s|sm_%d%d|driver %d|runtime %d|%s\n",
               card.name, card.major, card.minor, driver, runtime, argv[4]);
  record_quad_pair<0>(options, QUAD_PAIR_F16);
  record_quad_pair<1>(options, QUAD_PAIR_F32);
  record_quad_pair<2>(options, QUAD_PAIR_MIXED);
  record_double<2, 1, 1>(options);
  record_double<4, 2, 1>(options);
  record_double<4, 4, 2>(options);
  record_double<4, 8, 4>(options);
#define RECORD_MMA(id) record_mma<id>(options);
#define RECORD_WGMMA(id) record_wgmma<id>(options);
  EVERY_MMA(RECORD_MMA)
  EVERY_WGMMA(RECORD_WGMMA)
#ifndef WITHOUT_SPARSE
  EVERY_SPARSE_MMA(RECORD_MMA)
  EVERY_SPARSE_WGMMA(RECORD_WGMMA)
#endif
  std::fclose(options.out);
}

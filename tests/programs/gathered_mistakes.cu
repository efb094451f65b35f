// SPDX-License-Identifier: MIT
// D = A * B whose rows are found by numbers in memory, and mistakes in these: the first argument
// says how they are found, the second one names a mistake, or "right".
//
//   gathered         row r of A is rows[r], of a permutation
//   repeated         the same, some rows twice
//   scattered        it goes to row rows[r] of D, too
//   stored           row r of A goes to row rows[r] of D
//   experts          rows[r] / 2; behind the last token there are zeros, and nothing is stored
//   ragged           sequences begin in A at begins[s], in D at 32 s
//   packed           in D at begins[s], too
//   paged8, 16       rows of A lie in pages: pages[r / 8] * 8 + r % 8
//   keys8, values8   so do columns of B, and rows of B
//   blocks           A has two blocks of 16 of k alone, and blocks[] says which
//   scaled16         rows of D are scaled by weights, which lie in pages
//   begun16          sums begin with C, which lies in pages
//   clamped          no index: rows behind the last one are that one again, and are not stored
//
// A has 64 rows of 64, B 64 rows of 32, or 64 columns of 64; a block has 32 x 16 of D, each of its
// two warps 16 rows of it.
#include <cuda_fp16.h>

#include <cstring>

#include "ampere.cuh"
#include "program.cuh"

constexpr int kM = 64, kK = 64, kN = 32, kTileM = 32, kTileN = 16, kTileK = 16, kPitch = kTileK + 8,
              kTokens = 61, kSequence = 32;

enum How {
  gathered,
  scattered,
  stored,
  experts,
  ragged,
  packed,
  paged,
  keys,
  values,
  blocks,
  clamped,
  scaled,
  begun
};
enum Mistake {
  none,
  neighbour,
  row_below,
  other_page,
  left_behind,
  exchanged,
  stored_as_neighbour
};

struct Arguments {
  const __half *A, *B;
  float* D;
  const int *rows, *begins, *pages, *blocks;
  int page;
  const float *weights, *C;
};

__device__ void copy(__half* to, const __half* from, bool is_there = true) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
               "r"(is_there ? 16 : 0)
               : "memory");
}
__device__ void load_transposed(std::uint32_t (&to)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row))
               : "memory");
}

template <Mistake kMade>
__device__ int in_pages(const Arguments& g, int line) {
  const int page = line / g.page;
  return g.pages[page + (kMade == other_page && page % 2 == 1)] * g.page + line % g.page;
}
// Where a row of D comes from in A; -1: nothing does.
template <How kHow, Mistake kMade>
__device__ int row_of_a(const Arguments& g, int row) {
  const bool is_it = row % 16 == 5;
  if (kHow == gathered || kHow == scattered)
    return g.rows[row + (kMade == neighbour && is_it)] + (kMade == row_below && is_it);
  if (kHow == experts) return g.rows[row] < kTokens ? g.rows[row] / 2 : -1;
  if (kHow == ragged || kHow == packed) {
    const int sequence = row / kSequence, at = g.begins[sequence] + row % kSequence;
    return at < g.begins[sequence + 1] ? at : -1;
  }
  if (kHow == paged) return in_pages<kMade>(g, row);
  return kHow == clamped ? min(row, kTokens - 1) : row;
}
// Where it goes.
template <How kHow, Mistake kMade>
__device__ int row_of_d(const Arguments& g, int row) {
  if (kHow == scattered || kHow == stored)
    return g.rows[row + (kMade == stored_as_neighbour && row % 16 == 5)];
  if (kHow == experts) return g.rows[row] < kTokens ? g.rows[row] : -1;
  if (kHow == ragged) return row_of_a<kHow, kMade>(g, row) < 0 ? -1 : row;
  if (kHow == packed) return row_of_a<kHow, kMade>(g, row);
  return kHow == clamped && row >= kTokens ? -1 : row;
}

struct Tiles {
  alignas(128) __half a[kTileM][kPitch], b[kTileK][kPitch];  // of keys: columns
};

template <How kHow, Mistake kMade>
__device__ void fill(Tiles& tiles, const Arguments& g, int step) {
  const int row = threadIdx.x / 2, unit = threadIdx.x % 2 * 8, col = blockIdx.y * kTileN;
  const int k = kHow == blocks ? g.blocks[blockIdx.x * 2 + step] * kTileK : step * kTileK;
  const int of_a = row_of_a<kHow, kMade>(g, blockIdx.x * kTileM + row);
  const bool stays = kMade == left_behind && row % 16 == 5 && step > 0;
  copy(&tiles.a[row][unit],
       kHow == blocks ? &g.A[((blockIdx.x * 2 + step) * kTileM + row) * kTileK + unit]
                      : &g.A[max(of_a, 0) * kK + (stays ? k - kTileK : k) + unit],
       of_a >= 0);
  if (row < kTileK && kHow == keys)
    copy(&tiles.b[row][unit], &g.B[in_pages<kMade>(g, col + row) * kK + k + unit]);
  else if (row < kTileK)
    copy(&tiles.b[row][unit],
         &g.B[(kHow == values ? in_pages<kMade>(g, k + row) : k + row) * kN + col + unit]);
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
}

template <How kHow, Mistake kMade>
__global__ void __launch_bounds__(64) multiply_all(Arguments g) {
  __shared__ Tiles tiles;
  const int lane = threadIdx.x % 32, first = threadIdx.x / 32 * 16;
  float d[2][4] = {};
  for (int i = 0; kHow == begun && i < 8; ++i) {
    const int row = in_pages<kMade>(g, blockIdx.x * kTileM + first + lane / 4 + i / 2 % 2 * 8);
    d[i / 4][i % 4] = g.C[row * kN + blockIdx.y * kTileN + i / 4 * 8 + lane % 4 * 2 + i % 2];
  }
  for (int step = 0; step < (kHow == blocks ? 2 : kK / kTileK); ++step) {
    fill<kHow, kMade>(tiles, g, step);
    std::uint32_t a[4], b[4];
    load(a, &tiles.a[first + lane % 16][lane / 16 * 8]);
    if (kHow == keys)
      load(b, &tiles.b[lane % 8 + lane / 16 * 8][lane / 8 % 2 * 8]);
    else
      load_transposed(b, &tiles.b[lane % 16][lane / 16 * 8]);
    if (kMade == exchanged) {
      const std::uint32_t one = a[1];
      a[1] = a[2], a[2] = one;
    }
    multiply(d[0], a, b[0], b[1]);
    multiply(d[1], a, b[2], b[3]);
    __syncthreads();
  }
  for (int n = 0; n < 2; ++n)
    for (int i = 0; i < 4; ++i) {
      const int row = row_of_d<kHow, kMade>(g, blockIdx.x * kTileM + first + lane / 4 + i / 2 * 8);
      if (kHow == scaled) d[n][i] *= g.weights[in_pages<kMade>(g, row)];
      if (row >= 0) g.D[row * kN + blockIdx.y * kTileN + n * 8 + lane % 4 * 2 + i % 2] = d[n][i];
    }
}

// ---- The cases ----------------------------------------------------------------------------------

struct Case {
  const char *how, *mistake;
  void (*kernel)(Arguments);
};
const Case kCases[] = {
    {"gathered", "right", multiply_all<gathered, none>},
    {"gathered", "neighbour", multiply_all<gathered, neighbour>},
    {"gathered", "row-below", multiply_all<gathered, row_below>},
    {"gathered", "left-behind", multiply_all<gathered, left_behind>},
    {"gathered", "exchanged", multiply_all<gathered, exchanged>},
    {"repeated", "right", multiply_all<gathered, none>},
    {"scattered", "right", multiply_all<scattered, none>},
    {"scattered", "neighbour", multiply_all<scattered, neighbour>},
    {"scattered", "stored-as-neighbour", multiply_all<scattered, stored_as_neighbour>},
    {"stored", "right", multiply_all<stored, none>},
    {"experts", "right", multiply_all<experts, none>},
    {"ragged", "right", multiply_all<ragged, none>},
    {"packed", "right", multiply_all<packed, none>},
    {"paged8", "right", multiply_all<paged, none>},
    {"paged16", "right", multiply_all<paged, none>},
    {"keys8", "right", multiply_all<keys, none>},
    {"keys16", "right", multiply_all<keys, none>},
    {"values8", "right", multiply_all<values, none>},
    {"values8", "other-page", multiply_all<values, other_page>},
    {"values16", "right", multiply_all<values, none>},
    {"blocks", "right", multiply_all<blocks, none>},
    {"begun16", "right", multiply_all<begun, none>},
    {"scaled16", "right", multiply_all<scaled, none>},
    {"clamped", "right", multiply_all<clamped, none>}};

int main(int argc, char** argv) {
  const Case* made = nullptr;
  for (const Case& one : kCases)
    if (argc == 3 && std::strcmp(argv[1], one.how) == 0 && std::strcmp(argv[2], one.mistake) == 0)
      made = &one;
  if (made == nullptr) return std::printf("how, and which mistake?\n"), 2;
  Numbers numbers;
  std::vector<__half> A(kM * kK), B(kM * kK);
  for (std::vector<__half>* all : {&A, &B})
    for (__half& value : *all) value = __float2half(static_cast<float>(numbers.next(4)));
  std::vector<int> rows(kM + 1);
  for (int i = 0; i <= kM; ++i)
    rows[i] = std::strcmp(made->how, "repeated") == 0 ? (i * 7 + 3) % 11 : (i * 37 + 11) % kM;
  const int page = std::strchr(made->how, '6') != nullptr ? 16 : 8;
  const std::vector<int> pages =
      page == 16 ? std::vector<int>{1, 0, 3, 2, 0} : std::vector<int>{5, 2, 7, 0, 3, 1, 6, 4, 0};
  const Arguments g{to_device(A),
                    to_device(B),
                    to_device(std::vector<float>(kM * kN, -1.0f)),
                    to_device(rows),
                    to_device(std::vector<int>{0, 27, 49}),
                    to_device(pages),
                    to_device(std::vector<int>{1, 3, 0, 2}),
                    page,
                    to_device(std::vector<float>(kM, 2.0f)),
                    to_device(std::vector<float>(kM * kN, 3.0f))};
  made->kernel<<<dim3(kM / kTileM, kN / kTileN), 64>>>(g);
  CHECK(cudaDeviceSynchronize());
  print_bits(from_device(g.D, kM * kN));
  return 0;
}

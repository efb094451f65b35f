// SPDX-License-Identifier: MIT
// wgmma and wgmma.sp: which element of shared memory each register part meets.
//
// A and B lie in shared memory K-major without swizzle, so their elements have names: (m, k) and
// (k, n). B has ones in one row k, A (in registers or in memory) bit j of its parts' own ids: D
// spells which part of A meets row k. Then B says bit j of n, A bit j of m: D spells its own place.
#pragma once

#include "probe.cuh"

// Bytes of a K-major tile without swizzle: 8 x 16-byte blocks, K first, then the next 8 rows.
//   address = row/8 * stride + byte/16 * 128 + row%8 * 16 + byte%16
template <int bits, typename Chosen>
__device__ void fill_tile(unsigned char* tile, int rows, int row_bytes, std::uint64_t unit,
                          Chosen chosen) {
  const int stride = 8 * row_bytes;
  for (int at = 4 * threadIdx.x; at < rows * row_bytes; at += 4 * blockDim.x) {
    const int row = at / stride * 8 + at % 128 / 16;
    const int byte = at % stride / 128 * 16 + at % 16;
    std::uint32_t word = 0;
    for (int p = 0; p < 32 / bits; ++p)
      if (chosen(row, byte * 8 / bits + p))
        word |= static_cast<std::uint32_t>(unit) << (p * bits % 32);
    *reinterpret_cast<std::uint32_t*>(tile + at) = word;
  }
}

__device__ inline std::uint64_t descriptor(std::uint32_t start, std::uint32_t lbo,
                                           std::uint32_t sbo, int base, int mode) {
  const auto field = [](std::uint32_t bytes) {
    return static_cast<std::uint64_t>((bytes & 0x3ffff) >> 4);
  };
  return field(start) | field(lbo) << 16 | field(sbo) << 32 |
         static_cast<std::uint64_t>(base) << 49 | static_cast<std::uint64_t>(mode) << 62;
}
__device__ inline std::uint32_t shared_address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void written() {  // by all threads, and to be read by wgmma
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
}

// Multiplies and waits. A comes from `a`, or from memory when `A` is not 0.
template <class I>
__device__ void issue(int selector, std::uint32_t (&d)[I::DR], const std::uint32_t (&a)[4],
                      std::uint64_t A, std::uint64_t B, std::uint32_t e, int scale, int trans = 0) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  if (A == 0)
    I::from_registers(selector, d, a, B, e, scale);
  else
    I::from_memory(selector, trans, d, A, B, e, scale);
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int r = 0; r < I::DR; ++r) asm volatile("" : "+r"(d[r])::"memory");
  __syncthreads();
}

template <class I>
struct Sizes {
  static constexpr int kKept = 256 / I::bits;  // columns of A as it is stored
  static constexpr int kA = 64 * kKept;
  static constexpr int kRowBytesB = I::K * I::bits / 8;
  static constexpr int kParts = 32 / I::d_bits;
  static constexpr int kD = I::DR * kParts;  // a thread
};

template <class I>
__device__ int result(const std::uint32_t (&d)[I::DR], int i) {
  constexpr int kParts = Sizes<I>::kParts;
  return integer<I::DT>(part_of<I::d_bits>(d[i / kParts], i % kParts));
}

// met[pattern][k][thread][i], i < 4: 1 + the part of A, or 0. All other values of a thread must say
// what value i % 4 says.
template <class I>
__global__ void __launch_bounds__(128)
    probe_rows(int selector, int memory, std::uint32_t* met, int* bad) {
  using S = Sizes<I>;
  __shared__ alignas(1024) unsigned char tile_a[2048], tile_b[I::N * S::kRowBytesB];
  const int thread = threadIdx.x, k = blockIdx.x, pattern = blockIdx.y;
  if (I::bits == 32 && pattern > 0 && pattern < 5) return;  // .tf32 has two choices
  const std::uint32_t e = metadata(thread, pattern);
  fill_tile<I::bits>(tile_b, I::N, S::kRowBytesB, one(I::BT), [&](int, int kb) { return kb == k; });
  const std::uint64_t B = descriptor(shared_address(tile_b), 128, 8 * S::kRowBytesB, 0, 0);
  const std::uint64_t A = memory ? descriptor(shared_address(tile_a), 128, 256, 0, 0) : 0;
  std::uint32_t ids[4] = {}, a[4] = {};
  int wrong = 0;
  for (int bit = 0; bit <= log2_of(S::kA); ++bit) {
    const auto chosen = [&](int id) { return bit == log2_of(S::kA) || ((id >> bit) & 1); };
    if (memory)
      fill_tile<I::bits>(tile_a, 64, 32, one(I::AT),
                         [&](int m, int kept) { return chosen(m * S::kKept + kept); });
    else
      fill<I::bits>(a, thread, one(I::AT), chosen);
    written();
    std::uint32_t d[I::DR] = {};
    issue<I>(selector, d, a, A, B, e, 0);
#pragma unroll
    for (int i = 0; i < S::kD; ++i) {
      const int v = result<I>(d, i);
      wrong += v != 0 && v != 1;
      if (i >= 4) {
        wrong += v != result<I>(d, i % 4);
        continue;
      }
      if (bit < log2_of(S::kA))
        ids[i] |= static_cast<std::uint32_t>(v & 1) << bit;
      else {
        wrong += v == 0 && ids[i] != 0;
        ids[i] = v ? ids[i] + 1 : 0;
      }
    }
  }
  if (wrong) atomicAdd(bad, wrong);
  for (int i = 0; i < 4; ++i) met[((pattern * I::K + k) * 128 + thread) * 4 + i] = ids[i];
}

// place[thread][i] = {row, column, part of D that comes in}.
template <class I>
__global__ void __launch_bounds__(128) probe_places(std::uint32_t* place, int* bad) {
  using S = Sizes<I>;
  __shared__ alignas(1024) unsigned char tile_a[2048], tile_b[I::N * S::kRowBytesB];
  const int thread = threadIdx.x;
  const std::uint32_t e = metadata(thread, 0);
  const std::uint64_t B = descriptor(shared_address(tile_b), 128, 8 * S::kRowBytesB, 0, 0);
  const std::uint64_t A = descriptor(shared_address(tile_a), 128, 256, 0, 0);
  const std::uint32_t unused[4] = {};
  int wrong = 0;
  for (int what = 0; what < 3; ++what) {
    for (int bit = 0; bit < (what == 0 ? 7 : what == 1 ? 9 : log2_of(128 * 128) + 1); ++bit) {
      fill_tile<I::bits>(tile_a, 64, 32, one(I::AT),
                         [&](int m, int) { return what == 0 ? (m >> bit) & 1 : what == 1; });
      fill_tile<I::bits>(tile_b, I::N, S::kRowBytesB, one(I::BT),
                         [&](int n, int) { return what == 1 ? (n >> bit) & 1 : what == 0; });
      written();
      std::uint32_t d[I::DR] = {};
      if (what == 2) {
        for (int i = 0; i < S::kD; ++i)
          if (((thread * S::kD + i) >> bit) & 1)
            d[i / S::kParts] |= static_cast<std::uint32_t>(one(I::DT))
                                << (i % S::kParts * I::d_bits % 32);
      }
      issue<I>(0, d, unused, A, B, e, what == 2);
      const int full = what == 2 ? 1 : S::kKept;
      for (int i = 0; i < S::kD; ++i) {
        const int v = result<I>(d, i);
        wrong += v != 0 && v != full;
        if (v == full) place[(thread * S::kD + i) * 3 + what] |= 1u << bit;
      }
    }
  }
  if (wrong) atomicAdd(bad, wrong);
}

inline std::string pairs(const std::vector<std::vector<int>>& all) {
  std::string text;
  for (const std::vector<int>& numbers : all) {
    char before = ' ';
    for (int number : numbers) text += before + std::to_string(number), before = '.';
  }
  return text;
}

// For every part of A: its row, its k under each choice and, where E chooses, the nibble.
template <class I>
void record_a(const char* operand, int selector, bool memory, const std::vector<int>& row_of) {
  using S = Sizes<I>;
  const int bits = 10, patterns = I::sparse ? kChoices + 2 * bits : 1;
  Buffer<int> bad(1);
  Buffer<std::uint32_t> met(static_cast<std::size_t>(patterns) * I::K * 512);
  probe_rows<I><<<dim3(I::K, patterns), 128>>>(selector, memory, met.device, bad.device);
  finish();
  if (bad.read()[0] != 0)
    return fail(I::name, "columns that do not agree, or a result that is neither 0 nor 1");
  const std::vector<std::uint32_t> found = met.read();
  std::vector<int> row(S::kA, -1);
  std::vector<std::vector<int>> k_of(patterns, std::vector<int>(S::kA, -1));
  for (int p = 0; p < patterns; ++p)
    for (int k = 0; k < I::K; ++k)
      for (int t = 0; t < 512; ++t) {
        const int a =
            static_cast<int>(found[(static_cast<std::size_t>(p) * I::K + k) * 512 + t]) - 1;
        if (a < 0) continue;
        if ((row[a] >= 0 && row[a] != row_of[t]) || (k_of[p][a] >= 0 && k_of[p][a] != k))
          return fail(I::name, "a part of A in two places");
        row[a] = row_of[t], k_of[p][a] = k;
      }
  std::vector<std::vector<int>> all(S::kA);
  for (int a = 0; a < S::kA; ++a) {
    all[a].push_back(row[a]);
    if (row[a] < 0 || k_of[0][a] < 0) return fail(I::name, "a part of A that nothing meets");
    for (int p = 0; p < (I::sparse ? kChoices : 1); ++p)
      if (I::bits != 32 || p == 0 || p == 5) all[a].push_back(k_of[p][a]);
    int nibble = 0;
    for (int j = 0; I::sparse && j < bits; ++j) {
      const int low = k_of[0][a], high = k_of[5][a];
      const int set = k_of[kChoices + 2 * j][a], clear = k_of[kChoices + 2 * j + 1][a];
      if (!((set == high && clear == low) || (set == low && clear == high)) || low == high)
        return fail(I::name, "a part of A that no one nibble places");
      nibble |= (set == high) << j;
    }
    if (I::sparse) all[a].push_back(nibble);
  }
  std::printf("%s %s%s\n", I::name, operand, pairs(all).c_str());
}

template <class I>
void record_wgmma() {
  using S = Sizes<I>;
  Buffer<int> bad(1);
  Buffer<std::uint32_t> place(128 * S::kD * 3);
  probe_places<I><<<1, 128>>>(place.device, bad.device);
  finish();
  if (bad.read()[0] != 0) return fail(I::name, "a sum that is neither nothing nor all");
  const std::vector<std::uint32_t> found = place.read();
  std::vector<std::vector<int>> d;
  std::vector<int> row_of(512);
  for (int n = 0; n < 128 * S::kD; ++n) {
    d.push_back({static_cast<int>(found[3 * n]), static_cast<int>(found[3 * n + 1])});
    if (static_cast<int>(found[3 * n + 2]) != n)
      return fail(I::name, "the sum that comes in is not the one that goes out");
    if (n % S::kD < 4) row_of[n / S::kD * 4 + n % S::kD] = d.back()[0];
  }
  for (int n = 0; n < 128 * S::kD; ++n)  // what probe_rows takes for granted
    if (d[n][0] != row_of[n / S::kD * 4 + n % S::kD % 4])
      return fail(I::name, "rows that do not repeat every 4 values");
  std::printf("%s D%s\n", I::name, pairs(d).c_str());
  for (int selector = 0; selector < I::selectors; ++selector) {
    record_a<I>(I::sparse ? ("A" + std::to_string(selector)).c_str() : "A", selector, false,
                row_of);
    record_a<I>(I::sparse ? ("M" + std::to_string(selector)).c_str() : "M", selector, true, row_of);
  }
  std::fflush(stdout);
}

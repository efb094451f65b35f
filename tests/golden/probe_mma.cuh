// SPDX-License-Identifier: MIT
// mma.sync and mma.sp: which part of A meets which part of B for which part of D.
//
// For every part b of B (1 there, 0 elsewhere) A is filled with bit j of each part's own id, for
// every j: D then spells, part by part, the id of the one part of A that b met there. What that
// leaves open is what nobody could see: the names of rows, columns and k.
#pragma once

#include <algorithm>
#include <map>

#include "probe.cuh"

template <class I>
struct Counts {
  static constexpr int kWord = 8 * sizeof(typename I::Word);
  static constexpr int kA = 32 * I::AR * (kWord / I::a_bits);
  static constexpr int kB = 32 * I::BR * (kWord / I::b_bits);
  static constexpr int kC = 32 * I::CR * (kWord / I::c_bits);
  static constexpr int kD = 32 * I::DR * (kWord / I::d_bits);
};

// 1 and -2 times what a dot product of bits is: .xor counts differences.
template <class I, typename W>
__device__ void multiply(int selector, W (&d)[I::DR], const W (&a)[I::AR], const W (&b)[I::BR],
                         std::uint32_t e) {
  W c[I::CR] = {};
  I::run(selector, d, a, b, c, e);
  if constexpr (I::is_xor) {
    W zero_a[I::AR] = {}, zero_b[I::BR] = {}, da[I::DR], db[I::DR];
    I::run(selector, da, a, zero_b, c, e);
    I::run(selector, db, zero_a, b, c, e);
    for (int r = 0; r < I::DR; ++r) d[r] = (da[r] + db[r] - d[r]) / 2;
  }
}

// met[pattern][b][d]: 1 + the part of A, or 0.
template <class I>
__global__ void probe_products(int selector, std::uint16_t* met, int* bad) {
  using W = typename I::Word;
  using C = Counts<I>;
  const int lane = threadIdx.x % 32;
  const int number = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const int pattern = blockIdx.y;
  const std::uint32_t e = metadata(lane, pattern);
  W a[I::AR], b[I::BR], d[I::DR];
  fill<I::b_bits>(b, lane, one(I::BT), [&](int id) { return id == number; });
  constexpr int kParts = C::kWord / I::d_bits;
  std::uint32_t ids[I::DR * kParts] = {};
  for (int bit = 0; bit <= log2_of(C::kA); ++bit) {
    const bool all = bit == log2_of(C::kA);
    fill<I::a_bits>(a, lane, one(I::AT), [&](int id) { return all || ((id >> bit) & 1); });
    multiply<I>(selector, d, a, b, e);
#pragma unroll
    for (int i = 0; i < I::DR * kParts; ++i) {
      const int v = integer<I::DT>(part_of<I::d_bits>(d[i / kParts], i % kParts));
      if (v != 0 && v != 1) atomicAdd(bad, 1);
      if (!all) ids[i] |= static_cast<std::uint32_t>(v & 1) << bit;
      if (all && v == 0 && ids[i] != 0) atomicAdd(bad, 1);
      if (all) ids[i] = v ? ids[i] + 1 : 0;
    }
  }
  for (int i = 0; i < I::DR * kParts; ++i)
    met[(static_cast<std::size_t>(pattern) * C::kB + number) * C::kD + lane * I::DR * kParts + i] =
        static_cast<std::uint16_t>(ids[i]);
}

// from[d]: 1 + the part of C that reaches it.
template <class I>
__global__ void probe_passthrough(std::uint16_t* from, int* bad) {
  using W = typename I::Word;
  using C = Counts<I>;
  const int lane = threadIdx.x;
  constexpr int kParts = C::kWord / I::d_bits;
  W a[I::AR] = {}, b[I::BR] = {}, c[I::CR], d[I::DR];
  std::uint32_t ids[I::DR * kParts] = {};
  for (int bit = 0; bit <= log2_of(C::kC); ++bit) {
    const bool all = bit == log2_of(C::kC);
    fill<I::c_bits>(c, lane, one(I::CT), [&](int id) { return all || ((id >> bit) & 1); });
    I::run(0, d, a, b, c, metadata(lane, 0));
    for (int i = 0; i < I::DR * kParts; ++i) {
      const int v = integer<I::DT>(part_of<I::d_bits>(d[i / kParts], i % kParts));
      if (v != 0 && v != 1) atomicAdd(bad, 1);
      if (!all) ids[i] |= static_cast<std::uint32_t>(v & 1) << bit;
      if (all && v != 1) atomicAdd(bad, 1);
    }
  }
  for (int i = 0; i < I::DR * kParts; ++i)
    from[lane * I::DR * kParts + i] = static_cast<std::uint16_t>(ids[i] + 1);
}

// Classes that grow together.
struct Classes {
  std::vector<int> up;
  explicit Classes(int count) : up(count) {
    for (int n = 0; n < count; ++n) up[n] = n;
  }
  int of(int n) {
    while (up[n] != n) n = up[n] = up[up[n]];
    return n;
  }
  void join(int a, int b) {
    a = of(a), b = of(b);
    up[std::max(a, b)] = std::min(a, b);
  }
};
// Names a class when it is first met.
struct Names {
  std::map<int, int> known;
  int of(int member) {
    return known.try_emplace(member, static_cast<int>(known.size())).first->second;
  }
};

// What the products say, with names given in order of first appearance: rows and columns along the
// parts of D, k along the parts of B.
struct Factors {
  std::vector<int> d_row, d_col, b_k, b_col, a_row;
  std::vector<std::vector<int>> a_k;  // [pattern][a], -1: never met
};

inline bool factor(const char* name, const std::vector<std::uint16_t>& met, int patterns,
                   const std::vector<int>& used, int nA, int nB, int nD, bool sparse, Factors& f) {
  Classes rows(nA + nD), cols(nB + nD), ks(sparse ? nB : nA + nB);
  const auto at = [&](int p, int b, int d) {
    return static_cast<int>(met[(static_cast<std::size_t>(p) * nB + b) * nD + d]) - 1;
  };
  std::vector<int> first(nA);
  for (int p : used) {
    std::fill(first.begin(), first.end(), -1);
    for (int b = 0; b < nB; ++b)
      for (int d = 0; d < nD; ++d) {
        const int a = at(p, b, d);
        if (a < 0) continue;
        rows.join(d, nD + a);
        cols.join(d, nD + b);
        if (!sparse)
          ks.join(b, nB + a);
        else if (first[a] < 0)
          first[a] = b;
        else
          ks.join(b, first[a]);
      }
  }
  Names row_names, col_names, k_names;
  f.d_row.resize(nD), f.d_col.resize(nD), f.b_k.resize(nB), f.b_col.resize(nB), f.a_row.resize(nA);
  for (int d = 0; d < nD; ++d)
    f.d_row[d] = row_names.of(rows.of(d)), f.d_col[d] = col_names.of(cols.of(d));
  for (int b = 0; b < nB; ++b)
    f.b_k[b] = k_names.of(ks.of(b)), f.b_col[b] = col_names.of(cols.of(nD + b));
  for (int a = 0; a < nA; ++a) f.a_row[a] = row_names.of(rows.of(nD + a));
  f.a_k.assign(patterns, std::vector<int>(nA, -1));
  for (int p : used) {
    std::map<std::pair<int, int>, int> place;  // (row, k) -> a
    for (int b = 0; b < nB; ++b)
      for (int d = 0; d < nD; ++d) {
        const int a = at(p, b, d);
        if (a < 0) continue;
        if (f.a_k[p][a] >= 0 && f.a_k[p][a] != f.b_k[b])
          return fail(name, "a part of A with two k"), false;
        f.a_k[p][a] = f.b_k[b];
      }
    for (int a = 0; a < nA; ++a)
      if (f.a_k[p][a] >= 0 && !place.try_emplace({f.a_row[a], f.a_k[p][a]}, a).second)
        return fail(name, "two parts of A in one place"), false;
    for (int b = 0; b < nB; ++b)  // and now the whole of it, every zero too
      for (int d = 0; d < nD; ++d) {
        const auto found = place.find({f.d_row[d], f.b_k[b]});
        const int expected = f.d_col[d] == f.b_col[b] && found != place.end() ? found->second : -1;
        if (expected != at(p, b, d))
          return fail(name, "the products do not factor into rows, columns and k"), false;
      }
  }
  return true;
}

inline void print_map(const char* name, const char* operand, const std::vector<int>& first,
                      const std::vector<int>& second) {
  std::printf("%s %s", name, operand);
  for (std::size_t n = 0; n < first.size(); ++n) std::printf(" %d.%d", first[n], second[n]);
  std::printf("\n");
}

template <class I>
void record_mma() {
  using C = Counts<I>;
  const int selectors = I::selectors;
  Buffer<int> bad(1);
  Buffer<std::uint16_t> from(C::kD);
  probe_passthrough<I><<<1, 32>>>(from.device, bad.device);
  finish();
  const std::vector<std::uint16_t> passed = from.read();
  for (int selector = 0; selector < (selectors ? selectors : 1); ++selector) {
    const int patterns = selectors ? kChoices + 2 * 8 : 1;
    Buffer<std::uint16_t> met(static_cast<std::size_t>(patterns) * C::kB * C::kD);
    probe_products<I><<<dim3(C::kB / 4, patterns), 128>>>(selector, met.device, bad.device);
    finish();
    if (bad.read()[0] != 0) fail(I::name, "a result that is neither 0 nor 1");
    std::vector<int> used;
    for (int p = 0; p < patterns; ++p)
      if (I::a_bits != 32 || p == 0 || p >= 5) used.push_back(p);  // .tf32 has two choices
    Factors f;
    if (!factor(I::name, met.read(), patterns, used, C::kA, C::kB, C::kD, selectors > 0, f))
      continue;
    if (selector == 0) {
      print_map(I::name, "D", f.d_row, f.d_col);
      std::vector<int> c_row(C::kC, -1), c_col(C::kC, -1);
      for (int d = 0; d < C::kD; ++d) {
        const int c = passed[d] - 1;
        if (c_row[c] >= 0) fail(I::name, "a part of C that reaches two of D");
        c_row[c] = f.d_row[d], c_col[c] = f.d_col[d];
      }
      print_map(I::name, "C", c_row, c_col);
      print_map(I::name, "B", f.b_k, f.b_col);
      if (!selectors) print_map(I::name, "A", f.a_row, f.a_k[0]);
    }
    if (!selectors) continue;
    std::printf("%s A%d", I::name, selector);  // row.k.k... for each choice, then the nibble
    for (int a = 0; a < C::kA; ++a) {
      std::printf(" %d", f.a_row[a]);
      for (int p : used)
        if (p < kChoices) std::printf(".%d", f.a_k[p][a]);
      int nibble = 0;
      for (int j = 0; j < 8; ++j) {
        const int set = f.a_k[kChoices + 2 * j][a], clear = f.a_k[kChoices + 2 * j + 1][a];
        const int low = f.a_k[0][a], high = f.a_k[5][a];
        if (!((set == high && clear == low) || (set == low && clear == high)) || low == high)
          fail(I::name, "a part of A that no one nibble places");
        nibble |= (set == high) << j;
      }
      std::printf(".%d", nibble);
    }
    std::printf("\n");
  }
  std::fflush(stdout);
}

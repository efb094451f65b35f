// SPDX-License-Identifier: MIT
// The host's side of lesson 16's long sums: matrices of e4m3, what is exact, and the lines of the
// tables. No kernel is in here.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

constexpr int kRows = 64, kCols = 8;
constexpr int kNever = 0;
const std::vector<int> kIntervals{kNever, 512, 128, 32};  // every so many of K

/// e4m3 numbers by their bits, every pattern as often as any other; and how long K is to be.
struct Numbers {
  const char* name;
  int low, high;
  bool signs;
  std::vector<int> lengths;
};
const std::vector<Numbers> kNumbers{
    {"0 to 1.875", 0x00, 0x3f, false, {256, 1024, 4096, 16384}},
    {"-1.875 to 1.875", 0x00, 0x3f, true, {256, 1024, 4096, 16384}},
    {"1", 0x38, 0x38, false, {8192, 16384, 32768}},
};

/// A number in units of 2^-9, the smallest that e4m3 has.
inline std::int64_t units(unsigned char bits) {
  const int exponent = bits >> 3 & 15, mantissa = bits & 7;
  const int size = exponent == 0 ? mantissa : (8 + mantissa) << (exponent - 1);
  return bits & 0x80 ? -size : size;
}

/// A, 64 x K, and B, K x 8, each k by k; the same in every run: Knuth's MMIX generator.
struct Problem {
  int K;
  std::vector<unsigned char> a, b;

  Problem(const Numbers& numbers, int K) : K(K) {
    std::uint64_t state = 2026;
    const auto below = [&](int count) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(count));
    };
    const auto draw = [&] {
      const int sign = below(2);
      return static_cast<unsigned char>(numbers.low + below(numbers.high - numbers.low + 1) +
                                        (numbers.signs ? sign * 0x80 : 0));
    };
    for (int i = 0; i < kRows * K; ++i) a.push_back(draw());
    for (int i = 0; i < kCols * K; ++i) b.push_back(draw());
  }
  /// D without any rounding, row by row.
  std::vector<double> exact() const {
    std::vector<std::int64_t> of_a, of_b;
    for (const unsigned char bits : a) of_a.push_back(units(bits));
    for (const unsigned char bits : b) of_b.push_back(units(bits));
    std::vector<double> D;
    for (int i = 0; i < kRows * kCols; ++i) {
      std::int64_t sum = 0;  // in units of 2^-18
      for (int k = 0; k < K; ++k) sum += of_a[i / kCols * K + k] * of_b[i % kCols * K + k];
      D.push_back(std::ldexp(static_cast<double>(sum), -18));
    }
    return D;
  }
};

/// How far D is off, in percent: the root of the squares of all differences, beside that of D's.
inline double percent_off(const std::vector<double>& exact, const std::vector<float>& D) {
  double off = 0, all = 0;
  for (int i = 0; i < kRows * kCols; ++i) {
    const double difference = D[i] - exact[i];
    off += difference * difference;
    all += exact[i] * exact[i];
  }
  return 100 * std::sqrt(off / all);
}

inline void print_head_of_drift() {
  std::printf(
      "\n3. D = A*B, 64 x K and K x 8, by wgmma m64n8k32 e4m3. The sums move out of the tensor "
      "core\n"
      "   every so many of K: how far is D off? (Of ones: what is D[0][0]?)\n\n"
      "  numbers                K   ");
  for (const int every : kIntervals)
    std::printf("%12s", every == kNever ? "never" : ("every " + std::to_string(every)).c_str());
  std::printf("\n");
}
/// `all`: D for each interval. What must hold: to move out more often is never worse.
inline bool print_drift(const Problem& problem, const Numbers& numbers,
                        const std::vector<std::vector<float>>& all) {
  std::printf("  %-15s %8d   ", numbers.name, problem.K);
  bool good = true;
  double before = HUGE_VAL;
  const std::vector<double> exact = problem.exact();
  for (const std::vector<float>& D : all) {
    const double off = percent_off(exact, D);
    if (numbers.low == numbers.high)
      std::printf("%12.0f", D[0]);
    else
      std::printf("%10.4f %%", off);
    good = good && off <= before;
    before = off;
  }
  std::printf("\n");
  return good;
}

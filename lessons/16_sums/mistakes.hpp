// SPDX-License-Identifier: MIT
// What an answer to exercise 16 makes of D, right or with one of the mistakes that the check knows:
// every element, to the bit.
//
// Source: docs/arithmetic.md, wgmma of e4m3 into f32: written out here once more, for numbers that
// are not negative.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace exercise_16 {

constexpr int kRows = 64, kCols = 8, kStep = 32, kGroup = 4;  // K of a step, steps of a group

/// An e4m3 number that is not negative is `significand` * 2^(exponent - 3).
struct Number {
  int significand, exponent;
};
inline Number number(unsigned char bits) {
  const int field = bits >> 3;
  return field == 0 ? Number{bits & 7, -6} : Number{8 | (bits & 7), field - 7};
}

struct Problem {
  int steps;
  std::vector<unsigned char> A, B;  // 64 x K and 8 x K

  /// From 0 to 1.875, every pattern as often as any other; Knuth's MMIX generator.
  explicit Problem(int steps) : steps(steps) {
    std::uint64_t state = 16;
    const auto draw = [&state] {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      return static_cast<unsigned char>(state >> 58);
    };
    for (int i = 0; i < kRows * steps * kStep; ++i) A.push_back(draw());
    for (int i = 0; i < kCols * steps * kStep; ++i) B.push_back(draw());
  }
  Number a(int row, int k) const {
    return number(A[static_cast<std::size_t>(row * steps * kStep + k)]);
  }
  Number b(int k, int col) const {
    return number(B[static_cast<std::size_t>(col * steps * kStep + k)]);
  }
  double exact(int row, int col) const {
    double sum = 0;
    for (int k = 0; k < steps * kStep; ++k)
      sum += std::ldexp(a(row, k).significand * b(k, col).significand,
                        a(row, k).exponent + b(k, col).exponent - 6);
    return sum;
  }
  /// One wgmma, a step of 32: everything is cut off 13 places behind the largest exponent's point,
  /// added exactly, and cut off to 13 bits.
  float multiply(float c, int row, int col, int step) const {
    if (std::isnan(c)) return c;
    int largest = c == 0 ? -133 : std::ilogb(c);
    for (int k = step * kStep; k < (step + 1) * kStep; ++k)
      if (a(row, k).significand * b(k, col).significand != 0)
        largest = std::max(largest, a(row, k).exponent + b(k, col).exponent);
    const auto cut = [&](double term) { return std::trunc(std::ldexp(term, 13 - largest)); };
    double sum = cut(c);
    for (int k = step * kStep; k < (step + 1) * kStep; ++k)
      sum += cut(std::ldexp(a(row, k).significand * b(k, col).significand,
                            a(row, k).exponent + b(k, col).exponent - 6));
    if (sum == 0) return 0;
    const int more = std::max(0, std::ilogb(sum) - 13);  // bits that D has no room for
    return static_cast<float>(std::ldexp(std::trunc(std::ldexp(sum, -more)), more + largest - 13));
  }
};

/// An answer: what is right in it, and what is not.
struct Answer {
  std::function<int(int step, int steps)> scale_d = [](int step, int) {
    return step % kGroup != 0;
  };
  std::function<bool(int step, int steps)> adds = [](int step, int steps) {
    return step % kGroup == kGroup - 1 || step == steps - 1;
  };
  std::function<int(int step)> which = [](int step) { return step; };  // that is multiplied
  std::function<int(int i)> from = [](int i) { return i; };  // sums[i] += d[from(i)]; -1: nothing
  std::function<float(float sum, float d)> added = [](float sum, float d) { return sum + d; };
  bool once_more = false;      // adds behind the loop, too
  bool begins_with_0 = false;  // d, instead of NaN
};

/// The D that it leaves.
inline std::vector<float> D_of(const Answer& answer, const Problem& problem) {
  const int steps = problem.steps;
  std::vector<float> D;
  for (int place = 0; place < kRows * kCols; ++place) {
    // Register i of this element's thread: 8 rows further down for 2 and 3, the neighbour for odd
    // i.
    const int row = place / kCols, col = place % kCols, i = row / 8 % 2 * 2 + col % 2;
    const int from = answer.from(i);
    const int source_row = row - row / 8 % 2 * 8 + (from < 0 ? 0 : from / 2 * 8);
    const int source_col = col - col % 2 + (from < 0 ? 0 : from % 2);
    float d = answer.begins_with_0 ? 0 : std::numeric_limits<float>::quiet_NaN(), sum = 0;
    const auto add = [&] { sum = from < 0 ? sum : answer.added(sum, d); };
    for (int step = 0; step < steps; ++step) {
      d = problem.multiply(answer.scale_d(step, steps) != 0 ? d : 0, source_row, source_col,
                           answer.which(step));
      if (answer.adds(step, steps)) add();
    }
    if (answer.once_more) add();
    D.push_back(sum);
  }
  return D;
}

struct Mistake {
  const char *name, *advice;
  std::function<void(Answer&)> make;
};

/// Every `count` steps, and at the end.
inline void every(Answer& answer, int count) {
  answer.scale_d = [count](int step, int) { return step % count != 0; };
  answer.adds = [count](int step, int steps) {
    return step % count == count - 1 || step == steps - 1;
  };
}

inline const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      // ---- when --------------------------------------------------------------------------------
      {"the sums stay in the tensor core to the end",
       "after every fourth step: commit, wait, sums[i] += d[i], and begin anew",
       [](Answer& a) { every(a, 1 << 20); }},
      {"the sums move out only at the end, and only the last 128 of K are in them",
       "scale_d 0 forgets what is in d: add d to sums before",
       [](Answer& a) { a.adds = [](int step, int steps) { return step == steps - 1; }; }},
      {"the last group is lost where it is shorter than 128",
       "the last step ends a group, too: step == steps - 1",
       [](Answer& a) { a.adds = [](int step, int) { return step % kGroup == kGroup - 1; }; }},
      {"the last group is never added", "the last step ends a group, too: step == steps - 1",
       [](Answer& a) {
         a.adds = [](int step, int steps) {
           return step % kGroup == kGroup - 1 && step != steps - 1;
         };
       }},
      {"the last group is added twice",
       "d is added once behind a group's last step: not behind the loop as well, nor in a turn "
       "that "
       "multiplies nothing",
       [](Answer& a) { a.once_more = true; }},
      {"d is added after the first step of a group instead of the last",
       "a group ends with step % 4 == 3, or with the last step",
       [](Answer& a) { a.adds = [](int step, int) { return step % kGroup == 0; }; }},
      {"d is added after every step, but begins anew only every fourth",
       "what is in d is counted again and again: add it once, when the group is complete",
       [](Answer& a) { a.adds = [](int, int) { return true; }; }},
      {"the sums move out every 32 of K",
       "that is even more exact, but a wait after each step leaves the tensor core idle: every "
       "fourth step",
       [](Answer& a) { every(a, 1); }},
      {"the sums move out every 64 of K",
       "more exact than asked, but twice the waits: a step is 32 of K, so every fourth",
       [](Answer& a) { every(a, 2); }},
      {"the sums move out every 256 of K", "a step is 32 of K, so 128 are four steps",
       [](Answer& a) { every(a, 8); }},
      // ---- scale_d -----------------------------------------------------------------------------
      {"the tensor core never begins anew: what was moved out is counted again",
       "the first step of every group has scale_d 0",
       [](Answer& a) { a.scale_d = [](int step, int) { return step != 0; }; }},
      {"scale_d is 0 in every step: of a group only the last step is left",
       "0 in the first step of a group, 1 in the others",
       [](Answer& a) { a.scale_d = [](int, int) { return 0; }; }},
      {"scale_d is 0 in the last step of a group instead of the first",
       "0 forgets what is in d: right when it has been added, so where step % 4 == 0",
       [](Answer& a) {
         a.scale_d = [](int step, int) { return step != 0 && step % kGroup != kGroup - 1; };
       }},
      {"scale_d is the wrong way round: 1 in the first step of a group, 0 in the others",
       "0: D = A*B; 1: D = A*B + D",
       [](Answer& a) { a.scale_d = [](int step, int) { return step % kGroup == 0; }; }},
      {"the tensor core never begins anew: d was set to 0 once",
       "the first step of every group has scale_d 0; then d need not be 0",
       [](Answer& a) {
         a.scale_d = [](int, int) { return 1; };
         a.begins_with_0 = true;
       }},
      {"what d held before your code is in the sums: it is NaN",
       "the first step of every group, also of the first one, has scale_d 0",
       [](Answer& a) { a.scale_d = [](int, int) { return 1; }; }},
      // ---- what --------------------------------------------------------------------------------
      {"sums is what d was last, not what all groups add up to",
       "+=, not =", [](Answer& a) { a.added = [](float, float d) { return d; }; }},
      {"d is taken off sums",
       "+=, not -=", [](Answer& a) { a.added = [](float sum, float d) { return sum - d; }; }},
      {"what is added is d * d", "sums[i] += d[i]: d is the sum of the products already",
       [](Answer& a) {
         a.added = [](float sum, float d) { return std::fma(d, d, sum); };  // as nvcc makes it
       }},
      {"what is added is a whole number",
       "sums[i] += d[i]: an int has no room for what is behind the point",
       [](Answer& a) { a.added = [](float sum, float d) { return sum + std::trunc(d); }; }},
      {"only sums[0] is added to", "a thread holds four elements of D: i from 0 to 3",
       [](Answer& a) { a.from = [](int i) { return i == 0 ? 0 : -1; }; }},
      {"only sums[0] and sums[1] are added to", "a thread holds four elements of D: i from 0 to 3",
       [](Answer& a) { a.from = [](int i) { return i < 2 ? i : -1; }; }},
      {"d[0] is added to all four sums", "sums[i] += d[i]",
       [](Answer& a) { a.from = [](int) { return 0; }; }},
      {"every group multiplies the first 128 of K", "step counts on: 0 to steps - 1",
       [](Answer& a) { a.which = [](int step) { return step % kGroup; }; }},
      {"step 0 is multiplied again and again", "multiply(d, step, ...): 0 to steps - 1",
       [](Answer& a) { a.which = [](int) { return 0; }; }},
  };
  return all;
}

}  // namespace exercise_16

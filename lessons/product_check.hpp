// SPDX-License-Identifier: MIT
// What the checks of exercises share that multiply matrices of small whole numbers: these numbers
// as f16, and the elements of a product that are wrong.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace product_check {

/// f16 of a whole number from 0 to 2047. Written out here, so that a check depends on nothing that
/// a lesson could break.
inline std::uint16_t f16(int number) {
  if (number == 0) return 0;
  int exponent = 0;
  while (number >> (exponent + 1) != 0) ++exponent;
  return static_cast<std::uint16_t>(((exponent + 15) << 10) +
                                    ((number - (1 << exponent)) << 10 >> exponent));
}

inline std::string text_of(float number) {
  if (std::isnan(number)) return "NaN";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(number));
  return text;
}

/// "" when all elements are right, else how many are not and the first three. `a` is a(row, k), `b`
/// is b(k, col); sums stay below 2^24, so they are exact in any order.
template <class A, class B>
std::string wrong_elements(const char* name, const std::vector<float>& found, int rows, int cols,
                           int K, int steps, A a, B b) {
  int wrong = 0;
  std::string shown;
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) {
      int sum = 0;
      for (int k = 0; k < K; ++k) sum += a(row, k) * b(k, col);
      const float is = found[static_cast<std::size_t>(row * cols + col)];
      if (is == static_cast<float>(sum) || wrong++ >= 3) continue;
      shown += std::string("  ") + name + "[" + std::to_string(row) + "][" + std::to_string(col) +
               "]: expected " + std::to_string(sum) + ", found " + text_of(is) + "\n";
    }
  if (wrong == 0) return "";
  return std::to_string(wrong) + " of " + std::to_string(rows * cols) + " elements of " + name +
         " are wrong, with " + std::to_string(steps) + " steps:\n" + shown;
}

}  // namespace product_check

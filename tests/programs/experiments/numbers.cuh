// SPDX-License-Identifier: MIT
// Numbers of a question: drawn within bounds, and printed side by side.
#pragma once

#include <string>

#include "../program.cuh"

inline int between(Numbers& numbers, int low, int high) {
  return low + (numbers.next(100000) + 100000) % (high - low + 1);
}

template <class Numbers>
std::string list(const Numbers& numbers, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += (i == 0 ? "" : ",") + std::to_string(numbers[static_cast<std::size_t>(i)]);
  return text;
}

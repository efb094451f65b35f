// SPDX-License-Identifier: MIT
// What an answer to exercise 09 leaves: the matrix, and thread 0's waits. On a card the numbers are
// right without a wait, since ptxas puts one in (docs/experiments/wgmma_registers.md): so the order
// of waits, reads and stores is gone through.
#pragma once

#include <string>
#include <vector>

#include "09_wgmma/mistakes.hpp"

namespace exercise_09 {

constexpr float kBefore = -1;  // what the registers hold until their product is there

inline float number(Element e) { return static_cast<float>(100 * e.row + e.col); }

/// Of a wait of thread 0: how many groups it leaves, what was stored before it, and what was read
/// since the one before. The last one is none: it is the end of the answer.
struct Wait {
  int under_way;
  bool stored[2], read[2];  // left, right
};
constexpr int kEnd = 9;

struct Answer {
  int stride, first;
  std::vector<float> matrix;  // NaN where nothing was written
  std::vector<Wait> waits;

  float at(Element e) const {
    return matrix.at(static_cast<std::size_t>(first + e.row * stride + e.col));
  }
};

struct Verdict {
  std::string words, advice;
};

inline std::string waits_of(const Answer& answer) {
  std::string text;
  bool stored[2] = {};
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
  for (const Wait& wait : answer.waits) {
    for (const int half : {0, 1}) {
      const bool now = wait.stored[half] && !stored[half];
      stored[half] = wait.stored[half];
      if (now || wait.read[half])
        add(std::string(half == 0 ? "left" : "right") + (wait.read[half] ? " read" : "") +
            (now && wait.read[half] ? " and" : "") + (now ? " stored" : ""));
    }
    if (wait.under_way != kEnd) add("wait<" + std::to_string(wait.under_way) + ">");
  }
  return text;
}

/// What the order of thread 0's waits, reads and stores breaks; no words when it is right.
inline Verdict waits_broken(const Answer& answer) {
  bool there[2] = {}, early[2] = {}, together = false;
  for (const Wait& wait : answer.waits) {
    for (const int half : {0, 1}) {
      early[half] = early[half] || (wait.read[half] && !there[half]);
      there[half] = there[half] || wait.under_way <= 1 - half;
    }
    together = together || (wait.under_way == 0 && !wait.stored[0]);
  }
  if (answer.waits.size() == 1)
    return {
        "nobody waits",
        "groups.wait<1>() before left is read, groups.wait<0>() before right is: no other wait is "
        "seen here"};
  if (early[0])
    return {"left is read while its group may still be under way",
            "one group was committed after left's: wait<1>() before left is read, be it into a "
            "variable"};
  if (early[1])
    return {"right is read while its group may still be under way",
            "no group was committed after right's: wait<0>() before right is read, be it into a "
            "variable"};
  if (together)
    return {"left is stored only when right is done, too",
            "wait<1>() leaves one group under way: store left behind it, and then wait<0>()"};
  return {};
}

/// Which half has elements from before the product.
inline Verdict read_too_early(const Answer& answer) {
  bool early[2] = {};
  for (int row = 0; row < kRows; ++row)
    for (int col = 0; col < kCols; ++col)
      if (answer.at({row, col}) == kBefore) early[col / kHalf] = true;
  const Verdict order = waits_broken(answer);
  if (!early[0] && !early[1]) return {};
  if (!order.words.empty()) return order;
  return {"some threads read their registers before the product is there",
          "all 128 threads wait: look for an `if` around the waits"};
}

}  // namespace exercise_09

// SPDX-License-Identifier: MIT
// What no list of mistakes has foreseen: an epilogue whose row or column grows by another number
// than it should with a part of lane or i. Sums do not say where they are from, so the numbers that
// somebody may have taken are tried.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "06_naive_hgemm/epilogue.hpp"
#include "strides.hpp"

namespace exercise_06 {

struct Step {
  int row, col;
};
inline bool operator==(Step left, Step right) {
  return left.row == right.row && left.col == right.col;
}

/// By how much a place grows with lane % 4, lane / 4, i % 2 and i / 2; what may be taken for it,
/// the right one first.
struct Part {
  const char* words;
  std::vector<Step> steps;
};
inline const std::vector<Part>& parts() {
  static const std::vector<Part> all{
      {"lane % 4", {{0, 2}, {0, 1}, {0, 4}, {1, 0}, {2, 0}}},
      {"lane / 4", {{1, 0}, {2, 0}, {0, 1}, {0, 2}}},
      {"i % 2", {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {1, 0}, {8, 0}}},
      {"i / 2", {{8, 0}, {0, 0}, {1, 0}, {2, 0}, {4, 0}, {16, 0}, {0, 2}, {0, 4}, {0, 8}}}};
  return all;
}

/// Every choice of a step for each part, those with fewer wrong ones first.
inline std::vector<std::vector<Step>> choices() {
  std::vector<std::vector<Step>> all{{}};
  for (const Part& part : parts()) {
    std::vector<std::vector<Step>> longer;
    for (const std::vector<Step>& choice : all)
      for (const Step step : part.steps) {
        longer.push_back(choice);
        longer.back().push_back(step);
      }
    all = longer;
  }
  const auto wrong = [](const std::vector<Step>& choice) {
    int count = 0;
    for (std::size_t i = 0; i < choice.size(); ++i) count += !(choice[i] == parts()[i].steps[0]);
    return count;
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& left, const auto& right) { return wrong(left) < wrong(right); });
  return all;
}

inline Epilogue with(const std::vector<Step>& s) {
  Epilogue e = right_one();
  e.row = [s](int lane, int i) {
    return lane % 4 * s[0].row + lane / 4 * s[1].row + i % 2 * s[2].row + i / 2 * s[3].row;
  };
  e.col = [s](int lane, int i) {
    return lane % 4 * s[0].col + lane / 4 * s[1].col + i % 2 * s[2].col + i / 2 * s[3].col;
  };
  return e;
}

/// "with i / 2 the row grows by 4, not by 8"
inline std::string words_of(const std::vector<Step>& choice) {
  strides::Said said;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const Step right = parts()[i].steps[0];
    const auto compare = [&](const char* what, int is, int should) {
      if (is != should) said.say(strides::grows(parts()[i].words, what, is, should));
    };
    compare("row", choice[i].row, right.row);
    compare("column", choice[i].col, right.col);
  }
  return said.words();
}

}  // namespace exercise_06

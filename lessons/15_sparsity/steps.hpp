// SPDX-License-Identifier: MIT
// Which factor is wrong in an answer to exercise 15 that no known mistake explains: by how much row
// and four grow, of a register of a and of a pair of e.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "15_sparsity/answer.hpp"
#include "strides.hpp"

namespace exercise_15 {

/// Which four each register of a was made of, by the parts of lane, tile and register.
inline strides::Maps maps_of_a(const Words& words, const Matrix& A) {
  const auto word = [&words](const std::vector<int>& v) {
    return words[static_cast<std::size_t>((v[0] + v[1] * 4) * kWords + v[2] * 4 + v[3] + v[4] * 2)];
  };
  const auto holds = [&A, word](const std::vector<int>& v, strides::Place four) {
    const int n = four.row * (kK / 4) + four.col;  // a row's fours go on in the next one
    return n >= 0 && n < static_cast<int>(A.size()) / 4 && word(v) == Answer().stored(A, {0, n});
  };
  return {{{"lane % 4", 4}, {"lane / 4", 8}, {"tile", 2}, {"reg % 2", 2}, {"reg / 2", 2}},
          [](const std::vector<int>& v) {
            const Four four = Answer().of_a(v[0] + v[1] * 4, v[2], v[3] + v[4] * 2);
            return strides::Place{four.row, four.n};
          },
          [holds](const std::vector<int>& v) -> std::optional<strides::Place> {
            for (int n = 0; n < kRowsNamed * kK / 4; ++n)
              if (const strides::Place four{n / 16, n % 16}; holds(v, four)) return four;
            return std::nullopt;
          },
          holds,
          "row",
          "four"};
}

/// "with lane % 4 the four grows by 2, not by 4": the one step that explains e where all others are
/// right. Six pairs cannot tell 256 fours apart, so it is not looked up but tried. "": none does.
inline std::string wrong_step_of_e(const Words& words, const Matrix& A) {
  constexpr int kParts = 4, kFours = kRowsNamed * kK / 4;
  const char* parts[kParts] = {"lane / 4", "lane % 4", "pair / 4", "pair % 4"};
  const int right[kParts] = {16, 4, 128, 1};  // in fours; a row has 16
  for (int part = 0; part < kParts; ++part)
    for (int step = 0; step < kFours; ++step) {
      Answer answer;
      answer.of_e = [&](int lane, int i) {
        const int values[kParts] = {lane / 4, lane % 4, i / 4, i % 4};
        int at = 0;
        for (int k = 0; k < kParts; ++k) at += values[k] * (k == part ? step : right[k]);
        return at < kFours ? Four{at / 16, at % 16} : Four{-1, 0};
      };
      if (registers_of(answer, A) != words) continue;
      const bool rows = right[part] >= 16 && step % 16 == 0;
      const int unit = rows ? 16 : 1;
      return strides::grows(parts[part], rows ? "row" : "four", step / unit, right[part] / unit);
    }
  return "";
}

}  // namespace exercise_15

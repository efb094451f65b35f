// SPDX-License-Identifier: MIT
// What an answer to exercise 14 makes of queries, keys and values. Scores are whole numbers and
// weights powers of two, so every sum is exact, and every element of O known to the bit.
//
// Source of the right places: common/layout (PTX ISA 9.2, 9.7.14.5.8).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace exercise_14 {

constexpr int kQueries = 16, kDim = 32;

struct Place {
  int row, col;
};

/// What to attend to: `extra[b]` is added to all scores of keys 16 * b to 16 * b + 15.
struct Problem {
  std::vector<int> extra;
  bool apart = false;  // every weight of a lane is another one, and O is A divided by the sums
  int keys() const { return static_cast<int>(extra.size()) * 16; }
  int q(int row, int i) const {
    return i == 0 ? 1 : i <= 4 ? row >> (i - 1) & 1 : i == 5 ? row / 8 : 0;
  }
  int k(int key, int i) const {
    if (apart) return i == 0 ? key : i == 5 && key < 12 ? 16 : 0;
    const int block =
        key / 16;  // a lane's two rows have different factors: rows from 8 on add this
    return i == 0   ? extra[static_cast<std::size_t>(block)]
           : i == 5 ? block % 3
                    : (key * i + key / 5) % 2;
  }
  int v(int key, int col) const { return apart ? key == col : (key * 3 + col * 5 + key / 7) % 4; }
  int score(int row, int key) const {
    int sum = 0;
    for (int i = 0; i < kDim; ++i) sum += q(row, i) * k(key, i);
    return sum;
  }
  /// Of a row and one of the first 16 keys, where there are no others.
  float weight(Place at) const {
    int largest = score(at.row, 0);
    for (int key = 1; key < 16; ++key) largest = std::max(largest, score(at.row, key));
    return std::exp2(static_cast<float>(score(at.row, at.col) - largest));
  }
};

/// An answer: what is right in it, and what is not.
struct Answer {
  /// Which of the 16 x 16 weights A has at a place; col -1: nothing.
  std::function<Place(Place)> weight_at = [](Place at) { return at; };
  /// What the elements of O's row, in a column, are made smaller by. `factor`: of the lane's rows.
  using Factor = std::function<double(const double (&factor)[2], int row, int col)>;
  Factor of_o = [](const double (&factor)[2], int row, int) { return factor[row]; };
  Factor of_sum = of_o;
  /// Which weight is added to the sum of a row in the place of a key's; col -1: none.
  std::function<Place(Place)> added_at = [](Place at) { return at; };
  /// How often a weight of a key is added to its row's sum.
  std::function<double(int key)> times = [](int) { return 1.0; };
  bool both_rows = false;        // of a lane: the other one's weights are added as well
  bool weights_smaller = false;  // A's weights are made smaller by the factor, too
  bool added_smaller = false;    // those that are added to the sum, instead of the sum itself
  bool adds = true;              // to what there is of the sum; otherwise it begins anew
  bool together = false;         // the four lanes of a row put theirs together in every block
  bool late = false;         // the sum is made smaller after the block's weights have been added
  bool before_each = false;  // it is made smaller before each of a lane's four weights is added
};

/// What comes back from the device.
struct Result {
  std::vector<float> O, sum;  // sum: what each row of O was divided by
  std::vector<float> o = {};  // before that; of what is predicted only
  int behind = 0;             // fragments behind o that were changed; of what was found only
};

/// A row's sum when each of its lanes has multiplied its part before each weight.
inline double before_each(float (&parts)[4], double factor, const double (&weight)[16]) {
  for (int key = 0; key < 16; ++key) {
    float& part = parts[key % 8 / 2];
    part = part * static_cast<float>(factor) + static_cast<float>(weight[key]);
  }
  return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

/// O, as the answer makes it.
inline Result apply(const Answer& answer, const Problem& p) {
  Result result;
  // Of each row's lane: a lane has rows r and r + 8.
  double o[kQueries][kDim] = {}, sum[kQueries] = {}, largest[kQueries];
  float parts[kQueries][4] = {};  // of sum, by the lanes of a row; where it is not exact
  std::fill(largest, largest + kQueries, -std::numeric_limits<double>::infinity());
  for (int first = 0; first < p.keys(); first += 16) {
    double weight[kQueries][16], factor[kQueries];
    for (int row = 0; row < kQueries; ++row) {
      const double before = largest[row];
      for (int key = 0; key < 16; ++key)
        largest[row] = std::max(largest[row], double(p.score(row, first + key)));
      factor[row] = std::exp2(before - largest[row]);
      for (int key = 0; key < 16; ++key)
        weight[row][key] = std::exp2(p.score(row, first + key) - largest[row]);
    }
    for (int row = 0; row < kQueries; ++row) {
      const double of_lane[2] = {factor[row % 8], factor[row % 8 + 8]};
      const double smaller = answer.of_sum(of_lane, row / 8, 0);
      sum[row] *= !answer.adds ? 0 : answer.late || answer.added_smaller ? 1 : smaller;
      for (int key = 0; key < 16; ++key) {
        const Place at = answer.added_at({row, key});
        const double of_added = answer.added_smaller ? smaller : 1;
        if (at.col >= 0) sum[row] += answer.times(key) * weight[at.row][at.col] * of_added;
        if (answer.both_rows) sum[row] += weight[row ^ 8][key];
      }
      if (answer.late) sum[row] *= smaller;
      if (answer.before_each) sum[row] = before_each(parts[row], smaller, weight[row]);
      if (answer.together) sum[row] *= 4;
      for (int col = 0; col < kDim; ++col) {
        o[row][col] *= answer.of_o(of_lane, row / 8, col);
        for (int key = 0; key < 16; ++key) {
          const Place at = answer.weight_at({row, key});
          const double of_a = answer.weights_smaller ? of_lane[row / 8] : 1;
          if (at.col >= 0) o[row][col] += weight[at.row][at.col] * of_a * p.v(first + key, col);
        }
      }
    }
  }
  for (int row = 0; row < kQueries; ++row) {
    result.sum.push_back(static_cast<float>(sum[row]));
    for (int col = 0; col < kDim; ++col) {
      result.o.push_back(static_cast<float>(o[row][col]));
      result.O.push_back(result.o.back() / result.sum.back());
    }
  }
  return result;
}

inline bool same(const std::vector<float>& left, const std::vector<float>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}
inline bool same(const Result& left, const Result& right) {
  return same(left.O, right.O) && same(left.sum, right.sum);
}

}  // namespace exercise_14

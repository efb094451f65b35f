// SPDX-License-Identifier: MIT
// An A that is worked out from the sums of an earlier product, as attention's: P = exp(S - max) is
// multiplied by V. Which element of S each of its elements is made of, and what else of S is in it:
// the maximum of its row. Pure model, no Dear ImGui; steps alone that are recorded.
//
//   S[3][5] -> fma -> ex2 -> cvt -> A[3][5], which meets row 5 of B
//               ^
//   S[3][0], S[3][1], ... -> max   of the same row, and no other
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "panels/way/origins.hpp"
#include "panels/way/sum_sources.hpp"

namespace lanescope::viz {

/// What a number is made of, of the elements of sums.
struct Score {
  SumElement own;          // the one that it is made of by itself; product -1: none, or several
  std::uint64_t rows = 0;  // a bit for each row of them
  int latest = -1;         // product
  // `own` was compared with numbers that are none of sums: by a RELU, or it is what a mask has left
  // of a row, and its maximum.
  bool is_limited = false;
  // The same of those that a maximum in it was taken of.
  std::uint64_t maximum_rows = 0;
  int maximum_of = -1;
};

class Scores {
 public:
  Scores(const Model& model, RegisterHistory& history, SumSources& sources)
      : model_(model), history_(history), sources_(sources) {}
  /// Of a bit of a register, as an item finds it.
  Score of(int warp, int before, const Spot& at);
  /// Of an element of A or C, as its product finds it.
  Score of(const Multiplication& in, char operand, int row, int col);
  /// Nothing where A is not made of scores. `b`: what is known of B, whose rows A's columns meet;
  /// `keys`: where the columns of the scores' product come from, by product.
  std::optional<OriginCheck> check(const Multiplication& in, const OriginCheck& b,
                                   const std::function<std::optional<TileAt>(int)>& keys);

 private:
  Score made(int warp, int item, const trace::Write& write, const Spot& at);
  std::string wrong_row(const std::vector<Score>& all, int rows, int cols);

  const Model& model_;
  RegisterHistory& history_;
  SumSources& sources_;
  std::unordered_map<Written, Score, Written::Hash> known_;
  int depth_ = 0;
};

/// Whether all of it is of other rows than one.
inline bool is_foreign(std::uint64_t rows, int row) { return rows != 0 && (rows >> row & 1) == 0; }
/// The lowest of them.
int first_row(std::uint64_t rows);

/// The mistakes, for `--list`.
const std::vector<trace::KnownMistake>& known_score_mistakes();

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// Whether the scale factors that lanes hand in to a block-scaled mma.sync are those of its rows of
// A, its columns of B, and of its chunks of K. Each factor is followed from its byte of a register
// to global memory, and held against where A's row, or B's column, lies. Pure model, no Dear ImGui.
//
//   A's row r, of K elements    its factors: K / 32 bytes, byte c that of k 32 c to 32 c + 31
//                               (of mxf4nvf4 .scale_vec::4X: K / 16)
//
// Factors that lie otherwise are taken to be right where each row has the same way to its own, and
// are not compared else: a program may have packed them as its lanes want them. Of tensor memory:
// tensor_factors.hpp. Source: PTX ISA 9.2, 9.7.14.3.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "panels/way/sum_checks.hpp"

namespace lanescope::viz {

class ScaleFactors {
 public:
  ScaleFactors(const Model& model, RegisterHistory& history) : model_(model), history_(history) {}

  /// Of SFA ('S'), or SFB ('T'), of products whose A, or B, is right; the first of each kind of
  /// mistake, or one line of all that are right.
  std::vector<SumCheck> check(const std::vector<int>& products, char operand);

 private:
  /// A factor, and whose it has to be: counted in rows of A, or columns of B, and in chunks of K.
  struct Factor {
    int product = 0;
    std::int64_t line = 0, chunk = 0;
    std::uint64_t address = 0, base = 0;
    std::string place;
  };
  /// How A's rows, or B's columns, lie.
  struct Operand {
    std::int64_t line = 0, k = 0, chunks = 0;  // of the product's first; chunks that a line has
  };
  std::optional<Operand> operand_of(int product, char operand);
  bool add(int product, char operand, const Operand& of, std::vector<Factor>& all,
           std::string& why);
  static std::vector<Factor> eight_exchanged(std::vector<Factor> all);
  static std::vector<SumCheck> exchanged(const std::vector<Factor>& all, char operand);
  static std::optional<std::int64_t> begin_of(const std::vector<Factor>& all, std::int64_t chunks);

  const Multiplication& at(int product) const {
    return model_.multiplications[static_cast<std::size_t>(product)];
  }

  const Model& model_;
  RegisterHistory& history_;
};

/// Their mistakes, for `--list`.
const std::vector<trace::KnownMistake>& known_scale_mistakes();

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// Whether the scale factors that a block-scaled tcgen05.mma finds in tensor memory are those of its
// rows and its chunks of K: each byte is followed out of tensor memory (tensor_fills.hpp) to global
// memory, where factors lie in pieces of 512 bytes as tcgen05.cp takes them, or line after line.
// Where they do not, what else could have been said is tried, as of A and B. Pure model, no Dear
// ImGui.
//
//   a piece: 128 rows, 4 chunks    row r, chunk c at r % 32 * 16 + r / 32 * 4 + c
//   lines                          row r, chunk c at r * distance + c, or c * distance + r
//
// Factors that a program has laid out so before are taken to be right: no address tells whose they
// are. Of a pair they are those of the CTA whose thread multiplies.
// Source: PTX ISA 9.2, 9.7.16.10.7.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "panels/way/origins.hpp"
#include "panels/way/tensor_fills.hpp"
#include "panels/way/tensor_reads.hpp"

namespace lanescope::viz {

class TensorFactors {
 public:
  TensorFactors(const trace::Trace& trace, RegisterHistory& history)
      : history_(history), fills_(trace, history) {}

  /// Of SFA ('S') or SFB ('T') of a sum; nothing where its tcgen05.mma have none.
  std::optional<OriginCheck> check(const TensorSum& sum, char operand);

 private:
  /// What one tcgen05.mma of the sum takes.
  struct Taken {
    StepPlace place;
    int column = 0, byte = 0;
    int rows = 0, vectors = 0;
    bool halves = false;  // of a pair with M 128: half of B's columns in lanes 64 and up
  };
  struct Factor {
    int product = 0, row = 0, quarter = 0, chunk = 0;
  };
  struct Try {
    std::string kind, words, advice;
    Change cp;
    bool ids_go_along = false;  // SFA_ID as it should be
    bool in_rows = false;       // row r / 4 of 16 bytes, four rows in each, is what was brought
  };
  static const char* name_of(char operand);
  std::optional<Taken> taken(const StepPlace& place, char operand, std::string& why);
  TensorFills::Byte place_of(const Taken& one, const Factor& at, const Try& what, int first) const;
  Origin origin(const std::vector<Taken>& all, const Factor& at, const Try& what);
  template <class Visit>
  bool each(const std::vector<Taken>& all, const Try& what, const Visit& visit);
  static int part_of(const Taken& one, const Factor& at);
  std::string lies(const std::vector<Taken>& all, const Try& what);
  std::string in_pieces(const std::vector<Taken>& all, const Try& what);
  std::string in_lines(const std::vector<Taken>& all, const Try& what);
  std::vector<Try> tries(const std::vector<Taken>& all, char operand);
  void count_wrong(OriginCheck& check, const std::vector<Taken>& all, const Try& what,
                   char operand);
  std::optional<std::string> unknown(const std::vector<Taken>& all, char operand);

  RegisterHistory& history_;
  TensorFills fills_;
};

/// Their mistakes, for `--list`.
const std::vector<trace::KnownMistake>& known_factor_mistakes();

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// A wrong address of a single lane. ldmatrix takes a row of 16 bytes from each of 8, 16 or 32
// lanes, so one wrong address is eight wrong elements of one register, and those lie side by side
// somewhere else in the matrix. Where that is says which row the lane named.
//
// Source: PTX ISA 9.2, 9.7.14.5.15 (ldmatrix: which lane's address is of which row).
#include <fmt/format.h>

#include "trace/mistakes.hpp"

namespace lanescope::trace {
namespace {

using layout::Element;

/// Eight elements that one lane's address fetches: 16 bytes, a row of an 8 x 8 matrix as it lies in
/// memory.
struct Fetch {
  int lane = 0;               // that names it to ldmatrix
  Element home;               // where it should begin in the matrix
  std::optional<Element> is;  // where it does begin
  bool right = true;
};

/// `across`: the eight are the row's four lanes with two parts each; else, as .trans has it, one
/// part of every group.
Fetch fetch_of(const Case& c, int reg, int row, bool across) {
  Fetch fetch;
  fetch.lane = reg * 8 + row;
  std::vector<std::uint64_t> words;
  for (int i = 0; i < 8; ++i) {
    const int lane = across ? row * 4 + i / 2 : i * 4 + row / 2;
    const int value = reg * 2 + (across ? i % 2 : row % 2);
    const Element home = c.home_of(lane, value);
    if (i == 0) fetch.home = home;
    words.push_back(c.found({c.map->holder(lane, value), {}}));
    fetch.right = fetch.right && c.matrix->at(home.row, home.col) == words.back();
  }
  const bool down = c.matrix->transposed();  // which way 16 bytes of memory run in the matrix
  for (int r = 0; !fetch.right && r < c.matrix->rows(); r += down ? 8 : 1)
    for (int col = 0; !fetch.is && col < c.matrix->cols(); col += down ? 1 : 8) {
      bool same = true;
      for (int i = 0; same && i < 8; ++i)
        same = c.matrix->at(r + (down ? i : 0), col + (down ? 0 : i)) ==
               words[static_cast<std::size_t>(i)];
      if (same) fetch.is = Element{r, col};
    }
  return fetch;
}

}  // namespace

std::optional<Mistake> wrong_addresses(const Case& c) {
  const bool is_b = c.fragment->operand == "B";
  if (c.map->element_bits != 16 || c.map->threads() != 32 || c.map->registers() > 4 ||
      (c.fragment->operand != "A" && !is_b))
    return {};
  const bool across = is_b == c.matrix->transposed();  // else .trans is needed
  std::optional<Fetch> first;
  int wrong = 0;
  for (int reg = 0; reg < c.map->registers(); ++reg)
    for (int row = 0; row < 8; ++row) {
      const Fetch fetch = fetch_of(c, reg, row, across);
      if (fetch.right) continue;
      if (!fetch.is) return {};
      if (!first) first = fetch;
      ++wrong;
    }
  if (!first) return {};
  return Mistake{
      "lane-address",
      fmt::format("lane {} names a wrong row to ldmatrix: it begins at {},{} instead of "
                  "{},{}{}",
                  first->lane, first->is->row, first->is->col, first->home.row, first->home.col,
                  wrong == 2  ? "; another one does so too"
                  : wrong > 2 ? fmt::format("; {} others do so too", wrong - 1)
                              : ""),
      // A fragment does not tell how it was loaded, and eight rows are a register.
      wrong % 8 == 0 ? "look at the address expression for that lane; without ldmatrix: of what is "
                       "the register made?"
                     : "look at the address expression for that lane",
      nullptr};
}

}  // namespace lanescope::trace

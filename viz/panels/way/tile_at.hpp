// SPDX-License-Identifier: MIT
// Where a tile of a matrix lies in global memory, line after line, and how that is said. Pure
// model, no Dear ImGui.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "layout/fragment.hpp"

namespace lanescope::viz {

/// The row and the column of what is none of a matrix.
inline constexpr int kElsewhere = 1 << 20;

/// "1" of "byte 298 behind parameter 1", "0+8" of one of a struct; "": the place names none.
std::string parameter_text(const std::string& place);
/// 1 of "byte 298 behind parameter 1"; -1: the place names none.
int parameter_named(const std::string& place);

/// Numbers in memory, by their address, that an address was reckoned from: indices, offsets, sizes.
using Numbers = std::set<std::uint64_t>;

/// Where a tile of A or B, D or C, lies in its matrix.
struct TileAt {
  std::uint64_t base = 0;         // where the matrix begins; 0: not known
  std::uint64_t first = 0;        // the tile's lowest byte
  std::int64_t apart = 0;         // bytes, from line to line
  int bytes = 2;                  // of an element
  bool columns = false;           // lines are columns
  std::int64_t row = 0, col = 0;  // of its first element
  bool relative = false;  // counted from the lowest tile, as where the matrix begins is not known
  // Of several wgmmas: so many of k, from there on; 0: its instruction's, -1: it is not known.
  std::int64_t ks = 0;
  // So many of k from the first on are there, behind them are zeros that were filled in; 0: all.
  std::int64_t there = 0;
  bool hangs_over = false;  // a row of A, or a column of B, is nothing but such zeros
  // Elements of a line, and lines, where a tensor map says it.
  std::int64_t of_tensor = 0, lines_of_tensor = 0;
  int parameter = -1;      // the kernel's, which leads there; -1: not known
  bool in_pieces = false;  // its rows of A, or its columns of B, are not all as far apart
  std::int64_t of_k = 1;   // a column of A is one of so many of k: 2 where it is sparse
  // By which it was found: one that others found may be of another place of the matrix, or of
  // another matrix, than its address says.
  Numbers numbers{};
  /// The element at an address, counted from the tile's first; kElsewhere: it is none of its lines.
  layout::Element at(std::uint64_t address) const;
  /// Its columns, and what is said of them, are those that are kept of as many times more of k.
  void keep_one_of(std::int64_t times) {
    of_k *= times, col *= times;
    if (ks > 0) ks *= times;
  }
  /// As if the matrix began at `begin`.
  TileAt from(std::uint64_t begin) const;
  bool is_of(const TileAt& other) const {  // one matrix
    return base == other.base && apart == other.apart && columns == other.columns &&
           numbers == other.numbers;
  }
  std::int64_t line_length() const {
    return (of_tensor != 0 ? of_tensor : apart / bytes) * (columns ? 1 : of_k);
  }
};

/// "byte 298 behind parameter 0" of "global memory, byte 298 ...", "0x7f3a40000132" of "global
/// memory at 0x...".
std::string without_space(std::string place);

/// Where D's rows are A's, and its columns B's: numbers in memory found none of them, or all alike.
bool found_alike(const TileAt& a, const TileAt& b, const TileAt& d);

/// "16 to 31": so many from one on.
std::string range_text(std::int64_t from, std::int64_t count);
/// "column after column", "row after row".
const char* line_after_line(bool columns);
/// "row after row, 32 bytes apart".
std::string lines_apart(bool columns, std::int64_t apart);
/// "row after row, 32 bytes apart, from byte 0 behind parameter 0 on": of a matrix in lines, whose
/// first byte is at `place`.
std::string lies_in_lines(bool columns, std::int64_t apart, const std::string& place);

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// Whether the elements of a product are where they belong, judged by where they came from: the way
// of each leads to a byte of global memory, and a matrix lies there line after line. No RECORD is
// needed, and no values: every element is taken for a number of its own, and diagnose
// (trace/diagnose.hpp) is asked about those. Pure model, no Dear ImGui.
//
// The matrix is taken to begin at the lowest address of the fragment, its lines as far apart as
// most neighbours are. What was made in registers, filled with zeros or brought by a bulk copy has
// no such address, and is not compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "panels/matrix/model.hpp"
#include "panels/steps/register_history.hpp"
#include "panels/way/way.hpp"
#include "trace/diagnose.hpp"

namespace lanescope::viz {

/// The row and the column of what is none of a matrix.
inline constexpr int kElsewhere = 1 << 20;

/// 1 of "byte 298 behind parameter 1"; -1: the place names none.
int parameter_named(const std::string& place);

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
  // Elements of a line, and lines, where a tensor map says it.
  std::int64_t of_tensor = 0, lines_of_tensor = 0;
  int parameter = -1;  // the kernel's, which leads there; -1: not known
  /// The element at an address, counted from the tile's first; kElsewhere: it is none of its lines.
  layout::Element at(std::uint64_t address) const;
  /// As if the matrix began at `begin`.
  TileAt from(std::uint64_t begin) const;
  bool is_of(const TileAt& other) const {  // one matrix
    return base == other.base && apart == other.apart && columns == other.columns;
  }
  std::int64_t line_length() const { return of_tensor != 0 ? of_tensor : apart / bytes; }
};

struct OriginCheck {
  trace::Diagnosis diagnosis;  // without its `first`; not_compared: `mistake` says why
  std::string lies;            // "row after row, 32 bytes apart, from byte 0 behind parameter 0 on"
  std::string first;           // "lane 0, A.r1, low half: A[8][0] belongs there, it is A[0][8]"
  std::vector<layout::Element> came_from;   // of each element, row after row
  std::optional<layout::Element> first_at;  // of the operand: the one that `first` is about
  std::string packed;  // how memory lies, where it lies as the lanes hold it; "": it does not
  std::optional<TileAt> tile;  // where it lies in lines
};

/// "byte 298 behind parameter 0" of "global memory, byte 298 ...", "0x7f3a40000132" of "global
/// memory at 0x...".
std::string without_space(std::string place);

/// "row after row, 32 bytes apart, from byte 0 behind parameter 0 on": of a matrix in lines, whose
/// first byte is at `place`.
std::string lies_in_lines(bool columns, std::int64_t apart, const std::string& place);

/// "where A[9][5] came from is not known: ...": of a way without an address.
std::string unknown_origin(std::string_view element, const Way& way);

/// Of operand A, B or C of a product of steps.
OriginCheck check_origins(const trace::Trace& trace, RegisterHistory& history,
                          const Multiplication& in, char operand);

/// The mistakes that trace::known_mistakes() has not, for `--list`.
const std::vector<trace::KnownMistake>& known_origin_mistakes();

/// A's columns and B's rows are in another order, but in the same: the sums are right all the same.
bool same_order_of_k(const Multiplication& in, const OriginCheck& a, const OriginCheck& b);

/// Packed as the lanes hold it, an operand that looks wrong is not compared: `packed` says why.
void leave_packed(OriginCheck& check);

}  // namespace lanescope::viz

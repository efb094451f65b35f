// SPDX-License-Identifier: MIT
// Whether what meets a D on its way to memory (epilogue.hpp) is of its own rows and columns: a
// bias or a scale by row or by column (taken_from.hpp), a residual in lines like D's. Where the
// program's allocations say how many elements a vector has (extent.hpp) it is known whether these
// are of rows or of columns; where they do not, what looks odd is not compared. Pure model, no Dear
// ImGui.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "panels/way/epilogue.hpp"
#include "panels/way/extent.hpp"
#include "panels/way/origins.hpp"
#include "panels/way/taken_from.hpp"

namespace lanescope::viz {

/// A tile of D that is stored where it belongs.
struct TileOfD {
  const Multiplication* in = nullptr;
  TileAt at;
  std::optional<std::int64_t> row, col;  // of its rows of A, its columns of B; nothing: not known
  Extent extent;                         // of D, where A and B are as large
  Extent stored;                         // by its own memory alone: there may be several of them
  Extent counted{};  // as many lines of memory as there are rows, and columns; 0: not known
};

/// One ingredient, of all elements of a D.
struct Stream {
  Ingredient like;  // that of one of them
  int nth = 0;      // of those alike in an element
  Addresses at;
  int there = 0;  // elements that have it
};
/// `stored`: of one D.
std::vector<Stream> streams_of(Epilogue& epilogue, const std::vector<StoredElement>& stored,
                               const layout::Fragment& map);

/// What the sums begin with: what C of a product was loaded from; nothing where it was not loaded.
std::optional<Stream> initial_stream(const trace::Trace& trace, RegisterHistory& history,
                                     const Multiplication& in);

struct EpilogueCheck {
  std::string words;  // ", scaled by parameter 5, parameter 2 by column added"
  std::optional<trace::Diagnosis> mistake;
  // What may be right or wrong: of what, "parameter 3", and why.
  std::vector<std::pair<std::string, std::string>> unsure;
  /// The first mistake is the one that is told.
  void call_wrong(const char* kind, std::string what, std::string advice);
  void leave_open(std::string of, std::string why);
};
/// "parameter 3", "memory at 0x7f3a40000132".
std::string name_of(const Ingredient& one);
/// How a vector is given to the rows or the columns of D: " by column, anew every 32"; and what
/// speaks against that. epilogue_vectors.cpp.
std::string vector_text(EpilogueCheck& check, const trace::Trace& trace, const TileOfD& d,
                        const Stream& one, const TakenFrom& from);
EpilogueCheck check_epilogue(const trace::Trace& trace, const TileOfD& d,
                             const std::vector<Stream>& streams);

/// The mistakes, for `--list`.
const std::vector<trace::KnownMistake>& known_epilogue_mistakes();

}  // namespace lanescope::viz

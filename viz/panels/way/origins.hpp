// SPDX-License-Identifier: MIT
// Whether the elements of a product are where they belong, judged by where they came from: the way
// of each leads to a byte of global memory, and a matrix lies there line after line. No RECORD is
// needed, and no values: every element is taken for a number of its own, and diagnose
// (trace/diagnose.hpp) is asked about those. Pure model, no Dear ImGui.
//
// The matrix is taken to begin at the lowest address of the fragment, its lines as far apart as
// most neighbours are. What was made in registers, or filled with zeros, has no such address, and
// is not compared.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "panels/matrix/model.hpp"
#include "panels/steps/register_history.hpp"
#include "panels/way/gathered.hpp"
#include "panels/way/numbers_behind.hpp"
#include "panels/way/origin_lines.hpp"
#include "panels/way/pieces.hpp"
#include "panels/way/tile_at.hpp"
#include "panels/way/way.hpp"
#include "trace/diagnose.hpp"

namespace lanescope::viz {

/// What may be meant by an operand that is wrong: its rows of A, or columns of B, come in pieces.
/// Its sum decides that (SumChecks::decide_pieces).
struct InPieces {
  Addresses begins;              // of its rows, or columns; of one that is right, too
  bool is_open = false;          // it is wrong, and lines that come in pieces may explain it
  bool is_of_registers = false;  // is_of_registers(): a mistake of these may, too
  std::optional<TileAt> tile;    // as it lies then; nothing: they do not
  std::string lies, filled;
  // Of its elements: the lowest one's place, the matrix, from one to the next along a line.
  std::string place;
  std::uint64_t lowest = 0, base = 0;
  std::int64_t along = 0;
  int bytes = 0;
};

/// Rows or columns, of whatever operand, that were found by numbers in memory, each by its own:
/// they may be anywhere, and are compared by these numbers.
struct Gathered {
  bool any = false;
  // Of each row of A, or column of B; empty where its elements were found by several.
  std::vector<Numbers> by;
  std::map<std::uint64_t, std::string> places;  // where these numbers lie, in words
  std::vector<TileAt> ks;                       // of rows of B: each where it lies in its matrix
};

struct OriginCheck {
  trace::Diagnosis diagnosis;  // without its `first`; not_compared: `mistake` says why
  std::string lies;            // "row after row, 32 bytes apart, from byte 0 behind parameter 0 on"
  std::string first;           // "lane 0, A.r1.lo: A[8][0] belongs there, it is A[0][8]"
  std::vector<layout::Element> came_from;  // of each element, row after row
  // Of which of them it says nothing: zeros that were put there, sums that are not stored; or
  // empty.
  std::vector<bool> nowhere;
  std::optional<layout::Element> first_at;  // of the operand: the one that `first` is about
  std::string packed;  // how memory lies, where it lies as the lanes hold it; "": it does not
  std::map<std::uint64_t, std::string> bits;  // of packed weights: their places by their first bit
  std::optional<TileAt> tile;                 // where it lies in lines
  // The same addresses have two readings where lines may be rows or columns: what the other one
  // says, and how that is added to the advice. The sum decides (SumChecks::decide_turns).
  std::shared_ptr<const OriginCheck> turned;
  std::string otherwise;
  InPieces in_pieces;
  Gathered gathered;
  // Rows of A, or columns of B, that nobody has written, and what that is if theirs of D are
  // stored. The sum decides (Verdicts::spare).
  std::vector<int> unwritten;
  std::shared_ptr<const OriginCheck> unless_stored;
};

inline constexpr std::string_view kInNoLines =
    " lies neither row after row nor column after column";

inline constexpr const char* kRowsAdvice =
    "is a row as long where the tile is stored as where it is read (the leading dimension, the "
    "padding), and is all of the tile stored?";

/// Of what a mistake is found in, which of the known ones it is.
void name_mistake(trace::Diagnosis& d, const char* kind, std::string words, std::string advice);
/// The same of what nothing else is known of.
OriginCheck mistaken(const char* kind, std::string words, std::string advice);

/// "where A[9][5] came from is not known: ...": of a way without an address.
std::string unknown_origin(std::string_view element, const Way& way);
Came came_by(Way way);
/// Where each element is in the matrix; what was filled in is taken to be where it belongs.
std::vector<layout::Element> places_in(const TileAt& tile, const std::vector<Came>& all, int cols);
/// `all`: of each element, row after row.
OriginCheck judge_origins(const Multiplication& in, char operand, const std::vector<Came>& all);
/// An element, "A[8][0]", that a step reads from where nothing had been written by then.
OriginCheck read_of_nothing(const trace::Trace& trace, RegisterHistory& history,
                            const std::string& element, const SharedRead& read);

class Origins {
 public:
  Origins(const trace::Trace& trace, RegisterHistory& history)
      : trace_(trace), history_(history), numbers_(trace, history) {}

  /// Of operand A, B or C of a product of steps.
  OriginCheck check(const Multiplication& in, char operand);

 private:
  std::optional<std::vector<Came>> came_from(const Multiplication& in, char operand,
                                             std::string& why);
  OriginCheck explained(const Multiplication& in, char operand, const std::vector<Came>& all);
  // By which numbers in memory it was found: origins_gathered.cpp.
  std::vector<std::optional<FoundBy>> found_by(const std::vector<Came>& all);
  std::optional<OriginCheck> gathered(const Multiplication& in, char operand,
                                      const std::vector<Came>& all);
  void note_numbers(OriginCheck& check, const std::vector<Came>& all, int cols);
  OriginCheck unless_scattered(OriginCheck check, const Multiplication& in, char operand);
  const std::optional<Came>& of_shared(const SharedRead& read);
  // Right but for whole lines that are unwritten: origins_unwritten.cpp.
  std::optional<OriginCheck> without_unwritten(const Multiplication& in, char operand);
  // What shared memory says of what is wrong. When it was read: origins_timing.cpp.
  std::optional<Came> as_of(SharedRead read, const void* when);
  std::vector<std::optional<Came>> at_another_time(const std::vector<Came>& all, bool sooner);
  std::optional<OriginCheck> in_flight(const Multiplication& in, char operand,
                                       const std::vector<Came>& all);
  std::optional<OriginCheck> too_soon(const Multiplication& in, char operand);
  std::optional<OriginCheck> overtaken(const Multiplication& in, char operand,
                                       const std::vector<Came>& all);
  // Which of its bytes: origins_reread.cpp.
  using Moved = std::function<std::uint64_t(std::size_t element, std::uint64_t address)>;
  std::optional<OriginCheck> right_if_read(const Multiplication& in, char operand,
                                           std::vector<Came> all, const Moved& moved);
  std::optional<OriginCheck> at_offset(const Multiplication& in, char operand,
                                       const std::vector<Came>& all);
  std::optional<OriginCheck> swizzled_once(const Multiplication& in, char operand,
                                           const std::vector<Came>& all);
  std::optional<OriginCheck> in_other_rows(const Multiplication& in, char operand);
  std::optional<OriginCheck> in_rows(const Multiplication& in, char operand,
                                     const std::vector<Came>& reads, const Lines& lines,
                                     std::int64_t apart, std::int64_t before);

  const trace::Trace& trace_;
  RegisterHistory& history_;
  NumbersBehind numbers_;
  // By who wrote it, its place and its width.
  std::map<std::tuple<const Arrival*, std::uint64_t, int, int>, std::optional<Came>> known_;
};

/// The mistakes that trace::known_mistakes() has not, for `--list`.
const std::vector<trace::KnownMistake>& known_origin_mistakes();
const std::vector<trace::KnownMistake>& known_packed_mistakes();

/// Which k is at the place of each k; nothing where rows of A, or columns of B, have others.
std::optional<std::vector<int>> order_of_k(const Multiplication& in, char operand,
                                           const OriginCheck& check);
/// "16 numbers in memory, the first at byte 0 behind parameter 3, the last 60 bytes behind it".
std::string numbers_text(const LaidAnew& anew, const NumbersBehind& numbers);
/// Of lines of an operand that are found by them, but in another order.
std::string unordered_text(char operand, const std::string& numbers);
/// Where each slot of a fragment should come from says what is wrong, whatever finds its lines; a
/// line that is another one may be one that is wanted.
bool is_of_registers(const trace::Diagnosis& d);
/// A mistake, known or not.
inline bool is_wrong(trace::Verdict verdict) {
  return verdict == trace::Verdict::mistake || verdict == trace::Verdict::unknown;
}
/// Of one that has unwritten lines, once it is known whether those of D are stored; nothing: it is
/// not.
void decide_unwritten(OriginCheck& check, std::optional<bool> are_stored);
/// ", but for 16 zeros that were filled in"; "": there are none.
std::string filled_text(const std::vector<Came>& all);
/// "in pieces, cut before row 8".
std::string pieces_of(const Addresses& begins, char operand);
/// Where the lines of an operand begin, and how it lies if they come in pieces where it is wrong.
void note_pieces(OriginCheck& check, const Multiplication& in, char operand,
                 const std::vector<Came>& all);
/// How it lies, where its lines begin so.
void lay_in_pieces(InPieces& found, char operand);
void lay_apart(InPieces& found, char operand, std::int64_t apart);
/// As the sum has decided it: they do; or that cannot be known.
OriginCheck read_in_pieces(const InPieces& pieces, char operand, bool is_known);
/// Or that all are right but so many of which nothing comes.
OriginCheck read_without(const InPieces& pieces, char operand, std::size_t unstored);

/// Bits of a word that become two elements.
inline constexpr const char *kBitsTwice = "bits-twice",
                            *kBitsTwiceAdvice =
                                "is the word shifted before each mask, and by how many bits?";
/// judge_origins of numbers of a few bits, several in a byte.
OriginCheck judge_packed(const Multiplication& in, char operand, const std::vector<Came>& all);

/// A's columns and B's rows are in another order, but in the same: the sums are right all the same.
bool same_order_of_k(const Multiplication& in, const OriginCheck& a, const OriginCheck& b);

/// An operand with its k in another order, beside one of which nobody knows where it came from, is
/// not compared.
void leave_reordered(const Multiplication& in, char operand, OriginCheck& check,
                     const OriginCheck& other);

/// Both lie in lines, and one of them has its k in another order than the other.
void name_order_of_k(const Multiplication& in, char operand, OriginCheck& check,
                     const OriginCheck& other);

/// Packed as the lanes hold it, an operand that looks wrong is not compared: `packed` says why.
void leave_packed(OriginCheck& check);

}  // namespace lanescope::viz

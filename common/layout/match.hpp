// SPDX-License-Identifier: MIT
// Which names of the atlas have all the words that are asked for. Some words are parts of others,
// and whoever has typed one to its end does not mean those:
//
//   f16      in .f16 and in .bf16         m64n8    in m64n8k16 and in m64n80k16
//
// So where some of the names have a word whole, a type between dots, a number with all its digits,
// they alone are meant. Until then it is on its way, and all that contain it are: "f1", "m64n2".
#pragma once

#include <string_view>
#include <vector>

#include "layout/instruction.hpp"
#include "layout/mover.hpp"

namespace lanescope::layout {

struct Found {
  std::vector<const Instruction*> instructions;
  std::vector<const Mover*> movers;
  char operand = 0;  // what alone is meant of them: a fragment of wmma is one
  std::size_t count() const { return instructions.size() + movers.size(); }
};

/// The parts of a text between any of these characters; empty ones are left out.
std::vector<std::string_view> split(std::string_view text, std::string_view at_any);

/// Words between blanks, as they stand.
Found with_words(std::string_view words);

/// Words that are names with pieces left out, "mma.m16n8k32.s8": the pieces between their dots
/// stand in the name in this order. What begins as a dense instruction does is no sparse one.
Found with_pieces(std::string_view words);

/// The same as with_words with the signs of query.hpp's translations: "a|b" is either of two, '^'
/// before what a name begins with, '!' before what it lacks, '@' before a target; a name ends with
/// a dot.
Found with_terms(std::string_view terms);

/// The one that a name without qualifiers means, as in PTX: `.trans` and `.pack::16b` are there
/// only where they are said, and a shape that came later is named. Null where several are left.
const Mover* plain(const std::vector<const Mover*>& movers);
/// The dense one among sparse ones, which a name without `.sp` means. Null where not just one is.
const Instruction* only_dense(const std::vector<const Instruction*>& instructions);

/// Whether both have every element of an operand ('A' ... 'E', 'S', 'T'; 0: of all that they have)
/// in the same bits of the same registers of the same threads. Its type may be another.
bool same_maps(const Instruction& one, const Instruction& other, char operand = 0);

/// Where a name has the word: whole, or else as a part; npos.
std::size_t place_of(std::string_view name, std::string_view word);

}  // namespace lanescope::layout

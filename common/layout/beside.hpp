// SPDX-License-Identifier: MIT
// Two maps beside each other: what changes from m16n8k8 to m16n8k16, from f16 to fp8, from D of mma
// to D of wgmma. They are laid over each other at their first elements, and each element is asked
// who holds it in a and who in b.
//
//   a  0 0 1 1 2 2 3 3                      what both have is compared, what one has alone is
//   b  0 0 1 1 2 2 3 3 | 0 0 1 1 2 2 3 3    counted
//
// Not here: one fragment handed on as another, which may lie elsewhere (handover.hpp).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "layout/mover.hpp"

namespace lanescope::layout {

/// A map and whose it is: an operand of an instruction, or what a mover moves.
struct MapOf {
  const Instruction* instruction = nullptr;
  const Mover* mover = nullptr;
  const Fragment* map = nullptr;  // nullptr: there is no such operand
  int selector = -1;              // of metadata
  const std::string& mnemonic() const { return mover ? mover->mnemonic : instruction->mnemonic; }
};

/// How an element is held in both: nobody has it, or one side alone; at the same place; in other
/// bits of the same register, in another register of the same threads, in other threads.
enum class Alike : std::uint8_t { nobody, a_alone, b_alone, same, bits, place, threads };
inline constexpr std::size_t kAlikes = 7;

struct Beside {
  std::array<const Fragment*, 2> maps{};
  int rows = 0, cols = 0, matrices = 1;  // of what has room for both
  std::vector<Alike> cells;              // matrix after matrix, row after row
  std::array<int, kAlikes> counts{};

  Alike at(const Element& e) const {
    return cells[static_cast<std::size_t>((e.matrix * rows + e.row) * cols + e.col)];
  }
  int count(Alike how) const { return counts[static_cast<std::size_t>(how)]; }
  /// How many elements both have, and how many of them are held otherwise.
  int in_both() const;
  int otherwise() const { return in_both() - count(Alike::same); }
  /// Not one element is elsewhere, and neither has any alone.
  bool one_map() const { return otherwise() == 0 && in_both() == static_cast<int>(cells.size()); }
};

Beside beside(const Fragment& a, const Fragment& b);

/// One operand of both; a map is nullptr where one of them has it not in registers.
struct Pair {
  char operand = 0;
  MapOf a, b;
  bool whole() const { return a.map != nullptr && b.map != nullptr; }
};
/// The operands of two instructions or movers, or the one that is asked for. What a mover moves
/// stands beside A, what tcgen05.mma leaves in tensor memory beside D. C is left out where both
/// hold it as they hold D.
std::vector<Pair> pairs(const MapOf& a, const MapOf& b, char operand = 0);

std::string_view words_of(Alike how);
/// "A", "E, selector 1", "SFA"; of a mover what it moves.
std::string name_of(const MapOf& of);
/// "16 x 8 f16, 2 registers a lane".
std::string shape_of(const Fragment& map);
/// "lane 5, A.r1.hi (bits 16 to 31)"; of an element with copies the first; "" where it is in none.
std::string place_of(const MapOf& of, const Element& element);
/// What is alike and what is not, a line each.
std::vector<std::string> sentences(const Beside& both);
/// What `thread` has in its registers, a line each: "A.r0 (1,2..3)"; at most eight, and how many
/// more.
std::vector<std::string> register_lines(const MapOf& of, int thread);

/// All that in words, with the formulas and what one thread has in both.
std::string text(const MapOf& a, const MapOf& b, int thread);
/// Both matrices as grids: beside each other where `width` characters are enough for that.
std::string grids(const MapOf& a, const MapOf& b, int width = 0);
/// Both matrices as a drawing; framed is what the other holds otherwise.
std::string svg(const MapOf& a, const MapOf& b);

}  // namespace lanescope::layout

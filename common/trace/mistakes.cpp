// SPDX-License-Identifier: MIT
// See mistakes.hpp: every mistake that is a map, and the list of all kinds.
#include "trace/mistakes.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "layout/rows.hpp"
#include "layout/swizzle.hpp"
#include "trace/diagnose.hpp"

namespace lanescope::trace {
namespace {

using layout::Element;
using layout::Held;

int value_of(const Case& c, int reg, int part) { return reg * c.parts() + part; }

Mistake transposed_blocks() {
  return {"transposed", "every 8 x 8 matrix is transposed",
          "an ldmatrix has a .trans too many, or too few", [](const Case& c, const Held& slot) {
            const Element e = slot.element;
            return c.home({e.row / 8 * 8 + e.col % 8, e.col / 8 * 8 + e.row % 8});
          }};
}

Mistake rows_and_columns() {
  return {"row-and-column", "rows and columns are exchanged: this is the transposed matrix",
          "the row is where the column should be in an index; or the matrix lies transposed in "
          "memory",
          [](const Case& c, const Held& slot) {
            const Element home = c.home(slot.element);
            return Element{home.col, home.row};
          }};
}

Mistake registers_exchanged(const Case& c, int one, int other) {
  return {
      "registers-exchanged",
      fmt::format("registers {0}.r{1} and {0}.r{2} are exchanged", c.fragment->operand, one, other),
      "which block of the matrix is in which register? `lanescope layout` says it",
      [one, other](const Case& now, const Held& slot) {
        const int reg = slot.holder.register_index;
        const int from = reg == one ? other : reg == other ? one : reg;
        return now.home_of(slot.holder.thread, value_of(now, from, part_of(now, slot)));
      }};
}

Mistake neighbours_exchanged(const Case& c) {
  const bool registers = c.parts() == 1;
  return {registers ? "registers-exchanged" : "wrong-half",
          fmt::format("the two {} of every pair are exchanged",
                      registers ? "registers" : "neighbouring parts"),
          "the element with the smaller index comes first: the lower register, the lower bits",
          [registers](const Case& now, const Held& slot) {
            const int reg = slot.holder.register_index, part = part_of(now, slot);
            return now.home_of(slot.holder.thread, registers ? value_of(now, reg ^ 1, 0)
                                                             : value_of(now, reg, part ^ 1));
          }};
}

Mistake halves_exchanged() {
  return {"wrong-half", "the parts of every register are in the opposite order",
          "the element with the smaller index belongs into the low bits",
          [](const Case& c, const Held& slot) {
            return c.home_of(slot.holder.thread, value_of(c, slot.holder.register_index,
                                                          c.parts() - 1 - part_of(c, slot)));
          }};
}

/// Of a register with four parts or more: as 16-bit words in the wrong order leave it.
Mistake lower_and_upper_exchanged() {
  return {"wrong-half", "the lower and the upper half of every register are exchanged",
          "the element with the smaller index belongs into the low bits",
          [](const Case& c, const Held& slot) {
            const int part = (part_of(c, slot) + c.parts() / 2) % c.parts();
            return c.home_of(slot.holder.thread, value_of(c, slot.holder.register_index, part));
          }};
}

Mistake one_half_twice(const Case& c, int part) {
  return {"wrong-half",
          fmt::format("all parts of a register hold what belongs into .{}",
                      layout::part_name(*c.map, part)),
          "a register takes different elements in its parts: which are the neighbours?",
          [part](const Case& now, const Held& slot) {
            return now.home_of(slot.holder.thread, value_of(now, slot.holder.register_index, part));
          }};
}

Mistake groups_exchanged() {
  return {"row-and-column", "groupID and threadID_in_group are exchanged",
          "groupID is lane >> 2, threadID_in_group is lane % 4",
          [](const Case& c, const Held& slot) {
            const int lane = slot.holder.thread;
            const int other = lane / 32 * 32 + lane % 8 * 4 + lane % 32 / 8;
            return c.home_of(other, slot.holder.value);
          }};
}

Mistake shifted(const Case& c, int rows, int cols) {
  const bool is_a = c.fragment->operand == "A";
  const int along_k = is_a ? cols : rows;
  const int step = is_a ? c.map->cols : c.map->rows;
  const std::string direction = along_k > 0 ? "ahead" : "behind";
  return {"k-step",
          std::abs(along_k) == step ? fmt::format("it is one step of k {}", direction)
          : along_k % step == 0
              ? fmt::format("it is {} steps of k {}", std::abs(along_k) / step, direction)
              : fmt::format("it is {} elements of k {}", std::abs(along_k), direction),
          "the tile of another step: is the address advanced by k at the right time, and is it the "
          "right stage?",
          [rows, cols](const Case& now, const Held& slot) {
            const Element home = now.home(slot.element);
            return Element{home.row + rows, home.col + cols};
          }};
}

Mistake swizzled(layout::Swizzle mode) {
  return {"swizzle-one-side",
          fmt::format("the 16-byte units are where the {} swizzle puts them: swizzled on one side "
                      "only",
                      layout::name(mode)),
          "who stores the tile and who loads it must use the same swizzle",
          [mode](const Case& c, const Held& slot) {
            Element home = c.home(slot.element);
            if (c.matrix->transposed()) std::swap(home.row, home.col);
            const int bits = c.matrix->element_bits(), row_bytes = c.matrix->row_bytes();
            if (bits < 8 || row_bytes == 0 ||
                !c.matrix->at(c.home(slot.element).row, c.home(slot.element).col))
              return Element{-1, -1};
            const auto offset =
                static_cast<std::uint32_t>(home.row * row_bytes + home.col * bits / 8);
            const auto moved = static_cast<int>(layout::swizzled(offset, mode));
            Element e{moved / row_bytes, moved % row_bytes * 8 / bits};
            if (c.matrix->transposed()) std::swap(e.row, e.col);
            return e;
          }};
}

// The same counted in the rows, or columns, of the matrix itself: of a tile in shared memory of
// which the trace knows where its elements came from, or went to, alone.
// `each`: elements of a unit.
Mistake swizzled_lines(layout::Swizzle mode, bool columns, int each) {
  return {"swizzle-one-side",
          fmt::format("the 16-byte units of every {} are where the {} swizzle puts them: swizzled "
                      "on one side only",
                      columns ? "column" : "row", layout::name(mode)),
          "who stores the tile and who loads it must use the same swizzle",
          [mode, columns, each](const Case& c, const Held& slot) {
            constexpr int kLineUnits = 8;
            const Element home = c.home(slot.element);
            const int units = layout::units_per_row(mode);
            const int line = columns ? home.col : home.row, along = columns ? home.row : home.col;
            const int moved = along ^ (line / (kLineUnits / units) % units * each);
            return columns ? Element{moved, home.col} : Element{home.row, moved};
          }};
}

// Of many registers, as those of D have: two bits of their numbers.
Mistake bits_exchanged(const Case& c, int low, int high) {
  std::string these, those;
  for (int reg = 0; reg < 2 * high; ++reg) {
    const bool has_low = (reg & low) != 0, has_high = (reg & high) != 0;
    if (has_low == has_high) continue;
    std::string& list = has_low ? these : those;
    list += fmt::format("{}{}.r{}", list.empty() ? "" : ", ", c.fragment->operand, reg);
  }
  return {
      "registers-exchanged",
      fmt::format(
          "registers {} and {} are exchanged{}", these, those,
          2 * high < c.map->registers() ? fmt::format(", and so on in every {}", 2 * high) : ""),
      "which block of the matrix is in which register? `lanescope layout` says it",
      [low, high](const Case& now, const Held& slot) {
        const int reg = slot.holder.register_index;
        const bool differ = ((reg & low) != 0) != ((reg & high) != 0);
        const int from = differ ? reg ^ (low | high) : reg;
        return now.home_of(slot.holder.thread, value_of(now, from, part_of(now, slot)));
      }};
}

Mistake warps_as_warp_0() {
  return {"lane-step", "every warp holds what belongs to warp 0",
          "row and column depend on the warp of the warpgroup: 16 rows each",
          [](const Case& c, const Held& slot) {
            return c.home_of(slot.holder.thread % 32, slot.holder.value);
          }};
}

}  // namespace

bool explains(const Case& c, const Places& places, const Matrix& matrix) {
  for (const Held& slot : c.slots) {
    const Element e = places(c, slot);
    if (matrix.at(e.row, e.col) != c.found(slot)) return false;
  }
  return true;
}

std::vector<Mistake> mistakes_for(const Case& c) {
  std::vector<Mistake> all{transposed_blocks(), rows_and_columns(), halves_exchanged(),
                           groups_exchanged()};
  for (int other = 1; other < c.map->registers() && other < 8; ++other)
    for (int one = 0; one < other; ++one) all.push_back(registers_exchanged(c, one, other));
  for (Mistake& mistake : wrong_steps(c)) all.push_back(std::move(mistake));
  for (int part = 0; c.parts() > 1 && part < c.parts(); ++part)
    all.push_back(one_half_twice(c, part));
  if (c.parts() > 2 || (c.parts() == 1 && c.map->registers() % 2 == 0))
    all.push_back(neighbours_exchanged(c));
  if (c.parts() > 2) all.push_back(lower_and_upper_exchanged());
  for (layout::Swizzle mode : {layout::Swizzle::b32, layout::Swizzle::b64, layout::Swizzle::b128})
    all.push_back(swizzled(mode));
  for (layout::Swizzle mode : {layout::Swizzle::b128, layout::Swizzle::b64, layout::Swizzle::b32})
    for (const bool columns : {false, true})
      for (const int unit_bits : {128, 256})  // sums are stored half as wide, too
        if (c.map->element_bits >= 8)
          all.push_back(swizzled_lines(mode, columns, unit_bits / c.map->element_bits));
  for (int high = 2; high < c.map->registers() && c.map->registers() > 4 && high <= 16; high *= 2)
    for (int low = 1; low < high; low *= 2) all.push_back(bits_exchanged(c, low, high));
  if (c.map->threads() > 32) all.push_back(warps_as_warp_0());
  const bool is_a = c.fragment->operand == "A", is_b = c.fragment->operand == "B";
  if (is_a || is_b) {
    const int step = is_a ? c.map->cols : c.map->rows;
    // As many steps as a ring usually has stages.
    for (const int by : {step, -step, step / 2, -step / 2, 2 * step, -2 * step, 3 * step, -3 * step,
                         4 * step, -4 * step})
      all.push_back(shifted(c, is_a ? 0 : by, is_a ? by : 0));
  }
  return all;
}

std::vector<Mistake> hidden_by_symmetry(const Case& c) {
  std::vector<Mistake> alike{transposed_blocks(), rows_and_columns()};
  if (c.parts() > 1) alike.push_back(halves_exchanged());
  return alike;
}

const std::vector<KnownMistake>& known_mistakes() {
  static const std::vector<KnownMistake> all{
      {"transposed", "every 8 x 8 matrix transposed: a .trans too many or too few"},
      {"row-and-column", "rows and columns exchanged, or groupID and threadID_in_group"},
      {"registers-exchanged", "two registers exchanged, such as A.r1 and A.r2"},
      {"register-step", "registers whose block is too near or too far: the + 8 forgotten, or 16"},
      {"lane-step", "lanes that go on by too little or too much, or all do as lane 0"},
      {"wrong-half", "the parts of a register exchanged, or one of them in all"},
      {"k-step", "off by a step of k, or by half a step"},
      {"swizzle-one-side", "a tile stored with a swizzle and loaded without, or the other way"},
      {"stale", "shared memory read before it was written, or the tile before"},
      {"lane-address", "a lane that names a wrong row to ldmatrix"},
  };
  return all;
}

}  // namespace lanescope::trace

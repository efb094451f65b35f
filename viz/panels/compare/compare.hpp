// SPDX-License-Identifier: MIT
// Two traces side by side, or two maps of the atlas: where they differ (common/trace/diff.hpp finds
// it), and each difference as a grid of cells that is the same for both. Pure model, no Dear ImGui;
// the terminal's twins are `lanescope diff A B` and `lanescope layout A --beside B`.
//
//   a fragment  its matrix, where the atlas has a map in which every element has one holder;
//               else its lanes, four in a row, register below register
//   a tile      its elements
//   a step      the lanes of each register it wrote; an access: the lanes' addresses
//   the rest    has words only: launches, diagnostics, what only one of the two has
//   an operand  of two instructions: who holds each element in the one and in the other; here the
//               list has all operands, those that are held alike, too (compare_maps.cpp)
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "layout/beside.hpp"
#include "trace/diff.hpp"
#include "trace/event.hpp"

namespace lanescope::viz {

struct Comparison {
  std::array<trace::Trace, 2> traces;  // a, b
  std::array<std::string, 2> paths;
  std::vector<trace::Difference> all;  // the first is where the traces part
  bool more = false;                   // there are others behind the last
  trace::Addresses addresses;          // where global memory lay in the two
  std::int64_t moved = 0;              // steps that differ in addresses alone: not among `all`
  std::vector<layout::Pair> maps;      // of the atlas, one an operand, instead of traces

  bool of_maps() const { return !maps.empty(); }

  /// "01_fragment_layout.cpu.lanes", with its folder where both are called the same, and where it
  /// is the recording that came with a lesson.
  std::string name(int side) const;
  /// "Lanescope emulator, sm_90a".
  std::string device(int side) const;
  /// "The same, bit for bit: ...", "3 differences", "1000 differences and more"; of two programs
  /// that is said.
  std::string verdict() const;
  /// What the verdict does not count, or counts where it need not; "" where there is none.
  std::string left_out() const;
  /// The difference to begin with: the first, but where that is one of launches, which have words
  /// only, the first in what they left behind: a fragment, a tile, a step.
  std::size_t first_to_show() const;
};

Comparison compare(trace::Trace a, trace::Trace b, std::string a_path, std::string b_path);
/// Of two instructions or movers; without `maps` where they have nothing in common.
Comparison compare(const layout::MapOf& a, const layout::MapOf& b);

enum class ComparedAs { words, matrix, lanes, tile, maps };

struct ComparedCell {
  int lane = -1;  // of a tile: -1
  int register_index = -1;
  int bit = 0;  // the element's lowest in its register
  bool differs = false;
};

/// One difference, cell by cell. Points into the Comparison.
struct Compared {
  ComparedAs as = ComparedAs::words;
  int rows = 0, cols = 0;
  int rows_in_group = 0;              // of lanes: those of one register
  std::vector<std::string> groups;    // of lanes: the names of the registers
  std::vector<ComparedCell> cells;    // row after row
  int differing = 0;                  // cells
  std::vector<int> lanes;             // that differ somewhere, ascending
  int threads = 0;                    // 32 or 128; of a tile 0
  std::array<int, 2> events{-1, -1};  // in a and in b
  std::string subject;                // "D", "tile", "step 17"
  std::array<const trace::Event*, 2> of{nullptr, nullptr};
  const layout::Fragment* map = nullptr;  // of a matrix
  // Of maps: both, how they are alike, and on each side the first who holds the cell (thread -1:
  // nobody). The matrices of one operand stand above one another.
  const layout::Pair* pair = nullptr;
  layout::Beside beside{};
  std::array<std::vector<layout::Holder>, 2> held{};

  const ComparedCell& cell(int row, int col) const {
    return cells[static_cast<std::size_t>(row * cols + col)];
  }
  /// Whose colour the cell has on `side`: its lane; -1: nobody's.
  int lane(int side, int row, int col) const;
  /// Of maps: whether `thread` holds it on `side`.
  bool holds(int side, int thread, int row, int col) const;
  layout::Element element(int row, int col) const;
  const layout::MapOf& map_of(int side) const { return side == 0 ? pair->a : pair->b; }
  /// "A " before an element or a lane of it; "" of a mover.
  std::string words_before() const;
  /// "5 r1.hi", or, where that has no room, "5".
  std::string holder(int side, int row, int col, bool whole) const;
  /// What `side` has there, as people read it, and its bits.
  std::string value(int side, int row, int col) const;
  std::string bits(int side, int row, int col) const;
  /// "D[9][5], lane 6, D.r3, bits 0..31".
  std::string place(int row, int col) const;
  /// "16 × 8 f16"; "" where there are words only.
  std::string shape(int side = 0) const;
  /// The words that select it in its own view: "D 9,5".
  std::string words(int row, int col) const;
};

Compared look_at(const Comparison& comparison, std::size_t index);
/// The same of maps.
Compared look_at(const layout::Pair& pair);
/// The command that shows both maps.
std::string command_of(const Comparison& of_maps);

/// A difference in the list: "step 4", "shl.b32 %r2, %r1, 2;" (of a step alone), "launch 0, ...".
struct ListedDifference {
  std::string name, instruction, place;
};
ListedDifference listed(const trace::Difference& difference);

/// What there is to say where no cells are: of the event that differs, or, where none does, of the
/// trace. Lines of both sides belong together as far as they are there.
std::vector<std::string> lines_of(const Comparison& comparison, const Compared& compared, int side);

/// The next cell that differs in reading order from (row, col) on, `by` 1 or -1; stays at the ends.
/// With row -1: the first. Where none differs, the next of all.
void next_differing(const Compared& compared, int by, int& row, int& col);

/// "2", "9,5" or "2 9,5": which difference, which cell. "" or what is wrong.
std::string read_words(const Comparison& comparison, std::string_view words, std::size_t& index,
                       int& row, int& col);
/// The same of maps: "A 9,5", "9,5", "B", "lane 5".
std::string read_words(const Comparison& of_maps, std::string_view words, std::size_t& index,
                       int& row, int& col, int& lane);

}  // namespace lanescope::viz

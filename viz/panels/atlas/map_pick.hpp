// SPDX-License-Identifier: MIT
// What is picked in a panel that shows a map from both sides: a matrix at the left, the registers
// of every lane at the right. For sparsity metadata (E), scales (SFA, SFB), ldmatrix, stmatrix and
// movmatrix. Pure model, no Dear ImGui.
//
//   matrix 1 3,5      an element (the matrix may be left out where there is one)
//   lane 13           all that a lane has in its registers; its address's row, if it has one
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "layout/instruction.hpp"
#include "layout/mover.hpp"

namespace lanescope::viz {

/// A map to look at. `mover` adds the addresses (ldmatrix, stmatrix) or the source registers.
struct MapView {
  const layout::Fragment* map = nullptr;
  const layout::Mover* mover = nullptr;
  const layout::Instruction* instruction = nullptr;  // whose operand it is, where it is one
  int selector = -1;                                 // of metadata
  bool addresses() const { return mover != nullptr && mover->addressed_row(0).has_value(); }
  layout::MoverMemory memory() const {
    return mover != nullptr ? mover->memory : layout::MoverMemory::shared;
  }
};

struct MapPick {
  enum class Kind : std::uint8_t { nothing, element, lane };
  Kind kind = Kind::nothing;
  layout::Element element{};
  int lane = -1;
  friend bool operator==(const MapPick&, const MapPick&) = default;
};
MapPick pick_element(const layout::Element& element);
MapPick pick_lane(int lane);

/// Is the element (or the part of a register that holds it in `lane`) lit by the pick?
bool lit(const MapView& view, const MapPick& pick, const layout::Element& element, int lane);
/// Does the lane hold, or is it asked for the address of, what is picked?
bool lane_lit(const MapView& view, const MapPick& pick, int lane);

/// The lane whose address leads to this row of this matrix; -1: none.
int address_lane(const MapView& view, const layout::Element& element);

struct ParsedPick {
  MapPick pick;
  std::string error;
  bool ok() const { return error.empty(); }
};
ParsedPick parse_pick(std::string_view words, const MapView& view);
/// "lane 13" of a warp, "thread 68" of a warpgroup, "CTA 1 lane 13" of tensor memory of two CTAs.
std::string holder_name(const MapView& view, int lane);
std::string words_of(const MapPick& pick, const MapView& view);
/// "3,5   lane 13", or what comes near it: examples for who is to write such words.
std::string examples_of(const MapView& view, std::string_view between = "   ");

/// One step by an arrow key; stays at the edges. With nothing picked, the first element.
MapPick moved(const MapPick& pick, const MapView& view, int rows, int cols);
/// Tab: from an element to the lane that holds it, and back.
MapPick other_side(const MapPick& pick, const MapView& view);
/// The pick where the map has changed: kept if it still exists there.
MapPick carried_over(const MapPick& pick, const MapView& to);

/// All there is to say about what is picked: a title, where, and why.
struct MapFacts {
  std::string title, where;
  std::vector<std::string> lines, why;
};
MapFacts map_facts(const MapView& view, const MapPick& pick);

/// "SFA" for scales, "E" for metadata, "r0" parts... the heading over a map.
std::string map_title(const MapView& view);

}  // namespace lanescope::viz

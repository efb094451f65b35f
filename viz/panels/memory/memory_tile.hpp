// SPDX-License-Identifier: MIT
// A tile of memory out of a trace: where each element lay, in which bank, what it is worth. Pure
// model, no Dear ImGui.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "layout/swizzle.hpp"
#include "trace/event.hpp"

namespace lanescope::viz {

/// It has bytes for whole rows of elements: others cannot be drawn.
bool is_whole(const trace::Memory& tile);
/// The tiles of a trace that have any bytes, in the order of the file.
std::vector<const trace::Memory*> tiles_of(const trace::Trace& trace);

/// Of each tile the kernel whose launch left it, "multiply<3, 2>"; "" where the trace does not say.
std::vector<std::string> kernels_of(const trace::Trace& trace,
                                    const std::vector<const trace::Memory*>& tiles);

/// "A in shared memory", and where it is from when several warps have one of that name.
std::string tile_name(const trace::Memory& tile);

/// Of a row without what lies between it and the next.
std::size_t row_bytes(const trace::Memory& tile);
/// Bits from one element of a row to the next.
int element_bits(const trace::Memory& tile);
std::uint64_t element_pattern(const trace::Memory& tile, int row, int col);
/// The value; its bits where the type is not known.
std::string element_text(const trace::Memory& tile, int row, int col);
/// The address of the byte that the element begins in.
std::uint64_t element_address(const trace::Memory& tile, int row, int col);
/// The bank of shared memory that holds it; -1 in global memory.
int element_bank(const trace::Memory& tile, int row, int col);

/// A program may have put its tile down through a swizzle of 16-byte units. Read through the same
/// one, the element (row, col) lies at this place of the tile, and what lies at (row, col) is to be
/// found there: a swizzle is its own inverse. {-1, -1}: not in the tile.
struct TileSpot {
  int row = -1, col = -1;
};
TileSpot through(layout::Swizzle mode, const trace::Memory& tile, int row, int col);
/// The tile in the order that it is read in; what would lie outside of it is 0.
trace::Memory as_read(const trace::Memory& tile, layout::Swizzle mode);
/// The swizzle through which the units of all rows are in one order, as they are not where they
/// lie: how a program's own numbers tell that it put its tile down swizzled. none: they do not
/// tell.
layout::Swizzle seems_swizzled(const trace::Memory& tile);
/// How a tile is read that is shown after one that was read through `mode`: through the same where
/// that may be, as it lies where its numbers say otherwise or it is in global memory.
layout::Swizzle reading_after(layout::Swizzle mode, const trace::Memory& tile);
/// It has units of 16 bytes that a swizzle could exchange within a row.
bool can_be_swizzled(const trace::Memory& tile);
/// Takes "32B", "64B", "128B" or "straight" off the words, from their beginning or end.
bool take_reading(std::string_view& words, layout::Swizzle& mode);

struct TileFacts {
  std::string title;               // "A in shared memory[3][5]"
  std::string value;               // "305"
  std::vector<std::string> lines;  // bits, address, bank, who recorded it
};
TileFacts tile_facts(const trace::Memory& tile, int row, int col,
                     layout::Swizzle mode = layout::Swizzle::none);

/// In how many passes rows 8 `block` to 8 `block` + 7 give 16 bytes each, the 16-byte unit `unit`
/// of each: what an ldmatrix of the tile would take that reads through `mode`. 0 where there are no
/// 8 rows or no whole unit, and in global memory.
int eight_row_passes(const trace::Memory& tile, int block, int unit,
                     layout::Swizzle mode = layout::Swizzle::none);
int units_per_row(const trace::Memory& tile);

/// "3,5" or "row 3" (column 0); false, and why, when it is no element.
bool read_element(const trace::Memory& tile, std::string_view words, int& row, int& col,
                  std::string& why);

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// What is asked of a swizzled tile and of a descriptor, in words and numbers, and what is to be
// said about one element. Pure model, no Dear ImGui. Offsets, banks and descriptors are
// common/layout's; `lanescope swizzle` and `lanescope descriptor` print the same.
//
//   128B K 16 8x64            mode, major, bits of an element, rows x columns, in any order
//   128B/32B 64x16            atoms of 32 bytes, tcgen05's alone: MN-major, 32 bits
//   0x4000..., lbo=32 sbo=1024 start=1024 base=0 step=1       only a descriptor's
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "layout/descriptor.hpp"

namespace lanescope::viz {

inline constexpr int kMostAcross = 1024;       // rows and columns of a tile
inline constexpr int kMostOfDescriptor = 256;  // ... that a descriptor is tried on

struct TileForm {
  layout::Swizzle mode = layout::Swizzle::b128;
  layout::Major major = layout::Major::K;
  int bits = 16;
  int rows = 8, cols = 64;  // along MN and along K
  bool wide = false;        // atoms of 32 bytes: mode b128, MN-major, 32 bits
  friend bool operator==(const TileForm&, const TileForm&) = default;
};
layout::Tile tile_of(const TileForm& form);
/// What one atom of it has along MN and along K.
layout::Extent atom_of(const TileForm& form);
/// Its mode in words; takes "none", "32B", "64B", "128B" or "128B/32B", with all that belongs to
/// it.
std::string_view mode_name(const TileForm& form);
bool set_mode(std::string_view name, TileForm& form);
inline constexpr std::array<std::string_view, 5> kTileModes{"none", "32B", "64B", "128B",
                                                            "128B/32B"};
/// The place of its mode among those.
int mode_index(const TileForm& form);
/// 128B instead of 128B/32B: for another major or width than that has.
void not_wide(TileForm& form);
/// The rows and columns of a tile that a descriptor describes are multiples of these.
layout::Extent step_of_size(const TileForm& form);
/// Why there is no such tile, or "".
std::string problem(const TileForm& form);
/// "128B K 16 8x64"
std::string words_of(const TileForm& form);
/// Which word has said what of a form, "the swizzle": nothing may be said twice.
class Given {
 public:
  /// "the swizzle is given twice: '64B' and '128B'", or "".
  std::string twice(const std::string& what, std::string_view word);

 private:
  std::vector<std::pair<std::string, std::string>> words_;
};
/// Changes what the word names; a line that says what is wrong, or "".
std::string take_word(std::string_view word, TileForm& form, Given& given);
/// The same of many words.
std::string read_words(std::string_view words, TileForm& form);

/// Reads a number of rows or columns as it was typed; why it cannot, or "".
std::string read_side(std::string_view what, std::string_view typed, int& side);

/// Where an element lies. `applied`: with the swizzle, else as the canonical layout has it.
std::uint32_t offset_of(const layout::Tile& tile, int mn, int k, bool applied);

/// Eight lanes that each take 16 bytes, as a phase of ldmatrix does: eight neighbours across (rows
/// of a K-major tile, columns of an MN-major one) of 16-byte column `unit`, block `block`.
struct EightLanes {
  std::array<std::uint32_t, 8> addresses{};
  int passes = 1;
};
EightLanes eight_lanes(const layout::Tile& tile, int block, int unit, bool applied);
/// The tile has all eight of this block: fewer are no phase.
bool has_eight(const TileForm& form, int block);
/// How many there are of blocks of eight and of 16-byte units.
struct Units {
  int blocks = 0, units = 0;
};
Units units_of(const TileForm& form);

/// The 16-byte units in the order of memory: whose first element lies at 16 * index.
struct UnitAt {
  int mn = -1, k = -1;  // -1: nothing of this tile
};
std::vector<UnitAt> memory_order(const layout::Tile& tile, bool applied);

/// What is to be said about element (mn, k): a title and lines.
struct PlaceFacts {
  std::string title, where;
  std::vector<std::string> lines;
};
PlaceFacts place_facts(const TileForm& form, int mn, int k, bool applied);

// A descriptor tried on a tile that lies in shared memory from kTileStart_bytes on.

inline constexpr std::uint32_t kTileStart_bytes = 1024;  // a multiple of every pattern

struct DescriptorForm {
  TileForm tile{layout::Swizzle::b128, layout::Major::K, 16, 64, 64};
  std::uint64_t bits = 0;  // the descriptor, whatever is in it
  int step = 0;            // which step along K it is meant for
  bool wide = false;       // it says 128B, and means atoms of 32 bytes: tcgen05's alone
  friend bool operator==(const DescriptorForm&, const DescriptorForm&) = default;
};
/// One instruction takes this much of K, and a tile has so many of them.
int k_of_step(const TileForm& tile);
int steps_of(const TileForm& tile);
/// The descriptor that fetches step `step` of the tile.
std::uint64_t right_bits(const TileForm& tile, int step);
/// The tile, with that descriptor.
DescriptorForm right_form(const TileForm& tile, int step);
/// Why no descriptor of wgmma, or of tcgen05, describes a tile that lies so and is so large, or "".
std::string not_described(const TileForm& tile, bool of_tcgen05);
/// Why one cannot be tried on this tile, or "": the window draws every element.
std::string descriptor_problem(const TileForm& tile, bool of_tcgen05 = false);
std::string words_of(const DescriptorForm& form);
std::string read_words(std::string_view words, DescriptorForm& form, bool of_tcgen05 = false);
/// Changes one field ("start", "lbo", "sbo", "base" or "mode"); why not, or "".
std::string set_field(std::string_view field, std::string_view value, std::uint64_t& bits);
/// Reads "0x4000..." or the digits alone; why not, or "".
std::string read_hex(std::string_view text, std::uint64_t& bits);

/// What the hardware would take for each element of the step.
struct Fetched {
  std::uint32_t byte = 0, right = 0;  // where it comes from and where it lies
  int mn = -1, k = -1;                // whose byte that is; -1: nothing of this tile
  bool good() const { return byte == right; }
};
struct Fetch {
  int rows = 0, cols = 0;
  std::vector<Fetched> elements;  // row after row
  int wrong = 0;
  const Fetched& at(int row, int col) const {
    return elements[static_cast<std::size_t>(row) * static_cast<std::size_t>(cols) +
                    static_cast<std::size_t>(col)];
  }
};
Fetch fetch(const DescriptorForm& form);
PlaceFacts fetch_facts(const DescriptorForm& form, const Fetch& fetch, int row, int col);

/// The fields of a descriptor: name, first bit, bits, and its value in words.
struct Field {
  const char* name;
  int from, width;
  std::string value, means;
};
std::vector<Field> fields_of(const DescriptorForm& form);

}  // namespace lanescope::viz

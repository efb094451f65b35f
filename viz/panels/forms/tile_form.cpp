// SPDX-License-Identifier: MIT
#include "panels/forms/tile_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "layout/banks.hpp"

namespace lanescope::viz {
namespace {

using layout::Major;
using layout::Tile;

const char* name_of(Major major) { return major == Major::K ? "K" : "MN"; }

// "64x128"
bool read_size(std::string_view word, int& rows, int& cols) {
  const std::size_t cross = word.find_first_of("xX");
  if (cross == std::string_view::npos) return false;
  const auto read = [](std::string_view digits, int& value) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  return read(word.substr(0, cross), rows) && read(word.substr(cross + 1), cols);
}

}  // namespace

bool set_mode(std::string_view name, TileForm& form) {
  const bool wide = name == kTileModes.back();
  const std::optional<layout::Swizzle> mode =
      wide ? layout::Swizzle::b128 : layout::swizzle_mode(name);
  if (!mode) return false;
  // What there is of 32-bit MN-major tiles alone brings both along, and takes them away again.
  if (wide) form.major = Major::MN, form.bits = 32;
  if (!wide && form.wide) form.bits = 16;
  form.mode = *mode;
  form.wide = wide;
  return true;
}

std::string_view mode_name(const TileForm& form) {
  return form.wide ? kTileModes.back() : layout::name(form.mode);
}

int mode_index(const TileForm& form) {
  return form.wide ? static_cast<int>(kTileModes.size()) - 1 : static_cast<int>(form.mode);
}

void not_wide(TileForm& form) {
  if (form.wide) set_mode("128B", form);
}

layout::Extent step_of_size(const TileForm& form) {
  const layout::Extent a = atom_of(form);
  return {a.mn, form.wide ? k_of_step(form) : std::min(a.k, k_of_step(form))};
}

layout::Extent atom_of(const TileForm& form) {
  return form.wide ? layout::kWideAtom : layout::atom(form.mode, form.major, form.bits);
}

Tile tile_of(const TileForm& form) {
  if (form.wide) return layout::packed_wide(form.rows, form.cols);
  return layout::packed(form.mode, form.major, form.bits, form.rows, form.cols);
}

std::string problem(const TileForm& form) {
  if (form.bits != 8 && form.bits != 16 && form.bits != 32)
    return fmt::format("an element of {} bits: 8, 16 or 32", form.bits);
  if (form.rows < 1 || form.rows > kMostAcross || form.cols < 1 || form.cols > kMostAcross)
    return fmt::format("a tile of {} x {}: 1 to {} each", form.rows, form.cols, kMostAcross);
  if (form.wide && (form.major != Major::MN || form.bits != 32))
    return "128B/32B, atoms of 32 bytes, is for MN-major tiles of 32-bit types alone";
  return {};
}

std::string words_of(const TileForm& form) {
  return fmt::format("{} {} {} {}x{}", mode_name(form), name_of(form.major), form.bits, form.rows,
                     form.cols);
}

std::string Given::twice(const std::string& what, std::string_view word) {
  const std::string now(word.substr(0, 40));
  for (const auto& [said, before] : words_)
    if (said == what)
      return fmt::format("{} given twice: '{}' and '{}'",
                         what + (what == "the bits" ? " are" : " is"), before, now);
  words_.push_back({what, now});
  return {};
}

std::string take_word(std::string_view word, TileForm& form, Given& given) {
  if (word == "8" || word == "16" || word == "32") {
    form.bits = word == "8" ? 8 : word == "16" ? 16 : 32;
    return given.twice("the bits", word);
  }
  if (set_mode(word, form)) return given.twice("the swizzle", word);
  if (word == "K" || word == "k" || word == "MN" || word == "mn") {
    form.major = word == "K" || word == "k" ? Major::K : Major::MN;
    return given.twice("the major", word);
  }
  if (read_size(word, form.rows, form.cols)) return given.twice("the size", word);
  return fmt::format(
      "cannot read '{}'; a swizzle (none, 32B, 64B, 128B, 128B/32B), K or MN, bits (8, 16, 32), a "
      "size; try: 128B K 16 8x64",
      std::string(word.substr(0, 60)));
}

std::string read_words(std::string_view words, TileForm& form) {
  TileForm changed = form;
  Given given;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find_first_of(" ,\t", at), words.size());
    if (end > at)
      if (std::string why = take_word(words.substr(at, end - at), changed, given); !why.empty())
        return why;
    at = end + 1;
  }
  if (std::string why = problem(changed); !why.empty()) return why;
  form = changed;
  return {};
}

std::string read_side(std::string_view what, std::string_view typed, int& side) {
  int value = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), value);
  if (error != std::errc() || end != typed.data() + typed.size() || value < 1 ||
      value > kMostAcross)
    return fmt::format("{} '{}': a number from 1 to {}", what, std::string(typed.substr(0, 40)),
                       kMostAcross);
  side = value;
  return {};
}

std::uint32_t offset_of(const Tile& tile, int mn, int k, bool applied) {
  return applied ? layout::byte_offset(tile, mn, k) : layout::linear_offset(tile, mn, k);
}

EightLanes eight_lanes(const Tile& tile, int block, int unit, bool applied) {
  EightLanes lanes;
  const int along = unit * layout::elements_per_unit(tile.bits);
  for (int at = 0; at < 8; ++at) {
    const int across = block * 8 + at;
    lanes.addresses[static_cast<std::size_t>(at)] = tile.major == Major::K
                                                        ? offset_of(tile, across, along, applied)
                                                        : offset_of(tile, along, across, applied);
  }
  lanes.passes = layout::passes(lanes.addresses, 16);
  return lanes;
}

bool has_eight(const TileForm& form, int block) {
  return (block + 1) * 8 <= (form.major == Major::K ? form.rows : form.cols);
}

Units units_of(const TileForm& form) {
  const int T = layout::elements_per_unit(form.bits);
  const bool K = form.major == Major::K;
  const int across = K ? form.rows : form.cols;
  const int along = K ? form.cols : form.rows;
  return {(across + 7) / 8, (along + T - 1) / T};
}

std::vector<UnitAt> memory_order(const Tile& tile, bool applied) {
  std::vector<UnitAt> units;
  const int T = layout::elements_per_unit(tile.bits);
  const bool K = tile.major == Major::K;
  for (int across = 0; across < (K ? tile.mn : tile.k); ++across)
    for (int along = 0; along < (K ? tile.k : tile.mn); along += T) {
      const UnitAt unit = K ? UnitAt{across, along} : UnitAt{along, across};
      const std::size_t at = offset_of(tile, unit.mn, unit.k, applied) / 16;
      if (at >= units.size()) units.resize(at + 1);
      units[at] = unit;
    }
  return units;
}

PlaceFacts place_facts(const TileForm& form, int mn, int k, bool applied) {
  const Tile tile = tile_of(form);
  const std::uint32_t linear = layout::linear_offset(tile, mn, k);
  const std::uint32_t offset = offset_of(tile, mn, k, applied);
  PlaceFacts facts;
  facts.title = fmt::format("({}, {})", mn, k);
  facts.where = fmt::format("byte {}, bank {}", offset, layout::bank(offset));
  facts.lines.push_back(fmt::format("line {}, unit {} of 8, byte {} of 16", offset / 128,
                                    offset / 16 % 8, offset % 16));
  facts.lines.push_back(fmt::format("before swizzling: byte {}", linear));
  if (form.wide) {
    facts.lines.push_back(fmt::format("atom {} ^ (line {} & 3) = atom {}, of 32 bytes",
                                      linear / 32 % 4, linear / 128,
                                      layout::swizzled_wide(linear) / 32 % 4));
  } else if (form.mode != layout::Swizzle::none) {
    const std::uint32_t mask = (1u << layout::swizzle_bits(form.mode)) - 1;
    facts.lines.push_back(fmt::format("unit {} ^ (line {} & {}) = unit {}", linear / 16 % 8,
                                      linear / 128, mask,
                                      layout::swizzled(linear, form.mode) / 16 % 8));
  } else {
    facts.lines.push_back("no swizzle: units stay where they are");
  }
  return facts;
}

}  // namespace lanescope::viz

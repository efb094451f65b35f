// SPDX-License-Identifier: MIT
// A descriptor tried on a tile: which byte each element would really come from.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "layout/banks.hpp"
#include "layout/owner.hpp"
#include "layout/tcgen05.hpp"
#include "panels/forms/tile_form.hpp"

namespace lanescope::viz {
namespace {

using layout::Descriptor;
using layout::Major;
using layout::Tile;

bool read_number(std::string_view text, std::uint32_t& value) {
  const bool hex = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
  if (hex) text.remove_prefix(2);
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::string shown(std::string_view text) { return std::string(text.substr(0, 40)); }

std::string take_word(std::string_view word, DescriptorForm& form, bool& described, Given& given) {
  if (word.substr(0, 2) == "0x" || word.substr(0, 2) == "0X") {
    described = true;
    const std::string why = read_hex(word, form.bits);
    return !why.empty() ? why : given.twice("the descriptor", word);
  }
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) {
    const std::string why = take_word(word, form.tile, given);
    return !why.empty() ? why : problem(form.tile);
  }
  const std::string_view value = word.substr(equals + 1);
  if (std::string why = given.twice(shown(word.substr(0, equals)), word); !why.empty()) return why;
  if (word.substr(0, equals) == "step") {
    std::uint32_t step = 0;
    if (!read_number(value, step) || step >= 1000)
      return fmt::format("step '{}': want a number", shown(value));
    form.step = static_cast<int>(step);
    return {};
  }
  if (!described) form.bits = right_bits(form.tile, form.step), form.wide = form.tile.wide;
  described = true;
  return set_field(word.substr(0, equals), value, form.bits);
}

}  // namespace

int k_of_step(const TileForm& tile) { return 256 / tile.bits; }

int steps_of(const TileForm& tile) { return (tile.cols + k_of_step(tile) - 1) / k_of_step(tile); }

std::uint64_t right_bits(const TileForm& form, int step) {
  const Tile tile = tile_of(form);
  return layout::encode(layout::descriptor_for(
      tile, kTileStart_bytes + layout::linear_offset(tile, 0, step * k_of_step(form))));
}

DescriptorForm right_form(const TileForm& tile, int step) {
  return {tile, right_bits(tile, step), step, tile.wide};
}

std::string not_described(const TileForm& form, bool of_tcgen05) {
  if (form.major == Major::MN && form.bits != 16 && !form.wide && !of_tcgen05)
    return "wgmma takes MN-major operands only for 16-bit types";
  if (form.major == Major::MN && form.bits == 32 && !form.wide)
    return "tcgen05 takes MN-major operands of 32-bit types only in mode 128B/32B";
  const layout::Extent least = step_of_size(form);
  if (form.rows % least.mn != 0 || form.cols % least.k != 0)
    return fmt::format("{} {}-major {}-bit tiles come in steps of {}x{}", mode_name(form),
                       form.major == Major::K ? "K" : "MN", form.bits, least.mn, least.k);
  return {};
}

std::string descriptor_problem(const TileForm& form, bool of_tcgen05) {
  if (std::string why = problem(form); !why.empty()) return why;
  if (form.rows > kMostOfDescriptor || form.cols > kMostOfDescriptor)
    return fmt::format("a tile of {} x {}: at most {} each", form.rows, form.cols,
                       kMostOfDescriptor);
  return not_described(form, of_tcgen05);
}

std::string words_of(const DescriptorForm& form) {
  return fmt::format("{:#018x} {} step={}", form.bits, words_of(form.tile), form.step);
}

std::string read_words(std::string_view words, DescriptorForm& form, bool of_tcgen05) {
  DescriptorForm changed = form;
  bool described = false;
  Given given;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find_first_of(" ,\t", at), words.size());
    if (end > at)
      if (std::string why = take_word(words.substr(at, end - at), changed, described, given);
          !why.empty())
        return why;
    at = end + 1;
  }
  if (std::string why = descriptor_problem(changed.tile, of_tcgen05); !why.empty()) return why;
  if (changed.step >= steps_of(changed.tile))
    return fmt::format("step {}: this tile has steps 0 to {}", changed.step,
                       steps_of(changed.tile) - 1);
  if (!described) changed = right_form(changed.tile, changed.step);
  form = changed;
  return {};
}

std::string read_hex(std::string_view text, std::uint64_t& bits) {
  std::string_view digits = text;
  if (digits.substr(0, 2) == "0x" || digits.substr(0, 2) == "0X") digits.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty())
    return fmt::format("'{}': up to 16 hexadecimal digits", shown(text));
  bits = value;
  return {};
}

std::string set_field(std::string_view field, std::string_view value, std::uint64_t& bits) {
  Descriptor d = layout::decode(bits);
  std::uint32_t number = 0;
  if (field == "mode") {
    const std::optional<layout::Swizzle> mode = layout::swizzle_mode(value);
    if (!mode) return fmt::format("mode '{}': none, 32B, 64B or 128B", shown(value));
    d.mode = *mode;
  } else {
    if (!read_number(value, number))
      return fmt::format("{} '{}': want a number, 1024 or 0x400", field, shown(value));
    if (field == "start")
      d.start_bytes = number;
    else if (field == "lbo")
      d.lbo_bytes = number;
    else if (field == "sbo")
      d.sbo_bytes = number;
    else if (field == "base")
      d.base_offset = static_cast<int>(std::min(number, 1000u));
    else
      return fmt::format("no field '{}': start, lbo, sbo, base, mode", shown(field));
  }
  if (std::string why = layout::problem(d); !why.empty()) return why;
  bits = (bits & layout::kUnusedDescriptorBits) | layout::encode(d);
  return {};
}

Fetch fetch(const DescriptorForm& form) {
  const Tile tile = tile_of(form.tile);
  const Descriptor d = layout::decode(form.bits);
  const int from = form.step * k_of_step(form.tile);
  const layout::Owners owners(tile);  // the tile lies from kTileStart_bytes on
  Fetch all{tile.mn, std::min(k_of_step(form.tile), tile.k - from), {}, 0};
  for (int mn = 0; mn < all.rows; ++mn)
    for (int k = 0; k < all.cols; ++k) {
      Fetched one;
      one.byte = form.wide ? layout::fetched_byte_wide(layout::tcgen05_of(d), mn, k)
                           : layout::fetched_byte(d, tile.major, tile.bits, mn, k);
      one.right = kTileStart_bytes + layout::byte_offset(tile, mn, from + k);
      if (one.byte >= kTileStart_bytes) {
        const layout::TilePlace place = owners.at(one.byte - kTileStart_bytes);
        one.mn = place.mn, one.k = place.k;
      }
      if (!one.good()) ++all.wrong;
      all.elements.push_back(one);
    }
  return all;
}

PlaceFacts fetch_facts(const DescriptorForm& form, const Fetch& all, int row, int col) {
  const Fetched& one = all.at(row, col);
  const int from = form.step * k_of_step(form.tile);
  PlaceFacts facts;
  facts.title = fmt::format("({}, {})", row, from + col);
  facts.where = fmt::format("is taken from byte {}, bank {}", one.byte, layout::bank(one.byte));
  if (one.good()) {
    facts.lines.push_back("where it lies: right");
    return facts;
  }
  facts.lines.push_back(fmt::format("it lies at byte {}", one.right));
  facts.lines.push_back(one.mn < 0 ? "there is nothing of this tile"
                                   : fmt::format("there lies ({}, {})", one.mn, one.k));
  return facts;
}

std::vector<Field> fields_of(const DescriptorForm& form) {
  const Descriptor d = layout::decode(form.bits);
  const auto bytes = [](std::uint32_t value) { return fmt::format("{} bytes", value); };
  return {{"mode", 62, 2, std::string(layout::name(d.mode)), "the swizzle"},
          {"base", 49, 3, fmt::format("{}", d.base_offset), "shifts the pattern"},
          {"sbo", 32, 14, bytes(d.sbo_bytes), layout::meaning_of_sbo(d.mode, form.tile.major)},
          {"lbo", 16, 14, bytes(d.lbo_bytes), layout::meaning_of_lbo(d.mode, form.tile.major)},
          {"start", 0, 14, bytes(d.start_bytes), "the first byte"}};
}

}  // namespace lanescope::viz

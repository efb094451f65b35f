// SPDX-License-Identifier: MIT
// See tcgen05_form.hpp.
#include "panels/forms/tcgen05_form.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::viz {
namespace {

std::string_view first_word(std::string_view& words) {
  const std::size_t start = std::min(words.find_first_not_of(' '), words.size());
  words.remove_prefix(start);
  const std::size_t end = std::min(words.find(' '), words.size());
  const std::string_view word = words.substr(0, end);
  words.remove_prefix(
      std::min(std::min(words.find_first_not_of(' ', end), words.size()), words.size()));
  return word;
}

std::string read_instruction(std::string_view words, Tcgen05Form& t) {
  std::string_view rest = words;
  const std::string_view name = first_word(rest);
  if (const auto kind = layout::tcgen05_kind(name)) {
    if (t.kind != *kind) t.instruction = layout::usual_instruction(*kind);
    t.kind = *kind;
    words = rest;
  }
  if (words.empty()) return {};
  if (words.substr(0, 2) != "0x" && words.substr(0, 2) != "0X")
    return layout::set_instruction_fields(t.kind, words, t.instruction);
  std::uint64_t bits = 0;
  if (std::string why = read_hex(words, bits); !why.empty()) return why;
  if (bits >> 32 != 0) return fmt::format("{}: an instruction descriptor has 32 bits", words);
  t.instruction = static_cast<std::uint32_t>(bits);
  return {};
}

// The word that says how the others are read, wherever it stands, and the others.
struct SplitWords {
  std::string_view reading;
  std::string rest;
};
SplitWords split_reading(std::string_view words) {
  SplitWords made;
  while (!words.empty()) {
    const std::string_view word = first_word(words);
    if (made.reading.empty() && (word == "wgmma" || word == "tcgen05" || word == "instruction"))
      made.reading = word;
    else if (!word.empty())
      made.rest += fmt::format("{}{}", made.rest.empty() ? "" : " ", word);
  }
  return made;
}

}  // namespace

bool names_reading(std::string_view words) { return !split_reading(words).reading.empty(); }

void take_tcgen05(std::uint64_t bits, Tcgen05Form& t, DescriptorForm& form) {
  t.bits = bits;
  layout::Tcgen05Descriptor d = layout::decode_tcgen05(bits);
  const bool wide = d.mode == layout::kWideMode;
  if (wide) d.mode = layout::tcgen05_mode("128B").value_or(0);
  const auto same = layout::wgmma_of(d);
  if (!same) return;
  form.bits = layout::encode(*same);
  form.wide = wide;
}

std::string read_words(std::string_view typed, Tcgen05Form& t, DescriptorForm& form) {
  const auto [reading, rest] = split_reading(typed);
  const std::string_view words = rest;
  if (reading == "instruction") {
    Tcgen05Form changed = t;
    if (std::string why = read_instruction(words, changed); !why.empty()) return why;
    t = changed;
    t.reading = Reading::instruction;
    return {};
  }
  if (reading == "wgmma") {
    // What wgmma does not have makes way for what it has.
    if (form.tile.wide) not_wide(form.tile), form.tile.rows = form.tile.cols = 64;
    if (form.wide || !descriptor_problem(form.tile).empty())
      form = right_form(form.wide ? form.tile : DescriptorForm{}.tile, 0);
    if (std::string why = words.empty() ? "" : read_words(words, form); !why.empty()) return why;
    t.reading = Reading::wgmma;
    return {};
  }
  std::uint64_t bits = 0;
  if (words.substr(0, 2) == "0x" || words.substr(0, 2) == "0X") {
    if (std::string why = read_hex(words, bits); !why.empty()) return why;
    take_tcgen05(bits, t, form);
  } else {
    if (std::string why = words.empty() ? "" : read_words(words, form, true); !why.empty())
      return why;
    t.bits = tcgen05_bits(form);
  }
  t.reading = Reading::tcgen05;
  return {};
}

std::uint64_t tcgen05_bits(const DescriptorForm& form) {
  layout::Tcgen05Descriptor d = layout::tcgen05_of(layout::decode(form.bits));
  if (form.wide) d.mode = layout::kWideMode;
  return layout::encode(d);
}

std::string words_of(const Tcgen05Form& t) {
  if (t.reading == Reading::instruction)
    return fmt::format("instruction {} {:#010x}",
                       layout::kTcgen05Kinds[static_cast<std::size_t>(t.kind)], t.instruction);
  return fmt::format("tcgen05 {:#018x}", t.bits);
}

std::string not_fetched(const Tcgen05Form& t, const DescriptorForm& form) {
  if (t.reading != Reading::tcgen05) return {};
  const layout::Tcgen05Descriptor d = layout::decode_tcgen05(t.bits);
  if (d.lbo_absolute) return "what an absolute lbo fetches is not modelled";
  if (layout::tcgen05_mode_name(d.mode).empty())
    return fmt::format("mode {} is no swizzle", d.mode);
  const bool fits = form.tile.major == layout::Major::MN && form.tile.bits == 32;
  if (d.mode == layout::kWideMode && !fits)
    return "atoms of 32 bytes are for MN-major tiles of 32-bit types: choose 128B/32B for the tile";
  if (d.mode == layout::kWideMode && d.base_offset != 0)
    return "what a base offset does to atoms of 32 bytes the ISA does not say";
  return fits && d.mode != layout::kWideMode
             ? "MN-major tiles of 32-bit types have atoms of 32 bytes alone: mode 128B/32B"
             : std::string();
}

}  // namespace lanescope::viz

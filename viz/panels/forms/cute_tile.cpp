// SPDX-License-Identifier: MIT
#include "panels/forms/cute_tile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "layout/banks.hpp"
#include "layout/descriptor.hpp"
#include "layout/query.hpp"
#include "layout/thread_value.hpp"
#include "layout/tiled_copy.hpp"

namespace lanescope::viz {
namespace {

constexpr std::int64_t kMostBytes = 232448;  // a block's, of sm_90: 227 KiB
constexpr std::string_view kBits = "bits=", kAccess = "access=";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// The layout, and what stands behind "bits=" and each "access=".
struct Parts {
  std::string_view layout, bits;
  bool has_bits = false;
  std::vector<std::string_view> accesses;
};
Parts parts_of(std::string_view words) {
  const auto next = [&words] { return std::min(words.find(kBits), words.find(kAccess)); };
  const auto take = [&words](std::size_t end) {
    const std::string_view part = trimmed(words.substr(0, end));
    words.remove_prefix(std::min(end, words.size()));
    return part;
  };
  Parts parts;
  parts.layout = take(next());
  while (!words.empty()) {
    const bool bits = words.substr(0, kBits.size()) == kBits;
    words.remove_prefix(bits ? kBits.size() : kAccess.size());
    const std::string_view value = take(next());
    if (bits)
      parts.bits = value, parts.has_bits = true;
    else
      parts.accesses.push_back(value);
  }
  return parts;
}

std::string read_bits(const Parts& parts, CuteTile& tile) {
  const std::string_view typed = parts.bits;
  const int said = tile.matrix.layout.element_bits;
  tile.matrix.bits = said > 0 ? said : 16;
  if (!parts.has_bits) return {};
  int bits = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), bits);
  const bool known = bits == 4 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
  if (error != std::errc() || end != typed.data() + typed.size() || !known)
    return fmt::format("bits={}: 4, 8, 16, 32 or 64", typed.substr(0, 40));
  if (said > 0 && said != bits)
    return fmt::format("the layout says {} bits, bits= says {}", said, bits);
  tile.matrix.bits = bits;
  return {};
}

// "A mma.m16n8k16.f32.f16", a layout from (thread, value), or a TiledCopy.
std::string read_access(std::string_view words, CuteTile& tile) {
  CuteTile::Asked& asked = tile.asked.emplace_back();
  asked.words = std::string(words);
  if (layout::is_cute_layout(words)) {
    const layout::CuteReading reading = layout::read_cute_layout(words);
    if (!reading.problem.empty()) return "access=: " + reading.problem;
    const int rows = layout::rows(tile.matrix), cols = layout::cols(tile.matrix);
    if (layout::rank(reading.layout) != 2 ||
        layout::cosize(reading.layout) > std::int64_t{rows} * cols)
      return fmt::format(
          "access=: a layout from (thread, value) to m + {} n has two modes, and "
          "indices below {}",
          rows, rows * cols);
    asked.moved = layout::thread_values(reading.layout, rows, cols);
    return {};
  }
  if (layout::is_tiled_copy(words)) {
    layout::TiledCopy copy = layout::tiled_copy(words);
    asked.moved = std::move(copy.moved);
    asked.name = std::move(copy.name);
    return copy.problem.empty() ? "" : "access=: " + copy.problem;
  }
  const std::string_view letter = words.substr(0, std::min(words.find(' '), words.size()));
  const std::string_view name = trimmed(words.substr(letter.size()));
  if (letter.size() != 1 || std::string_view("ABCD").find(letter) == letter.npos || name.empty())
    return fmt::format(
        "access={}: an operand and its instruction, A mma.m16n8k16.f32.f16, a "
        "layout from (thread, value), or make_tiled_copy(...)",
        words.substr(0, 60));
  const char operand = letter.front();
  const layout::Instruction* first = layout::find(name);
  if (first == nullptr)
    for (const layout::Instruction* each : layout::look_up(name).instructions) {
      if (each->operand(operand) == nullptr) continue;
      if (first == nullptr)
        first = each;
      else if (!layout::same_maps(*first, *each, operand))
        return fmt::format("access=: {} is {} in {} and another in {}; name one of them",
                           name.substr(0, 60), operand, first->mnemonic, each->mnemonic);
    }
  const layout::Fragment* f = first == nullptr ? nullptr : first->operand(operand);
  if (f == nullptr || f->matrices > 1 || f->thread_mask != 0)
    return fmt::format("access=: no instruction '{}' has one {} in registers", name.substr(0, 60),
                       operand);
  asked.moved = layout::thread_values(*f);
  return {};
}

}  // namespace

std::string read_words(std::string_view words, CuteTile& tile) {
  const Parts parts = parts_of(words);
  const layout::CuteReading reading = layout::read_cute_layout(parts.layout);
  if (!reading.problem.empty()) return reading.problem;
  CuteTile changed;
  changed.matrix.layout = reading.layout;
  if (std::string why = read_bits(parts, changed); !why.empty()) return why;
  const int rows = layout::rows(changed.matrix), cols = layout::cols(changed.matrix);
  if (rows > kMostAcross || cols > kMostAcross)
    return fmt::format("a matrix of {} x {}: at most {} each", rows, cols, kMostAcross);
  if (const std::int64_t bytes = layout::bytes_of(changed.matrix); bytes > kMostBytes)
    return fmt::format("a matrix of {} bytes: a block has {} of shared memory at most", bytes,
                       kMostBytes);
  for (const std::string_view access : parts.accesses)
    if (std::string why = read_access(access, changed); !why.empty()) return why;
  tile = std::move(changed);
  return {};
}

std::string words_of(const CuteTile& tile) {
  std::string words = layout::text(tile.matrix.layout);
  if (tile.matrix.layout.element_bits == 0 && tile.matrix.bits != 16)
    words += fmt::format(" {}{}", kBits, tile.matrix.bits);
  for (const CuteTile::Asked& asked : tile.asked)
    words += fmt::format(" {}{}", kAccess, asked.words);
  return words;
}

std::string cute_words(const TileForm& form) {
  constexpr std::array kModes{"INTER", "SW32", "SW64", "SW128"};
  return fmt::format("tile_to_shape({}::Layout_{}_{}_Atom<{}>, ({},{}))",
                     form.wide ? "UMMA" : "GMMA", form.major == layout::Major::K ? "K" : "MN",
                     form.wide ? "SW128_32B" : kModes[static_cast<std::size_t>(form.mode)],
                     form.bits == 8    ? "int8_t"
                     : form.bits == 16 ? "half_t"
                                       : "float",
                     form.rows, form.cols);
}

namespace {

std::string reader_of(const layout::Tile& t) { return t.wide ? "tcgen05" : "wgmma"; }
// "128B, K-major"
std::string mode_of(const layout::Tile& t) {
  return fmt::format("{}, {}-major", t.wide ? kTileModes.back() : layout::name(t.mode),
                     t.major == layout::Major::K ? "K" : "MN");
}

}  // namespace

std::vector<std::string> facts_of(const CuteTile& tile) {
  const layout::SharedMatrix& m = tile.matrix;
  std::vector<std::string> facts{fmt::format("{} x {} elements of {} bits, in {} bytes",
                                             layout::rows(m), layout::cols(m), m.bits,
                                             layout::bytes_of(m))};
  if (layout::rank(m.layout) > 2)
    facts.push_back(fmt::format("of {} modes the first two; of the others, coordinate 0",
                                layout::rank(m.layout)));
  constexpr std::array<std::string_view, 3> kRuns{"neighbours of a row lie next to each other",
                                                  "neighbours of a column lie next to each other",
                                                  "neither neighbours of a row nor of a column lie "
                                                  "next to each other"};
  facts.emplace_back(kRuns[static_cast<std::size_t>(layout::run_of(m))]);
  if (const auto clash = layout::clash(m))
    facts.push_back(fmt::format("({},{}) lies where ({},{}) does", clash->row, clash->col,
                                clash->other_row, clash->other_col));
  const auto tile_of_wgmma = layout::as_tile(m);
  if (!tile_of_wgmma) {
    facts.emplace_back("no descriptor of wgmma describes it");
    return facts;
  }
  const layout::Tile& t = *tile_of_wgmma;
  std::string strides;
  for (const auto& [name, bytes] : {std::pair{"lbo", t.lbo_bytes}, std::pair{"sbo", t.sbo_bytes}})
    if (bytes != 0) strides += fmt::format(", {} {} bytes", name, bytes);
  facts.push_back(fmt::format("{} reads it: mode {}{}", reader_of(t), mode_of(t), strides));
  return facts;
}

std::vector<layout::WarpAccess> accesses_of(const CuteTile& tile, bool applied) {
  std::vector<layout::WarpAccess> all;
  for (const CuteTile::Asked& asked : tile.asked) {
    all.push_back(layout::warp_access(tile.matrix, asked.moved, applied));
    std::string& name = all.back().name;
    name = (asked.name.empty() ? asked.words : asked.name) + (name.empty() ? "" : ", " + name);
  }
  for (layout::WarpAccess& each : layout::warp_accesses(tile.matrix, applied))
    all.push_back(std::move(each));
  return all;
}

std::string passes_text(const layout::WarpAccess& access) {
  if (access.most == 0) return "not possible: " + access.none;
  if (access.most == 1) return "1 pass: no conflict";
  const std::string lanes =
      access.lanes < 32 ? fmt::format(" for each {} lanes", access.lanes) : "";
  return access.least == access.most
             ? fmt::format("{} passes{}", access.most, lanes)
             : fmt::format("{} to {} passes{}", access.least, access.most, lanes);
}

namespace {

// Of all accesses those that are to take one pass: what was asked for, or else the ways in which
// tiles are filled and read; of these, what there is.
std::vector<layout::WarpAccess> wanted_of(const CuteTile& tile) {
  std::vector<layout::WarpAccess> all = accesses_of(tile, true);
  all.resize(tile.asked.empty() ? 2 : tile.asked.size());
  std::erase_if(all, [](const layout::WarpAccess& access) { return access.most == 0; });
  return all;
}

}  // namespace

Remedies remedies_of(const CuteTile& tile) {
  const std::vector<layout::WarpAccess> wanted = wanted_of(tile);
  Remedies all;
  for (const layout::WarpAccess& access : wanted) {
    all.needed = all.needed || access.most > 1;
    // "ldmatrix: 8 rows, ...", "16 bytes a lane, along the rows"
    const std::size_t end =
        tile.asked.empty() ? access.name.find_first_of(":,") : std::string::npos;
    all.of += (all.of.empty() ? "" : " and ") + access.name.substr(0, end);
  }
  if (!all.needed) return all;
  for (const layout::Remedy& remedy : layout::remedies(tile.matrix, wanted)) {
    CuteTile changed = tile;
    changed.matrix = remedy.matrix;
    CuteRemedy& found = all.found.emplace_back();
    found.layout = layout::text(remedy.matrix.layout);
    found.words = words_of(changed);
    if (remedy.more_bytes > 0)
      found.what = fmt::format("{} bytes more", remedy.more_bytes);
    else if (const auto t = layout::as_tile(remedy.matrix))
      found.what = reader_of(*t) + "'s " + mode_of(*t);
  }
  return all;
}

std::string clash_text(const CuteTile& tile, const layout::WarpAccess& access, bool applied) {
  constexpr std::size_t kMostNamed = 4;
  const std::vector<layout::ServedLane> lanes = layout::worst_clash(tile.matrix, access, applied);
  if (lanes.empty()) return {};
  std::string names;
  for (std::size_t i = 0; i < std::min(lanes.size(), kMostNamed); ++i)
    names += fmt::format("{}({},{})", i == 0 ? "" : ", ", lanes[i].first.row, lanes[i].first.col);
  if (lanes.size() > kMostNamed) names += fmt::format(" and {} more", lanes.size() - kMostNamed);
  return fmt::format("{} want bank {}", names,
                     layout::bank(static_cast<std::uint32_t>(lanes.front().byte)));
}

PlaceFacts place_facts(const CuteTile& tile, int row, int col, bool applied) {
  const auto byte = layout::byte_of(tile.matrix, row, col, applied);
  PlaceFacts facts;
  facts.title = fmt::format("({}, {})", row, col);
  facts.where =
      fmt::format("byte {}, bank {}", byte, layout::bank(static_cast<std::uint32_t>(byte)));
  facts.lines = layout::derivation(tile.matrix, row, col);
  facts.lines.push_back(
      fmt::format("line {}, unit {} of 8, byte {} of 16", byte / 128, byte / 16 % 8, byte % 16));
  return facts;
}

}  // namespace lanescope::viz

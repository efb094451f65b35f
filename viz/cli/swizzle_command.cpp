// SPDX-License-Identifier: MIT
// `swizzle`: where a swizzled tile has its elements, and in which bank. What is true of it is in
// common/layout; here are only words and tables.
#include <fmt/format.h>

#include <map>

#include "cli/atlas_lookup.hpp"
#include "cli/commands.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "cli/tile_shape.hpp"
#include "layout/banks.hpp"
#include "layout/descriptor.hpp"
#include "panels/forms/cute_tile.hpp"

namespace lanescope::cli {
namespace {

using layout::Major;
using layout::Tile;

constexpr int kLine_bytes = 128;

// A line of memory is a line of text or, where the terminal is too narrow for that, some lines of
// the text: halves of all lines of memory, quarters, ...
int bytes_that_fit(int columns) {
  constexpr int kHeader = 5, kUnit = 12, kUnit_bytes = 16;
  int bytes = kLine_bytes;
  while (columns > 0 && bytes > kUnit_bytes && kHeader + bytes / kUnit_bytes * kUnit > columns)
    bytes /= 2;
  return bytes;
}

std::string units_picture(const Tile& t, int columns) {
  // which 16-byte column of K (or MN) sits in each 16 bytes of the first atom's rows of memory
  const layout::Extent a = t.wide ? layout::kWideAtom : layout::atom(t.mode, t.major, t.bits);
  const int T = layout::elements_per_unit(t.bits);
  const bool K = t.major == Major::K;
  std::map<std::uint32_t, std::string> units;
  for (int across = 0; across < (K ? a.mn : a.k); ++across)
    for (int along = 0; along < (K ? a.k : a.mn); along += T)
      units[layout::byte_offset(t, K ? across : along, K ? along : across)] =
          K ? fmt::format("({},{}..{})", across, along, along + T - 1)
            : fmt::format("({}..{},{})", along, along + T - 1, across);
  std::string out = "the first atom as it lies, 128 bytes (all 32 banks) a line; (mn,k)\n";
  const int fit = bytes_that_fit(columns);
  for (int part = 0; part < kLine_bytes; part += fit) {
    std::string lines;
    for (const auto& [offset, what] : units) {
      const int in_line = static_cast<int>(offset % kLine_bytes);
      if (in_line < part || in_line >= part + fit) continue;
      if (in_line == part) lines += fmt::format("{}{:>5}", lines.empty() ? "" : "\n", offset);
      lines += fmt::format(" {:>11}", what);
    }
    if (fit < kLine_bytes) out += fmt::format("bytes {} to {} of each\n", part, part + fit - 1);
    out += lines + "\n";
  }
  return out;
}

// 128 bytes a line, of the units what lies in them.
std::string lines_of_units(const std::vector<layout::SharedUnit>& units, int columns) {
  constexpr std::size_t kMostLines = 64;
  std::size_t width = 1;
  for (const layout::SharedUnit& unit : units) width = std::max(width, unit.name.size());
  constexpr int kHeader = 7;
  int fit = 8;
  while (columns > 0 && fit > 1 && kHeader + fit * (static_cast<int>(width) + 1) > columns)
    fit /= 2;
  const auto each = static_cast<std::size_t>(fit);
  std::string out = "as it lies, 128 bytes (all 32 banks) in " +
                    std::string(fit == 8 ? "a line" : fmt::format("{} lines", 8 / fit)) +
                    "; (row,col) of what is in 16\n";
  const std::size_t shown = std::min(units.size(), kMostLines * 8);
  for (std::size_t at = 0; at < shown; at += each) {
    std::string line = fmt::format("{:>6}", at * 16);
    for (std::size_t unit = at; unit < std::min(at + each, shown); ++unit)
      line += fmt::format(" {:<{}}", units[unit].row < 0 ? "-" : units[unit].name, width);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  if (shown < units.size())
    out += fmt::format("{:>6} ... and {} more lines of 128 bytes; --csv has all\n", shown * 16,
                       (units.size() - shown + 7) / 8);
  return out;
}

// A matrix that a layout of CuTe's describes.
int show_layout(const std::string& words, bool as_csv) {
  viz::CuteTile tile;
  if (const std::string why = viz::read_words(words, tile); !why.empty()) return refuse(why);
  const layout::SharedMatrix& m = tile.matrix;
  if (as_csv) {
    std::string out = "row,col,byte_offset,bank\n";
    const std::vector<std::uint32_t> bytes = layout::bytes_of_elements(m);
    const auto cols = static_cast<std::size_t>(layout::cols(m));
    for (std::size_t i = 0; i < bytes.size(); ++i)
      out += fmt::format("{},{},{},{}\n", i / cols, i % cols, bytes[i], layout::bank(bytes[i]));
    fmt::print("{}", out);
    return 0;
  }
  std::string out = layout::text(m.layout) + "\n";
  for (const std::string& fact : viz::facts_of(tile)) out += "  " + fact + "\n";
  out += "\nhow often a warp goes to the banks\n";
  std::size_t width = 0;
  const std::vector<layout::WarpAccess> all = viz::accesses_of(tile, true);
  for (const layout::WarpAccess& each : all) width = std::max(width, each.name.size());
  for (const layout::WarpAccess& each : all) {
    out += fmt::format("  {:<{}}  {}\n", each.name, width, viz::passes_text(each));
    if (const std::string clash = viz::clash_text(tile, each, true); !clash.empty())
      out += fmt::format("  {:<{}}  {}\n", "", width, clash);
  }
  if (const viz::Remedies remedies = viz::remedies_of(tile); remedies.needed) {
    out += fmt::format("\none pass for {}\n", remedies.of);
    if (remedies.found.empty()) out += "  no swizzle Sw<B,M,S> and no padding of rows\n";
    width = 0;
    for (const viz::CuteRemedy& each : remedies.found) width = std::max(width, each.layout.size());
    for (const viz::CuteRemedy& each : remedies.found) {
      const std::string line = fmt::format("  {:<{}}  {}", each.layout, width, each.what);
      out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
  }
  print("{}\n{}", out, lines_of_units(layout::units_of(m), terminal_columns()));
  return 0;
}

}  // namespace

int swizzle(const SwizzleOptions& options) {
  const std::string words = joined(options.words);
  if (layout::is_cute_layout(words)) return show_layout(words, options.csv);
  if (!options.words.empty()) {
    viz::TileForm form;
    if (const std::string why = viz::read_words(words, form); !why.empty()) return refuse(why);
    return swizzle({{},
                    std::string(viz::mode_name(form)),
                    form.major == Major::K ? "K" : "MN",
                    form.bits,
                    form.rows,
                    form.cols,
                    options.csv});
  }
  auto [form, problem] = tile_shape(options.mode, options.major, options.bits);
  if (!problem.empty()) return refuse(problem);
  const layout::Extent a = viz::atom_of(form);
  const int rows = form.rows = options.rows > 0 ? options.rows : a.mn;
  const int cols = form.cols = options.cols > 0 ? options.cols : a.k;
  const Tile t = viz::tile_of(form);
  if (options.csv) {
    std::string out = "mn,k,byte_offset,bank\n";
    for (int mn = 0; mn < rows; ++mn)
      for (int k = 0; k < cols; ++k) {
        const std::uint32_t offset = layout::byte_offset(t, mn, k);
        out += fmt::format("{},{},{},{}\n", mn, k, offset, layout::bank(offset));
      }
    fmt::print("{}", out);
    return 0;
  }
  print("{} swizzle, {}-major, {}-bit elements, {} x {}: an atom has {} x {}\n", options.mode,
        options.major, options.bits, rows, cols, a.mn, a.k);
  if (form.wide) print("atoms of 32 bytes, tcgen05 only: {}\n", kWideIsDerived);
  print("lbo {} bytes: {}\nsbo {} bytes: {}\n\n{}", t.lbo_bytes,
        layout::meaning_of_lbo(t.mode, t.major), t.sbo_bytes, sbo_text(t),
        units_picture(t, terminal_columns()));
  return 0;
}

}  // namespace lanescope::cli

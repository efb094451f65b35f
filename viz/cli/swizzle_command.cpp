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

}  // namespace

int swizzle(const SwizzleOptions& options) {
  if (!options.words.empty()) {
    viz::TileForm form;
    if (const std::string why = viz::read_words(joined(options.words), form); !why.empty())
      return refuse(why);
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

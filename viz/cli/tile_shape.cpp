// SPDX-License-Identifier: MIT
#include "cli/tile_shape.hpp"

#include <fmt/format.h>

#include <optional>

#include "layout/descriptor.hpp"
#include "layout/tcgen05.hpp"

namespace lanescope::cli {
namespace {

TileShape wrong(std::string problem) { return {{}, {}, false, std::move(problem)}; }

}  // namespace

TileShape tile_shape(const std::string& mode, const std::string& major, int bits) {
  const bool wide = mode == "128B/32B";
  const std::optional<layout::Swizzle> swizzle =
      wide ? layout::Swizzle::b128 : layout::swizzle_mode(mode);
  if (!swizzle)
    return wrong(fmt::format("--mode: '{}' is not one of none, 32B, 64B, 128B or 128B/32B", mode));
  const bool K = major == "K" || major == "k";
  const bool MN = major == "MN" || major == "mn";
  if (!K && !MN) return wrong(fmt::format("--major: '{}' is neither K nor MN", major));
  if (bits != 8 && bits != 16 && bits != 32)
    return wrong(fmt::format("--bits: {} is not one of 8, 16 or 32", bits));
  if (wide && (K || bits != 32))
    return wrong("--mode 128B/32B is for MN-major tiles of 32-bit types: --major MN --bits 32");
  return {*swizzle, K ? layout::Major::K : layout::Major::MN, wide, {}};
}

layout::Extent atom_of(const TileShape& shape, int bits) {
  return shape.wide ? layout::kWideAtom : layout::atom(shape.mode, shape.major, bits);
}
layout::Tile packed(const TileShape& shape, int bits, int mn, int k) {
  return shape.wide ? layout::packed_wide(mn, k)
                    : layout::packed(shape.mode, shape.major, bits, mn, k);
}
std::string sbo_text(const layout::Tile& t) {
  return t.wide ? std::string(layout::kMeaningOfWideSbo) : layout::meaning_of_sbo(t.mode, t.major);
}

}  // namespace lanescope::cli

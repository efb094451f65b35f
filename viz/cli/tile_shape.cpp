// SPDX-License-Identifier: MIT
#include "cli/tile_shape.hpp"

#include <fmt/format.h>

#include "layout/descriptor.hpp"
#include "layout/tcgen05.hpp"

namespace lanescope::cli {

TileShape tile_shape(const std::string& mode, const std::string& major, int bits) {
  TileShape shape;
  if (!viz::set_mode(mode, shape.form))
    return {{}, fmt::format("--mode: '{}' is not one of none, 32B, 64B, 128B or 128B/32B", mode)};
  const bool K = major == "K" || major == "k";
  const bool MN = major == "MN" || major == "mn";
  if (!K && !MN) return {{}, fmt::format("--major: '{}' is neither K nor MN", major)};
  if (bits != 8 && bits != 16 && bits != 32)
    return {{}, fmt::format("--bits: {} is not one of 8, 16 or 32", bits)};
  if (shape.form.wide && (K || bits != 32))
    return {{}, "--mode 128B/32B is for MN-major tiles of 32-bit types: --major MN --bits 32"};
  shape.form.major = K ? layout::Major::K : layout::Major::MN;
  shape.form.bits = bits;
  return shape;
}

std::string sbo_text(const layout::Tile& t) {
  return t.wide ? std::string(layout::kMeaningOfWideSbo) : layout::meaning_of_sbo(t.mode, t.major);
}

}  // namespace lanescope::cli

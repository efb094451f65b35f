// SPDX-License-Identifier: MIT
// Shared memory as a card reads and writes it: the byte that wgmma fetches through a descriptor,
// and the place where the TMA puts a byte of a tile, against layout's formulas.
#include <doctest/doctest.h>

#include <sstream>

#include "layout/descriptor.hpp"
#include "tests/golden/documents.hpp"
#include "tests/golden/recording.hpp"

using namespace lanescope;
using namespace lanescope::golden;

namespace {

int width(const std::string& name) {
  if (name.find(".tf32.") != std::string::npos) return 32;
  if (name.find(".f16.f16") != std::string::npos) return 16;
  return name.find(".s8.") != std::string::npos ? 8 : 1;
}

// The line that the recorder would have written, by the atlas.
std::string expected(const std::string& name, layout::Major major, int bits) {
  const layout::Descriptor d{static_cast<std::uint32_t>(number(name, "start")),
                             static_cast<std::uint32_t>(number(name, "lbo")),
                             static_cast<std::uint32_t>(number(name, "sbo")), number(name, "base"),
                             layout::swizzle_mode(field(name, "mode")).value()};
  std::string text;
  for (int row = 0; row < 64; ++row)
    for (int k = 0; k < 256 / bits; ++k) {
      const std::uint32_t byte = layout::fetched_byte(d, major, bits, row, k);
      const auto index =
          byte * 8u / static_cast<unsigned>(bits) + (bits < 8 ? static_cast<unsigned>(k % 8) : 0u);
      if (!text.empty()) text += ' ';
      text += std::to_string(index);
    }
  return text;
}

}  // namespace

TEST_CASE("wgmma fetches through a descriptor what the atlas says, base offsets included") {
  const Recording recording = read_recording("descriptors.txt.zst");
  int checked = 0, with_base = 0;
  for (const auto& [name, operands] : recording.entries) {
    const layout::Major major = field(name, "major") == "K" ? layout::Major::K : layout::Major::MN;
    const std::string* found = recording.map_of(name, "from");
    REQUIRE(found != nullptr);
    CHECK_MESSAGE((*found == expected(name, major, width(name))), name);
    ++checked;
    with_base += number(name, "base") != 0;
  }
  CHECK(checked == 1220);
  CHECK(says("docs/errata.md", 1220, "descriptors"));
  CHECK(says("tests/golden/README.md", 1220, "descriptors"));
  CHECK(with_base > 400);
}

TEST_CASE("the TMA swizzles by the address, whatever the element width") {
  const Recording recording = read_recording("tiles.txt.zst");
  int checked = 0;
  for (const auto& [name, operands] : recording.entries) {
    const layout::Swizzle mode = layout::swizzle_mode(field(name, "mode")).value();
    const int inner = number(name, "inner"), start = number(name, "start");
    // a box narrower than its swizzle has rows as wide as the swizzle
    const int pitch = mode == layout::Swizzle::none ? inner : 16 * layout::units_per_row(mode);
    std::istringstream words(*recording.map_of(name, "from"));
    std::vector<std::string> units;
    for (std::string word; words >> word;) units.push_back(word);
    std::vector<std::string> wanted(units.size(), "-");
    for (int row = 0; row < number(name, "rows"); ++row)
      for (int byte = 0; byte < inner; byte += 16) {
        const auto at = static_cast<std::uint32_t>(start + row * pitch + byte);
        wanted.at(layout::swizzled(at, mode) / 16) = std::to_string(row * inner + byte);
      }
    CHECK_MESSAGE(units == wanted, name);
    ++checked;
  }
  CHECK(checked == 135);
  CHECK(says("docs/errata.md", 135, "tiles"));
  CHECK(says("tests/golden/README.md", 135, "tiles"));
}

// SPDX-License-Identifier: MIT
// Pictures of the atlas's pages, through EGL and Mesa's software renderer: the same bits every
// time, in the dark and in the light, and the colours that the maps ask for.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "layout/banks.hpp"
#include "tests/build_folder.hpp"
#include "tests/viz/shot.hpp"

namespace lanescope::viz {
namespace {

Shot shoot(const WindowOptions& options) {
  Workspace ws;
  REQUIRE(begin_session(ws, options) == "");
  return shoot(ws);
}

WindowOptions page(const std::string& name, const std::string& words, bool light,
                   const std::string& selection = "") {
  WindowOptions options;
  options.page = name;
  options.page_words = words;
  options.light = light;
  options.selection = selection;
  return options;
}

constexpr const char* kSparse =
    "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";

TEST_CASE("two pictures of every page are the same, bit for bit; dark and light are not") {
  const struct {
    const char *page, *words, *selection;
  } kPages[] = {{"atlas", "wgmma 64 bf16", ""},
                {"atlas", "wgma bf17", ""},
                {"atlas", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "A 9,5"},
                {"atlas", kSparse, "E selector 1 3,5"},
                {"atlas", "ldmatrix.sync.aligned.m8n8.x4.shared.b16", "lane 13"},
                {"atlas", "movmatrix", "3,5"},
                {"swizzle", "64B MN 16 64x16", "9,5"},
                {"descriptor", "128B K 16 64x64 sbo=512", "8,0"}};
  for (const auto& [name, words, selection] : kPages) {
    CAPTURE(name);
    CAPTURE(words);
    const Shot dark = shoot(page(name, words, false, selection));
    CHECK(dark.picture.pixels == shoot(page(name, words, false, selection)).picture.pixels);
    const Shot light = shoot(page(name, words, true, selection));
    CHECK(light.picture.pixels == shoot(page(name, words, true, selection)).picture.pixels);
    CHECK(dark.picture.pixels != light.picture.pixels);
  }
}

TEST_CASE("an element of a tile has its bank's colour") {
  for (const bool light : {false, true})
    for (const char* words : {"128B K 16 8x64", "64B MN 16 32x8", "none K 32 8x8"}) {
      TileForm form;
      REQUIRE(read_words(words, form) == "");
      const Shot shot = shoot(page("swizzle", words, light));
      const layout::Tile tile = tile_of(form);
      CAPTURE(words);
      int wrong = 0;
      for (int mn = 0; mn < form.rows; ++mn)
        for (int k = 0; k < form.cols; ++k)
          if (!(shot.corner_of(fmt::format("element {},{}", mn, k)) ==
                lane_colour(layout::bank(layout::byte_offset(tile, mn, k)), !light, Shade::normal)))
            ++wrong;
      CHECK(wrong == 0);
    }
}

TEST_CASE("what a wrong stride fetches has another colour than what is right") {
  const Shot right = shoot(page("descriptor", "128B K 16 64x64", false));
  const Shot wrong = shoot(page("descriptor", "128B K 16 64x64 sbo=512", false));
  CHECK(right.corner_of("fetch 7,3") == wrong.corner_of("fetch 7,3"));
  CHECK_FALSE(right.corner_of("fetch 8,3") == wrong.corner_of("fetch 8,3"));
  const Rgb bad = wrong.corner_of("fetch 8,3");
  CHECK(bad == wrong.corner_of("fetch 30,12"));
  CHECK(bad.red > 2 * bad.green - 60);
}

TEST_CASE("metadata and addresses have the colour of their lane") {
  const Shot sparse = shoot(page("atlas", kSparse, false, "E"));
  const layout::Fragment& e = layout::find(kSparse)->E[0];
  for (const layout::Held& held : layout::register_layout(e)) {
    const Rgb wanted = lane_colour(held.holder.thread, true, Shade::normal);
    CHECK(sparse.corner_of(fmt::format("map 0 {},{}", held.element.row, held.element.col)) ==
          wanted);
    CHECK(sparse.corner_of(fmt::format("part {} {}", held.holder.thread, held.holder.value)) ==
          wanted);
  }
  const Shot load = shoot(page("atlas", "ldmatrix.sync.aligned.m8n8.x4.shared.b16", false));
  for (int lane = 0; lane < 32; ++lane) {
    const Rgb inside = load.corner_of(fmt::format("address {}", lane));
    CHECK(inside == lane_colour(lane, true, Shade::normal));
  }
}

TEST_CASE("a screenshot of a page needs no trace; words that mean nothing are refused") {
  const std::string folder = tests::build_folder() / "tests/viz_pages";
  std::filesystem::create_directories(folder);
  CHECK(screenshot(page("atlas", "m16n8 s4", false), folder + "/atlas.png").empty());
  CHECK(std::filesystem::file_size(folder + "/atlas.png") > 10'000);
  const auto refused = [&](const WindowOptions& options, const char* why) {
    return screenshot(options, folder + "/no.png").find(why) != std::string::npos;
  };
  CHECK(refused(page("swizzle", "256B", false), "cannot read '256B'"));
  CHECK(refused(page("descriptor", "lbo=17", false), "lbo 17: must be a multiple of 16"));
  CHECK(refused(page("atlas", "movmatrix", false, "9,9"), "no element '9,9'"));
  CHECK_FALSE(std::filesystem::exists(folder + "/no.png"));
}

}  // namespace
}  // namespace lanescope::viz

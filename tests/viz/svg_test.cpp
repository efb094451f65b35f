// SPDX-License-Identifier: MIT
// The drawing of what the window shows: every cell of it, with the words of the window.

#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

constexpr const char* kCell = "<rect x=";
constexpr const char* kFrame = "stroke-width=\"2.5\"";

TEST_CASE("svg of a multiplication: a cell an element, labelled as in the window") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  const std::string lanes = shown_as_svg(ui.ws);
  CHECK(count(lanes, kCell) == 16 * 16 + 16 * 8 + 16 * 8);
  CHECK(count(lanes, kFrame) == 0);
  CHECK(lanes.find(std::string(synthetic::kF16)) != std::string::npos);
  CHECK(lanes.find("verified on sm_90a") != std::string::npos);
  ui.ws.labels = LabelMode::value;
  ui.step();
  const std::string values = shown_as_svg(ui.ws);
  CHECK(values.find(">1063.5</text>") != std::string::npos);  // D[15][7] of the made-up trace
  CHECK(lanes.find(">1063.5</text>") == std::string::npos);
}

TEST_CASE("svg: what is selected is framed, what else its lane holds too") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.click("lane 13");
  const std::string lane = shown_as_svg(ui.ws);
  CHECK(count(lane, kFrame) == 8 + 4 + 4);
  CHECK(lane.find("framed: lane 13") != std::string::npos);
  ui.type("c");  // C instead of D: as many
  CHECK(count(shown_as_svg(ui.ws), kFrame) == 8 + 4 + 4);
}

TEST_CASE("svg of a mover and of metadata: both sides") {
  Ui ui;
  open_atlas(ui.ws, "ldmatrix.sync.aligned.m8n8.x4.shared.b16");
  const std::string mover = shown_as_svg(ui.ws);
  CHECK(count(mover, kCell) == 4 * 64 + 32 * 8);
  CHECK(mover.find("Shared memory, matrix 3") != std::string::npos);
  CHECK(mover.find(">m3 7,7</text>") != std::string::npos);
  open_atlas(ui.ws, "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32");
  ui.step();
  ui.type("e");
  ui.step();
  const std::string metadata = shown_as_svg(ui.ws);
  CHECK(metadata.find("E, selector 0 of mma.sp") != std::string::npos);
  CHECK(count(metadata, kCell) > 16 * 16);
}

TEST_CASE("svg of what is no map: nothing") {
  Ui ui;
  for (const Page page : {Page::atlas, Page::swizzle, Page::descriptor}) {
    go_to(ui.ws, page);
    ui.step();
    CHECK(shown_as_svg(ui.ws).empty());
  }
}

TEST_CASE("svg: every entry of the atlas is drawn, and closes what it opens") {
  Ui ui;
  const std::vector<Entry> all = entries({});
  for (std::size_t at = 0; at < all.size(); at += 37) {
    open_entry(ui.ws, all[at]);
    const std::string drawing = shown_as_svg(ui.ws);
    CAPTURE(all[at].mnemonic());
    CHECK(drawing.rfind("<svg ", 0) == 0);
    CHECK(count(drawing, "<text") == count(drawing, "</text>"));
    CHECK(drawing.substr(drawing.size() - 7) == "</svg>\n");
    CHECK(count(drawing, "& ") == 0);  // escaped
  }
}

}  // namespace
}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// The pages of swizzled tiles and of descriptors as a user works them: clicks, keys, words,
// nonsense.
#include <string>

#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

void type_into(Ui& ui, const std::string& field, const std::string& words) {
  ui.click(field);
  ui.step();
  ui.type(words);
  ui.step();
}

TEST_CASE("a swizzled tile: every choice, the element and its unit of memory") {
  Ui ui;
  begin(ui, Page::swizzle);
  ui.click("element 3,5");
  CHECK(ui.ws.swizzle.mn == 3);
  CHECK(ui.ws.swizzle.k == 5);
  ui.click("unit 27");  // line 3, unit 3: where row 3's first unit is
  CHECK(ui.ws.swizzle.mn == 3);
  CHECK(ui.ws.swizzle.k == 0);
  ui.press(Key::right);
  ui.press(Key::down);
  CHECK(ui.ws.swizzle.mn == 4);
  CHECK(ui.ws.swizzle.k == 1);
  ui.press(Key::c, true);
  CHECK(std::string(ImGui::GetClipboardText()).find("(4, 1)  byte ") == 0);
  ui.click("mode 64B");
  ui.click("major MN");
  ui.click("bits 8");
  CHECK(words_of(ui.ws.swizzle.form) == "64B MN 8 8x64");
  CHECK(ui.ws.swizzle.mn == -1);
  ui.click("swizzle before swizzling");
  CHECK_FALSE(ui.ws.swizzle.applied);
  ui.type("x");
  CHECK(ui.ws.swizzle.applied);
  ui.click("label byte offset");
  CHECK(ui.ws.swizzle.offsets);
  ui.find("128B K 16 64x64");
  CHECK(words_of(ui.ws.swizzle.form) == "128B K 16 64x64");
  ui.find("9,5");
  CHECK(ui.ws.swizzle.mn == 9);
  ui.find("64,0");
  CHECK(ui.ws.message_is_error);
  CHECK(ui.ws.swizzle.mn == 9);
}

TEST_CASE("rows and columns are typed; nonsense and extremes change nothing or all is drawn") {
  Ui ui;
  begin(ui, Page::swizzle);
  type_into(ui, "field rows", "24");
  CHECK(ui.ws.swizzle.form.rows == 24);
  for (const char* words : {"", "x", "0", "-5", "1025", "99999999999999999999999999999", "%n%s"}) {
    type_into(ui, "field columns", words);
    CAPTURE(words);
    CHECK(problem(ui.ws.swizzle.form).empty());  // "1025" was "102" on its way
    CHECK(ui.ws.page == Page::swizzle);
    CHECK((words[0] == '\0' || ui.ws.message_is_error));
    ui.press(Key::escape);  // takes back what was typed
    CHECK(ui.ws.swizzle.form.cols == 64);
  }
  type_into(ui, "field columns", "1024");
  type_into(ui, "field rows", "1024");
  CHECK(words_of(ui.ws.swizzle.form) == "128B K 16 1024x1024");
  CHECK(ui.vertices < 200'000);  // a million elements: only those in sight
  ui.press(Key::enter);
  ui.find("1023,1023");
  ui.step();
  ui.step();
  CHECK(ui.drawn("element 1023,1023"));
}

TEST_CASE("in a small window the descriptor's verdict stands whole beside what was fetched") {
  Ui ui(640, 400);
  begin(ui, Page::descriptor);
  for (const char* words : {"sbo=512", "128B K 16 256x256"}) {
    ui.find(words);
    for (float width = 420; width < 890; width += 10) {
      ui.resize(width, 400);
      CAPTURE(width);
      const Box verdict = ui.where("verdict");
      CHECK(verdict.left + verdict.width <= width);
    }
    ui.resize(640, 400);
  }
}

TEST_CASE("the descriptor: hex, fields and tile, each by typing and by clicking") {
  Ui ui;
  begin(ui, Page::descriptor);
  CHECK(ui.ws.descriptor.form.bits == 0x4000004000010040u);
  CHECK(ui.ws.descriptor.fetch.wrong == 0);
  type_into(ui, "field sbo", "512");
  CHECK(ui.ws.descriptor.form.bits == 0x4000002000010040u);
  CHECK(ui.ws.descriptor.fetch.wrong == 896);
  CHECK(ui.drawn("fetched: 64 rows × k 0 to 15; colour: bank, red, a corner off: wrong"));
  ui.click("fetch 8,0");
  CHECK(ui.ws.descriptor.row == 8);
  ui.press(Key::c, true);
  CHECK(std::string(ImGui::GetClipboardText()).find("there lies (4, 0)") != std::string::npos);
  ui.click("fit");
  ui.step();
  CHECK(ui.ws.descriptor.fetch.wrong == 0);
  type_into(ui, "field hex", "0xffffffffffffffff");
  CHECK(ui.ws.descriptor.form.bits == ~std::uint64_t{0});
  ui.press(Key::escape);
  ui.click("descriptor mode 64B");
  CHECK(layout::decode(ui.ws.descriptor.form.bits).mode == layout::Swizzle::b64);
  ui.click("tile mode 32B");
  ui.step();
  CHECK(words_of(ui.ws.descriptor.form.tile) == "32B K 16 64x64");
  CHECK(ui.ws.descriptor.fetch.wrong == 0);
  ui.click("step 3");
  ui.step();
  CHECK(ui.ws.descriptor.form.step == 3);
  CHECK(ui.ws.descriptor.fetch.wrong == 0);
  ui.type("[");
  CHECK(ui.ws.descriptor.form.step == 2);
  ui.click("tile major MN");
  CHECK(ui.ws.descriptor.form.tile.major == layout::Major::MN);
  ui.click("tile bits 8");
  CHECK(ui.ws.message.find("MN-major operands only for 16-bit") != std::string::npos);
  CHECK(ui.ws.descriptor.form.tile.bits == 16);
  type_into(ui, "field rows", "32");
  CHECK(ui.ws.descriptor.form.tile.rows == 32);
}

TEST_CASE("the descriptor read as tcgen05's and as an instruction's, by clicks") {
  Ui ui;
  ui.type("d");
  ui.step();
  ui.click("reading tcgen05");
  CHECK(ui.ws.descriptor.tcgen05.bits == 0x4000404000010040u);
  CHECK(ui.drawn("tcgen05 version"));
  CHECK(ui.drawn("fetch 0,0"));
  ui.click("step 1");  // the tile's next step: both descriptors go on
  CHECK(ui.ws.descriptor.tcgen05.bits == 0x4000404000010042u);
  ui.click("reading instruction");
  ui.step();
  CHECK(ui.drawn("tcgen05 shift"));
  ui.click("kind scaled mxf4");
  CHECK((ui.ws.descriptor.tcgen05.kind == layout::Tcgen05Kind::mxf4));
  ui.step();
  ui.click("D of .cta_group::1");
  CHECK((ui.ws.page == Page::entry));
  CHECK(ui.ws.atlas.entry.mnemonic() == "tcgen05.mma.cta_group::1.m128n128.f32");
  ui.step();
  CHECK(ui.drawn("map 0 0,0"));
}

TEST_CASE("MN-major tiles of 8 bits are tcgen05's, and no tile of wgmma's") {
  Ui ui;
  ui.type("d");
  ui.step();
  ui.find("128B MN 8 128x64");
  CHECK(ui.ws.message.find("only for 16-bit") != std::string::npos);
  ui.click("reading tcgen05");
  ui.step();
  CHECK(ui.drawn("wgmma's of the same tile"));
  ui.find("128B MN 8 128x64");
  CHECK(words_of(ui.ws.descriptor.form.tile) == "128B MN 8 128x64");
  CHECK(ui.ws.descriptor.tcgen05.bits == 0x4000404000400040u);
  ui.step();
  CHECK_FALSE(ui.drawn("wgmma's of the same tile"));
  CHECK(ui.ws.descriptor.fetch.wrong == 0);
  ui.click("tile bits 16");  // by clicks, too
  ui.click("tile bits 8");
  CHECK(ui.ws.descriptor.form.tile.bits == 8);
  ui.click("reading wgmma");
  CHECK(words_of(ui.ws.descriptor.form.tile) == "128B K 16 64x64");
}

TEST_CASE("atoms of 32 bytes, by clicks: tcgen05's descriptor alone, the swizzle of the tile") {
  Ui ui;
  ui.type("d");
  ui.step();
  CHECK_FALSE(ui.drawn("tile mode 128B/32B"));  // wgmma has none
  ui.click("reading tcgen05");
  ui.step();
  ui.click("tile mode 128B/32B");
  ui.step();
  const DescriptorState& d = ui.ws.descriptor;
  CHECK(words_of(d.form.tile) == "128B/32B MN 32 64x64");
  CHECK((d.tcgen05.bits >> 61) == 1);
  CHECK(ui.drawn("fetch 7,7"));
  CHECK(d.fetch.wrong == 0);
  const std::uint64_t before = d.tcgen05.bits;
  ui.type("]");
  CHECK(d.tcgen05.bits == before + 2 * 1024 / 16);  // two times four columns of 64
  ui.step();
  CHECK(d.fetch.wrong == 0);
  ui.click("tile bits 16");
  CHECK_FALSE(d.form.tile.wide);
  CHECK((d.tcgen05.bits >> 61) == 2);
  ui.find("128B/32B 32x8");
  CHECK(words_of(d.form.tile) == "128B/32B MN 32 32x8");
  ui.click("reading wgmma");
  CHECK_FALSE(d.form.wide);
  ui.find("128B/32B 32x8");  // wgmma has no such tile: tcgen05's page
  CHECK((d.tcgen05.reading == Reading::tcgen05));
  ui.type("s");
  ui.step();
  ui.click("mode 128B/32B");
  ui.step();
  CHECK(selected_words(ui.ws) == "swizzle 128B/32B MN 32 8x64");
  CHECK(ui.drawn("element 7,7"));
  ui.click("major K");
  CHECK(selected_words(ui.ws) == "swizzle 128B K 16 8x64");
}

TEST_CASE("nonsense in every field of the descriptor keeps it as it was") {
  for (const char* name : {"hex", "start", "lbo", "sbo", "base", "rows", "columns"})
    for (const char* words :
         {"x", "-1", "17", "0x", "999999999999999999999999999", "%s%n", "1 2"}) {
      Ui ui;
      begin(ui, Page::descriptor);
      const DescriptorForm before = ui.ws.descriptor.form;
      type_into(ui, fmt::format("field {}", name), "z");
      CHECK(ui.ws.message_is_error);
      CHECK(ui.ws.descriptor.form == before);
      ui.type(words);
      CAPTURE(name);
      CAPTURE(words);
      CHECK(ui.ws.page == Page::descriptor);
      CHECK(ui.ws.descriptor.form == before);
      ui.press(Key::escape);
      ui.step();
      CHECK(ui.ws.descriptor.form == before);
      CHECK_FALSE(ui.ws.searching);
    }
}

}  // namespace
}  // namespace lanescope::viz

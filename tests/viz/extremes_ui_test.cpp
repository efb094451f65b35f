// SPDX-License-Identifier: MIT
// The ends of the atlas in the window: warpgroups, several matrices in one instruction, the tensor
// memory of two CTAs, tiles of few rows, operands wider than the window.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

constexpr const char* kWgmma = "wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3";
constexpr const char* kFour = "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16";
constexpr const char* kPair = "tcgen05.mma.cta_group::2.m256n256.f32";
constexpr const char* kScaled =
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32."
    "ue4m3";

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

TEST_CASE("what a warpgroup's elements are in are threads, whoever speaks of them") {
  const Multiplication in = bare(*layout::find(kWgmma));
  const auto why = [&in](const char* words) { return parse_selection(words, in).error; };
  CHECK(why("thread 128") == "there is no thread 128: threads are 0 to 127");
  CHECK(why("lane") == "which thread? threads are 0 to 127");
  const Model model;
  const auto of = [&](const char* words) {
    return facts(model, in, parse_selection(words, in).selection, {});
  };
  CHECK(has(of("D 40,200").makes, "row 40 of A: threads 64 to 67"));
  // Where the trace has D alone, A may lie in shared memory: nobody is said to hold it.
  Multiplication alone = in;
  const trace::Fragment d;
  alone.data[3] = &d;
  const Selection selected = parse_selection("D 40,200", alone).selection;
  CHECK(has(facts(model, alone, selected, {}).makes,
            "row 40 of A: in shared memory, or not recorded"));
  CHECK(of("D.r3").where == "in each of the 128 threads");
}

TEST_CASE("examples beside the search box, and those of an error, can be found") {
  for (const char* name : {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", kFour, kWgmma,
                           "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32"}) {
    CAPTURE(name);
    const Multiplication in = bare(*layout::find(name));
    CHECK(parse_selection(example_of(in), in).ok());
    std::string rest = parse_selection("nonsense", in).error;
    rest = rest.substr(rest.find("try: ") + 5);
    for (int examples = 0; !rest.empty(); ++examples) {
      const std::string words = rest.substr(0, rest.find("   "));
      rest.erase(0, words.size() + 3);
      CAPTURE(words);
      CHECK(parse_selection(words, in).ok());
      REQUIRE(examples < 4);
    }
  }
  for (const char operand : {'S', 'T'}) {
    const layout::Instruction& i = *layout::find(kScaled);
    const MapView view{i.operand(operand), nullptr, &i, -1};
    const std::string all = examples_of(view);
    CHECK(parse_pick(all.substr(0, all.find("   ")), view).ok());
    CHECK(parse_pick(all.substr(all.find("   ")), view).ok());
  }
}

TEST_CASE("a lane of another of the four matrices says of which, and how to come there") {
  Ui ui;
  open(ui, kFour);
  ui.click("lane 5");
  const auto where = [&ui] { return facts(ui.ws.about(), ui.in(), ui.ws.selection, {}).where; };
  CHECK(where() ==
        "group 1, thread 1 of 4; holds of matrix 1; what is shown is matrix 0: choose 1 above, or "
        "press [ or ]");
  ui.type("]");
  CHECK(ui.selected() == "lane 5");
  CHECK(where() == "group 1, thread 1 of 4; holds of matrix 1");
}

TEST_CASE("tensor memory of two CTAs: a lane is named, found and moved to with its CTA") {
  Ui ui;
  open(ui, kPair);
  ui.find("CTA 1 lane 72");
  CHECK(ui.ws.map.pick == pick_lane(200));
  CHECK(selected_words(ui.ws) == std::string(kPair) + " CTA 1 lane 72");
  ui.find("lane 72");
  CHECK(ui.ws.map.pick == pick_lane(72));
  for (const char* words :
       {"lane 200", "CTA 2 lane 0", "CTA 1 lane 128", "CTA 1", "CTA 1 lane x"}) {
    CAPTURE(words);
    CHECK_FALSE(search(ui.ws, words));
    CHECK(ui.ws.message.find("CTA 1") != std::string::npos);
  }
  // The longest names have room between the two sides.
  for (const ImVec2 size : {ImVec2{1440, 920}, {1920, 1200}, {1024, 700}}) {
    ui.resize(size.x, size.y);
    const Box last = ui.where("map 0 127,255");
    CHECK(ui.where("lane 127").left >= last.left + last.width);
  }
}

TEST_CASE("scale factors of a wide B stand 32 columns a line, as tensor memory takes them") {
  Ui ui;
  open(ui, "tcgen05.mma.cta_group::2.block_scale.sfb.m256.n192");
  const Box first = ui.where("map 0 0,0"), next = ui.where("map 0 0,32");
  CHECK(next.left == first.left);
  CHECK(next.top > ui.where("map 0 3,0").top);
  CHECK(first.width > 15);  // room for a number
  CHECK(ui.drawn("heading: + zooms in"));
  const Box last = ui.where("map 0 3,191");
  CHECK(last.top + last.height < 890);
  CHECK(last.left + last.width < ui.where("lane 0").left);
  ui.click("map 0 2,100");
  CHECK(ui.ws.map.pick == pick_element({2, 100, 0}));
  open(ui, "tcgen05.mma.cta_group::1.block_scale.sfb.m128.n32");
  CHECK(ui.where("map 0 0,31").top == ui.where("map 0 0,0").top);
}

TEST_CASE("cells too small for words say how to see them; whole registers have no low bits") {
  Ui ui;
  open(ui, "tcgen05.ld.sync.aligned.16x256b.x8.b32");
  CHECK(ui.drawn("heading: + zooms in; of every lane"));
  for (int presses = 0; presses < 6; ++presses) ui.type("+");
  ui.step();
  CHECK(ui.drawn("heading: of every lane"));
  open(ui, "ldmatrix.sync.aligned.m8n8.x4.shared.b16");
  CHECK(ui.drawn("heading: of every lane, low bits first"));
}

TEST_CASE("scales: the words of what is selected lead there") {
  Ui ui;
  open(ui, kScaled);
  ui.find("SFB 3,7");
  CHECK(selected_words(ui.ws) == "SFB 3,7");
  ui.find("SFA 3,2");
  ui.click("thread-id 1");
  REQUIRE(ui.ws.map.scale.thread_id != 0);
  ui.find("SFA 3,2");
  const std::string words = selected_words(ui.ws);
  CHECK(words.find("SFA thread-id ") == 0);
  ui.find("A 9,5");
  CHECK(ui.ws.map.operand == 0);
  ui.find(words);
  CHECK(selected_words(ui.ws) == words);
}

TEST_CASE("scrolled to the right, the rows of A keep their name and numbers") {
  Ui ui(1440, 920);
  open(ui, kScaled);
  CHECK_FALSE(ui.drawn("rows of A kept"));
  for (int times = 0; times < 4; ++times) ui.type("+");
  ui.find("A 9,37");
  ui.step();
  CHECK(ui.drawn("rows of A kept"));
  CHECK_FALSE(ui.drawn("rows of D kept"));
  open(ui, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  CHECK_FALSE(ui.drawn("rows of A kept"));
}

TEST_CASE("scrolled both ways, no number of a column stands above the numbers of rows" *
          doctest::test_suite("twice")) {
  Ui ui(800, 600);
  open(ui, kWgmma);
  for (int presses = 0; presses < 7; ++presses) ui.type("+");
  ui.find("D 60,20");
  REQUIRE(ui.drawn("rows of A kept"));
  CHECK_FALSE(ui.drawn("column 4 of A kept"));  // it has left
  CHECK(ui.drawn("column 28 of A kept"));
}

TEST_CASE("four rows are no phase: nothing is said of eight lanes that read them") {
  Ui ui;
  begin(ui, Page::swizzle);
  ui.find("128B K 16 8x64");
  ui.find("1,5");
  CHECK(ui.drawn("eight lanes"));
  ui.find("128B K 16 4x64");
  ui.find("1,5");
  CHECK_FALSE(ui.drawn("eight lanes"));
  CHECK(ui.drawn("swizzle swizzled"));
  ui.find("none K 16 8x64");
  CHECK_FALSE(ui.drawn("swizzle swizzled"));  // before and after are the same
  ui.type("x");
  CHECK(ui.ws.swizzle.applied);
}

TEST_CASE("descriptor: every step along K has a button, eight at a time") {
  Ui ui;
  begin(ui, Page::descriptor);
  ui.find("128B K 32 64x256");
  CHECK_FALSE(ui.drawn("step 8"));
  ui.click("steps >");
  CHECK(ui.ws.descriptor.form.step == 8);
  ui.step();
  ui.click("step 11");
  CHECK(ui.ws.descriptor.form.step == 11);
  ui.click("steps <");
  CHECK(ui.ws.descriptor.form.step == 7);
  ui.click("reading instruction");
  ui.type("]");  // it fetches nothing, step by step or otherwise
  CHECK(ui.ws.descriptor.form.step == 7);
  ui.press(Key::c, true);
  CHECK(std::string(ImGui::GetClipboardText()).find("instruction f16") == 0);
}

}  // namespace
}  // namespace lanescope::viz

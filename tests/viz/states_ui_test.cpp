// SPDX-License-Identifier: MIT
// What stays when something else is shown, and what does not: picks, readings, words of a step, the
// questions that were asked. And which keys go on working meanwhile.
#include <doctest/doctest.h>

#include <string>

#include "panels/frame/hints.hpp"
#include "panels/steps/step_search.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

constexpr const char* kSparse = "mma.sp.sync.aligned.m16n8k128.row.col.s32.s4.s4.s32";
constexpr const char* kSmaller =
    "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";

/// Metadata is seen from both sides, an element of it is picked.
void look_at_metadata(Ui& ui) {
  ui.type("e");
  ui.step();
  ui.step();
  ui.click("map 0 3,20");
  REQUIRE(selected_words(ui.ws) == "E 3,20");
}

TEST_CASE("metadata: what is picked is given up where another product has no such element") {
  Ui ui;
  ui.open(synthetic::trace_of({kSparse, kSmaller, synthetic::kF16}));
  look_at_metadata(ui);
  ui.type("]");
  CHECK(ui.ws.current == 1);
  CHECK(ui.ws.map.operand == 'E');
  CHECK(ui.ws.map.pick == MapPick{});
  ui.type("]");  // no metadata: its matrices
  CHECK(ui.ws.current == 2);
  CHECK(ui.ws.map.operand == 0);
  CHECK(ui.drawn("A 3,4"));
  ui.type("[");
  CHECK(ui.ws.current == 1);
}

TEST_CASE("another trace begins with its matrices, its picture and nothing picked") {
  Ui ui;
  ui.open(synthetic::trace_of({kSparse}));
  look_at_metadata(ui);
  ui.type("W");
  CHECK(ui.ws.reading);
  ui.open(synthetic::trace_of({kSmaller}));
  CHECK(ui.ws.map.operand == 0);
  CHECK(ui.ws.map.pick == MapPick{});
  CHECK_FALSE(ui.ws.reading);
}

TEST_CASE(
    "beside metadata, and on every page of the atlas, the keys of the buttons go on working") {
  trace::Trace trace = recorded::everything();
  synthetic::add(trace, *layout::find(kSparse));
  Ui ui;
  ui.open(std::move(trace));
  ui.type("]");
  for (const auto& [key, shows] : {std::pair{"m", Shows::memory}, std::pair{"i", Shows::steps}}) {
    show(ui.ws, Shows::fragments);
    look_at_metadata(ui);
    ui.type(key);
    CHECK(ui.ws.shows == shows);
  }
  show(ui.ws, Shows::fragments);
  look_at_metadata(ui);
  const float width = ui.where("map 0 3,5").width;
  ui.type("+");
  ui.step();
  CHECK(ui.where("map 0 3,5").width > width);
  for (const Page page :
       {Page::trace, Page::atlas, Page::swizzle, Page::descriptor, Page::compare}) {
    go_to(ui.ws, page);
    ui.type("o");
    CHECK(ui.ws.show_traces);
    ui.type("q");  // the list lies over what the other keys are for
    CHECK_FALSE(ui.ws.quiz.open);
    ui.press(Key::escape);
    CHECK_FALSE(ui.ws.show_traces);
    CHECK(ui.ws.page == page);
  }
}

TEST_CASE("cells that were made larger are so where they were, and nowhere else") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.type("+");
  const float zoom = ui.ws.zoom;
  REQUIRE(zoom > 1);
  for (const char* name : {synthetic::kE4m3.data(), kSparse}) {
    open_atlas(ui.ws, name);
    REQUIRE(ui.ws.page == Page::entry);
    CHECK(ui.ws.zoom == 1);
    ui.step();
    ui.type("-");
    CHECK(ui.ws.zoom < 1);
  }
  go_to(ui.ws, Page::trace);
  CHECK(ui.ws.zoom == zoom);
}

TEST_CASE("what was wrong with one product is not said of the next") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16, synthetic::kBf16}));
  ui.find("A 99,0");
  REQUIRE(ui.ws.message_is_error);
  ui.type("]");
  CHECK(ui.ws.message.empty());
}

TEST_CASE("steps: a lane's words are of the step that is shown, however one came to it") {
  Ui ui;
  ui.open(recorded::steps());
  for (const char* way : {"step 0", "scrub"}) {
    ui.find("step 11");
    ui.step();
    ui.click("write 0 lane 6");
    REQUIRE(ui.ws.steps.lane_words.find("lane 6  %r1") == 0);
    ui.click(way);
    ui.step();
    CHECK(ui.ws.steps.lane_words.empty());
    CHECK(ui.ws.steps.lane == 6);  // framed there, too
  }
}

TEST_CASE("steps: another warp is shown at the same instruction, and so is the way back") {
  const trace::Trace trace = recorded::steps();
  const StepList list = make_steps(trace);
  CHECK(counterpart(list, {0, 3, {}}, 1).item == 1);  // bar.sync
  CHECK(counterpart(list, {0, 1, {}}, 1).item == 1);  // none: the same place
  CHECK(counterpart(list, {0, 4, {}}, 1).item == 1);  // ... the last one
  Ui ui;
  ui.open(trace);
  ui.find("step 13");
  ui.press(Key::tab);
  CHECK(view_words(ui.ws) == "warp 3 step 11");
  ui.press(Key::tab);
  CHECK(view_words(ui.ws) == "warp 0 step 13");
}

/// 16 rows of 128 bytes, counted; put down through the swizzle.
trace::Memory counted(layout::Swizzle mode) {
  trace::Memory tile = recorded::tile();
  tile.cols = 64;
  tile.row_stride_bytes = 128;
  tile.bytes.clear();
  for (int at = 0; at < 16 * 64; ++at)
    for (int byte = 0; byte < 2; ++byte)
      tile.bytes.push_back(static_cast<std::uint8_t>(at >> (8 * byte)));
  return as_read(tile, mode);
}

TEST_CASE("memory: a tile that lies straight is not read through the swizzle of the one before") {
  trace::Trace trace = recorded::steps();
  const auto swizzled = counted(layout::Swizzle::b128), straight = counted(layout::Swizzle::none);
  trace::Memory unknown = straight;
  for (std::uint8_t& byte : unknown.bytes) byte = 7;  // its numbers do not tell
  trace::Memory global = unknown;
  global.space = "global";
  for (const trace::Memory& tile : {swizzled, straight, swizzled, unknown, global})
    trace.events.emplace_back(tile);
  Ui ui;
  ui.open(std::move(trace));
  show(ui.ws, Shows::memory);
  ui.step();
  ui.step();
  CHECK(ui.drawn("seems swizzled"));
  ui.click("tile read 128B");
  CHECK(ui.drawn("read as swizzled"));
  CHECK_FALSE(ui.drawn("seems swizzled"));
  ui.type("]");
  CHECK(ui.ws.memory.reading == layout::Swizzle::none);
  ui.type("]");
  ui.click("tile read 128B");
  ui.type("]");
  CHECK(ui.ws.memory.reading == layout::Swizzle::b128);
  ui.type("]");  // there is no swizzle of global memory, nor a button that ends it
  CHECK(ui.ws.memory.reading == layout::Swizzle::none);
}

TEST_CASE("memory: a tile whose rows are single units is read as it lies, whoever asks otherwise") {
  trace::Trace trace = recorded::steps();
  trace::Memory narrow = recorded::tile();
  narrow.cols = 4;
  narrow.bytes.resize(16 * 8);
  trace.events.emplace_back(narrow);
  Ui ui;
  ui.open(std::move(trace));
  show(ui.ws, Shows::memory);
  ui.step();
  ui.step();
  CHECK_FALSE(ui.drawn("tile read 128B"));
  CHECK(ui.drawn("hint: /  3,3"));
  for (const char* asked : {"x", "128B", "128B 2,1"}) {
    say(ui.ws, {});
    asked == std::string("x") ? ui.type(asked) : ui.find(asked);
    CHECK(ui.ws.message.find("is not swizzled") != std::string::npos);
    CHECK(ui.ws.memory.reading == layout::Swizzle::none);
  }
}

TEST_CASE("after the last question Enter asks others, and so does opening it again") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  const auto answer_all = [&ui] {
    while (!ui.ws.quiz.quiz.over()) next_question(ui.ws.quiz.quiz);
    ui.step();
    REQUIRE(ui.drawn("quiz over"));
  };
  ui.type("q");
  ui.step();
  answer_all();
  const std::uint64_t seed = ui.ws.quiz.quiz.seed;
  ui.press(Key::enter);
  CHECK_FALSE(ui.ws.quiz.quiz.over());
  CHECK(ui.ws.quiz.quiz.seed == seed + 1);
  answer_all();
  ui.press(Key::escape);
  ui.type("q");
  CHECK_FALSE(ui.ws.quiz.quiz.over());
  CHECK(ui.ws.quiz.quiz.seed == seed + 2);
}

TEST_CASE("the search box says what can be found where one is") {
  Ui ui;
  ui.open(recorded::everything());
  const auto says = [&ui](const char* hint) {
    ui.step();
    ui.step();
    ui.move_to("search");
    CHECK(ui.ws.hint == hint_of(hint));
    CHECK_FALSE(ui.ws.hint.empty());
  };
  says("search");
  for (const Shows shows : {Shows::memory, Shows::steps, Shows::pipeline}) {
    show(ui.ws, shows);
    says((std::string("search ") + name_of(shows)).c_str());
  }
  for (const auto& [page, hint] :
       {std::pair{Page::atlas, "search atlas"}, std::pair{Page::swizzle, "search swizzle"},
        std::pair{Page::descriptor, "search descriptor"}}) {
    go_to(ui.ws, page);
    says(hint);
  }
}

TEST_CASE("a trace without fragments shows a map, and says that nobody ran it") {
  Ui ui;
  ui.ws.fallback.push_back(bare(*layout::find(synthetic::kF16)));
  trace::Trace trace = synthetic::trace_of({});
  ui.open(trace);
  CHECK(ui.drawn("no fragments"));
  CHECK(shows_no_run(ui.ws));
  ui.click("A 9,5");
  ui.press(Key::escape);
  CHECK(ui.drawn("no fragments"));
  CHECK(ui.drawn("device: map only"));
  ui.open(synthetic::trace_of({synthetic::kF16}));
  CHECK_FALSE(ui.drawn("no fragments"));
  CHECK(ui.drawn("device: emulator sm_90a"));
}

}  // namespace
}  // namespace lanescope::viz

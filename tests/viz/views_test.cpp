// SPDX-License-Identifier: MIT
// The views of a trace besides its fragments, clicked and typed: steps, pipeline, and the way from
// one to another. Memory is memory_ui_test.cpp.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "panels/pipeline/pipeline_text.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

TEST_CASE("tabs show what the trace has, by click and by key") {
  Ui ui;
  ui.open(recorded::everything());
  CHECK(ui.ws.shows == Shows::fragments);
  ui.click("view memory");
  CHECK(ui.ws.shows == Shows::memory);
  CHECK(ui.drawn("cell 15,15"));
  ui.click("view steps");
  CHECK(ui.drawn("scrub"));
  ui.click("view pipeline");
  CHECK(ui.drawn("span 0,0"));
  ui.type("f");
  CHECK(ui.ws.shows == Shows::fragments);
  CHECK(ui.drawn("A 3,4"));
  ui.type("m");
  CHECK(ui.ws.shows == Shows::memory);
  ui.type("i");
  CHECK(ui.ws.shows == Shows::steps);
  ui.type("p");
  CHECK(ui.ws.shows == Shows::pipeline);
}

TEST_CASE("a trace with nothing but fragments has no tabs, and says so when asked") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  CHECK_FALSE(ui.drawn("view fragments"));
  ui.type("i");
  CHECK(ui.ws.shows == Shows::fragments);
  CHECK(ui.ws.message == "this trace has no steps: lanescope run --steps records it");
  ui.ws.lesson = {"README.md", {"# 07 A fast HGEMM"}};
  for (const auto& [program, recorder] :
       {std::pair{"07_fast_hgemm", "./learn lesson 7 --device cpu"},
        {"13_hopper_hgemm", "./learn lesson 13 --device cpu"},
        {"my_program", "lanescope run --steps"},
        {"99999999999", "lanescope run --steps"},
        {"", "lanescope run --steps"}}) {
    ui.ws.model.trace.header.program = program;
    ui.type("i");
    CHECK(ui.ws.message == fmt::format("this trace has no steps: {} records it", recorder));
  }
}

TEST_CASE("steps in which nobody waits have no pipeline; another trace begins anew") {
  Ui ui;
  ui.ws.sources["lesson.cu"] = {"lesson.cu", {"line"}};
  ui.open(recorded::steps());
  CHECK(ui.ws.shows == Shows::steps);
  CHECK(ui.ws.tab == TextTab::source);
  ui.type("p");
  CHECK(ui.ws.message == "this trace has no pipeline: in its steps nobody copies or waits");
  ui.find("step 12");
  CHECK(ui.ws.search[0] == 's');
  ui.open(synthetic::trace_of({synthetic::kF16}));
  CHECK(ui.ws.shows == Shows::fragments);
  CHECK(ui.ws.tab == TextTab::lesson);
  CHECK(ui.ws.search[0] == '\0');
}

TEST_CASE("a trace of a GPU has places for steps and pipeline, and says why they are empty") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}, "gpu"));
  CHECK(ui.ws.shows == Shows::fragments);
  for (const char* view : {"view steps", "view pipeline"}) {
    ui.click(view);
    CHECK(ui.drawn("nothing"));
    CHECK(why_nothing(ui.ws).find("A GPU does not tell its") == 0);
    for (const Key key : {Key::down, Key::left, Key::tab, Key::enter}) ui.press(key);
    ui.type("nkvb+-0[]");
    CHECK_FALSE(search_view(ui.ws, "step 3"));
    ui.press(Key::c, true);
  }
  ui.click("view fragments");
  CHECK_FALSE(ui.drawn("nothing"));
  CHECK(ui.drawn("A 3,4"));
}

TEST_CASE("where the file of steps is damaged, that is said instead of 'no steps'") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.ws.steps_problem = "t.steps.lanes.zst is cut off";
  CHECK_FALSE(show(ui.ws, Shows::steps));
  CHECK(ui.ws.message == "t.steps.lanes.zst is cut off");
  CHECK_FALSE(show(ui.ws, Shows::memory));
  CHECK(ui.ws.message == "this trace has no memory");
}

TEST_CASE("beside steps stands the kernel that they are of, not the caption of the fragments") {
  trace::Trace trace = recorded::everything();
  std::get<trace::View>(trace.events[0]).caption = "About the fragments.";
  trace.events.emplace_back(trace::Launch{0, "_Z4ringILi3EEvPi", {1, 1, 1}, {32, 1, 1}, 0});
  Ui ui;
  ui.open(std::move(trace));
  CHECK(caption_of(ui.ws) == "About the fragments.");
  ui.click("view steps");
  CHECK(caption_of(ui.ws) == "ring<3>, launch 0, block 0,0,0");
  ui.click("view pipeline");
  CHECK(caption_of(ui.ws) == "");
  CHECK(title_of(ui.ws.pipeline.made).find("ring<3>, launch 0, block 0,0,0: ") == 0);
}

TEST_CASE("in a narrow window the tabs and the choice of a product stay, the title gives way") {
  Ui ui(1520, 900);
  trace::Trace trace = recorded::everything();
  for (const trace::Event& event : synthetic::trace_of({synthetic::kBf16}).events)
    trace.events.push_back(event);
  std::get<trace::View>(trace.events[0]).title = "A title that takes some room";
  ui.open(std::move(trace));
  CHECK(ui.drawn("title"));
  CHECK(ui.drawn("search"));
  for (const float width : {1520.0f, 1440.0f, 1200.0f, 1024.0f, 900.0f}) {
    CAPTURE(width);
    ui.resize(width, 700);
    const Box choice = ui.where("multiplication");
    const Box last = ui.where("view pipeline");
    if (ui.drawn("title")) {
      const Box title = ui.where("title");
      CHECK(title.left + title.width <= ui.where("view fragments").left);
    }
    CHECK(last.left + last.width <= choice.left);
    float right = ui.where("atlas").left;
    if (ui.drawn("label lane")) right = std::min(right, ui.where("label lane").left);
    if (ui.drawn("search")) right = std::min(right, ui.where("search").left);
    CHECK(choice.left + choice.width <= right);
  }
}

TEST_CASE("the trace says what is shown first; without fragments, what there is") {
  trace::Trace trace = recorded::everything();
  std::get<trace::View>(trace.events[0]).panels = {"lanes", "memory", "fragments"};
  Ui ui;
  ui.open(std::move(trace));
  CHECK(ui.ws.shows == Shows::memory);
  ui.open(recorded::steps());
  CHECK(ui.ws.shows == Shows::steps);
  CHECK_FALSE(ui.drawn("view steps"));  // the only view
}

TEST_CASE("beside steps stands their source, beside the others the lesson") {
  Ui ui;
  ui.ws.lesson = {"README.md", {"words"}};
  ui.open(recorded::everything());
  ui.ws.sources["lesson.cu"] = {"lesson.cu", std::vector<std::string>(20, "line")};
  ui.type("i");
  ui.step();
  CHECK(ui.ws.tab == TextTab::source);
  CHECK(ui.drawn("tab source"));
  ui.type("p");
  CHECK(ui.ws.tab == TextTab::lesson);
}

TEST_CASE("from an element to the step that wrote its register, and back") {
  Ui ui;
  ui.open(recorded::everything());
  show(ui.ws, Shows::fragments);
  ui.step();
  ui.click("A 9,5");
  ui.step();
  ui.click("written");
  CHECK(ui.ws.shows == Shows::steps);
  CHECK(selected_words(ui.ws) == "warp 0 step 12");  // the ldmatrix of A.r1
  CHECK(ui.ws.steps.lane == 6);
  ui.step();
  ui.click("watch 1");
  CHECK(selected_words(ui.ws) == "lane 6 A.r1");
  ui.step();
  CHECK(ui.drawn("written"));
  ui.click("D 4,3");  // nobody wrote D in these steps
  ui.step();
  CHECK_FALSE(ui.drawn("written"));
}

TEST_CASE("steps: why a bank is waited for, and the way to where a wgmma's sums arrive") {
  trace::Trace trace = recorded::steps();
  const std::string multiply =
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2}, %rd1, %rd2, p, 1, 1, 0, 0;";
  trace.events.emplace_back(recorded::step(0, 15, multiply, 11));
  trace.events.emplace_back(
      recorded::step(0, 16, "wgmma.wait_group.sync.aligned 0;", 12, {recorded::write("%f1")}));
  Ui ui;
  ui.open(trace);
  CHECK(ui.drawn("why"));  // of the ldmatrix
  const Box worst = ui.where("why");
  ui.move_to("phase 0 bank 31");  // that nobody wants: a shorter sentence
  ui.step();
  CHECK(ui.drawn("why"));
  CHECK(ui.where("why").height <= worst.height);
  ui.find("step 13");
  CHECK_FALSE(ui.drawn("why"));
  ui.find("step 15");
  ui.click("arrives");
  CHECK(selected_words(ui.ws) == "warp 0 step 16");
  ui.step();
  CHECK_FALSE(ui.drawn("arrives"));
}

TEST_CASE("steps: clicked, scrubbed, stepped, found") {
  Ui ui;
  ui.open(recorded::steps());
  CHECK(selected_words(ui.ws) == "warp 0 step 12");  // the ldmatrix
  ui.click("step 0");
  CHECK(selected_words(ui.ws) == "warp 0 step 10");
  ui.type("n");
  CHECK(selected_words(ui.ws) == "warp 0 step 12");
  CHECK(ui.drawn("phase 1 bank 31"));
  CHECK(ui.drawn("write 1 lane 31"));
  ui.press(Key::down);
  CHECK(selected_words(ui.ws) == "warp 0 step 13");
  ui.press(Key::up);
  ui.press(Key::up);
  CHECK(selected_words(ui.ws) == "warp 0 step 11");
  ui.press(Key::right);
  CHECK(selected_words(ui.ws) == "warp 0 step 14");  // the last one
  ui.press(Key::left);
  CHECK(selected_words(ui.ws) == "warp 0 step 10");
  ui.press(Key::tab);
  CHECK(selected_words(ui.ws) == "warp 3 step 10");
  ui.find("warp 0 step 13");
  CHECK(selected_words(ui.ws) == "warp 0 step 13");
  ui.find("A.r1");
  CHECK(selected_words(ui.ws) == "warp 0 step 12");
  // The middle of the bar is the middle step; a drag follows the pointer.
  ui.click("scrub");
  CHECK(selected_words(ui.ws) == "warp 0 step 12");
  const Box bar = ui.where("scrub");
  feed_mouse(bar.left + bar.width * 0.9f, bar.top + bar.height / 2);
  ui.step();
  feed_button(true);
  ui.step();
  CHECK(selected_words(ui.ws) == "warp 0 step 14");
  feed_mouse(bar.left + bar.width * 0.25f, bar.top + bar.height / 2);
  ui.step();
  ui.step();
  CHECK(selected_words(ui.ws) == "warp 0 step 11");
  feed_button(false);
  ui.step();
}

TEST_CASE("an instruction that is too long for the list ends with an ellipsis") {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  const std::string longest(5000, 'x');
  trace.events.emplace_back(recorded::step(0, 0, longest, 1, {}));
  trace.events.emplace_back(recorded::step(0, 1, "ret;", 2, {}));
  Ui ui;
  ui.open(std::move(trace));
  CHECK(ui.drawn("shown 1: ret;"));
  int cut = 0;
  for (std::size_t length = 1; length < 200; ++length)
    cut += ui.drawn(fmt::format("shown 0: {}\u2026", longest.substr(0, length)));
  CHECK(cut == 1);
}

TEST_CASE("a hundred thousand steps: the list draws what is in sight, the end is reached" *
          doctest::test_suite("twice")) {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  constexpr int kMany = 100'000;
  for (int k = 0; k < kMany; ++k)
    trace.events.emplace_back(
        recorded::step(0, k, "add.s32 %r1, %r1, 1;", 1 + k % 9, {recorded::write("%r1")}));
  Ui ui;
  ui.open(std::move(trace));
  const int few = ui.vertices;
  ui.find("step 99999");
  CHECK(ui.ws.steps.place.item == kMany - 1);
  ui.step();
  CHECK(ui.drawn("step 99999"));
  CHECK_FALSE(ui.drawn("step 500"));
  CHECK(ui.vertices < 2 * few);
}

TEST_CASE("steps open at what the checker says of one, which is marked in the list") {
  trace::Trace trace = recorded::steps();
  recorded::nth<trace::Step>(trace, 4).ptx_line = 60;  // bar.sync of warp 0
  trace::Diagnostic said;
  said.kind = "barrier";
  said.message = "bar.sync waits for warps that have exited.";
  said.ptx_line = 60;
  said.source = {"lesson.cu", 10};
  trace.events.emplace_back(said);
  Ui ui(1280, 720);
  ui.open(std::move(trace));
  CHECK(selected_words(ui.ws) == "warp 0 step 13");
  CHECK(ui.drawn("said"));
  CHECK(ui.drawn("said 3"));
  CHECK_FALSE(ui.drawn("said 2"));  // which has a conflict
  ui.click("step 2");
  CHECK_FALSE(ui.drawn("said"));
  const Box mark = ui.where("said 3"), line = ui.where("step 3");
  CHECK(mark.left + mark.width <= line.left + line.width);
}

// Of the st.shared at line 60 of PTX.
trace::Diagnostic said_of_store() {
  trace::Diagnostic said;
  said.kind = "race-write-after-read";
  said.message = "st writes shared memory that was read at line 8";
  said.ptx_line = 60;
  said.source = {"lesson.cu", 8};
  return said;
}

TEST_CASE("the other access of a report is marked, too, and a button leads there and back") {
  trace::Trace trace = recorded::steps();
  recorded::nth<trace::Step>(trace, 1).ptx_line = 52;  // an add.s32 of warp 0
  recorded::nth<trace::Step>(trace, 6).ptx_line = 60;  // its st.shared
  trace::Diagnostic said = said_of_store();
  said.details = {"against warp 0 lane 0, line 8, PTX line 52 `add.s32 %r1, %r1, %r2`"};
  trace.events.emplace_back(said);
  Ui ui(1280, 720);
  ui.open(std::move(trace));
  CHECK(selected_words(ui.ws) == "warp 0 step 14");
  CHECK(ui.drawn("said 4"));
  CHECK(ui.drawn("against 1"));
  ui.click("other access");
  ui.step();
  CHECK(selected_words(ui.ws) == "warp 0 step 11");
  CHECK(ui.drawn("against"));
  CHECK_FALSE(ui.drawn("said"));
  ui.click("other access");
  CHECK(selected_words(ui.ws) == "warp 0 step 14");
}

TEST_CASE("at another warp's step of the same instruction a button leads to where it was seen") {
  trace::Trace trace = recorded::steps();
  recorded::nth<trace::Step>(trace, 6).ptx_line = 60;  // the st.shared of warp 0
  trace::Diagnostic said = said_of_store();
  trace::Step before = recorded::nth<trace::Step>(trace, 6);
  before.place.warp = 2;
  before.step = 4;
  trace.events.insert(trace.events.begin(), before);
  trace.events.emplace_back(said);
  Ui ui(1280, 720);
  ui.open(std::move(trace));
  CHECK(selected_words(ui.ws) == "warp 0 step 14");
  CHECK_FALSE(ui.drawn("seen"));
  ui.find("warp 2 step 4");
  CHECK(ui.drawn("said"));
  ui.click("seen");
  CHECK(selected_words(ui.ws) == "warp 0 step 14");
}

TEST_CASE("an event of the list of the trace leads to where it is shown") {
  trace::Trace trace = recorded::everything();
  trace::Diagnostic said = said_of_store();
  trace.events.emplace_back(said);  // of no step
  trace.events.insert(trace.events.begin(), recorded::tile());
  std::vector<int> first(std::variant_size_v<trace::Event>, -1);
  for (std::size_t k = 0; k < trace.events.size(); ++k)
    if (int& at = first[trace.events[k].index()]; at < 0) at = static_cast<int>(k);
  Ui ui(1440, 920);
  ui.open(trace);
  show(ui.ws, Shows::fragments);
  ui.ws.tab = TextTab::trace;
  ui.step();
  ui.click("event 0");
  CHECK(ui.ws.shows == Shows::memory);
  const int step = first[trace::Event(trace::Step{}).index()];
  const auto& wanted = std::get<trace::Step>(trace.events[static_cast<std::size_t>(step)]);
  show_event(ui.ws, step, "");
  CHECK(ui.ws.shows == Shows::steps);
  CHECK(selected_words(ui.ws) == fmt::format("warp {} step {}", wanted.place.warp, wanted.step));
  show_event(ui.ws, static_cast<int>(trace.events.size()) - 1, "");
  CHECK(ui.ws.message == "its step is not recorded");
  const int access = first[trace::Event(trace::Access{}).index()];
  REQUIRE(access >= 0);
  show_event(ui.ws, access, "");
  CHECK(ui.ws.message != "its step is not recorded");
  CHECK(selected_words(ui.ws).ends_with(fmt::format(
      "step {}", std::get<trace::Access>(trace.events[static_cast<std::size_t>(access)]).step)));
}

TEST_CASE("several reports at a step are all shown, and each leads to its other access") {
  trace::Trace trace = recorded::steps();
  recorded::nth<trace::Step>(trace, 0).ptx_line = 51;
  recorded::nth<trace::Step>(trace, 1).ptx_line = 52;
  recorded::nth<trace::Step>(trace, 6).ptx_line = 60;  // the st.shared of warp 0
  trace::Diagnostic said = said_of_store();
  said.against = {{{0, 0, 0}, 0, 0, "add.s32 %r1, %r1, %r2;", 52, {"lesson.cu", 8}}};
  trace.events.emplace_back(said);
  said.kind = "race-write-after-write";
  said.against = {{{0, 0, 0}, 0, 0, "mov.u32 %r1, %laneid;", 51, {"lesson.cu", 7}}};
  trace.events.emplace_back(said);
  Ui ui(1280, 720);
  ui.open(std::move(trace));
  CHECK(selected_words(ui.ws) == "warp 0 step 14");
  CHECK(ui.where("said").top < ui.where("said also 1").top);
  ui.click("other access also 1");
  CHECK(selected_words(ui.ws) == "warp 0 step 10");
  ui.step();
  CHECK(ui.drawn("against"));
  ui.click("other access");
  ui.step();
  ui.click("other access");
  CHECK(selected_words(ui.ws) == "warp 0 step 11");
}

TEST_CASE("the pipeline: a wait is chosen, copies are made slower") {
  Ui ui;
  ui.open(recorded::pipeline());
  CHECK(ui.ws.shows == Shows::pipeline);
  ui.click("span 1,0");
  CHECK(ui.ws.pipeline.row == 1);
  CHECK(ui.ws.pipeline.span == 0);
  ui.click("span 2,1");  // the stage
  CHECK(ui.ws.pipeline.row == 2);
  const double before = ui.ws.pipeline.made.end;
  ui.click("copy 256");
  CHECK(ui.ws.pipeline.copy_ticks == 256);
  CHECK(ui.ws.pipeline.made.end > before + 300);
  ui.find("copy 10");
  CHECK(ui.ws.pipeline.copy_ticks == 10);
  ui.type("]");
  CHECK(ui.ws.pipeline.copy_ticks == 20);
  ui.type("[");
  CHECK(ui.ws.pipeline.copy_ticks == 10);
  const float width = ui.where("span 2,0").width;
  ui.type("+");
  ui.step();
  CHECK(ui.where("span 2,0").width > width);
}

TEST_CASE("a wait that is chosen leads to its step, where that is recorded") {
  Ui ui;
  trace::Trace trace = recorded::pipeline();
  const auto add = [&trace](int number, const char* ptx) {
    trace.events.emplace_back(recorded::step(1, number, ptx, 20 + number));
  };
  add(0, "mov.u32 %r1, 0;");
  add(1, "mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r1;");
  ui.open(std::move(trace));
  show(ui.ws, Shows::pipeline);
  ui.step();
  ui.step();
  ui.click("span 0,0");  // warp 0's step 5 is not there
  CHECK(!ui.drawn("waiting step"));
  ui.click("span 1,0");
  ui.click("waiting step");
  CHECK(ui.ws.shows == Shows::steps);
  CHECK(words_of(ui.ws.steps.list, ui.ws.steps.place) == "warp 1 step 1");
}

TEST_CASE("the pipeline by arrows: along a row, to the nearest in the next one, and no further") {
  Ui ui;
  ui.open(recorded::pipeline());
  const auto at = [&] { return std::pair{ui.ws.pipeline.row, ui.ws.pipeline.span}; };
  ui.press(Key::down);
  CHECK(at() == std::pair{0, 0});  // the first there is
  ui.press(Key::up);
  CHECK(at() == std::pair{0, 0});
  ui.press(Key::down);
  CHECK(at().first == 1);
  ui.press(Key::down);
  CHECK(at().first == 2);  // the stage
  const int uses = static_cast<int>(ui.ws.pipeline.made.stages.at(0).spans.size());
  REQUIRE(uses > 2);
  for (int more = 0; more < uses + 2; ++more) ui.press(Key::right);
  CHECK(at() == std::pair{2, uses - 1});
  ui.press(Key::left);
  CHECK(at() == std::pair{2, uses - 2});
  const Pipeline& made = ui.ws.pipeline.made;
  const StageSpan& use = made.stages[0].spans[static_cast<std::size_t>(uses - 2)];
  ui.press(Key::up);
  CHECK(at().first == 1);
  const auto& waits = made.warps[1].waits;
  const auto apart = [&](const WaitSpan& wait) {
    return std::abs(wait.begin + wait.end - use.begin - use.end);
  };
  for (const WaitSpan& other : waits)
    CHECK(apart(waits[static_cast<std::size_t>(at().second)]) <= apart(other));
  CHECK(moved(Pipeline{}, {}, 1, 0).row == -1);
}

TEST_CASE("every view at every size draws without a word") {
  Ui ui;
  ui.open(recorded::everything());
  for (const char key : {'m', 'i', 'p', 'f'}) {
    ui.type(std::string(1, key));
    for (const ImVec2 size :
         {ImVec2{2400.0f, 1400.0f}, {1000.0f, 700.0f}, {420.0f, 300.0f}, {80.0f, 60.0f}}) {
      CAPTURE(key);
      CAPTURE(size.x);
      ui.resize(size.x, size.y);
      CHECK(ui.vertices > 0);
    }
    ui.resize(1440, 920);
  }
}

TEST_CASE("the warps of a warpgroup stand beside their rows") {
  const layout::Instruction instruction = synthetic::warpgroup(64);
  const Multiplication in = bare(instruction);
  const CrossGeometry cross = lay_out_cross(in, 'D', {900, 900, 16, 1, 2, 2});
  CHECK(cross.stacked);
  for (int thread = 0; thread < 128; ++thread) {
    const Box lane = lane_box(cross, 128, thread);
    const Box band = cross.result.cell(thread / 32 * 16 + thread % 32 / 4 * 2, 0);
    CHECK(lane.top == doctest::Approx(band.top));
    CHECK(lane.left + lane.width <= cross.A.left);
  }
  CHECK(cross.A.left + cross.A.box().width < cross.result.left);
}

TEST_CASE("steps: a lane under the pointer and one that is clicked, and the way to its fragment") {
  Ui ui;
  ui.open(recorded::everything());
  ui.type("i");
  ui.step();
  REQUIRE(view_words(ui.ws) == "warp 0 step 12");
  ui.move_to("write 1 lane 13");
  ui.step();
  CHECK(ui.ws.steps.hover_lane == 13);
  CHECK(ui.ws.steps.hover_words.find("lane 13  %r8  A.r1 = ") == 0);
  ui.click("write 1 lane 13");
  ui.move_to("scrub");
  ui.step();
  CHECK(ui.ws.steps.hover_lane == -1);
  CHECK(ui.ws.steps.hover_words.empty());
  CHECK(ui.ws.steps.lane == 13);
  ui.click("watch 1");
  CHECK(ui.ws.shows == Shows::fragments);
  CHECK(ui.selected() == "lane 13 A.r1");
  ui.type("i");
  ui.step();
  ui.press(Key::escape);
  CHECK(ui.ws.steps.lane == -1);
  ui.click("watch 0");
  CHECK(ui.selected() == "A.r0");
}

}  // namespace
}  // namespace lanescope::viz

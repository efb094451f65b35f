// SPDX-License-Identifier: MIT
// The views of a trace, fragments, memory, steps and pipeline: which there are, which one is shown,
// what stands beside it. What is in them: memory_ui_test.cpp, steps_ui_test.cpp,
// reports_ui_test.cpp, pipeline_ui_test.cpp.
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

}  // namespace
}  // namespace lanescope::viz

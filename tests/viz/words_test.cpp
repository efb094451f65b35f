// SPDX-License-Identifier: MIT
// The words beside the picture: scrolled, turned and widened by keys and by dragging their edge;
// and the size of all text.
#include <doctest/doctest.h>

#include "panels/look/widgets.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

void open_lesson(Ui& ui) {
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.ws.lesson = {"README.md", std::vector<std::string>(300, "# words")};
  ui.ws.tab = TextTab::lesson;
  ui.step();
  ui.step();
}

void drag(Ui& ui, float by) {
  const Box edge = ui.where("split");
  const float row = edge.top + edge.height / 2, col = edge.left + edge.width / 2;
  feed_mouse(col, row);
  ui.step();
  ui.step();
  feed_button(true);
  ui.step();
  for (int part = 1; part <= 4; ++part) {
    feed_mouse(col + by * static_cast<float>(part) / 4, row);
    ui.step();
  }
  feed_button(false);
  ui.step();
  feed_mouse(5, 5);
  ui.step();
}

}  // namespace

TEST_CASE("page up and down scroll the words, and stop at their ends") {
  Ui ui;
  open_lesson(ui);
  const float top = ui.where("words").top;
  ui.press(Key::page_down);
  ui.step();
  const float once = ui.where("words").top;
  CHECK(once < top - 100);
  ui.press(Key::page_down);
  ui.step();
  CHECK(ui.where("words").top < once - 100);
  for (int more = 0; more < 4; ++more) ui.press(Key::page_up);
  ui.step();
  CHECK(ui.where("words").top == top);
  CHECK(ui.selected().empty());  // nothing else moved
}

TEST_CASE("w turns to the next of lesson, source and trace") {
  Ui ui;
  open_lesson(ui);
  for (const TextTab tab : {TextTab::source, TextTab::trace, TextTab::lesson}) {
    ui.type("w");
    CHECK(ui.ws.tab == tab);
  }
  ui.type("/");
  ui.step();
  ui.step();
  ui.type("w");  // a letter like others in the search box
  CHECK(ui.ws.tab == TextTab::lesson);
}

TEST_CASE("the edge of the words is moved by dragging, by keys, and put back by a double click") {
  for (const char* view : {"fragments", "steps", "memory", "pipeline"}) {
    CAPTURE(view);
    Ui ui;
    trace::Trace trace = synthetic::trace_of({synthetic::kF16});
    for (const trace::Trace& other : {recorded::steps(), recorded::pipeline()})
      trace.events.insert(trace.events.end(), other.events.begin(), other.events.end());
    trace.events.emplace_back(recorded::tile());
    ui.open(std::move(trace));
    ui.ws.lesson = {"README.md", std::vector<std::string>(300, "words")};
    ui.ws.sources["lesson.cu"] = {"lesson.cu", std::vector<std::string>(20, "line")};
    for (const Shows shows : {Shows::fragments, Shows::steps, Shows::memory, Shows::pipeline})
      if (std::string(view) == name_of(shows)) REQUIRE(show(ui.ws, shows));
    ui.step();
    ui.step();
    const float usual = ui.where("words").left;
    drag(ui, -80);
    CHECK(ui.where("words").left == doctest::Approx(usual - 80).epsilon(0.01));
    drag(ui, -5000);  // the picture keeps its room
    const float widest = ui.where("words").left;
    CHECK(widest < usual - 80);
    CHECK(widest > 300);
    ui.type(">");
    ui.step();
    CHECK(ui.where("words").left > widest);
    drag(ui, 5000);  // and so do the words
    CHECK(ui.where("words").left > usual);
    CHECK(ui.where("words").left < 1440 - 150);
    ui.move_to("split");
    for (int click = 0; click < 2; ++click) {
      feed_button(true);
      ui.step();
      feed_button(false);
      ui.step();
    }
    ui.step();
    CHECK(ui.where("words").left == usual);
    ui.type("<");
    ui.step();
    CHECK(ui.where("words").left == doctest::Approx(usual - 32).epsilon(0.01));
  }
}

TEST_CASE("a narrow window has no edge to drag, whatever was dragged before") {
  Ui ui;
  open_lesson(ui);
  drag(ui, -300);
  for (const float width : {1024.0f, 800.0f, 500.0f, 200.0f, 40.0f}) ui.resize(width, 700);
  CHECK_FALSE(ui.drawn("split"));
  ui.resize(2560, 1440);
  CHECK(ui.drawn("split"));
}

TEST_CASE("a formula is broken before a +, and goes on below its right side") {
  using Lines = std::vector<std::string>;
  CHECK(folded("row = a + b", 20) == Lines{"row = a + b"});
  CHECK(folded("row = ((thread >> 2) & 7) + (thread >> 5)*16 + ((i >> 1) & 1)*8", 50) ==
        Lines{"row = ((thread >> 2) & 7) + (thread >> 5)*16", "      + ((i >> 1) & 1)*8"});
  CHECK(folded("    = 1 + 2 + 3", 10) == Lines{"    = 1", "  + 2 + 3"});
  CHECK(folded("words without end or plus", 12) ==
        Lines{"words", "  without", "  end or", "  plus"});
  CHECK(folded("averylongword", 5) == Lines{"averylongword"});
  CHECK(folded("", 5) == Lines{""});
  CHECK(folded("a b", 0).size() <= 2);
}

TEST_CASE("home and end lead to the first and the last step") {
  Ui ui;
  ui.open(recorded::steps());
  ui.press(Key::end);
  CHECK(selected_words(ui.ws) == "warp 0 step 14");
  ui.press(Key::home);
  CHECK(selected_words(ui.ws) == "warp 0 step 10");
}

TEST_CASE("text grows and shrinks in steps, within limits, and comes back") {
  Workspace ws;
  change_text_size(ws, 1);
  CHECK(ws.text_scale == doctest::Approx(1.1));
  change_text_size(ws, -1);
  CHECK(ws.text_scale == 1);
  for (int more = 0; more < 40; ++more) change_text_size(ws, 1);
  CHECK(ws.text_scale == 3);
  change_text_size(ws, 0);
  CHECK(ws.text_scale == 1);
  for (int less = 0; less < 40; ++less) change_text_size(ws, -1);
  CHECK(ws.text_scale == doctest::Approx(0.6));
}

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// While the pointer is on a button, the line below says what it does and which key does the same.
#include "panels/frame/hints.hpp"

#include <doctest/doctest.h>

#include "panels/look/widgets.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

/// The r of "each cell says its register  (r)".
std::string key_of(const std::string& button) {
  const std::string hint = hint_of(button);
  const std::size_t at = hint.rfind("  (");
  REQUIRE_MESSAGE(at != std::string::npos, button);
  return hint.substr(at + 3, hint.size() - at - 4);
}

}  // namespace

TEST_CASE("the line below says what the button under the pointer does, and nothing of cells") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  CHECK(!ui.drawn("hint line"));
  ui.move_to("label register");
  CHECK(ui.ws.hint == hint_of("label register"));
  CHECK(ui.drawn("hint line"));
  ui.move_to("A 3,4");
  CHECK(ui.ws.hint.empty());
  CHECK(!ui.drawn("hint line"));
  say(ui.ws, "what went wrong is said first");
  ui.move_to("label register");
  CHECK(!ui.drawn("hint line"));
}

TEST_CASE("the key that a hint names does what the click does") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  const char* labels[] = {"label register", "label value", "label bits", "label both",
                          "label lane"};
  for (const char* name : labels) {
    CAPTURE(name);
    const LabelMode before = ui.ws.labels;
    ui.click(name);
    const LabelMode clicked = ui.ws.labels;
    CHECK(clicked != before);
    ui.ws.labels = before;
    ui.type(key_of(name));
    CHECK(ui.ws.labels == clicked);
  }
  const auto toggles = [&](const char* name, const bool& state) {
    CAPTURE(name);
    const bool before = state;
    ui.click(name);
    CHECK(state != before);
    ui.type(key_of(name));
    CHECK(state == before);
  };
  toggles("theme", ui.ws.dark);
  toggles("keys", ui.ws.show_keys);
  toggles("open", ui.ws.show_traces);
  ui.click("atlas");
  CHECK(ui.ws.page == Page::atlas);
  ui.type(key_of("atlas"));
  CHECK(ui.ws.page == Page::trace);
}

TEST_CASE("the keys of the views") {
  Ui ui;
  ui.open(recorded::everything());
  for (const char* name : {"memory", "steps", "pipeline", "fragments"}) {
    CAPTURE(name);
    const std::string button = std::string("view ") + name;
    const Shows before = ui.ws.shows;
    ui.click(button);
    const Shows clicked = ui.ws.shows;
    CHECK(name_of(clicked) == std::string(name));
    CHECK(show(ui.ws, before));
    ui.step();
    ui.type(key_of(button));
    CHECK(ui.ws.shows == clicked);
  }
}

TEST_CASE("predict, beside the lesson's tabs, opens the quiz") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  CHECK(!ui.drawn("predict"));  // no lesson, no questions of one
  ui.ws.lesson = {"README.md", {"words"}};
  ui.step();
  ui.move_to("predict");
  CHECK(ui.ws.hint == hint_of("predict"));
  ui.click("predict");
  CHECK(ui.ws.quiz.open);
  ui.press(Key::escape);
  CHECK(!ui.ws.quiz.open);
  ui.type(key_of("predict"));
  CHECK(ui.ws.quiz.open);
}

}  // namespace lanescope::viz

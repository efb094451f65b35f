// SPDX-License-Identifier: MIT
// Ctrl+Tab puts a ring around a button: everything a mouse can press is reached and pressed by
// keys.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "panels/frame/hints.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

const KeyRing::Stop* stop(const Ui& ui) {
  for (const KeyRing::Stop& one : ui.ws.ring.all)
    if (one.id == ui.ws.ring.at) return &one;
  return nullptr;
}

bool ring_is_at(Ui& ui, const std::string& name) {
  const KeyRing::Stop* at = stop(ui);
  if (at == nullptr || !ui.drawn(name)) return false;
  const Box box = ui.where(name);
  return std::fabs(box.left - at->box.left) < 1 && std::fabs(box.top - at->box.top) < 1;
}

// Steps of Tab from where the ring is to that button.
int ring_to(Ui& ui, const std::string& name) {
  if (!ui.ws.ring.on) ui.press(Key::tab, true);
  const int all = static_cast<int>(ui.ws.ring.all.size());
  for (int steps = 0; steps <= all; ++steps) {
    if (ring_is_at(ui, name)) return steps;
    ui.press(Key::tab);
    ui.step();
  }
  return -1;
}

}  // namespace

TEST_CASE(
    "Ctrl+Tab, Tab and Enter press a button; Esc leaves the ring, and keys are as they were") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.click("A 9,5");
  CHECK_FALSE(ui.ws.ring.on);
  REQUIRE(ring_to(ui, "label value") > 0);
  CHECK(ui.selected() == "A 9,5");  // Tab goes on in the ring alone
  ui.press(Key::enter);
  ui.step();
  CHECK(ui.ws.labels == LabelMode::value);
  ui.press(Key::right);
  CHECK(ring_is_at(ui, "label bits"));
  ui.press(Key::left);
  ui.press(Key::tab, false, true);
  CHECK(ring_is_at(ui, "label register"));
  ui.type(" ");
  ui.step();
  CHECK(ui.ws.labels == LabelMode::reg);
  ui.press(Key::escape);
  CHECK_FALSE(ui.ws.ring.on);
  CHECK(ui.selected() == "A 9,5");  // that Esc was the ring's
  ui.press(Key::tab);
  CHECK(ui.selected() == "B 13,1");
  ui.press(Key::tab, true);
  CHECK(ring_is_at(ui, "label register"));  // where it was
  ui.click("lane 13");
  CHECK_FALSE(ui.ws.ring.on);
}

TEST_CASE("the ring goes round the bar from the left, and a word is typed where it says Enter") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  const int search = ring_to(ui, "search");
  REQUIRE(search >= 0);
  const int lane = ring_to(ui, "label lane");
  CHECK(lane == 1);
  REQUIRE(ring_to(ui, "search") > 0);
  ui.press(Key::enter);
  ui.step();
  ui.step();
  CHECK(ui.ws.searching);
  ui.type("lane 13");
  ui.press(Key::enter);
  ui.step();
  CHECK(ui.selected() == "lane 13");
}

TEST_CASE("links of a lesson and stops of a way are reached, and scrolled to") {
  Ui ui;
  trace::Trace trace = recorded::way();
  trace.header.program = "05_made_up";
  ui.open(std::move(trace));
  std::vector<std::string> lines(80, "");
  lines.push_back("See A[9][5], and `./learn view 5`.");
  ui.ws.lesson = {"README.md", std::move(lines)};
  ui.ws.tab = TextTab::lesson;
  show(ui.ws, Shows::fragments);
  ui.step();
  ui.step();
  REQUIRE(ring_to(ui, "link A[9][5]") > 0);
  ui.step();
  CHECK(ui.where("link A[9][5]").top < 920);
  ui.press(Key::enter);
  ui.step();
  CHECK(ui.selected() == "A 9,5");
  REQUIRE(ring_to(ui, "way 1") > 0);
  ui.press(Key::enter);
  ui.step();
  CHECK(ui.ws.shows == Shows::steps);
  CHECK(selected_words(ui.ws) == "warp 0 step 3");
}

TEST_CASE("every button that has a hint, on every page, is in the ring or has keys of its own") {
  const std::set<std::string> keys{"multiplication", "tile", "other", "scrub", "split"};
  Ui ui(1440, 2400);
  ui.ws.lesson = {"README.md", {"words"}};
  ui.open(recorded::everything());
  const auto look = [&ui, &keys] {
    for (int frame = 0; frame < 3; ++frame) ui.step();
    for (const auto& [name, box] : ui.ws.probes->boxes) {
      if (hint_of(name).empty() || keys.count(name) != 0) continue;
      const Box b = box;
      const bool found = std::any_of(
          ui.ws.ring.drawn.begin(), ui.ws.ring.drawn.end(), [&b](const KeyRing::Stop& stop) {
            return std::fabs(stop.box.left - b.left) < 1 && std::fabs(stop.box.top - b.top) < 1;
          });
      CHECK_MESSAGE(found, name);
    }
  };
  for (const Shows shows : {Shows::fragments, Shows::memory, Shows::steps, Shows::pipeline}) {
    show(ui.ws, shows);
    look();
  }
  for (const Page page : {Page::atlas, Page::swizzle, Page::descriptor}) {
    go_to(ui.ws, page);
    look();
  }
}

TEST_CASE("the keys and the list of traces do not lie over each other") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.type("?");
  CHECK(ui.ws.show_keys);
  ui.type("o");
  CHECK(ui.ws.show_traces);
  CHECK_FALSE(ui.ws.show_keys);
  ui.type("?");
  CHECK(ui.ws.show_keys);
  CHECK_FALSE(ui.ws.show_traces);
}

TEST_CASE("under a sheet and in the quiz there is no ring") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.press(Key::tab, true);
  CHECK(ui.ws.ring.on);
  ui.type("?");
  ui.step();
  CHECK_FALSE(ui.ws.ring.on);
  ui.press(Key::tab, true);
  CHECK_FALSE(ui.ws.ring.on);
}

}  // namespace lanescope::viz

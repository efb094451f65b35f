// SPDX-License-Identifier: MIT
// What diagnose says of the selected operand, in the inspector and on the cells.
#include <doctest/doctest.h>

#include "tests/trace/mistaken.hpp"
#include "tests/viz/recorded_sums.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

trace::Trace exchanged() {
  return recorded::loads(
      [](int lane, int reg) { return recorded::right_a(lane, reg % 2 * 2 + reg / 2); },
      recorded::right_b);
}

constexpr const char* kExchanged = "verdict: registers A.r1 and A.r2 are exchanged";
// Of the legend: with room for words, and without.
bool says_wrong(const Ui& ui) {
  return ui.drawn("legend: not where it belongs") || ui.drawn("legend: misplaced");
}

}  // namespace

TEST_CASE(
    "the mistake of the selected operand has its name, and leads to the first wrong element") {
  Ui ui;
  ui.open(exchanged());
  show(ui.ws, Shows::fragments);
  ui.step();
  ui.step();
  CHECK(ui.ws.steps.verdict.all == nullptr);  // nothing was asked for
  CHECK(!says_wrong(ui));
  ui.click("A 0,0");
  ui.step();
  CHECK(ui.drawn(kExchanged));
  CHECK(says_wrong(ui));
  const Verdicts* made = ui.ws.steps.verdict.all.get();
  ui.click("first wrong");
  CHECK(ui.selected() == "A 8,0");
  CHECK(ui.drawn(kExchanged));
  ui.find("lane 3 A.r1");
  CHECK(ui.drawn(kExchanged));
  ui.click("B 0,0");
  ui.step();
  CHECK(
      ui.drawn("verdict: right: column after column, 64 bytes apart, from byte 0 behind "
               "parameter 1 on"));
  CHECK(!ui.drawn(kExchanged));
  CHECK(!ui.drawn("first wrong"));
  CHECK(!says_wrong(ui));
  CHECK(ui.ws.steps.verdict.all.get() == made);  // once for a trace
  ui.find("lane 3");
  CHECK(!ui.drawn(kExchanged));
  ui.open(synthetic::trace_of({synthetic::kF16}));  // another trace, not of steps
  ui.click("A 0,0");
  ui.step();
  CHECK(!ui.drawn(kExchanged));
  CHECK(ui.ws.steps.verdict.all == nullptr);
}

TEST_CASE("of what RECORD has written down the inspector says it, too") {
  trace::Trace trace;
  trace.events.emplace_back(trace_test::fragment(trace_test::kF16, 'A', trace_test::kRight));
  trace.events.emplace_back(
      trace_test::fragment(trace_test::kF16, 'B', [](int lane, int reg, int part, layout::Element) {
        return layout::find(trace_test::kF16)->B.element(lane, (1 - reg) * 2 + part);
      }));
  const layout::Instruction& mma = *layout::find(trace_test::kF16);
  trace.events.emplace_back(trace_test::matrix("A", mma.A, 16, 16));
  trace.events.emplace_back(trace_test::matrix("B", mma.B, 16, 8));
  Ui ui;
  ui.open(std::move(trace));
  ui.click("A 0,0");
  ui.step();
  CHECK(ui.drawn("verdict: right, all 256 elements of \"A\""));
  CHECK(!says_wrong(ui));
  ui.click("B 3,3");
  ui.step();
  CHECK(ui.drawn("verdict: registers B.r0 and B.r1 are exchanged"));
  CHECK(says_wrong(ui));
  ui.click("first wrong");
  CHECK(ui.selected() == "B 0,0");
  CHECK(ui.ws.steps.verdict.all == nullptr);
}

TEST_CASE("what is wrong with a sum leads from any of its products to that one and its element") {
  recorded::Summed upside_down;
  upside_down.d = [](int lane, int reg) {
    return (lane / 4 + (1 - reg / 2) * 8) * recorded::kDApart + (lane % 4 * 2 + reg % 2) * 4;
  };
  Ui ui;
  ui.open(recorded::summed(upside_down));
  show(ui.ws, Shows::fragments);
  ui.step();
  ui.step();
  ui.click("D 3,3");
  ui.step();
  CHECK(ui.ws.current == 0);
  CHECK(!says_wrong(ui));  // the cells are those of another product
  ui.click("first wrong");
  ui.step();
  CHECK(ui.ws.current == 1);
  CHECK(ui.selected() == "D 0,0");
  CHECK(says_wrong(ui));
}

}  // namespace lanescope::viz

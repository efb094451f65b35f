// SPDX-License-Identifier: MIT
// From the step of an mma to its matrices, and back, in a trace that no kernel recorded fragments
// in.
#include <doctest/doctest.h>

#include "tests/viz/recorded.hpp"
#include "tests/viz/tensor_trace.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

// Of recorded::way the steps alone, twice: one warp's mma, then another's.
trace::Trace steps_alone() {
  trace::Trace trace = recorded::way();
  std::erase_if(trace.events, [](const trace::Event& event) {
    return std::holds_alternative<trace::Fragment>(event) ||
           std::holds_alternative<trace::View>(event);
  });
  for (trace::Event& event : trace.events)
    if (auto* step = std::get_if<trace::Step>(&event))
      for (trace::Write& write : step->writes) write.watch.clear();
  const std::vector<trace::Event> first = trace.events;
  for (trace::Event event : first) {
    if (auto* step = std::get_if<trace::Step>(&event)) step->place.warp = 1;
    if (auto* access = std::get_if<trace::Access>(&event)) access->place.warp = 1;
    trace.events.push_back(std::move(event));
  }
  return trace;
}

}  // namespace

TEST_CASE("a step of an mma has a button that leads to its matrices, f and i lead there and back") {
  Ui ui;
  ui.open(steps_alone());
  CHECK(ui.ws.shows == Shows::steps);  // of which the matrices are made
  REQUIRE(ui.ws.model.multiplications.size() == 2);
  search(ui.ws, "step 4");
  ui.step();
  ui.step();
  CHECK(!ui.drawn("matrices"));  // an ldmatrix
  search(ui.ws, "warp 1 step 5");
  ui.step();
  ui.step();
  ui.click("matrices");
  CHECK(ui.ws.shows == Shows::fragments);
  CHECK(ui.ws.current == 1);
  ui.step();
  ui.click("A 9,5");
  ui.step();
  CHECK(ui.drawn("way 3"));     // it is known who wrote it, though nothing says A.r1
  CHECK(!ui.drawn("written"));  // the way says it

  ui.type("i");
  ui.step();
  ui.click("watch 3");  // D.r3
  CHECK(ui.ws.shows == Shows::fragments);
  CHECK(ui.ws.current == 1);
  CHECK(ui.ws.selection.operand == 'D');
  CHECK(ui.ws.selection.register_index == 3);

  show_multiplication(ui.ws, 0);
  ui.type("i");
  CHECK(ui.ws.shows == Shows::steps);
  CHECK(words_of(ui.ws.steps.list, ui.ws.steps.place) == "warp 0 step 5");
  search(ui.ws, "warp 1 step 5");
  ui.type("f");
  CHECK(ui.ws.current == 1);
}

TEST_CASE("each tcgen05.mma of a sum leads to D in tensor memory, a lane of which is no thread") {
  Ui ui;
  ui.open(recorded::tensor_trace(recorded::kTensorWarps));
  search(ui.ws, "warp 0 step 5");  // the first of two
  ui.step();
  ui.step();
  ui.click("matrices");
  CHECK(ui.ws.shows == Shows::fragments);
  ui.step();
  CHECK(ui.drawn("warp: 4 warps"));
  ui.click("D 25,3");
  ui.step();
  CHECK(ui.ws.selection.thread == 41);
  CHECK(ui.drawn("way 2"));  // left there, brought, arrived
  search(ui.ws, "B 9,5");
  ui.step();
  CHECK(ui.ws.selection.operand == 'B');
  CHECK(ui.drawn("way 0"));
}

}  // namespace lanescope::viz

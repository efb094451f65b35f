// SPDX-License-Identifier: MIT
// What the checker, or the end of a launch, says of an instruction is found at its steps.
#include <doctest/doctest.h>

#include "panels/steps/step_search.hpp"
#include "tests/viz/recorded.hpp"

namespace lanescope::viz {
namespace {

// Of line 52 of PTX, which warp 0 executes as its step 11; of a launch that was not recorded.
trace::Trace said_of_a_step() {
  trace::Trace trace = recorded::steps();
  int line = 50;
  for (trace::Event& event : trace.events)
    if (auto* step = std::get_if<trace::Step>(&event)) step->ptx_line = ++line;
  trace::Diagnostic race;
  race.kind = "race-read-after-write";
  race.message = "ld reads shared memory that was written at line 7.";
  race.ptx_line = 52;
  race.source = {"lesson.cu", 8};
  race.place.launch = 3;
  trace.events.emplace_back(race);
  return trace;
}

}  // namespace

TEST_CASE("a report is of the step with its line of PTX, and steps begin there") {
  const trace::Trace trace = said_of_a_step();
  const StepList steps = make_steps(trace);
  int marked = 0;
  for (const StepWarp& warp : steps.warps)
    for (const StepItem& item : warp.items) marked += item.said != nullptr ? 1 : 0;
  CHECK(marked == 1);
  const StepPlace place = first_said(steps);
  REQUIRE(place.item == 1);
  CHECK(words_of(steps, place) == "warp 0 step 11");
  REQUIRE(steps.warps[0].items[1].said != nullptr);
  CHECK(steps.warps[0].items[1].said->kind == "race-read-after-write");
}

TEST_CASE("a search goes from report to report, or says that there is none") {
  const trace::Trace trace = said_of_a_step(), without = recorded::steps();
  const StepPlace found = find_step(make_steps(trace), {1, 0, {}}, "report");
  CHECK(found.error == "");
  CHECK(found.warp == 0);
  CHECK(found.item == 1);
  const StepPlace none = find_step(make_steps(without), {1, 0, {}}, "report");
  CHECK(none.error == "the checker says nothing of these steps");
  CHECK(none.warp == 1);
}

TEST_CASE("a report of another file, or of no line, is of no step") {
  trace::Trace trace = said_of_a_step();
  auto& race = std::get<trace::Diagnostic>(trace.events.back());
  race.source.file = "another.cu";
  CHECK(first_said(make_steps(trace)).item == -1);
  race.source.file = "lesson.cu";
  race.ptx_line = 0;
  CHECK(first_said(make_steps(trace)).item == -1);
  CHECK(first_said({}).item == -1);
}

}  // namespace lanescope::viz

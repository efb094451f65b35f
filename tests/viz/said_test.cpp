// SPDX-License-Identifier: MIT
// What the checker, or the end of a launch, says of an instruction is found at its steps.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "panels/steps/step_reports.hpp"
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

// Warp 0 writes at step 11 and again at 14, warp 3 reads at 11: the report is of the read, against
// line 8's first store.
trace::Trace race() {
  trace::Trace trace = recorded::steps();
  recorded::nth<trace::Step>(trace, 1).ptx = "st.shared.u32 [%r2], %r1;";
  recorded::nth<trace::Step>(trace, 1).ptx_line = 967;
  recorded::nth<trace::Step>(trace, 5).ptx = "@%p1 ld.shared.u32 %r6, [%r2+-128];";
  recorded::nth<trace::Step>(trace, 5).ptx_line = 978;
  recorded::nth<trace::Step>(trace, 5).source.line = 21;
  recorded::nth<trace::Step>(trace, 2).ptx_line = 967;  // another module's: a mov
  trace::Diagnostic said;
  said.kind = "race-read-after-write";
  said.message = "ld reads shared memory that was written at line 8";
  said.details = {"kernel k, CTA (0,0,0), warp 3, lane 0, shared address 0x400",
                  "PTX line 978 `@%p1 ld.shared.u32 %r6, [%r2+-128]`",
                  "against warp 0 lane 0, line 8, PTX line 967 `st.shared.u32 [%r2], %r1`"};
  said.ptx_line = 978;
  said.source = {"lesson.cu", 21};
  said.place.warp = 3;
  trace.events.emplace_back(said);
  return trace;
}

StepPlace at(const StepList& steps, const char* words) { return find_step(steps, {}, words); }

std::string other(const StepList& steps, const char* words) {
  const std::vector<StepReport> reports = reports_at(steps, at(steps, words));
  if (reports.empty() || reports[0].other.item < 0) return "none";
  return words_of(steps, reports[0].other);
}

trace::Diagnostic& report_in(trace::Trace& trace) {
  return recorded::nth<trace::Diagnostic>(trace, 0);
}

}  // namespace

TEST_CASE("both accesses of a race are marked, and lead to each other") {
  const trace::Trace trace = race();
  const StepList steps = make_steps(trace);
  std::vector<std::string> said, against;
  for (int warp = 0; warp < 2; ++warp)
    for (int item = 0; item < static_cast<int>(steps.warps[warp].items.size()); ++item) {
      const StepItem& one = steps.warps[warp].items[item];
      if (one.said != nullptr) said.push_back(words_of(steps, {warp, item, {}}));
      if (one.against != nullptr) against.push_back(words_of(steps, {warp, item, {}}));
    }
  CHECK(said == std::vector<std::string>{"warp 3 step 11"});
  CHECK(against == std::vector<std::string>{"warp 0 step 11"});
  const StepPlace read = at(steps, "warp 3 step 11"), write = at(steps, "warp 0 step 11");
  CHECK(other(steps, "warp 3 step 11") == "warp 0 step 11");
  CHECK(other(steps, "warp 0 step 11") == "warp 3 step 11");
  CHECK(other(steps, "warp 0 step 12") == "none");
  CHECK(report_text(steps, read).find("  the other access: warp 0 step 11, st.shared.u32\n") !=
        std::string::npos);
  CHECK(report_text(steps, write).starts_with("the other access of race-read-after-write: ld "));
  CHECK(report_text(steps, at(steps, "warp 0 step 12")) == "");
}

TEST_CASE("of an access in a loop the one before the report's is the other one") {
  trace::Trace trace = race();
  trace::Step again = recorded::nth<trace::Step>(trace, 1);  // behind the read
  again.step = 15;
  trace.events.emplace_back(again);
  StepList steps = make_steps(trace);
  CHECK(other(steps, "warp 3 step 11") == "warp 0 step 11");
  again.step = 9;
  trace.events.insert(trace.events.begin(), again);
  steps = make_steps(trace);
  CHECK(other(steps, "warp 3 step 11") == "warp 0 step 11");
  CHECK(other(steps, "warp 0 step 15") == "warp 3 step 11");
  // A copy is no warp's: what is nearest, whoever did it.
  trace::Diagnostic& said = report_in(trace);
  said.details[2] = "against a bulk copy, line 8, PTX line 967 `st.shared.u32 [%r2], %r1`";
  steps = make_steps(trace);
  CHECK(other(steps, "warp 3 step 11") == "warp 0 step 11");
  // A long name is cut in a report.
  said.details[2] = "against warp 0 lane 0, line 8, PTX line 967 `st.sha...`";
  CHECK(other(make_steps(trace), "warp 3 step 11") == "warp 0 step 11");
  said.details[2] = "against warp 0 lane 0, line 8, PTX line 967 `st.glo...`";
  CHECK(other(make_steps(trace), "warp 3 step 11") == "none");
  said.details[2] = "against warp 0 lane 0, line 8, PTX line `";
  CHECK(other(make_steps(trace), "warp 3 step 11") == "none");
}

TEST_CASE("the field for the other access comes before the words, and need not be guessed") {
  trace::Trace trace = race();
  const std::string words = report_in(trace).details.back();
  report_in(trace).against = {
      {{0, 0, 0}, 0, 4, "st.shared.u32 [%r2], %r1;", 967, {"lesson.cu", 8}}};
  report_in(trace).details.pop_back();
  CHECK(other(make_steps(trace), "warp 3 step 11") == "warp 0 step 11");
  CHECK(other(make_steps(trace), "warp 0 step 11") == "warp 3 step 11");
  // An instruction of that line, but of another file; one whose name goes on.
  report_in(trace).against[0].source.file = "another.cu";
  CHECK(other(make_steps(trace), "warp 3 step 11") == "none");
  report_in(trace).against[0].source.file = "lesson.cu";
  report_in(trace).against[0].ptx = "st.shared [%r2], %r1;";
  report_in(trace).details.push_back(words);
  CHECK(other(make_steps(trace), "warp 3 step 11") == "none");
}

TEST_CASE("of two blocks the one that the field names has the other access") {
  trace::Trace trace = race();
  trace::Step again = recorded::nth<trace::Step>(trace, 1);
  again.place.block = {2, 0, 0};
  trace.events.insert(trace.events.begin(), again);
  report_in(trace).against = {
      {{2, 0, 0}, 0, 4, "st.shared.u32 [%r2], %r1;", 967, {"lesson.cu", 8}}};
  const StepList steps = make_steps(trace);
  const std::vector<StepReport> reports = reports_at(steps, at(steps, "warp 3 step 11"));
  REQUIRE(reports.size() == 1);
  CHECK(steps.warps[static_cast<std::size_t>(reports[0].other.warp)].block ==
        std::array<int, 3>{2, 0, 0});
}

TEST_CASE("all that is said of an instruction is said at its steps, its own first") {
  trace::Trace trace = race();
  trace::Diagnostic second = report_in(trace), third = second;
  second.kind = "uninitialised-shared";
  second.details.clear();
  third.kind = "race-write-after-read";  // of the store, against the load
  third.ptx_line = 967;
  third.place.warp = 0;
  third.source = {"lesson.cu", 8};
  third.details = {"against warp 3 lane 0, line 21, PTX line 978 `@%p1 ld.shared.u32 %r6`"};
  trace.events.emplace_back(third);
  trace.events.emplace_back(second);
  const StepList steps = make_steps(trace);
  const std::vector<StepReport> reports = reports_at(steps, at(steps, "warp 3 step 11"));
  REQUIRE(reports.size() == 3);
  CHECK(reports[0].said->kind == "race-read-after-write");
  CHECK(reports[1].said->kind == "uninitialised-shared");
  CHECK(reports[1].other.item == -1);
  CHECK(reports[2].said->kind == "race-write-after-read");
  CHECK_FALSE(reports[2].own);
  CHECK(words_of(steps, reports[2].other) == "warp 0 step 11");
  const std::string text = report_text(steps, at(steps, "warp 3 step 11"));
  CHECK(text.find("uninitialised-shared: ") != std::string::npos);
  CHECK(text.find("the other access of race-write-after-read: ") != std::string::npos);
  CHECK(reports_at(steps, at(steps, "warp 0 step 12")).empty());
}

TEST_CASE("at a step of another warp both accesses are named, of the warps that were seen") {
  trace::Trace trace = race();
  trace::Step load = recorded::nth<trace::Step>(trace, 5),
              store = recorded::nth<trace::Step>(trace, 1);
  load.place.warp = store.place.warp = 2;
  load.step = 5, store.step = 8;
  trace.events.insert(trace.events.begin(), {load, store});
  StepList steps = make_steps(trace);
  CHECK(words_of(steps, first_said(steps)) == "warp 3 step 11");  // not the first of all
  std::vector<StepReport> reports = reports_at(steps, at(steps, "warp 2 step 5"));
  REQUIRE(reports.size() == 1);
  CHECK(seen_text(steps, reports[0].seen) == "seen in warp 3 step 11, ld.shared.u32");
  CHECK(words_of(steps, reports[0].other) == "warp 0 step 11");
  CHECK(report_text(steps, at(steps, "warp 2 step 5")).find("  seen in warp 3 step 11, ") !=
        std::string::npos);
  reports = reports_at(steps, at(steps, "warp 2 step 8"));
  REQUIRE(reports.size() == 1);
  CHECK_FALSE(reports[0].own);
  CHECK(words_of(steps, reports[0].seen) == "warp 0 step 11");
  CHECK(words_of(steps, reports[0].other) == "warp 3 step 11");
  for (const char* one : {"warp 3 step 11", "warp 0 step 11"})
    CHECK(reports_at(steps, at(steps, one))[0].seen.item == -1);  // these are the two
  // Where the steps of that warp are not recorded, nothing is said to have been seen elsewhere.
  report_in(trace).place.warp = 7;
  steps = make_steps(trace);
  CHECK(reports_at(steps, at(steps, "warp 2 step 5"))[0].seen.item == -1);
  CHECK(words_of(steps, first_said(steps)) == "warp 2 step 5");
}

TEST_CASE("of a loop, the turn that touches the report's address") {
  trace::Trace trace = race();
  const auto access = [&trace](int warp, std::int64_t step, std::uint32_t from) {
    trace::Access made;
    made.place = {0, {0, 0, 0}, warp};
    made.step = step;
    made.instruction = "ld.shared.u32";
    for (std::uint32_t lane = 0; lane < 32; ++lane) made.addresses.push_back(from + 4 * lane);
    trace.events.emplace_back(made);
  };
  trace::Step again = recorded::nth<trace::Step>(trace, 5);
  access(3, 11, 0x480);
  again.step = 12;
  trace.events.emplace_back(again);
  access(3, 12, 0x400);  // the report is of 0x400
  const StepList steps = make_steps(trace);
  CHECK(words_of(steps, first_said(steps)) == "warp 3 step 12");
  CHECK(words_of(steps, reports_at(steps, at(steps, "warp 3 step 11"))[0].seen) ==
        "warp 3 step 12");
  CHECK(other(steps, "warp 0 step 11") == "warp 3 step 12");
  trace::Trace more = trace;
  again.step = 13;
  more.events.emplace_back(again);
  trace::Access there = std::get<trace::Access>(trace.events.back());
  there.step = 13;
  more.events.emplace_back(there);
  const StepList both = make_steps(more);  // of two turns that touch it, either may be meant
  CHECK(reports_at(both, at(both, "warp 3 step 12"))[0].seen.item == -1);
  trace.events.pop_back();
  access(3, 12, 0x404);  // behind it
  CHECK(words_of(make_steps(trace), first_said(make_steps(trace))) == "warp 3 step 11");
}

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

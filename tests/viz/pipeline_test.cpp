// SPDX-License-Identifier: MIT
// The pipeline's times, worked out by hand: who waits from when to when, for whom, and what each
// stage is in between.
#include "panels/pipeline/pipeline.hpp"

#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <vector>

#include "panels/pipeline/pipeline_text.hpp"
#include "panels/steps/step_text.hpp"
#include "panels/steps/steps.hpp"
#include "tests/viz/recorded.hpp"

namespace lanescope::viz {
namespace {

TEST_CASE("a wait lasts until what it waits for is there") {
  const trace::Trace trace = recorded::pipeline();
  const Pipeline p = make_pipeline(trace, 20);
  REQUIRE(p.warps.size() == 2);
  // The copy of step 3 is there at 23: warp 1 waits from 1 to 23.
  REQUIRE(p.warps[1].waits.size() == 2);
  const WaitSpan& first = p.warps[1].waits[0];
  CHECK(first.begin == 1);
  CHECK(first.end == 23);
  CHECK(first.by_copy);
  CHECK(first.cause == 0);
  CHECK(wait_text(p, p.warps[1], first) ==
        "warp 1 waits for mbarrier 0x0, phase 0: for a copy of warp 0, 22 ticks");
  // It arrives at empty 8 instructions later, at 31: until then warp 0 waits, from 5.
  REQUIRE(p.warps[0].waits.size() == 1);
  CHECK(p.warps[0].waits[0].begin == 5);
  CHECK(p.warps[0].waits[0].end == 31);
  CHECK(p.warps[0].waits[0].cause == 1);
  CHECK_FALSE(p.warps[0].waits[0].by_copy);
  // Its second copy starts two instructions later, at 33, and is there at 53; warp 1 waits from 32.
  CHECK(p.warps[1].waits[1].begin == 32);
  CHECK(p.warps[1].waits[1].end == 53);
  CHECK(p.warps[0].end == 26 + 10);
  CHECK(p.warps[1].end == 22 + 21 + 14);
  CHECK(p.end == 57);
}

TEST_CASE("a stage is filled, full, in use, empty") {
  const trace::Trace trace = recorded::pipeline();
  const Pipeline p = make_pipeline(trace, 20);
  REQUIRE(p.stages.size() == 1);
  const StageLine& stage = p.stages[0];
  CHECK(stage.name == "mbarrier 0x0");
  CHECK(stage.freed_by == "mbarrier 0x8");
  CHECK(stage.address == 128);
  REQUIRE(stage.spans.size() == 4);
  const auto is = [&](std::size_t k, StageState state, double begin, double end) {
    CAPTURE(k);
    CHECK(stage.spans[k].state == state);
    CHECK(stage.spans[k].begin == begin);
    CHECK(stage.spans[k].end == end);
  };
  is(0, StageState::filling, 3, 23);
  is(1, StageState::consumed, 23, 31);  // taken at once: warp 1 was waiting
  is(2, StageState::filling, 33, 53);
  is(3, StageState::consumed, 53, 57);
  CHECK(stage.spans[0].bytes == 256);
  CHECK(stage_text(p, stage, stage.spans[0]) ==
        "mbarrier 0x0, phase 0: being filled for 20 ticks, 256 bytes by warp 0");
}

TEST_CASE("an mbarrier that is ended and begun again counts its phases anew") {
  trace::Trace trace;
  const auto add = [&trace](int warp, std::int64_t step, const char* action, std::int64_t phase) {
    trace.events.emplace_back(recorded::sync(warp, step, action, "mbarrier 0x0", phase));
    auto& sync = std::get<trace::Sync>(trace.events.back());
    if (std::string(action) == "copy" || std::string(action) == "land") sync.address = 128;
  };
  for (const int begin : {0, 100}) {  // both times phases 0 and 1, and the same addresses
    for (int phase = 0; phase < 2; ++phase) {
      const int at = begin + phase * 40;
      for (const char* action : {"expect", "arrive", "copy", "land", "complete"})
        add(0, at, action, phase);
      add(1, at + 30, "pass", phase);
    }
  }
  const Pipeline p = make_pipeline(trace, 20);
  REQUIRE(p.stages.size() == 1);
  std::vector<std::tuple<StageState, double, double, std::int64_t>> told;
  for (const StageSpan& span : p.stages[0].spans)
    told.emplace_back(span.state, span.begin, span.end, span.phase);
  using S = StageState;
  CHECK(told == decltype(told){{S::filling, 0, 20, 0},
                               {S::full, 20, 30, 0},
                               {S::consumed, 30, 40, 0},
                               {S::filling, 40, 60, 1},
                               {S::full, 60, 70, 1},
                               {S::consumed, 70, 100, 1},
                               {S::filling, 100, 120, 0},
                               {S::full, 120, 130, 0},
                               {S::consumed, 130, 140, 0},
                               {S::filling, 140, 160, 1},
                               {S::full, 160, 170, 1},
                               {S::consumed, 170, 171, 1}});
}

TEST_CASE("fast copies: the stage waits for its user, not the other way round") {
  trace::Trace trace = recorded::pipeline();
  // Warp 1 comes late: at its step 9 instead of 1.
  for (trace::Event& event : trace.events)
    if (auto* sync = std::get_if<trace::Sync>(&event))
      if (sync->place.warp == 1 && sync->step == 1) sync->step = 9;
  const Pipeline p = make_pipeline(trace, 0);
  REQUIRE(p.warps[1].waits.size() == 1);  // for the second copy alone, which comes a tick late
  CHECK(p.warps[1].waits[0].begin == 10);
  CHECK(p.warps[1].waits[0].end == 11);
  REQUIRE(p.stages.size() == 1);
  CHECK(p.stages[0].spans[0].state == StageState::full);
  CHECK(p.stages[0].spans[0].begin == 3);
  CHECK(p.stages[0].spans[0].end == 9);
}

TEST_CASE("a wait for a group of any number is looked up, not counted to") {
  trace::Trace trace;
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  trace.events.emplace_back(recorded::sync(0, 1, "copy", "cp.async", kFar - 1));
  trace.events.emplace_back(recorded::sync(0, 2, "wait", "cp.async", kFar));
  trace.events.emplace_back(recorded::sync(0, 2, "pass", "cp.async", kFar));
  const Pipeline p = make_pipeline(trace, 20);
  REQUIRE(p.warps.size() == 1);
  REQUIRE(p.warps[0].waits.size() == 1);
  CHECK(p.warps[0].waits[0].end == 21);
}

TEST_CASE("who waits for whom is added up, the longest first") {
  const trace::Trace trace = recorded::pipeline();
  const Pipeline p = make_pipeline(trace, 20);
  REQUIRE(p.sums.size() == 2);
  CHECK(sum_text(p, p.sums[0]) == "warp 1 for a copy of warp 0, mbarrier 0x0: 2 times, 43 ticks");
  CHECK(sum_text(p, p.sums[1]) == "warp 0 for warp 1, mbarrier 0x8: 1 time, 26 ticks");
}

TEST_CASE("a wait that never ends lasts to the end of the trace") {
  trace::Trace trace = recorded::pipeline();
  trace.events.emplace_back(recorded::sync(1, 13, "wait", "mbarrier 0x0", 2));
  const Pipeline p = make_pipeline(trace, 20);
  REQUIRE(p.warps[1].waits.size() == 3);
  CHECK(p.warps[1].waits[2].for_ever);
  CHECK(p.sums.back().for_ever);
  CHECK(pipeline_text(p, 100).find("warp 1 for ever: the trace ends first, mbarrier 0x0") !=
        std::string::npos);
}

TEST_CASE("a barrier keeps all until the last has come") {
  trace::Trace trace;
  for (int warp = 0; warp < 3; ++warp)
    trace.events.emplace_back(recorded::sync(warp, 10 * (warp + 1), "arrive", "bar 0", 0));
  for (int warp = 0; warp < 3; ++warp)
    trace.events.emplace_back(recorded::sync(warp, 10 * (warp + 1), "pass", "bar 0", 0));
  const Pipeline p = make_pipeline(trace);
  CHECK(p.warps[0].waits.at(0).end - p.warps[0].waits.at(0).begin == 20);
  CHECK(p.warps[1].waits.at(0).end - p.warps[1].waits.at(0).begin == 10);
  CHECK(p.warps[2].waits.empty());
  CHECK(p.warps[0].waits[0].cause == 2);
  CHECK(sum_text(p, p.sums[0]) == "warps 0 to 1 for warp 2, bar 0: 2 times, 30 ticks");
  CHECK_FALSE(p.copies);
  CHECK(title_of(p) == "launch 0, block 0,0,0: 3 warps");
  CHECK(pipeline_text(p, 100).find("an instruction takes one; no card's clock\n") !=
        std::string::npos);
  CHECK(make_pipeline(recorded::pipeline(), 0).copies);  // however fast they are
}

TEST_CASE("groups of cp.async are the warp's own, and stages are known by their address") {
  trace::Trace trace;
  for (int group = 0; group < 4; ++group)
    trace.events.emplace_back(
        recorded::sync(0, group, "copy", "cp.async", group, 512, group % 2 * 0x800));
  trace.events.emplace_back(recorded::sync(0, 10, "pass", "cp.async", 1));
  trace.events.emplace_back(recorded::sync(0, 20, "pass", "cp.async", 3));
  const Pipeline p = make_pipeline(trace, 30);
  REQUIRE(p.stages.size() == 2);
  CHECK(p.stages[0].name == "cp.async 0x0");
  CHECK(p.stages[1].name == "cp.async 0x800");
  // Group 1 began at 1 and is there at 31; the wait of step 10 lasts 21. Group 3 is then there,
  // too.
  REQUIRE(p.warps[0].waits.size() == 1);
  CHECK(p.warps[0].waits[0].end == 31);
  CHECK(p.warps[0].waits[0].phase == 1);
  CHECK(wait_text(p, p.warps[0], p.warps[0].waits[0])
            .find("waits for cp.async, group 1: for a copy") != std::string::npos);
  CHECK(stage_text(p, p.stages[0], p.stages[0].spans[0]).find("cp.async 0x0, group 0: ") == 0);
}

TEST_CASE("where a line ends early, because the trace lacks the warp's steps, that is said") {
  trace::Trace trace = recorded::pipeline();
  CHECK(unstepped_text(make_pipeline(trace)) ==
        "Of warps 0 to 1 the trace has no steps: each line ends with the last wait or arrival.");
  trace.events.emplace_back(recorded::step(0, 40, "exit;", 9));
  const Pipeline p = make_pipeline(trace);
  const std::string of_one =
      "Of warp 1 the trace has no steps: its line ends with the last wait or arrival.";
  CHECK(unstepped_text(p) == of_one);
  CHECK(pipeline_text(p, 100).find("\n" + of_one + "\n") != std::string::npos);
  trace.events.emplace_back(recorded::step(1, 40, "exit;", 9));
  CHECK(unstepped_text(make_pipeline(trace)).empty());
  CHECK(pipeline_text(make_pipeline(trace), 100).find("no steps") == std::string::npos);
}

TEST_CASE("the picture in letters") {
  const trace::Trace trace = recorded::pipeline();
  const std::string text = pipeline_text(make_pipeline(trace, 20), 71);  // a column a tick
  CHECK(text.find("launch 0, block 0,0,0: 2 warps, 1 stage\n"
                  "time: 57 ticks from left to right; an instruction takes one, a copy 20 ticks") ==
        0);
  CHECK(text.find("warp 0        =====..........................=====") != std::string::npos);
  CHECK(text.find("warp 1        =......................=========....") != std::string::npos);
  CHECK(text.find("mbarrier 0x0     >>>>>>>>>>>>>>>>>>>>========  >>>>") != std::string::npos);
  CHECK(make_pipeline(trace::Trace{}).empty());
  CHECK(pipeline_text({}, 80).find("no sync events") == 0);
}

TEST_CASE("an mbarrier has the name of its variable, where the steps take its address") {
  trace::Trace trace = recorded::pipeline();  // mbarriers 0x0 and 0x8
  const auto mov = [](const char* ptx, std::uint64_t value) {
    trace::Write write = recorded::write("%r9");
    for (std::uint64_t& word : write.lanes) word = value;
    return recorded::step(0, 0, ptx, 3, {write});
  };
  const auto first_sum = [&] { return make_pipeline(trace).sums.at(0).object; };
  CHECK(first_sum() == "mbarrier 0x0");
  trace.events.insert(trace.events.begin(), mov("mov.u32 %r9, _ZZ4ringPiE4full;", 0));
  CHECK(first_sum() == "full[0]");
  Pipeline p = make_pipeline(trace);
  CHECK(p.stages.at(0).name == "full[0]");
  CHECK(p.stages.at(0).freed_by == "full[1]");  // nothing says that another variable begins there
  CHECK(sum_text(p, p.sums[1]) == "warp 0 for warp 1, full[1]: 1 time, 70 ticks");
  trace.events.insert(trace.events.begin(), mov("mov.u32 %r9, _ZZ4ringPiE5empty;", 8));
  p = make_pipeline(trace);
  CHECK(p.stages.at(0).name == "full");
  CHECK(p.stages.at(0).freed_by == "empty");
  CHECK(pipeline_text(p, 100).find("mbarrier") == std::string::npos);
  // In dynamic shared memory a variable has no name but what the program said (WATCH_SHARED).
  trace = recorded::pipeline();
  const auto said = [&](const char* name, std::uint64_t value) {
    trace::Event event = mov("mov.b32 watch_it, %r9;", value);
    std::get<trace::Step>(event).writes[0].name = name;
    trace.events.insert(trace.events.begin(), event);
  };
  said("watch_full", 0);
  CHECK(first_sum() == "full[0]");
  said("watch_empty", 8);
  CHECK(make_pipeline(trace).stages.at(0).freed_by == "empty");
  CHECK(first_sum() == "full");
  // The steps say it where an mbarrier's address is read.
  trace.events.push_back(mov("add.s32 %r9, %r8, 8;", 8));
  trace.events.push_back(recorded::step(0, 7, "mbarrier.try_wait.parity.b64 %p1, [%r9], 0;", 4,
                                        {recorded::write("%p1")}));
  const StepList steps = make_steps(trace);
  CHECK(steps.mbarriers == std::map<std::uint64_t, std::string>{{0, "full"}, {8, "empty"}});
  const StepPlace wait{0, static_cast<int>(steps.warps.at(0).items.size()) - 1, {}};
  CHECK(step_text(steps, wait).find("8 in every lane: empty") != std::string::npos);
  // In a cluster an address has the rank of its CTA above, the object's name has not.
  trace.events.push_back(mov("add.s32 %r9, %r8, 8;", 0x2000008));
  trace.events.push_back(recorded::step(0, 8, "mbarrier.try_wait.parity.b64 %p1, [%r9], 0;", 4,
                                        {recorded::write("%p1")}));
  const StepList more = make_steps(trace);
  const StepPlace other{0, static_cast<int>(more.warps.at(0).items.size()) - 1, {}};
  CHECK(step_text(more, other).find("every lane: empty of rank 2") != std::string::npos);
  trace = recorded::pipeline();
  said("watch_full", 0x1000000);
  said("watch_empty", 0x1000008);
  CHECK(first_sum() == "full");
  // A variable that does not begin with an mbarrier lends nobody its name; nor does a number.
  trace = recorded::pipeline();
  for (trace::Event& event : trace.events)
    if (auto* sync = std::get_if<trace::Sync>(&event); sync && sync->object == "mbarrier 0x0")
      sync->object = "mbarrier 0x10";
  trace.events.insert(trace.events.begin(), mov("mov.u32 %r9, tiles;", 0));
  trace.events.insert(trace.events.begin(), mov("mov.u32 %r9, 16;", 16));
  trace.events.insert(trace.events.begin(), mov("mov.u32 %r9, %r8;", 16));
  CHECK(first_sum() == "mbarrier 0x10");
}

}  // namespace
}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// To how many sectors of global memory a step goes, as its window and its text say; worked out by
// hand from the addresses.
#include "panels/steps/sector_facts.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "panels/steps/step_text.hpp"
#include "tests/viz/recorded.hpp"

namespace lanescope::viz {
namespace {

/// %rd1 is 0x1000 + `apart` * lane; then the instruction, for the lanes in `active`. %r5 is the
/// lane's number from 16 on, and 0 below; %p1 is true there.
trace::Trace access(const std::string& ptx, std::uint64_t apart, std::uint32_t active = ~0u) {
  trace::Trace trace;
  trace.header = {1, "emulator", "Lanescope emulator", "sm_90a", "access", ""};
  trace::Write address{"%rd1", "", 64, {}}, upper{"%r5", "", 32, {}}, is_upper{"%p1", "", 1, {}};
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    address.lanes.push_back(0x1000 + apart * lane);
    upper.lanes.push_back(lane < 16 ? 0 : lane);
    is_upper.lanes.push_back(lane < 16 ? 0 : 1);
  }
  trace.events.emplace_back(recorded::step(0, 0, "add.s64 %rd1, %rd2, %rd3;", 1, {address}));
  trace.events.emplace_back(recorded::step(0, 1, "mov.u32 %r5, %r6;", 2, {upper}));
  trace.events.emplace_back(recorded::step(0, 2, "setp.ne.u32 %p1, %r5, 0;", 3, {is_upper}));
  trace::Step last = recorded::step(0, 3, ptx, 4);
  last.active = active;
  trace.events.emplace_back(last);
  return trace;
}

std::string said(const std::string& ptx, std::uint64_t apart, std::uint32_t active = ~0u) {
  const trace::Trace trace = access(ptx, apart, active);
  const StepList list = make_steps(trace);
  const auto facts = sector_facts(list.warps[0], writers_of(list.warps[0]), 3);
  return facts ? facts->title : "nothing";
}

}  // namespace

TEST_CASE("an access to global memory is told with its sectors") {
  CHECK(said("ld.global.u32 %r1, [%rd1];", 4) == "4 bytes a lane: 4 sectors, as few as can be");
  CHECK(said("ld.global.u32 %r1, [%rd1+4];", 4) == "4 bytes a lane: 5 sectors, 4 would do");
  CHECK(said("ld.global.nc.u8 %r1, [%rd1];", 32) == "1 byte a lane: 32 sectors, 1 would do");
  CHECK(said("st.global.v2.f32 [%rd1], {%f1, %f2};", 8, 0xf) ==
        "8 bytes a lane: 1 sector, as few as can be");
  CHECK(said("ld.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+-16];", 16) ==
        "16 bytes a lane: 17 sectors, 16 would do");
  CHECK(said("red.global.add.f32 [%rd1], %f1;", 0) == "4 bytes a lane: 32 sectors, 1 would do");
  CHECK(said("red.global.add.noftz.f16x2 [%rd1], %r1;", 4) ==
        "4 bytes a lane: 4 sectors, as few as can be");
  CHECK(said("atom.global.add.u32 %r1, [%rd1], 1;", 4) ==
        "4 bytes a lane: 4 sectors, as few as can be");
}

TEST_CASE("cp.async shares sectors in its own way, and goes to none where it fetches nothing") {
  CHECK(said("cp.async.cg.shared.global [%r2], [%rd1], 16;", 16) ==
        "16 bytes a lane: 16 sectors, as few as can be");
  CHECK(said("cp.async.cg.shared.global [%r2], [%rd1+16], 16;", 16) ==
        "16 bytes a lane: 32 sectors, 16 would do");
  CHECK(said("cp.async.ca.shared.global [%r2], [%rd1+8], 8;", 8) ==
        "8 bytes a lane: 9 sectors, 8 would do");
  CHECK(said("cp.async.cg.shared.global [%r2], [%rd1], 16, %r5;", 16) ==
        "16 bytes a lane: 8 sectors, as few as can be");
  CHECK(
      said("cp.async.cg.shared.global [%r2], [%rd1], 16, %p1;", 16, 0x3ffff) ==
      "16 bytes a lane: 8 sectors, as few as can be");  // those below 16 are not told to ignore it
  CHECK(said("cp.async.cg.shared.global [%r2], [%rd1], 16, 0;", 16) == "nothing");
  CHECK(said("cp.async.cg.shared.global [%r2], [%rd1], 16, %r7;", 16) == "nothing");  // not known
}

TEST_CASE("what does not go to global memory, or nobody knows where, has no sectors") {
  for (const char* ptx :
       {"ld.shared.u32 %r1, [%rd1];", "ld.param.u64 %rd4, [%rd1];", "add.s64 %rd4, %rd1, 8;",
        "ld.global.u32 %r1, [%rd9];", "ld.global.u32 %r1, [words];", "cp.async.commit_group;",
        "cp.async.bulk.shared::cluster.global [%r2], [%rd1], 16, [%r3];",
        "ld.local.u32 %r1, [%rd1];", "cp.async.cg.shared.global [%r2], [%rd1], %r5;", "ret;",
        "nonsense [%rd1]"}) {
    CAPTURE(ptx);
    CHECK(said(ptx, 4) == "nothing");
  }
  CHECK(said("ld.u32 %r1, [%rd1];", std::uint64_t{1} << 47) ==
        "4 bytes a lane: 1 sector, as few as can be");  // all but lane 0 point elsewhere
}

TEST_CASE("the text of a step has its sectors") {
  const trace::Trace trace = access("ld.global.u16 %r1, [%rd1];", 64);
  const std::string text = step_text(make_steps(trace), {0, 3, ""});
  CHECK(text.find("\nglobal memory, 2 bytes a lane: 32 sectors, 2 would do\n") !=
        std::string::npos);
}

TEST_CASE("a list of steps notes which lose sectors, and words lead to them") {
  trace::Trace trace = access("ld.global.u16 %r1, [%rd1];", 64);
  trace.events.emplace_back(recorded::step(3, 0, "mov.u32 %r5, %r6;", 2));
  const StepList list = make_steps(trace);
  CHECK(steps_text(list).find(
            "ld.global.u16 %r1, [%rd1];  [2 bytes a lane: 32 sectors, 2 would do]\n") !=
        std::string::npos);
  CHECK(find_step(list, {0, 0, {}}, "sectors").item == 3);
  CHECK(find_step(list, {0, 3, {}}, "sectors").item == 3);  // the only one
  CHECK(find_step(list, {1, 0, {}}, "sectors").warp == 0);  // warp 3 has none
  CHECK(find_step(list, {1, 0, {}}, "sectors").item == 3);

  const trace::Trace apart = access("ld.global.u16 %r1, [%rd1];", 2);
  CHECK(steps_text(make_steps(apart)).find("sector") == std::string::npos);
  CHECK(find_step(make_steps(apart), {0, 1, {}}, "sectors").error ==
        "no step goes to more sectors of global memory than would do");
}

}  // namespace lanescope::viz

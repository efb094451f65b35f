// SPDX-License-Identifier: MIT
// One hop back where a value decides: selp, and shfl in each mode and in segments.
#include "panels/way/exchanges.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/viz/recorded.hpp"

namespace lanescope::viz {
namespace {

// What comes before `ptx`, to lane `lane`; %p1 is true in odd lanes, %r3 is each lane's number
// with its lowest bits exchanged. "%r1 of lane 6".
std::string before(const std::string& ptx, int lane) {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  trace::Write predicate{"%p1", "", 1, {}}, number{"%r3", "", 32, {}};
  for (std::uint64_t at = 0; at < 32; ++at) {
    predicate.lanes.push_back(at % 2);
    number.lanes.push_back(at ^ 1);
  }
  trace::Write own = predicate;  // as inline assembly calls its own
  own.name = "odd";
  trace.events.emplace_back(recorded::step(0, 0, "setp.ne.b32 %p1, %r8, 0;", 1, {predicate, own}));
  trace.events.emplace_back(recorded::step(0, 1, "xor.b32 %r3, %r9, 1;", 1, {number}));
  trace.events.emplace_back(recorded::step(0, 2, ptx, 1, {recorded::write("%d")}));
  const StepList list = make_steps(trace);
  RegisterHistory history(list);
  const auto from = before_exchange(history, 0, 2, {"%d", lane, 16});
  if (!from) return {};
  CHECK(from->bit == 16);
  return std::string(from->name) + " of lane " + std::to_string(from->lane);
}

}  // namespace

TEST_CASE("selp: the register that the predicate chose") {
  CHECK(exchanges("selp.f32"));
  CHECK(before("selp.f32 %d, %r1, %r2, %p1;", 5) == "%r1 of lane 5");
  CHECK(before("selp.f32 %d, %r1, %r2, %p1;", 4) == "%r2 of lane 4");
  CHECK(before("selp.f32 %d, %r1, %r2, odd;", 5) == "%r1 of lane 5");
  CHECK(before("selp.f32 %d, %r1, %r2, even;", 5) == "");
  CHECK(before("selp.b32 %d, %r1, 7, %p1;", 4) == "");
  CHECK(before("selp.b32 %d, 7, %r1, %p1;", 4) == "%r1 of lane 4");
  CHECK(before("selp.b32 %d, %r1, %r2, %p9;", 4) == "");
  CHECK(before("selp.b32 %d, %r1;", 4) == "");
}

TEST_CASE("shfl: the lane that it came from, by PTX ISA 9.2, 9.7.9.6") {
  CHECK(exchanges("shfl.sync.idx.b32"));
  CHECK(!exchanges("shf.l.wrap.b32"));
  CHECK(before("shfl.sync.idx.b32 %d, %r1, %r3, 31, -1;", 6) == "%r1 of lane 7");
  CHECK(before("shfl.sync.idx.b32 %d|%p2, %r1, 0, 0x1f, 0xffffffff;", 6) == "%r1 of lane 0");
  CHECK(before("shfl.sync.bfly.b32 %d, %r1, 16, 31, -1;", 6) == "%r1 of lane 22");
  CHECK(before("shfl.sync.down.b32 %d, %r1, 4, 31, -1;", 6) == "%r1 of lane 10");
  CHECK(before("shfl.sync.down.b32 %d, %r1, 4, 31, -1;", 30) == "%r1 of lane 30");
  CHECK(before("shfl.sync.up.b32 %d, %r1, 4, 0, -1;", 6) == "%r1 of lane 2");
  CHECK(before("shfl.sync.up.b32 %d, %r1, 4, 0, -1;", 3) == "%r1 of lane 3");
  // Segments of 8 lanes: mask 0x18 in bits 8 to 12.
  CHECK(before("shfl.sync.idx.b32 %d, %r1, 2, 0x181f, -1;", 21) == "%r1 of lane 18");
  CHECK(before("shfl.sync.down.b32 %d, %r1, 4, 0x181f, -1;", 21) == "%r1 of lane 21");
  CHECK(before("shfl.sync.down.b32 %d, %r1, 2, 0x181f, -1;", 21) == "%r1 of lane 23");
  CHECK(before("shfl.sync.idx.b32 %d, %r1, %r7, 31, -1;", 6) == "");
}

TEST_CASE("or: the half that it comes from, where the other one has nothing but zeros there") {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  int step = 0;
  const auto then = [&](const std::string& ptx, const char* to) {
    trace.events.emplace_back(recorded::step(0, step++, ptx, 1, {recorded::write(to)}));
  };
  then("cvt.u32.u16 %low, %rs1;", "%low");
  then("cvt.u32.u16 %r1, %rs2;", "%r1");
  then("shl.b32 %high, %r1, 16;", "%high");
  then("or.b32 %d, %high, %low;", "%d");
  then("or.b32 %e, %high, %r9;", "%e");
  then("add.s32 %f, %high, %low;", "%f");
  then("ld.global.u16 %r4, [%rd1];", "%r4");
  then("mov.u32 %r5, %r4;", "%r5");
  then("ld.global.s16 %r6, [%rd1];", "%r6");
  then("or.b32 %g, %high, %r5;", "%g");
  then("or.b32 %h, %high, %r6;", "%h");
  then("mov.u32 %r7, 0;", "%r7");
  then("or.b32 %i, %high, %r7;", "%i");
  then("shl.b32 %r8, %r7, 16;", "%r8");
  then("or.b32 %j, %r8, %low;", "%j");
  then("or.b32 %k, %low, %r8;", "%k");
  const StepList list = make_steps(trace);
  RegisterHistory history(list);
  const auto from = [&](int item, const char* of, int bit) {
    const auto spot = before_joining(history, 0, item, {of, 5, bit});
    return spot ? std::string(spot->name) + ", bit " + std::to_string(spot->bit) : std::string();
  };
  CHECK(from(3, "%d", 0) == "%low, bit 0");
  CHECK(from(3, "%d", 16) == "%high, bit 16");
  CHECK(from(4, "%e", 0) == "%r9, bit 0");
  CHECK(from(4, "%e", 16) == "");  // of either
  CHECK(from(5, "%f", 0) == "");
  CHECK(from(9, "%g", 16) == "%high, bit 16");
  CHECK(from(10, "%h", 16) == "");  // its sign
  // A zero that a guard has brought is what an element is made of, one that was shifted in is not.
  CHECK(from(12, "%i", 0) == "%r7, bit 0");
  CHECK(from(12, "%i", 16) == "%high, bit 16");
  CHECK(from(14, "%j", 16) == "%r8, bit 16");
  CHECK(from(15, "%k", 16) == "%r8, bit 16");
}

}  // namespace lanescope::viz

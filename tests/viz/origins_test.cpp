// SPDX-License-Identifier: MIT
// Products judged by where their elements came from, in traces made up of loads and one mma.
#include "panels/way/origins.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "tests/viz/recorded.hpp"

namespace lanescope::viz {
namespace {

using recorded::kApart;
using recorded::loads;
using recorded::Offset;
using recorded::right_a;
using recorded::right_b;

struct Checked {
  OriginCheck a, b;
  bool in_order = false;
};

Checked check(trace::Trace trace) {
  const Model model = make_model(std::move(trace));
  REQUIRE(model.multiplications.size() == 1);
  const StepList steps = make_steps(model.trace);
  RegisterHistory history(steps);
  Origins origins(model.trace, history);
  const Multiplication& in = model.multiplications[0];
  Checked checked{origins.check(in, 'A'), origins.check(in, 'B')};
  checked.in_order = same_order_of_k(in, checked.a, checked.b);
  return checked;
}

using trace::Verdict;

}  // namespace

TEST_CASE("loads that follow the map are right, and say how the matrices lie") {
  const Checked right = check(loads(right_a, right_b));
  CHECK(right.a.diagnosis.verdict == Verdict::right);
  CHECK(right.b.diagnosis.verdict == Verdict::right);
  CHECK(right.a.lies == "row after row, 64 bytes apart, from byte 0 behind parameter 0 on");
  CHECK(right.b.lies == "column after column, 64 bytes apart, from byte 0 behind parameter 1 on");
  CHECK(right.a.first == "");
  CHECK(right.in_order);

  // A tile in the middle of a larger matrix.
  const Checked inside =
      check(loads([](int lane, int reg) { return right_a(lane, reg) + 5 * kApart + 16; }, right_b));
  CHECK(inside.a.diagnosis.verdict == Verdict::right);
  CHECK(inside.a.lies == "row after row, 64 bytes apart, from byte 336 behind parameter 0 on");
}

TEST_CASE("the mistakes that diagnose knows are named without a value and without RECORD") {
  const Checked exchanged =
      check(loads([](int lane, int reg) { return right_a(lane, reg % 2 * 2 + reg / 2); }, right_b));
  CHECK(exchanged.a.diagnosis.verdict == Verdict::mistake);
  CHECK(exchanged.a.diagnosis.mistake == "registers A.r1 and A.r2 are exchanged");
  CHECK(exchanged.a.diagnosis.wrong == 128);
  CHECK(exchanged.a.first == "lane 0, A.r1.lo: A[8][0] belongs there, it is A[0][8]");
  CHECK(exchanged.b.diagnosis.verdict == Verdict::right);
  CHECK(!exchanged.in_order);

  const Checked forgotten =
      check(loads([](int lane, int reg) { return right_a(lane, reg / 2 * 2); }, right_b));
  CHECK(forgotten.a.diagnosis.verdict == Verdict::mistake);
  CHECK(forgotten.a.diagnosis.kind == "register-step");

  const Checked too_far =
      check(loads(right_a, [](int lane, int reg) { return right_b(lane, 2 * reg); }));
  CHECK(too_far.b.diagnosis.verdict == Verdict::mistake);
  CHECK(too_far.a.diagnosis.verdict == Verdict::right);
}

TEST_CASE("elements of 8 bits are told apart, too") {
  // Four of them in a word, which lies where a word of two f16 numbers would.
  const Checked right = check(loads(right_a, right_b, synthetic::kE4m3));
  CHECK(right.a.diagnosis.verdict == Verdict::right);
  CHECK(right.a.diagnosis.elements == 16 * 32);
  CHECK(right.b.diagnosis.verdict == Verdict::right);
  CHECK(right.a.lies == "row after row, 64 bytes apart, from byte 0 behind parameter 0 on");

  const Checked exchanged =
      check(loads([](int lane, int reg) { return right_a(lane, reg % 2 * 2 + reg / 2); },
                  [](int lane, int reg) { return right_b(lane, 2 * reg); }, synthetic::kE4m3));
  CHECK(exchanged.a.diagnosis.mistake == "registers A.r1 and A.r2 are exchanged");
  CHECK(exchanged.a.diagnosis.wrong == 256);
  CHECK(exchanged.a.first == "lane 0, A.r1.b0: A[8][0] belongs there, it is A[0][16]");
  CHECK(exchanged.b.diagnosis.kind == "register-step");

  const Checked odd =
      check(loads([](int lane, int reg) { return right_a(lane == 13 && reg == 2 ? 7 : lane, reg); },
                  right_b, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"));
  CHECK(odd.a.diagnosis.verdict == Verdict::unknown);
  CHECK(odd.a.diagnosis.wrong == 4);
}

TEST_CASE("elements that share a byte are told apart by bytes") {
  for (const auto& [mnemonic, in_byte] :
       {std::pair{"mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", 2},
        {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", 8}}) {
    CAPTURE(mnemonic);
    const Checked right = check(loads(right_a, right_b, mnemonic));
    CHECK(right.a.diagnosis.verdict == Verdict::right);
    CHECK(right.b.diagnosis.verdict == Verdict::right);
    CHECK(right.a.diagnosis.elements == 16 * 32 * in_byte);
    CHECK(right.a.lies == "row after row, 64 bytes apart, from byte 0 behind parameter 0 on");
    CHECK(right.in_order);

    const Checked exchanged =
        check(loads([](int lane, int reg) { return right_a(lane, reg % 2 * 2 + reg / 2); },
                    [](int lane, int reg) { return right_b(lane, 2 * reg); }, mnemonic));
    CHECK(exchanged.a.diagnosis.mistake == "registers A.r1 and A.r2 are exchanged");
    CHECK(exchanged.a.diagnosis.wrong == 256 * in_byte);
    CHECK(exchanged.a.first ==
          fmt::format("lane 0, A.r1.b0: A[8][0] belongs there, it is A[0][{}]", 16 * in_byte));
    CHECK(exchanged.b.diagnosis.kind == "register-step");
  }
}

TEST_CASE("what no known mistake explains is wrong, and not called right") {
  const Checked odd = check(loads(
      [](int lane, int reg) { return right_a(lane == 13 && reg == 2 ? 7 : lane, reg); }, right_b));
  CHECK(odd.a.diagnosis.verdict == Verdict::unknown);
  CHECK(odd.a.diagnosis.wrong == 2);
  CHECK(odd.a.first == "lane 13, A.r2.lo: A[3][10] belongs there, it is A[1][14]");
}

TEST_CASE("k in another order is right where A and B have the same") {
  // Each lane loads four neighbours at once: its two words are next to each other.
  const Offset wide_a = [](int lane, int reg) {
    return (lane / 4 + reg % 2 * 8) * kApart + lane % 4 * 8 + reg / 2 * 4;
  };
  const Offset wide_b = [](int lane, int reg) {
    return lane / 4 * kApart + lane % 4 * 8 + reg * 4;
  };
  CHECK(check(loads(wide_a, wide_b)).in_order);
  const Checked one = check(loads(wide_a, right_b));
  CHECK(!one.in_order);
  CHECK(one.a.diagnosis.verdict != Verdict::right);
}

TEST_CASE("a register that is rounded to tf32 came from where it was loaded") {
  const auto with = [](const char* how) {
    trace::Trace trace =
        loads(right_a, right_b, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32");
    trace::Trace longer = trace;
    longer.events.clear();
    std::int64_t number = 0;
    for (trace::Event& event : trace.events) {
      auto* step = std::get_if<trace::Step>(&event);
      const bool is_it = step != nullptr && step->ptx.starts_with("ld.global.u32 %r2");
      trace::Step converts;
      if (is_it) {
        converts = *step;
        converts.ptx = how;
        for (std::uint64_t& value : converts.writes.at(0).lanes) value += 1;  // it is rounded
        step->ptx.replace(step->ptx.find("%r2"), 3, "%r30");
        step->writes[0].name = "%r30";
      }
      if (step != nullptr) step->step = number++;
      longer.events.push_back(event);
      if (is_it) converts.step = number++, longer.events.emplace_back(converts);
    }
    return check(std::move(longer)).a.diagnosis.verdict;
  };
  CHECK(with("cvt.rna.tf32.f32 %r2, %r30;") == Verdict::right);
  CHECK(with("add.u32 %r2, %r30, 1;") == Verdict::not_compared);
  CHECK(with("cvt.rna.tf32.f32 %r2, %r31;") == Verdict::not_compared);  // nobody wrote that
}

namespace {

// m16n8k16 of f16 whose pairs are rounded out of two f32 each: `pair` has the two, as cvt names
// them, the upper one first. A's rows lie 4 * kApart bytes apart, an element has four.
trace::Trace rounded(const char* pair, const char* type = "f16x2") {
  trace::Trace trace = loads(right_a, right_b), longer = trace;
  longer.events.clear();
  std::int64_t number = 0;
  const auto add = [&](trace::Step step) {
    step.step = number++;
    longer.events.emplace_back(std::move(step));
  };
  for (const trace::Event& event : trace.events) {
    const auto* step = std::get_if<trace::Step>(&event);
    if (step == nullptr || !step->ptx.starts_with("ld.global.u32 %r")) {
      step != nullptr ? add(*step) : longer.events.push_back(event);
      continue;
    }
    const bool of_a = step->writes[0].name < "%r4";
    trace::Step address = std::get<trace::Step>(longer.events.back());
    for (std::uint64_t& at : address.writes[0].lanes)
      at = (of_a ? recorded::kA : recorded::kB) + 2 * (at - (of_a ? recorded::kA : recorded::kB));
    longer.events.back() = address;  // twice as far: an element has four bytes
    trace::Step load = *step, cvt = *step;
    load.ptx = "ld.global.v2.f32 {%f10, %f11}, [%rd9];";
    load.writes = {{"%f10", "", 32, step->writes[0].lanes},
                   {"%f11", "", 32, step->writes[0].lanes}};
    cvt.ptx = fmt::format("cvt.rn.{}.f32 {}, {};", type, step->writes[0].name, pair);
    for (std::uint64_t& value : cvt.writes[0].lanes) value = 0x3c003800;  // other bits than theirs
    add(load), add(cvt);
  }
  return longer;
}

}  // namespace

TEST_CASE("what was rounded out of wider numbers came from where those were loaded") {
  const Checked right = check(rounded("%f11, %f10"));
  CHECK(right.a.diagnosis.verdict == Verdict::right);
  CHECK(right.b.diagnosis.verdict == Verdict::right);
  CHECK(right.a.lies == "row after row, 128 bytes apart, from byte 0 behind parameter 0 on");
  CHECK(right.b.lies == "column after column, 128 bytes apart, from byte 0 behind parameter 1 on");
  REQUIRE(right.a.tile);
  CHECK(right.a.tile->bytes == 4);
  CHECK(right.in_order);

  // cvt has its first operand above.
  const Checked exchanged = check(rounded("%f10, %f11"));
  CHECK(exchanged.a.diagnosis.verdict == Verdict::mistake);
  CHECK(exchanged.a.diagnosis.wrong == 256);
  CHECK(exchanged.a.first == "lane 0, A.r0.lo: A[0][0] belongs there, it is A[0][1]");
  CHECK(exchanged.b.diagnosis.verdict == Verdict::mistake);

  CHECK(check(rounded("%f11, %f10", "e4m3x2")).a.diagnosis.verdict == Verdict::not_compared);
  CHECK(check(rounded("%f11, %f12")).a.diagnosis.mistake.find("%f12") != std::string::npos);
}

namespace {

// As a guard does: in the lanes that `outside` names, a zero is in the register instead. B's are
// 4, 5.
trace::Trace guarded(const std::function<bool(int lane, int reg)>& outside, const Offset& a,
                     const char* zero = "mov.u32 {}, 0;") {
  trace::Trace trace = loads(a, right_b), longer = trace;
  longer.events.clear();
  std::int64_t number = 0;
  for (trace::Event& event : trace.events) {
    auto* step = std::get_if<trace::Step>(&event);
    REQUIRE(step != nullptr);
    if (step->ptx.starts_with("ld.global.u32 %r")) {
      trace::Step fills = *step;
      fills.ptx = fmt::format(fmt::runtime(zero), step->writes[0].name);
      fills.step = number++;
      std::fill(fills.writes[0].lanes.begin(), fills.writes[0].lanes.end(), 0);
      longer.events.emplace_back(fills);
      for (int lane = 0; lane < 32; ++lane)
        if (outside(lane, step->writes[0].name[2] - '0')) {
          step->active &= ~(1u << lane);
          step->writes[0].lanes[static_cast<std::size_t>(lane)] = 0;
        }
    }
    step->step = number++;
    longer.events.push_back(event);
  }
  return longer;
}

}  // namespace

TEST_CASE("zeros that a guard fills in are where they belong, and counted") {
  // Rows 8 to 15 of A, and columns 6 and 7 of B, lie behind the edges of their matrices.
  const auto edge = [](int lane, int reg) { return reg < 4 ? reg % 2 == 1 : lane >= 24; };
  const Checked right = check(guarded(edge, right_a));
  CHECK(right.a.diagnosis.verdict == Verdict::right);
  CHECK(right.b.diagnosis.verdict == Verdict::right);
  CHECK(right.a.lies ==
        "row after row, 64 bytes apart, from byte 0 behind parameter 0 on, but for 128 zeros that "
        "were filled in");
  CHECK(right.b.lies.ends_with("but for 32 zeros that were filled in"));

  // What is there is judged all the same.
  const Checked exchanged = check(guarded(edge, [](int lane, int reg) {
    return right_a(lane, reg == 2 ? 0 : reg == 0 ? 2 : reg);
  }));
  CHECK(exchanged.a.diagnosis.verdict != Verdict::right);
  CHECK(exchanged.a.diagnosis.wrong == 128);

  // Without A[0][0] the lowest address is no beginning.
  const Checked pruned =
      check(guarded([](int lane, int reg) { return lane == 0 && reg == 0; }, right_a));
  CHECK(pruned.a.diagnosis.verdict == Verdict::right);
  CHECK(pruned.a.lies ==
        "row after row, 64 bytes apart, A[0][2] at byte 4 behind parameter 0, but for 2 zeros that "
        "were filled in");

  // Of a matrix with eight k, 16 bytes from row to row.
  const Checked few = check(
      guarded([](int, int reg) { return reg == 2 || reg == 3; },
              [](int lane, int reg) { return (lane / 4 + reg % 2 * 8) * 16 + lane % 4 * 4; }));
  CHECK(few.a.diagnosis.verdict == Verdict::right);
  CHECK(few.a.lies ==
        "row after row, 16 bytes apart, from byte 0 behind parameter 0 on, but for 128 zeros that "
        "were filled in");

  const Checked empty = check(guarded([](int, int reg) { return reg < 4; }, right_a));
  CHECK(empty.a.diagnosis.verdict == Verdict::not_compared);
  CHECK(empty.a.diagnosis.mistake == "A was filled up with zeros");
  CHECK(empty.b.diagnosis.verdict == Verdict::right);

  const Checked ones = check(guarded(edge, right_a, "mov.u32 {}, 1;"));
  CHECK(ones.a.diagnosis.verdict == Verdict::not_compared);
}

TEST_CASE("what has no address, or lies in no lines, is not compared") {
  trace::Trace trace = loads(right_a, right_b);
  for (trace::Event& event : trace.events)
    if (auto* step = std::get_if<trace::Step>(&event); step->ptx.starts_with("ld.global.u32 %r2"))
      step->ptx = "xor.b32 %r2, %r2, 1;";
  const Checked made = check(std::move(trace));
  CHECK(made.a.diagnosis.verdict == Verdict::not_compared);
  CHECK(made.a.diagnosis.mistake.find("where A[0][8] came from is not known: xor") == 0);
  CHECK(made.b.diagnosis.verdict == Verdict::right);

  const Checked scattered = check(loads(
      [](int lane, int reg) { return (lane * lane * 1237 + reg * 7919) % 4096 * 16; }, right_b));
  CHECK(scattered.a.diagnosis.verdict == Verdict::not_compared);
  CHECK(scattered.a.diagnosis.mistake == "A lies neither row after row nor column after column");
}

}  // namespace lanescope::viz

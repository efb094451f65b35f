// SPDX-License-Identifier: MIT
// An element followed through the steps: from global memory into the multiplication, and out of it.
#include "panels/way/way.hpp"

#include <doctest/doctest.h>

#include "panels/steps/ptx_operands.hpp"
#include "panels/way/moves.hpp"
#include "tests/viz/recorded.hpp"

namespace lanescope::viz {
namespace {

struct Told {
  Model model;
  StepList steps;
  Way way;
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const WayStop& stop : way.stops)
      all.push_back(place_of(steps, stop.place) + " " + stop.text);
    return all;
  }
};

Told told_of(trace::Trace trace, char operand, int row, int col) {
  Told told{make_model(std::move(trace)), {}, {}};
  told.steps = make_steps(told.model.trace);
  const Multiplication& in = told.model.multiplications.at(0);
  told.way = way_of(told.model.trace, told.steps, in, select_element(in, operand, row, col));
  return told;
}

trace::Step& step_of(trace::Trace& trace, std::int64_t number) {
  for (trace::Event& event : trace.events)
    if (auto* step = std::get_if<trace::Step>(&event); step != nullptr && step->step == number)
      return *step;
  FAIL("no such step");
  return std::get<trace::Step>(trace.events.front());
}

const std::string kLoad =
    "step 2 ld.global: reads it from global memory, byte 298 behind parameter 0, to lane 3, %rs1";
const std::string kStore = "step 3 st.shared: lane 3 writes it to byte 0x52a of shared memory";
const std::string kLdmatrix =
    "step 4 ldmatrix: from byte 0x52a of shared memory, lane 9's address, to lane 6, %r11 (A.r1), "
    "bits 16 to 31";
const std::string kMma = "step 5 mma: for D[9][0] to D[9][7]";

}  // namespace

TEST_CASE("A[9][5]: load, store, ldmatrix, mma, each with its byte, lane and register") {
  const Told told = told_of(recorded::way(), 'A', 9, 5);
  CHECK(told.texts() == std::vector<std::string>{kLoad, kStore, kLdmatrix, kMma});
  CHECK(told.way.before.empty());
  CHECK(told.way.stops[0].lane == 3);
  CHECK(told.way.stops[2].lane == 6);
}

TEST_CASE("a fragment that is not called as its operand has its way, too") {
  trace::Trace trace = recorded::way();
  for (trace::Event& event : trace.events) {
    if (auto* fragment = std::get_if<trace::Fragment>(&event); fragment && fragment->name == "A")
      fragment->name = "A k=16";
    if (auto* step = std::get_if<trace::Step>(&event))
      for (trace::Write& write : step->writes)
        if (write.watch.starts_with("A.r")) write.watch.replace(0, 1, "A k=16");
  }
  CHECK(told_of(std::move(trace), 'A', 9, 5).way.stops.size() == 4);
}

TEST_CASE("D[9][5]: made by the mma, written behind parameter 1") {
  // Lane 6, register 3 (9.7.14.5.8): the second of the two that are stored, from byte 16 on.
  const Told told = told_of(recorded::way(), 'D', 9, 5);
  CHECK(told.texts() ==
        std::vector<std::string>{
            "step 5 mma: makes it: lane 6, %f4 (D.r3)",
            "step 6 st.global: lane 6 writes it to global memory, byte 20 behind parameter 1"});
}

TEST_CASE("an address of a pointer and a stride lies behind the pointer, of two behind neither") {
  constexpr std::uint64_t kPointer = 0x7f0000010000, kStride = 0x20;
  const auto first_stop = [](std::uint64_t parameter_0, std::uint64_t parameter_1) {
    trace::Trace trace = recorded::way();
    step_of(trace, 0).writes = {recorded::wide("%rd1", parameter_0, 64)};
    step_of(trace, 1).writes = {recorded::wide("%rd2", parameter_1, 64)};
    step_of(trace, 2).ptx = "ld.global.v2.u16 {%rs1, %rs2}, [%rd3+298];";
    const auto load = std::find_if(trace.events.begin(), trace.events.end(), [](const auto& event) {
      const auto* step = std::get_if<trace::Step>(&event);
      return step != nullptr && step->step == 2;
    });
    trace.events.insert(load,
                        recorded::step(0, 1, "add.s64 %rd3, %rd1, %rd2;", 1,
                                       {recorded::wide("%rd3", parameter_0 + parameter_1, 64)}));
    return told_of(std::move(trace), 'A', 9, 5).texts().front();
  };
  const auto from = [](const std::string& place) {
    return "step 2 ld.global: reads it from global memory" + place + ", to lane 3, %rs1";
  };
  CHECK(first_stop(kPointer, kStride) == from(", byte 330 behind parameter 0"));
  CHECK(first_stop(kStride, kPointer) == from(", byte 330 behind parameter 1"));
  CHECK(first_stop(kPointer, kPointer) == from(" at 0xfe000002012a"));
  CHECK(first_stop(kStride, kStride) == from(" at 0x16a"));
}

TEST_CASE("what nobody wrote, or what has other bits, is said and not made up") {
  Told told = told_of(recorded::way(), 'A', 9, 4);  // the element before it: no store covers it
  CHECK(told.way.stops.size() == 2);
  CHECK(told.way.before == "nothing had written byte 0x528 of shared memory by then");
  CHECK(way_text(told.steps, told.way).find("(nothing had written byte 0x528") !=
        std::string::npos);

  trace::Trace other = recorded::way();
  step_of(other, 2).writes[0].lanes[3] ^= 1;
  told = told_of(std::move(other), 'A', 9, 5);
  CHECK(told.texts() == std::vector<std::string>{kStore, kLdmatrix, kMma});
  CHECK(told.way.before == "the bits of %rs1 differ there");

  trace::Trace idle = recorded::way();
  step_of(idle, 2).active = 1 << 4;  // lane 3's word is what was there before
  told = told_of(std::move(idle), 'A', 9, 5);
  CHECK(told.way.before == "what wrote %rs1 is not recorded");
}

TEST_CASE("the last store before the ldmatrix counts, not one behind it, nor another launch's") {
  trace::Trace trace = recorded::way();
  const auto store_again = [&trace](int launch, std::size_t at) {
    std::vector<trace::Event> copies;
    for (const trace::Event& event : trace.events) {
      if (const auto* s = std::get_if<trace::Step>(&event); s != nullptr && s->step == 3)
        copies.push_back(event);
      if (const auto* a = std::get_if<trace::Access>(&event); a != nullptr && a->step == 3)
        copies.push_back(event);
    }
    for (trace::Event& event : copies) {
      if (auto* s = std::get_if<trace::Step>(&event)) s->place.launch = launch, s->step = 7;
      if (auto* a = std::get_if<trace::Access>(&event)) a->place.launch = launch, a->step = 7;
    }
    trace.events.insert(trace.events.begin() + static_cast<std::ptrdiff_t>(at), copies.begin(),
                        copies.end());
  };
  store_again(0, trace.events.size());
  store_again(1, trace.events.size());
  // There are several warps now, so that theirs is named.
  CHECK(told_of(std::move(trace), 'A', 9, 5).texts() ==
        std::vector<std::string>{"warp 0, " + kLoad, "warp 0, " + kStore, "warp 0, " + kLdmatrix,
                                 "warp 0, " + kMma});
}

TEST_CASE("a bulk copy and cp.async bring elements, too") {
  trace::Trace trace = recorded::way();
  trace::Sync copy;
  copy.action = "copy";
  copy.object = "mbarrier 0x0";
  copy.step = 3;
  copy.bytes = 512;
  copy.address = 0x400;
  for (std::size_t at = 0; at < trace.events.size(); ++at)
    if (const auto* s = std::get_if<trace::Step>(&trace.events[at]); s && s->step == 4) {
      trace.events.insert(trace.events.begin() + static_cast<std::ptrdiff_t>(at), copy);
      break;
    }
  const Told bulk = told_of(trace, 'A', 9, 5);
  CHECK(bulk.texts().front().find("a bulk copy of 512 bytes brings it to byte 0x52a") !=
        std::string::npos);
  CHECK(bulk.way.stops.size() == 3);

  trace::Trace async = recorded::way();
  step_of(async, 3).ptx = "cp.async.ca.shared.global [%r9], [%rd2+32], 4;";
  for (trace::Event& event : async.events)
    if (auto* a = std::get_if<trace::Access>(&event); a != nullptr && a->step == 3)
      a->instruction = "cp.async.ca.shared.global";
  trace::Trace filled = async;
  CHECK(told_of(std::move(async), 'A', 9, 5).texts().front() ==
        "step 3 cp.async: lane 3 copies it from global memory, byte 32 behind parameter 1, to byte "
        "0x52a of shared memory");
  step_of(filled, 3).ptx = "cp.async.ca.shared.global [%r9], [%rd2+32], 4, 0;";
  const Told zeros = told_of(std::move(filled), 'A', 9, 5);
  CHECK(zeros.way.before == "cp.async fills it up with zeros: it copies fewer bytes");
  CHECK(!zeros.way.address);
}

TEST_CASE("where other warps of the block are not recorded, that is said") {
  trace::Trace trace = recorded::way();
  trace::Launch launch;
  launch.kernel = "kernel";
  launch.block = {64, 1, 1};
  trace.events.insert(trace.events.begin(), launch);
  const Told told = told_of(std::move(trace), 'A', 9, 5);
  CHECK(told.way.stops.size() == 4);
  CHECK(told.way.before.find("other warps of the block are not recorded") == 0);
}

TEST_CASE("what a lane has in a register: both halves of what an ldmatrix brought") {
  const Model model = make_model(recorded::way());
  const StepList steps = make_steps(model.trace);
  const StepPlace ldmatrix{0, 4, {}}, mma{0, 5, {}};
  for (const bool written : {true, false}) {  // as the ldmatrix left it, as the mma found it
    const std::vector<Way> ways =
        ways_of(model.trace, steps, written ? ldmatrix : mma, written, "%r11", 6);
    REQUIRE(ways.size() == 2);
    CHECK(ways[0].before == "nothing had written byte 0x528 of shared memory by then");
    REQUIRE(ways[1].stops.size() == 4);
    CHECK("step 2 " + ways[1].stops[0].text == kLoad);
    CHECK(ways[1].stops[3].text == "mma: reads it");
  }
  CHECK(ways_of(model.trace, steps, ldmatrix, false, "%r11", 6).empty());  // not yet written
  const std::vector<Way> sum = ways_of(model.trace, steps, mma, true, "%f4", 6);
  REQUIRE(sum.size() == 1);
  CHECK(sum[0].stops.front().text == "mma: makes it: lane 6, %f4 (D.r3)");
  CHECK(ways_of(model.trace, steps, mma, true, "%nothing", 6).empty());
}

TEST_CASE("nothing selected, a lane, a trace without steps: no way") {
  const Model model = make_model(recorded::way());
  const StepList steps = make_steps(model.trace);
  const Multiplication& in = model.multiplications.at(0);
  CHECK(way_of(model.trace, steps, in, {}).stops.empty());
  CHECK(way_of(model.trace, steps, in, select_lane(6)).stops.empty());
  CHECK(way_of(model.trace, {}, in, select_element(in, 'A', 9, 5)).stops.empty());
  CHECK(way_text(steps, {}).empty());
}

TEST_CASE("a register that is moved about for ever is given up, and garbled PTX is nothing worse") {
  trace::Trace moved = recorded::way();
  const trace::Step load = step_of(moved, 2);
  std::vector<trace::Event> moves;
  for (int k = 0; k < 1000; ++k) {
    trace::Step move = load;
    move.ptx = "mov.u16 %rs1, %rs1;";
    moves.emplace_back(move);
  }
  for (std::size_t at = 0; at < moved.events.size(); ++at)
    if (const auto* s = std::get_if<trace::Step>(&moved.events[at]); s && s->step == 3) {
      moved.events.insert(moved.events.begin() + static_cast<std::ptrdiff_t>(at), moves.begin(),
                          moves.end());
      break;
    }
  CHECK(told_of(std::move(moved), 'A', 9, 5).way.before ==
        "it was moved about more often than is followed");

  std::uint32_t state = 1;  // a fixed seed
  const auto next = [&state] { return (state = state * 1664525 + 1013904223) >> 16; };
  const std::string_view letters = "[]{},+-%;@ .r0189udst";
  for (int round = 0; round < 2000; ++round) {
    trace::Trace trace = recorded::way();
    for (trace::Event& event : trace.events)
      if (auto* step = std::get_if<trace::Step>(&event))
        for (std::uint32_t k = next() % 4; k > 0 && !step->ptx.empty(); --k)
          step->ptx[next() % step->ptx.size()] = letters[next() % letters.size()];
    const Told told = told_of(std::move(trace), round % 2 == 0 ? 'A' : 'D', 9, 5);
    CHECK(told.way.stops.size() <= 24);
  }
}

TEST_CASE("a part of a register that was worked out is made of the parts at its place") {
  const auto bit = [](const char* ptx) {
    trace::Step step;
    step.ptx = ptx;
    const trace::Write write{"%r3", "", 32, {}};
    const std::vector<Worked> all = worked_out_from(step, write, {"%r3", 5, 24});
    REQUIRE(!all.empty());
    CHECK(all.front().from.name == "%r1");
    return all.front().from.bit;
  };
  for (const char* in_place :
       {"add.u32 %r3, %r1, 0x7e7e7e7e;", "sub.s32 %r3, %r1, %r2;", "and.b32 %r3, %r1, %r2;",
        "xor.b32 %r3, %r1, 0x80808080;", "or.b32 %r3, %r1, %r2;", "not.b32 %r3, %r1;"})
    CHECK_MESSAGE(bit(in_place) == 24, in_place);
  CHECK(bit("add.f16x2 %r3, %r1, %r2;") == 16);
  CHECK(bit("mul.lo.u32 %r3, %r1, %r2;") == 0);
  CHECK(bit("add.f32 %r3, %r1, %r2;") == 0);
}

TEST_CASE("operands of PTX") {
  using Words = std::vector<std::string_view>;
  CHECK(operands_of("@%p1 st.shared.v2.u32 [%r1+16], {%r2, %r3};") ==
        Words{"[%r1+16]", "{%r2, %r3}"});
  CHECK(operands_of("ret;").empty());
  CHECK(operands_of("").empty());
  CHECK(operands_of("bad {%r1, [%r2").size() == 1);
  CHECK(registers_in("{%r2, 0f00, %rd3}") == Words{"%r2", "%rd3"});
  CHECK(registers_in("{low,high}") == Words{"low", "high"});
  CHECK(registers_in("__$1") == Words{"__$1"});  // as inline assembly calls its own
  CHECK(registers_in("[addr+0x10]") == Words{"addr"});
  CHECK(registers_in("[%rd1, {%r2, 0, y}]") == Words{"%rd1", "%r2", "y"});
  CHECK(registers_in("0f3F800000").empty());
  CHECK(memory_operand("[%rd165+-128]")->offset == -128);
  CHECK(memory_operand("[%rd165]")->base == "%rd165");
  CHECK(memory_operand("[ %rd165 + 16 ]")->offset == 16);  // as LLVM writes it
  CHECK(memory_operand("[ %rd165 + 0x80 ]")->offset == 128);
  CHECK(!memory_operand("[%rd165+tile]"));
  CHECK(whole_number("0x10") == 16);
  CHECK(whole_number("0x5410U") == 0x5410);
  CHECK(whole_number(" -0x4 ") == -4);
  CHECK(!whole_number("%r1"));
  CHECK(!whole_number(""));
  CHECK(memory_operand("[tile+4]")->base == "tile");  // a variable: nobody writes it
  CHECK(!memory_operand("[16]"));
  CHECK(element_bytes("ld.global.v4.u16 {%rs1}, [%rd1];") == 2);
  CHECK(element_bytes("bar.sync 0;") == 0);
  CHECK(element_bytes("ld.global.b2000000000 %r1, [%rd1];") == 0);
  CHECK(parameter_of("ld.param.u64 %rd76, [_Z4loadPKt_param_12];", "%rd76") == "12");
  CHECK(parameter_of("ld.param.u64 %rd7, [_Z4load1P_param_0+16];", "%rd7") == "0+16");
  CHECK(parameter_of("ld.param.v2.u32 {%r1, %r2}, [_Z4loadPKt_param_4+8];", "%r2") == "4+12");
  CHECK(parameter_of("ld.param::entry.b64 %rd25, [gemm_param_3];", "%rd25") == "3");
  CHECK(parameter_of("ld.global.u64 %rd76, [%rd1];", "%rd76").empty());
  CHECK(parameter_of("ld.param.u64 %rd1, [tile+8];", "%rd1").empty());
  // Of a kernel whose parameters have names of their own.
  const std::vector<std::string> names{"A", "tile", "f_param_0"};
  CHECK(parameter_of("ld.param.u64 %rd1, [tile+8];", "%rd1", names) == "1+8");
  CHECK(parameter_of("ld.param.u64 %rd1, [A];", "%rd1", names) == "0");
  CHECK(parameter_of("ld.param.u64 %rd1, [f_param_0];", "%rd1", names) == "2");
  CHECK(parameter_of("ld.param.u64 %rd1, [B];", "%rd1", names).empty());
}

}  // namespace lanescope::viz

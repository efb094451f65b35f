// SPDX-License-Identifier: MIT
// Every difference that counts is found and named; those that do not count are not.
#include "trace/diff.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "layout/instruction.hpp"
#include "tests/trace/sample.hpp"

using namespace lanescope::trace;

namespace {

template <class Kind>
Kind& the(Trace& trace) {
  for (Event& event : trace.events)
    if (Kind* found = std::get_if<Kind>(&event)) return *found;
  FAIL("no such event in the sample");
  return std::get<Kind>(trace.events[0]);
}

Difference difference_of(const std::function<void(Trace&)>& change) {
  const Trace a = sample::trace();
  Trace b = a;
  change(b);
  REQUIRE_FALSE(a == b);
  const std::optional<Difference> difference = first_difference(a, b);
  REQUIRE(difference);
  CHECK_MESSAGE(first_difference(b, a).has_value(), "a difference is one in both directions");
  return *difference;
}

void same(const std::function<void(Trace&)>& change) {
  const Trace a = sample::trace();
  Trace b = a;
  change(b);
  REQUIRE_FALSE(a == b);
  const std::optional<Difference> difference = first_difference(a, b);
  CHECK_MESSAGE(!difference, difference->text);
  CHECK_FALSE(first_difference(b, a));
}

}  // namespace

TEST_CASE("a trace does not differ from itself") {
  CHECK_FALSE(first_difference(sample::trace(), sample::trace()));
  CHECK_FALSE(first_difference(Trace{}, Trace{}));
}

TEST_CASE("what does not count") {
  same([](Trace& t) { t.header = {1, "gpu", "NVIDIA H200", "sm_80", "other", "./other"}; });
  same([](Trace& t) { the<View>(t).title = "other"; });
  same([](Trace& t) { t.events.erase(t.events.begin()); });  // the view
  same([](Trace& t) { the<Fragment>(t).source = {"other.cu", 1}; });
  same([](Trace& t) { the<Memory>(t).source.line = 0; });
  same([](Trace& t) { the<Step>(t).ptx_line = 3; });
  same([](Trace& t) { the<Diagnostic>(t).message = "other words"; });
}

TEST_CASE("one bit of one register of one lane") {
  for (const std::size_t lane : {std::size_t{0}, std::size_t{13}, std::size_t{31}})
    for (std::size_t r = 0; r < 4; ++r) {
      const Difference d =
          difference_of([&](Trace& t) { the<Fragment>(t).registers[r][lane] ^= 0x10000; });
      CHECK(d.lane == static_cast<int>(lane));
      CHECK(d.register_index == static_cast<int>(r));
      CHECK(d.a_event == 2);
      CHECK(d.b_event == 2);
    }
}

TEST_CASE(
    "the first lane that differs is named, with its register, both words and how many differ") {
  const Difference d = difference_of([](Trace& t) {
    the<Fragment>(t).registers[0][20] = 0;
    the<Fragment>(t).registers[3][13] = 0x3c0d3c11;
    the<Fragment>(t).registers[1][14] = 0;
  });
  CHECK(d.text.find("fragment \"A k=16\" of launch 2, block 3,4,5, warp 7: lane 13, register 3: "
                    "3c0d3c10 in a, 3c0d3c11 in b\n") == 0);
  CHECK(d.text.find("\n3 of 128 registers of this fragment differ") != std::string::npos);
}

TEST_CASE("a register of a known instruction is named by row, column and value") {
  const auto* instruction =
      lanescope::layout::find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  REQUIRE(instruction != nullptr);
  Trace a = sample::trace();
  for (auto& words : the<Fragment>(a).registers) words.assign(32, 0x3c003c00);  // f16 1, 1
  Trace b = a;
  // Register 1 is a1 of the ISA: rows groupID + 8. Lane 13 is group 3, thread 1: row 11, cols 2, 3.
  the<Fragment>(b).registers[1][13] = 0x40003c00;  // 2 in the high half
  const std::optional<Difference> d = first_difference(a, b);
  REQUIRE(d);
  CHECK(d->text.find("\nA row 11, col 3 (f16): 1 in a, 2 in b\n") != std::string::npos);
}

TEST_CASE("of metadata it is the map of their selector that says what a bit is about") {
  Trace a;
  Fragment e;
  e.name = "E selector 1";
  e.operand = "E";
  e.instruction = "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";
  e.registers.assign(1, std::vector<std::uint64_t>(32, 0));
  a.events.emplace_back(e);
  Trace b = a;
  the<Fragment>(b).registers[0][6] = 1 << 26;  // lane 6 is read by selector 1 alone
  const std::optional<Difference> difference = first_difference(a, b);
  REQUIRE(difference);
  CHECK_MESSAGE(difference->text.find("\nE row 9, col 5 (") != std::string::npos, difference->text);
}

TEST_CASE("fragments that are not comparable") {
  const auto text = [](const std::function<void(Fragment&)>& change) {
    return difference_of([&](Trace& t) { change(the<Fragment>(t)); }).text;
  };
  CHECK(text([](Fragment& f) { f.instruction = "mma.x"; }).find("instruction: mma.sync") !=
        std::string::npos);
  CHECK(text([](Fragment& f) { f.operand = "B"; }).find("operand: A in a, B in b") !=
        std::string::npos);
  CHECK(text([](Fragment& f) {
          f.registers.pop_back();
        }).find("number of registers: 4 in a, 3 in b") != std::string::npos);
  CHECK(text([](Fragment& f) {
          for (auto& words : f.registers) words.resize(128);
        }).find("number of lanes: 32 in a, 128 in b") != std::string::npos);
}

TEST_CASE("what follows the schedule is not compared") {
  Trace a = sample::trace();
  Trace b = a;
  the<Sync>(b).phase = 5;
  b.events.push_back(sample::sync());
  CHECK_FALSE(first_difference(a, b));
}

TEST_CASE("events that only one has") {
  const Difference gone = difference_of([](Trace& t) { t.events.erase(t.events.begin() + 2); });
  CHECK(gone.text == "fragment \"A k=16\" of launch 2, block 3,4,5, warp 7: only in a");
  CHECK(gone.a_event == 2);
  CHECK(gone.b_event == -1);
  const Difference more = difference_of([](Trace& t) { t.events.push_back(sample::fragment()); });
  CHECK(more.text == "fragment \"A k=16\" of launch 2, block 3,4,5, warp 7: only in b");
  CHECK(more.a_event == -1);
  CHECK(more.b_event == static_cast<int>(sample::trace().events.size()));
  const Difference moved = difference_of([](Trace& t) { the<Fragment>(t).place.warp = 6; });
  CHECK(moved.text.find("only in a") != std::string::npos);
  const Difference renamed = difference_of([](Trace& t) { the<Fragment>(t).name = "a"; });
  CHECK(renamed.text.find("only in a") != std::string::npos);
}

TEST_CASE("the order of warps does not count, the order within one does") {
  Trace a = sample::trace();
  for (const int warp : {0, 1}) {
    Fragment f = sample::fragment();
    f.place.warp = warp;
    for (const std::uint64_t word : {1u, 2u}) {
      f.registers[0][0] = word + 16u * static_cast<unsigned>(warp);
      a.events.push_back(f);
    }
  }
  Trace b = a;
  const auto end = b.events.end();
  std::rotate(end - 4, end - 2, end);  // warp 1 before warp 0
  CHECK_FALSE(a == b);
  CHECK_FALSE(first_difference(a, b));
  std::swap(end[-1], end[-2]);
  const std::optional<Difference> d = first_difference(a, b);
  REQUIRE(d);
  CHECK(d->text.find("warp 0: lane 0, register 0: 00000001 in a, 00000002 in b") !=
        std::string::npos);
}

TEST_CASE("tiles") {
  const Difference d = difference_of([](Trace& t) { the<Memory>(t).bytes[13] ^= 1; });
  CHECK(d.text.find(
            "memory \"tile\" of launch 1, block 0,1,0, warp 3: row 1, byte 3: e1 in a, e0 in b") ==
        0);
  CHECK(d.text.find("\n1 of 30 bytes of this tile differ") != std::string::npos);
  CHECK(difference_of([](Trace& t) { the<Memory>(t).type = "f16"; }).text.find("type: bf16 in a") !=
        std::string::npos);
  CHECK(difference_of([](Trace& t) { the<Memory>(t).address = 0; }).text.find("address") !=
        std::string::npos);
  CHECK(difference_of([](Trace& t) {
          the<Memory>(t).row_stride_bytes = 64;
        }).text.find("row_stride") != std::string::npos);
  Trace a = sample::trace();
  the<Memory>(a).space = "global";
  Trace b = a;
  the<Memory>(b).address = 0x7f0000001000;
  CHECK_FALSE(first_difference(a, b));
}

TEST_CASE("launches, steps, accesses, diagnostics") {
  const auto text = [](const std::function<void(Trace&)>& change) {
    return difference_of(change).text;
  };
  CHECK(text([](Trace& t) { the<Launch>(t).grid[1] = 9; }) ==
        "launch 2 of kernel: grid: 2x3x4 in a, 2x9x4 in b");
  CHECK(text([](Trace& t) { the<Launch>(t).kernel = "k"; }).find("kernel: kernel in a, k in b") !=
        std::string::npos);
  CHECK(text([](Trace& t) {
          the<Step>(t).active = 1;
        }).find("active: 0000ffff in a, 00000001 in b") != std::string::npos);
  const Difference step = difference_of([](Trace& t) { the<Step>(t).writes[2].lanes[7] = 0; });
  CHECK(step.lane == 7);
  CHECK(step.text.find("lane 7, %rd4: 7f00000000000700 in a, 0000000000000000 in b") !=
        std::string::npos);
  CHECK(text([](Trace& t) { the<Step>(t).ptx = "nop;"; }).find("ptx: ") != std::string::npos);
  CHECK(text([](Trace& t) {
          the<Access>(t).addresses[3] = 4;
        }).find("lane 3, address: 00010020 in a, 00000004 in b") != std::string::npos);
  CHECK(text([](Trace& t) {
          the<Diagnostic>(t).kind = "race";
        }).find("kind: misaligned-address in a, race in b") != std::string::npos);
}

TEST_CASE(
    "kernels are called as their source has them, and their parameters do not differ by that") {
  constexpr const char *kThree = "_Z3sumILi3EEvPKf", *kTwo = "_Z3sumILi2EEvPKf";
  Trace a = sample::trace(), b = a;
  the<Launch>(a).kernel = kThree;
  the<Launch>(b).kernel = kTwo;
  the<Step>(a).ptx = std::string("ld.param.u64 %rd1, [") + kThree + "_param_0];";
  the<Step>(b).ptx = std::string("ld.param.u64 %rd1, [") + kTwo + "_param_0];";
  const std::optional<Difference> first = first_difference(a, b);
  REQUIRE(first);
  CHECK(first->text == "launch 2 of sum<3>: kernel: sum<3> in a, sum<2> in b");
  the<Launch>(b).kernel = kThree;
  CHECK_FALSE(first_difference(a, b));
  the<Launch>(b).kernel = "_Z3sumILi3EEvPKd";
  const std::optional<Difference> overload = first_difference(a, b);
  REQUIRE(overload);
  CHECK(overload->text.find("_Z3sumILi3EEvPKf in a, _Z3sumILi3EEvPKd in b") != std::string::npos);
  the<Step>(b).ptx = std::string("ld.param.u64 %rd1, [") + kThree + "_param_1];";
  the<Launch>(b).kernel = kThree;
  const std::optional<Difference> parameter = first_difference(a, b);
  REQUIRE(parameter);
  CHECK(parameter->text.find("[param_0]; in a, ld.param.u64 %rd1, [param_1]; in b") !=
        std::string::npos);
}

TEST_CASE("a step that writes more, and a tile elsewhere") {
  const Difference more =
      difference_of([](Trace& t) { the<Step>(t).writes.push_back(the<Step>(t).writes[0]); });
  CHECK(more.text.find("number of writes: 3 in a, 4 in b") != std::string::npos);
  const Difference space = difference_of([](Trace& t) { the<Memory>(t).space = "global"; });
  CHECK(space.text.find("space: shared in a, global in b") != std::string::npos);
}

TEST_CASE("what a GPU cannot record does not count where it is missing") {
  const auto without = [](Trace& t, auto is_kind) {
    t.events.erase(std::remove_if(t.events.begin(), t.events.end(), is_kind), t.events.end());
  };
  same([&](Trace& t) {
    without(t, [](const Event& e) { return std::holds_alternative<Step>(e); });
    without(t, [](const Event& e) { return std::holds_alternative<Access>(e); });
  });
  same([&](Trace& t) {
    t.header.producer = "gpu";
    without(t, [](const Event& e) { return std::holds_alternative<Diagnostic>(e); });
  });
  CHECK(difference_of([&](Trace& t) {
          without(t, [](const Event& e) { return std::holds_alternative<Diagnostic>(e); });
        }).text.find("only in a") != std::string::npos);
}

TEST_CASE("all differences, in the order of a, then what only b has") {
  const Trace a = sample::trace();
  Trace b = a;
  the<Launch>(b).grid[1] = 9;
  the<Fragment>(b).registers[2][5] ^= 1;
  the<Memory>(b).bytes[13] ^= 1;
  b.events.push_back(sample::fragment());
  const std::vector<Difference> all = differences(a, b, 100);
  REQUIRE(all.size() == 4);
  CHECK(all[0].event == "launch 2 of kernel");
  CHECK(all[1].event == "fragment \"A k=16\" of launch 2, block 3,4,5, warp 7");
  CHECK(all[1].lane == 5);
  CHECK(all[1].register_index == 2);
  CHECK(all[2].event == "memory \"tile\" of launch 1, block 0,1,0, warp 3");
  CHECK(all[3].text == all[1].event + ": only in b");
  for (const Difference& d : all) CHECK(d.text.find(d.event + ": ") == 0);
  CHECK(first_difference(a, b)->text == all[0].text);
  CHECK(differences(a, b, 2).size() == 2);
  CHECK(differences(a, b, 0).empty());
  CHECK(differences(a, a, 100).empty());
  CHECK(differences(b, a, 100).size() == 4);
}

TEST_CASE("what there was to compare") {
  const Trace t = sample::trace();
  CHECK(what_is_compared({}, {}) == "0 launches, 0 fragments, 0 tiles of memory");
  CHECK(what_is_compared(t, t) == "1 launch, 2 fragments, 1 tile of memory, 1 step");
  CHECK(what_is_compared(t, {}) == "1 launch, 2 fragments, 1 tile of memory");  // as no step is
}

TEST_CASE("scale factors differ in the words of the matrix, by the selectors of their name") {
  // thread-id 1: lane 4 * 1 + 2 + 1 hands in row 9's, from byte 2 on.
  const auto trace_of = [](std::uint64_t word) {
    Fragment scales;
    scales.name = "SFA thread-id 1 byte-id 2";
    scales.instruction =
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32."
        "ue8m0";
    scales.operand = "SFA";
    scales.registers.assign(1, std::vector<std::uint64_t>(32, 0x7f7f7f7f));
    scales.registers[0][7] = word;
    Trace trace;
    trace.events.emplace_back(scales);
    return trace;
  };
  const auto difference = first_difference(trace_of(0x7c827f7f), trace_of(0x7e827f7f));
  REQUIRE(difference);
  CHECK(difference->text.find("SFA row 9, col 1 (ue8m0): 2^-3 in a, 2^-1 in b") !=
        std::string::npos);
}

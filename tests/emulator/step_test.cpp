// SPDX-License-Identifier: MIT
// Recording: what each instruction wrote, the shared-memory addresses, and which of it is wanted.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "layout/banks.hpp"
#include "tests/emulator/recorded.hpp"

namespace lanescope::emulator::test {

TEST_CASE("a step says what the instruction wrote, in every width, and what inactive lanes keep") {
  const Recorded recorded =
      record({"mov.u32 %r1, %laneid;\n"
              "setp.lt.u32 %p1, %r1, 4;\n"
              "@%p1   add.u32 %r1,\n %r1, 100;\n"
              "cvt.u16.u32 %rs1, %r1;\n"
              "shl.b32 %r2, %r1, 30;\n"
              "mul.wide.u32 %rd1, %r1, 1073741824;\n"
              "mov.b32 {%rs2, %rs3}, %r1;\n"
              "bar.warp.sync -1;",
              kRegisters});
  const auto steps = recorded.all<trace::Step>();
  REQUIRE(steps.size() == 9);
  CHECK(steps[0].ptx == "mov.u32 %r1, %laneid;");
  CHECK(steps[2].ptx == "@%p1 add.u32 %r1, %r1, 100;");
  CHECK(steps[2].active == 0xf);
  CHECK(steps[2].ptx_line == steps[1].ptx_line + 1);
  for (std::size_t k = 0; k < steps.size(); ++k) CHECK(steps[k].step == static_cast<int>(k));
  const auto write = [&](std::size_t step, std::size_t index = 0) {
    REQUIRE(steps[step].writes.size() > index);
    return steps[step].writes[index];
  };
  CHECK(write(0).name == "%r1");
  CHECK(write(1).name == "%p1");
  CHECK(write(1).bits == 1);
  CHECK(write(3).bits == 16);
  CHECK(write(5).bits == 64);
  REQUIRE(steps[6].writes.size() == 2);
  CHECK(write(6, 1).name == "%rs3");
  CHECK(steps[7].writes.empty());
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t value = lane < 4 ? lane + 100 : lane;
    CHECK(write(0).lanes[lane] == lane);
    CHECK(write(1).lanes[lane] == (lane < 4));
    CHECK(write(2).lanes[lane] == value);
    CHECK(write(3).lanes[lane] == value);
    CHECK(write(5).lanes[lane] == value << 30);
    CHECK(write(6, 0).lanes[lane] == value);
    CHECK(write(6, 1).lanes[lane] == 0);
  }
}

TEST_CASE("a step has its instruction without the comments in it") {
  const Recorded recorded = record(
      {"mov.u32 %r1, // the lane; %r2,\n  %laneid;\nadd.u32 /* two\nlines */ %r2, %r1,/**/100;\n"
       ".pragma \"no // comment\"; mov.u32 %r3, /* one */ /* two */ %r2; // behind\n",
       kRegisters});
  const auto steps = recorded.all<trace::Step>();
  REQUIRE(steps.size() >= 3);
  CHECK(steps[0].ptx == "mov.u32 %r1, %laneid;");
  CHECK(steps[1].ptx == "add.u32 %r2, %r1, 100;");
  CHECK(steps[2].ptx == "mov.u32 %r3, %r2;");
}

// Of a product that goes into a sum behind it the register is shown, all the same.
TEST_CASE("the step of an fp8 mma has D with the products of C in it, that of mul the product") {
  const Recorded recorded = record(
      {"mov.u32 %r1, %laneid; and.b32 %r2, %r1, 0; or.b32 %r3, %r2, 0x38000000; or.b32 %r4, %r2, "
       "0xa0000000; or.b32 %r5, %r2, 0x3f800800; mul.f32 %r6, %r5, %r5;\n"
       "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%r5, %r6, %r7, %r8}, {%r3, %r3, %r3, "
       "%r3}, {%r4, %r4}, {%r5, %r6, %r6, %r5}; mov.u32 %r9, sm; st.shared.v4.u32 [%r9], {%r5, "
       "%r6, %r7, %r8};",
       kRegisters});
  const auto steps = recorded.all<trace::Step>();
  REQUIRE(steps.size() == 10);
  CHECK(steps[5].writes[0].lanes[9] == 0x3f801000);
  REQUIRE(steps[6].writes.size() == 4);
  const std::uint64_t wanted[] = {0x39800000, 0x3a000400, 0x3a000400, 0x39800000};
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t lane = 0; lane < 32; ++lane)
      CHECK(steps[6].writes[k].lanes[lane] == wanted[k]);
}

TEST_CASE("stores, branches and barriers write nothing, though they begin with a register") {
  const Recorded recorded =
      record({"mov.u32 %r1, sm;\nmov.u32 %r2, 32;\nmov.u32 %r3, 0;\n"
              "st.shared.u32 [%r1], %r2;\n"
              "bar.sync %r3, %r2;\n"
              "nanosleep.u32 %r3;",
              kRegisters});
  for (const trace::Step& step : recorded.all<trace::Step>()) {
    CAPTURE(step.ptx);
    CHECK(step.writes.size() == (step.ptx.substr(0, 3) == "mov" ? 1 : 0));
  }
}

TEST_CASE("the step of bar.red comes with what it gives, when the barrier opens") {
  const Recorded recorded =
      record({"mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 40; bar.red.popc.u32"
              " %r2, 0, %p1; bar.red.and.pred %p2, 0, %p1; mov.u32 %r3, %r2;",
              kRegisters, 64});
  std::vector<std::string> seen;
  for (const trace::Step& step : recorded.all<trace::Step>()) {
    if (step.place.warp != 0) continue;
    const std::string wrote = step.writes.empty()
                                  ? "nothing"
                                  : fmt::format("{} {}", step.writes[0].name,
                                                step.writes[0].lanes[step.writes[0].bits == 1]);
    seen.push_back(fmt::format("{} {}", step.step, wrote));
  }
  CHECK(seen == std::vector<std::string>{"0 %r1 0", "1 %p1 1", "2 %r2 40", "3 %p2 0", "4 %r3 40",
                                         "5 nothing"});
}

TEST_CASE("registers have the names that RECORD left in the PTX: the next one's, else the last") {
  const Recorded recorded =
      record({"mov.u32 %r1, 1;\n//@watch A.r0 %r1\n"
              "mov.u32 %r1, 2;\n//@watch B k=16.r1 %r1\n"
              "mov.u32 %r1, 3;\nmov.u32 %r2, 4;",
              kRegisters});
  const auto steps = recorded.all<trace::Step>();
  CHECK(steps.at(0).writes.at(0).watch == "A.r0");
  CHECK(steps.at(1).writes.at(0).watch == "B k=16.r1");
  CHECK(steps.at(2).writes.at(0).watch == "B k=16.r1");
  CHECK(steps.at(3).writes.at(0).watch.empty());
}

TEST_CASE("an access has the addresses from before the instruction") {
  const Recorded recorded =
      record({"mov.u32 %r1, %laneid;\nshl.b32 %r1, %r1, 3;\n"
              "mov.u32 %r2, sm;\nadd.u32 %r1, %r1, %r2;\n"
              "sub.u32 %r4, %r1, %r2;\nsetp.ge.u32 %p1, %r4, 16;\n"
              "st.shared.u32 [%r1+64], %r2;\n"
              "@%p1 ld.shared.v2.u32 {%r1, %r3}, [%r1];",
              kRegisters});
  const auto accesses = recorded.all<trace::Access>();
  REQUIRE(accesses.size() == 2);
  CHECK(accesses[0].instruction == "st.shared.u32");
  CHECK(accesses[0].bytes_per_lane == 4);
  CHECK(accesses[0].active == ~0u);
  CHECK(accesses[0].step == 6);
  CHECK(accesses[1].bytes_per_lane == 8);
  CHECK(accesses[1].active == 0xfffffffc);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    CHECK(accesses[0].addresses[lane] == shared_base() + 64 + 8 * lane);
    CHECK(accesses[1].addresses[lane] == (lane < 2 ? 0 : shared_base() + 8 * lane));
  }
  CHECK(layout::passes(accesses[0].addresses, 4) == 2);  // stride 8: two lanes a bank
}

TEST_CASE("accesses of ldmatrix, cp.async, generic pointers and atomics; none of global memory") {
  const Recorded recorded =
      record({"mov.u32 %r1, %laneid;\nshl.b32 %r1, %r1, 4;\n"
              "mov.u32 %r2, sm;\nadd.u32 %r1, %r1, %r2;\n"
              "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r3, %r4}, [%r1];\n"
              "cvt.u64.u32 %rd1, %r1;\ncvta.shared.u64 %rd1, %rd1;\n"
              "st.u8 [%rd1+1], %r2;\n"
              "atom.shared.add.u32 %r5, [%r1], 1;\n"
              "mov.u64 %rd2, g;\n"
              "cp.async.ca.shared.global [%r1+512], [%rd2], 16;\n"
              "ld.u32 %r6, [%rd2];\ncp.async.wait_all;",
              std::string(kRegisters) + "\n"});
  const auto accesses = recorded.all<trace::Access>();
  REQUIRE(accesses.size() == 4);
  CHECK(accesses[0].instruction == "ldmatrix.sync.aligned.m8n8.x2.shared.b16");
  CHECK(accesses[0].active == 0xffff);
  CHECK(accesses[0].bytes_per_lane == 16);
  CHECK(accesses[0].addresses[15] == shared_base() + 240);
  CHECK(accesses[0].addresses[16] == 0);
  CHECK(accesses[1].instruction == "st.u8");
  CHECK(accesses[1].addresses[31] == shared_base() + 31 * 16 + 1);
  CHECK(accesses[2].instruction == "atom.shared.add.u32");
  CHECK(accesses[3].instruction == "cp.async.ca.shared.global");
  CHECK(accesses[3].addresses[1] == shared_base() + 512 + 16);
}

TEST_CASE("from, count, warp and block choose") {
  const Setup setup{"mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nadd.u32 %r3, %r1, %r2;",
                    kRegisters, 96, 3};
  CHECK(record(setup).all<trace::Step>().size() == 3 * 4);
  StepRequest some;
  some.block = {2, 0, 0};
  some.warp = 1;
  some.from = 1;
  some.count = 2;
  some.launch = 7;
  const auto steps = record(setup, some).all<trace::Step>();
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].step == 1);
  CHECK(steps[0].place.launch == 7);
  CHECK(steps[0].place.block == std::array<int, 3>{2, 0, 0});
  CHECK(steps[0].place.warp == 1);
  CHECK(steps[0].writes.at(0).lanes[5] == 2);
  CHECK(steps[1].writes.at(0).lanes[5] == 32 + 5 + 2);
  some.block = {3, 0, 0};
  CHECK(record(setup, some).events.empty());
}

}  // namespace lanescope::emulator::test

// SPDX-License-Identifier: MIT
// Recording: what each instruction wrote, the shared-memory addresses, how warps wait for each
// other; and other orders of the warps.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "emulator/machine.hpp"
#include "emulator/step.hpp"
#include "layout/banks.hpp"

namespace lanescope::emulator::test {
namespace {

struct Recorded {
  LaunchReport report;
  std::vector<trace::Event> events;

  template <class Kind>
  std::vector<Kind> all() const {
    std::vector<Kind> found;
    for (const trace::Event& event : events)
      if (const auto* one = std::get_if<Kind>(&event)) found.push_back(*one);
    return found;
  }
  // "arrive bar 0 phase 0 warp 1", ...
  std::vector<std::string> syncs() const {
    std::vector<std::string> lines;
    for (const trace::Sync& s : all<trace::Sync>())
      lines.push_back(
          fmt::format("{} {} phase {} warp {}", s.action, s.object, s.phase, s.place.warp));
    return lines;
  }
  std::size_t count(const std::string& line) const {
    const auto lines = syncs();
    return static_cast<std::size_t>(std::count(lines.begin(), lines.end(), line));
  }
  std::size_t first(const std::string& line) const {
    const auto lines = syncs();
    return static_cast<std::size_t>(std::find(lines.begin(), lines.end(), line) - lines.begin());
  }
};

struct Setup {
  std::string body;
  std::string variables;
  int threads = 32;
  int blocks = 1;
  std::uint64_t seed = 0;
  std::string target = "sm_90a";
  bool counts = false;
};

Recorded record(const Setup& setup, StepRequest steps = {}) {
  Machine machine({.arch = setup.target});
  const std::string text = fmt::format(
      ".version 8.0\n.target {}\n.address_size 64\n.global .align 16 .b8 g[256];\n.visible .entry "
      "k()\n{{\n{}\n{}\n\tret;\n}}\n",
      setup.target, setup.variables, setup.body);
  const auto module = machine.load(text, "k");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  Recorded recorded;
  steps.context = &recorded;
  steps.event = [](void* context, const trace::Event& event) {
    static_cast<Recorded*>(context)->events.push_back(event);
  };
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "k");
  request.grid = {setup.blocks, 1, 1};
  request.block = {setup.threads, 1, 1};
  request.steps = &steps;
  request.seed = setup.seed;
  request.counts_instructions = setup.counts;
  recorded.report = machine.launch(request);
  CHECK_MESSAGE(!recorded.report.error, recorded.report.error.message);
  return recorded;
}

const char* const kRegisters =
    ".reg .pred %p<4>;\n.reg .b16 %rs<4>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<4>;\n"
    ".shared .align 128 .b8 sm[4096];";

// Where the block's shared memory begins in its window: a card keeps some of it for itself.
std::uint32_t shared_base() {
  static const auto base = static_cast<std::uint32_t>(
      record({"mov.u32 %r1, sm;", kRegisters}).all<trace::Step>().at(0).writes.at(0).lanes[0]);
  return base;
}

}  // namespace

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

TEST_CASE("a barrier: who arrives, that it opens, who goes on") {
  const Recorded recorded = record({"bar.sync 0;\nbar.sync 0;", kRegisters, 64});
  CHECK(recorded.syncs() ==
        std::vector<std::string>{"arrive bar 0 phase 0 warp 0", "arrive bar 0 phase 0 warp 1",
                                 "complete bar 0 phase 0 warp 0", "pass bar 0 phase 0 warp 0",
                                 "pass bar 0 phase 0 warp 1", "arrive bar 0 phase 1 warp 0",
                                 "arrive bar 0 phase 1 warp 1", "complete bar 0 phase 1 warp 0",
                                 "pass bar 0 phase 1 warp 0", "pass bar 0 phase 1 warp 1"});
  CHECK(recorded.all<trace::Sync>()[0].count == 32);
  CHECK(recorded.all<trace::Sync>()[3].step == 0);
  CHECK(recorded.all<trace::Sync>()[8].step == 1);
}

// Warp 0 copies 256 bytes in bulk, warp 1 waits for them and says when it is done.
const Setup kPipeline{
    "mov.u32 %r1, sm;\nadd.u32 %r2, %r1, 8;\nadd.u32 %r3, %r1, 128;\n"
    "mov.u32 %r4, %tid.x;\nmov.u32 %r5, 0;\nmov.u64 %rd1, g;\n"
    "setp.ne.u32 %p1, %r4, 0;\n"
    "@%p1 bra READY;\n"
    "mbarrier.init.shared.b64 [%r1], 1;\nmbarrier.init.shared.b64 [%r2], 1;\n"
    "READY:\nbar.sync 0;\n"
    "setp.ge.u32 %p1, %r4, 32;\n@%p1 bra CONSUMER;\n"
    "setp.ne.u32 %p1, %r4, 0;\n@%p1 bra END;\n"
    "PRODUCE:\n"
    "xor.b32 %r6, %r5, 1;\n"
    "EMPTY:\nmbarrier.try_wait.parity.shared.b64 %p2, [%r2], %r6;\n@!%p2 bra EMPTY;\n"
    "mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 256;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd1], 256, [%r1];\n"
    "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 2;\n@%p1 bra PRODUCE;\nbra END;\n"
    "CONSUMER:\n"
    "FULL:\nmbarrier.try_wait.parity.shared.b64 %p2, [%r1], %r5;\n@!%p2 bra FULL;\n"
    "setp.ne.u32 %p1, %r4, 32;\n@%p1 bra NEXT;\n"
    "mbarrier.arrive.shared.b64 _, [%r2];\n"
    "NEXT:\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 2;\n@%p1 bra CONSUMER;\n"
    "END:",
    kRegisters, 64};

TEST_CASE("a pipeline: copies, phases, who waits") {
  const Recorded recorded = record(kPipeline);
  const std::string full_name = fmt::format("mbarrier 0x{:x}", shared_base());
  const std::string empty_name = fmt::format("mbarrier 0x{:x}", shared_base() + 8);
  for (const int phase : {0, 1}) {
    CAPTURE(phase);
    const std::string full = fmt::format("{} phase {}", full_name, phase);
    CHECK(recorded.count("expect " + full + " warp 0") == 1);
    CHECK(recorded.count("arrive " + full + " warp 0") == 1);
    CHECK(recorded.count("copy " + full + " warp 0") == 1);
    CHECK(recorded.count("land " + full + " warp 0") == 1);
    CHECK(recorded.count("complete " + full + " warp 0") == 1);
    CHECK(recorded.count("pass " + full + " warp 1") == 1);
    CHECK(recorded.first("copy " + full + " warp 0") < recorded.first("land " + full + " warp 0"));
    CHECK(recorded.first("land " + full + " warp 0") <
          recorded.first("complete " + full + " warp 0"));
    CHECK(recorded.first("complete " + full + " warp 0") <
          recorded.first("pass " + full + " warp 1"));
    CHECK(recorded.count(fmt::format("arrive {} phase {} warp 1", empty_name, phase)) == 1);
  }
  CHECK(recorded.count("pass " + empty_name + " phase -1 warp 0") == 1);  // nothing to be freed yet
  CHECK(recorded.count("wait " + empty_name + " phase 0 warp 0") == 1);   // once, not at every poll
  CHECK(recorded.count("pass " + empty_name + " phase 0 warp 0") == 1);
  for (const trace::Sync& sync : recorded.all<trace::Sync>()) {
    if (sync.action == "copy" || sync.action == "land") {
      CHECK(sync.bytes == 256);
      CHECK(sync.address == shared_base() + 128);
    }
    if (sync.action == "expect") CHECK(sync.bytes == 256);
  }
  // A try_wait that sleeps is one step, at the end.
  std::set<std::pair<int, std::int64_t>> numbers;
  for (const trace::Step& step : recorded.all<trace::Step>())
    CHECK(numbers.insert({step.place.warp, step.step}).second);
}

TEST_CASE("cp.async: copies by group, and up to which group a wait has passed") {
  const Recorded recorded =
      record({"mov.u32 %r1, sm;\nmov.u64 %rd1, g;\n"
              "cp.async.ca.shared.global [%r1+64], [%rd1], 16;\n"
              "cp.async.commit_group;\n"
              "cp.async.ca.shared.global [%r1+128], [%rd1], 4;\n"
              "cp.async.commit_group;\n"
              "cp.async.wait_group 1;\ncp.async.wait_group 0;",
              kRegisters});
  CHECK(recorded.syncs() ==
        std::vector<std::string>{"copy cp.async phase 0 warp 0", "copy cp.async phase 1 warp 0",
                                 "pass cp.async phase 0 warp 0", "pass cp.async phase 1 warp 0"});
  CHECK(recorded.all<trace::Sync>()[0].bytes == 32 * 16);
  CHECK(recorded.all<trace::Sync>()[1].bytes == 32 * 4);
  CHECK(recorded.all<trace::Sync>()[1].address == shared_base() + 128);
}

TEST_CASE("recording changes nothing, and is the same every time") {
  Recorded first = record(kPipeline);
  Recorded second = record(kPipeline);
  for (Recorded* recorded : {&first, &second})
    for (trace::Event& event : recorded->events)
      if (auto* step = std::get_if<trace::Step>(&event))
        for (trace::Write& write : step->writes)
          if (write.name == "%rd1") write.lanes.clear();  // where the allocator put g
  CHECK(first.events == second.events);
  CHECK(first.report.warp_instructions == second.report.warp_instructions);
}

TEST_CASE("a seed gives another order of the warps, the same for the same seed") {
  // Every warp takes a number; the order of the numbers is the order of the turns.
  const Setup setup{
      "mov.u32 %r1, sm;\nmov.u32 %r2, %laneid;\nsetp.eq.u32 %p1, %r2, 0;\n"
      "setp.lt.u32 %p2, %r1, 1;\nst.shared.u32 [%r1], 0;\nbar.sync 0;\n"
      "@%p1 atom.shared.add.u32 %r3, [%r1], 1;",
      kRegisters, 256};
  const auto order = [&](std::uint64_t seed) {
    Setup with = setup;
    with.seed = seed;
    std::vector<std::uint64_t> numbers(8);
    for (const trace::Step& step : record(with).all<trace::Step>())
      if (step.ptx.find("atom") != std::string::npos)
        numbers[static_cast<std::size_t>(step.place.warp)] = step.writes.at(0).lanes[0];
    return numbers;
  };
  CHECK(order(0) == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7});
  std::set<std::vector<std::uint64_t>> different;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    CHECK(order(seed) == order(seed));
    different.insert(order(seed));
  }
  CHECK(different.size() >= 9);
  // A right program does not depend on it.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Setup with = kPipeline;
    with.seed = seed;
    CHECK(!record(with).report.error);
  }
}

TEST_CASE("what was executed is counted, by mnemonic, with how exact it is") {
  Setup setup{
      "mov.u32 %r1, 3;\nLOOP:\nadd.u32 %r1, %r1, -1;\nsetp.ne.u32 %p1, %r1, 0;\n"
      "@%p1 bra LOOP;\nmov.b32 %r2, 0f3F800000;\nsin.approx.f32 %r2, %r2;\n"
      "mov.u32 %r3, %clock;\n@!%p1 bra END;\nmov.u32 %r4, 5;\nEND:",
      ".reg .pred %p<4>;\n.reg .b32 %r<16>;", 64};
  setup.counts = true;
  const LaunchReport report = record(setup).report;
  const auto find = [&](std::string_view mnemonic) {
    for (const Executed& one : report.executed)
      if (one.instruction == mnemonic) return one;
    return Executed{};
  };
  CHECK(find("add.u32").warp_instructions == 2 * 3);
  CHECK(find("add.u32").fidelity == Fidelity::exact);
  CHECK(find("sin.approx.f32").warp_instructions == 2);
  CHECK(find("sin.approx.f32").fidelity == Fidelity::exact);
  CHECK(find("mov.u32 of a clock").fidelity == Fidelity::approximate);
  CHECK(find("mov.u32").warp_instructions == 2);  // the one in the branch that is not taken: never
}

TEST_CASE("a sum of its loop's last product may be rounded once on a card: that is said of it") {
  const auto fidelity = [](const std::string& body) {
    Setup setup{"mov.u32 %r1, 3;\nmov.f32 %f1, 0f3F800800;\nmov.f32 %f2, 0f3F800800;\nLOOP:\n" +
                    body + "add.u32 %r1, %r1, -1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra LOOP;\n",
                ".reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .f32 %f<8>;", 64};
    setup.counts = true;
    for (const Executed& one : record(setup).report.executed)
      if (one.instruction == "sub.f32 of the last turn's product") return one.fidelity;
    return Fidelity::exact;
  };
  const std::string product = "mul.f32 %f2, %f3, %f1;\n";
  CHECK(fidelity("sub.f32 %f3, %f1, %f2;\n" + product) == Fidelity::approximate);
  CHECK(fidelity("sub.rn.f32 %f3, %f1, %f2;\n" + product) == Fidelity::exact);
  CHECK(fidelity("sub.f32 %f3, %f1, %f2;\nmul.rn.f32 %f2, %f3, %f1;\n") == Fidelity::exact);
  CHECK(fidelity("mov.f32 %f2, %f1;\nsub.f32 %f3, %f1, %f2;\n" + product) == Fidelity::exact);
  CHECK(fidelity("sub.f32 %f3, %f1, %f2;\n" + product + "mov.f32 %f2, %f1;\n") == Fidelity::exact);
}

}  // namespace lanescope::emulator::test

// SPDX-License-Identifier: MIT
// Recording how warps wait for each other and for copies; and other orders of the warps.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "tests/emulator/recorded.hpp"

namespace lanescope::emulator::test {

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

namespace {

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

}  // namespace

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
      CHECK(sync.global != 0);
      CHECK(sync.tensor.empty());
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
  // Apart from where the allocator put g.
  for (Recorded* recorded : {&first, &second})
    for (trace::Event& event : recorded->events) {
      if (auto* sync = std::get_if<trace::Sync>(&event)) sync->global = 0;
      if (auto* step = std::get_if<trace::Step>(&event))
        for (trace::Write& write : step->writes)
          if (write.name == "%rd1") write.lanes.clear();
    }
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

TEST_CASE("tcgen05.commit arrives when what stands before it is done, not when it is issued") {
  // Warp 0 multiplies zeros and commits to sm + 16; warp 1 waits for it.
  const Recorded recorded = record(
      {"mov.u32 %r1, sm; mov.u32 %r4, %tid.x; setp.eq.u32 %p0, %r4, 0; setp.lt.u32 %p3, %r4, 32;\n"
       "@%p3 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32;\n"
       "@%p0 mbarrier.init.shared.b64 [%r1+16], 1;\nbar.sync 0;\n"
       "ld.shared.b32 %r2, [%r1]; shr.u32 %r9, %r1, 4; cvt.u64.u32 %rd3, %r9;\n"
       "or.b64 %rd3, %rd3, 0x0000400800080000; setp.ne.u32 %p2, %r1, %r1;\n"
       "@%p0 tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd3, %rd3, 0x04020010, %p2;\n"
       "@%p0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r1+16];\n"
       "@%p3 bra END;\n"
       "W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1+16], 0; @!%p1 bra W;\n"
       "END: bar.sync 0;\n"
       "@%p3 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;",
       kRegisters, 64, 1, 0, "sm_100a"});
  const std::string done = fmt::format("mbarrier 0x{:x} phase 0", shared_base() + 16);
  CHECK(recorded.count("arrive " + done + " warp 0") == 1);
  CHECK(recorded.count("complete " + done + " warp 0") == 1);
  CHECK(recorded.first("wait " + done + " warp 1") < recorded.first("arrive " + done + " warp 0"));
  CHECK(recorded.first("arrive " + done + " warp 0") < recorded.first("pass " + done + " warp 1"));
  for (const trace::Sync& sync : recorded.all<trace::Sync>())
    if (sync.action == "arrive" && sync.object == done.substr(0, done.find(" phase")))
      for (const trace::Step& step : recorded.all<trace::Step>())
        if (step.place.warp == 0 && step.step == sync.step)
          CHECK(step.ptx.find("tcgen05.commit") != std::string::npos);
}

}  // namespace lanescope::emulator::test

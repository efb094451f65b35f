// SPDX-License-Identifier: MIT
// Why an access to shared memory has to wait, in words; and where the sums of a wgmma arrive.
#include "panels/steps/access_facts.hpp"

#include <doctest/doctest.h>

#include <random>

#include "panels/steps/step_reads.hpp"
#include "panels/steps/step_search.hpp"
#include "panels/steps/step_text.hpp"
#include "panels/steps/step_values.hpp"
#include "panels/steps/steps.hpp"
#include "tests/viz/recorded.hpp"

namespace lanescope::viz {
namespace {

// Every lane reads 4 bytes, `apart` bytes behind the lane before.
trace::Access column(std::uint32_t apart, std::uint32_t active = ~0u) {
  trace::Access access;
  access.instruction = "ld.shared.u32";
  access.bytes_per_lane = 4;
  access.active = active;
  for (std::uint32_t lane = 0; lane < 32; ++lane) access.addresses.push_back(0x400 + apart * lane);
  return access;
}

std::string why(const trace::Access& access) {
  const AccessFacts facts = access_facts(access);
  return bank_text(access, facts, worst_bank(facts));
}

TEST_CASE("why a bank is waited for: its words, who wants them, how far they lie apart") {
  CHECK(why(column(4)).empty());
  CHECK(why(column(128, 0x7)) ==
        "bank 0, lanes 0 to 2: 3 words, one a pass, 128 bytes apart: 0x400 lane 0, 0x480 lane 1, "
        "0x500 lane 2");
  CHECK(why(column(128)).find("32 words, one a pass, 128 bytes apart: 0x400 lane 0") !=
        std::string::npos);
  CHECK(why(column(128)).find("0x780 lane 7 and 24 more") != std::string::npos);
  // 64 bytes apart: banks 0 and 16 in turns, so the words of one lie 128 apart.
  CHECK(why(column(64, 0xf)) ==
        "bank 0, lanes 0 to 3: 2 words, one a pass: 0x400 lane 0, 0x480 lane 2");
  trace::Access uneven = column(128, 0x7);
  uneven.addresses[2] += 128;
  CHECK(why(uneven) ==
        "bank 0, lanes 0 to 2: 3 words, one a pass: 0x400 lane 0, 0x480 lane 1, 0x580 lane 2");
}

TEST_CASE("a word that several want is one, and a bank may be wanted by nobody") {
  const trace::Access same = column(0);
  const AccessFacts facts = access_facts(same);
  CHECK(bank_text(same, facts, {0, 0}) ==
        "bank 0, lanes 0 to 31: one word, 0x400 for lanes 0 to 31, who share it");
  CHECK(bank_text(same, facts, {0, 3}) == "bank 3, lanes 0 to 31: nothing wanted");
  CHECK(bank_text(same, facts, {1, 3}).empty());  // there is one phase
  const trace::Access own = column(4);
  CHECK(bank_text(own, access_facts(own), {0, 5}) ==
        "bank 5, lanes 0 to 31: one word, 0x414 for lane 5");
}

TEST_CASE("lanes in words") {
  CHECK(lanes_text(0) == "no lane");
  CHECK(lanes_text(1u << 31) == "lane 31");
  CHECK(lanes_text(0xff00) == "lanes 8 to 15");
  CHECK(lanes_text(0x15) == "lanes 0, 2, 4");
  CHECK(lanes_text(0x155) == "5 lanes");
}

TEST_CASE("the words of a bank are as many as were counted, and every lane's are among them") {
  std::mt19937 random(8);
  for (int round = 0; round < 60; ++round) {
    trace::Access access = column(0, static_cast<std::uint32_t>(random()) | 1u);
    access.bytes_per_lane = 4 << random() % 3;
    for (std::uint32_t& address : access.addresses)
      address = static_cast<std::uint32_t>(random() % 64) *
                static_cast<std::uint32_t>(access.bytes_per_lane) * (1u << random() % 5);
    for (const AccessPhase& phase : access_facts(access).phases) {
      std::uint32_t lanes = 0;
      for (int bank = 0; bank < 32; ++bank) {
        const std::vector<BankWord> words = words_of_bank(access, phase, bank);
        CHECK(words.size() == phase.words[static_cast<std::size_t>(bank)]);
        for (const BankWord& word : words) lanes |= word.lanes;
      }
      CHECK(lanes == phase.lanes);
    }
  }
}

TEST_CASE("registers that inline assembly calls as it likes are read, and arrive, as others do") {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  const std::string load = "tcgen05.ld.sync.aligned.32x32b.x2.b32 {f0, f1}, [addr];";
  trace.events.emplace_back(
      recorded::step(0, 1, "mov.b32 addr, %r1;", 3, {recorded::write("addr")}));
  trace.events.emplace_back(recorded::step(0, 2, load, 4));
  trace.events.emplace_back(recorded::step(0, 3, "tcgen05.wait::ld.sync.aligned;", 5,
                                           {recorded::write("f0"), recorded::write("f1")}));
  trace.events.emplace_back(recorded::step(0, 4, "cvt.rn.bf16x2.f32 b0, f1, f0;", 6));
  const StepList list = make_steps(trace);
  const StepWarp& warp = list.warps[0];
  const Writers writers = writers_of(warp);
  CHECK(arrives_at(warp, writers, 1) == 2);
  const auto names = [&](int item) {
    std::string all;
    for (const Read& one : reads(warp, writers, item)) all += one.write->name + " ";
    return all;
  };
  CHECK(names(1) == "addr ");
  CHECK(names(3) == "f1 f0 ");
}

TEST_CASE("the sums of a wgmma arrive at the wait that writes them, and are f32 by their names") {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  const std::string multiply =
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2}, %rd1, %rd2, p, 1, 1, 0, 0;";
  trace::Write ten = recorded::write("%f1");
  for (std::uint64_t& bits : ten.lanes) bits = 0x41200000;
  trace.events.emplace_back(recorded::step(0, 1, "mov.f32 %f1, 0f00000000;", 3, {ten}));
  trace.events.emplace_back(recorded::step(0, 2, multiply, 4));
  trace.events.emplace_back(recorded::step(0, 3, "wgmma.commit_group.sync.aligned;", 5));
  trace.events.emplace_back(recorded::step(0, 4, "wgmma.wait_group.sync.aligned 0;", 6, {ten}));
  trace.events.emplace_back(recorded::step(0, 5, multiply, 7));
  const StepList list = make_steps(trace);
  const StepWarp& warp = list.warps[0];
  const Writers writers = writers_of(warp);
  CHECK(arrives_at(warp, writers, 1) == 3);
  CHECK(arrives_at(warp, writers, 0) == -1);  // no wgmma
  CHECK(arrives_at(warp, writers, 4) == -1);  // nobody waits for it
  CHECK(step_text(list, {0, 1, {}})
            .find("writes no register yet: the sums arrive at "
                  "wgmma.wait_group, step 4\n") != std::string::npos);
  CHECK(step_text(list, {0, 2, {}}).find("writes no register\n") != std::string::npos);
  CHECK(value_type(*warp.items[3].step, 0) == "f32");
  CHECK(step_text(list, {0, 3, {}}).find("%f1  f32, changed in 0") != std::string::npos);
}

TEST_CASE("what a tcgen05.ld fetches is written at the wait behind it") {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  trace.events.emplace_back(
      recorded::step(0, 1, "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r9];", 3));
  trace.events.emplace_back(recorded::step(0, 2, "tcgen05.wait::ld.sync.aligned;", 4,
                                           {recorded::write("%r1"), recorded::write("%r2")}));
  const StepList list = make_steps(trace);
  CHECK(step_text(list, {0, 0, {}})
            .find("writes no register yet: they are written at tcgen05.wait::ld, step 2\n") !=
        std::string::npos);
}

TEST_CASE("who wrote a register: the last step of that warp, by its name") {
  trace::Trace trace = recorded::steps();
  trace.events.emplace_back(
      recorded::step(0, 15, "@%p1 mov.b32 %r7, %r9;", 8, {recorded::write("%r7", "A.r0")}));
  const StepList list = make_steps(trace);
  const trace::Place place;
  const StepPlace first = written_by(list, place, 0, "A.r1");
  CHECK(step_name(list, first) == "step 12: ldmatrix");
  CHECK(step_name(list, written_by(list, place, 0, "A.r0")) == "step 15: mov");
  CHECK(written_by(list, place, 3, "A.r0").item == -1);  // another warp
  CHECK(written_by(list, place, 0, "A.r").item == -1);
  trace::Place other = place;
  other.launch = 1;
  CHECK(written_by(list, other, 0, "A.r0").item == -1);
}

TEST_CASE("a sum is the multiplication's, not what is loaded again with the same numbers") {
  trace::Trace trace = recorded::steps();
  const auto step = [&trace](int number, const char* ptx, std::uint64_t first_lane) {
    trace::Write write = recorded::write("%f9", "D.r0");
    write.lanes[0] = first_lane;
    trace.events.emplace_back(recorded::step(0, number, ptx, 8, {write}));
  };
  const auto last = [&trace](bool is_sum) {
    const StepList list = make_steps(trace);
    return step_name(list, written_by(list, trace::Place{}, 0, "D.r0", is_sum));
  };
  step(15, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f9}, {%r1}, {%r2}, {%f9};", 7);
  step(16, "ld.global.f32 %f9, [%rd1];", 7);
  CHECK(last(true) == "step 15: mma");
  CHECK(last(false) == "step 16: ld");
  step(17, "add.f32 %f9, %f9, %f8;", 8);
  CHECK(last(true) == "step 17: add");
}

TEST_CASE("the terminal says why as the window does") {
  const trace::Trace trace = recorded::steps();
  const StepList list = make_steps(trace);
  CHECK(step_text(list, {0, 2, {}})
            .find("why: bank 0, lanes 0 to 7: 4 words, one a pass, 128 bytes apart: 0x0 lane 0, "
                  "0x80 lane 2, 0x100 lane 4, 0x180 lane 6\n") != std::string::npos);
}

}  // namespace
}  // namespace lanescope::viz

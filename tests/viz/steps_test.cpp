// SPDX-License-Identifier: MIT
// The models behind the panels of steps and memory: which lanes an instruction changed, how its
// accesses fall into banks, where the words of the search box lead, what a tile's cells hold.
#include "panels/steps/steps.hpp"

#include <doctest/doctest.h>

#include <random>

#include "layout/banks.hpp"
#include "panels/memory/memory_tile.hpp"
#include "panels/steps/step_reads.hpp"
#include "panels/steps/step_search.hpp"
#include "panels/steps/step_values.hpp"
#include "tests/viz/recorded.hpp"

namespace lanescope::viz {
namespace {

std::vector<Read> reads_of(const StepWarp& warp, int item) {
  return reads(warp, writers_of(warp), item);
}

TEST_CASE("steps are sorted by warp, and know who wrote a register before") {
  const trace::Trace trace = recorded::steps();
  const StepList list = make_steps(trace);
  REQUIRE(list.warps.size() == 2);
  const StepWarp& warp = list.warps[0];
  REQUIRE(warp.items.size() == 5);
  CHECK(warp.warp == 0);
  CHECK(list.warps[1].warp == 3);
  CHECK(name_of(list.warps[1]) == "warp 3");
  CHECK(before(list, warp, 0, 0) == nullptr);
  CHECK(changed_lanes(list, warp, 0, 0) == ~0u);  // nothing is known of before: all that took part
  REQUIRE(before(list, warp, 1, 0) != nullptr);
  CHECK(before(list, warp, 1, 0)->lanes[5] == 5);
  CHECK(changed_lanes(list, warp, 1, 0) == 0xf0u);  // lanes 4 to 7 got another value
  // The same name in another warp is another register.
  CHECK(before(list, list.warps[1], 0, 0) == nullptr);
  CHECK(warp.items[2].access != nullptr);
  CHECK(warp.items[3].access == nullptr);
}

TEST_CASE("what an instruction reads is what was written before") {
  trace::Trace trace = recorded::steps();
  auto& add = std::get<trace::Step>(trace.events[1]);  // add.s32 %r1, %r1, %r2;
  const StepList list = make_steps(trace);
  const StepWarp& warp = list.warps[0];
  CHECK(reads_of(warp, 0).empty());
  std::vector<Read> read = reads_of(warp, 1);
  REQUIRE(read.size() == 1);  // nobody has recorded %r2
  CHECK(read[0].write->name == "%r1");
  CHECK(read[0].write->lanes[5] == 5);  // before the addition
  CHECK_FALSE(is_uniform(read[0]));
  read = reads_of(warp, 2);  // ldmatrix ... {%r7, %r8}, [%r1];
  REQUIRE(read.size() == 1);
  CHECK(read[0].write->lanes[5] == 105);  // and after it
  CHECK(read[0].type == "s32");
  add.ptx = "add.s32 %r1, %laneid, %r2;";
  CHECK(reads_of(warp, 1).empty());   // what is only written is not read
  add.ptx = "mma.sync }, %r1, %r1;";  // no PTX: a list is closed that nobody has opened
  CHECK(reads_of(warp, 1).size() == 1);
  add.ptx = "@%r1 add.s32 %r9, %r1, %r1;";
  add.writes.clear();
  REQUIRE(reads_of(warp, 1).size() == 1);  // once
  add.active = 1u << 4;
  CHECK(is_uniform(reads_of(warp, 1)[0]));
  CHECK(uniform_text(reads_of(warp, 1)[0], "s32") == "4 in lane 4");
}

TEST_CASE("what an mma reads is of its operands' types") {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  for (const char* name : {"%r1", "%r2", "%f3", "%f4"})
    trace.events.emplace_back(recorded::step(0, 0, "mov.b32 x, y;", 1, {recorded::write(name)}));
  const auto types = [&](const char* ptx) {
    trace.events.emplace_back(recorded::step(0, 1, ptx, 2));
    const StepList list = make_steps(trace);
    std::string all;
    for (const Read& read :
         reads_of(list.warps[0], static_cast<int>(list.warps[0].items.size()) - 1))
      all += read.write->name + " " + std::string(read.type) + ", ";
    trace.events.pop_back();
    return all;
  };
  CHECK(
      types(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%f9}, {%r1}, {%r2}, {%f3, %f4};") ==
      "%r1 f16x2, %r2 bf16x2, %f3 f32, %f4 f32, ");
  CHECK(types("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%f9}, {%r1}, {%f9}, {%r2};") ==
        "%r1 , %r2 s32, ");
  CHECK(types("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f3}, {%r1}, %r2, p;") ==
        "%f3 f32, %r1 f16x2, %r2 , ");
  CHECK(types("st.global.f32 [%r1], %f4;") == "%r1 , %f4 f32, ");
}

TEST_CASE("what is masked, and a mask, are read as bits; an index is not") {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  trace::Write predicate = recorded::write("%p1");
  predicate.bits = 1;
  for (std::uint64_t& word : predicate.lanes) word = 1;
  trace.events.emplace_back(recorded::step(0, 0, "mov.u32 %r1, 7;", 1, {recorded::write("%r1")}));
  trace.events.emplace_back(recorded::step(0, 1, "setp.ne.u32 %p1, %r9, 0;", 2, {predicate}));
  const auto types = [&](const char* ptx) {
    trace.events.emplace_back(recorded::step(0, 2, ptx, 3));
    const StepList list = make_steps(trace);
    std::string all;
    for (const Read& read : reads_of(list.warps[0], 2)) all += std::string(read.type) + ", ";
    trace.events.pop_back();
    return all;
  };
  CHECK(types("add.s32 %r2, %r1, 3;") == "u32, ");
  CHECK(types("and.b32 %r2, %r1, 3;") == ", ");
  CHECK(types("lop3.b32 %r2, %r3, %r4, %r1, 234;") == ", ");
  CHECK(types("bfe.u32 %r2, %r1, 4, 8;") == ", ");
  CHECK(types("bfe.u32 %r2, %r3, %r1, 8;") == "u32, ");
  CHECK(types("shl.b32 %r2, %r1, 4;") == "u32, ");
  CHECK(types("and.pred %p2, %p1, %p3;") == "pred, ");
}

TEST_CASE("a descriptor that wgmma reads is taken apart") {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  trace::Write write = recorded::write("%rd7");
  write.bits = 64;
  // By hand: start 0x40 << 4, LBO 1 << 4, SBO 0x40 << 4, mode 1 is 128B.
  for (std::uint64_t& word : write.lanes) word = 0x4000004000010040;
  trace.events.emplace_back(recorded::step(0, 0, "or.b64 %rd7, %rd6, %rd5;", 1, {write}));
  trace.events.emplace_back(recorded::step(
      0, 1, "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1}, %rd7, %rd8, p;", 2));
  trace.events.emplace_back(recorded::step(0, 2, "st.global.b64 [%rd9], %rd7;", 3));
  for (trace::Event& event : trace.events) std::get<trace::Step>(event).active = ~0u;
  const StepList list = make_steps(trace);
  CHECK(uniform_text(reads_of(list.warps[0], 1).at(0), "") ==
        "0x4000004000010040 in every lane: from byte 1024, LBO 16, SBO 1024, 128B");
  CHECK(uniform_text(reads_of(list.warps[0], 2).at(0), "") == "0x4000004000010040 in every lane");
}

TEST_CASE("what tcgen05.mma reads: its own descriptor, places in tensor memory") {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  trace::Write matrix = recorded::write("%rd7"), place = recorded::write("%r5");
  matrix.bits = 64;
  // By hand: as wgmma's, but 001 from bit 46 on, and mode 2 in bits 61 to 63 is 128B.
  for (std::uint64_t& word : matrix.lanes) word = 0x4000404000010040;
  for (std::uint64_t& word : place.lanes) word = 0x200048;
  trace.events.emplace_back(recorded::step(0, 0, "or.b64 %rd7, %rd6, %rd4;", 1, {matrix}));
  trace.events.emplace_back(recorded::step(0, 1, "add.u32 %r5, %r6, %r4;", 2, {place}));
  trace.events.emplace_back(
      recorded::step(0, 2, "tcgen05.mma.cta_group::1.kind::f16 [%r5], %rd7, %rd7, %r9, p;", 3));
  trace.events.emplace_back(recorded::step(0, 3, "st.shared.b32 [%r5], %r9;", 4));
  for (trace::Event& event : trace.events) std::get<trace::Step>(event).active = ~0u;
  const StepList list = make_steps(trace);
  const std::vector<Read> read = reads_of(list.warps[0], 2);
  REQUIRE(read.size() == 2);
  CHECK(uniform_text(read[0], "") ==
        "0x00200048 in every lane: lane 32, column 72 of tensor memory");
  CHECK(uniform_text(read[1], "") ==
        "0x4000404000010040 in every lane: from byte 1024, LBO 16, SBO 1024, 128B");
  CHECK(uniform_text(reads_of(list.warps[0], 3).at(0), "") == "0x00200048 in every lane");
}

TEST_CASE("values are read as the instruction means them") {
  const auto type = [](const std::string& ptx, int bits) {
    trace::Step step;
    step.ptx = ptx;
    step.writes = {{"%r1", "", bits, std::vector<std::uint64_t>(32)}};
    return std::string(value_type(step, 0));
  };
  CHECK(type("mov.b32 %r1, %r2;", 32) == "");
  CHECK(type("add.f32 %f1, %f2, %f3;", 32) == "f32");
  CHECK(type("@%p1 add.s32 %r1, %r2, 1;", 32) == "s32");
  CHECK(type("ld.shared.u8 %r1, [%r2];", 32) == "u32");
  CHECK(type("ld.global.f16 %rs1, [%rd2];", 16) == "f16");
  CHECK(type("setp.lt.s32 %p1, %r1, 4;", 1) == "pred");
  CHECK(type("cvt.f32.f16 %f1, %rs1;", 32) == "f32");
  CHECK(type("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {..};", 32) == "f32");
  CHECK(type("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {..};", 32) == "f16x2");
  CHECK(type("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {..}, [%r1];", 32) == "");
  CHECK(type("mul.wide.s32 %rd1, %r1, 4;", 64) == "");
  CHECK(type("add.s64 %rd1, %rd2, 4;", 64) == "s64");
  CHECK(value_text("f32", 32, 0x40490fdb) == "3.1415927");
  CHECK(value_text("s32", 32, 0xffffffff) == "-1");
  CHECK(value_text("u64", 64, 4096) == "4096");
  CHECK(value_text("u64", 64, 0x5646'1cbf'4000) == "0x56461cbf4000");  // an address
  CHECK(value_text("f16x2", 32, 0x4e004c00) == "16, 24");
  CHECK(value_text("pred", 1, 1) == "true");
  CHECK(value_text("", 16, 0xabc) == "0x0abc");
}

TEST_CASE("an access falls into phases, and words of one bank conflict") {
  trace::Access access;
  access.instruction = "ld.shared.u32";
  access.bytes_per_lane = 4;
  access.active = ~0u;
  for (std::uint32_t lane = 0; lane < 32; ++lane) access.addresses.push_back(4 * lane);
  CHECK(access_facts(access).title == "1 phase, 1 pass: no bank conflict");
  for (std::uint32_t lane = 0; lane < 32; ++lane) access.addresses[lane] = 128 * lane;
  AccessFacts facts = access_facts(access);
  CHECK(facts.title == "1 phase, 32 passes: 32-way bank conflict");
  CHECK(facts.phases[0].words[0] == 32);
  CHECK(facts.phases[0].words[1] == 0);
  CHECK(facts.conflicts == 31);
  access.active = 0xff;  // lanes that take no part want nothing
  CHECK(access_facts(access).passes == 8);
  // Loads of 16 bytes by which neighbours get the same have half as many phases, stores have not.
  access.active = ~0u;
  access.bytes_per_lane = 16;
  for (std::uint32_t lane = 0; lane < 32; ++lane) access.addresses[lane] = lane / 2 * 16;
  CHECK(access_facts(access).phases.size() == 2);
  CHECK(access_facts(access).passes == 2);
  access.instruction = "st.shared.v4.u32";
  CHECK(access_facts(access).phases.size() == 4);
  CHECK(access_facts(access).passes == 4);
  access.active = 0xff;
  // ldmatrix.x2: two phases of eight rows; rows 32 bytes apart meet in every fourth.
  access.instruction = "ldmatrix.sync.aligned.m8n8.x2.shared.b16";
  access.bytes_per_lane = 16;
  access.active = 0xffff;
  for (std::uint32_t lane = 0; lane < 16; ++lane) access.addresses[lane] = 32 * lane;
  facts = access_facts(access);
  REQUIRE(facts.phases.size() == 2);
  CHECK(facts.phases[1].lanes == 0xff00);
  CHECK(facts.passes == 4);
  CHECK(facts.phases[0].words[0] == 2);
  CHECK(facts.phases[0].words[4] == 0);
}

TEST_CASE("passes are those of the atlas's own count, whatever the addresses") {
  std::mt19937 random(6);
  for (int round = 0; round < 500; ++round) {
    trace::Access access;
    access.instruction = "ld.shared";
    access.bytes_per_lane = 1 << random() % 5;
    access.active = round % 3 == 0 ? ~0u : static_cast<std::uint32_t>(random());
    const std::uint32_t spread = 1u << random() % 12;
    for (int lane = 0; lane < 32; ++lane)
      access.addresses.push_back(static_cast<std::uint32_t>(random() % spread) *
                                 static_cast<std::uint32_t>(access.bytes_per_lane));
    for (const AccessPhase& phase : access_facts(access).phases) {
      std::vector<std::uint32_t> addresses;
      for (std::size_t lane = 0; lane < 32; ++lane)
        if (((phase.lanes >> lane) & 1) != 0) addresses.push_back(access.addresses[lane]);
      CHECK(phase.passes == layout::passes(addresses, access.bytes_per_lane));
    }
  }
}

TEST_CASE("words lead to a step, and what leads nowhere says what would") {
  const trace::Trace trace = recorded::steps();
  const StepList list = make_steps(trace);
  const auto find = [&](const char* words, int item = 0) {
    return find_step(list, {0, item, {}}, words);
  };
  CHECK(find("step 12").item == 2);
  CHECK(find("line 8").item == 1);
  CHECK(find("line 8", 1).item == 4);  // the next one, and around
  CHECK(find("line 8", 4).item == 1);
  CHECK(find("%r7").item == 2);
  CHECK(find("A.r0").item == 2);
  CHECK(find("A").item == 2);  // any register of it
  CHECK(find("next add").item == 1);
  CHECK(find("conflict").item == 2);
  CHECK(find("next tensor").item == 2);
  CHECK(find("next tensor", 2).item == 2);              // the only one
  CHECK(find_step(list, {1, 1, {}}, "%r7").warp == 0);  // warp 3 has none
  CHECK(find_step(list, {1, 1, {}}, "%r7").item == 2);
  CHECK(find_step(list, {1, 1, {}}, "%r1").warp == 1);
  CHECK(find("warp 3").warp == 1);
  CHECK(find("warp 3 step 11").item == 1);
  CHECK(words_of(list, find("warp 3 step 11")) == "warp 3 step 11");
  for (const char* wrong : {"step 99", "step", "warp 9", "%r99", "nonsense", "", "line 77"}) {
    CAPTURE(wrong);
    const StepPlace place = find(wrong, 3);
    CHECK(!place.error.empty());
    CHECK(place.item == 3);
  }
  CHECK(!find_step({}, {}, "step 1").error.empty());
  CHECK(find("line 77").error == "no step is of line 77");
  CHECK(find("next xyz").error == "no instruction begins with 'xyz'");
  CHECK(find("%r99").error.starts_with("no step writes '%r99'; write step 17, "));
}

TEST_CASE("the first tensor instruction is that which was executed first, in whatever warp") {
  trace::Trace trace = recorded::steps();
  CHECK(words_of(make_steps(trace), first_tensor(make_steps(trace))) == "warp 0 step 12");
  const auto first_of = [&](const char* ptx) {
    std::get<trace::Step>(trace.events[2]).ptx = ptx;  // warp 3, before warp 0's ldmatrix
    const StepList list = make_steps(trace);
    return words_of(list, first_tensor(list));
  };
  for (const char* ptx :
       {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {};",
        "@%p1 mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {};",
        "cp.async.bulk.tensor.2d.shared::cluster.global [%r1], [%rd1];",
        "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, 1;",
        "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r2];", "movmatrix.sync %r1, %r2;"})
    CHECK_MESSAGE(first_of(ptx) == "warp 3 step 10", ptx);
  for (const char* ptx :
       {"wgmma.fence.sync.aligned;", "tcgen05.wait::ld.sync.aligned;", "ld.param.u64 %rd1, [mma];",
        "cp.reduce.async.bulk;", "@%p1 mov.b32 %r1;"})
    CHECK_MESSAGE(first_of(ptx) == "warp 0 step 12", ptx);
  // Where warp 0 comes to the same later, it is shown there.
  std::get<trace::Step>(trace.events[2]).ptx = std::get<trace::Step>(trace.events[3]).ptx;
  CHECK(words_of(make_steps(trace), first_tensor(make_steps(trace))) == "warp 0 step 12");
  std::get<trace::Step>(trace.events[2]).ptx = "mov.u32 %r1, %laneid;";
  trace.events.resize(3);
  CHECK(first_tensor(make_steps(trace)).item == 0);  // there is none
  CHECK(first_tensor({}).item == 0);
}

TEST_CASE("a tile's elements, addresses and banks") {
  const trace::Memory tile = recorded::tile();
  CHECK(element_bits(tile) == 16);
  CHECK(element_text(tile, 9, 5) == "905");
  CHECK(element_address(tile, 9, 5) == 0x400 + 9 * 48 + 10);
  CHECK(element_bank(tile, 9, 5) == (0x400 + 9 * 48 + 10) / 4 % 32);
  CHECK(tile_facts(tile, 9, 5).value == "905");
  CHECK(tile_facts(tile, 16, 0).title.empty());
  // Rows 48 bytes apart: eight of them meet in no bank; 128 bytes apart, in all.
  CHECK(eight_row_passes(tile, 0, 0) == 1);
  CHECK(eight_row_passes(tile, 1, 1) == 1);
  CHECK(eight_row_passes(tile, 2, 0) == 0);
  CHECK(eight_row_passes(tile, 0, 2) == 0);
  trace::Memory straight = tile;
  straight.row_stride_bytes = 128;
  CHECK(eight_row_passes(straight, 0, 0) == 8);
  straight.space = "global";
  CHECK(eight_row_passes(straight, 0, 0) == 0);
  CHECK(element_bank(straight, 0, 0) == -1);
  int row = -1, col = -1;
  std::string why;
  CHECK(read_element(tile, "3, 7", row, col, why));
  CHECK((row == 3 && col == 7));
  CHECK(read_element(tile, "row 12", row, col, why));
  CHECK((row == 12 && col == 0));
  for (const char* wrong : {"", "3", "16,0", "0,16", "-1,2", "A 3,5", "3,5,7"}) {
    CAPTURE(wrong);
    CHECK_FALSE(read_element(tile, wrong, row, col, why));
    CHECK(!why.empty());
  }
}

TEST_CASE("what no reader would give is left out") {
  trace::Trace trace = recorded::steps();
  std::get<trace::Step>(trace.events[1]).writes[0].lanes.pop_back();
  std::get<trace::Access>(trace.events[4]).addresses.clear();
  trace::Memory empty;
  trace.events.emplace_back(empty);
  const StepList list = make_steps(trace);
  CHECK(list.warps[0].items.size() == 4);
  CHECK(list.warps[0].items[1].access == nullptr);
  CHECK(tiles_of(trace).empty());
}

TEST_CASE("types narrower than a byte are cut out of their bytes") {
  trace::Memory tile = recorded::tile();
  tile.type = "u4";
  tile.rows = 1;
  tile.cols = 4;
  tile.bytes = {0x21, 0x43};
  for (int col = 0; col < 4; ++col) CHECK(element_pattern(tile, 0, col) == col + 1u);
}

}  // namespace
}  // namespace lanescope::viz

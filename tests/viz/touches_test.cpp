// SPDX-License-Identifier: MIT
// From an element of a tile to the steps that wrote and read it, and to the lane that has it.
#include "panels/memory/touches.hpp"

#include <doctest/doctest.h>

#include "tests/viz/recorded.hpp"

using namespace lanescope;
using namespace lanescope::viz;

namespace {

// The tile lies where the ldmatrix of the made-up steps reads: lane l's row of 16 bytes at 64 l.
trace::Memory rows_of_64() {
  trace::Memory tile = recorded::tile();
  tile.address = 0;
  tile.row_stride_bytes = 64;
  return tile;
}

}  // namespace

TEST_CASE("ldmatrix: lane 9's address leads to row 1 of matrix 1, which other lanes get") {
  const trace::Trace trace = recorded::steps();
  const StepList steps = make_steps(trace);
  // Row 9, column 5: matrix 1 (rows 8 to 15), its row 1: lanes 4 to 7 have that row, two columns
  // each (9.7.14.5.15): column 5 is lane 6's, in the high half of the second register.
  const std::vector<Touch> found = touches(steps, rows_of_64(), 9, 5, 10);
  REQUIRE(found.size() == 1);
  CHECK(found[0].lane == 9);
  CHECK_FALSE(found[0].writes);
  CHECK(found[0].to_lane == 6);
  CHECK(found[0].register_name == "%r8");
  CHECK(found[0].watch == "A.r1");
  CHECK(found[0].bit == 16);
  CHECK(touch_text(steps, found[0], 16) ==
        "ldmatrix: lane 9's address, to lane 6, A.r1, bits 16..31");
}

TEST_CASE("what no address covers, inactive lanes, another launch, global memory: nothing") {
  const trace::Trace trace = recorded::steps();
  const StepList steps = make_steps(trace);
  CHECK(touches(steps, rows_of_64(), 9, 8, 10).empty());  // behind the 16 bytes
  trace::Memory tile = rows_of_64();
  tile.place.launch = 1;
  CHECK(touches(steps, tile, 9, 5, 10).empty());
  tile = rows_of_64();
  tile.place.block = {1, 0, 0};
  CHECK(touches(steps, tile, 9, 5, 10).empty());
  tile = rows_of_64();
  tile.space = "global";
  CHECK(touches(steps, tile, 9, 5, 10).empty());
  CHECK(touches(steps, rows_of_64(), 16, 0, 10).empty());
  // Lanes 16 to 31 hand in address 0, too, but take no part: one touch of row 0, not 17.
  CHECK(touches(steps, rows_of_64(), 0, 0, 100).size() == 1);
}

TEST_CASE("ld and st: the lane itself") {
  trace::Trace trace = recorded::steps();
  const auto add = [&trace](int number, const std::string& ptx, const std::string& instruction,
                            std::vector<trace::Write> writes, int bytes) {
    trace.events.emplace_back(recorded::step(0, number, ptx, 1, std::move(writes)));
    trace::Access access;
    access.step = number;
    access.instruction = instruction;
    access.bytes_per_lane = bytes;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      access.addresses.push_back(4096 + lane * static_cast<std::uint32_t>(bytes));
    trace.events.emplace_back(access);
  };
  add(15, "st.shared.u32 [%r1], %r7;", "st.shared.u32", {}, 4);
  add(16, "ld.shared.v2.u32 {%r3, %r4}, [%r1];", "ld.shared.v2.u32",
      {recorded::write("%r3"), recorded::write("%r4")}, 8);
  const StepList steps = make_steps(trace);
  trace::Memory tile = recorded::tile();
  tile.address = 4096;
  tile.row_stride_bytes = 32;
  // Row 1, column 3: byte 38. Lane 9 of four bytes each; lane 4 of eight, its second register's
  // high half.
  const std::vector<Touch> found = touches(steps, tile, 1, 3, 10);
  REQUIRE(found.size() == 2);
  CHECK(found[0].writes);
  CHECK(found[0].lane == 9);
  CHECK(found[0].to_lane == -1);
  CHECK(touch_text(steps, found[0], 16) == "st: lane 9 writes it");
  CHECK(found[1].lane == 4);
  CHECK(found[1].to_lane == 4);
  CHECK(found[1].register_name == "%r4");
  CHECK(touch_text(steps, found[1], 16) == "ld: to lane 4, %r4, bits 16..31");
  CHECK(touches(steps, tile, 1, 3, 1).size() == 1);
}

namespace {

// 8 rows of 64 f16, swizzled in 128 bytes, at byte 0x400, as TMA and wgmma have them.
trace::Memory swizzled_tile() {
  trace::Memory tile = recorded::tile();
  tile.rows = 8;
  tile.cols = 64;
  tile.row_stride_bytes = 128;
  tile.bytes.assign(8 * 128, 0);
  return tile;
}

trace::Sync boxed(const std::string& action, int warp, std::int64_t step) {
  trace::Sync sync = recorded::sync(warp, step, action, "mbarrier 0x0", 0, 1024, 0x400);
  sync.global = 0x100000;
  sync.tensor.push_back({2, "128B", {256, 64}, {512}, {64, 8}, {64, 16}});
  return sync;
}

}  // namespace

TEST_CASE("bulk copies and wgmma have no lane's address, and are told of") {
  const std::string wgmma = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16";
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  trace.events.emplace_back(boxed("copy", 0, 1));
  trace.events.emplace_back(recorded::step(
      0, 1,
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], "
      "[%rd9, {%r2, %r3}], [%r4];",
      1));
  trace.events.emplace_back(boxed("land", 0, 1));
  trace.events.emplace_back(boxed("land", 0, 0));  // of another CTA
  // K-major, 128 B swizzle, 32 bytes along k.
  for (int warp = 0; warp < 4; ++warp) {
    trace.events.emplace_back(recorded::step(warp, 2, "mov.b64 %rd5, descriptor;", 2,
                                             {recorded::wide("%rd5", 0x4000004000010042, 64)}));
    trace.events.emplace_back(
        recorded::step(warp, 3, wgmma + " {%f0, %f1, %f2, %f3}, %rd4, %rd5, 1, 1, 1, 0, 0;", 3));
  }
  trace::Sync store = boxed("store", 0, 4);
  store.object = "bulk";
  trace.events.emplace_back(store);
  trace.events.emplace_back(recorded::step(0, 4, "cp.async.bulk.tensor.2d...;", 4));
  const StepList steps = make_steps(trace);
  RegisterHistory history(steps);

  // Unit 1 of row 5 holds what the matrix has in unit 1 ^ 5 = 4, elements 32 to 39.
  const std::vector<Touch> away = touches(trace, history, swizzled_tile(), 5, 8, 10);
  REQUIRE(away.size() == 3);
  CHECK(touch_text(steps, away[0], 16) ==
        "a bulk copy of another CTA of 1024 bytes writes it, from {96, 21} of the tensor at "
        "0x100000");
  CHECK(touch_place(steps, away[0]) == "not recorded");
  CHECK(touch_text(steps, away[1], 16) ==
        "a bulk copy of 1024 bytes writes it, from {96, 21} of the tensor at 0x100000");
  CHECK(touch_place(steps, away[1]) == "warp 0, step 1");
  CHECK(touch_text(steps, away[2], 16) ==
        "a bulk copy of 1024 bytes out of shared memory reads it");

  // Unit 7 of row 5 holds elements 16 to 23: k 0 to 7 of this wgmma.
  const std::vector<Touch> read = touches(trace, history, swizzled_tile(), 5, 7 * 8 + 3, 10);
  REQUIRE(read.size() == 4);  // of four warps once
  CHECK(touch_text(steps, read[2], 16) == "wgmma: reads it as B[3][5], through descriptor %rd5");
  CHECK(touch_place(steps, read[2]) == "warp 0, step 3");
  CHECK(touches(trace, history, swizzled_tile(), 5, 7 * 8 + 3, 2).size() == 2);
  trace::Memory elsewhere = swizzled_tile();
  elsewhere.place.block = {1, 0, 0};
  CHECK(touches(trace, history, elsewhere, 5, 8, 10).empty());
}

// SPDX-License-Identifier: MIT
// Traces made up for the tests of the panels of memory, steps and pipeline, small enough to check
// by hand.
#pragma once

#include <string>
#include <vector>

#include "numeric/format.hpp"
#include "tests/viz/synthetic.hpp"
#include "trace/event.hpp"

namespace lanescope::viz::recorded {

inline trace::Step step(int warp, std::int64_t number, const std::string& ptx, int line,
                        std::vector<trace::Write> writes = {}) {
  trace::Step s;
  s.place.warp = warp;
  s.step = number;
  s.ptx = ptx;
  s.source = {"lesson.cu", line};
  s.writes = std::move(writes);
  return s;
}

inline trace::Write write(const std::string& name, const std::string& watch = "") {
  trace::Write w{name, watch, 32, {}};
  for (std::uint64_t lane = 0; lane < 32; ++lane) w.lanes.push_back(lane);
  return w;
}

/// Warp 0: five steps, from number 10; warp 3: two.
inline trace::Trace steps() {
  trace::Trace trace;
  trace.header = {1, "emulator", "Lanescope emulator", "sm_90a", "steps", ""};
  trace::Write changed = write("%r1");
  for (std::size_t lane = 4; lane < 8; ++lane) changed.lanes[lane] += 100;
  trace.events.emplace_back(step(0, 10, "mov.u32 %r1, %laneid;", 7, {write("%r1")}));
  trace.events.emplace_back(step(0, 11, "add.s32 %r1, %r1, %r2;", 8, {changed}));
  trace.events.emplace_back(step(3, 10, "mov.u32 %r1, %laneid;", 7, {write("%r1")}));
  trace.events.emplace_back(step(0, 12,
                                 "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r7, %r8}, [%r1];", 9,
                                 {write("%r7", "A.r0"), write("%r8", "A.r1")}));
  trace::Access access;
  access.step = 12;
  access.instruction = "ldmatrix.sync.aligned.m8n8.x2.shared.b16";
  access.bytes_per_lane = 16;
  access.active = 0xffff;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    access.addresses.push_back(lane < 16 ? 64 * lane : 0);
  trace.events.emplace_back(access);
  trace.events.emplace_back(step(0, 13, "bar.sync 0;", 10));
  trace.events.emplace_back(step(3, 11, "bar.sync 0;", 10));
  trace.events.emplace_back(step(0, 14, "st.shared.u32 [%r1], %r7;", 8));
  return trace;
}

/// 16 x 16 halves, row r and column c hold 100 r + c; rows of 32 bytes, 48 apart.
inline trace::Memory tile() {
  trace::Memory tile;
  tile.name = "A in shared memory";
  tile.space = "shared";
  tile.type = "f16";
  tile.rows = tile.cols = 16;
  tile.address = 0x400;
  tile.row_stride_bytes = 48;
  const numeric::Format* f16 = numeric::find_format("f16");
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 16; ++col) {
      const std::uint64_t bits = numeric::encode(*f16, 100 * row + col);
      tile.bytes.push_back(static_cast<std::uint8_t>(bits & 0xff));
      tile.bytes.push_back(static_cast<std::uint8_t>(bits >> 8));
    }
  return tile;
}

inline trace::Sync sync(int warp, std::int64_t step, const std::string& action,
                        const std::string& object, std::int64_t phase, std::int64_t bytes = 0,
                        std::int64_t address = -1) {
  trace::Sync s;
  s.place.warp = warp;
  s.step = step;
  s.action = action;
  s.object = object;
  s.phase = phase;
  s.bytes = bytes;
  s.address = address;
  return s;
}

/// Warp 0 copies, warp 1 uses, one stage twice: full is mbarrier 0x0, empty is mbarrier 0x8.
///
///     warp 0   step 2: passes empty -1   3: copies   5: waits for empty 0   7: copies   (10 steps)
///     warp 1   step 1: waits for full 0   9: arrives at empty   10: waits for full 1   (14 steps)
inline trace::Trace pipeline() {
  const std::string full = "mbarrier 0x0", empty = "mbarrier 0x8";
  trace::Trace trace = steps();
  trace.events.clear();
  const auto add = [&trace](trace::Sync s) { trace.events.emplace_back(std::move(s)); };
  add(sync(0, 2, "pass", empty, -1));
  add(sync(0, 3, "expect", full, 0, 256));
  add(sync(0, 3, "arrive", full, 0));
  add(sync(0, 3, "copy", full, 0, 256, 128));
  add(sync(1, 1, "wait", full, 0));
  add(sync(0, 3, "land", full, 0, 256, 128));
  add(sync(0, 3, "complete", full, 0));
  add(sync(1, 1, "pass", full, 0));
  add(sync(0, 5, "wait", empty, 0));
  add(sync(1, 9, "arrive", empty, 0));
  add(sync(1, 9, "complete", empty, 0));
  add(sync(0, 5, "pass", empty, 0));
  add(sync(0, 7, "expect", full, 1, 256));
  add(sync(0, 7, "copy", full, 1, 256, 128));
  add(sync(0, 7, "land", full, 1, 256, 128));
  add(sync(1, 10, "pass", full, 1));
  add(sync(0, 9, "arrive", "bar 0", 0));
  add(sync(1, 13, "arrive", "bar 0", 0));
  return trace;
}

/// Fragments, the steps, the pipeline, and two tiles.
inline trace::Trace everything() {
  trace::Trace trace = synthetic::trace_of({synthetic::kF16});
  for (trace::Trace other : {steps(), pipeline()})
    for (trace::Event& event : other.events) trace.events.push_back(std::move(event));
  trace.events.emplace_back(tile());
  trace::Memory second = tile();
  second.name = "B";
  second.rows = 2;
  second.bytes.resize(64);
  trace.events.emplace_back(second);
  return trace;
}

}  // namespace lanescope::viz::recorded

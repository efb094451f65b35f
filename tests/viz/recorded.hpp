// SPDX-License-Identifier: MIT
// Traces made up for the tests of the panels of memory, steps and pipeline, small enough to check
// by hand.
#pragma once

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "numeric/format.hpp"
#include "tests/viz/synthetic.hpp"
#include "trace/event.hpp"

namespace lanescope::viz::recorded {

/// The event number `n`, from 0, of its kind.
template <class Kind>
Kind& nth(trace::Trace& trace, int n) {
  for (trace::Event& event : trace.events)
    if (Kind* found = std::get_if<Kind>(&event); found != nullptr && n-- == 0) return *found;
  throw std::out_of_range("no such event");
}

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

/// Steps of warps that run side by side: all first ones, all second ones, behind what is no step.
inline void side_by_side(trace::Trace& trace) {
  const auto number = [](const trace::Event& event) {
    const auto* one = std::get_if<trace::Step>(&event);
    return one == nullptr ? -1 : one->step;
  };
  std::stable_sort(trace.events.begin(), trace.events.end(),
                   [&](const auto& a, const auto& b) { return number(a) < number(b); });
}

/// The same in every lane.
inline trace::Write wide(const std::string& name, std::uint64_t value, int bits) {
  return {name, "", bits, std::vector<std::uint64_t>(32, value)};
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

/// A register of a fragment in a step, as the names of a trace's own watches give it.
inline trace::Write watched(const trace::Fragment& of, std::size_t index, const std::string& name) {
  return {name, of.name + ".r" + std::to_string(index), 32, of.registers[index]};
}

/// m16n8k16: A[9][5] comes from global memory, by lane 3, through byte 0x52a of shared memory and
/// an ldmatrix, into the mma; D[9][5] goes back to global memory. A's rows lie 32 bytes apart.
///
///     0, 1  pointers from parameters 0 and 1     2  lane 3 loads A[9][5] and A[9][6]
///     3     lane 3 stores them                   4  ldmatrix   5  mma   6  D is stored
inline trace::Trace way() {
  const layout::Instruction& mma = *layout::find(synthetic::kF16);
  trace::Trace trace = synthetic::trace_of({synthetic::kF16});
  const trace::Fragment A = synthetic::fragment(mma, 'A'), D = synthetic::fragment(mma, 'D');
  const auto add = [&trace](trace::Step s) { trace.events.emplace_back(std::move(s)); };
  const auto access = [&trace](int number, const char* instruction, int bytes, std::uint32_t lanes,
                               std::vector<std::uint32_t> addresses) {
    trace::Access a;
    a.step = number;
    a.instruction = instruction;
    a.bytes_per_lane = bytes;
    a.active = lanes;
    a.addresses = std::move(addresses);
    trace.events.emplace_back(std::move(a));
  };
  add(step(0, 0, "ld.param.u64 %rd1, [kernel_param_0];", 1, {wide("%rd1", 0x10000, 64)}));
  add(step(0, 1, "ld.param.u64 %rd2, [kernel_param_1];", 1, {wide("%rd2", 0x20000, 64)}));
  trace::Step load = step(0, 2, "ld.global.v2.u16 {%rs1, %rs2}, [%rd1+298];", 2,
                          {wide("%rs1", synthetic::pattern(mma.A, 9, 5), 16), wide("%rs2", 7, 16)});
  load.active = 1 << 3;
  add(load);
  trace::Step store = step(0, 3, "st.shared.v2.u16 [%r9], {%rs1, %rs2};", 3);
  store.active = 1 << 3;
  add(store);
  std::vector<std::uint32_t> to(32, 0);
  to[3] = 0x52a;  // 0x400 + 9 * 32 + 5 * 2
  access(3, "st.shared.v2.u16", 4, 1 << 3, to);
  const std::string name = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
  add(step(0, 4, name + " {%r10, %r11, %r12, %r13}, [%r9];", 4,
           {watched(A, 0, "%r10"), watched(A, 1, "%r11"), watched(A, 2, "%r12"),
            watched(A, 3, "%r13")}));
  std::vector<std::uint32_t> rows;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    rows.push_back(0x400 + lane % 16 * 32 + lane / 16 * 16);
  access(4, name.c_str(), 16, ~0u, rows);
  add(step(
      0, 5,
      std::string(synthetic::kF16) +
          " {%f1, %f2, %f3, %f4}, {%r10, %r11, %r12, %r13}, {%r20, %r21}, {%f0, %f0, %f0, %f0};",
      5, {watched(D, 0, "%f1"), watched(D, 1, "%f2"), watched(D, 2, "%f3"), watched(D, 3, "%f4")}));
  add(step(0, 6, "st.global.v2.f32 [%rd2+16], {%f3, %f4};", 6));
  return trace;
}

/// Loads and one m16n8k16, or m16n8k32 of 8 bits, so that where each element came from is known.
/// A's rows and B's columns lie kApart bytes apart.
inline constexpr std::uint64_t kA = 0x10000, kB = 0x20000;
inline constexpr std::int64_t kApart = 64;

// Which words of memory a lane loads: of A's four registers, of B's two. An element has two bytes.
using Offset = std::function<std::int64_t(int lane, int reg)>;

inline std::int64_t right_a(int lane, int reg) {
  return (lane / 4 + reg % 2 * 8) * kApart + (lane % 4 * 2 + reg / 2 * 8) * 2;
}
inline std::int64_t right_b(int lane, int reg) {
  return lane / 4 * kApart + (lane % 4 * 2 + reg * 8) * 2;
}

inline trace::Trace loads(const Offset& a, const Offset& b,
                          std::string_view mnemonic = synthetic::kF16) {
  trace::Trace trace = steps();
  trace.events.clear();
  std::int64_t number = 0;
  const auto add = [&](const std::string& ptx, const std::string& name, int bits, auto value) {
    trace::Write write{name, "", bits, {}};
    for (int lane = 0; lane < 32; ++lane)
      write.lanes.push_back(static_cast<std::uint64_t>(value(lane)));
    trace.events.emplace_back(step(0, number++, ptx, 1, {write}));
  };
  add("ld.param.u64 %rd1, [kernel_param_0];", "%rd1", 64, [](int) { return kA; });
  add("ld.param.u64 %rd2, [kernel_param_1];", "%rd2", 64, [](int) { return kB; });
  const auto load = [&](const std::string& name, const std::string& base, std::uint64_t from,
                        const Offset& offset, int reg) {
    add("add.s64 %rd9, " + base + ", %rd8;", "%rd9", 64,
        [&](int lane) { return from + static_cast<std::uint64_t>(offset(lane, reg)); });
    add("ld.global.u32 " + name + ", [%rd9];", name, 32, [](int lane) { return lane; });
  };
  for (int reg = 0; reg < 4; ++reg) load("%r" + std::to_string(reg), "%rd1", kA, a, reg);
  for (int reg = 0; reg < 2; ++reg) load("%r" + std::to_string(4 + reg), "%rd2", kB, b, reg);
  add(std::string(mnemonic) +
          " {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};",
      "%f0", 32, [](int) { return 0; });
  return trace;
}

}  // namespace lanescope::viz::recorded

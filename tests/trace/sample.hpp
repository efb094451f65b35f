// SPDX-License-Identifier: MIT
// Traces for the tests: one event of every kind, every field set to something that is not its
// default.
#pragma once

#include "trace/event.hpp"

namespace lanescope::trace::sample {

inline std::vector<std::uint64_t> counted(int lanes, std::uint64_t first, std::uint64_t step) {
  std::vector<std::uint64_t> words;
  for (int lane = 0; lane < lanes; ++lane)
    words.push_back(first + step * static_cast<std::uint64_t>(lane));
  return words;
}

inline Fragment fragment() {
  Fragment f;
  f.place = {2, {3, 4, 5}, 7};
  f.name = "A k=16";
  f.instruction = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
  f.operand = "A";
  for (std::uint64_t r = 0; r < 4; ++r)
    f.registers.push_back(counted(32, 0x3c003c00u + r, 0x00010001u));
  f.source = {"lesson.cu", 41};
  return f;
}

inline Fragment warpgroup_fragment() {
  Fragment f;
  f.place = {0, {0, 0, 0}, 4};
  f.name = "D";
  f.operand = "D";
  f.register_bits = 64;
  f.registers = {counted(128, 0xfedcba9876543210u, 1)};
  return f;
}

inline Memory memory() {
  Memory m;
  m.place = {1, {0, 1, 0}, 3};
  m.name = "tile";
  m.space = "shared";
  m.type = "bf16";
  m.rows = 3;
  m.cols = 5;
  m.address = 0x410;
  m.row_stride_bytes = -64;
  for (int i = 0; i < 30; ++i) m.bytes.push_back(static_cast<std::uint8_t>(i * 37));
  m.source = {"lesson.cu", 12};
  return m;
}

inline Step step() {
  Step s;
  s.place = {0, {9, 0, 1}, 31};
  s.step = 123456789012;
  s.ptx = "@%p1 setp.lt.s32 %p2, %r9, 3;";
  s.ptx_line = 88;
  s.source = {"lesson.cu", 17};
  s.active = 0x0000ffff;
  s.writes.push_back({"%p2", "", 1, counted(32, 0, 0)});
  s.writes[0].lanes[5] = 1;
  s.writes.push_back({"%rs1", "half", 16, counted(32, 0xff00, 3)});
  s.writes.push_back({"%rd4", "row", 64, counted(32, 0x7f00000000000000u, 256)});
  return s;
}

inline Access access() {
  Access a;
  a.place = {0, {0, 0, 0}, 2};
  a.step = 9;
  a.instruction = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
  a.bytes_per_lane = 16;
  a.active = 0xfffffffe;
  for (std::uint32_t lane = 0; lane < 32; ++lane) a.addresses.push_back(0xfff0 + 16 * lane);
  return a;
}

inline Diagnostic diagnostic() {
  return {{0, {1, 0, 0}, 2},
          "misaligned-address",
          "A row starts at 0x402.",
          {"lane 3: 0x402", "lane 4: 0x412"},
          53,
          {"lesson.cu", 39},
          {{{1, 0, 0}, 3, 31, "st.shared.u32 [%r2], %r1;", 52, {"tile.cuh", 8}},
           {{0, 0, 0}, -1, -1, "cp.async.ca.shared.global [%r1], [%rd1], 16;", 0, {}}}};
}

inline Sync sync() {
  Sync s;
  s.place = {0, {3, 2, 1}, 2};
  s.step = 11;
  s.action = "copy";
  s.object = "mbarrier 0x400";
  s.phase = -1;
  s.count = 2;
  s.bytes = 4096;
  s.address = 0;
  s.global = 0x7f3a40000100;
  s.tensor.push_back({2, "128B", {72, 20}, {144}, {64, 8}, {-8, 3}});
  s.source = {"lesson.cu", 21};
  return s;
}

inline Trace trace() {
  Trace t;
  t.header = {kVersion, "emulator", "Lanescope emulator", "sm_90a", "sample", "./sample --size 3"};
  t.events = {View{"Who holds what", {"fragments", "lanes"}, "A 9,5", "Look at lane 13."},
              Launch{2,
                     "kernel",
                     {2, 3, 4},
                     {32, 2, 1},
                     4096,
                     {{0x7f3a40000000, 65536}, {0x200, 0}},
                     {"A", "n"}},
              fragment(),
              warpgroup_fragment(),
              memory(),
              step(),
              access(),
              sync(),
              diagnostic()};
  return t;
}

}  // namespace lanescope::trace::sample

// SPDX-License-Identifier: MIT
// Steps of two tcgen05.mma that add to the same sums of tensor memory, m64n8k16, and of the
// tcgen05.ld that bring them, written out from PTX ISA 9.2, 9.7.16.10.5 (D with M 64) and
// 9.7.16.2.3 (.16x256b).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/viz/recorded.hpp"

namespace lanescope::viz::recorded {

inline constexpr int kTensorWarps = 4, kTensorColumn = 64;
inline constexpr std::uint64_t kM64N8 = 1u << 4 | 1u << 17 | 4u << 24;  // D f32, A and B f16

inline std::uint64_t tensor_value(int row, int col) {
  return static_cast<std::uint64_t>(1000 + 8 * row + col);
}

// What .16x256b.x1 brings of lanes 0 to 15: lane t's register v.
inline trace::Write brought(int warp, int v) {
  trace::Write write{"%d" + std::to_string(v), "", 32, {}};
  for (int t = 0; t < 32; ++t) {
    const int lane = t / 4 + v / 2 * 8, column = t % 4 * 2 + v % 2;
    write.lanes.push_back(tensor_value(warp * 16 + lane, column));
  }
  return write;
}

// What an instruction descriptor says, how the sums are brought: `load` of a warp, and what it
// wrote.
struct TensorSteps {
  std::uint64_t bits = kM64N8;
  std::string group = "1", load = "16x256b.x1.b32 {%d0, %d1, %d2, %d3}";
  int registers = 4;
  trace::Write (*brought)(int warp, int v) = recorded::brought;
};

// Warp 0 multiplies twice, to columns from 64 on; `loads` warps fetch 16 or 32 lanes each.
inline trace::Trace tensor_trace(int loads, const TensorSteps& how = {}) {
  trace::Trace trace = steps();
  trace.events.clear();
  std::int64_t number = 0;
  const auto add = [&](int warp, const std::string& ptx, std::vector<trace::Write> writes = {}) {
    trace.events.emplace_back(step(warp, number++, ptx, 7, std::move(writes)));
  };
  add(0, "mov.b64 %rd1, 1;", {wide("%rd1", 0x0000400800080040ull, 64)});
  add(0, "mov.b64 %rd2, 1;", {wide("%rd2", 0x0000400800080140ull, 64)});
  add(0, "mov.b32 %r1, 1;", {wide("%r1", kTensorColumn, 32)});
  add(0, "mov.b32 %r2, 1;", {wide("%r2", how.bits, 32)});
  for (const std::uint64_t adds : {0, 1}) {
    add(0, "setp.ne.b32 %p1, %r3, 0;", {wide("%p1", adds, 1)});
    add(0, "tcgen05.mma.cta_group::" + how.group + ".kind::f16 [%r1], %rd1, %rd2, %r2, %p1;");
  }
  for (int warp = 0; warp < loads; ++warp) {
    const auto from = static_cast<std::uint64_t>(warp * 32) << 16 | kTensorColumn;
    add(warp, "add.s32 %r9, %r1, 1;", {wide("%r9", from, 32)});
    add(warp, "tcgen05.ld.sync.aligned." + how.load + ", [%r9];");
    std::vector<trace::Write> writes;
    for (int v = 0; v < how.registers; ++v) writes.push_back(how.brought(warp, v));
    add(warp, "tcgen05.wait::ld.sync.aligned;", std::move(writes));
  }
  return trace;
}

// The even CTA of a pair, M 256 and N 16: rows 0 to 127 in its 128 lanes, brought as .32x32b.
inline trace::Trace tensor_pair_trace() {
  TensorSteps how{1u << 4 | 2u << 17 | 16u << 24, "2", "32x32b.x16.b32 {", 16, [](int warp, int v) {
                    trace::Write write{"%d" + std::to_string(v), "", 32, {}};
                    for (int t = 0; t < 32; ++t)
                      write.lanes.push_back(tensor_value(warp * 32 + t, v));
                    return write;
                  }};
  for (int v = 0; v < how.registers; ++v) how.load += (v == 0 ? "%d" : ", %d") + std::to_string(v);
  how.load += "}";
  return tensor_trace(kTensorWarps, how);
}

}  // namespace lanescope::viz::recorded

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

// Warp 0 multiplies twice, to columns 64 to 71; `loads` warps fetch 16 lanes each.
inline trace::Trace tensor_trace(int loads) {
  trace::Trace trace = steps();
  trace.events.clear();
  std::int64_t number = 0;
  const auto add = [&](int warp, const std::string& ptx, std::vector<trace::Write> writes = {}) {
    trace.events.emplace_back(step(warp, number++, ptx, 7, std::move(writes)));
  };
  add(0, "mov.b64 %rd1, 1;", {wide("%rd1", 0x0000400800080040ull, 64)});
  add(0, "mov.b64 %rd2, 1;", {wide("%rd2", 0x0000400800080140ull, 64)});
  add(0, "mov.b32 %r1, 1;", {wide("%r1", kTensorColumn, 32)});
  add(0, "mov.b32 %r2, 1;", {wide("%r2", kM64N8, 32)});
  for (const std::uint64_t adds : {0, 1}) {
    add(0, "setp.ne.b32 %p1, %r3, 0;", {wide("%p1", adds, 1)});
    add(0, "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;");
  }
  for (int warp = 0; warp < loads; ++warp) {
    const auto from = static_cast<std::uint64_t>(warp * 32) << 16 | kTensorColumn;
    add(warp, "add.s32 %r9, %r1, 1;", {wide("%r9", from, 32)});
    add(warp, "tcgen05.ld.sync.aligned.16x256b.x1.b32 {%d0, %d1, %d2, %d3}, [%r9];");
    add(warp, "tcgen05.wait::ld.sync.aligned;",
        {brought(warp, 0), brought(warp, 1), brought(warp, 2), brought(warp, 3)});
  }
  return trace;
}

}  // namespace lanescope::viz::recorded

// SPDX-License-Identifier: MIT
// Traces made up of tensor copies, one warpgroup and a wgmma that reads both operands through
// descriptors, for the tests of panels and their fuzzer.
#pragma once

#include "layout/descriptor.hpp"
#include "tests/viz/recorded.hpp"

namespace lanescope::viz::recorded {

inline constexpr std::uint64_t kTensorA = 0x100000, kTensorB = 0x200000;
inline constexpr std::uint64_t kRowBytes = 512;  // of both matrices, 256 elements
inline constexpr std::uint32_t kTileA = 0x400, kTileB = 0x2400;
inline const std::string kMultiplies = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16";

inline trace::Sync copy_of(std::uint64_t tensor, std::uint32_t to, std::int64_t rows,
                           std::vector<std::int64_t> at) {
  trace::Sync copy;
  copy.place.warp = 4;
  copy.step = to;  // each of a step of its own
  copy.action = "copy";
  copy.object = "mbarrier 0x0";
  copy.bytes = rows * 128;
  copy.address = to;
  copy.global = tensor;
  copy.tensor.push_back({2, "128B", {256, 1024}, {kRowBytes}, {64, rows}, std::move(at)});
  return copy;
}

inline layout::Descriptor right_descriptor(std::uint32_t start) {
  return {start, 16, 1024, 0, layout::Swizzle::b128};
}

// The copies, then in each of four warps one wgmma after another, with its descriptors, whose sums
// arrive together.
using Descriptors = std::vector<std::pair<layout::Descriptor, layout::Descriptor>>;
inline trace::Trace multiplied(const std::vector<trace::Sync>& copies, const Descriptors& of,
                               const std::string& mnemonic, const std::string& metadata = "") {
  trace::Trace trace = recorded::steps();
  trace.events.clear();
  for (const trace::Sync& copy : copies) trace.events.emplace_back(copy);
  for (int warp = 0; warp < 4; ++warp) {
    int number = 0;
    const auto add = [&](const std::string& ptx, std::vector<trace::Write> writes) {
      trace.events.emplace_back(recorded::step(warp, number, ptx, number, std::move(writes)));
      ++number;
    };
    for (const auto& [a, b] : of) {
      add("mov.b64 %rd1, a;", {wide("%rd1", layout::encode(a), 64)});
      add("mov.b64 %rd2, b;", {wide("%rd2", layout::encode(b), 64)});
      add(mnemonic + " {%f0, %f1, %f2, %f3}, %rd1, %rd2, " + metadata + "1, 1, 1, 0, 0;", {});
    }
    std::vector<trace::Write> sums;
    for (int r = 0; r < 4; ++r) sums.push_back(wide(fmt::format("%f{}", r), 0, 32));
    add("wgmma.wait_group.sync.aligned 0;", sums);
  }
  side_by_side(trace);
  return trace;
}
inline trace::Trace multiplied(const std::vector<trace::Sync>& copies, const layout::Descriptor& a,
                               const layout::Descriptor& b) {
  return multiplied(copies, Descriptors{{a, b}}, kMultiplies);
}

inline std::vector<trace::Sync> both_tiles() {
  return {copy_of(kTensorA, kTileA, 64, {128, 32}), copy_of(kTensorB, kTileB, 8, {128, 8})};
}

}  // namespace lanescope::viz::recorded

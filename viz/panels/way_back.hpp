// SPDX-License-Identifier: MIT
// Backwards along the way of an element (way.hpp): from a register to the instruction that wrote
// it, to the byte of shared memory that it read, to the instruction that wrote that. Pure model, no
// Dear ImGui.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "panels/register_history.hpp"
#include "panels/way.hpp"

namespace lanescope::viz {

/// Part of a register of a lane.
struct Spot {
  std::string_view name;
  int lane = 0, bit = 0;
};

/// What had to happen before `width` bits stood at `at`, which the item at `writer` wrote: earliest
/// first, that item last.
Way way_back(const trace::Trace& trace, RegisterHistory& history, const StepPlace& writer,
             const Spot& at, int width, std::uint64_t bits);

/// "ld.global" of "ld.global.v4.u32", "mma" of "mma.sync.aligned.m16n8k16": what a stop begins
/// with.
std::string way_opcode(const trace::Step& step);
/// Its index; -1: it is not among them.
int place_among(const std::vector<std::string_view>& names, std::string_view name);

}  // namespace lanescope::viz

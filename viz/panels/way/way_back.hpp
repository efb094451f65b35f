// SPDX-License-Identifier: MIT
// Backwards along the way of an element (way.hpp): from a register to the instruction that wrote
// it, to the byte of shared memory that it read, to the instruction that wrote that. Pure model, no
// Dear ImGui.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "panels/steps/register_history.hpp"
#include "panels/way/moves.hpp"
#include "panels/way/way.hpp"

namespace lanescope::viz {

/// What had to happen before `width` bits stood at `at`, which the item at `writer` wrote: earliest
/// first, that item last.
Way way_back(const trace::Trace& trace, RegisterHistory& history, const StepPlace& writer,
             const Spot& at, int width, std::uint64_t bits);

/// The same of an element of an operand of a product of steps; no address where its registers are
/// not recorded.
Way way_back_to(const trace::Trace& trace, RegisterHistory& history, const Multiplication& in,
                char operand, int row, int col);
/// The same of an element in shared memory, as a step read it, or would have.
Way way_back_from_shared(const trace::Trace& trace, RegisterHistory& history,
                         const SharedRead& read);
/// The way of an element of A or B that wgmma or tcgen05.mma reads through a descriptor; no stops
/// where it reads none so. `made`: what it is read for.
Way way_through_descriptor(const trace::Trace& trace, const StepList& steps,
                           const Multiplication& in, const Selection& selection,
                           const std::string& made);

/// "ld.global" of "ld.global.v4.u32", "mma" of "mma.sync.aligned.m16n8k16": what a stop begins
/// with.
std::string way_opcode(const trace::Step& step);

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// A pipeline in words, for the inspector, the terminal and to be copied: a wait, a stage, a sum,
// and the whole picture in characters. Strings only; nothing is printed here.
#pragma once

#include <string>
#include <vector>

#include "panels/pipeline/pipeline.hpp"

namespace lanescope::viz {

/// "multiply<3, 2>, launch 7, block 0,0,0: 1 warp, 3 stages"
std::string title_of(const Pipeline& pipeline);
/// "warp 3": the warp of a line.
std::string warp_name(const Pipeline& pipeline, int index);
/// "warp 0 waits for mbarrier 0x400, phase 2: for a copy of warp 8, 96 ticks"
std::string wait_text(const Pipeline& pipeline, const WarpLine& line, const WaitSpan& span);
std::string stage_text(const Pipeline& pipeline, const StageLine& line, const StageSpan& span);

/// "warps 0 to 3 for a copy of warp 8, mbarrier 0x400: 8 times, 169 ticks"
std::string sum_text(const Pipeline& pipeline, const WaitSum& sum);

/// "Of warps 1 to 3 the trace has no steps: ...", or "": their lines end early.
std::string unstepped_text(const Pipeline& pipeline);

/// What every warp and every stage is at, a line each: "warp 4   waits for empty[0], for warp 0".
std::vector<std::string> state_at(const Pipeline& pipeline, double tick);

/// The whole picture as text, `columns` characters wide.
std::string pipeline_text(const Pipeline& pipeline, int columns);

}  // namespace lanescope::viz

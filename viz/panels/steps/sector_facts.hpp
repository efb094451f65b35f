// SPDX-License-Identifier: MIT
// An access to global memory, of a step whose addresses are recorded: to how many sectors it goes,
// and how many would do. Pure model, no Dear ImGui; what a sector is, is layout/sectors.hpp's.
#pragma once

#include <optional>
#include <string>

#include "layout/sectors.hpp"
#include "panels/steps/step_reads.hpp"

namespace lanescope::viz {

struct SectorFacts {
  layout::Sectors sectors;
  std::string title;  // "2 bytes a lane: 32 sectors, 2 would do"
  bool loses() const { return sectors.taken > sectors.least; }
};
/// Of loads, stores, atomics and cp.async; nothing of other instructions, of those that go
/// elsewhere, and where the register that has their address was written before the recording.
std::optional<SectorFacts> sector_facts(const StepWarp& warp, const Writers& writers, int item);
/// Whether it is known to go to more than would do.
bool loses_sectors(const StepWarp& warp, const Writers& writers, int item);

}  // namespace lanescope::viz

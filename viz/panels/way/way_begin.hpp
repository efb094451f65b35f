// SPDX-License-Identifier: MIT
// Where a way (way.hpp) begins: in global memory, as a load, a cp.async or a bulk copy names it.
// Pure model, no Dear ImGui.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "panels/steps/register_history.hpp"
#include "panels/way/way.hpp"

namespace lanescope::viz {

struct Beginning {
  std::optional<std::uint64_t> address;  // nothing where the trace does not say it
  std::uint64_t base = 0;                // of the matrix; 0: unknown
  std::string place;                     // "global memory, byte 298 behind parameter 0"
};

/// `offset` bytes behind what `operand` of an item names in a lane.
Beginning begin_of_access(RegisterHistory& history, const StepPlace& at, std::string_view operand,
                          int lane, int offset);
/// What a bulk copy has brought; `block`: to where.
Beginning begin_of_copy(RegisterHistory& history, const SharedHistory& block,
                        const Arrival& arrival, const BulkSource& source);
/// Where it names that; no step where that is not recorded.
GlobalAccess access_of_copy(RegisterHistory& history, const Arrival& arrival);
/// "{64, 9} of the tensor of parameter 0": from where a bulk copy brought a byte to the shared
/// memory of a block; "" where the trace does not say it.
std::string place_of_copied(const trace::Trace& trace, RegisterHistory& history, const StepWarp& of,
                            const Arrival& arrival, std::uint64_t address);

}  // namespace lanescope::viz

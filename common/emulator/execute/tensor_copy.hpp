// SPDX-License-Identifier: MIT
// What a bulk copy by a tensor map copies: the map, the coordinates, and whether a card takes them.
#pragma once

#include <string>

#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

/// A fault of a lane's bulk copy. Returns false.
bool refuse_copy(Warp& w, int lane, std::string what, const char* hint);

/// Fills in what the map and the lane's coordinates say; false and a fault where there is no such
/// copy.
bool describe_tensor(Warp& w, int lane, const BulkPlan& plan, BulkCopy& copy);

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
// Who waits for whom, when nobody in a cluster can go on.
#pragma once

#include "emulator/run/cluster.hpp"
#include "emulator/run/scheduler.hpp"

namespace lanescope::emulator {

/// Has every warp ended?
bool is_done(const Cta& cta);

/// Does a warp read a variable of its own, again and again, that does not change?
bool loops_alone(const Cluster& cluster);

/// Names the first CTA that has not ended, and what its warps wait for.
CtaResult deadlock(const Cluster& cluster);

}  // namespace lanescope::emulator

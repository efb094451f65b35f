// SPDX-License-Identifier: MIT
// The barriers of a CTA: who has come, and what happens when the last one comes.
#pragma once

#include <cstdint>

#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

/// Threads that have arrived, with those that whole warps count for beyond their lanes.
std::int64_t arrived(const Cta& cta, const Barrier& barrier);

/// Opens a barrier, if its last thread came, or exited; whether it did.
bool release_barrier(Cta& cta, int index);
/// Opens all barriers whose last thread came, or exited; whether there was one.
bool release_barriers(Cta& cta);

}  // namespace lanescope::emulator

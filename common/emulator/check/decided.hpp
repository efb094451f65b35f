// SPDX-License-Identifier: MIT
// Volatile loads of which nothing is decided: data, and no flag. Of a flag the value goes into a
// comparison, an address, a vote or a call; of data it goes into a sum that is stored.
//
//     while (flag == 0);             ld.volatile.shared.u32 %r1, [flag]; setp.ne.s32 %p1, %r1, 0;
//
//     sums[k] += sums[k + 16];       ld.volatile.shared.u32 %r2, [%r9+64]; add.s32 %r4, %r3, %r2;
//     sums[k] += sums[k + 8];        st.volatile.shared.u32 [%r9], %r4;
//
// The second is how lanes of a warp added before sm_70: in step, with no __syncwarp().
#pragma once

#include <vector>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

/// Of each statement. Registers are followed, memory is not: what lies in a thread's own memory may
/// decide.
std::vector<bool> find_undecided(const PtxFunction& function, const std::vector<bool>& read);

}  // namespace lanescope::emulator

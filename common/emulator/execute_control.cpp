// SPDX-License-Identifier: MIT
// Branches, calls, ends. What they mean for the groups of a warp is the scheduler's business.
#include "emulator/handlers.hpp"
#include "emulator/warp.hpp"

namespace lanescope::emulator {

Flow run_branch(Warp&, const Instruction&, std::uint32_t) { return Flow::branch; }
Flow run_exit(Warp&, const Instruction&, std::uint32_t) { return Flow::exit; }
Flow run_ret(Warp&, const Instruction&, std::uint32_t) { return Flow::ret; }
Flow run_call(Warp&, const Instruction&, std::uint32_t) { return Flow::call; }
Flow run_nothing(Warp&, const Instruction&, std::uint32_t) { return Flow::next; }

Flow run_trap(Warp& w, const Instruction&, std::uint32_t active) {
  return fail(w, ErrorCode::assertion, "trap", __builtin_ctz(active), "the kernel executed trap",
              "look at the condition in front of it");
}

}  // namespace lanescope::emulator

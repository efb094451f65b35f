// SPDX-License-Identifier: MIT
// Which `.target` an instruction needs, as ptxas has it: a table by opcode, modifiers and special
// registers. What mma, wgmma and the movers need is the atlas's to say (common/layout). It is the
// PTX's `.target` that counts, not the card that is emulated: an sm_80 module for an sm_90 card
// cannot use what sm_90 brought.
//
// Source: what ptxas 13.0 refuses for sm_75, sm_80, sm_86, sm_89 and sm_90 of the forms in
// tests/golden/scalar and of every snippet in tests/emulator.
#pragma once

#include <string>
#include <string_view>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

struct Target {
  int number = 0;      // 90 of sm_90a; 0: no target
  char suffix = '\0';  // 'a': this architecture only; 'f': its family
};
Target parse_target(std::string_view name);

/// The first PTX version that has this target, 78 for 7.8; 0: nobody knows the target.
int first_version(Target target);

/// The target that a statement needs where it is more than `target`, "sm_90"; else "".
std::string missing_target(const PtxStatement& statement, Target target);

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
// Which modifiers an opcode takes together, as ptxas has it: of arithmetic every form that there
// is, of cvt and of what loads, stores, orders and waits what does not go together. What mma, wgmma
// and the movers have is the atlas's to say (common/layout), what a target lacks target.hpp's.
//
// Source: what ptxas 13.0 takes for sm_90a and sm_100a of 45,000 combinations of modifiers and
// types; tests/emulator/form_test.cpp asks it again about 4,900.
#pragma once

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

/// Whether no PTX has this form: ptxas refuses it for every target. False where nothing is known.
bool is_no_form(const PtxStatement& statement);

}  // namespace lanescope::emulator

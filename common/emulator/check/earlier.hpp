// SPDX-License-Identifier: MIT
// A launch that may begin before the one before it has ended (programmatic stream serialization):
// until griddepcontrol.wait it can meet what that one does to global memory.
//
//     kernel before   ... st D ... griddepcontrol.launch_dependents ... st D ... (ends)
//     this kernel                              ld D (early)   griddepcontrol.wait   ld D (fine)
//
// The emulator runs grids one after another; of each that is checked is kept which memory it has
// touched, until the next one has run. Who has waited hands that on, as all that is known.
// Source: PTX ISA 9.2, 9.7.13.13 (griddepcontrol).
#pragma once

#include <memory>
#include <string>

#include "emulator/check/global_shadow.hpp"
#include "emulator/decode/program.hpp"

namespace lanescope::emulator {

struct EarlierLaunch {
  std::shared_ptr<const GlobalWatch> touched;
  const Program* program = nullptr;
  std::string kernel;  // as written
  // The one before it, if that need not have ended when this one has: it began early, too, and
  // nobody in it has waited.
  std::shared_ptr<const EarlierLaunch> before;
};

}  // namespace lanescope::emulator

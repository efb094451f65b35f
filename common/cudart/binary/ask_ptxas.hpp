// SPDX-License-Identifier: MIT
// How many registers a kernel would have on a card, of a program that holds PTX alone: asked of
// ptxas, which is what a driver asks, too. PTX itself does not say.
#pragma once

#include <string>
#include <vector>

#include "cudart/binary/fatbinary.hpp"

namespace lanescope::cudart {

struct AskedRegisters {
  int count = 0;        // 0: `problem` says why there is none
  std::string problem;  // one line
};

/// What to type for `kernel`, but for the PTX and for what comes out. `options`: ptxas' own, as
/// the program was built with.
std::vector<std::string> words_for_ptxas(Target arch, const std::string& kernel,
                                         const std::string& options);

/// What `ptxas -v` said.
AskedRegisters registers_said(const std::string& said);

/// Runs ptxas, which is looked for on PATH. PTX newer than ptxas is given to it as its own newest:
/// what is not in there it refuses.
AskedRegisters ask_ptxas(const std::string& ptx, Target arch, const std::string& kernel,
                         const std::string& options);

}  // namespace lanescope::cudart

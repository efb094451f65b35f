// SPDX-License-Identifier: MIT
// How far an instruction's result is that of a card. Everything that is modelled is exact, but for
// what is listed here; what is not modelled is refused when the module is loaded.
#pragma once

#include <vector>

#include "emulator/decode/program.hpp"
#include "emulator/machine.hpp"

namespace lanescope::emulator {

struct Exactness {
  Fidelity fidelity = Fidelity::exact;
  std::string_view note;
};
Exactness exactness(std::string_view mnemonic);

/// What a launch executed, by mnemonic; `counts` by pc.
std::vector<Executed> executed(const Program& program, const std::vector<std::uint64_t>& counts);

}  // namespace lanescope::emulator

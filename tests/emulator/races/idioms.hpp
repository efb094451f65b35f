// SPDX-License-Identifier: MIT
// What random programs are made of: families of steps, by weight, and idioms that people write.
#pragma once

#include <vector>

#include "tests/emulator/races/program.hpp"

namespace lanescope::emulator::races {

struct Weight {
  Op op;
  int weight;
};
// How often; those that come together stand together, and a program has some of the families.
struct Family {
  std::vector<Weight> ops;
  int one_in;  // programs
};
const std::vector<Family>& families();

// What belongs together: who writes (0) and who reads (1) a cell, and what they do between. Each
// step is sometimes left out, or done by others.
struct Part {
  Op op;
  int role;
};
/// The last of them has no flags.
const std::vector<std::vector<Part>>& idioms();

}  // namespace lanescope::emulator::races

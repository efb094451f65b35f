// SPDX-License-Identifier: MIT
// Recorded tiles computed again, by the model or by the fast path, and compared bit by bit. What
// lay in which register does not matter here: the golden maps and the recorded programs see to
// that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/tensor/tensor.hpp"
#include "tests/golden/arithmetic/recording.hpp"
#include "tests/golden/arithmetic/vectors.hpp"

namespace lanescope::golden {

/// By the model, or by the kernels of a host.
struct Way {
  bool model = false;
  emulator::Host host = emulator::Host::baseline;
};
inline constexpr Way kModel{true, emulator::Host::baseline};

/// The shape of what is kept: K is halved where A is sparse.
emulator::TensorShape tensor_shape(const Case& what);

/// The numbers of the recorded card for this instruction, or nullptr.
const emulator::MmaArithmetic* recorded_arithmetic(const Case& what);

/// D of a tile, packed as the recording has it.
std::vector<unsigned char> compute(const Case& what, const Tile& tile,
                                   const emulator::MmaArithmetic& how, Way way);

struct Comparison {
  long outputs = 0;
  int tiles = 0, wrong_tiles = 0;
  std::string first;  // of the differences in full tiles, in words
};

/// Of each `every` tiles one.
Comparison compare(const Recording& recording, const RecordedCase& one,
                   const emulator::MmaArithmetic& how, Way way, int every = 1);

}  // namespace lanescope::golden

// SPDX-License-Identifier: MIT
// A product of one warp by the kinds of mma that sm_120a has: random numbers in the lanes'
// registers, the sums in f64 that they must give, and the program that asks. Numbers are such that
// sums are exact in whatever order. Who holds what is written down here a second time, from the
// ISA's formulas and figures; the atlas is asked for mnemonics and types alone.
//
// Source: PTX ISA 9.2, 9.7.14.3 (figures 43 to 45), 9.7.14.5.10, .11, 9.7.14.6.2.6, .8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/machine.hpp"
#include "layout/instruction.hpp"

namespace lanescope::emulator::test {

using Words = std::vector<std::uint32_t>;
using Matrix = std::vector<double>;

struct Form {
  const layout::Instruction* entry;
  bool sparse, scaled;
  int bits;     // of a container of A and B
  int kept;     // columns of A
  int vectors;  // scale factors a row
  std::string_view scale;
  int byte_a = 0, thread_a = 0, byte_b = 0, thread_b = 0;
};

Form form_of(const layout::Instruction& entry);

struct Case {
  Words a, b, c, e, sfa, sfb;  // [register][lane]
  Matrix expected;             // of D
};

Case random_case(const Form& form, unsigned seed);
/// Whether D's type has all of the sums.
bool is_exact(const Form& form, const Case& made);

/// Where an element of D is in the registers of a warp.
struct Held {
  int lane, reg, bit;
};
Held place_of_d(const Form& form, int row, int col);
/// D, row after row.
Matrix numbers(const Form& form, const Words& d);

enum class Selectors : std::uint8_t { numbers, registers };

/// One `mnemonic` of a warp, everything loaded before and stored behind it.
std::string program(const Form& form, std::string_view mnemonic, Selectors how,
                    std::string_view target);

struct Ran {
  Error error;
  Words d;
};

Ran run(const std::string& text, const Case& made, std::string_view arch = "sm_120a");

}  // namespace lanescope::emulator::test

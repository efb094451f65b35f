// SPDX-License-Identifier: MIT
// Loads that compilers put before a decision, as nothing can go wrong with them: lanes that do not
// want what is there load it and drop it.
//
//     int v = first ? total : 0;      ld.shared.u32 %r1, [total];
//                                     selp.b32 %r2, %r1, 0, %p1;
//
// What is in %p1 already when the load runs says which lanes have read.
#pragma once

#include <vector>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

/// Whose values are kept: those of the lanes in which a predicate holds, or does not.
struct Speculation {
  int predicate = -1;  // index in PtxFunction::registers; -1: all lanes'
  bool where_false = false;
};
/// Of each statement.
std::vector<Speculation> find_speculated(const PtxFunction& function);

}  // namespace lanescope::emulator

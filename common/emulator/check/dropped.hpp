// SPDX-License-Identifier: MIT
// What is loaded and not wanted. What compilers load with its neighbours: the padding of a struct.
// Whether somebody has written such bytes makes no difference.
//
//     struct { signed char value; bool flag; char unused[2]; }, of which the members are used
//     ld.shared.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [...];     %rs3 and %rs4 stand nowhere else
//
//     struct { int key; char value; }, which is copied: padding and all
//     ld.shared.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [%r1+4];   all four are stored again, no more
//
// And what an atomic found:
//
//     atom.global.add.u32 %r3, [%rd1], 1;   atomicAdd(c, 1); nvcc writes it so, and ptxas a RED
//
// Whoever does not look at it cannot have waited for anything.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

/// Of each register, whether some statement reads it.
std::vector<bool> find_read(const PtxFunction& function);
/// An atom of which somebody reads what was there.
bool is_answered(const PtxStatement& statement, const std::vector<bool>& read);
/// Of each statement, a bit an element. None of a load of which nothing is read: that is written
/// so.
std::vector<std::uint8_t> find_dropped(const PtxFunction& function, const std::vector<bool>& read);

/// A load of which all that is read is only stored again. Of padding it may have been alone where
/// it takes single bytes beside another load of the same thing.
enum class Copying : std::uint8_t { no, some, bytes };
std::vector<Copying> find_copying(const PtxFunction& function, const std::vector<bool>& read);

}  // namespace lanescope::emulator

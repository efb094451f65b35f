// SPDX-License-Identifier: MIT
// Loads that only guess: what is loaded goes into a compare-and-swap at the same address, which
// finds out if it was not there any more.
//
//     old = *p;                                   ld.global.u32 %r1, [%rd1];
//     do {                                        LOOP: ...
//       assumed = old;                            mov.u32 %r2, %r1;
//       old = atomicCAS(p, assumed, f(assumed));  atom.global.cas.b32 %r1, [%rd1], %r2, %r3;
//     } while (old != assumed);
//
// By the letter of PTX the load races with the others' atomics; the CUDA C++ Programming Guide
// writes its own atomicAdd(double*) like this.
#pragma once

#include <vector>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

/// Of each statement. Registers are followed through mov and cvt, addresses through mov, cvta and
/// what is added to them; not through memory.
std::vector<bool> find_guesses(const PtxFunction& function);

}  // namespace lanescope::emulator

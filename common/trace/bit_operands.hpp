// SPDX-License-Identifier: MIT
// Operands of PTX that are bits, not a number: masks, and what is masked. nvcc writes all constants
// in decimal; of these nobody can read it.
//
//     and.b32 %r1, %r2, 983055;   ->   and.b32 %r1, %r2, 0x000f000f;
//
// Positions, lengths and what is shifted are numbers: as often an index.
// Source: PTX ISA 9.2, 9.7.1 (bfe, bfi), 9.7.8 (logic), 9.7.9.7 (prmt).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanescope::trace {

/// "ld.global.f32" of "@%p1 ld.global.f32 %f1, [%rd1];"
std::string_view mnemonic_of(std::string_view ptx);

/// Of an instruction, "and.b32"; `operand`: 1 is the one behind the result.
bool takes_bits(std::string_view mnemonic, std::size_t operand);

/// An instruction with its constants that are bits in hexadecimal; those below 10 are the same.
std::string bits_in_hex(std::string ptx);

}  // namespace lanescope::trace

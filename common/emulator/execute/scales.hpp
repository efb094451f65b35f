// SPDX-License-Identifier: MIT
// mma with block scaling: where the scale factors of A and B are. Every lane hands in a register a
// side; which lanes of a quad and which bytes of theirs are read, the instruction's selectors say:
// {byte-id, thread-id}, numbers or registers of 16 bits.
//
//     d, a, b, c,  sfa, {byte-id-a, thread-id-a},  sfb, {byte-id-b, thread-id-b}
//
// The maps are the atlas's (layout/scales.hpp). What a warp's lanes give as selectors must be the
// same in all of them, and one that there is; the ISA says no more than that.
// Source: PTX ISA 9.2, 9.7.14.3, 9.7.14.5.14.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/tensor/scaled.hpp"
#include "layout/instruction.hpp"

namespace lanescope::emulator {

struct ScalePlan {
  static constexpr int kBytes = 4;  // byte-ids of a thread-id
  struct Place {
    std::uint8_t lane = 0, shift = 0;
  };
  using Places = std::vector<Place>;  // row (of B: column) after row, its chunks in order
  ScaleType type = ScaleType::ue8m0;
  std::array<Places, 2 * kBytes> a;  // [thread-id * kBytes + byte-id]; empty: no such selector
  std::array<Places, 4 * kBytes> b;
};

/// Of an instruction that has scale factors.
ScalePlan plan_scales(const layout::Instruction& instruction);

/// Why operand 'S' (of A) or 'T' (of B) cannot be taken so, or "".
std::string selector_problem(const layout::Instruction& instruction, char operand, int byte_id,
                             int thread_id);

/// The scale factors in the words of a register, lane after lane.
void take_scales(const ScalePlan::Places& places, const std::uint32_t* words, std::uint8_t* scales);

}  // namespace lanescope::emulator

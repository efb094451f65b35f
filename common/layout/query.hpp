// SPDX-License-Identifier: MIT
// The atlas found by the words that people type: PTX names, what libraries and SASS call the same
// ("HMMA.16816.F32", "SM80_16x8x16_F32F16F16F32_TN"), and everyday ones ("fp8 16x8", "sparse
// int8"). PTX words are looked for as they are; only where they match nothing are they translated,
// and then read as names with pieces left out: "mma.m16n8k32.s8".
//
//   fp8          .e4m3 or .e5m2          16x8x16    m16n8k16          HMMA   mma of f16
//   SM75_U16x8_LDSM_T                    ldmatrix m8n8 x4 trans       LDSM   ldmatrix
//
// A layout of CuTe, "((4,8),(2,2)):((32,1),(16,8))", means the fragments that have it; a TiledMMA
// is an instruction of its own.
//
// Not here: what an instruction is (instruction.hpp, mover.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "layout/match.hpp"

namespace lanescope::layout {

/// What the words mean; where they are nobody's names, everything that matches all of them.
Found look_up(std::string_view words);

/// The words in PTX's: terms between blanks, each of which must match; "a|b" either of two. A term
/// of one mnemonic's beginning starts with '^'. "" where nothing is to be translated.
std::string translated(std::string_view words);

/// Why what is meant is not in the atlas ("cp.async moves bytes as they lie: lesson 05"), or "".
std::string not_in_atlas(std::string_view words);

/// The `count` names nearest to words that match nothing, nearest first, of equally near ones the
/// common and the verified first; fewer, or none, where words have hardly a letter in common with
/// any.
std::vector<std::string_view> nearest(std::string_view words, std::size_t count);

/// Of many names, those that people mean most often have the lowest numbers; then what was
/// verified.
std::size_t rarity(std::string_view mnemonic, Standing standing);

}  // namespace lanescope::layout

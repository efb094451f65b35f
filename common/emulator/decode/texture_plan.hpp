// SPDX-License-Identifier: MIT
// What one tex, suld or sust reads its lanes' places from and which registers it moves.
//
// Source: PTX ISA 9.2, 9.7.10 (tex), 9.7.11 (suld, sust).
#pragma once

#include <array>
#include <cstdint>

namespace lanescope::emulator {

/// Which level of a mipmap: the sampler's first, one that is named, that of gradients.
enum class TextureLevel : std::uint8_t { sampler, named, gradients };

enum class Boundary : std::uint8_t { trap, clamp, zero };

struct TexturePlan {
  int dims = 1;
  bool is_layered = false;
  bool is_cube = false;   // by a direction of three
  int gathered = -1;      // tld4: this channel of four texels
  bool by_index = false;  // coordinates of .s32: a texel's numbers
  TextureLevel level = TextureLevel::sampler;
  std::uint32_t level_row = 0;  // named: f32, or s32 by index
  std::uint32_t resident =
      0xffffffffu;                    // the row of a predicate that says whether texels are there
  std::uint32_t layer = 0xffffffffu;  // rows
  std::array<std::uint32_t, 3> at{};  // rows: f32, or s32 by index and of surfaces
  std::array<std::uint32_t, 4> texel{};  // rows: what is fetched, loaded or stored
  int count = 4;                         // of them
  int bytes = 4;                         // of each, of surfaces
  Boundary boundary = Boundary::trap;
};

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
// What one tex, suld or sust reads its lanes' places from and which registers it moves.
//
// Source: PTX ISA 9.2, 9.7.10 (tex), 9.7.11 (suld, sust).
#pragma once

#include <array>
#include <cstdint>

namespace lanescope::emulator {

enum class Boundary : std::uint8_t { trap, clamp, zero };

struct TexturePlan {
  int dims = 1;
  bool is_layered = false;
  bool is_cube = false;                  // by a direction of three
  int gathered = -1;                     // tld4: this channel of four texels
  bool by_index = false;                 // tex.1d with .s32: a texel's number
  std::uint32_t layer = 0xffffffffu;     // rows
  std::array<std::uint32_t, 3> at{};     // rows: f32, or s32 by index and of surfaces
  std::array<std::uint32_t, 4> texel{};  // rows: what is fetched, loaded or stored
  int count = 4;                         // of them
  int bytes = 4;                         // of each, of surfaces
  Boundary boundary = Boundary::trap;
};

}  // namespace lanescope::emulator

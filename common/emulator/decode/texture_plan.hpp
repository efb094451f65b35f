// SPDX-License-Identifier: MIT
// What one tex, suld, sust, sured or txq reads its lanes' places from and which registers it moves.
//
// Source: PTX ISA 9.2, 9.7.10 (tex, txq), 9.7.11 (suld, sust, sured).
#pragma once

#include <array>
#include <cstdint>

namespace lanescope::emulator {

/// Which level of a mipmap: the sampler's first, one that is named, that of gradients.
enum class TextureLevel : std::uint8_t { sampler, named, gradients };

enum class Boundary : std::uint8_t { trap, clamp, zero };

enum class SurfaceSum : std::uint8_t { none, add, min, max, both, either };

struct TexturePlan {
  int dims = 1;
  bool is_layered = false;
  bool is_cube = false;   // by a direction of three
  int gathered = -1;      // tld4: this channel of four texels
  bool by_index = false;  // coordinates of .s32: a texel's numbers
  TextureLevel level = TextureLevel::sampler;
  std::uint32_t level_row = 0;            // named: f32, or s32 by index
  std::array<std::uint32_t, 6> slopes{};  // rows: gradients along x of a picture, then along y
  bool is_shifted = false;
  std::array<std::uint32_t, 3> shift{};  // rows: texels to go on from a place
  bool in_halves = false;                // texels as f16x2, two registers
  int queried = -1;                      // txq: 0 the width, 1 the height, 2 the depth
  std::uint32_t resident =
      0xffffffffu;                    // the row of a predicate that says whether texels are there
  std::uint32_t layer = 0xffffffffu;  // rows
  std::array<std::uint32_t, 3> at{};  // rows: f32, or s32 by index and of surfaces
  std::array<std::uint32_t, 4> texel{};  // rows: what is fetched, loaded or stored
  int count = 4;                         // of them
  int bytes = 4;                         // of each, of surfaces
  Boundary boundary = Boundary::trap;
  bool is_formatted = false;  // .p: x counts texels, which have the surface's format
  SurfaceSum sum = SurfaceSum::none;
  bool is_signed = false;  // of sums of bytes; of .p the surface says so
};

}  // namespace lanescope::emulator

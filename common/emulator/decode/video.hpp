// SPDX-License-Identifier: MIT
// The video instructions: arithmetic on bytes and half words that are picked out of 32-bit
// registers, alone (vadd), or two or four at a time (vadd2, vadd4).
//
// Source: PTX ISA 9.2, 9.7.17 (video instructions).
#pragma once

#include <array>
#include <cstdint>

namespace lanescope::emulator {

enum class VideoOperation : std::uint8_t {
  add,
  sub,
  absdiff,
  average,
  min,
  max,
  shl,
  shr,
  mad,
  set
};

/// What becomes of the result: it is kept, combined with c, or put in the place of a part of c.
enum class VideoEnd : std::uint8_t { plain, add, min, max, merge };

enum class VideoComparison : std::uint8_t { eq, ne, lt, le, gt, ge };

struct VideoPlan {
  VideoOperation operation = VideoOperation::add;
  VideoComparison comparison = VideoComparison::eq;
  VideoEnd end = VideoEnd::plain;
  int parts = 1;  // 1: scalar; 2, 4
  bool signed_d = false, signed_a = false, signed_b = false;
  bool saturates = false;
  bool wraps = false;     // shifts
  bool plus_one = false;  // vmad.po
  bool negates_product = false, negates_c = false;
  int shift = 0;               // vmad.shr7, .shr15
  int d_bit = 0, d_bits = 32;  // scalar: where the result goes
  int a_bit = 0, a_bits = 32, b_bit = 0, b_bits = 32;
  std::uint32_t mask = 0;                            // SIMD: parts that are written, or summed
  std::array<std::uint8_t, 4> a_parts{}, b_parts{};  // of {b, a}
};

/// d of one lane.
std::uint32_t video_result(const VideoPlan& plan, std::uint32_t a, std::uint32_t b,
                           std::uint32_t c);

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
// PTX number literals: 12, 0x1f, 017, 0b11, 12U, 0f3F800000, 0d3FF0000000000000, 1.5.
//
// Source: PTX ISA 9.2, 4.5 (constants).
#pragma once

#include <cstdint>
#include <string_view>

#include "emulator/ptx/type.hpp"

namespace lanescope::emulator {

struct ParsedNumber {
  bool is_real = false;
  int real_bits = 64;      // 32 for 0f..., else 64
  std::uint64_t bits = 0;  // the integer, or the pattern of the real

  /// The pattern that this literal has as an operand of `type`; `negative` is a minus before it.
  std::uint64_t bits_as(Type type, bool negative = false) const;
};

bool parse_number(std::string_view text, ParsedNumber& number);
bool parse_integer(std::string_view text, std::int64_t& value);

}  // namespace lanescope::emulator

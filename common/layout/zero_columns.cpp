// SPDX-License-Identifier: MIT
#include "layout/zero_columns.hpp"

#include <fmt/format.h>

namespace lanescope::layout {
namespace {

constexpr std::uint64_t kReservedBits = 7ull << 36 | 3ull << 62;

}  // namespace

ZeroColumns decode_zero_columns(std::uint64_t bits) {
  const auto field = [bits](int from, int width) {
    return static_cast<int>(bits >> from & ((1u << width) - 1));
  };
  ZeroColumns mask;
  for (int part = 0; part < 4; ++part) {
    mask.start[static_cast<std::size_t>(part)] = field(8 * part, 8);
    mask.begins_as_zeros[static_cast<std::size_t>(part)] = field(32 + part, 1) != 0;
  }
  mask.any = field(39, 1) != 0;
  mask.zeros = field(40, 8) + 1;
  mask.uses = field(48, 8) + 1;
  mask.shift = field(56, 6);
  return mask;
}

std::string zero_columns_problem(std::uint64_t bits, int M) {
  if ((bits & kReservedBits) != 0) return fmt::format("bits {:#x} must be 0", bits & kReservedBits);
  const int most = M == 32 ? 16 : 32, shift = decode_zero_columns(bits).shift;
  if (shift <= most) return {};
  return fmt::format("its shift is {}: with M {} at most {}", shift, M, most);
}

bool is_zero(const ZeroColumns& mask, int M, int N, int column) {
  if (!mask.any) return false;
  const int each = N * M / 128;  // columns of a part
  const auto part = static_cast<std::size_t>(column / each);
  const int at = (column % each + mask.start[part]) % (mask.zeros + mask.uses);
  return mask.begins_as_zeros[part] ? at < mask.zeros : at >= mask.uses;
}

}  // namespace lanescope::layout

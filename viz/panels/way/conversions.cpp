// SPDX-License-Identifier: MIT
// See conversions.hpp.
#include "panels/way/conversions.hpp"

#include <array>
#include <utility>

#include "panels/steps/ptx_operands.hpp"

namespace lanescope::viz {
namespace {

struct NumberType {
  std::string_view name;
  int bits = 0, count = 1;  // count: in a register
};

constexpr std::array<std::pair<std::string_view, int>, 17> kNumbers{{{"f64", 64},
                                                                     {"f32", 32},
                                                                     {"tf32", 32},
                                                                     {"f16", 16},
                                                                     {"bf16", 16},
                                                                     {"e4m3", 8},
                                                                     {"e5m2", 8},
                                                                     {"ue8m0", 8},
                                                                     {"s64", 64},
                                                                     {"u64", 64},
                                                                     {"s32", 32},
                                                                     {"u32", 32},
                                                                     {"s16", 16},
                                                                     {"u16", 16},
                                                                     {"s8", 8},
                                                                     {"u8", 8},
                                                                     {"b8", 8}}};

// "f16x2": two of f16. Formats of 4 and 6 bits, which are packed otherwise, are none.
std::optional<NumberType> number_type(std::string_view name) {
  NumberType type{name, 0, 1};
  if (const std::size_t x = name.rfind('x'); x != std::string_view::npos && x + 2 == name.size()) {
    type.name = name.substr(0, x);
    type.count = name[x + 1] - '0';
  }
  for (const auto& [known, bits] : kNumbers)
    if (known == type.name) type.bits = bits;
  const bool fits = type.count == 1 || type.count == 2 || type.count == 4;
  return type.bits > 0 && fits ? std::optional(type) : std::nullopt;
}

// The last two of ".rn.satfinite.f16x2.f32": the type that it makes, the one that it takes.
std::optional<std::pair<NumberType, NumberType>> types_of(std::string_view mnemonic) {
  const std::size_t last = mnemonic.rfind('.');
  if (last == std::string_view::npos || last == 0) return std::nullopt;
  const std::size_t before = mnemonic.rfind('.', last - 1);
  if (before == std::string_view::npos) return std::nullopt;
  const auto to = number_type(mnemonic.substr(before + 1, last - before - 1));
  const auto from = number_type(mnemonic.substr(last + 1));
  if (!to || !from) return std::nullopt;
  return std::pair(*to, *from);
}

}  // namespace

std::optional<Converted> before_conversion(const trace::Step& step, const Spot& at, int width) {
  const std::string_view mnemonic = mnemonic_of(step.ptx);
  const auto types = mnemonic.starts_with("cvt.") ? types_of(mnemonic) : std::nullopt;
  if (!types) return std::nullopt;
  const NumberType &to = types->first, &from = types->second;
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  if (width != to.bits || at.bit % to.bits != 0 || operands.size() < 2) return std::nullopt;
  const auto which = static_cast<std::size_t>(at.bit / to.bits);
  if (static_cast<int>(which) >= to.count) return std::nullopt;
  const auto spot = [&](std::size_t operand, int bit) -> std::optional<Converted> {
    if (!is_register(operands[operand])) return std::nullopt;
    return Converted{{operands[operand], at.lane, bit}, from.bits, from.name};
  };
  // As many in one register, or one register each, the highest first.
  if (operands.size() == 2 && to.count == from.count)
    return spot(1, static_cast<int>(which) * from.bits);
  if (from.count == 1 && operands.size() == static_cast<std::size_t>(to.count) + 1)
    return spot(operands.size() - 1 - which, 0);
  return std::nullopt;
}

}  // namespace lanescope::viz

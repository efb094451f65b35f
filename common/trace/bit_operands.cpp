// SPDX-License-Identifier: MIT
// See bit_operands.hpp.
#include "trace/bit_operands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace lanescope::trace {
namespace {

struct BitOperands {
  std::string_view opcode;
  std::size_t last;  // from the first one on
};
constexpr std::array<BitOperands, 7> kTakers{
    {{"and", 2}, {"or", 2}, {"xor", 2}, {"lop3", 4}, {"prmt", 3}, {"bfi", 2}, {"bfe", 1}}};

// Of 8, 16, 32 or 64 bits, as many as it has: a negative one has its instruction's.
std::optional<std::string> hex_of(std::string_view word, std::string_view mnemonic) {
  const bool is_negative = word.substr(0, 1) == "-";
  std::int64_t number = 0;
  std::uint64_t bits = 0;
  const char* end = word.data() + word.size();
  const auto read = is_negative ? std::from_chars(word.data(), end, number)
                                : std::from_chars(word.data(), end, bits);
  if (read.ec != std::errc() || read.ptr != end || (!is_negative && bits < 10)) return std::nullopt;
  int digits = 2;
  if (is_negative) {
    const std::string_view type = mnemonic.substr(mnemonic.rfind('.') + 1);
    digits = type == "b64" || type == "u64" || type == "s64" ? 16 : type == "b16" ? 4 : 8;
    bits = static_cast<std::uint64_t>(number) & (~std::uint64_t{0} >> (64 - 4 * digits));
  }
  while (digits < 16 && bits >> (4 * digits) != 0) digits *= 2;
  return fmt::format("0x{:0{}x}", bits, digits);
}

}  // namespace

std::string_view mnemonic_of(std::string_view ptx) {
  if (ptx.substr(0, 1) == "@") ptx.remove_prefix(std::min(ptx.find(' '), ptx.size()));
  ptx.remove_prefix(std::min(ptx.find_first_not_of(' '), ptx.size()));
  return ptx.substr(0, ptx.find_first_of(" \t;{["));  // no space needs to follow it
}

bool takes_bits(std::string_view mnemonic, std::size_t operand) {
  const std::string_view opcode = mnemonic.substr(0, mnemonic.find('.'));
  return std::any_of(kTakers.begin(), kTakers.end(), [&](const BitOperands& one) {
    return one.opcode == opcode && operand >= 1 && operand <= one.last;
  });
}

std::string bits_in_hex(std::string ptx) {
  const std::string mnemonic(mnemonic_of(ptx));
  if (!takes_bits(mnemonic, 1)) return ptx;
  std::size_t from = ptx.find(mnemonic) + mnemonic.size();
  for (std::size_t operand = 0; from < ptx.size(); ++operand) {
    const std::size_t begin = std::min(ptx.find_first_not_of(' ', from), ptx.size());
    const std::size_t end = std::min(ptx.find_first_of(",;", begin), ptx.size());
    const auto hex = takes_bits(mnemonic, operand)
                         ? hex_of(std::string_view(ptx).substr(begin, end - begin), mnemonic)
                         : std::nullopt;
    if (hex) ptx.replace(begin, end - begin, *hex);
    from = begin + (hex ? hex->size() : end - begin) + 1;
  }
  return ptx;
}

}  // namespace lanescope::trace

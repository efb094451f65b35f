// SPDX-License-Identifier: MIT
// See unpacking.hpp.
#include "panels/way/unpacking.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "panels/steps/ptx_operands.hpp"

namespace lanescope::viz {
namespace {

constexpr int kMostDeep = 16;

bool begins_with_any(std::string_view name, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    if (name.starts_with(word)) return true;
  return false;
}

// What a mask or a number of the program's text is; nothing of what was loaded or worked out.
std::optional<std::uint64_t> constant(RegisterHistory& history, int warp, int item,
                                      std::string_view operand, int lane) {
  if (const auto number = whole_number(operand)) return static_cast<std::uint64_t>(*number);
  const int writer = history.writer(warp, item, operand, lane);
  if (writer < 0) return std::nullopt;
  const std::string_view ptx = history.item(warp, writer).step->ptx;
  const std::vector<std::string_view> operands = operands_of(ptx);
  if (!mnemonic_of(ptx).starts_with("mov.") || operands.size() != 2) return std::nullopt;
  return constant(history, warp, writer, operands[1], lane);
}

// Which bits of the only operand that is no constant the instruction hands on; a bit each.
struct HandedOn {
  std::string_view from;
  std::uint64_t bits = 0;
};
std::optional<HandedOn> handed_on(RegisterHistory& history, int warp, int item, int lane) {
  const std::string_view ptx = history.item(warp, item).step->ptx, name = mnemonic_of(ptx);
  const std::vector<std::string_view> operands = operands_of(ptx);
  const bool is_lop3 = name.starts_with("lop3.b32");
  const bool is_and = name.starts_with("and.b"), is_or = name.starts_with("or.b");
  if (!(is_lop3 && operands.size() == 5) && !((is_and || is_or) && operands.size() == 3))
    return std::nullopt;
  const auto table =
      is_lop3 ? whole_number(operands[4]) : std::optional<std::int64_t>(is_and ? 0xc0 : 0xfc);
  const std::size_t inputs = is_lop3 ? 3 : 2;
  std::uint64_t known[3] = {};
  std::optional<std::size_t> open;
  for (std::size_t n = 0; n < inputs; ++n) {
    const auto value = constant(history, warp, item, operands[n + 1], lane);
    if (value)
      known[n] = *value;
    else if (open)
      return std::nullopt;
    else
      open = n;
  }
  if (!open || !table) return std::nullopt;
  HandedOn found{operands[*open + 1], 0};
  for (int bit = 0; bit < 64; ++bit) {
    const auto made = [&](std::uint64_t is) {
      std::uint64_t in[3];
      for (std::size_t n = 0; n < 3; ++n) in[n] = n == *open ? is : known[n] >> bit & 1;
      return *table >> (in[0] * 4 + in[1] * 2 + in[2]) & 1;
    };
    if (made(0) != made(1)) found.bits |= std::uint64_t{1} << bit;
  }
  return found;
}

// shr.u32 %r2, %r1, 28 leaves the four highest bits, as (word >> 28) & 15 does: how many a shift
// right leaves of its register; nothing of any other instruction.
std::optional<int> left_by_shift(RegisterHistory& history, int warp, int item,
                                 const std::vector<std::string_view>& operands, int lane) {
  const std::string_view name = mnemonic_of(history.item(warp, item).step->ptx);
  if (!name.starts_with("shr.") || operands.size() != 3) return std::nullopt;
  const auto by = history.value(warp, item, operands[2], lane);
  const int bits = element_bytes(history.item(warp, item).step->ptx) * 8;
  if (!by || *by >= static_cast<std::uint64_t>(bits)) return std::nullopt;
  return bits - static_cast<int>(*by);
}

bool is_arithmetic(std::string_view name) {
  return begins_with_any(name, {"add.", "sub.", "mul.", "fma.", "mad.", "neg."});
}

// Whether it goes back to some bits of a word that was loaded.
bool is_unpacked(RegisterHistory& history, int warp, int before, const Spot& at, bool is_part,
                 int depth) {
  const int item = history.writer(warp, before, at.name, at.lane);
  const trace::Write* write = history.written(warp, item, at.name);
  if (write == nullptr || depth > kMostDeep) return false;
  const trace::Step& step = *history.item(warp, item).step;
  const std::string_view name = mnemonic_of(step.ptx);
  if (name.starts_with("ld.")) return is_part && !name.starts_with("ld.param");
  const auto further = [&](const Spot& from, bool part) {
    return is_unpacked(history, warp, item, from, part, depth + 1);
  };
  if (name.starts_with("mov.")) {
    const auto from = before_move(step, *write, at);
    return from && further(*from, is_part);
  }
  if (const auto on = handed_on(history, warp, item, at.lane))
    return further({on->from, at.lane, at.bit}, is_part || !name.starts_with("or."));
  constexpr int kByte = 8;  // a shift that leaves more is another's way to a half
  const auto left = left_by_shift(history, warp, item, operands_of(step.ptx), at.lane);
  const bool takes_part = begins_with_any(name, {"bfe.", "prmt."}) || (left && *left <= kByte);
  if (!takes_part && !is_arithmetic(name) && !begins_with_any(name, {"shr.", "shl.", "cvt."}))
    return false;
  for (const Worked& one : worked_out_from(step, *write, at))
    if (further(one.from, is_part || takes_part)) return true;
  return false;
}

// Of a number, the bits in it that a mask has, where they stand side by side.
std::optional<Unpacked> part(const HandedOn& on, const Spot& at, int width) {
  const std::uint64_t all = width >= 64 ? ~0ull : (1ull << width) - 1;
  const std::uint64_t bits = on.bits >> at.bit & all;
  if (bits == 0) return std::nullopt;
  int low = 0, count = 0;
  while ((bits >> low & 1) == 0) ++low;
  while (low + count < 64 && (bits >> (low + count) & 1) != 0) ++count;
  const bool in_one = bits >> low == (count >= 64 ? ~0ull : (1ull << count) - 1);
  if (!in_one) return Unpacked{{on.from, at.lane, at.bit}, width};  // an or: its mask comes next
  return Unpacked{{on.from, at.lane, at.bit + low}, count};
}

}  // namespace

std::optional<Unpacked> before_unpacking(RegisterHistory& history, int warp, int item,
                                         const Spot& at, int width) {
  const trace::Step& step = *history.item(warp, item).step;
  const std::string_view name = mnemonic_of(step.ptx);
  const trace::Write* write = history.written(warp, item, at.name);
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  if (write == nullptr || !is_unpacked(history, warp, item + 1, at, width < 8, 0))
    return std::nullopt;
  if (const auto on = handed_on(history, warp, item, at.lane)) {
    const auto found = part(*on, at, width);
    return name.starts_with("or.") ? Unpacked{{on->from, at.lane, at.bit}, width} : found;
  }
  if ((name.starts_with("shr.") || name.starts_with("shl.")) && operands.size() == 3) {
    const auto by = history.value(warp, item, operands[2], at.lane);
    if (!by || *by >= 64) return std::nullopt;
    const int bit = at.bit + (name.starts_with("shr.") ? 1 : -1) * static_cast<int>(*by);
    if (bit < 0) return std::nullopt;
    const int left = left_by_shift(history, warp, item, operands, at.lane).value_or(64) - at.bit;
    return Unpacked{{operands[1], at.lane, bit}, std::clamp(left, 1, width)};
  }
  if (name.starts_with("bfe.") && operands.size() == 4) {
    const auto first = history.value(warp, item, operands[2], at.lane),
               count = history.value(warp, item, operands[3], at.lane);
    if (!first || !count || *first + *count > 64 || *count == 0 || at.bit != 0) return std::nullopt;
    return Unpacked{{operands[1], at.lane, static_cast<int>(*first)}, static_cast<int>(*count)};
  }
  if (!is_arithmetic(name)) return std::nullopt;
  for (const Worked& one : worked_out_from(step, *write, at))
    if (is_unpacked(history, warp, item, one.from, width < 8, 0)) return Unpacked{one.from, width};
  return std::nullopt;
}

}  // namespace lanescope::viz

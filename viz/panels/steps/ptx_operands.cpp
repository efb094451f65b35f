// SPDX-License-Identifier: MIT
// See ptx_operands.hpp.
#include "panels/steps/ptx_operands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "layout/instruction.hpp"
#include "panels/steps/steps.hpp"

namespace lanescope::viz {
namespace {

std::string_view trimmed(std::string_view words) {
  while (!words.empty() && (words.front() == ' ' || words.front() == '\t')) words.remove_prefix(1);
  while (!words.empty() && (words.back() == ' ' || words.back() == ';')) words.remove_suffix(1);
  return words;
}

// Inline assembly calls its own registers as it likes: %px, addr, __$1.
bool goes_on(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}
bool begins_name(char c) {
  return c == '%' || (goes_on(c) && std::isdigit(static_cast<unsigned char>(c)) == 0);
}

// Which operand the metadata are; far behind the last one where A is dense.
std::size_t metadata_at(std::string_view name) {
  if (name.starts_with("mma.sp")) return 4;              // d, a, b, c, e, selector
  if (name.starts_with("wgmma.mma_async.sp")) return 3;  // d, a, b, e, selector
  return std::string_view::npos - 1;
}

// Which operand the scale factors are, their selectors behind them: d, a, b, c, {e, selector,} sfa,
// {byte-id, thread-id}, sfb, {...}. Far behind the last one where nothing is scaled.
std::size_t scales_at(std::string_view name, char operand) {
  if (!name.starts_with("mma.") || name.find(".block_scale.") == std::string_view::npos)
    return std::string_view::npos - 1;
  return (name.starts_with("mma.sp") ? 6u : 4u) + (operand == 'T' ? 2u : 0u);
}

}  // namespace

std::vector<std::string_view> operands_of(std::string_view ptx) {
  const std::string_view name = mnemonic_of(ptx);
  std::string_view rest =
      ptx.substr(static_cast<std::size_t>(name.data() + name.size() - ptx.data()));
  std::vector<std::string_view> operands;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t at = 0; at <= rest.size(); ++at) {
    const char c = at < rest.size() ? rest[at] : ',';
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != ',' || (depth > 0 && at < rest.size())) continue;
    if (const std::string_view one = trimmed(rest.substr(from, at - from)); !one.empty())
      operands.push_back(one);
    from = at + 1;
  }
  return operands;
}

std::optional<std::int64_t> whole_number(std::string_view word) {
  std::string_view digits = trimmed(word);
  const bool is_negative = digits.starts_with('-');
  digits.remove_prefix(is_negative ? 1 : 0);
  if (digits.ends_with('U')) digits.remove_suffix(1);
  const bool is_hex = digits.starts_with("0x");
  digits.remove_prefix(is_hex ? 2 : 0);
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hex ? 16 : 10);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return static_cast<std::int64_t>(is_negative ? ~value + 1 : value);
}

bool is_register(std::string_view operand) { return !operand.empty() && begins_name(operand[0]); }

std::vector<std::string_view> registers_in(std::string_view operand) {
  std::vector<std::string_view> names;
  if (operand.starts_with('{') && operand.ends_with('}')) {
    std::string_view left = operand.substr(1, operand.size() - 2);
    while (!left.empty()) {
      const std::size_t end = std::min(left.find(','), left.size());
      if (const std::string_view one = trimmed(left.substr(0, end)); is_register(one))
        names.push_back(one);
      left.remove_prefix(std::min(end + 1, left.size()));
    }
    return names;
  }
  for (std::size_t at = 0; at < operand.size();) {
    std::size_t end = at + 1;
    if (!begins_name(operand[at]) && !goes_on(operand[at])) {
      at = end;
      continue;
    }
    while (end < operand.size() && goes_on(operand[end])) ++end;
    if (begins_name(operand[at])) names.push_back(operand.substr(at, end - at));  // no number
    at = end;
  }
  return names;
}

bool is_zero(std::string_view operand) {
  if (operand.starts_with("0f") || operand.starts_with("0d"))
    return operand.size() > 2 && operand.find_first_not_of('0', 2) == std::string_view::npos;
  return whole_number(operand) == 0;
}

bool multiplies(std::string_view mnemonic) {
  return mnemonic.starts_with("mma.") || mnemonic.starts_with("wmma.mma.") ||
         mnemonic.starts_with("wgmma.mma_async");
}

std::vector<std::string_view> matrix_registers(std::string_view ptx, char operand) {
  const std::string_view name = mnemonic_of(ptx);
  if (!multiplies(name)) return {};
  const bool later = name.starts_with("wgmma");
  if (later && (operand == 'B' || operand == 'C')) return {};
  if (operand == 'E' || operand == 'S' || operand == 'T') {
    const std::size_t at = operand == 'E' ? metadata_at(name) : scales_at(name, operand);
    const std::vector<std::string_view> all = operands_of(ptx);
    return at < all.size() ? registers_in(all[at]) : std::vector<std::string_view>();
  }
  // All of them name D first. What stands for a descriptor has no braces.
  const std::size_t at = operand == 'D' ? 0 : operand - 'A' + 1u;
  const std::vector<std::string_view> operands = operands_of(ptx);
  if (at >= operands.size() || (later && !operands[at].starts_with('{'))) return {};
  return registers_in(operands[at]);
}

int metadata_selector(std::string_view ptx) {
  const std::vector<std::string_view> all = operands_of(ptx);
  const std::size_t at = metadata_at(mnemonic_of(ptx)) + 1;
  if (at >= all.size()) return 0;
  return static_cast<int>(whole_number(all[at]).value_or(0));
}

std::array<std::string_view, 2> scale_selectors(std::string_view ptx, char operand) {
  const std::vector<std::string_view> all = operands_of(ptx);
  const std::size_t at = scales_at(mnemonic_of(ptx), operand) + 1;
  if (at >= all.size()) return {};
  std::string_view both = all[at];
  const std::size_t comma = both.find(',');
  if (!both.starts_with('{') || !both.ends_with('}') || comma == std::string_view::npos) return {};
  return {trimmed(both.substr(comma + 1, both.size() - comma - 2)),
          trimmed(both.substr(1, comma - 1))};
}

std::string matrix_register(std::string_view ptx, std::string_view name, bool written) {
  for (const char operand : std::string_view(written ? "D" : "ABCDEST")) {
    const std::vector<std::string_view> names = matrix_registers(ptx, operand);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end())
      return fmt::format("{}.r{}", layout::operand_name(operand), found - names.begin());
  }
  return {};
}

std::optional<MemoryOperand> memory_operand(std::string_view operand) {
  const std::vector<std::string_view> names = registers_in(operand);
  if (names.empty() || !operand.starts_with('[')) return std::nullopt;
  const std::size_t plus = operand.find('+');
  if (plus == std::string_view::npos) return MemoryOperand{names[0], 0};
  const std::size_t end = std::min(operand.find(']', plus), operand.size());
  const auto offset = whole_number(operand.substr(plus + 1, end - plus - 1));
  return offset ? std::optional(MemoryOperand{names[0], *offset}) : std::nullopt;
}

int element_bytes(std::string_view ptx) {
  const std::string_view name = mnemonic_of(ptx);
  const std::string_view type = name.substr(std::min(name.rfind('.') + 1, name.size()));
  int bits = 0;
  if (type.size() < 2 || std::string_view("busf").find(type[0]) == std::string_view::npos) return 0;
  const auto [end, error] = std::from_chars(type.data() + 1, type.data() + type.size(), bits);
  if (std::string_view(end, static_cast<std::size_t>(type.data() + type.size() - end)) == "x2")
    bits *= 2;
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 ? bits / 8 : 0;
}

std::string parameter_of(std::string_view ptx, std::string_view name,
                         const std::vector<std::string>& names) {
  const std::vector<std::string_view> operands = operands_of(ptx);
  if (!mnemonic_of(ptx).starts_with("ld.param") || operands.size() != 2) return {};
  std::string_view from = trimmed(operands[1]);
  if (!from.starts_with('[') || !from.ends_with(']')) return {};
  from = trimmed(from.substr(1, from.size() - 2));
  const std::size_t plus = std::min(from.find('+'), from.size());
  const std::string number = parameter_in(trimmed(from.substr(0, plus)), names);
  const auto offset =
      plus < from.size() ? whole_number(from.substr(plus + 1)) : std::optional<std::int64_t>(0);
  if (number.empty() || !offset) return {};
  const std::vector<std::string_view> to = registers_in(operands[0]);
  const auto at = std::find(to.begin(), to.end(), name) - to.begin();
  const std::int64_t field =
      *offset + (at < static_cast<std::ptrdiff_t>(to.size()) ? at : 0) * element_bytes(ptx);
  const bool is_field = plus < from.size() || to.size() > 1;
  return is_field ? fmt::format("{}+{}", number, field) : number;
}

std::string parameter_in(std::string_view operand, const std::vector<std::string>& names) {
  if (const auto known = std::find(names.begin(), names.end(), operand); known != names.end())
    return std::to_string(known - names.begin());
  constexpr std::string_view kWord = "param_";
  const std::size_t at = operand.rfind(kWord);
  if (at == std::string_view::npos) return {};
  const std::string_view number = operand.substr(at + kWord.size());
  const bool whole =
      !number.empty() && std::all_of(number.begin(), number.end(),
                                     [](unsigned char c) { return std::isdigit(c) != 0; });
  return whole ? std::string(number) : std::string();
}

}  // namespace lanescope::viz

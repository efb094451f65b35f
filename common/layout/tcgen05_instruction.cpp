// SPDX-License-Identifier: MIT
// The instruction descriptor of tcgen05.mma. Its tables are data: a line a field and kind.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "layout/tcgen05.hpp"

namespace lanescope::layout {
namespace {

// What a field of the instruction descriptor says.
enum class Says : std::uint8_t {
  reserved,  // 0
  flag,
  number,      // 0 to 3
  even,        // 0 or 2
  shifted_n,   // N >> 3
  shifted_m4,  // M >> 4
  shifted_m7,  // M >> 7
  d_type,
  type,
  ab_fp4,
  scale_type,
  zero_flag,  // a flag that this kind must leave 0
  shift
};

struct FieldLine {
  std::string_view name;
  int from, width;
  Says says;
  std::string_view means;
};

// Table 42: .kind::tf32, f16, f8f6f4 and i8.
constexpr std::array kPlain{
    FieldLine{"sel", 0, 2, Says::number, "sparsity selector"},
    FieldLine{"sparse", 2, 1, Says::flag, "A is sparse"},
    FieldLine{"sat", 3, 1, Says::flag, "saturate sums of integers"},
    FieldLine{"d", 4, 2, Says::d_type, "type of D"},
    FieldLine{"-", 6, 1, Says::reserved, "reserved"},
    FieldLine{"a", 7, 3, Says::type, "type of A"},
    FieldLine{"b", 10, 3, Says::type, "type of B"},
    FieldLine{"nega", 13, 1, Says::flag, "negate A"},
    FieldLine{"negb", 14, 1, Says::flag, "negate B"},
    FieldLine{"ta", 15, 1, Says::flag, "A is M-major, not K-major"},
    FieldLine{"tb", 16, 1, Says::flag, "B is N-major, not K-major"},
    FieldLine{"n", 17, 6, Says::shifted_n, "N, without its 3 low bits"},
    FieldLine{"-", 23, 1, Says::reserved, "reserved"},
    FieldLine{"m", 24, 5, Says::shifted_m4, "M, without its 4 low bits"},
    FieldLine{"-", 29, 1, Says::reserved, "reserved"},
    FieldLine{"shift", 30, 2, Says::shift, "most that B may be shifted where .ws uses it again"},
};
// Table 43: .kind::mxf8f6f4.
constexpr std::array kScaled{
    FieldLine{"-", 0, 2, Says::reserved, "reserved"},
    FieldLine{"sparse", 2, 1, Says::flag, "A is sparse"},
    FieldLine{"-", 3, 1, Says::reserved, "reserved"},
    FieldLine{"sfb", 4, 2, Says::number, "which byte of B's scale words"},
    FieldLine{"-", 6, 1, Says::reserved, "reserved"},
    FieldLine{"a", 7, 3, Says::type, "type of A"},
    FieldLine{"b", 10, 3, Says::type, "type of B"},
    FieldLine{"nega", 13, 1, Says::flag, "negate A"},
    FieldLine{"negb", 14, 1, Says::flag, "negate B"},
    FieldLine{"ta", 15, 1, Says::flag, "A is M-major, not K-major"},
    FieldLine{"tb", 16, 1, Says::flag, "B is N-major, not K-major"},
    FieldLine{"n", 17, 6, Says::shifted_n, "N, without its 3 low bits"},
    FieldLine{"scale", 23, 1, Says::scale_type, "type of both matrices of scales"},
    FieldLine{"-", 24, 3, Says::reserved, "reserved"},
    FieldLine{"m", 27, 2, Says::shifted_m7, "M, without its 7 low bits"},
    FieldLine{"sfa", 29, 2, Says::number, "which byte of A's scale words"},
    FieldLine{"-", 31, 1, Says::reserved, "reserved"},
};
// Table 44: .kind::mxf4 and mxf4nvf4.
constexpr std::array kFp4{
    FieldLine{"-", 0, 2, Says::reserved, "reserved"},
    FieldLine{"sparse", 2, 1, Says::flag, "A is sparse"},
    FieldLine{"-", 3, 1, Says::reserved, "reserved"},
    FieldLine{"sfb", 4, 2, Says::even, "which half of B's scale words"},
    FieldLine{"-", 6, 1, Says::reserved, "reserved"},
    FieldLine{"a", 7, 3, Says::ab_fp4, "type of A"},
    FieldLine{"b", 10, 2, Says::ab_fp4, "type of B"},
    FieldLine{"-", 12, 1, Says::reserved, "reserved"},
    FieldLine{"nega", 13, 1, Says::flag, "negate A"},
    FieldLine{"negb", 14, 1, Says::flag, "negate B"},
    FieldLine{"ta", 15, 1, Says::zero_flag, "A must be K-major"},
    FieldLine{"tb", 16, 1, Says::zero_flag, "B must be K-major"},
    FieldLine{"n", 17, 6, Says::shifted_n, "N, without its 3 low bits"},
    FieldLine{"scale", 23, 1, Says::scale_type, "type of both matrices of scales"},
    FieldLine{"-", 24, 3, Says::reserved, "reserved"},
    FieldLine{"m", 27, 2, Says::shifted_m7, "M, without its 7 low bits"},
    FieldLine{"sfa", 29, 2, Says::even, "which half of A's scale words"},
    FieldLine{"k96", 31, 1, Says::flag, "K is 96 (dense, sm_103a), not 64 or sparse 128"},
};

struct Lines {
  const FieldLine* first;
  std::size_t count;
  const FieldLine* begin() const { return first; }
  const FieldLine* end() const { return first + count; }
};
Lines lines_of(Tcgen05Kind kind) {
  if (kind <= Tcgen05Kind::i8) return {kPlain.data(), kPlain.size()};
  if (kind == Tcgen05Kind::mxf8f6f4) return {kScaled.data(), kScaled.size()};
  return {kFp4.data(), kFp4.size()};
}

// The names of the values of a field, by number; "" where there is none.
std::vector<std::string_view> names_of(Tcgen05Kind kind, Says says) {
  const std::vector<std::string_view> small{"e4m3", "e5m2", "", "e2m3", "e3m2", "e2m1"};
  switch (says) {
    case Says::d_type:
      if (kind == Tcgen05Kind::i8) return {"", "", "s32"};
      return kind == Tcgen05Kind::tf32 ? std::vector<std::string_view>{"", "f32"}
                                       : std::vector<std::string_view>{"f16", "f32"};
    case Says::type:
      if (kind == Tcgen05Kind::f16) return {"f16", "bf16"};
      if (kind == Tcgen05Kind::tf32) return {"", "", "tf32"};
      return kind == Tcgen05Kind::i8 ? std::vector<std::string_view>{"u8", "s8"} : small;
    case Says::ab_fp4:
      return {"", "e2m1"};
    case Says::scale_type:
      if (kind == Tcgen05Kind::mxf4nvf4) return {"ue4m3", "ue8m0"};
      return {"", "ue8m0"};
    case Says::shift:
      return {"none", "8", "16", "32"};
    default:
      return {};
  }
}

void say(DescriptorField& f, Tcgen05Kind kind, Says says) {
  if (says == Says::flag) f.means = "1: " + f.means;
  const auto bad = [&](std::string why) { f.good = false, f.means = std::move(why); };
  const std::vector<std::string_view> names = names_of(kind, says);
  if (!names.empty()) {
    if (f.bits < names.size() && !names[f.bits].empty())
      f.value = names[f.bits];
    else
      f.value = fmt::format("{}", f.bits), bad(fmt::format("{}: no type of this kind", f.means));
    return;
  }
  f.value = fmt::format("{}", f.bits);
  const bool wants_zero = says == Says::reserved || says == Says::zero_flag;
  if (wants_zero && f.bits != 0) bad(fmt::format("{}: must be 0", f.means));
  if (says == Says::even && f.bits % 2 != 0) bad(fmt::format("{}: 0 or 2", f.means));
  if (f.name == "sat" && f.bits != 0 && kind != Tcgen05Kind::i8)
    bad("saturates integers only: must be 0");
  if ((f.name == "nega" || f.name == "negb") && f.bits != 0 && kind == Tcgen05Kind::i8)
    bad("integers are not negated: must be 0");
  if (says == Says::shifted_n) {
    f.value = fmt::format("{}", f.bits << 3);
    if (f.bits == 0 || f.bits > 32) bad("N is 8 to 256");
  }
  if (says == Says::shifted_m4) {
    f.value = fmt::format("{}", f.bits << 4);
    if (f.bits != 2 && f.bits != 4 && f.bits != 8 && f.bits != 16) bad("M is 32, 64, 128 or 256");
  }
  if (says == Says::shifted_m7) {
    f.value = fmt::format("{}", f.bits << 7);
    if (f.bits != 1 && f.bits != 2) bad("M is 128 or 256");
  }
}

// What `value` is for this field, as bits; a line that says what it may be, or "".
std::string read_value(Tcgen05Kind kind, const FieldLine& line, std::string_view value,
                       std::uint32_t& bits) {
  const std::vector<std::string_view> names = names_of(kind, line.says);
  for (std::size_t at = 0; at < names.size(); ++at)
    if (!names[at].empty() && names[at] == value) return bits = static_cast<std::uint32_t>(at), "";
  std::string may;
  for (const std::string_view name : names)
    if (!name.empty()) may += fmt::format("{}{}", may.empty() ? "" : ", ", name);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool is_number = error == std::errc() && end == value.data() + value.size();
  const int low = line.says == Says::shifted_n    ? 3
                  : line.says == Says::shifted_m4 ? 4
                  : line.says == Says::shifted_m7 ? 7
                                                  : 0;
  if (may.empty())
    may = low > 0 ? fmt::format("a multiple of {} up to 256", 1 << low)
                  : fmt::format("0 to {}", (1 << line.width) - 1);
  const std::string wrong = fmt::format("{} '{}': {}", line.name, value.substr(0, 40), may);
  if (!names.empty() || !is_number || number % (1u << low) != 0 || (low > 0 && number > 256))
    return wrong;
  bits = number >> low;
  return bits >> line.width == 0 ? std::string() : wrong;
}

}  // namespace

std::optional<Tcgen05Kind> tcgen05_kind(std::string_view name) {
  for (std::size_t at = 0; at < kTcgen05Kinds.size(); ++at)
    if (kTcgen05Kinds[at] == name) return static_cast<Tcgen05Kind>(at);
  return std::nullopt;
}

std::vector<DescriptorField> instruction_fields(Tcgen05Kind kind, std::uint32_t bits) {
  std::vector<DescriptorField> all;
  for (const FieldLine& line : lines_of(kind)) {
    DescriptorField field{std::string(line.name),
                          line.from,
                          line.width,
                          bits >> line.from & ((1u << line.width) - 1),
                          "",
                          std::string(line.means),
                          true};
    say(field, kind, line.says);
    all.push_back(std::move(field));
  }
  return all;
}

std::string set_instruction_fields(Tcgen05Kind kind, std::string_view words, std::uint32_t& bits) {
  std::uint32_t changed = bits;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find_first_of(" ,", at), words.size());
    const std::string_view word = words.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const FieldLine* line = nullptr;
    std::string known;
    for (const FieldLine& each : lines_of(kind)) {
      if (each.says == Says::reserved) continue;
      known += fmt::format("{}{}", known.empty() ? "" : ", ", each.name);
      if (each.name == name) line = &each;
    }
    if (line == nullptr || equals == std::string_view::npos)
      return fmt::format("no field '{}' of .kind::{}: {}", word.substr(0, 40),
                         kTcgen05Kinds[static_cast<std::size_t>(kind)], known);
    std::uint32_t value = 0;
    if (std::string why = read_value(kind, *line, word.substr(equals + 1), value); !why.empty())
      return why;
    const std::uint32_t mask = ((1u << line->width) - 1) << line->from;
    changed = (changed & ~mask) | value << line->from;
  }
  bits = changed;
  return {};
}

std::uint32_t usual_instruction(Tcgen05Kind kind) {
  std::uint32_t bits = 0;
  for (const FieldLine& line : lines_of(kind)) {
    const std::vector<std::string_view> names = names_of(kind, line.says);
    std::uint32_t value = 0;
    // D is f32 where it can be; else the first that there is.
    while (value + 1 < names.size() && names[value].empty()) ++value;
    if (line.says == Says::d_type && names.size() > 1 && names[1] == "f32") value = 1;
    if (line.says == Says::shifted_n) value = 128 >> 3;
    if (line.says == Says::shifted_m4) value = 128 >> 4;
    if (line.says == Says::shifted_m7) value = 1;
    bits |= value << line.from;
  }
  return bits;
}

}  // namespace lanescope::layout

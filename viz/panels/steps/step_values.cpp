// SPDX-License-Identifier: MIT
#include "panels/steps/step_values.hpp"

#include <fmt/format.h>

#include "numeric/format.hpp"
#include "panels/matrix/model.hpp"
#include "panels/steps/steps.hpp"

namespace lanescope::viz {
namespace {

// The first type behind the opcode: of cvt.f32.f16 that of the result, of mma and wgmma D's.
std::string_view type_of(std::string_view mnemonic) {
  for (std::size_t at = mnemonic.find('.'); at != std::string_view::npos;) {
    const std::size_t next = mnemonic.find('.', at + 1);
    const std::string_view part = mnemonic.substr(at + 1, next - at - 1);
    for (const std::string_view known :
         {"f16", "bf16", "f32", "f64", "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"})
      if (part == known) return known;
    if (part == "f16x2" || part == "bf16x2") return part;
    at = next;
  }
  return {};
}

}  // namespace

std::string_view value_type(const trace::Step& step, std::size_t write) {
  const int bits = step.writes[write].bits;
  if (bits == 1) return "pred";
  const std::string_view type = type_of(mnemonic_of(step.ptx));
  const std::string_view opcode = mnemonic_of(step.ptx).substr(0, mnemonic_of(step.ptx).find('.'));
  // D of an mma in f16 has two in a register.
  const bool packs = opcode == "mma" || opcode == "wmma" || opcode == "wgmma";
  if (packs && type == "f16") return "f16x2";
  if (type == "f16" || type == "bf16") return bits == 16 ? type : std::string_view();
  if (type == "f32" || type == "s32" || type == "u32")
    return bits == 32 ? type : std::string_view();
  if (type == "f64" || type == "s64" || type == "u64")
    return bits == 64 ? type : std::string_view();
  if (type == "f16x2" || type == "bf16x2") return bits == 32 ? type : std::string_view();
  // Sums of a wgmma that arrive: the wait says no type, their registers' names do.
  if (opcode == "wgmma" && type.empty() && step.writes[write].name.starts_with("%f"))
    return bits == 32 ? "f32" : std::string_view();
  if (type.empty()) return {};
  return bits <= 32 ? std::string_view(type[0] == 's' ? "s32" : "u32") : std::string_view();
}

std::string value_text(std::string_view type, int bits, std::uint64_t pattern) {
  if (type == "pred") return pattern != 0 ? "true" : "false";
  if (type == "f16x2" || type == "bf16x2") {
    const std::string_view half = type.substr(0, type.size() - 2);
    return fmt::format("{}, {}", numeric::to_text(half, pattern & 0xffff).value_or("?"),
                       numeric::to_text(half, pattern >> 16 & 0xffff).value_or("?"));
  }
  if (type == "s32") return fmt::format("{}", static_cast<std::int32_t>(pattern));
  if (type == "s64") return fmt::format("{}", static_cast<std::int64_t>(pattern));
  // So large a number is an address, or it is none that anybody reads in decimal.
  if (type == "u64" && pattern >> 32 != 0) return fmt::format("0x{:x}", pattern);
  if (type == "u32" || type == "u64") return fmt::format("{}", pattern);
  if (!type.empty())
    if (const auto words = numeric::to_text(type, pattern)) return *words;
  return hex(pattern, bits);
}

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// Puts the shapes and the element types together into the instruction table, and finds things in
// it.
#include "layout/instruction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "layout/tables.hpp"

namespace lanescope::layout {
namespace {

std::vector<Instruction> build() {
  std::vector<Instruction> all;
  append_mma(all);
  append_mma_kinds(all);
  append_mma_sp(all);
  append_wgmma(all);
  append_wmma(all);
  // Everything that the recorded card runs was recorded, and what is not so the golden test names.
  for (Instruction& i : all)
    if (runs_on(i.target, kRecordedArch)) i.standing = Standing::verified;
  return all;
}

/// "m8n8k4.row.col.f64..." without the dotted words that `modifiers` lists.
std::string without_modifiers(std::string_view mnemonic, std::string_view modifiers) {
  std::string text(mnemonic);
  for (std::size_t at = 0; at < modifiers.size();) {
    const std::size_t end = std::min(modifiers.find(' ', at), modifiers.size());
    const std::string_view modifier = modifiers.substr(at, end - at);
    for (std::size_t found = text.find(modifier); found != std::string::npos;
         found = text.find(modifier, found + 1)) {
      const std::size_t after = found + modifier.size();
      if (after < text.size() && text[after] != '.') continue;
      text.erase(found, modifier.size());
      break;
    }
    at = end + 1;
  }
  return text;
}

/// .scale_vec may be left out where there is one choice (9.7.14.5.14): put it back.
std::string with_scale_vec(std::string mnemonic) {
  constexpr std::string_view kScaled = ".block_scale.f32";
  const std::size_t at = mnemonic.find(kScaled);
  if (at == std::string::npos) return mnemonic;
  const bool one = mnemonic.find("kind::mxf8f6f4") != std::string::npos;
  const bool two = mnemonic.find("kind::mxf4.") != std::string::npos;
  if (one || two)
    mnemonic.insert(at + kScaled.find(".f32"), one ? ".scale_vec::1X" : ".scale_vec::2X");
  return mnemonic;
}

/// The syntax box has .kind behind the layouts, kernels write it before the shape as well, and
/// ptxas takes both: "...aligned.kind::mxf4.block_scale.m16n8k64.row.col.f32..." put into the
/// former order.
std::string with_kind_behind(std::string mnemonic) {
  constexpr std::string_view kBegin = ".aligned.kind::", kLayouts = ".row.col.";
  const std::size_t aligned = mnemonic.find(kBegin), from = aligned + kBegin.find(".kind");
  const std::size_t shape = aligned == std::string::npos ? aligned : mnemonic.find(".m16n8k", from);
  const std::size_t layouts = mnemonic.find(kLayouts);
  if (shape == std::string::npos || layouts == std::string::npos || layouts < shape)
    return mnemonic;
  const std::size_t to = layouts + kLayouts.size() - 1;
  return mnemonic.substr(0, from) + mnemonic.substr(shape, to - shape) +
         mnemonic.substr(from, shape - from) + mnemonic.substr(to);
}

constexpr std::string_view kAllModifiers = ".satfinite .rn .rz .rm .rp";

}  // namespace

std::string_view operand_name(char operand) {
  switch (operand) {
    case 'A':
      return "A";
    case 'B':
      return "B";
    case 'C':
      return "C";
    case 'D':
      return "D";
    case 'E':
      return "E";
    case 'S':
      return "SFA";
    case 'T':
      return "SFB";
    default:
      return "?";
  }
}

std::optional<char> operand_letter(std::string_view name) {
  const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
  for (char letter : {'A', 'B', 'C', 'D', 'E', 'S', 'T'}) {
    const std::string_view known = operand_name(letter);
    if (std::equal(known.begin(), known.end(), name.begin(), name.end(), same)) return letter;
  }
  return std::nullopt;
}

std::span<const Instruction> instructions() {
  static const std::vector<Instruction> all = build();
  return all;
}

const Instruction* find(std::string_view mnemonic) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const Instruction*> by_name;
    for (const Instruction& i : instructions()) by_name.emplace(i.mnemonic, &i);
    return by_name;
  }();
  if (const auto found = index.find(mnemonic); found != index.end()) return found->second;
  const std::string ordered = with_kind_behind(std::string(mnemonic));
  const std::string plain = with_scale_vec(without_modifiers(ordered, kAllModifiers));
  const auto found = index.find(plain);
  if (found == index.end()) return nullptr;
  // The modifier must be one that this instruction may carry.
  const Instruction* i = found->second;
  return with_scale_vec(without_modifiers(ordered, i->modifiers)) == plain ? i : nullptr;
}

bool names_type(std::string_view mnemonic, std::string_view type) {
  const std::string dotted = fmt::format(".{}", type);
  for (std::size_t at = mnemonic.find(dotted); at != std::string_view::npos;
       at = mnemonic.find(dotted, at + 1)) {
    const std::size_t end = at + dotted.size();
    if (end == mnemonic.size() || mnemonic[end] == '.') return true;
  }
  return false;
}

bool runs_on(std::string_view targets, std::string_view arch) {
  const auto number = [](std::string_view target) {
    int value = 0;
    if (target.substr(0, 3) == "sm_")
      std::from_chars(target.data() + 3, target.data() + target.size(), value);
    return value;
  };
  for (std::size_t at = 0; at < targets.size();) {
    const std::size_t end = std::min(targets.find(' ', at), targets.size());
    const std::string_view target = targets.substr(at, end - at);
    if (target == arch) return true;
    // "a" targets are for one chip only; the others are kept by later chips.
    const bool specific = target.back() == 'a';
    if (!specific && number(target) <= number(arch)) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace lanescope::layout

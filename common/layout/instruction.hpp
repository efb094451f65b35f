// SPDX-License-Identifier: MIT
// The instruction table: what every tensor-core instruction's operands look like, and who says so.
//
// The table is data (mma_table.hpp and its siblings); this header is how it is asked.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layout/fragment.hpp"

namespace lanescope::layout {

/// How we know a map: from the ISA's text, derived by us, or seen on a card: a recording in
/// tests/golden proves it, and a test there holds this table to that recording, both ways.
enum class Standing : std::uint8_t { specified, derived, verified };
constexpr std::string_view name(Standing standing) {
  switch (standing) {
    case Standing::specified:
      return "specified";
    case Standing::derived:
      return "derived";
    case Standing::verified:
      return "verified on sm_90a";
  }
  return "?";
}

/// The target of the card whose recording lies in tests/golden.
inline constexpr std::string_view kRecordedArch = "sm_90a";

struct Instruction {
  std::string mnemonic;     // the full PTX spelling, without the modifiers below
  std::string_view family;  // "mma", "mma.sp", "wgmma", "wgmma.sp", "wmma"
  int M = 0, N = 0, K = 0;
  Fragment A, B, C, D;      // an operand that is not in registers has operand '?'
  std::string_view source;  // "PTX ISA 9.2, 9.7.14.5.8"
  std::string_view ptx;     // first PTX ISA version that has it
  std::string_view target;  // first target that has it: "sm_80"; several: "sm_120a sm_121a"
  Standing standing = Standing::specified;
  std::string_view modifiers;  // may be written too and move nothing: ".satfinite", ".rn .rz ..."
  std::vector<Fragment> E;     // sparsity metadata, one map a selector
  Fragment SFA, SFB;           // scales of A and B where thread-id and byte-id are 0
  std::string_view note;       // what a reader should know before he trusts a map

  /// The operand called `name`, or nullptr. For 'E', that of `selector`; SFA is 'S', SFB 'T'.
  const Fragment* operand(char name, int selector = 0) const {
    for (const Fragment* f : {&A, &B, &C, &D, &SFA, &SFB})
      if (f->operand == name) return f;
    if (name == 'E' && selector >= 0 && static_cast<std::size_t>(selector) < E.size())
      return &E[static_cast<std::size_t>(selector)];
    return nullptr;
  }
};

/// "A" ... "E", and "SFA", "SFB" for the scales.
std::string_view operand_name(char operand);
/// The letter of an operand's name, in either case, or nothing.
std::optional<char> operand_letter(std::string_view name);

/// Every instruction of the table, in the order of the families, shapes and types.
std::span<const Instruction> instructions();

/// The instruction with exactly this mnemonic, or nullptr. The modifiers that an instruction may
/// carry are looked through: "...row.col.satfinite.s32..." finds "...row.col.s32...". So is a
/// .scale_vec that is the default and was left out, and a .kind that stands before the shape.
const Instruction* find(std::string_view mnemonic);

/// Whether a mnemonic names this element type: ".s4" followed by a dot or the end.
bool names_type(std::string_view mnemonic, std::string_view type);

/// Whether a target ("sm_90a") has an instruction that asks for one of `targets`.
bool runs_on(std::string_view targets, std::string_view arch);

}  // namespace lanescope::layout

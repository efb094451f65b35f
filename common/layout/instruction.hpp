// SPDX-License-Identifier: MIT
// The instruction table: what every tensor-core instruction's operands look like, and who says so.
//
// The table is data (mma_table.hpp and its siblings); this header is how it is asked.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "layout/fragment.hpp"

namespace lanescope::layout {

/// How we know a map: from the ISA's text, derived by us, or seen on a card (a recorded trace in
/// tests/golden proves it).
enum class Standing : std::uint8_t { specified, derived, verified };
constexpr std::string_view name(Standing standing) {
  switch (standing) {
    case Standing::specified:
      return "specified";
    case Standing::derived:
      return "derived";
    case Standing::verified:
      return "verified";
  }
  return "?";
}

struct Instruction {
  std::string mnemonic;     // the full PTX spelling
  std::string_view family;  // "mma", later "mma.sp", "wgmma", "wmma"
  int M = 0, N = 0, K = 0;
  Fragment A, B, C, D;
  std::string_view source;  // "PTX ISA 9.1, 9.7.14.5.8"
  std::string_view ptx;     // first PTX ISA version that has it
  std::string_view target;  // first target that has it: "sm_80"
  Standing standing = Standing::specified;

  /// The operand called `name`, or nullptr.
  const Fragment* operand(char name) const {
    for (const Fragment* f : {&A, &B, &C, &D})
      if (f->operand == name) return f;
    return nullptr;
  }
};

/// Every instruction of the table, in the order of the families, shapes and types.
std::span<const Instruction> instructions();

/// The instruction with exactly this mnemonic, or nullptr.
const Instruction* find(std::string_view mnemonic);

/// The entries whose mnemonic contains every word of `words` (split at blanks), in table order.
std::vector<const Instruction*> search(std::string_view words);

}  // namespace lanescope::layout

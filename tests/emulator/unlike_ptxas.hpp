// SPDX-License-Identifier: MIT
// Statements that ptxas and the emulator judge differently: each in a kernel of its own, asked of
// both. ptxas sees all of them in one module.
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/machine.hpp"
#include "tests/has_ptxas.hpp"
#include "tests/said_by_ptxas.hpp"

namespace lanescope::emulator {

/// What every kernel of the question declares, in one line.
constexpr const char* kAskedRegisters =
    ".reg .b16 %h; .reg .u16 %uh; .reg .s16 %sh; .reg .f16 %hf; .reg .b32 %r; .reg .u32 %u; "
    ".reg .s32 %s; .reg .f32 %f; .reg .f16x2 %hf2; .reg .b64 %rd; .reg .u64 %ud; .reg .f64 %fd; "
    ".reg .b128 %q; .reg .pred %p; .local .align 16 .b32 lword[4];";

/// What stands before the kernels, in four lines.
inline std::string asked_head(std::string_view target) {
  return fmt::format(
      ".version 9.0\n.target {}\n.address_size 64\n.global .align 16 .b32 word[4]; "
      ".shared .align 16 .b32 sword[4]; .const .b32 cword[4];\n",
      target);
}

inline std::string asked_kernel(const std::string& form, std::size_t number) {
  return fmt::format(".entry f{}(.param .b64 par) {{ {}\n{};\n}}\n", number, kAskedRegisters, form);
}

/// What stands between semicolons and ends of lines, every choice of <a|b|c> in it made.
inline std::vector<std::string> asked_forms(std::string_view text) {
  std::vector<std::string> patterns(1), forms;
  for (const char c : text) {
    if (c == ';' || c == '\n') patterns.emplace_back();
    if (c != ';' && c != '\n' && !(c == ' ' && patterns.back().empty())) patterns.back() += c;
  }
  for (const std::string& pattern : patterns)
    if (!pattern.empty()) tests::expand(pattern, forms);
  return forms;
}

/// A line for each form that one of the two refuses and the other takes.
inline std::string unlike_ptxas(const std::vector<std::string>& forms, const std::string& target) {
  const std::string head = asked_head(target);
  std::string all = head;
  for (std::size_t n = 0; n < forms.size(); ++n) all += asked_kernel(forms[n], n);
  std::set<std::size_t> refused;
  for (const auto& [number, text] : tests::said_by_ptxas(all, target))
    if (number % 3 == 0)  // the second of its kernel's three, behind four lines of head
      refused.insert(static_cast<std::size_t>(number - 6) / 3);
  std::string differences;
  for (std::size_t n = 0; n < forms.size(); ++n) {
    Machine machine({.arch = target});
    const bool here = !machine.load(head + asked_kernel(forms[n], n), "asked").ok();
    if (here != (refused.count(n) != 0))
      differences += fmt::format("{}: {}\n", here ? "only here" : "ptxas alone", forms[n]);
  }
  MESSAGE("asked of ", forms.size(), " forms for ", target, ", refused ", refused.size());
  return differences;
}

}  // namespace lanescope::emulator

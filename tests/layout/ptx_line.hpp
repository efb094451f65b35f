// SPDX-License-Identifier: MIT
// One line of PTX for an entry of the atlas, with as many registers as the atlas says.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "layout/instruction.hpp"

namespace lanescope::layout {

/// "{%r4,%r5}" or, for .f64, "{%d4,%d5}".
inline std::string registers(const Fragment& f, int from) {
  std::string text = "{";
  for (int r = 0; r < f.registers(); ++r)
    text += fmt::format("{}%{}{}", r == 0 ? "" : ",", f.register_bits == 64 ? 'd' : 'r', from + r);
  return text + "}";
}

/// The lines that exercise an entry: a selector each where there are selectors; wgmma with A in
/// registers and in shared memory.
inline std::vector<std::string> ptx_lines(const Instruction& i) {
  constexpr int kA = 160, kB = 170, kC = 180;
  std::vector<std::string> lines;
  const bool floating = i.D.type == ElementType::f16 || i.D.type == ElementType::f32;
  if (i.family == "wgmma" || i.family == "wgmma.sp") {
    const bool transposes = i.A.type == ElementType::f16 || i.A.type == ElementType::bf16;
    const std::size_t selectors = i.E.empty() ? 1 : i.E.size();
    for (std::size_t selector = 0; selector < selectors; ++selector) {
      const std::string sparse = i.E.empty() ? "" : fmt::format(",%r200,{}", selector);
      for (bool from_registers : {true, false})
        lines.push_back(fmt::format("{} {},{},%rd1{},p{}{};", i.mnemonic, registers(i.D, 0),
                                    from_registers ? registers(i.A, kA) : "%rd0", sparse,
                                    floating ? ",1,1" : "",
                                    !transposes      ? ""
                                    : from_registers ? ",0"
                                                     : ",0,0"));
    }
    return lines;
  }
  const std::string scales = i.operand('S') == nullptr ? "" : ",%r201,{0,0},%r202,{0,0}";
  const std::size_t selectors = i.E.empty() ? 1 : i.E.size();
  for (std::size_t selector = 0; selector < selectors; ++selector) {
    const std::string sparse = i.E.empty() ? "" : fmt::format(",%r200,{}", selector);
    lines.push_back(fmt::format("{} {},{},{},{}{}{};", i.mnemonic, registers(i.D, 0),
                                registers(i.A, kA), registers(i.B, kB), registers(i.C, kC), sparse,
                                scales));
  }
  return lines;
}

/// A module of one kernel made of `lines`.
inline std::string ptx_module(std::string_view version, std::string_view target,
                              const std::vector<std::string>& lines) {
  std::string text = fmt::format(
      ".version {}\n.target {}\n.address_size 64\n.visible .entry kernel() {{\n"
      ".reg .b32 %r<256>;\n.reg .f64 %d<256>;\n.reg .b64 %rd<4>;\n.reg .pred p;\n"
      ".shared .align 128 .b8 tile[1024];\n",
      version, target);
  for (const std::string& line : lines) text.append(line).push_back('\n');
  return text + "ret;\n}\n";
}

}  // namespace lanescope::layout

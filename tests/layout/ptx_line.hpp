// SPDX-License-Identifier: MIT
// One line of PTX for an entry of the atlas, with as many registers as the atlas says.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "layout/instruction.hpp"
#include "layout/mover.hpp"

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

/// D of tcgen05.mma, whose name does not say M and N.
inline std::string result_ptx(const Mover& m) {
  const std::size_t form_end = m.mnemonic.find(".m", sizeof("tcgen05.mma") - 1);
  const std::string name = m.mnemonic.substr(0, form_end);
  const bool sparse = name.find(".sp") != std::string::npos;
  return fmt::format("{}.kind::f16 [%r0],%rd0,%rd1,{}%r1,p;", name, sparse ? "[%r2]," : "");
}

inline std::string factors_ptx(const Mover& m) {
  const std::size_t group = m.mnemonic.find(".block_scale");
  return fmt::format(
      "{}.kind::mxf8f6f4.block_scale.scale_vec::1X [%r0],%rd0,%rd1,%r1,[%r2],[%r0],p;",
      m.mnemonic.substr(0, group));
}

inline std::string metadata_ptx(const Mover& m) {
  const std::string form = m.mnemonic.substr(0, m.mnemonic.find(".metadata"));
  const std::string_view kind = std::string_view(m.mnemonic).substr(m.mnemonic.rfind('.') + 1);
  if (kind.substr(0, 2) != "mx")
    return fmt::format("{}.kind::{} [%r0],%rd0,%rd1,[%r2],%r1,p;", form, kind);
  return fmt::format(
      "{}.kind::{}.block_scale.scale_vec::{} [%r0],%rd0,%rd1,[%r2],%r1,[%r2],[%r0],p;", form, kind,
      kind == "mxf8f6f4" ? "1X" : "2X");
}

/// The same of what moves fragments, on a shared array `tile`; tensor memory is at [%r0].
inline std::string mover_ptx(const Mover& m) {
  std::string list;
  for (int r = 0; r < m.registers.registers(); ++r)
    list += fmt::format("{}%r{}", r == 0 ? "" : ",", r);
  if (m.memory == MoverMemory::result) return result_ptx(m);
  if (m.memory == MoverMemory::factors) return factors_ptx(m);
  if (m.memory == MoverMemory::metadata) return metadata_ptx(m);
  if (m.family == "movmatrix") return fmt::format("{} %r0,%r1;", m.mnemonic);
  const std::string place = m.memory == MoverMemory::tensor ? "[%r0]" : "[tile]";
  const std::string apart =
      m.registers.matrices > 1 && m.memory == MoverMemory::tensor ? ",16" : "";
  if (m.family == "stmatrix" || m.family == "tcgen05.st")
    return fmt::format("{} {}{},{{{}}};", m.mnemonic, place, apart, list);
  return fmt::format("{} {{{}}},{}{};", m.mnemonic, list, place, apart);
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

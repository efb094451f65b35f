// SPDX-License-Identifier: MIT
// The PTX that `layout --explain` gives to paste, made into kernels: one for every distinct map of
// the atlas, whose threads walk their values there and back and leave a sum of all they found and
// the number of ways back that led elsewhere.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "layout/explain.hpp"
#include "layout/rows.hpp"
#include "layout/scales.hpp"
#include "tests/layout/maps.hpp"

namespace lanescope::layout {

struct PtxMap {
  Fragment fragment;
  std::string kernel;  // .visible .entry mapN
};

/// The lines under `heading`, as printed.
inline std::string lines_under(const std::string& text, const std::string& heading) {
  const std::size_t at = text.find(heading);
  if (at == std::string::npos) return {};
  std::string lines;
  for (std::size_t from = text.find('\n', at) + 1; text.compare(from, 4, "    ") == 0;) {
    const std::size_t end = text.find('\n', from);
    lines += text.substr(from, end + 1 - from);
    from = end + 1;
  }
  return lines;
}

inline int copies_of(const Fragment& f) {  // value bits that only make copies
  int bits = 0;
  for (int bit = 0; bit < f.value.count; ++bit)
    if (f.value.bits[static_cast<std::size_t>(bit)] == stay()) bits |= 1 << bit;
  return bits;
}

inline std::string kernel_of(const std::string& explained, const Fragment& f, std::size_t number) {
  const std::string word = f.thread.count > 5 ? "thread" : "lane";
  const std::string there = lines_under(explained, "  PTX, what " + word + " holds");
  const std::string back = lines_under(explained, "  PTX, who holds (row, col)");
  return fmt::format(
      ".visible .entry map{0}(.param .u64 out) {{\n"
      ".reg .b32 %lane, %thread, %i, %row, %col, %matrix, %reg, %bit, %t;\n"
      ".reg .b32 %me, %value, %sum, %wrong, %u;\n.reg .b64 %to, %offset;\n.reg .pred %p;\n"
      "mov.u32 %me, %tid.x;\nmov.b32 %sum, 0;\nmov.b32 %wrong, 0;\nmov.b32 %matrix, 0;\n"
      "mov.b32 %value, 0;\nand.b32 %u, %me, {1};\nsetp.ne.u32 %p, %u, {2};\n@%p bra done;\n"
      "again:\nmov.b32 %{3}, %me;\nmov.b32 %i, %value;\n{4}{5}"
      "mad.lo.u32 %sum, %sum, 31, %row;\nmad.lo.u32 %sum, %sum, 31, %col;\n"
      "mad.lo.u32 %sum, %sum, 31, %matrix;\n"
      "setp.ne.u32 %p, %{3}, %me;\nselp.u32 %u, 1, 0, %p;\nadd.u32 %wrong, %wrong, %u;\n"
      "and.b32 %u, %value, {6};\nsetp.ne.u32 %p, %i, %u;\nselp.u32 %u, 1, 0, %p;\n"
      "add.u32 %wrong, %wrong, %u;\nmad.lo.u32 %sum, %sum, 31, %reg;\n"
      "mad.lo.u32 %sum, %sum, 31, %bit;\nadd.u32 %value, %value, 1;\n"
      "setp.lt.u32 %p, %value, {7};\n@%p bra again;\ndone:\nld.param.u64 %to, [out];\n"
      "mul.wide.u32 %offset, %me, 8;\nadd.u64 %to, %to, %offset;\n"
      "st.global.v2.b32 [%to], {{%sum, %wrong}};\nret;\n}}\n",
      number, f.thread_mask, f.thread_match, word, there, back, ~copies_of(f), f.values);
}

/// What a thread's sum must be.
inline std::uint32_t sum_of(const Fragment& f, int thread) {
  std::uint32_t sum = 0;
  for (int value = 0; f.provided_by(thread) && value < f.values; ++value) {
    const Element e = f.element(thread, value);
    const Holder first = f.holder(thread, value & ~copies_of(f));  // where the way back leads
    for (int number : {e.row, e.col, e.matrix, first.register_index, first.bit})
      sum = sum * 31 + static_cast<std::uint32_t>(number);
  }
  return sum;
}

/// Every distinct map, metadata and scales of every selector among them.
inline std::vector<PtxMap> ptx_maps() {
  std::vector<PtxMap> maps;
  std::set<std::string> seen;
  const auto add = [&](const Instruction& i) {
    for (const OperandMap& operand : operands(i)) {
      const Fragment& f = *operand.fragment;
      if (!seen.insert(fingerprint(f)).second) continue;
      const std::string text = explain(i, 0, 0, f.operand, operand.selector);
      maps.push_back({f, kernel_of(text, f, maps.size())});
    }
  };
  for (const Instruction& i : instructions()) {
    add(i);
    for (const ScaleSelector& selector : scale_selectors(i, 'T')) add(with_scales(i, selector));
  }
  return maps;
}

inline std::string ptx_module_of(const std::vector<PtxMap>& maps) {
  std::string text = ".version 7.0\n.target sm_80\n.address_size 64\n";
  for (const PtxMap& map : maps) text += map.kernel;
  return text;
}

}  // namespace lanescope::layout

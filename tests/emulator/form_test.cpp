// SPDX-License-Identifier: MIT
// What no PTX has together is refused (emulator/ptx/form.hpp), nothing else: combinations of
// modifiers and types, each asked of ptxas where there is one. It sees all in one module.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "emulator/machine.hpp"
#include "emulator/ptx/form.hpp"
#include "emulator/ptx/ptx_parser.hpp"
#include "tests/said_by_ptxas.hpp"

namespace lanescope::emulator {
namespace {

using tests::expand;

constexpr const char* kHead = ".version 9.0\n.target sm_100a\n.address_size 64\n";
constexpr const char* kRegisters =
    ".reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<9>; .reg .b16 %h<9>;";

/// The register of a type: f16 has 16 bits, f16x2 32.
std::string register_of(const std::string& type) {
  if (type == "pred") return "%p1";
  if (type == "f32x2" || type.find("64") != std::string::npos) return "%rd1";
  return type.find("16") != std::string::npos && type.find("x2") == std::string::npos ? "%h1"
                                                                                      : "%r1";
}

/// A pattern without its type, and as many operands of each type.
void typed(const std::string& pattern, int operands, const std::vector<std::string>& types,
           std::vector<std::string>& forms) {
  for (const std::string& type : types) {
    std::string form = pattern + "." + type;
    for (int k = 0; k < operands; ++k) form += (k == 0 ? " " : ", ") + register_of(type);
    expand(form, forms);
  }
}

/// A pattern with two types behind it, and registers of them: `from` as many as `sources`.
void converted(const std::string& pattern, int sources, const std::vector<std::string>& types,
               std::vector<std::string>& forms) {
  for (const std::string& to : types)
    for (const std::string& from : types) {
      std::string form = fmt::format("{}.{}.{} {}", pattern, to, from, register_of(to));
      for (int k = 0; k < sources; ++k) form += ", " + register_of(from);
      expand(form, forms);
    }
}

std::vector<std::string> all_forms() {
  const std::vector<std::string> many{"u16", "s32",    "u64", "b32",  "f16",
                                      "f32", "bf16x2", "f64", "s16x2"};
  std::vector<std::string> forms;
  typed("<add|sub|mul|div><|.rn|.rz|.full><|.ftz><|.sat><|.relu>", 3, many, forms);
  typed("<add|sub><|.rm><|.ftz><|.sat>", 3, {"f32x2", "u16x2"}, forms);
  typed("fma<|.rn|.rm><|.ftz><|.sat><|.relu><|.oob>", 4, {"f16x2", "f32", "f64"}, forms);
  typed("<min|max><|.ftz><|.NaN><|.xorsign.abs><|.relu>", 3, many, forms);
  typed("<mul|mad><.lo|.hi><|.sat|.cc>", 4, {"u16", "s32", "b32"}, forms);
  typed("<and|shl|popc|bfind|bfi|not>", 2, {"u32", "b32", "b64", "pred", "s16"}, forms);
  expand(
      "ld<|.weak|.volatile|.relaxed|.relaxed.gpu|.acquire.cta|.mmio.relaxed.sys|.release.gpu>"
      "<|.global|.shared|.const|.local><|.nc|.ca|.wb>.<u32|f16> %r1, [%rd1]",
      forms);
  expand(
      "st<|.weak|.volatile|.relaxed|.release.gpu|.acquire.cta|.weak.gpu>"
      "<|.global|.shared|.const|.local><|.wb|.ca>.<b32|f16> [%rd1], %r1",
      forms);
  expand(
      "atom<|.relaxed.gpu|.acquire.sys><|.global|.shared|.local>.<add|and|exch><|.noftz>"
      ".<u32|b32|s64|f16x2> <%r1|%rd1>, [%rd2], <%r1|%rd1>",
      forms);
  typed("setp.<eq|lt|lo|num><|.or><|.ftz>", 2, many, forms);
  for (std::size_t n = forms.size(); n-- > 0 && forms[n].compare(0, 4, "setp") == 0;)
    forms[n].replace(forms[n].find(' '), 1, " %p1, ");
  typed("<abs|neg|rcp|sqrt|rsqrt|ex2|tanh|sin><|.approx|.rn|.rz><|.ftz>", 2, many, forms);
  converted("cvt<|.rn|.rzi><|.ftz><|.sat>", 1,
            {"u8", "s16", "u32", "s64", "f16", "bf16", "f32", "f64"}, forms);
  converted("cvt<.rm|.rz><|.relu><|.satfinite>", 1, {"s32", "f16", "bf16", "f32"}, forms);
  expand("cvt<|.rn|.rz|.rm|.rna><|.relu><|.satfinite>.tf32.f32 %r1, %r1", forms);
  expand("cvt<|.rn|.rz|.rm|.rna><|.relu><|.satfinite>.<f16x2|bf16x2>.f32 %r1, %r1, %r1", forms);
  expand("cvt<|.rn|.rz|.rm|.rna><|.relu><|.satfinite>.<e4m3x2|e3m2x2>.f32 %h1, %r1, %r1", forms);
  expand("cvt<|.rn|.rz><|.relu>.f16x2.<e5m2x2|e2m3x2> %r1, %h1", forms);
  converted("set.<eq|lt|lo|num><|.ftz>", 2,
            {"u16", "s32", "b32", "u64", "f16", "bf16", "f16x2", "bf16x2", "f32", "f64"}, forms);
  typed("mov", 2, {"u16", "b16", "f16", "bf16", "s32", "f32", "f16x2", "f64", "pred"}, forms);
  expand("<fence|membar>.proxy<|.alias|.async|.tensormap::generic.release.gpu>", forms);
  expand("membar<|.cta|.cluster|.gl|.gpu|.sys>", forms);
  expand("applypriority<|.global|.shared>.L2::<evict_normal|evict_last> [%rd1], 128", forms);
  expand("discard<|.global|.shared><|.weak>.<L2|L2::evict_normal> [%rd1], 128", forms);
  expand(
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.<add|min|and><|.noftz>"
      ".<u32|s64|b32|f16> [%rd1], [%rd2], 16",
      forms);
  expand("ld.global<|.cs|.cg><|.L1::no_allocate|.L1::evict_last>.b32 %r1, [%rd1]", forms);
  expand("st.global<|.wt|.cg><|.L1::no_allocate|.L1::evict_last>.b32 [%rd1], %r1", forms);
  expand("ld<.mmio.relaxed.sys|.relaxed.sys>.global.v2.b32 {%r1, %r2}, [%rd1]", forms);
  expand(
      "red.async.relaxed.cluster.mbarrier::complete_tx::bytes.<add.u64|and.b32|or.b64|xor.b64>"
      " [%r1], %r1, [%r2]",
      forms);
  expand("prefetch<|.global|.local|.shared>.<L1|L2|L2::evict_last> [%rd1]", forms);
  expand("prefetch<|.param|.const>.tensormap [%rd1]", forms);
  expand("fence<|.sc|.acq_rel|.acquire|.release><|.cta|.gpu>", forms);
  expand("<bar|barrier>.sync<|.aligned> 0", forms);
  expand("bar.arrive<|.aligned> 0, 64", forms);
  expand("bar.red.popc<|.aligned>.u32 %r1, 0, %p1", forms);
  expand("mbarrier.inval<|.relaxed.cta|.release.cluster>.b64 [%rd1]", forms);
  expand("mbarrier.<expect_tx|complete_tx>.<relaxed.cta|release.cta|acquire.cta>.b64 [%rd1], 1",
         forms);
  expand("redux.sync.<add|min|and>.<u32|s32|b32> %r1, %r2, %r3", forms);
  expand("mbarrier.<init|inval><|.shared|.shared::cluster|.global>.b64 [%rd1], %r1", forms);
  return forms;
}

std::string module_of(const std::vector<std::string>& forms) {
  std::string text = kHead;
  for (std::size_t n = 0; n < forms.size(); ++n)
    text += fmt::format(".entry f{}() {{ {}\n{};\n}}\n", n, kRegisters, forms[n]);
  return text;
}

/// What ptxas says of each that it refuses, but of operands: the list has more of them than it
/// must.
std::set<std::size_t> refused_by_ptxas(const std::vector<std::string>& forms,
                                       std::set<std::size_t>& unasked) {
  std::set<std::size_t> found;
  for (const auto& [number, text] : tests::said_by_ptxas(module_of(forms), "sm_100a")) {
    const int form = (number - 5) / 3;  // behind three lines of head
    if (form < 0 || form >= static_cast<int>(forms.size())) continue;
    (text.find("rgument") != std::string::npos ? unasked : found)
        .insert(static_cast<std::size_t>(form));
  }
  return found;
}

}  // namespace

TEST_CASE("what ptxas has together is taken, what it has not is refused") {
  if (!tests::has_ptxas()) {
    MESSAGE("no ptxas here: the table of forms is not compared with it");
    return;
  }
  const std::vector<std::string> forms = all_forms();
  const PtxModule module = parse_ptx(module_of(forms), "forms.ptx");
  REQUIRE(module.functions.size() == forms.size());
  std::set<std::size_t> unasked;
  const std::set<std::size_t> ptxas = refused_by_ptxas(forms, unasked);
  std::string differences;
  for (std::size_t n = 0; n < forms.size(); ++n) {
    if (unasked.count(n) != 0) continue;
    const bool here = is_no_form(module.functions[n].statements.front());
    if (here != (ptxas.count(n) != 0))
      differences += fmt::format("{}: {}\n", here ? "only here" : "ptxas alone", forms[n]);
  }
  CHECK(differences == "");
  MESSAGE("asked of ", forms.size() - unasked.size(), " forms, refused ", ptxas.size());
}

TEST_CASE("forms that there are not are refused with their line, ptxas or not") {
  const std::vector<std::string> none{"add.rn.relu.f16 %h1, %h1, %h1",
                                      "sub.u16x2 %r1, %r1, %r1",
                                      "div.f32 %r1, %r1, %r1",
                                      "fma.f64 %rd1, %rd1, %rd1, %rd1",
                                      "and.u32 %r1, %r1, %r1",
                                      "ld.relaxed.u32 %r1, [%rd1]",
                                      "ld.nc.u32 %r1, [%rd1]",
                                      "redux.sync.add.b32 %r1, %r1, %r1",
                                      "fence.acq_rel",
                                      "red.exch.b32 [%rd1], %r1"};
  for (const std::string& form : none) {
    CAPTURE(form);
    Machine machine({.arch = "sm_100a"});
    const auto module = machine.load(module_of({form}), "form.ptx");
    CHECK(module.error.code == ErrorCode::invalid_ptx);
    CHECK(module.error.message.find("has these modifiers together: " + form.substr(0, 6)) !=
          std::string::npos);
    CHECK(module.error.message.find("form.ptx:5:1") != std::string::npos);
  }
}

TEST_CASE("a form that there is not is refused behind others of its opcode, and behind itself") {
  const std::string right = "add.rn.f16 %h1, %h1, %h1", other = "add.sat.s32 %r1, %r1, %r1",
                    none = "add.rn.relu.f16 %h1, %h1, %h1";
  for (const auto& forms : {std::vector{right, right, other, none}, std::vector{none, none}}) {
    Machine machine({.arch = "sm_100a"});
    const auto module = machine.load(module_of(forms), "form.ptx");
    CHECK(module.error.code == ErrorCode::invalid_ptx);
    CHECK(module.error.message.find("has these modifiers together: add.rn.relu") !=
          std::string::npos);
  }
  Machine machine({.arch = "sm_100a"});
  CHECK(machine.load(module_of({right, other, right, other}), "form.ptx").ok());
}

TEST_CASE("an fma of one bf16 that ptxas makes one of f16 is refused with the reason") {
  Machine machine({.arch = "sm_100a"});
  const auto module = machine.load(module_of({"fma.rz.bf16 %h1, %h1, %h1, %h1"}), "form.ptx");
  CHECK(module.error.code == ErrorCode::unsupported_instruction);
  CHECK(module.error.message.find("as if it were f16") != std::string::npos);
}

}  // namespace lanescope::emulator

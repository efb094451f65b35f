// SPDX-License-Identifier: MIT
// Read off the machine code of small programs, and asked of a card:
// docs/experiments/contraction.md.
#include "emulator/ptxas/contract_rules.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "emulator/ptx/register_use.hpp"

namespace lanescope::emulator::contract {
namespace {

Open open_rounding(const PtxStatement& statement, std::string_view also = "",
                   std::string_view or_else = "") {
  Open found;
  const bool pairs = has(statement, "f32x2");
  if (pairs) found.type = Type::f32x2;
  for (const std::string_view modifier : statement.modifiers) {
    if (pairs && (modifier == "f32x2" || modifier == "rn")) continue;
    if (pairs && (modifier == "rz" || modifier == "rm" || modifier == "rp"))
      found.rounding = modifier[1];
    else if (modifier == "ftz")
      found.flushes = true;
    else if (const Type type = find_type(modifier);
             type != Type::none && is_real(type) && found.type == Type::none)
      found.type = type;  // a second one: the sum is of an f32 and a half
    else if (modifier != also && modifier != or_else)
      return {};
  }
  return found;
}

}  // namespace

Open product(const PtxStatement& statement) {
  if (statement.guard >= 0 || statement.operands.size() < 2 || !is_register(statement.operands[0]))
    return {};
  if (statement.opcode == "mul" && statement.operands.size() == 3) return open_rounding(statement);
  Open found;
  if (statement.opcode == "div" && statement.operands.size() == 3 &&
      (has(statement, "approx") || has(statement, "full")))
    found = open_rounding(statement, "approx", "full");
  if (statement.opcode == "rcp" && has(statement, "approx") && !has(statement, "ftz"))
    found = open_rounding(statement, "approx");
  return found.type == Type::f32 ? found : Open{};
}
Open sum(const PtxStatement& statement) {
  if (statement.opcode != "add" && statement.opcode != "sub") return {};
  return statement.operands.size() == 3 ? open_rounding(statement, "sat") : Open{};
}

Open sums_of_c(const PtxStatement& statement, int sm) {
  if (sm < 90 || sm >= 120 || statement.opcode != "mma" || statement.operands.size() < 4) return {};
  if (!has(statement, "e4m3") && !has(statement, "e5m2")) return {};
  return {has(statement, "f16") ? Type::f16x2 : Type::f32, false};
}

bool hands_on(const PtxStatement& statement, Open product) {
  if (statement.guard >= 0 || statement.operands.size() != 2 ||
      !is_register(statement.operands[0]) || !is_register(statement.operands[1]))
    return false;
  if (statement.opcode == "mov") return true;
  const bool flushes = has(statement, "ftz");
  if (flushes && (!product.flushes || product.type != Type::f32)) return false;
  if (statement.opcode == "neg") return open_rounding(statement).type == product.type;
  if (statement.opcode != "cvt" || statement.modifiers.size() != (flushes ? 3 : 2)) return false;
  const std::string_view name = info(product.type).name;
  return (product.type == Type::f32 || product.type == Type::f64) &&
         std::count(statement.modifiers.begin(), statement.modifiers.end(), name) == 2;
}

bool only_computes(const PtxStatement& statement) {
  constexpr std::array<std::string_view, 81> kPure{
      "abs",    "add",        "addc",      "and",       "bfe",      "bfi",   "bfind",
      "bmsk",   "brev",       "clz",       "cnot",      "copysign", "cos",   "createpolicy",
      "cvt",    "cvta",       "div",       "dp2a",      "dp4a",     "ex2",   "fma",
      "fns",    "getctarank", "isspacep",  "lg2",       "lop3",     "mad",   "mad24",
      "mapa",   "max",        "min",       "mma",       "mov",      "mul",   "mul24",
      "neg",    "not",        "or",        "popc",      "prmt",     "rcp",   "rem",
      "rsqrt",  "sad",        "selp",      "set",       "setp",     "shf",   "shl",
      "shr",    "sin",        "slct",      "sqrt",      "sub",      "szext", "tanh",
      "testp",  "vabsdiff",   "vabsdiff2", "vabsdiff4", "vadd",     "vadd2", "vadd4",
      "vavrg2", "vavrg4",     "vmad",      "vmax",      "vmax2",    "vmax4", "vmin",
      "vmin2",  "vmin4",      "vset",      "vset2",     "vset4",    "vshl",  "vshr",
      "vsub",   "vsub2",      "vsub4",     "xor"};
  return std::find(kPure.begin(), kPure.end(), statement.opcode) != kPure.end() &&
         !has(statement, "cc");
}

namespace {

// Volta's own, and of 4 bits and single ones: where the card has no such unit, ptxas takes a
// function in.
bool is_a_function(const PtxStatement& mma, int sm) {
  if (has(mma, "m8n8k4")) return sm >= 80 && has(mma, "f16");
  return sm >= 90 && (has(mma, "s4") || has(mma, "u4") || has(mma, "xor"));
}
bool is_mma_of_several_blocks(const PtxStatement& mma, int sm) {
  if (mma.guard >= 0 || is_a_function(mma, sm)) return true;
  const bool is_sparse = has(mma, "sp") || has(mma, "sp::ordered_metadata");
  return is_sparse && sums_of_c(mma, sm).type != Type::none;  // which asks for its selector
}

}  // namespace

bool is_several_blocks(const PtxStatement& statement, int sm) {
  const std::string_view opcode = statement.opcode;
  const auto rounds = [&] {
    return has(statement, "rn") || has(statement, "rz") || has(statement, "rm") ||
           has(statement, "rp");
  };
  if (opcode == "mma" || (opcode == "wmma" && has(statement, "mma")))
    return is_mma_of_several_blocks(statement, sm);
  // Of what only computes a guard is no jump.
  if (statement.guard >= 0 && !only_computes(statement) && !ends_block(statement)) return true;
  if (opcode == "div" || opcode == "rem") {
    for (const std::string_view type : {"u16", "s16", "s32", "u64", "s64"})
      if (has(statement, type)) return true;
    return rounds();
  }
  if (opcode == "rcp" || opcode == "sqrt") return rounds();
  if (opcode == "rsqrt") return has(statement, "f64") && !has(statement, "ftz");
  if (opcode == "bfind") return has(statement, "u64") || has(statement, "s64");
  if (opcode == "fence") return has(statement, "acq_rel") || has(statement, "sc");
  if (opcode == "griddepcontrol") return has(statement, "launch_dependents");
  return opcode == "membar" || opcode == "pmevent" || opcode == "setmaxnreg";
}

bool goes_early(const PtxStatement& statement, int sm) {
  if (statement.opcode == "mma") return !is_a_function(statement, sm);
  return (statement.opcode == "div" || statement.opcode == "rem") && !has(statement, "f32") &&
         !has(statement, "f64");
}

}  // namespace lanescope::emulator::contract

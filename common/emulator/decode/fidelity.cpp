// SPDX-License-Identifier: MIT
// Source: docs/emulator.md, "How exact", which says the same to people.
#include "emulator/decode/fidelity.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "emulator/ptx/target.hpp"
#include "emulator/ptxas/contract_turns.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::string_view kTables = "as sm_90a has it, docs/experiments/approximate.md";
constexpr std::string_view kClock = "counts warp instructions of the CTA";
constexpr std::string_view kOrder = "in one of the orders that a card may choose";
constexpr std::string_view kTensor = "docs/arithmetic.md says how sure that is";
constexpr std::string_view kSpecified =
    "as the ISA has it, no card has been asked; the sums as published, docs/arithmetic.md";
constexpr std::string_view kFetch = "as sm_90a has it, docs/experiments/textures.md";
constexpr std::string_view kLevels =
    "between levels, floats of very different size: now and then another last bit";
constexpr std::string_view kSlopes =
    "of a mipmap whose sizes are no powers of two one level in ten is 1/256 off, or two; else one "
    "in "
    "1,000";
constexpr std::string_view kSurfaces = "as sm_90a has it, docs/experiments/surfaces.md";
constexpr std::string_view kVolume =
    "filtered floats of very different size: a last bit in a thousand, "
    "docs/experiments/textures.md";
constexpr std::string_view kPairs =
    "as the ISA has it, one fma of two where ptxas makes one; no card has been asked";
constexpr std::string_view kRandom =
    "its random bits as others measured them on a B200; of e3m2 and e2m3 as of e4m3";
constexpr std::string_view kUnasked = "as the ISA has it, no card has been asked";
constexpr std::string_view kTime = "no time passes";
constexpr std::string_view kTurns =
    "one rounding more than on a card, where ptxas unrolls the loop: "
    "docs/experiments/contraction.md";

// An opcode, modifiers that it must have one behind the other ("": none), and what is to be said.
struct Rule {
  std::string_view opcode, modifiers;
  Exactness exactness;
};
constexpr std::array kRules = {
    Rule{"div", "approx", {Fidelity::exact, kTables}},
    Rule{"div", "full", {Fidelity::exact, kTables}},
    Rule{"sqrt", "approx", {Fidelity::exact, kTables}},
    Rule{"rcp", "approx", {Fidelity::exact, kTables}},
    Rule{"rsqrt", "", {Fidelity::exact, kTables}},
    Rule{"sin", "", {Fidelity::exact, kTables}},
    Rule{"cos", "", {Fidelity::exact, kTables}},
    Rule{"lg2", "", {Fidelity::exact, kTables}},
    Rule{"ex2", "", {Fidelity::exact, kTables}},
    Rule{"tanh", "", {Fidelity::exact, kTables}},
    Rule{"add", "f32x2", {Fidelity::specified, kPairs}},
    Rule{"sub", "f32x2", {Fidelity::specified, kPairs}},
    Rule{"mul", "f32x2", {Fidelity::specified, kPairs}},
    Rule{"fma", "f32x2", {Fidelity::specified, kPairs}},
    Rule{"add", "f32.f16", {Fidelity::specified, kUnasked}},
    Rule{"add", "f32.bf16", {Fidelity::specified, kUnasked}},
    Rule{"sub", "f32.f16", {Fidelity::specified, kUnasked}},
    Rule{"sub", "f32.bf16", {Fidelity::specified, kUnasked}},
    Rule{"fma", "f32.f16", {Fidelity::specified, kUnasked}},
    Rule{"fma", "f32.bf16", {Fidelity::specified, kUnasked}},
    Rule{"cvt", "rs", {Fidelity::specified, kRandom}},
    Rule{"cvt", "e2m1x2", {Fidelity::specified, kUnasked}},
    Rule{"cvt", "e2m3x2", {Fidelity::specified, kUnasked}},
    Rule{"cvt", "e3m2x2", {Fidelity::specified, kUnasked}},
    Rule{"cvt", "ue8m0x2", {Fidelity::specified, kUnasked}},
    Rule{"ldmatrix", "m16n16", {Fidelity::specified, kUnasked}},
    Rule{"ldmatrix", "m8n16", {Fidelity::specified, kUnasked}},
    Rule{"redux", "f32", {Fidelity::specified, kUnasked}},
    Rule{"st", "bulk", {Fidelity::specified, kUnasked}},
    Rule{"stmatrix", "m16n8", {Fidelity::specified, kUnasked}},
    Rule{"clusterlaunchcontrol", "", {Fidelity::specified, kUnasked}},
    Rule{"nanosleep", "", {Fidelity::approximate, kTime}},
    Rule{"atom", "", {Fidelity::exact, kOrder}},
    Rule{"red", "", {Fidelity::exact, kOrder}},
    Rule{"mma", "kind::f8f6f4", {Fidelity::specified, kSpecified}},
    Rule{"mma", "kind::mxf8f6f4", {Fidelity::specified, kSpecified}},
    Rule{"mma", "kind::mxf4", {Fidelity::specified, kSpecified}},
    Rule{"mma", "kind::mxf4nvf4", {Fidelity::specified, kSpecified}},
    Rule{"mma", "", {Fidelity::exact, kTensor}},
    Rule{"wmma", "mma", {Fidelity::exact, kTensor}},
    Rule{"wgmma", "mma_async", {Fidelity::exact, kTensor}},
    Rule{"tcgen05", "", {Fidelity::specified, kSpecified}},
    Rule{"tex", "grad", {Fidelity::approximate, kSlopes}},
    Rule{"tex", "3d", {Fidelity::approximate, kVolume}},
    Rule{"tex", "level", {Fidelity::approximate, kLevels}},
    Rule{"tex", "", {Fidelity::exact, kFetch}},
    Rule{"tld4", "", {Fidelity::exact, kFetch}},
    Rule{"sured", "", {Fidelity::exact, kSurfaces}},
    Rule{"sust", "p", {Fidelity::exact, kSurfaces}},
};

bool has_modifiers(std::string_view mnemonic, std::string_view wanted) {
  for (std::size_t dot = mnemonic.find('.'); dot != std::string_view::npos;
       dot = mnemonic.find('.', dot + 1)) {
    const std::string_view rest = mnemonic.substr(dot + 1);
    if (rest.substr(0, wanted.size()) != wanted) continue;
    if (rest.size() == wanted.size() || rest[wanted.size()] == '.') return true;
  }
  return false;
}

bool is_of_three(const PtxStatement& statement) {
  return (statement.opcode == "min" || statement.opcode == "max") && statement.operands.size() == 4;
}

bool reads_a_clock(const PtxStatement& statement) {
  for (const PtxOperand& operand : statement.operands)
    if (operand.kind == OperandKind::special &&
        (operand.name.substr(0, 6) == "%clock" || operand.name.substr(0, 12) == "%globaltimer"))
      return true;
  return false;
}

/// By pc.
std::vector<bool> sums_of_last_turn(const Program& program,
                                    const std::vector<std::uint64_t>& counts) {
  std::vector<bool> found(counts.size());
  for (const Function& function : program.functions) {
    const auto begin = counts.begin() + function.first, end = counts.begin() + function.end;
    if (std::all_of(begin, end, [](std::uint64_t count) { return count == 0; })) continue;
    const auto marked = sums_of_last_turn(
        program.module, program.module.functions[static_cast<std::size_t>(function.index)],
        parse_target(program.arch).number);
    std::copy(marked.begin(), marked.end(), found.begin() + function.first);
  }
  return found;
}

}  // namespace

std::string_view name(Fidelity fidelity) {
  switch (fidelity) {
    case Fidelity::exact:
      return "exact";
    case Fidelity::specified:
      return "specified";
    case Fidelity::approximate:
      return "approximate";
    default:
      return "unsupported";
  }
}

Exactness exactness(std::string_view mnemonic) {
  const std::string_view opcode = mnemonic.substr(0, mnemonic.find('.'));
  for (const Rule& rule : kRules)
    if (rule.opcode == opcode &&
        (rule.modifiers.empty() || has_modifiers(mnemonic, rule.modifiers)))
      return rule.exactness;
  return {};
}

std::vector<Executed> executed(const Program& program, const std::vector<std::uint64_t>& counts) {
  std::map<std::string, Executed> all;
  const std::vector<bool> of_last_turn = sums_of_last_turn(program, counts);
  for (std::uint32_t pc = 0; pc < counts.size(); ++pc) {
    const PtxStatement* statement = counts[pc] == 0 ? nullptr : program.statement(pc);
    if (statement == nullptr) continue;
    std::string mnemonic(statement->opcode);
    for (const std::string_view modifier : statement->modifiers)
      mnemonic += "." + std::string(modifier);
    Exactness how = exactness(mnemonic);
    if (is_of_three(*statement)) {
      how = {Fidelity::specified, kUnasked};
      mnemonic += " of three";
    }
    if (reads_a_clock(*statement)) {
      how = {Fidelity::approximate, kClock};
      mnemonic += " of a clock";
    }
    if (of_last_turn[pc]) {
      how = {Fidelity::approximate, kTurns};
      mnemonic += " of the last turn's product";
    }
    Executed& one = all[mnemonic];
    one.instruction = mnemonic;
    one.fidelity = how.fidelity;
    one.note = how.note;
    one.warp_instructions += counts[pc];
  }
  std::vector<Executed> list;
  for (auto& entry : all) list.push_back(std::move(entry.second));
  return list;
}

}  // namespace lanescope::emulator

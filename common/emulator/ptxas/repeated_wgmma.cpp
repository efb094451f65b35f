// SPDX-License-Identifier: MIT
// See repeated_wgmma.hpp. Every value has a number; what is computed of the same values by the same
// instruction has the same one.
#include "emulator/ptxas/repeated_wgmma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "emulator/ptxas/contract_lives.hpp"

namespace lanescope::emulator {
namespace {

// What others can see, and what waits: behind it ptxas begins anew. Loads are not among it, nor is
// wgmma.commit_group.
bool is_seen(const PtxStatement& statement) {
  constexpr std::array<std::string_view, 19> kSeen{
      "st",        "atom",     "red",       "stmatrix",      "cp",
      "bar",       "barrier",  "fence",     "membar",        "mbarrier",
      "nanosleep", "prefetch", "pmevent",   "setmaxnreg",    "discard",
      "prefetchu", "multimem", "tensormap", "griddepcontrol"};
  if (statement.opcode == "wgmma") return has(statement, "fence") || has(statement, "wait_group");
  return std::find(kSeen.begin(), kSeen.end(), statement.opcode) != kSeen.end();
}

class Values {
 public:
  explicit Values(const PtxFunction& kernel) : of_(kernel.registers.size()) {
    for (Value& value : of_) value = fresh();
  }

  std::string spelled(const PtxOperand& operand) const {
    std::string text = operand.negated ? "-" : "";
    const auto number = integer(operand);
    if (number)
      text += fmt::format("{}", *number);
    else if (operand.kind == OperandKind::reg)
      text += fmt::format("v{}", of_[static_cast<std::size_t>(operand.reg)].number);
    else
      text += fmt::format("{}:{}:{}:{}", static_cast<int>(operand.kind), operand.value,
                          operand.variable, operand.name);
    for (const PtxOperand& item : operand.items) text += " " + spelled(item);
    return text;
  }

  void write(const PtxStatement& statement) {
    Value made = fresh();
    const bool copies = statement.opcode == "mov" && statement.operands.size() == 2;
    const PtxOperand* source = copies ? &statement.operands[1] : nullptr;
    if (statement.guard < 0 && source != nullptr && source->kind == OperandKind::reg)
      made = of_[static_cast<std::size_t>(source->reg)];
    else if (statement.guard < 0 && is_computed(statement))
      made = known_.try_emplace(from(statement, 1), computed(statement, made.number)).first->second;
    contract::each_written(statement, [&](int reg) {
      of_[static_cast<std::size_t>(reg)] = made;
      if (statement.operands[0].kind != OperandKind::reg)
        made = fresh();  // of a list: each its own
    });
  }

  // D is the same sum as before, but for the first to add to a constant: that is another
  // instruction, with 0 for C.
  void add_to(const PtxOperand& sums) {
    each_register(sums, [&](int reg) {
      Value& value = of_[static_cast<std::size_t>(reg)];
      if (value.is_constant) value = fresh();
    });
  }

  // The instruction and the values it reads, from the operand `first` on.
  std::string from(const PtxStatement& statement, std::size_t first) const {
    std::string key(statement.opcode);
    for (const std::string_view modifier : statement.modifiers) key += fmt::format(".{}", modifier);
    for (std::size_t k = first; k < statement.operands.size(); ++k)
      key += ", " + spelled(statement.operands[k]);
    return key;
  }

 private:
  struct Value {
    int number = 0;
    bool is_constant = false;
    std::optional<std::int64_t> integer = {};
  };
  Value fresh() { return {next_++}; }

  std::optional<std::int64_t> integer(const PtxOperand& operand) const {
    if (operand.kind == OperandKind::integer) return operand.value;
    if (operand.kind != OperandKind::reg) return std::nullopt;
    return of_[static_cast<std::size_t>(operand.reg)].integer;
  }
  // Numbers, and comparisons of them: those of a predicate that says whether D is added to.
  Value computed(const PtxStatement& statement, int number) const {
    const auto& operands = statement.operands;
    if (statement.opcode == "mov" && operands.size() == 2)
      return {number,
              operands[1].kind == OperandKind::integer || operands[1].kind == OperandKind::real,
              integer(operands[1])};
    const bool compares = statement.opcode == "setp" && operands.size() == 3;
    if (compares && integer(operands[1]) && integer(operands[2])) {
      const bool equal = *integer(operands[1]) == *integer(operands[2]);
      if (has(statement, "ne")) return {number, true, equal ? 0 : 1};
      if (has(statement, "eq")) return {number, true, equal ? 1 : 0};
    }
    return {number};
  }
  // Of one register, from what it is computed of alone.
  static bool is_computed(const PtxStatement& statement) {
    return !statement.operands.empty() && statement.operands[0].kind == OperandKind::reg &&
           statement.operands[0].pair < 0 && statement.opcode != "ld" &&
           statement.opcode != "shfl" && statement.opcode != "vote" &&
           std::none_of(statement.operands.begin() + 1, statement.operands.end(),
                        [](const PtxOperand& operand) {
                          return operand.kind == OperandKind::address ||
                                 operand.kind == OperandKind::special;
                        });
  }

  int next_ = 0;
  std::vector<Value> of_;  // of a register
  std::map<std::string, Value> known_;
};

// One block, and nothing that some threads alone do.
bool is_straight(const PtxFunction& kernel) {
  const auto& all = kernel.statements;
  const std::vector<std::uint32_t> blocks = number_blocks(kernel);
  return !blocks.empty() && blocks.back() == 0 &&
         std::none_of(all.begin(), all.end(), [](const PtxStatement& statement) {
           return statement.guard >= 0 &&
                  (is_seen(statement) || statement.opcode == "ld" || ends_block(statement));
         });
}

}  // namespace

const PtxStatement* repeated_wgmma(const PtxFunction& kernel) {
  const auto& all = kernel.statements;
  if (std::count_if(all.begin(), all.end(), is_wgmma) < 2 || !is_straight(kernel)) return nullptr;
  Values values(kernel);
  std::set<std::string> made;
  for (const PtxStatement& statement : all) {
    if (is_seen(statement)) made.clear();
    if (!is_wgmma(statement)) {
      values.write(statement);
      continue;
    }
    if (!made.insert(values.from(statement, 0)).second) return &statement;
    values.add_to(statement.operands[0]);
  }
  return nullptr;
}

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
#include "emulator/contract.hpp"

#include <algorithm>
#include <string_view>

namespace lanescope::emulator {
namespace {

/// A mul, add or sub of floating-point registers whose rounding is left open.
struct Open {
  Type type = Type::none;
  bool flushes = false;
};

Open open_rounding(const PtxStatement& statement, bool may_saturate) {
  Open found;
  for (const std::string_view modifier : statement.modifiers) {
    if (modifier == "ftz")
      found.flushes = true;
    else if (const Type type = find_type(modifier); type != Type::none && is_real(type))
      found.type = type;
    else if (modifier != "sat" || !may_saturate)
      return {};
  }
  return statement.operands.size() >= 3 ? found : Open{};
}
bool is_sum(const PtxStatement& statement) {
  return statement.opcode == "add" || statement.opcode == "sub";
}
bool is_register(const PtxOperand& operand, int reg) {
  return operand.kind == OperandKind::reg && operand.reg == reg;
}
int mentions(const PtxOperand& operand, int reg) {
  int count = is_register(operand, reg) || operand.pair == reg ? 1 : 0;
  for (const PtxOperand& item : operand.items) count += mentions(item, reg);
  return count;
}
bool ends_block(const PtxStatement& statement) {
  constexpr std::string_view kEnds[] = {"bra", "brx", "ret", "exit", "trap"};
  return std::find(std::begin(kEnds), std::end(kEnds), statement.opcode) != std::end(kEnds);
}

class Contracting {
 public:
  explicit Contracting(const PtxFunction& function) : function_(function) {
    const std::size_t count = function.statements.size();
    result_.product_of.assign(count, -1);
    result_.taken.assign(count, false);
    sums_of_.resize(count);
    first_of_.assign(count, -1);
    block_.assign(count, 0);
    seen_.resize(function.registers.size());
  }

  Contractions run() {
    find_products();
    for (const std::size_t product : products_) {
      const auto chosen = [&](std::size_t sum) { return is_chosen(product, sum); };
      if (std::all_of(sums_of_[product].begin(), sums_of_[product].end(), chosen)) {
        result_.taken[product] = true;
        for (const std::size_t sum : sums_of_[product])
          result_.product_of[sum] = static_cast<std::int32_t>(product);
      } else {
        sums_of_[product].clear();
      }
    }
    return std::move(result_);
  }

 private:
  const PtxStatement& at(std::size_t index) const { return function_.statements[index]; }
  int written(std::size_t product) const { return at(product).operands[0].reg; }

  // Products of which nothing but sums of the same block make use.
  void find_products() {
    for (std::size_t i = 0; i < function_.statements.size(); ++i)
      note_registers(at(i).operands, at(i).guard, i);
    number_blocks();
    for (std::size_t i = 0; i < function_.statements.size(); ++i) {
      if (at(i).opcode != "mul" || at(i).guard >= 0) continue;
      const Open product = open_rounding(at(i), false);
      if (product.type == Type::none || at(i).operands[0].kind != OperandKind::reg) continue;
      if (only_sums(i, product)) products_.push_back(i);
    }
    for (const std::size_t product : products_)
      for (const std::size_t sum : sums_of_[product])
        if (is_register(at(sum).operands[1], written(product)))
          first_of_[sum] = static_cast<std::int32_t>(product);
  }

  void note_registers(const std::vector<PtxOperand>& operands, int guard, std::size_t statement) {
    const auto note = [&](int reg) {
      if (reg < 0) return;
      auto& where = seen_[static_cast<std::size_t>(reg)];
      if (where.empty() || where.back() != statement) where.push_back(statement);
    };
    note(guard);
    for (const PtxOperand& operand : operands) {
      if (operand.kind == OperandKind::reg) note(operand.reg);
      note(operand.pair);
      note_registers(operand.items, -1, statement);
    }
  }

  void number_blocks() {
    std::vector<bool> begins(block_.size() + 1, false);
    const auto target = [&](const PtxOperand& operand) {
      if (operand.kind == OperandKind::label && operand.value >= 0 &&
          static_cast<std::size_t>(operand.value) < begins.size())
        begins[static_cast<std::size_t>(operand.value)] = true;
    };
    for (std::size_t i = 0; i < block_.size(); ++i) {
      for (const PtxOperand& operand : at(i).operands) target(operand);
      if (ends_block(at(i))) begins[i + 1] = true;
    }
    for (const auto& targets : function_.branch_targets)
      for (const PtxOperand& operand : targets) target(operand);
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < block_.size(); ++i) block_[i] = number += begins[i] ? 1 : 0;
  }

  bool only_sums(std::size_t product, Open open) {
    const int reg = written(product);
    const bool alone = !written_within(reg, 0, product) &&
                       !written_within(reg, product + 1, function_.statements.size());
    std::vector<std::size_t> sums;
    bool over = false;  // something else lies in the register now
    for (const std::size_t i : seen_[static_cast<std::size_t>(reg)]) {
      if (i == product || over) continue;
      if (i < product || block_[i] != block_[product]) {
        if (alone) return false;
        continue;
      }
      const PtxStatement& sum = at(i);
      const int reads = mentions_as_source(sum, reg);
      over = is_register(sum.operands[0], reg) && sum.guard < 0;
      if (over && reads == 0) continue;
      const Open wanted = is_sum(sum) ? open_rounding(sum, true) : Open{};
      if (reads != 1 || wanted.type != open.type || wanted.flushes != open.flushes) return false;
      if (!over && mentions(sum.operands[0], reg) != 0) return false;
      sums.push_back(i);
    }
    if (sums.empty() || (!alone && !over)) return false;
    // ptxas keeps the old value of a factor; here it has to be there still.
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
      const PtxOperand& factor = at(product).operands[k];
      if (factor.kind == OperandKind::reg && written_within(factor.reg, product + 1, sums.back()))
        return false;
    }
    sums_of_[product] = std::move(sums);
    return true;
  }

  bool written_within(int reg, std::size_t from, std::size_t end) const {
    const auto& seen = seen_[static_cast<std::size_t>(reg)];
    return std::any_of(seen.begin(), seen.end(), [&](std::size_t i) {
      return i >= from && i < end && !at(i).operands.empty() &&
             mentions(at(i).operands[0], reg) != 0;
    });
  }
  int mentions_as_source(const PtxStatement& statement, int reg) const {
    int count = 0;
    for (std::size_t k = 1; k < statement.operands.size(); ++k)
      count += mentions(statement.operands[k], reg);
    return count;
  }

  // Of two products the first operand goes in.
  bool is_chosen(std::size_t product, std::size_t sum) const {
    const std::int32_t first = first_of_[sum];
    return first < 0 || static_cast<std::size_t>(first) == product ||
           sums_of_[static_cast<std::size_t>(first)].empty();
  }

  const PtxFunction& function_;
  Contractions result_;
  std::vector<std::size_t> products_;              // in their order
  std::vector<std::vector<std::size_t>> sums_of_;  // of a product; empty: it stays one
  std::vector<std::int32_t> first_of_;          // of a sum: the product that is its first operand
  std::vector<std::uint32_t> block_;            // of a statement: between two jumps
  std::vector<std::vector<std::size_t>> seen_;  // of a register: the statements that name it
};

}  // namespace

Contractions contractions(const PtxFunction& function) { return Contracting(function).run(); }

}  // namespace lanescope::emulator

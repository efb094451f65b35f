// SPDX-License-Identifier: MIT
#include "emulator/check/speculated.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "emulator/ptx/register_use.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};
constexpr std::size_t kMany = kNone - 1;
constexpr std::size_t kFarthest = 2000;  // statements behind a load that are looked at

bool is_choice(const PtxStatement& statement) {
  return statement.opcode == "selp" && statement.operands.size() == 4 && statement.guard < 0 &&
         statement.operands[3].kind == OperandKind::reg && !statement.operands[3].negated;
}

bool is_load(const PtxStatement& statement) {
  return statement.opcode == "ld" && statement.operands.size() == 2 &&
         statement.operands[0].kind == OperandKind::reg;
}

bool has_register(const PtxOperand& operand, int wanted) {
  bool found = false;
  each_register(operand, [&](int reg) { found = found || reg == wanted; });
  return found;
}

bool reads(const PtxStatement& statement, int reg) {
  const auto& all = statement.operands;
  for (std::size_t k = writes_first_operand(statement) ? 1 : 0; k < all.size(); ++k)
    if (has_register(all[k], reg)) return true;
  return false;
}

bool writes(const PtxStatement& statement, int reg) {
  return !statement.operands.empty() && writes_first_operand(statement) &&
         has_register(statement.operands[0], reg);
}

class Speculations {
 public:
  explicit Speculations(const PtxFunction& function)
      : statements_(function.statements), choices_(function.registers.size(), kNone) {}

  std::vector<Speculation> find() {
    std::vector<Speculation> found(statements_.size());
    if (std::none_of(statements_.begin(), statements_.end(), is_choice)) return found;
    for (std::size_t k = 0; k < statements_.size(); ++k)
      for (std::size_t n = 1; n < 3 && is_choice(statements_[k]); ++n)
        each_register(statements_[k].operands[n], [&](int reg) {
          std::size_t& at = choices_[static_cast<std::size_t>(reg)];
          at = at == kNone ? k : kMany;
        });
    seen_.resize(statements_.size() + 1);
    for (std::size_t k = 0; k < statements_.size(); ++k)
      if (is_load(statements_[k])) found[k] = look(k);
    return found;
  }

 private:
  Speculation look(std::size_t load) {
    const int loaded = statements_[load].operands[0].reg;
    const std::size_t choice = choices_[static_cast<std::size_t>(loaded)];
    if (choice >= kMany) return {};
    const auto& operands = statements_[choice].operands;
    const int predicate = operands[3].reg;
    if (!is_only_chosen(load, choice, loaded, predicate)) return {};
    return {predicate, has_register(operands[2], loaded)};
  }

  // On every way from the load on, until the register is written again, the choice alone reads it,
  // and its predicate is what it was.
  bool is_only_chosen(std::size_t load, std::size_t choice, int loaded, int predicate) {
    for (const std::size_t at : touched_) seen_[at] = 0;
    touched_.clear();
    open_ = {{load + 1, false}};
    while (!open_.empty()) {
      auto [k, has_changed] = open_.back();
      open_.pop_back();
      const std::uint8_t bit = has_changed ? 2 : 1;
      if (k >= statements_.size() || (seen_[k] & bit) != 0) continue;
      seen_[k] |= bit;
      touched_.push_back(k);
      const PtxStatement& statement = statements_[k];
      if (touched_.size() > kFarthest || statement.opcode == "brx") return false;
      if (reads(statement, loaded) && (k != choice || has_changed)) return false;
      if (writes(statement, loaded) && statement.guard < 0) continue;
      follow(k, has_changed || writes(statement, predicate));
    }
    return true;
  }

  void follow(std::size_t k, bool has_changed) {
    const PtxStatement& statement = statements_[k];
    const bool jumps = ends_block(statement) && statement.opcode != "call";
    if (!jumps || statement.guard >= 0) open_.push_back({k + 1, has_changed});
    for (const PtxOperand& operand : statement.operands)
      if (jumps && operand.kind == OperandKind::label && operand.value >= 0)
        open_.push_back({static_cast<std::size_t>(operand.value), has_changed});
  }

  const std::vector<PtxStatement>& statements_;
  std::vector<std::size_t> choices_;  // that read a register: the only one, or kMany
  std::vector<std::uint8_t> seen_;    // by statement: with the predicate as it was, or changed
  std::vector<std::size_t> touched_;  // of seen_
  std::vector<std::pair<std::size_t, bool>> open_;
};

}  // namespace

std::vector<Speculation> find_speculated(const PtxFunction& function) {
  return Speculations(function).find();
}

}  // namespace lanescope::emulator

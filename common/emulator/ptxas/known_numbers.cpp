// SPDX-License-Identifier: MIT
// See known_numbers.hpp. Every statement says what it makes of what is known so far, until nothing
// new is learnt. A register that gets two different values is known only further down in the block
// that gives it one.
#include "emulator/ptxas/known_numbers.hpp"

#include <algorithm>
#include <vector>

#include "emulator/ptxas/contract_lives.hpp"
#include "emulator/ptxas/contract_rules.hpp"
#include "emulator/ptxas/known_values.hpp"

namespace lanescope::emulator {
namespace {

enum class State : std::uint8_t { unseen, known, other };
struct Value {
  State state = State::unseen;
  std::uint32_t bits = 0;
  friend bool operator==(const Value&, const Value&) = default;
};
constexpr Value kOther{State::other, 0};

bool asks(const PtxStatement& statement) {
  return is_approximate(statement) || contract::product(statement).type != Type::none;
}

class Learning {
 public:
  explicit Learning(const PtxFunction& function)
      : function_(function),
        block_(number_blocks(function)),
        everywhere_(function.registers.size()),
        here_(function.registers.size()),
        written_in_(function.registers.size(), 0) {}

  template <class Look>
  void run(Look&& look) {
    do {
      learns_ = false;
      go_through([](const PtxStatement&) {});
    } while (learns_);
    go_through(look);
  }

  Value value(const PtxOperand& operand) const {
    if (operand.kind == OperandKind::reg)
      return operand.pair < 0 && !operand.negated ? value(operand.reg) : kOther;
    const auto bits = static_cast<std::uint32_t>(static_cast<std::uint64_t>(operand.value));
    if (operand.kind == OperandKind::integer) return {State::known, bits};
    const bool is_float = operand.kind == OperandKind::real && operand.real_bits == 32;
    return is_float ? Value{State::known, bits} : kOther;
  }

  Value made(const PtxStatement& statement) const {
    std::vector<std::uint32_t> sources;
    const auto& operands = statement.operands;
    const bool packs = statement.opcode == "mov" && operands.size() == 2 &&
                       operands[1].kind == OperandKind::list && operands[1].items.size() == 2;
    const auto begin = packs ? operands[1].items.begin() : operands.begin() + 1;
    const auto end = packs ? operands[1].items.end() : operands.end();
    for (auto at = begin; at != end; ++at) {
      const Value read = value(*at);
      if (read.state != State::known) return read;
      sources.push_back(read.bits);
    }
    const auto bits = value_made(statement, sources);
    return bits ? Value{State::known, *bits} : kOther;
  }

 private:
  // Within a block from its beginning on: `here_` is what its statements have written.
  template <class Look>
  void go_through(Look&& look) {
    ++round_;
    for (std::size_t i = 0; i < function_.statements.size(); ++i) {
      if (i > 0 && block_[i] != block_[i - 1]) ++round_;
      const PtxStatement& statement = function_.statements[i];
      look(statement);
      if (!statement.operands.empty()) write(statement);
    }
  }

  void write(const PtxStatement& statement) {
    const PtxOperand& to = statement.operands[0];
    const bool guarded = statement.guard >= 0;
    // What a call returns, or a barrier's reduction gives, is written at another time.
    if (statement.opcode == "call" || statement.opcode == "bar" || statement.opcode == "barrier") {
      each_register(to, [&](int reg) { write(reg, kOther, guarded); });
    } else if (statement.opcode == "mov" && to.kind == OperandKind::list) {
      unpack(statement);
    } else if (to.kind != OperandKind::reg || to.pair >= 0) {
      contract::each_written(statement, [&](int reg) { write(reg, kOther, guarded); });
    } else {
      const Value value = made(statement);
      contract::each_written(statement, [&](int reg) { write(reg, value, guarded); });
    }
  }

  // mov.b32 {%h1, %h2}, %r1
  void unpack(const PtxStatement& statement) {
    const auto& items = statement.operands[0].items;
    const Value whole = statement.operands.size() == 2 && items.size() == 2 &&
                                statement.modifiers.size() == 1 && statement.modifiers[0] == "b32"
                            ? value(statement.operands[1])
                            : kOther;
    for (std::size_t k = 0; k < items.size(); ++k) {
      Value part = whole;
      if (whole.state == State::known) part.bits = whole.bits >> (16 * k) & 0xffff;
      each_register(items[k], [&](int reg) { write(reg, part, statement.guard >= 0); });
    }
  }

  Value value(int reg) const {
    const auto at = static_cast<std::size_t>(reg);
    return written_in_[at] == round_ ? here_[at] : everywhere_[at];
  }

  void write(int reg, Value value, bool guarded) {
    const auto at = static_cast<std::size_t>(reg);
    const Value before = this->value(reg);
    const bool agrees = before.state == State::unseen || before == value;
    here_[at] = guarded && !agrees ? kOther : value;
    written_in_[at] = round_;
    Value& all = everywhere_[at];
    if (value.state == State::unseen || all.state == State::other || all == value) return;
    all = all.state == State::unseen ? value : kOther;
    learns_ = true;
  }

  const PtxFunction& function_;
  const std::vector<std::uint32_t> block_;
  std::vector<Value> everywhere_, here_;  // of a register
  std::vector<std::uint64_t> written_in_;
  std::uint64_t round_ = 0;  // counts blocks, through all passes
  bool learns_ = false;
};

}  // namespace

KnownNumbers::KnownNumbers(const PtxFunction& function) : first_(function.statements.data()) {
  const auto& all = function.statements;
  if (std::none_of(all.begin(), all.end(), asks)) return;
  Learning learning(function);
  learning.run([&](const PtxStatement& statement) {
    if (!asks(statement)) return;
    for (std::size_t k = 1; k < statement.operands.size(); ++k)
      if (const Value read = learning.value(statement.operands[k]); read.state == State::known)
        found_[key(statement, k)] = read.bits;
    if (!is_approximate(statement)) return;
    if (const Value made = learning.made(statement); made.state == State::known)
      found_[key(statement, 0)] = made.bits;
  });
}

std::optional<std::uint32_t> KnownNumbers::of(const PtxStatement& statement,
                                              std::size_t operand) const {
  const auto at = found_.find(key(statement, operand));
  if (at == found_.end()) return std::nullopt;
  return at->second;
}

std::optional<std::uint32_t> KnownNumbers::result(const PtxStatement& statement) const {
  return is_approximate(statement) ? of(statement, 0) : std::nullopt;
}

}  // namespace lanescope::emulator

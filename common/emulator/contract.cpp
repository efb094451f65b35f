// SPDX-License-Identifier: MIT
// One pass over the statements, block by block, notes which register holds which product, and what
// becomes of the products. Two passes over the sums then choose, in ptxas' order.
#include "emulator/contract.hpp"

#include <algorithm>
#include <array>

#include "emulator/contract_rules.hpp"
#include "emulator/register_use.hpp"

namespace lanescope::emulator {
namespace {

using contract::has, contract::hands_on, contract::is_register, contract::is_several_blocks,
    contract::only_computes, contract::Open, contract::product, contract::sum;

struct Product {
  std::int32_t statement;
  Open open;
  int sums = 0;            // that may take it in
  bool is_needed = false;  // by something else
  bool by_number = false;  // of a register and a number: it may go into other blocks
  bool has_left = false;   // a sum of another block has it
  std::int32_t last = -1;  // the last sum that did take it in
};
/// A register that holds a product, or the opposite of one.
struct Held {
  std::int32_t product = -1;  // index in products_
  bool negated = false;
};
struct Sum {
  std::int32_t statement;
  std::array<Held, 2> operands;
};

class Contracting {
 public:
  explicit Contracting(const PtxFunction& function) : function_(function) {}

  Contractions run() {
    Contractions result;
    if (!find_products()) return result;
    find_numbers();
    find_mentions();
    block_ = number_blocks(function_);
    split_blocks();
    find_dead();
    for (std::size_t i = 0; i < count(); ++i) {
      follow(i);
      if (i + 1 == count() || block_[i + 1] != block_[i]) end_block(block_[i]);
    }
    result.of.resize(count());
    result.lost_factors.resize(count());
    for (const Sum& sum : sums_)
      if (doubles(sum))
        for (const int k : {0, 1}) of(sum, k).is_needed = true;
    for (const bool single : {true, false})
      for (const Sum& sum : sums_) choose(result, sum, single);
    for (const Product& product : products_)
      result.lost_factors[static_cast<std::size_t>(product.statement)] = lost_factors(product);
    return result;
  }

 private:
  struct Mention {
    std::int32_t statement;
    bool reads, writes;
  };
  std::size_t count() const { return function_.statements.size(); }
  const PtxStatement& at(std::size_t index) const { return function_.statements[index]; }
  const PtxStatement& at(std::int32_t index) const { return at(static_cast<std::size_t>(index)); }
  Product& product_at(std::int32_t index) { return products_[static_cast<std::size_t>(index)]; }

  bool find_products() {
    bool sums = false;
    product_of_.assign(count(), -1);
    for (std::size_t i = 0; i < count(); ++i) {
      sums = sums || sum(at(i)).type != Type::none;
      const Open open = product(at(i));
      if (open.type == Type::none) continue;
      product_of_[i] = static_cast<std::int32_t>(products_.size());
      products_.push_back({static_cast<std::int32_t>(i), open});
    }
    return sums && !products_.empty();
  }

  // A product of numbers is one by then, not a product: of those in the statement, and of registers
  // that a mov of a number writes and nothing else does. Of one number ptxas makes the product
  // where its sums are.
  void find_numbers() {
    enum class Value : std::uint8_t { none, number, other };
    std::vector<Value> values(function_.registers.size(), Value::none);
    const auto is_literal = [](const PtxOperand& operand) {
      return operand.kind == OperandKind::integer || operand.kind == OperandKind::real;
    };
    for (std::size_t i = 0; i < count(); ++i) {
      const bool moves = at(i).opcode == "mov" && at(i).guard < 0 && at(i).operands.size() == 2 &&
                         is_literal(at(i).operands[1]);
      each_written(i, [&](int reg) {
        Value& value = values[static_cast<std::size_t>(reg)];
        value = moves && value == Value::none ? Value::number : Value::other;
      });
    }
    const auto is_number = [&](const PtxOperand& operand) {
      return is_literal(operand) ||
             (is_register(operand) &&
              values[static_cast<std::size_t>(operand.reg)] == Value::number);
    };
    for (Product& product : products_) {
      const PtxStatement& statement = at(product.statement);
      const auto& operands = statement.operands;
      bool all = true;
      for (std::size_t k = 1; k < operands.size(); ++k) all = all && is_number(operands[k]);
      if (all) product_of_[static_cast<std::size_t>(product.statement)] = -1;
      // A quotient by a number is the product with its reciprocal.
      const bool times = statement.opcode == "mul";
      if (operands.size() == 3)
        product.by_number = is_number(operands[2]) || (times && is_number(operands[1]));
    }
  }

  // Who reads and who writes each register, but for statements that compute what nobody reads.
  void find_mentions() {
    std::vector<int> reads(function_.registers.size());
    each_source([&](std::size_t, int reg) { ++reads[static_cast<std::size_t>(reg)]; });
    dead_.assign(count(), false);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = count(); i-- > 0;) {
        if (dead_[i] || at(i).operands.empty() || !only_computes(at(i))) continue;
        bool is_read = false;
        each_register(at(i).operands[0], [&](int reg) {
          is_read = is_read || reads[static_cast<std::size_t>(reg)] != 0;
        });
        if (is_read) continue;
        dead_[i] = more = true;
        each_source_of(i, [&](int reg) { --reads[static_cast<std::size_t>(reg)]; });
      }
    }
    mentions_.resize(function_.registers.size());
    held_.resize(function_.registers.size());
    for (std::size_t i = 0; i < count(); ++i) {
      if (dead_[i]) continue;
      each_source_of(i, [&](int reg) { mention(reg, i).reads = true; });
      each_written(i, [&](int reg) {
        Mention& made = mention(reg, i);
        made.writes = true;
        if (at(i).guard >= 0) made.reads = true;  // or else the old value stays
      });
    }
  }
  Mention& mention(int reg, std::size_t statement) {
    auto& all = mentions_[static_cast<std::size_t>(reg)];
    const auto number = static_cast<std::int32_t>(statement);
    if (all.empty() || all.back().statement != number) all.push_back({number, false, false});
    return all.back();
  }
  template <class F>
  void each_source_of(std::size_t i, F&& found) const {
    const PtxStatement& statement = at(i);
    if (statement.guard >= 0) found(statement.guard);
    const bool writes = writes_first_operand(statement);
    for (std::size_t k = 0; k < statement.operands.size(); ++k)
      if (k > 0 || !writes || statement.operands[k].kind == OperandKind::address)
        each_register(statement.operands[k], found);
  }
  template <class F>
  void each_source(F&& found) const {
    for (std::size_t i = 0; i < count(); ++i) each_source_of(i, [&](int reg) { found(i, reg); });
  }
  // wgmma's accumulators are read, and written.
  template <class F>
  void each_written(std::size_t i, F&& found) const {
    const PtxStatement& statement = at(i);
    if (statement.operands.empty() || statement.operands[0].kind == OperandKind::address) return;
    if (writes_first_operand(statement) || statement.opcode == "wgmma")
      each_register(statement.operands[0], found);
  }

  // A quotient of integers that nobody reads is gone by then, one of numbers is not.
  void split_blocks() {
    std::uint32_t more = 0;
    for (std::size_t i = 0; i < count(); ++i) {
      block_[i] += more;
      const bool is_gone = dead_[i] && (at(i).opcode == "div" || at(i).opcode == "rem") &&
                           !has(at(i), "f32") && !has(at(i), "f64");
      if (is_several_blocks(at(i)) && !is_gone) ++more;
    }
  }

  // Also dead: what computes something that is overwritten before anybody reads it. Backwards.
  void find_dead() {
    enum class State : std::uint8_t { unknown, wanted, unwanted };
    std::vector<State> state(function_.registers.size(), State::unknown);
    std::vector<int> known;
    const auto set = [&](int reg, State made) {
      state[static_cast<std::size_t>(reg)] = made;
      known.push_back(reg);
    };
    for (std::size_t i = count(); i-- > 0;) {
      if (i + 1 < count() && block_[i] != block_[i + 1]) {
        for (const int reg : known) state[static_cast<std::size_t>(reg)] = State::unknown;
        known.clear();
      }
      if (dead_[i]) continue;
      bool is_wanted = !only_computes(at(i));
      each_written(i, [&](int reg) {
        State& found = state[static_cast<std::size_t>(reg)];
        if (is_wanted) return;
        if (found == State::unknown)
          set(reg, lives_after(reg, block_[i]) ? State::wanted : State::unwanted);
        is_wanted = found == State::wanted;
      });
      dead_[i] = !is_wanted;
      if (dead_[i]) continue;
      if (at(i).guard < 0) each_written(i, [&](int reg) { set(reg, State::unwanted); });
      each_source_of(i, [&](int reg) { set(reg, State::wanted); });
    }
  }

  // What becomes of the products that the statement reads, and what its registers hold then.
  void follow(std::size_t i) {
    if (dead_[i]) return;
    const PtxStatement& statement = at(i);
    const Open open = sum(statement);
    Sum adds{static_cast<std::int32_t>(i), {}};
    Held result;
    result.product = product_of_[i];
    for (std::size_t k = 0; k < statement.operands.size(); ++k) {
      if (k == 0 && writes_first_operand(statement) &&
          statement.operands[k].kind != OperandKind::address)
        continue;
      each_register(statement.operands[k], [&](int reg) {
        const Held held = held_[static_cast<std::size_t>(reg)];
        if (held.product < 0) return;
        Product& read = product_at(held.product);
        if (leaves_loop(read, i)) read.is_needed = true;
        if (k == 1 && hands_on(statement, read.open))
          result = {held.product, held.negated != (statement.opcode == "neg")};
        else if (k > 0 && open.type == read.open.type && open.flushes == read.open.flushes)
          adds.operands[k - 1] = held, read.has_left = read.has_left || is_elsewhere(read, i);
        else
          read.is_needed = true;
      });
    }
    note(adds);
    each_written(i, [&](int reg) {
      Held& held = held_[static_cast<std::size_t>(reg)];
      if (statement.guard >= 0 && held.product >= 0) product_at(held.product).is_needed = true;
      held = result;
      if (result.product >= 0) holding_.push_back(reg);
    });
  }

  void note(const Sum& sum) {
    const auto& [first, second] = sum.operands;
    if (first.product < 0 && second.product < 0) return;
    if (first.product == second.product) {  // added to itself
      product_at(first.product).is_needed = true;
      return;
    }
    for (const Held& held : sum.operands)
      if (held.product >= 0) ++product_at(held.product).sums;
    sums_.push_back(sum);
  }

  void end_block(std::uint32_t block) {
    const auto stays = [&](int reg) {
      Held& held = held_[static_cast<std::size_t>(reg)];
      if (held.product < 0) return false;
      if (product_at(held.product).by_number && is_written_first_and_once(reg)) return true;
      if (lives_after(reg, block)) product_at(held.product).is_needed = true;
      held = {};
      return false;
    };
    holding_.erase(
        std::remove_if(holding_.begin(), holding_.end(), [&](int reg) { return !stays(reg); }),
        holding_.end());
  }

  bool is_written_first_and_once(int reg) const {
    const auto& mentions = mentions_[static_cast<std::size_t>(reg)];
    return !mentions.empty() && mentions.front().writes && !mentions.front().reads &&
           writes(reg) == 1;
  }
  std::ptrdiff_t writes(int reg) const {
    const auto& mentions = mentions_[static_cast<std::size_t>(reg)];
    return std::count_if(mentions.begin(), mentions.end(),
                         [](const Mention& m) { return m.writes; });
  }
  bool is_elsewhere(const Product& product, std::size_t statement) const {
    return block_[static_cast<std::size_t>(product.statement)] != block_[statement];
  }
  // Into a loop ptxas takes a product along, out of one it mostly does not.
  bool leaves_loop(const Product& product, std::size_t statement) {
    const std::uint32_t from = block_[static_cast<std::size_t>(product.statement)];
    return is_elsewhere(product, statement) && is_reached(from, from) &&
           !is_reached(block_[statement], from);
  }
  // By at least one jump, or from one block on into the next?
  bool is_reached(std::uint32_t from, std::uint32_t to) {
    if (next_.empty()) find_next();
    std::vector<bool> seen(next_.size());
    std::vector<std::uint32_t> open = next_[from];
    while (!open.empty()) {
      const std::uint32_t block = open.back();
      open.pop_back();
      if (block == to) return true;
      if (seen[block]) continue;
      seen[block] = true;
      open.insert(open.end(), next_[block].begin(), next_[block].end());
    }
    return false;
  }

  // Is the register read behind the block, before it is written? Mostly it is nowhere else.
  bool lives_after(int reg, std::uint32_t block) {
    const auto& mentions = mentions_[static_cast<std::size_t>(reg)];
    if (block_of(mentions.front()) == block && block_of(mentions.back()) == block &&
        !mentions.front().reads)
      return false;
    if (next_.empty()) find_next();
    std::vector<bool> seen(next_.size());
    std::vector<std::uint32_t> open = next_[block];
    while (!open.empty()) {
      const std::uint32_t b = open.back();
      open.pop_back();
      if (seen[b]) continue;
      seen[b] = true;
      const auto first = std::lower_bound(
          mentions.begin(), mentions.end(), b,
          [&](const Mention& mention, std::uint32_t wanted) { return block_of(mention) < wanted; });
      if (first != mentions.end() && block_of(*first) == b) {
        if (first->reads) return true;
        continue;
      }
      open.insert(open.end(), next_[b].begin(), next_[b].end());
    }
    return false;
  }
  std::uint32_t block_of(const Mention& mention) const {
    return block_[static_cast<std::size_t>(mention.statement)];
  }

  void find_next() {
    next_.resize(block_.empty() ? 0 : block_.back() + 1);
    const auto arrow = [&](std::size_t from, std::int64_t to) {
      if (to >= 0 && static_cast<std::size_t>(to) < count())
        next_[block_[from]].push_back(block_[static_cast<std::size_t>(to)]);
    };
    for (std::size_t i = 0; i < count(); ++i) {
      if (i + 1 < count() && block_[i] == block_[i + 1]) continue;
      const PtxStatement& last = at(i);
      if (last.opcode == "bra" && !last.operands.empty()) arrow(i, last.operands[0].value);
      if (last.opcode == "brx")
        for (const auto& targets : function_.branch_targets)
          for (const PtxOperand& target : targets) arrow(i, target.value);
      const bool goes_on = last.guard >= 0 || !ends_block(last) || last.opcode == "call";
      if (goes_on) arrow(i, static_cast<std::int64_t>(i) + 1);
    }
  }

  // Which product goes into a sum: first those that have one sum only, then the others; of two the
  // one with fewer sums, else the first operand. A product that an fma adds stays a product.
  void choose(Contractions& result, const Sum& sum, bool single) {
    Contraction& made = result.of[static_cast<std::size_t>(sum.statement)];
    if (made.product >= 0) return;
    int chosen = -1;
    for (int k = 0; k < 2; ++k) {
      if (!is_free(sum, k, single)) continue;
      if (chosen < 0 || of(sum, k).sums < of(sum, chosen).sums) chosen = k;
    }
    if (chosen < 0) return;
    const Held& held = sum.operands[static_cast<std::size_t>(chosen)];
    Product& product = product_at(held.product);
    made = {product.statement, static_cast<std::uint8_t>(chosen + 1), held.negated};
    product.last = std::max(product.last, sum.statement);
    const Held& other = sum.operands[static_cast<std::size_t>(1 - chosen)];
    if (other.product >= 0) product_at(other.product).is_needed = true;
  }
  Product& of(const Sum& sum, int k) {
    return product_at(sum.operands[static_cast<std::size_t>(k)].product);
  }
  bool is_free(const Sum& sum, int k, bool single) {
    if (sum.operands[static_cast<std::size_t>(k)].product < 0) return false;
    const Product& product = of(sum, k);
    return !product.is_needed && (!single || product.sums == 1);
  }

  // a * b + a * b is twice one product.
  bool doubles(const Sum& sum) {
    if (sum.operands[0].product < 0 || sum.operands[1].product < 0) return false;
    const bool subtracts = at(sum.statement).opcode == "sub";
    if ((sum.operands[0].negated != sum.operands[1].negated) != subtracts) return false;
    const std::int32_t one = std::min(of(sum, 0).statement, of(sum, 1).statement);
    const std::int32_t two = std::max(of(sum, 0).statement, of(sum, 1).statement);
    const auto& a = at(one).operands;
    const auto& b = at(two).operands;
    if (at(one).opcode != "mul" || at(two).opcode != "mul") return false;
    const auto same = [&](std::size_t k, std::size_t other) {
      return is_register(a[k]) && is_register(b[other]) && a[k].reg == b[other].reg &&
             !is_written(a[k].reg, one, two);
    };
    return (same(1, 1) && same(2, 2)) || (same(1, 2) && same(2, 1));
  }

  // ptxas keeps the old value of a factor.
  std::uint8_t lost_factors(const Product& product) const {
    if (product.last < 0) return 0;
    const PtxStatement& statement = at(product.statement);
    if (statement.opcode != "mul") return 3;  // its factors have no registers
    std::uint8_t lost = 0;
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
      const PtxOperand& factor = statement.operands[k];
      if (factor.kind != OperandKind::reg) continue;
      // Between blocks a jump may lead back to where the factor is written.
      if (product.has_left ? writes(factor.reg) != 1
                           : is_written(factor.reg, product.statement, product.last))
        lost = static_cast<std::uint8_t>(lost | k);
    }
    return lost;
  }
  // In [from, end)?
  bool is_written(int reg, std::int32_t from, std::int32_t end) const {
    const auto& mentions = mentions_[static_cast<std::size_t>(reg)];
    auto at = std::lower_bound(
        mentions.begin(), mentions.end(), from,
        [](const Mention& mention, std::int32_t wanted) { return mention.statement < wanted; });
    for (; at != mentions.end() && at->statement < end; ++at)
      if (at->writes) return true;
    return false;
  }

  const PtxFunction& function_;
  std::vector<Product> products_;
  std::vector<std::int32_t> product_of_;          // of a statement: index in products_
  std::vector<bool> dead_;                        // of a statement: nobody wants what it computes
  std::vector<Sum> sums_;                         // that have a product, in their order
  std::vector<std::uint32_t> block_;              // of a statement
  std::vector<std::vector<std::uint32_t>> next_;  // of a block
  std::vector<std::vector<Mention>> mentions_;    // of a register
  std::vector<Held> held_;                        // of a register, here and now
  std::vector<int> holding_;                      // registers that held_ has something of
};

}  // namespace

Contractions contractions(const PtxFunction& function) { return Contracting(function).run(); }

}  // namespace lanescope::emulator

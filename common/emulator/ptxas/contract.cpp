// SPDX-License-Identifier: MIT
// One pass over the statements, block by block, notes which register holds which product, and what
// becomes of the products. Two passes over the sums then choose, in ptxas' order.
#include "emulator/ptxas/contract.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "emulator/ptxas/contract_lives.hpp"
#include "emulator/ptxas/contract_numbers.hpp"
#include "emulator/ptxas/contract_rules.hpp"

namespace lanescope::emulator {
namespace {

using contract::each_written, contract::hands_on, contract::is_register,
    contract::is_several_blocks, contract::Open, contract::product, contract::sum,
    contract::sums_of_c;

struct Product {
  std::int32_t statement;
  Open open;
  int sums = 0;            // that may take it in
  bool is_needed = false;  // by something else
  bool by_number = false;  // of a register and a number: it may go into other blocks
  bool has_left = false;   // a sum of another block has it
  bool by_mma = false;     // it is C's, and its factors may be D's registers
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
  int reg_of_c = -1;  // of an mma: which register of C it adds
};

class Contracting {
 public:
  Contracting(const PtxFunction& function, const KnownNumbers& known, int sm, bool pairs_alone)
      : function_(function), known_(known), sm_(sm), pairs_alone_(pairs_alone) {}

  Contractions run() {
    Contractions result;
    if (!find_products()) return result;
    find_numbers();
    lives_.emplace(function_, sm_);
    held_.resize(function_.registers.size());
    for (std::size_t i = 0; i < count(); ++i) {
      follow(i);
      if (i + 1 == count() || lives_->block(i + 1) != lives_->block(i)) end_block(lives_->block(i));
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
  std::size_t count() const { return function_.statements.size(); }
  const PtxStatement& at(std::size_t index) const { return function_.statements[index]; }
  const PtxStatement& at(std::int32_t index) const { return at(static_cast<std::size_t>(index)); }
  Product& product_at(std::int32_t index) { return products_[static_cast<std::size_t>(index)]; }

  bool find_products() {
    bool sums = false;
    product_of_.assign(count(), -1);
    for (std::size_t i = 0; i < count(); ++i) {
      sums = sums || sum(at(i)).type != Type::none || sums_of_c(at(i), sm_).type != Type::none;
      const Open open = product(at(i));
      if (open.type == Type::none || (pairs_alone_ && open.type != Type::f32x2)) continue;
      product_of_[i] = static_cast<std::int32_t>(products_.size());
      products_.push_back({static_cast<std::int32_t>(i), open});
    }
    return sums && !products_.empty();
  }

  // A product of numbers is one by then, not a product, but for halves. Of one number ptxas makes
  // the product where
  // its sums are.
  void find_numbers() {
    const contract::Numbers numbers(function_, known_);
    for (Product& product : products_) {
      const PtxStatement& statement = at(product.statement);
      const auto& operands = statement.operands;
      bool all = true;
      for (std::size_t k = 1; k < operands.size(); ++k) all = all && numbers.has(statement, k);
      const Type type = product.open.type;
      const bool is_half = type != Type::f32 && type != Type::f64 && type != Type::f32x2;
      if (all && !is_half) product_of_[static_cast<std::size_t>(product.statement)] = -1;
      // A quotient by a number is the product with its reciprocal.
      const bool times = statement.opcode == "mul";
      if (operands.size() == 3)
        product.by_number = numbers.has(statement, 2) || (times && numbers.has(statement, 1));
    }
  }

  // What becomes of the products that the statement reads, and what its registers hold then.
  void follow(std::size_t i) {
    if (lives_->is_dead(i)) return;
    const PtxStatement& statement = at(i);
    const Open open = sum(statement), of_c = sums_of_c(statement, sm_);
    Sum adds{static_cast<std::int32_t>(i), {}};
    Held result;
    result.product = product_of_[i];
    for (std::size_t k = 0; k < statement.operands.size(); ++k) {
      if (k == 0 && writes_first_operand(statement) &&
          statement.operands[k].kind != OperandKind::address)
        continue;
      if (k == 3 && of_c.type != Type::none) {
        follow_c(i, of_c);
        continue;
      }
      each_register(statement.operands[k], [&](int reg) {
        const Held held = held_[static_cast<std::size_t>(reg)];
        if (held.product < 0) return;
        Product& read = product_at(held.product);
        if (leaves_loop(read, i)) read.is_needed = true;
        if (k == 1 && hands_on(statement, read.open))
          result = {held.product, held.negated != (statement.opcode == "neg")};
        else if (k > 0 && open == read.open)
          adds.operands[k - 1] = held, read.has_left = read.has_left || is_elsewhere(read, i);
        else
          read.is_needed = true;
      });
    }
    note(adds);
    each_written(at(i), [&](int reg) {
      Held& held = held_[static_cast<std::size_t>(reg)];
      if (statement.guard >= 0 && held.product >= 0) product_at(held.product).is_needed = true;
      held = result;
      if (result.product >= 0) holding_.push_back(reg);
    });
  }

  // An mma that adds C's registers one by one; a sum that nobody reads is none. Of several blocks
  // the sums are in the last.
  void follow_c(std::size_t i, Open open) {
    const auto& c = at(i).operands[3].items;
    const bool is_behind = is_several_blocks(at(i), sm_);
    for (std::size_t k = 0; k < std::min(c.size(), ContractedMma{}.size()); ++k) {
      const Held held = is_register(c[k]) ? held_[static_cast<std::size_t>(c[k].reg)] : Held{};
      if (held.product < 0) continue;
      if (lives_->is_dead(i, k)) continue;
      Product& read = product_at(held.product);
      read.is_needed = read.is_needed || open != read.open || leaves_loop(read, i) ||
                       (is_behind && !read.by_number);
      read.has_left = read.has_left || is_behind || is_elsewhere(read, i);
      read.by_mma = true;
      note({static_cast<std::int32_t>(i), {held}, static_cast<int>(k)});
    }
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
      if (product_at(held.product).by_number && lives_->is_written_first_and_once(reg)) return true;
      if (lives_->lives_after(reg, block)) product_at(held.product).is_needed = true;
      held = {};
      return false;
    };
    holding_.erase(
        std::remove_if(holding_.begin(), holding_.end(), [&](int reg) { return !stays(reg); }),
        holding_.end());
  }

  bool is_elsewhere(const Product& product, std::size_t statement) const {
    return lives_->block(product.statement) != lives_->block(statement);
  }
  // Into a loop ptxas takes a product along, out of one it mostly does not.
  bool leaves_loop(const Product& product, std::size_t statement) {
    const std::uint32_t from = lives_->block(product.statement);
    return is_elsewhere(product, statement) && lives_->is_reached(from, from) &&
           !lives_->is_reached(lives_->block(statement), from);
  }
  // Which product goes into a sum: first those that have one sum only, then the others; of two the
  // one with fewer sums, else the first operand. A product that an fma adds stays a product.
  void choose(Contractions& result, const Sum& sum, bool single) {
    Contraction& made = sum.reg_of_c < 0
                            ? result.of[static_cast<std::size_t>(sum.statement)]
                            : result.of_mma[sum.statement][static_cast<std::size_t>(sum.reg_of_c)];
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
    // An mma writes D, and adds C then.
    product.last = std::max(product.last, sum.statement + (sum.reg_of_c < 0 ? 0 : 1));
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
             !lives_->is_written(a[k].reg, one, two);
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
      if (product.has_left ? lives_->writes(factor.reg) != (product.by_mma ? 0 : 1)
                           : lives_->is_written(factor.reg, product.statement, product.last))
        lost = static_cast<std::uint8_t>(lost | k);
    }
    return lost;
  }
  const PtxFunction& function_;
  const KnownNumbers& known_;
  const int sm_;
  const bool pairs_alone_;
  std::optional<contract::Lives> lives_;
  std::vector<Product> products_;
  std::vector<std::int32_t> product_of_;  // of a statement: index in products_
  std::vector<Sum> sums_;                 // that have a product, in their order
  std::vector<Held> held_;                // of a register, here and now
  std::vector<int> holding_;              // registers that held_ has something of
};

}  // namespace

Contractions contractions(const PtxFunction& function, const KnownNumbers& known, int sm,
                          bool pairs_alone) {
  return Contracting(function, known, sm, pairs_alone).run();
}

}  // namespace lanescope::emulator

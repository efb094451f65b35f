// SPDX-License-Identifier: MIT
// What the sums along k decide of the operands of their products: of two readings which one goes
// on along k, whether rows come in pieces, whether what nobody has written is stored. See
// verdicts.hpp.
#include <algorithm>

#include "panels/way/shared_bits.hpp"
#include "panels/way/verdicts.hpp"

namespace lanescope::viz {

using trace::Verdict;

void Verdicts::judge_sums() {
  checks_ = std::make_unique<SumChecks>(model_, history_);
  for (std::size_t k = 0; k < model_.multiplications.size(); ++k) {
    if (!is_looked_at(k) || model_.multiplications[k].tensor != nullptr) continue;
    const ProductCheck& check = product(k);
    checks_->add(static_cast<int>(k), check.a, check.b, check.in_order);
  }
  sums_ = checks_->judged();
}

// Of two readings of an operand the sum knows which one goes on along k.
bool Verdicts::turn() {
  bool any = false;
  for (const auto& [which, turns] : checks_->turns()) {
    ProductCheck& of = products_[static_cast<std::size_t>(which.first)];
    OriginCheck& check = which.second == 'A' ? of.a : of.b;
    if (turns) check = OriginCheck(*check.turned);
    check.turned.reset();
    check.otherwise.clear();
    any = any || turns;
  }
  return any;
}

// So it does whether their rows, or columns, come in pieces.
bool Verdicts::cut() {
  const SumChecks::Cut all = checks_->cut();
  for (const auto& [which, decided] : all) {
    ProductCheck& of = products_[static_cast<std::size_t>(which.first)];
    OriginCheck& check = which.second == 'A' ? of.a : of.b;
    check = decided.unstored > 0 ? read_without(decided.pieces, which.second, decided.unstored)
                                 : read_in_pieces(decided.pieces, which.second, decided.is_known);
  }
  return !all.empty();
}

// So it does whether rows or columns that nobody has written are stored. Whether any are.
bool Verdicts::spare() {
  bool any = false;
  for (auto& [product, of] : products_)
    for (const char operand : {'A', 'B'}) {
      OriginCheck& check = operand == 'A' ? of.a : of.b;
      if (check.unwritten.empty()) continue;
      decide_unwritten(check,
                       checks_->stores_lines(static_cast<int>(product), operand, check.unwritten));
      if (check.diagnosis.verdict == Verdict::right) continue;
      of.in_order = false;  // as it was when all else was right
      any = true;
    }
  return any;
}

// Where a tile is read too soon, the tile of another step of k is what lies there.
void Verdicts::blame_races() {
  const auto races = [](const OriginCheck& check) {
    const std::string& kind = check.diagnosis.kind;
    return kind == "too-soon" || kind == "overtaken" || kind == "in-flight";
  };
  if (std::none_of(products_.begin(), products_.end(),
                   [&](const auto& one) { return races(one.second.a) || races(one.second.b); }))
    return;
  for (SumCheck& one : *sums_)
    if (trace::Diagnosis& d = one.check.diagnosis; d.kind == "k-twice" || d.kind == "k-advance")
      d.advice =
          "shared memory is read too soon, or overwritten too soon, as is said of A or B "
          "above: mend that first";
}

const std::vector<SumCheck>& Verdicts::sums() {
  if (sums_) return *sums_;
  judge_sums();
  if (turn()) judge_sums();
  if (cut()) judge_sums();
  if (spare()) judge_sums();
  name_shared_bits(model_, history_, products_);
  blame_races();
  return *sums_;
}

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
#include "web/diagnosis.hpp"

#include <fmt/format.h>

#include <set>

#include "panels/way/verdicts.hpp"

namespace lanescope::viz {
namespace {

class Found {
 public:
  void add(const OriginCheck& check, char operand, std::size_t product, bool in_order) {
    const OperandVerdict words = in_words(check, operand, in_order);
    right_ += words.verdict == trace::Verdict::right ? 1 : 0;
    if (!words.is_wrong() || !said_.insert(operand + words.headline).second) return;
    text_ += fmt::format("{} of product {}: {}\n", operand, product + 1, words.headline);
    for (const std::string& line : lines_below(words)) text_ += "  " + line + '\n';
  }
  const std::string& text() const { return text_; }
  int right() const { return right_; }

 private:
  std::string text_;
  std::set<std::string> said_;
  int right_ = 0;
};

}  // namespace

std::string diagnosis_of(const Workspace& ws, int& right) {
  Found found;
  Verdicts verdicts(ws.model, ws.steps.list);
  verdicts.sums();  // what they say of A and B, too
  for (std::size_t k = 0; k < ws.model.multiplications.size(); ++k) {
    if (!verdicts.is_looked_at(k) || ws.model.multiplications[k].tensor != nullptr) continue;
    const ProductCheck& check = verdicts.product(k);
    found.add(check.a, 'A', k, check.in_order);
    found.add(check.b, 'B', k, check.in_order);
  }
  for (const SumCheck& one : verdicts.sums())
    found.add(one.check, one.operand, static_cast<std::size_t>(one.product), false);
  right = found.right();
  return found.text();
}

}  // namespace lanescope::viz

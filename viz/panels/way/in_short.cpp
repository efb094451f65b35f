// SPDX-License-Identifier: MIT
#include "panels/way/in_short.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "layout/instruction.hpp"
#include "panels/steps/register_history.hpp"
#include "panels/way/descriptor_origins.hpp"
#include "panels/way/tensor_factors.hpp"
#include "panels/way/tensor_reads.hpp"
#include "panels/way/tensor_stored.hpp"
#include "panels/way/verdicts.hpp"

namespace lanescope::viz {
namespace {

class Found {
 public:
  void add(const OriginCheck& check, char operand, const std::string& of, bool in_order = false) {
    const OperandVerdict words = in_words(check, operand, in_order);
    right_ += words.verdict == trace::Verdict::right ? 1 : 0;
    if (!words.is_wrong() || !said_.insert(operand + words.headline).second) return;
    text_ += fmt::format("{} of {}: {}\n", layout::operand_name(operand), of, words.headline);
    for (const std::string& line : lines_below(words))
      if (said_.insert(line).second) text_ += "  " + line + '\n';
  }
  const std::string& text() const { return text_; }
  int right() const { return right_; }

 private:
  std::string text_;
  std::set<std::string> said_;
  int right_ = 0;
};

std::string product(std::size_t index) { return fmt::format("product {}", index + 1); }

// Of what tcgen05.mma adds up.
void add_tensor_sums(const Model& model, const StepList& steps, Found& found) {
  constexpr std::size_t kMostLooked = 64;
  RegisterHistory history(steps);
  const std::vector<TensorSum> sums = tensor_sums(history);
  if (sums.empty()) return;  // nor are stores looked for, then
  DescriptorOrigins origins(model.trace, history);
  TensorStored stored(model, history, sums);
  TensorFactors factors(model.trace, history);
  for (std::size_t k = 0; k < std::min(sums.size(), kMostLooked); ++k) {
    const std::string name = fmt::format("sum {}", k + 1);
    const DescriptorOrigins::Checks check = origins.check(sums[k]);
    if (check.a) found.add(*check.a, 'A', name);
    if (check.b) found.add(*check.b, 'B', name);
    for (const char operand : {'S', 'T'})
      if (const auto scales = factors.check(sums[k], operand)) found.add(*scales, operand, name);
    found.add(stored.check(k, check.a, check.b), 'D', name);
  }
}

}  // namespace

std::string mistakes_in_short(const Model& model, const StepList& steps, int& right) {
  Found found;
  Verdicts verdicts(model, steps);
  verdicts.sums();  // what they say of A and B, too
  for (std::size_t k = 0; k < model.multiplications.size(); ++k) {
    if (!verdicts.is_looked_at(k) || model.multiplications[k].tensor != nullptr) continue;
    const ProductCheck& check = verdicts.product(k);
    found.add(check.a, 'A', product(k), check.in_order);
    found.add(check.b, 'B', product(k), check.in_order);
  }
  add_tensor_sums(model, steps, found);
  for (const std::vector<SumCheck>& sums : {verdicts.scales(), verdicts.sums()})
    for (const SumCheck& one : sums)
      found.add(one.check, one.operand, product(static_cast<std::size_t>(one.product)));
  right = found.right();
  return found.text();
}

}  // namespace lanescope::viz

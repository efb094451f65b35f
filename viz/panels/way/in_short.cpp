// SPDX-License-Identifier: MIT
#include "panels/way/in_short.hpp"

#include <fmt/format.h>

#include <set>

#include "layout/instruction.hpp"
#include "panels/way/each_verdict.hpp"

namespace lanescope::viz {
namespace {

class Found {
 public:
  void add(const ToldVerdict& told) {
    const OperandVerdict words = in_words(told.check, told.operand, told.in_order);
    right_ += words.verdict == trace::Verdict::right ? 1 : 0;
    if (!words.is_wrong() || !said_.insert(told.operand + words.headline).second) return;
    text_ += fmt::format("{} of {} {}: {}\n", layout::operand_name(told.operand),
                         told.of == Told::tensor_sum ? "sum" : "product", told.index + 1,
                         words.headline);
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

}  // namespace

std::string mistakes_in_short(const Model& model, const StepList& steps, int& right) {
  Found found;
  Verdicts verdicts(model, steps);
  each_verdict(verdicts, model, steps, [&](const ToldVerdict& told) { found.add(told); });
  right = found.right();
  return found.text();
}

}  // namespace lanescope::viz

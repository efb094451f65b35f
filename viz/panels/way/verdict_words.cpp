// SPDX-License-Identifier: MIT
// What is found out about an operand, in the words that the command, the window and `view --text`
// have for it. See verdicts.hpp.
#include <fmt/format.h>

#include "panels/way/verdicts.hpp"

namespace lanescope::viz {
namespace {

using trace::Verdict;

// "set the sums to 0 before the loop."
std::string advice_of(const trace::Diagnosis& d) {
  const bool asks = !d.advice.empty() && d.advice.back() == '?';
  return d.advice + (asks ? "" : ".");
}

}  // namespace

OperandVerdict in_words(const OriginCheck& check, char operand, bool in_order) {
  const trace::Diagnosis& d = check.diagnosis;
  OperandVerdict words{d.verdict, {}, {}, {}, {}};
  if (d.verdict == Verdict::not_compared) {
    words.headline = "not compared: " + d.mistake;
    return words;
  }
  if (d.verdict == Verdict::right || in_order) {
    words.verdict = Verdict::right;
    words.headline =
        fmt::format("right: {}{}{}", check.lies,
                    d.verdict == Verdict::right ? "" : "; k in another order, the same in A and B",
                    d.note.empty() ? "" : "; but " + d.note);
    return words;
  }
  words.headline = d.mistake;
  if (!check.lies.empty()) {
    words.misplaced = fmt::format("{} of {} elements are not where they belong if {} lies {}",
                                  d.wrong, d.elements, layout::operand_name(operand), check.lies);
    words.first = check.first;
  }
  words.advice = advice_of(d);
  if (!check.otherwise.empty()) words.advice += " " + check.otherwise;
  return words;
}

OperandVerdict in_words(const trace::Trace& trace, const trace::Diagnosis& d) {
  OperandVerdict words{d.verdict, {}, {}, {}, {}};
  if (d.verdict == Verdict::not_compared) {
    words.headline = "not compared: " + d.mistake;
    return words;
  }
  const std::string& matrix =
      std::get<trace::Memory>(trace.events[static_cast<std::size_t>(d.matrix)]).name;
  if (d.verdict == Verdict::right) {
    words.headline = fmt::format("right, all {} elements of \"{}\"{}", d.elements, matrix,
                                 d.note.empty() ? "" : "; but " + d.note);
    return words;
  }
  words.headline = d.mistake;
  words.misplaced =
      fmt::format("{} of {} elements are not where \"{}\" has them", d.wrong, d.elements, matrix);
  words.first = d.first;
  words.advice = advice_of(d);
  return words;
}

std::vector<std::string> lines_below(const OperandVerdict& words) {
  std::vector<std::string> lines;
  if (!words.misplaced.empty()) lines.push_back(words.misplaced);
  if (!words.first.empty()) lines.push_back("the first: " + words.first);
  if (!words.advice.empty()) lines.push_back("What to do: " + words.advice);
  return lines;
}

std::string title_of(const ShownVerdict& verdict, int product) {
  return fmt::format("diagnosis of {}{}", verdict.operand,
                     verdict.product == product
                         ? std::string()
                         : fmt::format(", product {} of the same sum", verdict.product + 1));
}

}  // namespace lanescope::viz

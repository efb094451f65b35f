// SPDX-License-Identifier: MIT
// A trace printed: the terminal's twin of the window. Strings only; nothing is printed here. How a
// matrix stands in it is in matrix_text.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/matrix_text.hpp"
#include "panels/steps/register_history.hpp"
#include "panels/steps/steps.hpp"

namespace lanescope::cli {

/// Who wrote the trace, where, and what is in it.
std::string summary_text(const viz::Model& model, std::int64_t unknown_events);

/// The whole trace.
std::string trace_text(const viz::Model& model, std::int64_t unknown_events,
                       const TextStyle& style);

/// One product of the trace, counted from 0, with all its operands.
std::string product_text(const viz::Model& model, std::size_t index, const TextStyle& style);
/// A line for each product: its number, counted from 1, what it is, where.
std::string products_text(const viz::Model& model);

/// The steps of a trace, put in order when somebody asks for them: most selections need none.
class Steps {
 public:
  explicit Steps(const trace::Trace& trace) : trace_(trace) {}
  const viz::StepList& list() {
    if (!made_) made_ = viz::make_steps(trace_);
    return *made_;
  }
  viz::RegisterHistory& history() {
    if (!history_) history_.emplace(list());
    return *history_;
  }
  const trace::Trace& trace() const { return trace_; }

 private:
  const trace::Trace& trace_;
  std::optional<viz::StepList> made_;
  std::optional<viz::RegisterHistory> history_;
};

/// Which product a selection is about: a number from 1 on, the first that has it, or all that do.
inline constexpr int kFirstProduct = 0, kAllProducts = -1;

/// All that is to be said about a selection; `problem` is why there is nothing.
struct SelectionText {
  std::string text;
  std::string problem;
};
/// `recorder`: who records steps, where there are none.
SelectionText selected_text(const viz::Model& model, const std::string& words,
                            int product = kFirstProduct,
                            const std::string& recorder = "lanescope run --steps records them");

}  // namespace lanescope::cli

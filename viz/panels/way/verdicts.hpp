// SPDX-License-Identifier: MIT
// What `lanescope diagnose` says, in its words: of the products of a trace of steps, of A and B by
// where their elements came from (origins.hpp, descriptor_origins.hpp), of C and D by what their
// sum is made of and where it goes (sum_checks.hpp); of what RECORD has written down by the
// matrices beside it (trace/diagnose.hpp). The command prints it, the window's inspector and
// `view --text` show that of the selected operand. Pure model, no Dear ImGui.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "panels/way/descriptor_origins.hpp"
#include "panels/way/origins.hpp"
#include "panels/way/sum_checks.hpp"
#include "panels/way/tensor_stored.hpp"

namespace lanescope::viz {

/// What is said of one operand.
struct OperandVerdict {
  trace::Verdict verdict = trace::Verdict::not_compared;
  std::string headline;   // "right: row after row, ...", the mistake, "not compared: why"
  std::string misplaced;  // "128 of 256 elements are not where they belong if A lies ..."
  std::string first;      // "lane 0, A.r1.lo: A[8][0] belongs there, it is A[0][8]"
  std::string advice;     // what to do, with its full stop, or question mark
  bool is_wrong() const { return viz::is_wrong(verdict); }
};
/// `in_order`: A and B have their k in another order, but in the same.
OperandVerdict in_words(const OriginCheck& check, char operand, bool in_order);
/// Of a fragment that RECORD has written down.
OperandVerdict in_words(const trace::Trace& trace, const trace::Diagnosis& diagnosis);
/// What stands under the headline of a wrong one, a line each: "the first: lane 0, ...", "What to
/// do: ...".
std::vector<std::string> lines_below(const OperandVerdict& words);

/// What is found out about A and B of a product.
struct ProductCheck {
  OriginCheck a, b;
  bool in_order = false;
};

/// Worked out when it is asked for, and kept. The model and its steps must outlive it.
class Verdicts {
 public:
  Verdicts(const Model& model, const StepList& steps);

  const ProductCheck& product(std::size_t index);
  /// Of so many products, the first ones and the last, every element of A and B is looked for:
  /// those of a loop are alike, but for its ends, and each takes its time.
  std::size_t looked_at() const { return looked_at_; }
  bool is_looked_at(std::size_t product) const;
  /// Of all sums; looks at those products first.
  const std::vector<SumCheck>& sums();
  /// Of the scale factors of mma.sync with .block_scale; looks at the sums first.
  std::vector<SumCheck> scales();
  /// The store that takes an element of D of a product to global memory, by whatever way; nothing
  /// where none is recorded.
  std::optional<WayStop> stored(std::size_t product, const layout::Element& element);
  /// Of D of a product of tcgen05.mma.
  const OriginCheck& in_tensor_memory(std::size_t index);

 private:
  bool judge_scores(const Multiplication& in, ProductCheck& check);
  void judge_sums();
  bool turn();
  bool cut();
  bool spare();
  void blame_races();
  std::size_t tensor_sum(std::size_t index);
  ProductCheck of_tensor(std::size_t index);
  const Model& model_;
  RegisterHistory history_;
  Origins origins_;
  std::unique_ptr<SumSources> sources_;  // of scores_, made when they are asked for
  std::unique_ptr<Scores> scores_;
  DescriptorOrigins descriptors_;
  std::size_t looked_at_ = 0;
  std::map<std::size_t, ProductCheck> products_;
  std::unique_ptr<SumChecks> checks_;
  std::optional<std::vector<SumCheck>> sums_;
  std::optional<std::vector<TensorSum>> tensor_sums_;
  std::unique_ptr<TensorStored> tensor_stored_;
  std::map<std::size_t, OriginCheck> in_tensor_memory_;
};

/// What is said of an operand of a product, for those who look at that alone.
struct ShownVerdict {
  OperandVerdict words;
  int product = 0;     // of which it is said: of C and D, another one of the same sum
  char operand = 'A';  // and the operand: of C, D where nothing is said of C itself
  std::optional<layout::Element> first_at;  // the element that `words.first` is about
  std::vector<bool> wrong;  // of its elements, row after row; empty: none, or it is not known
};
/// Nothing where nothing is said: its sum is nowhere stored, RECORD has written down no matrix that
/// it could be compared with. `verdicts` are made where there are none, of steps alone.
std::optional<ShownVerdict> verdict_of(std::shared_ptr<Verdicts>& verdicts, const Model& model,
                                       const StepList& steps, int product, char operand);
/// The way of an element of D that does not end at a store leads on to the one that it comes to,
/// through conversions, other lanes or shared memory. `verdicts` as above.
void lead_on(Way& way, std::shared_ptr<Verdicts>& verdicts, const Model& model,
             const StepList& steps, int product, const Selection& selection);
/// "diagnosis of D, product 5 of the same sum", where another one is looked at.
std::string title_of(const ShownVerdict& verdict, int product);

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
#include "panels/way/each_verdict.hpp"

#include <algorithm>
#include <vector>

#include "panels/steps/register_history.hpp"
#include "panels/way/descriptor_origins.hpp"
#include "panels/way/tensor_factors.hpp"
#include "panels/way/tensor_reads.hpp"
#include "panels/way/tensor_stored.hpp"

namespace lanescope::viz {
namespace {

using Tell = std::function<void(const ToldVerdict&)>;

LookedAt each_tensor_sum(const Model& model, const StepList& steps, const Tell& tell) {
  constexpr std::size_t kMostLooked = 64;
  RegisterHistory history(steps);
  const std::vector<TensorSum> sums = tensor_sums(history);
  if (sums.empty()) return {};  // nor are stores looked for, then
  DescriptorOrigins origins(model.trace, history);
  TensorStored stored(model, history, sums);
  TensorFactors factors(model.trace, history);
  const std::size_t most = std::min(sums.size(), kMostLooked);
  for (std::size_t k = 0; k < most; ++k) {
    const StepPlace& first = sums[k].front().place;
    const std::string source = source_text(history.item(first.warp, first.item).step->source);
    const auto say = [&](char operand, const OriginCheck& check) {
      tell({Told::tensor_sum, k, operand, check, false, static_cast<int>(sums[k].size()), source});
    };
    const DescriptorOrigins::Checks check = origins.check(sums[k]);
    if (check.a) say('A', *check.a);
    if (check.b) say('B', *check.b);
    for (const char operand : {'S', 'T'})
      if (const auto scales = factors.check(sums[k], operand)) say(operand, *scales);
    say('D', stored.check(k, check.a, check.b));
  }
  return {most, sums.size()};
}

}  // namespace

LookedAt each_verdict(Verdicts& verdicts, const Model& model, const StepList& steps,
                      const Tell& tell) {
  verdicts.sums();  // what they say of A and B, too
  for (std::size_t k = 0; k < model.multiplications.size(); ++k) {
    if (!verdicts.is_looked_at(k)) continue;
    if (model.multiplications[k].tensor != nullptr) continue;  // its sum is judged below
    const ProductCheck& check = verdicts.product(k);
    tell({Told::product, k, 'A', check.a, check.in_order, 0, {}});
    tell({Told::product, k, 'B', check.b, check.in_order, 0, {}});
  }
  const LookedAt looked = each_tensor_sum(model, steps, tell);
  for (const SumCheck& one : verdicts.scales())
    tell({Told::scales,
          static_cast<std::size_t>(one.product),
          one.operand,
          one.check,
          false,
          0,
          {}});
  for (const SumCheck& one : verdicts.sums())
    tell({Told::sum, static_cast<std::size_t>(one.product), one.operand, one.check, false, 0, {}});
  return looked;
}

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// Every verdict on a run of steps, one after the other, in the order in which they are told: A and
// B of each product, then what tcgen05.mma adds up, scale factors, and C and D of sums. Who tells
// them chooses the words. Pure model, no Dear ImGui.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "panels/way/verdicts.hpp"

namespace lanescope::viz {

enum class Told { product, tensor_sum, scales, sum };

struct ToldVerdict {
  Told of;
  std::size_t index;  // of the product; of Told::tensor_sum that of the sum
  char operand;       // 'S', 'T': SFA, SFB
  const OriginCheck& check;
  bool in_order = false;  // in_words()
  int added = 0;          // of a tensor_sum: how many tcgen05.mma it is made of
  std::string source;     // of a tensor_sum: "gemm.cu:12" of the first, or ""
};

/// Which of how many were looked at.
struct LookedAt {
  std::size_t tensor_sums = 0, all_tensor_sums = 0;
};

/// Calls `tell` with each; `verdicts` are those of `model` and `steps`.
LookedAt each_verdict(Verdicts& verdicts, const Model& model, const StepList& steps,
                      const std::function<void(const ToldVerdict&)>& tell);

}  // namespace lanescope::viz

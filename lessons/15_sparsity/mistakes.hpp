// SPDX-License-Identifier: MIT
// The mistakes that the check of exercise 15 knows: each makes an answer, which predicts the
// registers of every lane.
#pragma once

#include <vector>

#include "15_sparsity/mistakes_of_a.hpp"
#include "15_sparsity/mistakes_of_e.hpp"

namespace exercise_15 {

inline const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all = [] {
    std::vector<Mistake> both = mistakes_of_a();
    both.insert(both.end(), mistakes_of_e().begin(), mistakes_of_e().end());
    return both;
  }();
  return all;
}

}  // namespace exercise_15

// SPDX-License-Identifier: MIT
// The operations that are compared: each with a name of its own, and how it is put together.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ggml.hpp"

/// What fills a tensor that an operation reads.
struct Input {
  Tensor tensor;
  int type;
  double low, high;  // numbers are drawn between them
  enum Kind { numbers, counted, mask } kind;
};

/// Makes the tensors of one operation and remembers which are to be filled.
class Inputs {
 public:
  explicit Inputs(Context context) : context(context) {}
  Tensor operator()(int type, std::int64_t a, std::int64_t b = 1, std::int64_t c = 1,
                    std::int64_t d = 1, double low = -1, double high = 1,
                    Input::Kind kind = Input::numbers) {
    all.push_back({ggml_new_tensor_4d(context, type, a, b, c, d), type, low, high, kind});
    return all.back().tensor;
  }
  /// Whole numbers: 0, 1, 2, ... below `most`, again and again.
  Tensor counted(int type, std::int64_t a, std::int64_t b, double most) {
    return (*this)(type, a, b, 1, 1, 0, most, Input::counted);
  }
  Context context;
  std::vector<Input> all;
};

struct Case {
  std::string name;
  std::function<Tensor(Inputs&)> make;
};

std::vector<Case> all_cases();

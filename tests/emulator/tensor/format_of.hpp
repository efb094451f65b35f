// SPDX-License-Identifier: MIT
// The format of a tensor type's patterns, for tests that draw operands; nullptr for integers, b1
// and f64, whose patterns are drawn as they are.
#pragma once

#include "emulator/tensor/tensor.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {

inline const numeric::Format* format_of(TensorType type) {
  switch (type) {
    case TensorType::f16:
      return &numeric::kF16;
    case TensorType::bf16:
      return &numeric::kBf16;
    case TensorType::tf32:
      return &numeric::kTf32;
    case TensorType::e4m3:
      return &numeric::kE4m3;
    case TensorType::e5m2:
      return &numeric::kE5m2;
    case TensorType::f32:
      return &numeric::kF32;
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator

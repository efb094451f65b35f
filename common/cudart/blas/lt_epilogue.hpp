// SPDX-License-Identifier: MIT
// The epilogues of cublasLt.h (CUDA 13.0), as this runtime has them.
#pragma once

#include <cstdint>
#include <optional>

#include "cudart/blas/epilogue.hpp"

namespace lanescope::cudart {

/// Nothing where the header has no such epilogue.
inline std::optional<EpilogueForm> form_of(std::uint32_t epilogue) {
  constexpr std::uint32_t kDefault = 1, kRelu = 2, kBias = 4, kRelusGradient = 8, kSumsRows = 16,
                          kGelu = 32, kGelusGradient = 64, kAuxiliary = 128, kOfA = 256, kOfB = 512;
  EpilogueForm form;
  switch (epilogue) {
    case kDefault:
      return form;
    case kOfA:
      form.gradient = BiasGradient::rows_of_a;
      return form;
    case kOfB:
      form.gradient = BiasGradient::columns_of_b;
      return form;
  }
  form.is_backward = (epilogue & (kRelusGradient | kGelusGradient)) != 0;
  const bool is_kept = (epilogue & kAuxiliary) != 0;
  form.keeps = is_kept && !form.is_backward;
  const std::uint32_t beside = form.is_backward ? kSumsRows : kBias;
  if ((epilogue & beside) != 0) {
    form.adds_bias = !form.is_backward;
    if (form.is_backward) form.gradient = BiasGradient::rows_of_d;
  }
  switch (epilogue & ~beside & ~kAuxiliary) {
    case 0:
      return is_kept ? std::nullopt : std::optional(form);
    case kRelu:
    case kRelusGradient:
      form.activation = Activation::relu;
      break;
    case kGelu:
    case kGelusGradient:
      form.activation = Activation::gelu;
      break;
    default:
      return std::nullopt;
  }
  return form.is_backward && !is_kept ? std::nullopt : std::optional(form);
}

}  // namespace lanescope::cudart

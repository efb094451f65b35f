// SPDX-License-Identifier: MIT
// What cublasLt refuses, and this stand-in for it.
#include "cudart/blas/lt_asked.hpp"

#include <optional>
#include <string>
#include <utility>

#include "cudart/blas/given.hpp"
#include "cudart/blas/lt_epilogue.hpp"

namespace lanescope::cudart {

namespace {

cublasStatus refuse(const std::string& what) {
  say_of_blas(kMatmul, (what + " not in the stand-in for cublasLt (see docs/runtime.md)").c_str());
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus refuse_lt_types() {
  return refuse(
      "its types are (A and B both f16, bf16, f32, f64 or s8, or of e4m3 and e5m2 each, are; bias "
      "and activations of sums in f32)");
}

/// cublasLt's types are those of cuBLAS and two more.
std::optional<Element> lt_element_of(int type) {
  constexpr int kE4m3 = 28, kE5m2 = 29;
  if (type == kE4m3) return Element::e4m3;
  if (type == kE5m2) return Element::e5m2;
  return element_of(type);
}

/// Fills in the types; false where there is one that nobody multiplies.
bool read_types(Asked& asked) {
  const auto known = [](std::int32_t type, Element& to) {
    const std::optional<Element> found = lt_element_of(type);
    if (found) to = *found;
    return found && !is_complex(*found);
  };
  const auto of = [](const LtLayout& layout) { return static_cast<std::int32_t>(layout.type); };
  if (!known(of(asked.a), asked.type_a) || !known(of(asked.b), asked.type_b) ||
      !known(of(asked.c), asked.type_c) || !known(of(asked.d), asked.type_d) ||
      !known(asked.product.scale, asked.scale) || !scale_of(asked.product.compute))
    return false;
  const bool is_half = asked.type_d == Element::f16 || asked.type_d == Element::bf16;
  asked.bias_type = is_8_bits(asked.type_a) && !is_half ? Element::bf16 : asked.type_d;
  return asked.product.bias_type < 0 || known(asked.product.bias_type, asked.bias_type);
}

/// What an H200 refuses of 8 bits, too: A has to be turned and B not, in columns, one of them has
/// to be e4m3, C has to have more than 8 bits, and every line to begin at a multiple of 16 bytes.
cublasStatus look_at_8_bits(const Asked& asked) {
  constexpr int kLine = 16;
  bool is_aligned = true;
  for (const auto& [layout, type] :
       {std::pair{&asked.a, asked.type_a}, std::pair{&asked.b, asked.type_b},
        std::pair{&asked.c, asked.type_c}, std::pair{&asked.d, asked.type_d}})
    is_aligned = is_aligned && layout->order == 0 && layout->lead * bytes_of(type) % kLine == 0;
  if (is_8_bits(asked.type_c)) {
    say_of_blas(kMatmul, "of e4m3 and e5m2 a card's cublasLt has a C of f16, bf16 or f32");
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  if (is_aligned && asked.product.op_a != 0 && asked.product.op_b == 0 &&
      (asked.type_a == Element::e4m3 || asked.type_b == Element::e4m3))
    return CUBLAS_STATUS_SUCCESS;
  say_of_blas(kMatmul,
              "of e4m3 and e5m2 a card's cublasLt multiplies a turned A by a B that is not, in "
              "columns that begin at multiples of 16 bytes, one of the two e4m3");
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

/// What is kept for the way back lies in whole 16 bytes; gradients of biases a card has of what
/// lies along k in memory alone.
cublasStatus look_at_training(const Asked& asked) {
  const LtProduct& product = asked.product;
  const EpilogueForm& form = asked.form;
  if (is_8_bits(asked.type_a) && (form.has_kept() || form.gradient != BiasGradient::none))
    return refuse("epilogue " + std::to_string(product.epilogue) + " of 8 bits is");
  if ((form.gradient == BiasGradient::rows_of_a && product.op_a != 0) ||
      (form.gradient == BiasGradient::columns_of_b && product.op_b == 0)) {
    say_of_blas(kMatmul,
                "a card's cublasLt sums rows of an A that is not turned, and columns of a B that "
                "is");
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  if (!form.has_kept()) return CUBLAS_STATUS_SUCCESS;
  const std::int64_t whole = form.activation == Activation::relu ? 128 : 8;
  const bool is_right = product.kept_lead >= asked.m() && product.kept_lead % whole == 0 &&
                        product.kept_apart % whole == 0;
  if (is_right && product.kept != nullptr) return CUBLAS_STATUS_SUCCESS;
  say_of_blas(kMatmul, ("epilogue " + std::to_string(product.epilogue) +
                        " needs EPILOGUE_AUX_POINTER, and EPILOGUE_AUX_LD as many as D has rows, a "
                        "multiple of " +
                        std::to_string(whole))
                           .c_str());
  return CUBLAS_STATUS_INVALID_VALUE;
}

/// What is behind the product: only sums in f32, and columns, have a bias or an activation here.
cublasStatus look_at_epilogue(Asked& asked) {
  const LtProduct& product = asked.product;
  const std::optional<EpilogueForm> form = form_of(product.epilogue);
  if (!form) return refuse("epilogue " + std::to_string(product.epilogue) + " is");
  asked.form = *form;
  if (product.bias != nullptr && !form->names_bias()) {  // as an H200 has it
    say_of_blas(kMatmul, ("epilogue " + std::to_string(product.epilogue) +
                          " has no bias: BIAS_POINTER must be null")
                             .c_str());
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (form->activation == Activation::none && !form->names_bias()) return CUBLAS_STATUS_SUCCESS;
  if (asked.scale != Element::f32) return refuse_lt_types();
  if (asked.d.order != 0) return refuse("an epilogue of a D in rows is");
  const bool is_bias_right = asked.bias_type == asked.type_d || is_8_bits(asked.type_a);
  if (!is_bias_right) return CUBLAS_STATUS_INVALID_VALUE;
  return look_at_training(asked);
}

bool is_right(const Asked& asked) {
  const bool turns_b = asked.product.op_b != 0;
  const auto depth = static_cast<std::uint64_t>(asked.k());
  const auto op_is_right = [](int op) { return op >= 0 && op <= 2; };
  return op_is_right(asked.product.op_a) && op_is_right(asked.product.op_b) &&
         asked.product.op_c == 0 && asked.a.count == asked.d.count &&
         asked.b.count == asked.d.count && asked.c.count == asked.d.count && asked.d.count >= 1 &&
         (asked.product.op_a == 0 ? asked.a.rows : asked.a.cols) == asked.d.rows &&
         (turns_b ? asked.b.rows : asked.b.cols) == asked.d.cols &&
         (turns_b ? asked.b.cols : asked.b.rows) == depth && asked.c.rows == asked.d.rows &&
         asked.c.cols == asked.d.cols;
}

}  // namespace

Product without_data(const Asked& asked) {
  Product made;
  made.m = asked.m();
  made.n = asked.n();
  made.k = asked.k();
  made.A.element = asked.type_a;
  made.B.element = asked.type_b;
  made.scale = asked.scale;
  made.allows_tf32 = asked.product.compute == kFastTf32;
  made.arch = card_arch();
  made.epilogue.form = asked.form;
  return made;
}

cublasStatus look_at(Asked& asked) {
  if (!is_right(asked)) return CUBLAS_STATUS_INVALID_VALUE;
  if (!read_types(asked) || !is_multiplied(without_data(asked))) return refuse_lt_types();
  for (const LtLayout* layout : {&asked.a, &asked.b, &asked.c, &asked.d})
    if (layout->order != 0 && layout->order != 1)
      return refuse("order " + std::to_string(layout->order) + " of a matrix is");
  if (asked.product.pointer_mode != 0 && asked.product.pointer_mode != 1)
    return refuse("pointer mode " + std::to_string(asked.product.pointer_mode) + " is");
  for (const std::int32_t mode : asked.product.factor_modes)
    if (mode != 0) return refuse("scales of parts of a matrix are");
  if (asked.product.largest_of_d && !is_8_bits(asked.type_d)) {
    say_of_blas(kMatmul, "AMAX_D_POINTER is for a D of e4m3 or e5m2");
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (is_8_bits(asked.type_a))
    if (const cublasStatus status = look_at_8_bits(asked); status != CUBLAS_STATUS_SUCCESS)
      return status;
  return look_at_epilogue(asked);
}

cublasStatus look_at_product(const LtProduct& product, const LtLayout& a, const LtLayout& b,
                             const LtLayout& c, const LtLayout& d) {
  Asked asked{product, a, b, c, d};
  return look_at(asked);
}

}  // namespace lanescope::cudart

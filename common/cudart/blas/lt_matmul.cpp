// SPDX-License-Identifier: MIT
// cublasLt's handles and its product. There is one way to multiply (lt_ways.cpp), and it asks
// for no workspace.
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cudart/api/api.hpp"
#include "cudart/blas/given.hpp"
#include "cudart/blas/lt.hpp"
#include "cudart/blas/lt_epilogue.hpp"

namespace lanescope::cudart {

namespace {

constexpr const char* kMatmul = "cublasLtMatmul";

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

/// A matrix whose rows lie one behind the other is one in columns, turned.
Given given(const LtLayout& layout, Element element, int op, const void* data) {
  const auto rows = static_cast<std::int64_t>(layout.rows);
  const auto cols = static_cast<std::int64_t>(layout.cols);
  const bool in_columns = layout.order == 0;
  const int turned = (op != 0) == in_columns ? 1 : 0;
  return {data,        element,     turned, in_columns ? rows : cols, in_columns ? cols : rows,
          layout.lead, layout.apart};
}

/// One call's words, with what they say as the products have it.
struct Asked {
  const LtProduct& product;
  const LtLayout &a, &b, &c, &d;
  Element type_a{}, type_b{}, type_c{}, type_d{}, scale{}, bias_type{};
  EpilogueForm form{};

  std::int64_t m() const { return static_cast<std::int64_t>(d.rows); }
  std::int64_t n() const { return static_cast<std::int64_t>(d.cols); }
  std::int64_t k() const { return static_cast<std::int64_t>(product.op_a == 0 ? a.cols : a.rows); }
};

bool is_8_bits(Element element) { return element == Element::e4m3 || element == Element::e5m2; }

/// Fills in the types; false where there is one that nobody multiplies.
bool read_types(Asked& asked) {
  const auto known = [](std::int32_t type, Element& to) {
    const std::optional<Element> found = lt_element_of(type);
    if (found) to = *found;
    return found.has_value();
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
/// to be e4m3, and every line has to begin at a multiple of 16 bytes.
cublasStatus look_at_8_bits(const Asked& asked) {
  constexpr int kLine = 16;
  bool is_aligned = true;
  for (const auto& [layout, type] :
       {std::pair{&asked.a, asked.type_a}, std::pair{&asked.b, asked.type_b},
        std::pair{&asked.c, asked.type_c}, std::pair{&asked.d, asked.type_d}})
    is_aligned = is_aligned && layout->order == 0 && layout->lead * bytes_of(type) % kLine == 0;
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

/// The product as numbers, without addresses.
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

/// Whether there is such a product, in words of ours where there is not.
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
  if (is_8_bits(asked.type_a))
    if (const cublasStatus status = look_at_8_bits(asked); status != CUBLAS_STATUS_SUCCESS)
      return status;
  return look_at_epilogue(asked);
}

/// The factor of a matrix of 8-bit numbers; of others the header has none.
float factor(const LtProduct& product, int which, Element element) {
  const void* at = product.factors[which];
  const bool is_read = at && is_8_bits(element);
  return is_read ? static_cast<float>(read_element(Element::f32, at)) : 1.0f;
}

struct Addresses {
  const void *alpha, *A, *B, *beta, *C;
  void* D;
};

const void* nth(const Given& matrix, std::int64_t index) {
  return static_cast<const std::byte*>(matrix.data) +
         index * matrix.apart * bytes_of(matrix.element);
}

/// The bias of the nth product, and what it keeps for the way back or has kept.
cublasStatus find_epilogue(const Asked& asked, std::int64_t index, Epilogue& to) {
  const LtProduct& said = asked.product;
  const auto find = [&](const char* name, const Given& lies, void*& data) {
    if (lies.data == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    data = matrix_of(lies, nth(lies, index)).data;
    return is_there(kMatmul, name, lies, data) ? CUBLAS_STATUS_SUCCESS
                                               : CUBLAS_STATUS_EXECUTION_FAILED;
  };
  cublasStatus status = CUBLAS_STATUS_SUCCESS;
  to.bias_element = asked.bias_type;
  to.kept_element = asked.type_d;
  to.kept_lead = said.kept_lead;
  if (asked.form.names_bias()) {
    const bool is_of_b = asked.form.gradient == BiasGradient::columns_of_b;
    const std::int64_t count = is_of_b ? asked.n() : asked.m();
    status = find("the bias", {said.bias, asked.bias_type, 0, count, 1, count, said.biases_apart},
                  to.bias);
  }
  if (status != CUBLAS_STATUS_SUCCESS || !asked.form.has_kept()) return status;
  if (asked.form.activation == Activation::gelu)
    return find("the auxiliary matrix",
                {said.kept, asked.type_d, 0, asked.m(), asked.n(), said.kept_lead, said.kept_apart},
                to.kept);
  return find("the mask",
              {said.kept, Element::s8, 0, (asked.m() + 7) / 8, asked.n(), said.kept_lead / 8,
               said.kept_apart / 8},
              to.kept);
}

cublasStatus multiply_in_turn(const Asked& asked, const Addresses& at, cudaStream_t stream) {
  const LtProduct& said = asked.product;
  const Given A = given(asked.a, asked.type_a, said.op_a, at.A);
  const Given B = given(asked.b, asked.type_b, said.op_b, at.B);
  const Given C = given(asked.c, asked.type_c, 0, at.C), D = given(asked.d, asked.type_d, 0, at.D);
  if (!is_valid(A) || !is_valid(B) || !is_valid(C) || !is_valid(D))
    return CUBLAS_STATUS_INVALID_VALUE;
  Product product = without_data(asked);
  product.alpha = read_element(asked.scale, at.alpha) * double{factor(said, 0, asked.type_a)} *
                  double{factor(said, 1, asked.type_b)};
  product.beta = read_element(asked.scale, at.beta) * double{factor(said, 2, asked.type_c)};
  product.epilogue.factor = factor(said, 3, asked.type_d);
  auto products = std::make_unique<std::vector<Product>>();
  for (std::int64_t index = 0; index < asked.d.count; ++index) {
    const auto is_wrong = [&](const char* name, const Given& matrix, Matrix& to) {
      to = matrix_of(matrix, nth(matrix, index));
      return !is_there(kMatmul, name, matrix, to.data);
    };
    product.D.emplace();
    if (is_wrong("A", A, product.A) || is_wrong("B", B, product.B) ||
        (product.beta != 0 && is_wrong("C", C, product.C)) || is_wrong("D", D, *product.D))
      return CUBLAS_STATUS_EXECUTION_FAILED;
    if (const cublasStatus status = find_epilogue(asked, index, product.epilogue);
        status != CUBLAS_STATUS_SUCCESS)
      return status;
    products->push_back(product);
  }
  return in_turn(stream, std::move(products));
}

}  // namespace

cublasStatus look_at_product(const LtProduct& product, const LtLayout& a, const LtLayout& b,
                             const LtLayout& c, const LtLayout& d) {
  Asked asked{product, a, b, c, d};
  return look_at(asked);
}

LANESCOPE_API cublasStatus cublasLtCreate(void** handle) {
  static std::atomic<bool> said{false};
  static int kHandle = 0;  // it remembers nothing: one is as good as another
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  if (cudaFree(nullptr) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!said.exchange(true))
    say_of_blas("cublasLtCreate",
                "a stand-in answers: sums along k as a plain kernel has them; a card's cublasLt "
                "may have other bits (docs/runtime.md)");
  *handle = &kHandle;
  return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_API cublasStatus cublasLtDestroy(void* handle) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

LANESCOPE_API cublasStatus cublasLtMatmul(void* handle, const LtProduct* product, const void* alpha,
                                          const void* A, const LtLayout* a, const void* B,
                                          const LtLayout* b, const void* beta, const void* C,
                                          const LtLayout* c, void* D, const LtLayout* d,
                                          const void*, void*, std::size_t, cudaStream_t stream) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!product || !alpha || !beta || !a || !b || !d) return CUBLAS_STATUS_INVALID_VALUE;
  Asked asked{*product, *a, *b, c ? *c : *d, *d};  // nobody needs C where beta is 0
  if (const cublasStatus status = look_at(asked); status != CUBLAS_STATUS_SUCCESS) return status;
  if (asked.m() == 0 || asked.n() == 0) return CUBLAS_STATUS_SUCCESS;
  return multiply_in_turn(asked, {alpha, A, B, beta, C, D}, stream);
}

LANESCOPE_API std::size_t cublasLtGetVersion() { return kBlasVersion; }

LANESCOPE_API std::size_t cublasLtGetCudartVersion() { return kRuntimeVersion; }

LANESCOPE_API cublasStatus cublasLtGetProperty(int which, int* value) {
  return blas_property(which, value);
}

LANESCOPE_API const char* cublasLtGetStatusName(int status) { return status_name(status); }

LANESCOPE_API const char* cublasLtGetStatusString(int status) { return status_text(status); }

#define LANESCOPE_UNSUPPORTED(name)       \
  LANESCOPE_API cublasStatus name() {     \
    static std::atomic<bool> said{false}; \
    return not_supported(#name, said);    \
  }
#include "cudart/blas/unsupported_lt.inc"
#undef LANESCOPE_UNSUPPORTED

}  // namespace lanescope::cudart

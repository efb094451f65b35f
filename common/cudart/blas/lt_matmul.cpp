// SPDX-License-Identifier: MIT
// cublasLt's handles and its product, of what lt_asked.cpp has found to be possible. There is one
// way to multiply (lt_ways.cpp), and it asks for no workspace.
#include <array>
#include <atomic>
#include <utility>
#include <vector>

#include "cudart/api/api.hpp"
#include "cudart/blas/given.hpp"
#include "cudart/blas/lt.hpp"
#include "cudart/blas/lt_asked.hpp"

namespace lanescope::cudart {

namespace {

/// A matrix whose rows lie one behind the other is one in columns, turned.
Given given(const LtLayout& layout, Element element, int op, const void* data) {
  const auto rows = static_cast<std::int64_t>(layout.rows);
  const auto cols = static_cast<std::int64_t>(layout.cols);
  const bool in_columns = layout.order == 0;
  const int turned = (op != 0) == in_columns ? 1 : 0;
  return {data,        element,     turned, in_columns ? rows : cols, in_columns ? cols : rows,
          layout.lead, layout.apart};
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
cublasStatus find_epilogue(const Asked& asked, std::int64_t index, Epilogue& to,
                           std::vector<Named>& needs) {
  const LtProduct& said = asked.product;
  const auto find = [&](const char* name, const Given& lies, void*& data) {
    if (lies.data == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    data = matrix_of(lies, nth(lies, index)).data;
    needs.push_back({name, lies});
    needs.back().given.data = data;
    return CUBLAS_STATUS_SUCCESS;
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

/// The numbers that a product is multiplied with: of the host's those of the call's time, of the
/// card's, as all factors of 8-bit matrices are, those of its turn.
class Factors {
 public:
  Factors(const Asked& asked, const Addresses& at)
      : scale_(asked.scale), alpha_(at.alpha), beta_(at.beta) {
    const Element types[] = {asked.type_a, asked.type_b, asked.type_c, asked.type_d};
    for (std::size_t which = 0; which < 4; ++which)  // of other matrices the header has none
      if (is_8_bits(types[which])) of_matrices_[which] = asked.product.factors[which];
    if (asked.product.pointer_mode == 0) {
      hosts_ = {read_element(scale_, alpha_), read_element(scale_, beta_)};
      alpha_ = beta_ = nullptr;
    }
  }

  std::vector<Named> needs() const {
    std::vector<Named> all;
    const auto add = [&](const char* name, Element element, const void* at) {
      if (at) all.push_back({name, {at, element, 0, 1, 1, 1}});
    };
    add("alpha", scale_, alpha_);
    add("beta", scale_, beta_);
    constexpr const char* kScales[] = {"the scale of A", "the scale of B", "the scale of C",
                                       "the scale of D"};
    for (std::size_t which = 0; which < 4; ++which)
      add(kScales[which], Element::f32, of_matrices_[which]);
    return all;
  }

  /// Whether C may be read: the card's beta is not known before its turn.
  bool may_need_c() const { return beta_ || hosts_[1] != 0; }

  void read(Product& product) const {
    const auto of_matrix = [&](std::size_t which) {
      return of_matrices_[which] ? read_element(Element::f32, of_matrices_[which]) : 1;
    };
    product.alpha =
        (alpha_ ? read_element(scale_, alpha_) : hosts_[0]) * of_matrix(0) * of_matrix(1);
    product.beta = (beta_ ? read_element(scale_, beta_) : hosts_[1]) * of_matrix(2);
    product.epilogue.factor = static_cast<float>(of_matrix(3));
  }

 private:
  Element scale_;
  const void *alpha_, *beta_;
  std::array<double, 2> hosts_{};
  std::array<const void*, 4> of_matrices_{};
};

cublasStatus multiply_in_turn(const Asked& asked, const Addresses& at, cudaStream_t stream) {
  const LtProduct& said = asked.product;
  const Given A = given(asked.a, asked.type_a, said.op_a, at.A);
  const Given B = given(asked.b, asked.type_b, said.op_b, at.B);
  const Given C = given(asked.c, asked.type_c, 0, at.C), D = given(asked.d, asked.type_d, 0, at.D);
  if (!is_valid(A) || !is_valid(B) || !is_valid(C) || !is_valid(D))
    return CUBLAS_STATUS_INVALID_VALUE;
  const Factors factors(asked, at);
  std::vector<Named> needs = factors.needs();
  Product product = without_data(asked);
  auto* const largest = static_cast<float*>(said.largest_of_d);
  product.epilogue.largest = largest;
  if (largest) needs.push_back({"the largest of D", {largest, Element::f32, 0, 1, 1, 1}});
  std::vector<Product> products;
  for (std::int64_t index = 0; index < asked.d.count; ++index) {
    const auto take = [&](const char* name, const Given& matrix, Matrix& to, bool is_needed) {
      to = matrix_of(matrix, nth(matrix, index));
      if (!is_needed) return;
      needs.push_back({name, matrix});
      needs.back().given.data = to.data;
    };
    product.D.emplace();
    take("A", A, product.A, true);
    take("B", B, product.B, true);
    take("C", C, product.C, factors.may_need_c());
    take("D", D, *product.D, true);
    if (const cublasStatus status = find_epilogue(asked, index, product.epilogue, needs);
        status != CUBLAS_STATUS_SUCCESS)
      return status;
    products.push_back(product);
  }
  return in_turn(kMatmul, stream, std::move(needs),
                 [products = std::move(products), factors, largest]() mutable {
                   if (largest) *largest = 0;
                   for (Product& one : products) {
                     factors.read(one);
                     multiply(one);
                   }
                 });
}

}  // namespace

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

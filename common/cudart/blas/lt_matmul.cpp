// SPDX-License-Identifier: MIT
// cublasLt's handles and its product, of what lt_asked.cpp has found to be possible. There is one
// way to multiply (lt_ways.cpp), and it asks for no workspace.
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
  std::vector<Product> products;
  for (std::int64_t index = 0; index < asked.d.count; ++index) {
    const auto is_wrong = [&](const char* name, const Given& matrix, Matrix& to) {
      to = matrix_of(matrix, nth(matrix, index));
      return !is_there(kMatmul, name, matrix, to.data);
    };
    product.D.emplace();
    if (is_wrong("A", A, product.A) || is_wrong("B", B, product.B) ||
        (product.beta != 0.0 && is_wrong("C", C, product.C)) || is_wrong("D", D, *product.D))
      return CUBLAS_STATUS_EXECUTION_FAILED;
    if (const cublasStatus status = find_epilogue(asked, index, product.epilogue);
        status != CUBLAS_STATUS_SUCCESS)
      return status;
    products.push_back(product);
  }
  return in_turn(stream, [products = std::move(products)] {
    for (const Product& one : products) multiply(one);
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

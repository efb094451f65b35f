// SPDX-License-Identifier: MIT
// cuBLAS's functions of matrices beside products: sums element by element, lines scaled, outer
// products, and triangles, which equations are solved with or which are all that is wanted.
#include <utility>
#include <vector>

#include "cudart/api/api.hpp"
#include "cudart/blas/blas_call.hpp"
#include "cudart/blas/triangle.hpp"
#include "cudart/blas/vectors.hpp"

namespace lanescope::cudart {

namespace {

cublasStatus geam(const char* function, cublasHandle_t handle, int op_a, int op_b, int m, int n,
                  const void* alpha, const void* A, int lda, const void* beta, const void* B,
                  int ldb, void* C, int ldc, Element type) {
  const Blas* blas = find_blas(handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  const Given a = turned(A, type, op_a, m, n, lda), b = turned(B, type, op_b, m, n, ldb),
              c = turned(C, type, 0, m, n, ldc);
  // In place only as it lies: elsewhere one element would be read after it was written.
  const bool overlaps =
      (C == A && (op_a != 0 || lda != ldc)) || (C == B && (op_b != 0 || ldb != ldc));
  if (m < 0 || n < 0 || !is_valid(a) || !is_valid(b) || !is_valid(c) || overlaps || !alpha || !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const Asker asker{function, blas, type};
  std::vector<Named> needs{{"C", c}};
  if (!is_where_mode_says(asker, "alpha", type, alpha, needs) ||
      !is_where_mode_says(asker, "beta", type, beta, needs))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  const Factor by_a(asker, type, alpha), by_b(asker, type, beta);
  needs.push_back(by_a.of("A", a));
  needs.push_back(by_b.of("B", b));
  Combination work{m, n, 1, 1, matrix_of(a), matrix_of(b), matrix_of(c), type};
  return in_turn(asker, std::move(needs), [=]() mutable {
    work.alpha = by_a.value();
    work.beta = by_b.value();
    combine(work);
  });
}

cublasStatus dgmm(const char* function, cublasHandle_t handle, int side, int m, int n,
                  const void* A, int lda, const void* x, int x_step, void* C, int ldc,
                  Element type) {
  const Blas* blas = find_blas(handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  const Given a = turned(A, type, 0, m, n, lda), c = turned(C, type, 0, m, n, ldc);
  const bool is_left = side == 0;  // CUBLAS_SIDE_LEFT
  if (side < 0 || side > 1 || m < 0 || n < 0 || !is_valid(a) || !is_valid(c))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const Given by = vector(x, type, is_left ? m : n, x_step);
  return in_turn({function, blas, type}, {{"A", a}, {"x", by}, {"C", c}},
                 [=, a = matrix_of(a), x = matrix_of(by), c = matrix_of(c)] {
                   scale_lines(m, n, is_left, a, x, c, type);
                 });
}

cublasStatus ger(const char* function, cublasHandle_t handle, int m, int n, const void* alpha,
                 const void* x, int x_step, const void* y, int y_step, void* A, int lda,
                 Element type, bool conjugates) {
  const Blas* blas = find_blas(handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  const Given to = turned(A, type, 0, m, n, lda);
  if (m < 0 || n < 0 || x_step == 0 || y_step == 0 || !is_valid(to) || !alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const Given rows = vector(x, type, m, x_step);
  Given cols = vector(y, type, n, y_step);
  cols.conjugates = conjugates;
  const Asker asker{function, blas, type};
  std::vector<Named> needs;
  if (!is_where_mode_says(asker, "alpha", type, alpha, needs))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  const Factor by(asker, type, alpha);
  for (const Named& named : {Named{"x", rows}, Named{"y", cols}, Named{"A", to}})
    needs.push_back(by.of(named.name, named.given));
  return in_turn(asker, needs, [=, x = matrix_of(rows), y = matrix_of(cols), a = matrix_of(to)] {
    if (by.reads()) add_outer(m, n, by.value(), x, y, a, type);
  });
}

/// cublasSideMode_t, cublasFillMode_t, cublasOperation_t and cublasDiagType_t of a triangular A.
struct Triangular {
  int side, fill, op, diagonal;

  bool is_left() const { return side == 0; }
  bool is_valid() const {
    return side >= 0 && side <= 1 && fill >= 0 && fill <= 1 && op >= 0 && op <= 2 &&
           diagonal >= 0 && diagonal <= 1;
  }
  /// X op(A) = B is op(A)' X' = B'.
  Triangle of(std::int64_t size, const Matrix& A) const {
    const Triangle given{size, A, (fill == 1) == (op == 0), diagonal == 1};
    return is_left() ? given : transposed(given);
  }
};

/// One system of equations, or, where A and B are lists of addresses, so many.
cublasStatus trsm(const char* function, cublasHandle_t handle, const Triangular& form, int m, int n,
                  const void* alpha, const void* A, int lda, void* B, int ldb, Element type,
                  int count = -1) {
  const Blas* blas = find_blas(handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool by_list = count >= 0;
  const std::int64_t size = form.is_left() ? m : n, systems = by_list ? count : 1;
  const Given a = turned(A, type, form.op, size, size, lda), b = turned(B, type, 0, m, n, ldb);
  if (!form.is_valid() || m < 0 || n < 0 || count < -1 || !is_valid(a) || !is_valid(b) || !alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0 || systems == 0) return CUBLAS_STATUS_SUCCESS;
  const Asker asker{function, blas, type};
  const auto list = [&](const void* data) { return Given{data, Element::f64, 0, 1, systems, 1}; };
  std::vector<Named> needs{{"A", a}, {"B", b}};
  if (by_list) needs = {{"the list of A", list(A)}, {"the list of B", list(B)}};
  if (!is_where_mode_says(asker, "alpha", type, alpha, needs))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return in_turn(asker, needs, [=, by = Factor(asker, type, alpha)] {
    for (std::int64_t index = 0; index < systems; ++index) {
      Given triangle = a, unknown = b;
      if (by_list) triangle.data = static_cast<const void* const*>(A)[index];
      if (by_list) unknown.data = static_cast<void* const*>(B)[index];
      if (by_list && !are_there(function, {{"A", triangle}, {"B", unknown}})) return;
      const Matrix X = matrix_of(unknown);
      solve(form.of(size, matrix_of(triangle)), by.value(), form.is_left() ? n : m,
            form.is_left() ? X : transposed(X), type);
    }
  });
}

/// A triangle of C = alpha op(A) op(A)' + beta C.
cublasStatus syrk(const char* function, cublasHandle_t handle, int fill, int op, int n, int k,
                  const void* alpha, const void* A, int lda, const void* beta, void* C, int ldc,
                  Element type) {
  const Blas* blas = find_blas(handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  const Given a = turned(A, type, op, n, k, lda), c = turned(C, type, 0, n, n, ldc);
  if (fill < 0 || fill > 1 || n < 0 || k < 0 || !is_valid(a) || !is_valid(c) || !alpha || !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const Asker asker{function, blas, type};
  std::vector<Named> needs{{"A", a}, {"C", c}};
  if (!is_where_mode_says(asker, "alpha", type, alpha, needs) ||
      !is_where_mode_says(asker, "beta", type, beta, needs))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  const Factor by(asker, type, alpha), by_c(asker, type, beta);
  Product product;
  product.m = product.n = n;
  product.k = k;
  product.A = matrix_of(a);
  product.B = transposed(product.A);
  product.C = matrix_of(c);
  product.scale = type;
  return in_turn(asker, needs, [=]() mutable {
    product.alpha = by.value();
    product.beta = by_c.value();
    multiply_triangle(product, fill == 1);
  });
}

}  // namespace

// The header's numbers are addresses here: what they are of `type` says.
#define LANESCOPE_OF_TYPE(letter, type)                                                            \
  LANESCOPE_API cublasStatus cublas##letter##geam(                                                 \
      cublasHandle_t handle, int op_a, int op_b, int m, int n, const void* alpha, const void* A,   \
      int lda, const void* beta, const void* B, int ldb, void* C, int ldc) {                       \
    return geam("cublas" #letter "geam", handle, op_a, op_b, m, n, alpha, A, lda, beta, B, ldb, C, \
                ldc, type);                                                                        \
  }                                                                                                \
  LANESCOPE_API cublasStatus cublas##letter##dgmm(cublasHandle_t handle, int side, int m, int n,   \
                                                  const void* A, int lda, const void* x,           \
                                                  int x_step, void* C, int ldc) {                  \
    return dgmm("cublas" #letter "dgmm", handle, side, m, n, A, lda, x, x_step, C, ldc, type);     \
  }                                                                                                \
  LANESCOPE_API cublasStatus cublas##letter##trsm_v2(                                              \
      cublasHandle_t handle, int side, int fill, int op, int diagonal, int m, int n,               \
      const void* alpha, const void* A, int lda, void* B, int ldb) {                               \
    return trsm("cublas" #letter "trsm", handle, {side, fill, op, diagonal}, m, n, alpha, A, lda,  \
                B, ldb, type);                                                                     \
  }                                                                                                \
  LANESCOPE_API cublasStatus cublas##letter##trsmBatched(                                          \
      cublasHandle_t handle, int side, int fill, int op, int diagonal, int m, int n,               \
      const void* alpha, const void* const* A, int lda, void* const* B, int ldb, int count) {      \
    if (count < 0) return CUBLAS_STATUS_INVALID_VALUE;                                             \
    return trsm("cublas" #letter "trsmBatched", handle, {side, fill, op, diagonal}, m, n, alpha,   \
                A, lda, const_cast<void**>(B), ldb, type, count);                                  \
  }                                                                                                \
  LANESCOPE_API cublasStatus cublas##letter##syrk_v2(                                              \
      cublasHandle_t handle, int fill, int op, int n, int k, const void* alpha, const void* A,     \
      int lda, const void* beta, void* C, int ldc) {                                               \
    return syrk("cublas" #letter "syrk", handle, fill, op, n, k, alpha, A, lda, beta, C, ldc,      \
                type);                                                                             \
  }
LANESCOPE_OF_TYPE(S, Element::f32)
LANESCOPE_OF_TYPE(D, Element::f64)
LANESCOPE_OF_TYPE(C, Element::c32)
LANESCOPE_OF_TYPE(Z, Element::c64)
#undef LANESCOPE_OF_TYPE

#define LANESCOPE_GER(name, type, conjugates)                                                 \
  LANESCOPE_API cublasStatus cublas##name##_v2(cublasHandle_t handle, int m, int n,           \
                                               const void* alpha, const void* x, int x_step,  \
                                               const void* y, int y_step, void* A, int lda) { \
    return ger("cublas" #name, handle, m, n, alpha, x, x_step, y, y_step, A, lda, type,       \
               conjugates);                                                                   \
  }
LANESCOPE_GER(Sger, Element::f32, false)
LANESCOPE_GER(Dger, Element::f64, false)
LANESCOPE_GER(Cgeru, Element::c32, false)
LANESCOPE_GER(Cgerc, Element::c32, true)
LANESCOPE_GER(Zgeru, Element::c64, false)
LANESCOPE_GER(Zgerc, Element::c64, true)
#undef LANESCOPE_GER

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// The products of cuBLAS: gemm in f32, f64, f16 and complex numbers, gemmEx of types of one's
// choice, many at a time, and a matrix times a vector.
#include <optional>

#include "cudart/api/api.hpp"
#include "cudart/blas/blas_call.hpp"

namespace lanescope::cudart {

namespace {

cublasStatus gemm(const char* function, cublasHandle_t handle, const Shapes& shapes, Element type,
                  const void* alpha, const void* A, int lda, const void* B, int ldb,
                  const void* beta, void* C, int ldc) {
  return run({function, handle, shapes.m, shapes.n, shapes.k, alpha, beta, type,
              shapes.a(A, type, lda), shapes.b(B, type, ldb), shapes.c(C, type, ldc)});
}

std::optional<Element> complex_of(Element part) {
  if (part == Element::f32) return Element::c32;
  return part == Element::f64 ? std::optional(Element::c64) : std::nullopt;
}

/// The types of a gemmEx, where the stand-in knows them.
struct Types {
  std::optional<Element> a, b, c, scale;
  bool allows_tf32;
  Types(int type_a, int type_b, int type_c, int compute)
      : a(element_of(type_a)),
        b(element_of(type_b)),
        c(element_of(type_c)),
        scale(scale_of(compute)),
        allows_tf32(compute == kFastTf32) {
    if (a && scale && is_complex(*a)) scale = complex_of(*scale);
  }
  bool are_known() const { return a && b && c && scale; }
};

/// Matrices of a gemmEx, so far apart where there are many.
struct Operand {
  const void* address;
  int lda;
  long long apart = 0;
};

cublasStatus gemm_ex(const char* function, cublasHandle_t handle, const Shapes& shapes,
                     const Types& types, const void* alpha, const Operand& A, const Operand& B,
                     const void* beta, const Operand& C, int count = 1, bool by_list = false) {
  if (!types.are_known()) return refuse_types(function);
  return run({function, handle, shapes.m, shapes.n, shapes.k, alpha, beta, *types.scale,
              shapes.a(A.address, *types.a, A.lda, A.apart),
              shapes.b(B.address, *types.b, B.lda, B.apart),
              shapes.c(C.address, *types.c, C.lda, C.apart), count, by_list, types.allows_tf32});
}

cublasStatus gemv(const char* function, cublasHandle_t handle, int op, int m, int n, Element type,
                  const void* alpha, const void* A, int lda, const void* x, int x_step,
                  const void* beta, void* y, int y_step) {
  // x' op(A)' = y', so that the steps between the vectors' elements are leading dimensions.
  const std::int64_t rows = op == 0 ? m : n, depth = op == 0 ? n : m;
  constexpr int kConjugates = 2;
  Given turned{A, type, op == 0 ? 1 : 0, m, n, lda};
  turned.conjugates = op == kConjugates;
  if (op < 0 || op > kConjugates) return CUBLAS_STATUS_INVALID_VALUE;
  Call call{function,
            handle,
            1,
            rows,
            depth,
            alpha,
            beta,
            type,
            vector(x, type, depth, x_step),
            turned,
            vector(y, type, rows, y_step)};
  call.has_vector = true;
  return run(call);
}

}  // namespace

#define LANESCOPE_GEMM(letter, Number, type)                                                       \
  LANESCOPE_API cublasStatus cublas##letter(cublasHandle_t handle, int op_a, int op_b, int m,      \
                                            int n, int k, const Number* alpha, const Number* A,    \
                                            int lda, const Number* B, int ldb, const Number* beta, \
                                            Number* C, int ldc) {                                  \
    return gemm("cublas" #letter, handle, {op_a, op_b, m, n, k}, type, alpha, A, lda, B, ldb,      \
                beta, C, ldc);                                                                     \
  }
LANESCOPE_GEMM(Sgemm_v2, float, Element::f32)
LANESCOPE_GEMM(Dgemm_v2, double, Element::f64)
LANESCOPE_GEMM(Hgemm, std::uint16_t, Element::f16)
LANESCOPE_GEMM(Cgemm_v2, void, Element::c32)
LANESCOPE_GEMM(Cgemm3m, void, Element::c32)  // a card's has other bits
LANESCOPE_GEMM(Zgemm_v2, void, Element::c64)
LANESCOPE_GEMM(Zgemm3m, void, Element::c64)
#undef LANESCOPE_GEMM

#define LANESCOPE_GEMM_STRIDED(letter, Number, type)                                            \
  LANESCOPE_API cublasStatus cublas##letter##gemmStridedBatched(                                \
      cublasHandle_t handle, int op_a, int op_b, int m, int n, int k, const Number* alpha,      \
      const Number* A, int lda, long long a_apart, const Number* B, int ldb, long long b_apart, \
      const Number* beta, Number* C, int ldc, long long c_apart, int count) {                   \
    const Shapes shapes{op_a, op_b, m, n, k};                                                   \
    return run({"cublas" #letter "gemmStridedBatched", handle, m, n, k, alpha, beta, type,      \
                shapes.a(A, type, lda, a_apart), shapes.b(B, type, ldb, b_apart),               \
                shapes.c(C, type, ldc, c_apart), count});                                       \
  }                                                                                             \
  LANESCOPE_API cublasStatus cublas##letter##gemmBatched(                                       \
      cublasHandle_t handle, int op_a, int op_b, int m, int n, int k, const Number* alpha,      \
      const Number* const A[], int lda, const Number* const B[], int ldb, const Number* beta,   \
      Number* const C[], int ldc, int count) {                                                  \
    const Shapes shapes{op_a, op_b, m, n, k};                                                   \
    return run({"cublas" #letter "gemmBatched", handle, m, n, k, alpha, beta, type,             \
                shapes.a(A, type, lda), shapes.b(B, type, ldb), shapes.c(C, type, ldc), count,  \
                true});                                                                         \
  }
LANESCOPE_GEMM_STRIDED(S, float, Element::f32)
LANESCOPE_GEMM_STRIDED(D, double, Element::f64)
LANESCOPE_GEMM_STRIDED(H, std::uint16_t, Element::f16)
LANESCOPE_GEMM_STRIDED(C, void, Element::c32)
LANESCOPE_GEMM_STRIDED(Z, void, Element::c64)
#undef LANESCOPE_GEMM_STRIDED

#define LANESCOPE_GEMV(letter, Number, type)                                                      \
  LANESCOPE_API cublasStatus cublas##letter##gemv_v2(                                             \
      cublasHandle_t handle, int op, int m, int n, const Number* alpha, const Number* A, int lda, \
      const Number* x, int x_step, const Number* beta, Number* y, int y_step) {                   \
    return gemv("cublas" #letter "gemv", handle, op, m, n, type, alpha, A, lda, x, x_step, beta,  \
                y, y_step);                                                                       \
  }
LANESCOPE_GEMV(S, float, Element::f32)
LANESCOPE_GEMV(D, double, Element::f64)
LANESCOPE_GEMV(C, void, Element::c32)
LANESCOPE_GEMV(Z, void, Element::c64)
#undef LANESCOPE_GEMV

LANESCOPE_API cublasStatus cublasGemmStridedBatchedEx(
    cublasHandle_t handle, int op_a, int op_b, int m, int n, int k, const void* alpha,
    const void* A, int type_a, int lda, long long a_apart, const void* B, int type_b, int ldb,
    long long b_apart, const void* beta, void* C, int type_c, int ldc, long long c_apart, int count,
    int compute, int) {
  return gemm_ex("cublasGemmStridedBatchedEx", handle, {op_a, op_b, m, n, k},
                 {type_a, type_b, type_c, compute}, alpha, {A, lda, a_apart}, {B, ldb, b_apart},
                 beta, {C, ldc, c_apart}, count);
}

LANESCOPE_API cublasStatus cublasGemmEx(cublasHandle_t handle, int op_a, int op_b, int m, int n,
                                        int k, const void* alpha, const void* A, int type_a,
                                        int lda, const void* B, int type_b, int ldb,
                                        const void* beta, void* C, int type_c, int ldc, int compute,
                                        int) {
  return gemm_ex("cublasGemmEx", handle, {op_a, op_b, m, n, k}, {type_a, type_b, type_c, compute},
                 alpha, {A, lda}, {B, ldb}, beta, {C, ldc});
}

#define LANESCOPE_GEMM_EX_IN_F32(letter)                                                        \
  LANESCOPE_API cublasStatus cublas##letter##gemmEx(                                            \
      cublasHandle_t handle, int op_a, int op_b, int m, int n, int k, const void* alpha,        \
      const void* A, int type_a, int lda, const void* B, int type_b, int ldb, const void* beta, \
      void* C, int type_c, int ldc) {                                                           \
    constexpr int kCompute32F = 68;                                                             \
    return gemm_ex("cublas" #letter "gemmEx", handle, {op_a, op_b, m, n, k},                    \
                   {type_a, type_b, type_c, kCompute32F}, alpha, {A, lda}, {B, ldb}, beta,      \
                   {C, ldc});                                                                   \
  }
LANESCOPE_GEMM_EX_IN_F32(S)
LANESCOPE_GEMM_EX_IN_F32(C)
#undef LANESCOPE_GEMM_EX_IN_F32

LANESCOPE_API cublasStatus cublasGemmBatchedEx(cublasHandle_t handle, int op_a, int op_b, int m,
                                               int n, int k, const void* alpha,
                                               const void* const A[], int type_a, int lda,
                                               const void* const B[], int type_b, int ldb,
                                               const void* beta, void* const C[], int type_c,
                                               int ldc, int count, int compute, int) {
  return gemm_ex("cublasGemmBatchedEx", handle, {op_a, op_b, m, n, k},
                 {type_a, type_b, type_c, compute}, alpha, {A, lda}, {B, ldb}, beta, {C, ldc},
                 count, true);
}

}  // namespace lanescope::cudart

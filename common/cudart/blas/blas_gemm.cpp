// SPDX-License-Identifier: MIT
// The products of cuBLAS: gemm in f32, f64 and f16, gemmEx of types of one's choice, many at a
// time, a matrix times a vector, and two vectors. Arguments are looked at in the call; the product
// has its turn in the handle's stream.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cudart/api/api.hpp"
#include "cudart/blas/blas.hpp"
#include "cudart/blas/given.hpp"

namespace lanescope::cudart {

namespace {

constexpr int kTf32Mode = 3;  // CUBLAS_TF32_TENSOR_OP_MATH

/// One call: its matrices, how many products, and, where they lie anywhere, lists of addresses.
struct Call {
  const char* function;
  cublasHandle_t handle;
  std::int64_t m, n, k;
  const void* alpha;
  const void* beta;
  Element scale;
  Given A, B, C;
  std::int64_t count = 1;
  bool by_list = false;  // A.data, B.data and C.data are lists of addresses
  bool allows_tf32 = false;
  bool waits = false;  // C is the host's own memory, and is there when the call returns
};

const void* nth(const Call& call, const Given& given, std::int64_t index) {
  if (call.by_list) return static_cast<const void* const*>(given.data)[index];
  return static_cast<const std::byte*>(given.data) + index * given.apart * bytes_of(given.element);
}

cublasStatus run(const Call& call) {
  const Blas* blas = find_blas(call.handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (call.m < 0 || call.n < 0 || call.k < 0 || call.count < 0 || !is_valid(call.A) ||
      !is_valid(call.B) || !is_valid(call.C))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (call.m == 0 || call.n == 0 || call.count == 0) return CUBLAS_STATUS_SUCCESS;
  if (!call.alpha || !call.beta) return CUBLAS_STATUS_INVALID_VALUE;
  const double alpha = read_element(call.scale, call.alpha);
  const double beta = read_element(call.scale, call.beta);
  const bool allows_tf32 = call.allows_tf32 || blas->math_mode == kTf32Mode;
  const std::string card = card_arch();
  auto products = std::make_unique<std::vector<Product>>();
  for (std::int64_t index = 0; index < call.count; ++index) {
    const std::array<const void*, 3> at{nth(call, call.A, index), nth(call, call.B, index),
                                        nth(call, call.C, index)};
    if (!is_there(call.function, "A", call.A, at[0]) ||
        !is_there(call.function, "B", call.B, at[1]) ||
        (!call.waits && !is_there(call.function, "C", call.C, at[2])))
      return CUBLAS_STATUS_EXECUTION_FAILED;
    products->push_back({call.m, call.n, call.k, alpha, beta, matrix_of(call.A, at[0]),
                         matrix_of(call.B, at[1]), matrix_of(call.C, at[2]), call.scale,
                         allows_tf32, card});
    if (!is_multiplied(products->back())) return refuse_types(call.function);
  }
  const cublasStatus status = in_turn(blas->stream, std::move(products));
  if (status == CUBLAS_STATUS_SUCCESS && call.waits &&
      cudaStreamSynchronize(blas->stream) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return status;
}

/// The three matrices of C = op(A) op(B), by what every gemm says of them.
struct Shapes {
  int op_a, op_b;
  std::int64_t m, n, k;

  Given a(const void* data, Element element, std::int64_t lead, std::int64_t apart = 0) const {
    return {data, element, op_a, op_a == 0 ? m : k, op_a == 0 ? k : m, lead, apart};
  }
  Given b(const void* data, Element element, std::int64_t lead, std::int64_t apart = 0) const {
    return {data, element, op_b, op_b == 0 ? k : n, op_b == 0 ? n : k, lead, apart};
  }
  Given c(const void* data, Element element, std::int64_t lead, std::int64_t apart = 0) const {
    return {data, element, 0, m, n, lead, apart};
  }
};

cublasStatus gemm(const char* function, cublasHandle_t handle, const Shapes& shapes, Element type,
                  const void* alpha, const void* A, int lda, const void* B, int ldb,
                  const void* beta, void* C, int ldc) {
  return run({function, handle, shapes.m, shapes.n, shapes.k, alpha, beta, type,
              shapes.a(A, type, lda), shapes.b(B, type, ldb), shapes.c(C, type, ldc)});
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
        allows_tf32(compute == kFastTf32) {}
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

/// Of vectors whose elements lie backwards, below 0, or all at one place.
cublasStatus refuse_step(const char* function, std::int64_t step) {
  if (step == 0) return CUBLAS_STATUS_INVALID_VALUE;
  say_of_blas(function, "steps below 0 are not in the stand-in for cuBLAS");
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus gemv(const char* function, cublasHandle_t handle, int op, int m, int n, Element type,
                  const void* alpha, const void* A, int lda, const void* x, int x_step,
                  const void* beta, void* y, int y_step) {
  for (const int step : {x_step, y_step})
    if (step <= 0) return refuse_step(function, step);
  // x' op(A)' = y', so that the steps between the vectors' elements are leading dimensions.
  const std::int64_t rows = op == 0 ? m : n, depth = op == 0 ? n : m;
  return run({function, handle, 1, rows, depth, alpha, beta, type,
              Given{x, type, 0, 1, depth, x_step}, Given{A, type, op == 0 ? 1 : 0, m, n, lda},
              Given{y, type, 0, 1, rows, y_step}});
}

/// A vector of a dot product: its type, and from one of its elements to the next.
struct Vector {
  const void* data;
  std::optional<Element> element;
  int step;
};

cublasStatus dot(const char* function, cublasHandle_t handle, int n, const Vector& x,
                 const Vector& y, void* result, std::optional<Element> type,
                 std::optional<Element> scale) {
  const Blas* blas = find_blas(handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!x.element || !y.element || !type || !scale) return refuse_types(function);
  for (const int step : {x.step, y.step})
    if (step <= 0) return refuse_step(function, step);
  if (!result) return CUBLAS_STATUS_INVALID_VALUE;
  constexpr int kHost = 0;  // CUBLAS_POINTER_MODE_HOST
  // As BLAS has it, a sum of no products is 0.
  const std::int64_t depth = std::max(n, 0);
  const float one = 1, zero = 0;
  const double one_f64 = 1, zero_f64 = 0;
  const bool in_f64 = *scale == Element::f64;
  return run({.function = function,
              .handle = handle,
              .m = 1,
              .n = 1,
              .k = depth,
              .alpha = in_f64 ? static_cast<const void*>(&one_f64) : &one,
              .beta = in_f64 ? static_cast<const void*>(&zero_f64) : &zero,
              .scale = *scale,
              .A = {x.data, *x.element, 0, 1, depth, x.step},
              .B = {y.data, *y.element, 1, 1, depth, y.step},
              .C = {result, *type, 0, 1, 1, 1},
              .waits = blas->pointer_mode == kHost});
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
#undef LANESCOPE_GEMV

#define LANESCOPE_DOT(letter, Number, type)                                                        \
  LANESCOPE_API cublasStatus cublas##letter##dot_v2(cublasHandle_t handle, int n, const Number* x, \
                                                    int x_step, const Number* y, int y_step,       \
                                                    Number* result) {                              \
    return dot("cublas" #letter "dot", handle, n, {x, type, x_step}, {y, type, y_step}, result,    \
               type, type);                                                                        \
  }
LANESCOPE_DOT(S, float, Element::f32)
LANESCOPE_DOT(D, double, Element::f64)
#undef LANESCOPE_DOT

LANESCOPE_API cublasStatus cublasDotEx(cublasHandle_t handle, int n, const void* x, int type_x,
                                       int x_step, const void* y, int type_y, int y_step,
                                       void* result, int type, int execution) {
  return dot("cublasDotEx", handle, n, {x, element_of(type_x), x_step},
             {y, element_of(type_y), y_step}, result, element_of(type), element_of(execution));
}

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

LANESCOPE_API cublasStatus cublasSgemmEx(cublasHandle_t handle, int op_a, int op_b, int m, int n,
                                         int k, const float* alpha, const void* A, int type_a,
                                         int lda, const void* B, int type_b, int ldb,
                                         const float* beta, void* C, int type_c, int ldc) {
  constexpr int kCompute32F = 68;
  return gemm_ex("cublasSgemmEx", handle, {op_a, op_b, m, n, k},
                 {type_a, type_b, type_c, kCompute32F}, alpha, {A, lda}, {B, ldb}, beta, {C, ldc});
}

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

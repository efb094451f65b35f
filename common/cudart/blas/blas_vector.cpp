// SPDX-License-Identifier: MIT
// cuBLAS's functions of vectors. A vector is a matrix of one row here.
#include <optional>
#include <utility>
#include <vector>

#include "cudart/api/api.hpp"
#include "cudart/blas/blas_call.hpp"
#include "cudart/blas/vectors.hpp"

namespace lanescope::cudart {

namespace {

cublasStatus refuse_vector_types(const char* function) {
  say_of_blas(function,
              "its types are not in the stand-in for cuBLAS: vectors of one type, f16, bf16, f32, "
              "f64 or complex f32 or f64, with numbers of their kind, are");
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

/// y = alpha x + y, or where there is no y: x = alpha x.
cublasStatus add_or_scale(const char* function, cublasHandle_t handle, std::int64_t count,
                          const void* alpha, std::optional<Element> factor,
                          std::optional<Element> in, const Named& x, const Named* y) {
  const Blas* blas = find_blas(handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!factor || !in || is_complex(*in) != is_complex(x.given.element))
    return refuse_vector_types(function);
  if (count <= 0 || (!y && (x.given.lead == 0 || x.given.is_backwards)))
    return CUBLAS_STATUS_SUCCESS;
  if (!alpha) return CUBLAS_STATUS_INVALID_VALUE;
  const Asker asker{function, blas, *in};
  std::vector<Named> needs;
  if (!is_where_mode_says(asker, "alpha", *factor, alpha, needs))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  const Factor by(asker, *factor, alpha);
  needs.push_back(y ? by.of(x.name, x.given) : x);
  if (y) needs.push_back(*y);
  Combination work;
  work.cols = count;
  work.in = *in;
  work.A = matrix_of(y ? y->given : x.given);
  work.B = matrix_of(x.given);
  work.C = work.A;
  work.reads_a = true;
  return in_turn(asker, needs, [work, adds = y != nullptr, by]() mutable {
    (adds ? work.beta : work.alpha) = by.value();
    combine(work);
  });
}

cublasStatus add(const char* function, cublasHandle_t handle, int n, const void* alpha,
                 std::optional<Element> factor, const void* x, std::optional<Element> x_type,
                 int x_step, void* y, std::optional<Element> y_type, int y_step,
                 std::optional<Element> in) {
  if (!x_type || !y_type || is_complex(*x_type) != is_complex(*y_type))
    return refuse_vector_types(function);
  const Named to{"y", vector(y, *y_type, n, y_step)};
  return add_or_scale(function, handle, n, alpha, factor, in, {"x", vector(x, *x_type, n, x_step)},
                      &to);
}

cublasStatus scale(const char* function, cublasHandle_t handle, int n, const void* alpha,
                   std::optional<Element> factor, void* x, std::optional<Element> x_type,
                   int x_step, std::optional<Element> in) {
  if (!x_type) return refuse_vector_types(function);
  return add_or_scale(function, handle, n, alpha, factor, in, {"x", vector(x, *x_type, n, x_step)},
                      nullptr);
}

using OfTwo = void (*)(std::int64_t, const Matrix&, const Matrix&);

/// Elements from one vector to another, as they are.
cublasStatus move(const char* function, cublasHandle_t handle, int n, const void* x, int x_step,
                  void* y, int y_step, std::optional<Element> type, OfTwo work) {
  const Blas* blas = find_blas(handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!type) return refuse_vector_types(function);
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const Given from = vector(x, *type, n, x_step), to = vector(y, *type, n, y_step);
  return in_turn({function, blas, *type}, {{"x", from}, {"y", to}},
                 [=, x = matrix_of(from), y = matrix_of(to)] { work(n, x, y); });
}

/// A number that a call leaves at `result`, on the host or on the card.
template <class Work>
cublasStatus leave(const Asker& asker, std::vector<Named> needs, void* result, Element type,
                   Work work) {
  if (!result) return CUBLAS_STATUS_INVALID_VALUE;
  if (!is_where_mode_says(asker, "the result", type, result, needs))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  const cublasStatus status =
      in_turn(asker, std::move(needs), [=] { write_complex(type, result, work()); });
  // The host's is there when the call returns: no such call can be captured.
  if (status == CUBLAS_STATUS_SUCCESS && asker.blas->points_to_host() &&
      cudaStreamSynchronize(asker.blas->stream) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return status;
}

cublasStatus dot(const char* function, cublasHandle_t handle, int n, const void* x,
                 std::optional<Element> x_type, int x_step, const void* y,
                 std::optional<Element> y_type, int y_step, void* result,
                 std::optional<Element> type, std::optional<Element> in, bool conjugates = false) {
  const Blas* blas = find_blas(handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!x_type || x_type != y_type || !type || !in || is_complex(*x_type) != is_complex(*type))
    return refuse_vector_types(function);
  const std::int64_t count = n > 0 ? n : 0;  // as BLAS has it, a sum of no products is 0
  const Asker asker{function, blas, *in};
  Given from = vector(x, *x_type, count, x_step), other = vector(y, *y_type, count, y_step);
  from.conjugates = conjugates;
  return leave(asker, {{"x", from}, {"y", other}}, result, *type,
               [=, x = matrix_of(from), y = matrix_of(other)] { return cudart::dot(count, x, y); });
}

using OfOne = double (*)(std::int64_t, const Matrix&);

double largest(std::int64_t count, const Matrix& x) {
  return static_cast<double>(place_of_largest(count, x));
}
double smallest(std::int64_t count, const Matrix& x) {
  return static_cast<double>(place_of_smallest(count, x));
}

/// A number that one vector has; as BLAS has it, 0 of one with no elements, or with a step below 1.
cublasStatus reduce(const char* function, cublasHandle_t handle, int n, const void* x,
                    std::optional<Element> x_type, int x_step, void* result,
                    std::optional<Element> type, OfOne work) {
  const Blas* blas = find_blas(handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!x_type || !type) return refuse_vector_types(function);
  const std::int64_t count = n > 0 && x_step > 0 ? n : 0;
  const Asker asker{function, blas, *type};
  const Given from = vector(x, *x_type, count, x_step);
  return leave(asker, {{"x", from}}, result, *type,
               [=, x = matrix_of(from)] { return std::complex<double>(work(count, x)); });
}

}  // namespace

// The header's numbers are addresses here: what they are of `type` says.
#define LANESCOPE_OF_TYPE(letter, type)                                                            \
  LANESCOPE_API cublasStatus cublas##letter##axpy_v2(cublasHandle_t handle, int n,                 \
                                                     const void* alpha, const void* x, int x_step, \
                                                     void* y, int y_step) {                        \
    return add("cublas" #letter "axpy", handle, n, alpha, type, x, type, x_step, y, type, y_step,  \
               type);                                                                              \
  }                                                                                                \
  LANESCOPE_API cublasStatus cublas##letter##scal_v2(cublasHandle_t handle, int n,                 \
                                                     const void* alpha, void* x, int x_step) {     \
    return scale("cublas" #letter "scal", handle, n, alpha, type, x, type, x_step, type);          \
  }                                                                                                \
  LANESCOPE_API cublasStatus cublas##letter##copy_v2(cublasHandle_t handle, int n, const void* x,  \
                                                     int x_step, void* y, int y_step) {            \
    return move("cublas" #letter "copy", handle, n, x, x_step, y, y_step, type, copy_elements);    \
  }                                                                                                \
  LANESCOPE_API cublasStatus cublas##letter##swap_v2(cublasHandle_t handle, int n, void* x,        \
                                                     int x_step, void* y, int y_step) {            \
    return move("cublas" #letter "swap", handle, n, x, x_step, y, y_step, type,                    \
                exchange_elements);                                                                \
  }
LANESCOPE_OF_TYPE(S, Element::f32)
LANESCOPE_OF_TYPE(D, Element::f64)
LANESCOPE_OF_TYPE(C, Element::c32)
LANESCOPE_OF_TYPE(Z, Element::c64)
#undef LANESCOPE_OF_TYPE

// Complex vectors times a real number.
#define LANESCOPE_SCALE(letters, type, factor)                                                  \
  LANESCOPE_API cublasStatus cublas##letters##scal_v2(cublasHandle_t handle, int n,             \
                                                      const void* alpha, void* x, int x_step) { \
    return scale("cublas" #letters "scal", handle, n, alpha, factor, x, type, x_step, type);    \
  }
LANESCOPE_SCALE(Cs, Element::c32, Element::f32)
LANESCOPE_SCALE(Zd, Element::c64, Element::f64)
#undef LANESCOPE_SCALE

#define LANESCOPE_REDUCE(name, type, result_type, work)                                     \
  LANESCOPE_API cublasStatus cublas##name##_v2(cublasHandle_t handle, int n, const void* x, \
                                               int x_step, void* result) {                  \
    return reduce("cublas" #name, handle, n, x, type, x_step, result, result_type, work);   \
  }
LANESCOPE_REDUCE(Snrm2, Element::f32, Element::f32, norm)
LANESCOPE_REDUCE(Dnrm2, Element::f64, Element::f64, norm)
LANESCOPE_REDUCE(Scnrm2, Element::c32, Element::f32, norm)
LANESCOPE_REDUCE(Dznrm2, Element::c64, Element::f64, norm)
LANESCOPE_REDUCE(Sasum, Element::f32, Element::f32, sum_of_magnitudes)
LANESCOPE_REDUCE(Dasum, Element::f64, Element::f64, sum_of_magnitudes)
LANESCOPE_REDUCE(Scasum, Element::c32, Element::f32, sum_of_magnitudes)
LANESCOPE_REDUCE(Dzasum, Element::c64, Element::f64, sum_of_magnitudes)
LANESCOPE_REDUCE(Isamax, Element::f32, Element::s32, largest)
LANESCOPE_REDUCE(Idamax, Element::f64, Element::s32, largest)
LANESCOPE_REDUCE(Icamax, Element::c32, Element::s32, largest)
LANESCOPE_REDUCE(Izamax, Element::c64, Element::s32, largest)
LANESCOPE_REDUCE(Isamin, Element::f32, Element::s32, smallest)
LANESCOPE_REDUCE(Idamin, Element::f64, Element::s32, smallest)
LANESCOPE_REDUCE(Icamin, Element::c32, Element::s32, smallest)
LANESCOPE_REDUCE(Izamin, Element::c64, Element::s32, smallest)
#undef LANESCOPE_REDUCE

#define LANESCOPE_DOT(name, type, conjugates)                                                   \
  LANESCOPE_API cublasStatus cublas##name##_v2(cublasHandle_t handle, int n, const void* x,     \
                                               int x_step, const void* y, int y_step,           \
                                               void* result) {                                  \
    return dot("cublas" #name, handle, n, x, type, x_step, y, type, y_step, result, type, type, \
               conjugates);                                                                     \
  }
LANESCOPE_DOT(Sdot, Element::f32, false)
LANESCOPE_DOT(Ddot, Element::f64, false)
LANESCOPE_DOT(Cdotu, Element::c32, false)
LANESCOPE_DOT(Cdotc, Element::c32, true)
LANESCOPE_DOT(Zdotu, Element::c64, false)
LANESCOPE_DOT(Zdotc, Element::c64, true)
#undef LANESCOPE_DOT

LANESCOPE_API cublasStatus cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha,
                                        int alpha_type, const void* x, int x_type, int x_step,
                                        void* y, int y_type, int y_step, int execution) {
  return add("cublasAxpyEx", handle, n, alpha, element_of(alpha_type), x, element_of(x_type),
             x_step, y, element_of(y_type), y_step, element_of(execution));
}

LANESCOPE_API cublasStatus cublasScalEx(cublasHandle_t handle, int n, const void* alpha,
                                        int alpha_type, void* x, int x_type, int x_step,
                                        int execution) {
  return scale("cublasScalEx", handle, n, alpha, element_of(alpha_type), x, element_of(x_type),
               x_step, element_of(execution));
}

LANESCOPE_API cublasStatus cublasDotEx(cublasHandle_t handle, int n, const void* x, int x_type,
                                       int x_step, const void* y, int y_type, int y_step,
                                       void* result, int type, int execution) {
  return dot("cublasDotEx", handle, n, x, element_of(x_type), x_step, y, element_of(y_type), y_step,
             result, element_of(type), element_of(execution));
}

LANESCOPE_API cublasStatus cublasDotcEx(cublasHandle_t handle, int n, const void* x, int x_type,
                                        int x_step, const void* y, int y_type, int y_step,
                                        void* result, int type, int execution) {
  return dot("cublasDotcEx", handle, n, x, element_of(x_type), x_step, y, element_of(y_type),
             y_step, result, element_of(type), element_of(execution), true);
}

LANESCOPE_API cublasStatus cublasNrm2Ex(cublasHandle_t handle, int n, const void* x, int x_type,
                                        int x_step, void* result, int type, int) {
  return reduce("cublasNrm2Ex", handle, n, x, element_of(x_type), x_step, result, element_of(type),
                norm);
}

LANESCOPE_API cublasStatus cublasCopyEx(cublasHandle_t handle, int n, const void* x, int x_type,
                                        int x_step, void* y, int y_type, int y_step) {
  if (x_type != y_type) return CUBLAS_STATUS_NOT_SUPPORTED;
  return move("cublasCopyEx", handle, n, x, x_step, y, y_step, element_of(x_type), copy_elements);
}

}  // namespace lanescope::cudart

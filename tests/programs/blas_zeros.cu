// SPDX-License-Identifier: MIT
// What is read whose factor is 0, of every function of cuBLAS that has factors, and what has no
// rows or columns. BLAS promises not to read it; an H200 (29 November 2026) does as is written
// here: a product refuses matrices that are not there, whatever alpha is, and a NaN of theirs
// counts; a vector may be NaN; where it would fault nothing is asked. With a number, that function
// alone.
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <complex>
#include <cstring>

#include "program.cuh"

namespace {

constexpr int kSize = 2, kAll = kSize * kSize;  // of all matrices, 2 x 2
int failures = 0, functions = 0, wanted = -1;
cublasHandle_t handle;

template <class T>
T* filled(T value) {
  return to_device(std::vector<T>(kAll, value));
}
template <class T>
T nan_of() {  // of complex numbers both parts
  T value;
  std::memset(&value, 0xff, sizeof value);
  return value;
}

/// What a function makes of its C, and what it asks of A and B where alpha is 0.
struct Makes {
  enum ByZero { refuses, faults, reads_nothing };
  ByZero of_none = refuses;  // A and B that are not there
  bool is_nan = false;       // A and B that are NaN count
  int count = kAll;          // elements of C that it writes
  bool has_beta = true;      // else `of_zero` is what C = 3 is where alpha is 0
  int of_zero = 6;           // 0 A B + 2 * 3
  bool has_k = true;
  int of_ones = kSize;
};
constexpr Makes kProduct{Makes::refuses, true}, kListed{Makes::faults, true},
    kVector{Makes::refuses, false, kSize, true, 6, false}, kTriangle{Makes::faults, false, 1},
    kSum{Makes::reads_nothing, false, kAll, true, 6, false, 1},
    kAdds{Makes::reads_nothing, false, kAll, false, 3},
    kSolution{Makes::faults, false, kAll, false, 0};

template <class In, class Out, class Scale, class Call>
struct Asked {
  const char* name;
  Makes makes;
  Call call;  // of m, n, k, alpha, A and B, beta, C

  void expect(const char* what, cublasStatus_t status, const Out* C, Out value) const {
    const cudaError_t error = cudaDeviceSynchronize();
    const std::vector<Out> expected(makes.count, value);
    if (status == CUBLAS_STATUS_SUCCESS && error == cudaSuccess) {
      const std::vector<Out> found = from_device(C, makes.count);
      if (std::memcmp(expected.data(), found.data(), sizeof(Out) * makes.count) == 0) return;
      if (value != value && found[0] != found[0]) return;  // NaN, of whatever bits
    }
    std::printf("%s, %s: %s, %s\n", name, what,
                status == CUBLAS_STATUS_SUCCESS ? "another C" : cublasGetStatusName(status),
                cudaGetErrorName(error));
    ++failures;
    if (error != cudaSuccess) std::exit(1);
  }
  void ask(cublasPointerMode_t mode) const {
    cublasSetPointerMode(handle, mode);
    static const Scale kNumbers[3] = {Scale(0), Scale(1), Scale(2)};
    const auto number = [&](int value) {
      return mode == CUBLAS_POINTER_MODE_HOST ? &kNumbers[value] : filled(kNumbers[value]);
    };
    const Scale *zero = number(0), *one = number(1), *two = number(2);
    const In *none = nullptr, *nans = filled(nan_of<In>()), *ones = filled(In(1));
    Out* C = filled(Out(3));
    expect("m 0", call(0, kSize, kSize, one, none, two, C), C, Out(3));
    expect("n 0", call(kSize, 0, kSize, one, none, two, C), C, Out(3));
    const bool faults = makes.of_none == Makes::faults;
    const auto without = [&](const char* what, const Scale* by_c, Out before, Out value) {
      C = filled(before);
      if (makes.of_none == Makes::reads_nothing)
        return expect(what, call(kSize, kSize, kSize, zero, none, by_c, C), C, value);
      if (faults || call(kSize, kSize, kSize, zero, none, by_c, C) == CUBLAS_STATUS_INVALID_VALUE)
        return;
      std::printf("%s, %s: taken\n", name, what);
      ++failures;
    };
    without("alpha 0, nothing there", two, Out(3), Out(makes.of_zero));
    C = filled(Out(3));
    if (!faults)
      expect("alpha 0, NaN", call(kSize, kSize, kSize, zero, nans, two, C), C,
             makes.is_nan ? nan_of<Out>() : Out(makes.of_zero));
    if (!makes.has_beta) return;
    C = filled(nan_of<Out>());
    expect("beta 0", call(kSize, kSize, kSize, one, ones, zero, C), C, Out(makes.of_ones));
    without("both 0", zero, nan_of<Out>(), Out(0));
    without("C alone", one, Out(-0.0f), Out(0));
    if (!makes.has_k) return;
    const In* any = faults ? ones : none;
    C = filled(Out(-0.0f));
    expect("k 0, C alone", call(kSize, kSize, 0, one, any, one, C), C, Out(0));
    C = filled(Out(3));
    expect("k 0", call(kSize, kSize, 0, one, any, two, C), C, Out(6));
  }
};

template <class In, class Out = In, class Scale = In, class Call>
void ask(const char* name, const Makes& makes, const Call& call) {
  if (functions++ != wanted && wanted >= 0) return;
  const Asked<In, Out, Scale, Call> asked{name, makes, call};
  asked.ask(CUBLAS_POINTER_MODE_HOST);
  asked.ask(CUBLAS_POINTER_MODE_DEVICE);
}

/// A list of one matrix.
template <class T>
T** list_of(T* matrix) {
  return to_device(std::vector<T*>{matrix});
}

// The functions take In, Out and Scale under the header's names for them.
#define ASK(name, In, Out, Scale, makes, ...)                                          \
  ask<In, Out, Scale>(#name, makes,                                                    \
                      [](int m, int n, int k, auto by, auto in, auto by_c, auto out) { \
                        (void)m, (void)k, (void)by_c;                                  \
                        return cublas##name(handle, __VA_ARGS__);                      \
                      })
#define PRODUCT(name, T, N) \
  ASK(name, T, T, T, kProduct, kN, kT, m, n, k, (N*)by, (N*)in, 2, (N*)in, 2, (N*)by_c, (N*)out, 2)
#define PRODUCTS(X, T, N)                                                                         \
  ASK(X##gemmStridedBatched, T, T, T, kProduct, kN, kT, m, n, k, (N*)by, (N*)in, 2, 4, (N*)in, 2, \
      4, (N*)by_c, (N*)out, 2, 4, 1);                                                             \
  ASK(X##gemmBatched, T, T, T, kListed, kN, kT, m, n, k, (N*)by, list_of((N*)in), 2,              \
      list_of((N*)in), 2, (N*)by_c, list_of((N*)out), 2, 1)
#define OTHERS(X, T, N)                                                                            \
  ASK(X##gemv, T, T, T, kVector, kN, m, n, (N*)by, (N*)in, 2, (N*)in, 1, (N*)by_c, (N*)out, 1);    \
  ASK(X##syrk, T, T, T, kTriangle, kLower, kN, std::min(m, n) / 2, k, (N*)by, (N*)in, 2, (N*)by_c, \
      (N*)out, 2);                                                                                 \
  ASK(X##geam, T, T, T, kSum, kN, kN, m, n, (N*)by, (N*)in, 2, (N*)by_c, (N*)out, 2, (N*)out, 2);  \
  ASK(X##trsm, T, T, T, kSolution, kLeft, kLower, kN, kUnit, m, n, (N*)by, (N*)in, 2, (N*)out, 2); \
  ASK(X##trsmBatched, T, T, T, kSolution, kLeft, kLower, kN, kUnit, m, n, (N*)by, list_of((N*)in), \
      2, list_of((N*)out), 2, 1);                                                                  \
  ASK(X##axpy, T, T, T, kAdds, m* n, (N*)by, (N*)in, 1, (N*)out, 1)
#define OUTER(name, T, N) ASK(name, T, T, T, kAdds, m, n, (N*)by, (N*)in, 1, (N*)in, 1, (N*)out, 2)
#define PRODUCTS_EX(In, Out, Scale, in_type, out_type, compute)                                    \
  ASK(GemmEx, In, Out, Scale, kProduct, kN, kT, m, n, k, by, in, in_type, 2, in, in_type, 2, by_c, \
      out, out_type, 2, compute, CUBLAS_GEMM_DEFAULT);                                             \
  ASK(GemmStridedBatchedEx, In, Out, Scale, kProduct, kN, kT, m, n, k, by, in, in_type, 2, 4, in,  \
      in_type, 2, 4, by_c, out, out_type, 2, 4, 1, compute, CUBLAS_GEMM_DEFAULT);                  \
  ASK(GemmBatchedEx, In, Out, Scale, kListed, kN, kT, m, n, k, by, (const void**)list_of(in),      \
      in_type, 2, (const void**)list_of(in), in_type, 2, by_c, (void**)list_of(out), out_type, 2,  \
      1, compute, CUBLAS_GEMM_DEFAULT)

constexpr auto kN = CUBLAS_OP_N, kT = CUBLAS_OP_T;
constexpr auto kLeft = CUBLAS_SIDE_LEFT;
constexpr auto kLower = CUBLAS_FILL_MODE_LOWER;
constexpr auto kUnit = CUBLAS_DIAG_UNIT;
using Complex = std::complex<float>;
using Complex64 = std::complex<double>;

void all() {
  PRODUCT(Sgemm, float, float);
  PRODUCT(Dgemm, double, double);
  PRODUCT(Hgemm, __half, __half);
  PRODUCT(Cgemm, Complex, cuComplex);
  PRODUCT(Zgemm, Complex64, cuDoubleComplex);
  PRODUCT(Cgemm3m, Complex, cuComplex);
  PRODUCT(Zgemm3m, Complex64, cuDoubleComplex);
  PRODUCTS(S, float, float);
  PRODUCTS(D, double, double);
  PRODUCTS(H, __half, __half);
  PRODUCTS(C, Complex, cuComplex);
  PRODUCTS(Z, Complex64, cuDoubleComplex);
  OTHERS(S, float, float);
  OTHERS(D, double, double);
  OTHERS(C, Complex, cuComplex);
  OTHERS(Z, Complex64, cuDoubleComplex);
  OUTER(Sger, float, float);
  OUTER(Dger, double, double);
  OUTER(Cgeru, Complex, cuComplex);
  OUTER(Cgerc, Complex, cuComplex);
  OUTER(Zgeru, Complex64, cuDoubleComplex);
  OUTER(Zgerc, Complex64, cuDoubleComplex);
  PRODUCTS_EX(float, float, float, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  PRODUCTS_EX(__half, float, float, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  PRODUCTS_EX(__half, __half, __half, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  PRODUCTS_EX(Complex, Complex, Complex, CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F);
  ASK(SgemmEx, __half, __half, float, kProduct, kN, kT, m, n, k, by, in, CUDA_R_16F, 2, in,
      CUDA_R_16F, 2, by_c, out, CUDA_R_16F, 2);
  ASK(CgemmEx, Complex, Complex, Complex, kProduct, kN, kT, m, n, k, (cuComplex*)by, in, CUDA_C_32F,
      2, in, CUDA_C_32F, 2, (cuComplex*)by_c, out, CUDA_C_32F, 2);
}

}  // namespace

int main(int count, char** words) {
  if (count > 1) wanted = std::atoi(words[1]);
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  all();
  if (failures == 0) std::printf("blas_zeros: ok, of %d functions\n", functions);
  return failures != 0;
}

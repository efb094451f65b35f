// SPDX-License-Identifier: MIT
// Products by cuBLAS as people ask for them beside a kernel of their own: every transposition,
// types, many at a time, a vector, a captured one. The reference is a sum on the CPU, rounded once
// as the stand-in rounds; on a card the same program is right within what its sums round.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "program.cuh"

namespace {

int failures = 0;

void expect(bool right, const char* what) {
  if (!right) std::printf("%s: wrong\n", what), ++failures;
}
void expect(cublasStatus_t got, cublasStatus_t wanted, const char* what) {
  if (got != wanted) std::printf("%s: %s\n", what, cublasGetStatusName(got)), ++failures;
}

template <class T>
struct Matrix {
  int rows, cols, lead;
  std::vector<T> host;
  T* device = nullptr;

  Matrix(int rows_, int cols_, int lead_, std::uint64_t seed)
      : rows(rows_), cols(cols_), lead(lead_), host(std::size_t(lead_) * cols_) {
    Numbers numbers{seed};
    for (T& value : host) value = T(float(numbers.next(7)));
    device = to_device(host);
  }
  double at(int row, int col) const { return double(float(host[row + std::size_t(col) * lead])); }
  std::vector<T> fetched() const { return from_device(device, host.size()); }
};

/// Whether `now` is 0.5 op(A) op(B) + 2 C, with what lies between C's columns as it was.
template <class In, class Out>
bool is_product(const Matrix<In>& A, bool turn_a, const Matrix<In>& B, bool turn_b,
                const Matrix<Out>& C, const std::vector<Out>& now) {
  const int depth = turn_a ? A.rows : A.cols;
  for (int col = 0; col < C.cols; ++col)
    for (int row = 0; row < C.lead; ++row) {
      const std::size_t at = row + std::size_t(col) * C.lead;
      double sum = 0;
      for (int k = 0; k < depth && row < C.rows; ++k)
        sum += (turn_a ? A.at(k, row) : A.at(row, k)) * (turn_b ? B.at(col, k) : B.at(k, col));
      const float wanted =
          row < C.rows ? float(Out(float(0.5 * sum + 2 * C.at(row, col)))) : float(C.host[at]);
      if (float(now[at]) != wanted) return false;
    }
  return true;
}

template <class In, class Out, class Call>
void product(const char* name, Call call) {
  const int m = 37, n = 21, k = 300;
  for (int turns = 0; turns < 4; ++turns) {
    const bool turn_a = turns & 1, turn_b = turns & 2;
    const Matrix<In> A(turn_a ? k : m, turn_a ? m : k, (turn_a ? k : m) + 3, 1);
    const Matrix<In> B(turn_b ? n : k, turn_b ? k : n, turn_b ? n : k, 2);
    const Matrix<Out> C(m, n, m + 1, 3);
    expect(call(turn_a ? CUBLAS_OP_T : CUBLAS_OP_N, turn_b ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k, A,
                B, C),
           CUBLAS_STATUS_SUCCESS, name);
    expect(is_product(A, turn_a, B, turn_b, C, C.fetched()), name);
  }
}

template <class In, class Out>
void product_ex(const char* name, cublasHandle_t handle, cudaDataType in, cudaDataType out) {
  const float alpha = 0.5f, beta = 2;
  product<In, Out>(name, [&](auto op_a, auto op_b, int m, int n, int k, auto& A, auto& B, auto& C) {
    return cublasGemmEx(handle, op_a, op_b, m, n, k, &alpha, A.device, in, A.lead, B.device, in,
                        B.lead, &beta, C.device, out, C.lead, CUBLAS_COMPUTE_32F,
                        CUBLAS_GEMM_DEFAULT_TENSOR_OP);
  });
}

void strided(cublasHandle_t handle) {
  const int m = 8, n = 5, k = 9, count = 3;
  const float alpha = 0.5f, beta = 2;
  const Matrix<float> A(m, k * count, m, 4), B(k, n * count, k, 5), C(m, n * count, m, 6);
  expect(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, A.device, m,
                                   m * k, B.device, k, k * n, &beta, C.device, m, m * n, count),
         CUBLAS_STATUS_SUCCESS, "strided");
  const std::vector<float> now = C.fetched();
  for (int i = 0; i < count; ++i)
    for (int col = 0; col < n; ++col)
      for (int row = 0; row < m; ++row) {
        double sum = 0;
        for (int kk = 0; kk < k; ++kk) sum += A.at(row, i * k + kk) * B.at(kk, i * n + col);
        expect(now[row + (i * n + col) * m] == float(0.5 * sum + 2 * C.at(row, i * n + col)),
               "strided sum");
      }
}

void vector(cublasHandle_t handle) {
  const float alpha = 1, beta = 0;
  const Matrix<float> A(6, 4, 7, 7), x(1, 6, 2, 8), y(1, 6, 3, 9);
  for (const bool turn : {false, true}) {
    expect(cublasSgemv(handle, turn ? CUBLAS_OP_T : CUBLAS_OP_N, 6, 4, &alpha, A.device, 7,
                       x.device, 2, &beta, y.device, 3),
           CUBLAS_STATUS_SUCCESS, "vector");
    const std::vector<float> now = y.fetched();
    for (int i = 0; i < (turn ? 4 : 6); ++i) {
      double sum = 0;
      for (int j = 0; j < (turn ? 6 : 4); ++j)
        sum += (turn ? A.at(j, i) : A.at(i, j)) * x.host[j * 2];
      expect(now[i * 3] == float(sum), "vector sum");
    }
  }
}

/// What tf32 has no room for counts where there is no tensor core.
void vector_by_fma(cublasHandle_t handle) {
  const float one = 1, none = 0, above = 1.0f + 0x1p-11f + 0x1p-13f;
  float* A = to_device(std::vector<float>{above});
  float* y = to_device(std::vector<float>(1));
  expect(cublasSgemv(handle, CUBLAS_OP_N, 1, 1, &one, A, 1, to_device(std::vector<float>{1}), 1,
                     &none, y, 1),
         CUBLAS_STATUS_SUCCESS, "vector");
  expect(from_device(y, 1)[0] == above, "vector in tf32");
#ifndef LANESCOPE_ON_A_CARD  // which may choose another kernel for a matrix as small
  expect(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, A, 1,
                     to_device(std::vector<float>{1}), 1, &none, y, 1),
         CUBLAS_STATUS_SUCCESS, "matrix");
  expect(from_device(y, 1)[0] == 1.0f + 0x1p-10f, "matrix in tf32");
#endif
}

/// Two vectors: the sum for the host, for the card's memory, of f16 summed in f32, of nothing.
void dot(cublasHandle_t handle) {
  const Matrix<float> x(1, 9, 2, 14), y(1, 9, 3, 15);
  const Matrix<__half> u(1, 9, 1, 16), v(1, 9, 1, 17);
  double wanted = 0, of_halves = 0;
  for (int i = 0; i < 9; ++i) {
    wanted += x.at(0, i) * y.at(0, i);
    of_halves += u.at(0, i) * v.at(0, i);
  }
  float sum = -1;
  expect(cublasSdot(handle, 9, x.device, 2, y.device, 3, &sum), CUBLAS_STATUS_SUCCESS, "dot");
  expect(sum == float(wanted), "dot's sum");
  __half half_sum(-1.0f);
  expect(cublasDotEx(handle, 9, u.device, CUDA_R_16F, 1, v.device, CUDA_R_16F, 1, &half_sum,
                     CUDA_R_16F, CUDA_R_32F),
         CUBLAS_STATUS_SUCCESS, "dot of f16");
  expect(float(half_sum) == float(__half(float(of_halves))), "dot's sum of f16");
  expect(cublasSdot(handle, 0, x.device, 2, y.device, 3, &sum), CUBLAS_STATUS_SUCCESS, "no dot");
  expect(sum == 0, "dot's sum of nothing");
  const std::vector<double> ones(9, 1.0);
  double* terms = to_device(ones);
  double* result = to_device(std::vector<double>(1, -1.0));
  expect(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS, "mode");
  expect(cublasDdot(handle, 9, terms, 1, terms, 1, result), CUBLAS_STATUS_SUCCESS, "dot of f64");
  expect(from_device(result, 1)[0] == 9, "dot's sum of f64");
  expect(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST), CUBLAS_STATUS_SUCCESS, "mode");
}

/// In a graph the product has its turn when the graph is launched, and again.
void captured(cublasHandle_t handle) {
  const float alpha = 1, beta = 1;
  const Matrix<float> A(4, 4, 4, 10), B(4, 4, 4, 11), C(4, 4, 4, 12);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamCreate(&stream));
  expect(cublasSetStream(handle, stream), CUBLAS_STATUS_SUCCESS, "stream");
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  expect(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &alpha, A.device, 4, B.device, 4,
                     &beta, C.device, 4),
         CUBLAS_STATUS_SUCCESS, "captured");
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  expect(C.fetched() == C.host, "captured, not launched");
  for (int i = 0; i < 2; ++i) CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  const std::vector<float> now = C.fetched();
  for (int col = 0; col < 4; ++col)
    for (int row = 0; row < 4; ++row) {
      double sum = 0;
      for (int k = 0; k < 4; ++k) sum += A.at(row, k) * B.at(k, col);
      expect(now[row + col * 4] == float(C.at(row, col) + 2 * sum), "captured sum");
    }
  expect(cublasSetStream(handle, nullptr), CUBLAS_STATUS_SUCCESS, "stream");
}

void errors(cublasHandle_t handle) {
  const float one = 1;
  const Matrix<float> A(4, 4, 4, 13);
  std::vector<float> mine(16);
  const auto gemm = [&](cublasHandle_t by, const float* a, int lda, int m) {
    return cublasSgemm(by, CUBLAS_OP_N, CUBLAS_OP_N, m, 4, 4, &one, a, lda, A.device, 4, &one,
                       A.device, 4);
  };
  expect(gemm(nullptr, A.device, 4, 4), CUBLAS_STATUS_NOT_INITIALIZED, "no handle");
  expect(gemm(handle, A.device, 3, 4), CUBLAS_STATUS_INVALID_VALUE,
         "a leading dimension too small");
  expect(gemm(handle, A.device, 4, -1), CUBLAS_STATUS_INVALID_VALUE, "less than nothing");
  expect(gemm(handle, A.device, 4, 0), CUBLAS_STATUS_SUCCESS, "nothing");
  expect(gemm(handle, mine.data(), 4, 4), CUBLAS_STATUS_EXECUTION_FAILED, "the host's memory");
  expect(gemm(handle, A.device + 1, 4, 4), CUBLAS_STATUS_EXECUTION_FAILED, "beyond its memory");
  expect(cublasSsymm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, 4, 4, &one, A.device, 4,
                     A.device, 4, &one, A.device, 4),
         CUBLAS_STATUS_NOT_SUPPORTED, "ssymm");
  const auto type = CUDA_R_64F, into = CUDA_R_64F;  // summed in f32
  const auto N = CUBLAS_OP_N;
  const auto compute = CUBLAS_COMPUTE_32F;
  const auto how = CUBLAS_GEMM_DEFAULT;
  const float* a = A.device;
  float* c = A.device;
  const void* const* as = reinterpret_cast<const void* const*>(a);
  void* const* cs = reinterpret_cast<void* const*>(c);
  expect(cublasGemmEx(handle, N, N, 4, 4, 4, &one, a, type, 4, a, type, 4, &one, c, into, 4,
                      compute, how),
         CUBLAS_STATUS_NOT_SUPPORTED, "f64 in f32");
  expect(cublasSgemmEx(handle, N, N, 4, 4, 4, &one, a, type, 4, a, type, 4, &one, c, into, 4),
         CUBLAS_STATUS_NOT_SUPPORTED, "f64 in f32");
  expect(cublasGemmStridedBatchedEx(handle, N, N, 4, 4, 4, &one, a, type, 4, 0, a, type, 4, 0, &one,
                                    c, into, 4, 0, 1, compute, how),
         CUBLAS_STATUS_NOT_SUPPORTED, "f64 in f32");
  expect(cublasGemmBatchedEx(handle, N, N, 4, 4, 4, &one, as, type, 4, as, type, 4, &one, cs, into,
                             4, 1, compute, how),
         CUBLAS_STATUS_NOT_SUPPORTED, "f64 in f32");
}

}  // namespace

int main() {
  cublasHandle_t handle;
  expect(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS, "cublasCreate");
  const auto mode =
      cublasMath_t(CUBLAS_TF32_TENSOR_OP_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
  expect(cublasSetMathMode(handle, mode), CUBLAS_STATUS_SUCCESS, "math mode");
  const float alpha = 0.5f, beta = 2;
  product<float, float>("sgemm",
                        [&](auto op_a, auto op_b, int m, int n, int k, auto& A, auto& B, auto& C) {
                          return cublasSgemm(handle, op_a, op_b, m, n, k, &alpha, A.device, A.lead,
                                             B.device, B.lead, &beta, C.device, C.lead);
                        });
  const __half half_alpha(0.5f), half_beta(2.0f);
  product<__half, __half>(
      "hgemm", [&](auto op_a, auto op_b, int m, int n, int k, auto& A, auto& B, auto& C) {
        return cublasHgemm(handle, op_a, op_b, m, n, k, &half_alpha, A.device, A.lead, B.device,
                           B.lead, &half_beta, C.device, C.lead);
      });
  product_ex<__half, __half>("f16", handle, CUDA_R_16F, CUDA_R_16F);
  product_ex<__half, float>("f16 to f32", handle, CUDA_R_16F, CUDA_R_32F);
  product_ex<__nv_bfloat16, __nv_bfloat16>("bf16", handle, CUDA_R_16BF, CUDA_R_16BF);
  strided(handle);
  vector(handle);
  vector_by_fma(handle);
  dot(handle);
  captured(handle);
  errors(handle);
  expect(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS, "cublasDestroy");
  if (failures == 0) std::printf("blas: ok\n");
  return failures != 0;
}

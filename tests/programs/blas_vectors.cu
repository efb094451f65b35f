// SPDX-License-Identifier: MIT
// What people ask of cuBLAS beside products: vectors, matrices element by element, complex numbers,
// and all of it in graphs. Every number is whole or a half, so that nothing is rounded and a card
// gives the same.
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_fp16.h>

#include <cmath>
#include <complex>

#include "program.cuh"

namespace {

int failures = 0;

void expect(bool right, const char* what) {
  if (!right) std::printf("%s: wrong\n", what), ++failures;
}
void expect(cublasStatus_t got, const char* what, cublasStatus_t wanted = CUBLAS_STATUS_SUCCESS) {
  if (got != wanted) std::printf("%s: %s\n", what, cublasGetStatusName(got)), ++failures;
}
#define FINE(call) expect(call, #call)

using Vector = std::vector<float>;
using Complex = std::complex<float>;

void vectors(cublasHandle_t handle) {
  const float two = 2;
  float* x = to_device(Vector{1, 9, -3, 9, 2});  // of three, two apart
  float* y = to_device(Vector{10, 20, 30});
  FINE(cublasSaxpy(handle, 3, &two, x, 2, y, 1));
  expect(from_device(y, 3) == Vector{12, 14, 34}, "axpy");
  FINE(cublasSaxpy(handle, 3, &two, x, -2, y, 1));
  expect(from_device(y, 3) == Vector{16, 8, 36}, "axpy backwards");
  FINE(cublasSaxpy(handle, 3, &two, x, 0, y, 1));
  expect(from_device(y, 3) == Vector{18, 10, 38}, "axpy of one number");
  FINE(cublasSscal(handle, 3, &two, x, 2));
  expect(from_device(x, 5) == Vector{2, 9, -6, 9, 4}, "scal");
  FINE(cublasSscal(handle, 3, &two, x, -1));
  expect(from_device(x, 5) == Vector{2, 9, -6, 9, 4}, "scal backwards");
  FINE(cublasScopy(handle, 3, x, 2, y, 1));
  expect(from_device(y, 3) == Vector{2, -6, 4}, "copy");
  FINE(cublasSswap(handle, 2, x, 1, y, 1));
  expect(from_device(x, 5) == Vector{2, -6, -6, 9, 4} && from_device(y, 3) == Vector{2, 9, 4},
         "swap");

  float sum = -1;
  int place = -1;
  float* z = to_device(Vector{3, -4, 4, 0, 12, -12});
  FINE(cublasSnrm2(handle, 5, z, 1, &sum));
  expect(sum == std::sqrt(185.0f), "nrm2");
  FINE(cublasSasum(handle, 6, z, 1, &sum));
  expect(sum == 35, "asum");
  FINE(cublasSasum(handle, 6, z, -1, &sum));
  expect(sum == 0, "asum backwards");
  FINE(cublasIsamax(handle, 6, z, 1, &place));
  expect(place == 5, "amax");
  FINE(cublasIsamin(handle, 3, z, 2, &place));
  expect(place == 1, "amin");
  FINE(cublasIsamax(handle, 0, z, 1, &place));
  expect(place == 0, "amax of nothing");
  FINE(cublasSdot(handle, 3, z, -1, z + 3, 1, &sum));
  expect(sum == -84, "dot backwards");
  const Vector large(2, 1e30f), small(2, 1e-30f);
  FINE(cublasSnrm2(handle, 2, to_device(large), 1, &sum));
  expect(std::abs(sum / 1.41421356e30f - 1) < 1e-6f, "nrm2 of large numbers");
  FINE(cublasSnrm2(handle, 2, to_device(small), 1, &sum));
  expect(std::abs(sum / 1.41421356e-30f - 1) < 1e-6f, "nrm2 of small numbers");
  const Vector ones((1 << 24) + 4, 1.0f);  // one after the other they would end at 2^24
  float* many = to_device(ones);
  FINE(cublasSasum(handle, static_cast<int>(ones.size()), many, 1, &sum));
  expect(sum == 16777220, "asum of many");
  FINE(cublasSdot(handle, static_cast<int>(ones.size()), many, 1, many, 1, &sum));
  expect(sum == 16777220, "dot of many");

  __half* h = to_device(std::vector<__half>{1.0f, 2.0f});
  FINE(cublasAxpyEx(handle, 2, &two, CUDA_R_32F, h, CUDA_R_16F, 1, h, CUDA_R_16F, 1, CUDA_R_32F));
  FINE(cublasScalEx(handle, 2, &two, CUDA_R_32F, h, CUDA_R_16F, 1, CUDA_R_32F));
  expect(float(from_device(h, 2)[1]) == 12, "AxpyEx, ScalEx");
}

void matrices(cublasHandle_t handle) {
  const float one = 1, two = 2, none = 0;
  float* A = to_device(Vector{1, 2, 3, 4, 5, 6});  // 3 x 2 in columns, or 2 x 3 turned
  float* B = to_device(Vector{10, 20, 30, 40, 50, 60});
  float* C = to_device(Vector(6));
  FINE(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 3, &two, A, 3, &one, B, 2, C, 2));
  expect(from_device(C, 6) == Vector{12, 28, 34, 50, 56, 72}, "geam");
  FINE(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 3, &one, A, 3, &none, nullptr, 2, C, 2));
  expect(from_device(C, 6) == Vector{1, 4, 2, 5, 3, 6}, "geam, a matrix turned");
  FINE(cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 3, &two, C, 2, &one, B, 2, C, 2));
  expect(from_device(C, 6) == Vector{12, 28, 34, 50, 56, 72}, "geam in place");
  expect(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, &two, C, 2, &one, B, 2, C, 2),
         "geam, turned in place", CUBLAS_STATUS_INVALID_VALUE);
  FINE(cublasSdgmm(handle, CUBLAS_SIDE_RIGHT, 3, 2, A, 3, B, 1, C, 3));
  expect(from_device(C, 6) == Vector{10, 20, 30, 80, 100, 120}, "dgmm from the right");
  FINE(cublasSdgmm(handle, CUBLAS_SIDE_LEFT, 3, 2, A, 3, B, 1, C, 3));
  expect(from_device(C, 6) == Vector{10, 40, 90, 40, 100, 180}, "dgmm from the left");
  FINE(cublasSger(handle, 3, 2, &two, B, 1, B + 1, 1, A, 3));
  expect(from_device(A, 6) == Vector{401, 802, 1203, 604, 1205, 1806}, "ger");
  float* y = to_device(Vector(3));
  FINE(cublasSgemv(handle, CUBLAS_OP_N, 3, 2, &one, B, 3, B, -1, &none, y, 1));
  expect(from_device(y, 3) == Vector{600, 900, 1200}, "gemv backwards");
}

void triangles(cublasHandle_t handle) {
  const float one = 1, two = 2;
  // 2 . .     of lists: it and the unit matrix, which reads no diagonal
  // 1 4 .
  float* A = to_device(Vector{2, 1, NAN, 4});
  float* I = to_device(Vector{NAN, 0, NAN, NAN});
  float *B = to_device(Vector{2, 9, 4, 10}), *C = to_device(Vector{2, 9, 4, 10});
  const auto left = CUBLAS_SIDE_LEFT, right = CUBLAS_SIDE_RIGHT;
  const auto lower = CUBLAS_FILL_MODE_LOWER;
  const auto N = CUBLAS_OP_N, T = CUBLAS_OP_T;
  const auto read = CUBLAS_DIAG_NON_UNIT, ones = CUBLAS_DIAG_UNIT;
  FINE(cublasStrsm(handle, left, lower, N, read, 2, 2, &two, A, 2, B, 2));
  expect(from_device(B, 4) == Vector{2, 4, 4, 4}, "trsm");
  FINE(cublasStrsm(handle, right, lower, T, read, 2, 2, &one, A, 2, B, 2));
  expect(from_device(B, 4) == Vector{1, 2, 0.75f, 0.5f}, "trsm, turned, from the right");
  float** as = to_device(std::vector<float*>{A, I});
  float** bs = to_device(std::vector<float*>{C, C + 2});
  FINE(cublasStrsmBatched(handle, left, lower, N, ones, 2, 1, &one, as, 2, bs, 2, 2));
  expect(from_device(C, 4) == Vector{2, 7, 4, 10}, "many trsm");
  float* S = to_device(Vector{1, 1, 5, 1});
  FINE(cublasSsyrk(handle, lower, N, 2, 2, &one, B, 2, &two, S, 2));
  expect(from_device(S, 4) == Vector{3.5625f, 4.375f, 5, 6.25f}, "syrk");
}

void complex_numbers(cublasHandle_t handle) {
  using Values = std::vector<Complex>;
  const auto cu = [](Complex* at) { return reinterpret_cast<cuComplex*>(at); };
  Complex alpha{0, 2}, beta{1, -1};
  const int m = 5, n = 70, k = 3;
  Numbers numbers;
  const auto some = [&](int count) {
    Values values(count);
    for (Complex& value : values) value = {float(numbers.next(5)), float(numbers.next(5))};
    return values;
  };
  for (const cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    const Values A = some(m * k), B = some(k * n), C = some(m * n);
    Complex *a = to_device(A), *b = to_device(B), *c = to_device(C), *d = to_device(C);
    const int lda = op == CUBLAS_OP_N ? m : k;
    FINE(cublasCgemm(handle, op, CUBLAS_OP_N, m, n, k, cu(&alpha), cu(a), lda, cu(b), k, cu(&beta),
                     cu(c), m));
    FINE(cublasGemmEx(handle, op, CUBLAS_OP_N, m, n, k, &alpha, a, CUDA_C_32F, lda, b, CUDA_C_32F,
                      k, &beta, d, CUDA_C_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    const auto of_a = [&](int row, int col) {
      const Complex value = op == CUBLAS_OP_N ? A[row + col * m] : A[col + row * k];
      return op == CUBLAS_OP_C ? std::conj(value) : value;
    };
    const Values now = from_device(c, C.size());
    for (int at = 0; at < m * n; ++at) {
      Complex sum = 0;
      for (int step = 0; step < k; ++step) sum += of_a(at % m, step) * B[step + at / m * k];
      expect(now[at] == alpha * sum + beta * C[at], "complex product");
    }
    expect(now == from_device(d, C.size()), "complex GemmEx");
    if (op != CUBLAS_OP_N) continue;
    Complex dot, turned;
    FINE(cublasCdotu(handle, m, cu(a), 1, cu(b), 1, reinterpret_cast<cuComplex*>(&turned)));
    FINE(cublasCdotc(handle, m, cu(a), 1, cu(b), 1, reinterpret_cast<cuComplex*>(&dot)));
    Complex wanted = 0, plain = 0;
    for (int at = 0; at < m; ++at) wanted += std::conj(A[at]) * B[at], plain += A[at] * B[at];
    expect(dot == wanted && turned == plain, "complex dot");
  }
  Complex* x = to_device(Values{{3, -4}, {0, 5.5f}});
  int place = 0;
  FINE(cublasIcamax(handle, 2, cu(x), 1, &place));
  expect(place == 1, "complex amax");
  FINE(cublasCaxpy(handle, 1, cu(&alpha), cu(x), 1, cu(x + 1), 1));
  expect(from_device(x, 2)[1] == Complex{8, 11.5f}, "complex axpy");
}

/// A vector across two pieces that were mapped side by side, as a pool that grows has them.
void pieces(cublasHandle_t handle) {
  CUmemAllocationProp kind{};
  kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  kind.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  const CUmemAccessDesc access{kind.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  std::size_t bytes = 0;
  CUdeviceptr at = 0;
  bool right = !cuMemGetAllocationGranularity(&bytes, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM) &&
               !cuMemAddressReserve(&at, 2 * bytes, 0, 0, 0);
  for (const CUdeviceptr piece : {at, at + bytes}) {
    CUmemGenericAllocationHandle memory = 0;
    right = right && !cuMemCreate(&memory, bytes, &kind, 0) &&
            !cuMemMap(piece, bytes, 0, memory, 0) && !cuMemSetAccess(piece, bytes, &access, 1);
  }
  expect(right, "pieces of memory");
  const Vector ones(64, 1);
  float* across = reinterpret_cast<float*>(at + bytes) - 32;
  float sum = 0;
  CHECK(cudaMemcpy(across, ones.data(), 64 * sizeof(float), cudaMemcpyHostToDevice));
  FINE(cublasSasum(handle, 64, across, 1, &sum));
  expect(sum == 64, "asum across two pieces");
}

__global__ void put(float* at, float value) { *at = value; }
__global__ void put(float** list, float* A, float* B, float* C) {
  list[0] = A, list[1] = B, list[2] = C;
}

/// What kernels of a graph write before a product is what the product finds: factors, addresses.
void captured(cublasHandle_t handle) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  float *A = to_device(Vector{3}), *B = to_device(Vector{5}), *C = to_device(Vector{7});
  float *alpha = to_device(Vector{1}), *beta = to_device(Vector{0}), *sum = to_device(Vector{0});
  float** list = to_device(std::vector<float*>(3));
  const float one = 1;
  CHECK(cudaStreamCreate(&stream));
  FINE(cublasSetStream(handle, stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  put<<<1, 1, 0, stream>>>(alpha, 10.0f);
  FINE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  FINE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, alpha, A, 1, B, 1, beta, C, 1));
  FINE(cublasSdot(handle, 1, C, 1, A, 1, sum));  // 150 * 3, the factor of what comes next
  FINE(cublasSscal(handle, 1, sum, B, 1));
  FINE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  put<<<1, 1, 0, stream>>>(list, A, B, C);
  FINE(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, list, 1, list + 1, 1,
                          &one, list + 2, 1, 1));
  float* own = nullptr;  // the graph's: nothing lies there before it is launched
  CHECK(cudaMallocAsync(&own, sizeof *own, stream));
  put<<<1, 1, 0, stream>>>(own, 2.0f);
  FINE(cublasSaxpy(handle, 1, &one, own, 1, A, 1));
  FINE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, own, 1, own, 1, &one, A, 1));
  CHECK(cudaFreeAsync(own, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(from_device(B, 1)[0] == 5 * 450, "captured factors");
  expect(from_device(C, 1)[0] == 150 + 3 * 2250, "captured list");
  expect(from_device(A, 1)[0] == 3 + 2 + 4, "captured memory");
  FINE(cublasSetStream(handle, nullptr));
}

#ifndef LANESCOPE_ON_A_CARD
/// What on a card would be an illegal address, or the program's end.
void mistaken(cublasHandle_t handle) {
  const float one = 1;
  float* x = to_device(Vector{1, 2});
  float* list[] = {x};
  expect(cublasSaxpy(handle, 3, &one, x, 1, x, 1), "too long", CUBLAS_STATUS_EXECUTION_FAILED);
  expect(cublasSscal(handle, 2, x, x, 1), "the card's alpha", CUBLAS_STATUS_EXECUTION_FAILED);
  expect(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, list, 1, list, 1, &one,
                            list, 1, 1),
         "the host's list", CUBLAS_STATUS_EXECUTION_FAILED);
  FINE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  expect(cublasSscal(handle, 2, &one, x, 1), "the host's alpha", CUBLAS_STATUS_EXECUTION_FAILED);
  FINE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}
#endif

}  // namespace

int main() {
  cublasHandle_t handle;
  FINE(cublasCreate(&handle));
  vectors(handle);
  matrices(handle);
  triangles(handle);
  complex_numbers(handle);
  pieces(handle);
  captured(handle);
#ifndef LANESCOPE_ON_A_CARD
  mistaken(handle);
#endif
  FINE(cublasDestroy(handle));
  if (failures == 0) std::printf("blas_vectors: ok\n");
  return failures != 0;
}

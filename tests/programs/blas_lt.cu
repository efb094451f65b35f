// SPDX-License-Identifier: MIT
// Products by cublasLt as people ask for them: a bias and an activation behind the product, many at
// a time, rows instead of columns, D apart from C, numbers of 8 bits with scales; what is refused.
// The reference is a sum of whole numbers on the CPU, exact until D's rounding. An H200 was asked
// on 2026-11-29, and all of it was right there (cublasLt 13.1).
#include "lt.cuh"

namespace {

float bent(cublasLtEpilogue_t epilogue, float x) {
  if (epilogue & CUBLASLT_EPILOGUE_RELU) return x > 0 ? x : 0;
  if (epilogue & CUBLASLT_EPILOGUE_GELU)
    return 0.5f * x * (1 + std::tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
  return x;
}

/// How far D may be off: not at all, but for a card's GELU, whose tanh is not the CPU's.
float allowed([[maybe_unused]] cublasLtEpilogue_t epilogue, [[maybe_unused]] float wanted) {
#ifdef LANESCOPE_ON_A_CARD
  if (epilogue & CUBLASLT_EPILOGUE_GELU) return 0.02f + 0.01f * std::abs(wanted);
#endif
  return 0;
}

struct Case {
  const char* name;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  int count = 1;
  bool turn_a = false, turn_b = false, by_rows = false, scales = false;
  float beta = 0;
};

/// D = 0.5 A B + beta C, bent; with scales A is worth half of what it says, B a quarter, D the
/// double. cublasLt has no C of 8 bits.
template <class InA, class InB, class Out>
void product(cublasLtHandle_t handle, const Case& what) {
  const int m = 48, n = 32, k = 64;
  const float alpha = 0.5f;
  const Matrices<InA> A(what.turn_a ? k : m, what.turn_a ? m : k, what.count, what.by_rows, 1);
  const Matrices<InB> B(what.turn_b ? n : k, what.turn_b ? k : n, what.count, what.by_rows, 2);
  using InC = std::conditional_t<sizeof(Out) == 1, __nv_bfloat16, Out>;
  const Matrices<InC> C(m, n, what.count, what.by_rows, 3);
  const Matrices<Out> D(m, n, what.count, what.by_rows, 4);
  const Matrices<Out> bias(m, 1, what.count, false, 5);
  const float* scales =
      to_device(std::vector<float>{0.5f, 0, 0, 0, 0.25f, 0, 0, 0, 2});  // at 16 bytes each
  float* largest = to_device(std::vector<float>{1e9f});
  float most = 0;
  Description description;
  good(cublasLtMatmulDescCreate(&description.handle, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  say(description, CUBLASLT_MATMUL_DESC_TRANSA, what.turn_a ? CUBLAS_OP_T : CUBLAS_OP_N);
  say(description, CUBLASLT_MATMUL_DESC_TRANSB, what.turn_b ? CUBLAS_OP_T : CUBLAS_OP_N);
  say(description, CUBLASLT_MATMUL_DESC_EPILOGUE, what.epilogue);
  if (what.epilogue & CUBLASLT_EPILOGUE_BIAS)
    say(description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(bias.device));
  if (what.count > 1)
    say(description, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, std::int64_t(bias.lead()));
  if (what.scales) {
    say(description, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, static_cast<const void*>(scales));
    say(description, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, static_cast<const void*>(scales + 4));
    if (sizeof(Out) == 1)
      say(description, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, static_cast<const void*>(scales + 8));
    if (sizeof(Out) == 1)
      say(description, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, static_cast<void*>(largest));
  }
  Preference preference;
  good(cublasLtMatmulPreferenceCreate(&preference.handle));
  cublasLtMatmulHeuristicResult_t way;
  int ways = 0;
  expect(cublasLtMatmulAlgoGetHeuristic(handle, description, A.layout, B.layout, C.layout, D.layout,
                                        preference, 1, &way, &ways),
         CUBLAS_STATUS_SUCCESS, what.name);
  expect(ways == 1 && way.state == CUBLAS_STATUS_SUCCESS, what.name);
  expect(cublasLtMatmul(handle, description, &alpha, A.device, A.layout, B.device, B.layout,
                        &what.beta, C.device, C.layout, D.device, D.layout, &way.algo, nullptr, 0,
                        nullptr),
         CUBLAS_STATUS_SUCCESS, what.name);
  const std::vector<Out> now = from_device(D.device, D.host.size());
  std::vector<Out> wanted = D.host;  // what lies between the lines stays
  for (int index = 0; index < what.count; ++index)
    for (int row = 0; row < m; ++row)
      for (int col = 0; col < n; ++col) {
        float sum = 0;
        for (int i = 0; i < k; ++i)
          sum += (what.turn_a ? A.at(i, row, index) : A.at(row, i, index)) *
                 (what.turn_b ? B.at(col, i, index) : B.at(i, col, index));
        float value = sum * alpha * (what.scales ? 0.125f : 1) + what.beta * C.at(row, col, index);
        if (what.epilogue & CUBLASLT_EPILOGUE_BIAS) value += bias.at(row, 0, index);
        most = std::max(most, std::abs(value));
        value = bent(what.epilogue, value) * (what.scales && sizeof(Out) == 1 ? 2 : 1);
        wanted[D.place(row, col, index)] = Out(value);
      }
  int wrong = 0;
  for (std::size_t i = 0; i < now.size(); ++i)
    wrong += std::abs(float(now[i]) - float(wanted[i])) > allowed(what.epilogue, float(wanted[i]));
  expect(wrong == 0, what.name);
  if (what.scales && sizeof(Out) == 1)
    expect(from_device(largest, 1)[0] == most, "the largest of D");
}

template <class T>
void every_end(cublasLtHandle_t handle) {
  for (const int epilogue : {1, 2, 4, 6, 32, 36})
    for (const float beta : {0.0f, 2.0f})
      product<T, T, T>(handle, {"an epilogue", cublasLtEpilogue_t(epilogue), 1, true, false, false,
                                false, beta});
}

/// Structs in the program's own memory, and what they answer.
void described() {
  cublasLtMatmulDescOpaque_t own;
  good(cublasLtMatmulDescInit(&own, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  std::int32_t number = 0;
  std::size_t bytes = 0;
  good(cublasLtMatmulDescGetAttribute(&own, CUBLASLT_MATMUL_DESC_EPILOGUE, &number, sizeof number,
                                      &bytes));
  expect(number == CUBLASLT_EPILOGUE_DEFAULT && bytes == 4, "an epilogue asked for");
  good(cublasLtMatmulDescGetAttribute(&own, CUBLASLT_MATMUL_DESC_BIAS_POINTER, nullptr, 0, &bytes));
  expect(bytes == sizeof(void*), "the bytes of an attribute");
  expect(cublasLtMatmulDescSetAttribute(&own, CUBLASLT_MATMUL_DESC_TRANSA, &number, 2),
         CUBLAS_STATUS_INVALID_VALUE, "an attribute of another size");
  cublasLtMatrixLayoutOpaque_t layout;
  good(cublasLtMatrixLayoutInit(&layout, CUDA_R_16F, 3, 4, 5));
  std::uint64_t cols = 0;
  good(cublasLtMatrixLayoutGetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_COLS, &cols, sizeof cols,
                                        nullptr));
  expect(cols == 4, "columns asked for");
}

void errors(cublasLtHandle_t handle) {
  const Matrices<float> A(8, 8, 1, false, 6), odd(9, 8, 1, false, 7);
  std::vector<float> mine(1024);
  const float one = 1, zero = 0;
  Description description;
  good(cublasLtMatmulDescCreate(&description.handle, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const auto multiply = [&](cublasLtHandle_t by, const float* a, cublasLtMatrixLayout_t layout) {
    return cublasLtMatmul(by, description, &one, a, layout, A.device, A.layout, &zero, A.device,
                          A.layout, A.device, A.layout, nullptr, nullptr, 0, nullptr);
  };
  expect(multiply(nullptr, A.device, A.layout), CUBLAS_STATUS_NOT_INITIALIZED, "no handle");
  expect(multiply(handle, A.device, odd.layout), CUBLAS_STATUS_INVALID_VALUE, "sizes");
#ifndef LANESCOPE_ON_A_CARD
  expect(multiply(handle, mine.data(), A.layout), CUBLAS_STATUS_EXECUTION_FAILED, "the host's");
#endif
  say(description, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DGELU);
  expect(multiply(handle, A.device, A.layout) != CUBLAS_STATUS_SUCCESS, "nothing kept");
  say(description, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
  say(description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(A.device));
  expect(multiply(handle, A.device, A.layout), CUBLAS_STATUS_SUCCESS, "a bias");
  say(description, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, std::int32_t(CUDA_R_16F));
  expect(multiply(handle, A.device, A.layout), CUBLAS_STATUS_INVALID_VALUE, "a bias of halves");
}

/// 8 bits: what an H200 has no product for.
template <class InA, class InB, class Out = __nv_bfloat16>
void refused_8_bits(cublasLtHandle_t handle, const char* what, bool turn_a, int k) {
  const int m = 48, n = 32;
  const float one = 1, zero = 0;
  Description description;
  good(cublasLtMatmulDescCreate(&description.handle, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  say(description, CUBLASLT_MATMUL_DESC_TRANSA, turn_a ? CUBLAS_OP_T : CUBLAS_OP_N);
  const Matrices<InA> A(turn_a ? k : m, turn_a ? m : k, 1, false, 1);
  const Matrices<InB> B(k, n, 1, false, 2);
  const Matrices<Out> D(m, n, 1, false, 3);
  expect(cublasLtMatmul(handle, description, &one, A.device, A.layout, B.device, B.layout, &zero,
                        D.device, D.layout, D.device, D.layout, nullptr, nullptr, 0, nullptr),
         CUBLAS_STATUS_NOT_SUPPORTED, what);
}

__global__ void put(float* alpha, float* scale) { *alpha = 3, *scale = 0.5f; }

/// Factors that kernels of a graph write before the product are those that it is scaled with.
void captured(cublasLtHandle_t handle) {
  const Matrices<__nv_fp8_e4m3> A(16, 16, 1, false, 8), B(16, 16, 1, false, 9);
  const Matrices<__nv_bfloat16> D(16, 16, 1, false, 10);
  float* alpha = to_device(std::vector<float>{0, 0});  // and beta
  float* scale = to_device(std::vector<float>{0, 0, 0, 0});
  Description description;
  good(cublasLtMatmulDescCreate(&description.handle, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  say(description, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  say(description, CUBLASLT_MATMUL_DESC_POINTER_MODE, std::int32_t(CUBLASLT_POINTER_MODE_DEVICE));
  say(description, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, static_cast<const void*>(scale));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  put<<<1, 1, 0, stream>>>(alpha, scale);
  good(cublasLtMatmul(handle, description, alpha, A.device, A.layout, B.device, B.layout, alpha + 1,
                      D.device, D.layout, D.device, D.layout, nullptr, nullptr, 0, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  float sum = 0;
  for (int i = 0; i < 16; ++i) sum += A.at(i, 0, 0) * B.at(i, 0, 0);
  expect(float(from_device(D.device, 1)[0]) == float(__nv_bfloat16(1.5f * sum)),
         "captured factors");
}

}  // namespace

int main() {
  cublasLtHandle_t handle;
  expect(cublasLtCreate(&handle), CUBLAS_STATUS_SUCCESS, "cublasLtCreate");
  every_end<float>(handle);
  every_end<__half>(handle);
  every_end<__nv_bfloat16>(handle);
  for (const bool by_rows : {false, true})
    for (int turns = 0; turns < 4; ++turns)
      product<__half, __half, float>(handle, {"turned", CUBLASLT_EPILOGUE_DEFAULT, 1,
                                              (turns & 1) != 0, (turns & 2) != 0, by_rows});
  product<__half, __half, __half>(handle, {"many", CUBLASLT_EPILOGUE_BIAS, 3, true});
  using E4 = __nv_fp8_e4m3;
  using E5 = __nv_fp8_e5m2;
  product<E4, E4, __nv_bfloat16>(handle,
                                 {"e4m3", CUBLASLT_EPILOGUE_DEFAULT, 1, true, false, false, true});
  product<E4, E4, E4>(handle,
                      {"e4m3 to e4m3", CUBLASLT_EPILOGUE_DEFAULT, 1, true, false, false, true});
  product<E4, E5, __nv_bfloat16>(handle, {"e4m3, e5m2", CUBLASLT_EPILOGUE_BIAS, 1, true});
  refused_8_bits<E4, E4>(handle, "A as it is", false, 64);
  refused_8_bits<E5, E5>(handle, "both e5m2", true, 64);
  refused_8_bits<E4, E4>(handle, "lines of 40 bytes", true, 24);
  refused_8_bits<E4, E4, E4>(handle, "C of 8 bits", true, 64);
  described();
  captured(handle);
  errors(handle);
  expect(cublasLtDestroy(handle), CUBLAS_STATUS_SUCCESS, "cublasLtDestroy");
  if (failures == 0) std::printf("blas_lt: ok\n");
  return failures != 0;
}

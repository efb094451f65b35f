// SPDX-License-Identifier: MIT
// What cublasLt leaves for the way back through a network, and takes from it: GELU's input and
// ReLU's mask beside D, their gradients, the gradients of a bias. The reference is a sum of whole
// numbers on the CPU, exact until D's rounding, but for the gradient of GELU, whose tanh is not a
// card's.
#include <functional>
#include <type_traits>

#include "lt.cuh"

namespace {

constexpr int M = 48, N = 32, K = 64;
constexpr int kKeptLead = 128;  // numbers or bits

template <class T>
struct Run {
  bool turn_a, turn_b;
  float beta;
  Matrices<T> A{turn_a ? K : M, turn_a ? M : K, 1, false, 1};
  Matrices<T> B{turn_b ? N : K, turn_b ? K : N, 1, false, 2};
  Matrices<T> C{M, N, 1, false, 3}, D{M, N, 1, false, 4}, bias{kKeptLead, 1, 1, false, 5};
  std::vector<T> kept = std::vector<T>(kKeptLead * N);
  std::vector<unsigned> mask = std::vector<unsigned>(kKeptLead / 32 * N);
  std::vector<T> d, beside;  // what came of D and the bias
  bool has_a_bias_too_many = false;
  cublasStatus_t planned = CUBLAS_STATUS_SUCCESS;  // what the heuristic has said

  float a(int row, int k) const { return turn_a ? A.at(k, row, 0) : A.at(row, k, 0); }
  float b(int k, int col) const { return turn_b ? B.at(col, k, 0) : B.at(k, col, 0); }
  float sum(int row, int col) const {
    float all = beta * C.at(row, col, 0);
    for (int k = 0; k < K; ++k) all += a(row, k) * b(k, col);
    return all;
  }
  bool bit(int row, int col) const {
    const int at = col * kKeptLead + row;
    return (mask[at / 32] >> at % 32 & 1) != 0;
  }

  Run(bool turn_a_, bool turn_b_, float beta_) : turn_a(turn_a_), turn_b(turn_b_), beta(beta_) {
    Numbers numbers{9};
    for (T& x : kept) x = T(numbers.next(64) / 16.0f);
    for (unsigned& word : mask) word = numbers.next(1 << 30) * 7u;
  }

  cublasStatus_t multiply(cublasLtHandle_t handle, int epilogue) {
    const bool is_mask = (epilogue & 10) != 0;
    T* numbers = to_device(kept);
    unsigned* bits = to_device(mask);
    Description description;
    good(cublasLtMatmulDescCreate(&description.handle, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    say(description, CUBLASLT_MATMUL_DESC_TRANSA, turn_a ? CUBLAS_OP_T : CUBLAS_OP_N);
    say(description, CUBLASLT_MATMUL_DESC_TRANSB, turn_b ? CUBLAS_OP_T : CUBLAS_OP_N);
    say(description, CUBLASLT_MATMUL_DESC_EPILOGUE, cublasLtEpilogue_t(epilogue));
    if ((epilogue & (4 | 16 | 256 | 512)) != 0 || has_a_bias_too_many)
      say(description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(bias.device));
    if ((epilogue & 128) != 0) {
      const void* at = is_mask ? static_cast<const void*>(bits) : numbers;
      say(description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, at);
      say(description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t(kKeptLead));
    }
    Preference preference;
    good(cublasLtMatmulPreferenceCreate(&preference.handle));
    const std::uint64_t room = 32 << 20;
    good(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                              &room, sizeof room));
    void* workspace;
    CHECK(cudaMalloc(&workspace, room));
    cublasLtMatmulHeuristicResult_t way;
    int ways = 0;
    const float one = 1;
    cublasStatus_t status = planned = cublasLtMatmulAlgoGetHeuristic(
        handle, description, A.layout, B.layout, C.layout, D.layout, preference, 1, &way, &ways);
    if (status == CUBLAS_STATUS_SUCCESS)
      status = cublasLtMatmul(handle, description, &one, A.device, A.layout, B.device, B.layout,
                              &beta, C.device, C.layout, D.device, D.layout, &way.algo, workspace,
                              room, nullptr);
    d = from_device(D.device, D.host.size());
    beside = from_device(bias.device, bias.host.size());
    kept = from_device(numbers, kept.size());
    mask = from_device(bits, mask.size());
    return status;
  }

  float result(int row, int col) const { return float(d[D.place(row, col, 0)]); }
};

float gelu(float x) {
  return 0.5f * x * (1 + std::tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
}
float gelu_slope(float x) {
  const float t = std::tanh(0.7978845608f * (x + 0.044715f * x * x * x));
  return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * 0.7978845608f * (1 + 3 * 0.044715f * x * x);
}

/// What has been through tanh: a card's is not the CPU's. `whole` is what the tanh was multiplied
/// with, or the sum of such. Forward to f16 an H200's differs by up to 3.4e-4, else by 1.3e-5.
template <class T>
bool near(float got, float wanted, [[maybe_unused]] float whole,
          [[maybe_unused]] float of_tanh = 2e-5f) {
#ifdef LANESCOPE_ON_A_CARD
  const float half = std::is_same_v<T, float>    ? 0x1p-21f  // of what is computed behind the tanh
                     : std::is_same_v<T, __half> ? 0x1p-11f
                                                 : 0x1p-8f;
  return std::abs(got - wanted) <= half * std::abs(wanted) + of_tanh * whole;
#else
  return got == float(T(wanted));
#endif
}

/// `each` is asked of every row and column.
int wrong_of(const std::function<bool(int, int)>& each) {
  int wrong = 0;
  for (int row = 0; row < M; ++row)
    for (int col = 0; col < N; ++col) wrong += !each(row, col);
  return wrong;
}

template <class T>
void forward(cublasLtHandle_t handle, bool adds, float beta) {
  const int with = adds ? 4 : 0;
  Run<T> relu(true, false, beta), bent(true, false, beta);
  const auto x = [&](const Run<T>& run, int row, int col) {
    return run.sum(row, col) + (adds ? run.bias.at(row, 0, 0) : 0);
  };
  expect(relu.multiply(handle, 2 | 128 | with), CUBLAS_STATUS_SUCCESS, "ReLU with a mask");
  expect(wrong_of([&](int row, int col) {
           const float now = x(relu, row, col);
           return relu.bit(row, col) == (now >= 0) &&
                  relu.result(row, col) == float(T(now > 0 ? now : 0));
         }) == 0,
         "ReLU's mask");
  expect(bent.multiply(handle, 32 | 128 | with), CUBLAS_STATUS_SUCCESS, "GELU with its input");
  expect(wrong_of([&](int row, int col) {
           const float now = x(bent, row, col);
           return float(bent.kept[col * kKeptLead + row]) == float(T(now)) &&
                  near<T>(bent.result(row, col), gelu(now), std::abs(now),
                          std::is_same_v<T, __half> ? 0x1p-11f : 2e-5f);
         }) == 0,
         "GELU's input");
}

/// The product is rounded to D's type before it is bent back, and the sum is of what comes of it.
template <class T>
void backward(cublasLtHandle_t handle, bool sums, float beta) {
  const int with = sums ? 16 : 0;
  Run<T> relu(false, false, beta), bent(false, false, beta);
  const auto product = [](const Run<T>& run, int row, int col) {
    return float(T(run.sum(row, col)));
  };
  expect(relu.multiply(handle, 8 | 128 | with), CUBLAS_STATUS_SUCCESS, "ReLU's gradient");
  expect(wrong_of([&](int row, int col) {
           return relu.result(row, col) == (relu.bit(row, col) ? product(relu, row, col) : 0);
         }) == 0,
         "D of ReLU's gradient");
  expect(bent.multiply(handle, 64 | 128 | with), CUBLAS_STATUS_SUCCESS, "GELU's gradient");
  const auto slope = [&](int row, int col) {
    return gelu_slope(float(bent.kept[col * kKeptLead + row]));
  };
  expect(wrong_of([&](int row, int col) {
           const float before = product(bent, row, col);
           return near<T>(bent.result(row, col), before * slope(row, col), std::abs(before));
         }) == 0,
         "D of GELU's gradient");
  for (int row = 0; sums && row < M; ++row) {
    float all = 0, of_bent = 0, whole = 0;
    for (int col = 0; col < N; ++col) {
      if (relu.bit(row, col)) all += product(relu, row, col);
      of_bent += product(bent, row, col) * slope(row, col);
      whole += std::abs(product(bent, row, col));
    }
    expect(float(relu.beside[row]) == float(T(all)), "a sum of D's row behind ReLU");
    expect(near<T>(float(bent.beside[row]), of_bent, whole), "a sum of D's row behind GELU");
  }
}

/// Beside a product, from its operands.
template <class T>
void of_operands(cublasLtHandle_t handle) {
  Run<T> a(false, true, 2), b(true, true, 0);
  expect(a.multiply(handle, CUBLASLT_EPILOGUE_BGRADA), CUBLAS_STATUS_SUCCESS, "BGRADA");
  expect(b.multiply(handle, CUBLASLT_EPILOGUE_BGRADB), CUBLAS_STATUS_SUCCESS, "BGRADB");
  for (const Run<T>* run : {&a, &b})
    expect(wrong_of([&](int row, int col) {
             return run->result(row, col) == float(T(run->sum(row, col)));
           }) == 0,
           "D beside a gradient");
  for (int i = 0; i < M; ++i) {
    float rows = 0, cols = 0;
    for (int k = 0; k < K; ++k) {
      rows += a.a(i, k);
      if (i < N) cols += b.b(k, i);
    }
    expect(float(a.beside[i]) == float(T(rows)), "a sum of A's row");
    expect(float(b.beside[i]) == (i < N ? float(T(cols)) : b.bias.at(i, 0, 0)), "of B's column");
  }
  Run<T> other_a(true, false, 0), other_b(false, false, 0);
  expect(other_a.multiply(handle, CUBLASLT_EPILOGUE_BGRADA), CUBLAS_STATUS_NOT_SUPPORTED,
         "a turned A");
  expect(other_b.multiply(handle, CUBLASLT_EPILOGUE_BGRADB), CUBLAS_STATUS_NOT_SUPPORTED,
         "a B as it is");
  other_a.has_a_bias_too_many = true;
  expect(other_a.multiply(handle, CUBLASLT_EPILOGUE_GELU_AUX), CUBLAS_STATUS_INVALID_VALUE,
         "a bias that nobody adds");
  expect(other_a.planned, CUBLAS_STATUS_SUCCESS, "a plan for it");
  expect(other_a.multiply(handle, CUBLASLT_EPILOGUE_RELU), CUBLAS_STATUS_INVALID_VALUE,
         "a bias beside RELU");
}

template <class T>
void all_of(cublasLtHandle_t handle) {
  for (const bool beside : {false, true})
    for (const float beta : {0.0f, 2.0f}) {
      forward<T>(handle, beside, beta);
      backward<T>(handle, beside, beta);
    }
  of_operands<T>(handle);
}

}  // namespace

int main() {
  cublasLtHandle_t handle;
  expect(cublasLtCreate(&handle), CUBLAS_STATUS_SUCCESS, "cublasLtCreate");
  all_of<__nv_bfloat16>(handle);
  all_of<__half>(handle);
  all_of<float>(handle);
  expect(cublasLtDestroy(handle), CUBLAS_STATUS_SUCCESS, "cublasLtDestroy");
  if (failures == 0) std::printf("lt_training: ok\n");
  return failures != 0;
}

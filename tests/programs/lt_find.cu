// SPDX-License-Identifier: MIT
// Every way that cublasLt has to multiply, as programs list them that look for the fastest one:
// numbers, tiles, stages, a check of each; and the products of those that are there.
#include "lt.cuh"

namespace {

constexpr int kMost = 64;

/// What a way can have of a list; at least the first, which says nothing in particular.
std::vector<std::uint32_t> list(const cublasLtMatmulAlgo_t& way,
                                cublasLtMatmulAlgoCapAttributes_t what) {
  std::size_t bytes = 0;
  good(cublasLtMatmulAlgoCapGetAttribute(&way, what, nullptr, 0, &bytes));
  std::vector<std::uint32_t> found(bytes / sizeof(std::uint32_t));
  good(cublasLtMatmulAlgoCapGetAttribute(&way, what, found.data(), bytes, &bytes));
  return found.empty() ? std::vector<std::uint32_t>{0} : found;
}

template <class T>
void choose(cublasLtMatmulAlgo_t& way, cublasLtMatmulAlgoConfigAttributes_t what, T value) {
  good(cublasLtMatmulAlgoConfigSetAttribute(&way, what, &value, sizeof value));
}

cublasStatus_t numbers(cublasLtHandle_t handle, cudaDataType_t B, int most, int* ids, int* count) {
  constexpr auto kHalf = CUDA_R_16F;
  return cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, kHalf, B, kHalf, kHalf,
                                  most, ids, count);
}

}  // namespace

int main() {
  constexpr int kSize = 64;
  cublasLtHandle_t handle;
  good(cublasLtCreate(&handle));
  Description product;
  good(cublasLtMatmulDescCreate(&product.handle, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const Matrices<__half> A(kSize, kSize, 1, false, 1), D(kSize, kSize, 1, false, 2);
  int ids[kMost], count = 0, ways = 0, wrong = 0;
  good(numbers(handle, CUDA_R_16F, kMost, ids, &count));
  expect(numbers(handle, CUDA_R_16F, 0, ids, &ways), CUBLAS_STATUS_INVALID_VALUE, "none asked for");
  expect(count >= 1, "numbers");
  const float one = 1, zero = 0;
  for (int id = 0; id < count; ++id) {
    cublasLtMatmulAlgo_t way;
    if (cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F,
                               CUDA_R_16F, CUDA_R_16F, ids[id], &way) != CUBLAS_STATUS_SUCCESS)
      continue;
    std::int32_t number = -1;
    std::size_t bytes = 0;
    good(cublasLtMatmulAlgoConfigGetAttribute(&way, CUBLASLT_ALGO_CONFIG_ID, &number, sizeof number,
                                              &bytes));
    expect(number == ids[id] && bytes == sizeof number, "a way's number");
    for (const std::uint32_t tile : list(way, CUBLASLT_ALGO_CAP_TILE_IDS))
      for (const std::uint32_t stages : list(way, CUBLASLT_ALGO_CAP_STAGES_IDS)) {
        choose(way, CUBLASLT_ALGO_CONFIG_TILE_ID, tile);
        choose(way, CUBLASLT_ALGO_CONFIG_STAGES_ID, stages);
        cublasLtMatmulHeuristicResult_t result;
        if (cublasLtMatmulAlgoCheck(handle, product, A.layout, A.layout, D.layout, D.layout, &way,
                                    &result) != CUBLAS_STATUS_SUCCESS ||
            result.workspaceSize != 0)
          continue;
        ++ways;
        CHECK(cudaMemset(D.device, 0, D.host.size() * sizeof(__half)));
        if (cublasLtMatmul(handle, product, &one, A.device, A.layout, A.device, A.layout, &zero,
                           D.device, D.layout, D.device, D.layout, &way, nullptr, 0,
                           nullptr) != CUBLAS_STATUS_SUCCESS)
          continue;
        const std::vector<__half> now = from_device(D.device, D.host.size());
        float sum = 0;
        for (int k = 0; k < kSize; ++k) sum += A.at(5, k, 0) * A.at(k, 9, 0);
        wrong += float(now[D.place(5, 9, 0)]) != float(__half(sum));
      }
  }
  expect(ways > 0, "ways that a check lets through");
  expect(wrong == 0, "products");
#ifndef LANESCOPE_ON_A_CARD
  cublasLtMatmulAlgo_t way{};
  cublasLtMatmulHeuristicResult_t result;
  choose(way, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, std::int32_t(2));
  expect(cublasLtMatmulAlgoCheck(handle, product, A.layout, A.layout, D.layout, D.layout, &way,
                                 &result),
         CUBLAS_STATUS_NOT_SUPPORTED, "two parts of k");
  expect(cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F,
                                CUDA_R_16F, CUDA_R_16F, 1, &way),
         CUBLAS_STATUS_INVALID_VALUE, "another number");
  expect(numbers(handle, CUDA_R_32F, kMost, ids, &count) != CUBLAS_STATUS_SUCCESS && count == 0,
         "types that nobody multiplies");
#endif
  good(cublasLtDestroy(handle));
  if (failures == 0) std::puts("lt_find: ok");
  return failures != 0;
}

// SPDX-License-Identifier: MIT
// Ways to multiply, as programs that look for the fastest one list them: there is one, number 0, of
// one part of k, and nothing about it can be chosen. Source: cublasLt.h of CUDA 13.0.
#include <algorithm>
#include <cstring>
#include <span>

#include "cudart/blas/lt.hpp"

namespace lanescope::cudart {

namespace {

/// Whether a product of such types is multiplied: one of 16 by 16 by 16.
cublasStatus look_at_types(int compute, int scale, int a, int b, int c, int d) {
  constexpr int kSize = 16, kTurned = 1;
  LtProduct product = lt_product(compute, scale);
  product.op_a = kTurned;
  const auto layout = [](int type) { return lt_layout(type, kSize, kSize, kSize); };
  return look_at_product(product, layout(a), layout(b), layout(c), layout(d));
}

/// As number 0 was made, whatever a program has said of it that has no effect.
bool is_only_way(const LtAlgorithm& way) {
  return way.number == 0 && way.tile == 0 && way.parts_of_k <= 1 && way.reduction == 0 &&
         way.swizzling == 0 && way.option == 0 && way.stages == 0;
}

struct Capability {
  int number, value;
};
constexpr Capability kCapabilities[] = {
    {0, 0},                // parts of k
    {1, 0},                // reductions of these
    {2, 0},                // swizzling of CTAs
    {3, 1},                // products one behind the other
    {4, 1},                // a D apart from C
    {5, 0},                // triangles
    {6, 0},                // tiles: the undefined one
    {7, 0},                // options
    {10, 0},               // orders of a matrix but columns and rows
    {11, 3},               // alpha and beta on the host or on the card
    {12, 1023},            // epilogues
    {13, 0},               // stages: the undefined number
    {14, 0},               // leads below 0
    {16, 1},               // bytes that A is aligned to
    {17, 1},               // B
    {18, 1},    {19, 1},   // C, D
    {21, 0},    {22, 0}};  // products by pointers; emulated f64 or f32

}  // namespace

LANESCOPE_API cublasStatus cublasLtMatmulAlgoGetIds(void* handle, int compute, int scale, int a,
                                                    int b, int c, int d, int requested,
                                                    int* numbers, int* count) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (requested < 1 || !numbers || !count) return CUBLAS_STATUS_INVALID_VALUE;
  *count = 0;
  const cublasStatus status = look_at_types(compute, scale, a, b, c, d);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  numbers[0] = 0;
  *count = 1;
  return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_API cublasStatus cublasLtMatmulAlgoInit(void* handle, int compute, int scale, int a,
                                                  int b, int c, int d, int number,
                                                  LtAlgorithm* way) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!way || number != 0) return CUBLAS_STATUS_INVALID_VALUE;
  *way = {};
  way->parts_of_k = 1;
  return look_at_types(compute, scale, a, b, c, d);
}

LANESCOPE_API cublasStatus cublasLtMatmulAlgoCheck(void* handle, const LtProduct* product,
                                                   const LtLayout* a, const LtLayout* b,
                                                   const LtLayout* c, const LtLayout* d,
                                                   const LtAlgorithm* way, LtWay* result) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!product || !a || !b || !d || !way || !result) return CUBLAS_STATUS_INVALID_VALUE;
  const LtAlgorithm asked = *way;  // it may be the result's own
  *result = {};
  LtProduct planned = *product;
  planned.bias = nullptr;
  result->state = is_only_way(asked) ? look_at_product(planned, *a, *b, c ? *c : *d, *d)
                                     : CUBLAS_STATUS_NOT_SUPPORTED;
  if (result->state != CUBLAS_STATUS_SUCCESS) return result->state;
  result->algorithm = asked;
  result->waves = 1;
  return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_API cublasStatus cublasLtMatmulAlgoCapGetAttribute(const LtAlgorithm* way, int number,
                                                             void* value, std::size_t bytes,
                                                             std::size_t* written) {
  const auto found = std::ranges::find(kCapabilities, number, &Capability::number);
  if (!way || found == std::end(kCapabilities) || (bytes == 0 ? !written : !value))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes != 0 && bytes < sizeof found->value) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes != 0) std::memcpy(value, &found->value, sizeof found->value);
  if (written) *written = sizeof found->value;
  return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_API cublasStatus cublasLtMatmulAlgoGetHeuristic(void* handle, const LtProduct* product,
                                                          const LtLayout* a, const LtLayout* b,
                                                          const LtLayout* c, const LtLayout* d,
                                                          const LtPreference* preference,
                                                          int requested, LtWay* ways, int* count) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!preference || !ways || !count || requested < 1) return CUBLAS_STATUS_INVALID_VALUE;
  *count = 0;
  // Whether there should be a bias the product asks, as on an H200.
  const LtAlgorithm only{};
  const cublasStatus status = cublasLtMatmulAlgoCheck(handle, product, a, b, c, d, &only, ways);
  *count = status == CUBLAS_STATUS_SUCCESS ? 1 : 0;
  return status;
}

}  // namespace lanescope::cudart

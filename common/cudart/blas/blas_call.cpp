// SPDX-License-Identifier: MIT
#include "cudart/blas/blas_call.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "cudart/api/api.hpp"

namespace lanescope::cudart {

namespace {

constexpr int kMode = 0xf, kTf32Mode = 3;  // CUBLAS_TF32_TENSOR_OP_MATH; above are flags

const void* nth(const Call& call, const Given& given, std::int64_t index) {
  if (call.by_list) return static_cast<const void* const*>(given.data)[index];
  return static_cast<const std::byte*>(given.data) + index * given.apart * bytes_of(given.element);
}

/// The lists of addresses, of 8 bytes each.
std::vector<Named> lists_of(const Call& call) {
  const auto list = [&](const Given& given) {
    return Given{given.data, Element::f64, 0, 1, call.count, 1};
  };
  return {{"the list of A", list(call.A)},
          {"the list of B", list(call.B)},
          {"the list of C", list(call.C)}};
}

/// The matrices of all products: A, B, C of the first, and so on.
std::vector<Named> matrices_of(const Call& call) {
  std::vector<Named> matrices;
  for (std::int64_t index = 0; index < call.count; ++index)
    for (const auto& [name, given] : {Named{"A", call.A}, Named{"B", call.B}, Named{"C", call.C}}) {
      matrices.push_back({name, given});
      matrices.back().given.data = nth(call, given, index);
    }
  return matrices;
}

struct Factors {
  Factor alpha, beta;
};

void multiply_all(Product product, const Factors& by, const std::vector<Named>& matrices) {
  product.alpha = by.alpha.value();
  product.beta = by.beta.value();
  for (std::size_t at = 0; at + 2 < matrices.size(); at += 3) {
    product.A = matrix_of(matrices[at].given);
    product.B = matrix_of(matrices[at + 1].given);
    product.C = matrix_of(matrices[at + 2].given);
    multiply(product);
  }
}

Product without_matrices(const Call& call, const Blas& blas) {
  Product same;
  same.m = call.m;
  same.n = call.n;
  same.k = call.k;
  same.A.element = call.A.element;
  same.B.element = call.B.element;
  same.C.element = call.C.element;
  same.scale = call.scale;
  same.allows_tf32 =
      !call.has_vector && (call.allows_tf32 || (blas.math_mode & kMode) == kTf32Mode);
  same.arch = card_arch();
  return same;
}

}  // namespace

bool is_where_mode_says(const Asker& asker, const char* name, Element element, const void* data,
                        std::vector<Named>& needs) {
  if (!asker.blas->points_to_host()) {
    needs.push_back({name, {data, element, 0, 1, 1, 1}});
    return true;
  }
  cudaPointerAttributes found{};
  if (cudaPointerGetAttributes(&found, data) != cudaSuccess || found.type != cudaMemoryTypeDevice)
    return true;
  say_of_blas(asker.function,
              fmt::format("{} at {} is the card's memory; call cublasSetPointerMode(handle, "
                          "CUBLAS_POINTER_MODE_DEVICE) before",
                          name, data)
                  .c_str());
  return false;
}

Factor::Factor(const Asker& asker, Element element, const void* at)
    : element_(element), at_(asker.blas->points_to_host() ? nullptr : at) {
  if (!at_) value_ = read_complex(element, at);
}

cublasStatus run(const Call& call) {
  const Blas* blas = find_blas(call.handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (call.m < 0 || call.n < 0 || call.k < 0 || call.count < 0 || !is_valid(call.A) ||
      !is_valid(call.B) || !is_valid(call.C))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (call.m == 0 || call.n == 0 || call.count == 0) return CUBLAS_STATUS_SUCCESS;
  if (!call.alpha || !call.beta) return CUBLAS_STATUS_INVALID_VALUE;
  const Product same = without_matrices(call, *blas);
  if (!is_multiplied(same)) return refuse_types(call.function);
  const Asker asker{call.function, blas, call.scale};
  std::vector<Named> needs = call.by_list ? lists_of(call) : matrices_of(call);
  const std::vector<Named> matrices = call.by_list ? std::vector<Named>{} : needs;
  if (!is_where_mode_says(asker, "alpha", call.scale, call.alpha, needs) ||
      !is_where_mode_says(asker, "beta", call.scale, call.beta, needs))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  const Factors by{{asker, call.scale, call.alpha}, {asker, call.scale, call.beta}};
  if (!call.by_list)
    return in_turn(asker, std::move(needs), [=] { multiply_all(same, by, matrices); });
  int is_captured = 0;
  if (cudaStreamIsCapturing(blas->stream, &is_captured) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  if (is_captured == 0 &&
      !(are_there(call.function, needs) && are_there(call.function, matrices_of(call))))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return in_turn(asker, std::move(needs), [=] {  // a graph may fill the lists before
    const std::vector<Named> listed = matrices_of(call);
    if (are_there(call.function, listed)) multiply_all(same, by, listed);
  });
}

}  // namespace lanescope::cudart

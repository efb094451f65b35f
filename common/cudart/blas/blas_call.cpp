// SPDX-License-Identifier: MIT
#include "cudart/blas/blas_call.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "cudart/api/api.hpp"

namespace lanescope::cudart {

namespace {

constexpr int kMode = 0xf, kTf32Mode = 3;  // CUBLAS_TF32_TENSOR_OP_MATH; above are flags

struct Factors {
  Factor alpha, beta;
};

/// The lists of addresses, of 8 bytes each.
std::vector<Named> lists_of(const Call& call) {
  const auto list = [&](const Given& given) {
    return Given{given.data, Element::f64, 0, 1, call.count, 1};
  };
  return {{"the list of A", list(call.A)},
          {"the list of B", list(call.B)},
          {"the list of C", list(call.C)}};
}

Given nth(const Call& call, Given given, std::int64_t index) {
  given.data = call.by_list ? static_cast<const void* const*>(given.data)[index]
                            : static_cast<const std::byte*>(given.data) +
                                  index * given.apart * bytes_of(given.element);
  return given;
}

/// The matrices of all products: A, B, C of the first, and so on. With a vector, A and it are
/// needed where alpha is not 0.
std::vector<Named> matrices_of(const Call& call, const Factors& by) {
  const auto by_alpha = [&](const char* name, const Given& given) {
    return call.has_vector ? by.alpha.of(name, given) : Named{name, given};
  };
  std::vector<Named> matrices;
  for (std::int64_t index = 0; index < call.count; ++index) {
    matrices.push_back(by_alpha("A", nth(call, call.A, index)));
    matrices.push_back(by_alpha("B", nth(call, call.B, index)));
    matrices.push_back({"C", nth(call, call.C, index)});
  }
  return matrices;
}

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
  same.reads_by_zero = !call.has_vector;
  same.arch = card_arch();
  return same;
}

/// An H200 refuses it, whatever the factors are; of a list it finds out when it is too late.
bool is_without_matrices(const Call& call) {
  return !call.by_list && (!call.C.data || (call.k > 0 && (!call.A.data || !call.B.data)));
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
  // BLAS does not scale the result of a vector of no elements; of a matrix of none it does.
  if (call.m == 0 || call.n == 0 || call.count == 0 || (call.has_vector && call.k == 0))
    return CUBLAS_STATUS_SUCCESS;
  if (!call.alpha || !call.beta || is_without_matrices(call)) return CUBLAS_STATUS_INVALID_VALUE;
  const Product same = without_matrices(call, *blas);
  if (!is_multiplied(same)) return refuse_types(call.function);
  const Asker asker{call.function, blas, call.scale};
  std::vector<Named> needs;
  if (!is_where_mode_says(asker, "alpha", call.scale, call.alpha, needs) ||
      !is_where_mode_says(asker, "beta", call.scale, call.beta, needs))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  const Factors by{{asker, call.scale, call.alpha}, {asker, call.scale, call.beta}};
  const std::vector<Named> known = call.by_list ? lists_of(call) : matrices_of(call, by);
  needs.insert(needs.end(), known.begin(), known.end());
  if (!call.by_list)
    return in_turn(asker, std::move(needs), [=] { multiply_all(same, by, known); });
  int is_captured = 0;
  if (cudaStreamIsCapturing(blas->stream, &is_captured) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  if (is_captured == 0 &&
      !(are_there(call.function, needs) && are_there(call.function, matrices_of(call, by))))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return in_turn(asker, std::move(needs), [=] {  // a graph may fill the lists before
    const std::vector<Named> listed = matrices_of(call, by);
    if (are_there(call.function, listed)) multiply_all(same, by, listed);
  });
}

}  // namespace lanescope::cudart

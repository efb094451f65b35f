// SPDX-License-Identifier: MIT
#include "cudart/blas/blas_call.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
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

/// Whether the lists of addresses are the card's memory, too.
bool has_lists(const Asker& asker, const Call& call) {
  const auto list = [&](const Given& given) {  // of 8 bytes each
    return Given{given.data, Element::f64, 0, 1, call.count, 1};
  };
  return !call.by_list || are_there(asker, {{"the list of A", list(call.A)},
                                            {"the list of B", list(call.B)},
                                            {"the list of C", list(call.C)}});
}

/// Products like `same`, each with its matrices; nullopt where one is not there, which is said.
std::optional<std::vector<Product>> products_of(const Call& call, const Product& same) {
  std::vector<Product> products(static_cast<std::size_t>(call.count), same);
  for (std::int64_t index = 0; index < call.count; ++index) {
    const std::array<const void*, 3> at{nth(call, call.A, index), nth(call, call.B, index),
                                        nth(call, call.C, index)};
    if (!is_there(call.function, "A", call.A, at[0]) ||
        !is_there(call.function, "B", call.B, at[1]) ||
        !is_there(call.function, "C", call.C, at[2]))
      return std::nullopt;
    Product& product = products[static_cast<std::size_t>(index)];
    product.A = matrix_of(call.A, at[0]);
    product.B = matrix_of(call.B, at[1]);
    product.C = matrix_of(call.C, at[2]);
  }
  return products;
}

struct Factors {
  Factor alpha, beta;
};

void multiply_all(const Factors& by, std::vector<Product>& products) {
  for (Product& product : products) {
    product.alpha = by.alpha.value();
    product.beta = by.beta.value();
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

bool are_there(const Asker& asker, std::initializer_list<Named> all) {
  for (const auto& [name, given] : all)
    if (!is_there(asker.function, name, given, given.data)) return false;
  return true;
}

bool is_where_mode_says(const Asker& asker, const char* name, Element element, const void* data) {
  if (!asker.blas->points_to_host()) return are_there(asker, {{name, {data, element, 0, 1, 1, 1}}});
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
  if (!is_where_mode_says(asker, "alpha", call.scale, call.alpha) ||
      !is_where_mode_says(asker, "beta", call.scale, call.beta) || !has_lists(asker, call))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  const Factors by{{asker, call.scale, call.alpha}, {asker, call.scale, call.beta}};
  int is_captured = 0;
  if (cudaStreamIsCapturing(blas->stream, &is_captured) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  if (call.by_list && is_captured != 0)  // what comes before it in the graph may fill the lists
    return in_turn(blas->stream, [=] {
      if (auto products = products_of(call, same)) multiply_all(by, *products);
    });
  auto products = products_of(call, same);
  if (!products) return CUBLAS_STATUS_EXECUTION_FAILED;
  return in_turn(blas->stream,
                 [by, products = std::move(*products)]() mutable { multiply_all(by, products); });
}

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// What a program says of a product for cublasLt: three kinds of structs, made, laid down in the
// program's own memory, and their attributes set and asked for; a way to multiply has some, too.
#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "cudart/blas/lt.hpp"

namespace lanescope::cudart {

namespace {

/// Where an attribute of the header's number lies in our struct.
struct Attribute {
  int number;
  std::size_t offset, bytes;
};

#define LANESCOPE_AT(number, Struct, member) \
  { number, offsetof(Struct, member), sizeof(Struct::member) }
// An entry of an array: offsetof of an array and an index together is no standard C++.
#define LANESCOPE_NTH(number, Struct, member, n)                                             \
  {                                                                                          \
    number, offsetof(Struct, member) + (n) * sizeof(*static_cast<Struct*>(nullptr)->member), \
        sizeof(*static_cast<Struct*>(nullptr)->member)                                       \
  }

constexpr Attribute kLayout[] = {LANESCOPE_AT(0, LtLayout, type), LANESCOPE_AT(1, LtLayout, order),
                                 LANESCOPE_AT(2, LtLayout, rows), LANESCOPE_AT(3, LtLayout, cols),
                                 LANESCOPE_AT(4, LtLayout, lead), LANESCOPE_AT(5, LtLayout, count),
                                 LANESCOPE_AT(6, LtLayout, apart)};

constexpr Attribute kProduct[] = {LANESCOPE_AT(0, LtProduct, compute),
                                  LANESCOPE_AT(1, LtProduct, scale),
                                  LANESCOPE_AT(2, LtProduct, pointer_mode),
                                  LANESCOPE_AT(3, LtProduct, op_a),
                                  LANESCOPE_AT(4, LtProduct, op_b),
                                  LANESCOPE_AT(5, LtProduct, op_c),
                                  LANESCOPE_AT(6, LtProduct, fill_mode),
                                  LANESCOPE_AT(7, LtProduct, epilogue),
                                  LANESCOPE_AT(8, LtProduct, bias),
                                  LANESCOPE_AT(10, LtProduct, biases_apart),
                                  LANESCOPE_AT(11, LtProduct, kept),
                                  LANESCOPE_AT(12, LtProduct, kept_lead),
                                  LANESCOPE_AT(13, LtProduct, kept_apart),
                                  LANESCOPE_AT(15, LtProduct, multiprocessors),
                                  LANESCOPE_NTH(17, LtProduct, factors, 0),
                                  LANESCOPE_NTH(18, LtProduct, factors, 1),
                                  LANESCOPE_NTH(19, LtProduct, factors, 2),
                                  LANESCOPE_NTH(20, LtProduct, factors, 3),
                                  LANESCOPE_AT(21, LtProduct, largest_of_d),
                                  LANESCOPE_AT(25, LtProduct, sums_fast),
                                  LANESCOPE_AT(26, LtProduct, bias_type),
                                  LANESCOPE_NTH(31, LtProduct, factor_modes, 0),
                                  LANESCOPE_NTH(32, LtProduct, factor_modes, 1),
                                  LANESCOPE_NTH(33, LtProduct, factor_modes, 2),
                                  LANESCOPE_NTH(34, LtProduct, factor_modes, 3)};

constexpr Attribute kPreference[] = {
    LANESCOPE_AT(0, LtPreference, search_mode),     LANESCOPE_AT(1, LtPreference, workspace_bytes),
    LANESCOPE_AT(3, LtPreference, reductions),      LANESCOPE_NTH(5, LtPreference, alignments, 0),
    LANESCOPE_NTH(6, LtPreference, alignments, 1),  LANESCOPE_NTH(7, LtPreference, alignments, 2),
    LANESCOPE_NTH(8, LtPreference, alignments, 3),  LANESCOPE_AT(9, LtPreference, waves),
    LANESCOPE_AT(12, LtPreference, implementations)};

constexpr Attribute kAlgorithm[] = {
    LANESCOPE_AT(0, LtAlgorithm, number),       LANESCOPE_AT(1, LtAlgorithm, tile),
    LANESCOPE_AT(2, LtAlgorithm, parts_of_k),   LANESCOPE_AT(3, LtAlgorithm, reduction),
    LANESCOPE_AT(4, LtAlgorithm, swizzling),    LANESCOPE_AT(5, LtAlgorithm, option),
    LANESCOPE_AT(6, LtAlgorithm, stages),       LANESCOPE_AT(7, LtAlgorithm, inner_shape),
    LANESCOPE_AT(8, LtAlgorithm, cluster_shape)};
#undef LANESCOPE_AT
#undef LANESCOPE_NTH

const Attribute* find(std::span<const Attribute> all, int number) {
  const auto found = std::ranges::find(all, number, &Attribute::number);
  return found == all.end() ? nullptr : &*found;
}

cublasStatus set(const char* function, std::span<const Attribute> all, void* in, int number,
                 const void* value, std::size_t bytes) {
  if (!in || !value) return CUBLAS_STATUS_INVALID_VALUE;
  const Attribute* attribute = find(all, number);
  if (!attribute) {
    say_of_blas(function, ("attribute " + std::to_string(number) +
                           " is not in the stand-in for cublasLt (see docs/runtime.md)")
                              .c_str());
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  if (bytes != attribute->bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(static_cast<std::byte*>(in) + attribute->offset, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

/// With no room it says how much it would need.
cublasStatus get(std::span<const Attribute> all, const void* in, int number, void* value,
                 std::size_t bytes, std::size_t* written) {
  const Attribute* attribute = find(all, number);
  if (!in || !attribute || (bytes == 0 ? !written : !value)) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes != 0 && bytes != attribute->bytes) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes != 0)
    std::memcpy(value, static_cast<const std::byte*>(in) + attribute->offset, attribute->bytes);
  if (written) *written = attribute->bytes;
  return CUBLAS_STATUS_SUCCESS;
}

/// A struct in memory of ours, or in the program's own, which has so many bytes.
template <class Struct>
cublasStatus make(Struct** result, const Struct& first) {
  if (!result) return CUBLAS_STATUS_INVALID_VALUE;
  *result = new Struct(first);
  return CUBLAS_STATUS_SUCCESS;
}
template <class Struct>
cublasStatus lay_down(Struct* at, std::size_t bytes, const Struct& first) {
  if (!at || bytes < sizeof first) return CUBLAS_STATUS_INVALID_VALUE;
  std::memset(static_cast<void*>(at), 0, bytes);
  *at = first;
  return CUBLAS_STATUS_SUCCESS;
}
template <class Struct>
cublasStatus drop(Struct* old) {
  delete old;
  return CUBLAS_STATUS_SUCCESS;
}

LtPreference preference() {
  LtPreference made{};
  made.reductions = 7;
  std::ranges::fill(made.alignments, 256u);
  made.implementations = ~std::uint64_t{0};
  return made;
}

}  // namespace

LtLayout lt_layout(int type, std::uint64_t rows, std::uint64_t cols, std::int64_t lead) {
  return {static_cast<std::uint32_t>(type), 0, rows, cols, lead, 0, 1};
}

LtProduct lt_product(int compute, int scale) {
  constexpr std::int32_t kFull = 2;
  LtProduct made{};
  made.compute = compute;
  made.scale = scale;
  made.fill_mode = kFull;
  made.epilogue = 1;
  made.bias_type = -1;
  return made;
}

LANESCOPE_API cublasStatus cublasLtMatrixLayoutCreate(LtLayout** result, int type,
                                                      std::uint64_t rows, std::uint64_t cols,
                                                      std::int64_t lead) {
  return make(result, lt_layout(type, rows, cols, lead));
}
LANESCOPE_API cublasStatus cublasLtMatrixLayoutInit_internal(LtLayout* at, std::size_t bytes,
                                                             int type, std::uint64_t rows,
                                                             std::uint64_t cols,
                                                             std::int64_t lead) {
  return lay_down(at, bytes, lt_layout(type, rows, cols, lead));
}
LANESCOPE_API cublasStatus cublasLtMatmulDescCreate(LtProduct** result, int compute, int scale) {
  return make(result, lt_product(compute, scale));
}
LANESCOPE_API cublasStatus cublasLtMatmulDescInit_internal(LtProduct* at, std::size_t bytes,
                                                           int compute, int scale) {
  return lay_down(at, bytes, lt_product(compute, scale));
}
LANESCOPE_API cublasStatus cublasLtMatmulPreferenceCreate(LtPreference** result) {
  return make(result, preference());
}
LANESCOPE_API cublasStatus cublasLtMatmulPreferenceInit_internal(LtPreference* at,
                                                                 std::size_t bytes) {
  return lay_down(at, bytes, preference());
}

#define LANESCOPE_ATTRIBUTES(name, Struct, all)                                                   \
  LANESCOPE_API cublasStatus cublasLt##name##Destroy(Struct* old) { return drop(old); }           \
  LANESCOPE_API cublasStatus cublasLt##name##SetAttribute(Struct* in, int number,                 \
                                                          const void* value, std::size_t bytes) { \
    return set("cublasLt" #name "SetAttribute", all, in, number, value, bytes);                   \
  }                                                                                               \
  LANESCOPE_API cublasStatus cublasLt##name##GetAttribute(                                        \
      const Struct* in, int number, void* value, std::size_t bytes, std::size_t* written) {       \
    return get(all, in, number, value, bytes, written);                                           \
  }
LANESCOPE_ATTRIBUTES(MatrixLayout, LtLayout, kLayout)
LANESCOPE_ATTRIBUTES(MatmulDesc, LtProduct, kProduct)
LANESCOPE_ATTRIBUTES(MatmulPreference, LtPreference, kPreference)
#undef LANESCOPE_ATTRIBUTES

LANESCOPE_API cublasStatus cublasLtMatmulAlgoConfigSetAttribute(LtAlgorithm* way, int number,
                                                                const void* value,
                                                                std::size_t bytes) {
  constexpr int kNumber = 0;  // it is read only
  if (number == kNumber) return CUBLAS_STATUS_INVALID_VALUE;
  return set("cublasLtMatmulAlgoConfigSetAttribute", kAlgorithm, way, number, value, bytes);
}
LANESCOPE_API cublasStatus cublasLtMatmulAlgoConfigGetAttribute(const LtAlgorithm* way, int number,
                                                                void* value, std::size_t bytes,
                                                                std::size_t* written) {
  return get(kAlgorithm, way, number, value, bytes, written);
}

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// The binary interface of libcublasLt.so.13 as far as the stand-in answers it: descriptions of a
// product and of its matrices, and the product. Source: cublasLt.h of CUDA 13.0.
//
//     cublasLtMatmulDescCreate, cublasLtMatrixLayoutCreate -> structs in the program's memory
//     cublasLtMatmul -> reads them -> in_turn() (given.hpp)
//
// The header has such a struct as an array of 64-bit words, which programs may lay down themselves:
// ours fit in.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cudart/blas/blas.hpp"

namespace lanescope::cudart {

/// cublasLtMatrixLayout_t points to one.
struct LtLayout {
  std::uint32_t type;
  std::int32_t order;  // 0: columns, 1: rows
  std::uint64_t rows, cols;
  std::int64_t lead;
  std::int64_t apart;  // from one product's matrix to the next one's, in elements
  std::int32_t count;  // products
};

/// cublasLtMatmulDesc_t points to one.
struct LtProduct {
  std::int32_t compute, scale;
  std::int32_t pointer_mode;
  std::int32_t op_a, op_b, op_c;
  std::int32_t fill_mode;
  std::uint32_t epilogue;
  const void* bias;
  std::int64_t biases_apart;
  const void* kept;  // EPILOGUE_AUX: for the way back, or from the way forth
  std::int64_t kept_lead, kept_apart;
  std::int32_t bias_type;  // -1: D's
  std::int32_t multiprocessors;
  const void* factors[4];  // of A, B, C and D: addresses of one f32 each, or nullptr
  std::int32_t factor_modes[4];
  void* largest_of_d;  // AMAX_D: one f32, or nullptr
  std::int8_t sums_fast;
};

/// cublasLtMatmulPreference_t points to one. Kept, and not asked: there is one way to multiply.
struct LtPreference {
  std::uint32_t search_mode, reductions;
  std::uint64_t workspace_bytes, implementations;
  std::uint32_t alignments[4];
  float waves;
};

/// cublasLtMatmulAlgo_t: a way to multiply. There is one, number 0; the rest is kept, and not
/// asked.
struct LtAlgorithm {
  std::int32_t number;
  std::uint32_t tile;
  std::int32_t parts_of_k;
  std::uint32_t reduction, swizzling, option, stages;
  std::uint16_t inner_shape, cluster_shape;
  std::uint64_t unused[4];
};

/// What cublasLtMatmulAlgoGetHeuristic says of a way to multiply.
struct LtWay {
  LtAlgorithm algorithm;
  std::size_t workspace_bytes;
  cublasStatus state;
  float waves;
  std::int32_t reserved[4];
};

static_assert(sizeof(LtLayout) <= 64 && sizeof(LtProduct) <= 256 && sizeof(LtPreference) <= 64);
static_assert(sizeof(LtAlgorithm) == 64 && sizeof(LtWay) == 96);

/// As they are when a program has made them, of such types.
LtLayout lt_layout(int type, std::uint64_t rows, std::uint64_t cols, std::int64_t lead);
LtProduct lt_product(int compute, int scale);

/// Whether there is such a product; what stands in its way is said.
cublasStatus look_at_product(const LtProduct& product, const LtLayout& a, const LtLayout& b,
                             const LtLayout& c, const LtLayout& d);

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// A call of cuBLAS, for one product or many, or for something else with vectors and matrices: what
// it says of them is looked at in the call, and what it asks has its turn in the handle's stream.
#pragma once

#include <complex>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include "cudart/blas/blas.hpp"
#include "cudart/blas/given.hpp"

namespace lanescope::cudart {

/// One call: its matrices, how many products, and, where they lie anywhere, lists of addresses.
struct Call {
  const char* function;
  cublasHandle_t handle;
  std::int64_t m, n, k;
  const void* alpha;
  const void* beta;
  Element scale;
  Given A, B, C;
  std::int64_t count = 1;
  bool by_list = false;  // A.data, B.data and C.data are lists of addresses
  bool allows_tf32 = false;
  bool has_vector = false;  // no tensor core multiplies by one, whatever the math mode says
};

cublasStatus run(const Call& call);

/// The three matrices of C = op(A) op(B), by what every gemm says of them.
struct Shapes {
  int op_a, op_b;
  std::int64_t m, n, k;

  Given a(const void* data, Element element, std::int64_t lead, std::int64_t apart = 0) const {
    return {data, element, op_a, op_a == 0 ? m : k, op_a == 0 ? k : m, lead, apart};
  }
  Given b(const void* data, Element element, std::int64_t lead, std::int64_t apart = 0) const {
    return {data, element, op_b, op_b == 0 ? k : n, op_b == 0 ? n : k, lead, apart};
  }
  Given c(const void* data, Element element, std::int64_t lead, std::int64_t apart = 0) const {
    return {data, element, 0, m, n, lead, apart};
  }
};

/// One call of vectors, or of matrices that are not multiplied: who asks what, and in which type it
/// is rounded.
struct Asker {
  const char* function;
  const Blas* blas;
  Element in;
};

/// A vector as a call says it; its elements lie backwards where the step is below 0.
inline Given vector(const void* data, Element element, std::int64_t count, std::int64_t step) {
  return {data, element, 0, 1, count, std::abs(step), 0, step < 0};
}

/// op(A), of so many rows and columns.
inline Given turned(const void* data, Element type, int op, std::int64_t rows, std::int64_t cols,
                    std::int64_t lead) {
  return {data, type, op, op == 0 ? rows : cols, op == 0 ? cols : rows, lead};
}

inline Matrix matrix_of(const Given& given) { return matrix_of(given, given.data); }

/// Whether a number lies where the pointer mode says; says so where it is the card's, and should be
/// the host's: that would end the program. What should be the card's is added to the needs.
bool is_where_mode_says(const Asker& asker, const char* name, Element element, const void* data,
                        std::vector<Named>& needs);

inline cublasStatus in_turn(const Asker& asker, std::vector<Named> needs,
                            std::function<void()> work) {
  return in_turn(asker.function, asker.blas->stream, std::move(needs), std::move(work));
}

/// A factor of a call: the host's number as it is now, the card's when it is asked for (and must be
/// there by then).
class Factor {
 public:
  Factor(const Asker& asker, Element element, const void* at);
  std::complex<double> value() const { return at_ ? read_complex(element_, at_) : value_; }
  /// What it multiplies is not read where it is 0: then it may be NaN, or not be there at all.
  bool reads() const { return value() != 0.0; }
  Named of(const char* name, const Given& given) const {
    return {name, given, [by = *this] { return by.reads(); }};
  }

 private:
  Element element_;
  const void* at_;
  std::complex<double> value_ = 0;
};

}  // namespace lanescope::cudart

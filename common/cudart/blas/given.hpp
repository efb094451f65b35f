// SPDX-License-Identifier: MIT
// What calls of cuBLAS and of cublasLt say of their matrices, looked at, and the products' turn in
// a stream: what the two stand-ins share.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cudart/blas/blas.hpp"
#include "cudart/blas/product.hpp"

namespace lanescope::cudart {

constexpr int kFastTf32 = 77;  // CUBLAS_COMPUTE_32F_FAST_TF32

/// The types of cudaDataType that there are products of.
std::optional<Element> element_of(int type);

/// In which type a cublasComputeType_t has alpha and beta.
std::optional<Element> scale_of(int compute);

/// What a call says of one of its matrices: `rows` x `cols` before the transposition.
struct Given {
  const void* data;
  Element element;
  int transposes;  // cublasOperation_t
  std::int64_t rows, cols;
  std::int64_t lead;
  std::int64_t apart = 0;     // from one product's matrix to the next one's, in elements
  bool is_backwards = false;  // the last column lies first: a vector with a step below 0
  bool conjugates = false;    // whatever `transposes` says
};

bool is_valid(const Given& given);

/// The bytes of `given` must be memory that a kernel could reach; a host's own would be no mistake
/// here, and an illegal address on a card.
bool is_there(const char* function, const char* name, const Given& given, const void* data);

Matrix matrix_of(const Given& given, const void* data);

/// As which card the program runs (cudart/environment.hpp).
std::string card_arch();

/// One line, and CUBLAS_STATUS_NOT_SUPPORTED.
cublasStatus refuse_types(const char* function);

/// Memory that a call needs, by the name that the call has for it; where `is_needed` is there, only
/// if it says so: it may ask for what is named before.
struct Named {
  const char* name;
  Given given;
  std::function<bool()> is_needed = nullptr;
};
bool are_there(const char* function, const std::vector<Named>& needs);

/// The work has its turn in that stream, a captured one too: then as often as the graph is
/// launched, with what lies in the card's memory by then. What it needs must be there: in the call,
/// or, where a graph may allocate it before, when the work has its turn; else it is said and not
/// done.
cublasStatus in_turn(const char* function, cudaStream_t stream, std::vector<Named> needs,
                     std::function<void()> work);

}  // namespace lanescope::cudart

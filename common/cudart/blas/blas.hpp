// SPDX-License-Identifier: MIT
// The binary interface of libcublas.so.13 as far as the stand-in answers it: products of matrices,
// with which programs compare kernels of their own, and what a program calls around them. Not the
// toolkit's header: this room builds on machines that have none. Source: cublas_api.h of CUDA 13.0.
//
//     program -> cublasSgemm -> check the arguments -> cudaLaunchHostFunc(stream) -> multiply()
//
// So a product has its turn in its stream, a captured one too.
#pragma once

#include <atomic>

#include "cudart/abi.hpp"
#include "cudart/blas/product.hpp"

namespace lanescope::cudart {

enum cublasStatus : int {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
};

/// A number of ours, as all handles (abi.hpp).
using cublasHandle_t = void*;

/// What a handle remembers.
struct Blas {
  cudaStream_t stream = nullptr;
  int pointer_mode = 0;
  int math_mode = 0;
  int atomics_mode = 0;
  int multiprocessors = 0;

  /// Whether alpha, beta and results are numbers of the host: CUBLAS_POINTER_MODE_HOST.
  bool points_to_host() const { return pointer_mode == 0; }
};

/// The state of a handle while `self` lives, or nullptr where there is none of that number.
Blas* find_blas(cublasHandle_t handle);

inline constexpr int kBlasVersion = 130100;  // that of CUDA 13.0

const char* status_name(int status);
const char* status_text(int status);
cublasStatus blas_property(int which, int* value);

/// One line on stderr.
void say_of_blas(const char* function, const char* what);

/// CUBLAS_STATUS_NOT_SUPPORTED, after one line the first time.
cublasStatus not_supported(const char* name, std::atomic<bool>& said);

}  // namespace lanescope::cudart

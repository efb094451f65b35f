// SPDX-License-Identifier: MIT
// What the stand-ins for cuBLAS and cublasLt say: names of their answers, and lines on stderr.
#include <cstdio>
#include <string>
#include <string_view>

#include "cudart/blas/blas.hpp"

namespace lanescope::cudart {

namespace {

struct Status {
  int code;
  const char* name;
  const char* text;
};
constexpr Status kStatuses[] = {
    {0, "CUBLAS_STATUS_SUCCESS", "success"},
    {1, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {3, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {7, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {8, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires an architectural feature absent from the device"},
    {11, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {13, "CUBLAS_STATUS_EXECUTION_FAILED", "the function failed to launch on the GPU"},
    {14, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {15, "CUBLAS_STATUS_NOT_SUPPORTED", "the requested functionality is not supported"},
    {16, "CUBLAS_STATUS_LICENSE_ERROR", "the license check failed"},
};

const Status* find_status(int code) {
  for (const Status& status : kStatuses)
    if (status.code == code) return &status;
  return nullptr;
}

}  // namespace

const char* status_name(int status) {
  const Status* found = find_status(status);
  return found ? found->name : "unrecognized status";
}

const char* status_text(int status) {
  const Status* found = find_status(status);
  return found ? found->text : "unrecognized status";
}

cublasStatus blas_property(int which, int* value) {
  if (!value || which < 0 || which > 2) return CUBLAS_STATUS_INVALID_VALUE;
  const int parts[] = {kBlasVersion / 10000, kBlasVersion / 100 % 100, kBlasVersion % 100};
  *value = parts[which];
  return CUBLAS_STATUS_SUCCESS;
}

void say_of_blas(const char* function, const char* what) {
  std::string_view name = function;  // as programs write it: the header adds the version
  if (name.ends_with("_v2")) name.remove_suffix(3);
  const std::string line = "lanescope: " + std::string(name) + ": " + what + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

cublasStatus not_supported(const char* name, std::atomic<bool>& said) {
  if (!said.exchange(true))
    say_of_blas(name,
                "is not in the stand-in for cuBLAS; it answers CUBLAS_STATUS_NOT_SUPPORTED "
                "(see docs/runtime.md)");
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

}  // namespace lanescope::cudart

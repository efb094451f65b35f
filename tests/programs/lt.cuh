// SPDX-License-Identifier: MIT
// What the programs that ask cublasLt share: checks that are counted, descriptions that go away by
// themselves, matrices of whole numbers on both sides.
#pragma once

#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "program.cuh"

namespace {

int failures = 0;

void expect(bool right, const char* what) {
  if (!right) std::printf("%s: wrong\n", what), ++failures;
}
void expect(cublasStatus_t got, cublasStatus_t wanted, const char* what) {
  if (got != wanted) std::printf("%s: %s\n", what, cublasLtGetStatusName(got)), ++failures;
}
void good(cublasStatus_t got) { expect(got, CUBLAS_STATUS_SUCCESS, "a call"); }

template <class T>
constexpr cudaDataType kType = CUDA_R_32F;
template <>
constexpr cudaDataType kType<__half> = CUDA_R_16F;
template <>
constexpr cudaDataType kType<__nv_bfloat16> = CUDA_R_16BF;
template <>
constexpr cudaDataType kType<__nv_fp8_e4m3> = CUDA_R_8F_E4M3;
template <>
constexpr cudaDataType kType<__nv_fp8_e5m2> = CUDA_R_8F_E5M2;

/// A description that goes away by itself.
template <class Handle, cublasStatus_t (*destroy)(Handle)>
struct Owned {
  Handle handle = nullptr;
  ~Owned() { good(destroy(handle)); }
  operator Handle() const { return handle; }
};
using Layout = Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using Description = Owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using Preference = Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

template <class T>
void say(cublasLtMatmulDesc_t description, cublasLtMatmulDescAttributes_t which, T value) {
  good(cublasLtMatmulDescSetAttribute(description, which, &value, sizeof value));
}
template <class T>
void say(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t which, T value) {
  good(cublasLtMatrixLayoutSetAttribute(layout, which, &value, sizeof value));
}

/// Many matrices, one behind the other, in columns or in rows.
template <class T>
struct Matrices {
  int rows, cols, count;
  bool by_rows;
  std::vector<T> host;
  T* device;
  Layout layout;

  Matrices(int rows_, int cols_, int count_, bool by_rows_, std::uint64_t seed)
      : rows(rows_), cols(cols_), count(count_), by_rows(by_rows_), host(lead() * line() * count) {
    Numbers numbers{seed};
    for (T& value : host) value = T(float(numbers.next(7)));
    device = to_device(host);
    good(cublasLtMatrixLayoutCreate(&layout.handle, kType<T>, rows, cols, lead()));
    if (by_rows) say(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, std::int32_t(CUBLASLT_ORDER_ROW));
    if (count == 1) return;
    say(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, std::int32_t(count));
    say(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, std::int64_t(lead() * line()));
  }
  std::size_t lead() const { return (by_rows ? cols : rows) + 16; }
  std::size_t line() const { return by_rows ? rows : cols; }
  std::size_t place(int row, int col, int index) const {
    return index * lead() * line() + (by_rows ? row * lead() + col : col * lead() + row);
  }
  float at(int row, int col, int index) const { return float(host[place(row, col, index)]); }
};

}  // namespace

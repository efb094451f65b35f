// SPDX-License-Identifier: MIT
// Handles of the stand-in for cuBLAS, what can be set and asked of them, and copies to and from the
// card. Every other name of the library answers CUBLAS_STATUS_NOT_SUPPORTED, after one line.
#include <atomic>
#include <map>
#include <mutex>

#include "cudart/api/api.hpp"
#include "cudart/blas/blas.hpp"

namespace lanescope::cudart {

namespace {

struct Handles {
  std::mutex mutex;
  std::map<std::uintptr_t, Blas> all;
  std::uintptr_t next = 1;
};

Handles& handles() {
  static Handles kHandles;
  return kHandles;
}

/// What `get` or `set` does with a handle's state, or why not.
template <class Do>
cublasStatus with(cublasHandle_t handle, Do work) {
  Blas* blas = find_blas(handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  return work(*blas);
}

cublasStatus remember(cublasHandle_t handle, int Blas::*where, int value, int most) {
  return with(handle, [&](Blas& blas) {
    if (value < 0 || value > most) return CUBLAS_STATUS_INVALID_VALUE;
    blas.*where = value;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus recall(cublasHandle_t handle, int Blas::*where, int* value) {
  return with(handle, [&](Blas& blas) {
    if (!value) return CUBLAS_STATUS_INVALID_VALUE;
    *value = blas.*where;
    return CUBLAS_STATUS_SUCCESS;
  });
}

/// `cols` columns of `rows` elements; without a stream they are there when the call returns.
cublasStatus copy(int rows, int cols, int bytes, const void* from, int from_step, void* to,
                  int to_step, cudaMemcpyKind kind, const cudaStream_t* stream = nullptr) {
  if (rows < 0 || cols < 0 || bytes <= 0 || from_step <= 0 || to_step <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto size = [&](int count) {
    return static_cast<std::size_t>(count) * static_cast<std::size_t>(bytes);
  };
  const auto width = static_cast<std::size_t>(cols);
  const cudaError error =
      stream ? cudaMemcpy2DAsync(to, size(to_step), from, size(from_step), size(rows), width, kind,
                                 *stream)
             : cudaMemcpy2D(to, size(to_step), from, size(from_step), size(rows), width, kind);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace

Blas* find_blas(cublasHandle_t handle) {
  const std::scoped_lock lock(handles().mutex);
  const auto found = handles().all.find(reinterpret_cast<std::uintptr_t>(handle));
  return found == handles().all.end() ? nullptr : &found->second;
}

LANESCOPE_API cublasStatus cublasCreate_v2(cublasHandle_t* handle) {
  static std::atomic<bool> said{false};
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  // A card's library starts the card; whoever asks for it here should see the same errors.
  if (cudaFree(nullptr) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!said.exchange(true))
    say_of_blas("cublasCreate",
                "a stand-in answers: sums along k as a plain kernel has them; a card's cuBLAS may "
                "have other bits (docs/runtime.md)");
  const std::scoped_lock lock(handles().mutex);
  *handle = reinterpret_cast<cublasHandle_t>(handles().next);
  handles().all[handles().next++] = {};
  return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_API cublasStatus cublasDestroy_v2(cublasHandle_t handle) {
  const std::scoped_lock lock(handles().mutex);
  return handles().all.erase(reinterpret_cast<std::uintptr_t>(handle)) != 0
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_NOT_INITIALIZED;
}

LANESCOPE_API cublasStatus cublasGetVersion_v2(cublasHandle_t, int* version) {
  if (!version) return CUBLAS_STATUS_INVALID_VALUE;
  *version = kBlasVersion;
  return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_API cublasStatus cublasGetProperty(int which, int* value) {
  return blas_property(which, value);
}

LANESCOPE_API std::size_t cublasGetCudartVersion() { return kRuntimeVersion; }

LANESCOPE_API const char* cublasGetStatusName(int status) { return status_name(status); }

LANESCOPE_API const char* cublasGetStatusString(int status) { return status_text(status); }

LANESCOPE_API cublasStatus cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return with(handle, [&](Blas& blas) { return blas.stream = stream, CUBLAS_STATUS_SUCCESS; });
}

LANESCOPE_API cublasStatus cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  return with(handle, [&](Blas& blas) {
    return stream ? (*stream = blas.stream, CUBLAS_STATUS_SUCCESS) : CUBLAS_STATUS_INVALID_VALUE;
  });
}

LANESCOPE_API cublasStatus cublasSetWorkspace_v2(cublasHandle_t handle, void*, std::size_t) {
  return with(handle, [](Blas&) { return CUBLAS_STATUS_SUCCESS; });  // nothing here needs one
}

LANESCOPE_API cublasStatus cublasSetPointerMode_v2(cublasHandle_t handle, int mode) {
  return remember(handle, &Blas::pointer_mode, mode, 1);
}
LANESCOPE_API cublasStatus cublasGetPointerMode_v2(cublasHandle_t handle, int* mode) {
  return recall(handle, &Blas::pointer_mode, mode);
}
LANESCOPE_API cublasStatus cublasSetAtomicsMode(cublasHandle_t handle, int mode) {
  return remember(handle, &Blas::atomics_mode, mode, 1);
}
LANESCOPE_API cublasStatus cublasGetAtomicsMode(cublasHandle_t handle, int* mode) {
  return recall(handle, &Blas::atomics_mode, mode);
}
LANESCOPE_API cublasStatus cublasSetMathMode(cublasHandle_t handle, int mode) {
  return remember(handle, &Blas::math_mode, mode, 0xff);
}
LANESCOPE_API cublasStatus cublasGetMathMode(cublasHandle_t handle, int* mode) {
  return recall(handle, &Blas::math_mode, mode);
}
LANESCOPE_API cublasStatus cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return remember(handle, &Blas::multiprocessors, count, 1 << 20);
}
LANESCOPE_API cublasStatus cublasGetSmCountTarget(cublasHandle_t handle, int* count) {
  return recall(handle, &Blas::multiprocessors, count);
}

#define LANESCOPE_COPIES(name, kind)                                                             \
  LANESCOPE_API cublasStatus cublas##name##Vector(int n, int bytes, const void* x, int x_step,   \
                                                  void* y, int y_step) {                         \
    return copy(1, n, bytes, x, x_step, y, y_step, kind);                                        \
  }                                                                                              \
  LANESCOPE_API cublasStatus cublas##name##VectorAsync(                                          \
      int n, int bytes, const void* x, int x_step, void* y, int y_step, cudaStream_t stream) {   \
    return copy(1, n, bytes, x, x_step, y, y_step, kind, &stream);                               \
  }                                                                                              \
  LANESCOPE_API cublasStatus cublas##name##Matrix(int rows, int cols, int bytes, const void* A,  \
                                                  int lda, void* B, int ldb) {                   \
    return copy(rows, cols, bytes, A, lda, B, ldb, kind);                                        \
  }                                                                                              \
  LANESCOPE_API cublasStatus cublas##name##MatrixAsync(int rows, int cols, int bytes,            \
                                                       const void* A, int lda, void* B, int ldb, \
                                                       cudaStream_t stream) {                    \
    return copy(rows, cols, bytes, A, lda, B, ldb, kind, &stream);                               \
  }
LANESCOPE_COPIES(Set, cudaMemcpyHostToDevice)
LANESCOPE_COPIES(Get, cudaMemcpyDeviceToHost)
#undef LANESCOPE_COPIES

/// The stand-in writes no log; what it has to say it says on stderr.
LANESCOPE_API cublasStatus cublasLoggerConfigure(int, int, int, const char*) {
  return CUBLAS_STATUS_SUCCESS;
}

#define LANESCOPE_UNSUPPORTED(name)       \
  LANESCOPE_API cublasStatus name() {     \
    static std::atomic<bool> said{false}; \
    return not_supported(#name, said);    \
  }
#include "cudart/blas/unsupported_blas.inc"
#undef LANESCOPE_UNSUPPORTED

}  // namespace lanescope::cudart

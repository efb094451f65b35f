// SPDX-License-Identifier: MIT
#include "cudart/blas/given.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/environment.hpp"

namespace lanescope::cudart {

namespace {

constexpr int kConjugates = 2;  // CUBLAS_OP_C

void perform(void* work) { (*static_cast<std::function<void()>*>(work))(); }

}  // namespace

std::optional<Element> element_of(int type) {
  switch (type) {
    case 0:
      return Element::f32;
    case 1:
      return Element::f64;
    case 2:
      return Element::f16;
    case 3:
      return Element::s8;
    case 4:
      return Element::c32;
    case 5:
      return Element::c64;
    case 10:
      return Element::s32;
    case 14:
      return Element::bf16;
  }
  return std::nullopt;
}

std::optional<Element> scale_of(int compute) {
  switch (compute) {
    case 64:
    case 65:
      return Element::f16;
    case 68:
    case 69:
    case 74:
    case 75:
    case 77:
    case 78:
      return Element::f32;
    case 70:
    case 71:
    case 79:
      return Element::f64;
    case 72:
    case 73:
      return Element::s32;
  }
  return std::nullopt;
}

bool is_valid(const Given& given) {
  return given.transposes >= 0 && given.transposes <= 2 && given.rows >= 0 && given.cols >= 0 &&
         given.lead >= std::max<std::int64_t>(1, given.rows);
}

namespace {

/// Memory around an address, as far as the bytes behind it have been asked for.
struct Piece {
  std::size_t before = 0, behind = 0;
};

/// Of one piece is what cuMemMap has put side by side, as a pool that grows does.
Piece piece_around(CUdeviceptr at, std::size_t wanted) {
  Piece piece;
  CUdeviceptr begin = 0;
  std::size_t size = 0;
  while (piece.behind < wanted && cuMemGetAddressRange_v2(&begin, &size, at + piece.behind) == 0 &&
         begin + size > at + piece.behind) {
    if (piece.behind == 0) piece.before = at - begin;
    piece.behind = begin + size - at;
  }
  return piece;
}

}  // namespace

bool is_there(const char* function, const char* name, const Given& given, const void* data) {
  if (given.rows == 0 || given.cols == 0) return true;
  const auto bytes = static_cast<std::size_t>(((given.cols - 1) * given.lead + given.rows) *
                                              bytes_of(given.element));
  cudaPointerAttributes found{};
  std::string what;
  if (cudaPointerGetAttributes(&found, data) != cudaSuccess ||
      found.type == cudaMemoryTypeUnregistered) {
    what = fmt::format("{} at {} is no memory of the card", name, data);
  } else {
    const auto at = reinterpret_cast<CUdeviceptr>(found.devicePointer ? found.devicePointer : data);
    const Piece piece = piece_around(at, bytes);
    if (piece.behind != 0 && piece.behind < bytes)
      what = fmt::format("{}: {} bytes at {} are more than the {} left of the {} allocated there",
                         name, bytes, data, piece.behind, piece.before + piece.behind);
  }
  if (!what.empty()) say_of_blas(function, what.c_str());
  return what.empty();
}

Matrix matrix_of(const Given& given, const void* data) {
  Matrix matrix{const_cast<void*>(data), given.element, 1, given.lead,
                given.conjugates || given.transposes == kConjugates};
  if (given.is_backwards) {
    matrix.data = static_cast<std::byte*>(matrix.data) +
                  (given.cols - 1) * given.lead * bytes_of(given.element);
    matrix.col_step = -given.lead;
  }
  if (given.transposes != 0) std::swap(matrix.row_step, matrix.col_step);
  return matrix;
}

std::string card_arch() {
  const std::string said = setting(kArchVariable);
  return said.empty() ? kDefaultArch : said;
}

cublasStatus refuse_types(const char* function) {
  say_of_blas(function,
              "its types are not in the stand-in for cuBLAS: A and B both f16, bf16, f32, f64 or "
              "s8, summed in f16, f32, f64 or s32, are, and complex f32 or f64 throughout");
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

bool are_there(const char* function, const std::vector<Named>& needs) {
  return std::all_of(needs.begin(), needs.end(), [&](const Named& named) {
    return (named.is_needed && !named.is_needed()) ||
           is_there(function, named.name, named.given, named.given.data);
  });
}

cublasStatus in_turn(const char* function, cudaStream_t stream, std::vector<Named> needs,
                     std::function<void()> work) {
  int is_captured = 0;
  if (cudaStreamIsCapturing(stream, &is_captured) != cudaSuccess ||
      (is_captured == 0 && !are_there(function, needs)))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  auto kept = std::make_unique<std::function<void()>>(std::move(work));
  if (is_captured != 0)
    *kept = [=, needs = std::move(needs), work = std::move(*kept)] {
      if (are_there(function, needs)) work();
    };
  if (cudaLaunchHostFunc(stream, perform, kept.get()) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  // A graph does it again and again: it is kept for as long as the program runs.
  if (is_captured != 0) static_cast<void>(kept.release());
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace lanescope::cudart

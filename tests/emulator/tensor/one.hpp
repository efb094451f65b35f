// SPDX-License-Identifier: MIT
// One element of D, asked for the way a hand calculation is written down: the products that are not
// zero, the place k of each, and c. Both implementations are asked, and must agree.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "emulator/tensor/tensor.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator::test {

using enum TensorType;
inline constexpr TensorUnit mma = TensorUnit::mma;
inline constexpr TensorUnit wgmma = TensorUnit::wgmma;
inline constexpr TensorUnit tcgen05 = TensorUnit::tcgen05;
inline constexpr TensorUnit wmma = TensorUnit::wmma;

struct Product {
  int k;
  double a, b;
};

inline const numeric::Format& format_of(TensorType type) {
  switch (type) {
    case f16:
      return numeric::kF16;
    case bf16:
      return numeric::kBf16;
    case tf32:
      return numeric::kTf32;
    case e4m3:
      return numeric::kE4m3;
    case e5m2:
      return numeric::kE5m2;
    default:
      return numeric::kF32;
  }
}

/// The pattern of a value that the format can hold exactly.
inline std::uint32_t exactly(TensorType type, double value) {
  const std::uint32_t pattern = numeric::encode(format_of(type), value);
  if (value == value) REQUIRE(numeric::decode(format_of(type), pattern) == value);
  return pattern;
}

inline const MmaArithmetic& how(std::string_view arch, TensorUnit unit, const TensorShape& shape) {
  const MmaArithmetic* found = arithmetic(arch, unit, shape);
  REQUIRE(found != nullptr);
  return *found;
}

/// D[0][0], with `c` a pattern. The rest of A and C is zero and of B one, to make room for
/// mistakes.
inline std::uint32_t one(std::string_view arch, TensorUnit unit, const TensorShape& shape,
                         const std::vector<Product>& products, std::uint32_t c) {
  const auto size = [](int rows, int cols) { return static_cast<std::size_t>(rows * cols); };
  std::vector<std::uint32_t> a(size(shape.M, shape.K)), C(size(shape.M, shape.N));
  std::vector<std::uint32_t> b(size(shape.K, shape.N), exactly(shape.b, 1.0));
  std::vector<std::uint32_t> model(C.size()), fast(C.size());
  for (const Product& product : products) {
    a[static_cast<std::size_t>(product.k)] = exactly(shape.a, product.a);
    b[size(product.k, shape.N)] = exactly(shape.b, product.b);
  }
  C[0] = c;
  multiply_reference(how(arch, unit, shape), shape, a, b, C, model);
  multiply(how(arch, unit, shape), shape, a, b, C, fast);
  CHECK(model == fast);
  return model[0];
}

inline constexpr TensorShape kF16ToF32{16, 8, 16, f16, f16, f32};
inline constexpr TensorShape kF16ToF16{16, 8, 16, f16, f16, f16};
inline constexpr TensorShape kVolta{8, 8, 4, f16, f16, f32};
inline constexpr TensorShape kBf16{16, 8, 16, bf16, bf16, f32};
inline constexpr TensorShape kTf32{16, 8, 8, tf32, tf32, f32};
inline constexpr TensorShape kE4m3{16, 8, 32, e4m3, e4m3, f32};
inline constexpr TensorShape kE5m2{16, 8, 32, e5m2, e5m2, f32};
inline constexpr TensorShape kWgmmaE4m3{64, 8, 32, e4m3, e4m3, f32};

inline constexpr std::uint32_t kOne = 0x3f800000;  // 1.0f

}  // namespace lanescope::emulator::test

// SPDX-License-Identifier: MIT
// What callers of the tensor arithmetic must keep to. The PTX parser has refused every instruction
// that does not exist long before; a wrong call from here on is a bug of ours and stops at once.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "emulator/tensor/tensor.hpp"

namespace lanescope::emulator {

[[noreturn]] inline void broken_contract(const std::string& what, std::string_view hint) {
  std::fputs(fmt::format("lanescope: tensor arithmetic: {}; {}\n", what, hint).c_str(), stderr);
  std::abort();
}

inline void require_shape(const MmaArithmetic& how, const TensorShape& shape) {
  if (shape.M < 1 || shape.M > kMaxM || shape.N < 1 || shape.N > kMaxN || shape.K < 1 ||
      shape.K > kMaxK)
    broken_contract(fmt::format("m{}n{}k{}", shape.M, shape.N, shape.K),
                    fmt::format("at most m{}n{}k{}", kMaxM, kMaxN, kMaxK));
  if (how.block_products < 1 || how.block_products > 32 || how.fraction_bits > 25)
    broken_contract(fmt::format("L = {}, F = {}", how.block_products, how.fraction_bits),
                    "take the numbers from arithmetic()");
}

inline void require_size(std::string_view operand, std::size_t found, int rows, int cols) {
  if (found < static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols))
    broken_contract(fmt::format("{} has {} elements", operand, found),
                    fmt::format("the shape needs {} x {}", rows, cols));
}

/// A product whose elements are 32-bit words.
inline void require_words(const MmaArithmetic& how, const TensorShape& shape,
                          std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                          std::span<const std::uint32_t> c, std::span<const std::uint32_t> d) {
  require_shape(how, shape);
  require_size("A", a.size(), shape.M, shape.K);
  require_size("B", b.size(), shape.K, shape.N);
  require_size("C", c.size(), shape.M, shape.N);
  require_size("D", d.size(), shape.M, shape.N);
  if (shape.accumulator == TensorType::f64)
    broken_contract("f64 does not fit 32-bit words", "use multiply_packed");
}

}  // namespace lanescope::emulator

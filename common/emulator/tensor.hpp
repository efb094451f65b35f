// SPDX-License-Identifier: MIT
// What the tensor cores compute, bit for bit, apart from where the operands sit in registers.
//
// A matrix multiplication is described by numbers (how many products are summed at once, how many
// fractional bits are kept, how the sum is rounded), one small row a generation; see MmaArithmetic.
// Two implementations: `multiply_reference`, an integer model written for reading, and `multiply`,
// the vector path that must give the same bits (tests/fuzz proves it).
//
// Sources: MMA-Sim (arXiv 2511.10909) and Khattak & Mikaitis (arXiv 2512.07004).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lanescope::emulator {

/// Element types the tensor cores multiply and accumulate.
enum class TensorType : std::uint8_t {
  f16,
  bf16,
  tf32,
  e4m3,
  e5m2,
  f32,
  f64,
  s8,
  u8,
  s4,
  u4,
  b1,
  s32
};

/// Which unit runs it: the two differ on Hopper.
enum class TensorUnit : std::uint8_t { mma, wgmma };

/// One multiplication D = A*B + C. Row-major patterns, one element a 32-bit word, zero-extended:
/// A is M x K, B is K x N, C and D are M x N.
struct TensorShape {
  int M = 0, N = 0, K = 0;
  TensorType a = TensorType::f16;
  TensorType b = TensorType::f16;
  TensorType accumulator = TensorType::f32;  // of C and D
};

/// How a generation sums. See docs/arithmetic.md for what each number means.
struct MmaArithmetic {
  int block_products = 8;  // L: products summed before the result is rounded
  int fraction_bits = 24;  // F: kept when a term is shifted to the largest exponent
  bool drops_ten_bits =
      false;  // the f32 result keeps 13 mantissa bits (fp8 on Ada and Hopper wgmma)
  bool through_f16_pairs = false;  // fp8 mma.sync on Hopper: two f16 passes, c added last
};

/// The numbers for `arch` ("sm_80", "sm_89", "sm_90a", ...), or nullptr when that generation has no
/// such instruction.
const MmaArithmetic* arithmetic(std::string_view arch, TensorUnit unit, const TensorShape& shape);

/// The readable model: integers only, one product at a time.
void multiply_reference(const MmaArithmetic& how, const TensorShape& shape,
                        std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                        std::span<const std::uint32_t> c, std::span<std::uint32_t> d);

/// The same bits, fast: vectorised over the columns, falling back to the model outside the range in
/// which the vector path is exact.
void multiply(const MmaArithmetic& how, const TensorShape& shape, std::span<const std::uint32_t> a,
              std::span<const std::uint32_t> b, std::span<const std::uint32_t> c,
              std::span<std::uint32_t> d);

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
// What the model reckons with: numbers as sign, significand and exponent, and the rounding that
// makes a pattern of them again. For model.cpp, where the steps are, nearest.cpp and scaled.cpp
// alone.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/tensor/tensor.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator::model {

enum class Kind : std::uint8_t { finite, infinite, nan };

/// (-1)^negative * significand * 2^(exponent - fraction_bits). Not normalised.
struct Term {
  Kind kind = Kind::finite;
  bool negative = false;
  std::uint64_t significand = 0;
  int fraction_bits = 0;
  int exponent = 0;
};

/// The terms of one block: at most 32 products, and c.
struct Block {
  std::array<Term, 33> terms;
  int count = 0;
  void add(const Term& term) { terms[static_cast<std::size_t>(count++)] = term; }
  const Term* begin() const { return terms.data(); }
  const Term* end() const { return terms.data() + count; }
};

/// How a sum becomes a pattern: the format of D, and how much of its mantissa is kept.
struct Result {
  const numeric::Format& format;
  int mantissa_bits;  // e8m13 keeps 13 of f32's 23
  bool to_nearest;    // f16: to nearest, ties to even; f32: towards zero

  std::uint32_t sign(bool negative) const { return negative ? 1u << (format.bits - 1) : 0; }
  std::uint32_t nan() const { return (1u << (format.bits - 1)) - 1; }  // 0x7fffffff, 0x7fff
  std::uint32_t infinity() const {
    return ((1u << format.exponent_bits) - 1) << format.mantissa_bits;
  }
};

Term term_of(const numeric::Format& format, std::uint32_t pattern);
Term multiply_terms(const Term& a, const Term& b);
/// magnitude * 2^scale, normalised and rounded once.
std::uint32_t normalise_and_round(const Result& result, std::uint64_t magnitude, int scale);
/// Step 4: a term below 2^E, cut off; steps 5 and 6: the pattern of such terms' sum.
std::int64_t aligned_to(const MmaArithmetic& how, const Term& term, int E);
std::uint32_t rounded_sum(const MmaArithmetic& how, const Result& result, std::int64_t sum, int E);
/// Steps 3 to 6: the terms of a block, of which c is one, to D's pattern.
std::uint32_t sum_block(const MmaArithmetic& how, const Result& result, const Block& block);
/// The format of D, and how it is rounded to.
Result result_of(const MmaArithmetic& how, TensorType accumulator);
const numeric::Format& format_of(TensorType type);
/// False: all terms are finite.
bool special_sum(const Block& block, const Result& result, std::uint32_t& pattern);

// nearest.cpp
/// An ordinary addition, rounded to nearest: the last step of an fp8 mma.sync on Hopper.
std::uint32_t add_to_nearest(const Result& result, std::uint32_t left, std::uint32_t right);
/// m8n8k4 from sm_80 on.
std::uint32_t scalar_dot(const TensorShape& shape, const std::uint32_t* a, const std::uint32_t* b,
                         std::uint32_t c);

}  // namespace lanescope::emulator::model

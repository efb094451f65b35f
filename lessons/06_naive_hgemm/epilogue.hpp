// SPDX-License-Identifier: MIT
// What an epilogue of exercise 06 makes of the memory where C lies and around it, right or with a
// mistake: every element, to the bit.
//
// Source of the sums' places: common/layout (PTX ISA 9.2, 9.7.14.5.8).
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "layout/instruction.hpp"

namespace exercise_06 {

inline constexpr const char* kInstruction = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
inline constexpr int kGuard = 4096;  // elements before and behind C
// The C that is NaN is another NaN than any that is computed.
inline constexpr std::uint16_t kForeign = 0x7b00, kNan = 0x7fff, kOldNan = 0x7e01,
                               kOldInfinity = 0x7c00;

/// What an f16 is worth, and the f16 next to a whole number: also beyond 2048, where a wrong answer
/// may lead. 65520 and more is infinity.
inline double value_of(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f, mantissa = bits & 0x3ff;
  if (exponent == 31) return mantissa == 0 ? (bits >> 15 != 0 ? -INFINITY : INFINITY) : NAN;
  const double size =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  return bits >> 15 != 0 ? -size : size;
}
inline std::uint16_t f16(double number) {
  if (std::isnan(number)) return kNan;
  const int sign = std::signbit(number) ? 0x8000 : 0;
  const double size = std::fabs(number);
  if (size == 0) return static_cast<std::uint16_t>(sign);
  if (size >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00);
  int exponent = 0;
  std::frexp(size, &exponent);  // size is below 2^exponent
  const int bits = static_cast<int>(std::nearbyint(std::ldexp(size, 11 - exponent)));
  // 1024 to 2048 with its exponent; a carry to 2048 makes the exponent one larger by itself.
  return static_cast<std::uint16_t>(sign | (((exponent + 13) << 10) + bits));
}

/// The f16 next to it towards 0.
inline std::uint16_t cut_off(double number) {
  const std::uint16_t near = f16(number);
  const bool beyond = std::fabs(value_of(near)) > std::fabs(number);
  return static_cast<std::uint16_t>(beyond ? near - 1 : near);
}

struct Problem {
  int M, N, K, ldc;
  double alpha, beta;
  bool nan;            // C is NaN before
  bool large = false;  // sums, and three times C, are more than f16 has room for
  bool last = false;   // nothing lies behind C: who looks there is stopped

  int a_at(int row, int k) const { return (row + k * 2) % 3 + (large ? 200 : 0); }
  int c_at(int row, int col) const { return (row * 7 + col * 3) % 50 + (large ? 1900 : 0); }
};

inline int b_at(int k, int col) { return (k + col) % 4 - 1; }
inline int sum(const Problem& p, int row, int col) {  // what a lane has: 0 beyond the edges
  if (row >= p.M || col >= p.N) return 0;
  int total = 0;
  for (int k = 0; k < p.K; ++k) total += p.a_at(row, k) * b_at(k, col);
  return total;
}

using Memory = std::vector<std::uint16_t>;

inline Memory memory_before(const Problem& p) {
  Memory memory(static_cast<std::size_t>(2 * kGuard + p.M * p.ldc), kForeign);
  if (p.last) memory.resize(static_cast<std::size_t>(kGuard + (p.M - 1) * p.ldc + p.N));
  for (int row = 0; row < p.M; ++row)
    for (int col = 0; col < p.N; ++col)
      memory[static_cast<std::size_t>(kGuard + row * p.ldc + col)] =
          p.nan ? ((row + col) % 2 == 0 ? kOldNan : kOldInfinity) : f16(p.c_at(row, col));
  return memory;
}

// ---- An epilogue, right or with a mistake -------------------------------------------------------

struct Epilogue {
  std::function<int(int lane, int i)> row, col;  // within the tile
  bool row_guard = true, col_guard = true, only_both = false, uses_ldc = true, uses_alpha = true,
       uses_beta = true, reads_with_beta_0 = false, rounds_twice = false, beta_is_1 = false,
       alpha_of_all = false, by_columns = false, whole_pairs = false, whole_tiles = false,
       returns = false, guards_ldc = false, guards_exchanged = false, rounds_sum = false,
       rounds_old = false, factors_exchanged = false, skips_with_beta_0 = false, subtracts = false,
       adds_again = false, first_sum = false, first_old = false, guards_tile = false,
       beta_of_all = false, adds_beta = false, reads_own = false, cuts_off = false,
       guards_place = false, rounds_alpha = false, rounds_beta = false, reads_by_N = false,
       zeros_outside = false, hides_nan = false, guards_row_of_0 = false,
       guards_col_of_0 = false;          // of d[0], for all four
  int rows_beyond = 0, cols_beyond = 0;  // that the guards let through
  std::function<bool(int lane, int i)> stores = [](int, int) { return true; };
};

inline Epilogue right_one() {
  const auto* found = lanescope::layout::find(kInstruction);
  REQUIRE(found != nullptr);
  Epilogue right;
  right.row = [found](int lane, int i) { return found->D.element(lane, i).row; };
  right.col = [found](int lane, int i) { return found->D.element(lane, i).col; };
  return right;
}

inline bool is_outside(const Epilogue& e, const Problem& p, int row, int col) {
  if (e.guards_place) return row * p.ldc + col >= p.M * p.ldc;
  const int rows = e.guards_exchanged ? p.N : p.M;
  const int cols = e.guards_exchanged ? p.M : e.guards_ldc ? p.ldc : p.N;
  const bool below = row >= rows + e.rows_beyond;
  const bool beside = (e.whole_pairs ? col | 1 : col) >= cols + e.cols_beyond;
  return e.only_both ? below && beside : (e.row_guard && below) || (e.col_guard && beside);
}

/// What it makes of a sum and of what there was, before it is rounded.
inline double stored(const Epilogue& e, const Problem& p, int sum, double before) {
  const auto rounded = [](double number) { return value_of(f16(number)); };
  const double d = e.rounds_sum ? rounded(sum) : sum;
  const double alpha = e.rounds_alpha ? rounded(p.alpha) : p.alpha;
  const double beta = e.rounds_beta ? rounded(p.beta) : p.beta;
  if (e.factors_exchanged) return beta * d + alpha * before;
  const bool reads = e.uses_beta && (beta != 0 || e.reads_with_beta_0);
  const double old = reads ? (e.beta_is_1 ? 1 : beta) * (e.alpha_of_all ? alpha : 1) * before : 0;
  const double product = (e.uses_alpha ? alpha : 1) * d;
  if (e.adds_beta) return product + beta;
  if (e.reads_own) return (e.rounds_twice ? rounded(product) : product) + beta * rounded(product);
  const double added = (e.rounds_old ? rounded(old) : old) + (e.adds_again ? before : 0);
  const double all = (e.rounds_twice ? rounded(product) : product) + (e.subtracts ? -added : added);
  if (e.hides_nan && std::isnan(all)) return product;
  return e.beta_of_all ? beta * (product + before) : all;
}

/// What such an epilogue makes of the memory.
inline Memory apply(const Epilogue& e, const Problem& p) {
  Memory memory = memory_before(p);
  const Epilogue right = right_one();
  for (int first_row = 0; first_row < p.M; first_row += 16)
    for (int first_col = 0; first_col < p.N; first_col += 8) {
      if (e.whole_tiles && (first_row + 16 > p.M || first_col + 8 > p.N)) continue;
      if (e.skips_with_beta_0 && p.beta == 0) continue;
      bool returned[32] = {};
      for (int i = 0; i < 4; ++i) {
        const double first = value_of(memory[kGuard]);  // all lanes read before one of them stores
        for (int lane = 0; lane < 32; ++lane) {
          if (!e.stores(lane, i) || returned[lane]) continue;
          const int row = first_row + e.row(lane, i), col = first_col + e.col(lane, i);
          const int above = e.guards_tile ? first_row : 0, left = e.guards_tile ? first_col : 0;
          const int asked_row = e.guards_row_of_0 ? first_row + e.row(lane, 0) : row;
          const int asked_col = e.guards_col_of_0 ? first_col + e.col(lane, 0) : col;
          const bool outside = is_outside(e, p, asked_row - above, asked_col - left);
          returned[lane] = outside && e.returns;
          if (outside && !e.zeros_outside) continue;
          const int apart = e.uses_ldc ? p.ldc : p.N;
          std::uint16_t& at = memory.at(static_cast<std::size_t>(
              kGuard + (e.by_columns ? col * apart + row : row * apart + col)));
          if (outside) {
            at = 0;
            continue;
          }
          const int of = e.first_sum ? 0 : i;
          const int d = sum(p, first_row + right.row(lane, of), first_col + right.col(lane, of));
          const std::uint16_t old =
              e.reads_by_N ? memory.at(static_cast<std::size_t>(kGuard + row * p.N + col)) : at;
          const double number = stored(e, p, d, e.first_old ? first : value_of(old));
          at = e.cuts_off ? cut_off(number) : f16(number);
        }
      }
    }
  return memory;
}

}  // namespace exercise_06

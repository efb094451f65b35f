// SPDX-License-Identifier: MIT
// See tcgen05_expected.hpp. Where D and the scale factors lie is transcribed here a second time,
// from the ISA's figures (9.7.16.10.5, 9.7.16.10.7); no card has been asked. The sums are the
// integer model's.
#include "tests/emulator/tcgen05_expected.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "emulator/tensor/scaled.hpp"

namespace lanescope::emulator::test {

int bits_of(TensorType type) {
  switch (type) {
    case TensorType::f16:
    case TensorType::bf16:
      return 16;
    case TensorType::tf32:
      return 32;
    case TensorType::e3m2:
    case TensorType::e2m3:
      return 6;
    case TensorType::e2m1:
      return 4;
    default:
      return 8;
  }
}

int k_stored(const Product& p) { return bits_of(p.a) < 8 ? 32 : 256 / bits_of(p.a); }
int k_of(const Product& p) { return has_two_a_byte(p) ? 64 : k_stored(p); }
int k_of_b(const Product& p) { return k_of(p) * (p.sparse ? 2 : 1); }

// Figures of layouts D and F, of .ws D, E and G, and of a pair's A, B and, with .sp, C.
Place place_of_d(const Product& p, int m, int n) {
  if (p.M == 256) return {m % 128, n, m / 128};
  if (p.ctas == 2 && p.sparse) return {m % 16 + m % 64 / 16 * 32 + p.d_lane, n, m / 64};
  if (p.ctas == 2) return {m % 64 + n / (p.N / 2) * 64, n % (p.N / 2), m / 64};
  if (p.M == 128) return {m, n};
  if (!p.stationary) return {m % 16 + m / 16 * 32 + p.d_lane, n};
  const int columns = p.N * p.M / 128;
  return {m + n / columns * p.M, n % columns};
}

namespace {

// The factor of a chunk: 9.7.16.10.7. Row r of scale_A, of those that the CTA has, is in lane r %
// 32 and column r / 32; so is a column of scale_B, of those whose D is in these lanes.
std::uint8_t factor(const Words& factors, int cta, int quarter, int first_column, int row,
                    int byte) {
  const int lane = cta * kLanesOfMemory + 32 * quarter + row % 32;
  return static_cast<std::uint8_t>(
      factors[static_cast<std::size_t>(lane * kFactorWords + first_column + row / 32)] >> 8 * byte);
}

std::uint32_t scaled_sum(const Product& p, const Words& row, const Words& col, const Words& factors,
                         int m, int n, std::uint32_t c) {
  const TensorShape shape{1, 1, k_of(p), p.a, p.b, TensorType::f32, false, {}, p.vectors};
  const MmaArithmetic* how = arithmetic("sm_100a", TensorUnit::tcgen05, shape);
  REQUIRE(how != nullptr);
  const Place d = place_of_d(p, m, n);
  std::vector<std::uint8_t> a(row.begin(), row.end()), b(col.begin(), col.end());
  std::vector<std::uint8_t> of_a, of_b;
  for (int chunk = 0; chunk < p.vectors; ++chunk) {
    of_a.push_back(factor(factors, d.cta, d.lane / 32, 0, m % (p.M / p.ctas), p.a_byte + chunk));
    of_b.push_back(factor(factors, d.cta, d.lane / 32, 4, d.column, p.b_byte + chunk));
  }
  multiply_scaled_reference(
      *how, shape, {p.ue4m3 ? ScaleType::ue4m3 : ScaleType::ue8m0, of_a.data(), of_b.data()},
      a.data(), b.data(), &c, &c);
  return c;
}

// A number of D times 2^-n, where that is no subnormal number: the exponent is n less.
std::uint32_t shifted_down(const Product& p, std::uint32_t c) {
  const bool is_f16 = p.d == TensorType::f16;
  const std::uint32_t exponents = is_f16 ? 0x7c00 : 0x7f800000, unit = is_f16 ? 0x400 : 0x800000;
  if ((c & exponents) == exponents) return c;
  REQUIRE((c & exponents) > static_cast<std::uint32_t>(p.input_shift) * unit);
  return c - static_cast<std::uint32_t>(p.input_shift) * unit;
}

// Columns that the zero-column mask descriptor names: 9.7.16.4.3.
bool is_zero(const Product& p, int n) {
  const int each = p.stationary ? p.N * p.M / 128 : p.N;
  const std::string_view pattern = p.zeros.patterns[n / each];
  return pattern[static_cast<std::size_t>(n % each) % pattern.size()] == '1';
}

}  // namespace

Words expected_of(const Product& p, const Words& a, const Words& b, const Words& factors,
                  const Words& kept, const Words& in) {
  Words expected = in;
  if (!p.lands) return expected;
  const int K = k_of(p);
  const TensorShape shape{1, 1, K, p.a, p.b, p.d, p.saturates};
  const MmaArithmetic* how = arithmetic("sm_100a", TensorUnit::tcgen05, shape);
  REQUIRE((how != nullptr || p.vectors > 0));
  const std::uint32_t a_sign = 1u << (bits_of(p.a) - 1), b_sign = 1u << (bits_of(p.b) - 1);
  const std::uint32_t mask = p.d == TensorType::f16 ? 0xffff : ~0u;
  for (int m = 0; m < p.M; ++m) {
    for (int n = 0; n < p.N; ++n) {
      const auto [lane, column, cta] = place_of_d(p, m, n);
      if (!p.disabled.empty() && cta == p.ctas - 1 && (lane == 32 || lane >= 48) && lane < 64)
        continue;
      Words row(a.begin() + m * K, a.begin() + (m + 1) * K);
      Words col;
      for (int k = 0; k < K; ++k)
        col.push_back(is_zero(p, n) ? 0
                                    : b[static_cast<std::size_t>((n + p.zeros.shift) * k_of_b(p)) +
                                        kept[static_cast<std::size_t>(m * K + k)]]);
      for (std::uint32_t& value : row) value ^= p.negates_a ? a_sign : 0;
      for (std::uint32_t& value : col) value ^= p.negates_b ? b_sign : 0;
      std::uint32_t& d =
          expected[static_cast<std::size_t>((cta * kLanesOfMemory + lane) * p.N + column)];
      Words c{p.adds ? d & mask : 0};
      if (p.input_shift != 0) c[0] = shifted_down(p, c[0]);
      Words sum(1);
      if (p.vectors > 0)
        sum[0] = scaled_sum(p, row, col, factors, m, n, c[0]);
      else
        multiply_reference(*how, shape, row, col, c, sum);
      d = (d & ~mask) | sum[0];
    }
  }
  return expected;
}

}  // namespace lanescope::emulator::test

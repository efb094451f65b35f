// SPDX-License-Identifier: MIT
// The conversions of the host's processor as a third opinion: f32 from double in every direction,
// f16 from f32 where the processor has F16C. Boundaries and a written seed.
#include <doctest/doctest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <random>

#include "numeric/format.hpp"
#include "tests/numeric/oracle.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace lanescope::numeric;

namespace {

struct Mode {
  int host;
  Rounding ours;
};
constexpr Mode kModes[] = {{FE_TONEAREST, Rounding::rn},
                           {FE_TOWARDZERO, Rounding::rz},
                           {FE_DOWNWARD, Rounding::rm},
                           {FE_UPWARD, Rounding::rp}};

/// volatile keeps the compiler from converting before the rounding is set.
std::uint32_t host_f32(double value, int mode) {
  volatile double source = value;
  std::fesetround(mode);
  volatile float rounded = static_cast<float>(source);
  std::fesetround(FE_TONEAREST);
  return std::bit_cast<std::uint32_t>(static_cast<float>(rounded));
}

}  // namespace

TEST_CASE("f32: encode agrees with the processor, in every direction") {
  std::mt19937_64 random(20240701);
  int wrong = 0;
  for (int i = 0; i < 500000; ++i) {
    const std::uint64_t bits = random();
    double value = std::bit_cast<double>(bits);
    if (i % 2 == 0) {  // exponents in and around the range of f32
      const int exponent = static_cast<int>(random() % 300) - 160;
      value = std::ldexp(1.0 + static_cast<double>(bits >> 12) * 0x1p-52, exponent);
      if (i % 4 == 0) value = static_cast<float>(value) * (1 + 0x1p-24);  // a tie
      if (bits & 1) value = -value;
    }
    if (std::isnan(value)) continue;
    for (const Mode& mode : kModes)
      if (encode(kF32, value, mode.ours) != host_f32(value, mode.host)) ++wrong;
  }
  CHECK(wrong == 0);
}

#if defined(__x86_64__)
namespace {

bool has_f16c() {  // every processor with AVX2 has it
  return __builtin_cpu_supports("avx2") != 0;
}

template <int kMode>
__attribute__((target("avx,f16c"))) std::uint16_t host_f16(float value) {
  return static_cast<std::uint16_t>(
      _mm_extract_epi16(_mm_cvtps_ph(_mm_set_ss(value), kMode | _MM_FROUND_NO_EXC), 0));
}
__attribute__((target("avx,f16c"))) float host_value(std::uint16_t pattern) {
  return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(pattern)));
}

int differences(float value) {
  if (std::isnan(value)) return 0;
  return (encode(kF16, value, Rounding::rn) != host_f16<_MM_FROUND_TO_NEAREST_INT>(value)) +
         (encode(kF16, value, Rounding::rz) != host_f16<_MM_FROUND_TO_ZERO>(value)) +
         (encode(kF16, value, Rounding::rm) != host_f16<_MM_FROUND_TO_NEG_INF>(value)) +
         (encode(kF16, value, Rounding::rp) != host_f16<_MM_FROUND_TO_POS_INF>(value));
}

}  // namespace

TEST_CASE("f16: every pattern and its neighbourhood agree with F16C") {
  if (!has_f16c()) {
    MESSAGE("no F16C here: the processor has no opinion");
    return;
  }
  int wrong = 0;
  for (std::uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const float value = host_value(static_cast<std::uint16_t>(pattern));
    if (std::isnan(value)) continue;
    wrong += decode(kF16, pattern) != static_cast<double>(value);
    // The f32 neighbours of the value and of the middle to the next value.
    const float next = host_value(static_cast<std::uint16_t>(pattern + 1));
    const float middle = std::isfinite(next) ? value + (next - value) / 2 : value * 1.0005f;
    for (const float base : {value, middle})
      for (const float side : {-HUGE_VALF, HUGE_VALF})
        wrong += differences(std::nextafter(base, side));
    wrong += differences(value) + differences(middle);
  }
  CHECK(wrong == 0);
}

TEST_CASE("f16: two million random f32 agree with F16C") {
  if (!has_f16c()) return;
  std::mt19937 random(20240702);
  int wrong = 0;
  for (int i = 0; i < 2000000; ++i) {
    std::uint32_t bits = static_cast<std::uint32_t>(random());
    if (i % 2 == 0)  // exponents of f16 and a little around
      bits = (bits & 0x807fffff) | (100 + (bits >> 23 & 0xff) % 46) << 23;
    wrong += differences(std::bit_cast<float>(bits));
  }
  CHECK(wrong == 0);
}
#endif

// SPDX-License-Identifier: MIT
// The branch-free f16 and bf16 of half.hpp against common/numeric: every pattern, and around every
// tie between two neighbours.
#define LANESCOPE_HOST half_test
#include "emulator/execute/half.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "numeric/format.hpp"

namespace lanescope::emulator::test {
namespace {

template <class H>
void check_format(const numeric::Format& format) {
  int wrong = 0;
  for (std::uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const float found = H::load(pattern);
    const double expected = numeric::decode(format, pattern);
    if (std::isnan(expected)
            ? !std::isnan(found)
            : half_test::bits_of(found) != half_test::bits_of(static_cast<float>(expected)))
      ++wrong;
  }
  CHECK(wrong == 0);
  int checked = 0;
  for (std::uint32_t pattern = 0; pattern < 0xffff; ++pattern) {
    const double low = numeric::decode(format, pattern);
    const double high = numeric::decode(format, pattern + 1);
    if (!std::isfinite(low)) continue;
    // Between the largest finite value and infinity the tie is where one more step would lead.
    const double tie = std::isfinite(high) ? (low + high) / 2
                                           : low + (low - numeric::decode(format, pattern - 1)) / 2;
    const auto middle = static_cast<float>(tie);
    for (const float value : {static_cast<float>(low), std::nextafter(middle, -INFINITY), middle,
                              std::nextafter(middle, INFINITY)}) {
      ++checked;
      if (H::store(value) != numeric::encode(format, value)) ++wrong;
    }
  }
  CHECK(checked > 200'000);
  CHECK(wrong == 0);
  CHECK(H::store(INFINITY) == numeric::encode(format, INFINITY));
  CHECK(H::store(-INFINITY) == numeric::encode(format, -INFINITY));
  CHECK(H::store(std::nanf("")) == 0x7fff);
  CHECK(H::store(-std::nanf("")) == 0x7fff);
}

}  // namespace

TEST_CASE("half.hpp knows f16 and bf16 as numeric does") {
  check_format<half_test::F16>(numeric::kF16);
  check_format<half_test::Bf16>(numeric::kBf16);
}

}  // namespace lanescope::emulator::test

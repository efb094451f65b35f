// SPDX-License-Identifier: MIT
// The zero-column mask descriptor of tcgen05.mma.ws against the four examples that the ISA has
// (9.7.16.4.3), written as it writes them: column 0 at the right.
#include "layout/zero_columns.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

namespace lanescope::layout {
namespace {

struct Example {
  std::array<int, 4> start, first;  // sc3 to sc0, fs3 to fs0
  int any, skip, use, shift;
};

// Table 45 of the ISA, by hand.
std::uint64_t bits_of(const Example& e) {
  std::uint64_t bits = 0;
  for (int k = 0; k < 4; ++k) {
    const auto at = static_cast<std::size_t>(3 - k);
    bits |= static_cast<std::uint64_t>(e.start[at]) << 8 * k |
            static_cast<std::uint64_t>(e.first[at]) << (32 + k);
  }
  return bits | static_cast<std::uint64_t>(e.any) << 39 | static_cast<std::uint64_t>(e.skip) << 40 |
         static_cast<std::uint64_t>(e.use) << 48 | static_cast<std::uint64_t>(e.shift) << 56;
}

// The last `count` digits of a sub-mask.
std::string mask(const Example& e, int M, int N, int part, int count) {
  const ZeroColumns zeros = decode_zero_columns(bits_of(e));
  std::string text;
  for (int column = 0; column < count; ++column)
    text.insert(text.begin(), is_zero(zeros, M, N, part * N * M / 128 + column) ? '1' : '0');
  return text;
}

TEST_CASE("zero-column masks are those of the ISA's examples") {
  CHECK(mask({{0, 0, 0, 0}, {0, 0, 0, 0}, 0, 4, 3, 0}, 128, 64, 0, 64) == std::string(64, '0'));
  CHECK(mask({{0, 0, 0, 0}, {0, 0, 0, 0}, 1, 2, 3, 0}, 128, 64, 0, 14) == "11100001110000");
  const Example two{{0, 0, 0, 0}, {0, 0, 0, 1}, 1, 2, 3, 0};
  CHECK(mask(two, 64, 64, 0, 17) == "11100001110000111");
  CHECK(mask(two, 64, 64, 1, 18) == "000011100001110000");
  const Example four{{1, 2, 1, 0}, {0, 0, 1, 1}, 1, 2, 3, 2};
  CHECK(mask(four, 32, 128, 0, 14) == "00001110000111");
  CHECK(mask(four, 32, 128, 1, 13) == "0000111000011");
  CHECK(mask(four, 32, 128, 2, 12) == "111000011100");
  CHECK(mask(four, 32, 128, 3, 13) == "1110000111000");
  CHECK(decode_zero_columns(bits_of(four)).shift == 2);
}

TEST_CASE("a zero-column mask descriptor that is none is told why") {
  CHECK(zero_columns_problem(0, 32).empty());
  CHECK(zero_columns_problem(std::uint64_t{16} << 56, 32).empty());
  CHECK(zero_columns_problem(std::uint64_t{17} << 56, 32) ==
        "its shift is 17: with M 32 at most 16");
  CHECK(zero_columns_problem(std::uint64_t{32} << 56, 64).empty());
  CHECK(zero_columns_problem(std::uint64_t{33} << 56, 128) ==
        "its shift is 33: with M 128 at most 32");
  for (const int bit : {36, 37, 38, 62, 63})
    CHECK(zero_columns_problem(std::uint64_t{1} << bit, 64).find("must be 0") != std::string::npos);
  for (const int bit : {35, 39, 40, 55})
    CHECK(zero_columns_problem(std::uint64_t{1} << bit, 64).empty());
}

}  // namespace
}  // namespace lanescope::layout

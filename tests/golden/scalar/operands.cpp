// SPDX-License-Identifier: MIT
#include "operands.hpp"

#include <cstring>

namespace lanescope::golden::scalar {
namespace {

constexpr int kEdges = 64;

// Tuples of f32 and f16 whose first two operands have a product just below the smallest normal
// number: where .ftz has to decide.
bool is_threshold(std::uint64_t tuple) { return tuple >= 8192 && tuple % 16 == 3; }

// splitmix64
struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t word = state += 0x9e3779b97f4a7c15ull;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ull;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebull;
    return word ^ (word >> 31);
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(next() % n); }
};

// A binary format: what a number is made of.
struct Format {
  int exponent_bits, mantissa_bits;
  int bits() const { return 1 + exponent_bits + mantissa_bits; }
  std::uint64_t bias() const { return (1ull << (exponent_bits - 1)) - 1; }
};
constexpr Format kF16{5, 10}, kBf16{8, 7}, kF32{8, 23}, kF64{11, 52};

std::uint64_t compose(Format f, bool negative, std::int64_t exponent, std::uint64_t mantissa) {
  const std::uint64_t top = (1ull << f.exponent_bits) - 1;
  std::int64_t biased = exponent + static_cast<std::int64_t>(f.bias());
  if (biased < 0) biased = 0;
  if (biased > static_cast<std::int64_t>(top)) biased = static_cast<std::int64_t>(top);
  return (negative ? 1ull << (f.bits() - 1) : 0) |
         static_cast<std::uint64_t>(biased) << f.mantissa_bits |
         (mantissa & ((1ull << f.mantissa_bits) - 1));
}

std::uint64_t float_edge(Format f, int n) {
  const std::uint64_t ones = (1ull << f.mantissa_bits) - 1, half = 1ull << (f.mantissa_bits - 1);
  const bool negative = (n & 1) != 0;
  const std::int64_t lowest = -static_cast<std::int64_t>(f.bias());
  const std::int64_t highest = static_cast<std::int64_t>(f.bias());
  const auto whole = [&](std::int64_t exponent, std::uint64_t mantissa = 0) {
    return compose(f, negative, exponent, mantissa);
  };
  switch (n / 2) {
    case 0:
      return whole(lowest);  // 0
    case 1:
      return whole(lowest, 1);  // smallest subnormal
    case 2:
      return whole(lowest, ones);  // largest subnormal
    case 3:
      return whole(lowest, half);
    case 4:
      return whole(lowest + 1);  // smallest normal
    case 5:
      return whole(lowest + 1, 1);
    case 6:
      return whole(highest, ones);  // largest
    case 7:
      return whole(highest + 1);  // infinity
    case 8:
      return whole(highest + 1, half);  // quiet NaN
    case 9:
      return whole(highest + 1, 1);  // signalling NaN
    case 10:
      return whole(highest + 1, half | (ones & 0x2b3));
    case 11:
      return whole(highest + 1, ones);
    case 12:
      return whole(0);  // 1
    case 13:
      return whole(0, 1);
    case 14:
      return whole(-1, ones);
    case 15:
      return whole(-1);  // 0.5
    case 16:
      return whole(0, half);  // 1.5
    case 17:
      return whole(1, half >> 1);  // 2.5
    case 18:
      return whole(-1, half);  // 0.75
    case 19:
      return whole(1);
    case 20:
      return whole(7);  // 128: beyond s8
    case 21:
      return whole(7, ones << 2);
    case 22:
      return whole(8);
    case 23:
      return whole(15);
    case 24:
      return whole(16);
    case 25:
      return whole(31);
    case 26:
      return whole(32);
    case 27:
      return whole(63);
    case 28:
      return whole(64);
    case 29:
      return whole(31, ones);
    case 30:
      return whole(-2, ones ^ half);
    default:
      return whole(lowest / 2);
  }
}

std::uint64_t float_random(Format f, Random& random) {
  const std::uint64_t bits = random.next();
  const std::uint64_t mask = f.bits() == 64 ? ~0ull : (1ull << f.bits()) - 1;
  const unsigned choice = random.below(16);
  if (choice < 3) return bits & mask;  // every size, NaN and infinity
  const bool negative = random.below(2) != 0;
  const unsigned spread = choice < 8 ? 8 : choice < 12 ? 40 : 300;
  std::int64_t exponent = static_cast<std::int64_t>(random.below(spread)) - spread / 2;
  if (choice == 12) exponent = static_cast<std::int64_t>(random.below(66));  // as integers
  std::uint64_t mantissa = bits;
  if (choice % 2 == 0) {
    // few bits, and a half behind them: half-way between two numbers of a narrower format
    const unsigned keep = 1 + random.below(static_cast<unsigned>(f.mantissa_bits));
    const std::uint64_t last = 1ull << (static_cast<unsigned>(f.mantissa_bits) - keep);
    mantissa &= ~(last - 1);
    mantissa |= last;
    if (const unsigned beside = random.below(8); beside == 0)
      mantissa += 1;
    else if (beside == 1)
      mantissa -= 1;
  }
  return compose(f, negative, exponent, mantissa);
}

std::uint64_t integer_edge(int bits, int n) {
  const std::uint64_t top = 1ull << (bits - 1);
  const std::uint64_t small[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 63, 64};
  if (n < 18) return small[n];
  switch (n) {
    case 18:
      return top;
    case 19:
      return top - 1;
    case 20:
      return top + 1;
    case 21:
      return top >> 1;
    case 22:
      return (top >> 1) - 1;
    case 23:
      return 0x5555555555555555ull;
    case 24:
      return 0xaaaaaaaaaaaaaaaaull;
    case 25:
      return 0x0123456789abcdefull;
    case 26:
      return 0xfedcba9876543210ull;
    case 27:
      return 0x7f80ff0180007fffull;
    case 28:
      return 0x00ff00ff00ff00ffull;
    case 29:
      return 127;
    case 30:
      return 128;
    case 31:
      return 255;
    case 32:
      return 256;
    case 33:
      return 32767;
    case 34:
      return 32768;
    case 35:
      return 65535;
    case 36:
      return 65536;
    case 37:
      return 0x7fffffff;
    case 38:
      return 0x80000000;
    case 39:
      return 0xffffffff;
    case 40:
      return 0xffffff80;
    case 41:
      return 0xffff8000;
    case 42:
      return 0xffffff7f;
    case 43:
      return 0x01000001;
    default:
      return ~integer_edge(bits, n - 44);  // -1, -2, ...
  }
}

std::uint64_t integer_random(Random& random) {
  const std::uint64_t bits = random.next();
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
      return bits;
    case 3:
      return bits >> random.below(64);
    case 4:
      return ~(bits >> random.below(64));
    case 5:
      return (bits >> 32 >> random.below(32)) * 0x100000001ull;
    case 6: {
      const std::uint64_t beside = random.below(3);
      return beside - (1ull << random.below(64)) - 1;  // around minus a power of two
    }
    default:
      return ((bits & 0xff) | 1) << random.below(56);  // few bits, high ones
  }
}

std::uint64_t count_edge(int n) {
  const std::uint64_t large[] = {
      63,    64,    65,         127,        128,        255,        256,        257,
      65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff, 0xffffffe0, 0xffffff00, 0x80000001};
  return n < 48 ? static_cast<std::uint64_t>(n) : large[n - 48];
}

std::uint64_t edge(Kind kind, int n) {
  switch (kind) {
    case Kind::u16:
      return integer_edge(16, n);
    case Kind::u32:
      return integer_edge(32, n);
    case Kind::u64:
      return integer_edge(64, n);
    case Kind::f16:
      return float_edge(kF16, n);
    case Kind::bf16:
      return float_edge(kBf16, n);
    case Kind::f32:
      return float_edge(kF32, n);
    case Kind::f64:
      return float_edge(kF64, n);
    case Kind::f16x2:
      return float_edge(kF16, n) | float_edge(kF16, n * 11 % kEdges) << 16;
    case Kind::bf16x2:
      return float_edge(kBf16, n) | float_edge(kBf16, n * 11 % kEdges) << 16;
    case Kind::n32:
      return count_edge(n);
    default:
      return static_cast<std::uint64_t>(n) & 1;
  }
}

std::uint64_t two_of(Format f, Random& random) {
  const std::uint64_t low = float_random(f, random);
  return low | float_random(f, random) << 16;
}

std::uint64_t any(Kind kind, Random& random) {
  switch (kind) {
    case Kind::f16:
      return float_random(kF16, random);
    case Kind::bf16:
      return float_random(kBf16, random);
    case Kind::f32:
      return float_random(kF32, random);
    case Kind::f64:
      return float_random(kF64, random);
    case Kind::f16x2:
      return two_of(kF16, random);
    case Kind::bf16x2:
      return two_of(kBf16, random);
    case Kind::n32:
      return random.below(4) == 0 ? integer_random(random) : random.below(72);
    case Kind::p:
      return random.below(2);
    default:
      return integer_random(random);
  }
}

std::uint64_t masked(Kind kind, std::uint64_t word) {
  switch (kind) {
    case Kind::u16:
    case Kind::f16:
    case Kind::bf16:
      return word & 0xffff;
    case Kind::u64:
    case Kind::f64:
      return word;
    default:
      return word & 0xffffffff;
  }
}

std::uint64_t threshold(Format f, int place, std::uint64_t tuple) {
  Random random{tuple};
  const std::uint64_t one = 1ull << f.mantissa_bits;
  const std::uint64_t left = one | (random.next() & (one - 1));
  const auto exponent =
      static_cast<std::int64_t>(random.below(static_cast<unsigned>(f.mantissa_bits))) -
      f.mantissa_bits;
  const bool negative = random.below(2) != 0;
  if (place == 0) return compose(f, negative, exponent, left);
  if (place == 1)
    return compose(f, random.below(2) != 0, -static_cast<std::int64_t>(f.bias()) - exponent,
                   2 * one * one / left);
  return float_edge(f, static_cast<int>(random.below(10)));
}

std::uint64_t at(Kind kind, int place, std::uint64_t tuple) {
  if (is_threshold(tuple)) {
    if (kind == Kind::f32) return threshold(kF32, place, tuple);
    if (kind == Kind::f16) return threshold(kF16, place, tuple);
    if (kind == Kind::f16x2) return threshold(kF16, place, tuple) * 0x10001;
  }
  // a state of its own for every word, so that a column can be made in any order
  Random random{(static_cast<std::uint64_t>(kind) * 16 + static_cast<std::uint64_t>(place)) << 40 |
                tuple << 8};
  if (tuple < 4096) {
    const auto n = static_cast<int>(place == 0   ? tuple % kEdges
                                    : place == 1 ? tuple / kEdges
                                                 : random.below(kEdges));
    return edge(kind, n);
  }
  if (tuple < 8192) return edge(kind, static_cast<int>(random.below(kEdges)));
  // a neighbour of minus the first operand, and of minus the product of the first two
  const std::uint64_t beside = random.below(5) - 2;
  const bool same = tuple % 8 == 5;
  if (kind == Kind::f32 && place == 1 && same) return (at(kind, 0, tuple) ^ 0x80000000u) + beside;
  if (kind == Kind::f64 && place == 1 && same) return (at(kind, 0, tuple) ^ (1ull << 63)) + beside;
  if ((kind == Kind::f32 || kind == Kind::f64) && place == 2 && tuple % 8 == 7) {
    const std::uint64_t left = at(kind, 0, tuple), right = at(kind, 1, tuple);
    if (kind == Kind::f64) {
      double a, b;
      std::memcpy(&a, &left, 8);
      std::memcpy(&b, &right, 8);
      const double product = -(a * b);
      std::uint64_t word;
      std::memcpy(&word, &product, 8);
      return product == product ? word + beside : left;
    }
    const auto low = static_cast<std::uint32_t>(left), high = static_cast<std::uint32_t>(right);
    float a, b;
    std::memcpy(&a, &low, 4);
    std::memcpy(&b, &high, 4);
    const float product = -(a * b);
    std::uint32_t word;
    std::memcpy(&word, &product, 4);
    return product == product ? word + beside : left;
  }
  return any(kind, random);
}

}  // namespace

std::vector<std::uint64_t> column(Kind kind, int place) {
  std::vector<std::uint64_t> words(kind == Kind::all16 ? 65536 : 16384);
  for (std::size_t t = 0; t < words.size(); ++t)
    words[t] = kind == Kind::all16 ? t * 40503 % 65536 : masked(kind, at(kind, place, t));
  return words;
}

}  // namespace lanescope::golden::scalar

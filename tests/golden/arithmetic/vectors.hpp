// SPDX-License-Identifier: MIT
// The operands of the recorded arithmetic: what the card was given and the emulator is given again.
//
// A tile is one instruction's A, B, C (and sparsity metadata), drawn from the instruction's name
// and the tile's number with integers alone, so that every machine draws the same. Sixteen themes
// take turns, each made for a question about the hardware (below). Only results are kept in a
// recording.
//
//   A  M rows, B  N columns: packed along K, the first element in the lowest bits
//   C  M x N, row-major;  metadata  the bits of each row, in the order of its kept elements
//
// Plain C++17: nvcc compiles it on the card's machine, the test's compiler in CI.
#pragma once

#include <cstdint>
#include <vector>

#include "case.hpp"
#include "patterns.hpp"

namespace lanescope::golden {

struct Tile {
  std::vector<std::uint64_t> a, b, c;  // patterns: M x kept, N x K, M x N
  std::vector<std::uint8_t> place;     // M x kept: which element of K a kept one is (sparse)
  std::vector<std::uint64_t> e;        // metadata of each row, low bits first
};

/// Draws one tile; floats() has the themes.
class Drawer {
 public:
  Drawer(const Case& what, int tile)
      : what_(what), random_(seed(what, tile)), theme_(tile % kThemes) {
    if (what.a->exponent_bits == 0) return;
    narrow_ = what.a->exponent_bits < 8;
    low_a_ = lowest(*what.a);
    low_b_ = lowest(*what.b);
    low_d_ = lowest(*what.c);
    high_d_ = 1 - low_d_;
  }
  static constexpr int kThemes = 16;

  Tile tile() {
    Tile t;
    t.a.resize(static_cast<std::size_t>(what_.M * what_.kept()));
    t.b.resize(static_cast<std::size_t>(what_.N * what_.K));
    t.c.resize(static_cast<std::size_t>(what_.M * what_.N));
    if (what_.sparse) metadata(t);
    if (what_.a->exponent_bits == 0)
      integers(t);
    else
      floats(t);
    return t;
  }

 private:
  static std::uint64_t seed(const Case& what, int tile) {
    return fnv(what.name.data(), what.name.size()) +
           0x9e3779b97f4a7c15ull * static_cast<std::uint64_t>(tile);
  }
  static int lowest(const Element& f) { return 2 - (1 << (f.exponent_bits - 1)); }
  std::uint64_t& a(Tile& t, int row, int k) {
    return t.a[static_cast<std::size_t>(row * what_.kept() + k)];
  }
  std::uint64_t& b(Tile& t, int col, int k) {
    return t.b[static_cast<std::size_t>(col * what_.K + k)];
  }
  std::uint64_t& c(Tile& t, int row, int col) {
    return t.c[static_cast<std::size_t>(row * what_.N + col)];
  }

  /// Two of four, one of two (tf32), or two pairs of four pairs (4-bit types).
  void metadata(Tile& t) {
    const int kept = what_.kept();
    t.place.resize(static_cast<std::size_t>(what_.M * kept));
    t.e.assign(static_cast<std::size_t>(what_.M), 0);
    for (int row = 0; row < what_.M; ++row) {
      std::uint8_t* place = &t.place[static_cast<std::size_t>(row * kept)];
      std::uint64_t& bits = t.e[static_cast<std::size_t>(row)];
      if (what_.a->bits == 32) {
        for (int s = 0; s < kept; ++s) {
          const int index = random_.below(2);
          place[s] = static_cast<std::uint8_t>(2 * s + index);
          bits |= std::uint64_t{index == 0 ? 0x4u : 0xeu} << (4 * s);
        }
        continue;
      }
      const int width = what_.a->bits == 4 ? 2 : 1;  // elements that move together
      for (int chunk = 0; chunk < kept / (2 * width); ++chunk) {
        static constexpr int kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
        const int* pair = kPairs[random_.below(6)];
        for (int i = 0; i < 2; ++i) {
          for (int w = 0; w < width; ++w)
            place[(2 * chunk + i) * width + w] =
                static_cast<std::uint8_t>((4 * chunk + pair[i]) * width + w);
          bits |= static_cast<std::uint64_t>(pair[i]) << (2 * (2 * chunk + i));
        }
      }
    }
  }

  void integers(Tile& t) {
    const int style = theme_ % 4;  // anything; extremes; one value; anything
    const auto draw = [&](const Element& f) -> std::uint64_t {
      const std::uint64_t raw = random_.bits() >> 7 & ((std::uint64_t{1} << f.bits) - 1);
      const std::uint64_t top = std::uint64_t{1} << (f.bits - 1);
      if (style == 1 && f.bits > 1)
        return random_.chance(128) ? top : random_.chance(128) ? top - 1 : 2 * top - 1;
      if (style == 2 && f.bits > 1) return f.name[0] == 's' ? top : 2 * top - 1;
      return raw;
    };
    for (std::uint64_t& x : t.a) x = draw(*what_.a);
    for (std::uint64_t& x : t.b) x = draw(*what_.b);
    for (std::uint64_t& x : t.c) {
      x = random_.bits() >> 32;
      if (style != 0) x = (x & 1 ? 0x80000000u : 0x7fff8000u) + (x >> 1 & 0x7fff);  // near the ends
      x &= 0xffffffff;
    }
  }

  /// 0 random, 1 all ones, 2 zero, 3 one or two bits.
  std::uint64_t mantissa(int style) {
    const std::uint64_t raw = random_.bits() & ((std::uint64_t{1} << 52) - 1);
    if (style == 1) return (std::uint64_t{1} << 52) - 1;
    if (style == 2) return 0;
    if (style == 3)
      return std::uint64_t{1} << (51 - random_.below(8)) | std::uint64_t{1}
                                                               << (51 - random_.below(11));
    return raw;
  }
  bool coin() { return random_.chance(128); }

  struct Draw {
    int exponent = 0, spread = 0, style = 0, zeros = 0,
        sign = 0;  // sign: 0 either, 1 plus, 2 minus
  };
  std::uint64_t one(const Element& f, const Draw& how) {
    const bool minus = how.sign == 0 ? coin() : how.sign == 2;
    if (random_.chance(how.zeros)) return minus ? std::uint64_t{1} << (f.bits - 1) : 0;
    const int exponent =
        how.exponent + (how.spread == 0 ? 0 : random_.between(-how.spread, how.spread));
    return pattern(f, minus, exponent, mantissa(how.style)) | ignored(f);
  }
  /// The bits that a tensor core does not look at, now and then.
  std::uint64_t ignored(const Element& f) {
    return f.ignored_bits == 0 ? 0 : coin() ? 0 : random_.bits() & ((1u << f.ignored_bits) - 1);
  }
  std::uint64_t raw(const Element& f) {  // any finite pattern
    for (;;) {
      const std::uint64_t bits =
          f.bits == 64 ? random_.bits() : random_.bits() >> 9 & ((std::uint64_t{1} << f.bits) - 1);
      if (!special(f, bits)) return bits;
    }
  }
  static bool special(const Element& f, std::uint64_t bits) {
    const int low = f.mantissa_bits + f.ignored_bits;
    const std::uint64_t fields = (std::uint64_t{1} << f.exponent_bits) - 1;
    if ((bits >> low & fields) != fields) return false;
    const std::uint64_t rest = bits & ((std::uint64_t{1} << low) - 1);
    return f.has_infinity || rest == (1u << f.mantissa_bits) - 1;
  }
  /// Infinity, NaN with any payload, a zero, the largest.
  std::uint64_t extreme(const Element& f) {
    const std::uint64_t sign = coin() ? std::uint64_t{1} << (f.bits - 1) : 0;
    const int low = f.mantissa_bits + f.ignored_bits;
    const std::uint64_t fields = ((std::uint64_t{1} << f.exponent_bits) - 1) << low;
    switch (random_.below(4)) {
      case 0:
        return f.has_infinity ? sign | fields : sign | fields | ((std::uint64_t{1} << low) - 1);
      case 1:
        return sign | fields | (random_.bits() & ((std::uint64_t{1} << low) - 1));
      case 2:
        return sign;
      default:
        return sign | pattern(f, false, 5000, 0);
    }
  }
  /// Drawn in this order, which a call's arguments would leave to the compiler; so it was recorded.
  struct Draws {
    Draw c, b, a;
  };
  void fill(Tile& t, const Draws& draws) { fill(t, draws.a, draws.b, draws.c); }
  void fill(Tile& t, const Draw& for_a, const Draw& for_b, const Draw& for_c) {
    for (std::uint64_t& x : t.a) x = one(*what_.a, for_a);
    for (std::uint64_t& x : t.b) x = one(*what_.b, for_b);
    for (std::uint64_t& x : t.c) x = one(*what_.c, for_c);
  }
  /// A sign and a value for each column, the same for all of K: so that products cancel that A says
  /// shall cancel.
  void columns(Tile& t, int exponent, int spread, int style) {
    for (int col = 0; col < what_.N; ++col) {
      const std::uint64_t value = one(*what_.b, {exponent, spread, style, 0, 0});
      for (int k = 0; k < what_.K; ++k) b(t, col, k) = value;
    }
  }
  static std::uint64_t negated(const Element& f, std::uint64_t x) {
    return x ^ std::uint64_t{1} << (f.bits - 1);
  }

  void floats(Tile& t) {
    const int center = narrow_ ? random_.between(-3, 3) : random_.between(-20, 20);
    const int product = random_.between(-6, 6);
    switch (theme_) {
      case 0:  // ordinary numbers
        return fill(t, Draws{{product, 4, 0, random_.below(2) * 60, 0},
                             {product - center, random_.below(4), 0, 0, 0},
                             {center, random_.below(4), 0, 0, 0}});
      case 1:  // exponents far apart
        return fill(t, {center, narrow_ ? 16 : 25, 0, 20, 0},
                    {product - center, narrow_ ? 8 : 15, 0, 20, 0}, {product, 25, 0, 20, 0});
      case 2:  // any finite pattern
        for (std::uint64_t& x : t.a) x = raw(*what_.a);
        for (std::uint64_t& x : t.b) x = raw(*what_.b);
        for (std::uint64_t& x : t.c) x = raw(*what_.c);
        return;
      case 3:
        return specials(t, center, product);
      case 4:
        return cancelling_pairs(t, center, product);
      case 5:
        return deep(t);
      case 6: {  // the largest sums: mantissas of ones, one sign, equal exponents
        const int sign = random_.between(1, 2);
        return fill(t, Draws{{product + random_.between(-1, 2), 1, 1, random_.below(2) * 128, sign},
                             {product - center, 0, 1, 0, sign},
                             {center, random_.below(2), 1, 0, 1}});
      }
      case 7:
        return few_terms(t, center, product);
      case 8:
        return zeros(t);
      case 9:
        return overflow(t, center);
      case 10: {  // ties: few bits, and a C that is just out of their reach
        const int distance = what_.c->mantissa_bits + random_.between(-2, 3);
        fill(t, {center, 2, random_.between(2, 3), 128, 0}, {product - center, 1, 2, 0, 0},
             {product + distance, 1, 3, 10, 0});
        if (what_.c->bits == 16 && coin()) columns(t, -center - random_.below(14), 0, 2);
        return;
      }
      case 11:  // C far above the products
        return fill(t, Draws{{product + random_.between(8, 32), 4, 0, 0, 0},
                             {product - center, 2, 0, 0, 0},
                             {center, random_.below(6), 0, random_.below(2) * 128, 0}});
      case 12:
        return c_cancels(t, center, product);
      case 13:
        return far_pair(t, center, product);
      case 14:  // subnormal operands that matter
        fill(t, {low_a_ - 1, 2, 0, 20, 0}, {product - low_a_, 3, 0, 0, 0}, {product, 6, 0, 60, 0});
        for (std::size_t i = 0; i < t.b.size(); ++i)
          if (random_.chance(64)) t.b[i] = one(*what_.b, {low_b_ - 1, 2, 0, 0, 0});
        return;
      default:  // everything at once, half of it zero
        for (std::uint64_t& x : t.a)
          x = coin() ? one(*what_.a, {center, random_.below(14), random_.below(4), 128, 0})
                     : raw_near(*what_.a);
        for (std::uint64_t& x : t.b)
          x = coin() ? one(*what_.b, {product - center, random_.below(10), random_.below(4), 40, 0})
                     : one(*what_.b, {-center, 1, 0, 0, 0});
        for (std::uint64_t& x : t.c)
          x = one(*what_.c, {product, random_.below(30), random_.below(4), 60, 0});
        return;
    }
  }
  std::uint64_t raw_near(const Element& f) { return narrow_ ? raw(f) : one(f, {0, 12, 0, 0, 0}); }

  /// Infinities, NaN and zeros among ordinary numbers, few enough that many results stay finite.
  void specials(Tile& t, int center, int product) {
    fill(t, {center, 2, 0, 0, 0}, {product - center, 2, 0, 10, 0}, {product, 4, 0, 30, 0});
    for (int row = 0; row < what_.M; ++row)
      for (int chance = 110; random_.chance(chance); chance /= 2)
        a(t, row, random_.below(what_.kept())) = extreme(*what_.a);
    for (int col = 0; col < what_.N; ++col)
      for (int chance = 110; random_.chance(chance); chance /= 2)
        b(t, col, random_.below(what_.K)) = extreme(*what_.b);
    for (std::uint64_t& x : t.c)
      if (random_.chance(40)) x = extreme(*what_.c);
  }

  /// x - x + x - x ... and a few small ones: how many places are kept, and what meets what.
  void cancelling_pairs(Tile& t, int center, int product) {
    columns(t, product - center, 2, random_.below(4));
    for (int row = 0; row < what_.M; ++row) {
      const int shift = 1 + random_.below(what_.kept() - 1);
      for (int k = 0; k < what_.kept(); ++k) a(t, row, k) = one(*what_.a, {center + 4, 2, 0, 0, 0});
      for (int k = 0; k + shift < what_.kept(); k += 2 * shift)
        for (int i = k; i < k + shift && i + shift < what_.kept(); ++i)
          a(t, row, i + shift) = negated(*what_.a, a(t, row, i));
      const int small = random_.between(1, 3);
      for (int i = 0; i < small; ++i)
        a(t, row, random_.below(what_.kept())) =
            one(*what_.a, {center - random_.below(26), 2, 0, 40, 0});
    }
    for (std::uint64_t& x : t.c) x = one(*what_.c, {product - random_.below(30), 2, 0, 128, 0});
  }

  /// The lower end of D, or of the products where they cannot reach it.
  void deep(Tile& t) {
    const int sign = random_.below(3);
    const int bottom = low_d_ - what_.c->mantissa_bits;  // exponent of the smallest subnormal
    const bool reachable = !narrow_ || what_.c->bits == 16;
    if (reachable && coin()) return below_the_last_place(t, bottom);
    if (!narrow_) {
      const int aim = bottom + random_.between(-8, 8);
      const int ea = aim / 2 + random_.between(-10, 10);
      const int spread = random_.below(3);
      fill(t, Draws{{bottom + random_.below(6), 2, random_.below(3), coin() ? 256 : 128, 0},
                    {aim - ea, spread, random_.below(2), 0, sign},
                    {ea, spread, random_.below(4), random_.below(2) * 60, 1}});
      return;
    }
    // f16 sums: products about and exactly at half of the smallest subnormal, and the smallest
    // ones.
    const int aim = coin() ? bottom - 1 : bottom + random_.between(-4, 6);
    for (int row = 0; row < what_.M; ++row)
      for (int k = 0; k < what_.kept(); ++k)
        a(t, row, k) = one(*what_.a, {coin() ? low_a_ + random_.below(4)
                                             : low_a_ - what_.a->mantissa_bits + random_.below(3),
                                      0, random_.between(2, 3), 90, sign});
    for (int col = 0; col < what_.N; ++col) {
      const int eb = aim - low_a_ - random_.below(4);
      for (int k = 0; k < what_.K; ++k)
        b(t, col, k) =
            one(*what_.b, {coin() ? eb : low_b_ - what_.b->mantissa_bits + random_.below(4), 0,
                           random_.between(2, 3), 30, random_.below(4) == 0 ? 0 : 1});
    }
    for (std::uint64_t& x : t.c) x = one(*what_.c, {bottom + random_.below(6), 1, 3, 128, 0});
  }

  /// A product that is a multiple of D's last place, less others so far below it that it is seen
  /// whether they are kept: how far E sinks when all terms are tiny.
  void below_the_last_place(Tile& t, int bottom) {
    if (what_.c->bits == 16) return below_a_tie(t, bottom);
    const int eb = bottom / 2;
    columns(t, eb, 0, 2);
    for (int row = 0; row < what_.M; ++row) {
      const bool minus = coin();
      const int first = random_.below(what_.kept());
      const int distance = random_.between(1, 24), others = random_.between(1, 3);
      for (int i = 0; i < others; ++i) {
        const std::uint64_t m = mantissa(2 * random_.below(2));
        const bool other_sign = random_.chance(200);
        a(t, row, random_.below(what_.kept())) =
            pattern(*what_.a, other_sign != minus, bottom - eb - distance, m);
      }
      if (random_.chance(220))
        a(t, row, first) = pattern(*what_.a, minus, bottom - eb + random_.below(3), 0);
    }
    for (std::uint64_t& x : t.c) x = one(*what_.c, {bottom + random_.below(3), 0, 2, 220, 0});
  }

  /// The same to nearest: a tie (half or three halves of the smallest), and others that decide it.
  /// Subnormal operands keep the exponent of the smallest normal number, so the tie is made of
  /// normal ones (even elements of B) and the others are not (odd ones).
  void below_a_tie(Tile& t, int bottom) {
    const int normal = low_b_ + random_.below(4), subnormal = low_b_ - what_.b->mantissa_bits;
    for (int col = 0; col < what_.N; ++col)
      for (int k = 0; k < what_.K; ++k)
        b(t, col, k) = pattern(*what_.b, col % 2 != 0, k % 2 == 0 ? normal : subnormal, 0);
    for (int row = 0; row < what_.M; ++row) {
      const bool minus = coin(), more = coin();
      const int distance = random_.between(8, 23);
      for (int i = random_.between(1, 3); i > 0; --i)
        a(t, row, 2 * random_.below(what_.kept() / 2) + 1) =
            pattern(*what_.a, minus == more, bottom - 1 - distance - subnormal,
                    mantissa(2 * random_.below(2)));
      a(t, row, 2 * random_.below(what_.kept() / 2)) = pattern(
          *what_.a, minus, bottom - 1 - normal + (more ? 0 : 1), more ? 0 : std::uint64_t{1} << 51);
    }
    for (std::uint64_t& x : t.c) x = one(*what_.c, {bottom, 0, 2, 240, 0});
  }

  /// X, -X and a Y some places below them, anywhere along K; sometimes a fourth.
  void few_terms(Tile& t, int center, int product) {
    columns(t, product - center, 1, random_.below(4));
    for (int row = 0; row < what_.M; ++row) {
      const int top = narrow_ ? (1 << (what_.a->exponent_bits - 1)) - 2 : center + 12;
      const std::uint64_t x = one(*what_.a, {top, 0, 0, 0, 0});
      const int first = random_.below(what_.kept()), second = random_.below(what_.kept());
      a(t, row, first) = x;
      if (second != first) a(t, row, second) = negated(*what_.a, x);
      const int others = random_.between(1, 3);
      for (int i = 0; i < others; ++i) {
        const int k = random_.below(what_.kept());
        if (k != first && k != second)
          a(t, row, k) = one(*what_.a, {top - random_.between(8, 30), 0, 0, 0, 0});
      }
    }
    for (std::uint64_t& x : t.c) x = one(*what_.c, {product - random_.below(20), 6, 0, 150, 0});
  }

  void zeros(Tile& t) {
    for (int row = 0; row < what_.M; ++row) {
      const int sign = random_.below(3),
                odd = random_.chance(60) ? random_.below(what_.kept()) : -1;
      for (int k = 0; k < what_.kept(); ++k)
        a(t, row, k) = one(*what_.a, {0, 3, 0, 256, k == odd ? 0 : sign});
      if (random_.chance(50))
        a(t, row, random_.below(what_.kept())) =
            one(*what_.a, {low_a_ - what_.a->mantissa_bits, 1, 2, 0, 0});
    }
    for (int col = 0; col < what_.N; ++col) {
      const int sign = random_.below(3);
      for (int k = 0; k < what_.K; ++k) b(t, col, k) = one(*what_.b, {0, 3, 0, 80, sign});
      if (random_.chance(50))
        b(t, col, random_.below(what_.K)) =
            one(*what_.b, {low_b_ - what_.b->mantissa_bits, 1, 2, 0, 0});
    }
    for (std::uint64_t& x : t.c)
      x = one(*what_.c, {low_d_ - what_.c->mantissa_bits, 1, 2, 220, random_.below(3)});
  }

  /// The upper end of D.
  void overflow(Tile& t, int center) {
    const int aim = high_d_ - random_.between(0, 6);
    const bool reachable = !narrow_ || what_.c->bits == 16;
    const int ea = narrow_ ? center + 4 : aim / 2 + random_.between(-5, 5);
    const int sign = random_.below(3);
    fill(t, Draws{{aim + 1, 3, random_.below(2), 60, sign == 0 ? 0 : random_.below(3)},
                  {(reachable ? aim : 6) - ea, 2, random_.below(2), 0, sign},
                  {ea, 2, random_.below(2), 20, sign == 0 ? 0 : 1}});
    if (coin())  // sums beyond the range that come back
      for (int row = 0; row < what_.M; ++row)
        a(t, row, random_.below(what_.kept())) = one(*what_.a, {ea + 3, 1, 0, 0, 0});
  }

  /// C is minus one product, exactly where D can hold it; the rest is small.
  void c_cancels(Tile& t, int center, int product) {
    const int eb = product - center;
    columns(t, eb, 0, 2);
    const int top = center + 3;
    for (int row = 0; row < what_.M; ++row) {
      const std::uint64_t m = mantissa(0) >> (52 - what_.a->mantissa_bits)
                                                 << (52 - what_.a->mantissa_bits);
      const bool minus = coin();
      for (int k = 0; k < what_.kept(); ++k)
        a(t, row, k) = one(*what_.a, {top - random_.between(3, 30), 1, 0, coin() ? 255 : 100, 0});
      a(t, row, random_.below(what_.kept())) = pattern(*what_.a, minus, top, m);
      for (int col = 0; col < what_.N; ++col) {
        const bool b_minus = (b(t, col, 0) >> (what_.b->bits - 1) & 1) != 0;
        c(t, row, col) = pattern(*what_.c, !(minus != b_minus), top + eb, m);
        if (random_.chance(60)) c(t, row, col) ^= 1;
      }
    }
  }

  /// As few_terms, with all the others there as well.
  void far_pair(Tile& t, int center, int product) {
    columns(t, product - center, 1, 0);
    for (int row = 0; row < what_.M; ++row) {
      const int top = narrow_ ? (1 << (what_.a->exponent_bits - 1)) - 3 : center + 12;
      const int distance = random_.between(6, 28), sign = random_.below(3);
      for (int k = 0; k < what_.kept(); ++k)
        a(t, row, k) = one(*what_.a, {top - distance, 1, 0, 0, sign});
      const std::uint64_t x = one(*what_.a, {top, 1, 0, 0, 0});
      const int first = random_.below(what_.kept()), second = random_.below(what_.kept());
      a(t, row, first) = x;
      if (second != first) a(t, row, second) = negated(*what_.a, x);
    }
    for (std::uint64_t& x : t.c) x = one(*what_.c, {product - random_.below(20), 6, 0, 128, 0});
  }

  const Case& what_;
  Random random_;
  int theme_;
  bool narrow_ = false;
  int low_a_ = 0, low_b_ = 0, low_d_ = 0, high_d_ = 0;
};

inline Tile make_tile(const Case& what, int tile) { return Drawer(what, tile).tile(); }

}  // namespace lanescope::golden

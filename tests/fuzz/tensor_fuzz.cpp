// SPDX-License-Identifier: MIT
// The fast paths, one for each kind of host, against the readable model, bit by bit, over random
// multiplications of every type, accumulator and generation.
//
//     tensor_fuzz [OUTPUTS [SEED]]      default 10000000 outputs, seed 1
//
// Exits with 1 and prints the operands of the first differences. The operands are drawn to be
// nasty: exponents equal or far apart, near the ends of the range, all mantissa bits set, zeros of
// both signs, subnormals, infinities, NaN, and a C that cancels the sum of the products.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <span>
#include <vector>

#include "emulator/tensor/tensor.hpp"
#include "numeric/format.hpp"
#include "tests/emulator/tensor/format_of.hpp"

using namespace lanescope::emulator;
namespace numeric = lanescope::numeric;
using enum lanescope::emulator::TensorType;

namespace {

struct Target {
  const char* arch;
  TensorUnit unit;
  TensorShape shape;
};

constexpr std::array kArchs{"sm_70", "sm_75",  "sm_80",   "sm_86",  "sm_89",
                            "sm_90", "sm_90a", "sm_100a", "sm_120a"};

/// Every multiplication that some generation has, with the shapes of the ISA.
std::vector<Target> targets() {
  std::vector<Target> all;
  const auto add = [&](TensorShape shape) {
    for (const char* arch : kArchs)
      for (const TensorUnit unit : {TensorUnit::mma, TensorUnit::wgmma, TensorUnit::tcgen05}) {
        TensorShape fitted = shape;
        if (unit != TensorUnit::mma) fitted.M = 64;
        if (arithmetic(arch, unit, fitted) != nullptr) all.push_back({arch, unit, fitted});
      }
  };
  for (const TensorType accumulator : {f32, f16}) {
    for (const int K : {4, 8, 16, 32}) add({K == 4 ? 8 : 16, 8, K, f16, f16, accumulator});
    for (const int K : {16, 32, 64})
      for (const TensorType a : {e4m3, e5m2})
        for (const TensorType b : {e4m3, e5m2}) add({16, 8, K, a, b, accumulator});
  }
  for (const int K : {8, 16, 32}) add({16, 8, K, bf16, bf16, f32});
  for (const int K : {4, 8, 16}) add({16, 8, K, tf32, tf32, f32});
  add({16, 24, 16, f16, f16, f32});
  for (const bool satfinite : {false, true}) {
    for (const TensorType a : {s8, u8})
      for (const TensorType b : {s8, u8}) add({16, 8, 32, a, b, s32, satfinite});
    for (const TensorType a : {s4, u4})
      for (const TensorType b : {s4, u4}) add({16, 8, 64, a, b, s32, satfinite});
  }
  add({16, 8, 256, b1, b1, s32});
  add({16, 8, 256, b1, b1, s32, false, BitOperation::conjunction});
  return all;
}

/// How the elements of one operand are drawn.
struct Recipe {
  int exponent = 0;                      // the middle
  int spread = 0;                        // on either side
  int zeros = 0, specials = 0, raw = 0;  // of 1024
  int mantissa = 0;                      // 0 random, 1 all ones, 2 zero, 3 few low bits
  int sign = 0;                          // 0 random, 1 plus, 2 minus
};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }
  std::uint32_t bits() { return static_cast<std::uint32_t>(random_() >> 16); }

  Recipe recipe(int lowest, int highest) {
    constexpr std::array kSpreads{0, 1, 3, 8, 30, 300};
    constexpr std::array kZeros{0, 0, 0, 100, 512, 1000, 1024};
    constexpr std::array kSpecials{0, 0, 0, 0, 2, 30};
    constexpr std::array kRaw{0, 0, 0, 0, 50, 1024};
    constexpr std::array kMantissas{0, 0, 0, 1, 2, 3};
    Recipe recipe;
    recipe.exponent = lowest + below(highest - lowest + 1);
    recipe.spread = kSpreads[static_cast<std::size_t>(below(6))];
    recipe.zeros = kZeros[static_cast<std::size_t>(below(7))];
    recipe.specials = kSpecials[static_cast<std::size_t>(below(6))];
    recipe.raw = kRaw[static_cast<std::size_t>(below(6))];
    recipe.mantissa = kMantissas[static_cast<std::size_t>(below(6))];
    recipe.sign = below(4) == 0 ? 1 + below(2) : 0;
    return recipe;
  }

  std::uint32_t pattern(const numeric::Format& format, const Recipe& recipe) {
    const std::uint32_t raw = bits();
    const std::uint32_t mask = format.bits == 32 ? 0xffffffff : (1u << format.bits) - 1;
    if (below(1024) < recipe.raw) return raw & mask;
    const std::uint32_t sign_bit = 1u << (format.bits - 1);
    const std::uint32_t sign = recipe.sign == 0 ? raw & sign_bit : recipe.sign == 1 ? 0 : sign_bit;
    if (below(1024) < recipe.zeros) return sign;
    const int low = format.mantissa_bits + format.ignored_bits;
    const int field_max = (1 << format.exponent_bits) - 1;
    if (below(1024) < recipe.specials)  // the top of the exponent range: infinity, NaN, e4m3's 448
      return sign | static_cast<std::uint32_t>(field_max) << low |
             (below(2) == 0 ? 0 : raw & ((1u << low) - 1));
    const int field = recipe.exponent + format.bias +
                      (recipe.spread == 0 ? 0 : below(2 * recipe.spread + 1) - recipe.spread);
    const int top = format.specials == numeric::Specials::ieee ? field_max - 1 : field_max;
    const int clamped = field < 0 ? 0 : field > top ? top : field;
    std::uint32_t mantissa = (raw >> 3) & ((1u << low) - 1);
    if (recipe.mantissa == 1) mantissa = (1u << low) - 1;
    if (recipe.mantissa == 2) mantissa = 0;
    if (recipe.mantissa == 3) mantissa = raw >> 3 & 3;
    return sign | static_cast<std::uint32_t>(clamped) << low | mantissa;
  }

  void fill(TensorType type, const Recipe& recipe, std::span<std::uint32_t> out) {
    const numeric::Format* format = format_of(type);
    for (std::uint32_t& element : out)
      element = format != nullptr ? pattern(*format, recipe) : integer(type, recipe);
  }

 private:
  std::uint32_t integer(TensorType type, const Recipe& recipe) {
    const std::uint32_t raw = bits();
    switch (type) {
      case s32:  // often near the ends, where .satfinite acts
        if (recipe.spread < 3) return (raw & 0x80000000 ? 0x80000000 : 0x7fff8000) + (raw & 0x7fff);
        return raw;
      case b1:
        return raw & 1;
      case s4:
      case u4:
        return raw & (recipe.mantissa == 1 ? 0x8 : 0xf);
      default:
        return raw & (recipe.mantissa == 1 ? 0x80 : 0xff);
    }
  }

  std::mt19937_64 random_;
};

struct Operands {
  std::vector<std::uint32_t> a, b, c, d, expected;
};

/// How A, B and C are drawn together.
struct Recipes {
  Recipe a, b, c;
  void exponents(int product, int c_distance) {
    b.exponent = product - a.exponent;
    c.exponent = product + c_distance;
  }
};

/// Exponents anywhere in and around the range of D.
Recipes anything(Draw& draw, const numeric::Format& a, const numeric::Format& b) {
  Recipes all{draw.recipe(-a.bias - 3, a.bias + 3), draw.recipe(-b.bias - 3, b.bias + 3),
              draw.recipe(-130, 130)};
  if (draw.below(2) == 0)  // products of moderate size: most results stay finite
    all.exponents(draw.below(40) - 20, 0);
  if (draw.below(4) != 0) all.c.exponent = all.a.exponent + all.b.exponent + draw.below(61) - 30;
  return all;
}

/// Nothing but ordinary numbers, so that an aim is not missed for a NaN in the same row.
void tame(Recipe& recipe, int spread, int mantissa, int sign) {
  recipe = {recipe.exponent, spread, 0, 0, 0, mantissa, sign};
}

/// Sums as large as they come: all mantissa bits set, one sign, one exponent; now and then at the
/// upper end of the range.
Recipes crowded(Draw& draw, const numeric::Format& a, const numeric::Format& b) {
  Recipes all = anything(draw, a, b);
  const int sign = 1 + draw.below(2);
  tame(all.a, draw.below(2), 1, 1);
  tame(all.b, draw.below(2), 1, sign);
  tame(all.c, draw.below(3), 1, sign);
  const bool wide = a.exponent_bits == 8;
  if (wide) all.a.exponent = draw.below(100) - 50;
  all.exponents(wide && draw.below(2) == 0 ? 115 + draw.below(12) : draw.below(12), draw.below(3));
  return all;
}

/// The lower end: the smallest products beside an empty or tiny C, where e_zero and subnormal
/// results matter.
Recipes deep(Draw& draw, const numeric::Format& a, const numeric::Format& b) {
  Recipes all = anything(draw, a, b);
  tame(all.a, draw.below(6), draw.below(4), 0);
  tame(all.b, draw.below(6), draw.below(4), 0);
  tame(all.c, draw.below(6), draw.below(4), 0);
  if (a.exponent_bits == 8) {
    all.a.exponent = -draw.below(100);
    all.exponents(-95 - draw.below(65), draw.below(21) - 10);
  } else {
    all.a.exponent = -a.bias + draw.below(6);
    all.b.exponent = -b.bias + draw.below(6);
    all.c.exponent = -10 - draw.below(20);
  }
  if (draw.below(2) == 0) all.c.zeros = 1024;
  return all;
}

/// Sums of few bits near one another: ties, and cancellation down to the last place.
Recipes ties(Draw& draw, const numeric::Format& a, const numeric::Format& b) {
  Recipes all = anything(draw, a, b);
  tame(all.a, 1 + draw.below(8), 2 + draw.below(2), 0);
  tame(all.b, 1 + draw.below(8), 2 + draw.below(2), 0);
  tame(all.c, draw.below(3), 3, 0);
  all.a.exponent = draw.below(7) - 3;
  all.exponents(draw.below(20) - 12, draw.below(31) - 12);
  all.a.zeros = draw.below(3) * 300;
  return all;
}

void draw(Draw& draw, const MmaArithmetic& how, const TensorShape& shape, Operands& in) {
  const numeric::Format* a = format_of(shape.a);
  const numeric::Format* b = format_of(shape.b);
  Recipes all;
  if (a == nullptr) {  // integers: of the recipe only a few choices matter
    all = {draw.recipe(0, 0), draw.recipe(0, 0), draw.recipe(0, 0)};
  } else {
    const int turn = draw.below(8);
    all = turn == 0   ? crowded(draw, *a, *b)
          : turn == 1 ? deep(draw, *a, *b)
          : turn == 2 ? ties(draw, *a, *b)
                      : anything(draw, *a, *b);
  }
  draw.fill(shape.a, all.a, in.a);
  draw.fill(shape.b, all.b, in.b);
  draw.fill(shape.accumulator, all.c, in.c);
  if (a == nullptr || draw.below(5) != 0) return;
  // Cancellation: neighbouring products of opposite signs, then C against what is left.
  const std::uint32_t sign = 1u << (a->bits - 1);
  if (draw.below(2) == 0)
    for (std::size_t i = 0; i + 1 < in.a.size(); i += 2) in.a[i + 1] = in.a[i] ^ sign;
  std::vector<std::uint32_t> zero(in.c.size(), 0);
  multiply_reference(how, shape, in.a, in.b, zero, in.c);
  for (std::uint32_t& c : in.c) c ^= shape.accumulator == f16 ? 0x8000 : 0x80000000;
}

/// What the results were, to show that the operands were as nasty as intended.
struct Kinds {
  std::uint64_t nan = 0, infinite = 0, zero = 0, subnormal = 0, other = 0;
  void count(TensorType type, std::uint32_t pattern) {
    const numeric::Format* format = format_of(type);
    if (format == nullptr) return static_cast<void>(++other);
    const std::uint32_t field =
        pattern >> format->mantissa_bits & ((1u << format->exponent_bits) - 1);
    const std::uint32_t mantissa = pattern & ((1u << format->mantissa_bits) - 1);
    if (field == (1u << format->exponent_bits) - 1)
      ++(mantissa != 0 ? nan : infinite);
    else if (field == 0)
      ++(mantissa != 0 ? subnormal : zero);
    else
      ++other;
  }
};

void show(const Target& target, Host host, const Operands& in, std::size_t index) {
  const TensorShape& shape = target.shape;
  const auto N = static_cast<std::size_t>(shape.N), K = static_cast<std::size_t>(shape.K);
  const std::size_t row = index / N, col = index % N;
  fmt::print("{} {} m{}n{}k{} types {} {} {}: row {} col {}: model {:08x}, {} {:08x}\n",
             target.arch, target.unit == TensorUnit::mma ? "mma" : "wgmma", shape.M, shape.N,
             shape.K, static_cast<int>(shape.a), static_cast<int>(shape.b),
             static_cast<int>(shape.accumulator), row, col, in.expected[index], name(host),
             in.d[index]);
  fmt::print("  c {:08x}\n  a", in.c[index]);
  for (std::size_t k = 0; k < K; ++k) fmt::print(" {:x}", in.a[row * K + k]);
  fmt::print("\n  b");
  for (std::size_t k = 0; k < K; ++k) fmt::print(" {:x}", in.b[k * N + col]);
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t wanted = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10000000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  if (wanted == 0) {
    fmt::print(stderr, "tensor_fuzz: the number of outputs, {}, is not one\n", argv[1]);
    return 2;
  }
  const std::vector<Target> all = targets();
  const std::span<const Host> fast = hosts().subspan(1);  // the baseline is the model
  fmt::print("paths:");
  for (const Host host : fast) fmt::print(" {}", name(host));
  fmt::print("{}\n", fast.empty() ? " none on this processor" : "");
  Draw random(seed);
  Kinds kinds;
  std::uint64_t outputs = 0, differences = 0;
  Operands in;
  for (std::size_t turn = 0; outputs < wanted; ++turn) {
    const Target& target = all[turn % all.size()];
    const TensorShape& shape = target.shape;
    const MmaArithmetic& how = *arithmetic(target.arch, target.unit, shape);
    const auto size = [](int rows, int cols) { return static_cast<std::size_t>(rows * cols); };
    in.a.resize(size(shape.M, shape.K));
    in.b.resize(size(shape.K, shape.N));
    in.c.resize(size(shape.M, shape.N));
    in.expected.resize(in.c.size());
    draw(random, how, shape, in);
    multiply_reference(how, shape, in.a, in.b, in.c, in.expected);
    for (const std::uint32_t expected : in.expected) kinds.count(shape.accumulator, expected);
    for (const Host host : fast) {
      in.d = in.c;
      const bool in_place = turn / all.size() % 2 == 0;  // D over C, as accumulators are
      multiply(how, shape, in.a, in.b, in_place ? in.d : in.c, in.d, host);
      for (std::size_t i = 0; i < in.d.size(); ++i)
        if (in.d[i] != in.expected[i] && ++differences <= 10) show(target, host, in, i);
    }
    outputs += in.d.size();
  }
  fmt::print("{} outputs of {} instructions, seed {}: {} differences\n", outputs, all.size(), seed,
             differences);
  fmt::print("among them {} NaN, {} infinite, {} zero, {} subnormal, {} others\n", kinds.nan,
             kinds.infinite, kinds.zero, kinds.subnormal, kinds.other);
  return differences == 0 ? 0 : 1;
}

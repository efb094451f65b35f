// SPDX-License-Identifier: MIT
// No card since Kepler has the scalar ones; ptxas puts other instructions in their place. Where
// those do not do what the ISA says (overflow of vadd.u32.u32.u32.sat, a result into .h1, the sign
// of vmad's c) this is what an H200 computed with ptxas 13.0, found by comparing
// (tests/golden/scalar).
#include <algorithm>

#include "emulator/decode/video.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {
namespace {

std::int64_t field(std::uint64_t word, int bit, int bits, bool is_signed) {
  const std::uint64_t low = (word >> bit) & ((std::uint64_t{1} << bits) - 1);
  const bool negative = is_signed && (low >> (bits - 1)) != 0;
  return static_cast<std::int64_t>(low) - (negative ? std::int64_t{1} << bits : 0);
}

std::int64_t clamped(std::int64_t value, int bits, bool is_signed) {
  const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  return std::clamp<std::int64_t>(value, is_signed ? -most - 1 : 0, most);
}

bool holds(VideoComparison comparison, std::int64_t a, std::int64_t b) {
  switch (comparison) {
    case VideoComparison::eq:
      return a == b;
    case VideoComparison::ne:
      return a != b;
    case VideoComparison::lt:
      return a < b;
    case VideoComparison::le:
      return a <= b;
    case VideoComparison::gt:
      return a > b;
    default:
      return a >= b;
  }
}

std::int64_t shifted(const VideoPlan& plan, std::int64_t a, std::int64_t b) {
  const std::int64_t by = plan.wraps ? b & 31 : std::min<std::int64_t>(b, 32);
  if (plan.operation == VideoOperation::shr) return a >> by;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << by);
}

std::int64_t computed(const VideoPlan& plan, std::int64_t a, std::int64_t b) {
  switch (plan.operation) {
    case VideoOperation::add:
      return a + b;
    case VideoOperation::sub:
      return a - b;
    case VideoOperation::absdiff:
      return a > b ? a - b : b - a;
    case VideoOperation::average:
      return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    case VideoOperation::min:
      return std::min(a, b);
    case VideoOperation::max:
      return std::max(a, b);
    case VideoOperation::set:
      return holds(plan.comparison, a, b) ? 1 : 0;
    default:
      return shifted(plan, a, b);
  }
}

// (a * b) + c, then shifted and clamped; all of it in 128 bits. Whole words have a sign, whatever
// their type says.
std::uint32_t multiplied(const VideoPlan& plan, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const bool is_signed = plan.signed_a || plan.signed_b || plan.negates_product || plan.negates_c;
  __extension__ using Wide = __int128;
  Wide sum = Wide{static_cast<std::int32_t>(field(a, plan.a_bit, plan.a_bits, plan.signed_a))} *
             static_cast<std::int32_t>(field(b, plan.b_bit, plan.b_bits, plan.signed_b));
  if (plan.negates_product) sum = -sum;
  const std::int64_t added = static_cast<std::int32_t>(c);
  sum += plan.negates_c ? -added : added;
  sum += plan.plus_one ? 1 : 0;
  sum >>= plan.shift;
  if (!plan.saturates) return static_cast<std::uint32_t>(sum);
  const Wide most = is_signed ? 0x7fffffff : 0xffffffff;
  if (!is_signed && plan.shift != 0 && sum < 0) return 0xffffffff;
  const Wide least = is_signed ? -most - 1 : 0;
  return static_cast<std::uint32_t>(sum > most ? most : sum < least ? least : sum);
}

bool is_sum(VideoOperation operation) {
  return operation == VideoOperation::add || operation == VideoOperation::sub;
}
bool is_shift(VideoOperation operation) {
  return operation == VideoOperation::shl || operation == VideoOperation::shr;
}

// .sat of a scalar result. Into a part a negative number is large; into an unsigned word only shl
// has an upper bound, and what it shifts is 34 bits long; a shift does not look at the part.
std::int64_t scalar_saturated(const VideoPlan& plan, std::int64_t value) {
  const bool shl = plan.operation == VideoOperation::shl;
  if (shl) value = field(static_cast<std::uint64_t>(value), 0, 34, true);
  if (plan.d_bits < 32 && !is_shift(plan.operation)) {
    const int bits = plan.signed_d ? plan.d_bits - 1 : plan.d_bits;
    const std::uint64_t most = (std::uint64_t{1} << bits) - 1;
    return static_cast<std::int64_t>(std::min(static_cast<std::uint64_t>(value), most));
  }
  if (plan.signed_d || shl) return clamped(value, 32, plan.signed_d);
  return std::max<std::int64_t>(value, 0);
}

// Whether .min takes c and .max the result: of sums and clamped shifts the low 32 bits are compared
// as if they had a sign, of everything else all bits; with an unsigned c a negative result is
// large.
bool is_more(const VideoPlan& plan, std::int64_t value, std::uint32_t c) {
  const bool is_signed = plan.operation == VideoOperation::set ? plan.signed_a : plan.signed_d;
  if (is_sum(plan.operation) || (is_shift(plan.operation) && plan.saturates))
    value = static_cast<std::int32_t>(value);
  return is_signed ? value > static_cast<std::int32_t>(c) : static_cast<std::uint64_t>(value) > c;
}

std::uint32_t scalar_result(const VideoPlan& plan, std::uint32_t a, std::uint32_t b,
                            std::uint32_t c) {
  std::int64_t value = computed(plan, field(a, plan.a_bit, plan.a_bits, plan.signed_a),
                                field(b, plan.b_bit, plan.b_bits, plan.signed_b));
  if (plan.saturates) value = scalar_saturated(plan, value);
  const auto bits = static_cast<std::uint32_t>(value);
  switch (plan.end) {
    case VideoEnd::add:
      return bits + c;
    case VideoEnd::min:
      return is_more(plan, value, c) ? c : bits;
    case VideoEnd::max:
      return is_more(plan, value, c) ? bits : c;
    case VideoEnd::merge: {
      if (plan.d_bits == 16 && plan.d_bit == 16) return (c & 0xffffu) | (bits & 0xffff0000u);
      const auto ones = static_cast<std::uint32_t>((std::uint64_t{1} << plan.d_bits) - 1);
      return (c & ~(ones << plan.d_bit)) | (bits & ones) << plan.d_bit;
    }
    default:
      return bits;
  }
}

}  // namespace

std::uint32_t video_result(const VideoPlan& plan, std::uint32_t a, std::uint32_t b,
                           std::uint32_t c) {
  if (plan.operation == VideoOperation::mad) return multiplied(plan, a, b, c);
  if (plan.parts == 1) return scalar_result(plan, a, b, c);
  const int bits = 32 / plan.parts;
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  const auto ones = (1u << bits) - 1;
  std::uint32_t made = c;
  for (int k = 0; k < plan.parts; ++k) {
    if (((plan.mask >> k) & 1) == 0) continue;
    const auto part = static_cast<std::size_t>(k);
    std::int64_t value = computed(plan, field(both, plan.a_parts[part] * bits, bits, plan.signed_a),
                                  field(both, plan.b_parts[part] * bits, bits, plan.signed_b));
    if (plan.saturates) value = clamped(value, bits, plan.signed_d);
    if (plan.end == VideoEnd::add)
      made += static_cast<std::uint32_t>(value);
    else
      made = (made & ~(ones << (k * bits))) | (static_cast<std::uint32_t>(value) & ones)
                                                  << (k * bits);
  }
  return made;
}

Flow run_video(Warp& w, const Instruction& i, std::uint32_t active) {
  const VideoPlan& plan = w.cta->launch->program->videos[static_cast<std::size_t>(i.immediate)];
  const auto* a = row<std::uint32_t>(w, i.a);
  const auto* b = row<std::uint32_t>(w, i.b);
  const auto* c = row<std::uint32_t>(w, i.c);
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    row<std::uint32_t>(w, i.d)[lane] = video_result(plan, a[lane], b[lane], c[lane]);
  }
  return Flow::next;
}

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
// setp and set: 32 comparisons into a mask.
//
// Source: PTX ISA 9.2, 9.7.6 (comparison and selection); unordered comparisons hold for NaN.
#include "emulator/execute/half.hpp"
#include "emulator/execute/rows.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

// Five loops make the fourteen comparisons: a > b is b < a, and an unordered comparison is the
// opposite of an ordered one, for NaN, too.
struct Eq {
  template <class T>
  static bool at(T a, T b) {
    return a == b;
  }
};
struct Ne {
  template <class T>
  static bool at(T a, T b) {
    return a < b || a > b;
  }
};
struct Lt {
  template <class T>
  static bool at(T a, T b) {
    return a < b;
  }
};
struct Le {
  template <class T>
  static bool at(T a, T b) {
    return a <= b;
  }
};
struct Num {
  template <class T>
  static bool at(T a, T b) {
    return a == a && b == b;
  }
};
constexpr int kAsIs = 0, kSwapped = 1, kOpposite = 2;

// How a lane's word becomes a value to compare.
template <class T>
struct Plain {
  using Lane = T;
  static T value(Word<T> word) { return from_word<T>(word); }
};
template <class H>
struct HalfValue {
  using Lane = std::uint16_t;
  static float value(std::uint32_t word) { return H::load(word & 0xffffu); }
};
struct FlushedHalf {
  using Lane = std::uint16_t;
  static float value(std::uint32_t word) { return F16::flush(F16::load(word & 0xffffu)); }
};
struct Flushed {
  using Lane = float;
  static float value(std::uint32_t word) { return flush_f32(float_of(word)); }
};

template <class V, class C>
[[gnu::noinline]] std::uint32_t compared(const Word<typename V::Lane>* a,
                                         const Word<typename V::Lane>* b) {
  return mask_lanes([=](int lane) { return C::at(V::value(a[lane]), V::value(b[lane])); });
}

template <class V, class C, int kHow>
std::uint32_t found_lanes(const Warp& w, const Instruction& i) {
  const auto* a = lanes<typename V::Lane>(w, (kHow & kSwapped) != 0 ? i.b : i.a);
  const auto* b = lanes<typename V::Lane>(w, (kHow & kSwapped) != 0 ? i.a : i.b);
  const std::uint32_t found = compared<V, C>(a, b);
  return (kHow & kOpposite) != 0 ? ~found : found;
}

std::uint32_t combined(std::uint32_t found, std::uint32_t with, Boolean how) {
  switch (how) {
    case Boolean::bool_and:
      return found & with;
    case Boolean::bool_or:
      return found | with;
    case Boolean::bool_xor:
      return found ^ with;
    default:
      return found;
  }
}

Flow write_predicates(Warp& w, const Instruction& i, std::uint32_t active, std::uint32_t found) {
  const auto how = static_cast<Boolean>(i.detail & 3);
  const std::uint32_t with =
      how == Boolean::none ? 0 : predicate(w, i.c) ^ static_cast<std::uint32_t>(i.immediate);
  std::uint32_t& p = predicate(w, i.d);
  p = (p & ~active) | (combined(found, with, how) & active);
  if (i.list != kNoRow) {
    std::uint32_t& q = predicate(w, i.list);
    q = (q & ~active) | (combined(~found, with, how) & active);
  }
  return Flow::next;
}

Flow write_values(Warp& w, const Instruction& i, std::uint32_t active, std::uint32_t found) {
  const auto yes = static_cast<std::uint32_t>(i.immediate);
  write_lanes<std::uint32_t>(lanes<std::uint32_t>(w, i.target), active,
                             [=](int lane) { return (found & kLaneBit[lane]) != 0 ? yes : 0u; });
  return Flow::next;
}

template <class V, class C, int kHow>
Flow set_predicate(Warp& w, const Instruction& i, std::uint32_t active) {
  return write_predicates(w, i, active, found_lanes<V, C, kHow>(w, i));
}
template <class V, class C, int kHow>
Flow set_value(Warp& w, const Instruction& i, std::uint32_t active) {
  return write_values(w, i, active, found_lanes<V, C, kHow>(w, i));
}

template <class V, class C, int kHow>
Handler pick(bool to_value) {
  return to_value ? &set_value<V, C, kHow> : &set_predicate<V, C, kHow>;
}

template <class V>
Handler of_reals(Comparison comparison, bool to_value) {
  switch (comparison) {
    case Comparison::ne:
      return pick<V, Ne, kAsIs>(to_value);
    case Comparison::equ:
      return pick<V, Ne, kOpposite>(to_value);
    case Comparison::neu:
      return pick<V, Eq, kOpposite>(to_value);
    case Comparison::ltu:
      return pick<V, Le, kSwapped | kOpposite>(to_value);
    case Comparison::leu:
      return pick<V, Lt, kSwapped | kOpposite>(to_value);
    case Comparison::gtu:
      return pick<V, Le, kOpposite>(to_value);
    case Comparison::geu:
      return pick<V, Lt, kOpposite>(to_value);
    case Comparison::num:
      return pick<V, Num, kAsIs>(to_value);
    default:
      return pick<V, Num, kOpposite>(to_value);
  }
}

template <class V>
Handler by_comparison(Comparison comparison, bool to_value) {
  switch (comparison) {
    case Comparison::eq:
      return pick<V, Eq, kAsIs>(to_value);
    case Comparison::lt:
      return pick<V, Lt, kAsIs>(to_value);
    case Comparison::le:
      return pick<V, Le, kAsIs>(to_value);
    case Comparison::gt:
      return pick<V, Lt, kSwapped>(to_value);
    case Comparison::ge:
      return pick<V, Le, kSwapped>(to_value);
    default:
      break;
  }
  if constexpr (std::is_floating_point_v<decltype(V::value(0))>)
    return of_reals<V>(comparison, to_value);
  else
    return comparison == Comparison::ne ? pick<V, Eq, kOpposite>(to_value) : nullptr;
}

Handler find(Comparison comparison, Type type, bool flushes, bool to_value) {
  switch (type) {
    case Type::b16:
    case Type::u16:
      return by_comparison<Plain<std::uint16_t>>(comparison, to_value);
    case Type::b32:
    case Type::u32:
      return by_comparison<Plain<std::uint32_t>>(comparison, to_value);
    case Type::b64:
    case Type::u64:
      return by_comparison<Plain<std::uint64_t>>(comparison, to_value);
    case Type::s16:
      return by_comparison<Plain<std::int16_t>>(comparison, to_value);
    case Type::s32:
      return by_comparison<Plain<std::int32_t>>(comparison, to_value);
    case Type::s64:
      return by_comparison<Plain<std::int64_t>>(comparison, to_value);
    case Type::f32:
      return flushes ? by_comparison<Flushed>(comparison, to_value)
                     : by_comparison<Plain<float>>(comparison, to_value);
    case Type::f64:
      return by_comparison<Plain<double>>(comparison, to_value);
    case Type::f16:
      return flushes ? by_comparison<FlushedHalf>(comparison, to_value)
                     : by_comparison<HalfValue<F16>>(comparison, to_value);
    case Type::bf16:
      return by_comparison<HalfValue<Bf16>>(comparison, to_value);
    default:
      return nullptr;
  }
}

}  // namespace

Handler compare_handler(Comparison comparison, Type type, bool flushes) {
  return find(comparison, type, flushes, false);
}
Handler compare_value_handler(Comparison comparison, Type type, bool flushes) {
  return find(comparison, type, flushes, true);
}

}  // namespace lanescope::emulator::LANESCOPE_HOST

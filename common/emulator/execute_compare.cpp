// SPDX-License-Identifier: MIT
// setp and set: 32 comparisons into a mask.
//
// Source: PTX ISA 9.1, 9.7.6 (comparison and selection); unordered comparisons hold for NaN.
#include "emulator/half.hpp"
#include "emulator/rows.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

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
struct Gt {
  template <class T>
  static bool at(T a, T b) {
    return a > b;
  }
};
struct Ge {
  template <class T>
  static bool at(T a, T b) {
    return a >= b;
  }
};
struct Equ {
  template <class T>
  static bool at(T a, T b) {
    return !(a < b || a > b);
  }
};
struct Neu {
  template <class T>
  static bool at(T a, T b) {
    return !(a == b);
  }
};
struct Ltu {
  template <class T>
  static bool at(T a, T b) {
    return !(a >= b);
  }
};
struct Leu {
  template <class T>
  static bool at(T a, T b) {
    return !(a > b);
  }
};
struct Gtu {
  template <class T>
  static bool at(T a, T b) {
    return !(a <= b);
  }
};
struct Geu {
  template <class T>
  static bool at(T a, T b) {
    return !(a < b);
  }
};
struct Num {
  template <class T>
  static bool at(T a, T b) {
    return a == a && b == b;
  }
};
struct Nan {
  template <class T>
  static bool at(T a, T b) {
    return a != a || b != b;
  }
};

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
struct Flushed {
  using Lane = float;
  static float value(std::uint32_t word) { return flush_f32(float_of(word)); }
};

template <class V, class C>
std::uint32_t compared(const Warp& w, const Instruction& i) {
  const auto* a = lanes<typename V::Lane>(w, i.a);
  const auto* b = lanes<typename V::Lane>(w, i.b);
  return mask_lanes([=](int lane) { return C::at(V::value(a[lane]), V::value(b[lane])); });
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

template <class V, class C>
Flow set_predicate(Warp& w, const Instruction& i, std::uint32_t active) {
  const std::uint32_t found = compared<V, C>(w, i);
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

template <class V, class C>
Flow set_value(Warp& w, const Instruction& i, std::uint32_t active) {
  const std::uint32_t found = compared<V, C>(w, i);
  const auto yes = static_cast<std::uint32_t>(i.immediate);
  write_lanes<std::uint32_t>(lanes<std::uint32_t>(w, i.target), active,
                             [=](int lane) { return (found & kLaneBit[lane]) != 0 ? yes : 0u; });
  return Flow::next;
}

template <class V, class C>
Handler pick(bool to_value) {
  return to_value ? &set_value<V, C> : &set_predicate<V, C>;
}

template <class V>
Handler by_comparison(Comparison comparison, bool real, bool to_value) {
  switch (comparison) {
    case Comparison::eq:
      return pick<V, Eq>(to_value);
    case Comparison::ne:
      return pick<V, Ne>(to_value);
    case Comparison::lt:
      return pick<V, Lt>(to_value);
    case Comparison::le:
      return pick<V, Le>(to_value);
    case Comparison::gt:
      return pick<V, Gt>(to_value);
    case Comparison::ge:
      return pick<V, Ge>(to_value);
    default:
      break;
  }
  if (!real) return nullptr;
  switch (comparison) {
    case Comparison::equ:
      return pick<V, Equ>(to_value);
    case Comparison::neu:
      return pick<V, Neu>(to_value);
    case Comparison::ltu:
      return pick<V, Ltu>(to_value);
    case Comparison::leu:
      return pick<V, Leu>(to_value);
    case Comparison::gtu:
      return pick<V, Gtu>(to_value);
    case Comparison::geu:
      return pick<V, Geu>(to_value);
    case Comparison::num:
      return pick<V, Num>(to_value);
    default:
      return pick<V, Nan>(to_value);
  }
}

Handler find(Comparison comparison, Type type, bool flushes, bool to_value) {
  switch (type) {
    case Type::b16:
    case Type::u16:
      return by_comparison<Plain<std::uint16_t>>(comparison, false, to_value);
    case Type::b32:
    case Type::u32:
      return by_comparison<Plain<std::uint32_t>>(comparison, false, to_value);
    case Type::b64:
    case Type::u64:
      return by_comparison<Plain<std::uint64_t>>(comparison, false, to_value);
    case Type::s16:
      return by_comparison<Plain<std::int16_t>>(comparison, false, to_value);
    case Type::s32:
      return by_comparison<Plain<std::int32_t>>(comparison, false, to_value);
    case Type::s64:
      return by_comparison<Plain<std::int64_t>>(comparison, false, to_value);
    case Type::f32:
      return flushes ? by_comparison<Flushed>(comparison, true, to_value)
                     : by_comparison<Plain<float>>(comparison, true, to_value);
    case Type::f64:
      return by_comparison<Plain<double>>(comparison, true, to_value);
    case Type::f16:
      return by_comparison<HalfValue<F16>>(comparison, true, to_value);
    case Type::bf16:
      return by_comparison<HalfValue<Bf16>>(comparison, true, to_value);
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

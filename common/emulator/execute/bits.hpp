// SPDX-License-Identifier: MIT
// What the operations of PTX that look at bits compute for one lane: logic, shifts, fields, counts,
// permutations. Corner cases are the ISA's: shifts clamp, fields may lie beyond the word.
//
// Source: PTX ISA 9.2, 9.7.1 and 9.7.8. Included by files compiled once per host (see rows.hpp).
#pragma once

#include "emulator/execute/integers.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {

struct Not {
  template <class T>
  static T at(T a) {
    return static_cast<T>(~a);
  }
};
struct Cnot {
  template <class T>
  static T at(T a) {
    return a == 0 ? 1 : 0;
  }
};
struct And {
  template <class T>
  static T at(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T at(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T at(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

struct ShiftLeft {
  template <class T>
  static T at(T a, std::uint32_t n) {
    const auto bits = static_cast<std::uint32_t>(kBitsOf<T>);
    const auto shifted = static_cast<T>(static_cast<Wrapping<T>>(a) << (n & (bits - 1)));
    return n >= bits ? T{0} : shifted;
  }
};
struct ShiftRight {
  template <class T>
  static T at(T a, std::uint32_t n) {
    const auto bits = static_cast<std::uint32_t>(kBitsOf<T>);
    if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (n >= bits ? bits - 1 : n));
    const auto shifted = static_cast<T>(a >> (n & (bits - 1)));
    return n >= bits ? T{0} : shifted;
  }
};

// Funnel shifts: [b:a] is the 64-bit value, a its low half.
struct FunnelLeftClamp {
  static std::uint32_t at(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t n = c < 32 ? c : 32;
    return n == 0 ? b : n == 32 ? a : (b << n) | (a >> (32 - n));
  }
};
struct FunnelLeftWrap {
  static std::uint32_t at(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return FunnelLeftClamp::at(a, b, c & 31);
  }
};
struct FunnelRightClamp {
  static std::uint32_t at(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t n = c < 32 ? c : 32;
    return n == 0 ? a : n == 32 ? b : (b << (32 - n)) | (a >> n);
  }
};
struct FunnelRightWrap {
  static std::uint32_t at(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return FunnelRightClamp::at(a, b, c & 31);
  }
};

// Positions and lengths above 255 the ISA leaves open: of 32 bits a card takes the low byte, of 64
// bits the whole number.
template <class T>
inline std::uint32_t field_bound(std::uint32_t given) {
  if (sizeof(T) == 8) return given < 255 ? given : 255;
  return given & 0xff;
}

struct BitFieldExtract {
  template <class T>
  static T at(T a, std::uint32_t b, std::uint32_t c) {
    const int msb = kBitsOf<T> - 1;
    const int pos = static_cast<int>(field_bound<T>(b));
    const int len = static_cast<int>(field_bound<T>(c));
    if (len == 0) return 0;
    const auto word = static_cast<AsUnsigned<T>>(a);
    const int last = pos + len - 1 < msb ? pos + len - 1 : msb;
    const bool sign = std::is_signed_v<T> && ((word >> last) & 1) != 0;
    AsUnsigned<T> field = pos > msb ? 0 : static_cast<AsUnsigned<T>>(word >> pos);
    const int held = pos > msb ? 0 : (len < msb - pos + 1 ? len : msb - pos + 1);
    if (held <= msb) {
      const auto low = static_cast<AsUnsigned<T>>((AsUnsigned<T>{1} << held) - 1);
      field = static_cast<AsUnsigned<T>>(sign ? (field | ~low) : (field & low));
    }
    return static_cast<T>(field);
  }
};

// bfi: `a`'s low bits into `b` at pos, len bits long.
template <class T>
inline T bit_field_inserted(T a, T b, std::uint32_t c, std::uint32_t d) {
  const std::uint32_t pos = field_bound<T>(c);
  const std::uint32_t len = field_bound<T>(d);
  const auto bits = static_cast<std::uint32_t>(kBitsOf<T>);
  if (len == 0 || pos >= bits) return b;
  const T low = len >= bits ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << len) - 1);
  const T mask = static_cast<T>(low << pos);
  return static_cast<T>((b & ~mask) | ((a << pos) & mask));
}

struct LeadingZeros {
  template <class T>
  static std::uint32_t at(T a) {
    if (a == 0) return static_cast<std::uint32_t>(kBitsOf<T>);
    return static_cast<std::uint32_t>(sizeof(T) == 8 ? __builtin_clzll(a)
                                                     : __builtin_clz(static_cast<unsigned>(a)));
  }
};
struct PopCount {
  template <class T>
  static std::uint32_t at(T a) {
    return static_cast<std::uint32_t>(__builtin_popcountll(a));
  }
};
// bfind: the highest bit that differs from the sign, or all ones.
struct FindHighest {
  template <class T>
  static std::uint32_t at(T a) {
    auto word = static_cast<AsUnsigned<T>>(a);
    if (std::is_signed_v<T> && a < 0) word = static_cast<AsUnsigned<T>>(~word);
    if (word == 0) return 0xffffffffu;
    return static_cast<std::uint32_t>(63 - __builtin_clzll(word));
  }
};
struct FindHighestShift {
  template <class T>
  static std::uint32_t at(T a) {
    const std::uint32_t found = FindHighest::at(a);
    return found == 0xffffffffu ? found : static_cast<std::uint32_t>(kBitsOf<T>) - 1 - found;
  }
};
struct Reverse {
  template <class T>
  static T at(T a) {
    T reversed = 0;
    for (int bit = 0; bit < kBitsOf<T>; ++bit)
      reversed = static_cast<T>(reversed | (((a >> bit) & 1) << (kBitsOf<T> - 1 - bit)));
    return reversed;
  }
};

// prmt modes, in the order of Instruction::detail.
enum PermuteMode {
  kPermute,
  kPermuteF4e,
  kPermuteB4e,
  kPermuteRc8,
  kPermuteEcl,
  kPermuteEcr,
  kPermuteRc16
};
inline std::uint32_t permuted_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t c, int mode) {
  const std::uint64_t both = (static_cast<std::uint64_t>(b) << 32) | a;
  const unsigned start = c & 3;
  std::uint32_t made = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    unsigned from = 0;
    switch (mode) {
      case kPermute:
        from = (c >> (4 * byte)) & 0xf;
        break;
      case kPermuteF4e:
        from = (start + byte) & 7;
        break;
      case kPermuteB4e:
        from = (start - byte) & 7;
        break;
      case kPermuteRc8:
        from = start;
        break;
      case kPermuteEcl:
        from = byte > start ? byte : start;
        break;
      case kPermuteEcr:
        from = byte < start ? byte : start;
        break;
      default:
        from = (byte & 1) | ((start & 1) << 1);
        break;
    }
    auto value = static_cast<std::uint32_t>(both >> (8 * (from & 7))) & 0xff;
    if ((from & 8) != 0) value = (value & 0x80) != 0 ? 0xff : 0;  // the sign, replicated
    made |= value << (8 * byte);
  }
  return made;
}

struct BitMaskClamp {
  static std::uint32_t at(std::uint32_t a, std::uint32_t b) {
    if (a >= 32 || b == 0) return 0;
    const std::uint32_t ones = b >= 32 ? 0xffffffffu : (1u << b) - 1;
    return ones << a;
  }
};
struct BitMaskWrap {
  static std::uint32_t at(std::uint32_t a, std::uint32_t b) {
    return BitMaskClamp::at(a & 31, b & 31);
  }
};
struct SignExtendClamp {
  template <class T>
  static T at(T a, T b) {
    const auto bits = static_cast<std::uint32_t>(b);
    if (bits >= 32) return a;
    if (bits == 0) return 0;
    return static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(a) << (32 - bits)) >>
                          (32 - bits));
  }
};
struct SignExtendWrap {
  template <class T>
  static T at(T a, T b) {
    return SignExtendClamp::at(a, static_cast<T>(static_cast<std::uint32_t>(b) & 31));
  }
};

}  // namespace lanescope::emulator::LANESCOPE_HOST

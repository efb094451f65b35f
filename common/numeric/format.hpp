// SPDX-License-Identifier: MIT
// The small floating-point formats of the tensor cores, bit by bit: what a pattern is worth, and
// which pattern a value rounds to.
//
//      f16  s eeeee mmmmmmmmmm      bf16 s eeeeeeee mmmmmmm      tf32 s eeeeeeee mmmmmmmmmm (+13
//      bits) e4m3 s eeee mmm              e5m2 s eeeee mm              (e3m2, e2m3, e2m1: no Inf,
//      no NaN)
//
// tf32 lives in the 32 bits of an f32; its low 13 bits are ignored by the tensor core.
//
// Source: IEEE 754-2019 (f16, f32); PTX ISA 9.1, 5.2.3 (bf16, tf32 and the alternate formats);
// OCP 8-bit Floating Point Specification 1.0 (e4m3, e5m2); OCP Microscaling Formats 1.0 (e3m2,
// e2m3, e2m1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::numeric {

/// What the patterns with an all-ones exponent mean.
enum class Specials : std::uint8_t {
  ieee,     // mantissa 0: infinity, else NaN
  one_nan,  // only the all-ones mantissa is NaN, the rest are ordinary numbers (e4m3)
  none,     // ordinary numbers throughout (e3m2, e2m3, e2m1)
};

struct Format {
  std::string_view name;  // the PTX spelling, without the dot
  int bits;               // container width: tf32 has 32
  int exponent_bits;
  int mantissa_bits;
  int bias;
  int ignored_bits;  // low bits without meaning: tf32 has 13
  Specials specials;
};

inline constexpr Format kF32{"f32", 32, 8, 23, 127, 0, Specials::ieee};
inline constexpr Format kTf32{"tf32", 32, 8, 10, 127, 13, Specials::ieee};
inline constexpr Format kF16{"f16", 16, 5, 10, 15, 0, Specials::ieee};
inline constexpr Format kBf16{"bf16", 16, 8, 7, 127, 0, Specials::ieee};
inline constexpr Format kE5m2{"e5m2", 8, 5, 2, 15, 0, Specials::ieee};
inline constexpr Format kE4m3{"e4m3", 8, 4, 3, 7, 0, Specials::one_nan};
inline constexpr Format kE3m2{"e3m2", 6, 3, 2, 3, 0, Specials::none};
inline constexpr Format kE2m3{"e2m3", 6, 2, 3, 1, 0, Specials::none};
inline constexpr Format kE2m1{"e2m1", 4, 2, 1, 1, 0, Specials::none};

/// The format with this PTX name, or nullptr ("s8" and the other integers are not formats).
const Format* find_format(std::string_view name);

/// The PTX roundings: .rn, .rz, .rna (ties away), .rm (down), .rp (up).
enum class Rounding : std::uint8_t { rn, rz, rna, rm, rp };

/// What happens above the largest finite value: the format's infinity (or NaN where it has none),
/// or .satfinite, the largest finite value. A rounding that points inwards (.rz; .rm of a positive
/// value) keeps a finite value finite, as in IEEE 754.
enum class Overflow : std::uint8_t { infinity, satfinite };

/// The exact value of a pattern; every finite value of these formats is a double. Bits above `bits`
/// and the ignored bits do not matter. NaN patterns give a quiet NaN.
double decode(const Format& format, std::uint32_t pattern);

/// The pattern that `value` rounds to, once, from the exact double. A NaN becomes the format's
/// canonical NaN; a format without NaN gives its largest finite value (PTX: cvt .satfinite).
/// Negative zero is kept.
std::uint32_t encode(const Format& format, double value, Rounding rounding = Rounding::rn,
                     Overflow overflow = Overflow::infinity);

/// What a scale factor of a block-scaled product is worth: "ue8m0", 2^(pattern - 127) with NaN
/// 0xff, or "ue4m3", e4m3 without a sign: the highest bit of its byte is not read. nullopt: another
/// type.
std::optional<double> decode_scale(std::string_view type, std::uint32_t pattern);

/// A pattern of any PTX element type as people read it: "201", "-0", "inf", "nan", "1.5". Floating
/// point: whole numbers below 2^24 in full, else the shortest decimal that encodes to the same
/// pattern ("0.1" for the f16 next to 0.1); integers and b1 in decimal. nullopt when `type` is not
/// a PTX element type. Types: all formats above, f64, s32, s8, u8, s4, u4, b1; ue4m3, and ue8m0 as
/// the power of two that it is ("1", "2^-3").
std::optional<std::string> to_text(std::string_view type, std::uint64_t pattern);

}  // namespace lanescope::numeric

// SPDX-License-Identifier: MIT
// f16, bf16, tf32 and fp8 to f32, exactly, a vector at a time, and the exponents of what they were.
#include "emulator/tensor/widen.hpp"

#include "emulator/tensor/columns.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

// How an element becomes an f32: moved to the upper end of a word, its magnitude shifted so that
// the exponent's field ends where f32's does, and multiplied by what the biases differ by. That is
// right for subnormals, too; infinities and NaN come out as first_special or more.
struct Format {
  int bits;
  std::int32_t size_mask;  // tf32: the low 13 bits are cut off
  int shift;
  float scale;
  std::int32_t first_special;
  int lowest_exponent;
};
constexpr Format format_of(TensorType type) {
  switch (type) {
    case TensorType::f16:
      return {16, 0x7fff0000, 3, 0x1p112f, 0x47800000, -14};
    case TensorType::bf16:
      return {16, 0x7fff0000, 0, 1.0f, 0x7f800000, -126};
    case TensorType::e5m2:
      return {8, 0x7f000000, 3, 0x1p112f, 0x47800000, -14};
    case TensorType::e4m3:
      return {8, 0x7f000000, 4, 0x1p120f, 0x43f00000, -6};
    default:  // tf32
      return {32, 0x7fffe000, 0, 1.0f, 0x7f800000, -126};
  }
}

/// `size` becomes the value's magnitude.
template <TensorType kType>
inline Real widen(Word top, Word& size) {
  constexpr Format kFormat = format_of(kType);
  size = both(top, fill(kFormat.size_mask));
  if constexpr (kFormat.shift != 0)
    size = as_word(mul(as_real(right<kFormat.shift>(size)), fill_real(kFormat.scale)));
  return as_real(with_bits(size, top, fill(INT32_MIN)));
}

/// Two elements of 16 bits at once, from their patterns.
template <TensorType kType>
inline Word exponents_of_pairs(Word pairs) {
  constexpr bool kHalf = kType == TensorType::f16;
  const Word size = both(pairs, fill(0x7fff7fff));
  const Word field = most16(right16 < kHalf ? 10 : 7 > (size), fill16(1));
  return add16(add16(field, where_zero16(size, kNoExponent)), fill16(kHalf ? -15 : -kF32Bias));
}

/// One element a lane, from its magnitude.
template <TensorType kType>
inline Word exponents_of(Word size) {
  constexpr int kLowest = format_of(kType).lowest_exponent;
  const Word exponent = most(sub(right<23>(size), fill(kF32Bias)), fill(kLowest));
  return add(exponent, where_zero(size, kNoExponent));
}

inline Word pair(Word even, Word odd) { return with_bits(left<16>(odd), even, fill(0xffff)); }

/// Elements `at` and `at` + 1 of a row, which are at the top of the two words.
template <TensorType kType>
inline void widen_two(Word even, Word odd, int at, WideA& out, Word& largest) {
  Word even_size, odd_size;
  store_real(out.value[at], widen<kType>(even, even_size));
  store_real(out.value[at + 1], widen<kType>(odd, odd_size));
  largest = most(largest, most(even_size, odd_size));
  if constexpr (format_of(kType).bits != 16)
    store(out.exponent[at / 2],
          pair(exponents_of<kType>(even_size), exponents_of<kType>(odd_size)));
}

template <TensorType kType>
void widen_a(const std::uint32_t* const* rows, int slabs, int half, WideA& out) {
  constexpr Format kFormat = format_of(kType);
  Word largest = fill(0);
  for (int slab = 0; slab < slabs; ++slab) {
    Word words[kSlabWords];
    load_columns(rows[2 * slab], rows[2 * slab + 1], half, words);
    for (int t = 0; t < kSlabWords; t += kFormat.bits == 32 ? 2 : 1) {
      const int word = kSlabWords * slab + t;
      if constexpr (kFormat.bits == 32) {
        widen_two<kType>(words[t], words[t + 1], word, out, largest);
      } else if constexpr (kFormat.bits == 16) {
        widen_two<kType>(left<16>(words[t]), words[t], 2 * word, out, largest);
        store(out.exponent[word], exponents_of_pairs<kType>(words[t]));
      } else {
        widen_two<kType>(left<24>(words[t]), left<16>(words[t]), 4 * word, out, largest);
        widen_two<kType>(left<8>(words[t]), words[t], 4 * word + 2, out, largest);
      }
    }
  }
  out.special = greater(largest, fill(kFormat.first_special - 1));
}

/// A vector's bytes to rows `stride` apart, kPiece bytes to each.
template <int kPiece>
inline void store_pieces(const void* vector, void* to, int stride) {
  constexpr int kBytes = 4 * kWidth;
  constexpr int kEach = kPiece < kBytes ? kPiece : kBytes;
  for (int at = 0; at < kBytes; at += kEach)
    __builtin_memcpy(static_cast<std::uint8_t*>(to) + at / kEach * stride,
                     static_cast<const std::uint8_t*>(vector) + at, kEach);
}

/// kWidth elements in the order of the register, at the top of their words.
template <int kBits>
inline Word load_patterns(const void* from) {
  if constexpr (kBits == 32) return load(from);
  if constexpr (kBits == 16) return left<16>(load_halves(from));
  if constexpr (kBits == 8) return left<24>(load_bytes(from));
}

template <TensorType kType>
void widen_b(const std::uint32_t* const* rows, int slabs, WideB& out) {
  constexpr Format kFormat = format_of(kType);
  constexpr int kSlabK = 128 / kFormat.bits;
  const int stride = slabs * kSlabK;  // elements of a column
  Word largest = fill(0);
  for (int slab = 0; slab < slabs; ++slab) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(rows[slab]);
    for (int i = 0; i < kTileCols * kSlabK; i += kWidth) {
      alignas(64) float values[kWidth];
      alignas(64) std::int32_t exponents[kWidth];
      const int to = i / kSlabK * stride + slab * kSlabK + i % kSlabK;
      Word size;
      store_real(values,
                 widen<kType>(load_patterns<kFormat.bits>(bytes + i * kFormat.bits / 8), size));
      store_pieces<4 * kSlabK>(values, out.value + to, 4 * stride);
      largest = most(largest, size);
      if constexpr (kFormat.bits != 16) {
        store(exponents, exponents_of<kType>(size));
        auto* halves = reinterpret_cast<std::int16_t*>(out.exponent);
        for (int k = 0; k < kWidth; ++k) {
          const auto narrow = static_cast<std::int16_t>(exponents[k]);
          __builtin_memcpy(halves + to + k / kSlabK * (stride - kSlabK) + k, &narrow, 2);
        }
      }
    }
    for (int i = 0; kFormat.bits == 16 && i < kFragmentLanes; i += kWidth) {
      alignas(64) std::uint32_t pairs[kWidth];
      store(pairs, exponents_of_pairs<kType>(load(rows[slab] + i)));
      store_pieces<16>(pairs, out.exponent + i / 4 * (stride / 2) + 4 * slab, 2 * stride);
    }
  }
  out.special = 0;
  if (bits(greater(largest, fill(kFormat.first_special - 1))) == 0) return;
  for (int i = 0; i < kTileCols * stride; ++i)
    if ((__builtin_bit_cast(std::int32_t, out.value[i]) & INT32_MAX) >= kFormat.first_special)
      out.special |= 1u << i / stride;
}

}  // namespace

int slab_elements(TensorType type) { return 128 / format_of(type).bits; }

void widen_a(TensorType type, const std::uint32_t* const* rows, int slabs, int half, WideA& out) {
  switch (type) {
    case TensorType::f16:
      return widen_a<TensorType::f16>(rows, slabs, half, out);
    case TensorType::bf16:
      return widen_a<TensorType::bf16>(rows, slabs, half, out);
    case TensorType::e5m2:
      return widen_a<TensorType::e5m2>(rows, slabs, half, out);
    case TensorType::e4m3:
      return widen_a<TensorType::e4m3>(rows, slabs, half, out);
    default:
      return widen_a<TensorType::tf32>(rows, slabs, half, out);
  }
}
void widen_b(TensorType type, const std::uint32_t* const* rows, int slabs, WideB& out) {
  switch (type) {
    case TensorType::f16:
      return widen_b<TensorType::f16>(rows, slabs, out);
    case TensorType::bf16:
      return widen_b<TensorType::bf16>(rows, slabs, out);
    case TensorType::e5m2:
      return widen_b<TensorType::e5m2>(rows, slabs, out);
    case TensorType::e4m3:
      return widen_b<TensorType::e4m3>(rows, slabs, out);
    default:
      return widen_b<TensorType::tf32>(rows, slabs, out);
  }
}

}  // namespace lanescope::emulator::LANESCOPE_HOST

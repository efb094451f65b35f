// SPDX-License-Identifier: MIT
// Vectors of 32-bit lanes as the host has them: 8 with AVX2, 16 with AVX-512. Files that include
// this are compiled once for each (LANESCOPE_HOST names it, see CMakeLists.txt), in a namespace of
// its own; fragments.cpp picks one at run time. They must not instantiate templates of the standard
// library: the linker keeps one copy of those, and it could be the one the host cannot run.
//
//     Real    kWidth floats                       Word    kWidth 32-bit integers, or twice as many
//     Mask    one bit or one lane of ones each             16-bit ones (functions ending in 16)
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace lanescope::emulator::LANESCOPE_HOST {

#if defined(__AVX512BW__)

inline constexpr int kWidth = 16;
using Real = __m512;
using Word = __m512i;
using Mask = __mmask16;

inline Word load(const void* from) { return _mm512_loadu_si512(from); }
inline Real load_real(const float* from) { return _mm512_loadu_ps(from); }
inline void store(void* to, Word value) { _mm512_storeu_si512(to, value); }
inline void store_real(float* to, Real value) { _mm512_storeu_ps(to, value); }
inline Word load_halves(const void* from) {
  return _mm512_cvtepu16_epi32(_mm256_loadu_si256(static_cast<const __m256i*>(from)));
}
inline Word load_bytes(const void* from) {
  return _mm512_cvtepu8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(from)));
}

inline Word fill(std::int32_t value) { return _mm512_set1_epi32(value); }
inline Word fill16(std::int16_t value) { return _mm512_set1_epi16(value); }
inline Real fill_real(float value) { return _mm512_set1_ps(value); }

inline Word as_word(Real value) { return _mm512_castps_si512(value); }
inline Real as_real(Word value) { return _mm512_castsi512_ps(value); }
inline Real to_real(Word value) { return _mm512_cvtepi32_ps(value); }
inline Word truncate(Real value) { return _mm512_cvttps_epi32(value); }
inline Real from_half(Word value) { return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(value)); }
inline Word to_half(Real value) {
  return _mm512_cvtepu16_epi32(_mm512_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
}

inline Real mul(Real a, Real b) { return _mm512_mul_ps(a, b); }
inline Real add(Real a, Real b) { return _mm512_add_ps(a, b); }
inline Word add(Word a, Word b) { return _mm512_add_epi32(a, b); }
inline Word sub(Word a, Word b) { return _mm512_sub_epi32(a, b); }
inline Word most(Word a, Word b) { return _mm512_max_epi32(a, b); }
inline Word least(Word a, Word b) { return _mm512_min_epi32(a, b); }
inline Word both(Word a, Word b) { return _mm512_and_si512(a, b); }
inline Word either(Word a, Word b) { return _mm512_or_si512(a, b); }
inline Word differ(Word a, Word b) { return _mm512_xor_si512(a, b); }
/// a with the bits of b that `mask` has, where a has none.
inline Word with_bits(Word a, Word b, Word mask) {
  return _mm512_ternarylogic_epi32(a, b, mask, 0xf8);
}
template <int kBits>
Word left(Word value) {
  return _mm512_slli_epi32(value, kBits);
}
template <int kBits>
Word right(Word value) {
  return _mm512_srli_epi32(value, kBits);
}
template <int kBits>
Word right_signed(Word value) {
  return _mm512_srai_epi32(value, kBits);
}

inline Word add16(Word a, Word b) { return _mm512_add_epi16(a, b); }
inline Word most16(Word a, Word b) { return _mm512_max_epi16(a, b); }
template <int kBits>
Word left16(Word value) {
  return _mm512_slli_epi16(value, kBits);
}
template <int kBits>
Word right16(Word value) {
  return _mm512_srli_epi16(value, kBits);
}
template <int kBits>
Word right_signed16(Word value) {
  return _mm512_srai_epi16(value, kBits);
}
/// Products of two neighbours each, added in 32 bits.
inline Word multiply_pairs(Word a, Word b) { return _mm512_madd_epi16(a, b); }
/// `value` where a is zero, else 0.
inline Word where_zero(Word a, std::int32_t value) {
  return _mm512_maskz_set1_epi32(_mm512_testn_epi32_mask(a, a), value);
}
inline Word where_zero16(Word a, std::int16_t value) {
  return _mm512_maskz_set1_epi16(_mm512_testn_epi16_mask(a, a), value);
}

inline Mask no_lane() { return 0; }
inline Mask all_lanes() { return 0xffff; }
inline Mask or_masks(Mask a, Mask b) { return static_cast<Mask>(a | b); }
inline Mask without(Mask a, Mask b) { return static_cast<Mask>(a & ~b); }
inline Mask and_masks(Mask a, Mask b) { return static_cast<Mask>(a & b); }
inline Mask greater(Word a, Word b) { return _mm512_cmpgt_epi32_mask(a, b); }
inline Mask unequal(Word a, Word b) { return _mm512_cmpneq_epi32_mask(a, b); }
inline Mask is_zero(Real a) { return _mm512_cmp_ps_mask(a, _mm512_setzero_ps(), _CMP_EQ_OQ); }
inline Mask is_nan(Real a) { return _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q); }
inline Mask negative(Word a) { return _mm512_movepi32_mask(a); }
inline unsigned bits(Mask mask) { return mask; }
inline Real choose(Mask mask, Real yes, Real no) { return _mm512_mask_blend_ps(mask, no, yes); }
inline Word choose(Mask mask, Word yes, Word no) { return _mm512_mask_blend_epi32(mask, no, yes); }

inline Word join_low32(Word a, Word b) { return _mm512_unpacklo_epi32(a, b); }
inline Word join_high32(Word a, Word b) { return _mm512_unpackhi_epi32(a, b); }
inline Word join_low64(Word a, Word b) { return _mm512_unpacklo_epi64(a, b); }
inline Word join_high64(Word a, Word b) { return _mm512_unpackhi_epi64(a, b); }

#else

inline constexpr int kWidth = 8;
using Real = __m256;
using Word = __m256i;
using Mask = __m256i;  // all bits of a lane, or none

inline Word load(const void* from) { return _mm256_loadu_si256(static_cast<const Word*>(from)); }
inline Real load_real(const float* from) { return _mm256_loadu_ps(from); }
inline void store(void* to, Word value) { _mm256_storeu_si256(static_cast<Word*>(to), value); }
inline void store_real(float* to, Real value) { _mm256_storeu_ps(to, value); }
inline Word load_halves(const void* from) {
  return _mm256_cvtepu16_epi32(_mm_loadu_si128(static_cast<const __m128i*>(from)));
}
inline Word load_bytes(const void* from) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(from)));
}

inline Word fill(std::int32_t value) { return _mm256_set1_epi32(value); }
inline Word fill16(std::int16_t value) { return _mm256_set1_epi16(value); }
inline Real fill_real(float value) { return _mm256_set1_ps(value); }

inline Word as_word(Real value) { return _mm256_castps_si256(value); }
inline Real as_real(Word value) { return _mm256_castsi256_ps(value); }
inline Real to_real(Word value) { return _mm256_cvtepi32_ps(value); }
inline Word truncate(Real value) { return _mm256_cvttps_epi32(value); }
inline Real from_half(Word value) {  // the upper half of every word is zero
  const Word packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(value, value), 0x08);
  return _mm256_cvtph_ps(_mm256_castsi256_si128(packed));
}
inline Word to_half(Real value) {
  return _mm256_cvtepu16_epi32(_mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
}

inline Real mul(Real a, Real b) { return _mm256_mul_ps(a, b); }
inline Real add(Real a, Real b) { return _mm256_add_ps(a, b); }
inline Word add(Word a, Word b) { return _mm256_add_epi32(a, b); }
inline Word sub(Word a, Word b) { return _mm256_sub_epi32(a, b); }
inline Word most(Word a, Word b) { return _mm256_max_epi32(a, b); }
inline Word least(Word a, Word b) { return _mm256_min_epi32(a, b); }
inline Word both(Word a, Word b) { return _mm256_and_si256(a, b); }
inline Word either(Word a, Word b) { return _mm256_or_si256(a, b); }
inline Word differ(Word a, Word b) { return _mm256_xor_si256(a, b); }
inline Word with_bits(Word a, Word b, Word mask) { return either(a, both(b, mask)); }
template <int kBits>
Word left(Word value) {
  return _mm256_slli_epi32(value, kBits);
}
template <int kBits>
Word right(Word value) {
  return _mm256_srli_epi32(value, kBits);
}
template <int kBits>
Word right_signed(Word value) {
  return _mm256_srai_epi32(value, kBits);
}

inline Word add16(Word a, Word b) { return _mm256_add_epi16(a, b); }
inline Word most16(Word a, Word b) { return _mm256_max_epi16(a, b); }
template <int kBits>
Word left16(Word value) {
  return _mm256_slli_epi16(value, kBits);
}
template <int kBits>
Word right16(Word value) {
  return _mm256_srli_epi16(value, kBits);
}
template <int kBits>
Word right_signed16(Word value) {
  return _mm256_srai_epi16(value, kBits);
}
inline Word multiply_pairs(Word a, Word b) { return _mm256_madd_epi16(a, b); }
inline Word where_zero(Word a, std::int32_t value) {
  return both(_mm256_cmpeq_epi32(a, _mm256_setzero_si256()), fill(value));
}
inline Word where_zero16(Word a, std::int16_t value) {
  return both(_mm256_cmpeq_epi16(a, _mm256_setzero_si256()), fill16(value));
}

inline Mask no_lane() { return _mm256_setzero_si256(); }
inline Mask all_lanes() { return _mm256_set1_epi32(-1); }
inline Mask or_masks(Mask a, Mask b) { return either(a, b); }
inline Mask without(Mask a, Mask b) { return _mm256_andnot_si256(b, a); }
inline Mask and_masks(Mask a, Mask b) { return both(a, b); }
inline Mask greater(Word a, Word b) { return _mm256_cmpgt_epi32(a, b); }
inline Mask unequal(Word a, Word b) { return without(all_lanes(), _mm256_cmpeq_epi32(a, b)); }
inline Mask is_zero(Real a) { return as_word(_mm256_cmp_ps(a, _mm256_setzero_ps(), _CMP_EQ_OQ)); }
inline Mask is_nan(Real a) { return as_word(_mm256_cmp_ps(a, a, _CMP_UNORD_Q)); }
inline Mask negative(Word a) { return right_signed<31>(a); }
inline unsigned bits(Mask mask) {
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(mask)));
}
inline Real choose(Mask mask, Real yes, Real no) {
  return _mm256_blendv_ps(no, yes, as_real(mask));
}
inline Word choose(Mask mask, Word yes, Word no) { return _mm256_blendv_epi8(no, yes, mask); }

inline Word join_low32(Word a, Word b) { return _mm256_unpacklo_epi32(a, b); }
inline Word join_high32(Word a, Word b) { return _mm256_unpackhi_epi32(a, b); }
inline Word join_low64(Word a, Word b) { return _mm256_unpacklo_epi64(a, b); }
inline Word join_high64(Word a, Word b) { return _mm256_unpackhi_epi64(a, b); }

#endif

inline Real spread(const float* from) { return fill_real(*from); }
inline Word spread(const std::uint32_t* from) { return fill(static_cast<std::int32_t>(*from)); }

/// Four vectors of four words in every 128 bits, turned over: word t of v0 to v3 comes together in
/// result t. Its own inverse.
//
//     v0: | a0 a1 a2 a3 | ...        v0: | a0 b0 c0 d0 | ...
//     v1: | b0 b1 b2 b3 | ...  --->  v1: | a1 b1 c1 d1 | ...
//     v2: | c0 c1 c2 c3 | ...        v2: | a2 b2 c2 d2 | ...
//     v3: | d0 d1 d2 d3 | ...        v3: | a3 b3 c3 d3 | ...
inline void turn(Word* v) {
  const Word ab01 = join_low32(v[0], v[1]), ab23 = join_high32(v[0], v[1]);
  const Word cd01 = join_low32(v[2], v[3]), cd23 = join_high32(v[2], v[3]);
  v[0] = join_low64(ab01, cd01);
  v[1] = join_high64(ab01, cd01);
  v[2] = join_low64(ab23, cd23);
  v[3] = join_high64(ab23, cd23);
}

}  // namespace lanescope::emulator::LANESCOPE_HOST

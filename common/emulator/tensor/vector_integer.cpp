// SPDX-License-Identifier: MIT
// The integer forms with AVX2: s8, u8, s4 and u4 all fit 16 bits, and one instruction multiplies
// two of them and adds the products in 32 bits. B is therefore kept in pairs along K:
//
//      32 bits of B, column n:  b[k][n]  b[k+1][n]      A, broadcast:  a[m][k]  a[m][k+1]
#include "emulator/tensor/vector.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstring>

#include "emulator/tensor/contract.hpp"

namespace lanescope::emulator {

#if defined(__x86_64__)
namespace {

constexpr int kColumns = 8;
constexpr int kMaxIntegerK = 128;  // mma.sp on s4

/// Sixteen bytes as 16-bit integers.
LANESCOPE_AVX2_INLINE __m256i widen(TensorType type, __m128i bytes) {
  const __m128i nibbles = _mm_and_si128(bytes, _mm_set1_epi8(0xf));
  const __m128i eight = _mm_set1_epi8(8);
  switch (type) {
    case TensorType::s8:
      return _mm256_cvtepi8_epi16(bytes);
    case TensorType::u8:
      return _mm256_cvtepu8_epi16(bytes);
    case TensorType::s4:
      return _mm256_cvtepi8_epi16(_mm_sub_epi8(_mm_xor_si128(nibbles, eight), eight));
    default:
      return _mm256_cvtepu8_epi16(nibbles);
  }
}

/// c + sum, wrapping or stopping at the ends of s32.
LANESCOPE_AVX2_INLINE __m256i add_c(__m256i c, __m256i sum, bool satfinite) {
  const __m256i total = _mm256_add_epi32(c, sum);
  if (!satfinite) return total;
  const __m256i left_the_range =
      _mm256_and_si256(_mm256_xor_si256(c, total), _mm256_xor_si256(sum, total));
  const __m256i end = _mm256_xor_si256(_mm256_srai_epi32(sum, 31), _mm256_set1_epi32(0x7fffffff));
  return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(total), _mm256_castsi256_ps(end),
                                              _mm256_castsi256_ps(left_the_range)));
}

LANESCOPE_AVX2 void widen_a(const TensorShape& shape, const void* a, std::int16_t* out) {
  const auto* bytes = static_cast<const std::uint8_t*>(a);
  for (int i = 0; i < shape.M * shape.K; i += 16)
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(out + i),
        widen(shape.a, _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i))));
}

/// Eight columns, rows k and k + 1 interleaved.
LANESCOPE_AVX2 void widen_b(const TensorShape& shape, const void* b, int col, __m256i* out) {
  const auto* bytes = static_cast<const std::uint8_t*>(b) + col;
  for (int k = 0; k < shape.K; k += 2) {
    const auto* row = bytes + k * shape.N;
    const __m128i even = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(row));
    const __m128i odd = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(row + shape.N));
    out[k / 2] = widen(shape.b, _mm_unpacklo_epi8(even, odd));
  }
}

}  // namespace

bool integer_vector_applies(const TensorShape& shape) {
  return has_vector_instructions() && shape.N % kColumns == 0 && shape.K % 2 == 0 &&
         shape.K <= kMaxIntegerK && shape.M * shape.K % 16 == 0;
}

LANESCOPE_AVX2 void multiply_integer_vector(const TensorShape& shape, const void* a, const void* b,
                                            const void* c, void* d) {
  alignas(32) std::int16_t wide_a[kMaxM * kMaxIntegerK];
  __m256i wide_b[kMaxIntegerK / 2];
  widen_a(shape, a, wide_a);
  for (int col = 0; col < shape.N; col += kColumns) {
    widen_b(shape, b, col, wide_b);
    for (int row = 0; row < shape.M; ++row) {
      __m256i sum = _mm256_setzero_si256();
      for (int k = 0; k < shape.K; k += 2) {
        std::int32_t pair;
        std::memcpy(&pair, wide_a + row * shape.K + k, sizeof pair);
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_set1_epi32(pair), wide_b[k / 2]));
      }
      const std::size_t at = static_cast<std::size_t>(row * shape.N + col) * sizeof(std::int32_t);
      const auto* c_at = static_cast<const std::byte*>(c) + at;
      auto* d_at = static_cast<std::byte*>(d) + at;
      const __m256i c_in = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(c_at));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(d_at), add_c(c_in, sum, shape.satfinite));
    }
  }
}

#else

bool integer_vector_applies(const TensorShape&) { return false; }
void multiply_integer_vector(const TensorShape&, const void*, const void*, const void*, void*) {
  broken_contract("no vector path on this processor", "ask integer_vector_applies() first");
}

#endif

}  // namespace lanescope::emulator

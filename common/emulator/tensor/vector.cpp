// SPDX-License-Identifier: MIT
// The model's bits with AVX2 and F16C, eight columns of D at a time. Why each step is exact:
//
//   products   f16, bf16, tf32 and fp8 significands have at most 11 bits: a product is an exact f32
//   E          kept beside the values as integers, because a product's own f32 exponent is one too
//              large when its significand is 2 or more; a zero's exponent is far below all others
//   alignment  multiply by 2^(F - E), a power of two, and convert to an integer towards zero: that
//              conversion *is* the truncation of step 4
//   sum        32-bit integers; L = 16 with F = 25 can leave them, so two halves and a check
//   rounding   the whole kernel runs with MXCSR set to round towards zero, in which conversions
//              and underflow cut off as the tensor core does, and cutting twice is cutting once;
//              f16 goes through an f32 rounded to odd, which a later rounding cannot mistake
//
// Lanes where that does not hold (infinities, NaN, exponents near the ends of f32, sums beyond 31
// bits) are left to the model, element by element. tests/fuzz compares the two.
#include "emulator/tensor/vector.hpp"

#include <algorithm>
#include <bit>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include "emulator/tensor/contract.hpp"

namespace lanescope::emulator {

#if defined(__x86_64__)
namespace {

constexpr int kColumns = 8;
constexpr int kMaxFloatK = 64;         // mma.sp on fp8; b1 alone goes further, and is not here
constexpr int kNoExponent = -16384;    // of a zero: below anything, even twice
constexpr int kLowestExponent = -100;  // E in [-100, 120] keeps every scale and result a normal f32
constexpr int kHighestExponent = 120;
constexpr unsigned kTowardsZero = 0x7f80, kToNearest = 0x1f80;  // MXCSR: nothing traps or flushes

enum class Output : std::uint8_t { f32, e8m13, f16 };

/// A, or eight columns of B, widened to f32, with the exponents that the model would give them.
template <int kCount>
struct alignas(32) Widened {
  float value[kCount];
  std::int32_t exponent[kCount];
};
using WidenedA = Widened<kMaxM * kMaxFloatK>;
using WidenedB = Widened<kMaxFloatK * kColumns>;

int lowest_exponent(const MmaArithmetic& how, TensorType type) {
  // Through the f16 unit, e4m3's subnormals are normal.
  if (type == TensorType::e4m3) return how.through_f16_pairs ? -14 : -6;
  return type == TensorType::f16 || type == TensorType::e5m2 ? -14 : -126;
}

/// Eight packed elements as f32.
template <TensorType kType>
LANESCOPE_AVX2_INLINE __m256 widen(const void* source) {
  if constexpr (kType == TensorType::f16) {
    return _mm256_cvtph_ps(_mm_loadu_si128(static_cast<const __m128i*>(source)));
  } else if constexpr (kType == TensorType::bf16) {
    const __m128i patterns = _mm_loadu_si128(static_cast<const __m128i*>(source));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(patterns), 16));
  } else if constexpr (kType == TensorType::tf32) {
    const __m256i patterns = _mm256_loadu_si256(static_cast<const __m256i*>(source));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_srli_epi32(patterns, 13), 13));
  } else if constexpr (kType == TensorType::e5m2) {  // the upper half of an f16
    const __m128i bytes = _mm_loadl_epi64(static_cast<const __m128i*>(source));
    return _mm256_cvtph_ps(_mm_unpacklo_epi8(_mm_setzero_si128(), bytes));
  } else {  // e4m3: the fields of an f16 with another bias, and one NaN of its own
    const __m128i bytes = _mm_loadl_epi64(static_cast<const __m128i*>(source));
    const __m128i words = _mm_unpacklo_epi8(bytes, _mm_setzero_si128());
    const __m128i sign = _mm_slli_epi16(_mm_and_si128(words, _mm_set1_epi16(0x80)), 8);
    const __m128i rest = _mm_slli_epi16(_mm_and_si128(words, _mm_set1_epi16(0x7f)), 7);
    const __m256 value =
        _mm256_mul_ps(_mm256_cvtph_ps(_mm_or_si128(sign, rest)), _mm256_set1_ps(256.0f));
    const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), value);
    return _mm256_or_ps(value, _mm256_cmp_ps(size, _mm256_set1_ps(480.0f), _CMP_EQ_OQ));
  }
}

/// The exponents of eight widened values, and whether any is infinite or NaN (sign bits of
/// `special`).
LANESCOPE_AVX2_INLINE __m256i exponents(__m256 values, __m256i lowest, __m256i& special) {
  const __m256i size = _mm256_and_si256(_mm256_castps_si256(values), _mm256_set1_epi32(0x7fffffff));
  special = _mm256_or_si256(special, _mm256_cmpgt_epi32(size, _mm256_set1_epi32(0x7f7fffff)));
  const __m256i exponent = _mm256_max_epi32(
      _mm256_sub_epi32(_mm256_srli_epi32(size, 23), _mm256_set1_epi32(127)), lowest);
  const __m256i is_zero = _mm256_cmpeq_epi32(size, _mm256_setzero_si256());
  return _mm256_add_epi32(exponent, _mm256_and_si256(is_zero, _mm256_set1_epi32(kNoExponent)));
}

LANESCOPE_AVX2_INLINE bool any(__m256i mask) {
  return _mm256_movemask_ps(_mm256_castsi256_ps(mask)) != 0;
}

template <TensorType kType>
LANESCOPE_AVX2 bool widen_a(const void* a, int count, int lowest, WidenedA& out) {
  const auto* bytes = static_cast<const std::uint8_t*>(a);
  const int size = storage_bytes(kType);
  __m256i special = _mm256_setzero_si256();
  for (int i = 0; i < count; i += 8) {
    const __m256 values = widen<kType>(bytes + i * size);
    _mm256_store_ps(out.value + i, values);
    _mm256_store_si256(reinterpret_cast<__m256i*>(out.exponent + i),
                       exponents(values, _mm256_set1_epi32(lowest), special));
  }
  return any(special);
}

/// Where product k of a row is summed: in order, or (fp8 on Hopper) by pairs of every four.
struct Order {
  bool pairs = false;
  int block = 0;
  int position(int k) const {
    if (!pairs) return k;
    const int within = k % (2 * block);
    return k - within + ((k & 2) != 0 ? block : 0) + within / 4 * 2 + (k & 1);
  }
};

/// Returns the columns (sign bits) that hold an infinity or a NaN.
template <TensorType kType>
LANESCOPE_AVX2 __m256i widen_b(const void* b, int K, int N, int col, int lowest, const Order& order,
                               WidenedB& out) {
  const auto* bytes = static_cast<const std::uint8_t*>(b);
  const int size = storage_bytes(kType);
  __m256i special = _mm256_setzero_si256();
  for (int k = 0; k < K; ++k) {
    const __m256 values = widen<kType>(bytes + (k * N + col) * size);
    const int to = order.position(k) * kColumns;
    _mm256_store_ps(out.value + to, values);
    _mm256_store_si256(reinterpret_cast<__m256i*>(out.exponent + to),
                       exponents(values, _mm256_set1_epi32(lowest), special));
  }
  return special;
}

LANESCOPE_AVX2 bool widen_a(TensorType type, const void* a, int count, int lowest, WidenedA& out) {
  switch (type) {
    case TensorType::f16:
      return widen_a<TensorType::f16>(a, count, lowest, out);
    case TensorType::bf16:
      return widen_a<TensorType::bf16>(a, count, lowest, out);
    case TensorType::tf32:
      return widen_a<TensorType::tf32>(a, count, lowest, out);
    case TensorType::e5m2:
      return widen_a<TensorType::e5m2>(a, count, lowest, out);
    default:
      return widen_a<TensorType::e4m3>(a, count, lowest, out);
  }
}

LANESCOPE_AVX2 __m256i widen_b(TensorType type, const void* b, int K, int N, int col, int lowest,
                               const Order& order, WidenedB& out) {
  switch (type) {
    case TensorType::f16:
      return widen_b<TensorType::f16>(b, K, N, col, lowest, order, out);
    case TensorType::bf16:
      return widen_b<TensorType::bf16>(b, K, N, col, lowest, order, out);
    case TensorType::tf32:
      return widen_b<TensorType::tf32>(b, K, N, col, lowest, order, out);
    case TensorType::e5m2:
      return widen_b<TensorType::e5m2>(b, K, N, col, lowest, order, out);
    default:
      return widen_b<TensorType::e4m3>(b, K, N, col, lowest, order, out);
  }
}

/// A's bytes in the order in which their products are summed: of every sixteen, the pairs that come
/// first go to the first half of the row and the others to the second.
LANESCOPE_AVX2 void reorder(const void* a, int M, int K, std::uint8_t* out) {
  const __m128i pairs = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
  const auto* bytes = static_cast<const std::uint8_t*>(a);
  for (int row = 0; row < M; ++row)
    for (int k = 0; k < K; k += 16) {
      const auto* from = reinterpret_cast<const __m128i*>(bytes + row * K + k);
      const __m128i sorted = _mm_shuffle_epi8(_mm_loadu_si128(from), pairs);
      std::uint8_t* to = out + row * K + k / 2;
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to), sorted);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to + K / 2), _mm_unpackhi_epi64(sorted, sorted));
    }
}

/// The products of one block: L from a row of A, L rows of eight from B.
struct Products {
  const float* a;
  const std::int32_t* a_exponent;
  const float* b;
  const std::int32_t* b_exponent;
};

/// Rare lanes, among them every lane of an empty tile: a tiny E is harmless if all terms are zero,
/// else the model's.
template <int kL>
LANESCOPE_AVX2_NOINLINE void settle(const Products& in, __m256 c, __m256i tiny, __m256i& model) {
  __m256i E = _mm256_set1_epi32(2 * kNoExponent);
  for (int i = 0; i < kL; ++i) {
    const __m256i exponent = _mm256_add_epi32(
        _mm256_set1_epi32(in.a_exponent[i]),
        _mm256_load_si256(reinterpret_cast<const __m256i*>(in.b_exponent + i * kColumns)));
    E = _mm256_max_epi32(E, exponent);
  }
  const __m256i no_product = _mm256_cmpgt_epi32(_mm256_set1_epi32(kNoExponent / 2), E);
  const __m256 no_c = _mm256_cmp_ps(c, _mm256_setzero_ps(), _CMP_EQ_OQ);
  const __m256i all_zero = _mm256_and_si256(no_product, _mm256_castps_si256(no_c));
  model = _mm256_or_si256(model, _mm256_andnot_si256(all_zero, tiny));
}

/// f16 subnormals count as 2^-14, and zeros not at all; those of f32 lie below all that matters
/// here.
template <Output kOutput>
LANESCOPE_AVX2_INLINE __m256i exponent_of_c(__m256 c) {
  const __m256i size = _mm256_and_si256(_mm256_castps_si256(c), _mm256_set1_epi32(0x7fffffff));
  const __m256i exponent = _mm256_sub_epi32(_mm256_srli_epi32(size, 23), _mm256_set1_epi32(127));
  if constexpr (kOutput != Output::f16) return exponent;
  const __m256i is_zero = _mm256_cmpeq_epi32(size, _mm256_setzero_si256());
  return _mm256_add_epi32(_mm256_max_epi32(exponent, _mm256_set1_epi32(-14)),
                          _mm256_and_si256(is_zero, _mm256_set1_epi32(kNoExponent)));
}

/// Steps 2 to 6 for eight columns. `c` in and out; lanes that need the model are added to `model`.
template <int kL, Output kOutput>
LANESCOPE_AVX2_INLINE __m256 sum_block(const MmaArithmetic& how, const Products& in, __m256 c,
                                       __m256i& model) {
  // Steps 2 and 3. c enters last: it is what the next block waits for.
  __m256 product[kL];
  __m256i E = _mm256_set1_epi32(2 * kNoExponent);
#pragma GCC unroll 32
  for (int i = 0; i < kL; ++i) {
    product[i] = _mm256_mul_ps(_mm256_broadcast_ss(in.a + i), _mm256_load_ps(in.b + i * kColumns));
    const __m256i exponent = _mm256_add_epi32(
        _mm256_set1_epi32(in.a_exponent[i]),
        _mm256_load_si256(reinterpret_cast<const __m256i*>(in.b_exponent + i * kColumns)));
    E = _mm256_max_epi32(E, exponent);
  }
  E = _mm256_max_epi32(E, exponent_of_c<kOutput>(c));
  // An f16 result has its e_zero within range; for f32 it lies lower than this path goes.
  const int floor = std::max(how.zero_exponent, kLowestExponent);
  const __m256i lowest = _mm256_set1_epi32(floor);
  const __m256i tiny =
      kOutput == Output::f16 ? _mm256_setzero_si256() : _mm256_cmpgt_epi32(lowest, E);
  E = _mm256_max_epi32(E, lowest);

  // Steps 4 and 5.
  const __m256 scale = _mm256_castsi256_ps(  // 2^(F - E)
      _mm256_slli_epi32(_mm256_sub_epi32(_mm256_set1_epi32(127 + how.fraction_bits), E), 23));
  __m256i even = _mm256_cvttps_epi32(_mm256_mul_ps(c, scale));
  __m256i odd = _mm256_setzero_si256();
#pragma GCC unroll 32
  for (int i = 0; i < kL; ++i) {
    const __m256i term = _mm256_cvttps_epi32(_mm256_mul_ps(product[i], scale));
    if (i % 2 == 0)
      even = _mm256_add_epi32(even, term);
    else
      odd = _mm256_add_epi32(odd, term);
  }
  const __m256i sum = _mm256_add_epi32(even, odd);
  __m256i model_now = _mm256_cmpgt_epi32(E, _mm256_set1_epi32(kHighestExponent));
  if constexpr (kL >= 16)  // did the last addition leave 32 bits?
    model_now = _mm256_or_si256(
        model_now, _mm256_and_si256(_mm256_xor_si256(even, sum), _mm256_xor_si256(odd, sum)));

  // Step 6.
  const __m256 back = _mm256_castsi256_ps(  // 2^(E - F)
      _mm256_slli_epi32(_mm256_add_epi32(_mm256_set1_epi32(127 - how.fraction_bits), E), 23));
  __m256 rounded = _mm256_cvtepi32_ps(sum);
  if constexpr (kOutput == Output::f16) {
    const __m256i exact = _mm256_cmpeq_epi32(_mm256_cvttps_epi32(rounded), sum);
    const __m256i sticky = _mm256_andnot_si256(exact, _mm256_set1_epi32(1));
    rounded = _mm256_or_ps(rounded, _mm256_castsi256_ps(sticky));
  }
  __m256 result = _mm256_mul_ps(rounded, back);
  if constexpr (kOutput == Output::e8m13)
    result = _mm256_and_ps(result, _mm256_castsi256_ps(_mm256_set1_epi32(~0x3ff)));
  if constexpr (kOutput == Output::f16) {
    result = _mm256_cvtph_ps(_mm256_cvtps_ph(result, _MM_FROUND_TO_NEAREST_INT));
    result = _mm256_add_ps(result, _mm256_setzero_ps());  // what underflows is +0
  }
  model = _mm256_or_si256(model, model_now);
  if (kOutput != Output::f16 && any(tiny)) settle<kL>(in, c, tiny, model);
  return result;
}

/// Where C is read and D written: rows of `stride` elements, at the panel's first column.
struct Panel {
  const void* c;
  void* d;
  int c_stride, d_stride;
};

template <Output kOutput>
LANESCOPE_AVX2_INLINE __m256 load_c(const Panel& panel, int row) {
  const auto* bytes = static_cast<const std::uint8_t*>(panel.c);
  if constexpr (kOutput == Output::f16)
    return widen<TensorType::f16>(bytes + row * panel.c_stride * 2);
  return _mm256_loadu_ps(reinterpret_cast<const float*>(bytes + row * panel.c_stride * 4));
}

template <Output kOutput>
LANESCOPE_AVX2_INLINE void store_d(const Panel& panel, int row, __m256 value) {
  auto* bytes = static_cast<std::uint8_t*>(panel.d);
  if constexpr (kOutput == Output::f16)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes + row * panel.d_stride * 2),
                     _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
  else
    _mm256_storeu_ps(reinterpret_cast<float*>(bytes + row * panel.d_stride * 4), value);
}

/// Eight columns of D for all rows. Runs with MXCSR rounding towards zero. flags[row] gets the
/// lanes to be computed by the model; in those D keeps C, which may be the same memory.
template <int kL, Output kOutput>
LANESCOPE_AVX2 void panel_kernel(const MmaArithmetic& how, int M, int K, const WidenedA& a,
                                 const WidenedB& b, const Panel& panel, __m256i special_columns,
                                 const bool* special_row, std::uint8_t* flags) {
  __m256 c[kMaxM];
  __m256i model[kMaxM];
  for (int row = 0; row < M; ++row) {
    c[row] = load_c<kOutput>(panel, row);
    model[row] = special_row[row] ? _mm256_set1_epi32(-1) : special_columns;
  }
  // Rows within blocks: a row's next block needs its last result, the next row does not.
  for (int k = 0; k < K; k += kL)
    for (int row = 0; row < M; ++row)
      c[row] = sum_block<kL, kOutput>(how,
                                      {a.value + row * K + k, a.exponent + row * K + k,
                                       b.value + k * kColumns, b.exponent + k * kColumns},
                                      c[row], model[row]);
  for (int row = 0; row < M; ++row) {
    const __m256 keep = _mm256_castsi256_ps(model[row]);
    flags[row] = static_cast<std::uint8_t>(_mm256_movemask_ps(keep));
    if (flags[row] != 0) c[row] = _mm256_blendv_ps(c[row], load_c<kOutput>(panel, row), keep);
    store_d<kOutput>(panel, row, c[row]);
  }
}

using PanelKernel = void (*)(const MmaArithmetic&, int, int, const WidenedA&, const WidenedB&,
                             const Panel&, __m256i, const bool*, std::uint8_t*);

template <Output kOutput>
PanelKernel kernel_for(int block) {
  switch (block) {
    case 4:
      return panel_kernel<4, kOutput>;
    case 8:
      return panel_kernel<8, kOutput>;
    case 16:
      return panel_kernel<16, kOutput>;
    default:
      return panel_kernel<32, kOutput>;
  }
}

PanelKernel kernel_for(const MmaArithmetic& how, TensorType accumulator, int block) {
  if (accumulator == TensorType::f16) return kernel_for<Output::f16>(block);
  return how.drops_ten_bits ? kernel_for<Output::e8m13>(block) : kernel_for<Output::f32>(block);
}

/// Products a block really has: a short instruction fills only part of the adder.
int block_of(const MmaArithmetic& how, const TensorShape& shape) {
  return std::min(how.block_products, how.through_f16_pairs ? shape.K / 2 : shape.K);
}

/// D = chain + C, rounded to nearest: eight columns of a row.
LANESCOPE_AVX2 void add_c(TensorType accumulator, const void* chain, const void* c, void* d) {
  const bool half = accumulator == TensorType::f16;
  const __m256 left =
      half ? widen<TensorType::f16>(chain) : _mm256_loadu_ps(static_cast<const float*>(chain));
  const __m256 right =
      half ? widen<TensorType::f16>(c) : _mm256_loadu_ps(static_cast<const float*>(c));
  __m256 sum = _mm256_add_ps(left, right);
  const __m256 nan = _mm256_cmp_ps(sum, sum, _CMP_UNORD_Q);
  sum = _mm256_blendv_ps(sum, _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff)), nan);
  if (half) {
    _mm_storeu_si128(static_cast<__m128i*>(d), _mm256_cvtps_ph(sum, _MM_FROUND_TO_NEAREST_INT));
  } else {
    _mm256_storeu_ps(static_cast<float*>(d), sum);
  }
}

}  // namespace

bool has_vector_instructions() {
  // "f16c" is not a name to every compiler's __builtin_cpu_supports; AVX2's answer covers the
  // system.
  static const bool both = [] {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    const bool f16c = __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
    return f16c && __builtin_cpu_supports("avx2") != 0;
  }();
  return both;
}

bool vector_applies(const MmaArithmetic& how, const TensorShape& shape) {
  if (!has_vector_instructions() || how.scalar) return false;
  const int block = block_of(how, shape);
  const bool known_block = block == 4 || block == 8 || block == 16 || block == 32;
  const bool whole =
      how.through_f16_pairs ? shape.K == 2 * block && shape.K % 16 == 0 : shape.K % block == 0;
  // 34 terms below 4 * 2^F must stay below 2^31, or 18 of them where the halves are checked.
  const bool fits = block < 32 || how.fraction_bits <= 24;
  return known_block && fits && whole && shape.K <= kMaxFloatK && shape.N % kColumns == 0 &&
         shape.M * shape.K % 8 == 0;
}

LANESCOPE_AVX2 void multiply_vector(const MmaArithmetic& how, const TensorShape& shape,
                                    const void* a, const void* b, const void* c, void* d) {
  const int M = shape.M, N = shape.N, K = shape.K;
  const Order order{how.through_f16_pairs, block_of(how, shape)};
  const PanelKernel kernel = kernel_for(how, shape.accumulator, order.block);
  const int c_bytes = storage_bytes(shape.accumulator);

  WidenedA wide_a;
  WidenedB wide_b;
  bool special_row[kMaxM] = {};
  std::uint8_t reordered[kMaxM * kMaxFloatK];
  if (order.pairs) reorder(a, M, K, reordered);
  if (widen_a(shape.a, order.pairs ? reordered : a, M * K, lowest_exponent(how, shape.a), wide_a))
    for (int i = 0; i < M * K; ++i)
      if ((std::bit_cast<std::uint32_t>(wide_a.value[i]) & 0x7f800000) == 0x7f800000)
        special_row[i / K] = true;

  const unsigned mxcsr = _mm_getcsr();
  for (int col = 0; col < N; col += kColumns) {
    const __m256i special_columns =
        widen_b(shape.b, b, K, N, col, lowest_exponent(how, shape.b), order, wide_b);
    std::uint8_t flags[kMaxM];
    const auto* c_panel = static_cast<const std::uint8_t*>(c) + col * c_bytes;
    auto* d_panel = static_cast<std::uint8_t*>(d) + col * c_bytes;
    // The chain of a pair starts from zero and is kept aside until c is added.
    static constexpr float kZeros[kColumns] = {};
    float chain[kMaxM * kColumns];
    const Panel panel =
        order.pairs ? Panel{kZeros, chain, 0, kColumns} : Panel{c_panel, d_panel, N, N};
    _mm_setcsr(kTowardsZero);
    kernel(how, M, K, wide_a, wide_b, panel, special_columns, special_row, flags);
    _mm_setcsr(kToNearest);
    for (int row = 0; row < M; ++row) {
      if (order.pairs && flags[row] == 0)
        add_c(shape.accumulator, reinterpret_cast<std::uint8_t*>(chain) + row * kColumns * c_bytes,
              c_panel + row * N * c_bytes, d_panel + row * N * c_bytes);
      for (int lane = 0; flags[row] != 0 && lane < kColumns; ++lane)
        if (order.pairs || (flags[row] >> lane & 1) != 0) {
          const int index = row * N + col + lane;
          store_pattern(shape.accumulator, d, index,
                        dot_packed(how, shape, a, b, row, col + lane,
                                   load_pattern(shape.accumulator, c, index)));
        }
    }
  }
  _mm_setcsr(mxcsr);
}

#else  // other processors have the model, and no less exact results

bool has_vector_instructions() { return false; }
bool vector_applies(const MmaArithmetic&, const TensorShape&) { return false; }
void multiply_vector(const MmaArithmetic&, const TensorShape&, const void*, const void*,
                     const void*, void*) {
  broken_contract("no vector path on this processor", "ask vector_applies() first");
}

#endif

}  // namespace lanescope::emulator

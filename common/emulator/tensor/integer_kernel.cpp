// SPDX-License-Identifier: MIT
// The integer forms: s8, u8, s4 and u4 all fit 16 bits, and one instruction multiplies two of them
// and adds the products in 32 bits, which 256 of them cannot leave. A word of K falls into vectors
// of such pairs, bytes 0 and 2, 1 and 3 (nibbles 0 and 4, ...): any order will do if A and B have
// the same.
#include "emulator/tensor/columns.hpp"
#include "emulator/tensor/kernels.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {

bool multiply_real(const TileJob&, const Fragments&, std::uint16_t*);
void add_registers(TensorType, int, const std::uint32_t* const*, std::uint32_t* const*);

namespace {

constexpr int kMaxPairs = kMaxIntegerK / 2;

/// Pairs of a word, `pairs` of them.
template <TensorType kType>
inline void unpack(Word word, Word* pairs) {
  if constexpr (kType == TensorType::s8) {
    pairs[0] = right_signed16<8>(left16<8>(word));
    pairs[1] = right_signed16<8>(word);
  } else if constexpr (kType == TensorType::u8) {
    pairs[0] = both(word, fill(0x00ff00ff));
    pairs[1] = right16<8>(word);
  } else if constexpr (kType == TensorType::s4) {
    pairs[0] = right_signed16<12>(left16<12>(word));
    pairs[1] = right_signed16<12>(left16<8>(word));
    pairs[2] = right_signed16<12>(left16<4>(word));
    pairs[3] = right_signed16<12>(word);
  } else {
    const Word nibble = fill(0x000f000f);
    pairs[0] = both(word, nibble);
    pairs[1] = both(right16<4>(word), nibble);
    pairs[2] = both(right16<8>(word), nibble);
    pairs[3] = right16<12>(word);
  }
}

inline void unpack(TensorType type, Word word, Word* pairs) {
  switch (type) {
    case TensorType::s8:
      return unpack<TensorType::s8>(word, pairs);
    case TensorType::u8:
      return unpack<TensorType::u8>(word, pairs);
    case TensorType::s4:
      return unpack<TensorType::s4>(word, pairs);
    default:
      return unpack<TensorType::u4>(word, pairs);
  }
}

struct IntegerA {
  alignas(64) std::uint32_t pairs[kMaxPairs][kWidth];  // [word][pair]
};
struct IntegerB {
  alignas(64) std::uint32_t pairs[kMaxPairs / kSlabWords][kFragmentLanes];  // [slab][pair]
};

void unpack_a(const TileJob& job, int each, const std::uint32_t* const* rows, int half,
              IntegerA& out) {
  for (int slab = 0; slab < job.slabs; ++slab) {
    Word words[kSlabWords], pairs[4];
    load_columns(rows[2 * slab], rows[2 * slab + 1], half, words);
    for (int t = 0; t < kSlabWords; ++t) {
      unpack(job.a, words[t], pairs);
      for (int k = 0; k < each; ++k) store(out.pairs[(kSlabWords * slab + t) * each + k], pairs[k]);
    }
  }
}

void unpack_b(const TileJob& job, int each, const std::uint32_t* const* rows, IntegerB& out) {
  for (int slab = 0; slab < job.slabs; ++slab)
    for (int lane = 0; lane < kFragmentLanes; lane += kWidth) {
      Word pairs[4];
      unpack(job.b, load(rows[slab] + lane), pairs);
      for (int k = 0; k < each; ++k) store(out.pairs[slab * each + k] + lane, pairs[k]);
    }
}

inline Word dot(const TileJob& job, int each, const IntegerA& a, const IntegerB& b, int col) {
  Word sum = fill(0);
  for (int slab = 0; slab < job.slabs; ++slab)
    for (int t = 0; t < kSlabWords; ++t)
      for (int k = 0; k < each; ++k)
        sum = add(sum, multiply_pairs(load(a.pairs[(kSlabWords * slab + t) * each + k]),
                                      spread(&b.pairs[slab * each + k][kSlabWords * col + t])));
  return sum;
}

/// c + sum, wrapping or stopping at the ends of s32.
inline Word add_c(Word c, Word sum, bool satfinite) {
  const Word total = add(c, sum);
  if (!satfinite) return total;
  const Mask left_the_range = negative(both(differ(c, total), differ(sum, total)));
  const Word end = differ(right_signed<31>(sum), fill(INT32_MAX));
  return choose(left_the_range, end, total);
}

void multiply_integer(const TileJob& job, const Fragments& in) {
  const int each = job.a == TensorType::s8 || job.a == TensorType::u8 ? 2 : 4;
  IntegerA a[kMaxPanels * kHalves];
  IntegerB b;
  for (int panel = 0; panel < job.panels; ++panel)
    for (int half = 0; half < kHalves; ++half)
      unpack_a(job, each, in.a + 2 * job.slabs * panel, half, a[panel * kHalves + half]);
  for (int tile = 0; tile < job.tiles; ++tile) {
    unpack_b(job, each, in.b + job.slabs * tile, b);
    for (int panel = 0; panel < job.panels; ++panel)
      for (int half = 0; half < kHalves; ++half)
        for (int odd = 0; odd < 2; ++odd) {
          const int at = 4 * (panel * job.tiles + tile) + odd;
          Word columns[4];
          load_columns(in.c[at], in.c[at + 2], half, columns);
          for (int pair = 0; pair < 4; ++pair)
            columns[pair] =
                add_c(columns[pair], dot(job, each, a[panel * kHalves + half], b, 2 * pair + odd),
                      job.satfinite);
          store_columns(columns, in.d[at], in.d[at + 2], half);
        }
  }
}

}  // namespace

const TileKernels& tile_kernels() {
  static constexpr TileKernels kKernels{&multiply_real, &multiply_integer, &add_registers};
  return kKernels;
}

}  // namespace lanescope::emulator::LANESCOPE_HOST

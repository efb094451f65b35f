// SPDX-License-Identifier: MIT
// See tcgen05_parts.hpp: what the memories of a product hold. Where elements and metadata lie is
// transcribed here a second time, from the ISA's tables and figures (9.7.16.4, 9.7.16.10.8); no
// card has been asked.
#include <cstring>

#include "tests/emulator/tcgen05_parts.hpp"

namespace lanescope::emulator::test {
namespace {

// 9.7.16.10.8: of a chunk of K 2 of 4 are kept (or pairs, of 8; of tf32 1 of 2), in four bits each.
// In the words of CUTLASS (mma_traits_sm100_frag.hpp, tmem_e_frg) these are bits of a matrix: one
// for each k of 8-bit types, half a one of e2m1, of f16 one and of tf32 two, where 8 rows and 16
// bits are a square and the squares of a 16 x 32 block stand (0, 0), (0, 1) / (1, 0), (1, 1) turned
// over.
// Where D has 16 rows a warp, so has it (figures 262, 264, 266, as TVM's tests have them); with .ws
// and M 32 and 64 it is there again for each part of D's columns.
struct MetadataPlace {
  int lane, word, bit;
};
MetadataPlace place_of_chunk(const Product& p, int m, int chunk, int copy) {
  const int rows = p.M / p.ctas;
  if (p.stationary) m += copy * rows;
  const int lane = rows == 64 && !p.stationary ? m / 16 * 32 + m % 16 + p.d_lane : m;
  if (bits_of(p.a) <= 8) return {lane, chunk / 8, chunk * 4 % 32};
  const int square = chunk * 4 / 16;  // of 16 bits along k
  return {lane / 16 * 16 + square * 8 + lane % 8, p.selector, (m & 8) * 2 + chunk * 4 % 16};
}
constexpr int kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// As store(); where the first of sixteen elements would be a byte, all of them are.
void store_small(std::vector<std::byte>& shared, std::uint32_t start, const Words& matrix,
                 int mn_count, int K, int bits, layout::Swizzle mode) {
  for (int mn = 0; mn < mn_count; ++mn)
    for (int k = 0; k < K; ++k) {
      const std::size_t unit =
          start + place(mode, false, 8, mn, k / 16 * 16, strides_of(mode, false, mn_count));
      for (int bit = 0; bit < bits; ++bit) {
        const int at = k % 16 * bits + bit;
        const auto value = matrix[static_cast<std::size_t>(mn * K + k)] >> bit & 1;
        shared[unit + static_cast<std::size_t>(at / 8)] |= static_cast<std::byte>(value << at % 8);
      }
    }
}

// 128 bytes of an MN-major matrix of 32 bits, atoms of 32 bytes (tables 40 and 53): four columns of
// K make an atom of 512 bytes; along M or N the next ones, then the next four columns.
void store_wide(std::vector<std::byte>& shared, std::uint32_t start, const Words& matrix,
                int rows) {
  for (int mn = 0; mn < rows; ++mn)
    for (int k = 0; k < 8; ++k) {
      auto at = static_cast<std::uint32_t>(mn % 32 * 4 + k % 4 * 128 + mn / 32 * 512 +
                                           k / 4 * (rows / 32) * 512);
      at ^= (at / 128 & 3) * 32;
      std::memcpy(&shared[start + at], &matrix[static_cast<std::size_t>(mn * 8 + k)], 4);
    }
}

}  // namespace

Words in_bytes(const Words& nibbles) {
  Words bytes;
  for (std::size_t k = 0; k < nibbles.size(); k += 2)
    bytes.push_back(nibbles[k] | nibbles[k + 1] << 4);
  return bytes;
}

Words draw_kept(const Product& p, Words& factors, std::mt19937& random) {
  const int K = k_of(p);
  Words kept;
  for (int m = 0; m < p.M; ++m)
    for (int k = 0; k < K; ++k) kept.push_back(static_cast<std::uint32_t>(k));
  if (!p.sparse) return kept;
  const int together = has_two_a_byte(p) ? 2 : 1, each = p.a == TensorType::tf32 ? 1 : 2 * together;
  for (int m = 0; m < p.M; ++m)
    for (int chunk = 0; chunk < K / each; ++chunk) {
      const auto drawn = static_cast<std::uint32_t>(random());
      const int* pair = kPairs[drawn % 6];
      std::uint32_t bits = static_cast<std::uint32_t>(pair[0] | pair[1] << 2);
      for (int k = 0; k < each; ++k)
        kept[static_cast<std::size_t>(m * K + chunk * each + k)] =
            static_cast<std::uint32_t>((chunk * 4 + pair[k / together]) * together + k % together);
      if (each == 1) {
        bits = drawn % 2 == 0 ? 0b0100 : 0b1110;
        kept[static_cast<std::size_t>(m * K + chunk)] =
            static_cast<std::uint32_t>(2 * chunk) + drawn % 2;
      }
      const int rows = p.M / p.ctas;
      for (int copy = 0; copy < (p.stationary ? kLanesOfMemory / rows : 1); ++copy) {
        const MetadataPlace at = place_of_chunk(p, m % rows, chunk, copy);
        const int lane = m / rows * kLanesOfMemory + at.lane;
        std::uint32_t& word =
            factors[static_cast<std::size_t>(lane * kFactorWords + kMetadataWord + at.word)];
        word = (word & ~(15u << at.bit)) | bits << at.bit;
      }
    }
  return kept;
}

void put_in_lanes(std::vector<std::byte>& image, const Product& p, const Words& matrix, int first) {
  const int bits = has_two_a_byte(p) ? 8 : std::max(8, bits_of(p.a));  // of its container
  const int up = bits_of(p.a) == 4 && !has_two_a_byte(p) ? 2 : 0;      // e2m1: 00seem00
  const int K = k_stored(p);
  for (int m = 0; m < p.M / p.ctas; ++m)
    for (int k = 0; k < K; ++k) {
      const std::uint32_t one = matrix[static_cast<std::size_t>(m * K + k)] << up;
      std::memcpy(
          &image[static_cast<std::size_t>((place_of_d(p, m, 0).lane + first) * 32 + k * bits / 8)],
          &one, static_cast<std::size_t>(bits / 8));
    }
}

void put(std::vector<std::byte>& image, std::uint32_t start, const Product& p, bool is_a,
         const Words& matrix) {
  const int bits = has_two_a_byte(p) ? 8 : bits_of(is_a ? p.a : p.b);
  const int rows = (is_a ? p.M : columns_of_b(p)) / p.ctas;
  const bool mn_major = is_a ? p.a_mn : p.b_mn;
  const int K = k_stored(p) * (p.sparse && !is_a ? 2 : 1);
  if (bits < 8) {
    store_small(image, start, matrix, rows, K, bits, p.mode);
  } else if (bits == 32 && mn_major) {
    store_wide(image, start, matrix, rows);
  } else {
    store(image, start, matrix, rows, K, bits, p.mode, mn_major);
  }
}

Words random_factors(const Product& p, std::mt19937& random) {
  Words all(static_cast<std::size_t>(p.ctas * kLanesOfMemory * kFactorWords));
  constexpr std::size_t kQuarter = 32 * kFactorWords;
  for (std::size_t k = 0; k < all.size(); ++k)
    for (int byte = 0; byte < 4; ++byte) {
      const auto drawn = static_cast<std::uint32_t>(random());
      const bool any = p.ue4m3 || drawn % 64 == 0;
      all[k] |= (any ? drawn >> 8 & 0xff : 107 + (drawn >> 8) % 40) << 8 * byte;
    }
  if (!p.copies_differ)
    for (std::size_t k = 0; k < all.size(); ++k)
      all[k] = all[k / (4 * kQuarter) * (4 * kQuarter) + k % kQuarter];
  return all;
}

}  // namespace lanescope::emulator::test

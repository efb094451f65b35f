// SPDX-License-Identifier: MIT
// Swizzles, canonical layouts, descriptors and banks against the ISA's examples, with a small
// calculator of CuTe layouts as the second witness: it takes the layouts as the ISA prints them.
//
// Source: PTX ISA 9.2, 9.7.15.5.1.2 (figures 166 to 170).
#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "layout/banks.hpp"
#include "layout/descriptor.hpp"
#include "layout/owner.hpp"

using namespace lanescope::layout;

namespace {

// A CuTe mode: (shape):(stride), flat; index -> offset in elements, leftmost fastest.
struct Mode {
  std::vector<int> shape, stride;
  int operator()(int index) const {
    int offset = 0;
    for (std::size_t n = 0; n < shape.size(); ++n) {
      const bool last = n + 1 == shape.size();
      offset += (last ? index : index % shape[n]) * stride[n];
      index /= shape[n];
    }
    return offset;
  }
};

// Swizzle<B,4,3> on bytes, bit by bit.
unsigned swizzle_343(int B, unsigned offset) {
  unsigned result = offset;
  for (int bit = 0; bit < B; ++bit)
    if ((offset >> (7 + bit) & 1u) != 0) result ^= 1u << (4 + bit);
  return result;
}

struct Example {
  const char* figure;
  Tile tile;
  Mode mn, k;  // the "Exact layout" of the text, in elements
};

const std::vector<Example>& examples() {
  static const std::vector<Example> all{
      {"166: K-major, none, tf32",
       {Swizzle::none, Major::K, 32, 16, 16, 64 * 4, 32 * 4, 0},
       {{8, 2}, {4, 32}},
       {{4, 4}, {1, 64}}},
      {"168: MN-major, none, bf16",
       {Swizzle::none, Major::MN, 16, 16, 16, 128 * 2, 64 * 2, 0},
       {{8, 1, 2}, {1, 8, 64}},
       {{8, 2}, {8, 128}}},
      {"169: MN-major, 32B, bf16",
       {Swizzle::b32, Major::MN, 16, 32, 16, 128 * 2, 256 * 2, 0},
       {{8, 2, 2}, {1, 8, 128}},
       {{8, 2}, {16, 256}}},
      {"170: MN-major, 64B, bf16",
       {Swizzle::b64, Major::MN, 16, 64, 16, 256 * 2, 512 * 2, 0},
       {{8, 4, 2}, {1, 8, 256}},
       {{8, 2}, {32, 512}}},
      // 167 as it should be: (T,2k) with 2k = 2, all that a 32-byte row has (errata 6)
      {"167: K-major, 32B, tf32",
       {Swizzle::b32, Major::K, 32, 16, 8, 16, 64 * 4, 0},
       {{8, 2}, {8, 64}},
       {{4, 2}, {1, 4}}},
  };
  return all;
}

}  // namespace

TEST_CASE("the ISA's canonical examples, element by element") {
  for (const Example& e : examples()) {
    CAPTURE(e.figure);
    bool equal = true;
    for (int mn = 0; mn < e.tile.mn; ++mn)
      for (int k = 0; k < e.tile.k; ++k) {
        const auto bytes = static_cast<unsigned>((e.mn(mn) + e.k(k)) * e.tile.bits / 8);
        equal =
            equal && byte_offset(e.tile, mn, k) == swizzle_343(swizzle_bits(e.tile.mode), bytes);
      }
    CHECK(equal);
    // and the packed tile of that size is the example
    const Tile p = packed(e.tile.mode, e.tile.major, e.tile.bits, e.tile.mn, e.tile.k);
    CHECK(p.lbo_bytes == e.tile.lbo_bytes);
    CHECK(p.sbo_bytes == e.tile.sbo_bytes);
  }
}

TEST_CASE("the ISA's 32B K-major example as printed puts 256 elements in 136 places") {
  const Mode mn{{8, 2}, {8, 64}}, k{{4, 4}, {1, 4}};
  std::set<int> places;
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 16; ++n) places.insert(mn(m) + k(n));
  CHECK(places.size() == 136);  // docs/errata.md, 6
}

TEST_CASE("every packed tile is a bijection onto its bytes") {
  for (Swizzle mode : {Swizzle::none, Swizzle::b32, Swizzle::b64, Swizzle::b128})
    for (Major major : {Major::K, Major::MN})
      for (int bits : {8, 16, 32}) {
        const Extent a = atom(mode, major, bits);
        const Tile t = packed(mode, major, bits, 3 * a.mn, 2 * a.k);
        std::set<std::uint32_t> offsets;
        std::uint32_t last = 0;
        for (int mn = 0; mn < t.mn; ++mn)
          for (int k = 0; k < t.k; ++k) {
            const std::uint32_t offset = byte_offset(t, mn, k);
            offsets.insert(offset);
            last = std::max(last, offset);
          }
        CAPTURE(name(mode));
        CAPTURE(bits);
        CHECK(offsets.size() == static_cast<std::size_t>(t.mn * t.k));
        CHECK(last == static_cast<std::uint32_t>((t.mn * t.k - 1) * bits / 8));
      }
}

TEST_CASE("128B K-major: unit u of row r goes to unit u ^ r; the swizzle undoes itself") {
  const Tile t = packed(Swizzle::b128, Major::K, 16, 8, 64);
  for (int mn = 0; mn < 8; ++mn)
    for (int k = 0; k < 64; ++k)
      CHECK(byte_offset(t, mn, k) ==
            static_cast<std::uint32_t>(128 * mn + 16 * ((k / 8) ^ mn) + 2 * (k % 8)));
  for (Swizzle mode : {Swizzle::none, Swizzle::b32, Swizzle::b64, Swizzle::b128})
    for (std::uint32_t offset = 0; offset < 4096; ++offset)
      REQUIRE(swizzled(swizzled(offset, mode), mode) == offset);
}

TEST_CASE("an 8x16-byte column: eight-fold conflict without a swizzle, none with 128B") {
  const auto column = [](Swizzle mode) {
    std::vector<std::uint32_t> addresses;
    for (std::uint32_t row = 0; row < 8; ++row) addresses.push_back(swizzled(128 * row, mode));
    return passes(addresses, 16);
  };
  CHECK(column(Swizzle::none) == 8);
  CHECK(column(Swizzle::b32) == 4);
  CHECK(column(Swizzle::b64) == 2);
  CHECK(column(Swizzle::b128) == 1);
  CHECK(lanes_per_phase(4) == 32);
  CHECK(lanes_per_phase(8) == 16);
  CHECK(lanes_per_phase(16) == 8);
  // Loads whose lanes want the same two by two (docs/experiments/bank_passes.md).
  std::array<std::uint32_t, 32> beside{}, apart{}, four_apart{};
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    beside[lane] = lane / 2 * 48;
    apart[lane] = (lane & ~2u) * 48;
    four_apart[lane] = (lane & ~4u) * 48;
  }
  for (const auto& addresses : {beside, apart}) {
    CHECK(lanes_per_phase_of_load(addresses, ~0u, 16) == 16);
    CHECK(lanes_per_phase_of_load(addresses, ~0u, 8) == 32);
    CHECK(lanes_per_phase_of_load(addresses, ~0u, 4) == 32);
  }
  CHECK(lanes_per_phase_of_load(four_apart, ~0u, 16) == 8);
  beside[7] += 16;
  CHECK(lanes_per_phase_of_load(beside, ~0u, 16) == 8);
  CHECK(lanes_per_phase_of_load(beside, ~(1u << 7), 16) == 16);  // who takes no part
  static_assert(bank(0) == 0 && bank(3) == 0 && bank(4) == 1 && bank(127) == 31 && bank(128) == 0);
  const std::vector<std::uint32_t> same(32, 64), stride2 = [] {
    std::vector<std::uint32_t> all;
    for (std::uint32_t lane = 0; lane < 32; ++lane) all.push_back(8 * lane);
    return all;
  }();
  CHECK(passes(same, 4) == 1);  // one word for all: a broadcast
  CHECK(passes(stride2, 4) == 2);
}

TEST_CASE("descriptor: fields where the ISA puts them") {
  CHECK(encode({}) == 0);
  CHECK(encode({0x400, 0, 0, 0, Swizzle::none}) == 0x40);
  CHECK(encode({0, 16, 0, 0, Swizzle::none}) == 1ull << 16);
  CHECK(encode({0, 0, 1024, 0, Swizzle::none}) == 64ull << 32);
  CHECK(encode({0, 0, 0, 5, Swizzle::none}) == 5ull << 49);
  CHECK(encode({0, 0, 0, 0, Swizzle::b128}) == 1ull << 62);
  CHECK(encode({0, 0, 0, 0, Swizzle::b64}) == 2ull << 62);
  CHECK(encode({0, 0, 0, 0, Swizzle::b32}) == 3ull << 62);
  CHECK(encode({0x400, 16, 1024, 0, Swizzle::b128}) == 0x4000004000010040ull);
  static_assert(decode(0x4000004000010040ull) == Descriptor{0x400, 16, 1024, 0, Swizzle::b128});
  // encode and decode undo each other over every field's corners
  for (std::uint32_t start : {0u, 16u, 0x3FFF0u})
    for (std::uint32_t lbo : {0u, 16u, 0x3FFF0u})
      for (std::uint32_t sbo : {0u, 256u, 0x3FFF0u})
        for (int base = 0; base < 8; ++base)
          for (Swizzle mode : {Swizzle::none, Swizzle::b32, Swizzle::b64, Swizzle::b128}) {
            const Descriptor d{start, lbo, sbo, base, mode};
            REQUIRE(decode(encode(d)) == d);
            REQUIRE((encode(d) & kUnusedDescriptorBits) == 0);
          }
}

TEST_CASE("descriptor: examples of the text") {
  // figure 166: encodings of LBO 16 and SBO 8; 168: 16 and 8; 169: 16 and 32; 170: 32 and 64
  const auto fields = [](const Tile& t) {
    const std::uint64_t bits = encode(descriptor_for(t, 0));
    return std::pair<int, int>(bits >> 16 & 0x3FFF, bits >> 32 & 0x3FFF);
  };
  CHECK(fields(examples()[0].tile) == std::pair(16, 8));
  CHECK(fields(examples()[1].tile) == std::pair(16, 8));
  CHECK(fields(examples()[2].tile) == std::pair(16, 32));
  CHECK(fields(examples()[3].tile) == std::pair(32, 64));
  CHECK(fields(examples()[4].tile) == std::pair(1, 16));
}

TEST_CASE("what a descriptor fetches is where the tile put it") {
  for (Swizzle mode : {Swizzle::none, Swizzle::b32, Swizzle::b64, Swizzle::b128})
    for (Major major : {Major::K, Major::MN})
      for (int bits : {8, 16, 32}) {
        if (major == Major::MN && bits != 16) continue;  // MN-major is for 16-bit types only
        const int k = 256 / bits;                        // one instruction's K
        const Tile t = packed(mode, major, bits, 64, k);
        const std::uint32_t start = 4096;
        const Descriptor d = descriptor_for(t, start);
        bool equal = true;
        for (int mn = 0; mn < 64; ++mn)
          for (int kk = 0; kk < k && (major == Major::MN || kk < atom(mode, major, bits).k ||
                                      mode == Swizzle::none);
               ++kk)
            equal = equal && fetched_byte(d, major, bits, mn, kk) == start + byte_offset(t, mn, kk);
        CAPTURE(name(mode));
        CHECK(equal);
      }
  // a K slice inside a swizzled row: the start moves by 32 bytes, the pattern does not
  const Tile t = packed(Swizzle::b128, Major::K, 16, 64, 64);
  Descriptor d = descriptor_for(t, 2048);
  d.start_bytes += 32;
  for (int mn = 0; mn < 64; ++mn)
    for (int k = 0; k < 16; ++k)
      REQUIRE(fetched_byte(d, Major::K, 16, mn, k) == 2048 + byte_offset(t, mn, 16 + k));
}

TEST_CASE("the second half of K that B of wgmma.sp has lies at LBO where a row is 32 bytes") {
  const Descriptor d{1024, 384, 512, 0, Swizzle::b32};
  CHECK(fetched_byte(d, Major::K, 8, 0, 31) == 1024 + 31);
  CHECK(fetched_byte(d, Major::K, 8, 0, 32) == ((1024 + 384) ^ 16));  // 3 rows of 128 bytes further
  CHECK(fetched_byte(d, Major::K, 8, 9, 40) == ((1024 + 384 + 512 + 32 + 8) ^ 16));
  const Descriptor wide{1024, 384, 512, 0, Swizzle::b64};
  CHECK(fetched_byte(wide, Major::K, 8, 0, 32) == 1024 + 32);
}

TEST_CASE("what is wrong with a descriptor") {
  CHECK(problem(Descriptor{}) == "");
  CHECK(problem(Descriptor{8, 0, 0, 0, Swizzle::none}) == "start 8: must be a multiple of 16");
  CHECK(problem(Descriptor{0, 1 << 18, 0, 0, Swizzle::none}) ==
        "lbo 262144: must be at most 262128");
  CHECK(problem(Descriptor{0, 0, 0, 8, Swizzle::none}) == "base 8: must be 0 to 7");
}

TEST_CASE("whose byte: every element is found where it lies, and nothing between") {
  for (int bits : {8, 16, 32}) {
    const Tile t = packed(Swizzle::b64, Major::K, bits, 16, 512 / bits);
    const Owners owners(t);
    int found = 0;
    for (std::uint32_t byte = 0; byte < 4096; ++byte) {
      const TilePlace place = owners.at(byte);
      if (place.empty()) continue;
      ++found;
      const std::uint32_t first = byte_offset(t, place.mn, place.k);
      CHECK((byte >= first && byte < first + static_cast<std::uint32_t>(bits / 8)));
    }
    CHECK(found == 16 * 64);  // 16 rows of 64 bytes
    CHECK(owners.at(1u << 20).empty());
  }
}

TEST_CASE("atoms of 32 bytes: 8x4 units, written out a second time from the ISA's table 53") {
  // An atom is 8 units of 16 bytes along MN and 4 columns of K: 32 elements of 4 bytes, 512 bytes.
  for (int mn : {32, 96, 128})
    for (int k : {4, 8, 16}) {
      const Tile t = packed_wide(mn, k);
      CHECK(t.lbo_bytes == 512);
      CHECK(t.sbo_bytes == static_cast<std::uint32_t>(16 * mn));  // four columns of the whole tile
      std::set<std::uint32_t> places;
      for (int m = 0; m < mn; ++m)
        for (int c = 0; c < k; ++c) {
          const int atom = c / 4 * (mn / 32) + m / 32;
          const int eighth = m % 32 / 8;  // 32 bytes: eight elements
          const int byte = 512 * atom + 128 * (c % 4) + 32 * (eighth ^ c % 4) + 4 * (m % 8);
          CHECK(byte_offset(t, m, c) == static_cast<std::uint32_t>(byte));
          places.insert(byte_offset(t, m, c));
        }
      CHECK(places.size() == static_cast<std::size_t>(mn * k));
      CHECK(*places.rbegin() == static_cast<std::uint32_t>(4 * mn * k - 4));  // nothing between
    }
  for (std::uint32_t offset = 0; offset < 2048; offset += 4)
    CHECK(swizzled_wide(swizzled_wide(offset)) == offset);
}

TEST_CASE("single bits: eight to a byte, 128 to a unit") {
  // .b1 of wgmma m64nNk256: K-major without a swizzle, so bit k of row 0 is in byte k / 8 of its
  // unit, and the next unit is LBO bytes on.
  Tile t{Swizzle::none, Major::K, 1, 8, 256, 128, 256, 0};
  for (int k = 0; k < 256; ++k)
    CHECK(linear_offset(t, 3, k) ==
          3u * 16 + static_cast<std::uint32_t>(k % 128 / 8 + k / 128 * 128));
}

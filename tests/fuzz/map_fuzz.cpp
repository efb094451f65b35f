// SPDX-License-Identifier: MIT
// Damages the 128 bytes of tensor maps, as a kernel may, and copies with what is accepted: every
// row keeps to the box, its part to the row, and what the copy touches to what its rows touch. Run
// it sanitized. LANESCOPE_FUZZ_ROUNDS=1000000 for a long run; the seed is written here.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>

#include "emulator/execute/tensor_box.hpp"

using namespace lanescope::emulator;

namespace {

constexpr std::uint32_t kSeed = 20261122;
constexpr int kRounds = 40000;

TensorMap original(std::mt19937& random) {
  TensorMap map;
  map.rank = 3 + static_cast<int>(random() % 3);
  map.interleave_bytes = 16 * (random() % 3);
  map.address = 1u << 20;
  map.size = {16, 4, 3, 3, 2};
  map.stride_bytes = {4, 1024, 4096, 16384, 65536};
  map.box = {8, 2, 2, 1, 1};
  map.is_im2col = random() % 2 == 0;
  map.pixels = 1 + random() % 40;
  map.type = static_cast<TensorMapType>(random() % 13);
  return map;
}

void damage(TensorMapBytes& bytes, std::mt19937& random) {
  const std::size_t at = random() % bytes.size();
  const std::uint32_t nasty[] = {0, 1, 2, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff};
  switch (random() % 4) {
    case 0:
      bytes[at] ^= static_cast<std::byte>(1u << random() % 8);
      break;
    case 1:
      bytes[at] = static_cast<std::byte>(random());
      break;
    case 2:
      std::memcpy(bytes.data() + at / 4 * 4, &nasty[random() % std::size(nasty)], 4);
      break;
    case 3:
      (void)replace_field(bytes.data(), static_cast<TensorMapField>(random() % 10), random() % 6,
                          random() % 3 == 0 ? random() : random() % 20);
      break;
  }
}

TensorPlace any_place(std::mt19937& random) {
  TensorPlace place;
  for (std::int32_t& at : place.at)
    at = random() % 16 == 0 ? static_cast<std::int32_t>(random())
                            : static_cast<std::int32_t>(random() % 5) - 1;
  for (std::uint16_t& offset : place.im2col)
    offset = static_cast<std::uint16_t>(random() % 8 == 0 ? random() : 0);
  return place;
}

int rounds() {
  const char* asked = std::getenv("LANESCOPE_FUZZ_ROUNDS");
  return asked != nullptr ? std::atoi(asked) : kRounds;
}

}  // namespace

TEST_CASE("no damage makes a tensor map's rows leave their box") {
  std::mt19937 random(kSeed);
  int refused = 0, walked = 0;
  for (int round = 0; round < rounds(); ++round) {
    TensorMapBytes bytes = encode(original(random));
    for (int count = static_cast<int>(random() % 4); count > 0; --count) damage(bytes, random);
    const auto map = decode_tensor_map(bytes.data());
    if (!map) {
      REQUIRE(!map_problem(bytes.data()).what.empty());
      ++refused;
      continue;
    }
    const TensorPlace place = any_place(random);
    const RowPart part = part_of_rows(*map, place);
    REQUIRE(map->rows() >= 1);
    REQUIRE(map->box_bytes() % map->rows() == 0);
    const std::int64_t row_bytes = map->box_bytes() / map->rows();
    REQUIRE(row_bytes <= 256 * 8);
    REQUIRE(part.begin <= part.end);
    REQUIRE(part.into >= 0);
    REQUIRE(part.into + part.end - part.begin <= row_bytes);
    const TouchedBytes touched = touched_bytes(*map, place);
    BoxRows rows(*map, place);
    for (std::uint32_t left = std::min(map->rows(), 4096u); left > 0; --left) {
      const BoxRow row = rows.next();
      if (!row.is_inside || part.begin == part.end) continue;
      REQUIRE(touched.begin <= row.address + static_cast<std::uint64_t>(part.begin));
      REQUIRE(touched.end >= row.address + static_cast<std::uint64_t>(part.end));
      ++walked;
    }
  }
  MESSAGE(refused << " refused, " << walked << " rows inside");
  CHECK(refused > rounds() / 10);
  CHECK(walked > rounds());
}

// SPDX-License-Identifier: MIT
// wgmma's descriptors on the emulator against what a card fetches: shared memory full of random
// zeros and ones, another operand too, and the products must be those of the places that the
// recording names.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "layout/descriptor.hpp"
#include "tests/golden/kernel.hpp"
#include "tests/golden/recording.hpp"
#include "tests/sample.hpp"

using namespace lanescope;
using namespace lanescope::golden;

namespace {

constexpr int kAreaBytes =
    40960;  // behind it the other operand: 48 KB is what a kernel may declare

// Random zeros and ones in the area, and in the other operand behind it.
Block random_block(const layout::Instruction& i, std::mt19937& random, std::vector<bool>& area,
                   std::vector<bool>& other) {
  const int bits = i.A.element_bits;
  Block block{slots_of(i), 128, {}, std::vector<std::byte>(kAreaBytes + 2048)};
  block.words.resize(static_cast<std::size_t>(128 * block.slots.count));
  area.resize(static_cast<std::size_t>(kAreaBytes * 8 / bits));
  for (std::size_t at = 0; at < area.size(); ++at) {
    area[at] = (random() >> 9 & 1) != 0;
    const std::uint64_t number = area[at] ? one(i.A.type) : 0;
    const std::size_t byte = at * static_cast<std::size_t>(bits) / 8;
    for (int n = 0; n < std::max(1, bits / 8); ++n)
      block.shared[byte + static_cast<std::size_t>(n)] |=
          static_cast<std::byte>(number >> (8 * n) << (bits < 8 ? at % 8 : 0));
  }
  other.resize(static_cast<std::size_t>(64 * i.K));  // [row or column][k]
  for (std::size_t at = 0; at < other.size(); ++at) {
    other[at] = (random() >> 9 & 1) != 0;
    if (other[at])
      put_tile(block.shared, kAreaBytes, 32, bits, static_cast<int>(at) / i.K,
               static_cast<int>(at) % i.K, one(i.A.type));
  }
  return block;
}

std::string replay(const std::string& name, const std::string& recorded) {
  const std::string mnemonic = name.substr(0, name.find(' '));
  const layout::Instruction* i = layout::find(mnemonic);
  REQUIRE_MESSAGE(i != nullptr, mnemonic);
  const int bits = i->A.element_bits;
  std::istringstream words(recorded);
  std::vector<std::uint32_t> places;
  for (std::uint32_t place = 0; words >> place;) places.push_back(place);
  REQUIRE(static_cast<int>(places.size()) == 64 * i->K);
  REQUIRE(*std::max_element(places.begin(), places.end()) < kAreaBytes * 8u / unsigned(bits));

  // three times other bits: two places that are swapped hide behind equal ones only now and then
  std::mt19937 random(11);
  std::vector<Block> blocks;
  std::vector<std::vector<bool>> areas, others;
  for (int n = 0; n < 3; ++n) {
    areas.emplace_back();
    others.emplace_back();
    blocks.push_back(random_block(*i, random, areas.back(), others.back()));
  }

  const bool of_a = field(name, "operand") == "A", mn = field(name, "major") == "MN";
  const std::uint64_t probed =
      layout::encode({static_cast<std::uint32_t>(number(name, "start")),
                      static_cast<std::uint32_t>(number(name, "lbo")),
                      static_cast<std::uint32_t>(number(name, "sbo")), number(name, "base"),
                      layout::swizzle_mode(field(name, "mode")).value()});
  const std::uint64_t known = k_major(kAreaBytes, 32);
  const Descriptors descriptors{of_a ? probed : known, of_a ? known : probed, of_a && mn,
                                !of_a && mn};
  const std::string why = run(group_kernel(*i, 0, descriptors, kAreaBytes + 2048), blocks);
  if (!why.empty()) return why;
  for (int part = 0; part < 3 * 128 * i->D.values; ++part) {
    const auto n = static_cast<std::size_t>(part / (128 * i->D.values));
    const int own = part % (128 * i->D.values);
    const layout::Element d = i->D.element(own / i->D.values, own % i->D.values);
    const int mine = of_a ? d.row : d.col, theirs = of_a ? d.col : d.row;
    int expected = 0;
    for (int k = 0; k < i->K; ++k)
      expected += areas[n][places[static_cast<std::size_t>(mine * i->K + k)]] &&
                  others[n][static_cast<std::size_t>(theirs * i->K + k)];
    const int found = integer(i->D.type, get(blocks[n], blocks[n].slots.D2, i->D, own));
    if (found != expected)
      return "part " + std::to_string(own) + " of D is " + std::to_string(found) +
             ", on the card " + std::to_string(expected);
  }
  return {};
}

}  // namespace

TEST_CASE("the emulator fetches through every recorded descriptor what the card fetches") {
  const Recording recording = read_recording("descriptors.txt.zst");
  const int each = tests::one_in(7);  // sanitized, all take half a minute
  int met = 0, replayed = 0;
  for (const auto& [name, operands] : recording.entries) {
    if (met++ % each != 0) continue;
    const std::string problem = replay(name, *recording.map_of(name, "from"));
    CHECK_MESSAGE(problem == "", name << ": " << problem);
    ++replayed;
  }
  CHECK(met == 1220);
  CHECK(replayed == (met + each - 1) / each);
}

// SPDX-License-Identifier: MIT
// The emulator against what a card did: matrices of random zeros and ones are laid into registers
// and shared memory as the recording says, every recorded instruction runs on the emulator, and the
// products must lie where the card has them. A part that the emulator takes for another shows as a
// wrong sum. (That the emulator and the table agree is so by construction; the recording is
// neither.)
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "layout/mover.hpp"
#include "tests/golden/kernel.hpp"
#include "tests/golden/recording.hpp"
#include "tests/sample.hpp"

using namespace lanescope;
using namespace lanescope::golden;
using layout::Fragment;
using layout::Instruction;

namespace {

const Recording& maps() {
  static const Recording recording = read_recording("maps.txt.zst");
  return recording;
}

// "4.0 4.1 ..." as numbers: for every part its place.
using Places = std::vector<std::vector<int>>;
Places parsed(const std::string& text) {
  Places all(1, std::vector<int>(1, 0));
  for (char c : text) {
    if (c == ' ')
      all.emplace_back(1, 0);
    else if (c == '.')
      all.back().push_back(0);
    else
      all.back().back() = all.back().back() * 10 + (c - '0');
  }
  return all;
}
Places places_of(const std::string& name, const std::string& operand) {
  const std::string* text = maps().map_of(name, operand);
  REQUIRE_MESSAGE(text != nullptr, name << " " << operand);
  return parsed(*text);
}

// A matrix of zeros and ones.
struct Bits {
  int rows, cols;
  std::vector<std::uint8_t> at;
  Bits(int r, int c, std::mt19937& random) : rows(r), cols(c) {
    for (int n = 0; n < r * c; ++n) at.push_back(static_cast<std::uint8_t>(random() >> 13 & 1));
  }
  bool operator()(int row, int col) const {
    return at[static_cast<std::size_t>(row * cols + col)] != 0;
  }
};
int highest(const Places& places, std::size_t index) {
  int most = 0;
  for (const std::vector<int>& place : places) most = std::max(most, place[index]);
  return most + 1;
}

// The recorder's choices (README.md), by the nibble that stands for them.
int choice(std::size_t index, std::size_t count) {
  static constexpr int kAll[] = {0x4, 0x8, 0xC, 0x9, 0xD, 0xE}, kTwo[] = {0x4, 0xE};
  return count == 2 ? kTwo[index] : kAll[index];
}

// Fills A of a block, and says what A is as a matrix: kept elements go where E sends them.
std::vector<std::uint8_t> fill_a(const Instruction& i, Block& block, const Places& places,
                                 int first_slot, int rows, int ks, std::mt19937& random) {
  std::vector<std::uint8_t> matrix(static_cast<std::size_t>(rows * ks), 0);
  const bool sparse = !i.E.empty();
  const std::size_t choices = sparse ? places.front().size() - 2 : 1;
  std::vector<std::size_t> chosen;  // one a nibble of the metadata
  for (int thread = 0; sparse && thread < block.threads; ++thread)
    for (int nibble = 0; nibble < 8; ++nibble) {
      chosen.push_back(random() / 7 % choices);
      block.slot(thread, block.slots.E) |=
          static_cast<std::uint64_t>(choice(chosen.back(), choices)) << (4 * nibble);
    }
  std::vector<int> value(matrix.size(), -1);  // copies hold the same
  for (std::size_t part = 0; part < places.size(); ++part) {
    const std::vector<int>& place = places[part];
    const std::size_t index = sparse ? chosen[static_cast<std::size_t>(place.back())] : 0;
    const auto at = static_cast<std::size_t>(place[0] * ks + place[1 + index]);
    if (value[at] < 0) value[at] = static_cast<int>(random() >> 11 & 1);
    if (value[at] == 0) continue;
    matrix[at] = 1;
    put(block, first_slot, i.A, static_cast<int>(part), one(i.A.type));
  }
  return matrix;
}

int product(const std::vector<std::uint8_t>& A, int ks, const Bits& B, int row, int col,
            bool is_xor) {
  int sum = 0;
  for (int k = 0; k < ks; ++k) {
    const bool a = A[static_cast<std::size_t>(row * ks + k)] != 0, b = B(k, col);
    sum += is_xor ? a != b : a && b;
  }
  return sum;
}

// One of the families whose operands are all in registers.
std::string replay_warp(const Instruction& i, int selector) {
  const bool loads = i.family == "wmma";  // recorded as loads and stores
  std::string a_name = i.mnemonic, b_name = i.mnemonic, c_name = i.mnemonic, d_name = i.mnemonic;
  if (loads) {
    const std::size_t at = i.mnemonic.find(".sync.aligned.") + 14;
    const std::size_t shape_at = at + 8;
    const std::string shape =
        i.mnemonic.substr(shape_at, i.mnemonic.find('.', shape_at) - shape_at);
    const auto name = [&](const char* what, std::string_view layout, const Fragment& f) {
      return fmt::format("wmma.{}.sync.aligned.{}.{}.{}", what, layout, shape,
                         layout::name(f.type));
    };
    a_name = name("load.a", i.mnemonic.substr(at, 3), i.A);
    b_name = name("load.b", i.mnemonic.substr(at + 4, 3), i.B);
    c_name = name("load.c", "row", i.C);
    d_name = name("store.d", "row", i.D);
  }
  const auto operand = [&](const char* o) { return std::string(loads ? "reg" : o); };
  const Places A = places_of(a_name, i.E.empty() ? operand("A") : fmt::format("A{}", selector));
  const Places B = places_of(b_name, operand("B")), C = places_of(c_name, operand("C"));
  const Places D = places_of(d_name, operand("D"));
  const int rows = highest(D, 0), cols = highest(D, 1), ks = highest(B, 0);
  const bool is_xor = i.mnemonic.find(".xor.popc") != std::string::npos;
  std::mt19937 random(42);
  std::vector<Block> blocks;
  std::vector<std::vector<std::uint8_t>> as;
  std::vector<Bits> bs, cs;
  for (int n = 0; n < 4; ++n) {
    Block block{slots_of(i), 32, {}, {}};
    block.words.resize(static_cast<std::size_t>(32 * block.slots.count));
    as.push_back(fill_a(i, block, A, block.slots.A, rows, ks, random));
    bs.emplace_back(ks, cols, random);
    cs.emplace_back(rows, cols, random);
    for (std::size_t part = 0; part < B.size(); ++part)
      if (bs.back()(B[part][0], B[part][1]))
        put(block, block.slots.B, i.B, static_cast<int>(part), one(i.B.type));
    for (std::size_t part = 0; part < C.size(); ++part)
      if (cs.back()(C[part][0], C[part][1]))
        put(block, block.slots.C, i.C, static_cast<int>(part), one(i.C.type));
    blocks.push_back(block);
  }
  if (std::string why = run(warp_kernel(i, selector), blocks); !why.empty()) return why;
  for (std::size_t n = 0; n < blocks.size(); ++n)
    for (std::size_t part = 0; part < D.size(); ++part) {
      const int row = D[part][0], col = D[part][1];
      const int expected = product(as[n], ks, bs[n], row, col, is_xor) + cs[n](row, col);
      const int found =
          integer(i.D.type, get(blocks[n], blocks[n].slots.D, i.D, static_cast<int>(part)));
      if (found != expected)
        return fmt::format("selector {}: part {} of D is {}, on the card {}", selector, part, found,
                           expected);
    }
  return {};
}

std::string replay_group(const Instruction& i, int selector) {
  const bool sparse = !i.E.empty();
  const Places A = places_of(i.mnemonic, sparse ? fmt::format("A{}", selector) : std::string("A"));
  const Places M = places_of(i.mnemonic, sparse ? fmt::format("M{}", selector) : std::string("M"));
  const Places D = places_of(i.mnemonic, "D");
  const int bits = i.A.element_bits, kept = 256 / bits, row_bytes = i.K * bits / 8;
  std::mt19937 random(7);
  Block block{slots_of(i), 128, {}, {}};
  block.words.resize(static_cast<std::size_t>(128 * block.slots.count));
  block.shared.resize(static_cast<std::size_t>(2048 + i.N * row_bytes));
  const std::vector<std::uint8_t> a = fill_a(i, block, A, block.slots.A, i.M, i.K, random);
  // The same kept elements in shared memory: part (row, kept) of M is where (row, k) must come
  // from.
  for (std::size_t part = 0; part < M.size(); ++part) {
    const std::vector<int>& place = M[part];
    const std::size_t choices = sparse ? place.size() - 2 : 1;
    std::size_t index = 0;
    if (sparse) {
      const int thread = place.back() / 8, nibble = place.back() % 8;
      const auto word = block.slot(thread, block.slots.E) >> (4 * nibble) & 15;
      while (static_cast<std::uint64_t>(choice(index, choices)) != word) ++index;
    }
    if (a[static_cast<std::size_t>(place[0] * i.K + place[1 + index])] != 0)
      put_tile(block.shared, 0, 32, bits, static_cast<int>(part) / kept,
               static_cast<int>(part) % kept, one(i.A.type));
  }
  const Fragment b_type = [&] {  // B has no fragment; its type is the last of the name's
    Fragment f = i.A;
    std::string name = i.mnemonic.substr(0, i.mnemonic.find(".and.popc"));
    f.type = layout::element_type(name.substr(name.rfind('.') + 1)).value();
    return f;
  }();
  const Bits b(i.K, i.N, random), c(i.M, i.N, random);
  for (int n = 0; n < i.N; ++n)
    for (int k = 0; k < i.K; ++k)
      if (b(k, n)) put_tile(block.shared, 2048, row_bytes, bits, n, k, one(b_type.type));
  for (std::size_t part = 0; part < D.size(); ++part)
    if (c(D[part][0], D[part][1]))
      for (int first : {block.slots.D, block.slots.D2})
        put(block, first, i.D, static_cast<int>(part), one(i.D.type));
  std::vector<Block> blocks{block};
  const Descriptors descriptors{k_major(0, 32), k_major(2048, row_bytes), false, false};
  if (std::string why = run(
          group_kernel(i, selector, descriptors, static_cast<int>(block.shared.size())), blocks);
      !why.empty())
    return why;
  for (std::size_t part = 0; part < D.size(); ++part) {
    const int row = D[part][0], col = D[part][1];
    const int expected = product(a, i.K, b, row, col, false) + c(row, col);
    for (int first : {block.slots.D, block.slots.D2}) {
      const int found = integer(i.D.type, get(blocks[0], first, i.D, static_cast<int>(part)));
      if (found != expected)
        return fmt::format("selector {}, A in {}: part {} of D is {}, on the card {}", selector,
                           first == block.slots.D ? "registers" : "shared memory", part, found,
                           expected);
    }
  }
  return {};
}

// Sanitized, the whole recording takes minutes: each 17th.
const int kEach = tests::one_in(17);
int sampled(int instructions) { return (instructions + kEach - 1) / kEach; }

// How many instructions of the family, or of each kEach of them, are right.
int replay(std::string_view family, std::string (*one_selector)(const Instruction&, int)) {
  int right = 0, met = 0;
  for (const Instruction& i : layout::instructions()) {
    if (i.family != family || maps().entries.count(i.mnemonic) == 0) continue;
    if (met++ % kEach != 0) continue;
    bool all = true;
    for (int selector = 0; selector < std::max<int>(1, static_cast<int>(i.E.size())); ++selector) {
      const std::string problem = one_selector(i, selector);
      CHECK_MESSAGE(problem.empty(), i.mnemonic << ": " << problem);
      all = all && problem.empty();
    }
    right += all ? 1 : 0;
  }
  return right;
}

}  // namespace

TEST_CASE("mma.sync on the emulator meets what it meets on the card") {
  CHECK(replay("mma", replay_warp) == sampled(70));
}

TEST_CASE("mma.sp on the emulator, with every selector and random metadata") {
  CHECK(replay("mma.sp", replay_warp) == sampled(56));
}

TEST_CASE("wmma.mma on the emulator, in fragments as the card loads and stores them") {
  CHECK(replay("wmma", replay_warp) == sampled(96));
}

TEST_CASE("wgmma on the emulator, A in registers and in shared memory") {
  CHECK(replay("wgmma", replay_group) == sampled(474));
}

TEST_CASE("wgmma.sp on the emulator, with every selector and random metadata") {
  CHECK(replay("wgmma.sp", replay_group) == sampled(456));
}

TEST_CASE("ldmatrix, stmatrix and movmatrix on the emulator") {
  int replayed = 0;
  for (const layout::Mover& m : layout::movers()) {
    if (maps().entries.count(m.mnemonic) == 0) continue;
    const Places reg = places_of(m.mnemonic, "reg");
    const int registers = m.registers.registers();
    // lane l's address is row l; slots 0 to 3 are the data
    std::string list;
    for (int r = 0; r < registers; ++r) list += fmt::format("{}%s{}", r == 0 ? "" : ",", r);
    const std::string address = "shl.b32 %r6,%r1,4;\nadd.u32 %r6,%r3,%r6;\n";
    std::string body = address;
    if (m.family == "ldmatrix") body += fmt::format("{} {{{}}},[%r6];\n", m.mnemonic, list);
    if (m.family == "stmatrix") body += fmt::format("{} [%r6],{{{}}};\n", m.mnemonic, list);
    if (m.family == "movmatrix") body += fmt::format("{} %s0,%s0;\n", m.mnemonic);
    Block block{{.count = 4}, 32, std::vector<std::uint64_t>(128), std::vector<std::byte>(512)};
    const bool loads = m.family == "ldmatrix";
    for (int n = 0; loads && n < 256; ++n)
      block.shared[static_cast<std::size_t>(2 * n)] = std::byte(n);
    for (int part = 0; !loads && part < 64 * registers; ++part)
      block.slot(part / (2 * registers), part % (2 * registers) / 2) |=
          static_cast<std::uint64_t>(part) << (16 * (part % 2));
    std::vector<Block> blocks{block};
    const std::string why = run(plain_kernel(body, 4, 512), blocks);
    REQUIRE_MESSAGE(why == "", m.mnemonic << ": " << why);
    bool equal = true;
    for (int part = 0; part < 64 * registers; ++part) {
      const std::vector<int>& place = reg[static_cast<std::size_t>(part)];
      const int element = 8 * place[0] + place[1];
      const std::uint64_t word = blocks[0].slot(part / (2 * registers), part % (2 * registers) / 2);
      const auto in_register = static_cast<int>(word >> (16 * (part % 2)) & 0xffff);
      const auto stored =
          std::to_integer<int>(blocks[0].shared[static_cast<std::size_t>(2 * element)]);
      // movmatrix: the source's part 2*lane + half is element (lane/4, 2*(lane%4) + half)
      equal = equal && (m.family == "stmatrix" ? stored == part : in_register == element);
    }
    CHECK_MESSAGE(equal, m.mnemonic);
    ++replayed;
  }
  CHECK(replayed == 13);
}

// SPDX-License-Identifier: MIT
// Operands whose k is in an order of its own, or packed: right if the other one, or who packed it,
// has the same. See origins.hpp.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "panels/way/origins.hpp"
#include "panels/way/places.hpp"

namespace lanescope::viz {

using layout::Element;

std::optional<std::vector<int>> order_of_k(const Multiplication& in, char operand,
                                           const OriginCheck& check) {
  if (check.came_from.empty()) return std::nullopt;  // there may be no map either
  const layout::Fragment map = in_bytes(*in.map(operand)).map;
  const bool is_a = operand == 'A';
  std::vector<int> order(static_cast<std::size_t>(is_a ? map.cols : map.rows), -1);
  for (int row = 0; row < map.rows; ++row)
    for (int col = 0; col < map.cols; ++col) {
      const Element& from = check.came_from[static_cast<std::size_t>(row * map.cols + col)];
      int& known = order[static_cast<std::size_t>(is_a ? col : row)];
      if ((is_a ? from.row : from.col) != (is_a ? row : col)) return std::nullopt;
      if (known >= 0 && known != (is_a ? from.col : from.row)) return std::nullopt;
      known = is_a ? from.col : from.row;
    }
  // A k that is there twice takes the place of another, whatever the other operand does.
  const std::set<int> distinct(order.begin(), order.end());
  if (distinct.size() != order.size()) return std::nullopt;
  return order;
}

namespace {

// "k 0, 1, 2, 3, ... are its elements 0, 4, 1, 5, ...": of one line along k, where all are alike.
std::string order_text(const std::vector<int>& order) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> there;
  for (std::size_t k = 0; k < std::min(order.size(), kMost); ++k)
    there.push_back(std::to_string(order[k]));
  return fmt::format("k 0, 1, 2, ... are elements {}{}", fmt::join(there, ", "),
                     order.size() > kMost ? ", ..." : "");
}

// Whether every element is 1024 and the number that its bits are: f16 has both side by side.
bool is_above_1024(const Multiplication& in, char operand, int bits) {
  const layout::Fragment& map = *in.map(operand);
  constexpr std::uint64_t k1024 = 0x6400;
  if (map.type != layout::ElementType::f16) return false;
  for (int row = 0; row < map.rows; ++row)
    for (int col = 0; col < map.cols; ++col) {
      const auto value = element_bits(in, operand, in.holder(operand, row, col));
      if (!value || *value >> bits != k1024 >> bits) return false;
    }
  return true;
}

std::string bits_of(const Came& one) {
  return fmt::format("bits {} to {} of {}", one.bit, one.bit + one.bits - 1,
                     without_space(one.place));
}

// Two elements that are one and the same of those side by side in a word; "": there are none.
std::string same_twice(char operand, const std::vector<Came>& all, int cols) {
  std::map<std::pair<std::uint64_t, int>, std::size_t> known;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k].zero) continue;
    const auto [first, is_new] = known.try_emplace({all[k].address, all[k].bit}, k);
    if (is_new) continue;
    const auto name = [&](std::size_t at) {
      return fmt::format("{}[{}][{}]", operand, static_cast<int>(at) / cols,
                         static_cast<int>(at) % cols);
    };
    return fmt::format("{} and {} are both made of {}", name(first->second), name(k),
                       bits_of(all[k]));
  }
  return {};
}

}  // namespace

// Numbers of a few bits, several in a byte. Which of a word is which k is for who packed it to
// say; but each is one k's alone.
OriginCheck judge_packed(const Multiplication& in, char operand, const std::vector<Came>& all) {
  const int cols = in.map(operand)->cols, bits = all.front().bits, each = 8 / bits;
  if (std::string twice = same_twice(operand, all, cols); !twice.empty())
    return mistaken(kBitsTwice, std::move(twice), kBitsTwiceAdvice);
  OriginCheck check;
  if (is_above_1024(in, operand, bits)) {
    check.diagnosis.mistake = fmt::format(
        "every element of {} is 1024 and {} bits: right if what that adds to the sums is taken off "
        "behind, wrong if 1024 should have been taken off each",
        operand, bits);
    return check;
  }
  std::vector<Came> places = all;  // counted by its bits, not by bytes
  for (Came& one : places) {
    one.address =
        one.address * static_cast<std::uint64_t>(each) + static_cast<std::uint64_t>(one.bit / bits);
    one.base *= static_cast<std::uint64_t>(each);
    one.bits = 8;
    one.bit = 0;
  }
  check = judge_origins(in, operand, places);
  for (const Came& one : all)
    check.bits.emplace(one.address * 8 + static_cast<std::uint64_t>(one.bit), bits_of(one));
  if (check.tile) {
    const auto first = std::min_element(all.begin(), all.end(), [](const Came& a, const Came& b) {
      return std::pair(a.address, a.bit) < std::pair(b.address, b.bit);
    });
    check.lies = fmt::format("{}, {} bits each, from {} on",
                             lines_apart(check.tile->columns, check.tile->apart / each), bits,
                             without_space(first->place));
  }
  if (check.diagnosis.verdict == trace::Verdict::right) return check;
  const auto order = order_of_k(in, operand, check);
  check.packed = fmt::format(
      "{} of {} bits lies packed{}: right if it was packed so before, wrong if k lies in order",
      operand, bits, order ? ", " + order_text(*order) : "");
  return check;
}

void leave_packed(OriginCheck& check) {
  if (check.packed.empty() || check.diagnosis.verdict == trace::Verdict::right) return;
  check.diagnosis = {};
  check.diagnosis.mistake = check.packed;
  check.tile.reset();
}

bool same_order_of_k(const Multiplication& in, const OriginCheck& a, const OriginCheck& b) {
  const auto of_a = order_of_k(in, 'A', a);
  return of_a && of_a == order_of_k(in, 'B', b);
}

void name_order_of_k(const Multiplication& in, char operand, OriginCheck& check,
                     const OriginCheck& other) {
  const char beside = operand == 'A' ? 'B' : 'A';
  if (check.diagnosis.verdict != trace::Verdict::unknown) return;
  const auto own = order_of_k(in, operand, check), its = order_of_k(in, beside, other);
  if (!own || !its) return;
  std::size_t k = 0;
  while (k < own->size() && (*own)[k] == (*its)[k]) ++k;
  if (k == own->size()) return;
  const ByteMap bytes = in_bytes(*in.map(operand));
  const int each = bytes.row * bytes.col;
  name_mistake(
      check.diagnosis, "k-order",
      fmt::format("its k is in another order than that of {}: k {} is multiplied by {}'s k {}",
                  beside, (*own)[k] * each, beside, (*its)[k] * each),
      "the k that a lane has in a register must be the same in A and in B: `lanescope layout` "
      "says which these are");
}

void leave_reordered(const Multiplication& in, char operand, OriginCheck& check,
                     const OriginCheck& other) {
  if (!is_wrong(check.diagnosis.verdict) || !other.came_from.empty() ||
      !order_of_k(in, operand, check))
    return;
  check.diagnosis = {};
  check.diagnosis.mistake =
      fmt::format("its k is in another order, and that of {} is not known: right if it is the same",
                  operand == 'A' ? 'B' : 'A');
  check.tile.reset();
}

const std::vector<trace::KnownMistake>& known_packed_mistakes() {
  static const std::vector<trace::KnownMistake> all{
      {"bits-twice", "bits of a word of packed weights that become two elements: no shift"}};
  return all;
}

}  // namespace lanescope::viz

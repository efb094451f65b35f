// SPDX-License-Identifier: MIT
#include "layout/beside.hpp"

#include <algorithm>

namespace lanescope::layout {
namespace {

using Holders = std::vector<std::vector<Holder>>;

std::size_t index_in(const Beside& both, const Element& e) {
  return static_cast<std::size_t>((e.matrix * both.rows + e.row) * both.cols + e.col);
}

/// Of every element of what has room for both, those who hold it, in thread order.
Holders holders_of(const Beside& both, const Fragment& map) {
  Holders all(both.cells.size());
  for (const Held& held : register_layout(map))
    if (map.contains(held.element)) all[index_in(both, held.element)].push_back(held.holder);
  return all;
}

Alike how(const std::vector<Holder>& a, const std::vector<Holder>& b, bool as_wide) {
  if (a.empty() && b.empty()) return Alike::nobody;
  if (a.empty()) return Alike::b_alone;
  if (b.empty()) return Alike::a_alone;
  const auto equal = [&](auto&& same) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
  };
  const auto thread = [](const Holder& x, const Holder& y) { return x.thread == y.thread; };
  const auto place = [&](const Holder& x, const Holder& y) {
    return thread(x, y) && x.register_index == y.register_index;
  };
  const auto bits = [&](const Holder& x, const Holder& y) { return place(x, y) && x.bit == y.bit; };
  if (!equal(thread)) return Alike::threads;
  if (!equal(place)) return Alike::place;
  return as_wide && equal(bits) ? Alike::same : Alike::bits;
}

// C is left out where it is held as D is.
bool as_d(const MapOf& of) {
  const Instruction& i = *of.instruction;
  if (i.C.operand == '?') return true;
  return i.D.operand != '?' && beside(i.C, i.D).one_map();
}

MapOf with_map(MapOf of, char operand) {
  if (of.mover != nullptr) {
    of.map = &of.mover->registers;
    return of;
  }
  of.map = of.instruction->operand(operand);
  if (of.map != nullptr && of.map->values == 0) of.map = nullptr;
  if (operand == 'E') of.selector = 0;
  return of;
}

}  // namespace

int Beside::in_both() const {
  return count(Alike::same) + count(Alike::bits) + count(Alike::place) + count(Alike::threads);
}

Beside beside(const Fragment& a, const Fragment& b) {
  Beside both;
  both.maps = {&a, &b};
  both.rows = std::max(a.rows, b.rows);
  both.cols = std::max(a.cols, b.cols);
  both.matrices = std::max(a.matrices, b.matrices);
  both.cells.resize(static_cast<std::size_t>(both.matrices * both.rows * both.cols));
  const Holders in_a = holders_of(both, a), in_b = holders_of(both, b);
  const bool as_wide = a.payload_bits() == b.payload_bits();
  for (std::size_t at = 0; at < both.cells.size(); ++at) {
    both.cells[at] = how(in_a[at], in_b[at], as_wide);
    ++both.counts[static_cast<std::size_t>(both.cells[at])];
  }
  return both;
}

std::vector<Pair> pairs(const MapOf& a, const MapOf& b, char operand) {
  std::string all = "ABCDEST";
  for (const MapOf* of : {&a, &b})
    if (of->mover != nullptr) all = of->mover->memory == MoverMemory::result ? "D" : "A";
  const bool moves = a.mover != nullptr || b.mover != nullptr;
  if (operand != 0 && (a.mover == nullptr || b.mover == nullptr)) all = operand;
  std::vector<Pair> found;
  for (const char letter : all) {
    const Pair pair{letter, with_map(a, letter), with_map(b, letter)};
    if (pair.a.map == nullptr && pair.b.map == nullptr) continue;
    if (letter == 'C' && operand == 0 && !moves && as_d(a) && as_d(b)) continue;
    found.push_back(pair);
  }
  return found;
}

}  // namespace lanescope::layout

// SPDX-License-Identifier: MIT
#include "tests/golden/expected.hpp"

#include <map>
#include <tuple>

namespace lanescope::golden {
namespace {

using namespace layout;

struct Names {
  std::map<std::pair<int, int>, int> known;
  int of(int matrix, int index) {
    return known.try_emplace({matrix, index}, static_cast<int>(known.size())).first->second;
  }
};

// All parts, thread by thread, value by value.
std::vector<Element> parts(const Fragment& f) {
  std::vector<Element> all;
  for (int thread = 0; thread < f.threads(); ++thread)
    for (int value = 0; value < f.values; ++value) all.push_back(f.element(thread, value));
  return all;
}

void append(std::string& text, const std::vector<int>& numbers) {
  if (!text.empty()) text += ' ';
  const char* dot = "";
  for (int number : numbers) text += dot + std::to_string(number), dot = ".";
}

// The choices of a nibble of metadata, in the recorder's order. An index of .tf32 takes the nibble.
const std::vector<int>& choices(const Fragment& E) {
  static const std::vector<int> all{0x4, 0x8, 0xC, 0x9, 0xD, 0xE}, tf32{0x4, 0xE};
  return E.element_bits == 4 ? tf32 : all;
}

// Who places stored column `s` of A: which nibble of whose metadata, and where in K each choice
// puts it (9.7.14.6.1: 2 of 4 elements, 1 of 2 for .tf32, 2 of 4 pairs for 4-bit types).
struct Placed {
  int nibble;
  std::vector<int> k;
};
Placed place(const Instruction& i, const Fragment& E, int row, int s) {
  const int shared = i.K / 2 / E.cols;  // elements of A that share an index: 2 for 4-bit types
  const std::vector<Holder> held = holders(E, {row, s / shared, 0});
  Placed placed{held.front().thread * 8 + held.front().bit / 4, {}};
  for (int choice : choices(E)) {
    if (E.element_bits == 4) {
      placed.k.push_back(2 * s + (choice == 0xE ? 1 : 0));
    } else {
      const int index = choice >> (held.front().bit % 4) & 3;
      placed.k.push_back((s / shared / 2 * 4 + index) * shared + s % shared);
    }
  }
  return placed;
}

}  // namespace

Renamed renamed(const Instruction& i) {
  Renamed r;
  Names rows, cols, ks;
  for (const Element& e : parts(i.D))
    append(r.D, {rows.of(e.matrix, e.row), cols.of(e.matrix, e.col)});
  for (const Element& e : parts(i.C))
    append(r.C, {rows.of(e.matrix, e.row), cols.of(e.matrix, e.col)});
  for (const Element& e : parts(i.B))
    append(r.B, {ks.of(e.matrix, e.row), cols.of(e.matrix, e.col)});
  if (i.E.empty())
    for (const Element& e : parts(i.A))
      append(r.A, {rows.of(e.matrix, e.row), ks.of(e.matrix, e.col)});
  for (const Fragment& E : i.E) {
    std::string text;
    for (const Element& e : parts(i.A)) {
      const Placed placed = place(i, E, e.row, e.col);
      std::vector<int> numbers{rows.of(0, e.row)};
      for (int k : placed.k) numbers.push_back(ks.of(0, k));
      numbers.push_back(placed.nibble);
      append(text, numbers);
    }
    r.sparse_A.push_back(text);
  }
  return r;
}

Named named(const Instruction& i) {
  Named n;
  n.D = places(i.D);
  n.A = places(i.A);
  if (i.E.empty())
    for (int row = 0; row < i.M; ++row)
      for (int k = 0; k < i.K; ++k) append(n.M, {row, k});
  for (const Fragment& E : i.E) {
    const auto line = [&](std::string& text, int row, int s) {
      const Placed placed = place(i, E, row, s);
      std::vector<int> numbers{row};
      numbers.insert(numbers.end(), placed.k.begin(), placed.k.end());
      numbers.push_back(placed.nibble);
      append(text, numbers);
    };
    std::string a, m;
    for (const Element& e : parts(i.A)) line(a, e.row, e.col);
    for (int row = 0; row < i.M; ++row)
      for (int s = 0; s < i.K / 2; ++s) line(m, row, s);
    n.sparse_A.push_back(a);
    n.sparse_M.push_back(m);
  }
  return n;
}

std::string places(const Fragment& f) {
  std::string text;
  for (const Element& e : parts(f)) append(text, {e.row, e.col});
  return text;
}

}  // namespace lanescope::golden

// SPDX-License-Identifier: MIT
#include "tests/golden/expected.hpp"

#include <map>
#include <type_traits>

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

/// A fragment as a key: the same bytes are the same map.
std::string bytes_of(const Fragment& f) {
  static_assert(std::is_trivially_copyable_v<Fragment>);
  return {reinterpret_cast<const char*>(&f), sizeof f};
}

/// Of all 930 wgmma a few dozen have maps of their own; each is written out once.
template <class Text, class Write>
const Text& once(std::map<std::string, Text>& known, const std::string& key, const Write& write) {
  const auto [at, is_new] = known.try_emplace(key);
  if (is_new) at->second = write();
  return at->second;
}

/// Of a sparse A: its registers, and the matrix in shared memory.
using Sparse = std::pair<std::string, std::string>;
Sparse sparse_texts(const Instruction& i, const Fragment& E) {
  const auto line = [&](std::string& text, int row, int s) {
    const Placed placed = place(i, E, row, s);
    std::vector<int> numbers{row};
    numbers.insert(numbers.end(), placed.k.begin(), placed.k.end());
    numbers.push_back(placed.nibble);
    append(text, numbers);
  };
  Sparse texts;
  for (const Element& e : parts(i.A)) line(texts.first, e.row, e.col);
  for (int row = 0; row < i.M; ++row)
    for (int s = 0; s < i.K / 2; ++s) line(texts.second, row, s);
  return texts;
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
  static std::map<std::string, std::string> maps;
  static std::map<std::string, Sparse> sparse;
  Named n;
  n.D = once(maps, bytes_of(i.D), [&] { return places(i.D); });
  n.A = once(maps, bytes_of(i.A), [&] { return places(i.A); });
  if (i.E.empty())
    for (int row = 0; row < i.M; ++row)
      for (int k = 0; k < i.K; ++k) append(n.M, {row, k});
  for (const Fragment& E : i.E) {
    const std::string key =
        bytes_of(E) + bytes_of(i.A) + std::to_string(i.M) + "x" + std::to_string(i.K);
    const auto& [a, m] = once(sparse, key, [&] { return sparse_texts(i, E); });
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

// SPDX-License-Identifier: MIT
#include "layout/tiled_mma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "layout/cute_layout.hpp"
#include "layout/cute_words.hpp"
#include "layout/match.hpp"
#include "layout/query.hpp"

namespace lanescope::layout {
namespace {

using cute::arguments;
using cute::without_namespaces;

constexpr std::array<std::string_view, 2> kBegins{"make_tiled_mma(", "TiledMMA<"};
constexpr int kMostBits = 8;  // of a thread's index, and of a value's

using Sizes = std::array<int, 3>;  // along m, n and k

bool is_power_of_two(std::int64_t number) { return number > 0 && (number & (number - 1)) == 0; }

// A direction of an operand: is it its rows, its columns, or none of them?
Move step(char operand, int direction, int size) {
  const bool rows = operand == 'B' ? direction == 2 : direction == 0;
  const bool cols = operand == 'A' ? direction == 2 : direction == 1;
  return rows ? row(size) : cols ? col(size) : stay();
}

bool add_bits(Moves& moves, char operand, int direction, int size, int count) {
  for (int times = 1; times < count; times *= 2) {
    if (moves.count == kMostBits) return false;
    moves.bits[static_cast<std::size_t>(moves.count++)] = step(operand, direction, size * times);
  }
  return true;
}

struct Tiling {
  Sizes atom, atoms, tile;
  std::array<int, 3> order{0, 1, 2};  // of directions, as threads count through the atoms
  // Where the tile's rows, columns and k lie in the matrix; as they are where it is a number.
  std::array<CuteLayout, 3> lies{};
};

// The rows and columns of an operand where the tile's permutations put them. A permutation that
// moves every bit of a coordinate by itself moves what a bit of thread or value adds.
std::string permuted(const Tiling& t, Fragment& whole) {
  const char operand = whole.operand;
  const auto at = [&](int direction, int coordinate) {
    const CuteLayout& lies = t.lies[static_cast<std::size_t>(direction)];
    return static_cast<int>(linear_index(lies, coordinate));
  };
  const int of_rows = operand == 'B' ? 2 : 0, of_cols = operand == 'A' ? 2 : 1;
  const auto is_step = [](int far) { return far == 0 || is_power_of_two(far); };
  const Fragment as_it_was = whole;
  bool by_bits = true;
  for (Moves* moves : {&whole.thread, &whole.value})
    for (Move& move : moves->bits) {
      move.row = at(of_rows, move.row), move.col = at(of_cols, move.col);
      by_bits = by_bits && is_step(move.row) && is_step(move.col);
    }
  for (int thread = 0; thread < whole.threads(); ++thread)
    for (int value = 0; value < whole.values; ++value) {
      const Element was = as_it_was.element(thread, value), is = whole.element(thread, value);
      by_bits = by_bits && is.row == at(of_rows, was.row) && is.col == at(of_cols, was.col);
    }
  return by_bits ? "" : "permutations are of extents and strides that are powers of two";
}

// One operand of the tile; why it cannot be one, or "".
std::string tiled(const Fragment& atom, const Tiling& t, Fragment& whole) {
  const char operand = atom.operand;
  whole = atom;
  const auto along = [&](int direction) { return t.tile[static_cast<std::size_t>(direction)]; };
  whole.rows = along(operand == 'B' ? 2 : 0);
  whole.cols = along(operand == 'A' ? 2 : 1);
  for (const int direction : t.order) {
    const auto d = static_cast<std::size_t>(direction);
    if (!add_bits(whole.thread, operand, direction, t.atom[d], t.atoms[d]))
      return fmt::format("more than {} threads", 1 << kMostBits);
  }
  // m before n, and either before k.
  for (const int direction : {0, 1, 2}) {
    const auto d = static_cast<std::size_t>(direction);
    const int rest = t.tile[d] / (t.atom[d] * t.atoms[d]);
    if (rest == 1 || step(operand, direction, 1) == stay()) continue;
    if (!is_power_of_two(whole.values))
      return fmt::format("an atom whose {} values a thread are no power of two, more than once",
                         whole.values);
    if (!add_bits(whole.value, operand, direction, t.atom[d] * t.atoms[d], rest))
      return fmt::format("more than {} values a thread", 1 << kMostBits);
    whole.values *= rest;
  }
  return permuted(t, whole);
}

// The numbers of "(2,2,1)" or "(2,2)"; where fewer than three are said the others are 1.
bool read_sizes(const IntTuple& tuple, Sizes& sizes) {
  sizes = {1, 1, 1};
  if (tuple.parts.size() < 2 || tuple.parts.size() > 3) return false;
  for (std::size_t d = 0; d < tuple.parts.size(); ++d) {
    if (!tuple.parts[d].is_number()) return false;
    sizes[d] = static_cast<int>(tuple.parts[d].number);
  }
  return true;
}

// How many atoms lie along m, n and k, and in which order threads count through them.
std::string read_atoms(std::string_view words, Tiling& t) {
  const CuteReading reading = read_cute_layout(words);
  if (!reading.problem.empty()) return reading.problem;
  Sizes strides;
  if (!read_sizes(reading.layout.shape, t.atoms) || !read_sizes(reading.layout.stride, strides))
    return fmt::format("'{}' is no layout of atoms along m, n and k, as (2,2,1) is", words);
  std::sort(t.order.begin(), t.order.end(), [&](int a, int b) {
    return strides[static_cast<std::size_t>(a)] < strides[static_cast<std::size_t>(b)];
  });
  std::int64_t next = 1;
  for (const int direction : t.order) {
    const auto d = static_cast<std::size_t>(direction);
    if (!is_power_of_two(t.atoms[d]))
      return fmt::format("{} atoms along {} are no power of two", t.atoms[d], "mnk"[d]);
    if (t.atoms[d] > 1 && strides[d] != next)
      return fmt::format("the layout of atoms {} leaves threads out", text(reading.layout));
    next *= t.atoms[d];
  }
  return {};
}

// Tile<_32,_32,_16>; in the place of a number may be a layout of as many, or _ for the atoms' own.
std::string read_tile(const std::vector<std::string_view>& given, Tiling& t) {
  std::vector<std::string_view> asked{"_", "_", "_"};
  if (given.size() == 3) {
    const std::size_t open = given[2].find_first_of("(<");
    asked.clear();
    if (open != given[2].npos) asked = arguments(given[2].substr(open + 1));
    if (asked.size() != 3)
      return fmt::format("'{}' is no tile of three numbers, as Tile<_32,_32,_16> is", given[2]);
  }
  for (std::size_t d = 0; d < 3; ++d) {
    const int least = t.atom[d] * t.atoms[d];
    const std::string_view words = without_namespaces(asked[d]);
    const CuteReading reading = read_cute_layout(
        words == "_" || words == "Underscore" ? std::to_string(least) : std::string(words));
    if (!reading.problem.empty()) return reading.problem;
    t.lies[d] = reading.layout;
    t.tile[d] = static_cast<int>(size(reading.layout));
    if (t.tile[d] % least != 0 || !is_power_of_two(t.tile[d] / least))
      return fmt::format("{} along {} is not the atoms' {}, nor that times a power of two",
                         t.tile[d], "mnk"[d], least);
    if (coordinates_by_index(reading.layout).empty())
      return fmt::format("{} along {} is no permutation of {}", text(reading.layout), "mnk"[d],
                         t.tile[d]);
  }
  return {};
}

const Instruction* atom_named(std::string_view words, std::string& problem) {
  std::vector<const Instruction*> found;
  const bool is_blank = words.find_first_not_of(' ') == words.npos;
  if (!is_tiled_mma(words) && !is_blank) found = look_up(words).instructions;
  if (found.empty()) {
    problem = fmt::format("no atom is called '{}'", words);
    return nullptr;
  }
  if (const Instruction* dense = only_dense(found); dense != nullptr) found = {dense};
  const Instruction& atom = *found.front();
  for (const Instruction* each : found)
    if (!same_maps(atom, *each)) {
      problem = fmt::format("'{}' is {}, {} and others: name one of them", words, atom.mnemonic,
                            each->mnemonic);
      return nullptr;
    }
  if (!atom.E.empty() || atom.SFA.operand == 'S' || atom.D.matrices > 1)
    problem = fmt::format("{} has metadata, scales or quad-pairs, which have no tile here",
                          atom.mnemonic);
  return &atom;
}

std::string make(std::string_view words, Instruction& whole) {
  const std::size_t open = words.find_first_of("(<");
  const std::vector<std::string_view> given = arguments(words.substr(open + 1));
  if (given.empty()) return "its last bracket is missing";
  if (given.size() > 3) return "it has an atom, a layout of atoms and a tile, no more";
  std::string problem;
  const Instruction* atom = atom_named(given[0], problem);
  if (!problem.empty()) return problem;
  Tiling t{.atom = {atom->M, atom->N, atom->K}, .atoms = {1, 1, 1}, .tile = {}};
  if (given.size() > 1) problem = read_atoms(given[1], t);
  if (problem.empty()) problem = read_tile(given, t);
  if (!problem.empty()) return problem;
  whole = *atom;
  const auto triple = [](const Sizes& s) { return fmt::format("({},{},{})", s[0], s[1], s[2]); };
  Sizes strides{};
  int next = 1;
  for (const int direction : t.order) {
    const auto d = static_cast<std::size_t>(direction);
    strides[d] = t.atoms[d] > 1 ? next : 0;
    next *= t.atoms[d];
  }
  const auto along = [&](std::size_t d) {
    const CuteLayout& lies = t.lies[d];
    return lies.shape.is_number() ? text(lies.shape) : text(lies);
  };
  whole.mnemonic = fmt::format("make_tiled_mma({}, {}:{}, ({},{},{}))", atom->mnemonic,
                               triple(t.atoms), triple(strides), along(0), along(1), along(2));
  whole.family = "TiledMMA";
  whole.M = t.tile[0], whole.N = t.tile[1], whole.K = t.tile[2];
  whole.source = "CUTLASS, cute/atom/mma_atom.hpp";
  whole.standing = Standing::derived;
  for (const auto& [from, to] : {std::pair{&atom->A, &whole.A},
                                 {&atom->B, &whole.B},
                                 {&atom->C, &whole.C},
                                 {&atom->D, &whole.D}})
    if (from->operand != '?')
      if (problem = tiled(*from, t, *to); !problem.empty()) return problem;
  return {};
}

}  // namespace

bool is_tiled_mma(std::string_view words) {
  words = without_namespaces(words);
  return std::any_of(kBegins.begin(), kBegins.end(), [&](std::string_view begin) {
    return words.substr(0, begin.size()) == begin;
  });
}

TiledMma tiled_mma(std::string_view words) {
  static std::mutex guard;
  static std::map<std::string, std::unique_ptr<const Instruction>, std::less<>> made;
  words = without_namespaces(words);
  const std::scoped_lock lock(guard);
  if (const auto known = made.find(words); known != made.end()) return {known->second.get(), {}};
  auto whole = std::make_unique<Instruction>();
  if (std::string problem = make(words, *whole); !problem.empty())
    return {nullptr, "TiledMMA: " + problem};
  return {made.emplace(words, std::move(whole)).first->second.get(), {}};
}

}  // namespace lanescope::layout

// SPDX-License-Identifier: MIT
// What no list of mistakes has foreseen: how far row and column go on in an answer when the lane,
// the register or the byte does, beside how far they should. Whoever has a factor wrong, whichever,
// is told which; and where that is not it, whether rows or columns are right by themselves, and
// what the wrong elements have in common.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace strides {

struct Place {
  int row, col;
};

/// A part of what an element is asked by: "lane % 4", which has 4 values.
struct Part {
  std::string words;
  int values;
};

/// An exercise's maps, from a value for each part. `found`: nothing where the answer has no element
/// of the matrix. `agrees`: whether the answer has there what lies at a place.
struct Maps {
  std::vector<Part> parts;
  std::function<Place(const std::vector<int>&)> right;
  std::function<std::optional<Place>(const std::vector<int>&)> found;
  std::function<bool(const std::vector<int>&, Place)> agrees;
  const char *row = "row", *col = "column";
};

/// Goes to the next values; false: those were the last.
inline bool next(const std::vector<Part>& parts, std::vector<int>& values) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (++values[i] < parts[i].values) return true;
    values[i] = 0;
  }
  return false;
}

/// "with lane % 4 the column grows by 2, not by 4"
inline std::string grows(const std::string& part, const std::string& what, int by, int wanted) {
  return "with " + part + " the " + what + " grows by " + std::to_string(by) + ", not by " +
         std::to_string(wanted);
}

/// What is wrong, one thing after the other; of many the first four.
class Said {
 public:
  void say(const std::string& more) {
    constexpr int kMost = 4;  // who has more of them wrong has another idea of it all
    if (said_++ < kMost) words_ += (words_.empty() ? "" : "; ") + more;
    if (said_ == kMost + 1) words_ += "; and so on";
  }
  const std::string& words() const { return words_; }

 private:
  std::string words_;
  int said_ = 0;
};

/// Each by grows(); "" where the answer is no sum of such steps.
inline std::string wrong_whole_steps(const Maps& maps) {
  std::vector<int> values(maps.parts.size());
  const Place right = maps.right(values);
  const std::optional<Place> begin = maps.found(values);
  if (!begin) return "";
  Said said;
  const auto numbers = [](int is, int should) {
    return std::to_string(is) + ", not " + std::to_string(should);
  };
  if (begin->row != right.row)
    said.say("the " + (maps.row + (" begins at " + numbers(begin->row, right.row))));
  if (begin->col != right.col)
    said.say("the " + (maps.col + (" begins at " + numbers(begin->col, right.col))));
  std::vector<Place> steps;
  for (std::size_t i = 0; i < maps.parts.size(); ++i) {
    values[i] = 1;
    const std::optional<Place> is = maps.found(values);
    const Place should = maps.right(values);
    values[i] = 0;
    if (!is) return "";
    steps.push_back({is->row - begin->row, is->col - begin->col});
    const auto compare = [&](const char* what, int by, int wanted) {
      if (by != wanted) said.say(grows(maps.parts[i].words, what, by, wanted));
    };
    compare(maps.row, steps.back().row, should.row - right.row);
    compare(maps.col, steps.back().col, should.col - right.col);
  }
  do {
    Place at = *begin;
    for (std::size_t i = 0; i < values.size(); ++i)
      at.row += steps[i].row * values[i], at.col += steps[i].col * values[i];
    if (!maps.agrees(values, at)) return "";
  } while (next(maps.parts, values));
  return said.words();
}

/// Whether row and column go on evenly with a part, all others being 0.
inline bool goes_on_evenly(const Maps& maps, std::size_t part) {
  std::vector<int> values(maps.parts.size());
  std::vector<Place> places;
  for (; values[part] < maps.parts[part].values; ++values[part]) {
    const std::optional<Place> is = maps.found(values);
    if (!is) return false;
    places.push_back(*is);
  }
  for (std::size_t i = 2; i < places.size(); ++i)
    if (places[i].row - places[i - 1].row != places[1].row - places[0].row ||
        places[i].col - places[i - 1].col != places[1].col - places[0].col)
      return false;
  return true;
}

/// The same maps, asked by the bits of the parts that are not even: "bit 0 of lane % 8".
inline Maps by_bits(const Maps& maps) {
  std::vector<std::size_t> part_of;
  std::vector<int> worth;
  Maps bits = maps;
  bits.parts.clear();
  for (std::size_t i = 0; i < maps.parts.size(); ++i) {
    const Part& part = maps.parts[i];
    const bool whole = part.values == 2 || goes_on_evenly(maps, i);
    for (int bit = 0; whole ? bit == 0 : 1 << bit < part.values; ++bit) {
      if (whole)
        bits.parts.push_back(part);
      else
        bits.parts.push_back({"bit " + std::to_string(bit) + " of " + part.words, 2});
      part_of.push_back(i), worth.push_back(1 << bit);
    }
  }
  const auto whole = [=, count = maps.parts.size()](const std::vector<int>& values) {
    std::vector<int> sums(count);
    for (std::size_t i = 0; i < values.size(); ++i) sums[part_of[i]] += values[i] * worth[i];
    return sums;
  };
  bits.right = [=, of = maps.right](const std::vector<int>& v) { return of(whole(v)); };
  bits.found = [=, of = maps.found](const std::vector<int>& v) { return of(whole(v)); };
  bits.agrees = [=, of = maps.agrees](const std::vector<int>& v, Place at) {
    return of(whole(v), at);
  };
  return bits;
}

/// Of whole parts, and where these are not it, of their bits: who writes lane & 4 for lane % 4.
inline std::string wrong_steps(const Maps& maps) {
  const std::string whole = wrong_whole_steps(maps);
  return !whole.empty() ? whole : wrong_whole_steps(by_bits(maps));
}

/// "a[1] has what belongs into a[3]": whole registers in each other's place; "": it is something
/// else. `has`: whether all that one has is what belongs into the other.
inline std::string wrong_registers(const std::string& name, int registers,
                                   const std::function<bool(int, int)>& has) {
  Said said;
  for (int reg = 0; reg < registers; ++reg) {
    if (has(reg, reg)) continue;
    int other = 0;
    while (other < registers && !has(reg, other)) ++other;
    if (other == registers) return "";
    const auto called = [&](int number) { return name + "[" + std::to_string(number) + "]"; };
    said.say(called(reg) + " has what belongs into " + called(other));
  }
  return said.words();
}

/// "the rows are right, the columns are not, wherever the byte is 3"; "": neither of them is right
/// by itself, and there is no such place.
inline std::string wrong_where(const Maps& maps) {
  bool rows = true, cols = true, any = false;
  std::vector<int> values(maps.parts.size()), shared;  // by all that is wrong; -1: not shared
  do {
    const std::optional<Place> is = maps.found(values);
    const Place should = maps.right(values);
    if (is && is->row == should.row && is->col == should.col) continue;
    rows = rows && is && is->row == should.row;
    cols = cols && is && is->col == should.col;
    if (!any) shared = values;
    any = true;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (shared[i] != values[i]) shared[i] = -1;
  } while (next(maps.parts, values));
  std::string where;
  for (std::size_t i = 0; i < shared.size(); ++i)
    if (shared[i] >= 0)
      where += std::string(where.empty() ? " wherever " : " and ") + maps.parts[i].words + " is " +
               std::to_string(shared[i]);
  if (rows != cols)
    return std::string("the ") + (rows ? maps.row : maps.col) + "s are right, the " +
           (rows ? maps.col : maps.row) + "s are not" + (where.empty() ? "" : "," + where);
  return where.empty() ? "" : std::string(maps.row) + " and " + maps.col + " are wrong" + where;
}

}  // namespace strides

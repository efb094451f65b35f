// SPDX-License-Identifier: MIT
// Prints who holds what in m16n8 fragments of mma.sync, a line a lane: what lesson 01 found out,
// the manual's formula above it, and where the two differ. Knows no map: it is handed them.
//
//     lane  A.r0     A.r1      ...   D.r0  D.r1
//      ISA  g,2t+p   g+8,2t+p  ...   g,2t  g,2t+1
//        0  0,0..1   8,0..1    ...   0,0   0,1
//
// Source of the formulas in the line "ISA": PTX ISA 9.2, 9.7.14.5.8 and 9.7.14.5.10.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

struct Place {
  int row = -1, col = -1;
};
// The places of the elements of A, B and D, by lane, register and part.
struct Map {
  std::vector<Place> a, b, d;
};

namespace fragment_table {

// "9,2..3": row 9, columns 2 and 3, in the order of the parts.
inline std::string places(const Place* first, const Place* last) {
  const auto range = [](int from, int to) {
    return std::to_string(from) + (from == to ? "" : ".." + std::to_string(to));
  };
  return range(first->row, last->row) + "," + range(first->col, last->col);
}

// The table's columns: a register, and what the manual says it holds (p is the part).
struct Column {
  const char *name, *two_parts, *four_parts;
  int width;
};
inline constexpr Column kColumns[] = {
    {"A.r0", "g,2t+p", "g,4t+p", 9},       {"A.r1", "g+8,2t+p", "g+8,4t+p", 10},
    {"A.r2", "g,2t+p+8", "g,4t+p+16", 10}, {"A.r3", "g+8,2t+p+8", "g+8,4t+p+16", 13},
    {"B.r0", "2t+p,g", "4t+p,g", 9},       {"B.r1", "2t+p+8,g", "4t+p+16,g", 11},
    {"D.r0", "g,2t", "g,2t", 6},           {"D.r1", "g,2t+1", "g,2t+1", 7},
    {"D.r2", "g+8,2t", "g+8,2t", 7},       {"D.r3", "g+8,2t+1", "g+8,2t+1", 0},
};

inline void print_head(int parts) {
  std::printf(
      "Row,column of what each lane holds (ISA: g = lane >> 2, t = lane %% 4, p counts the parts "
      "of\n"
      "a register from the low bits):\n\nlane  ");
  for (const Column& c : kColumns) std::printf("%-*s", c.width, c.name);
  std::printf("\n ISA  ");
  for (const Column& c : kColumns)
    std::printf("%-*s", c.width, parts == 2 ? c.two_parts : c.four_parts);
  std::printf("\n");
}

inline void print_lane(const Map& map, int lane) {
  const Column* column = kColumns;
  std::printf("%4d  ", lane);
  const auto print = [&](const std::vector<Place>& slots, int registers) {
    const int parts = static_cast<int>(slots.size()) / 32 / registers;
    for (int reg = 0; reg < registers; ++reg) {
      const Place* first = &slots[(lane * registers + reg) * parts];
      std::printf("%-*s", (column++)->width, places(first, first + parts - 1).c_str());
    }
  };
  print(map.a, 4);
  print(map.b, 2);
  print(map.d, 4);
  std::printf("\n");
}

// Whether a lane holds the same by both maps.
inline bool same(const Map& one, const Map& two, int lane) {
  const auto equal = [lane](const std::vector<Place>& left, const std::vector<Place>& right) {
    const std::size_t size = left.size() / 32;
    return std::equal(&left[lane * size], &left[lane * size] + size, &right[lane * size],
                      [](Place p, Place q) { return p.row == q.row && p.col == q.col; });
  };
  return equal(one.a, two.a) && equal(one.b, two.b) && equal(one.d, two.d);
}

// The table of `found`, all lanes or a few, and under each lane that is not as `expected` what that
// says. Whether all agree.
inline bool compare(const Map& found, const Map& expected, int parts, bool all_lanes) {
  print_head(parts);
  int agreeing = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const bool agrees = same(found, expected, lane);
    agreeing += agrees;
    if (all_lanes || lane < 5 || lane == 31 || !agrees) print_lane(found, lane);
    if (!all_lanes && lane == 5) std::printf(" ...\n");
    if (!agrees) std::printf("      ^ does not agree; by the manual's formulas it is\n");
    if (!agrees) print_lane(expected, lane);
  }
  std::printf("\n%d of 32 lanes agree with the manual.\n", agreeing);
  return agreeing == 32;
}

// What follows from it, by who was asked.
inline void print_proof(bool good, bool emulator) {
  if (!good)
    std::printf("Something above does not agree: look for the ^, or for a count below 128.\n");
  else if (emulator)
    std::printf(
        "What this proves: the emulator looks elements up in Lanescope's table, so that table was\n"
        "read back, and it is what the manual says. What a GPU does, only a GPU can tell.\n");
  else
    std::printf(
        "What this proves: this was a GPU. The hardware has spoken, and the manual is right.\n");
}

}  // namespace fragment_table

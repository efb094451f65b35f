// SPDX-License-Identifier: MIT
// The mistakes that the check of exercise 04 knows: each predicts where every unit lies.
#pragma once

#include <functional>
#include <vector>

namespace exercise_04 {

constexpr int kUnits = 4;

struct Mistake {
  const char* name;
  const char* advice;
  std::function<int(int row, int unit)> place;
};

inline const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"nothing is moved",
       "rows 0, 2, 4 and 6 have their first unit in the same four banks; send them apart",
       [](int, int unit) { return unit; }},
      {"every row turns its units in the same way",
       "the order must differ from row to row: the place depends on the row too",
       [](int, int unit) { return kUnits - 1 - unit; }},
      {"it is the swizzle of rows of 128 bytes",
       "here a row has four units, and two rows share 128 bytes: find out which are in each "
       "other's way",
       [](int row, int unit) { return unit ^ row % 8; }},
      {"the order repeats every four rows, beginning with row 0, 1, 2, 3",
       "rows 0 and 1 lie in different banks anyway; it is rows 0, 2, 4 and 6 that need four orders",
       [](int row, int unit) { return unit ^ row % 4; }},
      {"the units are turned by one place more with every row",
       "rows 0 and 1 lie in different banks anyway; it is rows 0, 2, 4 and 6 that need four orders",
       [](int row, int unit) { return (unit + row) % kUnits; }},
      {"only two orders take turns", "four rows of eight are in each other's way: four orders",
       [](int row, int unit) { return unit ^ row % 2; }},
      {"only two orders take turns", "four rows of eight are in each other's way: four orders",
       [](int row, int unit) { return unit ^ row / 2 % 2; }},
      {"the order changes every four rows only",
       "rows 0 and 2 still have the same one: it has to change every two rows",
       [](int row, int unit) { return unit ^ row / 4 % 4; }},
      {"the number of the pair of rows is not cut to 0 to 3",
       "from row 8 on row / 2 is more than a row has places; % 4 makes it begin again",
       [](int row, int unit) { return unit ^ row / 2; }},
      {"a place is not cut to 0 to 3, and the order changes with every row",
       "% 4 makes it begin again; and rows 0 and 1 lie in different banks anyway: row / 2",
       [](int row, int unit) { return unit ^ row; }},
      {"row and unit have changed places", "unit is what is moved, row says how far",
       [](int row, int unit) { return row ^ unit / 2 % 4; }},
      {"it counts the units of the whole tile",
       "a place is counted within its row, 0 to 3: byte_of adds where the row begins",
       [](int row, int unit) { return row * kUnits + unit; }},
      {"it is a product", "a product with 0 is 0 whatever the unit: take ^, which can be undone",
       [](int row, int unit) { return unit * (row / 2) % 4; }},
      {"it is `and`, not `exclusive or`", "`and` loses bits: two units get one place; take ^",
       [](int row, int unit) { return unit & row / 2 % 4; }},
      {"it is `or`, not `exclusive or`", "`or` loses bits: two units get one place; take ^",
       [](int row, int unit) { return unit | row / 2 % 4; }},
  };
  return all;
}

}  // namespace exercise_04

// SPDX-License-Identifier: MIT
// Lines that come in pieces: equally far apart, but for jumps. So lie the pixels of a convolution:
// its rows of A are rows of a part of an image, or end where a row of the image does. Pure model,
// no Dear ImGui.
//
//   row of A    0   1   2   3   4   5   6   7 | 8   9  10  11  12  13  14  15
//   pixel       0   1   2   3   4   5   6   7 |32  33  34  35  36  37  38  39   8 of 32 in a row
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "panels/way/taken_from.hpp"

namespace lanescope::viz {

/// Where each row begins, or each column; nothing: none of its elements is anywhere. Empty where
/// the elements are not equally far apart in all of them. `all`: of each, row after row.
Addresses line_begins(const Addresses& all, int rows, int cols, bool of_rows);

/// How far most lines are apart where they come in pieces; 0: they do not. Where an image ends they
/// may be closer to the next one, or, where its padding is as wide as the filter, lie in it.
std::int64_t apart_in_pieces(const Addresses& begins);
/// How far all lines are apart, as far as they are there; 0: they are not alike, or fewer than two.
std::int64_t apart_in_one(const Addresses& begins);
/// Those of the one that the other has, too.
Addresses those_of_both(Addresses one, const Addresses& other);
/// The lines of both are as far from one another, as far as they are there.
bool lie_alike(const Addresses& one, const Addresses& other);
/// Where lines of the one would begin that only the other has; of lines that lie alike.
void fill_in(Addresses& one, const Addresses& other);
/// The pieces of both end at the same lines.
bool cut_alike(const Addresses& one, const Addresses& other);
/// How far the second jumps for each jump of the first; of lines that are cut alike.
std::map<std::int64_t, std::set<std::int64_t>> jumps_of(const Addresses& one,
                                                        const Addresses& other);
/// "in pieces, cut before rows 4, 8, 12": `rows` is a word.
std::string pieces_text(const Addresses& begins, const char* rows);

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// What a cell of the cross says: in which font, cut how, in which ink.
#pragma once

#include <string>

#include "panels/panels.hpp"

namespace lanescope::viz {

/// How the labels of one operand are written: the largest font whose longest label fits.
struct LabelStyle {
  const Font* font = nullptr;  // nullptr: cells too small for any
  bool two_lines = false;
  bool second_only = false;
  bool bare = false;  // of "r0.hi" the r is left out: it would touch the next cell's
  float advance = 0;  // every character is as wide: JetBrains Mono
};
LabelStyle label_style(const Look& look, const Labels::Operand& labels, const Grid& grid,
                       bool registers);

/// Whether so many characters and lines have room in a cell of that size.
bool label_fits(const Font& font, int characters, int lines, float width, float height);

struct CellInk {
  Rgb fill, ink;
};
CellInk ink_of(Emphasis emphasis, int thread, const Theme& theme);

/// Whether a cell of that width shows less than both of its words: none, one of the two, or a part.
bool leaves_out(const LabelStyle& style, const std::string& first, const std::string& second,
                float width);
/// A cell's words on a plate above it, or below where no room is: readable however small it is.
void draw_tag(const Look& look, const Box& cell, const std::string& words, Rgb fill, Rgb border);

/// In the middle of `box`, which is of the screen, or `line` lines below it; cut where it is too
/// long.
void draw_label(const LabelStyle& style, const std::string& words, const Box& box, float line,
                Rgb ink);

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// Colours, fonts and sizes of the window. A panel asks here and nowhere else, so that dark and
// light are two tables and HiDPI is one number (em, the height of the text font).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "panels/look/imgui_compat.hpp"
#include "panels/look/palette.hpp"

namespace lanescope::viz {

/// Words are readable in every one of them, 4.5 to 1, on the background, on panels and on buttons;
/// in `dim` also on the cells that step back (tests/viz/contrast_test.cpp).
struct Theme {
  bool dark = true;
  Rgb background, panel, raised, border;    // raised: buttons, inputs
  Rgb text, dim, faint;                     // faint: rules and index numbers
  Rgb accent, link, good, warn, bad, code;  // accent: what is selected
  Rgb chosen;                               // the button of what is shown, its words white
  Rgb outline;                              // around the selected element itself
};
const Theme& theme(bool dark);

struct Fonts {
  Font text, strong, mono, big;  // big: the inspector's title
  Font small_mono;               // source whose lines have no room
  std::array<Font, 8> cell;      // the labels of cells, smallest first
};

/// What every panel gets.
struct Look {
  const Theme& theme;
  const Fonts& fonts;
  float em;  // height of fonts.text in pixels
};

/// Between two cells, of which the smaller side is `least`: a pixel of a usual display, as wide on
/// a finer one where they are large enough for that; none between the smallest.
inline float cell_gap(const Look& look, float least) {
  if (least < 6) return 0;
  return least < 0.75f * look.em ? 1.0f : std::max(1.0f, std::floor(look.em / 16));
}

constexpr ImU32 colour(Rgb c, float alpha = 1) {
  return IM_COL32(c.red, c.green, c.blue, static_cast<int>(alpha * 255 + 0.5f));
}
inline ImVec4 vector(Rgb c) { return ImGui::ColorConvertU32ToFloat4(colour(c)); }

/// ImGui's own style from the theme, for its inputs, lists and scroll bars.
void apply_style(const Theme& theme, float em);

/// Text in a font and a colour at the cursor; `wrap_width` 0: one line.
void text(const Font& font, Rgb colour, std::string_view words, float wrap_width = 0);
/// Text drawn at a place, on no item.
void text_at(ImDrawList* draw, const Font& font, ImVec2 at, Rgb colour, std::string_view words);
float text_width(const Font& font, std::string_view words);
/// Lines no wider than `width`, broken at blanks: "9,5" stays whole, which Dear ImGui would break
/// behind the comma. One that is too long for a line is broken where Dear ImGui does.
std::string wrapped(const Font& font, std::string_view words, float width);
/// As much of `words` as fits into `width`.
std::string_view fitted(const Font& font, std::string_view words, float width);
/// The same, with an ellipsis where something was cut.
std::string shortened(const Font& font, std::string_view words, float width);
/// Of examples that stand two blanks apart, as many as fit, whole.
std::string whole_examples(const Font& font, std::string_view examples, float width);

/// A small flat button; true when clicked. How wide it is.
bool button(const Look& look, const char* id, std::string_view label, bool chosen = false);
float button_width(const Look& look, std::string_view label);

}  // namespace lanescope::viz

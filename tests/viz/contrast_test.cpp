// SPDX-License-Identifier: MIT
// Words can be read on whatever they stand on: 4.5 to 1 at least, in both themes.
//
// Source: WCAG 2.2, "contrast ratio", "relative luminance", success criterion 1.4.3; what
// dichromats see: Vienot, Brettel, Mollon, "Digital video colourmaps for checking the legibility of
// displays by dichromats", 1999.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "panels/look/theme.hpp"
#include "panels/pipeline/pipeline_paint.hpp"

namespace lanescope::viz {
namespace {

constexpr double kReadable = 4.5;

double linear(std::uint8_t channel) {
  const double v = channel / 255.0;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

// How much of green's cones stands in for what red's, or the other way round, do not see.
struct Eyes {
  double red, green;  // that both are seen as; of usual eyes each is itself
};
constexpr Eyes kProtanope{0.11238, 0.88762}, kDeuteranope{0.29275, 0.70725};

double luminance(Rgb c) {
  return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
}
double luminance(Rgb c, const Eyes& eyes) {
  const double both = eyes.red * linear(c.red) + eyes.green * linear(c.green);
  return (0.2126 + 0.7152) * both + 0.0722 * linear(c.blue);
}
double contrast(double a, double b) {
  const auto [less, more] = std::minmax({a, b});
  return (more + 0.05) / (less + 0.05);
}
double contrast(Rgb a, Rgb b) { return contrast(luminance(a), luminance(b)); }

}  // namespace

TEST_CASE(
    "between cells lies a line as wide as the display is fine, and none that would eat them") {
  const Fonts fonts;
  CHECK(cell_gap({theme(true), fonts, 16}, 24) == 1);
  CHECK(cell_gap({theme(true), fonts, 32}, 48) == 2);
  CHECK(cell_gap({theme(true), fonts, 32}, 8) == 1);
  CHECK(cell_gap({theme(true), fonts, 32}, 5) == 0);
}

TEST_CASE("contrast: black on white is 21 to 1") {
  CHECK(contrast({0, 0, 0}, {255, 255, 255}) == doctest::Approx(21));
  CHECK(contrast({119, 119, 119}, {255, 255, 255}) == doctest::Approx(4.48).epsilon(0.01));
}

TEST_CASE("every colour of words can be read on background, panels and buttons") {
  for (const bool dark : {true, false}) {
    const Theme& t = theme(dark);
    const std::vector<std::pair<std::string, Rgb>> inks{
        {"text", t.text},     {"dim", t.dim},   {"faint", t.faint},
        {"accent", t.accent}, {"link", t.link}, {"good", t.good},
        {"warn", t.warn},     {"bad", t.bad},   {"code", t.code}};
    const std::vector<std::pair<std::string, Rgb>> grounds{
        {"background", t.background}, {"panel", t.panel}, {"raised", t.raised}};
    for (const auto& [ink_name, ink] : inks)
      for (const auto& [ground_name, ground] : grounds)
        CHECK_MESSAGE(contrast(ink, ground) >= kReadable, (dark ? "dark: " : "light: ")
                                                              << ink_name << " on " << ground_name
                                                              << ": " << contrast(ink, ground));
    CHECK(contrast(t.text, t.border) >= kReadable);                       // a button pointed at
    CHECK(contrast(text_on(t.chosen), t.chosen) >= kReadable);            // the chosen one
    CHECK(contrast(t.text, mix(t.panel, t.accent, 0.22f)) >= kReadable);  // the chosen step
    CHECK(contrast(t.chosen, t.panel) >= 3);  // a shape, not words: criterion 1.4.11
  }
}

TEST_CASE("a wait is told from what runs by its lightness, whatever colours are seen") {
  CHECK(luminance({255, 255, 255}, kProtanope) == doctest::Approx(1));
  CHECK(luminance({255, 0, 0}, kProtanope) < 0.5 * luminance({255, 0, 0}, kDeuteranope));
  for (const bool dark : {true, false}) {
    CAPTURE(dark);
    const Theme& t = theme(dark);
    const Rgb runs = running(t), waits = waiting(t);
    CHECK(contrast(runs, waits) >= 2);
    for (const Eyes& eyes : {kProtanope, kDeuteranope})
      CHECK(contrast(luminance(runs, eyes), luminance(waits, eyes)) >= 2);
    CHECK(contrast(runs, t.background) >= 1.4);  // and is there at all
  }
}

TEST_CASE("cells that step back can still be read, and so can words on every colour") {
  for (const bool dark : {true, false})
    for (int lane = 0; lane < 32; ++lane) {
      const double ratio = contrast(theme(dark).dim, lane_colour(lane, dark, Shade::dim));
      CHECK_MESSAGE(ratio >= kReadable, "lane " << lane << ", dark " << dark << ": " << ratio);
    }
  for (int red = 0; red < 256; red += 5)
    for (int green = 0; green < 256; green += 5)
      for (int blue = 0; blue < 256; blue += 5) {
        const Rgb fill{static_cast<std::uint8_t>(red), static_cast<std::uint8_t>(green),
                       static_cast<std::uint8_t>(blue)};
        if (contrast(text_on(fill), fill) < kReadable)
          FAIL_CHECK(red << " " << green << " " << blue << ": " << contrast(text_on(fill), fill));
      }
}

}  // namespace lanescope::viz

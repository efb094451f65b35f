// SPDX-License-Identifier: MIT
// Colours are made in OKLCH (B. Ottosson, "A perceptual color space for image processing", 2020):
// equal steps of lightness look equal in every hue, so the four threads of a group step evenly.
#include "panels/look/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::viz {
namespace {

// Searched for, not chosen by eye: rows of a matrix that lie beside each other belong to
// neighbouring groups, and those must differ for the red-blind, the green-blind and the blue-blind,
// too. `lighter` is in steps from thread to thread; a test holds the distances.
struct Group {
  float hue_degrees, lighter;
};
constexpr std::array<Group, 8> kGroups{{{222, 0.7f},
                                        {42, -0.4f},
                                        {267, 0.54f},
                                        {88, -0.7f},
                                        {169, 0.44f},
                                        {314, -0.7f},
                                        {126, 0.7f},
                                        {359, -0.7f}}};

std::uint8_t to_srgb(float linear) {
  const float v = std::clamp(linear, 0.0f, 1.0f);
  const float s = v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1 / 2.4f) - 0.055f;
  return static_cast<std::uint8_t>(std::lround(s * 255));
}

Rgb oklch(float lightness, float chroma, float hue_degrees) {
  const float hue = hue_degrees * 3.14159265f / 180;
  const float a = chroma * std::cos(hue);
  const float b = chroma * std::sin(hue);
  const float l = std::pow(lightness + 0.3963377774f * a + 0.2158037573f * b, 3.0f);
  const float m = std::pow(lightness - 0.1055613458f * a - 0.0638541728f * b, 3.0f);
  const float s = std::pow(lightness - 0.0894841775f * a - 1.2914855480f * b, 3.0f);
  return {to_srgb(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s),
          to_srgb(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s),
          to_srgb(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s)};
}

float linear(std::uint8_t channel) {
  const float v = static_cast<float>(channel) / 255;
  return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
}

float luminance(Rgb c) {
  return 0.2126f * linear(c.red) + 0.7152f * linear(c.green) + 0.0722f * linear(c.blue);
}

struct Range {
  float lightness, step, chroma;  // of thread 0, from thread to thread
};

constexpr Range range(bool dark_theme, Shade shade) {
  if (dark_theme) {
    switch (shade) {
      case Shade::dim:
        return {0.258f, 0.022f, 0.034f};
      case Shade::normal:
        return {0.385f, 0.050f, 0.085f};
      case Shade::bright:
        return {0.580f, 0.055f, 0.135f};
    }
  }
  switch (shade) {
    case Shade::dim:
      return {0.952f, -0.014f, 0.016f};
    case Shade::normal:
      return {0.885f, -0.045f, 0.070f};
    case Shade::bright:
      return {0.760f, -0.055f, 0.130f};
  }
  return {};
}

}  // namespace

Rgb lane_colour(int thread, bool dark_theme, Shade shade) {
  // Asked for every cell of every frame: 8 groups x 4 threads x 2 themes x 3 shades, made once.
  static const auto kTable = [] {
    std::array<Rgb, 192> table{};
    for (std::size_t at = 0; at < table.size(); ++at) {
      const Range r = range(at / 96 == 1, static_cast<Shade>(at / 32 % 3));
      const Group& group = kGroups[at % 32 / 4];
      table[at] = oklch(
          r.lightness + r.step * static_cast<float>(at % 4) + std::fabs(r.step) * group.lighter,
          r.chroma, group.hue_degrees);
    }
    return table;
  }();
  const int lane = thread & 31;
  return kTable[static_cast<std::size_t>((dark_theme ? 96 : 0) + static_cast<int>(shade) * 32 +
                                         lane)];
}

// Black and white are equally far from a luminance of 0.18, 4.5 to 1 (WCAG 2.2, contrast ratio):
// only with both at their ends is there no colour on which neither can be read.
Rgb text_on(Rgb fill) { return luminance(fill) > 0.1818f ? Rgb{3, 4, 6} : Rgb{255, 255, 255}; }

Rgb mix(Rgb from, Rgb to, float amount) {
  const auto blend = [amount](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(
        static_cast<float>(a) + amount * (static_cast<float>(b) - static_cast<float>(a))));
  };
  return {blend(from.red, to.red), blend(from.green, to.green), blend(from.blue, to.blue)};
}

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// The colour of a lane: hue = group (lane >> 2), lightness = thread in group (lane % 4). Groups
// beside each other stay apart without red, green or blue receptors. Pure, so that the window, the
// terminal and a test of pixels agree. Labels carry the same facts: colour is never the only way to
// tell two lanes apart.
#pragma once

#include <cstdint>

namespace lanescope::viz {

struct Rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend constexpr bool operator==(const Rgb&, const Rgb&) = default;
};

enum class Shade : std::uint8_t { dim, normal, bright };  // stepped back, plain, stands out

/// The fill of a cell held by `thread`; warps of a warpgroup repeat the 8 hues.
Rgb lane_colour(int thread, bool dark_theme, Shade shade);

/// Black or white, whichever reads better on `fill` (by relative luminance).
Rgb text_on(Rgb fill);

/// From `from` to `to`, 0 <= amount <= 1.
Rgb mix(Rgb from, Rgb to, float amount);

}  // namespace lanescope::viz

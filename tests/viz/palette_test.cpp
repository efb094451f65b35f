// SPDX-License-Identifier: MIT
// The colours of lanes, as people see them who lack one of the three receptors.
//
// Source: Machado, Oliveira, Fernandes, "A physiologically-based model for simulation of color
// vision deficiency", 2009 (the matrices of severity 1, on linear RGB); B. Ottosson, OKLab, 2020.
#include "panels/look/palette.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::viz {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr std::array<Matrix, 4> kEyes{{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},  // without red
    {{{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},  // without green
    {{{1.255528, -0.076749, -0.178779},
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},  // without blue
}};
constexpr Matrix kCones{{{0.4122214708, 0.5363325363, 0.0514459929},
                         {0.2119034982, 0.6806995451, 0.1073969566},
                         {0.0883024619, 0.2817188376, 0.6299787005}}};
constexpr Matrix kLab{{{0.2104542553, 0.7936177850, -0.0040720468},
                       {1.9779984951, -2.4285922050, 0.4505937099},
                       {0.0259040371, 0.7827717662, -0.8086757660}}};

Triple times(const Matrix& m, const Triple& v) {
  Triple out{};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t col = 0; col < 3; ++col) out[row] += m[row][col] * v[col];
  return out;
}

double linear(std::uint8_t channel) {
  const double v = channel / 255.0;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

Triple seen(Rgb c, const Matrix& eye) {
  Triple rgb = times(eye, {linear(c.red), linear(c.green), linear(c.blue)});
  for (double& v : rgb) v = std::clamp(v, 0.0, 1.0);
  Triple cones = times(kCones, rgb);
  for (double& v : cones) v = std::cbrt(v);
  return times(kLab, cones);
}

// In hundredths of the way from black to white; 2 or 3 are just seen side by side.
double distance(Rgb one, Rgb other, const Matrix& eye) {
  const Triple a = seen(one, eye), b = seen(other, eye);
  return 100 * std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

}  // namespace

TEST_CASE("groups beside each other are told apart by every eye, in both themes") {
  for (const bool dark : {true, false})
    for (const Shade shade : {Shade::normal, Shade::bright})
      for (std::size_t eye = 0; eye < kEyes.size(); ++eye)
        for (int lane = 0; lane < 32; ++lane) {
          const double apart = distance(lane_colour(lane, dark, shade),
                                        lane_colour((lane + 4) % 32, dark, shade), kEyes[eye]);
          CHECK_MESSAGE(apart > 6.5, "lanes " << lane << " and " << (lane + 4) % 32 << ", eye "
                                              << eye << ", dark " << dark << ": " << apart);
        }
}

TEST_CASE("the four threads of a group step evenly, and what stands out does") {
  for (const bool dark : {true, false})
    for (const Matrix& eye : kEyes)
      for (int lane = 0; lane < 32; ++lane) {
        const Rgb normal = lane_colour(lane, dark, Shade::normal);
        if (lane % 4 != 3)
          CHECK(distance(normal, lane_colour(lane + 1, dark, Shade::normal), eye) > 3);
        const Rgb bright = lane_colour(lane, dark, Shade::bright);
        CHECK(distance(normal, bright, eye) > 6.5);
        for (int other = 0; other < 32; ++other)
          CHECK(distance(bright, lane_colour(other, dark, Shade::dim), eye) > 6.5);
      }
}

}  // namespace lanescope::viz

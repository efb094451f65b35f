// SPDX-License-Identifier: MIT
#include "emulator/texture/cube.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "numeric/approximate.hpp"

namespace lanescope::emulator {

// Of axes that are equally long z is taken before y, and y before x. The other two are multiplied
// by rcp.approx of its length, in f32. No direction, or one without end, is the middle of +z.
CubePlace on_cube(const std::array<double, 3>& direction) {
  std::array<double, 3> d = direction;
  for (double& along : d)
    if (std::isnan(along)) along = 0;
  std::array<double, 3> size{};
  std::transform(d.begin(), d.end(), size.begin(), [](double along) { return std::fabs(along); });
  const double most = *std::max_element(size.begin(), size.end());
  if (most == 0 || std::isinf(most)) return {4, 0.5, 0.5};
  const int axis = size[2] == most ? 2 : size[1] == most ? 1 : 0;
  const bool is_negative = std::signbit(d[static_cast<std::size_t>(axis)]);
  double s = d[0], t = -d[1];
  if (axis == 0) s = is_negative ? d[2] : -d[2];
  if (axis == 1) t = is_negative ? -d[2] : d[2];
  if (axis == 2 && is_negative) s = -d[0];
  const auto reciprocal = __builtin_bit_cast(float, numeric::approximate::rcp(__builtin_bit_cast(
                                                        std::uint32_t, static_cast<float>(most))));
  const auto on_face = [&](double along) {
    const float product = static_cast<float>(along) * reciprocal;
    if (product <= -0x1p-126f && double{product} + 1 == 1)  // as if exact, subnormals as 0
      return std::nextafter(0.5, 0.0);
    return std::max(0.0, (double{product} + 1) / 2);  // the reciprocal may be too large
  };
  return {2 * axis + (is_negative ? 1 : 0), on_face(s), on_face(t)};
}

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
// See array_limits.hpp.
#include "cudart/array_limits.hpp"

#include <fmt/format.h>

namespace lanescope::cudart {

namespace {

/// The limits of a kind of array, by cudaDeviceAttr; 0: it has not that direction.
struct Limits {
  int width = 0, height = 0, depth = 0;
};

Limits limits_of(const cudaExtent& extent, unsigned flags) {
  const bool stores = (flags & kArraySurface) != 0, is_flat = extent.height == 0;
  if ((flags & kArrayCubemap) != 0) {
    const bool is_layered = (flags & kArrayLayered) != 0;
    if (is_layered) return stores ? Limits{67, 67, 68} : Limits{53, 53, 54};
    return stores ? Limits{66, 66, 0} : Limits{52, 52, 0};
  }
  if ((flags & kArrayLayered) != 0) {
    if (is_flat) return stores ? Limits{61, 0, 62} : Limits{42, 0, 43};
    return stores ? Limits{63, 64, 65} : Limits{27, 28, 29};
  }
  if (extent.depth != 0) return stores ? Limits{58, 59, 60} : Limits{24, 25, 26};
  if (is_flat) return stores ? Limits{55, 0, 0} : Limits{21, 0, 0};
  if ((flags & kArrayGather) != 0) return {45, 46, 0};
  return stores ? Limits{56, 57, 0} : Limits{22, 23, 0};
}

bool fits(std::size_t size, int attribute) {
  return attribute == 0 || size <= static_cast<std::size_t>(*texture_limit(attribute));
}

}  // namespace

std::string malformed_array(const cudaExtent& extent, unsigned flags) {
  const bool is_layered = (flags & kArrayLayered) != 0;
  if (extent.width == 0) return "an array has a width of 1 at least";
  if (is_layered && extent.depth == 0) return "a layered array has a layer at least";
  if ((flags & kArrayCubemap) != 0 && (extent.width != extent.height || extent.depth % 6 != 0 ||
                                       (is_layered ? extent.depth == 0 : extent.depth != 6)))
    return "a cube map has six square faces, a layered one six a layer";
  if (!is_layered && extent.height == 0 && extent.depth != 0)
    return "an array with a depth has a height, too";
  return "";
}

std::string too_large_array(const cudaExtent& extent, unsigned flags) {
  const bool is_layered = (flags & kArrayLayered) != 0;
  if ((flags & kArrayGather) != 0 && (extent.height == 0 || extent.depth != 0))
    return "cudaArrayTextureGather is for two dimensions";
  const Limits limits = limits_of(extent, flags);
  if (fits(extent.width, limits.width) && fits(extent.height, limits.height) &&
      fits(extent.depth, limits.depth))
    return "";
  constexpr Limits kDeep{47, 48, 49};  // a volume may be deeper where it is narrower
  const bool is_volume = extent.depth != 0 && !is_layered;
  if (is_volume && fits(extent.width, kDeep.width) && fits(extent.height, kDeep.height) &&
      fits(extent.depth, kDeep.depth))
    return "";
  return fmt::format("{} x {} x {} texels are more than cudaDeviceProp allows", extent.width,
                     extent.height, extent.depth);
}

}  // namespace lanescope::cudart

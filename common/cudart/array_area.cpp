// SPDX-License-Identifier: MIT
#include "cudart/array_area.hpp"

#include <fmt/format.h>

namespace lanescope::cudart {

cudaError array_rows(const Context& state, const void* array, const ArrayPart& part, Area& area) {
  const Array* found = state.textures.find_array(array);
  if (!found)
    return refuse(state, cudaErrorInvalidResourceHandle,
                  fmt::format("{} is no array, or has been freed", array));
  const emulator::TextureImage& image = found->image;
  const std::size_t each = found->texel_bytes();
  const std::size_t row_bytes = static_cast<std::size_t>(image.size[0]) * each;
  const auto fits = [](std::size_t at, std::size_t count, std::size_t size) {
    return at <= size && count <= size - at;
  };
  if (!fits(part.x_bytes, part.width_bytes, row_bytes) ||
      !fits(part.y, part.height, static_cast<std::size_t>(image.size[1])) ||
      !fits(part.z, 1, static_cast<std::size_t>(image.size[2])))
    return refuse(
        state, cudaErrorInvalidValue,
        fmt::format("{} bytes x {} rows from byte {}, row {}, slice {} on do not lie in an "
                    "array of {} bytes x {} x {}",
                    part.width_bytes, part.height, part.x_bytes, part.y, part.z, row_bytes,
                    image.size[1], image.size[2]));
  const auto y = static_cast<std::int64_t>(part.y), z = static_cast<std::int64_t>(part.z);
  area = {image.row(y, z) + part.x_bytes, static_cast<std::size_t>(image.pitch_bytes),
          part.width_bytes, part.height};
  return cudaSuccess;
}

}  // namespace lanescope::cudart

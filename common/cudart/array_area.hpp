// SPDX-License-Identifier: MIT
// Parts of arrays as blocks of rows, for copies.
#pragma once

#include "cudart/area.hpp"
#include "cudart/texture.hpp"

namespace lanescope::cudart {

/// A corner and an extent, across in bytes.
struct ArrayPart {
  std::size_t x_bytes = 0, y = 0, z = 0;
  std::size_t width_bytes = 0, height = 1;
};

/// The rows of a part of one slice; refused, with a line, where it does not lie within the array.
cudaError array_rows(const Context& state, const void* array, const ArrayPart& part, Area& area);

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// Which arrays there can be: an H200's answers, in the order in which it looks.
#pragma once

#include <string>

#include "cudart/texture.hpp"

namespace lanescope::cudart {

/// "" where such an array can be, however large.
std::string malformed_array(const cudaExtent& extent, unsigned flags);
/// "" where it is not too large for a card.
std::string too_large_array(const cudaExtent& extent, unsigned flags);

}  // namespace lanescope::cudart

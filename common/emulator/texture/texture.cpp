// SPDX-License-Identifier: MIT
#include "emulator/texture/texture.hpp"

namespace lanescope::emulator {

std::uint64_t TextureTable::add(const Texture& texture) {
  textures_[next_] = texture;
  return next_++;
}

const Texture* TextureTable::find(std::uint64_t handle) const {
  const auto found = textures_.find(handle);
  return found == textures_.end() ? nullptr : &found->second;
}

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
// Source: what an H200 says (tests/cudart/h200_attributes.txt).
#include "cudart/handle.hpp"
#include "cudart/texture.hpp"

namespace lanescope::cudart {

const Array* Textures::find_array(const void* handle) const {
  const auto found = arrays.find(number(handle));
  return found == arrays.end() ? nullptr : &found->second;
}

const Mipmap* Textures::find_mipmap(const void* handle) const {
  const auto found = mipmaps.find(number(handle));
  return found == mipmaps.end() ? nullptr : &found->second;
}

std::optional<Texel> texel_of(const cudaChannelFormatDesc& channels) {
  using emulator::TexelFormat;
  const int bits[4] = {channels.x, channels.y, channels.z, channels.w};
  Texel texel;
  texel.channels = 0;
  while (texel.channels < 4 && bits[texel.channels] != 0) {
    if (bits[texel.channels] != bits[0]) return std::nullopt;
    ++texel.channels;
  }
  for (int k = texel.channels; k < 4; ++k)
    if (bits[k] != 0) return std::nullopt;
  if (texel.channels == 0 || texel.channels == 3) return std::nullopt;
  const auto kind = static_cast<ChannelKind>(channels.f);
  const bool is_signed = kind == ChannelKind::is_signed;
  if (kind == ChannelKind::is_float && bits[0] == 16)
    texel.format = TexelFormat::f16;
  else if (kind == ChannelKind::is_float && bits[0] == 32)
    texel.format = TexelFormat::f32;
  else if (!is_signed && kind != ChannelKind::is_unsigned)
    return std::nullopt;
  else if (bits[0] == 8)
    texel.format = is_signed ? TexelFormat::s8 : TexelFormat::u8;
  else if (bits[0] == 16)
    texel.format = is_signed ? TexelFormat::s16 : TexelFormat::u16;
  else if (bits[0] == 32)
    texel.format = is_signed ? TexelFormat::s32 : TexelFormat::u32;
  else
    return std::nullopt;
  return texel;
}

std::optional<int> texture_limit(int attribute) {
  constexpr int kOf21[] = {131072, 131072, 65536, 16384, 16384, 16384, 32768, 32768, 2048};
  constexpr int kOf42[] = {32768, 2048};
  constexpr int kOf45[] = {32768, 32768, 8192, 8192, 32768};
  constexpr int kOf52[] = {32768, 32768,     2046,   32768, 131072,  65536, 16384, 16384,
                           16384, 32768,     2048,   32768, 32768,   2048,  32768, 32768,
                           2046,  268435456, 131072, 65000, 2097120, 32768, 32768};
  if (attribute >= 21 && attribute < 30) return kOf21[attribute - 21];
  if (attribute == 42 || attribute == 43) return kOf42[attribute - 42];
  if (attribute >= 45 && attribute < 50) return kOf45[attribute - 45];
  if (attribute >= 52 && attribute < 75) return kOf52[attribute - 52];
  if (attribute == 77) return 32768;
  return std::nullopt;
}

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// Arrays, and the objects through which kernels read and write them. An array is memory of the card
// in rows, of which programs know a handle alone; what they may ask for is an H200's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cudart/abi_texture.hpp"
#include "emulator/texture/texture.hpp"

namespace lanescope::cudart {

struct Context;

struct Array {
  emulator::TextureImage image;
  cudaChannelFormatDesc channels{};
  cudaExtent extent{};  // as the program has asked for it
  unsigned flags = 0;
  bool is_level = false;  // of a mipmap, whose memory it is
  std::size_t texel_bytes() const { return static_cast<std::size_t>(image.texel_bytes()); }
};

/// Levels of one piece of memory, each half as large as the one before.
struct Mipmap {
  std::uint64_t address = 0;
  std::vector<cudaArray_t> levels;
};

/// What a handle that a program was given for a texture or a surface was made of.
struct TextureObject {
  cudaResourceDesc resource{};
  cudaTextureDesc how{};
  bool is_surface = false;
};

struct Textures {
  std::map<std::uint64_t, Array> arrays;           // by handle
  std::map<std::uint64_t, Mipmap> mipmaps;         // by handle
  std::map<std::uint64_t, TextureObject> objects;  // by handle

  const Array* find_array(const void* handle) const;
  const Mipmap* find_mipmap(const void* handle) const;
};

/// Channels of 8, 16 or 32 bits, one, two or four of them and all alike; nullopt: there are no such
/// texels.
struct Texel {
  emulator::TexelFormat format = emulator::TexelFormat::f32;
  int channels = 1;
};
std::optional<Texel> texel_of(const cudaChannelFormatDesc& channels);

/// How large arrays and textures may be, by cudaDeviceAttr; nullopt: the number is of something
/// else.
std::optional<int> texture_limit(int attribute);

// textures_described.cpp
/// What a kernel is to see of a resource; with an error, and `why`, where that cannot be.
cudaError describe(const Context& context, const cudaResourceDesc& resource,
                   const cudaTextureDesc& how, emulator::Texture& texture, std::string& why);
cudaError describe_surface(const Context& context, const cudaResourceDesc& resource,
                           emulator::Texture& surface, std::string& why);

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// What a kernel fetches from, by the number that tex, suld and sust name: an image in global memory
// and how it is read. The drop-in runtime makes them of cudaTextureDesc and cudaResourceDesc.
//
//     image    rows of texels, slices of rows:
//              address + x * texel_bytes + y * pitch_bytes + z * slice_bytes
//     sampler  what coordinates mean, what lies outside, what a texel becomes
//
// Source: PTX ISA 9.2, 5.3 (texture, sampler and surface types), 9.7.10 and 9.7.11.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace lanescope::emulator {

enum class TexelFormat : std::uint8_t { u8, s8, u16, s16, u32, s32, f16, f32 };
inline bool is_real(TexelFormat format) { return format >= TexelFormat::f16; }
inline int bytes_of(TexelFormat format) {
  return format <= TexelFormat::s8                                  ? 1
         : format <= TexelFormat::s16 || format == TexelFormat::f16 ? 2
                                                                    : 4;
}

struct TextureImage {
  std::uint64_t address = 0;
  int dims = 1;                               // 1, 2 or 3; layers and faces are none
  std::array<std::int64_t, 3> size{1, 1, 1};  // texels; size[2]: depth, or layers
  bool is_layered = false;
  bool is_cube = false;  // six slices are the faces of a cube: +x, -x, +y, -y, +z, -z
  std::uint64_t pitch_bytes = 0, slice_bytes = 0;
  TexelFormat format = TexelFormat::f32;
  int channels = 1;  // 1, 2 or 4

  int texel_bytes() const { return bytes_of(format) * channels; }
  /// From the first byte to behind the last.
  std::uint64_t bytes() const {
    if (size[0] <= 0 || size[1] <= 0 || size[2] <= 0) return 0;
    return static_cast<std::uint64_t>(size[2] - 1) * slice_bytes +
           static_cast<std::uint64_t>(size[1] - 1) * pitch_bytes +
           static_cast<std::uint64_t>(size[0]) * static_cast<std::uint64_t>(texel_bytes());
  }
  std::uint64_t row(std::int64_t y, std::int64_t z) const {
    return address + static_cast<std::uint64_t>(y) * pitch_bytes +
           static_cast<std::uint64_t>(z) * slice_bytes;
  }
};

enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };  // as CUDA counts them

struct Sampler {
  std::array<AddressMode, 3> mode{};
  bool filters = false;        // between texels
  bool is_normalized = false;  // coordinates from 0 to 1
  bool to_unit = false;        // whole numbers become 0 to 1, or -1 to 1
  bool is_srgb = false;
  bool is_anisotropic = false;  // what gradients then do is not known
  std::array<float, 4> border{};
  // Of mipmaps: what is added to a level, and what it is kept within, in 256ths.
  bool filters_levels = false;
  int bias = 0, least_level = 0, most_level = 0;
};

struct Texture {
  TextureImage image;
  std::vector<TextureImage> further;  // of a mipmap: levels 1, 2, ..., each half as large
  Sampler sampler;
  bool is_line = false;     // of linear memory: tex1Dfetch
  bool is_surface = false;  // for suld and sust
};

/// Those of a machine, by handle.
class TextureTable {
 public:
  std::uint64_t add(const Texture& texture);
  void remove(std::uint64_t handle) { textures_.erase(handle); }
  /// nullptr where there is none.
  const Texture* find(std::uint64_t handle) const;
  /// Whether there was one of this handle, once.
  bool has_had(std::uint64_t handle) const { return handle >= kFirst && handle < next_; }

 private:
  static constexpr std::uint64_t kFirst = 0x7e00000001;  // no address, and no small number
  std::map<std::uint64_t, Texture> textures_;
  std::uint64_t next_ = kFirst;
};

}  // namespace lanescope::emulator

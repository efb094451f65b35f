// SPDX-License-Identifier: MIT
// Cube maps and gathers: what an H200 gave (driver 580.159.04, CUDA 13.0) for directions and places
// that tell how it computes: equal parts, the reciprocal's last bit, edges.
#include <doctest/doctest.h>

#include <vector>

#include "emulator/texture/sample.hpp"

using namespace lanescope::emulator;

namespace {

/// Texels that say where they are: their number, rows of slices.
struct Ramp {
  Ramp(std::int64_t wide, std::int64_t high, std::int64_t deep) {
    for (std::int64_t k = 0; k < wide * high * deep; ++k) texels.push_back(static_cast<float>(k));
    texture.image.dims = 2;
    texture.image.size = {wide, high, deep};
    texture.image.pitch_bytes = static_cast<std::uint64_t>(wide) * 4;
    texture.image.slice_bytes = texture.image.pitch_bytes * static_cast<std::uint64_t>(high);
    texture.image.address = reinterpret_cast<std::uint64_t>(texels.data());
    texture.sampler.border[0] = -5;
    set(AddressMode::clamp, true);
  }
  void set(AddressMode mode, bool is_normalized) {
    texture.sampler.mode = {mode, mode, mode};
    texture.sampler.is_normalized = is_normalized;
  }
  std::vector<float> texels;
  Texture texture;
};

float value(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

}  // namespace

TEST_CASE("a direction finds its face, its texel and its weights") {
  Ramp cube(8, 8, 6);
  cube.texture.image.is_cube = true;
  const struct {
    TexturePlace place;
    bool filters, has_border;
    float expected;
  } looks[] = {
      {{{0x1.8p-1, 0x1.8p-2, -0x1p-2}}, false, false, 21.0},
      {{{-0x1.8p-2, 0x1.8p-2, -0x1.8p-1}}, false, false, 342.0},
      {{{0x1p-2, 0x1.8p-1, -0x1.8p-2}}, false, false, 149.0},
      {{{0x0p+0, 0x0p+0, 0x0p+0}}, false, false, 292.0},
      {{{-0x1.9a21c4p-1, -0x1.a2842cp-1, -0x1.dd8b3cp-1}}, false, false, 383.0},
      {{{0x1.e7d8dp-1, 0x1.e7d8dp-1, -0x1.9ad4bp-2}}, false, true, -5.0},
      {{{-0x1.c5437cp-1, -0x1.c5437cp-1, -0x1.d6e98p-5}}, false, true, 224.0},
      {{{0x1.f6d78p-4, -0x1.27f944p-1, 0x1.27f944p-1}}, false, true, -5.0},
      {{{0x1.ead6fcp-1, 0x1.ead6fcp-1, 0x1.13c68p-5}}, false, true, -5.0},
      {{{-0x1.eb0158p-2, 0x1.c45d5p-2, -0x1.ef5c1cp-1}}, true, false, 338.85546875},
      {{{0x1p-3, -0x1.4p-1, 0x1p-2}}, true, false, 211.48828125},
      {{{-0x1.2021bcp-1, -0x1.8817bp-2, -0x1.27baap-2}}, true, false, 115.23046875},
      {{{-0x1.9b5c5cp-1, 0x1.1e6d1p-2, -0x1.1e6d1p-2}}, true, false, 82.94921875},
      {{{0x1.e7d8dp-1, 0x1.e7d8dp-1, -0x1.9ad4bp-2}}, true, true, 72.25},
      {{{0x1.0e7c9cp-1, -0x1.b9887p-1, 0x1.b9887p-1}}, true, true, 156.47265625},
      {{{6, 6, -0x1p-80}}, false, false, 159},  // nearly the middle, and yet before it
      {{{6, 6, 0x1p-80}}, false, false, 167},
      {{{6, 6, -0x1p-126}}, false, false, 167},  // a sixth of it is subnormal
  };
  for (const auto& look : looks) {
    CAPTURE(look.expected);
    cube.set(look.has_border ? AddressMode::border : AddressMode::clamp, true);
    cube.texture.sampler.filters = look.filters;
    CHECK(value(sample(cube.texture, look.place)[0]) == look.expected);
  }
}

TEST_CASE("layers of a cube map are six faces each, the last one where there are no more") {
  Ramp cube(8, 8, 18);
  cube.texture.image.is_cube = cube.texture.image.is_layered = true;
  for (const auto& [layer, face] : {std::pair{0, 5}, {1, 11}, {7, 17}, {-1, 17}}) {
    const TexturePlace place{{0.0, 0.0, -1.0}, layer};
    CHECK(value(sample(cube.texture, place)[0]) == static_cast<float>(64 * face + 36));
  }
}

TEST_CASE("four texels around a place, clamped, repeated and mirrored one by one") {
  Ramp plane(21, 13, 1);
  const struct {
    AddressMode mode;
    bool is_normalized;
    double x, y;
    std::array<float, 4> expected;
  } gathers[] = {
      {AddressMode::wrap, true, 0x1.924f06p-2, 0x1.02f784p+0, {7, 8, 260, 259}},
      {AddressMode::clamp, false, -0x1.c1cp+1, 0x1.1bcp+3, {189, 189, 168, 168}},
      {AddressMode::mirror, true, -0x1.56aaaap-3, 0x1.5d3b14p-1, {193, 192, 171, 172}},
      {AddressMode::border, false, 0x1.0803dcp+3, 0x1.a4d238p+3, {-5, -5, 260, 259}},
      {AddressMode::clamp, false, 0x1.b3fffep+2, 0x1.38b60ap+3, {216, 217, 196, 195}},
  };
  for (const auto& one : gathers) {
    plane.set(one.mode, one.is_normalized);
    const FetchedTexel got = gather(plane.texture, {{one.x, one.y, 0}, 0}, 0);
    for (std::size_t k = 0; k < 4; ++k) CHECK(value(got[k]) == one.expected[k]);
  }
  plane.set(AddressMode::wrap, true);
  plane.texture.image.size[0] = 0;  // of an image of no size there is nothing to repeat
  CHECK(gather(plane.texture, {{0.5, 0.5, 0}, 0}, 0) == FetchedTexel{});
}

TEST_CASE("a gather gives 8 bits with a sign and halves as a filter would") {
  const std::int8_t texels[4] = {17, 92, -128, 0};
  Texture texture;
  texture.image.dims = 2;
  texture.image.size = {2, 2, 1};
  texture.image.pitch_bytes = 2;
  texture.image.slice_bytes = 4;
  texture.image.address = reinterpret_cast<std::uint64_t>(texels);
  texture.image.format = TexelFormat::s8;
  texture.sampler.mode.fill(AddressMode::clamp);
  texture.sampler.to_unit = true;
  const FetchedTexel got = gather(texture, {{1, 1, 0}}, 0);
  CHECK(got[3] == 0x3e091112);  // 4386 of 32767; 17 of 127 is 3e091224
  CHECK(got[2] == 0x3f397373);
  CHECK(got[0] == 0xbf800000);
  texture.sampler.to_unit = false;
  CHECK(gather(texture, {{1, 1, 0}}, 0)[3] == 17);
  texture.image.format = TexelFormat::f16;
  texture.sampler.mode.fill(AddressMode::border);
  texture.sampler.border[0] = __builtin_nanf("");
  CHECK(gather(texture, {{-5, -5, 0}}, 0)[0] == 0x7fffe000);
  CHECK(sample(texture, {{-5, -5, 0}})[0] == 0x7fc00000);
}

// SPDX-License-Identifier: MIT
// Levels of mipmaps: what an H200 gave (driver 580.159.04, CUDA 13.0) of levels and between them,
// and of texels by their numbers (docs/experiments/textures.md).
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "emulator/texture/sample.hpp"

using namespace lanescope::emulator;

namespace {

std::uint32_t mixed(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  return x ^ x >> 16;
}

std::int64_t half(std::int64_t size, int level) { return std::max<std::int64_t>(size >> level, 1); }

/// The random texels that the card had: f32 from 0 to 1, f16 of both signs, whole numbers.
struct Mipmap {
  Mipmap(int dims, TexelFormat format, std::uint32_t seed) {
    const int levels = dims == 3 ? 5 : 6;
    for (int level = 0; level < levels; ++level) {
      TextureImage image;
      image.dims = dims;
      image.format = format;
      image.size = {half(dims == 3 ? 16 : 32, level), half(16, level),
                    half(dims == 3 ? 8 : 1, level)};
      image.pitch_bytes = static_cast<std::uint64_t>(image.size[0] * bytes_of(format));
      image.slice_bytes = image.pitch_bytes * static_cast<std::uint64_t>(image.size[1]);
      memory.emplace_back();
      for (std::uint32_t n = 0; n < image.size[0] * image.size[1] * image.size[2]; ++n)
        add(image, static_cast<std::uint32_t>(level), n, seed);
      image.address = reinterpret_cast<std::uint64_t>(memory.back().data());
      if (level == 0)
        texture.image = image;
      else
        texture.further.push_back(image);
    }
    texture.sampler.mode = {AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
    texture.sampler.is_normalized = texture.sampler.to_unit = texture.sampler.filters_levels = true;
    texture.sampler.most_level = 100 * 256;
  }
  void add(const TextureImage& image, std::uint32_t level, std::uint32_t n, std::uint32_t seed) {
    const auto wide = static_cast<std::uint32_t>(image.size[0]);
    const auto high = static_cast<std::uint32_t>(image.size[1]);
    const std::uint32_t x = n % wide, y = n / wide % high, z = n / wide / high;
    const std::uint32_t any =
        mixed(seed * 0x9e3779b9u ^ mixed(((level * 64 + z) * 1024 + y) * 1024 + x));
    const float real = static_cast<float>(any >> 8) * 0x1p-24f;
    std::uint32_t bits = image.format == TexelFormat::f16 ? 0x3000u + (any & 0xbff) : any;
    if (image.format == TexelFormat::f32) std::memcpy(&bits, &real, 4);
    for (int k = 0; k < bytes_of(image.format); ++k)
      memory.back().push_back(static_cast<unsigned char>(bits >> 8 * k));
  }
  std::vector<std::vector<unsigned char>> memory;  // by level
  Texture texture;
};

struct Look {
  int dims;
  TexelFormat format;
  bool filters;
  std::uint32_t seed;
  std::array<double, 3> at;
  float level;
  std::uint32_t expected;
};

// clang-format off
constexpr Look kLooks[] = {
    {2, TexelFormat::f32, false, 17, {-0x1.34405p-5, 0x1.063f88p-2, 0}, 0x1.28cc18p-2f, 0x3f5409d0},
    {2, TexelFormat::f32, false, 17, {0x1.78cp-1, 0x1.108p-3, 0}, 0x1.b8cp+1f, 0x3f0f785f},
    {2, TexelFormat::f32, false, 17, {0x1.307da4p-1, 0x1.82f2e4p-3, 0}, 0x1.acfffep-1f, 0x3e36d186},
    {2, TexelFormat::f32, false, 17, {0x1.d68p-3, -0x1.d8p-6, 0}, -0x1.05p-1f, 0x3f19015c},
    {2, TexelFormat::f16, false, 19, {0x1.7a583p-1, 0x1.c273dp-4, 0}, 0x1.a74d5p+1f, 0x3f3c4000},
    {2, TexelFormat::f16, false, 19, {0x1.f3ep-1, 0x1.3d5p+0, 0}, 0x1.9a8p+0f, 0x3f264000},
    {2, TexelFormat::f16, false, 19, {0x1.572054p-1, 0x1.b791f8p-3, 0}, 0x1.b77ffep+0f, 0x3e5b0000},
    {2, TexelFormat::f16, false, 19, {0x1.0eep+0, -0x1.0ep-4, 0}, 0x1.3ccp+1f, 0x3edde000},
    {2, TexelFormat::u8, false, 21, {-0x1.86afdp-3, 0x1.34395p-2, 0}, 0x1.53eb24p+0f, 0x3ed010d0},
    {2, TexelFormat::u8, false, 21, {0x1.a4p-3, 0x1.9ap-1, 0}, 0x1.002p+2f, 0x3ce0e0e1},
    {2, TexelFormat::u8, false, 21, {0x1.7a4838p-1, -0x1.6774b8p-3, 0}, 0x1.5d7ffep+2f, 0x3dc0c0c1},
    {2, TexelFormat::u8, false, 21, {0x1.d3p-1, 0x1.81p-3, 0}, 0x1.542p+2f, 0x3dc0c0c1},
    {2, TexelFormat::s8, false, 22, {0x1.3444f6p-1, -0x1.9e757p-4, 0}, 0x1.121b6ep+2f, 0xbf002100},
    {2, TexelFormat::s8, false, 22, {-0x1.b8p-6, 0x1.fecp-1, 0}, 0x1.afcp+1f, 0xbf5013a0},
    {2, TexelFormat::s8, false, 22, {0x1.24aa0ep+0, 0x1.5b3f6cp-2, 0}, 0x1.585ffep+2f, 0x3f418383},
    {2, TexelFormat::s8, false, 22, {-0x1.87p-3, 0x1.592p-1, 0}, 0x1.56p-2f, 0xbeb3d168},
    {2, TexelFormat::f32, true, 25, {0x1.ad142p-2, 0x1.2c4aa8p+0, 0}, 0x1.d2caecp+0f, 0x3f1a9ff8},
    {2, TexelFormat::f32, true, 25, {-0x1.a98p-3, 0x1.dd4p-2, 0}, 0x1.39ap+2f, 0x3ef709e9},
    {2, TexelFormat::f32, true, 25, {0x1.989404p-2, 0x1.0f5616p-1, 0}, 0x1.89fffep-1f, 0x3ea88d32},
    {2, TexelFormat::f32, true, 25, {0x1.a8p-2, 0x1.64ap-1, 0}, 0x1.104p+1f, 0x3f1560c7},
    {2, TexelFormat::f16, true, 27, {0x1.97a7ap-6, 0x1.346ep+0, 0}, -0x1.56c8ecp-1f, 0x3eda4000},
    {2, TexelFormat::f16, true, 27, {0x1.1b6p+0, 0x1.f9p-2, 0}, 0x1.0fcp+2f, 0x3f318000},
    {2, TexelFormat::f16, true, 27, {0x1.2c2492p+0, 0x1.678072p-1, 0}, 0x1.783ffep+2f, 0x3e434000},
    {2, TexelFormat::f16, true, 27, {0x1.149p+0, 0x1.f22p-1, 0}, 0x1.8cp-2f, 0x3f10c000},
    {2, TexelFormat::u8, true, 29, {0x1.65151p-2, -0x1.2ad1ep-5, 0}, 0x1.164c18p+2f, 0x3f05d686},
    {2, TexelFormat::u8, true, 29, {0x1.ep-9, 0x1.7c6p-1, 0}, 0x1.d48p+1f, 0x3ebd34bd},
    {2, TexelFormat::u8, true, 29, {-0x1.0afcp-9, 0x1.0f9f22p+0, 0}, 0x1.d23ffep+1f, 0x3ebf9ec0},
    {2, TexelFormat::u8, true, 29, {0x1.a94p-2, 0x1.1adp+0, 0}, 0x1.18p-1f, 0x3ea9faaa},
    {2, TexelFormat::s8, true, 30, {0x1.251b24p-2, 0x1.14c33ep+0, 0}, 0x1.1429c6p+1f, 0xbef735ee},
    {2, TexelFormat::s8, true, 30, {0x1.604p-1, -0x1.bfp-4, 0}, 0x1.37p-1f, 0xbe6991d3},
    {2, TexelFormat::s8, true, 30, {0x1.541146p-1, 0x1.ed15acp-1, 0}, 0x1.771ffep+2f, 0x3f356b6b},
    {2, TexelFormat::s8, true, 30, {0x1.5fp-2, -0x1.bap-5, 0}, 0x1.458p+2f, 0x3f356b6b},
    {3, TexelFormat::f32, true, 41, {0x1.f4f87cp-1, -0x1.15bc14p-3, 0x1.4a37b8p-4}, 0x1.514f0ap+1f, 0x3f1d7873},
    {3, TexelFormat::f32, true, 41, {0x1.288p-3, 0x1.363p+0, 0x1.614p-2}, 0x1.26cp+1f, 0x3e30a84b},
    {3, TexelFormat::f32, true, 41, {-0x1.cb8c3p-3, 0x1.11f4cp+0, 0x1.3c912ap+0}, 0x1.3e1ffep+2f, 0x3efa386e},
    {3, TexelFormat::f32, true, 41, {0x1.6bp-2, 0x1.434p-1, 0x1.2bep-1}, 0x1.1p+1f, 0x3f1a05ee},
};
// clang-format on

}  // namespace

TEST_CASE("of two levels each has its weights, and their products are one sum") {
  for (const Look& look : kLooks) {
    CAPTURE(look.seed);
    CAPTURE(look.level);
    Mipmap mipmap(look.dims, look.format, look.seed);
    mipmap.texture.sampler.filters = look.filters;
    CHECK(sample_level(mipmap.texture, {look.at, 0}, look.level)[0] == look.expected);
  }
}

TEST_CASE(
    "a level is cut off towards zero, biased, and kept within the clamps, the lower one last") {
  Mipmap mipmap(2, TexelFormat::f32, 1);
  for (std::size_t level = 0; level < 6; ++level)  // what is fetched is the level
    for (std::size_t n = 0; 4 * n < mipmap.memory[level].size(); ++n) {
      const auto value = static_cast<float>(level);
      std::memcpy(&mipmap.memory[level][4 * n], &value, 4);
    }
  Sampler& sampler = mipmap.texture.sampler;
  const struct {
    int bias, least, most;
    bool filters_levels;
    float level, expected;
  } looks[] = {
      {76, 0, 25600, true, -0x1.06p-2f, 11 / 256.0f},
      {640, 256, 853, true, -0x1.d2p-2f, 524 / 256.0f},
      {0, 512, 256, true, 5, 2},
      {0, 386, 384, false, 0, 2},
      {0, 0, 25600, false, 2.49f, 2},
      {0, 0, 25600, false, 2.5f, 3},
      {0, 0, 25600, true, 0x1p127f, 5},
      {0, 0, 25600, true, -3, 0},
  };
  for (const auto& look : looks) {
    CAPTURE(look.level);
    sampler.bias = look.bias;
    sampler.least_level = look.least;
    sampler.most_level = look.most;
    sampler.filters_levels = look.filters_levels;
    const std::uint32_t got = sample_level(mipmap.texture, {{0.3, 0.6, 0}, 0}, look.level)[0];
    CHECK(__builtin_bit_cast(float, got) == look.expected);
  }
  sampler.least_level = 179;
  sampler.bias = 99;  // not of a fetch that names no level
  CHECK(__builtin_bit_cast(float, sample(mipmap.texture, {{0.3, 0.6, 0}, 0})[0]) == 179 / 256.0f);
}

TEST_CASE("the least number of 16 bits counts as -32768 in a sum, which is -1 at least") {
  // Of a kernel of tests/golden/random/textures (k900118_0), thread 57's and thread 87's levels.
  const std::int16_t texels[] = {-26892, -32768, -14838};
  const auto between = [&](int first, int next, int part) {
    Mipmap mipmap(2, TexelFormat::s16, 1);
    const int kept[2] = {first, next};
    for (std::size_t level = 0; level < 2; ++level)
      for (std::size_t n = 0; 2 * n < mipmap.memory[level].size(); ++n)
        std::memcpy(&mipmap.memory[level][2 * n], &texels[kept[level]], 2);
    mipmap.texture.sampler.filters = true;
    return sample_level(mipmap.texture, {{0.3, 0.6, 0}, 0}, static_cast<float>(part) / 256)[0];
  };
  CHECK(between(0, 1, 128) == 0xbf690dd2);  // -29830 of 32767
  CHECK(between(1, 2, 160) == 0xbf287551);  // -21562 of 32767
  CHECK(between(1, 1, 77) == 0xbf800000);
}

TEST_CASE("by its numbers a texel outside is 0; of a named level it is the nearest") {
  const Mipmap mipmap(2, TexelFormat::u8, 1);
  const auto texel = [&](std::size_t level, std::size_t n) {
    return static_cast<float>(mipmap.memory[level][n] / 255.0);
  };
  const auto is = [](const FetchedTexel& got, float expected) {
    CHECK(__builtin_bit_cast(float, got[0]) == expected);
  };
  is(fetch(mipmap.texture, {31, 15, 0}), texel(0, 511));
  is(fetch(mipmap.texture, {32, 15, 0}), 0);
  is(fetch(mipmap.texture, {0, -1, 0}), 0);
  is(fetch_level(mipmap.texture, {32, -1, 0}, 0), texel(0, 31));
  is(fetch_level(mipmap.texture, {3, 99, 0}, 2), texel(2, 3 * 8 + 3));
  is(fetch_level(mipmap.texture, {0, 0, 0}, 6), 0);
  is(fetch_level(mipmap.texture, {0, 0, 0}, -1), 0);
}

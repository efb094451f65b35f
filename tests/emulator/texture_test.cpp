// SPDX-License-Identifier: MIT
// tex, suld and sust of a kernel: what point sampling and boundaries give by the ISA's words, what
// is refused, and what a kernel is told that names an object which is not there. How a card filters
// is tests/golden/texture's.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>

#include "emulator/texture/texel.hpp"
#include "emulator/texture/texture.hpp"
#include "tests/emulator/snippet.hpp"

using namespace lanescope::emulator;
using lanescope::emulator::test::contains;

namespace {

/// A machine, an image of 5 x 3 numbers from 1 on, and 32 lanes that write four words each.
struct Scene {
  Machine machine{Options{}};
  Texture texture;
  std::uint64_t out = 0;

  Scene() {
    texture.image.dims = 2;
    texture.image.size = {5, 3, 1};
    texture.image.pitch_bytes = 32;
    texture.image.format = TexelFormat::u32;
    texture.image.address = machine.allocate(texture.image.bytes()).value;
    for (std::uint32_t row = 0; row < 3; ++row)
      for (std::uint32_t col = 0; col < 5; ++col) put(row, col, 5 * row + col + 1);
    out = machine.allocate(512).value;
  }
  std::uint64_t at(std::uint32_t row, std::uint32_t col) const {
    return texture.image.row(row, 0) + 4 * col;
  }
  void put(std::uint32_t row, std::uint32_t col, std::uint32_t value) const {
    std::memcpy(reinterpret_cast<void*>(at(row, col)), &value, 4);
  }
  std::uint32_t get(std::uint32_t row, std::uint32_t col) const {
    std::uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(at(row, col)), 4);
    return value;
  }
  /// The body has %rd1, the handle; %r1, the lane, %f1, the same; it leaves its words in %r10 to
  /// %r13.
  Error run(std::string_view body, std::uint64_t handle) {
    const std::string text = fmt::format(
        ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 object, "
        ".param .u64 out) {{\n.reg .b16 %h<9>; .reg .b32 %r<20>; .reg .f32 %f<20>; .reg .b64 "
        "%rd<9>; .reg .pred %p<3>;\nld.param.u64 %rd1, [object]; ld.param.u64 %rd2, [out];\n"
        "mov.u32 %r1, %laneid; cvt.rn.f32.u32 %f1, %r1;\n{}\n"
        "mad.wide.u32 %rd3, %r1, 16, %rd2; st.global.v4.u32 [%rd3], {{%r10, %r11, %r12, %r13}}; "
        "ret; }}\n",
        body);
    const auto module = machine.load(text, "test.ptx");
    if (!module.ok()) return module.error;
    std::uint64_t parameters[2] = {handle, out};
    const auto bytes = std::as_bytes(std::span(parameters));
    return machine
        .launch({.kernel = machine.find_kernel(module.value, "k"),
                 .block = {32, 1, 1},
                 .parameters = bytes})
        .error;
  }
  std::string told(std::string_view body, std::uint64_t handle) {
    return run(body, handle).message;
  }
  std::uint32_t word(int lane, int k) const {
    std::uint32_t value = 0;
    std::memcpy(&value,
                reinterpret_cast<const void*>(out + 16u * static_cast<unsigned>(lane) +
                                              4u * static_cast<unsigned>(k)),
                4);
    return value;
  }
};

constexpr std::string_view kFetch =
    "mov.f32 %f2, 0f3FC00000; tex.2d.v4.u32.f32 {%r10, %r11, %r12, %r13}, [%rd1, {%f1, %f2}];";

}  // namespace

TEST_CASE("a fetch takes the texel that its place lies in, at the edge the last one") {
  Scene scene;
  scene.texture.sampler.mode = {AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  const auto handle = scene.machine.textures().add(scene.texture);
  const Error error = scene.run(kFetch, handle);
  REQUIRE_MESSAGE(!error, error.message);
  for (int lane = 0; lane < 32; ++lane)
    CHECK(scene.word(lane, 0) == 6 + static_cast<std::uint32_t>(lane < 5 ? lane : 4));
}

TEST_CASE("a border is the colour that was given") {
  Scene scene;
  scene.texture.sampler.mode = {AddressMode::border, AddressMode::border, AddressMode::border};
  const auto handle = scene.machine.textures().add(scene.texture);
  REQUIRE(!scene.run(kFetch, handle));
  CHECK(scene.word(4, 0) == 10);
  CHECK(scene.word(5, 0) == 0);
}

// As an H200 has it (docs/experiments/textures.md).
TEST_CASE("a border is cut to what a texel has") {
  const auto border = [](TexelFormat format, bool to_unit, float colour) {
    Texture texture;
    texture.image.format = format;
    texture.image.channels = 1;
    texture.sampler.to_unit = to_unit;
    texture.sampler.border[0] = colour;
    return texel_at(texture, texture.image, {kOutside, 0, 0})[0];
  };
  CHECK(border(TexelFormat::u8, false, -0.25f) == 0);  // be800000
  CHECK(border(TexelFormat::u16, false, 0.3f) == 0x999a);
  CHECK(border(TexelFormat::u32, false, -0.25f) == 0xbe800000);
  CHECK(border(TexelFormat::f32, false, -0.25f) == 0xbe800000);
  // The nearest, but for what is a little above the middle of two.
  CHECK(border(TexelFormat::u16, true, 0.25f) == 16384);
  CHECK(border(TexelFormat::u8, true, 0.3f) == 76);  // 76.5 as a float
  CHECK(border(TexelFormat::u8, true, -0.25f) == 0);
  CHECK(border(TexelFormat::s8, true, 0.25f) == 32);
  CHECK(border(TexelFormat::s8, true, -0.5f) == 0xc1);  // -63
  CHECK(border(TexelFormat::s16, true, -0.5f) == 0xc001);
  CHECK(border(TexelFormat::s16, true, -0.7f) == 0xa667);
  CHECK(border(TexelFormat::u8, true, 0x1.6375e4p-2f) == 88);        // of 88.518
  CHECK(border(TexelFormat::u8, true, 0x1.b6b6b8p-1f) == 218);       // of 218.50001
  CHECK(border(TexelFormat::s16, true, 0x1.5076e8p-2f) == 10766);    // of 10766.535
  CHECK(border(TexelFormat::s16, true, -0x1.637ce8p-1f) == 0xa722);  // -22750 of -22750.532
  CHECK(border(TexelFormat::u8, true, __builtin_nanf("")) == 0);
  CHECK(border(TexelFormat::f16, true, __builtin_nanf("")) == 0x7e00);
}

TEST_CASE("the border of sRGB is the byte that means its colour") {
  Texture texture;
  texture.image.format = TexelFormat::u8;
  texture.image.channels = 4;
  texture.sampler.to_unit = texture.sampler.is_srgb = true;
  texture.sampler.border = {0.5f, -0.25f, 1.0f, 0.5f};
  const FetchedTexel got = given(texture, texel_at(texture, texture.image, {kOutside, 0, 0}));
  CHECK(got[0] == 0x3f010000);  // 188, which is 0.50390625
  CHECK(got[1] == 0);
  CHECK(got[2] == 0x3f800000);
  CHECK(got[3] == 0x3efefeff);  // the fourth is 127 of 255
}

TEST_CASE("surfaces are written and read by bytes, with every boundary") {
  Scene scene;
  scene.texture.is_surface = true;
  const auto handle = scene.machine.textures().add(scene.texture);
  const Error error = scene.run(
      "shl.b32 %r2, %r1, 2; mov.b32 %r3, 1; add.u32 %r4, %r1, 100;"
      "sust.b.2d.b32.zero [%rd1, {%r2, %r3}], {%r4};"
      "suld.b.2d.b32.clamp {%r10}, [%rd1, {%r2, %r3}];"
      "suld.b.2d.b32.zero {%r11}, [%rd1, {%r2, %r3}];"
      "mov.b32 %r5, -7; suld.b.2d.b32.clamp {%r12}, [%rd1, {%r2, %r5}]; mov.b32 %r13, 0;",
      handle);
  REQUIRE_MESSAGE(!error, error.message);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const int l = static_cast<int>(lane);
    CHECK(scene.word(l, 0) == (lane < 5 ? 100 + lane : 104));
    CHECK(scene.word(l, 1) == (lane < 5 ? 100 + lane : 0));
    CHECK(scene.word(l, 2) == (lane < 5 ? 1 + lane : 5));
  }
  CHECK(scene.get(1, 4) == 104);
  CHECK(scene.get(2, 0) == 11);
}

TEST_CASE("beyond the edge clamp finds the last place that begins at a multiple of what is moved") {
  Scene scene;  // rows of 20 bytes: 8 fit at 12, and are at 8, as on a card
  scene.texture.is_surface = true;
  const auto handle = scene.machine.textures().add(scene.texture);
  const Error error = scene.run(
      "mov.b32 %r2, 400; mov.b32 %r3, 0; suld.b.2d.v2.b32.clamp {%r10, %r11}, [%rd1, {%r2, %r3}];"
      "suld.b.2d.b32.clamp {%r12}, [%rd1, {%r2, %r3}]; mov.b32 %r13, 0;",
      handle);
  REQUIRE_MESSAGE(!error, error.message);
  CHECK(scene.word(0, 0) == 3);
  CHECK(scene.word(0, 1) == 4);
  CHECK(scene.word(0, 2) == 5);
}

TEST_CASE("an object that is not there is one line and no crash") {
  Scene scene;
  CHECK(contains(scene.told(kFetch, 0), "0x0 is no texture object, kernel k, CTA (0,0,0), warp 0"));
  CHECK(contains(scene.told(kFetch, scene.out), "is no texture object"));
  const auto handle = scene.machine.textures().add(scene.texture);
  scene.machine.textures().remove(handle);
  CHECK(contains(scene.told(kFetch, handle), "the texture object has been destroyed"));
  const auto again = scene.machine.textures().add(scene.texture);
  CHECK(again != handle);
  CHECK(contains(scene.told("suld.b.2d.b32.trap {%r10}, [%rd1, {%r1, %r1}];", again),
                 "a texture object is used as a surface"));
  CHECK(!scene.machine.free(scene.texture.image.address));
  const Error freed = scene.run(kFetch, again);
  CHECK(freed.code == ErrorCode::illegal_address);
  CHECK(contains(freed.message, "that have been freed"));
}

TEST_CASE("a surface's trap and what is no whole texel are named with their place") {
  Scene scene;
  scene.texture.is_surface = true;
  const auto handle = scene.machine.textures().add(scene.texture);
  CHECK(contains(
      scene.told("mov.b32 %r2, 20; suld.b.2d.b32.trap {%r10}, [%rd1, {%r2, %r1}];", handle),
      "byte 20, row 0, slice 0 is outside of the surface, 20 bytes x 3 x 1"));
  CHECK(
      contains(scene.told("mov.b32 %r2, 2; sust.b.2d.b32.clamp [%rd1, {%r2, %r1}], {%r1};", handle),
               "byte 2 of a surface's row is not a multiple of the 4 that are moved"));
}

TEST_CASE("a texel by its numbers, 0 outside; every one is resident") {
  Scene scene;
  const auto handle = scene.machine.textures().add(scene.texture);
  const std::string_view body =
      "mov.b32 %r2, 1; tex.2d.v4.u32.s32 {%r10, %r11, %r12, %r13}|%p1, [%rd1, {%r1, %r2}]; "
      "selp.b32 %r11, 7, 0, %p1;";
  const Error error = scene.run(body, handle);
  REQUIRE_MESSAGE(!error, error.message);
  for (int lane = 0; lane < 32; ++lane) {
    CHECK(scene.word(lane, 0) == (lane < 5 ? 6 + static_cast<std::uint32_t>(lane) : 0));
    CHECK(scene.word(lane, 1) == 7);
  }
}

TEST_CASE(
    "of a mipmap a level is named, as a number or between two, or by gradients; each has its "
    "size") {
  Scene scene;
  scene.texture.image.format = TexelFormat::f32;
  scene.texture.further.push_back(scene.texture.image);  // the second level: one texel, 22
  scene.texture.further.back().size = {1, 1, 1};
  scene.texture.further.back().address = scene.at(2, 1);
  scene.put(0, 0, 0x41200000);  // 10
  scene.put(2, 1, 0x41b00000);
  scene.texture.sampler.is_normalized = scene.texture.sampler.filters_levels = true;
  scene.texture.sampler.most_level = 512;
  const auto handle = scene.machine.textures().add(scene.texture);
  REQUIRE(
      !scene.run("mov.f32 %f2, 0f00000000; mov.f32 %f3, 0f3E800000; "
                 "tex.level.2d.v4.u32.f32 {%r10, %r3, %r4, %r5}, [%rd1, {%f2, %f2}], %f3; "
                 "mov.b32 %r2, 0; tex.level.2d.v4.u32.s32 {%r11, %r3, %r4, %r5}, [%rd1, {%r2, "
                 "%r2}], %r1; tex.base.2d.v4.u32.f32 {%r12, %r3, %r4, %r5}, [%rd1, {%f2, %f2}];",
                 handle));
  CHECK(scene.word(0, 0) == 0x41500000);  // 13
  CHECK(scene.word(0, 1) == 0x41200000);
  CHECK(scene.word(1, 1) == 0x41b00000);
  CHECK(scene.word(2, 1) == 0);
  CHECK(scene.word(0, 2) == 0x41200000);
  const std::string_view gradients =
      "tex.grad.2d.v4.u32.f32 {%r10, %r11, %r12, %r13}, [%rd1, {%f1, %f1}], {%f1, %f1}, {%f1, "
      "%f1};";
  REQUIRE(!scene.run(gradients, handle));  // two texels and more a step: the last level
  CHECK(scene.word(9, 0) == 0x41b00000);
  const std::string_view sizes =
      "txq.level.width.b32 %r10, [%rd1], %r1; txq.level.height.b32 %r11, [%rd1], %r1; "
      "txq.level.depth.b32 %r12, [%rd1], %r1; mov.b32 %r13, 0;";
  REQUIRE(!scene.run(sizes, handle));
  CHECK(scene.word(0, 0) == 5);
  CHECK(scene.word(0, 1) == 3);
  CHECK(scene.word(0, 2) == 0);
  CHECK(scene.word(1, 0) == 1);
  CHECK(scene.word(2, 0) == 0);
  scene.texture.sampler.is_anisotropic = true;
  CHECK(contains(scene.told(gradients, scene.machine.textures().add(scene.texture)),
                 "what gradients choose of a cube's levels, or with anisotropy, is not modelled"));
  scene.texture.sampler.is_anisotropic = false;
  scene.texture.further.clear();
  CHECK(!scene.run(gradients, scene.machine.textures().add(scene.texture)));
}

TEST_CASE("texels come as pairs of halves, and from a place that an offset goes on from") {
  Scene scene;
  scene.texture.image.format = TexelFormat::f32;
  scene.put(1, 3, 0x3f801000);  // between two halves: to the even one
  scene.put(1, 4, 0x3f803000);
  const auto handle = scene.machine.textures().add(scene.texture);
  const Error error = scene.run(
      "mov.f32 %f2, 0f3FC00000; tex.2d.v2.f16x2.f32 {%r10, %r11}, [%rd1, {%f1, %f2}]; "
      "mov.b32 %r2, 17; tex.2d.v4.u32.f32 {%r12, %r3, %r4, %r5}, [%rd1, {%f1, %f2}], {%r2, 0}; "
      "mov.b32 %r6, 46; tld4.r.2d.v4.u32.f32 {%r13, %r3, %r4, %r5}, [%rd1, {%f1, %f2}], {%r6, 0}; "
      "mov.b32 %r7, 1; tex.2d.v4.u32.s32 {%r11, %r3, %r4, %r5}, [%rd1, {%r1, %r7}], {-1, 0};",
      handle);
  REQUIRE_MESSAGE(!error, error.message);
  CHECK(scene.word(3, 0) == 0x3c00);
  CHECK(scene.word(4, 0) == 0x3c02);
  CHECK(scene.word(4, 1) == 0x3f801000);
  CHECK(scene.word(5, 1) == 0x3f803000);
  CHECK(scene.word(0, 1) == 0);
  CHECK(scene.word(2, 2) == 0x3f801000);
  CHECK(scene.word(3, 2) == 0x3f803000);
  CHECK(scene.word(22, 3) == 14);  // the lower left, 18 back from 21
}

TEST_CASE("what is not modelled is refused by name") {
  Scene scene;
  const auto handle = scene.machine.textures().add(scene.texture);
  const struct {
    const char *body, *says;
  } refused[] = {
      {"tex.level.a2d.v4.f32.s32 {%f4, %f5, %f6, %f7}, [%rd1, {%r1, %r1, %r1, %r1}], %r1;",
       "levels of layers by number are not modelled"},
      {"tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%f1, %f1}], %f1;",
       "comparisons with a depth are not modelled"},
      {"tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%f1, %f1}], {%r1, 9};",
       "an offset of 9 is not modelled, -8 to 7 are"},
      {"tex.1d.v4.f32.s32 {%f4, %f5, %f6, %f7}, [%rd1, {%r1}], {%r1};",
       "offsets of such a fetch are not modelled"},
      {"tex.2dms.v4.f32.s32 {%f4, %f5, %f6, %f7}, [%rd1, {%r1, %r1, %r1, %r1}];",
       "the shape .2dms is not modelled"},
      {"tld4.r.cube.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%f1, %f1, %f1, %f1}];",
       "of the shapes of tld4, .2d and .a2d are modelled"},
      {"txq.width.b32 %r2, [%rd1];", "txq without .level is not modelled"},
  };
  for (const auto& entry : refused) {
    const Error error = scene.run(entry.body, handle);
    CHECK_MESSAGE(error.code == ErrorCode::unsupported_instruction, error.message);
    CHECK_MESSAGE(contains(error.message, entry.says), error.message);
  }
}

// SPDX-License-Identifier: MIT
// sust.p and sured: what an H200 left of surfaces (driver 580.159.04, CUDA 13.0;
// docs/experiments/surfaces.md), and what is refused.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "emulator/texture/texture.hpp"
#include "tests/emulator/snippet.hpp"

using namespace lanescope::emulator;
using lanescope::emulator::test::contains;

namespace {

using Words = std::vector<std::uint32_t>;

/// 8 x 4 texels, and a kernel of one thread that has them as a surface, %rd1.
struct Scene {
  Machine machine{Options{}};
  Texture surface;
  std::uint64_t handle = 0;

  Scene(TexelFormat format, int channels, std::string_view geometry = "2d") {
    TextureImage& image = surface.image;
    image.is_layered = geometry.front() == 'a';
    image.dims = geometry[image.is_layered ? 1 : 0] - '0';
    image.size = {8, image.dims == 1 ? 1 : 4, image.dims == 3 || image.is_layered ? 3 : 1};
    image.format = format;
    image.channels = channels;
    image.pitch_bytes = static_cast<std::uint64_t>(8 * image.texel_bytes());
    image.slice_bytes = image.pitch_bytes * static_cast<std::uint64_t>(image.size[1]);
    image.address = machine.allocate(image.bytes()).value;
    surface.is_surface = true;
    handle = machine.textures().add(surface);
    Words words(image.bytes() / 4);
    for (std::uint32_t n = 0; n < words.size(); ++n)
      words[n] = n % 3 == 0 ? 0x80000005u + n : 0x100u + 7 * n;
    std::memcpy(reinterpret_cast<void*>(image.address), words.data(), image.bytes());
  }
  Words words() const {
    Words words(surface.image.bytes() / 4);
    std::memcpy(words.data(), reinterpret_cast<const void*>(surface.image.address),
                surface.image.bytes());
    return words;
  }
  Error run(std::string_view body) {
    const std::string text = fmt::format(
        ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 object) "
        "{{\n.reg .b32 %r<20>; .reg .b64 %rd<9>;\nld.param.u64 %rd1, [object];\n{}\nret; }}\n",
        body);
    const auto module = machine.load(text, "test.ptx");
    if (!module.ok()) return module.error;
    const auto bytes = std::as_bytes(std::span(&handle, 1));
    return machine.launch({.kernel = machine.find_kernel(module.value, "k"), .parameters = bytes})
        .error;
  }
};

struct Sum {
  std::string_view instruction;
  TexelFormat format;
  int channels, x, y;
  std::uint32_t value;
  std::vector<std::pair<std::size_t, std::uint32_t>> changes;  // words
};

const Sum kSums[] = {
    // clang-format off
    {"sured.b.add.2d.u32.zero", TexelFormat::s32, 2, 4, 3, 0x3, {{{49, 0x25a}}}},
    {"sured.b.add.2d.u32.zero", TexelFormat::u8, 4, 4, 3, 0x3, {{{25, 0x1b2}}}},
    {"sured.b.add.2d.u32.zero", TexelFormat::u8, 1, 4, 3, 0x3, {{{7, 0x134}}}},
    {"sured.b.add.2d.u32.zero", TexelFormat::u8, 4, -4, 0, 0x1, {}},
    {"sured.b.max.2d.s64.zero", TexelFormat::s32, 2, 0, 2, 0x103, {{{32, 0x103}, {33, 0x0}}}},
    {"sured.b.max.2d.s64.zero", TexelFormat::s16, 1, 0, 2, 0x103, {{{8, 0x103}, {9, 0x0}}}},
    {"sured.b.max.2d.s64.zero", TexelFormat::u32, 2, 0, 2, 0x103, {{{32, 0x103}, {33, 0x0}}}},
    {"sured.b.max.2d.s64.zero", TexelFormat::s32, 1, 8, 1, 0x80000010, {}},
    {"sured.b.add.2d.s32.zero", TexelFormat::u8, 4, 8, 1, 0x80000010, {{{10, 0x80000156}}}},
    {"sured.b.add.2d.s32.zero", TexelFormat::u8, 1, 0, 2, 0x103, {{{4, 0x21f}}}},
    {"sured.b.add.2d.s32.zero", TexelFormat::s32, 2, 16, 0, 0x3, {{{4, 0x11f}}}},
    {"sured.b.add.2d.s32.zero", TexelFormat::s16, 1, -4, 0, 0x1, {}},
    {"sured.b.add.2d.u32.clamp", TexelFormat::s16, 1, 100, 9, 0x1, {{{15, 0x80000015}}}},
    {"sured.b.add.2d.u32.clamp", TexelFormat::s32, 1, 28, -2, 0x1, {{{7, 0x132}}}},
    {"sured.b.add.2d.u32.clamp", TexelFormat::s32, 1, -4, 0, 0x1, {{{0, 0x80000006}}}},
    {"sured.b.min.2d.u32.zero", TexelFormat::u8, 1, 0, 2, 0x103, {{{4, 0x103}}}},
    {"sured.b.min.2d.u32.zero", TexelFormat::u32, 2, 16, 0, 0x3, {{{4, 0x3}}}},
    {"sured.b.min.2d.u32.zero", TexelFormat::s32, 1, 4, 3, 0x3, {{{25, 0x3}}}},
    {"sured.b.min.2d.u32.zero", TexelFormat::s32, 1, -4, 0, 0x1, {}},
    {"sured.b.min.2d.u32.zero", TexelFormat::s32, 1, 0, 2, 0x103, {{{16, 0x103}}}},
    {"sured.b.min.2d.s32.zero", TexelFormat::u8, 1, 4, 3, 0x3, {{{7, 0x3}}}},
    {"sured.b.min.2d.s32.zero", TexelFormat::u8, 4, 4, 3, 0x3, {{{25, 0x3}}}},
    {"sured.b.min.2d.s32.zero", TexelFormat::s16, 1, 4, 3, 0x3, {{{13, 0x3}}}},
    {"sured.b.min.2d.s32.zero", TexelFormat::s16, 1, -4, 0, 0x1, {}},
    {"sured.b.min.2d.s32.zero", TexelFormat::s32, 1, 8, 1, 0x80000010, {{{10, 0x80000010}}}},
    {"sured.b.max.2d.u32.zero", TexelFormat::u32, 1, 8, 1, 0x80000010, {{{10, 0x80000010}}}},
    {"sured.b.max.2d.u32.zero", TexelFormat::s16, 1, 8, 1, 0x80000010, {{{6, 0x80000010}}}},
    {"sured.b.max.2d.u32.zero", TexelFormat::s32, 1, 8, 1, 0x80000010, {{{10, 0x80000010}}}},
    {"sured.b.max.2d.u32.zero", TexelFormat::s16, 1, -4, 0, 0x1, {}},
    {"sured.b.max.2d.s32.zero", TexelFormat::s16, 1, 8, 1, 0x80000010, {{{6, 0x80000010}}}},
    {"sured.b.max.2d.s32.zero", TexelFormat::f32, 1, 0, 9, 0x1, {}},
    {"sured.b.and.2d.b32.zero", TexelFormat::u32, 1, 8, 1, 0x80000010, {{{10, 0x0}}}},
    {"sured.b.and.2d.b32.zero", TexelFormat::u8, 4, 0, 2, 0x103, {{{16, 0x100}}}},
    {"sured.b.and.2d.b32.zero", TexelFormat::u8, 1, 0, 2, 0x103, {{{4, 0x100}}}},
    {"sured.b.and.2d.b32.zero", TexelFormat::u32, 1, 64, 0, 0x1, {}},
    {"sured.b.or.2d.b32.zero", TexelFormat::u32, 1, 0, 2, 0x103, {{{16, 0x173}}}},
    {"sured.b.or.2d.b32.zero", TexelFormat::u8, 4, 0, 2, 0x103, {{{16, 0x173}}}},
    {"sured.b.or.2d.b32.zero", TexelFormat::u32, 2, 0, 2, 0x103, {{{32, 0x1e3}}}},
    {"sured.b.or.2d.b32.zero", TexelFormat::s32, 2, -4, 0, 0x1, {}},
    {"sured.b.add.2d.u64.zero", TexelFormat::f32, 1, 8, 1, 0x80000010, {{{10, 0x80000156}}}},
    {"sured.b.add.2d.u64.zero", TexelFormat::u32, 1, 8, 1, 0x80000010, {{{10, 0x80000156}}}},
    {"sured.b.add.2d.u64.zero", TexelFormat::s16, 1, 0, 2, 0x103, {{{8, 0x23b}}}},
    {"sured.b.add.2d.u64.zero", TexelFormat::u8, 1, 8, 1, 0x80000010, {}},
    {"sured.b.min.2d.u64.zero", TexelFormat::u32, 2, 0, 2, 0x103, {{{32, 0x103}, {33, 0x0}}}},
    {"sured.b.min.2d.u64.zero", TexelFormat::s32, 2, 0, 2, 0x103, {{{32, 0x103}, {33, 0x0}}}},
    {"sured.b.min.2d.u64.zero", TexelFormat::f32, 1, 8, 1, 0x80000010, {{{10, 0x80000010}, {11, 0x0}}}},
    {"sured.b.min.2d.u64.zero", TexelFormat::u8, 1, 8, 1, 0x80000010, {}},
    {"sured.b.min.2d.u64.zero", TexelFormat::s32, 1, 8, 1, 0x80000010, {{{10, 0x80000010}, {11, 0x0}}}},
    {"sured.p.add.2d.b32.zero", TexelFormat::s32, 2, 5, 0, 0x7f, {{{5, 0x1a2}}}},
    {"sured.p.add.2d.b32.zero", TexelFormat::s32, 1, 3, 3, 0x3, {{{27, 0x80000023}}}},
    {"sured.p.add.2d.b32.zero", TexelFormat::f32, 1, 4, 3, 0x3, {{{28, 0x1c7}}}},
    {"sured.p.add.2d.b32.zero", TexelFormat::u8, 1, 8, 1, 0x80000010, {}},
    {"sured.p.min.2d.b32.zero", TexelFormat::s32, 2, 5, 0, 0x7f, {{{5, 0x7f}}}},
    {"sured.p.min.2d.b32.zero", TexelFormat::u32, 1, 0, 2, 0x103, {{{16, 0x103}}}},
    {"sured.p.min.2d.b32.zero", TexelFormat::s16, 1, 0, 2, 0x103, {{{8, 0x103}}}},
    {"sured.p.min.2d.b32.zero", TexelFormat::s32, 1, 8, 1, 0x80000010, {}},
    {"sured.p.min.2d.b32.zero", TexelFormat::s32, 1, 0, 2, 0x103, {{{16, 0x103}}}},
    {"sured.p.max.2d.b32.zero", TexelFormat::s32, 2, 3, 3, 0x3, {{{51, 0x3}}}},
    {"sured.p.max.2d.b32.zero", TexelFormat::s16, 1, 3, 3, 0x3, {{{15, 0x3}}}},
    {"sured.p.max.2d.b32.zero", TexelFormat::s32, 1, 3, 3, 0x3, {{{27, 0x3}}}},
    {"sured.p.max.2d.b32.zero", TexelFormat::s32, 1, 0, 2, 0x103, {}},
    {"sured.p.and.2d.b32.zero", TexelFormat::f32, 1, 3, 3, 0x3, {{{27, 0x0}}}},
    {"sured.p.and.2d.b32.zero", TexelFormat::u32, 2, 8, 1, 0x80000010, {{{24, 0x80000010}}}},
    {"sured.p.and.2d.b32.zero", TexelFormat::u32, 2, 4, 3, 0x3, {{{52, 0x0}}}},
    {"sured.p.and.2d.b32.zero", TexelFormat::s32, 2, -4, 0, 0x1, {}},
    {"sured.p.or.2d.b32.zero", TexelFormat::u8, 1, 0, 2, 0x103, {{{4, 0x11f}}}},
    {"sured.p.or.2d.b32.zero", TexelFormat::u32, 2, 4, 3, 0x3, {{{52, 0x26f}}}},
    {"sured.p.or.2d.b32.zero", TexelFormat::u32, 1, 0, 2, 0x103, {{{16, 0x173}}}},
    {"sured.p.or.2d.b32.zero", TexelFormat::u32, 1, 16, 0, 0x3, {}},
    {"sured.p.min.2d.b64.zero", TexelFormat::s32, 2, 3, 3, 0x3, {{{54, 0x3}, {55, 0x0}}}},
    {"sured.p.min.2d.b64.zero", TexelFormat::f32, 1, 3, 3, 0x3, {{{30, 0x3}, {31, 0x0}}}},
    {"sured.p.min.2d.b64.zero", TexelFormat::u32, 1, 3, 3, 0x3, {{{30, 0x3}, {31, 0x0}}}},
    {"sured.p.min.2d.b64.zero", TexelFormat::s32, 2, 16, 0, 0x3, {}},
    {"sured.p.min.2d.b64.zero", TexelFormat::s32, 1, 0, 2, 0x103, {{{16, 0x103}, {17, 0x0}}}},
    {"sured.p.max.2d.b64.zero", TexelFormat::s32, 2, 0, 2, 0x103, {{{32, 0x103}, {33, 0x0}}}},
    {"sured.p.max.2d.b64.zero", TexelFormat::s32, 2, 4, 3, 0x3, {{{56, 0x3}, {57, 0x0}}}},
    {"sured.p.max.2d.b64.zero", TexelFormat::s16, 1, 0, 2, 0x103, {{{8, 0x103}, {9, 0x0}}}},
    {"sured.p.max.2d.b64.zero", TexelFormat::u32, 1, 3, 3, 0x3, {}},
    {"sured.p.add.2d.b32.clamp", TexelFormat::u32, 1, 100, 9, 0x1, {{{31, 0x1da}}}},
    {"sured.p.add.2d.b32.clamp", TexelFormat::u32, 1, -4, 0, 0x1, {{{0, 0x80000006}}}},
    {"sured.p.add.2d.b32.clamp", TexelFormat::s32, 2, 100, 9, 0x1, {{{63, 0x80000045}}}},
    // clang-format on
};

// Rows, volumes and layers (8 texels, 8 x 4 x 3, 3 of 8, 3 of 8 x 4). A layer has no sign.
struct Placed {
  std::string_view geometry, instruction;
  TexelFormat format;
  int channels;
  std::array<int, 3> at;  // x, y, slice or layer
  std::uint32_t value;
  std::vector<std::pair<std::size_t, std::uint32_t>> changes;  // words
};

const Placed kPlaced[] = {
    // clang-format off
    {"1d", "sust.p.1d.v4.b32.zero", TexelFormat::u8, 4, {4, 3, 2}, 0x5, {{{4, 0x5050505}}}},
    {"1d", "sust.p.1d.v4.b32.clamp", TexelFormat::u16, 1, {64, 9, 9}, 0x5, {{{3, 0x50008}}}},
    {"1d", "sured.p.add.1d.b32.clamp", TexelFormat::s16, 4, {8, 1, 1}, 0x5, {{{8, 0x13d}}}},
    {"1d", "sured.b.min.1d.s64.zero", TexelFormat::s8, 1, {-8, 0, 0}, 0x80000010, {}},
    {"3d", "sust.p.3d.v4.b32.clamp", TexelFormat::u32, 1, {0, 0, -1}, 0x5, {{{0, 0x5}}}},
    {"3d", "sured.b.add.3d.u32.clamp", TexelFormat::s32, 1, {64, 9, 9}, 0x5, {{{95, 0x39e}}}},
    {"3d", "sured.p.add.3d.b32.zero", TexelFormat::s8, 2, {4, 3, 2}, 0x80000010, {}},
    {"3d", "sured.p.max.3d.b32.zero", TexelFormat::s16, 4, {1, 2, 2}, 0x5, {}},
    {"3d", "sust.p.3d.b32.zero", TexelFormat::u16, 1, {7, 3, 2}, 0x80000010, {{{47, 0xffff0249}}}},
    {"3d", "sured.b.add.3d.u32.clamp", TexelFormat::u32, 1, {0, 1, 3}, 0x5, {{{72, 0x80000052}}}},
    {"a1d", "sust.p.a1d.v4.b32.clamp", TexelFormat::u32, 1, {0, 0, -1}, 0x5, {{{16, 0x5}}}},
    {"a1d", "sust.p.a1d.v4.b32.clamp", TexelFormat::u16, 1, {0, 1, 3}, 0x80000010, {{{8, 0xffff}}}},
    {"a1d", "sust.p.a1d.v4.b32.zero", TexelFormat::s8, 1, {4, 3, 2}, 0x5, {{{5, 0x105}}}},
    {"a2d", "sust.p.a2d.v4.b32.clamp", TexelFormat::u32, 1, {0, 0, -1}, 0x5, {{{64, 0x5}}}},
    {"a2d", "sust.p.a2d.v4.b32.clamp", TexelFormat::u8, 4, {64, 9, 9}, 0x80000010, {{{95, 0xffffffff}}}},
    {"a2d", "sust.p.a2d.v4.b32.clamp", TexelFormat::s8, 2, {0, -1, 0}, 0x5, {{{0, 0x80000505}}}},
    {"a2d", "sust.p.a2d.v4.b32.zero", TexelFormat::s16, 4, {4, 3, 2}, 0x5, {{{184, 0x50005}, {185, 0x50005}}}},
    // clang-format on
};

/// The first texel, after sust.p of these words.
std::uint64_t stored(TexelFormat format, int channels, const Words& given) {
  Scene scene(format, channels);
  std::string body = "mov.b32 %r1, 0;\n", list;
  for (std::size_t k = 0; k < given.size(); ++k) {
    body += fmt::format("mov.b32 %r{}, {};\n", k + 2, given[k]);
    list += fmt::format("{}%r{}", k == 0 ? "" : ", ", k + 2);
  }
  const std::string_view vector = given.size() == 4 ? ".v4" : given.size() == 2 ? ".v2" : "";
  const Error error = scene.run(
      body + fmt::format("sust.p.2d{}.b32.trap [%rd1, {{%r1, %r1}}], {{{}}};", vector, list));
  REQUIRE_MESSAGE(!error, error.message);
  std::uint64_t texel = 0;
  std::memcpy(&texel, reinterpret_cast<const void*>(scene.surface.image.address),
              static_cast<std::size_t>(scene.surface.image.texel_bytes()));
  return texel;
}

}  // namespace

TEST_CASE("sured changes the words that the card's changed, and no other") {
  for (const Sum& sum : kSums) {
    CAPTURE(sum.instruction);
    CAPTURE(sum.x);
    Scene scene(sum.format, sum.channels);
    Words expected = scene.words();
    for (const auto& [at, word] : sum.changes) expected[at] = word;
    const bool is_wide = contains(std::string(sum.instruction), "64");
    const Error error = scene.run(fmt::format(
        "mov.b32 %r1, {}; mov.b32 %r2, {}; mov.b32 %r3, {}; mov.b64 %rd2, {};\n{} [%rd1, {{%r1, "
        "%r2}}], {};",
        sum.x, sum.y, sum.value, sum.value, sum.instruction, is_wide ? "%rd2" : "%r3"));
    CHECK_MESSAGE(!error, error.message);
    CHECK(scene.words() == expected);
  }
}

TEST_CASE("rows and volumes and layers change as the card's did") {
  for (const Placed& given : kPlaced) {
    CAPTURE(given.instruction);
    const std::string text(given.instruction);
    const bool is_wide = contains(text, "64");
    Scene scene(given.format, given.channels, given.geometry);
    Words expected = scene.words();
    for (const auto& [at, word] : given.changes) expected[at] = word;
    const std::string_view place = given.geometry == "1d"    ? "%r1"
                                   : given.geometry == "a1d" ? "%r3, %r1"
                                   : given.geometry == "a2d" ? "%r3, %r1, %r2, %r2"
                                                             : "%r1, %r2, %r3, %r3";
    const Error error = scene.run(fmt::format(
        "mov.b32 %r1, {}; mov.b32 %r2, {}; mov.b32 %r3, {}; mov.b32 %r4, {}; mov.b64 %rd2, {};\n"
        "{} [%rd1, {{{}}}], {};",
        given.at[0], given.at[1], given.at[2], given.value, given.value, text, place,
        contains(text, ".v4") ? "{%r4, %r4, %r4, %r4}"
        : is_wide             ? "%rd2"
                              : "%r4"));
    CHECK_MESSAGE(!error, error.message);
    CHECK(scene.words() == expected);
  }
}

TEST_CASE("sust.p makes texels of words: saturated, or f16 cut off; channels without one are 0") {
  const std::pair<std::uint32_t, std::uint32_t> halves[] = {
      {0x0000007f, 0x0000}, {0x33000001, 0x0000}, {0x33800000, 0x0001}, {0x387fe000, 0x03ff},
      {0x3f801001, 0x3c00}, {0x3f803000, 0x3c01}, {0x477fefff, 0x7bff}, {0x47800000, 0x7bff},
      {0x7f800000, 0x7c00}, {0x7f800001, 0x7c01}, {0xffc12345, 0xfe09}, {0xb60cda97, 0x8023},
      {0x9be2c8dc, 0x8000}, {0xd55762a4, 0xfbff}};
  for (const auto& [word, half] : halves) {
    CAPTURE(word);
    CHECK(stored(TexelFormat::f16, 1, {word}) == half);
  }
  CHECK(stored(TexelFormat::u8, 4, {0x80000000, 0x100, 0xff, 1}) == 0x01ffffff);
  CHECK(stored(TexelFormat::s8, 4, {0x80000000, 0x100, 0xffffff80, 0xffffff7f}) == 0x80807f80);
  CHECK(stored(TexelFormat::u16, 2, {0xffff8000, 0x10000}) == 0xffffffff);
  CHECK(stored(TexelFormat::s16, 2, {0xffff7fff, 0x8000}) == 0x7fff8000);
  CHECK(stored(TexelFormat::s32, 2, {0xffff7fff}) == 0xffff7fff);
  CHECK(stored(TexelFormat::u8, 1, {7, 8, 9, 10}) == 7);
}

TEST_CASE("what lies outside of a surface, and a byte between two words, are errors") {
  const auto told = [](std::string_view body) { return Scene(TexelFormat::u32, 1).run(body); };
  const Error outside =
      told("mov.b32 %r1, 8; mov.b32 %r2, 0; sust.p.2d.b32.trap [%rd1, {%r1, %r2}], {%r2};");
  CHECK(outside.code == ErrorCode::illegal_address);
  CHECK(contains(outside.message, "byte 32, row 0, slice 0 is outside of the surface"));
  CHECK(told("mov.b32 %r1, -4; mov.b32 %r2, 0; sured.b.add.2d.u32.trap [%rd1, {%r1, %r2}], %r2;")
            .code == ErrorCode::illegal_address);
  CHECK(told("mov.b32 %r1, 2; sured.b.add.2d.u32.zero [%rd1, {%r1, %r1}], %r1;").code ==
        ErrorCode::misaligned_address);
}

TEST_CASE("forms of sured that ptxas refuses are refused") {
  Scene scene(TexelFormat::u32, 1);
  for (const std::string_view form :
       {"sured.b.add.2d.b32.trap", "sured.b.add.2d.u32", "sured.p.add.2d.u32.trap",
        "sured.b.and.2d.u32.trap", "sured.p.add.a2d.b32.trap", "sured.p.min.2d.u32.trap"}) {
    const Error error =
        scene.run(fmt::format("mov.b32 %r1, 0; {} [%rd1, {{%r1, %r1, %r1, %r1}}], "
                              "%r1;",
                              form));
    CHECK_MESSAGE(error.code == ErrorCode::unsupported_instruction, error.message);
  }
}

// SPDX-License-Identifier: MIT
// What an H200 gave (driver 580.159.04, CUDA 13.0) of offsets, of gradients, of pairs of halves,
// and of the sizes of levels (docs/experiments/textures.md).
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "emulator/texture/gradient.hpp"
#include "emulator/texture/sample.hpp"

using namespace lanescope::emulator;

namespace {

/// 32 x 16 numbers: x + 64 y.
struct Steps {
  Steps() {
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 32; ++x) texels.push_back(static_cast<float>(x + 64 * y));
    texture.image.dims = 2;
    texture.image.size = {32, 16, 1};
    texture.image.pitch_bytes = 128;
    texture.image.address = reinterpret_cast<std::uint64_t>(texels.data());
  }
  std::vector<float> texels;
  Texture texture;
};

struct Offset {
  AddressMode mode;
  bool filters, is_normalized;
  std::array<double, 2> at;
  std::array<int, 2> offset;
  float expected;
};

struct Choice {
  int dims;
  Slope along_x, along_y;
  int level;  // in 256ths
};

// clang-format off
constexpr Offset kOffsets[] = {
    {AddressMode::wrap, false, true, {0x1.9479f4p-1, 0x1.53e2dcp-2}, {-19, 14}, 0x1.acp+7f},
    {AddressMode::wrap, false, true, {-0x1.21efap-4, 0x1.3ad824p+0}, {-3, 4}, 0x1.dap+8f},
    {AddressMode::wrap, false, false, {0x1.c2p+2, 0x1.aep-1}, {-1, 0}, 0x1.8p+2f},
    {AddressMode::wrap, true, true, {-0x1.5c22fp-4, 0x1.c5d528p-3}, {-15, -14}, 0x1.60c8p+8f},
    {AddressMode::wrap, true, true, {-0x1.c86d6p-6, 0x1.24c198p-3}, {0, -3}, 0x1.e88ep+9f},
    {AddressMode::wrap, true, false, {0x1.42p+1, 0x1.fcp+0}, {7, 0}, 0x1.a01p+6f},
    {AddressMode::clamp, false, true, {0x1.87aeb8p-1, 0x1.62c894p-1}, {17, 10}, 0x1.59p+8f},
    {AddressMode::clamp, false, true, {0x1.162cdp+0, 0x1.c1c558p-2}, {0, 5}, 0x1.8f8p+9f},
    {AddressMode::clamp, false, false, {-0x1.12p+2, 0x1.73p+1}, {-2, 1}, 0x1.8p+7f},
    {AddressMode::clamp, true, true, {0x1.dae4ep-1, 0x1.1ae7ap-2}, {-10, -10}, 0x1.4dp+9f},
    {AddressMode::clamp, true, true, {0x1.fa9ap-2, 0x1.af8fdp-1}, {-3, 3}, 0x1.e62a8p+9f},
    {AddressMode::clamp, true, false, {-0x1.ee8p+2, 0x1.d3p+2}, {1, 6}, 0x1.998p+9f},
    {AddressMode::mirror, false, true, {0x1.28815p-5, -0x1.edf1a8p-3}, {16, -11}, 0x1.04p+6f},
    {AddressMode::mirror, false, true, {0x1.8a36a4p-1, -0x1.3641bp-5}, {-4, -1}, 0x1.5p+6f},
    {AddressMode::mirror, false, false, {0x1.e58p+2, -0x1.618p+1}, {3, 3}, 0x1.4p+3f},
    {AddressMode::mirror, true, true, {0x1.01ffap+0, 0x1.d9f3f8p-3}, {-15, 18}, 0x1.6b4p+8f},
    {AddressMode::mirror, true, true, {0x1.4fa8bcp-1, 0x1.fddb5cp-1}, {4, 2}, 0x1.be5d8p+9f},
    {AddressMode::mirror, true, false, {-0x1.a5p+2, -0x1.198p+1}, {4, 2}, 0x0p+0f},
    {AddressMode::border, false, true, {0x1.3da178p-3, 0x1.1680d2p+0}, {-9, 7}, 0x0p+0f},
    {AddressMode::border, false, true, {0x1.da46b8p-2, 0x1.202968p-3}, {-1, 4}, 0x1.8dp+8f},
    {AddressMode::border, false, false, {-0x1.e2p+0, 0x1.83p+2}, {5, -1}, 0x1.43p+8f},
    {AddressMode::border, true, true, {0x1.4dde22p-1, 0x1.ebff98p-1}, {1, 3}, 0x0p+0f},
    {AddressMode::border, true, true, {0x1.32df78p+0, 0x1.17f7c4p+0}, {6, 2}, 0x0p+0f},
    {AddressMode::border, true, false, {0x1.526p+4, -0x1p-7}, {-3, 3}, 0x1.624cp+7f},
};

constexpr Choice kChoices[] = {
    {1, {-0x1.75b986p+3f, 0x0p+0f, 0x0p+0f}, {-0x1.51ccf4p+2f, 0x0p+0f, 0x0p+0f}, 907},
    {1, {-0x1.3dd7f2p+0f, 0x0p+0f, 0x0p+0f}, {0x1.69f466p+7f, 0x0p+0f, 0x0p+0f}, 1919},
    {1, {-0x1.d581a6p+6f, 0x0p+0f, 0x0p+0f}, {0x1.1cb338p+0f, 0x0p+0f, 0x0p+0f}, 1760},
    {1, {0x1.4d11e6p+2f, 0x0p+0f, 0x0p+0f}, {-0x1.88a17cp+2f, 0x0p+0f, 0x0p+0f}, 758},
    {1, {-0x1.990e08p+6f, 0x0p+0f, 0x0p+0f}, {0x1.546468p+6f, 0x0p+0f, 0x0p+0f}, 1794},
    {1, {0x1.ae66acp+6f, 0x0p+0f, 0x0p+0f}, {-0x1.8c5112p+7f, 0x0p+0f, 0x0p+0f}, 1975},
    {1, {-0x1.c2fd1cp+7f, 0x0p+0f, 0x0p+0f}, {0x1.121f16p+7f, 0x0p+0f, 0x0p+0f}, 2038},
    {1, {-0x1.5e57cp+1f, 0x0p+0f, 0x0p+0f}, {-0x1.1b40eep+2f, 0x0p+0f, 0x0p+0f}, 589},
    {1, {-0x1.77d086p+2f, 0x0p+0f, 0x0p+0f}, {0x1.9ad1d2p+1f, 0x0p+0f, 0x0p+0f}, 676},
    {2, {-0x1.8b091ep+0f, -0x1.1fdeecp+7f, 0x0p+0f}, {0x0p+0f, 0x0p+0f, 0x0p+0f}, 1836},
    {2, {0x1.566258p-1f, -0x1.7ebc4cp+0f, 0x0p+0f}, {0x0p+0f, 0x0p+0f, 0x0p+0f}, 201},
    {2, {-0x1.e3458p+7f, 0x1.41ebb6p+0f, 0x0p+0f}, {0x0p+0f, 0x0p+0f, 0x0p+0f}, 2027},
    {2, {-0x1.fa7d32p+3f, -0x1.97523p+4f, 0x0p+0f}, {0x0p+0f, 0x0p+0f, 0x0p+0f}, 1267},
    {2, {-0x1.1a75c2p+2f, -0x1.b50a14p+2f, 0x0p+0f}, {0x0p+0f, 0x0p+0f, 0x0p+0f}, 784},
    {2, {-0x1.2a6bap+3f, -0x1.f5a348p+3f, 0x0p+0f}, {0x0p+0f, 0x0p+0f, 0x0p+0f}, 1086},
    {2, {0x1p+2f, 0x0p+0f, 0x0p+0f}, {0x0p+0f, 0x1.9e3d8cp+1f, 0x0p+0f}, 512},
    {2, {0x1p+2f, 0x0p+0f, 0x0p+0f}, {0x0p+0f, 0x1.39bc4p+0f, 0x0p+0f}, 512},
    {2, {0x1p+2f, 0x0p+0f, 0x0p+0f}, {0x0p+0f, 0x1.bae36cp+1f, 0x0p+0f}, 512},
    {2, {0x1.381d46p-1f, -0x1.64e9aep-1f, 0x0p+0f}, {0x1.d45098p+4f, -0x1.f7f916p+0f, 0x0p+0f}, 1255},
    {2, {-0x1.5cf154p+1f, -0x1.16d636p+2f, 0x0p+0f}, {-0x1.fd1a8cp-1f, 0x1.2b2eap+6f, 0x0p+0f}, 1595},
    {2, {-0x1.cf7594p+6f, 0x1.893674p+7f, 0x0p+0f}, {0x1.e1752ap+5f, -0x1.75ad76p+1f, 0x0p+0f}, 2018},
    {2, {0x1.41e438p+2f, -0x1.f93cfep+5f, 0x0p+0f}, {0x1.3d242p+3f, 0x1.e40ad8p+4f, 0x0p+0f}, 1544},
    {2, {-0x1.838e18p+2f, -0x1.a94156p+3f, 0x0p+0f}, {0x1.cf23fcp+1f, 0x1.8549bep+2f, 0x0p+0f}, 1014},
    {2, {0x1.684242p+4f, -0x1.69997ap+2f, 0x0p+0f}, {-0x1.ea3262p+4f, 0x1.41ab28p+1f, 0x0p+0f}, 1348},
    {2, {-0x1.1438fep+6f, -0x1.ab4b4ap+5f, 0x0p+0f}, {-0x1.69af52p+2f, -0x1.e73584p+6f, 0x0p+0f}, 1820},
    {2, {0x1.96b506p+7f, 0x1.0a50c4p+7f, 0x0p+0f}, {0x1.077426p+1f, 0x1.d7410ap-1f, 0x0p+0f}, 2038},
    {2, {0x1.72d43ap+6f, 0x1.61742p-1f, 0x0p+0f}, {-0x1.a2099p+6f, 0x1.25addap+5f, 0x0p+0f}, 1836},
    {3, {-0x1.e4aa16p-1f, -0x1.b6d082p+4f, 0x0p+0f}, {0x0p+0f, 0x0p+0f, 0x0p+0f}, 1227},
    {3, {-0x1.5b6f8ap-3f, 0x1.b3b60ep+4f, 0x0p+0f}, {0x0p+0f, 0x0p+0f, 0x0p+0f}, 1221},
    {3, {-0x1.1ce492p+3f, 0x1.d2cd3p-3f, 0x0p+0f}, {0x0p+0f, 0x0p+0f, 0x0p+0f}, 811},
    {3, {0x1.6a781ep+4f, 0x1.adc106p+4f, 0x0p+0f}, {0x0p+0f, 0x0p+0f, 0x0p+0f}, 1310},
    {3, {0x1.58c82cp+4f, -0x1.7a50acp+2f, 0x0p+0f}, {0x0p+0f, 0x0p+0f, 0x0p+0f}, 1167},
    {3, {0x1.3a4ed6p+0f, 0x1.d925e4p+2f, 0x0p+0f}, {0x0p+0f, 0x0p+0f, 0x0p+0f}, 760},
    {3, {-0x1.19238ap-1f, 0x1.211966p+2f, 0x1.d6505ep+5f}, {0x1.b4febcp-3f, -0x1.2ea25cp+2f, -0x1.a6eb48p-3f}, 1515},
    {3, {-0x1.f29e7ap+3f, 0x1.0b5aacp+2f, -0x1.e465fep+2f}, {-0x1.6951b4p+3f, -0x1.cf2cdp-1f, 0x1.bbe6e2p+1f}, 1106},
    {3, {0x1.cc4186p-1f, -0x1.ab1b58p+4f, -0x1.fc8288p-3f}, {0x1.7f85a4p+1f, 0x1.297a02p+5f, 0x1.f1ceeep-1f}, 1402},
    {3, {-0x1.aec1dcp-3f, 0x1.83cb46p+1f, -0x1.efb984p+4f}, {0x1.b2709p-1f, 0x1.e10338p-2f, -0x1.ccc2ep+1f}, 1280},
    {3, {-0x1.ad9074p+4f, 0x1.174a64p-3f, -0x1.ff57aep-2f}, {-0x1.81cde4p-2f, -0x1.d3bb98p+0f, -0x1.60ed1ep+0f}, 1218},
    {3, {0x1.fc609ep-2f, 0x1.ac67d8p-1f, -0x1.87b0a8p+5f}, {0x1.ef1d62p-2f, 0x1.266bacp+0f, 0x1.ba745ap-3f}, 1440},
    {3, {0x1.3569fcp-2f, -0x1.4c6cep+4f, 0x1.1a2bcap-3f}, {-0x1.cf3d08p-1f, 0x1.c8e3fep+4f, -0x1.10776ap+3f}, 1324},
    {3, {-0x1.81fb36p-2f, 0x1.5e9972p+5f, 0x1.923e6cp+1f}, {-0x1.611d2cp-3f, -0x1.fdba44p+4f, -0x1.c94016p-3f}, 1465},
    {3, {-0x1.9a0a08p-2f, 0x1.00953cp+5f, 0x1.dc6adcp-1f}, {0x1.a4fdb4p+4f, -0x1.8bad24p+5f, 0x1.5ddf44p-3f}, 1527},
    {3, {-0x1.4b6a7p+0f, -0x1.465b84p-3f, -0x1.30fb6ap-2f}, {-0x1.a2994cp-1f, -0x1.cd2874p-3f, 0x1.3ef2fep-2f}, 161},
    {3, {-0x1.f74866p-3f, -0x1.717c8ap+1f, 0x1.57beep-1f}, {-0x1.1799e4p-2f, 0x1.e6e08cp+0f, 0x1.da7b02p-1f}, 447},
    {3, {0x1.a33906p+3f, 0x1.7e489ep-1f, -0x1.72e2fap+2f}, {0x1.28a4bap+4f, -0x1.237d42p-1f, 0x1.a21036p+2f}, 1141},
};
// clang-format on

}  // namespace

TEST_CASE("an offset goes on from a place by texels, before what lies outside is looked for") {
  Steps ramp;
  for (const Offset& look : kOffsets) {
    CAPTURE(look.at[0]);
    ramp.texture.sampler.mode = {look.mode, look.mode, look.mode};
    ramp.texture.sampler.filters = look.filters;
    ramp.texture.sampler.is_normalized = look.is_normalized;
    TexturePlace place{{look.at[0], look.at[1], 0}, 0, {}};
    for (std::size_t axis = 0; axis < 2; ++axis)
      place.shift[axis] = ((look.offset[axis] & 15) ^ 8) - 8;
    CHECK(__builtin_bit_cast(float, sample(ramp.texture, place)[0]) == look.expected);
  }
}

TEST_CASE("gradients choose the level that the card chose") {
  for (const Choice& choice : kChoices) {
    CAPTURE(choice.level);
    CHECK(level_of(choice.along_x, choice.along_y, choice.dims) == choice.level);
  }
}

TEST_CASE("a gradient without end has the last level, none the first") {
  const float endless = __builtin_inff(), none = __builtin_nanf("");
  CHECK(level_of({endless, 0, 0}, {1, 1, 0}, 2) > 100 * 256);
  CHECK(level_of({0, 0, 0}, {0, 0, 0}, 2) < -100 * 256);
  CHECK(level_of({1e-40f, 0, 0}, {none, 0, 0}, 1) < -100 * 256);
  CHECK(level_of({1, 0, 0}, {none, 0, 0}, 1) == 0);
  CHECK(level_of({0x1p-4f, 0, 0}, {0, 0, 0}, 1) == -4 * 256);
}

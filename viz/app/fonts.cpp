// SPDX-License-Identifier: MIT
#include "app/fonts.hpp"

#include <cmath>
#include <cstddef>

// The assembler puts a file into the program as it is: no table of numbers to compile. The paths
// come from CMake.
#ifdef __EMSCRIPTEN__
#define LANESCOPE_READ_ONLY ".section .rodata.lanescope_fonts,\"\",@\n"
#define LANESCOPE_BACK ""
#else
#define LANESCOPE_READ_ONLY ".section .rodata\n"
#define LANESCOPE_BACK ".previous\n"
#endif
#define LANESCOPE_SYMBOL(name) \
  ".global lanescope_" name    \
  "\n"                         \
  ".hidden lanescope_" name    \
  "\n"                         \
  "lanescope_" name ":\n"
#define LANESCOPE_EMBED(name, path)                                                          \
  asm(LANESCOPE_READ_ONLY ".p2align 4\n" LANESCOPE_SYMBOL(#name) ".incbin \"" path         \
                          "\"\n" LANESCOPE_SYMBOL(#name "_end") ".byte 0\n"               \
                          ".size lanescope_" #name ", lanescope_" #name                    \
                          "_end - lanescope_" #name "\n"                                   \
                          ".size lanescope_" #name "_end, 1\n" LANESCOPE_BACK); \
  extern "C" const unsigned char lanescope_##name[];                                         \
  extern "C" const unsigned char lanescope_##name##_end[]

LANESCOPE_EMBED(text, LANESCOPE_FONT_TEXT);
LANESCOPE_EMBED(strong, LANESCOPE_FONT_STRONG);
LANESCOPE_EMBED(mono, LANESCOPE_FONT_MONO);

namespace lanescope::viz {
namespace {

// Below Dear ImGui 1.92 the atlas holds what is listed here and nothing else.
constexpr ImWchar kWords[] = {
    0x0020, 0x00ff,  // Latin
    0x0370, 0x03ff,  // Greek
    0x2010, 0x2027,  // dashes, quotes, bullet, ellipsis
    0x2070, 0x209c,  // superscripts, subscripts
    0x2190, 0x21ff,  // arrows
    0x2248, 0x2265,  // almost equal, not equal, less or equal
    0x2500, 0x257f,  // box drawing
    0,
};
constexpr ImWchar kLabels[] = {0x0020, 0x007e, 0x2026, 0x2026, 0};

Font add(const unsigned char* from, const unsigned char* to, float size, const ImWchar* ranges,
         int oversample) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.OversampleH = oversample;
  config.OversampleV = 1;
  config.PixelSnapH = oversample == 1;
  // The atlas only reads it, through a pointer that is not const.
  void* bytes = const_cast<unsigned char*>(from);
  return {ImGui::GetIO().Fonts->AddFontFromMemoryTTF(bytes, static_cast<int>(to - from), size,
                                                     &config, ranges),
          size};
}

}  // namespace

Fonts load_fonts(float scale) {
  const auto px = [scale](float size) { return std::round(size * scale); };
  ImGui::GetIO().Fonts->Flags |= ImFontAtlasFlags_NoMouseCursors;
  Fonts fonts;
  fonts.text = add(lanescope_text, lanescope_text_end, px(16), kWords, 2);
  fonts.strong = add(lanescope_strong, lanescope_strong_end, px(16), kWords, 2);
  fonts.mono = add(lanescope_mono, lanescope_mono_end, px(16), kWords, 2);
  fonts.small_mono = add(lanescope_mono, lanescope_mono_end, px(14), kWords, 2);
  fonts.big = add(lanescope_mono, lanescope_mono_end, px(27), kLabels, 2);
  constexpr std::array<float, 8> kCells{9, 10, 11, 12, 13, 15, 17, 20};
  for (std::size_t at = 0; at < kCells.size(); ++at)
    fonts.cell[at] = add(lanescope_mono, lanescope_mono_end, px(kCells[at]), kLabels, 2);
  return fonts;
}

}  // namespace lanescope::viz

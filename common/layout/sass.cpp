// SPDX-License-Identifier: MIT
// SASS: HMMA.16816.F32, IMMA.16832.S8.S8, HGMMA.64x128x16.F32, LDSM.16.MT88.4, LDTM.16dp256bit.x4.
#include "layout/spellings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "layout/element_type.hpp"
#include "layout/match.hpp"

namespace lanescope::layout {
namespace {

// The digits are M, N and K written together.
std::string digits_shape(std::string_view digits) {
  constexpr std::array kShapes{
      Word{"884", "m8n8k4."},       Word{"1688", "m16n8k8."},     Word{"1684", "m16n8k4."},
      Word{"16816", "m16n8k16."},   Word{"8816", "m8n8k16."},     Word{"8832", "m8n8k32."},
      Word{"16832", "m16n8k32."},   Word{"16864", "m16n8k64."},   Word{"88128", "m8n8k128."},
      Word{"168128", "m16n8k128."}, Word{"168256", "m16n8k256."},
  };
  const auto found = among(kShapes, digits);
  return found ? std::string(*found) : std::string();
}

// LDTM.x32 is .32x32b.x32, LDTM.16dp256bit.x4 .16x256b.x4; once where no number is said. LDTM.STAT
// is ld.red, with its operation and type behind.
std::string tensor_memory_mover(const std::vector<std::string_view>& parts, bool loads) {
  std::string shape = "32x32b", times = "x1";
  const char* packed = "";
  for (std::size_t at = 1; at < parts.size(); ++at) {
    const std::string_view part = parts[at];
    const std::size_t dp = part.find("dp"), bit = part.find("bit");
    constexpr std::array<std::string_view, 8> kReductions{"stat",   "max", "min", "maxabs",
                                                          "minabs", "s32", "f32", "nan"};
    if (loads && std::find(kReductions.begin(), kReductions.end(), part) != kReductions.end())
      continue;
    if (part[0] == 'x' && all_digits(part.substr(1))) {
      times = part;
    } else if (part == "pack16bit" || part == "unpack16bit") {
      packed = loads ? ".pack::16b" : ".unpack::16b";
    } else if (dp != part.npos && bit != part.npos && dp < bit) {
      shape = fmt::format("{}x{}b", part.substr(0, dp), part.substr(dp + 2, bit - dp - 2));
      if (part.find('_') != part.npos) shape += "x2";  // 16dp32bit_t0_t15: .16x32bx2
    } else {
      return {};
    }
  }
  const std::string name = fmt::format("^tcgen05.{}.sync.aligned.", loads ? "ld" : "st");
  return parts.size() == 1 ? name : fmt::format("{}{}.{}{}.b32", name, shape, times, packed);
}

}  // namespace

std::string sass(std::string_view word) {
  const std::vector<std::string_view> parts = split(word, ".");
  if (parts.empty()) return {};
  const std::string_view name = parts[0];
  const auto has = [&](std::string_view part) {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  };
  if (name == "ldsm" || name == "stsm") {
    const char* count = has("4") ? ".x4" : has("2") ? ".x2" : ".x1";
    const bool trans = word.find("mt88") != std::string_view::npos;
    return fmt::format("^{}.sync.aligned.m8n8{}{}.shared.b16",
                       name == "ldsm" ? "ldmatrix" : "stmatrix", count, trans ? ".trans" : "");
  }
  if (name == "movm") return "^movmatrix";
  if (name.substr(0, 3) == "utc" && name.find("mma") != std::string_view::npos)
    return has("2cta") ? "^tcgen05.mma.cta_group::2" : "^tcgen05.mma.cta_group::1";
  if (name == "ldtm" || name == "sttm") return tensor_memory_mover(parts, name == "ldtm");
  const bool group = name.size() == 5 && name.substr(1) == "gmma";
  if (!group && (name.size() != 4 || name.substr(1) != "mma")) return {};
  const bool sparse = has("sp");
  std::string terms = group ? (sparse ? "^wgmma.mma_async.sp" : "^wgmma.mma_async.sync")
                            : (sparse ? "^mma.sp" : "^mma.sync");
  std::string types;
  for (std::size_t at = 1; at < parts.size(); ++at) {
    if (const std::string shape = digits_shape(parts[at]); !shape.empty()) terms += " " + shape;
    if (const std::string shape = shape_of(parts[at]); !shape.empty()) terms += " " + shape;
    if (element_type(parts[at])) types += fmt::format(".{}", parts[at]);
  }
  // HMMA names D and, where it is not f16, A: .F32.BF16; the others name A and B.
  const char letter = name[0];
  if (letter == 'h' && types.empty()) return terms + " .f16.f16.|.bf16.bf16.|.tf32.tf32.";
  if (letter == 'h') {
    const std::string d = has("f32") || has("bf16") || has("tf32") ? ".f32" : ".f16";
    const std::string ab = has("bf16") ? ".bf16" : has("tf32") ? ".tf32" : ".f16";
    return terms + " " + d + ab + ab;
  }
  if (letter == 'd') return terms + " .f64";
  if (letter == 'b') return terms + " .b1";
  if (letter == 'o')
    return terms + " .e2m1.e2m1" + (has("ue4m3") ? " .ue4m3" : "") + (has("4x") ? " ::4X." : "");
  if (letter == 'i') return terms + (types.empty() ? " .s32" : " .s32" + types);
  // fp6 and fp4 of kind::f8f6f4 are QMMA, too; with scale factors QMMA.SF.
  if (letter == 'q' && !group) terms += has("sf") ? " .block_scale." : " !.block_scale.";
  return letter == 'q' ? terms + (types.empty() ? " .e" : " " + types) : "";
}

}  // namespace lanescope::layout

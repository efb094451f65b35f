// SPDX-License-Identifier: MIT
// CuTe's atoms: SM80_16x8x16_F32F16F16F32_TN, SM90::GMMA::MMA_64x128x16_F32F16F16_SS<...>,
// SM75_U32x4_LDSM_N, SM100_TMEM_LOAD_32dp32b8x, SM120_16x8x32_TN<float_e4m3_t, ...>.
#include "layout/spellings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "layout/match.hpp"

namespace lanescope::layout {
namespace {

using Parts = std::vector<std::string_view>;

bool has(const Parts& parts, std::string_view part) {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

// "f32f16f16f32" as ".f32.f16.f16.f32", "s32u1u1s32" with b1; "" of anything else.
std::string types_of(std::string_view word) {
  std::string out;
  for (std::size_t at = 0; at < word.size();) {
    std::size_t best = 0;
    std::string_view name;
    for (const ElementTypeInfo& type : kElementTypes)
      if (type.name.size() > best && word.substr(at, type.name.size()) == type.name)
        best = type.name.size(), name = type.name;
    if (best == 0 && word.substr(at, 2) == "u1") best = 2, name = "b1";
    if (best == 0) return {};
    out += fmt::format(".{}", name);
    at += best;
  }
  return out;
}

std::string matrix_mover(const Parts& parts, bool loads) {
  // U32x4 of LDSM_N and U16x8 of LDSM_T are four registers, .x4.
  const Parts size = split(parts[1], "x");
  if (size.size() != 2 || !all_digits(size[1])) return {};
  int count = 0;
  for (const char c : size[1].substr(0, 2)) count = 10 * count + (c - '0');
  const bool trans = parts.back() == "t";
  if (size[0] == "u16") count /= 2;
  if (size[0] != "u16" && size[0] != "u32") return {};
  return fmt::format("^{}.sync.aligned.m8n8.x{}{}.shared.b16", loads ? "ldmatrix" : "stmatrix",
                     count, trans ? ".trans" : "");
}

// "32dp32b8x" as "32x32b.x8".
std::string tensor_memory(std::string_view shape, bool loads, bool packed) {
  const std::size_t dp = shape.find("dp"), b = shape.find('b', dp == shape.npos ? 0 : dp);
  if (dp == shape.npos || b == shape.npos || shape.back() != 'x') return {};
  const std::string_view rows = shape.substr(0, dp), bits = shape.substr(dp + 2, b - dp - 2),
                         times = shape.substr(b + 1, shape.size() - b - 2);
  if (!all_digits(rows) || !all_digits(bits) || !all_digits(times)) return {};
  const char* twice = rows == "16" && bits == "32" ? "x2" : "";  // 16 rows of both places
  return fmt::format("^tcgen05.{}.sync.aligned.{}x{}b{}.x{}{}.b32", loads ? "ld" : "st", rows, bits,
                     twice, times,
                     !packed ? ""
                     : loads ? ".pack::16b"
                             : ".unpack::16b");
}

// The kinds of sm_120: of block scaling (VS) the scales' type tells 4-bit ones apart.
std::string kind_of(const Parts& parts, const Parts& given, std::string_view shape) {
  if (!has(parts, "vs")) return " .kind::f8f6f4.";
  const bool wide = shape.find(has(parts, "sparse") ? "k128" : "k64") != shape.npos;
  if (!wide) return " .kind::mxf8f6f4.";
  if (has(given, "ue4m3")) return " .kind::mxf4nvf4.block_scale.scale_vec::4X.";
  return has(given, "ue8m0") ? " .kind::mxf4." : " .kind::mxf4";
}

std::string multiplication(const Parts& parts, const Parts& given, bool warpgroup) {
  std::string shape, terms, types;
  for (const std::string_view part : parts) {
    if (shape.empty()) {  // names of namespaces stand before the shape
      shape = shape_of(part);
      continue;
    }
    if (types.empty()) types = types_of(part);
    if (part == "xorpopc") terms += " .xor.popc";
    if (part == "andpopc") terms += " .and.popc";
    if (warpgroup) continue;  // its name does not say how A and B lie
    // T of A is by rows, of B by columns (for BLAS, whose matrices are by columns, transposed).
    if (part == "tn") terms += " .row.col.";
    if (part == "nt") terms += " .col.row.";
    if (part == "nn") terms += " .col.col.";
    if (part == "tt") terms += " .row.row.";
  }
  if (shape.empty()) return {};
  const bool sparse = has(parts, "sparse");
  terms = shape + terms;
  terms += warpgroup ? (sparse ? " ^wgmma.mma_async.sp" : " ^wgmma.mma_async.sync")
                     : (sparse ? " ^mma.sp" : " ^mma.sync");
  if (parts[0] == "sm120") {
    terms += kind_of(parts, given, shape);
    if (given.size() < 3) return terms;
    return fmt::format("{} .{}.{}.{}.", terms, given[2], given[0], given[1]);
  }
  // Plain, where there are kinds of the same types.
  return types.empty() ? terms : fmt::format("{} {}{}", terms, types, warpgroup ? "" : " !.kind::");
}

// SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 256, ...>: D is f16 or of 32 bits. Where it lies
// depends on .ws and, of a pair with M 128, on whether A is sparse.
std::string tensor_memory_product(const Parts& parts, const Parts& given) {
  const bool pair = has(parts, "2x1sm") || has(parts, "2sm");
  const auto M = std::find_if(given.begin(), given.end(), all_digits);
  const bool has_shape = M != given.end() && M + 1 != given.end() && all_digits(M[1]);
  const bool in_half = pair && has(parts, "sparse") && has_shape && *M == "128";
  const std::string name = fmt::format("^tcgen05.mma{}.cta_group::{}",
                                       has(parts, "ws") ? ".ws"
                                       : in_half        ? ".sp"
                                                        : "",
                                       pair ? 2 : 1);
  if (!has_shape) return name;
  return fmt::format("{}.m{}n{}.{}", name, M[0], M[1],
                     has(given, "f16") && given[2] == "f16" ? "f16" : "f32");
}

// Where "sm80_", "sm90::" begins in what stands around an atom; npos.
std::size_t begin_of(std::string_view word) {
  for (std::size_t at = word.find("sm"); at != word.npos; at = word.find("sm", at + 1))
    if (at + 4 < word.size() && all_digits(word.substr(at + 2, 2)) &&
        (at == 0 || word[at - 1] == ':' || word[at - 1] == '<'))
      return at;
  return word.npos;
}

}  // namespace

std::string_view type_of_cxx(std::string_view text) {
  constexpr std::array kTypes{
      Word{"half_t", "f16"},        Word{"bfloat16_t", "bf16"},     Word{"tfloat32_t", "tf32"},
      Word{"float", "f32"},         Word{"double", "f64"},          Word{"int8_t", "s8"},
      Word{"uint8_t", "u8"},        Word{"int32_t", "s32"},         Word{"float_e4m3_t", "e4m3"},
      Word{"float_e5m2_t", "e5m2"}, Word{"float_e3m2_t", "e3m2"},   Word{"float_e2m3_t", "e2m3"},
      Word{"float_e2m1_t", "e2m1"}, Word{"float_ue4m3_t", "ue4m3"}, Word{"float_ue8m0_t", "ue8m0"},
  };
  if (const std::size_t space = text.rfind(':'); space != text.npos) text = text.substr(space + 1);
  return among(kTypes, text).value_or(text);
}

std::string cute_atom(std::string_view word) {
  const std::size_t at = begin_of(word);
  const bool of_gmma = word.rfind("mma_64x", 0) == 0 || word.rfind("gmma_64x", 0) == 0;
  if (at == word.npos && !of_gmma) return {};
  if (at != word.npos) word.remove_prefix(at);
  const std::size_t open = std::min(word.find('<'), word.size());
  const Parts parts = split(word.substr(0, open), "_:>");
  Parts given = split(word.substr(open), "<>,");
  for (std::string_view& each : given) each = type_of_cxx(each);
  if (parts.size() < 2) return {};
  if (has(parts, "ldsm") || has(parts, "stsm")) return matrix_mover(parts, has(parts, "ldsm"));
  if (has(parts, "movm")) return "^movmatrix";
  if (has(parts, "tmem") && parts.size() > 3 && (has(parts, "load") || has(parts, "store")))
    return tensor_memory(parts[3], has(parts, "load"), has(parts, "16b"));
  if ((parts[0] == "sm100" && has(parts, "mma")) || (parts[0] == "sm103" && has(parts, "ultra")))
    return tensor_memory_product(parts, given);
  return multiplication(parts, given,
                        of_gmma || (parts[0] == "sm90" && word.find("_64x") != word.npos));
}

}  // namespace lanescope::layout

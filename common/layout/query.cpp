// SPDX-License-Identifier: MIT
// See query.hpp. Lists of names first, then the two grammars that are more than names: CuTe's atoms
// and SASS's mnemonics.
#include "layout/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace lanescope::layout {
namespace {

struct Word {
  std::string_view typed, terms;
};

// Types, as the libraries and people call them.
constexpr std::array kTypes{
    Word{"fp8", ".e4m3|.e5m2"}, Word{"f8", ".e4m3|.e5m2"},    Word{"float8", ".e4m3|.e5m2"},
    Word{"fp6", ".e3m2|.e2m3"}, Word{"fp4", ".e2m1"},         Word{"float4", ".e2m1"},
    Word{"int8", ".s8|.u8"},    Word{"i8", ".s8|.u8"},        Word{"uint8", ".u8"},
    Word{"int4", ".s4|.u4"},    Word{"i4", ".s4|.u4"},        Word{"uint4", ".u4"},
    Word{"int32", ".s32"},      Word{"i32", ".s32"},          Word{"fp16", ".f16"},
    Word{"float16", ".f16"},    Word{"half", ".f16"},         Word{"fp32", ".f32"},
    Word{"float32", ".f32"},    Word{"float", ".f32"},        Word{"fp64", ".f64"},
    Word{"float64", ".f64"},    Word{"double", ".f64"},       Word{"bfloat16", ".bf16"},
    Word{"bfloat", ".bf16"},    Word{"int1", ".b1"},          Word{"u1", ".b1"},
    Word{"binary", ".b1"},      Word{"nvfp4", "mxf4nvf4"},    Word{"mxfp8", "mxf8f6f4"},
    Word{"mxfp6", "mxf8f6f4"},  Word{"mxfp4", "kind::mxf4."}, Word{"mx", ".kind::mx"},
};
// Families and kinds of cards.
constexpr std::array kThings{
    Word{"sparse", "mma.sp|mma_async.sp"},
    Word{"sp", "mma.sp|mma_async.sp"},
    Word{"nvcuda::wmma", "^wmma"},
    Word{"wmma::mma_sync", "^wmma"},
    Word{"gmma", "^wgmma"},
    Word{"umma", "^tcgen05.mma"},
    Word{"tmem", "^tcgen05"},
    Word{"warpgroup", "^wgmma"},
    Word{"load", "ldmatrix|.ld."},
    Word{"store", "stmatrix|.st."},
    Word{"transpose", ".trans"},
    Word{"transposed", ".trans"},
    Word{"block_scaled", ".block_scale"},
    Word{"blockscaled", ".block_scale"},
    Word{"volta", "@sm_70"},
    Word{"turing", "@sm_75"},
    Word{"ampere", "@sm_80"},
    Word{"ada", "@sm_89"},
    Word{"hopper", "@sm_90a"},
    Word{"blackwell", "@sm_100a|@sm_120a"},
};
// Words that narrow nothing down.
constexpr std::array<std::string_view, 10> kEmpty{
    "gemm", "matmul", "tensor", "core", "cores", "matrix", "mma()", "instruction", "dense", "of"};

// What moves or synchronises without fragments.
constexpr std::array kNotHere{
    Word{"cp.async.bulk", "cp.async.bulk moves tiles as they lie in memory: lesson 12"},
    Word{"cp.async", "cp.async moves bytes as they lie in memory: lesson 05"},
    Word{"tma",
         "the TMA moves tiles as they lie in memory: lesson 12, and --swizzle for their place"},
    Word{"ldgsts", "LDGSTS is cp.async, which moves bytes as they lie in memory: lesson 05"},
    Word{"mbarrier", "an mbarrier counts arrivals: lesson 12"},
    Word{"tcgen05.cp", "tcgen05.cp is not in the atlas yet; tcgen05.ld, .st and .mma are"},
    Word{"tcgen05.shift", "tcgen05.shift is not in the atlas yet; tcgen05.ld, .st and .mma are"},
    Word{"dp4a", "dp4a is no tensor-core instruction: a lane has its numbers to itself"},
    Word{"mfma", "MFMA is AMD's"},
};

std::string lower(std::string_view words) {
  std::string out(words);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "16x8x16" as "m16n8k16.", "16x8" as "m16n8k"; "" of anything else.
std::string shape_of(std::string_view word) {
  const std::vector<std::string_view> sides = split(word, "x");
  if (word.find("xx") != std::string_view::npos || sides.size() < 2 || sides.size() > 3) return {};
  for (const std::string_view side : sides)
    if (!all_digits(side) || side.size() > 3) return {};
  if (sides.size() == 2) return fmt::format("m{}n{}k", sides[0], sides[1]);
  return fmt::format("m{}n{}k{}.", sides[0], sides[1], sides[2]);
}

template <std::size_t kCount>
std::optional<std::string_view> among(const std::array<Word, kCount>& all, std::string_view word) {
  for (const Word& each : all)
    if (each.typed == word) return each.terms;
  return std::nullopt;
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

// ---- CuTe: SM80_16x8x16_F32F16F16F32_TN, SM90_64x128x16_F32F16F16_SS, SM75_U32x4_LDSM_N, ...
// -----

std::string matrix_mover(const std::vector<std::string_view>& parts, bool loads) {
  // U32x4 of LDSM_N and U16x8 of LDSM_T are four registers, .x4.
  const std::vector<std::string_view> size = split(parts[1], "x");
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
  return fmt::format("^tcgen05.{}.sync.aligned.{}x{}b.x{}{}.b32", loads ? "ld" : "st", rows, bits,
                     times,
                     !packed ? ""
                     : loads ? ".pack::16b"
                             : ".unpack::16b");
}

std::string multiplication(const std::vector<std::string_view>& parts, bool warpgroup) {
  std::string terms, types;
  bool sparse = false;
  for (const std::string_view part : parts) {
    if (terms.empty()) {  // names of namespaces stand before the shape
      terms = shape_of(part);
      continue;
    }
    if (types.empty()) types = types_of(part);
    if (part == "sparse") sparse = true;
    if (part == "xorpopc") terms += " .xor.popc";
    if (part == "andpopc") terms += " .and.popc";
    // T of A is by rows, of B by columns (for BLAS, whose matrices are by columns, transposed).
    if (part == "tn") terms += " .row.col.";
    if (part == "nt") terms += " .col.row.";
    if (part == "nn") terms += " .col.col.";
    if (part == "tt") terms += " .row.row.";
  }
  if (terms.empty()) return {};
  terms += warpgroup ? (sparse ? " ^wgmma.mma_async.sp" : " ^wgmma.mma_async.sync")
                     : (sparse ? " ^mma.sp" : " ^mma.sync");
  // Plain, where there are kinds of the same types.
  return types.empty() ? terms : fmt::format("{} {}{}", terms, types, warpgroup ? "" : " !.kind::");
}

std::string cute_atom(std::string_view word) {
  if (word.substr(0, 2) != "sm" || word.find('_') == std::string_view::npos) return {};
  const std::vector<std::string_view> parts = split(word, "_:<>,");
  if (parts.size() < 2 || !all_digits(parts[0].substr(2, 2))) return {};
  const auto has = [&](std::string_view part) {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  };
  if (has("ldsm") || has("stsm")) return matrix_mover(parts, has("ldsm"));
  if (has("movm")) return "^movmatrix";
  if (has("tmem") && parts.size() > 3 && (has("load") || has("store")))
    return tensor_memory(parts[3], has("load"), has("16b"));
  if (parts[0] == "sm100" && has("mma"))
    return has("2x1sm") || has("2sm") ? "^tcgen05.mma.cta_group::2" : "^tcgen05.mma.cta_group::1";
  return multiplication(parts, parts[0] == "sm90" && word.find("_64x") != std::string_view::npos);
}

// ---- SASS: HMMA.16816.F32, IMMA.16832.S8.S8, HGMMA.64x128x16.F32, LDSM.16.MT88.4, ...
// ------------

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
  if (name == "ldtm" || name == "sttm") return name == "ldtm" ? "^tcgen05.ld" : "^tcgen05.st";
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
  if (letter == 'o') return terms + " .e2m1.e2m1";
  if (letter == 'i') return terms + (types.empty() ? " .s32" : " .s32" + types);
  // fp6 and fp4 of kind::f8f6f4 are QMMA, too.
  return letter == 'q' ? terms + (types.empty() ? " .e" : " " + types) : "";
}

std::string term_of(const std::string& word) {
  if (std::find(kEmpty.begin(), kEmpty.end(), word) != kEmpty.end()) return " ";
  if (const auto known = among(kTypes, word)) return std::string(*known);
  if (const auto known = among(kThings, word)) return std::string(*known);
  if (const std::string shape = shape_of(word); !shape.empty()) return shape;
  if (const std::string atom = cute_atom(word); !atom.empty()) return atom;
  if (const std::string code = sass(word); !code.empty()) return code;
  // PTX's own name of tcgen05.mma has the kind, on which D's place does not depend.
  if (word.rfind("tcgen05.mma", 0) == 0)
    if (const std::size_t kind = word.find(".kind::"); kind != std::string::npos)
      return "^" + word.substr(0, kind);
  return word.substr(0, 3) == "sm_" ? "@" + word : word;
}

// "f8" is e4m3 or e5m2, though it stands in .kind::f8f6f4, too.
bool says_type(std::string_view words) {
  const std::vector<std::string_view> all = split(words, " ");
  return std::any_of(all.begin(), all.end(),
                     [](std::string_view word) { return among(kTypes, word).has_value(); });
}

}  // namespace

std::string translated(std::string_view words) {
  std::string terms;
  bool changed = false;
  const std::string small = lower(words);
  for (const std::string_view word : split(small, " ")) {
    const std::string term = term_of(std::string(word));
    changed = changed || term != word;
    terms += fmt::format("{}{}", terms.empty() ? "" : " ", term);
  }
  return changed || small != words ? terms : std::string();
}

Found look_up(std::string_view words) {
  if (!not_in_atlas(words).empty()) return {};  // "tma" is in stmatrix, but does not mean it
  if (!says_type(lower(words)))
    if (Found found = with_words(words); found.count() > 0) return found;
  const std::string terms = translated(words);
  if (terms.find_first_not_of(' ') != std::string::npos)
    if (Found found = with_terms(terms); found.count() > 0) return found;
  const std::string small = lower(words);
  return small.find('.') == std::string::npos ? Found{} : with_pieces(small);
}

std::string not_in_atlas(std::string_view words) {
  const std::string small = lower(words);
  for (const Word& each : kNotHere)
    if (const std::size_t at = small.find(each.typed); at != std::string::npos)
      if (at == 0 || small[at - 1] == ' ' || small[at - 1] == '_') return std::string(each.terms);
  if (small.find("cp_async") != std::string::npos) return std::string(kNotHere[1].terms);
  return {};
}

}  // namespace lanescope::layout

// SPDX-License-Identifier: MIT
// See query.hpp. Everyday names are lists; grammars that are more than names are spellings.hpp's.
#include "layout/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "layout/spellings.hpp"
#include "layout/thread_value.hpp"
#include "layout/tiled_mma.hpp"

namespace lanescope::layout {
namespace {

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
    Word{"dense", "!.sp"},
    Word{"nvcuda::wmma", "^wmma"},
    Word{"wmma::mma_sync", "^wmma"},
    Word{"wmma::load_matrix_sync", "^wmma"},
    Word{"wmma::store_matrix_sync", "^wmma"},
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
constexpr std::array<std::string_view, 9> kEmpty{"gemm",   "matmul", "tensor",      "core", "cores",
                                                 "matrix", "mma()",  "instruction", "of"};

constexpr std::string_view kCopies =
    "tcgen05.cp brings rows of shared memory into lanes of tensor memory; docs/layouts.md has "
    "which "
    "into which";
constexpr std::string_view kShifts =
    "tcgen05.shift moves rows of tensor memory by one; no fragment has a part in it";
constexpr std::string_view kTakes =
    "it takes columns of tensor memory or gives them back, and moves nothing: lesson 17";
constexpr std::string_view kSwizzles =
    "a swizzle is of shared memory, not of registers: lanescope swizzle 128B shows it; lesson 04";
constexpr std::string_view kWaits =
    "it waits, or orders what others do, and moves nothing: lesson 17";

// What moves or synchronises without fragments.
constexpr std::array kNotHere{
    Word{"cp.async.bulk", "cp.async.bulk moves tiles as they lie in memory: lesson 12"},
    Word{"cp.async", "cp.async moves bytes as they lie in memory: lesson 05"},
    Word{"tma",
         "the TMA moves tiles as they lie in memory: lesson 12; lanescope swizzle shows their "
         "place"},
    Word{"ldgsts", "LDGSTS is cp.async, which moves bytes as they lie in memory: lesson 05"},
    Word{"mbarrier", "an mbarrier counts arrivals: lesson 12"},
    Word{"tcgen05.cp", kCopies},
    Word{"utccp", kCopies},
    Word{"tcgen05.shift", kShifts},
    Word{"utcshift", kShifts},
    Word{"tcgen05.alloc", kTakes},
    Word{"tcgen05.dealloc", kTakes},
    Word{"tcgen05.relinquish", kTakes},
    Word{"utcatomsws", kTakes},
    Word{"tcgen05.commit", kWaits},
    Word{"tcgen05.wait", kWaits},
    Word{"tcgen05.fence", kWaits},
    Word{"utcbar", kWaits},
    Word{"swizzle", kSwizzles},
    Word{"sw128", kSwizzles},
    Word{"sw64", kSwizzles},
    Word{"sw32", kSwizzles},
    Word{"dp4a", "dp4a is no tensor-core instruction: a lane has its numbers to itself"},
    Word{"mfma", "MFMA is AMD's"},
};

// sm_90, sm90, sm_90a, sm_100f: what came with that card, on it alone or from it on.
std::string target_term(std::string_view word) {
  if (word.substr(0, 2) != "sm") return {};
  word.remove_prefix(word.substr(2, 1) == "_" ? 3 : 2);
  const bool has_letter = !word.empty() && (word.back() == 'a' || word.back() == 'f');
  const std::string_view number = word.substr(0, word.size() - (has_letter ? 1 : 0));
  if (!all_digits(number)) return {};
  return has_letter ? fmt::format("@sm_{}a", number) : fmt::format("@sm_{0}|@sm_{0}a", number);
}

std::string term_of(const std::string& word) {
  if (WmmaFragment fragment = wmma_fragment(word); fragment.operand != 0) return fragment.terms;
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
  const std::string target = target_term(word);
  return target.empty() ? word : target;
}

// "f8" is e4m3 or e5m2, though it stands in .kind::f8f6f4, too.
bool says_type(std::string_view words) {
  const std::vector<std::string_view> all = split(words, " ");
  return std::any_of(all.begin(), all.end(),
                     [](std::string_view word) { return among(kTypes, word).has_value(); });
}

// The instructions that have an operand with this layout from threads and values.
Found by_layout(std::string_view words) {
  Found found;
  const CuteReading reading = read_cute_layout(words);
  if (!reading.problem.empty()) return found;
  const std::vector<OperandOf> all = with_layout(reading.layout);
  for (const OperandOf& each : all)
    if (found.instructions.empty() || found.instructions.back() != each.instruction)
      found.instructions.push_back(each.instruction);
  const bool alike = std::all_of(all.begin(), all.end(), [&](const OperandOf& each) {
    return each.operand == all.front().operand;
  });
  if (!all.empty() && alike) found.operand = all.front().operand;
  return found;
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

Found look_up(std::string_view pasted) {
  if (is_tiled_mma(pasted)) {
    const Instruction* made = tiled_mma(pasted).instruction;
    return made == nullptr ? Found{} : Found{{made}, {}};
  }
  if (is_cute_layout(pasted)) return by_layout(pasted);
  const std::string words = bare(pasted), small = lower(words);
  if (words.empty() && pasted.find_first_not_of(' ') != pasted.npos) return {};  // operands alone
  if (!not_in_atlas(words).empty()) return {};  // "tma" is in stmatrix, but does not mean it
  if (!says_type(small))
    if (Found found = with_words(words); found.count() > 0) return found;
  const std::string terms = translated(words);
  if (terms.find_first_not_of(' ') != std::string::npos)
    if (Found found = with_terms(terms); found.count() > 0) {
      found.operand = wmma_fragment(small).operand;
      return found;
    }
  return small.find('.') == std::string::npos ? Found{} : with_pieces(small);
}

std::string not_in_atlas(std::string_view words) {
  if (is_tiled_mma(words)) return tiled_mma(words).problem;
  if (is_cute_layout(words)) {
    const CuteReading reading = read_cute_layout(words);
    if (!reading.problem.empty()) return reading.problem;
    const std::string is =
        is_calculation(words) ? fmt::format("it is {}; ", text(reading.layout)) : std::string();
    return is + why_none_has(reading.layout);
  }
  const std::string small = lower(words);
  for (const Word& each : kNotHere)
    if (const std::size_t at = small.find(each.typed); at != std::string::npos)
      if (at == 0 || small[at - 1] == ' ' || small[at - 1] == '_') return std::string(each.terms);
  if (small.find("cp_async") != std::string::npos) return std::string(kNotHere[1].terms);
  return {};
}

}  // namespace lanescope::layout

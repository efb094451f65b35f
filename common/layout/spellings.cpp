// SPDX-License-Identifier: MIT
// What all tongues share, and wmma's fragments. CuTe's atoms are in cute.cpp, SASS in sass.cpp.
#include "layout/spellings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "layout/match.hpp"

namespace lanescope::layout {
namespace {

// R4, UR12, RZ, R8.reuse, R2.64, PT: what instructions of SASS name besides themselves.
bool sass_operand(std::string_view word) {
  word = word.substr(0, word.find_first_of(".,"));
  if (!word.empty() && (word[0] == 'U' || word[0] == '!')) word.remove_prefix(1);
  if (word == "RZ" || word == "PT") return true;
  return word.size() > 1 && (word[0] == 'R' || word[0] == 'P') && all_digits(word.substr(1));
}

// Blanks inside of angle brackets go, what follows the last one too.
std::string with_arguments_joined(std::string_view text) {
  const std::size_t last = text.rfind('>');
  if (text.find('<') == text.npos || last == text.npos) return std::string(text);
  std::string out;
  int depth = 0;
  for (const char c : text.substr(0, last + 1)) {
    depth += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (depth == 0 || std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
  }
  return out;
}

// Element types of C++ in wmma's fragments.
constexpr std::array kElements{
    Word{"half", "f16"},
    Word{"__half", "f16"},
    Word{"__nv_bfloat16", "bf16"},
    Word{"bfloat16", "bf16"},
    Word{"nv_bfloat16", "bf16"},
    Word{"precision::tf32", "tf32"},
    Word{"float", "f32"},
    Word{"double", "f64"},
    Word{"signedchar", "s8"},
    Word{"int8_t", "s8"},
    Word{"std::int8_t", "s8"},
    Word{"char", "s8"},
    Word{"unsignedchar", "u8"},
    Word{"uint8_t", "u8"},
    Word{"std::uint8_t", "u8"},
    Word{"int", "s32"},
    Word{"int32_t", "s32"},
    Word{"precision::s4", "s4"},
    Word{"precision::u4", "u4"},
    Word{"experimental::precision::s4", "s4"},
    Word{"experimental::precision::u4", "u4"},
    Word{"experimental::precision::b1", "b1"},
};

// wmma.mma names D and C alone where A and B are of f16, so that f16 is found by what is not there.
std::string type_terms(char operand, std::string_view type) {
  if (operand == 'A' || operand == 'B')
    return type == "f16" ? "k16.f16.f16.|k16.f16.f32.|k16.f32.f16.|k16.f32.f32."
                         : fmt::format(".{0}.{0}.", type);
  if (type == "f16") return operand == 'D' ? "k16.f16." : "k16.f16.f16.|k16.f32.f16.";
  if (type == "f32" && operand == 'C') return "k16.f16.f32.|k16.f32.f32.|.bf16.f32.|.tf32.f32.";
  return operand == 'D' && type == "f32" ? "k16.f32.|k8.f32." : fmt::format(".{}.", type);
}

// "by" is "row", "col" or nothing: an accumulator lies as it is loaded.
WmmaFragment fragment_of(char operand, std::string_view shape, std::string_view type,
                         std::string_view by) {
  std::string terms = fmt::format("^wmma.mma {}. {}", shape, type_terms(operand, type));
  if (operand == 'A' && !by.empty()) terms += fmt::format(" .aligned.{}.", by);
  if (operand == 'B' && !by.empty()) terms += fmt::format(" .{}.{}.", by, shape);
  return {operand, terms};
}

// wmma.load.a.sync.aligned.row.m16n16k16.shared.f16, wmma.store.d. ...
WmmaFragment of_ptx(std::string_view word) {
  const std::vector<std::string_view> parts = split(word, ".");
  if (parts.size() < 4 || (parts[1] != "load" && parts[1] != "store") || parts[2].size() != 1)
    return {};
  const char operand = static_cast<char>(std::toupper(static_cast<unsigned char>(parts[2][0])));
  std::string_view shape, by;
  for (const std::string_view part : parts) {
    if (part == "row" || part == "col") by = part;
    if (part.size() > 4 && part[0] == 'm' && part.find('k') != part.npos) shape = part;
  }
  if (operand < 'A' || operand > 'D' || shape.empty() || !element_type(parts.back())) return {};
  return fragment_of(operand, shape, parts.back(), by);
}

// wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major>
WmmaFragment of_cxx(std::string_view word) {
  const std::size_t open = word.find('<');
  if (word.find("fragment<") == word.npos) return {};
  std::vector<std::string_view> given = split(word.substr(open), "<>,");
  for (std::string_view& each : given)
    if (const std::size_t space = each.rfind("wmma::"); space != each.npos)
      each = each.substr(space + 6);
  if (given.size() < 5) return {};
  const char operand = given[0] == "matrix_a"      ? 'A'
                       : given[0] == "matrix_b"    ? 'B'
                       : given[0] == "accumulator" ? 'D'
                                                   : 0;
  const auto type = among(kElements, given[4]);
  if (operand == 0 || !type) return {};
  const std::string_view by = given.size() < 6          ? ""
                              : given[5] == "row_major" ? "row"
                              : given[5] == "col_major" ? "col"
                                                        : "";
  return fragment_of(operand, fmt::format("m{}n{}k{}", given[1], given[2], given[3]), *type, by);
}

}  // namespace

std::string lower(std::string_view words) {
  std::string out(words);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string shape_of(std::string_view word) {
  const std::vector<std::string_view> sides = split(word, "x");
  if (word.find("xx") != std::string_view::npos || sides.size() < 2 || sides.size() > 3) return {};
  for (const std::string_view side : sides)
    if (!all_digits(side) || side.size() > 3) return {};
  if (sides.size() == 2) return fmt::format("m{}n{}k", sides[0], sides[1]);
  return fmt::format("m{}n{}k{}.", sides[0], sides[1], sides[2]);
}

std::string bare(std::string_view pasted) {
  const std::size_t cut = std::min(pasted.find_first_of("{[;"), pasted.size());
  const bool is_operand = cut < pasted.size() && pasted[cut] == '[';  // gdesc[UR4], tmem[UR8]
  pasted = pasted.substr(0, cut);
  if (is_operand && pasted.find(' ') != pasted.npos)
    while (!pasted.empty() && std::isalnum(static_cast<unsigned char>(pasted.back())) != 0)
      pasted.remove_suffix(1);
  std::string out;
  const std::string joined = with_arguments_joined(pasted);
  for (const std::string_view word : split(joined, " \t\"")) {
    if (sass_operand(word)) continue;
    out += out.empty() ? "" : " ";
    out += word;
  }
  return out;
}

WmmaFragment wmma_fragment(std::string_view word) {
  return word.rfind("wmma.", 0) == 0 ? of_ptx(word) : of_cxx(word);
}

}  // namespace lanescope::layout

// SPDX-License-Identifier: MIT
// What PTX, CUDA C++, CuTe and SASS call one instruction, told in the terms of match.hpp. People
// paste names as they find them, so what stands around a name is left out first:
//
//   HMMA.16816.F32 R4, R8, R2, R4 ;               CuTe: MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>
//   wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
//
// Not here: everyday words (query.cpp), which entries have the terms (match.cpp).
// Sources: CUTLASS's headers of atoms, the CUDA C++ Programming Guide on wmma, listings of
// nvdisasm.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::layout {

struct Word {
  std::string_view typed, terms;
};

template <std::size_t kCount>
std::optional<std::string_view> among(const std::array<Word, kCount>& all, std::string_view word) {
  for (const Word& each : all)
    if (each.typed == word) return each.terms;
  return std::nullopt;
}

std::string lower(std::string_view words);
bool all_digits(std::string_view text);

/// "16x8x16" as "m16n8k16.", "16x8" as "m16n8k"; "" of anything else.
std::string shape_of(std::string_view word);

/// The name without what it was pasted with: operands in braces or brackets, registers of SASS,
/// what follows a template's arguments and blanks between those.
std::string bare(std::string_view pasted);

/// A type of C++, as a template's argument, by its PTX name: "cutlass::float_e4m3_t" as "e4m3"; as
/// it is where it is no type.
std::string_view type_of_cxx(std::string_view text);

// Terms of one word in lower case, or "" where it is no name of that tongue.
std::string cute_atom(std::string_view word);
std::string sass(std::string_view word);

/// A fragment of wmma, by C++ ("wmma::fragment<wmma::matrix_a,16,...") or by PTX
/// ("wmma.load.a..."): which operand of which instructions it is.
struct WmmaFragment {
  char operand = 0;
  std::string terms;
};
WmmaFragment wmma_fragment(std::string_view word);

}  // namespace lanescope::layout

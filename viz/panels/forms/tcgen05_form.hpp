// SPDX-License-Identifier: MIT
// The descriptors of tcgen05.mma on the workbench: the 64 bits of a matrix in shared memory, the 32
// bits of the instruction, read from words and said in fields. Pure model, no Dear ImGui; what the
// bits mean is common/layout's, `lanescope descriptor --tcgen05` and `--instruction` print the
// same.
//
//   tcgen05 0x4000404000010040              a descriptor; alone: that of the tile
//   instruction f16 0x08400490              an instruction descriptor of .kind::f16
//   instruction mxf4 m=256 n=128 sfa=2      ... or its fields; what is not named is as usual
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "layout/tcgen05.hpp"
#include "panels/forms/tile_form.hpp"

namespace lanescope::viz {

/// What the workbench reads its bits as.
enum class Reading : std::uint8_t { wgmma, tcgen05, instruction };

struct Tcgen05Form {
  Reading reading = Reading::wgmma;
  std::uint64_t bits = 0;
  layout::Tcgen05Kind kind = layout::Tcgen05Kind::f16;
  std::uint32_t instruction = layout::usual_instruction(layout::Tcgen05Kind::f16);
  friend bool operator==(const Tcgen05Form&, const Tcgen05Form&) = default;
};

/// Whether the words are for this form: one of them is "wgmma", "tcgen05" or "instruction".
bool names_reading(std::string_view words);
/// Reads such words; `form` gets the wgmma descriptor of the same tile where there is one. A line
/// that says what is wrong, or "".
std::string read_words(std::string_view words, Tcgen05Form& tcgen05, DescriptorForm& form);
std::string words_of(const Tcgen05Form& tcgen05);

/// Takes 64 bits as tcgen05's, and wgmma's form along with them where it can be.
void take_tcgen05(std::uint64_t bits, Tcgen05Form& tcgen05, DescriptorForm& form);
/// The bits of the form's descriptor, as tcgen05 has them.
std::uint64_t tcgen05_bits(const DescriptorForm& form);
/// Why the elements that these bits fetch cannot be shown, or "".
std::string not_fetched(const Tcgen05Form& tcgen05, const DescriptorForm& form);

}  // namespace lanescope::viz

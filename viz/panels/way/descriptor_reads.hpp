// SPDX-License-Identifier: MIT
// What wgmma reads from shared memory: A or B behind a descriptor, and which wgmmas add to the same
// sums. Pure model, no Dear ImGui; steps alone that are recorded.
//
//   wgmma.mma_async...  {D}, {A} or a descriptor, a descriptor, scale-d, imm-scale-a, imm-scale-b,
//                       imm-trans-a where A is behind a descriptor, imm-trans-b    (16 bits alone)
//                       .sp has the metadata and their selector behind the descriptors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/descriptor.hpp"
#include "panels/matrix/model.hpp"
#include "panels/steps/register_history.hpp"

namespace lanescope::viz {

struct DescriptorRead {
  StepPlace place;   // the wgmma, in one warp of its warpgroup
  StepPlace reader;  // the warp that came last to it: with that the warpgroup reads
  char operand = 'A';
  std::string name;                   // "%rd5", where the descriptor is
  std::optional<std::uint64_t> bits;  // what is in it; nothing: it is not recorded
  layout::Descriptor descriptor;
  layout::Major major = layout::Major::K;
  int width = 16;          // bits of an element
  int mn = 0, k = 0;       // how many along M or N, and along K; of a sparse A those that are kept
  bool is_tensor = false;  // of tcgen05.mma (tensor_reads.hpp), not of wgmma
  int packed = 1;          // elements in `width` bits
  const char* one() const { return is_tensor ? "tcgen05.mma" : "wgmma"; }
  const char* several() const { return is_tensor ? "tcgen05.mma" : "wgmmas"; }
  /// The byte of shared memory where an element is read.
  std::uint32_t byte(int at_mn, int at_k) const {
    return layout::fetched_byte(descriptor, major, width, at_mn, at_k);
  }
  /// "A[9][5]", "B[5][9]": its row and column in the operand.
  std::string element(std::int64_t at_mn, std::int64_t at_k) const;
};

/// What the lanes that run it have in a register, which is the same in all of them; or a number.
std::optional<std::uint64_t> uniform_value(RegisterHistory& history, const StepPlace& place,
                                           std::string_view name);
/// Nothing where the item is no wgmma, or has that operand in registers.
std::optional<DescriptorRead> descriptor_read(RegisterHistory& history, const StepPlace& place,
                                              char operand);

/// A wgmma that adds to the sums of a product; `nth`: which one since these arrived the last time.
struct Adding {
  StepPlace place;
  int nth = 0;
};
/// All of them in their order, from the first that did not add to what was there; those before the
/// `most` last are left out. Empty where the product is none of wgmma's steps.
std::vector<Adding> wgmmas_of(RegisterHistory& history, const Multiplication& in, std::size_t most);
/// Those alone since its sums arrived the last time.
std::vector<StepPlace> own_wgmmas(RegisterHistory& history, const Multiplication& in);
/// scale-d: whether it adds to what was there. Where that is not recorded, it does.
bool adds_to_sums(RegisterHistory& history, const StepPlace& place);

}  // namespace lanescope::viz

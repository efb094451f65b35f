// SPDX-License-Identifier: MIT
// What tcgen05.mma reads from shared memory: A and B behind a descriptor, by what the instruction
// descriptor says of them, and which of a thread's add to the same sums of tensor memory. Pure
// model, no Dear ImGui; steps alone that are recorded.
//
//   tcgen05.mma...  [D], a descriptor or [A], a descriptor, the instruction descriptor,
//                   with .block_scale [SFA], [SFB]; a list of lanes; the predicate enable-input-d
//
// Of a pair (.cta_group::2) it is the part that lies with the CTA whose thread multiplies.
// Source: PTX ISA 9.2, 9.7.16.10.9.1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/mover.hpp"
#include "panels/way/descriptor_reads.hpp"

namespace lanescope::viz {

/// tcgen05.mma of one thread that add to the same sums, in their order: the first one does not add
/// to what was there, or it is the first that is recorded. `nth`: which one since the last
/// tcgen05.commit, behind which the next stage of a ring begins.
using TensorSum = std::vector<Adding>;
std::vector<TensorSum> tensor_sums(RegisterHistory& history);

/// Where D of a product lies in tensor memory; `why`: it is not known, or not followed.
struct TensorD {
  const layout::Mover* map = nullptr;
  int lane = 0, column = 0;
  int M = 0, N = 0, ctas = 1;
  std::string why;
};
TensorD tensor_d(RegisterHistory& history, const StepPlace& place);

/// What is multiplied: how many k, the types of A and B, and where A is.
struct TensorShape {
  int k = 0;
  layout::ElementType a = layout::ElementType::f16, b = layout::ElementType::f16;
  bool a_in_tensor = false, sparse = false;
};
/// Of a product of which tensor_d knows where D lies.
TensorShape tensor_shape(RegisterHistory& history, const StepPlace& place);

/// What a product with .block_scale says of its scale factors; `why`: it is not known. Nothing: it
/// has none.
struct TensorScales {
  int a_column = 0, b_column = 0;  // of tensor memory, where they begin
  int sfa = 0, sfb = 0;            // SFA_ID and SFB_ID
  int M = 0, N = 0, ctas = 1, vectors = 1;
  std::string why;
};
std::optional<TensorScales> tensor_scales(RegisterHistory& history, const StepPlace& place);

/// "[%r5+16]": the address of tensor memory, lane << 16 | column, that an instruction names.
std::optional<std::uint32_t> tensor_memory_address(RegisterHistory& history, const StepPlace& place,
                                                   std::string_view operand);

struct TensorRead {
  DescriptorRead read;
  std::string why;  // it is not followed; "": it is
};
TensorRead tensor_read(RegisterHistory& history, const StepPlace& place, char operand);

}  // namespace lanescope::viz

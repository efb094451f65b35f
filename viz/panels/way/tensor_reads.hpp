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

#include <string>
#include <vector>

#include "panels/way/descriptor_reads.hpp"

namespace lanescope::viz {

/// tcgen05.mma of one thread that add to the same sums, in their order: the first one does not add
/// to what was there, or it is the first that is recorded. `nth`: which one since the last
/// tcgen05.commit, behind which the next stage of a ring begins.
using TensorSum = std::vector<Adding>;
std::vector<TensorSum> tensor_sums(RegisterHistory& history);

struct TensorRead {
  DescriptorRead read;
  std::string why;  // it is not followed; "": it is
};
TensorRead tensor_read(RegisterHistory& history, const StepPlace& place, char operand);

}  // namespace lanescope::viz

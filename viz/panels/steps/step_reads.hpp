// SPDX-License-Identifier: MIT
// What an instruction was given: the registers that it reads, as earlier steps of its warp left
// them; and where the sums of a wgmma arrive, which a later step writes. What is not recorded is
// not guessed at. Pure model, no Dear ImGui.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "panels/steps/steps.hpp"

namespace lanescope::viz {

/// A register that an instruction reads, as an earlier one of the warp left it.
struct Read {
  const trace::Write* write = nullptr;
  std::string_view type;    // as value_type says of it
  std::uint32_t lanes = 0;  // that take part in reading
  bool descriptor = false;  // of wgmma or tcgen05: a matrix in shared memory
  bool in_tensor = false;   // of tcgen05: an address of tensor memory, or its descriptor
  std::string name;         // the learner's, "A.r0", or what it is to an mma; "": it has none
};
/// The items of a warp that write a register, by its name; points into the trace.
using Writers = std::unordered_map<std::string_view, std::vector<int>>;
Writers writers_of(const StepWarp& warp);
/// In the order in which the instruction names them, each once; those alone that are recorded.
std::vector<Read> reads(const StepWarp& warp, const Writers& writers, int item);
/// All lanes that read it read the same.
bool is_uniform(const Read& read);

/// The learner's name of what a step writes, "A.r0", or what it is to an mma, "D.r0"; "".
std::string name_of(const trace::Step& step, const trace::Write& write);

/// "full[2]", where an instruction of mbarriers is given the address of one that has a name; or "".
std::string mbarrier_read(const StepList& list, const StepItem& item, const Read& read);

/// "1024 in every lane", "1024 in lane 0", "1024 in 4 lanes" of what is_uniform; of a descriptor
/// its fields, too, of an address of tensor memory its lane and column.
std::string uniform_text(const Read& read, std::string_view type);

/// "wgmma.wait_group" of a wgmma.mma_async, "tcgen05.wait::ld" of a tcgen05.ld: behind it the
/// registers count that the instruction names first; "" of all others.
std::string_view wait_of(std::string_view mnemonic);

/// Whether a step hands them over: that wait, or a mov that takes one of the registers of the
/// instruction `ptx` before it.
bool hands_over(const trace::Step& step, std::string_view ptx);

/// Where they arrive: the item of the warp that hands them over. -1: the instruction has none, or
/// that is not recorded.
int arrives_at(const StepWarp& warp, const Writers& writers, int item);

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// Who wrote a register of a lane before an instruction came to run, and to which parameter of the
// kernel an address goes back. Pure model, no Dear ImGui; steps alone that are recorded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "layout/fragment.hpp"
#include "panels/memory/shared_history.hpp"
#include "panels/steps/step_reads.hpp"
#include "panels/steps/steps.hpp"

namespace lanescope::viz {

/// Whether an address can be global memory's: generic ones of shared memory, this block's or
/// another one's, and of local memory lie above all of it.
inline bool may_be_global(std::uint64_t address) { return address >> 47 == 0; }

class RegisterHistory {
 public:
  explicit RegisterHistory(const StepList& list) : list_(list) {}

  const StepList& list() const { return list_; }
  const StepWarp& warp(int index) const { return list_.warps[static_cast<std::size_t>(index)]; }
  const StepItem& item(int warp_index, int index) const {
    return warp(warp_index).items[static_cast<std::size_t>(index)];
  }
  /// The last item before `item` that wrote it in that lane; -1: none is recorded.
  int writer(int warp, int item, std::string_view name, int lane);
  /// What an item wrote into a register; nullptr: it is not among what it wrote.
  const trace::Write* written(int warp, int item, std::string_view name) const;

  /// Of a lane's register as the item finds it, or of a number: "%r3", "p", "0x10"; nothing where
  /// that is not recorded.
  std::optional<std::uint64_t> value(int warp, int item, std::string_view operand, int lane);

  /// Where `operand`, "[%rd165+-128]" of an item, and `offset` bytes more lead in a lane: "global
  /// memory, byte 298 behind parameter 0" where the address was reckoned from one parameter of the
  /// kernel, else "global memory at 0x7f3a40000132".
  std::string global_place(int warp, int item, std::string_view operand, int lane, int offset);
  /// That address; nothing where what the operand names is not recorded.
  std::optional<std::uint64_t> global_address(int warp, int item, std::string_view operand,
                                              int lane, int offset);
  /// The value of that parameter; 0 where it was not reckoned from one alone.
  std::uint64_t global_base(int warp, int item, std::string_view operand, int lane);
  /// "parameter 0" of the operand, "[%rd4, {%r1, %r2}]", that names a tensor map; "" where it is
  /// none of the kernel's parameters.
  std::string tensor_map_place(int warp, int item, std::string_view operand, int lane);
  /// The items of a warp that are wgmma.mma_async.
  const std::vector<int>& wgmmas(int warp);
  /// The item of a warp that is the same wgmma.mma_async as that of another warp of its warpgroup;
  /// -1: it is not recorded.
  int same_wgmma(const StepPlace& of, int warp);
  /// The map of the fragment that a wmma.load or wmma.store moves; nullptr: not in the atlas.
  const layout::Fragment* wmma_map(std::string_view mnemonic);
  /// What was written to the shared memory of a block, put together once.
  const SharedHistory& shared(const trace::Trace& trace, const StepWarp& of);

 private:
  struct Parameter {
    std::string number;
    std::uint64_t value = 0;
    bool several = false;  // sums of two pointers, or one of two: nothing is said then
  };
  /// Of two parameters that an address was reckoned from, the one that it lies behind.
  bool is_allocated(std::uint64_t address) const;  // of the memory that the launch had
  void take(const Parameter& next, Parameter& found);
  void number_wgmmas();
  Parameter parameter_behind(int warp, int item, std::string_view name, int lane);
  Parameter search_parameter(int warp, int item, std::string_view name, int lane);

  const StepList& list_;
  std::map<int, Writers> writers_;
  std::map<int, std::vector<int>> wgmmas_;
  std::map<int, std::vector<int>> wgmma_numbers_;  // of each of those, see wgmma_numbers.hpp
  std::map<std::string_view, const layout::Fragment*> wmma_maps_;
  std::map<std::pair<int, std::array<int, 3>>, SharedHistory> shared_;
  std::map<std::pair<const trace::Write*, int>, Parameter> parameters_;  // by write, lane
};

}  // namespace lanescope::viz

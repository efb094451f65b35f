// SPDX-License-Identifier: MIT
// What fills tensor memory besides products: tcgen05.cp, out of shared memory by a descriptor, and
// tcgen05.st, out of registers; and from where in global memory a byte of it came that way. Pure
// model, no Dear ImGui; steps alone that are recorded.
//
//   tcgen05.cp.32x128b.warpx4   row r of 16 bytes -> lane r of every 32, four columns
//   tcgen05.st.32x32b.xN        lane l's N registers -> lane l of the warp's 32, N columns
//
// Source: PTX ISA 9.2, 9.7.16.8, 9.7.16.9.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "panels/way/descriptor_origins.hpp"

namespace lanescope::viz {

class TensorFills {
 public:
  TensorFills(const trace::Trace& trace, RegisterHistory& history);

  /// A byte of tensor memory as a step of the block finds it; `cp`: what may have been otherwise
  /// about the descriptor.
  struct Byte {
    int lane = 0, column = 0, byte = 0;
  };
  Origin origin(const StepPlace& reader, const Byte& at, const Change& cp);
  /// "byte 16 behind parameter 3": where that was, as it is; "": it is not known.
  std::string place(const StepPlace& reader, const Byte& at);
  /// Whether anything recorded has filled it before.
  bool is_filled(const StepPlace& reader, const Byte& at) const {
    return last(reader, at) != nullptr;
  }
  /// Whether all that has filled the block's tensor memory by then is recorded.
  bool sees_all(const StepPlace& reader) const;
  /// The tcgen05.cp that did so, as it reads; nullptr: none did, or a tcgen05.st.
  const DescriptorRead* copy(const StepPlace& reader, const Byte& at) const;

 private:
  struct Fill {
    StepPlace place;
    const trace::Step* step = nullptr;
    int lane = 0, column = 0, columns = 0;
    int rows = 0;                                  // of a cp; 0: a st
    std::vector<int> begins;                       // of a cp: the lanes where its rows begin
    std::optional<DescriptorRead> read;            // of a cp
    const layout::Mover* mover = nullptr;          // of a st
    std::optional<int> row_of(int at_lane) const;  // of a cp: which row is in that lane
  };
  const Fill* last(const StepPlace& reader, const Byte& at) const;
  std::optional<Fill> copied(const StepPlace& place);
  std::optional<Fill> stored(const StepPlace& place);
  Way way(const Fill& fill, const Byte& at);

  const trace::Trace& trace_;
  RegisterHistory& history_;
  DescriptorOrigins origins_;
  std::vector<Fill> fills_;
  struct Known {
    const Fill* fill;
    int row, byte;
    auto operator<=>(const Known&) const = default;
  };
  std::map<Known, Origin> known_;
};

}  // namespace lanescope::viz

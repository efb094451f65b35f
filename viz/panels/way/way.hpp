// SPDX-License-Identifier: MIT
// The way of a matrix element through the recorded steps: from global memory to shared memory, from
// there to a register, into the multiplication; of an element of D, from there to global memory.
// Every stop is an instruction whose addresses and registers are in the trace, and the element's
// bits are compared at each: where they differ, or where nothing is recorded, the story begins
// later, and says so. Pure model, no Dear ImGui.
//
//   step 81   ld.global: lane 10 reads it at byte 298 behind parameter 0
//   step 91   st.shared: lane 10 writes it to byte 0x5ba of shared memory
//   step 209  ldmatrix: from there, lane 9's address, to lane 6, %r186 (A.r1), bits 16 to 31
//   step 215  mma: for D[9][0] to D[9][7]
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "panels/matrix/selection.hpp"
#include "panels/steps/steps.hpp"

namespace lanescope::viz {

struct WayStop {
  StepPlace place;
  int lane = -1;     // of the warp; -1: no lane of its own, a copy engine's or all lanes'
  std::string text;  // "ldmatrix: from there, lane 9's address, to lane 6, ..."
};
/// A place in shared memory, as a step reads it.
struct SharedRead {
  StepPlace reader;
  std::uint64_t address = 0;
  int bit = 0;     // of the byte there
  int width = 16;  // bits of the element there
  // What lay there at this event of the trace; nullptr: when the step read it.
  const void* as_of = nullptr;
};
/// Who took it from global memory, or put it there, and the operand, "[%rd4+16]", that says where.
struct GlobalAccess {
  StepPlace place;
  std::string_view operand;
  int lane = 0;
};
struct Way {
  std::vector<WayStop> stops;  // in the order in which they happened
  std::string before;          // why nothing is told of what came before them; "": that is all
  // The byte of global memory that it came from; `place`: "byte 298 behind parameter 0".
  std::optional<std::uint64_t> address;
  std::string place;
  bool zero = false;  // there is no such byte: the kernel, or a copy, has filled it up with a zero
  int bits = 0;       // that it has there: 32 of an f32 that was rounded to f16 on the way
  int bit = 0;        // the first of them in that byte
  // Where that matrix begins: the parameter's value, the tensor's; 0: unknown.
  std::uint64_t base = 0;
  std::optional<GlobalAccess> access;  // nothing where that step is not recorded
  std::optional<SharedRead> read;      // the last time that it came out of shared memory, if it did
  bool unwritten = false;  // and nothing had written it there, of all that the block did
};

/// The way of a selected element; no stops where it is none, or the steps are not recorded.
Way way_of(const trace::Trace& trace, const StepList& steps, const Multiplication& in,
           const Selection& selection);

/// The way of what a lane has in a register when a step has run, or (`written` false) as it found
/// it: one way, of what an ldmatrix brought one for each half.
std::vector<Way> ways_of(const trace::Trace& trace, const StepList& steps, const StepPlace& at,
                         bool written, std::string_view name, int lane);

/// Whether it says what happened there.
bool has_stop_at(const Way& way, const StepPlace& place);
/// "step 209", "warp 3, step 88" where there are several warps.
std::string place_of(const StepList& steps, const StepPlace& place);
/// Lines for the terminal and the clipboard; "" of a way without stops.
std::string way_text(const StepList& steps, const Way& way);

}  // namespace lanescope::viz

// SPDX-License-Identifier: MIT
// The steps of a trace, warp by warp: what an instruction wrote and which lanes it changed. The
// window scrubs through them, the terminal prints them. Pure model, no Dear ImGui. What it read is
// in step_reads.hpp, what the bits are worth in step_values.hpp, the way from one to another in
// step_search.hpp, what the checker says of it in step_reports.hpp, how an access falls into phases
// and banks in access_facts.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "panels/steps/access_facts.hpp"
#include "trace/bit_operands.hpp"
#include "trace/event.hpp"

namespace lanescope::viz {

struct StepItem {
  const trace::Step* step = nullptr;
  const trace::Access* access = nullptr;  // of the same instruction, or nullptr
  std::size_t first_previous = 0;         // StepList::previous, one for each write
  // The first that is said of its instruction, by the checker or of why the launch ended; or
  // nullptr. All: reports_at (step_reports.hpp).
  const trace::Diagnostic* said = nullptr;
  // The first report at another instruction that names this one; or nullptr.
  const trace::Diagnostic* against = nullptr;
};

struct StepWarp {
  int launch = 0;
  std::array<int, 3> block{0, 0, 0};
  int warp = 0;
  std::vector<StepItem> items;  // in the order of the program
  /// Whether the warp ends with them; else more of its steps may have followed.
  bool ends() const;
};

struct StepList {
  std::vector<StepWarp> warps;
  std::vector<int> previous;  // of a write: the item that wrote this register before, or -1
  std::map<std::uint64_t, std::string> mbarriers;  // that have a name, by their address
  std::vector<const trace::Diagnostic*> reports;   // that name a line of PTX
  const trace::Launch* launch = nullptr;           // theirs; nullptr: the trace has none
  /// Of their kernel by name; none where they say their number themselves.
  const std::vector<std::string>& parameters() const;
  bool empty() const { return warps.empty(); }
};

/// One of them.
struct StepPlace {
  int warp = 0;  // index in StepList::warps
  int item = 0;
  std::string error;  // of words that should have led to another: what they should have been

  static StepPlace none() { return {0, -1, {}}; }  // where there is no such step
};

/// Points into `trace`, which has to stay where it is.
StepList make_steps(const trace::Trace& trace);

/// What an earlier instruction of the warp had left in this register; nullptr: it is not recorded.
const trace::Write* before(const StepList& steps, const StepWarp& warp, int item,
                           std::size_t write);

/// The lanes whose bits the write changed; those that took part where nothing is known of before.
std::uint32_t changed_lanes(const StepList& steps, const StepWarp& warp, int item,
                            std::size_t write);

using trace::mnemonic_of;
/// "gemm.cu:69": without its folders; "" where no line is known.
std::string source_text(const trace::SourceLine& source);
/// The first lane that took part; 0 where none did.
int first_lane(const trace::Step& step);

/// ldmatrix, mma, wgmma, a copy that feeds them: what the steps are looked at for.
bool is_tensor(const trace::Step& step);

/// "step 209: ldmatrix", "step 1108: wgmma.wait_group"
std::string step_name(const StepList& steps, const StepPlace& place);
/// "warp 2 step 17"
std::string words_of(const StepList& steps, const StepPlace& place);
/// "warp 2 of block 1,0,0, launch 3"
std::string name_of(const StepWarp& warp);
/// nullptr where the trace does not have it.
const trace::Launch* launch_of(const trace::Trace& trace, int launch);
/// The kernel of a launch as it is written, "multiply<3, 2>"; "" where the trace does not have it.
std::string kernel_of(const trace::Trace& trace, int launch);
/// "lesson.cu:38, PTX line 52, 16 of 32 lanes"
std::string where_text(const trace::Step& step);

}  // namespace lanescope::viz

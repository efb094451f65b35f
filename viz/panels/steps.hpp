// SPDX-License-Identifier: MIT
// The steps of a trace, warp by warp: what an instruction wrote, which lanes it changed, what it
// read. The window scrubs through them, the terminal prints them. Pure model, no Dear ImGui. How an
// access falls into phases and banks is in access_facts.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "panels/access_facts.hpp"
#include "trace/event.hpp"

namespace lanescope::viz {

struct StepItem {
  const trace::Step* step = nullptr;
  const trace::Access* access = nullptr;  // of the same instruction, or nullptr
  std::size_t first_previous = 0;         // StepList::previous, one for each write
};

struct StepWarp {
  int launch = 0;
  std::array<int, 3> block{0, 0, 0};
  int warp = 0;
  std::vector<StepItem> items;  // in the order of the program
};

struct StepList {
  std::vector<StepWarp> warps;
  std::vector<int> previous;  // of a write: the item that wrote this register before, or -1
  std::map<std::uint64_t, std::string> mbarriers;  // that have a name, by their address
  bool empty() const { return warps.empty(); }
};

/// Points into `trace`, which has to stay where it is.
StepList make_steps(const trace::Trace& trace);

/// What an earlier instruction of the warp had left in this register; nullptr: it is not recorded.
const trace::Write* before(const StepList& steps, const StepWarp& warp, int item,
                           std::size_t write);

/// The lanes whose bits the write changed; those that took part where nothing is known of before.
std::uint32_t changed_lanes(const StepList& steps, const StepWarp& warp, int item,
                            std::size_t write);

/// A register that an instruction reads, as an earlier one of the warp left it.
struct Read {
  const trace::Write* write = nullptr;
  std::string_view type;    // as value_type says of it
  std::uint32_t lanes = 0;  // that take part in reading
  bool descriptor = false;  // of wgmma: a matrix in shared memory
};
/// The items of a warp that write a register, by its name; points into the trace.
using Writers = std::unordered_map<std::string_view, std::vector<int>>;
Writers writers_of(const StepWarp& warp);
/// In the order in which the instruction names them, each once; those alone that are recorded.
std::vector<Read> reads(const StepWarp& warp, const Writers& writers, int item);
/// All lanes that read it read the same.
bool is_uniform(const Read& read);

/// "full[2]", where an instruction of mbarriers is given the address of one that has a name; or "".
std::string mbarrier_read(const StepList& list, const StepItem& item, const Read& read);

/// How a register's bits are best read, by what the instruction is: "f32", "s32", "f16", "pred"...;
/// "" where the bits say it best.
std::string_view value_type(const trace::Step& step, std::size_t write);
/// A lane's value in that type; hexadecimal where there is none.
std::string value_text(std::string_view type, int bits, std::uint64_t pattern);
/// "1024 in every lane", "1024 in lane 0", "1024 in 4 lanes" of what is_uniform; of a descriptor
/// its fields, too.
std::string uniform_text(const Read& read, std::string_view type);

/// Where the sums of a wgmma.mma_async arrive: the item of the warp, its wgmma.wait_group, that
/// writes what it names as D. -1: it is none, or the wait is not recorded.
int arrives_at(const StepWarp& warp, const Writers& writers, int item);

/// Where words lead from (warp, item): "step 17", "warp 2", "line 38", "%r9" (the next step that
/// writes it) or a name of the learner's ("A.r0"), "conflict", "next mma", "next tensor". What the
/// warp has not is looked for in the others.
struct StepPlace {
  int warp = 0;  // index in StepList::warps
  int item = 0;
  std::string error;  // what the words should have been; the place is the old one then
};
StepPlace find_step(const StepList& steps, StepPlace from, std::string_view words);

/// The last step of that warp that writes the learner's register ("A.r1"); item -1: none does.
StepPlace written_by(const StepList& steps, const trace::Place& of, int warp,
                     std::string_view watch);

/// ldmatrix, mma, wgmma, a copy that feeds them: what the steps are looked at for.
bool is_tensor(const trace::Step& step);
/// The first of them that was executed; the trace's first step where there is none.
StepPlace first_tensor(const StepList& steps);

/// "step 209: ldmatrix", "step 1108: wgmma.wait_group"
std::string step_name(const StepList& steps, const StepPlace& place);
/// "warp 2 step 17"
std::string words_of(const StepList& steps, const StepPlace& place);
/// "warp 2 of block 1,0,0, launch 3"
std::string name_of(const StepWarp& warp);
/// The kernel of a launch as it is written, "multiply<3, 2>"; "" where the trace does not have it.
std::string kernel_of(const trace::Trace& trace, int launch);
/// "lesson.cu:38, PTX line 52, 16 of 32 lanes"
std::string where_text(const trace::Step& step);

}  // namespace lanescope::viz

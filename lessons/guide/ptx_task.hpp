// SPDX-License-Identifier: MIT
// An exercise in PTX alone: what its head says of how answers are launched and judged.
//
//     // run: f16:16x16=whole f16:16x8=whole f32:16x8     words of `lanescope run KERNEL.ptx`; one
//                                                         line a launch
//     // uses: ldmatrix                                   an instruction that must be there
//     // banks: none                                      no bank conflicts
//     // check: strict                                    nor more relied on than PTX promises
//
// An answer is right when every launch leaves the memory that solution.ptx leaves, to the bit, and
// the checker of `--check`, or of `--strict`, finds nothing in it. Command and web page launch it;
// what they are told is judged here.
#pragma once

#include <string>
#include <vector>

namespace lanescope::guide {

struct PtxTask {
  std::vector<std::string> launches;  // the words of each
  std::vector<std::string> uses;      // how the names of instructions begin
  bool no_conflicts = false;
  bool is_strict = false;
};

/// What the head of a solution.ptx says: the comment that it opens with.
PtxTask ptx_task(const std::string& solution);

/// The first instruction that `answer` should use and does not, comments aside; "".
std::string not_used(const PtxTask& task, const std::string& answer);

/// What is wrong with a launch, in lines for the learner; "" when nothing is. `good`: its exit code
/// was 0; `printed`: what `lanescope run --check --banks KERNEL.ptx ... --like FOLDER` printed.
std::string wrong_with(bool good, const std::string& printed);
/// The bank conflicts of that launch, in lines; "" when there are none, or the task does not mind.
std::string conflicts_in(const PtxTask& task, const std::string& printed);

}  // namespace lanescope::guide

// SPDX-License-Identifier: MIT
// See counting.hpp.
#include "cudart/counting.hpp"

#include <limits>
#include <string_view>

#include "cudart/context.hpp"
#include "emulator/execute/passes.hpp"

namespace lanescope::cudart {
namespace {

/// "mma.sync..." of "@%p1 mma.sync... {...": what the instruction is.
std::string_view without_guard(std::string_view ptx) {
  if (ptx.empty() || ptx[0] != '@') return ptx;
  const std::size_t blank = ptx.find(' ');
  return blank == std::string_view::npos ? ptx : ptx.substr(blank + 1);
}

bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

void count_step(BlockCounts& counts, const trace::Step& step) {
  const std::string_view ptx = without_guard(step.ptx);
  ++counts.instructions;
  counts.mma += begins(ptx, "mma.sync");
  counts.global_loads +=
      begins(ptx, "ld.global") || begins(ptx, "cp.async.ca.") || begins(ptx, "cp.async.cg.");
}

// Which loads and stores a wmma becomes is ptxas's choice: their passes are not known.
void count_access(BlockCounts& counts, const trace::Access& access) {
  if (begins(access.instruction, "wmma.")) return;
  const emulator::Passes passes = emulator::passes_of(access);
  ++counts.shared_accesses;
  counts.passes += static_cast<std::uint64_t>(passes.taken);
  counts.least_passes += static_cast<std::uint64_t>(passes.least);
}

}  // namespace

Counting::Counting() {
  steps_.count = std::numeric_limits<std::int64_t>::max();
  steps_.context = this;
  steps_.event = &Counting::take;
}

void Counting::take(void* context, const trace::Event& event) {
  BlockCounts& counts = static_cast<Counting*>(context)->counts_;
  if (const auto* step = std::get_if<trace::Step>(&event)) count_step(counts, *step);
  if (const auto* access = std::get_if<trace::Access>(&event)) count_access(counts, *access);
}

void Counting::begin(emulator::LaunchRequest& request) {
  counts_ = {};
  if (is_on_ && request.steps == nullptr) request.steps = &steps_;
}

int lanescopeCountBlock(int start, BlockCounts* counts) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  if (start != 0) state.counting.start();
  if (counts != nullptr) *counts = state.counting.last();
  return state.counting.is_on() ? 1 : 0;
}

}  // namespace lanescope::cudart

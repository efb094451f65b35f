// SPDX-License-Identifier: MIT
// Groups of lanes: how they part, meet again, and wait for each other.
#include "emulator/run/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "emulator/execute/handlers.hpp"
#include "emulator/report.hpp"
#include "emulator/run/frame.hpp"
#include "emulator/run/meeting.hpp"

namespace lanescope::emulator {
namespace {

bool goes_before(const Group& a, const Group& b) {
  if (a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
  return a.pc < b.pc;
}

void diverged(const Cta& cta, Warp& warp, const Group& group) {
  const Program& program = *cta.launch->program;
  std::string others;
  for (const Group& other : warp.groups) {
    if (&other == &group) continue;
    const PtxStatement* at = program.statement(other.pc);
    const trace::SourceLine source =
        at == nullptr ? trace::SourceLine{} : source_line(program.module, *at);
    others +=
        fmt::format("{}lanes 0x{:08x} are at {}PTX line {}", others.empty() ? "" : ", ", other.mask,
                    source.line == 0 ? "" : fmt::format("{}:{}, ", source.file, source.line),
                    at == nullptr ? 0 : at->line);
  }
  warp.pc = group.pc;
  fail(warp, ErrorCode::illegal_instruction, "diverged-collective", __builtin_ctz(group.mask),
       fmt::format("lanes 0x{:08x} wait for lanes 0x{:08x} that never come; {}", group.mask,
                   group.required & ~group.mask, others.empty() ? "they have exited" : others),
       "all lanes of the mask must execute this instruction together");
}

}  // namespace

void merge_groups(Cta& cta, Warp& warp) {
  auto& groups = warp.groups;
  for (std::size_t k = 0; k + 1 < groups.size(); ++k) {
    for (std::size_t other = k + 1; other < groups.size();) {
      const bool same = groups[k].pc == groups[other].pc && groups[k].frame == groups[other].frame;
      if (!same || groups[k].waiting == Waiting::barrier ||
          groups[other].waiting == Waiting::barrier) {
        ++other;
        continue;
      }
      groups[k].mask |= groups[other].mask;
      groups[k].waiting = Waiting::no;
      remove_group(cta, warp, other);
    }
  }
}

void remove_group(Cta& cta, Warp& warp, std::size_t index) {
  leave_frame(cta, warp.groups[index].frame);
  warp.groups.erase(warp.groups.begin() + static_cast<std::ptrdiff_t>(index));
}

// The deepest call, there the lowest instruction; now and then another one, for lanes that wait for
// each other in a loop.
int choose_group(Warp& warp) {
  const auto& groups = warp.groups;
  if (groups.size() == 1) return groups[0].waiting == Waiting::no ? 0 : -1;
  int best = -1;
  for (int k = 0; k < static_cast<int>(groups.size()); ++k) {
    const Group& group = groups[static_cast<std::size_t>(k)];
    if (group.waiting != Waiting::no) continue;
    if (best < 0 || goes_before(group, groups[static_cast<std::size_t>(best)])) best = k;
  }
  if (best < 0 || warp.turn < kGroupTurn) return best;
  warp.turn = 0;
  const auto count = groups.size();
  const std::size_t next = static_cast<std::size_t>(best) + 1 + warp.rotations++ % count;
  for (std::size_t step = 0; step < count; ++step) {
    const auto k = static_cast<int>((next + step) % count);
    if (groups[static_cast<std::size_t>(k)].waiting == Waiting::no) return k;
  }
  return best;
}

std::uint32_t next_stop(const Warp& warp, std::size_t chosen) {
  std::uint32_t stop = kNoRow;
  for (std::size_t k = 0; k < warp.groups.size(); ++k) {
    const Group& other = warp.groups[k];
    if (k != chosen && other.pc > warp.groups[chosen].pc && other.waiting != Waiting::barrier)
      stop = std::min(stop, other.pc);
  }
  return stop;
}

void split_group(Warp& warp, std::size_t chosen, std::uint32_t active) {
  Group acting = warp.groups[chosen];
  acting.mask = active;
  ++acting.frame->users;
  warp.groups[chosen].mask &= ~active;
  ++warp.groups[chosen].pc;
  warp.groups.push_back(acting);
}

void part_group(Cta& cta, Warp& warp, std::size_t chosen) {
  Group going = warp.groups[chosen];
  going.mask = warp.part;
  ++going.pc;
  ++going.frame->users;
  Group& left = warp.groups[chosen];
  left.mask &= ~warp.part;
  left.waiting = Waiting::converge;
  left.required = warp.required;
  warp.groups.push_back(going);
  meet_elsewhere(cta, warp, chosen);  // whom they wait for may wait already
}

std::uint32_t keep_companions(Cta& cta, Warp& warp, std::size_t chosen) {
  const Group group = warp.groups[chosen];
  const Instruction& i = cta.launch->program->code[group.pc];
  const std::uint32_t target = lane_target(warp, i, __builtin_ctz(group.mask));
  std::uint32_t same = 0;
  for (std::uint32_t rest = group.mask; rest != 0; rest &= rest - 1)
    if (lane_target(warp, i, __builtin_ctz(rest)) == target) same |= rest & (0 - rest);
  if (same == group.mask) return target;
  Group others = group;
  others.mask &= ~same;
  ++others.frame->users;
  warp.groups[chosen].mask = same;
  warp.groups.push_back(others);
  return target;
}

bool converge(Cta& cta, Warp& warp, std::size_t chosen) {
  Group& group = warp.groups[chosen];
  group.waiting = Waiting::converge;
  group.required = warp.required;
  if (meet_elsewhere(cta, warp, chosen)) return true;
  for (const Group& other : warp.groups)
    if (other.waiting != Waiting::converge) return true;
  diverged(cta, warp, group);
  return false;
}

void wake_groups(Warp& warp) {
  for (Group& group : warp.groups)
    if (group.waiting == Waiting::converge) group.waiting = Waiting::no;
}

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
#include "emulator/run/meeting.hpp"

#include <array>
#include <cstring>
#include <vector>

#include "emulator/check/checker.hpp"
#include "emulator/decode/warp_operation.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/record/step_recorder.hpp"

namespace lanescope::emulator {
namespace {

/// Some lanes of a group, and what they execute.
struct Part {
  std::size_t group;
  std::uint32_t lanes;
  const Instruction* instruction;
  std::byte* rows;
};

// The operands of all of them in one frame, so that one handler sees them together.
constexpr std::uint32_t kRow = kLanes * 8;
enum Place : std::uint32_t { kA, kB, kC, kMasks, kD, kPredicate, kPlaces };
using Table = std::array<std::byte, kPlaces * kRow>;

bool is_collective(const Instruction& i) {
  for (const Handler handler :
       {&run_shuffle, &run_vote, &run_match, &run_reduce_warp, &run_elect, &run_warp_barrier})
    if (i.handler == handler) return true;
  return false;
}

bool is_alike(const Instruction& i, const Instruction& other) {
  return i.handler == other.handler && i.detail == other.detail && i.count == other.count &&
         i.bytes == other.bytes && (i.handler != &run_reduce_warp || i.target == other.target);
}

std::uint32_t row_of_masks(const Instruction& i) {
  return i.handler == &run_warp_barrier ? i.a : i.list;
}

std::uint32_t& word(std::byte* rows, std::uint32_t offset) {
  return *reinterpret_cast<std::uint32_t*>(rows + offset);
}

void set_lanes(std::uint32_t& predicate, std::uint32_t lanes, std::uint32_t value) {
  predicate = (predicate & ~lanes) | (value & lanes);
}

/// `to` is a row of the table or of a frame, and so is `from`.
void copy_lanes(std::byte* to, const std::byte* from, std::uint32_t lanes, std::size_t bytes) {
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const std::size_t at = static_cast<std::size_t>(__builtin_ctz(rest)) * bytes;
    std::memcpy(to + at, from + at, bytes);
  }
}

/// Who waits at a collective like this one, with this mask.
std::vector<Part> find_parts(const Cta& cta, const Warp& warp, const Instruction& kind,
                             std::uint32_t mask) {
  std::vector<Part> parts;
  for (std::size_t k = 0; k < warp.groups.size(); ++k) {
    const Group& group = warp.groups[k];
    const Instruction& i = cta.launch->program->code[group.pc];
    if (group.waiting != Waiting::converge || !is_alike(i, kind)) continue;
    std::byte* rows = group.frame->rows.get();
    const auto* masks = reinterpret_cast<const std::uint32_t*>(rows + row_of_masks(i));
    std::uint32_t lanes = 0;
    for (std::uint32_t rest = group.mask; rest != 0; rest &= rest - 1)
      if (masks[__builtin_ctz(rest)] == mask) lanes |= rest & (0 - rest);
    if (lanes != 0) parts.push_back({k, lanes, &i, rows});
  }
  return parts;
}

void gather(Table& table, const Part& part, bool votes) {
  const Instruction& i = *part.instruction;
  const auto copy = [&](std::uint32_t place, std::uint32_t row, std::size_t bytes) {
    if (row != kNoRow) copy_lanes(&table[place * kRow], part.rows + row, part.lanes, bytes);
  };
  copy(kA, i.a, i.bytes == 8 ? 8 : 4);
  copy(kC, i.c, 4);
  copy(kMasks, row_of_masks(i), 4);
  if (votes)
    set_lanes(word(&table[kB * kRow], 0), part.lanes,
              word(part.rows, i.b) ^ static_cast<std::uint32_t>(i.immediate));
  else
    copy(kB, i.b, 4);
}

void scatter(Table& table, const Part& part, bool answers_predicate) {
  const Instruction& i = *part.instruction;
  if (answers_predicate)
    set_lanes(word(part.rows, i.d), part.lanes, word(&table[kD * kRow], 0));
  else if (i.d != kNoRow)
    copy_lanes(part.rows + i.d, &table[kD * kRow], part.lanes, 4);
  const bool has_predicate = i.handler != &run_reduce_warp && i.handler != &run_vote &&
                             i.handler != &run_warp_barrier && i.target != kNoRow;
  if (has_predicate)
    set_lanes(word(part.rows, i.target), part.lanes, word(&table[kPredicate * kRow], 0));
}

void execute(Warp& warp, const std::vector<Part>& parts, std::uint32_t here) {
  alignas(64) Table table{};
  Instruction i = *parts[0].instruction;
  const bool votes = i.handler == &run_vote;
  const bool answers_predicate = votes && i.detail != static_cast<std::uint16_t>(VoteMode::ballot);
  for (const Part& part : parts) gather(table, part, votes);
  i.a = i.handler == &run_warp_barrier ? kMasks * kRow : kA * kRow;
  i.b = kB * kRow, i.c = kC * kRow, i.list = kMasks * kRow, i.d = kD * kRow;
  i.immediate = 0;  // what a vote's negation says is in the table
  if (i.handler != &run_reduce_warp) i.target = kPredicate * kRow;
  std::byte* rows = warp.rows;
  warp.rows = table.data();
  i.handler(warp, i, here);
  warp.rows = rows;
  for (const Part& part : parts) scatter(table, part, answers_predicate);
}

/// They go on behind their instruction; those of the group with other masks stay.
void go_on(Cta& cta, Warp& warp, const Part& part) {
  Group going = warp.groups[part.group];
  const std::uint32_t pc = going.pc;
  going.mask = part.lanes, going.waiting = Waiting::no, ++going.pc;
  Group& group = warp.groups[part.group];
  if (group.mask == part.lanes) {
    group = going;
  } else {
    group.mask &= ~part.lanes;
    ++going.frame->users;
    warp.groups.push_back(going);
  }
  StepRecorder* steps = cta.launch->steps;
  if (steps == nullptr || !steps->sees(cta)) return;
  warp.rows = part.rows;
  steps->before(warp, pc, part.lanes);
  steps->after(warp, pc, part.lanes, Flow::next);
}

/// Those of one mask in the waiting group, if all whom they wait for wait elsewhere.
bool meet_once(Cta& cta, Warp& warp, std::size_t chosen) {
  const Group& group = warp.groups[chosen];
  const Instruction& kind = cta.launch->program->code[group.pc];
  const auto* masks =
      reinterpret_cast<const std::uint32_t*>(group.frame->rows.get() + row_of_masks(kind));
  for (std::uint32_t rest = group.mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t mask = masks[__builtin_ctz(rest)];
    const std::vector<Part> parts = find_parts(cta, warp, kind, mask);
    std::uint32_t here = 0;
    for (const Part& part : parts) here |= part.lanes;
    if (parts.size() < 2 || (mask & warp.alive & ~here) != 0) continue;
    if (kind.handler == &run_warp_barrier && cta.check != nullptr)
      cta.check->meet(warp, mask & warp.alive);
    execute(warp, parts, here);
    for (const Part& part : parts) go_on(cta, warp, part);
    return true;
  }
  return false;
}

}  // namespace

bool meet_elsewhere(Cta& cta, Warp& warp, std::size_t chosen) {
  if (!is_collective(cta.launch->program->code[warp.groups[chosen].pc])) return false;
  // Lanes of several masks may have come at once: nobody looks again for those who stay.
  bool have_met = false;
  while (warp.groups[chosen].waiting == Waiting::converge && meet_once(cta, warp, chosen))
    have_met = true;
  return have_met;
}

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
// Within a warp, lanes that are at the same instruction form a group. A branch that only some lanes
// take splits a group in two. The group at the lowest instruction runs, and groups that meet at the
// same instruction become one again: code that nvcc emits has its join points behind what they
// join, so this finds them without a control-flow graph. Groups inside a called function go first,
// so that a call has returned before its caller goes on.
//
// An `.aligned` instruction that not all lanes have reached does not run: its group waits
// (Waiting::converge) and the others go on; they either arrive, or end, or everybody waits, which
// is the error "diverged".
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

inline constexpr std::uint64_t kGroupTurn = 20'000;  // instructions before another one has its turn

/// Groups at the same instruction of the same call become one.
void merge_groups(Cta& cta, Warp& warp);
/// The group whose turn it is; -1: all wait.
int choose_group(Warp& warp);
/// The next instruction at which another group stands: there the running one stops, to merge.
std::uint32_t next_stop(const Warp& warp, std::size_t chosen);

/// The lanes that do not act go on to the next instruction; `active` becomes the last group.
void split_group(Warp& warp, std::size_t chosen, std::uint32_t active);
/// The lanes of Warp::part go on, the others wait for those of their masks.
void part_group(Cta& cta, Warp& warp, std::size_t chosen);
/// Lanes that go elsewhere than the first one stay where they are, as a group of their own, and
/// have their turn next. Returns where the first goes.
std::uint32_t keep_companions(Cta& cta, Warp& warp, std::size_t chosen);

/// The lanes of a group wait for Warp::required. False: they never come, and the warp has its
/// fault.
bool converge(Cta& cta, Warp& warp, std::size_t chosen);
/// Lanes that wait for lanes that are gone look again.
void wake_groups(Warp& warp);
void remove_group(Cta& cta, Warp& warp, std::size_t index);

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
// The order in which things happen.
//
// Within a warp, lanes that are at the same instruction form a group. A branch that only some lanes
// take splits a group in two. The group at the lowest instruction runs, and groups that meet at the
// same instruction become one again: code that nvcc emits has its join points behind what they
// join, so this finds them without a control-flow graph. Groups inside a called function go first,
// so that a call has returned before its caller goes on.
//
// An `.aligned` instruction that not all lanes have reached does not run: its group waits
// (Waiting::converge) and the others go on; they either arrive, or end, or everybody waits, which
// is the error "diverged".
//
// How warps, CTAs and clusters take turns: run_cluster.cpp. How a CTA begins: prepare_cta.cpp.
#include "emulator/scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/call.hpp"
#include "emulator/check/checker.hpp"
#include "emulator/cluster.hpp"
#include "emulator/frame.hpp"
#include "emulator/handlers.hpp"
#include "emulator/report.hpp"
#include "emulator/schedule.hpp"
#include "emulator/step_recorder.hpp"
#include "emulator/warp_operation.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::uint64_t kTurn = 200'000;      // instructions before another warp has its turn
constexpr std::uint64_t kGroupTurn = 20'000;  // ... before another group of the warp has

class WarpRunner {
 public:
  WarpRunner(Cta& cta, Warp& warp) : cta_(cta), warp_(warp), code_(cta.launch->code) {
    const Observer* observer = cta.launch->request->observer;
    if (observer != nullptr && observer->block == cta.block) observer_ = observer;
    if (cta.launch->steps != nullptr && cta.launch->steps->sees(cta)) steps_ = cta.launch->steps;
    watched_ = observer_ != nullptr || steps_ != nullptr || cta.launch->counts != nullptr ||
               cta.cluster->random != 0;
  }

  // Runs the warp until it waits, ends, faults (false) or its turn is over.
  bool run() {
    std::uint64_t turn = turn_of(*cta_.cluster, kTurn);
    group_turn_ = std::min(turn, kGroupTurn);
    while (turn > 0) {
      merge();
      const int chosen = choose();
      if (chosen < 0) return warp_.fault.code == ErrorCode::none;
      const std::uint64_t before = cta_.executed;
      const Step step = run_group(static_cast<std::size_t>(chosen));
      if (step == Step::fault) return false;
      if (step == Step::yield) return true;
      turn -= std::min(turn, cta_.executed - before);
    }
    return true;
  }

 private:
  enum class Step { again, yield, fault };

  // Groups at the same instruction of the same call become one.
  void merge() {
    auto& groups = warp_.groups;
    for (std::size_t k = 0; k + 1 < groups.size(); ++k) {
      for (std::size_t other = k + 1; other < groups.size();) {
        const bool same =
            groups[k].pc == groups[other].pc && groups[k].frame == groups[other].frame;
        if (!same || groups[k].waiting == Waiting::barrier ||
            groups[other].waiting == Waiting::barrier) {
          ++other;
          continue;
        }
        groups[k].mask |= groups[other].mask;
        groups[k].waiting = Waiting::no;
        remove(other);
      }
    }
  }

  void remove(std::size_t index) {
    leave_frame(cta_, warp_.groups[index].frame);
    warp_.groups.erase(warp_.groups.begin() + static_cast<std::ptrdiff_t>(index));
  }

  // The deepest call, there the lowest instruction; now and then another one, for lanes that wait
  // for each other in a loop.
  int choose() {
    const auto& groups = warp_.groups;
    if (groups.size() == 1) return groups[0].waiting == Waiting::no ? 0 : -1;
    int best = -1;
    for (int k = 0; k < static_cast<int>(groups.size()); ++k) {
      const Group& group = groups[static_cast<std::size_t>(k)];
      if (group.waiting != Waiting::no) continue;
      if (best < 0 || goes_before(group, groups[static_cast<std::size_t>(best)])) best = k;
    }
    if (best < 0 || warp_.turn < kGroupTurn) return best;
    warp_.turn = 0;
    const auto count = groups.size();
    const std::size_t next = static_cast<std::size_t>(best) + 1 + warp_.rotations++ % count;
    for (std::size_t step = 0; step < count; ++step) {
      const auto k = static_cast<int>((next + step) % count);
      if (groups[static_cast<std::size_t>(k)].waiting == Waiting::no) return k;
    }
    return best;
  }
  static bool goes_before(const Group& a, const Group& b) {
    if (a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
    return a.pc < b.pc;
  }

  // The next instruction at which another group stands: there the running one stops, to merge.
  std::uint32_t stop_of(std::size_t chosen) const {
    std::uint32_t stop = kNoRow;
    for (std::size_t k = 0; k < warp_.groups.size(); ++k) {
      const Group& other = warp_.groups[k];
      if (k != chosen && other.pc > warp_.groups[chosen].pc && other.waiting != Waiting::barrier)
        stop = std::min(stop, other.pc);
    }
    return stop;
  }

  Step run_group(std::size_t chosen) {
    return watched_ ? run_group<true>(chosen) : run_group<false>(chosen);
  }

  void observe(std::uint32_t pc, std::uint32_t active, Flow flow) const {
    if (steps_ != nullptr) steps_->after(warp_, pc, active, flow);
    if (flow == Flow::converge || flow == Flow::fault) return;
    const bool done = flow != Flow::retry && flow != Flow::gather;
    if (cta_.launch->counts != nullptr && done) ++cta_.launch->counts[pc];
    if (observer_ == nullptr) return;
    const PtxModule& module = cta_.launch->program->module;
    const PtxStatement* statement = cta_.launch->program->statement(pc);
    if (statement == nullptr) return;  // the return where the braces close
    observer_->executed(observer_->context, {cta_.block, warp_.index, active, statement->text,
                                             statement->line, source_line(module, *statement)});
  }

  template <bool kObserved>
  Step run_group(std::size_t chosen) {
    Group& group = warp_.groups[chosen];
    const bool alone = warp_.groups.size() == 1;
    const std::uint32_t stop = alone ? kNoRow : stop_of(chosen);
    const std::uint32_t mask = group.mask;
    std::uint32_t pc = group.pc;
    const std::uint64_t begin = cta_.executed;
    warp_.timed_out = group.timed_out;
    group.timed_out = false;
    warp_.frame = group.frame;
    warp_.rows = group.frame->rows.get();
    Flow flow = Flow::next;
    std::uint32_t active = mask;
    do {
      const Instruction& i = code_[pc];
      ++cta_.executed;
      active = mask & (predicate(warp_, i.guard) ^ i.guard_flip);
      if (active == 0) {
        ++pc;
        continue;
      }
      warp_.pc = pc;
      if constexpr (kObserved)
        if (steps_ != nullptr) steps_->before(warp_, pc, active);
      flow = i.handler(warp_, i, active);
      if constexpr (kObserved) observe(pc, flow == Flow::part ? warp_.part : active, flow);
      if (flow == Flow::next) {
        ++pc;
      } else if (flow == Flow::branch && active == mask) {
        pc = i.target;
        if (!alone || cta_.executed - begin > kGroupTurn) break;
        flow = Flow::next;
      } else {
        break;
      }
      if constexpr (kObserved)
        if (cta_.executed - begin >= group_turn_) break;
    } while (pc != stop);
    group.pc = pc;
    if (!alone) warp_.turn += cta_.executed - begin;
    return flow == Flow::next ? Step::again : settle(chosen, flow, active);
  }

  // What a group does after an instruction that is not followed by the next one.
  Step settle(std::size_t chosen, Flow flow, std::uint32_t active) {
    Group group = warp_.groups[chosen];  // a copy: splitting moves them
    if (flow == Flow::fault) return Step::fault;
    if (flow == Flow::branch && active == group.mask) return Step::again;
    if (active != group.mask) {
      split(chosen, active);
      chosen = warp_.groups.size() - 1;
    }
    Group& moved = warp_.groups[chosen];
    switch (flow) {
      case Flow::branch:
        moved.pc = code_[moved.pc].target;
        break;
      case Flow::jump: {
        const std::uint32_t target = keep_companions(chosen);
        warp_.groups[chosen].pc = target;
        break;
      }
      case Flow::exit:
        exit(chosen);
        break;
      case Flow::call:
        if (call(chosen)) break;
        warp_.pc = warp_.groups[chosen].pc;
        fail(warp_, ErrorCode::illegal_address, "stack-overflow",
             __builtin_ctz(warp_.groups[chosen].mask),
             fmt::format("the {} bytes of local memory of a thread are used up", warp_.local_bytes),
             "is this recursion without an end? else raise cudaLimitStackSize");
        return Step::fault;
      case Flow::ret:
        ret(chosen);
        break;
      case Flow::converge:
        return converge(moved);
      case Flow::part:
        part(chosen);
        break;
      case Flow::barrier:
        ++moved.pc;
        moved.waiting = Waiting::barrier;
        moved.barrier = warp_.barrier;
        break;
      case Flow::yield:
        ++moved.pc;
        warp_.turn = kGroupTurn;
        return Step::yield;
      case Flow::retry:
        moved.waiting = Waiting::event;
        moved.seen = cta_.cluster->events;
        break;
      case Flow::gather:
        moved.waiting = Waiting::warpgroup;
        break;
      default:
        break;
    }
    return Step::again;
  }

  // The lanes that do not act go on to the next instruction; `active` becomes the last group.
  void split(std::size_t chosen, std::uint32_t active) {
    Group acting = warp_.groups[chosen];
    acting.mask = active;
    ++acting.frame->users;
    warp_.groups[chosen].mask &= ~active;
    ++warp_.groups[chosen].pc;
    warp_.groups.push_back(acting);
  }

  // The lanes of Warp::part go on, the others wait for those of their masks.
  void part(std::size_t chosen) {
    Group going = warp_.groups[chosen];
    going.mask = warp_.part;
    ++going.pc;
    ++going.frame->users;
    Group& left = warp_.groups[chosen];
    left.mask &= ~warp_.part;
    left.waiting = Waiting::converge;
    left.required = warp_.required;
    warp_.groups.push_back(going);
  }

  void exit(std::size_t chosen) {
    const std::uint32_t gone = warp_.groups[chosen].mask;
    if (cta_.check != nullptr) cta_.check->leave(warp_, gone);
    warp_.alive &= ~gone;
    cta_.live_threads -= __builtin_popcount(gone);
    remove(chosen);
    wake();
  }

  // Lanes that wait for lanes that are gone look again.
  void wake() {
    for (Group& group : warp_.groups)
      if (group.waiting == Waiting::converge) group.waiting = Waiting::no;
  }

  Step converge(Group& group) {
    group.waiting = Waiting::converge;
    group.required = warp_.required;
    if (meet_at_warp_barriers(group.required)) return Step::again;
    for (const Group& other : warp_.groups)
      if (other.waiting != Waiting::converge) return Step::again;
    diverged(group);
    return Step::fault;
  }

  // bar.warp.sync may be executed at different places by the lanes of one mask (9.7.13.2).
  bool meet_at_warp_barriers(std::uint32_t required) {
    const auto waits = [&](const Group& group) {
      return group.waiting == Waiting::converge && group.required == required &&
             cta_.launch->program->code[group.pc].handler == &run_warp_barrier;
    };
    std::uint32_t here = 0;
    for (const Group& group : warp_.groups)
      if (waits(group)) here |= group.mask;
    if ((required & ~here) != 0) return false;
    if (cta_.check != nullptr) cta_.check->meet(warp_, required);
    for (Group& group : warp_.groups) {
      if (!waits(group)) continue;
      group.waiting = Waiting::no;
      ++group.pc;
    }
    return true;
  }

  void diverged(const Group& group) {
    const Program& program = *cta_.launch->program;
    std::string others;
    for (const Group& other : warp_.groups) {
      if (&other == &group) continue;
      const PtxStatement* at = program.statement(other.pc);
      const trace::SourceLine source =
          at == nullptr ? trace::SourceLine{} : source_line(program.module, *at);
      others += fmt::format(
          "{}lanes 0x{:08x} are at {}PTX line {}", others.empty() ? "" : ", ", other.mask,
          source.line == 0 ? "" : fmt::format("{}:{}, ", source.file, source.line),
          at == nullptr ? 0 : at->line);
    }
    warp_.pc = group.pc;
    fail(warp_, ErrorCode::illegal_instruction, "diverged-collective", __builtin_ctz(group.mask),
         fmt::format("lanes 0x{:08x} wait for lanes 0x{:08x} that never come; {}", group.mask,
                     group.required & ~group.mask, others.empty() ? "they have exited" : others),
         "all lanes of the mask must execute this instruction together");
  }

  // Lanes that go elsewhere than the first one stay where they are, as a group of their own, and
  // have their turn next. Returns where the first goes.
  std::uint32_t keep_companions(std::size_t chosen) {
    const Group group = warp_.groups[chosen];
    const Instruction& i = cta_.launch->program->code[group.pc];
    const std::uint32_t target = lane_target(warp_, i, __builtin_ctz(group.mask));
    std::uint32_t same = 0;
    for (std::uint32_t rest = group.mask; rest != 0; rest &= rest - 1)
      if (lane_target(warp_, i, __builtin_ctz(rest)) == target) same |= rest & (0 - rest);
    if (same == group.mask) return target;
    Group others = group;
    others.mask &= ~same;
    ++others.frame->users;
    warp_.groups[chosen].mask = same;
    warp_.groups.push_back(others);
    return target;
  }

  bool call(std::size_t chosen) {
    const Instruction& i = cta_.launch->program->code[warp_.groups[chosen].pc];
    const std::uint32_t target = i.target != kNoRow ? i.target : keep_companions(chosen);
    return enter_function(cta_, warp_, warp_.groups[chosen], target);
  }

  void ret(std::size_t chosen) {
    Group& group = warp_.groups[chosen];
    if (group.frame->caller == nullptr) return exit(chosen);
    return_from_function(cta_, warp_, group);
  }

  Cta& cta_;
  Warp& warp_;
  const Instruction* code_;
  const Observer* observer_ = nullptr;
  StepRecorder* steps_ = nullptr;
  bool watched_ = false;
  std::uint64_t group_turn_ = kGroupTurn;
};

}  // namespace

bool run_warp(Cta& cta, Warp& warp) { return WarpRunner(cta, warp).run(); }

}  // namespace lanescope::emulator

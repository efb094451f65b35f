// SPDX-License-Identifier: MIT
// The order in which things happen within a warp: the chosen group of lanes (groups.hpp) runs until
// it stands where another one does, waits, or its turn is over; then what its last instruction asks
// for is done with the group: it branches, calls, leaves, waits.
//
// How warps, CTAs and clusters take turns: run_cluster.cpp. How a CTA begins: prepare_cta.cpp.
#include "emulator/run/scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/check/checker.hpp"
#include "emulator/record/step_recorder.hpp"
#include "emulator/report.hpp"
#include "emulator/run/call.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/groups.hpp"
#include "emulator/run/schedule.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::uint64_t kTurn = 200'000;  // instructions before another warp has its turn

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
      merge_groups(cta_, warp_);
      const int chosen = choose_group(warp_);
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
    const std::uint32_t stop = alone ? kNoRow : next_stop(warp_, chosen);
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
      split_group(warp_, chosen, active);
      chosen = warp_.groups.size() - 1;
    }
    Group& moved = warp_.groups[chosen];
    switch (flow) {
      case Flow::branch:
        moved.pc = code_[moved.pc].target;
        break;
      case Flow::jump: {
        const std::uint32_t target = keep_companions(cta_, warp_, chosen);
        warp_.groups[chosen].pc = target;
        break;
      }
      case Flow::exit:
        exit(chosen);
        break;
      case Flow::call:
        return call(chosen) ? Step::again : Step::fault;
      case Flow::ret:
        ret(chosen);
        break;
      case Flow::converge:
        return converge(cta_, warp_, chosen) ? Step::again : Step::fault;
      case Flow::part:
        part_group(cta_, warp_, chosen);
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

  void exit(std::size_t chosen) {
    const std::uint32_t gone = warp_.groups[chosen].mask;
    if (cta_.check != nullptr) cta_.check->leave(warp_, gone);
    warp_.alive &= ~gone;
    cta_.live_threads -= __builtin_popcount(gone);
    leave_cluster_barrier(warp_, gone);
    remove_group(cta_, warp_, chosen);
    wake_groups(warp_);
  }

  bool call(std::size_t chosen) {
    const Instruction& i = cta_.launch->program->code[warp_.groups[chosen].pc];
    const std::uint32_t target =
        i.target != kNoRow ? i.target : keep_companions(cta_, warp_, chosen);
    if (enter_function(cta_, warp_, warp_.groups[chosen], target)) return true;
    warp_.pc = warp_.groups[chosen].pc;
    fail(warp_, ErrorCode::illegal_address, "stack-overflow",
         __builtin_ctz(warp_.groups[chosen].mask),
         fmt::format("the {} bytes of local memory of a thread are used up", warp_.local_bytes),
         "is this recursion without an end? else raise cudaLimitStackSize");
    return false;
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

// SPDX-License-Identifier: MIT
// What mbarriers order: phases, arrivals of threads and of copies, waits, and a new beginning.
//
// Source: PTX ISA 9.2, 9.7.13.15.
#include <algorithm>

#include "tests/emulator/races/oracle.hpp"

namespace lanescope::emulator::races {
namespace {

constexpr int kOthers = 28;  // lanes of the last agent

int lanes_of(unsigned agents) {
  return __builtin_popcount(agents & 15) + ((agents & 16) != 0 ? kOthers : 0);
}

}  // namespace

// Whether a phase is certain to have completed before.
bool Oracle::has_seen(const Phase& phase, int event) const {
  const auto saw = [&](int wait) { return before(wait, event); };
  return all_before(phase.arrivals, event) ||
         std::any_of(phase.waits.begin(), phase.waits.end(), saw);
}

// `by`: the events that the phase waits for with this.
bool Oracle::arrive(Mbarrier& barrier, const std::vector<int>& events, int count,
                    const Events& by) {
  if (barrier.is_complete) {
    barrier.is_complete = false;
    ++barrier.phase;
    barrier.arrived = 0;
    barrier.older = std::move(barrier.last);
    barrier.last = std::move(barrier.now);
    barrier.now = {};
  }
  barrier.arrived += count;
  barrier.uses |= by;
  if (barrier.arrived > barrier.expected) return false;
  for (const int event : events) {
    barrier.uses.set(static_cast<std::size_t>(event));
    if (barrier.made >= 0 && !before(barrier.made, event)) note_beside(barrier.made);
  }
  for (const int event : events)
    if (barrier.phase > 0 && !has_seen(barrier.last, event)) return false;
  barrier.now.arrivals |= by;
  barrier.now.arrivers.insert(barrier.now.arrivers.end(), events.begin(), events.end());
  if (barrier.arrived < barrier.expected) return true;
  // Who still waits for the phase before, or adds an arrival, must have done so by now.
  const auto in_time = [&](int event) {
    return std::any_of(barrier.now.arrivers.begin(), barrier.now.arrivers.end(),
                       [&](int arrival) { return before(event, arrival); });
  };
  const auto& waits = barrier.last.waits;
  const auto& extra = barrier.now.extra;
  return std::all_of(waits.begin(), waits.end(), in_time) &&
         std::all_of(extra.begin(), extra.end(), in_time);
}

// After what the arrival hands over is known.
void Oracle::complete(Mbarrier& barrier) {
  if (barrier.is_complete || barrier.arrived != barrier.expected) return;
  barrier.is_complete = true;
  barrier.completed = barrier.handed;
}

Oracle::Mbarrier& Oracle::mbarrier(const Step& step) {
  return state_.mbarriers[static_cast<std::size_t>(shape_.home_of(step))]
                         [static_cast<std::size_t>(step.object)];
}

bool Oracle::mbarrier_arrive(const Step& step) {
  std::vector<int> events;
  Events by;
  each(step, [&](Agent& who, int) {
    events.push_back(event(who));
    by.set(static_cast<std::size_t>(events.back()));
  });
  if (!arrive(mbarrier(step), events, lanes_of(step.lanes), by)) return false;
  each(step, [&](Agent& who, int) { hand_over(step, who, mbarrier(step).handed); });
  complete(mbarrier(step));
  return true;
}

// 9.7.13.15.17: without .noinc the phase waits for one arrival more.
bool Oracle::copy_arrive(const Step& step) {
  Mbarrier& barrier = mbarrier(step);
  const bool counts = step.variant == 0;  // .noinc
  bool fine = true;
  each(step, [&](Agent& who, int lane) {
    const int issue = event(who);
    Events done = has(Rule::copy_tells_own) ? who.own : Events{};
    for (const ProxyFence& fence : proxy_fences_) done.reset(static_cast<std::size_t>(fence.event));
    for (const Copy& copy : who.copies) done.set(static_cast<std::size_t>(copy.writes[0]));
    const int arrival = copy_event(done);
    Events by;
    by.set(static_cast<std::size_t>(arrival));
    fine = fine && (counts || !barrier.is_complete) &&
           arrive(barrier, {issue}, counts ? lanes_of(1u << lane) : 0, by);
    if (!counts) barrier.now.extra.push_back(issue);
    barrier.handed.before |= done;
    barrier.handed.before.set(static_cast<std::size_t>(arrival));
    complete(barrier);
  });
  return fine;
}

// 8.7: an arrival that is .relaxed releases what a fence before it covers. Nobody outside of the
// cluster waits here.
void Oracle::hand_over(const Step& step, const Agent& who, Knowledge& handed) const {
  if (step.strength != Strength::relaxed)
    return handed.join(who.knows, has(Rule::fence_is_handed_on));
  Knowledge fenced;
  fenced.before = who.knows.ready[has(Rule::cta_is_cluster) ? 0 : 1];
  fenced.ready = who.knows.ready;
  handed.join(fenced, has(Rule::fence_is_handed_on));
}

int Oracle::awaited_parity(const Step& step) {
  const Mbarrier& at = mbarrier(step);
  return (at.is_complete ? at.phase : at.phase - 1) & 1;
}

// For the last phase that has completed; that the one before has is known.
bool Oracle::mbarrier_wait(const Step& step) {
  Mbarrier& barrier = mbarrier(step);
  const int phase = barrier.is_complete ? barrier.phase : barrier.phase - 1;
  if (phase < 0 || (phase & 1) != step.count) return false;
  Phase& target = barrier.is_complete ? barrier.now : barrier.last;
  const Phase& previous = barrier.is_complete ? barrier.last : barrier.older;
  bool fine = true;
  each(step, [&](Agent& who, int) {
    const int wait = event(who);
    fine = fine && (phase == 0 || has_seen(previous, wait));
    if (barrier.made >= 0 && !before(barrier.made, wait)) note_beside(barrier.made);
    barrier.uses.set(static_cast<std::size_t>(wait));
    target.waits.push_back(wait);
    diverge(step);
    if (step.strength != Strength::relaxed)
      who.knows.join(barrier.completed, has(Rule::fence_is_handed_on));
    else
      who.knows.heard |= barrier.completed.before | barrier.completed.heard,
          who.knows.heard_far |= barrier.completed.heard_far;
  });
  return fine;
}

// By habit also where lanes have voted since, and one of them is known to have.
bool Oracle::is_used_up(int use, int end) const {
  const auto is_behind = [&](int vote) { return before(use, vote); };
  const auto is_known = [&](int vote) { return before(vote, end); };
  return before(use, end) || std::any_of(votes_.begin(), votes_.end(), [&](const auto& lanes) {
           return has(Rule::vote_tells) && std::any_of(lanes.begin(), lanes.end(), is_behind) &&
                  std::any_of(lanes.begin(), lanes.end(), is_known);
         });
}

// By one who knows of everything that was done with it, the last initialisation among it.
bool Oracle::renew(const Step& step) {
  Mbarrier& barrier = mbarrier(step);
  each(step, [&](Agent& who, int) {
    const int made = event(who);
    if (barrier.made >= 0 && !before(barrier.made, made)) note_beside(barrier.made);
    for (int use = 0; use < made; ++use)
      if (barrier.uses[static_cast<std::size_t>(use)] && !is_used_up(use, made)) note_beside(use);
    barrier = {};
    barrier.expected = step.count;
    barrier.made = made;
    if (step.variant == kFenced) state_.fenced_inits.set(static_cast<std::size_t>(made));
  });
  return true;
}

}  // namespace lanescope::emulator::races

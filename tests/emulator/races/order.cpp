// SPDX-License-Identifier: MIT
// What orders the accesses of a program: barriers, mbarriers, fences, flags.
#include <algorithm>

#include "tests/emulator/races/oracle.hpp"

namespace lanescope::emulator::races {
namespace {

constexpr int kOthers = 28;  // lanes of the last agent

int lanes_of(unsigned agents) {
  return __builtin_popcount(agents & 15) + ((agents & 16) != 0 ? kOthers : 0);
}

}  // namespace

void Oracle::Knowledge::join(const Knowledge& other, bool with_fences) {
  before |= other.before;
  if (!with_fences) return;
  for (std::size_t k = 0; k < ready.size(); ++k) ready[k] |= other.ready[k];
}

// What has happened before reaches `scope`, and whatever lies in it.
void Oracle::make_ready(const Events& before, Scope scope, std::array<Events, 3>& ready) {
  for (int k = 0; k <= static_cast<int>(scope); ++k) ready[static_cast<std::size_t>(k)] |= before;
}

bool Oracle::all_before(const Events& all, int event) const {
  return (all & ~events_[static_cast<std::size_t>(event)]).none();
}

// Nobody can mistake it for the time before: all had arrived when the first comes again.
bool Oracle::barrier(const Step& step) {
  Barrier& barrier =
      state_.barriers[static_cast<std::size_t>(step.cta)][static_cast<std::size_t>(step.object)];
  Knowledge all;
  Events arrivals;
  Step of_warp = step;
  of_warp.lanes = kAllAgents;
  bool fine = true;
  for (of_warp.warp = 0; of_warp.warp < shape_.warps; ++of_warp.warp) {
    if ((((step.warps | step.arrivers) >> of_warp.warp) & 1) == 0) continue;
    each(of_warp, [&](Agent& who, int) {
      const int arrival = event(who);
      fine = fine && all_before(barrier.arrivals, arrival);
      arrivals.set(static_cast<std::size_t>(arrival));
      all.join(who.knows, has(Rule::fence_is_handed_on));
    });
  }
  if (!fine) return false;
  barrier.arrivals = arrivals;
  for (of_warp.warp = 0; of_warp.warp < shape_.warps; ++of_warp.warp)
    if (((step.warps >> of_warp.warp) & 1) != 0)
      each(of_warp, [&](Agent& who, int) { who.knows.join(all, has(Rule::fence_is_handed_on)); });
  return true;
}

void Oracle::meet(const Step& step) {
  Knowledge all;
  each(step, [&](Agent& who, int) {
    event(who);
    all.join(who.knows, has(Rule::fence_is_handed_on));
  });
  each(step, [&](Agent& who, int) { who.knows.join(all, has(Rule::fence_is_handed_on)); });
}

// What lanes have learnt of other warps; not what they did themselves, but that they have read.
void Oracle::vote(const Step& step) {
  Events learnt, own;
  each(step, [&](Agent& who, int) { learnt |= who.knows.before; });
  Step whole = step;
  whole.lanes = kAllAgents;
  each(whole, [&](Agent& who, int) { own |= who.own; });
  for (const int fence : proxy_fences_) own.reset(static_cast<std::size_t>(fence));
  each(step, [&](Agent& who, int) {
    event(who);
    if (has(Rule::vote_tells)) who.knows.before |= learnt & ~own;
  });
  state_.asked[static_cast<std::size_t>(step.cta)][static_cast<std::size_t>(step.warp)] =
      static_cast<int>(events_.size());
  if (step.lanes == kAllAgents)
    state_.voted[static_cast<std::size_t>(step.cta)][static_cast<std::size_t>(step.warp)] =
        static_cast<int>(events_.size());
}

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
    if (barrier.made >= 0 && !before(barrier.made, event)) return false;
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
  if (step.strength != Strength::relaxed)
    each(step, [&](Agent& who, int) {
      mbarrier(step).handed.join(who.knows, has(Rule::fence_is_handed_on));
    });
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
    for (const int fence : proxy_fences_) done.reset(static_cast<std::size_t>(fence));
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

int Oracle::awaited_parity(const Step& step) {
  const Mbarrier& at = mbarrier(step);
  return (at.is_complete ? at.phase : at.phase - 1) & 1;
}

int Oracle::signals(const Step& step) const {
  const int home = step.place == Place::global ? kGlobal : shape_.home_of(step);
  return state_.flags[static_cast<std::size_t>(home)][static_cast<std::size_t>(step.object)]
      .signals;
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
    fine = fine && (phase == 0 || has_seen(previous, wait)) &&
           (barrier.made < 0 || before(barrier.made, wait));
    barrier.uses.set(static_cast<std::size_t>(wait));
    target.waits.push_back(wait);
    diverge(step);
    if (step.strength != Strength::relaxed)
      who.knows.join(barrier.completed, has(Rule::fence_is_handed_on));
  });
  return fine;
}

// By one who knows of everything that was done with it, the last initialisation among it.
bool Oracle::renew(const Step& step) {
  Mbarrier& barrier = mbarrier(step);
  bool fine = true;
  each(step, [&](Agent& who, int) {
    const int made = event(who);
    fine =
        fine && all_before(barrier.uses, made) && (barrier.made < 0 || before(barrier.made, made));
    barrier = {};
    barrier.expected = step.count;
    barrier.made = made;
    if (step.variant == kFenced) state_.fenced_inits.set(static_cast<std::size_t>(made));
  });
  return fine;
}

// Some lanes of the warp loop, the others go on: from now on they need not act together.
void Oracle::diverge(const Step& step) {
  if (step.lanes == kAllAgents) return;
  state_.diverged[static_cast<std::size_t>(step.cta)][static_cast<std::size_t>(step.warp)] = true;
}

void Oracle::fence(const Step& step) {
  each(step, [&](Agent& who, int) {
    const int made = event(who);
    if (step.op == Op::proxy_fence) {
      if (step.variant == kGlobalProxy) return;
      proxy_fences_.push_back(made);
      fence_steps_.push_back(step_);
      return;
    }
    who.knows.before |= who.heard;
    make_ready(who.knows.before, step.scope, who.knows.ready);
  });
}

// 8.7: a release is a fence and then a strong write, or a write with .release.
void Oracle::hand_over(const Step& step, Agent& who, bool releases,
                       std::array<std::array<Events, 3>, kCtas>& handed) const {
  std::array<Events, 3> ready = who.knows.ready;
  if (releases) make_ready(who.knows.before, step.scope, ready);
  if (has(Rule::release_is_a_fence)) who.knows.ready = ready;
  auto& there = handed[static_cast<std::size_t>(step.cta)];
  for (std::size_t k = 0; k < ready.size(); ++k) there[k] |= ready[k];
}

// What reaches a step that looks there.
Events Oracle::news_for(const Step& step,
                        const std::array<std::array<Events, 3>, kCtas>& handed) const {
  Events news;
  for (int cta = 0; cta < shape_.ctas; ++cta) {
    const auto& from = handed[static_cast<std::size_t>(cta)];
    news |= from[2];
    if (cta == step.cta || shape_.is_cluster) news |= from[1];
    if (cta == step.cta || (shape_.is_cluster && has(Rule::cta_is_cluster))) news |= from[0];
  }
  return news;
}

bool Oracle::signal(const Step& step) {
  const int home = step.place == Place::global ? kGlobal : shape_.home_of(step);
  Flag& flag = state_.flags[static_cast<std::size_t>(home)][static_cast<std::size_t>(step.object)];
  if (home == kGlobal) tells(step.cta) = true;
  if (flag.is_awaited) return false;
  if (flag.signals > 0 && (flag.is_set || step.variant != 0)) return false;  // counted, or set once
  flag.is_set = step.variant != 0;
  flag.answers = step.variant == 2;
  each(step, [&](Agent& who, int) {
    event(who);
    ++flag.signals;
    hand_over(step, who, step.strength == Strength::ordered, flag.handed);
  });
  return true;
}

bool Oracle::await(const Step& step) {
  const int home = step.place == Place::global ? kGlobal : shape_.home_of(step);
  Flag& flag = state_.flags[static_cast<std::size_t>(home)][static_cast<std::size_t>(step.object)];
  if (flag.signals != step.count || step.count == 0 || flag.is_closed) return false;
  const bool writes = step.variant != 0;  // an atomic: who comes later hears of this thread, too
  const bool one = (step.lanes & (step.lanes - 1)) == 0;
  if (writes && (flag.is_awaited || flag.answers || !one)) return false;
  flag.is_closed = writes;
  flag.is_awaited = true;
  if (home == kGlobal && step.variant != 0) tells(step.cta) = true;
  const Events news = news_for(step, flag.handed);
  const bool acquires =
      has(Rule::reader_needs_none) || (step.variant == 0 && step.strength == Strength::ordered);
  diverge(step);
  each(step, [&](Agent& who, int) {
    event(who);
    (acquires ? who.knows.before : who.heard) |= news;
  });
  return true;
}

Oracle::Lock& Oracle::lock_of(const Step& step) {
  const int home = step.place == Place::global ? kGlobal : shape_.home_of(step);
  return state_.locks[static_cast<std::size_t>(home)][static_cast<std::size_t>(step.object)];
}

std::vector<Step> Oracle::holders() const {
  std::vector<Step> all;
  for (const auto& of_place : state_.locks)
    for (const Lock& lock : of_place)
      if (lock.is_held) all.push_back(lock.holder);
  return all;
}

// It looks, and writes when it finds the lock free; that it looked before says nothing to anybody.
bool Oracle::lock(const Step& step) {
  Lock& lock = lock_of(step);
  if (lock.is_held || lock.turns != step.count) return false;
  lock.is_held = true;
  lock.holder = step;
  if (step.place == Place::global) tells(step.cta) = true;
  const bool acquires = has(Rule::reader_needs_none) || step.strength == Strength::ordered;
  diverge(step);
  each(step, [&](Agent& who, int) {
    event(who);
    (acquires ? who.knows.before : who.heard) |= news_for(step, lock.handed);
    hand_over(step, who, step.variant == kReleasesToo, lock.handed);
  });
  return true;
}

bool Oracle::unlock(const Step& step) {
  Lock& lock = lock_of(step);
  const Step& holder = lock.holder;
  if (!lock.is_held || holder.cta != step.cta || holder.warp != step.warp ||
      holder.lanes != step.lanes || lock.turns != step.count)
    return false;
  lock.is_held = false;
  ++lock.turns;
  if (step.place == Place::global) tells(step.cta) = true;
  each(step, [&](Agent& who, int) {
    event(who);
    const bool answers = step.variant == 1;  // atom
    if (answers && has(Rule::reader_needs_none)) who.knows.before |= news_for(step, lock.handed);
    hand_over(step, who, step.strength == Strength::ordered, lock.handed);
  });
  return true;
}

bool Oracle::cluster_arrive(const Step& step) {
  const unsigned bit = 1u << (step.cta * kWarps + step.warp);
  Cluster& cluster = state_.cluster;
  if (((cluster.arrived | cluster.owing) & bit) != 0) return false;
  cluster.arrived |= bit;
  each(step, [&](Agent& who, int) {
    event(who);
    if (step.strength != Strength::relaxed)
      cluster.handed.join(who.knows, has(Rule::fence_is_handed_on));
    else
      cluster.handed.before |= who.knows.before & state_.fenced_inits;
  });
  if (__builtin_popcount(cluster.arrived) == shape_.ctas * shape_.warps) {
    cluster.arrived = 0;
    cluster.opened = cluster.handed;
    for (int cta = 0; cta < shape_.ctas; ++cta)
      cluster.owing |= ((1u << shape_.warps) - 1) << cta * kWarps;
  }
  return true;
}

// Whoever has arrived waits before it arrives again.
bool Oracle::cluster_wait(const Step& step) {
  const unsigned bit = 1u << (step.cta * kWarps + step.warp);
  Cluster& cluster = state_.cluster;
  if ((cluster.owing & bit) == 0) return false;
  cluster.owing &= ~bit;
  each(step, [&](Agent& who, int) {
    event(who);
    who.knows.join(cluster.opened, has(Rule::fence_is_handed_on));
  });
  return true;
}

// The warps come together; by the letter each reads and waits for itself.
bool Oracle::multiply(const Step& step) {
  Group& group = state_.groups[static_cast<std::size_t>(step.cta)];
  const int groups = static_cast<int>(group.reads.size());
  if (step.op == Op::wgmma_wait) {
    each(step, [&](Agent& who, int) {
      event(who);
      for (int k = 0; k < groups - step.count; ++k) {
        const auto at = static_cast<std::size_t>(k);
        for (int warp = 0; warp < kWarps; ++warp)
          if (warp == step.warp || has(Rule::warp_for_warpgroup))
            who.knows.before.set(
                static_cast<std::size_t>(group.reads[at][static_cast<std::size_t>(warp)]));
        if (has(Rule::warp_for_warpgroup)) who.knows.before |= group.earlier[at];
      }
    });
    return true;
  }
  std::array<Events, kWarps> before;
  Events all, reads;
  Step of_warp = step;
  for (of_warp.warp = 0; of_warp.warp < kWarps; ++of_warp.warp) {
    auto& knows = before[static_cast<std::size_t>(of_warp.warp)];
    each(of_warp, [&](Agent& who, int) {
      event(who);
      knows |= who.knows.before;
      reads |= who.reads;
    });
    all |= knows;
  }
  std::array<int, kWarps> made{};
  std::vector<int> warps;
  for (std::size_t warp = 0; warp < kWarps; ++warp) {
    made[warp] = copy_event(has(Rule::warp_for_warpgroup) ? all : before[warp]);
    warps.push_back(copy_event(before[warp]));
  }
  for (const int tile : {step.variant & 1, step.variant >> 1 & 1}) {
    access(step, step.cta, 128 * tile, 128, false, true, {made.begin(), made.end()});
    accesses_.back().warps = warps;
  }
  group.reads.push_back(made);
  group.earlier.push_back(reads);
  return true;
}

}  // namespace lanescope::emulator::races

// SPDX-License-Identifier: MIT
// What orders the accesses of a program: barriers of threads, warps and clusters, votes, fences and
// wgmma. Mbarriers: order_mbarrier.cpp; flags and locks: order_flag.cpp.
#include "tests/emulator/races/oracle.hpp"

namespace lanescope::emulator::races {

void Oracle::Knowledge::join(const Knowledge& other, bool with_fences) {
  before |= other.before;
  if (!with_fences) return;
  for (std::size_t k = 0; k < ready.size(); ++k) ready[k] |= other.ready[k];
  heard |= other.heard;
  heard_far |= other.heard_far;
}

bool Oracle::all_before(const Events& all, int event) const {
  return (all & ~events_[static_cast<std::size_t>(event)]).none();
}

// Nobody can mistake it for the time before: all had arrived when the first comes again. Who need
// not have seen that comes beside the round before.
bool Oracle::barrier(const Step& step) {
  Barrier& barrier =
      state_.barriers[static_cast<std::size_t>(step.cta)][static_cast<std::size_t>(step.object)];
  Knowledge all;
  Events arrivals;
  Step of_warp = step;
  of_warp.lanes = kAllAgents;
  for (of_warp.warp = 0; of_warp.warp < shape_.warps; ++of_warp.warp) {
    if ((((step.warps | step.arrivers) >> of_warp.warp) & 1) == 0) continue;
    each(of_warp, [&](Agent& who, int) {
      const int arrival = event(who);
      for (int other = 0; other < arrival; ++other)
        if (barrier.arrivals[static_cast<std::size_t>(other)] && !before(other, arrival))
          note_beside(other);
      arrivals.set(static_cast<std::size_t>(arrival));
      all.join(who.knows, has(Rule::fence_is_handed_on));
    });
  }
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
  for (const ProxyFence& fence : proxy_fences_) own.reset(static_cast<std::size_t>(fence.event));
  std::vector<int> votes;
  each(step, [&](Agent& who, int) {
    votes.push_back(event(who));
    if (has(Rule::vote_tells)) who.knows.before |= learnt & ~own;
  });
  if (step.lanes == kAllAgents) votes_.push_back(std::move(votes));
  state_.asked[static_cast<std::size_t>(step.cta)][static_cast<std::size_t>(step.warp)] =
      static_cast<int>(events_.size());
  if (step.lanes == kAllAgents)
    state_.voted[static_cast<std::size_t>(step.cta)][static_cast<std::size_t>(step.warp)] =
        static_cast<int>(events_.size());
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
      proxy_fences_.push_back(
          {made, step_, step.variant != kGlobalProxy, step.variant != kSharedProxy});
      return;
    }
    who.knows.before |= who.knows.heard;
    if (step.scope == Scope::gpu) who.knows.before |= who.knows.heard_far;
    make_ready(who.knows.before, step.scope, who.knows.ready);
  });
}

bool Oracle::cluster_arrive(const Step& step) {
  const unsigned bit = 1u << (step.cta * kWarps + step.warp);
  Cluster& cluster = state_.cluster;
  if (((cluster.arrived | cluster.owing) & bit) != 0) return false;
  cluster.arrived |= bit;
  each(step, [&](Agent& who, int) {
    event(who);
    hand_over(step, who, cluster.handed);
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

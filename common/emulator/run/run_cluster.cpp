// SPDX-License-Identifier: MIT
// Whose turn it is among the warps of a cluster. Barriers: open_barriers.cpp; who waits for whom in
// a deadlock: deadlock.cpp.
//
// Among the warps of a cluster each runs until it waits or has had its turn of instructions. Then
// bulk copies land, barriers open, and it starts again. When nobody can run, those that wait in
// mbarrier.try_wait give up, as they would on a card after a time, and try again; after a number of
// such rounds without a phase completing it is a deadlock. Everything is deterministic.

#include "emulator/check/checker.hpp"
#include "emulator/record/step_recorder.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/deadlock.hpp"
#include "emulator/run/open_barriers.hpp"
#include "emulator/run/polling.hpp"
#include "emulator/run/schedule.hpp"
#include "emulator/run/scheduler.hpp"
#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::uint64_t kMostIdleSweeps = 1'000'000;  // in which everybody only polled mbarriers
constexpr std::uint64_t kShortTurn = 64;              // instructions of a loop that polls
constexpr std::uint64_t kQuietSweeps = 2;             // in which everybody polled memory
constexpr int kMostStalls = 100;                      // rounds in which everybody only waited

// Groups that wait for an event look again when there was one.
void wake_for_events(const Cluster& cluster, Warp& warp) {
  for (Group& group : warp.groups)
    if (group.waiting == Waiting::event && group.seen != cluster.events)
      group.waiting = Waiting::no;
}

// Everybody waits: those in mbarrier.try_wait give up. False when there is nobody like that.
bool time_out(Cluster& cluster) {
  bool any = false;
  for (const auto& cta : cluster.ctas) {
    for (Warp& warp : cta->warps) {
      for (Group& group : warp.groups) {
        if (group.waiting != Waiting::event) continue;
        group.waiting = Waiting::no;
        group.timed_out = true;
        any = true;
      }
    }
  }
  return any;
}

bool release_cluster_barrier(Cluster& cluster) {
  if (cluster.arrived == 0) return false;
  std::int64_t alive = 0;
  for (const auto& cta : cluster.ctas) alive += cta->live_threads;
  if (cluster.arrived < alive) return false;
  cluster.arrived = 0;
  ++cluster.barrier_phase;
  ++cluster.events;
  return true;
}

struct Sweep {
  std::uint64_t turns = 0;  // of warps
  std::uint64_t quiet = 0;  // ... in which they only polled memory
  bool opened = false;      // a barrier of a CTA
  bool ran = false;
  bool alive = false;
  CtaResult last;  // whose turn it was: a fault, or where the budget is used up
};

// Every warp of the cluster has its turn.
Sweep sweep_warps(Cluster& cluster) {
  Sweep sweep;
  for (const auto& cta : cluster.ctas) {
    for (const std::size_t index : warp_order(cluster, cta->warps.size())) {
      Warp& warp = cta->warps[index];
      if (warp.groups.empty()) continue;
      sweep.alive = true;
      wake_for_events(cluster, warp);
      if (!warp.runnable()) continue;
      sweep.ran = true;
      ++sweep.turns;
      const std::uint64_t before = cta->executed;
      const bool fine = run_warp(*cta, warp);
      if (only_polls(warp) && cta->executed - before <= kQuietTurn) ++sweep.quiet;
      sweep.last = {CtaEnd::out_of_budget, warp.index, cta->rank, {}};
      if (fine) continue;
      sweep.last.end = CtaEnd::fault;
      return sweep;
    }
    if (release_barriers(*cta)) sweep.ran = sweep.opened = true;
    if (!is_done(*cta)) continue;
    if (cta->check != nullptr) cta->check->ended(*cta);
    land_groups(*cta);
  }
  return sweep;
}

bool land(Cluster& cluster, StepRecorder* steps) {
  if (steps != nullptr) steps->landing(cluster);
  const bool copies = land_copies(cluster);
  const bool landed = land_tensor_work(cluster) || copies;  // both, whatever the first brought
  if (steps != nullptr) steps->landed(cluster);
  return landed;
}

}  // namespace

void prepare_cluster(Cluster& cluster, const LaunchState& launch, std::uint64_t number) {
  const LaunchRequest& request = *launch.request;
  cluster.shape = request.cluster;
  cluster.number = number;
  cluster.random = first_random(request.seed, number);
  cluster.events = 0;
  cluster.idle = 0;
  cluster.quiet = 0;
  cluster.stalls = 0;
  cluster.landing.clear();
  cluster.answers.clear();
  cluster.arrived = 0;
  cluster.barrier_phase = 0;
  std::uint64_t rest = number;
  std::uint64_t ranks = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    cluster.count[axis] = request.grid[axis] / request.cluster[axis];
    cluster.index[axis] = static_cast<int>(rest % static_cast<unsigned>(cluster.count[axis]));
    rest /= static_cast<unsigned>(cluster.count[axis]);
    ranks *= static_cast<unsigned>(request.cluster[axis]);
  }
  while (cluster.ctas.size() < ranks) cluster.ctas.push_back(std::make_unique<Cta>());
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    Cta& cta = *cluster.ctas[rank];
    const auto x = static_cast<std::uint64_t>(request.cluster[0]);
    const auto y = static_cast<std::uint64_t>(request.cluster[1]);
    const std::uint64_t inner[3] = {rank % x, rank / x % y, rank / x / y};
    std::uint64_t linear = 0;
    for (std::size_t axis = 3; axis-- > 0;)
      linear = linear * static_cast<unsigned>(request.grid[axis]) +
               static_cast<unsigned>(cluster.index[axis] * request.cluster[axis]) + inner[axis];
    cta.executed = 0;
    cta.multiplied = false;
    cta.cluster = &cluster;
    cta.rank = static_cast<int>(rank);
    cta.window = static_cast<std::uint32_t>(rank) << kRankBit;
    cta.check = cluster.check.get();
    prepare_cta(cta, launch, linear);
  }
  if (cluster.check != nullptr) cluster.check->start(cluster);
}

CtaResult describe_polling(const Cluster& cluster) { return deadlock(cluster); }

CtaResult run_cluster(Cluster& cluster, std::uint64_t budget) {
  const std::uint64_t end = budget == 0 ? ~std::uint64_t{0} : cluster.executed() + budget;
  std::uint64_t events = cluster.events;
  while (true) {
    const std::uint64_t executed = cluster.executed();
    const std::uint64_t polls = cluster.polls;
    const Sweep sweep = sweep_warps(cluster);
    if (sweep.last.end == CtaEnd::fault) return sweep.last;
    const bool landed = land(cluster, cluster.ctas[0]->launch->steps);
    const bool opened = release_cluster_barrier(cluster);
    if (!sweep.alive) return {};
    const bool polled = sweep.turns > 0 && cluster.polls - polls >= sweep.turns &&
                        cluster.executed() - executed <= kShortTurn * sweep.turns;
    cluster.idle = polled && !landed && !opened && cluster.events == events ? cluster.idle + 1 : 0;
    if (cluster.idle > kMostIdleSweeps) return deadlock(cluster);
    const bool quiet = sweep.quiet > 0 && sweep.quiet + (cluster.polls - polls) >= sweep.turns &&
                       !sweep.opened && !landed && !opened && cluster.events == events;
    cluster.quiet = quiet ? cluster.quiet + 1 : 0;
    if (cluster.events != events) cluster.stalls = 0;
    events = cluster.events;
    if (cluster.quiet >= kQuietSweeps) return {CtaEnd::polling, 0, 0, {}};
    // Only here: who goes on later does what it would have done without a pause.
    if (cluster.executed() >= end) return sweep.last;
    if (sweep.ran || landed || opened) continue;
    if (++cluster.stalls > kMostStalls || !time_out(cluster)) return deadlock(cluster);
  }
}

}  // namespace lanescope::emulator

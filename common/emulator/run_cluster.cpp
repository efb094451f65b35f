// SPDX-License-Identifier: MIT
// Whose turn it is among the warps of a cluster, barriers, and who waits for whom in a deadlock.
//
// Among the warps of a cluster each runs until it waits or has had its turn of instructions. Then
// bulk copies land, barriers open, and it starts again. When nobody can run, those that wait in
// mbarrier.try_wait give up, as they would on a card after a time, and try again; after a number of
// such rounds without a phase completing it is a deadlock. Everything is deterministic.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/check/checker.hpp"
#include "emulator/cluster.hpp"
#include "emulator/polling.hpp"
#include "emulator/schedule.hpp"
#include "emulator/scheduler.hpp"
#include "emulator/step_recorder.hpp"
#include "emulator/warp_operation.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::uint64_t kMostIdleSweeps = 1'000'000;  // in which everybody only polled mbarriers
constexpr std::uint64_t kShortTurn = 64;              // instructions of a loop that polls
constexpr std::uint64_t kQuietSweeps = 2;             // in which everybody polled memory
constexpr int kMostStalls = 100;                      // rounds in which everybody only waited

// What bar.red gives: a count, or a predicate in all lanes.
void write_reduction(const Group& group, const Instruction& i, const Barrier& barrier) {
  if ((i.detail & (kBarrierCounts | kBarrierAll | kBarrierAny)) == 0) return;
  std::byte* rows = group.frame->rows.get() + i.d;
  if ((i.detail & kBarrierCounts) != 0) {
    for (int lane = 0; lane < kLanes; ++lane)
      if (((group.mask >> lane) & 1) != 0) std::memcpy(rows + 4 * lane, &barrier.sum, 4);
    return;
  }
  const bool answer =
      (i.detail & kBarrierAll) != 0 ? barrier.sum == barrier.voters : barrier.sum != 0;
  std::uint32_t word;
  std::memcpy(&word, rows, 4);
  word = answer ? word | group.mask : word & ~group.mask;
  std::memcpy(rows, &word, 4);
}

void release(Cta& cta, int index) {
  const Instruction* code = cta.launch->program->code.data();
  Barrier& barrier = cta.barriers[static_cast<std::size_t>(index)];
  StepRecorder* steps = cta.launch->steps;
  if (steps != nullptr && steps->sees(cta)) steps->released(cta, index);
  const auto waits = [&](const Group& group) {
    return group.waiting == Waiting::barrier && group.barrier == index;
  };
  for (const Warp& warp : cta.warps) {
    if (cta.check == nullptr) break;
    if (warp.alive == 0 && barrier.expected == 0) cta.check->stand_still(warp, kAllLanes, index);
    for (const Group& group : warp.groups)
      if (waits(group)) cta.check->stand_still(warp, group.mask, index);
  }
  for (Warp& warp : cta.warps) {
    for (Group& group : warp.groups) {
      if (!waits(group)) continue;
      group.waiting = Waiting::no;
      if (cta.check != nullptr) cta.check->pass_barrier(warp, group.mask, index);
      write_reduction(group, code[group.pc - 1], barrier);
      if (steps != nullptr && steps->sees(cta)) steps->reduced(warp, group);
    }
  }
  if (cta.check != nullptr) cta.check->open_barrier(cta, index);
  barrier = {};
}

// Threads that have arrived, with those that whole warps count for beyond their lanes.
std::int64_t arrived(const Cta& cta, const Barrier& barrier) {
  std::int64_t count = barrier.arrived;
  if (barrier.expected == 0) return count;
  for (const Warp& warp : cta.warps) {
    const std::uint32_t lanes = barrier.lanes[static_cast<std::size_t>(warp.index)];
    if (lanes != 0 && (warp.alive & ~lanes) == 0) count += kLanes - __builtin_popcount(lanes);
  }
  return count;
}

// Barriers whose last thread came, or exited.
bool release_barriers(Cta& cta) {
  bool any = false;
  for (int index = 0; index < static_cast<int>(cta.barriers.size()); ++index) {
    const Barrier& barrier = cta.barriers[static_cast<std::size_t>(index)];
    if (barrier.arrived == 0) continue;
    const std::int64_t expected = barrier.expected != 0 ? barrier.expected : cta.live_threads;
    if (barrier.arrived < expected && arrived(cta, barrier) < expected) continue;
    release(cta, index);
    any = true;
  }
  return any;
}

// A group in a loop around test_wait: the mbarrier of the nearest one.
std::string describe_poll(const Cta& cta, const Warp& warp, Group group) {
  const auto& code = cta.launch->program->code;
  const std::uint32_t first = group.pc < kShortTurn ? 0 : group.pc - kShortTurn;
  for (std::uint32_t pc = first; pc < code.size() && pc < group.pc + kShortTurn; ++pc) {
    if (code[pc].handler != &run_mbarrier_wait) continue;
    group.pc = pc;
    return describe_wait(cta, warp, group);
  }
  return fmt::format("warp {} runs", warp.index);
}

std::string describe_barrier(const Cta& cta, const Warp& warp, const Group& group) {
  const Program& program = *cta.launch->program;
  if (group.waiting == Waiting::no && only_polls(warp)) {
    const PtxStatement* poll = program.statement(warp.polled_at);
    return fmt::format("warp {} polls memory at 0x{:x} (PTX line {})", warp.index,
                       warp.polled_where, poll == nullptr ? 0 : poll->line);
  }
  if (group.waiting == Waiting::event) return describe_wait(cta, warp, group);
  if (group.waiting == Waiting::no) return describe_poll(cta, warp, group);
  const bool passed = group.waiting == Waiting::barrier;  // its pc is behind the barrier
  const PtxStatement* at = program.statement(passed && group.pc > 0 ? group.pc - 1 : group.pc);
  const int line = at == nullptr ? 0 : at->line;
  if (group.waiting == Waiting::warpgroup)
    return fmt::format("warp {} waits for the other warps of its warpgroup (PTX line {})",
                       warp.index, line);
  if (!passed) return fmt::format("warp {} waits for its lanes (PTX line {})", warp.index, line);
  const Barrier& barrier = cta.barriers[static_cast<std::size_t>(std::max(0, group.barrier))];
  return fmt::format(
      "warp {} waits at barrier {} (PTX line {}) where {} of {} threads have arrived", warp.index,
      group.barrier, line, arrived(cta, barrier),
      barrier.expected != 0 ? barrier.expected : cta.live_threads);
}

// Neighbours that wait for the same are told together: "warps 0 to 3 wait ...".
struct Waiters {
  int first = 0, last = 0;
  std::string does;  // "waits at barrier 0 ..."
  std::string text() const {
    if (first == last) return fmt::format("warp {} {}", first, does);
    const std::size_t verb = does.find(' ');  // "waits", "polls", "runs"
    return fmt::format("warps {} {} {} {}{}", first, last == first + 1 ? "and" : "to", last,
                       does.substr(0, verb - 1), verb == does.npos ? "" : does.substr(verb));
  }
};

std::string who_waits(const Cta& cta) {
  std::vector<Waiters> all;
  for (const Warp& warp : cta.warps) {
    for (const Group& group : warp.groups) {
      std::string does = describe_barrier(cta, warp, group);
      does = does.substr(fmt::format("warp {} ", warp.index).size());
      if (!all.empty() && all.back().does == does && all.back().last + 1 == warp.index)
        all.back().last = warp.index;
      else
        all.push_back({warp.index, warp.index, std::move(does)});
    }
  }
  constexpr std::size_t kTold = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(all.size(), kTold); ++k)
    text += (k == 0 ? "" : ", ") + all[k].text();
  if (all.size() > kTold) text += fmt::format(", and {} more", all.size() - kTold);
  return text;
}

bool is_done(const Cta& cta) {
  for (const Warp& warp : cta.warps)
    if (!warp.groups.empty()) return false;
  return true;
}

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
  CtaResult result;
};

// Every warp of the cluster has its turn.
Sweep sweep_warps(Cluster& cluster, std::uint64_t end) {
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
      if (!fine)
        sweep.result = {CtaEnd::fault, warp.index, cta->rank, {}};
      else if (cluster.executed() >= end)
        sweep.result = {CtaEnd::out_of_budget, warp.index, cta->rank, {}};
      if (sweep.result.end != CtaEnd::done) return sweep;
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
  const bool landed = land_copies(cluster);
  if (steps != nullptr) steps->landed(cluster);
  return landed;
}

CtaResult deadlock(const Cluster& cluster) {
  for (const auto& cta : cluster.ctas) {
    if (is_done(*cta)) continue;
    CtaResult result{CtaEnd::deadlock, 0, cta->rank, who_waits(*cta)};
    if (result.reason.find("mbarrier") != std::string::npos)
      result.advice =
          "compare the count given to mbarrier.init with who arrives, the bytes of expect_tx with "
          "those that are copied, and the parity with the phase";
    return result;
  }
  return {};
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
  cluster.landing.clear();
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
  int stalls = 0;
  while (true) {
    const std::uint64_t executed = cluster.executed();
    const std::uint64_t polls = cluster.polls;
    const Sweep sweep = sweep_warps(cluster, end);
    if (sweep.result.end != CtaEnd::done) return sweep.result;
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
    if (cluster.events != events) stalls = 0;
    events = cluster.events;
    if (cluster.quiet >= kQuietSweeps) return {CtaEnd::polling, 0, 0, {}};
    if (sweep.ran || landed || opened) continue;
    if (++stalls > kMostStalls || !time_out(cluster)) return deadlock(cluster);
  }
}

}  // namespace lanescope::emulator

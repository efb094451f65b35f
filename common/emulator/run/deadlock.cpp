// SPDX-License-Identifier: MIT
// See deadlock.hpp.
#include "emulator/run/deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "emulator/execute/handlers.hpp"
#include "emulator/run/open_barriers.hpp"
#include "emulator/run/polling.hpp"
#include "emulator/run/registers.hpp"

namespace lanescope::emulator {
namespace {

// What is outstanding of a phase besides arrivals.
std::string bytes_missed(std::int64_t bytes) {
  return bytes < 0 ? fmt::format(", and {} bytes more have come than were announced", -bytes)
                   : fmt::format(" and {} bytes", bytes);
}

constexpr std::uint32_t kNear = 64;  // instructions of a loop that polls

/// Local memory, which no other lane can write.
bool is_of_a_lane(std::uint64_t address) { return address - kLocalWindow < kWindowBytes; }

// What waits for an event: at an mbarrier, at barrier.cluster, for registers, for tensor memory.
std::string describe_wait(const Cta& cta, const Warp& warp, const Group& group) {
  const Program& program = *cta.launch->program;
  const Instruction& i = program.code[group.pc];
  const PtxStatement* at = program.statement(group.pc);
  const int line = at == nullptr ? 0 : at->line;
  if (i.handler == &run_set_registers) return describe_registers(cta, warp, group);
  if (i.handler == &run_tensor_alloc || i.handler == &run_tensor_dealloc ||
      i.handler == &run_tensor_relinquish)
    return describe_columns(cta, warp, i, line);
  if (i.handler != &run_mbarrier_wait)
    return fmt::format(
        "warp {} waits at barrier.cluster (PTX line {}), where {} threads have arrived", warp.index,
        line, cta.cluster->arrived);
  Warp looking;  // a warp of our own: nothing of the real one changes
  looking.cta = const_cast<Cta*>(&cta);
  looking.rows = group.frame->rows.get();
  const int lane = __builtin_ctz(group.mask);
  SharedPlace place;
  const MemoryBarrier* barrier =
      find_mbarrier(looking, i, lane, place) ? barrier_at(*place.cta, place.offset) : nullptr;
  if (barrier == nullptr) return fmt::format("warp {} waits at PTX line {}", warp.index, line);
  const bool by_parity = (i.detail & kMbarrierParity) != 0;
  return fmt::format(
      "warp {} waits {}at the mbarrier at shared address 0x{:x} (PTX line {}), whose phase {} "
      "(parity {}) misses {} of {} arrivals{}",
      warp.index,
      by_parity ? fmt::format("for parity {} ", row<std::uint32_t>(looking, i.c)[lane] & 1) : "",
      place.offset, line, barrier->phase, barrier->phase & 1, barrier->pending, barrier->expected,
      bytes_missed(barrier->transactions));
}

// A group in a loop around test_wait: the mbarrier of the nearest one.
std::string describe_poll(const Cta& cta, const Warp& warp, Group group) {
  const auto& code = cta.launch->program->code;
  const std::uint32_t first = group.pc < kNear ? 0 : group.pc - kNear;
  for (std::uint32_t pc = first; pc < code.size() && pc < group.pc + kNear; ++pc) {
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
    if (is_of_a_lane(warp.polled_where))
      return fmt::format("warp {} reads its own variable again and again (PTX line {})", warp.index,
                         poll == nullptr ? 0 : poll->line);
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

}  // namespace

bool is_done(const Cta& cta) {
  for (const Warp& warp : cta.warps)
    if (!warp.groups.empty()) return false;
  return true;
}

bool loops_alone(const Cluster& cluster) {
  for (const auto& cta : cluster.ctas)
    for (const Warp& warp : cta->warps)
      if (!warp.groups.empty() && only_polls(warp) && is_of_a_lane(warp.polled_where)) return true;
  return false;
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

}  // namespace lanescope::emulator

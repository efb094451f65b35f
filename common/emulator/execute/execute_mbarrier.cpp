// SPDX-License-Identifier: MIT
// mbarrier: arrivals and bytes that a phase waits for.
//
//     phase n:  pending arrivals 2 -> 1 -> 0  and  bytes announced - landed = 0  =>  phase n+1
//
// A state (what arrive returns) is  phase << 20 | pending arrivals before this one.
// try_wait sleeps until something happens in the cluster; that it wakes for no reason, as on a card
// after a time, happens only when everybody else waits, too.
//
// Source: PTX ISA 9.2, 9.7.13.15.
#include <fmt/format.h>

#include <cstring>

#include "emulator/check/checker.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {
namespace {

constexpr int kCountBits = 20;
constexpr std::int64_t kMostCount = (std::int64_t{1} << kCountBits) - 1;

// As an H200 has it (docs/experiments/cluster_barriers.md): bytes are announced and completed in
// the whole cluster, also by .shared::cta; who is to have an answer, or changes what lies there,
// asks for its own CTA's, also by a generic address; arrivals go as far as their space says.
Reach reach_of(const Instruction& i) {
  if (i.handler != &run_mbarrier_arrive) return Reach::own;
  if ((i.detail & kMbarrierArrives) == 0) return Reach::cluster;
  return i.d != kNoRow ? Reach::own : Reach::as_named;
}

std::string name_of(const SharedPlace& place) {
  return fmt::format("the mbarrier at shared address 0x{:x}", place.offset);
}

bool misuse(Warp& w, int lane, std::string what, const char* hint) {
  fail(w, ErrorCode::illegal_instruction, "mbarrier", lane, std::move(what), hint);
  return false;
}

bool announce(Warp& w, int lane, MemoryBarrier& barrier, const SharedPlace& place,
              std::int64_t bytes) {
  barrier.transactions += bytes;
  if (barrier.transactions <= kMostCount && barrier.transactions >= -kMostCount) return true;
  return misuse(w, lane,
                fmt::format("{} has a transaction count of {}, beyond 2^20-1", name_of(place),
                            barrier.transactions),
                "expect_tx and complete_tx count bytes; split the copy over phases");
}

bool arrive(Warp& w, int lane, MemoryBarrier& barrier, const SharedPlace& place, std::int64_t count,
            std::uint16_t detail) {
  if (count < 1 || count > barrier.pending)
    return misuse(w, lane,
                  fmt::format("{} more at {}, whose phase waits for {} of {} arrivals",
                              count == 1 ? "one arrival" : fmt::format("{} arrivals", count),
                              name_of(place), barrier.pending, barrier.expected),
                  "compare the count given to mbarrier.init with who arrives in one phase");
  barrier.pending -= count;
  if ((detail & kMbarrierDrops) != 0) barrier.expected -= count;
  if ((detail & kMbarrierStays) != 0 && barrier.pending == 0 && barrier.transactions == 0)
    return misuse(w, lane, fmt::format("arrive.noComplete completes a phase of {}", name_of(place)),
                  "use mbarrier.arrive for the last arrival");
  return true;
}

// What a lane asks when it waits: of the mbarrier at this address whether this phase has completed.
struct Question {
  std::uint64_t address, phase;  // a parity, or a state
  friend bool operator==(const Question&, const Question&) = default;
};

Question question_of(const Warp& w, const Instruction& i, int lane) {
  const bool by_parity = (i.detail & kMbarrierParity) != 0;
  return {address_of(w, {i.a, i.immediate, i.wide_address}, lane),
          by_parity ? row<std::uint32_t>(w, i.c)[lane] & 1 : row<std::uint64_t>(w, i.c)[lane]};
}

bool completed(const Instruction& i, const Question& asked, const MemoryBarrier& barrier) {
  if ((i.detail & kMbarrierParity) != 0) return (barrier.phase & 1) != asked.phase;
  return barrier.phase > asked.phase >> kCountBits;
}

}  // namespace

bool find_mbarrier(Warp& w, const Instruction& i, int lane, SharedPlace& place) {
  return find_shared(w, lane, i.space, address_of(w, {i.a, i.immediate, i.wide_address}, lane), 8,
                     8, place, reach_of(i));
}

MemoryBarrier* find_barrier(Warp& w, int lane, const SharedPlace& place) {
  if (MemoryBarrier* found = barrier_at(*place.cta, place.offset)) return found;
  const bool remote = place.cta != w.cta;
  misuse(w, lane,
         fmt::format("there is no mbarrier at shared address 0x{:x}{}", place.offset,
                     remote ? fmt::format(" of CTA rank {}", place.cta->rank) : ""),
         remote ? "initialise it there, too, and first (fence.mbarrier_init, barrier.cluster); a "
                  "multicast copy signals the mbarrier of every CTA that it writes to"
                : "initialise it, and let every thread see that before it is used (bar.sync, or "
                  "fence.mbarrier_init and barrier.cluster)");
  return nullptr;
}

namespace {

// The mbarrier at a lane's address, and where that is; nullptr when the lane has failed.
MemoryBarrier* find_barrier_of(Warp& w, const Instruction& i, int lane, SharedPlace& place) {
  return find_mbarrier(w, i, lane, place) ? find_barrier(w, lane, place) : nullptr;
}

}  // namespace

void settle_barrier(Cluster& cluster, MemoryBarrier& barrier) {
  if (barrier.pending != 0 || barrier.transactions != 0) return;
  ++barrier.phase;
  barrier.is_awaited = false;
  barrier.pending = barrier.expected;
  ++cluster.events;
}

Flow run_mbarrier_init(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    SharedPlace place;
    if (!find_mbarrier(w, i, lane, place)) return Flow::fault;
    const std::int64_t count = row<std::uint32_t>(w, i.b)[lane];
    if (count < 1 || count > kMostCount)
      return misuse(w, lane, fmt::format("mbarrier.init with a count of {}", count),
                    "1 to 2^20-1 arrivals end a phase"),
             Flow::fault;
    place.cta->async->barriers[place.offset] = {count, count, 0, 0, false, w.pc};
    place.cta->async->invalidated.erase(place.offset);
    std::memcpy(place.host(), &kMbarrierMark, 8);
  }
  return Flow::next;
}

Flow run_mbarrier_invalidate(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    SharedPlace place;
    const MemoryBarrier* barrier = find_barrier_of(w, i, lane, place);
    if (barrier == nullptr) return Flow::fault;
    place.cta->async->invalidated[place.offset] = *barrier;
    place.cta->async->barriers.erase(place.offset);
    std::memset(place.host(), kPoison, 8);
  }
  return Flow::next;
}

// arrive, arrive_drop, arrive.expect_tx, expect_tx, complete_tx: d the state, b a count of arrivals
// or bytes.
Flow run_mbarrier_arrive(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    SharedPlace place;
    MemoryBarrier* barrier = find_barrier_of(w, i, lane, place);
    if (barrier == nullptr) return Flow::fault;
    const std::int64_t given = i.b == kNoRow ? 1 : row<std::uint32_t>(w, i.b)[lane];
    const std::uint64_t state =
        barrier->phase << kCountBits | static_cast<std::uint64_t>(barrier->pending);
    const bool counts_bytes = (i.detail & (kMbarrierExpects | kMbarrierCompletes)) != 0;
    const std::int64_t bytes = (i.detail & kMbarrierCompletes) != 0 ? -given : given;
    if (counts_bytes && !announce(w, lane, *barrier, place, bytes)) return Flow::fault;
    if ((i.detail & kMbarrierArrives) != 0 &&
        !arrive(w, lane, *barrier, place, counts_bytes ? 1 : given, i.detail))
      return Flow::fault;
    settle_barrier(*w.cta->cluster, *barrier);
    if (i.d != kNoRow) row<std::uint64_t>(w, i.d)[lane] = state;
  }
  return Flow::next;
}

namespace {

// The mbarrier that a lane waits at. Who slept there when its phase completed has seen that, as on
// a card, even where another thread invalidates the mbarrier before the sleeper has its turn.
MemoryBarrier* find_awaited(Warp& w, const Instruction& i, int lane, const Question& asked) {
  SharedPlace place;
  if (!find_mbarrier(w, i, lane, place)) return nullptr;
  CtaAsync& async = *place.cta->async;
  const auto gone = async.invalidated.find(place.offset);
  if (gone != async.invalidated.end() && completed(i, asked, gone->second)) return &gone->second;
  return find_barrier(w, lane, place);
}

}  // namespace

// test_wait and try_wait: d a predicate, c the state or the parity.
Flow run_mbarrier_wait(Warp& w, const Instruction& i, std::uint32_t active) {
  std::uint32_t yes = 0;
  Question before{};  // most often all lanes ask the same
  bool done = false;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const Question asked = question_of(w, i, lane);
    if (rest == active || !(asked == before)) {
      MemoryBarrier* barrier = find_awaited(w, i, lane, asked);
      if (barrier == nullptr) return Flow::fault;
      done = completed(i, asked, *barrier);
      if (!done) barrier->is_awaited = true;
      before = asked;
    }
    if (done) yes |= 1u << lane;
  }
  if (yes == 0 && (i.detail & kMbarrierTries) != 0 && !w.timed_out) return Flow::retry;
  if (yes == 0 && (i.detail & kMbarrierTries) == 0) ++w.cta->cluster->polls;
  std::uint32_t& answer = predicate(w, i.d);
  answer = (answer & ~active) | yes;
  return yes == active ? Flow::next : Flow::yield;
}

Flow run_mbarrier_pending_count(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    row<std::uint32_t>(w, i.d)[lane] =
        static_cast<std::uint32_t>(row<std::uint64_t>(w, i.a)[lane] & kMostCount);
  }
  return Flow::next;
}

// cp.async.mbarrier.arrive: arrives when the lane's cp.async issued so far have landed. Without
// .noinc the phase waits for one arrival more, so that its count need not know of it.
Flow run_async_arrive(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    SharedPlace place;
    MemoryBarrier* barrier = find_barrier_of(w, i, lane, place);
    if (barrier == nullptr) return Flow::fault;
    if (i.detail == 0) ++barrier->pending;
    BulkCopy copy;
    copy.kind = BulkCopy::Kind::arrive_after_copies;
    copy.issuer = w.cta;
    copy.targets = 1u << place.cta->rank;
    copy.barrier = place.offset;
    copy.warp = w.index;
    copy.lane = lane;
    copy.issue = w.issued;
    if (w.cta->check != nullptr)
      copy.time = w.cta->check->mbarriers().arrival_issued(w, lane, *place.cta, place.offset);
    w.cta->cluster->landing.push_back(copy);
  }
  return Flow::next;
}

// The end of st.async and red.async: the mbarrier at this place in the CTA that the bytes went to
// hears of them, whatever CTA its address names.
Flow run_async_signal(Warp& w, const Instruction& i, std::uint32_t active) {
  const RowAddress& destination = w.cta->launch->program->bulks[i.target].destination;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint64_t barrier = address_of(w, {i.a, i.immediate, i.wide_address}, lane);
    const std::uint64_t cta = address_of(w, destination, lane) & ~std::uint64_t{kOffsetMask};
    SharedPlace place;
    if (!find_shared(w, lane, Space::shared, cta | (barrier & kOffsetMask), 8, 8, place))
      return Flow::fault;
    if (w.cta->check != nullptr) w.cta->check->mbarriers().named(w, lane, barrier, *place.cta);
    MemoryBarrier* found = find_barrier(w, lane, place);
    if (found == nullptr ||
        !announce(w, lane, *found, place, -std::int64_t{row<std::uint32_t>(w, i.b)[lane]}))
      return Flow::fault;
    settle_barrier(*w.cta->cluster, *found);
  }
  return Flow::next;
}

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
// Addresses of other CTAs' shared memory, and the barrier of a cluster.
#include "emulator/run/cluster.hpp"

#include <fmt/format.h>

#include "emulator/execute/handlers.hpp"
#include "emulator/record/step_recorder.hpp"

namespace lanescope::emulator {
namespace {

// The CTA and the offset of a 32-bit shared address; nullptr when there is no such CTA.
Cta* owner(const Warp& warp, std::uint64_t address, std::uint32_t& offset) {
  if (address >> 32 != 0) return nullptr;
  offset = static_cast<std::uint32_t>(address) & kOffsetMask;
  const auto tag = static_cast<std::size_t>(address >> kRankBit);
  const auto& ctas = warp.cta->cluster->ctas;
  return tag < ctas.size() ? ctas[tag].get() : nullptr;
}

// PTX's .shared is .shared::cta: such an instruction reaches its own CTA only.
bool names_cluster(const Warp& warp) {
  const PtxStatement* at = warp.cta->launch->program->statement(warp.pc);
  return at == nullptr || has(*at, "shared::cluster");
}

bool refuse_remote(Warp& warp, int lane, std::uint64_t address, std::uint64_t bytes, Reach reach) {
  fail(warp, ErrorCode::illegal_instruction, "out-of-bounds", lane,
       fmt::format("access of {} bytes at {} by an instruction that reaches its own CTA's only",
                   bytes, shown_address(warp, Space::shared, address)),
       reach == Reach::own
           ? "of another CTA's mbarrier there are arrive, without a state, expect_tx "
             "and complete_tx"
           : "write .shared::cluster, or use a generic address");
  return false;
}

bool fits(const Cta& cta, std::uint64_t offset, std::uint64_t bytes) {
  const auto limit = static_cast<std::uint64_t>(cta.launch->shared_bytes);
  return offset <= limit && bytes <= limit - offset;
}

// The place of `bytes` bytes at a 32-bit shared address, named by an instruction of `space`; false,
// with the fault recorded, where they are nobody's or not to be reached by it.
bool locate(Warp& warp, int lane, Space space, std::uint64_t address, std::uint64_t bytes,
            SharedPlace& place, Reach reach = Reach::as_named) {
  place.cta = owner(warp, address, place.offset);
  if (place.cta == nullptr || !fits(*place.cta, place.offset, bytes))
    return refuse_access(warp, lane, Space::shared, address, static_cast<int>(bytes));
  const bool is_own_only = reach == Reach::own || (reach == Reach::as_named &&
                                                   space == Space::shared && !names_cluster(warp));
  return place.cta == warp.cta || !is_own_only || refuse_remote(warp, lane, address, bytes, reach);
}

}  // namespace

std::uint64_t Cluster::executed() const {
  std::uint64_t sum = 0;
  for (const auto& cta : ctas) sum += cta->executed;
  return sum;
}

std::uint64_t address_of(const Warp& warp, const RowAddress& address, int lane) {
  const auto displacement = static_cast<std::uint64_t>(address.displacement);
  if (address.wide) return row<std::uint64_t>(warp, address.row)[lane] + displacement;
  return static_cast<std::uint32_t>(row<std::uint32_t>(warp, address.row)[lane] + displacement);
}

bool find_shared(Warp& warp, int lane, Space space, std::uint64_t address, std::uint64_t bytes,
                 std::uint32_t alignment, SharedPlace& place, Reach reach) {
  std::uint64_t inner = address;
  if (space == Space::generic) {
    inner = address - kSharedWindow;
    if (inner >= kWindowBytes) {
      fail(warp, ErrorCode::illegal_address, "out-of-bounds", lane,
           fmt::format("the generic address 0x{:x} is not in shared memory", address),
           "pass the address of a __shared__ variable");
      return false;
    }
  }
  if (!locate(warp, lane, space, inner, bytes, place, reach)) return false;
  if (place.offset % alignment == 0) return true;
  fail(warp, ErrorCode::misaligned_address, "misaligned-address", lane,
       fmt::format("the {} is not a multiple of {}", shown_address(warp, Space::shared, inner),
                   alignment),
       fmt::format("declare it alignas({})", alignment));
  return false;
}

std::uint64_t remote_shared(Warp& warp, int lane, Space space, std::uint64_t address,
                            std::uint64_t bytes, bool writes) {
  SharedPlace place;
  if (!locate(warp, lane, space, address, bytes, place)) return 0;
  StepRecorder* steps = warp.cta->launch->steps;
  if (writes && steps != nullptr && place.cta != warp.cta && steps->sees(*place.cta))
    steps->written_from_outside(*place.cta, place.offset, bytes);
  return reinterpret_cast<std::uint64_t>(place.host());
}

// mapa: the same place in the shared memory of the CTA of rank b.
Flow run_map_address(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* ranks = row<std::uint32_t>(w, i.b);
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    // A rank that nobody has is found out by who uses the address, as on an H200.
    const std::uint64_t tag = std::uint64_t{ranks[lane] & 0xff} << kRankBit;
    if (i.bytes == 4) {
      const std::uint32_t from = row<std::uint32_t>(w, i.a)[lane];
      row<std::uint32_t>(w, i.d)[lane] = static_cast<std::uint32_t>(tag) | (from & kOffsetMask);
    } else {
      const std::uint64_t from = row<std::uint64_t>(w, i.a)[lane];
      row<std::uint64_t>(w, i.d)[lane] = (from & ~(kWindowBytes - 1)) | tag | (from & kOffsetMask);
    }
  }
  return Flow::next;
}

// getctarank: in whose shared memory an address lies.
Flow run_cta_rank(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint64_t from =
        i.bytes == 4 ? row<std::uint32_t>(w, i.a)[lane] : row<std::uint64_t>(w, i.a)[lane];
    row<std::uint32_t>(w, i.d)[lane] =
        static_cast<std::uint32_t>((from & (kWindowBytes - 1)) >> kRankBit);
  }
  return Flow::next;
}

// barrier.cluster.arrive: counted; the scheduler completes the phase when every thread of the
// cluster that is still alive has arrived.
Flow run_cluster_arrive(Warp& w, const Instruction& i, std::uint32_t active) {
  w.required = w.alive;
  if (i.detail != 0 && (w.alive & ~active) != 0) return Flow::converge;
  Cluster& cluster = *w.cta->cluster;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const auto thread = static_cast<std::size_t>(w.index * kLanes + __builtin_ctz(rest));
    w.cta->async->cluster_phase[thread] = cluster.barrier_phase + 1;
  }
  cluster.arrived += __builtin_popcount(active);
  return Flow::next;
}

// A phase waits for the threads that have not exited: those that arrived and left count neither
// among who is awaited nor among who has come.
void leave_cluster_barrier(Warp& w, std::uint32_t gone) {
  Cluster& cluster = *w.cta->cluster;
  if (cluster.arrived == 0) return;
  for (std::uint32_t rest = gone; rest != 0; rest &= rest - 1) {
    const auto thread = static_cast<std::size_t>(w.index * kLanes + __builtin_ctz(rest));
    if (w.cta->async->cluster_phase[thread] == cluster.barrier_phase + 1) --cluster.arrived;
  }
}

Flow run_cluster_wait(Warp& w, const Instruction& i, std::uint32_t active) {
  w.required = w.alive;
  if (i.detail != 0 && (w.alive & ~active) != 0) return Flow::converge;
  const Cluster& cluster = *w.cta->cluster;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const auto thread = static_cast<std::size_t>(w.index * kLanes + lane);
    const std::uint64_t wanted = w.cta->async->cluster_phase[thread];
    if (wanted == 0)
      return fail(w, ErrorCode::illegal_instruction, "barrier.cluster", lane,
                  "barrier.cluster.wait without barrier.cluster.arrive before it",
                  "every thread arrives once and then waits once");
    if (cluster.barrier_phase < wanted) return Flow::retry;
  }
  return Flow::next;
}

Flow run_aligned_nothing(Warp& w, const Instruction&, std::uint32_t active) {
  w.required = w.alive;
  return (w.alive & ~active) != 0 ? Flow::converge : Flow::next;
}

}  // namespace lanescope::emulator

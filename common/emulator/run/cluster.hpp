// SPDX-License-Identifier: MIT
// A cluster of CTAs that run side by side and see each other's shared memory, and what is under way
// in it: mbarriers, bulk copies that have not landed, warpgroups that gather for a wgmma.
//
//     32-bit shared address   rank | offset     in the CTA `rank` of the cluster, in the own one
//     too
//                             31 24  23    0
//
// A launch without clusters runs clusters of one CTA.
// Source: PTX ISA 9.2, 5.1.7 (shared state space), 9.7.13.15 (mbarrier), 9.7.15 (wgmma).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/decode/bulk.hpp"
#include "emulator/execute/tensor_box.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

inline constexpr int kRankBit = 24;
inline constexpr std::uint32_t kOffsetMask = (1u << kRankBit) - 1;

/// One mbarrier object. The 8 bytes in shared memory only mark its place.
struct MemoryBarrier {
  std::int64_t expected = 0;      // arrivals of a phase
  std::int64_t pending = 0;       // ... that have not come
  std::int64_t transactions = 0;  // bytes announced and not arrived, or arrived too early: negative
  std::uint64_t phase = 0;        // phases completed
  bool is_awaited = false;        // somebody has looked for a phase that had not completed
  std::uint32_t pc = 0;           // of its mbarrier.init
};
/// What the 8 bytes of an mbarrier hold; not the card's.
inline constexpr std::uint64_t kMbarrierMark = 0x6d62617272696572;

/// A copy that was issued and has not landed.
struct BulkCopy {
  enum class Kind : std::uint8_t { bulk, tensor, arrive_after_copies };
  Kind kind = Kind::bulk;
  BulkPlan::Way way = BulkPlan::Way::to_shared;
  Cta* issuer = nullptr;
  std::uint64_t global = 0;
  std::uint32_t shared = 0;  // offset: in every target, or in the issuer when it is the source
  std::uint32_t remote_source = 0;  // shared_to_shared: offset in the issuer
  std::uint32_t targets = 0;        // ranks
  std::uint32_t bytes = 0;
  std::uint32_t byte_mask = 0xffff;  // of each 16 bytes, those that are copied
  std::int64_t barrier = -1;         // offset of the mbarrier in every target
  int parity = -1;  // .cta_group::2: which CTA of the target's pair has it, 0 or 1; -1: the target
  TensorMap map;
  TensorPlace place;
  bool reduces = false;
  AtomicOperation operation = AtomicOperation::add;
  Type type = Type::none;
  // arrive_after_copies
  int warp = 0;
  int lane = 0;
  std::uint32_t issue = 0;
  // bulk groups
  std::uint32_t thread = 0;
  std::uint32_t group = 0;
  // for the checker: which instruction, and when
  std::uint32_t pc = 0;
  std::uint32_t time = 0;
};

/// Accumulators that wgmma has computed and no wait has handed over yet, of all four warps.
struct Accumulators {
  std::vector<std::uint32_t> rows;  // of the frame, register after register
  const WarpgroupOperand* operand = nullptr;
  std::byte* base[4] = {};               // of the warps' frames
  std::vector<std::uint32_t> registers;  // [warp][register][lane]
  std::uint32_t waiting = 0;             // warps that have not got theirs
  std::uint32_t pc = 0;                  // of the last wgmma that added to them
  std::uint32_t group[4] = {};           // commits of each warp when it was issued
};

struct Warpgroup {
  std::uint32_t here = 0;  // warps at their next wgmma
  std::uint32_t done = 0;  // warps whose part was computed by the last to come
  std::uint32_t pc[4] = {};
  std::byte* rows[4] = {};
  std::uint32_t commits[4] = {};
  std::vector<Accumulators> pending;
};

struct CtaAsync {
  std::unordered_map<std::uint32_t, MemoryBarrier> barriers;  // by offset
  // As they were, for who waited at them and has not had its turn since.
  std::unordered_map<std::uint32_t, MemoryBarrier> invalidated;
  std::vector<BulkCopy> groups;                              // of .bulk_group, in order of issue
  std::unordered_map<std::uint32_t, std::uint32_t> commits;  // by thread
  std::vector<Warpgroup> warpgroups;
  std::vector<int> registers;                // by warp: of a thread, with setmaxnreg
  std::int64_t free_registers = 0;           // that setmaxnreg.dec has given up
  std::vector<std::uint64_t> cluster_phase;  // by thread: of barrier.cluster, when it arrived
  std::optional<std::uint32_t>
      atomic_elsewhere;  // pc: of one in another CTA's memory that a card makes otherwise
};

/// What clusterlaunchcontrol.try_cancel brings (execute_sm100.cpp).
using ClusterAnswer = std::array<std::uint64_t, 2>;

struct Cluster {
  std::vector<std::unique_ptr<Cta>> ctas;  // by rank
  std::array<int, 3> shape{1, 1, 1};
  std::array<int, 3> index{0, 0, 0};  // %clusterid
  std::array<int, 3> count{1, 1, 1};  // %nclusterid
  std::uint64_t number = 0;
  std::uint64_t events = 0;  // phases completed, and what else a waiting thread waits for
  std::uint64_t polls = 0;   // test_wait that found its phase incomplete
  std::uint64_t idle = 0;    // sweeps in which nothing but that happened
  std::uint64_t quiet = 0;   // ... in which everybody polled memory, in a row
  int stalls = 0;            // rounds in which everybody only waited, since the last event
  std::deque<BulkCopy> landing;
  std::deque<ClusterAnswer> answers;  // that are copied from here
  std::shared_ptr<Checker> check;     // where the launch is checked
  std::uint64_t random = 0;           // of the order of warps; 0: the usual one
  std::int64_t arrived = 0;           // threads at barrier.cluster
  std::uint64_t barrier_phase = 0;    // times it has completed
  std::uint64_t executed() const;
};

/// A place in some CTA's shared memory.
struct SharedPlace {
  Cta* cta = nullptr;
  std::uint32_t offset = 0;
  std::byte* host() const { return cta->shared.get() + offset; }
};

/// Whose shared memory an instruction reaches: what its space says (.shared is .shared::cta), or
/// its own CTA's, or the whole cluster's, whatever that says.
enum class Reach : std::uint8_t { as_named, own, cluster };

/// The place of a shared or generic address; records the fault and returns false where there is
/// none for `bytes` bytes, or not at a multiple of `alignment`.
bool find_shared(Warp& warp, int lane, Space space, std::uint64_t address, std::uint64_t bytes,
                 std::uint32_t alignment, SharedPlace& place, Reach reach = Reach::as_named);

/// Host address of another CTA's shared memory, or 0 with the fault recorded; for the slow path of
/// loads and stores. `space`: what the instruction names, .shared or the generic one.
std::uint64_t remote_shared(Warp& warp, int lane, Space space, std::uint64_t address,
                            std::uint64_t bytes, bool writes);

std::uint64_t address_of(const Warp& warp, const RowAddress& address, int lane);

/// The place that a lane's mbarrier instruction names; false with the fault recorded.
bool find_mbarrier(Warp& warp, const Instruction& instruction, int lane, SharedPlace& place);
/// The mbarrier at a place, or nullptr with the fault recorded.
MemoryBarrier* find_barrier(Warp& warp, int lane, const SharedPlace& place);
/// The mbarrier at `offset` of the CTA's shared memory; null where there is none.
inline MemoryBarrier* barrier_at(const Cta& cta, std::uint32_t offset) {
  const auto found = cta.async->barriers.find(offset);
  return found == cta.async->barriers.end() ? nullptr : &found->second;
}
/// Starts the next phase when nothing is missing any more.
void settle_barrier(Cluster& cluster, MemoryBarrier& barrier);

/// Whose mbarrier hears of the bytes that come to `target`.
inline Cta& told_of(const BulkCopy& copy, Cta& target) {
  if (copy.parity < 0) return target;
  return *target.cluster->ctas[static_cast<std::size_t>((target.rank & ~1) | copy.parity)];
}

/// Lanes of the warp exit: where they have arrived at barrier.cluster, it forgets them.
void leave_cluster_barrier(Warp& warp, std::uint32_t gone);

/// Lands what was issued; true when there was something.
bool land_copies(Cluster& cluster);
void land_copy(const BulkCopy& copy);
/// What no wait landed, when the CTA ends.
void land_groups(Cta& cta);
/// cp.async of one lane, issued before `issue`.
void land_lane(Warp& warp, int lane, std::uint32_t issue);

/// Of a warp that waits at tcgen05.alloc, or for a warp of the peer CTA.
std::string describe_columns(const Cta& cta, const Warp& warp, const Instruction& i, int line);

Flow run_mbarrier_init(Warp&, const Instruction&, std::uint32_t);
Flow run_mbarrier_invalidate(Warp&, const Instruction&, std::uint32_t);
Flow run_mbarrier_arrive(Warp&, const Instruction&, std::uint32_t);
Flow run_mbarrier_wait(Warp&, const Instruction&, std::uint32_t);
Flow run_mbarrier_pending_count(Warp&, const Instruction&, std::uint32_t);
Flow run_async_arrive(Warp&, const Instruction&, std::uint32_t);
Flow run_async_signal(Warp&, const Instruction&, std::uint32_t);
Flow run_bulk_copy(Warp&, const Instruction&, std::uint32_t);
Flow run_bulk_commit(Warp&, const Instruction&, std::uint32_t);
Flow run_bulk_wait(Warp&, const Instruction&, std::uint32_t);
Flow run_map_address(Warp&, const Instruction&, std::uint32_t);
Flow run_cta_rank(Warp&, const Instruction&, std::uint32_t);
Flow run_cluster_wait(Warp&, const Instruction&, std::uint32_t);
Flow run_cluster_arrive(Warp&, const Instruction&, std::uint32_t);
Flow run_aligned_nothing(Warp&, const Instruction&, std::uint32_t);
Flow run_wgmma(Warp&, const Instruction&, std::uint32_t);
Flow run_wgmma_commit(Warp&, const Instruction&, std::uint32_t);
Flow run_wgmma_wait(Warp&, const Instruction&, std::uint32_t);
Flow run_accumulator_move(Warp&, const Instruction&, std::uint32_t);
Flow run_accumulator_unpack(Warp&, const Instruction&, std::uint32_t);
Flow run_tensor_alloc(Warp&, const Instruction&, std::uint32_t);
Flow run_tensor_dealloc(Warp&, const Instruction&, std::uint32_t);
Flow run_tensor_relinquish(Warp&, const Instruction&, std::uint32_t);
Flow run_tensor_load(Warp&, const Instruction&, std::uint32_t);
Flow run_tensor_store(Warp&, const Instruction&, std::uint32_t);
Flow run_tensor_wait_load(Warp&, const Instruction&, std::uint32_t);
Flow run_tensor_wait_store(Warp&, const Instruction&, std::uint32_t);
Flow run_tensor_multiply(Warp&, const Instruction&, std::uint32_t);
Flow run_tensor_commit(Warp&, const Instruction&, std::uint32_t);
Flow run_tensor_copy(Warp&, const Instruction&, std::uint32_t);
Flow run_tensor_fence(Warp&, const Instruction&, std::uint32_t);

/// The bits of Instruction::detail of an mbarrier operation.
inline constexpr std::uint16_t kMbarrierArrives = 1;
inline constexpr std::uint16_t kMbarrierExpects = 2;    // .expect_tx
inline constexpr std::uint16_t kMbarrierCompletes = 4;  // complete_tx
inline constexpr std::uint16_t kMbarrierDrops = 8;      // arrive_drop
inline constexpr std::uint16_t kMbarrierParity = 16;
inline constexpr std::uint16_t kMbarrierTries = 32;  // try_wait: may sleep
inline constexpr std::uint16_t kMbarrierStays = 64;  // .noComplete

}  // namespace lanescope::emulator

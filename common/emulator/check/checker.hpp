// SPDX-License-Identifier: MIT
// Finds accesses to memory that nothing orders, and what else a missing wait, barrier or
// fence breaks, while a cluster runs.
//
//     every access     --> Shadow (who, when)  x  Knowledge of the accessing thread  --> Finding
//     every barrier,
//     wait and fence   --> Knowledge is handed from those who arrive to those who wait
//
// The same for global memory, whose shadow all clusters of the launch share (GlobalWatch). What
// only mbarriers, wgmma and tensor memory have is kept by a watch of each (mbarrier.hpp,
// warpgroup.hpp, tensor.hpp), which asks here who knows what.
//
// One of these belongs to one cluster; findings of all clusters are put together at the end of the
// launch. It changes nothing of what the program computes.
// Source: PTX ISA 9.2, 8 (memory consistency model), 8.2 (proxies); the happens-before relation as
// in FastTrack (Flanagan and Freund, PLDI 2009).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/check/banks.hpp"
#include "emulator/check/findings.hpp"
#include "emulator/check/global_shadow.hpp"
#include "emulator/check/knowledge.hpp"
#include "emulator/check/mbarrier.hpp"
#include "emulator/check/sector_counts.hpp"
#include "emulator/check/shadow.hpp"
#include "emulator/check/site.hpp"
#include "emulator/check/tensor.hpp"
#include "emulator/check/tensor_maps.hpp"
#include "emulator/check/warpgroup.hpp"
#include "emulator/check/watched.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

inline constexpr std::uint32_t kNoAddress = ~std::uint32_t{0};

class Checker {
 public:
  Checker(const LaunchState& launch, const CheckPlan& plan, const CheckOptions& options,
          GlobalWatch& global);
  Checker(const Checker&) = delete;  // the watches refer to it
  Checker& operator=(const Checker&) = delete;

  /// A cluster starts: nobody knows anything.
  void start(const Cluster& cluster);

  // What happened to shared memory.
  void read(const Actor& actor, Cta& cta, std::uint32_t offset, std::uint32_t bytes);
  void write(const Actor& actor, Cta& cta, std::uint32_t offset, std::uint32_t bytes,
             CellState state = CellState::valid);
  /// An mbarrier is in these 8 bytes from now on, or is no longer.
  void keep_mbarrier(const Cta& cta, std::uint32_t offset, bool is_there);
  /// The same for 16 aligned bytes.
  void write_row(const Actor& actor, Cta& cta, std::uint32_t offset, CellState state) {
    const WholeCell at = shadow_of(cta).at(offset);
    if (pass_ != Pass::whole || !may_overwrite(at, actor, known_of_all(actor)))
      return write(actor, cta, offset, 16, state);
    at.set({now_, actor.lanes, actor.where()}, state, 0);
  }
  /// Rows that all lie inside.
  void read_rows(const Actor& actor, Cta& cta, const std::uint32_t* offsets, int rows);
  /// 4 or 16 bytes of each lane: false where more has to be asked of any of them than the log
  /// knows.
  bool read_lanes(const Warp& warp, const std::uint32_t* offsets, std::uint32_t lanes,
                  std::uint32_t bytes);
  /// The last write to all of these bytes of a cell in parts: its time is 0 where there is none,
  /// the greatest where there are several.
  Touch writer_of(const Cta& cta, std::uint32_t offset, std::uint32_t bytes);
  /// cp.async: as one lane after the other, where all lanes of the warp know the same.
  void copies_written(const Warp& warp, std::size_t first);
  void copies_landed(const Warp& warp, std::uint32_t active, std::int64_t pending);
  /// What cp.async of a lane or a bulk copy brought is there.
  void land(std::size_t component, std::uint32_t lanes, CellState state, Cta& cta,
            std::uint32_t offset, std::uint32_t bytes) {
    land(component, lanes, state, cta, offset, bytes, now_, component);
  }
  void land(std::size_t component, std::uint32_t lanes, CellState state, Cta& cta,
            std::uint32_t offset, std::uint32_t bytes, Time time, std::size_t into);
  /// Calls act(actor) for each set of the lanes that knows the same.
  template <class Act>
  void as_lanes(const Warp& warp, std::uint32_t lanes, std::uint32_t pc, Act act) {
    Actor actor;
    actor.warp = &warp;
    actor.component = component_of(warp);
    actor.pc = pc;
    for (const LaneClass& known : warps_[actor.component]) {
      actor.lanes = known.lanes & lanes;
      if (actor.lanes == 0) continue;
      actor.knows = &known.knows;
      act(actor);
    }
  }
  /// The same for what lanes do as one: each set of them must know what was there before.
  template <class Act>
  void as_one(const Warp& warp, std::uint32_t lanes, std::uint32_t pc, Act act) {
    as_lanes(warp, lanes, pc, [&](Actor actor) {
      actor.lanes = lanes;
      act(actor);
    });
  }

  /// Where lanes of a store know different things: looks at what is there for all of them, and only
  /// then writes.
  enum class Pass : std::uint8_t { whole, looks, sets };
  void only(Pass pass) { pass_ = pass; }
  bool is_divided(const Warp& warp) const { return warps_[component_of(warp)].size() > 1; }

  /// Stores: two of the same value do no harm. Between these two, writes that race are put aside
  /// until the bytes can be compared. `is_of_rows`: those of one instruction may lie over each
  /// other; lanes that store to the same place do so as one.
  void before_store(bool is_of_rows) {
    defers_ = true;
    may_meet_itself_ = is_of_rows;
  }
  void after_store();

  // What happened to global memory (global.cpp).
  /// Whether what an address may come from is written by the kernel at all.
  bool watches(const Site& site) const { return (site.sources & global_.written) != 0; }
  void global_read(const Actor& actor, std::uint64_t address, std::uint64_t bytes);
  void global_write(const Actor& actor, std::uint64_t address, std::uint64_t bytes);
  void wait_for_grid(const Warp& warp, std::uint32_t lanes);  // earlier.cpp
  /// malloc has given this memory to a thread.
  void allocated(std::uint64_t address, std::uint64_t bytes) {
    global_.shadow.forget(address, bytes);
  }
  /// Memory fences; strong stores and loads at a place: `key` is one of the two below.
  /// `acquires`: what was looked at before, or there, is known.
  void fence_memory(const Warp& warp, std::uint32_t lanes, bool is_far, bool acquires);
  /// `is_far`: other clusters are meant, too.
  void publish(const Warp& warp, std::uint32_t lanes, std::uint64_t key, bool is_far);
  void hear(const Warp& warp, std::uint32_t lanes, std::uint64_t key, bool is_far, bool acquires);
  void forget_news() { news_.clear(); }
  bool hears() const { return plan_.has_releases; }
  static std::uint64_t key_of_global(std::uint64_t address) { return address | kGlobalKey; }
  static bool is_global(std::uint64_t key) { return (key & kGlobalKey) != 0; }
  static std::uint64_t key_of(const Cta& cta, std::uint32_t offset) {
    return static_cast<std::uint64_t>(cta.rank) << kRankBit | offset;
  }

  // Who learns from whom.
  void release(const Warp& warp, std::uint32_t lanes, Knowledge& into);
  void acquire(const Warp& warp, std::uint32_t lanes, const Knowledge& from);
  /// The same where it is said .relaxed: what a fence before covers, what the next fence acquires.
  void release_fenced(const Warp& warp, std::uint32_t lanes, Knowledge& into);
  void hear_of(const Warp& warp, std::uint32_t lanes, const Knowledge& near,
               const Knowledge* far = nullptr);
  void meet(const Warp& warp, std::uint32_t lanes);  // bar.warp.sync
  void exchange(const Warp& warp, std::uint32_t lanes);
  void fence_proxy(const Warp& warp, std::uint32_t lanes, Spaces spaces);
  void arrive_at_barrier(const Warp& warp, std::uint32_t lanes, int barrier);
  /// When all have come: those who wait, then each of them as it goes on, then the end of it.
  void stand_still(const Warp& warp, std::uint32_t lanes, int barrier);
  void pass_barrier(const Warp& warp, std::uint32_t lanes, int barrier);
  void open_barrier(const Cta& cta, int barrier);
  void arrive_at_cluster_barrier(const Warp& warp, std::uint32_t lanes);
  void arrive_relaxed_at_cluster_barrier(const Warp& warp, std::uint32_t lanes);
  void pass_cluster_barrier(const Warp& warp, std::uint32_t lanes);
  void leave(const Warp& warp, std::uint32_t lanes);  // these lanes have exited

  // Bulk copies (async.cpp).
  /// A lane's st.async, or red.async, which the mbarrier at `barrier` of `target` hands on.
  void async_stores(const Warp& warp, int lane, Cta& target, std::uint32_t offset,
                    std::uint32_t bytes, std::uint32_t barrier, bool is_sum);
  void bulk_issued(const Warp& warp, int lane, BulkCopy& copy);
  void bulk_landed(const BulkCopy& copy, Cta& target);
  void copies_arrive(const BulkCopy& copy, Cta& target);  // cp.async.mbarrier.arrive
  void bulk_waits(const Warp& warp, std::uint32_t active, std::int64_t pending_groups,
                  bool for_reads);
  /// `lanes` reach into another CTA's shared memory.
  void reach_out(const Actor& actor, const Cta& target, std::uint32_t offset);
  void ended(Cta& cta);

  MbarrierWatch& mbarriers() { return mbarriers_; }
  WarpgroupWatch& warpgroups() { return warpgroups_; }
  TensorWatch& tensor() { return tensor_; }
  TensorMapWatch& tensor_maps() { return tensor_maps_; }
  /// wgmma's and tcgen05.ld's, which are not there before a wait.
  void registers_used(const Warp& warp, const Site& site, std::uint32_t active) {
    tensor_.registers_used(warp, site, active);
    warpgroups_.registers_used(warp, site, active);
  }
  void tick() { ++now_; }

  // What the watches ask. A component is a warp, or what copies for somebody; warps come first.
  std::size_t component_of(const Warp& warp) const {
    return static_cast<std::size_t>(warp.cta->rank) * warps_per_cta_ +
           static_cast<std::size_t>(warp.index);
  }
  std::size_t warps() const { return warps_.size(); }
  std::size_t components() const { return next_component_; }
  bool is_warp(std::size_t component) const { return component < warps_.size(); }
  const LaneClasses& known_by(std::size_t warp) const { return warps_[warp]; }
  std::size_t new_component();
  std::size_t new_warpgroup();
  /// Of what a thread has done for it, by a key of its own.
  std::size_t bulk_component(const Cta& cta, std::uint32_t thread);
  /// `actor`: who reads; nullptr: what the log has kept.
  static void add_reader(Shadow& shadow, const WholeCell& at, const Touch& me, const Actor* actor);
  /// `offset`: kNoAddress where there is none; `other`: nullptr where there is nobody.
  void report(FindingKind kind, const Actor& actor, const Cta& cta, std::uint32_t offset,
              const Touch* other);
  /// `other`: nobody, where no thread of this launch has changed the map.
  void report_map(FindingKind kind, const Actor& actor, std::uint64_t address,
                  const GlobalTouch& other);
  /// What a thread does now, as it is remembered.
  GlobalTouch global_touch(const Actor& actor) const {
    return {{now_, actor.lanes, actor.where()},
            GlobalTouch::mark_of(cluster_->number, actor.is_strong, actor.is_near) |
                (actor.is_async ? GlobalTouch::kAsync : 0) |
                (actor.is_cached ? GlobalTouch::kCached : 0)};
  }
  GlobalShadow& global_shadow() { return global_.shadow; }
  bool is_of_this_cluster(const GlobalTouch& touch) const {
    return touch.is_there() && touch.cluster() == cluster_->number;
  }
  Findings& findings() { return findings_; }
  Shadow& shadow_of(const Cta& cta) { return shadows_[static_cast<std::size_t>(cta.rank)]; }
  const Program& program() const { return *launch_.program; }
  const CheckPlan& plan() const { return plan_; }
  const CheckOptions& options() const { return options_; }
  BankCounts& banks() { return banks_; }
  SectorCounts& sectors() { return sectors_; }
  Time now() const { return now_; }

  std::vector<Finding> take_findings() { return findings_.take(); }

 private:
  // No address has it: user space ends far below, and in a browser below 4 GiB, where shared
  // memory's keys are.
  static constexpr std::uint64_t kGlobalKey = std::uint64_t{1} << 63;

  // Shared memory (checker.cpp, shared_reads.cpp, shared_writes.cpp).
  static bool is_known(const Actor& actor, const Cell& before) {
    return actor.knows->order.known(before.component()) >= before.time &&
           (before.flags & Cell::kMore) == 0;
  }
  /// Up to which time everything that anybody in the cluster did is known: mostly, after a barrier,
  /// all that matters.
  Time known_of_all(const Actor& actor) const {
    return std::min(actor.knows->order.known_of_all(next_component_), now_ - 1);
  }
  /// Whether a look is enough to see that nothing is wrong. `all`: known_of_all().
  static bool may_overwrite(const WholeCell& at, const Actor& actor, Time all) {
    if (at.cell.logged > all || at.cell.readers > at.detail.reads.size()) return false;
    if (at.cell.state != CellState::unwritten &&
        !(at.cell.state == CellState::valid && (at.cell.time <= all || is_known(actor, at.cell))))
      return false;
    for (std::size_t k = 0; k < at.cell.readers; ++k) {
      const Touch& read = at.detail.reads[k];
      if (read.time > all && actor.knows->order.known(read.component()) < read.time) return false;
    }
    return true;
  }
  bool is_copied(const Touch& write) const;
  /// It is a cp.async to that place, still in no group, and no mbarrier is told of it either.
  bool is_uncommitted(const Touch& write, std::uint32_t offset) const;
  static bool brings_the_same(const Actor& actor, const Cta& cta, const Cell& before,
                              std::uint32_t offset, std::uint32_t bytes);
  bool may_be_padding(const Actor& actor, const Cta& cta, std::uint32_t offset);
  bool is_in_step(const Actor& actor, const Touch& write) const;
  void slow_read(const Actor& actor, Cta& cta, const WholeCell& at, std::uint32_t offset,
                 std::uint32_t bytes);
  static ReadLog::Entry& new_entry(Shadow& shadow) {
    const std::size_t most = shadow.log.is_in_vain ? ReadLog::kMostInVain : ReadLog::kMost;
    if (shadow.log.entries.size() >= most) enter_log(shadow);
    return shadow.log.entries.emplace_back();
  }
  bool is_logged(Shadow& shadow, const Knowledge& knows, const std::uint32_t* offsets,
                 ReadLog::Entry& entry);
  static void enter_log(Shadow& shadow);
  bool has_read(const Actor& actor, const Touch& read) const;
  bool may_be_late(const Actor& actor, const Touch& read) const;
  void check_write(const Actor& actor, const Cta& cta, const WholeCell& at, std::uint32_t offset,
                   std::uint32_t bytes);
  void check_readers(const Actor& actor, const Cta& cta, const WholeCell& at, std::uint32_t offset);
  void race_of_writes(const Actor& actor, const Cta& cta, const Touch& write, std::uint32_t offset,
                      std::uint32_t bytes);
  /// Atomics of others that nothing orders with the last one, and a plain store below them, are
  /// remembered beside the cell.
  void keep_write(const Cta& cta, const WholeCell& at, std::uint32_t offset, std::uint32_t bytes,
                  const Touch& write, bool is_plain);
  std::uint8_t keep_below(const Actor& actor, const Cta& cta, const WholeCell& at,
                          std::uint32_t offset, std::uint32_t bytes);
  const Touch* unordered_below(const Actor& actor, const Cta& cta, std::uint32_t offset,
                               std::uint32_t bytes, bool is_plain) const;
  bool is_known_to_all(const Touch& write) const;

  // Global memory (global.cpp).
  void looks(const GlobalTouch& at);
  const GlobalTouch* plain_under(const Actor& actor, const GlobalTouch& write,
                                 std::uint64_t address) const;
  bool keep_under(const GlobalTouch& write, std::uint64_t address);
  static const std::vector<GlobalTouch>* kept(const TouchesOfCells& touches, std::uint64_t address,
                                              std::uint32_t bytes);
  bool keep_beside(const Actor& actor, const GlobalTouch& write, std::uint64_t address,
                   std::uint32_t bytes);
  const GlobalTouch* unknown_beside(const Actor& actor, const GlobalTouch& write,
                                    std::uint64_t address, std::uint32_t bytes) const;
  bool may_have_told(const GlobalTouch& read) const;
  bool knows_of(const Actor& actor, const GlobalTouch& before) const;
  bool may_meet(const Actor& actor, const GlobalTouch& before) const;
  bool is_unfenced(const Actor& actor, const GlobalTouch& before) const;
  Heard with_proxy_fence(const Heard& known, Clock fenced);
  Knowledge far_news(const Warp& warp, std::uint32_t lanes, std::uint64_t key);
  bool has_released(const GlobalTouch& before) const;
  bool has_published_all(const Knowledge& knows, std::size_t component) const;
  Heard with_release(const Heard& known, Clock clock);
  std::shared_ptr<const Ready> ready_near(const Knowledge& knows, std::size_t component,
                                          std::uint32_t lanes) const;
  Heard ready_far(Knowledge& knows, std::size_t component, std::uint32_t lanes);
  void check_global_write(const Actor& actor, const GlobalTouch& write, const GlobalReads* reads,
                          std::uint64_t address, std::uint32_t bytes);
  bool has_waited_for_grid(const Actor& actor) const;
  void meets_earlier(const Actor& actor, std::uint64_t address, std::uint64_t bytes, bool writes);
  void report_earlier(FindingKind kind, const Actor& actor, std::uint64_t address,
                      const GlobalTouch& other, const EarlierLaunch& by);
  void add_global_reader(const Actor& actor, GlobalReads& reads, const GlobalTouch& me) const;
  // What an L1 may still have (global_cached.cpp).
  bool is_of_this_cta(const Actor& actor, const GlobalTouch& other) const;
  bool keep_cached(const Actor& actor, const GlobalReads* reads, std::uint64_t address,
                   std::uint32_t bytes);
  bool may_be_cached(const Actor& actor, const GlobalTouch& write, std::uint64_t address,
                     std::uint32_t bytes) const;

  // Who knows what (knowledge.cpp).
  static void split_off(LaneClasses& classes, std::uint32_t lanes);
  /// act(knowledge, lanes) for what these lanes know, of theirs alone.
  template <class Act>
  void each_known(const Warp& warp, std::uint32_t lanes, Act act) {
    LaneClasses& classes = warps_[component_of(warp)];
    lanes = own_lanes(warp, lanes);
    if (lanes != kAllLanes) split_off(classes, lanes);
    for (LaneClass& known : classes)
      if ((known.lanes & lanes) != 0) act(known.knows, known.lanes & lanes);
  }
  std::uint32_t own_lanes(const Warp& warp, std::uint32_t lanes) const {
    return lanes | ~warp.alive;  // whoever has exited does nothing any more
  }
  void comes(const Warp& warp, std::uint32_t lanes, int barrier);
  void forget_log(const Cta& cta);
  bool promote_cluster_barrier();

  // Copies under way: those of cp.async (copies.cpp), and bulk copies (async.cpp).
  std::optional<std::size_t> copies_component(const Warp& warp) const;
  bool lands_for_mbarrier(const Warp& warp, const AsyncCopy& copy);
  void note_landed(std::size_t component, const LandedCopies& made);
  void landed_before(const Warp& warp, std::uint32_t active, std::int64_t pending);
  std::size_t last_of_copies() const;
  void bulk_touches_global(Actor copier, const BulkCopy& copy);
  void flies(const FlyingCopy& made);
  void check_flying(const Cta& cta);

  // What becomes a finding (reports.cpp).
  void report_global(FindingKind kind, const Actor& actor, std::uint64_t address,
                     const GlobalTouch& other);
  template <class Tells>
  static bool has_only_heard(FindingKind kind, const Actor& actor, Tells tells);
  bool is_by_lanes(const Actor& actor, const Touch& other) const;
  Actor one_beside(const Actor& actor, const Touch& other) const;
  bool are_peers(std::size_t component, std::size_t other) const;
  bool is_by_peers(const Actor& actor, const Touch& other) const;
  Accessor who(const Touch& touch) const;
  Accessor who(const GlobalTouch& touch) const;
  Accessor of_warp(const Touch& touch, std::uint64_t cluster) const;

  const LaunchState& launch_;
  const CheckPlan& plan_;
  const CheckOptions options_;
  GlobalWatch& global_;
  Findings findings_;
  BankCounts banks_;
  SectorCounts sectors_;
  const Cluster* cluster_ = nullptr;
  std::size_t warps_per_cta_ = 0;
  static constexpr Time kStarted = 1;  // what is known of a CTA of which nothing else is
  Time now_ = kStarted + 1;

  // Who knows what.
  std::vector<LaneClasses> warps_;  // by component
  std::size_t next_component_ = 0;
  std::vector<std::array<Knowledge, 16>> barriers_;    // by rank
  std::vector<std::array<BarrierRounds, 16>> rounds_;  // by rank
  Knowledge cluster_arrivals_, cluster_opened_;
  std::uint64_t cluster_phase_ = 0;
  std::vector<Knowledge> left_;  // by rank: what those who exited knew
  std::vector<bool> ended_;      // by rank
  std::vector<Time> exchanged_;  // by component: when all lanes of a warp last got an answer

  // Memory, and stores that are yet to be decided.
  std::vector<Shadow> shadows_;                                            // by rank
  std::vector<std::vector<Touch>> reached_;                                // by rank: from outside
  std::unordered_map<std::uint64_t, std::vector<KeptWrite>> more_writes_;  // by key_of() of a word
  std::vector<Time> last_global_;  // by component: when it last touched global memory
  Time l1_emptied_ = 0;            // by a fence, or an acquire, that reaches other clusters
  std::unordered_map<std::uint64_t, Ready> published_near_;  // within the cluster, by key
  std::vector<LateNews> news_;
  Pass pass_ = Pass::whole;
  bool defers_ = false;
  bool may_meet_itself_ = true;  // what this instruction has written may be its own
  std::vector<Deferred> deferred_;
  std::vector<DeferredGlobal> deferred_global_;

  // Copies under way, and the watches.
  std::vector<std::vector<LandedCopies>> landed_;                   // by component
  std::unordered_map<std::uint64_t, std::size_t> bulk_components_;  // rank, thread
  std::vector<BulkWrite> bulk_writes_;
  std::vector<FlyingCopy> flying_;
  MbarrierWatch mbarriers_{*this};
  WarpgroupWatch warpgroups_{*this};
  TensorWatch tensor_{*this};
  TensorMapWatch tensor_maps_{*this, global_.maps};
};

}  // namespace lanescope::emulator

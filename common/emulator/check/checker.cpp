// SPDX-License-Identifier: MIT
// A cluster as it starts, and what reads and writes of shared memory (shared_reads.cpp,
// shared_writes.cpp) ask: did this happen before, was it a copy, has a copy landed?
#include "emulator/check/checker.hpp"

namespace lanescope::emulator {

Checker::Checker(const LaunchState& launch, const CheckPlan& plan, const CheckOptions& options,
                 GlobalWatch& global)
    : launch_(launch),
      plan_(plan),
      options_(options),
      global_(global),
      findings_(launch, options.races),
      warps_per_cta_(static_cast<std::size_t>(launch.warps)) {}

void Checker::start(const Cluster& cluster) {
  const std::size_t ctas = cluster.ctas.size();
  cluster_ = &cluster;
  now_ = kStarted + 1;
  shadows_.resize(ctas);
  for (Shadow& shadow : shadows_)
    shadow.start(static_cast<std::size_t>(launch_.shared_bytes),
                 static_cast<std::size_t>(plan_.reserved_bytes));
  warps_.assign(ctas * warps_per_cta_, LaneClasses(1));
  for (LaneClasses& classes : warps_) classes[0].lanes = kAllLanes;
  barriers_.assign(ctas, {});
  rounds_.assign(ctas, {});
  left_.assign(ctas, {});
  cluster_arrivals_ = {};
  cluster_opened_ = {};
  cluster_phase_ = 0;
  next_component_ = warps_.size() + (launch_.before != nullptr ? 1 : 0);
  bulk_components_.clear();
  mbarriers_.start(ctas, warps_.size());
  warpgroups_.start(plan_.has_async_proxy ? warps_.size() : 0);
  tensor_.start(ctas, warps_.size());
  tensor_maps_.start();
  reached_.assign(ctas, {});
  ended_.assign(ctas, false);
  exchanged_.assign(warps_.size(), 0);
  deferred_.clear();
  deferred_global_.clear();
  news_.clear();
  bulk_writes_.clear();
  flying_.clear();
  more_writes_.clear();
  landed_.assign(warps_.size(), {});
  published_near_.clear();
  last_global_.assign(warps_.size(), 0);
  l1_emptied_ = 0;
}

bool ordered(const Clock& clock, const Touch& before, const Actor& actor) {
  if (clock.known(before.component()) >= before.time) return true;
  std::uint32_t lanes = before.lanes;
  const bool single = (actor.lanes & (actor.lanes - 1)) == 0;
  if (single && before.component() == actor.component) lanes &= ~actor.lanes;
  return lanes == 0 || clock.covers(before.component(), lanes, before.time);
}

// By a cp.async of which an mbarrier has told.
bool Checker::is_copied(const Touch& write) const {
  const PtxStatement* at =
      write.component() < warps_.size() ? nullptr : launch_.program->statement(write.pc());
  return at != nullptr && at->opcode == "cp";
}

void Checker::land(std::size_t component, std::uint32_t lanes, CellState state, Cta& cta,
                   std::uint32_t offset, std::uint32_t bytes, Time time, std::size_t into) {
  const auto lands = [&](const WholeCell& at, std::uint32_t, std::uint32_t) {
    if (at.cell.state != state || at.cell.component() != component || at.write().lanes != lanes)
      return;
    at.cell.state = CellState::valid;
    at.cell.time = time;
    at.cell.where = Touch::place(into, at.cell.where & Touch::kMostPc);
  };
  shadow_of(cta).each(offset, bytes, false, lands);
}

}  // namespace lanescope::emulator

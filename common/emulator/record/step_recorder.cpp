// SPDX-License-Identifier: MIT
#include "emulator/record/step_recorder.hpp"

#include <algorithm>

#include "emulator/execute/handlers.hpp"
#include "emulator/memory.hpp"
#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {
namespace {

constexpr int kMostBytesPerLane = 16;

// Accumulators of wgmma, and registers of tcgen05.ld, that this warp has not been given yet.
template <class Visit>
void each_in_flight(const Warp& warp, Visit visit) {
  if (warp.cta->tensor != nullptr)
    for (const TensorLoad& load : warp.cta->tensor->loads)
      if (load.warp == warp.index && load.frame == warp.rows)
        for (const std::uint32_t row : load.rows) visit(row);
  const auto index = static_cast<std::size_t>(warp.index / 4);
  if (index >= warp.cta->async->warpgroups.size()) return;
  for (const Accumulators& entry : warp.cta->async->warpgroups[index].pending)
    if (((entry.waiting >> (warp.index % 4)) & 1) != 0 && entry.base[warp.index % 4] == warp.rows)
      for (const std::uint32_t row : entry.rows) visit(row);
}

}  // namespace

StepRecorder::StepRecorder(const StepRequest& request, const Program& program, int warps)
    : request_(request),
      program_(program),
      plans_(program.code.size()),
      steps_(static_cast<std::size_t>(warps)),
      step_(trace::Step{}),
      access_(trace::Access{}),
      held_(static_cast<std::size_t>(warps), trace::Event(trace::Step{})),
      holds_(static_cast<std::size_t>(warps)),
      sync_(request, warps) {}

const StepPlan& StepRecorder::plan(std::uint32_t pc) {
  StepPlan& found = plans_[pc];
  if (!found.made) found = make_step_plan(program_, pc);
  return found;
}

bool StepRecorder::records(const Warp& warp) const {
  const std::int64_t step = steps_[static_cast<std::size_t>(warp.index)];
  return (request_.warp < 0 || request_.warp == warp.index) && step >= request_.from &&
         step - request_.from < request_.count;
}

// Taken before the instruction, which may write the register its address is in.
void StepRecorder::collect_addresses(const Warp& warp, const Instruction& i, const StepPlan& plan,
                                     std::uint32_t active) {
  auto& addresses = std::get<trace::Access>(access_).addresses;
  addresses.assign(kLanes, 0);
  bytes_per_lane_ = i.bytes;
  std::uint32_t givers = active;
  if (plan.addresses == StepPlan::Addresses::matrix && i.count < 4)
    givers &= (1u << 8 * i.count) - 1;
  RowAddress from{i.a, i.immediate, i.wide_address};
  if (plan.addresses == StepPlan::Addresses::destination)
    from = {i.b, static_cast<std::int32_t>(i.target), (i.detail & 4) != 0};
  const bool generic =
      plan.addresses != StepPlan::Addresses::destination && i.space == Space::generic;
  const auto limit = static_cast<std::uint64_t>(warp.cta->launch->shared_bytes);
  for (std::uint32_t rest = givers; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    std::uint64_t address = address_of(warp, from, lane);
    if (generic) address -= kSharedWindow;
    address -= warp.cta->window;
    if (address >= limit) continue;  // global memory, or another CTA's
    addresses[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(address);
    addressed_ |= 1u << lane;
  }
}

// Of wmma all lanes give one address, the matrix's. Where its pieces lie from there is the plan's.
void StepRecorder::collect_pieces(const Warp& warp, const Instruction& i) {
  const WmmaPlan& plan = program_.wmmas[i.target];
  std::uint64_t first = address_of(warp, {i.a, i.immediate, i.wide_address}, 0);
  if (i.space == Space::generic) first -= kSharedWindow;
  first -= warp.cta->window;
  if (first >= static_cast<std::uint64_t>(warp.cta->launch->shared_bytes)) return;
  const std::uint64_t line_bytes = wmma_line_bytes(warp, plan);
  const auto per = static_cast<std::size_t>(plan.D.register_bytes / plan.D.piece_bytes);
  auto& addresses = std::get<trace::Access>(access_).addresses;
  addresses.resize(plan.moves.size());
  for (std::size_t k = 0; k < plan.moves.size(); ++k) {
    const std::size_t reg = k / per / kLanes, lane = k / per % kLanes, part = k % per;
    addresses[(reg * per + part) * kLanes + lane] =
        static_cast<std::uint32_t>(first + plan.moves[k].line * line_bytes + plan.moves[k].byte);
  }
  bytes_per_lane_ = plan.D.piece_bytes;
  addressed_ = ~0u;
}

void StepRecorder::collect_in_flight(const Warp& warp) {
  in_flight_.clear();
  each_in_flight(warp, [&](std::uint32_t row) { in_flight_.push_back(row); });
}

void StepRecorder::before(Warp& warp, std::uint32_t pc, std::uint32_t active) {
  const Instruction& i = program_.code[pc];
  if (records(warp)) {
    const StepPlan& at = plan(pc);
    addressed_ = 0;
    if (at.addresses == StepPlan::Addresses::fragment)
      collect_pieces(warp, i);
    else if (at.addresses != StepPlan::Addresses::none && i.bytes <= kMostBytesPerLane)
      collect_addresses(warp, i, at, active);
    in_flight_.clear();
    if (at.hands_over) collect_in_flight(warp);
  }
  sync_.before(warp, i, active);
}

void StepRecorder::add_write(const Warp& warp, const StepPlan::Register& reg) {
  trace::Write& write = std::get<trace::Step>(step_).writes.emplace_back();
  write.name = reg.name;
  write.watch = reg.watch;
  write.bits = reg.bits;
  write.lanes.resize(kLanes);
  const std::byte* at = warp.rows + reg.row;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (reg.bits == 64)
      write.lanes[lane] = reinterpret_cast<const std::uint64_t*>(at)[lane];
    else if (reg.bits == 1)
      write.lanes[lane] = (*reinterpret_cast<const std::uint32_t*>(at) >> lane) & 1;
    else
      write.lanes[lane] = reinterpret_cast<const std::uint32_t*>(at)[lane] &
                          (reg.bits == 32 ? ~0u : (1u << reg.bits) - 1);
  }
}

void StepRecorder::add_handed_over(const Warp& warp, std::uint32_t pc) {
  std::vector<std::uint32_t> left;
  each_in_flight(warp, [&](std::uint32_t row) { left.push_back(row); });
  for (const std::uint32_t row : in_flight_) {
    if (std::find(left.begin(), left.end(), row) != left.end()) continue;
    const StepPlan::Register reg = find_register(program_, pc, row);
    if (!reg.name.empty()) add_write(warp, reg);
  }
}

void StepRecorder::after(Warp& warp, std::uint32_t pc, std::uint32_t active, Flow flow) {
  const StepPlan& at = plan(pc);
  if (at.text.empty()) return;  // the return where the braces close
  std::int64_t& number = steps_[static_cast<std::size_t>(warp.index)];
  const bool executed =
      flow != Flow::converge && flow != Flow::fault && flow != Flow::retry && flow != Flow::gather;
  if (executed && records(warp)) {
    auto& step = std::get<trace::Step>(step_);
    step.place = {request_.launch, warp.cta->block, warp.index};
    step.step = number;
    step.ptx = at.text;
    step.ptx_line = at.ptx_line;
    step.source = at.source;
    step.active = active;
    step.writes.clear();
    if (!at.reduces)
      for (const StepPlan::Register& reg : at.writes) add_write(warp, reg);
    if (!in_flight_.empty()) add_handed_over(warp, pc);
    // A bar.red that some lanes execute alone is told at once, and what it gives in no step.
    holds_[static_cast<std::size_t>(warp.index)] = at.reduces && active == warp.alive;
    if (holds_[static_cast<std::size_t>(warp.index)])
      held_[static_cast<std::size_t>(warp.index)] = step_;
    else
      request_.event(request_.context, step_);
    if (addressed_ != 0) {
      auto& access = std::get<trace::Access>(access_);
      access.place = step.place;
      access.step = number;
      access.instruction = at.instruction;
      access.bytes_per_lane = bytes_per_lane_;
      access.active = addressed_;
      request_.event(request_.context, access_);
    }
  }
  sync_.after(warp, program_.code[pc], active, flow, number, at.source);
  if (executed) ++number;
}

void StepRecorder::reduced(Warp& warp, const Group& group) {
  const auto index = static_cast<std::size_t>(warp.index);
  if (!holds_[index]) return;
  holds_[index] = false;
  step_ = held_[index];
  warp.rows = group.frame->rows.get();
  for (const StepPlan::Register& reg : plan(group.pc - 1).writes) add_write(warp, reg);
  request_.event(request_.context, step_);
}

const Cta* StepRecorder::own(const Cluster& cluster) const {
  for (const auto& cta : cluster.ctas)
    if (sees(*cta)) return cta.get();
  return nullptr;
}

void StepRecorder::landing(const Cluster& cluster) {
  if (const Cta* cta = own(cluster)) sync_.landing(*cta);
}

void StepRecorder::landed(const Cluster& cluster) {
  if (const Cta* cta = own(cluster)) sync_.landed(*cta);
}

}  // namespace lanescope::emulator

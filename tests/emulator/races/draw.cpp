// SPDX-License-Identifier: MIT
// One step by chance: who does what, where, and how it is spelled. Who plays a part in an idiom
// (Maker::own_) does it where the part says.
#include "tests/emulator/races/maker.hpp"

namespace lanescope::emulator::races {

const std::vector<int>& counts_of_arrivals() {
  static const std::vector<int> kArrivals = {1, 1, 1, 2, 2, 3, 4, 32, 33, 64};
  return kArrivals;
}

void Maker::access(Step& step) {
  static const std::vector<int> kBytes = {4, 4, 4, 4, 1, 2, 8, 16};
  step.bytes = step.op == Op::atomic ? 4 : random_.of(kBytes);
  step.lanes = step.op == Op::load ? lanes() : lanes() & 15;
  step.offset = cell() * kCellBytes + random_.below(kCellBytes / step.bytes) * step.bytes;
  if (step.lanes != kAllAgents && random_.one_in(2)) step.stride = step.bytes;
  if (step.lanes == kAllAgents || step.offset % 16 != 0) step.stride = 0;
  if (program_.ctas == 2 && random_.one_in(3))
    step.place = is_cluster() && random_.one_in(2) ? Place::peer : Place::global;
  if (program_.ctas == 1 && random_.one_in(8)) step.place = Place::global;
  if (is_of_global_ && random_.one_in(2)) step.place = Place::global;
  if (own_ != nullptr) step.place = own_->place;
  if (step.op == Op::atomic || (!is_plain_ && step.bytes == 4 && random_.one_in(12)))
    step.strength =
        step.op != Op::atomic && random_.one_in(2) ? Strength::is_volatile : Strength::relaxed;
  step.variant = random_.below(3);
  step.scope = program_.ctas == 1 ? Scope::cta : Scope::gpu;
}

void Maker::bulk(Step& step) {
  const bool stores = step.op == Op::bulk_store, sends = step.op == Op::bulk_send;
  step.lanes = one_lane();
  step.bytes = kCellBytes * (1 + random_.below(2));
  step.offset = cell() * kCellBytes;
  step.stride = stores || sends ? cell() * kCellBytes : 0;
  step.object = own_ != nullptr ? own_->object % kMbarriers : random_.below(mbarriers_);
  step.variant = stores ? 0 : random_.below(2);
  if (step.op == Op::async_store) step.bytes = 4;
  if (sends || step.op == Op::async_store) step.place = Place::peer;
  const int shared = stores ? step.stride : step.offset;
  if (stores || step.op == Op::bulk_load)
    step.is_tensor = random_.one_in(2) && shared % kTensorAlignment == 0;
  if (step.op == Op::bulk_load &&
      (own_ != nullptr ? own_->place == Place::global : random_.one_in(is_of_global_ ? 2 : 4))) {
    step.is_from_cells = true;
    step.stride = cell() * kCellBytes;
  }
  if (step.op != Op::bulk_load || !is_cluster()) return;
  if (random_.one_in(4)) step.place = Place::peer;
  if (random_.one_in(4)) step.place = Place::own, step.variant = kMulticast;
}

void Maker::barrier(Step& step) {
  const unsigned all = (1u << program_.warps) - 1;
  step.warps = all;
  step.variant = random_.below(3);
  if (random_.one_in(3)) return;
  step.object = 1 + random_.below(random_.one_in(2) ? 2 : 15);
  step.variant = 1 + random_.below(2);
  if (own_ != nullptr && random_.one_in(2)) {  // who plays the part waits, the other arrives
    step.object = 1 + own_->object;
    step.cta = roles_[0].cta;
    step.warps = 1u << own_->warp;
    step.arrivers = (1u << roles_[0].warp | 1u << roles_[1].warp) & ~step.warps;
    return;
  }
  step.warps = 1 + static_cast<unsigned>(random_.below(static_cast<int>(all)));
  step.arrivers = static_cast<unsigned>(random_.below(static_cast<int>(all + 1))) & ~step.warps;
}

void Maker::flag(Step& step) {
  step.object = own_ != nullptr ? own_->object : random_.below(flags_);
  step.place = program_.ctas == 2 && random_.one_in(2) ? Place::global : Place::own;
  if (step.op == Op::signal && is_cluster() && random_.one_in(3)) step.place = Place::peer;
  if (own_ != nullptr) step.place = own_->place;
  step.lanes = one_lane();
  step.scope = scope();
  static const std::vector<Strength> kStrengths = {Strength::relaxed, Strength::is_volatile,
                                                   Strength::ordered, Strength::ordered};
  step.strength = random_.of(kStrengths);
  step.variant = step.op == Op::signal ? random_.below(3) : random_.one_in(4);
  if (step.op == Op::signal) return;
  if (random_.one_in(3)) step.lanes = kAllAgents;
  step.count = oracle_->signals(step);
}

void Maker::lock(Step& step) {
  step.object = (own_ != nullptr ? own_->object : random_.below(flags_)) % kLocks;
  step.place = program_.ctas == 2 && random_.one_in(2) ? Place::global : Place::own;
  if (is_cluster() && random_.one_in(3)) step.place = Place::peer;
  if (own_ != nullptr) step.place = own_->place;
  step.lanes = one_lane();
  step.scope = scope();
  step.strength = random_.one_in(3) ? Strength::relaxed : Strength::ordered;
  step.variant = random_.one_in(4) ? kReleasesToo : 0;
  step.count = oracle_->turns(step);
}

void Maker::unlock(Step& step) {
  const std::vector<Step> holders = oracle_->holders();
  if (holders.empty()) return;
  const Step& held = random_.of(holders);
  step.cta = held.cta;
  step.warp = held.warp;
  step.lanes = held.lanes;
  step.place = held.place;
  step.object = held.object;
  step.count = held.count;
  step.scope = scope();
  static const std::vector<Strength> kStrengths = {Strength::relaxed, Strength::is_volatile,
                                                   Strength::ordered, Strength::ordered};
  step.variant = random_.below(3);
  step.strength = random_.of(kStrengths);
}

// .shared::cta is of the own CTA's memory, says the ISA, and the checker does not tell them apart.
int Maker::proxy_fence() {
  if (random_.one_in(is_of_global_ ? 3 : 8)) return kGlobalProxy;
  return (!is_cluster() || is_of_global_) && random_.one_in(2) ? kSharedProxy : 0;
}

Step Maker::draw(Op op) {
  Step step;
  step.op = op;
  step.cta = random_.below(program_.ctas);
  step.warp = random_.below(program_.warps);
  step.lanes = lanes();
  step.object = random_.below(mbarriers_);
  if (own_ != nullptr) {
    step.cta = own_->cta;
    step.warp = own_->warp;
    step.lanes = own_->lanes;
    step.object = own_->object % kMbarriers;
  }
  switch (step.op) {
    case Op::load:
    case Op::store:
    case Op::atomic:
      access(step);
      break;
    case Op::matrix_load:
    case Op::matrix_store:
      step.lanes = kAllAgents;
      for (int k = 0; k < 3; ++k) step.cells |= 1u << cell();
      break;
    case Op::copy:
      step.lanes = lanes() & 15;
      step.bytes = 4 << random_.below(3);
      step.offset = cell() * kCellBytes + random_.below(kCellBytes / step.bytes) * step.bytes;
      step.stride = random_.one_in(2) ? kCellBytes : 0;
      step.variant = random_.below(2);
      break;
    case Op::copy_wait:
      step.count = random_.below(4) - 1;
      break;
    case Op::copy_arrive:
      step.variant = random_.below(2);
      break;
    case Op::bulk_load:
    case Op::bulk_send:
    case Op::bulk_store:
    case Op::async_store:
      bulk(step);
      break;
    case Op::bulk_commit:
    case Op::bulk_wait:
      step.count = random_.below(2);
      step.variant = random_.below(2);
      break;
    case Op::barrier:
      barrier(step);
      break;
    case Op::arrive:
      if (is_cluster() && random_.one_in(3)) step.place = Place::peer;
      if (random_.one_in(10)) step.strength = Strength::relaxed;
      break;
    case Op::wait:
      step.count = oracle_->awaited_parity(step);
      step.variant = random_.below(3);
      if (random_.one_in(10)) step.strength = Strength::relaxed;
      break;
    case Op::renew:
      step.lanes = one_lane();
      step.count = random_.of(counts_of_arrivals());
      step.variant = random_.one_in(2) ? kFenced : 0;
      break;
    case Op::proxy_fence:
      step.variant = proxy_fence();
      break;
    case Op::fence:
      step.scope = scope();
      step.variant = random_.below(3);
      break;
    case Op::signal:
    case Op::await:
      flag(step);
      break;
    case Op::lock:
      lock(step);
      break;
    case Op::unlock:
      unlock(step);
      break;
    case Op::wgmma:
    case Op::wgmma_wait:
      step.lanes = kAllAgents;
      step.variant = random_.below(4);
      step.count = random_.below(2);
      break;
    case Op::vote:
      step.variant = random_.below(2);
      break;
    case Op::cluster_arrive:
      if (random_.one_in(8)) step.strength = Strength::relaxed;
      [[fallthrough]];
    case Op::cluster_wait:
      step.lanes = kAllAgents;
      break;
    default:
      break;
  }
  return step;
}

}  // namespace lanescope::emulator::races

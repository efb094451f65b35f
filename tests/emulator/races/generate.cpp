// SPDX-License-Identifier: MIT
// Programs by chance: steps are drawn one after the other, and the oracle says of each whether it
// can be taken, and what races it brings.
#include <algorithm>
#include <optional>

#include "tests/emulator/races/idioms.hpp"
#include "tests/emulator/races/oracle.hpp"
#include "tests/golden/random/random.hpp"

namespace lanescope::emulator::races {
namespace {

using golden::random::Random;

const std::vector<int>& counts_of_arrivals() {
  static const std::vector<int> kArrivals = {1, 1, 1, 2, 2, 3, 4, 32, 33, 64};
  return kArrivals;
}

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed), races_(races_of(seed)) {
    program_.seed = seed;
    const int shape = random_.below(8);
    program_.ctas = shape < 4 ? 1 : 2;
    program_.is_cluster = shape >= 4 && shape < 7;
    program_.warps = 2 + random_.below(3);
    for (int& arrivals : program_.arrivals) arrivals = random_.of(counts_of_arrivals());
    for (const Family& family : families())
      if (random_.one_in(family.one_in))
        for (const Weight& each : family.ops)
          for (int k = 0; k < each.weight; ++k) ops_.push_back(each.op);
    // A strong access hears what is published where it looks, if it comes second: no order of ours.
    is_plain_ = std::count(ops_.begin(), ops_.end(), Op::fence) != 0 || random_.one_in(2);
    if (is_plain_) ops_.erase(std::remove(ops_.begin(), ops_.end(), Op::atomic), ops_.end());
    cells_ = 1 + random_.below(4);
    first_cell_ = random_.one_in(3) ? 8 * random_.below(2) : random_.below(kCells - 8);
    program_.has_free_locks = seed / 9 % 2 == 1;
    mbarriers_ = 1 + random_.below(kMbarriers);
    flags_ = 1 + random_.below(6);
    oracle_.emplace(program_);
    if (program_.has_free_locks) blind_.emplace(program_, 0, false);
  }

  Program make();

 private:
  int cell() {
    const int any = first_cell_ + random_.below(cells_);
    return own_ != nullptr ? roles_[0].offset / kCellBytes : any;
  }
  unsigned one_lane() {
    const unsigned any = 1u << random_.below(4);
    return own_ != nullptr && own_->lanes != kAllAgents ? own_->lanes : any;
  }
  unsigned lanes() {
    if (own_ != nullptr) return own_->lanes;
    const int kind = random_.below(8);
    return kind < 4 ? one_lane() : kind < 5 ? 15u : kind < 6 ? 3u : kAllAgents;
  }
  bool is_cluster() const { return program_.is_cluster; }
  Scope scope() {
    if (own_ != nullptr && is_cluster()) return static_cast<Scope>(random_.below(3));
    return static_cast<Scope>(program_.ctas == 1 || random_.one_in(3) ? random_.below(3)
                              : is_cluster()                          ? 1 + random_.below(2)
                                                                      : 2);
  }
  void access(Step& step);
  void bulk(Step& step);
  void barrier(Step& step);
  void flag(Step& step);
  void lock(Step& step);
  void unlock(Step& step);
  Step draw(Op op);
  Step next();
  bool add(const Step& step);
  void section(const Step& lock);
  void settle();
  void end_kernel();

  Random random_;
  Races races_;
  int allowed_ = 0;
  Program program_;
  std::optional<Oracle> oracle_, blind_;
  std::vector<Op> ops_;
  bool is_plain_ = false;
  const std::vector<Part>* idiom_ = nullptr;
  std::size_t at_ = 0;
  std::array<Step, 2> roles_;
  const Step* own_ = nullptr;  // who is to do the next step
  int cells_ = 1, first_cell_ = 0, mbarriers_ = 1, flags_ = 1;
};

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
  if (step.op != Op::bulk_load || !is_cluster()) return;
  if (random_.one_in(4)) step.place = Place::peer;
  if (random_.one_in(4)) step.place = Place::own, step.variant = kMulticast;
}

void Maker::barrier(Step& step) {
  const unsigned all = (1u << program_.warps) - 1;
  step.warps = all;
  step.variant = random_.below(3);
  if (random_.one_in(3)) return;
  step.object = 1 + random_.below(15);
  step.variant = 1 + random_.below(2);
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

// A step of the idiom under way, or one by chance.
Step Maker::next() {
  if (idiom_ == nullptr && random_.one_in(5)) {
    idiom_ = &random_.of(idioms());
    const auto signals = [](const Part& part) {
      return part.op == Op::signal || part.op == Op::unlock;
    };
    if (!is_plain_ && std::any_of(idiom_->begin(), idiom_->end(), signals))
      idiom_ = &idioms().back();
    at_ = 0;
    for (Step& role : roles_) {
      role.cta = random_.below(program_.ctas);
      role.warp = random_.below(program_.warps);
      role.lanes = random_.one_in(3) ? kAllAgents : one_lane();
      role.offset = cell() * kCellBytes;
      role.object = random_.below(mbarriers_);
    }
    roles_[1].object = roles_[0].object;
    const bool far = roles_[0].cta != roles_[1].cta;
    const bool in_global = far ? !is_cluster() || random_.one_in(2) : random_.one_in(6);
    roles_[0].place = in_global ? Place::global : far ? Place::peer : Place::own;
    roles_[1].place = in_global ? Place::global : Place::own;
  }
  if (idiom_ == nullptr) return draw(random_.of(ops_));
  const Part part = (*idiom_)[at_++];
  if (at_ == idiom_->size()) idiom_ = nullptr;
  if (random_.one_in(10)) return draw(random_.of(ops_));
  Step role = roles_[static_cast<std::size_t>(part.role % 2)];
  role.object += part.role / 2;
  own_ = random_.one_in(8) ? nullptr : &role;
  Step step = draw(part.op);
  own_ = nullptr;
  return step;
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
      step.variant = random_.one_in(8) ? kGlobalProxy : is_cluster() ? 0 : random_.below(2);
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

bool needs_cluster(Op op) {
  return op == Op::bulk_send || op == Op::async_store || op == Op::cluster_arrive ||
         op == Op::cluster_wait;
}

// Whether it can be taken, whatever the order of free locks, and does not bring a race too many.
bool Maker::add(const Step& step) {
  if (!oracle_->add(step)) return false;
  if (blind_ && !blind_->add(step)) return oracle_->undo(), false;
  const bool races = oracle_->new_races() > 0;
  if (races && (allowed_ == 0 || (races_ == Races::one && random_.one_in(2)))) {
    if (blind_) blind_->undo();
    return oracle_->undo(), false;
  }
  allowed_ -= races ? 1 : 0;
  program_.steps.push_back(step);
  return true;
}

// What is done under a lock in free order, up to its unlock: nothing that waits.
void Maker::section(const Step& lock) {
  static const std::vector<Op> kOps = {Op::load,  Op::load,  Op::store,  Op::store,
                                       Op::fence, Op::fence, Op::signal, Op::proxy_fence};
  Step role = lock;
  role.offset = roles_[0].offset;
  for (int k = random_.below(5); k > 0; --k) {
    own_ = random_.one_in(8) ? nullptr : &role;
    Step step = draw(random_.of(kOps));
    own_ = nullptr;
    add(step);
  }
  add(draw(Op::unlock));
}

// Whoever has arrived at the barrier of the cluster has to wait, and then all have to arrive.
void Maker::settle() {
  for (const Op op : {Op::cluster_wait, Op::cluster_arrive, Op::cluster_wait}) {
    if (op == Op::cluster_arrive && !oracle_->is_half_arrived()) return;
    for (int cta = 0; cta < program_.ctas; ++cta)
      for (int warp = 0; warp < program_.warps; ++warp) {
        Step step;
        step.op = op;
        step.cta = cta;
        step.warp = warp;
        step.lanes = kAllAgents;
        add(step);
      }
  }
}

void Maker::end_kernel() {
  settle();
  Step step;
  step.op = Op::next_kernel;
  add(step);
}

Program Maker::make() {
  const int wanted = 4 + random_.below(40);
  allowed_ = races_ == Races::none ? 0 : races_ == Races::one ? 1 : wanted;
  int kernels = random_.one_in(4) ? 2 + random_.below(2) : 1;
  for (int tries = 0; tries < 6 * wanted && static_cast<int>(program_.steps.size()) < wanted;
       ++tries) {
    const Step step = next();
    if (needs_cluster(step.op) && !is_cluster()) continue;
    if ((step.op == Op::wgmma || step.op == Op::wgmma_wait) && program_.warps < kWarps) continue;
    if (!add(step)) continue;
    if (step.op == Op::lock && program_.has_free_locks) section(step);
    if (kernels > 1 && random_.one_in(wanted / kernels + 1)) {
      --kernels;
      end_kernel();
    }
  }
  settle();
  return program_;
}

}  // namespace

Races races_of(std::uint64_t seed) { return static_cast<Races>(seed % 3); }

Program make_program(std::uint64_t seed) { return Maker(seed).make(); }

}  // namespace lanescope::emulator::races

// SPDX-License-Identifier: MIT
// Programs by chance: steps are drawn one after the other, and the oracle says of each whether it
// can be taken, and what races it brings.
#include <algorithm>

#include "tests/emulator/races/maker.hpp"

namespace lanescope::emulator::races {
namespace {

bool needs_cluster(Op op) {
  return op == Op::bulk_send || op == Op::async_store || op == Op::cluster_arrive ||
         op == Op::cluster_wait;
}

}  // namespace

Maker::Maker(std::uint64_t seed) : random_(seed), races_(races_of(seed)) {
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
  is_of_global_ = random_.one_in(4);
  cells_ = 1 + random_.below(4);
  first_cell_ = random_.one_in(3) ? 8 * random_.below(2) : random_.below(kCells - 8);
  program_.has_free_locks = seed / 9 % 2 == 1;
  program_.ends_at_once = seed / 18 % 3 == 1;
  mbarriers_ = 1 + random_.below(kMbarriers);
  flags_ = 1 + random_.below(6);
  oracle_.emplace(program_);
  if (program_.has_free_locks) blind_.emplace(program_, 0, false);
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
    const bool in_global =
        far ? !is_cluster() || random_.one_in(2) : random_.one_in(is_of_global_ ? 2 : 6);
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

Races races_of(std::uint64_t seed) { return static_cast<Races>(seed % 3); }

Program make_program(std::uint64_t seed) { return Maker(seed).make(); }

}  // namespace lanescope::emulator::races

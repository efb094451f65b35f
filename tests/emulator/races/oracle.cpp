// SPDX-License-Identifier: MIT
// Steps one after the other, and what they touch. (What orders that: order.cpp; who races:
// oracle_races.cpp.)
#include "tests/emulator/races/oracle.hpp"

namespace lanescope::emulator::races {

Oracle::Oracle(const Program& shape, unsigned without_rules, bool locks_tell)
    : shape_(shape), without_(without_rules), locks_tell_(locks_tell) {
  shape_.steps.clear();
  begin();
}

// As a kernel finds its mbarriers.
void Oracle::begin() {
  for (auto& of_cta : state_.mbarriers)
    for (std::size_t k = 0; k < of_cta.size(); ++k) {
      of_cta[k] = {};
      of_cta[k].expected = shape_.arrivals[k];
    }
}

// What is over, the next launch knows of; of global memory the flags and locks remain.
bool Oracle::next_kernel() {
  if (!is_settled() || state_.kernel + 1 == kKernels) return false;
  State next;
  next.kernel = state_.kernel + 1;
  next.outliving = outliving();
  next.tells = state_.tells;
  next.looks = state_.looks;
  next.flags[kGlobal] = state_.flags[kGlobal];
  next.locks[kGlobal] = state_.locks[kGlobal];
  state_ = std::move(next);
  begin();
  return true;
}

bool Oracle::add(const Step& step) {
  saved_ = state_;
  undo_ = {events_.size(), accesses_.size(), races_.size(), proxy_fences_.size(), votes_.size()};
  constexpr std::size_t kMostOfStep = 64;
  beside_.clear();
  const bool taken = events_.size() + kMostOfStep < kMostEvents && take(step);
  if (!taken) beside_.clear();
  ++step_;
  if (!taken || !beside_.empty()) return undo(), false;
  find_races(undo_.accesses);
  return true;
}

void Oracle::undo() {
  state_ = saved_;
  events_.resize(undo_.events);
  step_of_.resize(undo_.events);
  accesses_.resize(undo_.accesses);
  races_.resize(undo_.races);
  proxy_fences_.resize(undo_.proxy_fences);
  votes_.resize(undo_.votes);
  --step_;
}

bool Oracle::take(const Step& step) {
  switch (step.op) {
    case Op::load:
    case Op::store:
    case Op::atomic:
      return touch(step), true;
    case Op::matrix_load:
    case Op::matrix_store:
      return matrix(step), true;
    case Op::copy:
    case Op::copy_commit:
    case Op::copy_wait:
      return copy(step), true;
    case Op::copy_arrive:
      return copy_arrive(step);
    case Op::bulk_load:
    case Op::bulk_send:
    case Op::async_store:
      return bulk(step);
    case Op::bulk_store:
    case Op::bulk_commit:
    case Op::bulk_wait:
      return bulk_group(step), true;
    case Op::barrier:
      return barrier(step);
    case Op::warp_barrier:
      return meet(step), true;
    case Op::vote:
      return vote(step), true;
    case Op::arrive:
      return mbarrier_arrive(step);
    case Op::wait:
      return mbarrier_wait(step);
    case Op::proxy_fence:
    case Op::fence:
      return fence(step), true;
    case Op::signal:
      return signal(step);
    case Op::await:
      return await(step);
    case Op::lock:
      return lock(step);
    case Op::unlock:
      return unlock(step);
    case Op::cluster_arrive:
      return cluster_arrive(step);
    case Op::cluster_wait:
      return cluster_wait(step);
    case Op::renew:
      return renew(step);
    case Op::wgmma:
    case Op::wgmma_wait:
      return multiply(step);
    case Op::next_kernel:
      return next_kernel();
  }
  return false;
}

int Oracle::event(Agent& agent) {
  const int made = copy_event(agent.knows.before);
  agent.knows.before.set(static_cast<std::size_t>(made));
  agent.own.set(static_cast<std::size_t>(made));
  return made;
}

int Oracle::copy_event(const Events& before) {
  events_.push_back(before);
  step_of_.push_back(step_);
  return static_cast<int>(events_.size()) - 1;
}

void Oracle::access(const Step& step, int home, int offset, int bytes, bool writes, bool async,
                    std::vector<int> events) {
  Access made;
  made.step = step_;
  made.kernel = state_.kernel;
  made.home = home;
  made.offset = offset;
  made.bytes = bytes;
  made.writes = writes;
  made.async = async;
  made.strong = step.strength != Strength::plain;
  made.cta = step.cta;
  made.warp = step.warp;
  made.events = std::move(events);
  accesses_.push_back(std::move(made));
}

void Oracle::touch(const Step& step) {
  if (step.place == Place::global && step.strength != Strength::plain) {
    tells(step.cta) = true;
    for (int cta = 0; step.op == Op::load && cta < kCtas; ++cta)
      tells(cta) = true;  // whose plain store it may find
    if (step.op == Op::load || (step.op == Op::atomic && step.variant != kNoAnswer))
      looks(step.cta) = true;
  }
  const int home = step.place == Place::global ? kGlobal : shape_.home_of(step);
  each(step, [&](Agent& who, int lane) {
    const int made = event(who);
    if (step.op == Op::load) who.reads.set(static_cast<std::size_t>(made));
    access(step, home, step.offset + lane * step.stride, step.bytes, step.op != Op::load, false,
           {made});
    accesses_.back().is_parted =
        step.op == Op::store && step.stride == 0 && (step.lanes & (step.lanes - 1)) != 0 &&
        state_.diverged[static_cast<std::size_t>(step.cta)][static_cast<std::size_t>(step.warp)];
  });
}

// The warp as a whole: PTX does not say which lane touches what.
void Oracle::matrix(const Step& step) {
  std::vector<int> all;
  each(step, [&](Agent& who, int) {
    all.push_back(event(who));
    if (step.op == Op::matrix_load) who.reads.set(static_cast<std::size_t>(all.back()));
  });
  for (int cell = 0; cell < kCells; ++cell)
    if (((step.cells >> cell) & 1) != 0)
      access(step, step.cta, cell * kCellBytes, kCellBytes, step.op == Op::matrix_store, false,
             all);
}

// It writes some time between the copy and the wait of its thread: 9.7.9.25.3.
void Oracle::copy(const Step& step) {
  each(step, [&](Agent& who, int lane) {
    event(who);
    if (step.op == Op::copy_commit) ++who.commits;
    if (step.op == Op::copy) {
      const int write = copy_event(who.knows.before);
      access(step, step.cta, step.offset + lane * step.stride, step.bytes, true, false, {write});
      accesses_.back().is_copy = true;
      accesses_.back().is_parted = step.stride == 0 && (step.lanes & (step.lanes - 1)) != 0;
      who.copies.push_back({{}, {write}, who.commits});
      who.own.set(static_cast<std::size_t>(write));
    }
    if (step.op != Op::copy_wait) return;
    for (const Copy& copy : who.copies)  // count < 0: wait_all
      if (step.count < 0 || copy.group < who.commits - step.count)
        who.knows.before.set(static_cast<std::size_t>(copy.writes[0]));
  });
}

// The thread arrives for the bytes, at the mbarrier of who gets them; the copy itself hands on that
// it is done, and nothing of what its thread had done before.
bool Oracle::bulk(const Step& step) {
  const int home = shape_.home_of(step);
  bool fine = true;
  each(step, [&](Agent& who, int) {
    const bool to_both = step.op == Op::bulk_load && step.variant == kMulticast;
    for (int cta = to_both ? 0 : home; cta <= (to_both ? shape_.ctas - 1 : home); ++cta) {
      Mbarrier& barrier =
          state_.mbarriers[static_cast<std::size_t>(cta)][static_cast<std::size_t>(step.object)];
      const int arrival = event(who);
      Events by;
      by.set(static_cast<std::size_t>(arrival));
      std::vector<int> done;
      if (step.op == Op::bulk_send) {
        done.push_back(copy_event(who.knows.before));
        access(step, step.cta, step.stride, step.bytes, false, true, {done[0]});
        state_.flights.push_back({step_, step.cta, done[0]});
      }
      if (step.is_from_cells) {
        done.push_back(copy_event(who.knows.before));
        access(step, kGlobal, step.stride, step.bytes, false, true, {done.back()});
      }
      done.push_back(copy_event(who.knows.before));
      state_.flights.push_back({step_, cta, done.back()});
      access(step, cta, step.offset, step.bytes, true, step.op != Op::async_store, {done.back()});
      accesses_.back().is_sent = true;
      for (const int event : done) by.set(static_cast<std::size_t>(event));
      fine = fine && arrive(barrier, {arrival}, 1, by);
      barrier.handed.join(who.knows, has(Rule::fence_is_handed_on));
      for (const int event : done) barrier.handed.before.set(static_cast<std::size_t>(event));
      complete(barrier);
    }
  });
  return fine;
}

// 9.7.9.25.4.3: .read waits for the reads of the source, without it for the writes, too.
void Oracle::bulk_group(const Step& step) {
  each(step, [&](Agent& who, int) {
    event(who);
    if (step.op == Op::bulk_commit) ++who.bulk_commits;
    if (step.op == Op::bulk_store) {
      const int read = copy_event(who.knows.before);
      const int write = copy_event(events_[static_cast<std::size_t>(read)]);
      access(step, step.cta, step.stride, step.bytes, false, true, {read});
      access(step, kGlobal, step.offset, step.bytes, true, true, {write});
      who.bulks.push_back({{read}, {write}, who.bulk_commits, step_});
    }
    if (step.op != Op::bulk_wait) return;
    for (Copy& copy : who.bulks) {
      if (copy.group >= who.bulk_commits - step.count) continue;
      copy.is_over = true;
      who.knows.before.set(static_cast<std::size_t>(copy.reads[0]));
      if (step.variant == 0) who.knows.before.set(static_cast<std::size_t>(copy.writes[0]));
    }
  });
}

// Who has waited without an acquire knows that it is over, too, whatever it may read of it. Behind
// the barrier of the cluster at a kernel's end all know what one has heard of.
std::set<int> Oracle::outliving() const {
  std::array<Events, kCtas> known;
  std::set<int> steps = state_.outliving;
  for (std::size_t cta = 0; cta < kCtas; ++cta)
    for (const auto& warp : state_.agents[cta])
      for (const Agent& agent : warp) {
        known[cta] |= agent.knows.before | agent.knows.heard;
        for (const Copy& bulk : agent.bulks)
          if (shape_.ends_at_once && !bulk.is_over) steps.insert(bulk.step);
      }
  const bool meet = shape_.is_cluster && !shape_.ends_at_once;
  for (const Flight& flight : state_.flights) {
    const auto event = static_cast<std::size_t>(flight.event);
    const bool is_known = meet ? known[0][event] || known[1][event]
                               : known[static_cast<std::size_t>(flight.cta)][event];
    if (!is_known) steps.insert(flight.step);
  }
  return steps;
}

Judged judge(const Program& program, unsigned without_rules) {
  Oracle oracle(program, without_rules);
  for (const Step& step : program.steps)
    if (!oracle.add(step)) return {false, {}, {}};
  return {oracle.is_settled(), oracle.races(), oracle.outliving()};
}

bool is_program(const Program& program) {
  Oracle oracle(program, 0, !program.has_free_locks);
  for (const Step& step : program.steps)
    if (!oracle.add(step)) return false;
  return oracle.is_settled() && (!program.has_free_locks || oracle.holders().empty());
}

}  // namespace lanescope::emulator::races

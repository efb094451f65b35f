// SPDX-License-Identifier: MIT
// Accesses, and who of them races. (What orders them: order.cpp.)
#include "tests/emulator/races/oracle.hpp"

#include <algorithm>

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
  fence_steps_.resize(undo_.proxy_fences);
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
      }
      done.push_back(copy_event(who.knows.before));
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
      who.bulks.push_back({{read}, {write}, who.bulk_commits});
    }
    if (step.op != Op::bulk_wait) return;
    for (const Copy& copy : who.bulks) {
      if (copy.group >= who.bulk_commits - step.count) continue;
      who.knows.before.set(static_cast<std::size_t>(copy.reads[0]));
      if (step.variant == 0) who.knows.before.set(static_cast<std::size_t>(copy.writes[0]));
    }
  });
}

Verdict Oracle::judge(const Access& a, const Access& b) const {
  Verdict verdict = Verdict::ordered;
  bool is_unknown = false;
  for (const int from : a.events) {
    for (const int to : b.events) {
      if (!before(from, to)) {
        const bool voted = has(Rule::vote_tells) && !a.writes && !a.async && !b.async &&
                           !b.is_sent && a.cta == b.cta && a.warp == b.warp && from < b.voted;
        // The checker looks at a wgmma as one, and then at its warps.
        const bool is_one_of_four = !b.warps.empty() && !has(Rule::warp_for_warpgroup);
        if (!voted) return is_one_of_four ? Verdict::both : Verdict::unordered;
      }
      // 8.2: from the generic to the async proxy a fence of proxies stands on the way.
      if (a.async || !b.async || a.home == kGlobal) continue;
      const auto unknown = [&](int warp) { return !before(from, warp); };
      if (std::any_of(b.warps.begin(), b.warps.end(), unknown)) is_unknown = true;
      if (!a.writes && has(Rule::reads_need_no_proxy)) continue;
      const auto between = [&](int fence) { return before(from, fence) && before(fence, to); };
      if (std::none_of(proxy_fences_.begin(), proxy_fences_.end(), between))
        verdict = Verdict::unfenced;
    }
  }
  if (!is_unknown) return verdict;
  return verdict == Verdict::unfenced ? Verdict::both : Verdict::unordered;
}

// That a lane hears through a vote of a fence that came after its own store is open: the vote tells
// nothing of what the warp has stored, and the fence is of nothing else.
void Oracle::find_races(std::size_t first_new) {
  for (std::size_t n = first_new; n < accesses_.size(); ++n) {
    Access& b = accesses_[n];
    if (b.warp >= 0)
      b.asked = state_.asked[static_cast<std::size_t>(b.cta)][static_cast<std::size_t>(b.warp)];
    if (b.warp >= 0)
      b.voted = state_.voted[static_cast<std::size_t>(b.cta)][static_cast<std::size_t>(b.warp)];
    for (std::size_t k = 0; k < n; ++k) {
      const Access& a = accesses_[k];
      // Lanes of one instruction that store to the same place: one of them wins. Not copies.
      const bool is_one = a.step == b.step && !a.is_copy;
      const bool diverged =
          b.warp >= 0 &&
          state_.diverged[static_cast<std::size_t>(b.cta)][static_cast<std::size_t>(b.warp)];
      if (is_one && !diverged) continue;
      const int offset = std::max(a.offset, b.offset);
      const int end = std::min(a.offset + a.bytes, b.offset + b.bytes);
      if (a.kernel != b.kernel) continue;
      if (a.home != b.home || offset >= end || (!a.writes && !b.writes)) continue;
      if (a.strong && b.strong) continue;
      Verdict verdict = judge(a, b);
      const bool hears_of_fence = verdict == Verdict::ordered && b.async && !a.async && a.writes &&
                                  a.cta == b.cta && a.warp == b.warp && b.asked > a.events[0];
      if (verdict == Verdict::ordered && !hears_of_fence) continue;
      if (hears_of_fence) verdict = Verdict::unfenced;
      const bool reads_first = a.home == kGlobal && !shape_.is_cluster && a.cta != b.cta;
      const int reader = !reads_first ? -1 : !a.writes ? a.cta : !b.writes ? b.cta : -1;
      const int writer = reader == a.cta ? b.cta : a.cta;
      races_.push_back({a.step, b.step, a.kernel, reader, writer, a.home, offset, end, verdict,
                        is_one || hears_of_fence || is_open(a, b), k, n});
    }
  }
}

// Who polls may see it change: a strong load beside a plain store. And of lanes that store the same
// to one place the last is remembered.
bool Oracle::is_open(const Access& a, const Access& b) {
  return (a.strong && !a.writes) || (b.strong && !b.writes) || a.is_parted || b.is_parted;
}

// A copy that comes behind the first access, and the second behind the copy: so the two are in
// order, though a copy tells nobody of what was before it.
bool Oracle::is_overwritten(const Race& race) const {
  const Access &a = accesses_[race.one], &b = accesses_[race.other];
  return std::any_of(accesses_.begin(), accesses_.end(), [&](const Access& copy) {
    if ((!copy.is_copy && !copy.is_sent) || copy.kernel != b.kernel || copy.home != b.home ||
        !copy.writes || copy.offset > race.offset || copy.offset + copy.bytes < race.end)
      return false;
    const int at = copy.events[0];
    return std::all_of(a.events.begin(), a.events.end(),
                       [&](int event) { return before(event, at); }) &&
           std::all_of(b.events.begin(), b.events.end(),
                       [&](int event) { return before(at, event); });
  });
}

// An atomic of somebody who knew of the write, beside the atomic of somebody who does not.
bool Oracle::is_under_atomic(const Access& write, const Access& atomic) const {
  if (!write.writes || write.strong || !atomic.strong) return false;
  return std::any_of(accesses_.begin(), accesses_.end(), [&](const Access& over) {
    return over.strong && over.writes && over.kernel == write.kernel && over.home == write.home &&
           over.step != atomic.step && over.offset < write.offset + write.bytes &&
           write.offset < over.offset + over.bytes && before(write.events[0], over.events[0]);
  });
}

// Lanes have fenced as one: the second access comes behind one of them, and the fence of another is
// behind the first.
bool Oracle::is_fenced_together(const Access& a, const Access& b) const {
  for (std::size_t f = 0; f < proxy_fences_.size(); ++f)
    for (std::size_t g = 0; g < proxy_fences_.size(); ++g)
      if (fence_steps_[f] == fence_steps_[g] && before(a.events[0], proxy_fences_[f]) &&
          before(proxy_fences_[g], b.events[0]))
        return true;
  return false;
}

// Of a cell of global memory the checker keeps one write and two reads.
bool Oracle::is_forgotten(const Race& race) const {
  int reads = 0, strong_writes = 0;
  for (const Access& one : accesses_) {
    if (one.kernel != race.kernel || one.home != kGlobal || one.offset >= race.end ||
        race.offset >= one.offset + one.bytes)
      continue;
    reads += one.writes ? 0 : 1;
    strong_writes += one.writes && one.strong ? 1 : 0;
  }
  return strong_writes > 1 || reads > 2;
}

// A CTA that has stored something for others to poll may have told that it has read, one that has
// polled.
bool Oracle::may_be_told(const Race& race) const {
  const auto kernel = static_cast<std::size_t>(race.kernel);
  return has(Rule::reads_may_be_told) && race.reader >= 0 &&
         state_.tells[kernel][static_cast<std::size_t>(race.reader)] &&
         state_.looks[kernel][static_cast<std::size_t>(race.writer)];
}

bool Oracle::is_unseen(const Race& race) const {
  const Access &a = accesses_[race.one], &b = accesses_[race.other];
  return may_be_told(race) || (race.home == kGlobal && is_forgotten(race)) ||
         is_overwritten(race) || (race.verdict == Verdict::unfenced && is_fenced_together(a, b)) ||
         is_under_atomic(a, b) || is_under_atomic(b, a);
}

std::vector<Race> Oracle::races() const {
  std::vector<Race> all = races_;
  for (Race& race : all) race.is_open = race.is_open || is_unseen(race);
  // A read and a write that it need not see it has taken for ordered, and what it knew of the read
  // is gone.
  std::vector<Race> told = all;
  for (Race& race : all)
    race.is_open =
        race.is_open || std::any_of(told.begin(), told.end(), [&](const Race& other) {
          const auto shares = [&](int step) { return step == race.first || step == race.second; };
          return other.is_open && other.reader >= 0 && other.home == race.home &&
                 other.offset < race.end && race.offset < other.end &&
                 (shares(other.first) || shares(other.second));
        });
  return all;
}

Judged judge(const Program& program, unsigned without_rules) {
  Oracle oracle(program, without_rules);
  for (const Step& step : program.steps)
    if (!oracle.add(step)) return {false, {}};
  return {oracle.is_settled(), oracle.races()};
}

bool is_program(const Program& program) {
  Oracle oracle(program, 0, !program.has_free_locks);
  for (const Step& step : program.steps)
    if (!oracle.add(step)) return false;
  return oracle.is_settled() && (!program.has_free_locks || oracle.holders().empty());
}

}  // namespace lanescope::emulator::races

// SPDX-License-Identifier: MIT
// Global memory: the same questions as of shared memory, between all CTAs of the launch; and the
// flags, counters and locks through which they tell each other.
//
//     writer: data; fence; strong store or atomic --publish--> place --hear--> strong load; data
//
// The reader's side is taken as it is mostly written: a strong load is enough, without a fence
// after it, but for --strict. Scopes count: what __threadfence_block() has covered reaches the own
// cluster only. Source: PTX ISA 9.2, 8.7 (release and acquire patterns), 8.9 (causality order).
#include <algorithm>
#include <cstring>
#include <utility>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {

bool Checker::knows_of(const Actor& actor, const GlobalTouch& before) const {
  if (before.cluster() == cluster_->number) return ordered(actor.knows->order, before.touch, actor);
  const Heard& heard = actor.knows->elsewhere;
  return heard != nullptr && heard->covers(before.cluster(), before.touch.component(),
                                           before.touch.lanes, before.touch.time);
}

// 8.2: from the generic to the async proxy a fence of proxies stands on the way. (The other way
// round a copy's end is one: 9.7.9.25.2.) What comes before is known.
bool Checker::is_unfenced(const Actor& actor, const GlobalTouch& before) const {
  if (!actor.is_async || before.is_async()) return false;
  if (before.cluster() == cluster_->number)
    return !ordered(actor.knows->fenced_global, before.touch, actor);
  return !actor.knows->elsewhere->covers_fenced(before.cluster(), before.touch.component(),
                                                before.touch.lanes, before.touch.time);
}

// 8.6: strong operations do not race, but where the scope of one does not reach the other.
bool Checker::may_meet(const Actor& actor, const GlobalTouch& before) const {
  return before.is_strong() && actor.is_strong &&
         (before.cluster() == cluster_->number || (!before.is_near() && !actor.is_near));
}

// A plain store that another thread reads with a strong load is taken for a flag where fences are.
bool Checker::has_released(const GlobalTouch& before) const {
  return !before.is_strong() && global_.releases.last(before.cluster()) != 0;
}

void Checker::global_read(const Actor& actor, std::uint64_t address, std::uint64_t bytes) {
  const GlobalTouch me = global_touch(actor);
  if (launch_.before != nullptr) meets_earlier(actor, address, bytes, false);
  if (actor.component < last_global_.size() && !actor.is_strong)
    last_global_[actor.component] = now_;
  const auto look = [&](const GlobalTouch& write, GlobalReads* reads, std::uint64_t at,
                        std::uint32_t size) {
    const bool may_differ = may_meet(actor, write) || (write.is_strong() && actor.is_guess);
    if (write.is_there() && !may_differ && !knows_of(actor, write)) {
      const bool is_near = write.cluster() == cluster_->number;
      if (actor.is_strong && !write.is_strong())
        global_.hearsay.tells(write.cluster(), write.touch.time);
      if (actor.is_strong && has_released(write))
        news_.push_back({actor.warp, actor.lanes, write.cluster()});
      else
        report_global(write.is_strong() && actor.is_strong ? FindingKind::narrow_scope
                      : is_near                            ? FindingKind::global_read_after_write
                                                           : FindingKind::far_read_after_write,
                      actor, at, write);
    } else if (write.is_there() && actor.is_by_nc) {
      report_global(FindingKind::non_coherent_read, actor, at, write);
    } else if (may_be_cached(actor, write, at, size)) {
      report_global(FindingKind::cached_read, actor, at, write);
    } else if (write.is_there() && !may_differ && is_unfenced(actor, write)) {
      report_global(FindingKind::global_unfenced, actor, at, write);
    } else if (const GlobalTouch* other = unknown_beside(actor, write, at, size);
               other != nullptr) {
      report_global(FindingKind::far_read_after_write, actor, at, *other);
    }
    if (actor.is_strong) {
      const GlobalTouch* plain = may_differ ? plain_under(actor, write, at) : nullptr;
      if (plain != nullptr && !has_released(*plain))
        report_global(plain->cluster() == cluster_->number ? FindingKind::global_read_after_write
                                                           : FindingKind::far_read_after_write,
                      actor, at, *plain);
      looks(write);
    }
    if (!actor.is_guess) add_global_reader(actor, *reads, me);
  };
  global_.shadow.each(address, bytes, true, look);
}

// Two are kept: the latest, and of those before one that it does not follow from.
void Checker::add_global_reader(const Actor& actor, GlobalReads& reads,
                                const GlobalTouch& me) const {
  for (GlobalTouch& read : reads) {
    const bool same = read.is_there() && read.cluster() == me.cluster() &&
                      (read.touch.where ^ me.touch.where) >> Touch::kPcBits == 0;
    if (same && read.touch.time == me.touch.time && read.mark == me.mark) {
      read.touch.lanes |= me.touch.lanes;
      return;
    }
    if (!read.is_there() || (same && (read.touch.lanes & ~me.touch.lanes) == 0)) {
      read = me;
      return;
    }
  }
  if (knows_of(actor, reads[0])) reads[0] = reads[1];
  reads[1] = me;
}

// That a CTA has read something it may say without a fence: the flag's value depends on it. And
// this one may know if it has looked at anything since, perhaps by way of a third.
bool Checker::may_have_told(const GlobalTouch& read) const {
  if (options_.strict || !global_.has_flags || !read.is_there() ||
      read.cluster() == cluster_->number)
    return false;
  return global_.hearsay.may_know(cluster_->number, read.cluster(), read.touch.time);
}

// At what somebody has written in this launch.
void Checker::looks(const GlobalTouch& at) {
  if (at.is_there() && global_.has_flags) global_.hearsay.looks(cluster_->number);
}

void Checker::global_write(const Actor& actor, std::uint64_t address, std::uint64_t bytes) {
  const GlobalTouch me = global_touch(actor);
  if (launch_.before != nullptr && pass_ != Pass::sets) meets_earlier(actor, address, bytes, true);
  if (actor.component < last_global_.size()) last_global_[actor.component] = now_;
  if (actor.is_strong) global_.hearsay.tells(cluster_->number, now_);
  const auto look = [&](GlobalTouch& write, GlobalReads* reads, std::uint64_t at,
                        std::uint32_t size) {
    const bool is_read = reads != nullptr && (*reads)[0].is_there();
    if (actor.answers) looks(write);
    if ((write.is_there() || is_read) && pass_ != Pass::sets)
      check_global_write(actor, write, reads, at, size);
    if (pass_ == Pass::looks) return;
    const bool is_same =
        pass_ == Pass::sets && write.touch.time == now_ && write.touch.where == actor.where() &&
        (write.mark & ~(GlobalTouch::kUnder | GlobalTouch::kMore | GlobalTouch::kCached)) ==
            me.mark;
    const std::uint32_t others = is_same ? write.touch.lanes : 0;
    const bool is_over = actor.is_strong && keep_under(write, at);
    const bool is_beside = actor.is_strong && keep_beside(actor, write, at, size);
    const bool is_cached = keep_cached(actor, reads, at, size);
    write = me;
    write.touch.lanes |= others;
    if (is_over) write.mark |= GlobalTouch::kUnder;
    if (is_beside) write.mark |= GlobalTouch::kMore;
    if (is_cached) write.mark |= GlobalTouch::kCached;
    if (is_read) *reads = {};
  };
  global_.shadow.each(address, bytes, false, look);
}

void Checker::check_global_write(const Actor& actor, const GlobalTouch& write,
                                 const GlobalReads* reads, std::uint64_t address,
                                 std::uint32_t bytes) {
  const auto check = [&](const GlobalTouch& before, FindingKind near, FindingKind far) {
    if (!before.is_there() || may_meet(actor, before)) return;
    if (knows_of(actor, before)) {
      const bool is_read = near == FindingKind::global_write_after_read;
      if (is_unfenced(actor, before) && (!is_read || options_.strict))
        report_global(
            is_read ? FindingKind::global_late_read : FindingKind::global_unfenced_overwritten,
            actor, address, before);
      return;
    }
    const FindingKind kind = before.is_strong() && actor.is_strong  ? FindingKind::narrow_scope
                             : before.cluster() == cluster_->number ? near
                                                                    : far;
    if (!defers_ || kind == FindingKind::narrow_scope)
      return report_global(kind, actor, address, before);
    DeferredGlobal& made = deferred_global_.emplace_back();
    made.kind = kind;
    made.actor = actor;
    made.address = address;
    made.bytes = bytes;
    made.other = before;
    std::memcpy(made.old.data(), reinterpret_cast<const void*>(address), bytes);
  };
  // Lanes of one instruction that write the same place: one of them wins, which is allowed.
  const bool same_instruction = may_meet_itself_ && write.is_there() &&
                                write.touch.where == actor.where() && write.touch.time == now_ &&
                                write.cluster() == cluster_->number;
  // Who has seen a flag's value, or hears of somebody who has, knows that it was written.
  const auto saw = [&](const GlobalTouch& read) {
    return read.is_there() && read.is_strong() && knows_of(actor, read);
  };
  const bool seen =
      write.is_strong() && reads != nullptr && std::any_of(reads->begin(), reads->end(), saw);
  if (!same_instruction && !seen) {
    const GlobalTouch* below = actor.is_strong ? plain_under(actor, write, address)
                                               : unknown_beside(actor, write, address, bytes);
    for (const GlobalTouch* before = &write; before != nullptr;
         before = std::exchange(below, nullptr))
      check(*before, FindingKind::global_write_after_write, FindingKind::far_write_after_write);
  }
  if (reads == nullptr) return;
  for (const GlobalTouch& read : *reads) {
    // Who polls a flag with a strong load may see it change.
    const bool is_flag =
        read.is_there() && read.is_strong() && actor.knows->released_near != nullptr;
    const bool is_near = read.is_there() && read.cluster() == cluster_->number;
    if (is_near && has_read(actor, read.touch)) continue;
    if (!is_flag && !(may_have_told(read) && !actor.is_strong))
      check(read, FindingKind::global_write_after_read, FindingKind::far_write_after_read);
  }
}

// A loop that polls and fences: nothing has happened since the last time.
bool Checker::has_published_all(const Knowledge& knows, std::size_t component) const {
  const std::uint64_t mine = cluster_->number;
  if (knows.released == nullptr || mine >= knows.released->heard.size()) return false;
  const std::uint32_t number = knows.released->heard[mine];
  if (number == 0 || knows.far_at < last_global_[component]) return false;
  return global_.releases.clock(mine, number).includes(knows.order) &&
         joined(knows.released, knows.elsewhere) == knows.released;
}

// What `known` says, and a release of the own cluster's `clock`.
Heard Checker::with_release(const Heard& known, Clock clock) {
  const std::shared_ptr<Elsewhere> made = global_.releases.make(known);
  if (global_.releases.tells_apart()) {
    if (made->heard.size() <= cluster_->number) made->heard.resize(cluster_->number + 1, 0);
    made->heard[cluster_->number] = global_.releases.add(cluster_->number, std::move(clock));
  }
  return made;
}

// What a cluster knows of others, and has done itself, and a fence of proxies stands behind.
Heard Checker::with_proxy_fence(const Heard& known, Clock fenced) {
  if (!plan_.has_releases || !global_.releases.tells_apart()) return known;
  const std::shared_ptr<Elsewhere> made = global_.releases.make(known);
  made->fenced = made->heard;
  if (made->fenced.size() <= cluster_->number) made->fenced.resize(cluster_->number + 1, 0);
  made->fenced[cluster_->number] =
      global_.releases.add(cluster_->number, std::move(fenced), Releases::By::proxy_fence);
  return made;
}

void Checker::fence_memory(const Warp& warp, std::uint32_t lanes, bool is_far, bool acquires) {
  const std::size_t component = component_of(warp);
  if (is_far && acquires) l1_emptied_ = now_;
  each_known(warp, lanes, [&](Knowledge& knows, std::uint32_t) {
    if (acquires) knows.acquire_heard(is_far);
    knows.released_near = std::make_shared<const Ready>(knows);  // that part of it
    knows.near_at = now_;
    if (!is_far || has_published_all(knows, component)) return;
    knows.released = with_release(knows.elsewhere, knows.order);
    knows.published = nullptr;
    knows.far_at = now_;
  });
  ++now_;
}

// What these lanes would hand over through a flag: what was made ready, and each what it had done.
std::shared_ptr<const Ready> Checker::ready_near(const Knowledge& knows, std::size_t component,
                                                 std::uint32_t lanes) const {
  if (knows.near_at == 0) return knows.released_near;
  Ready made = *knows.released_near;
  made.order.raise(component, lanes, knows.near_at);
  return std::make_shared<const Ready>(std::move(made));
}

Heard Checker::ready_far(Knowledge& knows, std::size_t component, std::uint32_t lanes) {
  if (knows.far_at == 0 || !global_.releases.tells_apart()) return knows.released;
  if (knows.published != nullptr && knows.published_lanes == lanes) return knows.published;
  Clock clock = global_.releases.clock(cluster_->number, knows.released->heard[cluster_->number]);
  clock.raise(component, lanes, knows.far_at);
  knows.published = with_release(knows.released, std::move(clock));
  knows.published_lanes = lanes;
  return knows.published;
}

void Checker::publish(const Warp& warp, std::uint32_t lanes, std::uint64_t key, bool is_far) {
  if (!plan_.has_releases) return;
  const std::size_t component = component_of(warp);
  for (LaneClass& known : warps_[component]) {
    const std::uint32_t own = own_lanes(warp, known.lanes & lanes) & known.lanes;
    if ((known.lanes & lanes) == 0) continue;
    if (known.knows.released_near != nullptr)
      published_near_[key].join(*ready_near(known.knows, component, own));
    if (known.knows.released == nullptr || !is_global(key) || !is_far) continue;
    Heard& there = global_.published[key];
    there = joined(there, ready_far(known.knows, component, own));
  }
}

// What other clusters have told there.
Knowledge Checker::far_news(const Warp& warp, std::uint32_t lanes, std::uint64_t key) {
  Knowledge news;
  if (is_global(key))
    if (const auto far = global_.published.find(key); far != global_.published.end())
      news.elsewhere = far->second;
  for (const LateNews& late : news_) {
    if (late.warp != &warp || (late.lanes & lanes) == 0 || !global_.releases.tells_apart())
      continue;
    const std::shared_ptr<Elsewhere> made = global_.releases.make(nullptr);
    made->heard.resize(late.cluster + 1, 0);
    made->heard[late.cluster] = global_.releases.last(late.cluster);
    made->fenced.resize(late.cluster + 1, 0);
    made->fenced[late.cluster] = global_.releases.last(late.cluster, Releases::By::proxy_fence);
    news.elsewhere = joined(news.elsewhere, made);
  }
  if (news.elsewhere == nullptr) return news;
  const auto told_of_us = [&](const std::vector<std::uint32_t>& known, Clock& clock) {
    const std::uint64_t mine = cluster_->number;
    if (mine < known.size() && known[mine] != 0) clock = global_.releases.clock(mine, known[mine]);
  };
  told_of_us(news.elsewhere->heard, news.order);
  told_of_us(news.elsewhere->fenced, news.fenced_global);
  return news;
}

void Checker::hear(const Warp& warp, std::uint32_t lanes, std::uint64_t key, bool is_far,
                   bool acquires) {
  if (!plan_.has_releases) return;
  if (is_far && acquires) l1_emptied_ = now_;
  Knowledge near, far;
  if (const auto found = published_near_.find(key); found != published_near_.end())
    near.learn(found->second);
  if (is_far) far = far_news(warp, lanes, key);
  if (near.elsewhere == nullptr && far.elsewhere == nullptr && near.order.is_empty()) return;
  if (!acquires && options_.strict)
    return hear_of(warp, lanes, near, far.elsewhere != nullptr ? &far : nullptr);
  near.join(far);
  acquire(warp, lanes, near);
}

}  // namespace lanescope::emulator

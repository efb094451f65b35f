// SPDX-License-Identifier: MIT
// What a set of lanes knows, or a barrier hands on: of the warps of its cluster, of other clusters,
// and what of it would reach others through a flag.
#pragma once

#include <memory>

#include "emulator/check/clock.hpp"
#include "emulator/check/elsewhere.hpp"

namespace lanescope::emulator {

/// What reaches the own cluster through a flag.
struct Ready {
  Clock order;          // of the cluster
  Clock fenced;         // what of it went through a fence.proxy.async on its way here
  Clock fenced_global;  // the same for global memory: through one that is for that
  Clock reads;  // of the cluster, as far as it has read: beyond `order`, by habit and not by PTX
  Clock fenced_reads;  // what of those went through a fence.proxy.async
  Heard elsewhere;

  void join(const Ready& other) {
    order.join(other.order);
    fenced.join(other.fenced);
    fenced_global.join(other.fenced_global);
    reads.join(other.reads);
    fenced_reads.join(other.fenced_reads);
    if (other.elsewhere != elsewhere) elsewhere = joined(elsewhere, other.elsewhere);
  }
};

struct Knowledge : Ready {
  // What a memory fence has made ready: the next strong store of whoever has heard of the fence
  // publishes it. PTX wants that fence in the thread of the store; a barrier between is accepted.
  Heard released;                              // .gpu and .sys
  std::shared_ptr<const Ready> released_near;  // any scope: for the own cluster
  // When the lanes of a set fenced last, and each made ready what it had done itself: not the
  // others of the set. 0: never. (Not handed on, unlike the rest; Checker::release turns it into
  // `released`.)
  Time far_at = 0, near_at = 0;
  Heard published;  // `released` and that, of these lanes: made when first needed
  std::uint32_t published_lanes = 0;
  // What mbarriers, with --strict flags, too, have told without an acquire. The next fence makes it
  // known.
  std::shared_ptr<const Knowledge> heard, heard_far;  // of other clusters: that wants .gpu

  void join(const Knowledge& other) {
    Ready::join(other);
    if (other.released != released) join_far(other.released);
    if (other.released_near != released_near) join_near(other.released_near);
    if (other.heard != heard) join_heard(heard, other.heard);
    if (other.heard_far != heard_far) join_heard(heard_far, other.heard_far);
  }
  /// What is ready becomes known.
  void learn(const Ready& news) { Ready::join(news); }
  void join_far(const Heard& other) {
    released = joined(released, other);
    published = nullptr;
  }
  void join_near(const std::shared_ptr<const Ready>& other) {
    if (other == nullptr) return;
    if (released_near == nullptr) {
      released_near = other;
      return;
    }
    Ready both = *released_near;
    both.join(*other);
    released_near = std::make_shared<const Ready>(std::move(both));
  }
  static void join_heard(std::shared_ptr<const Knowledge>& mine,
                         const std::shared_ptr<const Knowledge>& other) {
    if (other == nullptr || mine == nullptr) {
      if (mine == nullptr) mine = other;
      return;
    }
    auto both = std::make_shared<Knowledge>(*mine);
    both->join(*other);
    mine = std::move(both);
  }
  /// A fence: what was heard is known; of other clusters if it is_far.
  void acquire_heard(bool is_far) {
    const auto take = [&](std::shared_ptr<const Knowledge>& from) {
      if (from == nullptr) return;
      const std::shared_ptr<const Knowledge> news = std::move(from);
      from = nullptr;
      join(*news);
    };
    take(heard);
    if (is_far) take(heard_far);
  }
  void clear() {
    order.clear();
    fenced.clear();
    fenced_global.clear();
    reads.clear();
    fenced_reads.clear();
    elsewhere = released = published = nullptr;
    released_near = nullptr;
    heard = heard_far = nullptr;
    far_at = near_at = 0;
  }
};

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
// What a set of lanes knows, or a barrier hands on: of the warps of its cluster, of other clusters,
// and what of it would reach others through a flag.
#pragma once

#include <memory>

#include "emulator/check/clock.hpp"
#include "emulator/check/elsewhere.hpp"

namespace lanescope::emulator {

struct Knowledge {
  Clock order;   // of the cluster
  Clock fenced;  // what of it went through a fence.proxy.async on its way here
  Heard elsewhere;
  // What a memory fence has made ready: the next strong store of whoever has heard of the fence
  // publishes it. PTX wants that fence in the thread of the store; a barrier between is accepted.
  Heard released;                              // .gpu and .sys
  std::shared_ptr<const Clock> released_near;  // any scope: for the own cluster

  void join(const Knowledge& other) {
    order.join(other.order);
    fenced.join(other.fenced);
    if (other.elsewhere != elsewhere) elsewhere = joined(elsewhere, other.elsewhere);
    if (other.released != released) released = joined(released, other.released);
    if (other.released_near != released_near) join_near(other.released_near);
  }
  void clear() {
    order.clear();
    fenced.clear();
    elsewhere = released = nullptr;
    released_near = nullptr;
  }

 private:
  void join_near(const std::shared_ptr<const Clock>& other) {
    if (other == nullptr) return;
    if (released_near == nullptr) {
      released_near = other;
      return;
    }
    Clock both = *released_near;
    both.join(*other);
    released_near = std::make_shared<const Clock>(std::move(both));
  }
};

}  // namespace lanescope::emulator

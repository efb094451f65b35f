// SPDX-License-Identifier: MIT
// What a thread knows of the others: up to which time their accesses happened before it.
//
//     component   0 .. warps-1   warps of the cluster, CTA after CTA, each of 32 lanes
//                 warps ..       what copies on its own: an mbarrier, a warpgroup, a bulk group
//
// Times count the events of a cluster that publish something (arrivals, waits, fences). Nearly
// always all lanes of a warp are known up to the same time; where they are not, `some` has them one
// by one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace lanescope::emulator {

using Time = std::uint32_t;

class Clock {
 public:
  /// Up to which time everything that `component` did is known.
  Time known(std::size_t component) const { return component < all_.size() ? all_[component] : 0; }

  /// Up to which time everything that the first `components` did is known.
  Time known_of_all(std::size_t components) const { return components <= all_.size() ? least_ : 0; }

  /// Whether what `lanes` of the component did until `time` happened before.
  bool covers(std::size_t component, std::uint32_t lanes, Time time) const {
    return known(component) >= time || (!some_.empty() && covers_lanes(component, lanes, time));
  }

  bool is_empty() const;
  /// Whether whatever `other` knows is known here.
  bool includes(const Clock& other) const;

  /// Whether anything of the component is known.
  bool has_heard_of(std::size_t component) const;

  /// What another clock knows is known here, too.
  void join(const Clock& other);
  /// Whatever `lanes` of the component did until `time` is known.
  void raise(std::size_t component, std::uint32_t lanes, Time time);
  void forget(std::size_t component);
  void clear();

 private:
  struct Lanes {
    std::size_t component = 0;
    std::array<Time, 32> times{};
  };
  bool covers_lanes(std::size_t component, std::uint32_t lanes, Time time) const;
  Lanes& lanes_of(std::size_t component);
  void settle();
  void tidy();

  std::vector<Time> all_;
  Time least_ = 0;  // of all_
  std::vector<Lanes> some_;
};

}  // namespace lanescope::emulator

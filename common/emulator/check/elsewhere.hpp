// SPDX-License-Identifier: MIT
// What clusters of a launch know of each other, through flags and counters in global memory.
//
//     cluster 3   release 1 {its clock then}   release 2 {...}   ...         Releases
//                                   ^
//     a thread of cluster 5    [ 0 0 0 2 0 . ]                               Elsewhere
//
// A fence makes a release of all that its thread knows; a strong store publishes it at its address;
// a strong load there learns it. Only the number of a release is handed around. What has gone
// through a fence.proxy.async on the way is another row of such numbers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/check/clock.hpp"

namespace lanescope::emulator {

class Releases;

struct Elsewhere {
  Releases* releases = nullptr;
  std::vector<std::uint32_t> heard;   // by cluster: the number of a release
  std::vector<std::uint32_t> fenced;  // the same, of what a fence of proxies stands behind

  bool covers(std::uint64_t cluster, std::size_t component, std::uint32_t lanes, Time time) const {
    return covers(heard, cluster, component, lanes, time);
  }
  bool covers_fenced(std::uint64_t cluster, std::size_t component, std::uint32_t lanes,
                     Time time) const {
    return covers(fenced, cluster, component, lanes, time);
  }
  /// Of any cluster that has been heard of, whether it knew something of a component.
  bool anybody_knows(std::size_t component) const;

 private:
  bool covers(const std::vector<std::uint32_t>& known, std::uint64_t cluster, std::size_t component,
              std::uint32_t lanes, Time time) const;
};
using Heard = std::shared_ptr<const Elsewhere>;

class Releases {
 public:
  /// Grids with more clusters than this are not told apart: who has heard of one has of all.
  static constexpr std::uint64_t kMostClusters = 4096;

  explicit Releases(std::uint64_t clusters)
      : logs_(clusters <= kMostClusters ? clusters : 0), clusters_(clusters) {}

  enum class By : std::uint8_t { memory_fence, proxy_fence };

  bool tells_apart() const { return clusters_ <= kMostClusters; }
  /// The number of a new release: 1, 2, ... Others may go now that no Elsewhere names any more.
  std::uint32_t add(std::uint64_t cluster, Clock clock, By fence = By::memory_fence);
  const Clock& clock(std::uint64_t cluster, std::uint32_t number) const {
    return at(cluster, number).clock;
  }
  /// The latest; 0: there is none.
  std::uint32_t last(std::uint64_t cluster, By fence = By::memory_fence) const {
    return tells_apart() ? logs_[cluster].last[static_cast<std::size_t>(fence)] : 0;
  }
  /// A release that says what both of these say; 0 says nothing.
  std::uint32_t join(std::uint64_t cluster, std::uint32_t a, std::uint32_t b);

  /// What is known of others is made here, so that the releases that it names are kept.
  std::shared_ptr<Elsewhere> make(const Heard& like);

  /// How many are kept before those are looked for that may go.
  static constexpr std::size_t kMany = 1 << 14;
  std::size_t kept() const { return kept_; }

 private:
  struct Release {
    std::uint32_t number, since;  // it includes all from that one on
    Clock clock;
  };
  struct Log {
    std::vector<Release> releases;        // by number; the latest are always there
    std::array<std::uint32_t, 2> last{};  // by whom: a memory fence, a fence of proxies
  };

  const Release& at(std::uint64_t cluster, std::uint32_t number) const;
  void forget_expired();
  void sweep();

  std::vector<Log> logs_;
  std::uint64_t clusters_;
  std::vector<std::weak_ptr<const Elsewhere>> made_;
  std::size_t kept_ = 0, most_ = kMany, most_made_ = kMany;
};

/// What both know.
Heard joined(const Heard& a, const Heard& b);

}  // namespace lanescope::emulator

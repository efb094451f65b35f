// SPDX-License-Identifier: MIT
// Which clusters may have heard, without a fence, what another had done up to a time: the one has
// told others since, by a store or atomic that they may look at, and the other has looked at
// anything after that, perhaps at what a third one told.
//
//     turn        1      2      3      4      5      6
//     cluster 0  tells         tells         tells           up to times 10, 20, 30
//     cluster 1         looks         looks                  knows of 0 up to 20
//     cluster 2                looks                         knows of 0 up to 10
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/check/clock.hpp"

namespace lanescope::emulator {

class Hearsay {
 public:
  /// From now on others may know what the cluster had done up to this time of its own.
  void tells(std::uint64_t cluster, Time time);
  void looks(std::uint64_t cluster) { looked_[cluster] = ++turns_; }
  /// It has ended, and asks no more.
  void leaves(std::uint64_t cluster) { looked_.erase(cluster); }
  /// What the teller had done at that time? Nobody asks it of himself.
  bool may_know(std::uint64_t listener, std::uint64_t teller, Time time) const;

  /// How much is kept of what a cluster has told: of n others that have looked and not ended at
  /// most 2 n + 2, or this.
  static constexpr std::size_t kAlways = 64;
  std::size_t kept(std::uint64_t cluster) const;

 private:
  struct Told {
    Time time;           // told up to here
    std::uint64_t turn;  // who has looked after this knows it
  };
  struct Teller {
    std::vector<Told> told;  // both rise
    std::size_t most = kAlways;
  };
  void merge(std::uint64_t cluster, Teller& teller) const;

  std::unordered_map<std::uint64_t, Teller> tellers_;
  std::unordered_map<std::uint64_t, std::uint64_t> looked_;  // by cluster: the last turn
  std::uint64_t turns_ = 0;                                  // they count for all clusters
};

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
// Another order of the warps of a cluster, the same for the same seed: which warp has its turn
// when, and for how long. Right programs give the same results in any; a race may show in one and
// hide in the next. The generator is splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom
// Number Generators, 2014); every cluster has its own, so that results do not depend on threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

inline std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t word = state;
  word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
  word = (word ^ word >> 27) * 0x94d049bb133111eb;
  return word ^ word >> 31;
}

/// 0 (the usual order) for seed 0.
inline std::uint64_t first_random(std::uint64_t seed, std::uint64_t cluster) {
  if (seed == 0) return 0;
  std::uint64_t state = seed ^ cluster * 0xd6e8feb86659fd93;
  return next_random(state) | 1;
}

/// The warps in the order of their turns.
inline std::vector<std::size_t> warp_order(Cluster& cluster, std::size_t warps) {
  std::vector<std::size_t> order(warps);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (cluster.random == 0) return order;
  for (std::size_t left = warps; left > 1; --left)
    std::swap(order[left - 1], order[next_random(cluster.random) % left]);
  return order;
}

/// How many instructions a turn has: few in another order, so that warps meet at other places.
inline std::uint64_t turn_of(Cluster& cluster, std::uint64_t usual) {
  constexpr std::uint64_t kShortest = 4, kLongest = 512;
  return cluster.random == 0 ? usual : kShortest + next_random(cluster.random) % kLongest;
}

}  // namespace lanescope::emulator

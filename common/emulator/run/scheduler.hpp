// SPDX-License-Identifier: MIT
// Runs CTAs: whose turn it is, where lanes part and meet again, who waits for whom.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

struct Cluster;

enum class CtaEnd : std::uint8_t {
  done,
  fault,
  deadlock,
  out_of_budget,
  polling,  // everybody waits for memory that another cluster may write
};

struct CtaResult {
  CtaEnd end = CtaEnd::done;
  int warp = 0;        // that faulted
  int rank = 0;        // of its CTA in the cluster
  std::string reason;  // of a deadlock: who waits for what
  std::string advice = "every thread must reach the barrier it is counted in";
};

/// Builds the warps of a CTA; the buffers of an earlier use are kept.
void prepare_cta(Cta& cta, const LaunchState& launch, std::uint64_t number);

/// Runs a warp until it waits, ends, faults (false) or its turn is over.
bool run_warp(Cta& cta, Warp& warp);

/// Builds the CTAs of cluster `number`.
void prepare_cluster(Cluster& cluster, const LaunchState& launch, std::uint64_t number);

/// Runs until the cluster is done, only polls, or has executed `budget` warp instructions; may be
/// called again.
CtaResult run_cluster(Cluster& cluster, std::uint64_t budget);

/// "warp 3 polls memory at 0x7f.. (PTX line 40)" and so on for the first CTA that is not done.
CtaResult describe_polling(const Cluster& cluster);

}  // namespace lanescope::emulator

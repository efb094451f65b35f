// SPDX-License-Identifier: MIT
// A CTA before its first instruction: its place in the grid, its shared memory, its warps.
#include <algorithm>
#include <cstring>

#include "emulator/run/cluster.hpp"
#include "emulator/run/frame.hpp"
#include "emulator/run/scheduler.hpp"
#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {

void prepare_cta(Cta& cta, const LaunchState& launch, std::uint64_t number) {
  const std::array<int, 3>& grid = launch.request->grid;
  cta.launch = &launch;
  cta.number = number;
  const auto x = static_cast<std::uint64_t>(grid[0]);
  const auto y = static_cast<std::uint64_t>(grid[1]);
  cta.block = {static_cast<int>(number % x), static_cast<int>(number / x % y),
               static_cast<int>(number / x / y)};
  if (!cta.shared) cta.shared = aligned_bytes(static_cast<std::size_t>(launch.shared_bytes));
  std::memset(cta.shared.get(), kPoison, static_cast<std::size_t>(launch.shared_bytes));
  cta.barriers = {};
  cta.live_threads = launch.threads;
  cta.async = std::make_shared<CtaAsync>();
  if (cta.tensor != nullptr) cta.tensor->reset();
  cta.async->warpgroups.resize(static_cast<std::size_t>(launch.threads / (4 * kLanes)));
  cta.async->registers.assign(static_cast<std::size_t>(launch.warps),
                              (launch.function->launch_registers + 7) / 8 * 8);
  cta.async->cluster_phase.assign(static_cast<std::size_t>(launch.warps) * kLanes, 0);
  cta.warps.resize(static_cast<std::size_t>(launch.warps));
  for (int index = 0; index < launch.warps; ++index) {
    Warp& warp = cta.warps[static_cast<std::size_t>(index)];
    for (const Group& left : warp.groups) leave_frame(cta, left.frame);
    const int lanes = std::min(kLanes, launch.threads - index * kLanes);
    warp.cta = &cta;
    warp.index = index;
    warp.alive = lanes == kLanes ? kAllLanes : (1u << lanes) - 1;
    warp.hit = {};
    warp.fault = {};
    warp.turn = 0;
    warp.rotations = 0;
    warp.polls = {};
    warp.quiet_polls = 0;
    warp.copies.clear();
    warp.issued = 0;
    warp.commits = {};
    warp.carry = {};
    warp.local_bytes = launch.local_bytes;
    warp.stack_top.fill(launch.local_bytes);
    warp.local.assign(static_cast<std::size_t>(launch.local_bytes) * kLanes, std::byte{kPoison});
    warp.groups.clear();
    Frame* frame = enter_frame(cta, warp, *launch.function, 0);
    warp.groups.push_back({launch.function->first, warp.alive, frame, Waiting::no, 0, -1});
  }
}

}  // namespace lanescope::emulator

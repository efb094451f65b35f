// SPDX-License-Identifier: MIT
#include "emulator/run/frame.hpp"

#include "emulator/run/cluster.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace lanescope::emulator {
namespace {

// The value of a special register in one lane; of %tid: thread_indices.
std::uint32_t special_value(const Cta& cta, const Warp& warp, Special special, int lane) {
  const LaunchRequest& request = *cta.launch->request;
  const std::array<int, 3>& block = request.block;
  const std::array<int, 3>& grid = request.grid;
  const std::uint32_t bit = 1u << lane;
  const auto word = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
  switch (special) {
    case Special::ntid_x:
      return word(block[0]);
    case Special::ntid_y:
      return word(block[1]);
    case Special::ntid_z:
      return word(block[2]);
    case Special::ctaid_x:
      return word(cta.block[0]);
    case Special::ctaid_y:
      return word(cta.block[1]);
    case Special::ctaid_z:
      return word(cta.block[2]);
    case Special::nctaid_x:
      return word(grid[0]);
    case Special::nctaid_y:
      return word(grid[1]);
    case Special::nctaid_z:
      return word(grid[2]);
    case Special::laneid:
      return word(lane);
    case Special::warpid:
      return word(warp.index);
    case Special::nwarpid:
      return 64;  // the most that an SM can have, whatever the block
    case Special::lanemask_eq:
      return bit;
    case Special::lanemask_le:
      return bit | (bit - 1);
    case Special::lanemask_lt:
      return bit - 1;
    case Special::lanemask_ge:
      return ~(bit - 1);
    case Special::lanemask_gt:
      return ~(bit | (bit - 1));
    case Special::smid:
      return word(static_cast<std::int64_t>(cta.number) % request.multiprocessors);
    case Special::nsmid:
      return word(request.multiprocessors);
    case Special::envreg1:  // where cooperative_groups finds the grid's barrier
      return static_cast<std::uint32_t>(request.grid_workspace >> 32);
    case Special::envreg2:
      return static_cast<std::uint32_t>(request.grid_workspace);
    case Special::dynamic_smem_size:
      return word(request.dynamic_shared_bytes);
    case Special::total_smem_size:
      return word(cta.launch->function->shared_bytes + request.dynamic_shared_bytes);
    case Special::aggr_smem_size:  // with the driver's kilobyte
      return word(cta.launch->function->shared_bytes + request.dynamic_shared_bytes + 1024);
    case Special::one:
      return 1;
    case Special::cluster_ctarank:
      return word(cta.rank);
    case Special::cluster_nctarank:
      return word(request.cluster[0] * request.cluster[1] * request.cluster[2]);
    case Special::cluster_ctaid_x:
      return word(cta.block[0] % request.cluster[0]);
    case Special::cluster_ctaid_y:
      return word(cta.block[1] % request.cluster[1]);
    case Special::cluster_ctaid_z:
      return word(cta.block[2] % request.cluster[2]);
    case Special::cluster_nctaid_x:
      return word(request.cluster[0]);
    case Special::cluster_nctaid_y:
      return word(request.cluster[1]);
    case Special::cluster_nctaid_z:
      return word(request.cluster[2]);
    case Special::clusterid_x:
      return word(cta.cluster->index[0]);
    case Special::clusterid_y:
      return word(cta.cluster->index[1]);
    case Special::clusterid_z:
      return word(cta.cluster->index[2]);
    case Special::nclusterid_x:
      return word(cta.cluster->count[0]);
    case Special::nclusterid_y:
      return word(cta.cluster->count[1]);
    case Special::nclusterid_z:
      return word(cta.cluster->count[2]);
    case Special::is_explicit_cluster:
      return request.names_cluster ? 1 : 0;
    default:
      return 0;
  }
}

using Lanes = std::array<std::uint32_t, kLanes>;

// %tid.x, .y and .z of a warp's lanes, without dividing in each.
std::array<Lanes, 3> thread_indices(const Cta& cta, const Warp& warp) {
  const std::array<int, 3>& block = cta.launch->request->block;
  const int first = warp.index * kLanes;
  int x = first % block[0], y = first / block[0] % block[1], z = first / block[0] / block[1];
  std::array<Lanes, 3> indices;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    indices[0][lane] = static_cast<std::uint32_t>(x);
    indices[1][lane] = static_cast<std::uint32_t>(y);
    indices[2][lane] = static_cast<std::uint32_t>(z);
    if (++x < block[0]) continue;
    x = 0;
    if (++y < block[1]) continue;
    y = 0;
    ++z;
  }
  return indices;
}

bool differs_between_lanes(Special special) {
  return special == Special::laneid ||
         (special >= Special::lanemask_eq && special <= Special::lanemask_gt);
}

template <class T>
void fill_row(Frame& frame, std::uint32_t offset, T value) {
  auto* lane = reinterpret_cast<T*>(frame.rows.get() + offset);
  for (int k = 0; k < kLanes; ++k) lane[k] = value;
}

void fill_lanes(Frame& frame, const Function::SpecialRow& special, const Lanes& values) {
  std::byte* at = frame.rows.get() + special.row;
  if (special.wide)
    std::copy(values.begin(), values.end(), reinterpret_cast<std::uint64_t*>(at));
  else
    std::memcpy(at, values.data(), sizeof(values));
}

void fill_constants(Frame& frame, const Function& function) {
  for (const Function::ConstantRow& constant : function.constants) {
    if (constant.lane_bytes == 8)
      fill_row<std::uint64_t>(frame, constant.row, constant.value);
    else if (constant.lane_bytes == 4)
      fill_row<std::uint32_t>(frame, constant.row, static_cast<std::uint32_t>(constant.value));
    else
      std::memcpy(frame.rows.get() + constant.row, &constant.value, 4);
  }
}

// Addresses of variables, which count from `base` on.
void fill_addresses(Frame& frame, const std::vector<Function::ConstantRow>& variables,
                    std::uint64_t base) {
  for (const Function::ConstantRow& variable : variables) {
    const std::uint64_t value = variable.value + base;
    if (variable.lane_bytes == 8)
      fill_row<std::uint64_t>(frame, variable.row, value);
    else
      fill_row<std::uint32_t>(frame, variable.row, static_cast<std::uint32_t>(value));
  }
}

void fill_specials(const Cta& cta, const Warp& warp, Frame& frame) {
  std::array<Lanes, 3> threads;
  bool knows_threads = false;
  for (const Function::SpecialRow& special : frame.function->specials) {
    if (special.special <= Special::tid_z) {
      if (!knows_threads) threads = thread_indices(cta, warp);
      knows_threads = true;
      fill_lanes(frame, special, threads[static_cast<std::size_t>(special.special)]);
      continue;
    }
    if (!differs_between_lanes(special.special)) {
      const std::uint32_t value = special_value(cta, warp, special.special, 0);
      if (special.wide)
        fill_row<std::uint64_t>(frame, special.row, value);
      else
        fill_row<std::uint32_t>(frame, special.row, value);
      continue;
    }
    Lanes values;
    for (int lane = 0; lane < kLanes; ++lane)
      values[static_cast<std::size_t>(lane)] = special_value(cta, warp, special.special, lane);
    fill_lanes(frame, special, values);
  }
}

}  // namespace

Frame* enter_frame(Cta& cta, Warp& warp, const Function& function, std::int64_t local_base) {
  Frame* frame = nullptr;
  for (std::size_t k = 0; k < cta.free_frames.size() && frame == nullptr; ++k) {
    if (cta.free_frames[k]->function != &function) continue;
    frame = cta.free_frames[k];
    cta.free_frames[k] = cta.free_frames.back();
    cta.free_frames.pop_back();
  }
  if (frame == nullptr) {
    cta.frames.push_back(std::make_unique<Frame>());
    frame = cta.frames.back().get();
    frame->rows = aligned_bytes(function.frame_bytes);
    frame->function = &function;
    fill_constants(*frame, function);
    fill_addresses(*frame, function.shared, cta.window);
  }
  std::memset(frame->rows.get(), kPoison, function.register_bytes);
  frame->parameters.assign(static_cast<std::size_t>(function.parameter_bytes) * kLanes,
                           std::byte{kPoison});
  frame->caller = nullptr;
  frame->call = -1;
  frame->depth = 0;
  frame->local_base = local_base;
  frame->users = 1;
  fill_addresses(*frame, function.locals, static_cast<std::uint64_t>(local_base));
  fill_specials(cta, warp, *frame);
  return frame;
}

void leave_frame(Cta& cta, Frame* frame) {
  while (frame != nullptr && --frame->users == 0) {
    cta.free_frames.push_back(frame);
    frame = frame->caller;
  }
}

}  // namespace lanescope::emulator

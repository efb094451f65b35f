// SPDX-License-Identifier: MIT
// What tcgen05.mma, cp and commit do when somebody waits for them: what cp copies lands, products
// are made (multiply_tcgen05.cpp), mbarriers hear of it. What they may be is
// execute_tcgen05_mma.cpp's.
//
// Source: PTX ISA 9.2, 9.7.16.9 (cp), 9.7.16.10 (mma), 9.7.16.12 (commit).
#include <algorithm>
#include <cstring>
#include <span>

#include "emulator/check/checker.hpp"
#include "emulator/execute/multiply_tcgen05.hpp"
#include "emulator/execute/unpack_unit.hpp"
#include "emulator/execute/wgmma_fetch.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {
namespace {

// Into each CTA from its own shared memory.
void copy_into(Warp& issuer, Cta& cta, const TensorWork& work) {
  const Tcgen05Plan& plan = *work.plan;
  TensorMemory& memory = tensor_memory(cta);
  alignas(16) std::byte rows[kTensorLanes * 32];
  Fetcher(issuer, cta, layout::decode_tcgen05(work.a_descriptor), 8, false, nullptr)
      .fetch_dense(plan.copy_rows, plan.copy_bytes, true, rows);
  if (plan.element_bits < 8) {
    const auto bytes = static_cast<std::size_t>(plan.copy_rows * plan.copy_bytes);
    unpack_units(rows, bytes, plan.element_bits);
    for (std::byte& one : std::span(rows, bytes)) one = in_container(one, plan.element_bits);
  }
  for (const std::vector<int>& lanes : plan.copy_lanes)
    for (std::size_t row = 0; row < lanes.size(); ++row)
      for (int column = 0; column < plan.columns; ++column)
        std::memcpy(&memory.words[static_cast<std::size_t>((work.d.column + column) * kTensorLanes +
                                                           work.d.lane + lanes[row])],
                    rows + row * static_cast<std::size_t>(plan.copy_bytes) +
                        static_cast<std::size_t>(4 * column),
                    4);
}
void copy(Warp& issuer, const TensorCtas& ctas, const TensorWork& work) {
  for (Cta* cta : ctas) copy_into(issuer, *cta, work);
}

void arrive(Cta& cta, const TensorWork& commit) {
  for (std::uint32_t rest = commit.targets; rest != 0; rest &= rest - 1) {
    Cta& target = *cta.cluster->ctas[static_cast<std::size_t>(__builtin_ctz(rest))];
    MemoryBarrier* barrier = barrier_at(target, commit.barrier);
    if (barrier == nullptr) continue;  // invalidated while under way
    if (target.check != nullptr)
      target.check->tensor().committed(commit.time, target, commit.barrier);
    barrier->pending -= std::min<std::int64_t>(1, barrier->pending);
    settle_barrier(*cta.cluster, *barrier);
  }
}

bool is_awaited(const Cta& cta, const TensorWork& commit) {
  for (std::uint32_t rest = commit.targets; rest != 0; rest &= rest - 1) {
    const Cta& target = *cta.cluster->ctas[static_cast<std::size_t>(__builtin_ctz(rest))];
    const MemoryBarrier* barrier = barrier_at(target, commit.barrier);
    if (barrier != nullptr && barrier->is_awaited) return true;
  }
  return false;
}

// How many of the row must be done: to the last of a thread's before its last awaited commit.
std::size_t needed(const Cta& cta, const std::deque<TensorWork>& work) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < work.size(); ++k) {
    if (!work[k].is_commit() || !is_awaited(cta, work[k])) continue;
    for (std::size_t before = k; before-- > count;)
      if (!work[before].is_commit() && work[before].thread == work[k].thread) {
        count = before + 1;
        break;
      }
  }
  return count;
}

bool land(Cta& cta) {
  TensorMemory& memory = *cta.tensor;
  const std::size_t count = needed(cta, memory.work);
  for (std::size_t k = 0; k < count; ++k)
    if (const TensorWork& one = memory.work[k]; !one.is_commit())
      (one.form == nullptr ? copy : multiply_tensors)(cta.warps[one.thread / kLanes],
                                                      tensor_ctas(cta, one.plan->ctas), one);
  // Commits behind which nothing of their thread is left.
  std::deque<TensorWork> left;
  bool any = count > 0;
  for (std::size_t k = 0; k < memory.work.size(); ++k) {
    const TensorWork& one = memory.work[k];
    if (!one.is_commit() && k < count) continue;
    const bool waits = std::any_of(left.begin(), left.end(), [&](const TensorWork& other) {
      return other.thread == one.thread && !other.is_commit();
    });
    if (one.is_commit() && !waits) {
      arrive(cta, one);
      any = true;
    } else {
      left.push_back(one);
    }
  }
  memory.work = std::move(left);
  return any;
}

}  // namespace

bool land_tensor_work(Cluster& cluster) {
  bool any = false;
  for (const auto& cta : cluster.ctas)
    if (cta->tensor != nullptr && !cta->tensor->work.empty()) any = land(*cta) || any;
  return any;
}

}  // namespace lanescope::emulator

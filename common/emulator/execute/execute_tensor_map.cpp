// SPDX-License-Identifier: MIT
// tensormap.replace and tensormap.cp_fenceproxy: kernels that make tensor maps of a map.
//
// Source: PTX ISA 9.2, 9.7.9.28 (tensormap.replace), 9.7.13 (tensormap.cp_fenceproxy).
#include <cstring>

#include "emulator/execute/handlers.hpp"
#include "emulator/execute/tensor_map.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {
namespace {

// Host memory of the 128 bytes of a tensor map at a lane's address, or nullptr and the fault.
std::byte* find_map_bytes(Warp& w, const Instruction& i, const RowAddress& address, Space space,
                          int lane) {
  Instruction probe = i;
  probe.a = address.row;
  probe.immediate = address.displacement;
  probe.wide_address = address.wide;
  probe.space = space;
  probe.bytes = 64;
  std::uint64_t first[kLanes], second[kLanes];
  if (!handlers(w).resolve(w, probe, 1u << lane, first)) return nullptr;
  probe.immediate += 64;
  if (!handlers(w).resolve(w, probe, 1u << lane, second)) return nullptr;
  return reinterpret_cast<std::byte*>(first[lane]);
}

}  // namespace

Flow run_tensor_map_replace(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    std::byte* bytes = find_map_bytes(w, i, {i.a, i.immediate, i.wide_address}, i.space, lane);
    if (bytes == nullptr) return Flow::fault;
    const std::uint64_t value =
        i.count == 64 ? row<std::uint64_t>(w, i.b)[lane] : row<std::uint32_t>(w, i.b)[lane];
    const std::string why =
        replace_field(bytes, static_cast<TensorMapField>(i.detail >> 1), i.target, value);
    if (!why.empty())
      return fail(
          w, ErrorCode::illegal_instruction, "tensor-map", lane, why,
          "replace fields of 128 zeros, or of a copy of a map that cuTensorMapEncodeTiled made");
  }
  return Flow::next;
}

// tensormap.cp_fenceproxy: the warp copies a map from shared to global memory.
Flow run_tensor_map_copy(Warp& w, const Instruction& i, std::uint32_t active) {
  w.required = w.alive;
  if ((w.alive & ~active) != 0) return Flow::converge;
  const BulkPlan& plan = w.cta->launch->program->bulks[static_cast<std::size_t>(i.immediate)];
  const int lane = __builtin_ctz(active);
  const std::byte* from = find_map_bytes(w, i, plan.source, Space::shared, lane);
  if (from == nullptr) return Flow::fault;
  Instruction store = i;
  store.detail = 1;
  std::byte* to = find_map_bytes(w, store, plan.destination, Space::global, lane);
  if (to == nullptr) return Flow::fault;
  std::memcpy(to, from, 128);
  return Flow::next;
}

}  // namespace lanescope::emulator

// SPDX-License-Identifier: MIT
// See tensor_copy.hpp. Source: PTX ISA 9.2, 9.7.9.25.5 (tensors); what a card refuses: an H200.
#include "emulator/execute/tensor_copy.hpp"

#include <fmt/format.h>

#include "emulator/check/checker.hpp"
#include "emulator/execute/handlers.hpp"

namespace lanescope::emulator {

bool refuse_copy(Warp& w, int lane, std::string what, const char* hint) {
  fail(w, ErrorCode::illegal_instruction, "bulk-copy", lane, std::move(what), hint);
  return false;
}

namespace {

// The tensor map that a generic address points to: a parameter, constant or global memory.
bool find_map(Warp& w, int lane, std::uint64_t address, TensorMap& map) {
  const std::byte* host = nullptr;
  if (address % 64 != 0)
    return refuse_copy(w, lane, fmt::format("the tensor map's address 0x{:x}", address),
                       "a CUtensorMap is aligned to 64 bytes");
  if (const std::uint64_t offset = address - kParameterWindow; offset < kWindowBytes) {
    const auto& parameters = w.cta->launch->parameters;
    if (offset > parameters.size() || sizeof(TensorMapBytes) > parameters.size() - offset)
      return refuse_access(w, lane, Space::parameter, offset, sizeof(TensorMapBytes));
    host = parameters.data() + offset;
  } else {
    if (!check_global(w, lane, address, sizeof(TensorMapBytes), false)) return false;
    host = reinterpret_cast<const std::byte*>(address);
  }
  const auto found = decode_tensor_map(host);
  if (!found) {
    MapProblem problem = map_problem(host);
    return refuse_copy(w, lane, std::move(problem.what), problem.hint);
  }
  map = *found;
  return true;
}

// All bytes that lie inside the tensor must lie in one allocation. Behind the ends of its rows is
// written where what is written there does, too.
bool check_tensor(Warp& w, int lane, BulkCopy& copy) {
  if (copy.way == BulkPlan::Way::to_global) {
    copy.place.whole_units = true;
    const TouchedBytes written = touched_bytes(copy.map, copy.place);
    copy.place.whole_units = w.cta->launch->memory->find(written.begin)
                                 .contains(written.begin, written.end - written.begin);
  }
  const TouchedBytes touched = touched_bytes(copy.map, copy.place);
  return touched.begin == touched.end ||
         check_global(w, lane, touched.begin, static_cast<int>(touched.end - touched.begin),
                      copy.way == BulkPlan::Way::to_global);
}

// What an H200 answers with "an illegal instruction was encountered":
// docs/experiments/coordinates.md.
bool check_coordinates(Warp& w, int lane, const BulkPlan& plan, const BulkCopy& copy) {
  if (!copy.map.is_interleaved() &&
      std::int64_t{copy.place.at[0]} * copy.map.element_bytes() % 16 != 0)
    return refuse_copy(w, lane,
                       fmt::format("a tensor copy from column {} on, of elements of {} bytes",
                                   copy.place.at[0], copy.map.element_bytes()),
                       "the first coordinate must be a multiple of 16 bytes");
  for (const std::int32_t at : copy.place.rows)
    if (plan.way == BulkPlan::Way::to_global && at < 0)
      return refuse_copy(w, lane, fmt::format("a tensor store at row {}", at),
                         "a store may not begin before the tensor");
  for (int d = 0; d < plan.rank; ++d)
    if (plan.way == BulkPlan::Way::to_global && copy.place.at[static_cast<std::size_t>(d)] < 0)
      return refuse_copy(w, lane,
                         fmt::format("a tensor store at coordinate {} of dimension {}",
                                     copy.place.at[static_cast<std::size_t>(d)], d),
                         "a store may hang over a tensor's end, not begin before the tensor");
  return true;
}

// The same of im2col mode: docs/experiments/im2col.md.
bool check_pixels(Warp& w, int lane, const BulkPlan& plan, const BulkCopy& copy) {
  const TensorMap& map = copy.map;
  const int first = map.first_walked();
  for (int d = first; map.is_im2col && d < map.rank - 2 + first; ++d) {
    const auto k = static_cast<std::size_t>(d), corner = static_cast<std::size_t>(d - first);
    const std::int64_t at = copy.place.at[k], low = map.lower[corner];
    const std::int64_t high = static_cast<std::int64_t>(map.size[k]) - 1 + map.upper[corner];
    if (plan.way == BulkPlan::Way::to_global && (low < 0 || map.upper[corner] > 0))
      return refuse_copy(w, lane,
                         fmt::format("a tensor store through a bounding box from {} to {} of {} in "
                                     "dimension {}",
                                     low, high, map.size[k], d),
                         "for a store it must lie inside of the tensor");
    if (at < low || at > high)
      return refuse_copy(w, lane,
                         fmt::format("a copy in im2col mode from coordinate {} of dimension {} on, "
                                     "where the bounding box has {} to {}",
                                     at, d, low, high),
                         "it must begin in the bounding box");
  }
  return true;
}

// One box of four rows, which the copy names: the tensor map's own has one, and takes its columns.
bool name_rows(Warp& w, int lane, const BulkPlan& plan, BulkCopy& copy) {
  if (copy.map.is_interleaved() || copy.map.box[1] != 1)
    return refuse_copy(
        w, lane,
        fmt::format("a copy of four rows with a tensor map of {}",
                    copy.map.is_interleaved() ? std::string("slices")
                                              : fmt::format("boxes of {} rows", copy.map.box[1])),
        "for ::gather4 and ::scatter4 a box has one row, and is not interleaved");
  copy.place.has_four_rows = true;
  copy.place.at[1] = 0;
  copy.map.box[1] = static_cast<std::uint32_t>(copy.place.rows.size());
  copy.map.element_stride[1] = 1;
  for (std::size_t k = 0; k < copy.place.rows.size(); ++k)
    copy.place.rows[k] = row<std::int32_t>(w, plan.coordinates[k + 1])[lane];
  return true;
}

}  // namespace

bool describe_tensor(Warp& w, int lane, const BulkPlan& plan, BulkCopy& copy) {
  copy.kind = BulkCopy::Kind::tensor;
  const bool in = plan.way == BulkPlan::Way::to_shared;
  const std::uint64_t map = address_of(w, in ? plan.source : plan.destination, lane);
  if (!find_map(w, lane, map, copy.map)) return false;
  if (w.cta->check != nullptr) w.cta->check->tensor_maps().used(w, lane, map);
  if (copy.map.rank != plan.rank)
    return refuse_copy(
        w, lane,
        fmt::format("a copy of {} dimensions with a tensor map of {}", plan.rank, copy.map.rank),
        "they must be the same");
  if (copy.map.is_im2col != plan.is_im2col)
    return refuse_copy(w, lane,
                       fmt::format("a copy in {} mode with a tensor map of the other one",
                                   plan.is_im2col ? "im2col" : "tile"),
                       "cuTensorMapEncodeTiled is for .tile, cuTensorMapEncodeIm2col for .im2col");
  for (int d = 0; d < plan.rank; ++d) {
    const auto k = static_cast<std::size_t>(d);
    copy.place.at[k] = row<std::int32_t>(w, plan.coordinates[k])[lane];
    if (k < 3 && plan.offsets[k] != BulkPlan::kAbsent)
      copy.place.im2col[k] =
          static_cast<std::uint16_t>(row<std::uint32_t>(w, plan.offsets[k])[lane]);
  }
  if (plan.has_four_rows && !name_rows(w, lane, plan, copy)) return false;
  copy.type = element_type(copy.map.type);
  copy.bytes = copy.map.box_bytes();
  return check_coordinates(w, lane, plan, copy) && check_pixels(w, lane, plan, copy) &&
         check_tensor(w, lane, copy);
}

}  // namespace lanescope::emulator

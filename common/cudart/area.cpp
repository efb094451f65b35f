// SPDX-License-Identifier: MIT
// Copying and filling, a row at a time, once it is known that all of it is there.
#include "cudart/area.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "cudart/host_memory.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

namespace {

// A side that the copy's kind calls the card's has to be memory that the runtime knows; any other
// may be so.
enum class Side : std::uint8_t { any, device };

/// From the first byte to behind the last; nullopt when no address space could hold it.
std::optional<std::size_t> extent_bytes(const Area& area) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(area.pitch_bytes, area.height - 1, &bytes) ||
      __builtin_add_overflow(bytes, area.width_bytes, &bytes))
    return std::nullopt;
  return bytes;
}

/// Whether the address is where memory of the card ends: nothing of the host's begins there.
bool begins_behind(const Context& state, std::uint64_t address) {
  const Allocation* before = state.memory.containing(address - 1);
  return before && !before->on_host();
}

cudaError check(const Context& state, const Area& area, Side side, const char* end) {
  const auto bytes = extent_bytes(area);
  if (!bytes) return refuse(state, cudaErrorInvalidValue, fmt::format("{}: too large", end));
  if (state.memory.covers(area.address, *bytes)) return cudaSuccess;
  const Allocation* touched = state.memory.touching(area.address, *bytes);
  const bool is_beyond = touched ? touched->address <= area.address || !touched->on_host()
                                 : begins_behind(state, area.address);
  if (side == Side::device || is_beyond)
    return refuse(state, cudaErrorInvalidValue,
                  fmt::format("{}: {}", end, state.memory.explain(area.address, *bytes)));
  if (state.virtual_memory.reserves(area.address))
    return refuse(state, cudaErrorInvalidValue,
                  fmt::format("{}: {:#x} is reserved, but no memory is mapped there that may be "
                              "accessed (cuMemMap, cuMemSetAccess)",
                              end, area.address));
  if (is_mapped(reinterpret_cast<const void*>(area.address), *bytes)) return cudaSuccess;
  return refuse(
      state, cudaErrorInvalidValue,
      fmt::format("{}: {} bytes of host memory at {:#x} are not there", end, *bytes, area.address));
}

cudaError check_copy(const Context& state, const Area& to, const Area& from, int kind) {
  if (is_empty(to)) return cudaSuccess;
  if (!is_kind(kind)) return cudaErrorInvalidMemcpyDirection;
  const auto side = [&](int to_or_from_device) {
    const bool on_device = kind == to_or_from_device || kind == cudaMemcpyDeviceToDevice;
    return on_device ? Side::device : Side::any;
  };
  const cudaError error = check(state, to, side(cudaMemcpyHostToDevice), "destination");
  if (error != cudaSuccess) return error;
  return check(state, from, side(cudaMemcpyDeviceToHost), "source");
}

}  // namespace

cudaError copy(Context& state, const Area& to, const Area& from, int kind) {
  state.flush_printed();
  if (const cudaError error = check_copy(state, to, from, kind); error != cudaSuccess) return error;
  if (is_empty(to)) return cudaSuccess;
  for (std::size_t row = 0; row < to.height; ++row)
    std::memmove(reinterpret_cast<void*>(to.address + row * to.pitch_bytes),
                 reinterpret_cast<const void*>(from.address + row * from.pitch_bytes),
                 to.width_bytes);
  return cudaSuccess;
}

cudaError check_copy_rows(const Context& state, const Area& to, const Area& from, int kind) {
  const auto is_wide = [](const Area& area) {
    return area.width_bytes > area.pitch_bytes && (area.height > 1 || area.pitch_bytes != 0);
  };
  if (is_empty(to) || (!is_wide(to) && !is_wide(from))) return check_copy(state, to, from, kind);
  // Of one row an H200 says it in general, behind the kind, and of none with a pitch of 0.
  if (to.height == 1 && !is_kind(kind)) return cudaErrorInvalidMemcpyDirection;
  return refuse(state, to.height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue,
                fmt::format("rows of {} bytes do not fit into a pitch of {} or {}", to.width_bytes,
                            to.pitch_bytes, from.pitch_bytes));
}

cudaError copy_rows(Context& state, const Area& to, const Area& from, int kind) {
  const cudaError error = check_copy_rows(state, to, from, kind);
  return error != cudaSuccess ? error : copy(state, to, from, kind);
}

cudaError check_pitch(const Context& state, const Area& area) {
  if (area.width_bytes <= area.pitch_bytes || area.height <= 1) return cudaSuccess;
  return refuse(state, cudaErrorInvalidValue,
                fmt::format("rows of {} bytes do not fit into a pitch of {}", area.width_bytes,
                            area.pitch_bytes));
}

cudaError check_fill_rows(const Context& state, const Area& area) {
  if (const cudaError error = check_pitch(state, area); error != cudaSuccess) return error;
  if (is_empty(area)) return cudaSuccess;
  return check(state, area, Side::device, "destination");
}

namespace {
/// Memory that a graph's node will allocate.
bool is_promised(const Context& state, const Area& area) {
  return !state.memory.containing(area.address) && state.graphs.memory.around(area.address);
}
}  // namespace

cudaError check_copy_ahead(const Context& state, const Area& to, const Area& from, int kind) {
  if (is_promised(state, to) || is_promised(state, from)) return cudaSuccess;
  return check_copy_rows(state, to, from, kind);
}

cudaError check_fill_ahead(const Context& state, const Area& area, std::size_t value_bytes) {
  const bool is_aligned =
      area.address % value_bytes == 0 && (area.height == 1 || area.pitch_bytes % value_bytes == 0);
  if (!is_aligned) return cudaErrorInvalidValue;
  return is_promised(state, area) ? cudaSuccess : check_fill_rows(state, area);
}

cudaError fill_rows(Context& state, const Area& area, unsigned value, std::size_t value_bytes) {
  if (const cudaError error = check_fill_rows(state, area); error != cudaSuccess) return error;
  if (area.width_bytes == 0) return cudaSuccess;
  for (std::size_t row = 0; row < area.height; ++row) {
    auto* to = reinterpret_cast<std::byte*>(area.address + row * area.pitch_bytes);
    for (std::size_t at = 0; value_bytes > 1 && at < area.width_bytes; at += value_bytes)
      std::memcpy(to + at, &value, value_bytes);
    if (value_bytes == 1) std::memset(to, static_cast<int>(value & 0xff), area.width_bytes);
  }
  return cudaSuccess;
}

cudaError on_stream(const char* name, cudaStream_t stream, NodeType type, Work work) {
  return with_stream(name, stream,
                     [&](Context& state) { return submit(state, stream, type, std::move(work)); });
}

}  // namespace lanescope::cudart

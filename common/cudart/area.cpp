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

enum class Side : std::uint8_t { host, device, any };

/// From the first byte to behind the last; nullopt when no address space could hold it.
std::optional<std::size_t> extent_bytes(const Area& area) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(area.pitch_bytes, area.height - 1, &bytes) ||
      __builtin_add_overflow(bytes, area.width_bytes, &bytes))
    return std::nullopt;
  return bytes;
}

cudaError check(const Context& state, const Area& area, Side side, const char* end) {
  const auto bytes = extent_bytes(area);
  if (!bytes) return refuse(state, cudaErrorInvalidValue, fmt::format("{}: too large", end));
  if (side != Side::host && state.memory.covers(area.address, *bytes)) return cudaSuccess;
  const Allocation* touched = state.memory.touching(area.address, *bytes);
  if (side == Side::device || (touched && !touched->on_host())) {
    const bool wrong_side = side == Side::host && touched->address <= area.address;
    const std::string why =
        wrong_side ? fmt::format("{:#x} is device memory, the copy's kind says host", area.address)
                   : state.memory.explain(area.address, *bytes);
    return refuse(state, cudaErrorInvalidValue, fmt::format("{}: {}", end, why));
  }
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
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (to.width_bytes == 0 || to.height == 0) return cudaSuccess;
  const auto side = [&](int to_or_from_device) {
    const bool on_device = kind == to_or_from_device || kind == cudaMemcpyDeviceToDevice;
    return kind == cudaMemcpyDefault ? Side::any : on_device ? Side::device : Side::host;
  };
  const cudaError error = check(state, to, side(cudaMemcpyHostToDevice), "destination");
  if (error != cudaSuccess) return error;
  return check(state, from, side(cudaMemcpyDeviceToHost), "source");
}

}  // namespace

cudaError copy(Context& state, const Area& to, const Area& from, int kind) {
  state.flush_printed();
  if (const cudaError error = check_copy(state, to, from, kind); error != cudaSuccess) return error;
  if (to.width_bytes == 0) return cudaSuccess;
  for (std::size_t row = 0; row < to.height; ++row)
    std::memmove(reinterpret_cast<void*>(to.address + row * to.pitch_bytes),
                 reinterpret_cast<const void*>(from.address + row * from.pitch_bytes),
                 to.width_bytes);
  return cudaSuccess;
}

cudaError check_copy_rows(const Context& state, const Area& to, const Area& from, int kind) {
  if (to.width_bytes > to.pitch_bytes || from.width_bytes > from.pitch_bytes)
    return refuse(state, cudaErrorInvalidPitchValue,
                  fmt::format("rows of {} bytes do not fit into a pitch of {} or {}",
                              to.width_bytes, to.pitch_bytes, from.pitch_bytes));
  return check_copy(state, to, from, kind);
}

cudaError copy_rows(Context& state, const Area& to, const Area& from, int kind) {
  const cudaError error = check_copy_rows(state, to, from, kind);
  return error != cudaSuccess ? error : copy(state, to, from, kind);
}

cudaError check_fill_rows(const Context& state, const Area& area) {
  if (area.width_bytes > area.pitch_bytes && area.height > 1)
    return refuse(state, cudaErrorInvalidValue,
                  fmt::format("rows of {} bytes do not fit into a pitch of {}", area.width_bytes,
                              area.pitch_bytes));
  if (area.width_bytes == 0 || area.height == 0) return cudaSuccess;
  return check(state, area, Side::device, "destination");
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

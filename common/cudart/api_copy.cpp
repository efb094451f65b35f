// SPDX-License-Identifier: MIT
// Copying and filling. Both ends of every copy are looked up before a byte moves: a copy that would
// run over an allocation, or goes the wrong way, is refused with the reason.
#include <fmt/format.h>

#include <cstring>

#include "cudart/alias.hpp"
#include "cudart/api.hpp"
#include "cudart/context.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

enum class Side : std::uint8_t { host, device, any };

/// A block of rows; one row when it is a plain copy.
struct Area {
  std::uint64_t address = 0;
  std::size_t pitch_bytes = 0;
  std::size_t width_bytes = 0;
  std::size_t height = 1;
};

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
  if (is_mapped(reinterpret_cast<const void*>(area.address), *bytes)) return cudaSuccess;
  return refuse(
      state, cudaErrorInvalidValue,
      fmt::format("{}: {} bytes of host memory at {:#x} are not there", end, *bytes, area.address));
}

cudaError copy(Context& state, Area to, Area from, int kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  state.flush_printed();
  if (to.width_bytes == 0 || to.height == 0) return cudaSuccess;
  const Side to_side = kind == cudaMemcpyDefault ? Side::any
                       : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice
                           ? Side::device
                           : Side::host;
  const Side from_side = kind == cudaMemcpyDefault ? Side::any
                         : kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice
                             ? Side::device
                             : Side::host;
  if (const cudaError error = check(state, to, to_side, "destination"); error != cudaSuccess)
    return error;
  if (const cudaError error = check(state, from, from_side, "source"); error != cudaSuccess)
    return error;
  for (std::size_t row = 0; row < to.height; ++row)
    std::memmove(reinterpret_cast<void*>(to.address + row * to.pitch_bytes),
                 reinterpret_cast<const void*>(from.address + row * from.pitch_bytes),
                 to.width_bytes);
  return cudaSuccess;
}

cudaError fill(Context& state, const Area& area, unsigned value, std::size_t value_bytes = 1) {
  if (area.width_bytes == 0 || area.height == 0) return cudaSuccess;
  if (const cudaError error = check(state, area, Side::device, "destination"); error != cudaSuccess)
    return error;
  for (std::size_t row = 0; row < area.height; ++row) {
    auto* to = reinterpret_cast<std::byte*>(area.address + row * area.pitch_bytes);
    for (std::size_t at = 0; value_bytes > 1 && at < area.width_bytes; at += value_bytes)
      std::memcpy(to + at, &value, value_bytes);
    if (value_bytes == 1) std::memset(to, static_cast<int>(value & 0xff), area.width_bytes);
  }
  return cudaSuccess;
}

Area line(const void* pointer, std::size_t bytes) {
  return {reinterpret_cast<std::uintptr_t>(pointer), bytes, bytes, 1};
}

Area rows(const void* pointer, std::size_t pitch_bytes, std::size_t width_bytes,
          std::size_t height) {
  return {reinterpret_cast<std::uintptr_t>(pointer), pitch_bytes, width_bytes, height};
}

/// The part of a variable that a symbol copy means.
cudaError symbol_area(Context& state, const void* shadow, std::size_t bytes,
                      std::size_t offset_bytes, Area& area) {
  const auto found = state.symbols.find(shadow);
  if (found == state.symbols.end())
    return refuse(state, cudaErrorInvalidSymbol,
                  "no __device__ or __constant__ variable of this "
                  "program; pass the variable itself, not its name");
  Symbol& symbol = found->second;
  if (const cudaError error = resolve(state, symbol); error != cudaSuccess) return error;
  if (offset_bytes > symbol.bytes || bytes > symbol.bytes - offset_bytes)
    return refuse(state, cudaErrorInvalidValue,
                  fmt::format("{} bytes at offset {} of {}, which has {}", bytes, offset_bytes,
                              symbol.name, symbol.bytes));
  area = line(reinterpret_cast<const void*>(symbol.address + offset_bytes), bytes);
  return cudaSuccess;
}

cudaError to_symbol(Context& state, const void* symbol, const void* from, std::size_t bytes,
                    std::size_t offset_bytes, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  Area to;
  const cudaError error = symbol_area(state, symbol, bytes, offset_bytes, to);
  return error != cudaSuccess ? error : copy(state, to, line(from, bytes), kind);
}

cudaError from_symbol(Context& state, void* to, const void* symbol, std::size_t bytes,
                      std::size_t offset_bytes, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  Area from;
  const cudaError error = symbol_area(state, symbol, bytes, offset_bytes, from);
  return error != cudaSuccess ? error : copy(state, line(to, bytes), from, kind);
}

cudaError copy_rows(Context& state, const Area& to, const Area& from, cudaMemcpyKind kind) {
  if (to.width_bytes > to.pitch_bytes || from.width_bytes > from.pitch_bytes)
    return refuse(state, cudaErrorInvalidPitchValue,
                  fmt::format("rows of {} bytes do not fit into a pitch of {} or {}",
                              to.width_bytes, to.pitch_bytes, from.pitch_bytes));
  return copy(state, to, from, kind);
}

cudaError fill_rows(Context& state, const Area& area, unsigned value, std::size_t value_bytes = 1) {
  if (area.width_bytes > area.pitch_bytes && area.height > 1)
    return refuse(state, cudaErrorInvalidValue,
                  fmt::format("rows of {} bytes do not fit into a pitch of {}", area.width_bytes,
                              area.pitch_bytes));
  return fill(state, area, value, value_bytes);
}

/// The asynchronous forms: the same at once, after looking at the stream, or written down where it
/// is captured.
cudaError on_stream(const char* name, cudaStream_t stream, NodeType type, Work work) {
  return call(name, [&](Context& state) {
    if (!state.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return submit(state, stream, type, std::move(work));
  });
}

}  // namespace

cudaError fill_values(void* to, std::size_t pitch_bytes, unsigned value, std::size_t value_bytes,
                      std::size_t width, std::size_t height, cudaStream_t stream) {
  return on_stream("memset", stream, NodeType::memset, [=](Context& state) {
    std::size_t width_bytes = 0;
    if (__builtin_mul_overflow(width, value_bytes, &width_bytes)) return cudaErrorInvalidValue;
    return fill_rows(state, rows(to, pitch_bytes, width_bytes, height), value, value_bytes);
  });
}

cudaError cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpy", [&](Context& state) {
    return copy(state, line(to, bytes), line(from, bytes), kind);
  });
}

cudaError cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                          cudaStream_t stream) {
  return on_stream("cudaMemcpyAsync", stream, NodeType::memcpy, [=](Context& state) {
    return copy(state, line(to, bytes), line(from, bytes), kind);
  });
}

// Each attribute holds from its first copy on; hints and flags change nothing here. What is refused
// an H200's driver refuses, too (580.159, CUDA 13.0).
cudaError cudaMemcpyBatchAsync(void* const* to, const void* const* from, const std::size_t* bytes,
                               std::size_t count, cudaMemcpyAttributes* attributes,
                               std::size_t* first_copies, std::size_t attribute_count,
                               cudaStream_t stream) {
  return call("cudaMemcpyBatchAsync", [&](Context& state) {
    if (!state.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    constexpr std::uintptr_t kLegacy = 1;
    if (reinterpret_cast<std::uintptr_t>(stream) <= kLegacy)
      return refuse(state, cudaErrorInvalidValue, "not in the default stream; make one");
    if (to == nullptr || from == nullptr || bytes == nullptr || attributes == nullptr ||
        first_copies == nullptr || count == 0 || attribute_count == 0 || attribute_count > count)
      return refuse(state, cudaErrorInvalidValue,
                    fmt::format("{} copies with {} attributes", count, attribute_count));
    for (std::size_t k = 0; k < attribute_count; ++k) {
      const std::size_t first = first_copies[k];
      const cudaMemcpyAttributes& given = attributes[k];
      const bool in_order = k == 0 ? first == 0 : first > first_copies[k - 1] && first < count;
      if (!in_order || given.srcAccessOrder < 1 || given.srcAccessOrder > 3 || given.flags > 1)
        return refuse(state, cudaErrorInvalidValue,
                      fmt::format("attribute {} begins with copy {}, srcAccessOrder {}, flags {}",
                                  k, first, given.srcAccessOrder, given.flags));
    }
    for (std::size_t k = 0; k < count; ++k)
      if (bytes[k] == 0)
        return refuse(state, cudaErrorInvalidValue, fmt::format("copy {} has no bytes", k));
    for (std::size_t k = 0; k < count; ++k) {
      const auto work = [to = line(to[k], bytes[k]), from = line(from[k], bytes[k])](
                            Context& there) { return copy(there, to, from, cudaMemcpyDefault); };
      if (const cudaError error = submit(state, stream, NodeType::memcpy, work);
          error != cudaSuccess)
        return error;
    }
    return cudaSuccess;
  });
}

cudaError cudaMemcpy2D(void* to, std::size_t to_pitch_bytes, const void* from,
                       std::size_t from_pitch_bytes, std::size_t width_bytes, std::size_t height,
                       cudaMemcpyKind kind) {
  return cudaMemcpy2DAsync(to, to_pitch_bytes, from, from_pitch_bytes, width_bytes, height, kind,
                           nullptr);
}

cudaError cudaMemcpy2DAsync(void* to, std::size_t to_pitch_bytes, const void* from,
                            std::size_t from_pitch_bytes, std::size_t width_bytes,
                            std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return on_stream("cudaMemcpy2D", stream, NodeType::memcpy, [=](Context& state) {
    return copy_rows(state, rows(to, to_pitch_bytes, width_bytes, height),
                     rows(from, from_pitch_bytes, width_bytes, height), kind);
  });
}

cudaError cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                             std::size_t offset_bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpyToSymbol", [&](Context& state) {
    return to_symbol(state, symbol, from, bytes, offset_bytes, kind);
  });
}

cudaError cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                  std::size_t offset_bytes, cudaMemcpyKind kind,
                                  cudaStream_t stream) {
  return on_stream("cudaMemcpyToSymbolAsync", stream, NodeType::memcpy, [=](Context& state) {
    return to_symbol(state, symbol, from, bytes, offset_bytes, kind);
  });
}

cudaError cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes,
                               std::size_t offset_bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpyFromSymbol", [&](Context& state) {
    return from_symbol(state, to, symbol, bytes, offset_bytes, kind);
  });
}

cudaError cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes,
                                    std::size_t offset_bytes, cudaMemcpyKind kind,
                                    cudaStream_t stream) {
  return on_stream("cudaMemcpyFromSymbolAsync", stream, NodeType::memcpy, [=](Context& state) {
    return from_symbol(state, to, symbol, bytes, offset_bytes, kind);
  });
}

cudaError cudaMemset(void* pointer, int value, std::size_t bytes) {
  return call("cudaMemset", [&](Context& state) {
    return fill(state, line(pointer, bytes), static_cast<unsigned>(value));
  });
}

cudaError cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
  return on_stream("cudaMemsetAsync", stream, NodeType::memset, [=](Context& state) {
    return fill(state, line(pointer, bytes), static_cast<unsigned>(value));
  });
}

cudaError cudaMemset2D(void* pointer, std::size_t pitch_bytes, int value, std::size_t width_bytes,
                       std::size_t height) {
  return cudaMemset2DAsync(pointer, pitch_bytes, value, width_bytes, height, nullptr);
}

cudaError cudaMemset2DAsync(void* pointer, std::size_t pitch_bytes, int value,
                            std::size_t width_bytes, std::size_t height, cudaStream_t stream) {
  return on_stream("cudaMemset2D", stream, NodeType::memset, [=](Context& state) {
    return fill_rows(state, rows(pointer, pitch_bytes, width_bytes, height),
                     static_cast<unsigned>(value));
  });
}

LANESCOPE_ALIAS(cudaMemcpy, _ptds);
LANESCOPE_ALIAS(cudaMemcpyAsync, _ptsz);
LANESCOPE_ALIAS(cudaMemcpyBatchAsync, _ptsz);
LANESCOPE_ALIAS(cudaMemcpy2D, _ptds);
LANESCOPE_ALIAS(cudaMemcpy2DAsync, _ptsz);
LANESCOPE_ALIAS(cudaMemcpyToSymbol, _ptds);
LANESCOPE_ALIAS(cudaMemcpyToSymbolAsync, _ptsz);
LANESCOPE_ALIAS(cudaMemcpyFromSymbol, _ptds);
LANESCOPE_ALIAS(cudaMemcpyFromSymbolAsync, _ptsz);
LANESCOPE_ALIAS(cudaMemset, _ptds);
LANESCOPE_ALIAS(cudaMemsetAsync, _ptsz);
LANESCOPE_ALIAS(cudaMemset2D, _ptds);
LANESCOPE_ALIAS(cudaMemset2DAsync, _ptsz);

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// Values in memory that streams write and wait for, of the driver API.
#include <fmt/format.h>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/graph/graph.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

namespace {

/// The memory that a stream's value is in, aligned to its size.
template <class T>
bool is_value(Context& state, CUdeviceptr address) {
  const Allocation* found = address % sizeof(T) == 0 ? state.memory.containing(address) : nullptr;
  if (!found || found->kind == MemoryKind::managed) return false;  // says an H200 of both
  return address + sizeof(T) <= found->address + found->bytes;
}

template <class T>
CUresult with_value(CUhandle stream, CUdeviceptr address, auto&& body,
                    const char* function_called = __builtin_FUNCTION()) {
  const auto run = [&] {
    return call(function_called, [&](Context& state) {
      if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
      if (!is_value<T>(state, address)) return cudaErrorInvalidValue;
      if (is_captured(state, stream))
        return refuse(state, cudaErrorNotSupported,
                      "a value that a captured stream writes or waits for is not emulated");
      return body(state, *reinterpret_cast<T*>(address));
    });
  };
  return drive_in(stream, run, function_called);
}

template <class T>
CUresult write_value(CUhandle stream, CUdeviceptr address, T value, unsigned flags,
                     const char* function_called = __builtin_FUNCTION()) {
  if (current_context() == 0 && is_default_stream(stream)) return kInvalidContext;
  if (flags != 0) return to_driver(cudaErrorInvalidValue);
  const auto write = [&](Context&, T& there) {
    there = value;
    return cudaSuccess;
  };
  return with_value<T>(stream, address, write, function_called);
}

/// What streams were given before has been done, what comes later has not begun: a value that is
/// not there by now never comes.
template <class T>
CUresult wait_value(CUhandle stream, CUdeviceptr address, T value, unsigned flags,
                    const char* function_called = __builtin_FUNCTION()) {
  enum { kAtLeast, kEqual, kAnd, kNor };
  constexpr unsigned kFlush = 1u << 30;
  const unsigned how = flags & ~kFlush;
  if (how > kNor) return to_driver(cudaErrorInvalidValue);
  if ((flags & kFlush) != 0) return to_driver(cudaErrorNotSupported);  // by the card
  const auto wait = [&](Context& state, const T& there) {
    const T difference = there - value;
    const bool is_there = how == kAtLeast ? difference >> (8 * sizeof(T) - 1) == 0
                          : how == kEqual ? there == value
                          : how == kAnd   ? (there & value) != 0
                                          : static_cast<T>(~(there | value)) != 0;
    if (is_there) return cudaSuccess;
    return refuse(state, cudaErrorNotSupported,
                  fmt::format("waits for {} at 0x{:x}, where {} is, and streams run one after "
                              "another here: give the stream that writes it its work first",
                              value, address, there));
  };
  return with_value<T>(stream, address, wait, function_called);
}

}  // namespace

CUresult cuStreamWriteValue32_v2(CUhandle stream, CUdeviceptr address, std::uint32_t value,
                                 unsigned flags) {
  return write_value(stream, address, value, flags);
}

CUresult cuStreamWriteValue64_v2(CUhandle stream, CUdeviceptr address, std::uint64_t value,
                                 unsigned flags) {
  return write_value(stream, address, value, flags);
}

CUresult cuStreamWaitValue32_v2(CUhandle stream, CUdeviceptr address, std::uint32_t value,
                                unsigned flags) {
  return wait_value(stream, address, value, flags);
}

CUresult cuStreamWaitValue64_v2(CUhandle stream, CUdeviceptr address, std::uint64_t value,
                                unsigned flags) {
  return wait_value(stream, address, value, flags);
}

LANESCOPE_TWIN(cuStreamWaitValue32_v2, _ptsz);
LANESCOPE_TWIN(cuStreamWaitValue64_v2, _ptsz);
LANESCOPE_TWIN(cuStreamWriteValue32_v2, _ptsz);
LANESCOPE_TWIN(cuStreamWriteValue64_v2, _ptsz);

}  // namespace lanescope::cudart

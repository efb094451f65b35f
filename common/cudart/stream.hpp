// SPDX-License-Identifier: MIT
// What the calls with a stream begin with.
#pragma once

#include <algorithm>

#include "cudart/context.hpp"
#include "cudart/default_stream.hpp"
#include "cudart/graph/capture_rules.hpp"

namespace lanescope::cudart {

/// -5 is the greatest priority of current cards, 0 the least; a number beyond is taken for the
/// nearest.
inline int within_range(int priority) { return std::clamp(priority, -5, 0); }

/// A stream that is none is refused, and the default one while a capture forbids it: its own, where
/// the call would wait for it, or another's.
inline cudaError use_stream_for_kernel(Context& state, cudaStream_t stream) {
  if (!state.is_stream(stream)) return cudaErrorInvalidResourceHandle;
  if (!stream && default_stream().is_waited_for && is_captured(state, stream))
    return invalidate(state, stream);
  return forbid_default(state, stream);
}

/// The same for all that is no launch of a kernel, and that no kernel begins before.
inline cudaError use_stream(Context& state, cudaStream_t stream) {
  state.last_kernel_in.reset();
  return use_stream_for_kernel(state, stream);
}

/// As call(), with a stream that may be used.
template <class Body>
cudaError with_stream(const char* name, cudaStream_t stream, Body&& body) {
  return call(name, [&](Context& state) {
    const cudaError error = use_stream(state, stream);
    return error != cudaSuccess ? error : body(state);
  });
}

/// The same for what is done before the call returns, in the default stream; nothing is done of
/// nothing.
template <class Body>
cudaError in_default_stream(const char* name, std::size_t bytes, Body&& body) {
  return call(name, [&](Context& state) {
    const cudaError error = bytes == 0 ? cudaSuccess : use_stream(state, nullptr);
    return error != cudaSuccess ? error : body(state);
  });
}

/// What is known of a stream; the default streams have no entry of their own.
inline Stream look_at(const Context& state, cudaStream_t stream) {
  const auto found = state.streams.find(reinterpret_cast<std::uintptr_t>(stream));
  return found == state.streams.end() ? Stream{} : found->second;
}

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// What the calls with a stream begin with.
#pragma once

#include <algorithm>

#include "cudart/context.hpp"

namespace lanescope::cudart {

/// -5 is the greatest priority of current cards, 0 the least; a number beyond is taken for the
/// nearest.
inline int within_range(int priority) { return std::clamp(priority, -5, 0); }

/// As call(); a stream that is none is refused.
template <class Body>
cudaError with_stream(const char* name, cudaStream_t stream, Body&& body) {
  return call(name, [&](Context& state) {
    if (!state.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return body(state);
  });
}

/// What is known of a stream; the default streams have no entry of their own.
inline Stream look_at(const Context& state, cudaStream_t stream) {
  const auto found = state.streams.find(reinterpret_cast<std::uintptr_t>(stream));
  return found == state.streams.end() ? Stream{} : found->second;
}

}  // namespace lanescope::cudart

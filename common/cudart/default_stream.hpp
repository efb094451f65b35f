// SPDX-License-Identifier: MIT
// Which stream 0 means, and how captures know streams. The default stream waits for every stream
// that is not cudaStreamNonBlocking, and they wait for it (cudaStreamLegacy); the nodes of a graph
// are done by the same functions, but wait for nobody who is captured.
#pragma once

#include <cstdint>

#include "cudart/abi.hpp"
#include "cudart/handle.hpp"

namespace lanescope::cudart {

// Handles that no program was given: cudaStreamLegacy, cudaStreamPerThread, and ours.
inline constexpr std::uint64_t kLegacyStream = 1, kPerThreadStream = 2, kStreamOfGraphs = 3;

/// What 0 is to the calling thread.
inline std::uint64_t& default_stream() {
  thread_local std::uint64_t stream = kLegacyStream;
  return stream;
}

/// While it lives, 0 is another stream to this thread.
class DefaultStream {
 public:
  explicit DefaultStream(std::uint64_t stream) : before_(default_stream()) {
    default_stream() = stream;
  }
  ~DefaultStream() { default_stream() = before_; }
  DefaultStream(const DefaultStream&) = delete;
  DefaultStream& operator=(const DefaultStream&) = delete;

 private:
  std::uint64_t before_;
};

/// A stream's number, by which captures are found.
inline std::uint64_t stream_number(cudaStream_t stream) {
  return stream ? number(stream) : default_stream();
}

}  // namespace lanescope::cudart

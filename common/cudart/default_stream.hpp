// SPDX-License-Identifier: MIT
// Which stream 0 means, and how captures know streams. The default stream waits for every stream
// that is not cudaStreamNonBlocking, and they wait for it (cudaStreamLegacy); for programs built
// so, it is one of each thread's own (cudaStreamPerThread). The nodes of a graph are done by the
// same functions, but wait for nobody who is captured.
#pragma once

#include <atomic>
#include <cstdint>

#include "cudart/abi.hpp"
#include "cudart/handle.hpp"

namespace lanescope::cudart {

// Handles that no program was given: cudaStreamLegacy, cudaStreamPerThread, and ours.
inline constexpr std::uint64_t kLegacyStream = 1, kPerThreadStream = 2, kStreamOfGraphs = 3;

/// What cudaStreamPerThread is to the calling thread: a number that no other has.
inline std::uint64_t own_stream() {
  constexpr int kBeyondHandles = 48;
  static std::atomic<std::uint64_t> threads{0};
  thread_local const std::uint64_t stream = ++threads << kBeyondHandles | kPerThreadStream;
  return stream;
}

/// What 0 is to the calling thread, and whether a call that is given none waits for what it does.
struct Default {
  std::uint64_t stream = kLegacyStream;
  bool is_waited_for = false;
};
inline Default& default_stream() {
  thread_local Default stream;
  return stream;
}

/// While it lives, 0 is another stream to this thread.
class DefaultStream {
 public:
  explicit DefaultStream(std::uint64_t stream, bool is_waited_for = false)
      : before_(default_stream()) {
    default_stream() = {stream, is_waited_for};
  }
  ~DefaultStream() { default_stream() = before_; }
  DefaultStream(const DefaultStream&) = delete;
  DefaultStream& operator=(const DefaultStream&) = delete;

 private:
  Default before_;
};

/// A stream's number, by which captures and attributes are found.
inline std::uint64_t stream_number(cudaStream_t stream) {
  if (!stream) return default_stream().stream;
  return number(stream) == kPerThreadStream ? own_stream() : number(stream);
}

}  // namespace lanescope::cudart

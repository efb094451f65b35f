// SPDX-License-Identifier: MIT
#include "cudart/graph/capture_rules.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include "cudart/default_stream.hpp"

namespace lanescope::cudart {
namespace {

constexpr int kGlobal = 0, kRelaxed = 2;  // cudaStreamCaptureMode; 1 is of this thread alone

constexpr std::array<std::string_view, 26> kMayWait{"cudaMalloc",
                                                    "cudaMallocPitch",
                                                    "cudaMalloc3D",
                                                    "cudaMallocHost",
                                                    "cudaMallocArray",
                                                    "cudaMallocManaged",
                                                    "cudaHostAlloc",
                                                    "cudaHostRegister",
                                                    "cudaFree",
                                                    "cudaFreeHost",
                                                    "cudaMemPoolCreate",
                                                    "cudaMemPoolTrimTo",
                                                    "cudaGraphInstantiate",
                                                    "cudaGraphInstantiateWithFlags",
                                                    "cudaGraphInstantiateWithParams",
                                                    "cudaDeviceSetLimit",
                                                    "cudaDeviceSetCacheConfig",
                                                    "cuMemAlloc",
                                                    "cuMemAllocPitch",
                                                    "cuMemFreeHost",
                                                    "cuMemPoolCreate",
                                                    "cuMemPoolTrimTo",
                                                    "cuGraphInstantiateWithFlags",
                                                    "cuGraphInstantiateWithParams",
                                                    "cuCtxSetLimit",
                                                    "cuCtxSetCacheConfig"};
constexpr std::array<std::string_view, 2> kWaitForAll{"cudaDeviceSynchronize", "cuCtxSynchronize"};

/// The default stream waits for it. Those that have no entry are default streams themselves.
bool is_waited_for(const Context& context, std::uint64_t stream) {
  const auto found = context.streams.find(stream);
  return found == context.streams.end() || (found->second.flags & kStreamFlags) == 0;
}

bool forbids_waiting(const Capture& capture) {
  if (thread_capture_mode() == kRelaxed || capture.mode == kRelaxed) return false;
  if (capture.thread == std::this_thread::get_id()) return true;
  return thread_capture_mode() == kGlobal && capture.mode == kGlobal;
}

template <class Forbids>
cudaError forbid(Context& context, Forbids&& forbids, const char* advice) {
  bool is_forbidden = false;
  for (auto& [stream, capture] : context.graphs.captures) {
    if (!capture.begun_here || !forbids(capture)) continue;
    is_forbidden = capture.is_invalid = true;
  }
  if (!is_forbidden) return cudaSuccess;
  return refuse(context, cudaErrorStreamCaptureUnsupported, advice);
}

}  // namespace

int& thread_capture_mode() {
  thread_local int mode = kGlobal;
  return mode;
}

cudaError forbid_waiting(Context& context) {
  return forbid(context, &forbids_waiting,
                "not while a stream is captured, which is invalid now; call it before "
                "cudaStreamBeginCapture, or begin with cudaStreamCaptureModeRelaxed");
}

bool is_default_forbidden(const Context& context, cudaStream_t stream) {
  const auto& captures = context.graphs.captures;
  return stream_number(stream) == kLegacyStream &&
         std::any_of(captures.begin(), captures.end(),
                     [&](const auto& known) { return is_waited_for(context, known.first); });
}

cudaError forbid_default(Context& context, cudaStream_t stream) {
  if (!is_default_forbidden(context, stream)) return cudaSuccess;
  for (const auto& [captured, capture] : context.graphs.captures)
    if (is_waited_for(context, captured)) context.graphs.invalidate(capture.graph);
  return refuse(context, cudaErrorStreamCaptureImplicit,
                "the default stream waits for a stream that is captured, and the capture is "
                "invalid now; use another stream here, or capture one of cudaStreamNonBlocking");
}

cudaError forbid_while_captured(Context& context, std::string_view function) {
  function = function.substr(0, function.find("_v"));
  const auto is_in = [&](const auto& list) {
    return std::find(list.begin(), list.end(), function) != list.end();
  };
  if (is_in(kWaitForAll))
    return forbid(
        context, [](const Capture&) { return true; },
        "not while a stream is captured, which is invalid now; call it behind "
        "cudaStreamEndCapture");
  return is_in(kMayWait) ? forbid_waiting(context) : cudaSuccess;
}

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
#include "cudart/graph/capture_rules.hpp"

#include <algorithm>
#include <array>
#include <thread>

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

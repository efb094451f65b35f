// SPDX-License-Identifier: MIT
// Streams. Everything has already happened when a call returns, in the order of the calls, which is
// one of the orders a GPU may choose.
#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/default_stream.hpp"
#include "cudart/graph/capture_rules.hpp"
#include "cudart/graph/node_work.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

namespace {

cudaError create_stream(Context& state, cudaStream_t* stream, unsigned flags, int priority) {
  if (!stream || (flags & ~kStreamFlags) != 0) return cudaErrorInvalidValue;
  const std::uint64_t handle = state.next_handle++;
  state.streams[handle] = {flags, within_range(priority)};
  *stream = reinterpret_cast<cudaStream_t>(handle);
  return cudaSuccess;
}

cudaError capture_host(Context& state, cudaStream_t stream, const HostWork& host) {
  const cudaHostNodeParams params{host.function, host.data};
  return write_down(state, stream, NodeType::host,
                    [&](GraphNode& node) { return set_host(&params, node); });
}

}  // namespace

cudaError cudaStreamCreate(cudaStream_t* stream) {
  return call("cudaStreamCreate",
              [&](Context& state) { return create_stream(state, stream, 0, 0); });
}

cudaError cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return call("cudaStreamCreateWithFlags",
              [&](Context& state) { return create_stream(state, stream, flags, 0); });
}

cudaError cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call("cudaStreamCreateWithPriority",
              [&](Context& state) { return create_stream(state, stream, flags, priority); });
}

cudaError cudaStreamDestroy(cudaStream_t stream) {
  return call("cudaStreamDestroy", [&](Context& state) {
    if (const Capture* capture = state.graphs.capture_of(stream); capture && capture->begun_here)
      state.graphs.end_captures(capture->graph);
    state.graphs.captures.erase(stream_number(stream));
    const bool was_there = state.streams.erase(reinterpret_cast<std::uintptr_t>(stream)) != 0;
    return was_there ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError cudaStreamSynchronize(cudaStream_t stream) {
  return with_stream("cudaStreamSynchronize", stream, [&](Context& state) {
    if (is_captured(state, stream)) return invalidate(state, stream);
    const cudaError error = forbid_waiting(state);
    return error != cudaSuccess ? error : state.settle();
  });
}

cudaError cudaStreamQuery(cudaStream_t stream) {
  return with_stream("cudaStreamQuery", stream, [&](Context& state) {
    return is_captured(state, stream) ? invalidate(state, stream) : forbid_waiting(state);
  });
}

cudaError cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return with_stream("cudaStreamGetFlags", stream, [&](Context& state) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = look_at(state, stream).flags;
    return cudaSuccess;
  });
}

cudaError cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return with_stream("cudaStreamGetPriority", stream, [&](Context& state) {
    if (!priority) return cudaErrorInvalidValue;
    *priority = look_at(state, stream).priority;
    return cudaSuccess;
  });
}

cudaError cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return with_stream("cudaStreamGetId", stream, [&](Context&) {
    if (!id) return cudaErrorInvalidValue;
    *id = stream_number(stream);
    return cudaSuccess;
  });
}

cudaError cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return with_stream("cudaStreamGetDevice", stream, [&](Context&) {
    if (!device) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError cudaStreamIsCapturing(cudaStream_t stream, int* status) {
  return call("cudaStreamIsCapturing", [&](Context& state) {
    if (!state.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (!status) return cudaErrorInvalidValue;
    if (is_default_forbidden(state, stream)) return cudaErrorStreamCaptureImplicit;
    const Capture* found = state.graphs.capture_of(stream);
    constexpr int kNone = 0, kActive = 1, kInvalidated = 2;
    *status = !found ? kNone : found->is_invalid ? kInvalidated : kActive;
    return cudaSuccess;
  });
}

cudaError cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                unsigned flags) {
  const cudaError error = with_stream("cudaStreamAddCallback", stream, [&](Context& state) {
    if (is_captured(state, stream)) return invalidate(state, stream);
    state.flush_printed();
    return function && flags == 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
  if (error == cudaSuccess) function(stream, cudaSuccess, data);  // without the lock
  return error;
}

cudaError cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  bool captured = false;
  const cudaError error = with_stream("cudaLaunchHostFunc", stream, [&](Context& state) {
    state.flush_printed();
    if (!function) return cudaErrorInvalidValue;
    captured = is_captured(state, stream);
    return captured ? capture_host(state, stream, {function, data}) : cudaSuccess;
  });
  if (error == cudaSuccess && !captured) function(data);  // without the lock
  return error;
}

LANESCOPE_TWIN(cudaStreamSynchronize, _ptsz);
LANESCOPE_TWIN(cudaStreamQuery, _ptsz);
LANESCOPE_TWIN(cudaStreamGetFlags, _ptsz);
LANESCOPE_TWIN(cudaStreamGetPriority, _ptsz);
LANESCOPE_TWIN(cudaStreamGetId, _ptsz);
LANESCOPE_TWIN(cudaStreamGetDevice, _ptsz);
LANESCOPE_TWIN(cudaStreamIsCapturing, _ptsz);
LANESCOPE_TWIN(cudaStreamAddCallback, _ptsz);
LANESCOPE_TWIN(cudaLaunchHostFunc, _ptsz);

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// Events. One has happened when it is recorded; its time is the wall clock of the emulation: it
// says how long the emulator took, nothing about a GPU. Recorded in a captured stream it carries
// the capture into the streams that wait for it, until that ends; then it is nothing to wait for.
// But for events that are external: those the graph itself records and waits for, at each launch.
#include <algorithm>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/default_stream.hpp"
#include "cudart/graph/capture_rules.hpp"
#include "cudart/graph/node_work.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

namespace {

constexpr unsigned kExternal = 1;  // cudaEventRecordExternal, cudaEventWaitExternal

Event* find_event(Context& state, cudaEvent_t event) {
  const auto found = state.events.find(reinterpret_cast<std::uintptr_t>(event));
  return found == state.events.end() ? nullptr : &found->second;
}

/// A stream that waits for an event of a captured one is captured too, into the same graph.
cudaError join_capture(Context& state, cudaStream_t stream, const Capture& event) {
  if (stream_number(stream) == kLegacyStream) {
    state.graphs.invalidate(event.graph);
    return refuse(
        state, cudaErrorStreamCaptureImplicit,
        "the event is of a capture, which is invalid now: the default stream cannot join");
  }
  const auto [found, is_new] =
      state.graphs.captures.try_emplace(stream_number(stream), Capture{event.graph, {}});
  if (found->second.graph != event.graph) {
    state.graphs.invalidate(event.graph);
    return refuse(state, invalidate(state, stream, cudaErrorStreamCaptureMerge),
                  "the event is of another capture; both are invalid now");
  }
  auto& last = found->second.last;
  for (const std::uint64_t node : event.last)
    if (std::find(last.begin(), last.end(), node) == last.end()) last.push_back(node);
  return cudaSuccess;
}

/// Whether the event stands for work of a capture that has ended: it never happens.
bool is_over(const Context& state, const Event& event) {
  return event.captured && !state.graphs.is_captured(event.captured->graph);
}

/// Whether an event may be asked for: not one that a capture has written down.
cudaError look_while_captured(Context& state, const Event* event) {
  if (!event) return cudaSuccess;
  if (!event->captured) return forbid_waiting(state);
  if (is_over(state, *event)) return cudaErrorInvalidValue;
  state.graphs.invalidate(event->captured->graph);
  return cudaErrorCapturedEvent;
}

/// A node that `set` has record an event, or wait for it. There is none without a capture.
cudaError write_down_external(Context& state, cudaStream_t stream, NodeType type, cudaEvent_t event,
                              cudaError (*set)(const Context&, cudaEvent_t, GraphNode&)) {
  if (!is_captured(state, stream)) return cudaErrorIllegalState;
  return write_down(state, stream, type, [&](GraphNode& node) { return set(state, event, node); });
}

}  // namespace

cudaError cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call("cudaEventCreate", [&](Context& state) {
    constexpr unsigned kNoTiming = 2, kInterprocess = 4;  // the latter wants the former
    if (!event || (flags & ~kEventFlags) != 0 ||
        (flags & (kNoTiming | kInterprocess)) == kInterprocess)
      return cudaErrorInvalidValue;
    const std::uint64_t handle = state.next_handle++;
    state.events[handle] = {flags, std::nullopt, std::nullopt};
    *event = reinterpret_cast<cudaEvent_t>(handle);
    return cudaSuccess;
  });
}

cudaError cudaEventDestroy(cudaEvent_t event) {
  return call("cudaEventDestroy", [&](Context& state) {
    const bool was_there = state.events.erase(reinterpret_cast<std::uintptr_t>(event)) != 0;
    return was_there ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

cudaError cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return with_stream("cudaEventRecord", stream, [&](Context& state) {
    if (flags > kExternal) return cudaErrorInvalidValue;
    Event* found = find_event(state, event);
    if (!found) return cudaErrorInvalidResourceHandle;
    const Capture* capture = state.graphs.capture_of(stream);
    if (flags == kExternal)
      return write_down_external(state, stream, NodeType::record_event, event, &set_record);
    if (capture && capture->is_invalid) return cudaErrorStreamCaptureInvalidated;
    found->captured.reset();
    if (capture)
      found->captured = *capture;
    else
      found->recorded = std::chrono::steady_clock::now();
    return cudaSuccess;
  });
}

cudaError cudaEventSynchronize(cudaEvent_t event) {
  return call("cudaEventSynchronize", [&](Context& state) {
    const Event* found = find_event(state, event);
    if (const cudaError error = look_while_captured(state, found); error != cudaSuccess)
      return error;
    const cudaError settled = state.settle();
    return found ? settled : cudaErrorInvalidResourceHandle;
  });
}

cudaError cudaEventQuery(cudaEvent_t event) {
  return call("cudaEventQuery", [&](Context& state) {
    const Event* found = find_event(state, event);
    return found ? look_while_captured(state, found) : cudaErrorInvalidResourceHandle;
  });
}

cudaError cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call("cudaEventElapsedTime", [&](Context& state) {
    const Event* first = find_event(state, start);
    const Event* second = find_event(state, end);
    if (!milliseconds) return cudaErrorInvalidValue;
    for (const Event* event : {first, second}) {
      if (event && event->captured)
        return is_over(state, *event) ? cudaErrorInvalidValue : cudaErrorCapturedEvent;
      if (!event || !event->recorded || (event->flags & kEventDisableTiming) != 0)
        return cudaErrorInvalidResourceHandle;
    }
    const std::chrono::duration<float, std::milli> elapsed = *second->recorded - *first->recorded;
    *milliseconds = elapsed.count();
    return cudaSuccess;
  });
}

cudaError cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return with_stream("cudaStreamWaitEvent", stream, [&](Context& state) {
    if (flags > kExternal) return cudaErrorInvalidValue;
    const Event* found = find_event(state, event);
    if (!found) return invalidate(state, stream, cudaErrorInvalidResourceHandle);
    const Capture* capture = state.graphs.capture_of(stream);
    if (capture && capture->is_invalid) return cudaErrorStreamCaptureInvalidated;
    if (is_over(state, *found)) return invalidate(state, stream, cudaErrorInvalidValue);
    if (flags == kExternal)
      return write_down_external(state, stream, NodeType::wait_event, event, &set_wait);
    if (found->captured) return join_capture(state, stream, *found->captured);
    // What was done elsewhere is nothing that a graph could wait for; never recorded, it is
    // nothing.
    if (capture && found->recorded)
      return refuse(state, invalidate(state, stream, cudaErrorStreamCaptureIsolation),
                    "the event was recorded outside of the capture, which is invalid now; wait for "
                    "it with cudaEventWaitExternal");
    return cudaSuccess;
  });
}

LANESCOPE_TWIN(cudaStreamWaitEvent, _ptsz);
LANESCOPE_TWIN(cudaEventRecord, _ptsz);
LANESCOPE_TWIN(cudaEventRecordWithFlags, _ptsz);

}  // namespace lanescope::cudart

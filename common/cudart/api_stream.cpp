// SPDX-License-Identifier: MIT
// Streams and events. Everything has already happened when a call returns, in the order of the
// calls, which is one of the orders a GPU may choose. An event's time is the wall clock of the
// emulation: it says how long the emulator took, nothing about a GPU.
#include <algorithm>
#include <cstring>

#include "cudart/alias.hpp"
#include "cudart/api.hpp"
#include "cudart/context.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

constexpr int kGreatestPriority = -5;  // as on current cards; 0 is the least

Event* find_event(Context& state, cudaEvent_t event) {
  const auto found = state.events.find(reinterpret_cast<std::uintptr_t>(event));
  return found == state.events.end() ? nullptr : &found->second;
}

/// Calls with a stream: refuses a stream that is none; `body(state)` otherwise.
template <class Body>
cudaError with_stream(const char* name, cudaStream_t stream, Body&& body) {
  return call(name, [&](Context& state) {
    if (!state.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return body(state);
  });
}

cudaError create_stream(Context& state, cudaStream_t* stream, unsigned flags, int priority) {
  if (!stream || (flags & ~kStreamFlags) != 0) return cudaErrorInvalidValue;
  const std::uint64_t handle = state.next_handle++;
  state.streams[handle] = {flags, std::min(std::max(priority, kGreatestPriority), 0)};
  *stream = reinterpret_cast<cudaStream_t>(handle);
  return cudaSuccess;
}

/// What is known of a stream; the default streams have no entry of their own.
Stream look_at(const Context& state, cudaStream_t stream) {
  const auto found = state.streams.find(reinterpret_cast<std::uintptr_t>(stream));
  return found == state.streams.end() ? Stream{} : found->second;
}

/// A stream that waits for an event of a captured one is captured too, into the same graph.
void join_capture(Context& state, cudaStream_t stream, const Capture& event) {
  if (state.graphs.graphs.count(event.graph) == 0) return;
  const auto handle = reinterpret_cast<std::uintptr_t>(stream);
  const auto [found, is_new] = state.graphs.captures.try_emplace(handle, Capture{event.graph, {}});
  auto& last = found->second.last;
  for (const std::uint64_t node : event.last)
    if (std::find(last.begin(), last.end(), node) == last.end()) last.push_back(node);
}

void capture_host(Context& state, cudaStream_t stream, const HostWork& host) {
  Capture& capture = state.graphs.captures[reinterpret_cast<std::uintptr_t>(stream)];
  GraphNode node;
  node.type = NodeType::host;
  node.host = host;
  node.needs = capture.last;
  capture.last = {add_node(state, state.graphs.graphs[capture.graph], std::move(node))};
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
    state.graphs.captures.erase(reinterpret_cast<std::uintptr_t>(stream));
    const bool was_there = state.streams.erase(reinterpret_cast<std::uintptr_t>(stream)) != 0;
    return was_there ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError cudaStreamSynchronize(cudaStream_t stream) {
  return with_stream("cudaStreamSynchronize", stream, [&](Context& state) {
    if (is_captured(state, stream)) return invalidate(state, stream);
    state.flush_printed();
    return cudaSuccess;
  });
}

cudaError cudaStreamQuery(cudaStream_t stream) {
  return with_stream("cudaStreamQuery", stream, [&](Context& state) {
    return is_captured(state, stream) ? invalidate(state, stream) : cudaSuccess;
  });
}

cudaError cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return with_stream("cudaStreamWaitEvent", stream, [&](Context& state) {
    if (flags > 1) return cudaErrorInvalidValue;
    const Event* found = find_event(state, event);
    if (!found) return cudaErrorInvalidResourceHandle;
    if (found->captured) join_capture(state, stream, *found->captured);
    return cudaSuccess;
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
    *id = reinterpret_cast<std::uintptr_t>(stream);
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
  return with_stream("cudaStreamIsCapturing", stream, [&](Context& state) {
    if (!status) return cudaErrorInvalidValue;
    const auto found = state.graphs.captures.find(reinterpret_cast<std::uintptr_t>(stream));
    constexpr int kNone = 0, kActive = 1, kInvalidated = 2;
    *status = found == state.graphs.captures.end() ? kNone
              : found->second.is_invalid           ? kInvalidated
                                                   : kActive;
    return cudaSuccess;
  });
}

cudaError cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                unsigned flags) {
  const cudaError error = with_stream("cudaStreamAddCallback", stream, [&](Context& state) {
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
    if (captured) capture_host(state, stream, {function, data});
    return cudaSuccess;
  });
  if (error == cudaSuccess && !captured) function(data);  // without the lock
  return error;
}

cudaError cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call("cudaEventCreate", [&](Context& state) {
    if (!event || (flags & ~kEventFlags) != 0) return cudaErrorInvalidValue;
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

cudaError cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return with_stream("cudaEventRecord", stream, [&](Context& state) {
    Event* found = find_event(state, event);
    if (!found) return cudaErrorInvalidResourceHandle;
    const auto capture = state.graphs.captures.find(reinterpret_cast<std::uintptr_t>(stream));
    found->captured.reset();
    if (capture != state.graphs.captures.end())
      found->captured = capture->second;
    else
      found->recorded = std::chrono::steady_clock::now();
    return cudaSuccess;
  });
}

cudaError cudaEventSynchronize(cudaEvent_t event) {
  return call("cudaEventSynchronize", [&](Context& state) {
    state.flush_printed();
    return find_event(state, event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError cudaEventQuery(cudaEvent_t event) {
  return call("cudaEventQuery", [&](Context& state) {
    return find_event(state, event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call("cudaEventElapsedTime", [&](Context& state) {
    const Event* first = find_event(state, start);
    const Event* second = find_event(state, end);
    if (!milliseconds) return cudaErrorInvalidValue;
    for (const Event* event : {first, second})
      if (!event || !event->recorded || (event->flags & kEventDisableTiming) != 0)
        return cudaErrorInvalidResourceHandle;
    const std::chrono::duration<float, std::milli> elapsed = *second->recorded - *first->recorded;
    *milliseconds = elapsed.count();
    return cudaSuccess;
  });
}

namespace {

// cudaLaunchAttributeID of what a stream has.
constexpr int kAccessPolicyWindow = 1, kSynchronizationPolicy = 3, kPriority = 8;
constexpr int kMemSyncDomainMap = 9, kMemSyncDomain = 10;
constexpr int kStreamAttributes[] = {kAccessPolicyWindow, kSynchronizationPolicy, kPriority,
                                     kMemSyncDomainMap, kMemSyncDomain};

bool has_attribute(int attribute) {
  return std::count(std::begin(kStreamAttributes), std::end(kStreamAttributes), attribute) != 0;
}

AttributeValue attribute_of(const Context& state, cudaStream_t stream, int attribute) {
  AttributeValue value{};
  if (attribute == kPriority) {
    const int priority = look_at(state, stream).priority;
    std::memcpy(value.data(), &priority, sizeof priority);
    return value;
  }
  const auto found =
      state.stream_attributes.find({reinterpret_cast<std::uintptr_t>(stream), attribute});
  return found == state.stream_attributes.end() ? value : found->second;
}

void set_attribute(Context& state, cudaStream_t stream, int attribute,
                   const AttributeValue& value) {
  const auto handle = reinterpret_cast<std::uintptr_t>(stream);
  const auto found = state.streams.find(handle);
  if (attribute != kPriority)
    state.stream_attributes[{handle, attribute}] = value;
  else if (found != state.streams.end())
    std::memcpy(&found->second.priority, value.data(), sizeof found->second.priority);
}

}  // namespace

// Attributes are hints about caches and priorities: remembered, nothing else.
cudaError cudaStreamSetAttribute(cudaStream_t stream, int attribute, const void* value) {
  return with_stream("cudaStreamSetAttribute", stream, [&](Context& state) {
    AttributeValue kept;
    if (!is_mapped(value, kept.size()) || !has_attribute(attribute)) return cudaErrorInvalidValue;
    std::memcpy(kept.data(), value, kept.size());
    set_attribute(state, stream, attribute, kept);
    return cudaSuccess;
  });
}

cudaError cudaStreamGetAttribute(cudaStream_t stream, int attribute, void* value) {
  return with_stream("cudaStreamGetAttribute", stream, [&](Context& state) {
    if (!is_mapped(value, sizeof(AttributeValue)) || !has_attribute(attribute))
      return cudaErrorInvalidValue;
    const AttributeValue kept = attribute_of(state, stream, attribute);
    std::memcpy(value, kept.data(), kept.size());
    return cudaSuccess;
  });
}

cudaError cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return with_stream("cudaStreamCopyAttributes", to, [&](Context& state) {
    if (!state.is_stream(from)) return cudaErrorInvalidResourceHandle;
    for (const int attribute : kStreamAttributes)
      set_attribute(state, to, attribute, attribute_of(state, from, attribute));
    return cudaSuccess;
  });
}

LANESCOPE_ALIAS(cudaStreamCopyAttributes, _ptsz);
LANESCOPE_ALIAS(cudaStreamSetAttribute, _ptsz);
LANESCOPE_ALIAS(cudaStreamGetAttribute, _ptsz);
LANESCOPE_ALIAS(cudaStreamSynchronize, _ptsz);
LANESCOPE_ALIAS(cudaStreamQuery, _ptsz);
LANESCOPE_ALIAS(cudaStreamWaitEvent, _ptsz);
LANESCOPE_ALIAS(cudaStreamGetFlags, _ptsz);
LANESCOPE_ALIAS(cudaStreamGetPriority, _ptsz);
LANESCOPE_ALIAS(cudaStreamGetId, _ptsz);
LANESCOPE_ALIAS(cudaStreamGetDevice, _ptsz);
LANESCOPE_ALIAS(cudaStreamIsCapturing, _ptsz);
LANESCOPE_ALIAS(cudaStreamAddCallback, _ptsz);
LANESCOPE_ALIAS(cudaLaunchHostFunc, _ptsz);
LANESCOPE_ALIAS(cudaEventRecord, _ptsz);
LANESCOPE_ALIAS(cudaEventRecordWithFlags, _ptsz);

}  // namespace lanescope::cudart

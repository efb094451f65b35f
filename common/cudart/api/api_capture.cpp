// SPDX-License-Identifier: MIT
// Stream capture: what is given to a stream between begin and end becomes a graph instead of being
// done. Other streams join by waiting for an event that the captured one recorded.
#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/default_stream.hpp"
#include "cudart/graph/capture_rules.hpp"
#include "cudart/handle.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

namespace {

cudaError begin_capture(Context& state, cudaStream_t stream, std::uint64_t graph, int mode) {
  if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
  if (stream_number(stream) == kLegacyStream)
    return refuse(state, cudaErrorStreamCaptureUnsupported,
                  "the default stream cannot be captured; use one of cudaStreamCreate");
  const auto [found, is_new] = state.graphs.captures.try_emplace(stream_number(stream));
  if (!is_new) return cudaErrorIllegalState;
  found->second = {graph, {}, true, false, mode, std::this_thread::get_id()};
  return cudaSuccess;
}

/// Another stream has work that the captured one never waited for.
bool is_unjoined(const Context& state, const Capture& ended) {
  const auto graph = state.graphs.graphs.find(ended.graph);
  if (graph == state.graphs.graphs.end()) return false;  // the program has destroyed it meanwhile
  const auto& nodes = graph->second.nodes;
  for (const auto& [other, capture] : state.graphs.captures) {
    if (capture.graph != ended.graph || capture.begun_here) continue;
    for (const std::uint64_t node : capture.last) {
      const auto needed = [&](const GraphNode& each) {
        return std::find(each.needs.begin(), each.needs.end(), node) != each.needs.end();
      };
      if (std::find(ended.last.begin(), ended.last.end(), node) == ended.last.end() &&
          std::none_of(nodes.begin(), nodes.end(), needed))
        return true;
    }
  }
  return false;
}

/// Why a capture that ends has made no graph.
cudaError what_is_wrong(const Context& state, const Capture& ended) {
  constexpr int kRelaxed = 2;
  if (ended.mode != kRelaxed && ended.thread != std::this_thread::get_id())
    return refuse(state, cudaErrorStreamCaptureWrongThread,
                  "another thread began the capture, which is lost; end it there, or begin with "
                  "cudaStreamCaptureModeRelaxed");
  if (ended.is_invalid) return cudaErrorStreamCaptureInvalidated;
  if (is_unjoined(state, ended))
    return refuse(state, cudaErrorStreamCaptureUnjoined,
                  "a stream that joined the capture was not waited for: record an event there, and "
                  "cudaStreamWaitEvent here");
  return cudaSuccess;
}

}  // namespace

cudaError cudaStreamBeginCapture(cudaStream_t stream, int mode) {
  return call("cudaStreamBeginCapture", [&](Context& state) {
    if (mode < 0 || mode > 2) return cudaErrorInvalidValue;
    const std::uint64_t graph = state.next_handle++;
    const cudaError error = begin_capture(state, stream, graph, mode);
    if (error == cudaSuccess) state.graphs.graphs[graph] = {};
    return error;
  });
}

cudaError cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                        const cudaGraphNode_t* needs, const void*,
                                        std::size_t count, int mode) {
  return call("cudaStreamBeginCaptureToGraph", [&](Context& state) {
    if (mode < 0 || mode > 2 || (count > 0 && !needs)) return cudaErrorInvalidValue;
    if (state.graphs.graphs.count(number(graph)) == 0) return cudaErrorInvalidValue;
    const cudaError error = begin_capture(state, stream, number(graph), mode);
    if (error != cudaSuccess) return error;
    for (std::size_t k = 0; k < count; ++k)
      state.graphs.capture_of(stream)->last.push_back(number(needs[k]));
    return cudaSuccess;
  });
}

cudaError cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call("cudaStreamEndCapture", [&](Context& state) {
    if (const cudaError error = forbid_default(state, stream); error != cudaSuccess) return error;
    const Capture* found = state.graphs.capture_of(stream);
    if (!found) return cudaErrorIllegalState;
    if (!found->begun_here) return cudaErrorStreamCaptureUnmatched;
    const Capture ended = *found;
    const cudaError error = what_is_wrong(state, ended);
    state.graphs.end_captures(ended.graph);
    if (graph) *graph = error == cudaSuccess ? handle(ended.graph) : nullptr;
    if (error != cudaSuccess) state.graphs.graphs.erase(ended.graph);
    return error;
  });
}

cudaError cudaStreamGetCaptureInfo(cudaStream_t stream, int* status, unsigned long long* id,
                                   cudaGraph_t* graph, const cudaGraphNode_t** needs,
                                   const void** edges, std::size_t* count) {
  return call("cudaStreamGetCaptureInfo", [&](Context& state) {
    if (!status) return cudaErrorInvalidValue;
    if (!state.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (is_default_forbidden(state, stream)) return cudaErrorStreamCaptureImplicit;
    const Capture* capture = state.graphs.capture_of(stream);
    *status = capture ? 1 : 0;
    if (!capture) return cudaSuccess;
    if (id) *id = capture->graph;
    if (graph) *graph = handle(capture->graph);
    if (needs) *needs = reinterpret_cast<const cudaGraphNode_t*>(capture->last.data());
    if (edges) *edges = nullptr;
    if (count) *count = capture->last.size();
    return cudaSuccess;
  });
}

cudaError cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                              const void*, std::size_t count, unsigned flags) {
  return call("cudaStreamUpdateCaptureDependencies", [&](Context& state) {
    constexpr unsigned kAdd = 0, kReplace = 1;
    if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
    Capture* found = state.graphs.capture_of(stream);
    if (!found) return cudaErrorIllegalState;
    if ((flags != kAdd && flags != kReplace) || (count > 0 && !nodes)) return cudaErrorInvalidValue;
    Capture& capture = *found;
    const Graph& graph = state.graphs.graphs[capture.graph];
    std::vector<std::uint64_t> last;
    if (flags == kAdd) last = capture.last;
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint64_t node = number(nodes[k]);
      if (!graph.find(node)) return cudaErrorInvalidValue;
      if (std::find(last.begin(), last.end(), node) == last.end()) last.push_back(node);
    }
    capture.last = std::move(last);
    return cudaSuccess;
  });
}

cudaError cudaThreadExchangeStreamCaptureMode(int* mode) {
  return call("cudaThreadExchangeStreamCaptureMode", [&](Context&) {
    if (!mode) return cudaErrorInvalidValue;
    std::swap(*mode, thread_capture_mode());
    return cudaSuccess;
  });
}

LANESCOPE_TWIN(cudaStreamBeginCapture, _ptsz);
LANESCOPE_TWIN(cudaStreamBeginCaptureToGraph, _ptsz);
LANESCOPE_TWIN(cudaStreamEndCapture, _ptsz);
LANESCOPE_TWIN(cudaStreamGetCaptureInfo, _ptsz);
LANESCOPE_TWIN(cudaStreamUpdateCaptureDependencies, _ptsz);

}  // namespace lanescope::cudart

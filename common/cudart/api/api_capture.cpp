// SPDX-License-Identifier: MIT
// Stream capture: what is given to a stream between begin and end becomes a graph instead of being
// done. Other streams join by waiting for an event that the captured one recorded.
#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/graph/capture_rules.hpp"
#include "cudart/handle.hpp"

namespace lanescope::cudart {

namespace {

cudaError begin_capture(Context& state, cudaStream_t stream, std::uint64_t graph, int mode) {
  if (!state.is_stream(stream)) return cudaErrorInvalidResourceHandle;
  constexpr std::uint64_t kLegacy = 1;
  if (number(stream) <= kLegacy)
    return refuse(state, cudaErrorStreamCaptureUnsupported,
                  "the default stream cannot be captured; use one of cudaStreamCreate");
  const auto [found, is_new] = state.graphs.captures.try_emplace(number(stream));
  if (!is_new) return cudaErrorIllegalState;
  found->second = {graph, {}, true, false, mode, std::this_thread::get_id()};
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
      state.graphs.captures[number(stream)].last.push_back(number(needs[k]));
    return cudaSuccess;
  });
}

cudaError cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call("cudaStreamEndCapture", [&](Context& state) {
    auto& captures = state.graphs.captures;
    const auto found = captures.find(number(stream));
    if (found == captures.end()) return cudaErrorIllegalState;
    if (!found->second.begun_here) return cudaErrorStreamCaptureUnmatched;
    const std::uint64_t made = found->second.graph;
    const bool is_invalid = found->second.is_invalid;
    const auto& last = found->second.last;
    bool unjoined = false;  // another stream has work that this one never waited for
    for (const auto& [other, capture] : captures) {
      if (capture.graph != made || capture.begun_here) continue;
      for (const std::uint64_t node : capture.last) {
        const auto needed = [&](const GraphNode& each) {
          return std::find(each.needs.begin(), each.needs.end(), node) != each.needs.end();
        };
        const auto& nodes = state.graphs.graphs[made].nodes;
        unjoined = unjoined || (std::find(last.begin(), last.end(), node) == last.end() &&
                                std::none_of(nodes.begin(), nodes.end(), needed));
      }
    }
    for (auto it = captures.begin(); it != captures.end();)
      it = it->second.graph == made ? captures.erase(it) : std::next(it);
    if (graph) *graph = unjoined || is_invalid ? nullptr : handle(made);
    if (!unjoined && !is_invalid) return cudaSuccess;
    state.graphs.graphs.erase(made);
    if (is_invalid) return cudaErrorStreamCaptureInvalidated;
    return refuse(state, cudaErrorStreamCaptureUnjoined,
                  "a stream that joined the capture was not waited for: record an event there, and "
                  "cudaStreamWaitEvent here");
  });
}

cudaError cudaStreamGetCaptureInfo(cudaStream_t stream, int* status, unsigned long long* id,
                                   cudaGraph_t* graph, const cudaGraphNode_t** needs,
                                   const void** edges, std::size_t* count) {
  return call("cudaStreamGetCaptureInfo", [&](Context& state) {
    if (!status) return cudaErrorInvalidValue;
    if (!state.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    const auto found = state.graphs.captures.find(number(stream));
    *status = found != state.graphs.captures.end() ? 1 : 0;
    if (*status == 0) return cudaSuccess;
    const Capture& capture = found->second;
    if (id) *id = capture.graph;
    if (graph) *graph = handle(capture.graph);
    if (needs) *needs = reinterpret_cast<const cudaGraphNode_t*>(capture.last.data());
    if (edges) *edges = nullptr;
    if (count) *count = capture.last.size();
    return cudaSuccess;
  });
}

cudaError cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                              const void*, std::size_t count, unsigned flags) {
  return call("cudaStreamUpdateCaptureDependencies", [&](Context& state) {
    constexpr unsigned kAdd = 0, kReplace = 1;
    if (!state.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    const auto found = state.graphs.captures.find(number(stream));
    if (found == state.graphs.captures.end()) return cudaErrorIllegalState;
    if ((flags != kAdd && flags != kReplace) || (count > 0 && !nodes)) return cudaErrorInvalidValue;
    Capture& capture = found->second;
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
    if (!mode || *mode < 0 || *mode > 2) return cudaErrorInvalidValue;
    std::swap(*mode, thread_capture_mode());
    return cudaSuccess;
  });
}

LANESCOPE_ALIAS(cudaStreamBeginCapture, _ptsz);
LANESCOPE_ALIAS(cudaStreamBeginCaptureToGraph, _ptsz);
LANESCOPE_ALIAS(cudaStreamEndCapture, _ptsz);
LANESCOPE_ALIAS(cudaStreamGetCaptureInfo, _ptsz);
LANESCOPE_ALIAS(cudaStreamUpdateCaptureDependencies, _ptsz);

}  // namespace lanescope::cudart

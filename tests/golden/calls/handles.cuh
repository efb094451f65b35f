// SPDX-License-Identifier: MIT
// Streams, events, pools and graphs, which are the same to the runtime and to the driver, and how
// the calls of either draw one.
#pragma once

#include <driver_types.h>

#include "draws.cuh"

namespace calls {

// Made by make_things() (calls.cu).
inline cudaStream_t stream, stream_nb;
inline cudaEvent_t event, event_nt, event_never;
inline cudaMemPool_t pool, default_pool;
inline cudaGraph_t graph;
inline cudaGraphNode_t node_a, node_b, node_c;
inline cudaGraphExec_t exec;

inline cudaStream_t a_stream() {
  switch (below(6)) {
    case 0:
      return named("legacy", cudaStreamLegacy);
    case 1:
      return named("perthread", cudaStreamPerThread);
    case 2:
      return named("stream", stream);
    case 3:
      return named("nb", stream_nb);
    default:
      return named("0", cudaStream_t{});
  }
}
inline cudaEvent_t an_event() {
  switch (below(8)) {
    case 0:
      return named("null", cudaEvent_t{});
    case 1:
    case 2:
      return named("event_nt", event_nt);
    case 3:
      return named("event_never", event_never);
    default:
      return named("event", event);
  }
}
inline cudaGraphNode_t a_node() {
  switch (below(5)) {
    case 0:
      return named("null", cudaGraphNode_t{});
    case 1:
      return named("a", node_a);
    case 2:
      return named("b", node_b);
    default:
      return named("c", node_c);
  }
}
inline cudaMemPool_t a_pool() {
  switch (below(4)) {
    case 0:
      return named("null", cudaMemPool_t{});
    case 1:
      return named("default", default_pool);
    default:
      return named("pool", pool);
  }
}

}  // namespace calls

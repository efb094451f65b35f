// SPDX-License-Identifier: MIT
// What a node of a graph does, made of the parameters that a program gives for it: when the node is
// added, and when it gets others. Adding it to a graph is api_graph_add.cpp. Each leaves the node
// as it was where it gives an error.
#pragma once

#include "cudart/launch.hpp"

namespace lanescope::cudart {

/// With the node's own attributes.
cudaError set_kernel(Context& context, const cudaKernelNodeParams* params, GraphNode& node);
/// Runs a kernel; where the stream is captured, writes it down, `function` as the program named it.
cudaError submit(Context& context, cudaStream_t stream, KernelWork work, const void* function);
cudaError set_copy(const Context& context, const cudaMemcpy3DParms* params, GraphNode& node);
cudaError set_copy(const Context& context, void* to, const void* from, std::size_t bytes,
                   cudaMemcpyKind kind, GraphNode& node);
/// A stream writes it down wherever it leads: it is looked at when the graph is done.
cudaError set_captured_fill(const Context& context, const cudaMemsetParams& fill, GraphNode& node);
cudaError set_fill(const Context& context, const cudaMemsetParams* params, GraphNode& node);
cudaError set_host(const cudaHostNodeParams* params, GraphNode& node);
cudaError set_record(const Context& context, cudaEvent_t event, GraphNode& node);
cudaError set_wait(const Context& context, cudaEvent_t event, GraphNode& node);
cudaError set_child(Context& context, cudaGraph_t child, GraphNode& node);

/// Gives a node other parameters, of the type that it has.
cudaError set_parameters(Context& context, GraphNode& node, const cudaGraphNodeParams& params);

/// Whether a node that was made ready to be done may become the other: of the same type, and a copy
/// between the same kinds of memory, or a fill of one row, or of several, as before.
bool can_become(const GraphNode& node, const GraphNode& other);

}  // namespace lanescope::cudart

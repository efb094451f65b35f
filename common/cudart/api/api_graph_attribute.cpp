// SPDX-License-Identifier: MIT
// Attributes of a kernel node's launch: clusters and cooperative launches are obeyed, hints are
// kept for whoever asks. And nodes of what was instantiated that are switched off for a while.
#include <algorithm>
#include <cstring>

#include "cudart/api/api.hpp"
#include "cudart/graph/node_work.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

namespace {

constexpr int kPriority = 8;  // cudaLaunchAttributePriority
// cudaLaunchAttributeID, those that a kernel node has
constexpr int kKernelAttributes[] = {1, 2, 4, 5, kPriority, 9, 10, 14};

bool has_attribute(int id) {
  return std::find(std::begin(kKernelAttributes), std::end(kKernelAttributes), id) !=
         std::end(kKernelAttributes);
}

GraphNode* find_kernel(Context& state, cudaGraphNode_t node) {
  Graph* graph = state.graphs.graph_of(number(node));
  GraphNode* found = graph ? graph->find(number(node)) : nullptr;
  return found && found->type == NodeType::kernel ? found : nullptr;
}

/// The node as it was, where its kernel cannot be launched so.
cudaError set_attributes(Context& state, GraphNode& node,
                         const std::map<int, AttributeValue>& attributes) {
  GraphNode made = node;
  made.attributes = attributes;
  const cudaError error = set_kernel(state, &node.given->all.kernel, made);
  if (error == cudaSuccess) node = std::move(made);
  return error;
}

/// Calls `body(node)` with a node that can be switched off; an executable's own.
template <class Body>
cudaError with_switch(const char* name, cudaGraphExec_t executable, cudaGraphNode_t node,
                      Body&& body) {
  return call(name, [&](Context& state) {
    const auto nodes = state.graphs.executables.find(number(executable));
    if (nodes == state.graphs.executables.end()) return cudaErrorInvalidValue;
    for (GraphNode& each : nodes->second) {
      if (each.handle != number(node)) continue;
      const bool has_switch = each.type == NodeType::kernel || each.type == NodeType::memcpy ||
                              each.type == NodeType::memset;
      return has_switch ? body(each) : cudaErrorInvalidValue;
    }
    return cudaErrorInvalidValue;
  });
}

}  // namespace

cudaError cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, int id, void* value) {
  return call("cudaGraphKernelNodeGetAttribute", [&](Context& state) {
    const GraphNode* found = find_kernel(state, node);
    if (!found || !has_attribute(id) || !is_mapped(value, sizeof(AttributeValue)))
      return cudaErrorInvalidValue;
    const auto kept = found->attributes.find(id);
    const AttributeValue answer = kept == found->attributes.end() ? AttributeValue{} : kept->second;
    std::memcpy(value, answer.data(), answer.size());
    return cudaSuccess;
  });
}

cudaError cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, int id, const void* value) {
  return call("cudaGraphKernelNodeSetAttribute", [&](Context& state) {
    GraphNode* found = find_kernel(state, node);
    if (!found || !has_attribute(id) || !is_mapped(value, sizeof(AttributeValue)))
      return cudaErrorInvalidValue;
    auto attributes = found->attributes;
    std::memcpy(attributes[id].data(), value, sizeof(AttributeValue));
    if (id == kPriority) {
      int priority = 0;
      std::memcpy(&priority, value, sizeof priority);
      priority = within_range(priority);
      std::memcpy(attributes[id].data(), &priority, sizeof priority);
    }
    return set_attributes(state, *found, attributes);
  });
}

cudaError cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return call("cudaGraphKernelNodeCopyAttributes", [&](Context& state) {
    GraphNode* found = find_kernel(state, to);
    const GraphNode* other = find_kernel(state, from);
    if (!found || !other) return cudaErrorInvalidValue;
    return set_attributes(state, *found, other->attributes);
  });
}

cudaError cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                  unsigned* is_on) {
  return with_switch("cudaGraphNodeGetEnabled", executable, node, [&](const GraphNode& found) {
    if (!is_mapped(is_on, sizeof *is_on)) return cudaErrorInvalidValue;
    *is_on = found.is_off ? 0 : 1;
    return cudaSuccess;
  });
}

cudaError cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                  unsigned is_on) {
  return with_switch("cudaGraphNodeSetEnabled", executable, node, [&](GraphNode& found) {
    found.is_off = is_on == 0;
    return cudaSuccess;
  });
}

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// Nodes of the driver API's graphs. Copies are described in other words than the runtime's, and a
// kernel may be a CUkernel; everything else is the same.
#include "cudart/driver/driver_graph_node.hpp"

#include <cstring>

#include "cudart/api/api.hpp"
#include "cudart/api/api_graph.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

constexpr int kKernelNode = 0, kMemcpyNode = 1, kConditionalNode = 13;  // CUgraphNodeType

/// Runs `body` with the same copy as the runtime describes it.
template <class Body>
CUresult with_copy(const CUDA_MEMCPY3D* copy, Body&& body,
                   const char* function_called = __builtin_FUNCTION()) {
  const auto run = [&] {
    if (!is_mapped(copy, sizeof *copy)) return cudaErrorInvalidValue;
    cudaMemcpy3DParms same{};
    const cudaError error = as_runtime(*copy, same);
    return error != cudaSuccess ? error : body(&same);
  };
  return drive(run, function_called);
}

/// Whether a conditional node can have so many bodies.
bool are_bodies(int type, unsigned count) {
  enum { kIf, kWhile, kSwitch };
  if (type < kIf || type > kSwitch || count == 0) return false;
  return count <= (type == kIf ? 2u : type == kWhile ? 1u : UINT_MAX);
}

/// It comes behind what the runtime has of a conditional node.
CUhandle context_of_conditional(const CUgraphNodeParams& params) {
  constexpr std::size_t kOffsetBytes = 24;
  CUhandle found = nullptr;
  std::memcpy(&found, reinterpret_cast<const std::byte*>(&params.reserved1) + kOffsetBytes,
              sizeof found);
  return found;
}

/// Runs `body` with the runtime's parameters of any node, and gives back what it has written there.
template <class Body>
CUresult with_node(CUgraphNodeParams* params, Body&& body,
                   const char* function_called = __builtin_FUNCTION()) {
  const auto run = [&] {
    static_assert(sizeof(CUgraphNodeParams) == sizeof(cudaGraphNodeParams));
    if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    if (params->type < 0 || params->type > kConditionalNode) return cudaErrorInvalidValue;
    cudaGraphNodeParams same{};
    std::memcpy(static_cast<void*>(&same), params, sizeof same);
    const bool is_lost = params->type == kConditionalNode && !context_of_conditional(*params);
    if (is_lost && are_bodies(same.conditional.type, same.conditional.size))
      return cudaErrorDeviceUninitialized;
    if (params->type == kKernelNode) {
      same.kernel = params->kernel.node;
      if (!same.kernel.func) same.kernel.func = params->kernel.kernel;
    }
    if (params->type == kMemcpyNode) {
      same.memcpy = {};
      const cudaError error = as_runtime(params->memcpy.copy, same.memcpy.copyParams);
      if (error != cudaSuccess) return error;
    }
    const cudaError error = body(&same);
    if (params->type != kKernelNode && params->type != kMemcpyNode)
      std::memcpy(static_cast<void*>(params), &same, sizeof same);
    return error;
  };
  return drive(run, function_called);
}

}  // namespace

CUresult cuGraphAddMemcpyNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                              std::size_t count, const CUDA_MEMCPY3D* copy, CUhandle) {
  return with_copy(copy, [&](const cudaMemcpy3DParms* same) {
    return cudaGraphAddMemcpyNode(node, graph, needs, count, same);
  });
}

CUresult cuGraphMemcpyNodeGetParams(CUhandle node, CUDA_MEMCPY3D* copy) {
  return drive([&] {
    if (!copy) return cudaErrorInvalidValue;
    cudaMemcpy3DParms found{};
    const cudaError error = cudaGraphMemcpyNodeGetParams(node, &found);
    if (error == cudaSuccess) *copy = as_driver(found);
    return error;
  });
}

CUresult cuGraphMemcpyNodeSetParams(CUhandle node, const CUDA_MEMCPY3D* copy) {
  return with_copy(copy, [&](const cudaMemcpy3DParms* same) {
    return cudaGraphMemcpyNodeSetParams(node, same);
  });
}

CUresult cuGraphExecMemcpyNodeSetParams(CUhandle executable, CUhandle node,
                                        const CUDA_MEMCPY3D* copy, CUhandle) {
  return with_copy(copy, [&](const cudaMemcpy3DParms* same) {
    return cudaGraphExecMemcpyNodeSetParams(executable, node, same);
  });
}

// A captured launch has the host's pointer to the kernel: the driver knows the function alone.
CUresult cuGraphKernelNodeGetParams_v2(CUhandle node, CUDA_KERNEL_NODE_PARAMS* params) {
  return drive([&] {
    if (!params) return cudaErrorInvalidValue;
    cudaKernelNodeParams found{};
    const cudaError error = cudaGraphKernelNodeGetParams(node, &found);
    if (error != cudaSuccess) return error;
    Context& state = context();
    const std::lock_guard lock(state.mutex);
    if (const Function* function = state.find_function(found.func))
      found.func = handle(function->handle);
    *params = {found, nullptr, handle(kPrimaryContext)};
    return cudaSuccess;
  });
}

CUresult cuGraphAddNode_v2(CUhandle* node, CUhandle graph, const CUhandle* needs, const void* edges,
                           std::size_t count, CUgraphNodeParams* params) {
  return with_node(params, [&](cudaGraphNodeParams* same) {
    return cudaGraphAddNode(node, graph, needs, static_cast<const cudaGraphEdgeData*>(edges), count,
                            same);
  });
}

CUresult cuGraphNodeSetParams(CUhandle node, CUgraphNodeParams* params) {
  return with_node(params,
                   [&](cudaGraphNodeParams* same) { return cudaGraphNodeSetParams(node, same); });
}

CUresult cuGraphExecNodeSetParams(CUhandle executable, CUhandle node, CUgraphNodeParams* params) {
  return with_node(params, [&](cudaGraphNodeParams* same) {
    return cudaGraphExecNodeSetParams(executable, node, same);
  });
}

CUresult cuGraphAddEventRecordNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                                   std::size_t count, CUhandle event) {
  return drive([&] { return cudaGraphAddEventRecordNode(node, graph, needs, count, event); });
}

CUresult cuGraphEventRecordNodeGetEvent(CUhandle node, CUhandle* event) {
  return drive([&] { return cudaGraphEventRecordNodeGetEvent(node, event); });
}

CUresult cuGraphEventRecordNodeSetEvent(CUhandle node, CUhandle event) {
  if (!event) return to_driver(cudaErrorInvalidValue);
  return drive([&] { return cudaGraphEventRecordNodeSetEvent(node, event); });
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUhandle executable, CUhandle node, CUhandle event) {
  return drive([&] { return cudaGraphExecEventRecordNodeSetEvent(executable, node, event); });
}

CUresult cuGraphAddEventWaitNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                                 std::size_t count, CUhandle event) {
  return drive([&] { return cudaGraphAddEventWaitNode(node, graph, needs, count, event); });
}

CUresult cuGraphEventWaitNodeGetEvent(CUhandle node, CUhandle* event) {
  return drive([&] { return cudaGraphEventWaitNodeGetEvent(node, event); });
}

CUresult cuGraphEventWaitNodeSetEvent(CUhandle node, CUhandle event) {
  if (!event) return to_driver(cudaErrorInvalidValue);
  return drive([&] { return cudaGraphEventWaitNodeSetEvent(node, event); });
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUhandle executable, CUhandle node, CUhandle event) {
  return drive([&] { return cudaGraphExecEventWaitNodeSetEvent(executable, node, event); });
}

CUresult cuGraphAddMemAllocNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                                std::size_t count, cudaMemAllocNodeParams* params) {
  return drive([&] { return cudaGraphAddMemAllocNode(node, graph, needs, count, params); });
}

CUresult cuGraphMemAllocNodeGetParams(CUhandle node, cudaMemAllocNodeParams* params) {
  return drive([&] { return cudaGraphMemAllocNodeGetParams(node, params); });
}

CUresult cuGraphAddMemFreeNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                               std::size_t count, CUdeviceptr address) {
  return drive([&] {
    return cudaGraphAddMemFreeNode(node, graph, needs, count, reinterpret_cast<void*>(address));
  });
}

CUresult cuGraphMemFreeNodeGetParams(CUhandle node, CUdeviceptr* address) {
  return drive([&] { return cudaGraphMemFreeNodeGetParams(node, address); });
}

CUresult cuGraphMemsetNodeGetParams(CUhandle node, cudaMemsetParams* params) {
  return drive([&] { return cudaGraphMemsetNodeGetParams(node, params); });
}

CUresult cuGraphMemsetNodeSetParams(CUhandle node, const cudaMemsetParams* params) {
  return drive([&] { return cudaGraphMemsetNodeSetParams(node, params); });
}

CUresult cuGraphExecMemsetNodeSetParams(CUhandle executable, CUhandle node,
                                        const cudaMemsetParams* params, CUhandle) {
  return drive([&] { return cudaGraphExecMemsetNodeSetParams(executable, node, params); });
}

CUresult cuGraphHostNodeGetParams(CUhandle node, cudaHostNodeParams* params) {
  return drive([&] { return cudaGraphHostNodeGetParams(node, params); });
}

CUresult cuGraphHostNodeSetParams(CUhandle node, const cudaHostNodeParams* params) {
  return drive([&] { return cudaGraphHostNodeSetParams(node, params); });
}

CUresult cuGraphExecHostNodeSetParams(CUhandle executable, CUhandle node,
                                      const cudaHostNodeParams* params) {
  return drive([&] { return cudaGraphExecHostNodeSetParams(executable, node, params); });
}

CUresult cuGraphChildGraphNodeGetGraph(CUhandle node, CUhandle* graph) {
  return drive([&] { return cudaGraphChildGraphNodeGetGraph(node, graph); });
}

CUresult cuGraphExecChildGraphNodeSetParams(CUhandle executable, CUhandle node, CUhandle child) {
  return drive([&] { return cudaGraphExecChildGraphNodeSetParams(executable, node, child); });
}

CUresult cuGraphKernelNodeGetAttribute(CUhandle node, int id, void* value) {
  return drive([&] { return cudaGraphKernelNodeGetAttribute(node, id, value); });
}

CUresult cuGraphKernelNodeSetAttribute(CUhandle node, int id, const void* value) {
  return drive([&] { return cudaGraphKernelNodeSetAttribute(node, id, value); });
}

CUresult cuGraphKernelNodeCopyAttributes(CUhandle to, CUhandle from) {
  return drive([&] { return cudaGraphKernelNodeCopyAttributes(to, from); });
}

}  // namespace lanescope::cudart

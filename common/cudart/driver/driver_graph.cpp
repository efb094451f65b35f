// SPDX-License-Identifier: MIT
// Graphs and captured streams of the driver API: the runtime's, under the driver's names. A node's
// parameters are the runtime's, too, and behind them the CUkernel that may stand for the function,
// and a context, of which there is one.
#include "cudart/driver/driver_graph.hpp"
#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/api/api_graph.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

/// Runs `body` with the runtime's parameters of a kernel node.
template <class Body>
CUresult with_kernel(const CUDA_KERNEL_NODE_PARAMS* params, Body&& body,
                     const char* function_called = __builtin_FUNCTION()) {
  const auto run = [&] {
    if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    cudaKernelNodeParams node = params->node;
    if (!node.func) node.func = params->kernel;
    return body(&node);
  };
  return drive(run, function_called);
}

}  // namespace

CUresult cuGraphCreate(CUhandle* graph, unsigned flags) {
  return drive([&] { return cudaGraphCreate(graph, flags); });
}

CUresult cuGraphDestroy(CUhandle graph) {
  return drive([&] { return cudaGraphDestroy(graph); });
}

CUresult cuGraphClone(CUhandle* clone, CUhandle graph) {
  return drive([&] { return cudaGraphClone(clone, graph); });
}

CUresult cuGraphAddKernelNode_v2(CUhandle* node, CUhandle graph, const CUhandle* needs,
                                 std::size_t count, const CUDA_KERNEL_NODE_PARAMS* params) {
  return with_kernel(params, [&](const cudaKernelNodeParams* kernel) {
    return cudaGraphAddKernelNode(node, graph, needs, count, kernel);
  });
}

CUresult cuGraphAddMemsetNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                              std::size_t count, const cudaMemsetParams* params, CUhandle) {
  return drive([&] { return cudaGraphAddMemsetNode(node, graph, needs, count, params); });
}

CUresult cuGraphAddHostNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                            std::size_t count, const cudaHostNodeParams* params) {
  return drive([&] { return cudaGraphAddHostNode(node, graph, needs, count, params); });
}

CUresult cuGraphAddEmptyNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                             std::size_t count) {
  return drive([&] { return cudaGraphAddEmptyNode(node, graph, needs, count); });
}

CUresult cuGraphAddChildGraphNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                                  std::size_t count, CUhandle child) {
  return drive([&] { return cudaGraphAddChildGraphNode(node, graph, needs, count, child); });
}

CUresult cuGraphKernelNodeSetParams_v2(CUhandle node, const CUDA_KERNEL_NODE_PARAMS* params) {
  return with_kernel(params, [&](const cudaKernelNodeParams* kernel) {
    return cudaGraphKernelNodeSetParams(node, kernel);
  });
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUhandle executable, CUhandle node,
                                           const CUDA_KERNEL_NODE_PARAMS* params) {
  return with_kernel(params, [&](const cudaKernelNodeParams* kernel) {
    constexpr int kKernel = 0;
    int type = kKernel;
    const bool is_kernel = cudaGraphNodeGetType(node, &type) == cudaSuccess && type == kKernel;
    if (!executable || !is_kernel) return cudaErrorInvalidValue;  // whatever the kernel is
    return cudaGraphExecKernelNodeSetParams(executable, node, kernel);
  });
}

CUresult cuGraphGetNodes(CUhandle graph, CUhandle* nodes, std::size_t* count) {
  return drive([&] { return cudaGraphGetNodes(graph, nodes, count); });
}

CUresult cuGraphGetRootNodes(CUhandle graph, CUhandle* nodes, std::size_t* count) {
  return drive([&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}

CUresult cuGraphNodeGetType(CUhandle node, int* type) {
  return drive([&] { return cudaGraphNodeGetType(node, type); });
}

CUresult cuGraphDebugDotPrint(CUhandle graph, const char* path, unsigned flags) {
  return drive([&] { return cudaGraphDebugDotPrint(graph, path, flags); });
}

CUresult cuGraphInstantiateWithFlags(CUhandle* executable, CUhandle graph,
                                     unsigned long long flags) {
  constexpr unsigned long long kFlags = 1 | 4 | 8;  // for kernels to launch, too
  if (current_context() == 0 && (flags & ~kFlags) == 0) return kInvalidContext;
  return drive([&] { return cudaGraphInstantiateWithFlags(executable, graph, flags); });
}

CUresult cuGraphExecUpdate_v2(CUhandle executable, CUhandle graph,
                              cudaGraphExecUpdateResultInfo* result) {
  return drive([&] { return cudaGraphExecUpdate(executable, graph, result); });
}

CUresult cuGraphExecDestroy(CUhandle executable) {
  return drive([&] { return cudaGraphExecDestroy(executable); });
}

CUresult cuGraphUpload(CUhandle executable, CUhandle stream) {
  return drive_in(stream, [&] { return cudaGraphUpload(executable, stream); });
}

CUresult cuGraphLaunch(CUhandle executable, CUhandle stream) {
  return drive_in(stream, [&] { return cudaGraphLaunch(executable, stream); });
}

CUresult cuStreamBeginCapture_v2(CUhandle stream, int mode) {
  return drive_in(stream, [&] { return cudaStreamBeginCapture(stream, mode); });
}

CUresult cuStreamEndCapture(CUhandle stream, CUhandle* graph) {
  return drive_in(stream, [&] { return cudaStreamEndCapture(stream, graph); });
}

CUresult cuStreamIsCapturing(CUhandle stream, int* status) {
  return drive_in(stream, [&] { return cudaStreamIsCapturing(stream, status); });
}

CUresult cuStreamGetCaptureInfo_v2(CUhandle stream, int* status, unsigned long long* id,
                                   CUhandle* graph, const CUhandle** needs, std::size_t* count) {
  return drive_in(stream, [&] {
    return cudaStreamGetCaptureInfo(stream, status, id, graph, needs, nullptr, count);
  });
}

CUresult cuStreamGetCaptureInfo_v3(CUhandle stream, int* status, unsigned long long* id,
                                   CUhandle* graph, const CUhandle** needs, const void** edges,
                                   std::size_t* count) {
  return drive_in(stream, [&] {
    return cudaStreamGetCaptureInfo(stream, status, id, graph, needs, edges, count);
  });
}

CUresult cuThreadExchangeStreamCaptureMode(int* mode) {
  return drive([&] { return cudaThreadExchangeStreamCaptureMode(mode); });
}

LANESCOPE_TWIN(cuGraphLaunch, _ptsz);
LANESCOPE_TWIN(cuGraphUpload, _ptsz);
LANESCOPE_TWIN(cuStreamBeginCapture_v2, _ptsz);
LANESCOPE_TWIN(cuStreamEndCapture, _ptsz);
LANESCOPE_TWIN(cuStreamGetCaptureInfo_v2, _ptsz);
LANESCOPE_TWIN(cuStreamGetCaptureInfo_v3, _ptsz);
LANESCOPE_TWIN(cuStreamIsCapturing, _ptsz);

}  // namespace lanescope::cudart

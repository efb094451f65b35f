// SPDX-License-Identifier: MIT
// Graphs and what captures them: the part of api.hpp that is longest.
#pragma once

#include "cudart/abi.hpp"

namespace lanescope::cudart {

// api_capture.cpp
LANESCOPE_API cudaError cudaStreamBeginCapture(cudaStream_t stream, int mode);
LANESCOPE_API cudaError cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                      const cudaGraphNode_t* needs, const void*,
                                                      std::size_t count, int mode);
LANESCOPE_API cudaError cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
LANESCOPE_API cudaError cudaStreamGetCaptureInfo(cudaStream_t stream, int* status,
                                                 unsigned long long* id, cudaGraph_t* graph,
                                                 const cudaGraphNode_t** needs, const void** edges,
                                                 std::size_t* count);
LANESCOPE_API cudaError cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                            cudaGraphNode_t* nodes, const void*,
                                                            std::size_t count, unsigned flags);
LANESCOPE_API cudaError cudaThreadExchangeStreamCaptureMode(int* mode);

// api_graph*.cpp
LANESCOPE_API cudaError cudaGraphCreate(cudaGraph_t* graph, unsigned flags);
LANESCOPE_API cudaError cudaGraphDestroy(cudaGraph_t graph);
LANESCOPE_API cudaError cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph);
LANESCOPE_API cudaError cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* needs, std::size_t count,
                                               const cudaKernelNodeParams* params);
LANESCOPE_API cudaError cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* needs, std::size_t count,
                                               const cudaMemcpy3DParms* params);
LANESCOPE_API cudaError cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t* needs, std::size_t count,
                                                 void* to, const void* from, std::size_t bytes,
                                                 cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* needs, std::size_t count,
                                               const cudaMemsetParams* params);
LANESCOPE_API cudaError cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t* needs, std::size_t count,
                                                 cudaMemAllocNodeParams* params);
LANESCOPE_API cudaError cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                const cudaGraphNode_t* needs, std::size_t count,
                                                void* pointer);
LANESCOPE_API cudaError cudaGraphConditionalHandleCreate(unsigned long long* handle,
                                                         cudaGraph_t graph, unsigned value,
                                                         unsigned flags);
LANESCOPE_API cudaError cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                         const cudaGraphNode_t* needs,
                                         const cudaGraphEdgeData* edges, std::size_t count,
                                         cudaGraphNodeParams* params);
LANESCOPE_API cudaError cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params);
LANESCOPE_API cudaError cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                   cudaGraphNodeParams* params);
LANESCOPE_API cudaError cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags);
LANESCOPE_API cudaError cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* needs, std::size_t count,
                                             const cudaHostNodeParams* params);
LANESCOPE_API cudaError cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                              const cudaGraphNode_t* needs, std::size_t count);
LANESCOPE_API cudaError cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                   const cudaGraphNode_t* needs, std::size_t count,
                                                   cudaGraph_t child);
LANESCOPE_API cudaError cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* needs, std::size_t count,
                                                    cudaEvent_t event);
LANESCOPE_API cudaError cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* needs, std::size_t count,
                                                  cudaEvent_t event);
LANESCOPE_API cudaError cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                 const cudaGraphNode_t* to,
                                                 const cudaGraphEdgeData* edges, std::size_t count);
LANESCOPE_API cudaError cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes,
                                          std::size_t* count);
LANESCOPE_API cudaError cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes,
                                              std::size_t* count);
LANESCOPE_API cudaError cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from,
                                          cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                                          std::size_t* count);
LANESCOPE_API cudaError cudaGraphNodeGetType(cudaGraphNode_t node, int* type);
LANESCOPE_API cudaError cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                     const cudaKernelNodeParams* params);
LANESCOPE_API cudaError cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                                     cudaKernelNodeParams* params);
LANESCOPE_API cudaError cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                                     cudaMemcpy3DParms* params);
LANESCOPE_API cudaError cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                                     const cudaMemcpy3DParms* params);
LANESCOPE_API cudaError cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to,
                                                       const void* from, std::size_t bytes,
                                                       cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                                     cudaMemsetParams* params);
LANESCOPE_API cudaError cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                                     const cudaMemsetParams* params);
LANESCOPE_API cudaError cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                                   cudaHostNodeParams* params);
LANESCOPE_API cudaError cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                                   const cudaHostNodeParams* params);
LANESCOPE_API cudaError cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                                       cudaMemAllocNodeParams* params);
LANESCOPE_API cudaError cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer);
LANESCOPE_API cudaError cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* needs,
                                                     cudaGraphEdgeData* edges, std::size_t* count);
LANESCOPE_API cudaError cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* later,
                                                       cudaGraphEdgeData* edges,
                                                       std::size_t* count);
LANESCOPE_API cudaError cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                    const cudaGraphNode_t* to,
                                                    const cudaGraphEdgeData* edges,
                                                    std::size_t count);
LANESCOPE_API cudaError cudaGraphDestroyNode(cudaGraphNode_t node);
LANESCOPE_API cudaError cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable,
                                                         cudaGraphNode_t node,
                                                         const cudaMemcpy3DParms* params);
LANESCOPE_API cudaError cudaDeviceGetGraphMemAttribute(int device, int attribute, void* value);
LANESCOPE_API cudaError cudaDeviceSetGraphMemAttribute(int device, int attribute, void* value);
LANESCOPE_API cudaError cudaDeviceGraphMemTrim(int device);
LANESCOPE_API cudaError cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                             unsigned long long);
LANESCOPE_API cudaError cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable,
                                                      cudaGraph_t graph, unsigned long long flags);
LANESCOPE_API cudaError cudaGraphExecDestroy(cudaGraphExec_t executable);
LANESCOPE_API cudaError cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream);
LANESCOPE_API cudaError cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
LANESCOPE_API cudaError cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable,
                                                         cudaGraphNode_t node,
                                                         const cudaKernelNodeParams* params);
LANESCOPE_API cudaError cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable,
                                                           cudaGraphNode_t node, void* to,
                                                           const void* from, std::size_t bytes,
                                                           cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable,
                                                         cudaGraphNode_t node,
                                                         const cudaMemsetParams* params);
LANESCOPE_API cudaError cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable,
                                                       cudaGraphNode_t node,
                                                       const cudaHostNodeParams* params);
LANESCOPE_API cudaError cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                            cudaGraphExecUpdateResultInfo* result);

// objects, switches, attributes, variables, children, clones
LANESCOPE_API cudaError cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event);
LANESCOPE_API cudaError cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event);
LANESCOPE_API cudaError cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph);
LANESCOPE_API cudaError cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                                 cudaGraph_t clone);
LANESCOPE_API cudaError cudaGraphExecGetFlags(cudaGraphExec_t executable,
                                              unsigned long long* flags);
LANESCOPE_API cudaError cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable,
                                                             cudaGraphNode_t node,
                                                             cudaGraph_t child);
LANESCOPE_API cudaError cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
LANESCOPE_API cudaError cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
LANESCOPE_API cudaError cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable,
                                                             cudaGraphNode_t node,
                                                             cudaEvent_t event);
LANESCOPE_API cudaError cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable,
                                                           cudaGraphNode_t node, cudaEvent_t event);
LANESCOPE_API cudaError cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, int id, void* value);
LANESCOPE_API cudaError cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, int id,
                                                        const void* value);
LANESCOPE_API cudaError cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from);
LANESCOPE_API cudaError cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                unsigned* is_on);
LANESCOPE_API cudaError cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                unsigned is_on);
LANESCOPE_API cudaError cudaUserObjectCreate(cudaUserObject_t* object, void* what,
                                             cudaHostFn_t destroy, unsigned count, unsigned flags);
LANESCOPE_API cudaError cudaUserObjectRetain(cudaUserObject_t object, unsigned count);
LANESCOPE_API cudaError cudaUserObjectRelease(cudaUserObject_t object, unsigned count);
LANESCOPE_API cudaError cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                                  unsigned count, unsigned flags);
LANESCOPE_API cudaError cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                                   unsigned count);
LANESCOPE_API cudaError cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                       const cudaGraphNode_t* needs,
                                                       std::size_t count, const void* symbol,
                                                       const void* from, std::size_t bytes,
                                                       std::size_t offset_bytes,
                                                       cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs, std::size_t count,
    void* to, const void* symbol, std::size_t bytes, std::size_t offset_bytes, cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node,
                                                             const void* symbol, const void* from,
                                                             std::size_t bytes,
                                                             std::size_t offset_bytes,
                                                             cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                               const void* symbol,
                                                               std::size_t bytes,
                                                               std::size_t offset_bytes,
                                                               cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t executable, cudaGraphNode_t node, const void* symbol, const void* from,
    std::size_t bytes, std::size_t offset_bytes, cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t executable, cudaGraphNode_t node, void* to, const void* symbol,
    std::size_t bytes, std::size_t offset_bytes, cudaMemcpyKind kind);
LANESCOPE_API cudaError cudaGraphInstantiateWithParams(cudaGraphExec_t* executable,
                                                       cudaGraph_t graph,
                                                       cudaGraphInstantiateParams* params);

}  // namespace lanescope::cudart

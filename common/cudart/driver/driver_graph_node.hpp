// SPDX-License-Identifier: MIT
// Nodes of the driver API's graphs: what they hold, how they hang together. Source: cuda.h of CUDA
// 13.0.
#pragma once

#include "cudart/driver/driver_array.hpp"
#include "cudart/driver/driver_graph.hpp"

namespace lanescope::cudart {

LANESCOPE_API CUresult cuGraphAddMemcpyNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                                            std::size_t count, const CUDA_MEMCPY3D* copy, CUhandle);
LANESCOPE_API CUresult cuGraphMemcpyNodeGetParams(CUhandle node, CUDA_MEMCPY3D* copy);
LANESCOPE_API CUresult cuGraphMemcpyNodeSetParams(CUhandle node, const CUDA_MEMCPY3D* copy);
LANESCOPE_API CUresult cuGraphExecMemcpyNodeSetParams(CUhandle executable, CUhandle node,
                                                      const CUDA_MEMCPY3D* copy, CUhandle);
LANESCOPE_API CUresult cuGraphKernelNodeGetParams_v2(CUhandle node,
                                                     CUDA_KERNEL_NODE_PARAMS* params);
LANESCOPE_API CUresult cuGraphAddNode_v2(CUhandle* node, CUhandle graph, const CUhandle* needs,
                                         const void* edges, std::size_t count,
                                         CUgraphNodeParams* params);
LANESCOPE_API CUresult cuGraphNodeSetParams(CUhandle node, CUgraphNodeParams* params);
LANESCOPE_API CUresult cuGraphExecNodeSetParams(CUhandle executable, CUhandle node,
                                                CUgraphNodeParams* params);

// Forwarded to the runtime as they are.
LANESCOPE_API CUresult cuGraphAddEventRecordNode(CUhandle* node, CUhandle graph,
                                                 const CUhandle* needs, std::size_t count,
                                                 CUhandle event);
LANESCOPE_API CUresult cuGraphEventRecordNodeGetEvent(CUhandle node, CUhandle* event);
LANESCOPE_API CUresult cuGraphEventRecordNodeSetEvent(CUhandle node, CUhandle event);
LANESCOPE_API CUresult cuGraphExecEventRecordNodeSetEvent(CUhandle executable, CUhandle node,
                                                          CUhandle event);
LANESCOPE_API CUresult cuGraphAddEventWaitNode(CUhandle* node, CUhandle graph,
                                               const CUhandle* needs, std::size_t count,
                                               CUhandle event);
LANESCOPE_API CUresult cuGraphEventWaitNodeGetEvent(CUhandle node, CUhandle* event);
LANESCOPE_API CUresult cuGraphEventWaitNodeSetEvent(CUhandle node, CUhandle event);
LANESCOPE_API CUresult cuGraphExecEventWaitNodeSetEvent(CUhandle executable, CUhandle node,
                                                        CUhandle event);
LANESCOPE_API CUresult cuGraphAddMemAllocNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                                              std::size_t count, cudaMemAllocNodeParams* params);
LANESCOPE_API CUresult cuGraphMemAllocNodeGetParams(CUhandle node, cudaMemAllocNodeParams* params);
LANESCOPE_API CUresult cuGraphAddMemFreeNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                                             std::size_t count, CUdeviceptr address);
LANESCOPE_API CUresult cuGraphMemFreeNodeGetParams(CUhandle node, CUdeviceptr* address);
LANESCOPE_API CUresult cuGraphMemsetNodeGetParams(CUhandle node, cudaMemsetParams* params);
LANESCOPE_API CUresult cuGraphMemsetNodeSetParams(CUhandle node, const cudaMemsetParams* params);
LANESCOPE_API CUresult cuGraphExecMemsetNodeSetParams(CUhandle executable, CUhandle node,
                                                      const cudaMemsetParams* params, CUhandle);
LANESCOPE_API CUresult cuGraphHostNodeGetParams(CUhandle node, cudaHostNodeParams* params);
LANESCOPE_API CUresult cuGraphHostNodeSetParams(CUhandle node, const cudaHostNodeParams* params);
LANESCOPE_API CUresult cuGraphExecHostNodeSetParams(CUhandle executable, CUhandle node,
                                                    const cudaHostNodeParams* params);
LANESCOPE_API CUresult cuGraphChildGraphNodeGetGraph(CUhandle node, CUhandle* graph);
LANESCOPE_API CUresult cuGraphExecChildGraphNodeSetParams(CUhandle executable, CUhandle node,
                                                          CUhandle child);
LANESCOPE_API CUresult cuGraphKernelNodeGetAttribute(CUhandle node, int id, void* value);
LANESCOPE_API CUresult cuGraphKernelNodeSetAttribute(CUhandle node, int id, const void* value);
LANESCOPE_API CUresult cuGraphKernelNodeCopyAttributes(CUhandle to, CUhandle from);

LANESCOPE_API CUresult cuGraphConditionalHandleCreate(unsigned long long* made, CUhandle graph,
                                                      CUhandle, unsigned value, unsigned flags);
LANESCOPE_API CUresult cuGraphAddDependencies_v2(CUhandle graph, const CUhandle* from,
                                                 const CUhandle* to, const void* edges,
                                                 std::size_t count);
LANESCOPE_API CUresult cuGraphRemoveDependencies_v2(CUhandle graph, const CUhandle* from,
                                                    const CUhandle* to, const void* edges,
                                                    std::size_t count);
LANESCOPE_API CUresult cuGraphGetEdges_v2(CUhandle graph, CUhandle* from, CUhandle* to, void* edges,
                                          std::size_t* count);
LANESCOPE_API CUresult cuGraphNodeGetDependencies_v2(CUhandle node, CUhandle* needs, void* edges,
                                                     std::size_t* count);
LANESCOPE_API CUresult cuGraphNodeGetDependentNodes_v2(CUhandle node, CUhandle* later, void* edges,
                                                       std::size_t* count);
LANESCOPE_API CUresult cuGraphDestroyNode(CUhandle node);
LANESCOPE_API CUresult cuGraphNodeFindInClone(CUhandle* node, CUhandle original, CUhandle clone);
LANESCOPE_API CUresult cuGraphNodeGetEnabled(CUhandle executable, CUhandle node, unsigned* is_on);
LANESCOPE_API CUresult cuGraphNodeSetEnabled(CUhandle executable, CUhandle node, unsigned is_on);
LANESCOPE_API CUresult cuGraphExecGetFlags(CUhandle executable, unsigned long long* flags);
LANESCOPE_API CUresult cuGraphInstantiateWithParams(CUhandle* executable, CUhandle graph,
                                                    cudaGraphInstantiateParams* params);
LANESCOPE_API CUresult cuUserObjectCreate(CUhandle* object, void* what, cudaHostFn_t destroy,
                                          unsigned count, unsigned flags);
LANESCOPE_API CUresult cuUserObjectRetain(CUhandle object, unsigned count);
LANESCOPE_API CUresult cuUserObjectRelease(CUhandle object, unsigned count);
LANESCOPE_API CUresult cuGraphRetainUserObject(CUhandle graph, CUhandle object, unsigned count,
                                               unsigned flags);
LANESCOPE_API CUresult cuGraphReleaseUserObject(CUhandle graph, CUhandle object, unsigned count);
LANESCOPE_API CUresult cuDeviceGetGraphMemAttribute(CUdevice device, int attribute, void* value);
LANESCOPE_API CUresult cuDeviceSetGraphMemAttribute(CUdevice device, int attribute, void* value);
LANESCOPE_API CUresult cuDeviceGraphMemTrim(CUdevice device);
LANESCOPE_API CUresult cuStreamBeginCaptureToGraph(CUhandle stream, CUhandle graph,
                                                   const CUhandle* needs, const void* edges,
                                                   std::size_t count, int mode);
LANESCOPE_API CUresult cuStreamUpdateCaptureDependencies_v2(CUhandle stream, CUhandle* nodes,
                                                            const void* edges, std::size_t count,
                                                            unsigned flags);

}  // namespace lanescope::cudart

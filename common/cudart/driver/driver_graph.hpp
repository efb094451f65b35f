// SPDX-License-Identifier: MIT
// Graphs of the driver API: the part of driver.hpp that is longest. Source: cuda.h of CUDA 13.0.
#pragma once

#include "cudart/abi_driver.hpp"
#include "cudart/driver/driver.hpp"

namespace lanescope::cudart {

LANESCOPE_API CUresult cuGraphCreate(CUhandle* graph, unsigned flags);
LANESCOPE_API CUresult cuGraphDestroy(CUhandle graph);
LANESCOPE_API CUresult cuGraphClone(CUhandle* clone, CUhandle graph);
LANESCOPE_API CUresult cuGraphAddKernelNode_v2(CUhandle* node, CUhandle graph,
                                               const CUhandle* needs, std::size_t count,
                                               const CUDA_KERNEL_NODE_PARAMS* params);
LANESCOPE_API CUresult cuGraphAddMemsetNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                                            std::size_t count, const cudaMemsetParams* params,
                                            CUhandle context);
LANESCOPE_API CUresult cuGraphAddHostNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                                          std::size_t count, const cudaHostNodeParams* params);
LANESCOPE_API CUresult cuGraphAddEmptyNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                                           std::size_t count);
LANESCOPE_API CUresult cuGraphAddChildGraphNode(CUhandle* node, CUhandle graph,
                                                const CUhandle* needs, std::size_t count,
                                                CUhandle child);
LANESCOPE_API CUresult cuGraphKernelNodeSetParams_v2(CUhandle node,
                                                     const CUDA_KERNEL_NODE_PARAMS* params);
LANESCOPE_API CUresult cuGraphExecKernelNodeSetParams_v2(CUhandle executable, CUhandle node,
                                                         const CUDA_KERNEL_NODE_PARAMS* params);
LANESCOPE_API CUresult cuGraphGetNodes(CUhandle graph, CUhandle* nodes, std::size_t* count);
LANESCOPE_API CUresult cuGraphGetRootNodes(CUhandle graph, CUhandle* nodes, std::size_t* count);
LANESCOPE_API CUresult cuGraphNodeGetType(CUhandle node, int* type);
LANESCOPE_API CUresult cuGraphDebugDotPrint(CUhandle graph, const char* path, unsigned flags);
LANESCOPE_API CUresult cuGraphInstantiateWithFlags(CUhandle* executable, CUhandle graph,
                                                   unsigned long long flags);
LANESCOPE_API CUresult cuGraphExecUpdate_v2(CUhandle executable, CUhandle graph,
                                            cudaGraphExecUpdateResultInfo* result);
LANESCOPE_API CUresult cuGraphExecDestroy(CUhandle executable);
LANESCOPE_API CUresult cuGraphUpload(CUhandle executable, CUhandle stream);
LANESCOPE_API CUresult cuGraphLaunch(CUhandle executable, CUhandle stream);
LANESCOPE_API CUresult cuStreamBeginCapture_v2(CUhandle stream, int mode);
LANESCOPE_API CUresult cuStreamEndCapture(CUhandle stream, CUhandle* graph);
LANESCOPE_API CUresult cuStreamIsCapturing(CUhandle stream, int* status);
LANESCOPE_API CUresult cuStreamGetCaptureInfo_v2(CUhandle stream, int* status,
                                                 unsigned long long* id, CUhandle* graph,
                                                 const CUhandle** needs, std::size_t* count);
LANESCOPE_API CUresult cuStreamGetCaptureInfo_v3(CUhandle stream, int* status,
                                                 unsigned long long* id, CUhandle* graph,
                                                 const CUhandle** needs, const void** edges,
                                                 std::size_t* count);
LANESCOPE_API CUresult cuThreadExchangeStreamCaptureMode(int* mode);

}  // namespace lanescope::cudart

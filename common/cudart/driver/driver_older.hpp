// SPDX-License-Identifier: MIT
// Functions of the driver whose parameters have changed, in their older forms: what a program gets
// that asks cuGetProcAddress for such a version, or opens libcuda.so.1 for the name without a
// suffix. Source: the versions in cudaTypedefs.h (PFN_..._v12080) of CUDA 13.0.
#pragma once

#include <string_view>

#include "cudart/driver/driver_batch.hpp"
#include "cudart/driver/driver_graph.hpp"
#include "cudart/driver/driver_graph_node.hpp"

namespace lanescope::cudart {

LANESCOPE_API CUresult cuGetProcAddress(const char* symbol, void** function, int version,
                                        std::uint64_t flags);
LANESCOPE_API CUresult cuCtxCreate_v3(CUhandle* made, const void* affinity, int count,
                                      unsigned flags, CUdevice device);
/// A `device` of -1 is the host.
LANESCOPE_API CUresult cuMemAdvise(CUdeviceptr address, std::size_t bytes, int advice,
                                   CUdevice device);
LANESCOPE_API CUresult cuMemPrefetchAsync(CUdeviceptr address, std::size_t bytes, CUdevice device,
                                          CUhandle stream);
/// `failed` is SIZE_MAX where the call is refused: which of the copies is to blame is not told.
LANESCOPE_API CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, std::size_t* bytes,
                                          std::size_t count, cudaMemcpyAttributes* attributes,
                                          std::size_t* first_copies, std::size_t attribute_count,
                                          std::size_t* failed, CUhandle stream);
LANESCOPE_API CUresult cuStreamGetCaptureInfo(CUhandle stream, int* status, unsigned long long* id);
LANESCOPE_API CUresult cuStreamUpdateCaptureDependencies(CUhandle stream, CUhandle* nodes,
                                                         std::size_t count, unsigned flags);
LANESCOPE_API CUresult cuGraphAddNode(CUhandle* node, CUhandle graph, const CUhandle* needs,
                                      std::size_t count, CUgraphNodeParams* params);
LANESCOPE_API CUresult cuGraphAddDependencies(CUhandle graph, const CUhandle* from,
                                              const CUhandle* to, std::size_t count);
LANESCOPE_API CUresult cuGraphRemoveDependencies(CUhandle graph, const CUhandle* from,
                                                 const CUhandle* to, std::size_t count);
LANESCOPE_API CUresult cuGraphGetEdges(CUhandle graph, CUhandle* from, CUhandle* to,
                                       std::size_t* count);
LANESCOPE_API CUresult cuGraphNodeGetDependencies(CUhandle node, CUhandle* needs,
                                                  std::size_t* count);
LANESCOPE_API CUresult cuGraphNodeGetDependentNodes(CUhandle node, CUhandle* later,
                                                    std::size_t* count);

/// Whether a program that asks for `version` wants an older form than the table's, and which:
/// nullptr is one that is not emulated.
struct OlderForm {
  bool is_asked = false;
  void* function = nullptr;
};
OlderForm older_form(std::string_view name, int version);

/// Whether the function came with a later version, in the form with streams of a thread's own where
/// that is asked for.
bool is_later_than(int version, std::string_view name, bool per_thread);

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// How nodes of the driver API's graphs hang together, and what else is the runtime's word for word.
#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/api/api_graph.hpp"
#include "cudart/driver/driver_graph_node.hpp"

namespace lanescope::cudart {

namespace {

// CUgraphEdgeData is the runtime's struct.
cudaGraphEdgeData* said(void* edges) { return static_cast<cudaGraphEdgeData*>(edges); }
const cudaGraphEdgeData* said(const void* edges) {
  return static_cast<const cudaGraphEdgeData*>(edges);
}

}  // namespace

CUresult cuGraphConditionalHandleCreate(unsigned long long* made, CUhandle graph, CUhandle place,
                                        unsigned value, unsigned flags) {
  if (!place && flags <= 1) return kInvalidContext;
  return drive([&] { return cudaGraphConditionalHandleCreate(made, graph, value, flags); });
}

CUresult cuGraphAddDependencies_v2(CUhandle graph, const CUhandle* from, const CUhandle* to,
                                   const void* edges, std::size_t count) {
  return drive([&] { return cudaGraphAddDependencies(graph, from, to, said(edges), count); });
}

CUresult cuGraphRemoveDependencies_v2(CUhandle graph, const CUhandle* from, const CUhandle* to,
                                      const void* edges, std::size_t count) {
  return drive([&] { return cudaGraphRemoveDependencies(graph, from, to, said(edges), count); });
}

CUresult cuGraphGetEdges_v2(CUhandle graph, CUhandle* from, CUhandle* to, void* edges,
                            std::size_t* count) {
  return drive([&] { return cudaGraphGetEdges(graph, from, to, said(edges), count); });
}

CUresult cuGraphNodeGetDependencies_v2(CUhandle node, CUhandle* needs, void* edges,
                                       std::size_t* count) {
  return drive([&] { return cudaGraphNodeGetDependencies(node, needs, said(edges), count); });
}

CUresult cuGraphNodeGetDependentNodes_v2(CUhandle node, CUhandle* later, void* edges,
                                         std::size_t* count) {
  return drive([&] { return cudaGraphNodeGetDependentNodes(node, later, said(edges), count); });
}

CUresult cuGraphDestroyNode(CUhandle node) {
  return drive([&] { return cudaGraphDestroyNode(node); });
}

CUresult cuGraphNodeFindInClone(CUhandle* node, CUhandle original, CUhandle clone) {
  return drive([&] { return cudaGraphNodeFindInClone(node, original, clone); });
}

CUresult cuGraphNodeGetEnabled(CUhandle executable, CUhandle node, unsigned* is_on) {
  return drive([&] { return cudaGraphNodeGetEnabled(executable, node, is_on); });
}

CUresult cuGraphNodeSetEnabled(CUhandle executable, CUhandle node, unsigned is_on) {
  return drive([&] { return cudaGraphNodeSetEnabled(executable, node, is_on); });
}

CUresult cuGraphExecGetFlags(CUhandle executable, unsigned long long* flags) {
  return drive([&] { return cudaGraphExecGetFlags(executable, flags); });
}

CUresult cuGraphInstantiateWithParams(CUhandle* executable, CUhandle graph,
                                      cudaGraphInstantiateParams* params) {
  return drive([&] { return cudaGraphInstantiateWithParams(executable, graph, params); });
}

CUresult cuUserObjectCreate(CUhandle* object, void* what, cudaHostFn_t destroy, unsigned count,
                            unsigned flags) {
  return drive([&] { return cudaUserObjectCreate(object, what, destroy, count, flags); });
}

CUresult cuUserObjectRetain(CUhandle object, unsigned count) {
  return drive([&] { return cudaUserObjectRetain(object, count); });
}

CUresult cuUserObjectRelease(CUhandle object, unsigned count) {
  return drive([&] { return cudaUserObjectRelease(object, count); });
}

CUresult cuGraphRetainUserObject(CUhandle graph, CUhandle object, unsigned count, unsigned flags) {
  return drive([&] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}

CUresult cuGraphReleaseUserObject(CUhandle graph, CUhandle object, unsigned count) {
  const CUresult result = drive([&] { return cudaGraphReleaseUserObject(graph, object, count); });
  return count != 0 && graph && object ? 0 : result;  // of more than it keeps, too, says an H200
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, int attribute, void* value) {
  return drive([&] { return cudaDeviceGetGraphMemAttribute(device, attribute, value); });
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, int attribute, void* value) {
  return drive([&] { return cudaDeviceSetGraphMemAttribute(device, attribute, value); });
}

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return drive([&] { return cudaDeviceGraphMemTrim(device); });
}

CUresult cuStreamBeginCaptureToGraph(CUhandle stream, CUhandle graph, const CUhandle* needs,
                                     const void* edges, std::size_t count, int mode) {
  return drive_in(stream, [&] {
    return cudaStreamBeginCaptureToGraph(stream, graph, needs, edges, count, mode);
  });
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUhandle stream, CUhandle* nodes, const void* edges,
                                              std::size_t count, unsigned flags) {
  return drive_in(stream, [&] {
    return cudaStreamUpdateCaptureDependencies(stream, nodes, edges, count, flags);
  });
}

LANESCOPE_TWIN(cuGraphInstantiateWithParams, _ptsz);
LANESCOPE_TWIN(cuStreamBeginCaptureToGraph, _ptsz);
LANESCOPE_TWIN(cuStreamUpdateCaptureDependencies_v2, _ptsz);

}  // namespace lanescope::cudart

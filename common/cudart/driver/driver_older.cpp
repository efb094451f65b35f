// SPDX-License-Identifier: MIT
#include "cudart/driver/driver_older.hpp"

#include <cstdint>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

/// A form that ended when CUDA `below` brought the next one.
struct Form {
  std::string_view name;
  int below;
  void* function;
};

template <class T>
void* code_of(T* function) {
  return reinterpret_cast<void*>(function);
}

// Of a name with several the oldest first.
const auto& forms() {
  static const Form kForms[] = {
      {"cuGetProcAddress", 12000, code_of(&cuGetProcAddress)},
      {"cuCtxCreate", 11040, code_of(&cuCtxCreate_v2)},
      {"cuCtxCreate", 12050, code_of(&cuCtxCreate_v3)},
      {"cuMemAdvise", 12020, code_of(&cuMemAdvise)},
      {"cuMemPrefetchAsync", 12020, code_of(&cuMemPrefetchAsync)},
      {"cuMemcpyBatchAsync", 13000, code_of(&cuMemcpyBatchAsync)},
      {"cuStreamGetCaptureInfo", 11030, code_of(&cuStreamGetCaptureInfo)},
      {"cuStreamGetCaptureInfo", 12030, code_of(&cuStreamGetCaptureInfo_v2)},
      {"cuStreamUpdateCaptureDependencies", 12030, code_of(&cuStreamUpdateCaptureDependencies)},
      {"cuGraphAddNode", 12030, code_of(&cuGraphAddNode)},
      {"cuGraphAddDependencies", 12030, code_of(&cuGraphAddDependencies)},
      {"cuGraphRemoveDependencies", 12030, code_of(&cuGraphRemoveDependencies)},
      {"cuGraphGetEdges", 12030, code_of(&cuGraphGetEdges)},
      {"cuGraphNodeGetDependencies", 12030, code_of(&cuGraphNodeGetDependencies)},
      {"cuGraphNodeGetDependentNodes", 12030, code_of(&cuGraphNodeGetDependentNodes)},
      // Their structs were shorter, or their answers others.
      {"cuGraphAddKernelNode", 12000, nullptr},
      {"cuGraphKernelNodeGetParams", 12000, nullptr},
      {"cuGraphKernelNodeSetParams", 12000, nullptr},
      {"cuGraphExecKernelNodeSetParams", 12000, nullptr},
      {"cuGraphExecUpdate", 12000, nullptr},
      {"cuStreamBeginCapture", 10010, nullptr},
  };
  return kForms;
}

}  // namespace

OlderForm older_form(std::string_view name, int version) {
  for (const Form& form : forms())
    if (form.name == name && version < form.below)
      return {true, form.function ? form.function : find_unsupported_driver_function(name)};
  return {};
}

CUresult cuGetProcAddress(const char* symbol, void** function, int version, std::uint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}

CUresult cuCtxCreate_v3(CUhandle* made, const void* affinities, int count, unsigned flags,
                        CUdevice device) {
  const CUctxCreateParams how{affinities, count, nullptr};
  return cuCtxCreate_v4(made, &how, flags, device);
}

CUresult cuMemAdvise(CUdeviceptr address, std::size_t bytes, int advice, CUdevice device) {
  return cuMemAdvise_v2(address, bytes, advice, place_of_device(device));
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, std::size_t bytes, CUdevice device,
                            CUhandle stream) {
  return cuMemPrefetchAsync_v2(address, bytes, place_of_device(device), 0, stream);
}

CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, std::size_t* bytes,
                            std::size_t count, cudaMemcpyAttributes* attributes,
                            std::size_t* first_copies, std::size_t attribute_count,
                            std::size_t* failed, CUhandle stream) {
  const CUresult result = cuMemcpyBatchAsync_v2(to, from, bytes, count, attributes, first_copies,
                                                attribute_count, stream);
  if (result != 0 && is_mapped(failed, sizeof *failed)) *failed = SIZE_MAX;
  return result;
}

CUresult cuStreamGetCaptureInfo(CUhandle stream, int* status, unsigned long long* id) {
  return cuStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
}

CUresult cuStreamUpdateCaptureDependencies(CUhandle stream, CUhandle* nodes, std::size_t count,
                                           unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, nodes, nullptr, count, flags);
}

CUresult cuGraphAddNode(CUhandle* node, CUhandle graph, const CUhandle* needs, std::size_t count,
                        CUgraphNodeParams* params) {
  return cuGraphAddNode_v2(node, graph, needs, nullptr, count, params);
}

CUresult cuGraphAddDependencies(CUhandle graph, const CUhandle* from, const CUhandle* to,
                                std::size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphRemoveDependencies(CUhandle graph, const CUhandle* from, const CUhandle* to,
                                   std::size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphGetEdges(CUhandle graph, CUhandle* from, CUhandle* to, std::size_t* count) {
  return cuGraphGetEdges_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphNodeGetDependencies(CUhandle node, CUhandle* needs, std::size_t* count) {
  return cuGraphNodeGetDependencies_v2(node, needs, nullptr, count);
}

CUresult cuGraphNodeGetDependentNodes(CUhandle node, CUhandle* later, std::size_t* count) {
  return cuGraphNodeGetDependentNodes_v2(node, later, nullptr, count);
}

LANESCOPE_TWIN(cuMemPrefetchAsync, _ptsz);
LANESCOPE_TWIN(cuMemcpyBatchAsync, _ptsz);
LANESCOPE_TWIN(cuStreamGetCaptureInfo, _ptsz);
LANESCOPE_TWIN(cuStreamUpdateCaptureDependencies, _ptsz);

bool is_later_than(int version, std::string_view name, bool per_thread) {
  struct Since {
    std::string_view name;
    int version, per_thread;
  };
  static constexpr Since kSince[] = {
#define LANESCOPE_SINCE(name, version, per_thread) {#name, version, per_thread},
#include "cudart/driver/driver_since.inc"
#undef LANESCOPE_SINCE
  };
  for (const Since& since : kSince)
    if (since.name == name)
      return version < (per_thread && since.per_thread != 0 ? since.per_thread : since.version);
  return false;
}

}  // namespace lanescope::cudart

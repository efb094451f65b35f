// SPDX-License-Identifier: MIT
// Copies and fills of volumes; what they do is in volume.cpp.
#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/area.hpp"
#include "cudart/graph/node_work.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/stream.hpp"
#include "cudart/volume.hpp"

namespace lanescope::cudart {

namespace {

cudaError copy_in(const char* name, const cudaMemcpy3DParms* params, cudaStream_t stream) {
  return call(name, [&](Context& state) {
    if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
    if (is_empty(params->extent)) return cudaSuccess;
    if (!is_captured(state, stream)) return copy_volume(state, *params);
    return write_down(state, stream, NodeType::memcpy,
                      [&](GraphNode& node) { return set_copy(state, params, node); });
  });
}

cudaError fill_in(const cudaPitchedPtr& to, int value, const cudaExtent& extent,
                  cudaStream_t stream) {
  return call("cudaMemset3D", [&](Context& state) {
    if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
    return submit(state, stream, NodeType::memset,
                  [=](Context& there) { return fill_volume(there, to, value, extent); });
  });
}

}  // namespace

cudaError cudaMemcpy3D(const cudaMemcpy3DParms* params) {
  return copy_in("cudaMemcpy3D", params, nullptr);
}

cudaError cudaMemcpy3DAsync(const cudaMemcpy3DParms* params, cudaStream_t stream) {
  return copy_in("cudaMemcpy3DAsync", params, stream);
}

cudaError cudaMalloc3D(cudaPitchedPtr* made, cudaExtent extent) {
  if (!made) return cudaMallocPitch(nullptr, nullptr, 0, 0);
  std::size_t rows = 0;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) rows = SIZE_MAX;
  const cudaError error = cudaMallocPitch(&made->ptr, &made->pitch, extent.width, rows);
  if (error != cudaSuccess) return error;
  made->xsize = extent.width;
  made->ysize = extent.height;
  return cudaSuccess;
}

cudaError cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return fill_in(to, value, extent, nullptr);
}

cudaError cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  return fill_in(to, value, extent, stream);
}

cudaError cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                         std::size_t bytes) {
  return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, nullptr);
}

cudaError cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                              std::size_t bytes, cudaStream_t stream) {
  const bool here = bytes == 0 || (to_device == 0 && from_device == 0);
  const cudaError error =
      call("cudaMemcpyPeer", [&](Context&) { return here ? cudaSuccess : cudaErrorInvalidDevice; });
  return here ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream) : error;
}

cudaError cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* params) {
  return cudaMemcpy3DPeerAsync(params, nullptr);
}

cudaError cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* params, cudaStream_t stream) {
  const auto look = [&](Context&) {
    if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    const bool here = params->srcDevice == 0 && params->dstDevice == 0;
    return here ? cudaSuccess : cudaErrorInvalidDevice;
  };
  if (const cudaError error = call("cudaMemcpy3DPeer", look); error != cudaSuccess) return error;
  const auto& [from, from_at, from_pointer, from_device, to, to_at, to_pointer, to_device, extent] =
      *params;
  const cudaMemcpy3DParms asked{from,  from_at,    from_pointer, to,
                                to_at, to_pointer, extent,       cudaMemcpyDefault};
  return copy_in("cudaMemcpy3DPeer", &asked, stream);
}

LANESCOPE_TWIN(cudaMemcpy3DPeer, _ptds);
LANESCOPE_TWIN(cudaMemcpy3DPeerAsync, _ptsz);
LANESCOPE_TWIN(cudaMemcpy3D, _ptds);
LANESCOPE_TWIN(cudaMemcpy3DAsync, _ptsz);
LANESCOPE_TWIN(cudaMemset3D, _ptds);
LANESCOPE_TWIN(cudaMemset3DAsync, _ptsz);

}  // namespace lanescope::cudart

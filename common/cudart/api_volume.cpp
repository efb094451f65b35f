// SPDX-License-Identifier: MIT
// Copies and fills of volumes: slices of rows. Arrays are not emulated.
#include "cudart/alias.hpp"
#include "cudart/api.hpp"
#include "cudart/context.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

/// Where row 0 of a slice begins.
void* slice(const cudaPitchedPtr& pointer, const cudaPos& at, std::size_t depth) {
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer.ptr);
  return reinterpret_cast<void*>(begin + (at.z + depth) * pointer.pitch * pointer.ysize +
                                 at.y * pointer.pitch + at.x);
}

bool is_empty(const cudaExtent& extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

cudaError copy_volume(const char* name, const cudaMemcpy3DParms* params, cudaStream_t stream) {
  return call(name, [&](Context& state) {
    if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    if (!state.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (params->srcArray || params->dstArray)
      return refuse(state, cudaErrorNotSupported, "arrays are not emulated");
    return submit(state, stream, NodeType::memcpy, [copy = *params](Context&) {
      if (is_empty(copy.extent)) return cudaSuccess;
      for (std::size_t depth = 0; depth < copy.extent.depth; ++depth) {
        const cudaError error =
            cudaMemcpy2D(slice(copy.dstPtr, copy.dstPos, depth), copy.dstPtr.pitch,
                         slice(copy.srcPtr, copy.srcPos, depth), copy.srcPtr.pitch,
                         copy.extent.width, copy.extent.height, copy.kind);
        if (error != cudaSuccess) return error;
      }
      return cudaSuccess;
    });
  });
}

cudaError fill_volume(const cudaPitchedPtr& to, int value, const cudaExtent& extent,
                      cudaStream_t stream) {
  return call("cudaMemset3D", [&](Context& state) {
    if (!state.is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return submit(state, stream, NodeType::memset, [=](Context&) {
      if (is_empty(extent)) return cudaSuccess;
      for (std::size_t depth = 0; depth < extent.depth; ++depth) {
        const cudaError error =
            cudaMemset2D(slice(to, {0, 0, 0}, depth), to.pitch, value, extent.width, extent.height);
        if (error != cudaSuccess) return error;
      }
      return cudaSuccess;
    });
  });
}

}  // namespace

cudaError cudaMemcpy3D(const cudaMemcpy3DParms* params) {
  return copy_volume("cudaMemcpy3D", params, nullptr);
}

cudaError cudaMemcpy3DAsync(const cudaMemcpy3DParms* params, cudaStream_t stream) {
  return copy_volume("cudaMemcpy3DAsync", params, stream);
}

cudaError cudaMalloc3D(cudaPitchedPtr* made, cudaExtent extent) {
  if (!made) return cudaMallocPitch(nullptr, nullptr, 0, 0);
  std::size_t rows = 0;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) rows = SIZE_MAX;
  made->xsize = extent.width;
  made->ysize = extent.height;
  return cudaMallocPitch(&made->ptr, &made->pitch, extent.width, rows);
}

cudaError cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return fill_volume(to, value, extent, nullptr);
}

cudaError cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  return fill_volume(to, value, extent, stream);
}

cudaError cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                         std::size_t bytes) {
  return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, nullptr);
}

cudaError cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                              std::size_t bytes, cudaStream_t stream) {
  const bool here = to_device == 0 && from_device == 0;
  const cudaError error =
      call("cudaMemcpyPeer", [&](Context&) { return here ? cudaSuccess : cudaErrorInvalidDevice; });
  return here ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream) : error;
}

LANESCOPE_ALIAS(cudaMemcpy3D, _ptds);
LANESCOPE_ALIAS(cudaMemcpy3DAsync, _ptsz);
LANESCOPE_ALIAS(cudaMemset3D, _ptds);
LANESCOPE_ALIAS(cudaMemset3DAsync, _ptsz);

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// Copies and fills of volumes: slices of rows, all of which are looked at before the first is
// touched. Of an array, places and extents count texels.
#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/array_area.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

namespace {

/// One of the slices of a part of a volume.
Area slice(const cudaPitchedPtr& pointer, const cudaPos& at, const cudaExtent& extent,
           std::size_t depth) {
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer.ptr);
  const std::uint64_t address =
      begin + (at.z + depth) * pointer.pitch * pointer.ysize + at.y * pointer.pitch + at.x;
  return {address, pointer.pitch, extent.width, extent.height};
}

/// act(depth) for each slice, until one is refused.
template <class Act>
cudaError each_slice(const cudaExtent& extent, Act act) {
  for (std::size_t depth = 0; depth < extent.depth; ++depth)
    if (const cudaError error = act(depth); error != cudaSuccess) return error;
  return cudaSuccess;
}

bool is_empty(const cudaExtent& extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

/// One end of a copy: an array, or memory with a pitch.
struct End {
  const void* array = nullptr;
  cudaPos at{};
  cudaPitchedPtr pointer{};
};

/// Its rows in one slice; `extent` is in bytes across.
cudaError rows_of(const Context& state, const End& end, const cudaExtent& extent, std::size_t z,
                  Area& area) {
  if (!end.array) {
    area = slice(end.pointer, end.at, extent, z);
    return cudaSuccess;
  }
  const Array* array = state.textures.find_array(end.array);
  const std::size_t each = array ? array->texel_bytes() : 1;
  return array_rows(state, end.array,
                    {end.at.x * each, end.at.y, end.at.z + z, extent.width, extent.height}, area);
}

cudaError copy_slices(Context& state, const cudaMemcpy3DParms& asked) {
  if (is_empty(asked.extent)) return cudaSuccess;
  const End from{asked.srcArray, asked.srcPos, asked.srcPtr};
  const End to{asked.dstArray, asked.dstPos, asked.dstPtr};
  cudaExtent extent = asked.extent;
  if (const Array* array = state.textures.find_array(to.array ? to.array : from.array))
    extent.width *= array->texel_bytes();
  Area target, source;
  const auto find = [&](std::size_t z) {
    const cudaError error = rows_of(state, to, extent, z, target);
    return error != cudaSuccess ? error : rows_of(state, from, extent, z, source);
  };
  const cudaError error = each_slice(extent, [&](std::size_t z) {
    const cudaError wrong = find(z);
    return wrong != cudaSuccess ? wrong : check_copy_rows(state, target, source, asked.kind);
  });
  if (error != cudaSuccess) return error;
  return each_slice(extent, [&](std::size_t z) {
    find(z);
    return copy_rows(state, target, source, asked.kind);
  });
}

cudaError copy_volume(const char* name, const cudaMemcpy3DParms* params, cudaStream_t stream) {
  return call(name, [&](Context& state) {
    if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
    if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
    if ((params->srcArray && params->srcPtr.ptr) || (params->dstArray && params->dstPtr.ptr))
      return refuse(state, cudaErrorInvalidValue, "an array and a pointer at one end");
    return submit(state, stream, NodeType::memcpy,
                  [asked = *params](Context& there) { return copy_slices(there, asked); });
  });
}

cudaError fill_volume(const cudaPitchedPtr& to, int value, const cudaExtent& extent,
                      cudaStream_t stream) {
  return call("cudaMemset3D", [&](Context& state) {
    if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
    return submit(state, stream, NodeType::memset, [=](Context& there) {
      if (is_empty(extent)) return cudaSuccess;
      const auto at = [&](std::size_t z) { return slice(to, {0, 0, 0}, extent, z); };
      const cudaError error =
          each_slice(extent, [&](std::size_t z) { return check_fill_rows(there, at(z)); });
      if (error != cudaSuccess) return error;
      return each_slice(extent, [&](std::size_t z) {
        return fill_rows(there, at(z), static_cast<unsigned>(value));
      });
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
  return copy_volume("cudaMemcpy3DPeer", &asked, stream);
}

LANESCOPE_TWIN(cudaMemcpy3DPeer, _ptds);
LANESCOPE_TWIN(cudaMemcpy3DPeerAsync, _ptsz);
LANESCOPE_TWIN(cudaMemcpy3D, _ptds);
LANESCOPE_TWIN(cudaMemcpy3DAsync, _ptsz);
LANESCOPE_TWIN(cudaMemset3D, _ptds);
LANESCOPE_TWIN(cudaMemset3DAsync, _ptsz);

}  // namespace lanescope::cudart

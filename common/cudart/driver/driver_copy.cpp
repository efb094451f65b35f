// SPDX-License-Identifier: MIT
// Copies of blocks, of volumes and to and from arrays by the driver API: bytes across where the
// runtime counts texels of an array.
#include <algorithm>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/api/api_texture.hpp"
#include "cudart/driver/driver_array.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/stream.hpp"
#include "cudart/volume.hpp"

namespace lanescope::cudart {

namespace {

constexpr int kHost = 1, kDevice = 2, kArray = 3, kUnified = 4;  // CUmemorytype

void* at(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// One end of a copy. Height and pitch of 0: as much as is copied.
struct End {
  int type;
  void* host;
  CUdeviceptr device;
  CUhandle array;
  std::size_t pitch_bytes, height, x_bytes, y, z;
};

End source_of(const CUDA_MEMCPY3D& copy) {
  return {copy.srcMemoryType, const_cast<void*>(copy.srcHost),
          copy.srcDevice,     copy.srcArray,
          copy.srcPitch,      copy.srcHeight,
          copy.srcXInBytes,   copy.srcY,
          copy.srcZ};
}

End target_of(const CUDA_MEMCPY3D& copy) {
  return {copy.dstMemoryType, copy.dstHost,     copy.dstDevice, copy.dstArray, copy.dstPitch,
          copy.dstHeight,     copy.dstXInBytes, copy.dstY,      copy.dstZ};
}

struct Taken {
  void* array = nullptr;
  cudaPos at{};
  cudaPitchedPtr pointer{};
  std::size_t texel_bytes = 0;  // of an array
};

/// Places are in bytes.
cudaError take(const End& end, const CUDA_MEMCPY3D& copy, Taken& taken) {
  if (end.type < kHost || end.type > kUnified) return cudaErrorInvalidValue;
  taken.at = {end.x_bytes, end.y, end.z};
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  if (end.type == kArray) {
    const Array* found = state.textures.find_array(end.array);
    if (!found) return cudaErrorInvalidValue;
    taken.texel_bytes = found->texel_bytes();
    taken.array = end.array;
    return cudaSuccess;
  }
  const bool is_high =
      end.height == 0 || (end.y <= end.height && copy.Height <= end.height - end.y);
  const bool is_wide = end.pitch_bytes == 0 || (end.x_bytes <= end.pitch_bytes &&
                                                copy.WidthInBytes <= end.pitch_bytes - end.x_bytes);
  const bool is_somewhere = end.type != kDevice || state.memory.containing(end.device);
  if (!is_high || !is_wide || !is_somewhere) return cudaErrorInvalidValue;
  const std::size_t pitch = end.pitch_bytes != 0 ? end.pitch_bytes : copy.WidthInBytes;
  taken.pointer = {end.type == kHost ? end.host : at(end.device), pitch, copy.WidthInBytes,
                   std::max(end.height, copy.Height)};
  return cudaSuccess;
}

cudaMemcpyKind kind_of(int from, int to) {
  if (from == kUnified || to == kUnified) return cudaMemcpyDefault;
  if (from == kHost) return to == kHost ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return to == kHost ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

CUDA_MEMCPY3D as_volume(const CUDA_MEMCPY2D& plane) {
  CUDA_MEMCPY3D same{};
  same.srcXInBytes = plane.srcXInBytes;
  same.srcY = plane.srcY;
  same.srcMemoryType = plane.srcMemoryType;
  same.srcHost = plane.srcHost;
  same.srcDevice = plane.srcDevice;
  same.srcArray = plane.srcArray;
  same.srcPitch = plane.srcPitch;
  same.dstXInBytes = plane.dstXInBytes;
  same.dstY = plane.dstY;
  same.dstMemoryType = plane.dstMemoryType;
  same.dstHost = plane.dstHost;
  same.dstDevice = plane.dstDevice;
  same.dstArray = plane.dstArray;
  same.dstPitch = plane.dstPitch;
  same.WidthInBytes = plane.WidthInBytes;
  same.Height = plane.Height;
  same.Depth = 1;
  return same;
}

bool is_empty(const CUDA_MEMCPY3D& copy) {
  return copy.WidthInBytes == 0 || copy.Height == 0 || copy.Depth == 0;
}

/// The same copy, of an array in `unit`s: texels where all of it is made of them, else bytes.
cudaError as_runtime(const CUDA_MEMCPY3D& copy, cudaMemcpy3DParms& same, CopyUnit& unit) {
  Taken from, to;
  cudaError error = take(source_of(copy), copy, from);
  if (error == cudaSuccess) error = take(target_of(copy), copy, to);
  if (error != cudaSuccess) return error;
  std::size_t width = copy.WidthInBytes;
  const std::size_t each =
      std::max<std::size_t>(to.texel_bytes != 0 ? to.texel_bytes : from.texel_bytes, 1);
  const auto is_whole = [](const Taken& end) {
    return !end.array || end.at.x % end.texel_bytes == 0;
  };
  unit = width % each == 0 && is_whole(from) && is_whole(to) ? CopyUnit::texels : CopyUnit::bytes;
  if (unit == CopyUnit::texels) {
    width /= each;
    for (Taken* end : {&from, &to})
      if (end->array) end->at.x /= end->texel_bytes;
  }
  same = {from.array,
          from.at,
          from.pointer,
          to.array,
          to.at,
          to.pointer,
          {width, copy.Height, copy.Depth},
          kind_of(copy.srcMemoryType, copy.dstMemoryType)};
  return cudaSuccess;
}

/// Bytes that are no texels, which nobody captures.
cudaError copy_bytes(const cudaMemcpy3DParms& same, CUhandle stream) {
  return call("cuMemcpy", [&](Context& state) {
    if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
    if (is_captured(state, stream)) return cudaErrorInvalidValue;
    return copy_volume(state, same, CopyUnit::bytes);
  });
}

template <class Copy>
CUresult copy_block(const Copy* asked, CUhandle stream,
                    const char* function_called = __builtin_FUNCTION()) {
  const auto run = [&] {
    if (!is_mapped(asked, sizeof *asked)) return cudaErrorInvalidValue;
    CUDA_MEMCPY3D copy{};
    if constexpr (std::is_same_v<Copy, CUDA_MEMCPY2D>)
      copy = as_volume(*asked);
    else
      copy = *asked;
    if (is_empty(copy)) return cudaSuccess;
    cudaMemcpy3DParms same{};
    CopyUnit unit{};
    const cudaError error = as_runtime(copy, same, unit);
    if (error != cudaSuccess) return error;
    return unit == CopyUnit::texels ? cudaMemcpy3DAsync(&same, stream) : copy_bytes(same, stream);
  };
  return drive_in(stream, run, function_called);
}

}  // namespace

cudaError as_runtime(const CUDA_MEMCPY3D& copy, cudaMemcpy3DParms& same) {
  CopyUnit unit{};
  const cudaError error = as_runtime(copy, same, unit);
  return error == cudaSuccess && unit != CopyUnit::texels ? cudaErrorInvalidValue : error;
}

CUDA_MEMCPY3D as_driver(const cudaMemcpy3DParms& copy) {
  const auto texel_bytes = [](const void* array) {
    const Array* found = context().textures.find_array(array);
    return found ? found->texel_bytes() : 1;
  };
  const auto type = [&](const void* array, cudaMemcpyKind of_host_only, cudaMemcpyKind of_host) {
    if (array) return kArray;
    if (copy.kind == cudaMemcpyDefault) return kUnified;
    return copy.kind == of_host_only || copy.kind == of_host ? kHost : kDevice;
  };
  CUDA_MEMCPY3D same{};
  same.srcMemoryType = type(copy.srcArray, cudaMemcpyHostToHost, cudaMemcpyHostToDevice);
  same.srcXInBytes = copy.srcPos.x * texel_bytes(copy.srcArray);
  same.srcY = copy.srcPos.y;
  same.srcZ = copy.srcPos.z;
  same.srcArray = copy.srcArray;
  same.srcPitch = copy.srcPtr.pitch;
  same.srcHeight = copy.srcPtr.ysize;
  same.dstMemoryType = type(copy.dstArray, cudaMemcpyHostToHost, cudaMemcpyDeviceToHost);
  same.dstXInBytes = copy.dstPos.x * texel_bytes(copy.dstArray);
  same.dstY = copy.dstPos.y;
  same.dstZ = copy.dstPos.z;
  same.dstArray = copy.dstArray;
  same.dstPitch = copy.dstPtr.pitch;
  same.dstHeight = copy.dstPtr.ysize;
  if (same.srcMemoryType == kHost)
    same.srcHost = copy.srcPtr.ptr;
  else
    same.srcDevice = address_of(copy.srcPtr.ptr);
  if (same.dstMemoryType == kHost)
    same.dstHost = copy.dstPtr.ptr;
  else
    same.dstDevice = address_of(copy.dstPtr.ptr);
  const void* array = copy.dstArray ? copy.dstArray : copy.srcArray;
  same.WidthInBytes = copy.extent.width * texel_bytes(array);
  same.Height = copy.extent.height;
  same.Depth = copy.extent.depth;
  return same;
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) { return copy_block(copy, nullptr); }
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy) { return copy_block(copy, nullptr); }
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUhandle stream) {
  return copy_block(copy, stream);
}
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy) { return copy_block(copy, nullptr); }
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUhandle stream) {
  return copy_block(copy, stream);
}

namespace {

/// Bytes of one row of an array, which the runtime lets go on in the next one.
bool is_in_row(CUhandle array, std::size_t byte, std::size_t bytes) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  const Array* found = state.textures.find_array(array);
  if (!found) return false;
  const std::size_t row = static_cast<std::size_t>(found->image.size[0]) * found->texel_bytes();
  return byte <= row && bytes <= row - byte;
}

}  // namespace

CUresult cuMemcpyAtoA_v2(CUhandle to, std::size_t to_byte, CUhandle from, std::size_t from_byte,
                         std::size_t bytes) {
  return drive([&] {
    if (bytes != 0 && (!to || !from)) return cudaErrorInvalidValue;
    return cudaMemcpy2DArrayToArray(to, to_byte, 0, from, from_byte, 0, bytes, 1,
                                    cudaMemcpyDeviceToDevice);
  });
}

CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUhandle from, std::size_t byte, std::size_t bytes) {
  return drive([&] {
    if (bytes != 0 && !is_in_row(from, byte, bytes)) return cudaErrorInvalidValue;
    return cudaMemcpyFromArray(at(to), from, byte, 0, bytes, cudaMemcpyDeviceToDevice);
  });
}

CUresult cuMemcpyDtoA_v2(CUhandle to, std::size_t byte, CUdeviceptr from, std::size_t bytes) {
  return drive([&] {
    if (bytes != 0 && !is_in_row(to, byte, bytes)) return cudaErrorInvalidValue;
    return cudaMemcpyToArray(to, byte, 0, at(from), bytes, cudaMemcpyDeviceToDevice);
  });
}

CUresult cuMemcpyAtoH_v2(void* to, CUhandle from, std::size_t byte, std::size_t bytes) {
  return cuMemcpyAtoHAsync_v2(to, from, byte, bytes, nullptr);
}

CUresult cuMemcpyHtoA_v2(CUhandle to, std::size_t byte, const void* from, std::size_t bytes) {
  return cuMemcpyHtoAAsync_v2(to, byte, from, bytes, nullptr);
}

CUresult cuMemcpyAtoHAsync_v2(void* to, CUhandle from, std::size_t byte, std::size_t bytes,
                              CUhandle stream) {
  return drive_in(stream, [&] {
    if (bytes != 0 && !is_in_row(from, byte, bytes)) return cudaErrorInvalidValue;
    return cudaMemcpyFromArrayAsync(to, from, byte, 0, bytes, cudaMemcpyDeviceToHost, stream);
  });
}

CUresult cuMemcpyHtoAAsync_v2(CUhandle to, std::size_t byte, const void* from, std::size_t bytes,
                              CUhandle stream) {
  return drive_in(stream, [&] {
    if (bytes != 0 && !is_in_row(to, byte, bytes)) return cudaErrorInvalidValue;
    return cudaMemcpyToArrayAsync(to, byte, 0, from, bytes, cudaMemcpyHostToDevice, stream);
  });
}

LANESCOPE_TWIN(cuMemcpy2D_v2, _ptds);
LANESCOPE_TWIN(cuMemcpy2DUnaligned_v2, _ptds);
LANESCOPE_TWIN(cuMemcpy2DAsync_v2, _ptsz);
LANESCOPE_TWIN(cuMemcpy3D_v2, _ptds);
LANESCOPE_TWIN(cuMemcpy3DAsync_v2, _ptsz);
LANESCOPE_TWIN(cuMemcpyAtoA_v2, _ptds);
LANESCOPE_TWIN(cuMemcpyAtoD_v2, _ptds);
LANESCOPE_TWIN(cuMemcpyDtoA_v2, _ptds);
LANESCOPE_TWIN(cuMemcpyAtoH_v2, _ptds);
LANESCOPE_TWIN(cuMemcpyHtoA_v2, _ptds);
LANESCOPE_TWIN(cuMemcpyAtoHAsync_v2, _ptsz);
LANESCOPE_TWIN(cuMemcpyHtoAAsync_v2, _ptsz);

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// Memory of the driver API: given, copied and filled. Addresses are numbers there; what is known of
// one is in driver_pointer.cpp.
#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"

namespace lanescope::cudart {

namespace {

void* at(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
void** as_pointers(CUdeviceptr* made) { return reinterpret_cast<void**>(made); }

/// cuMemset*: `height` rows of `width` values.
template <class T>
CUresult fill_with(CUdeviceptr to, std::size_t pitch_bytes, T value, std::size_t width,
                   std::size_t height, CUhandle stream,
                   const char* function_called = __builtin_FUNCTION()) {
  const auto fill = [&] {
    if (width == 0 || height == 0) return cudaSuccess;
    const bool is_aligned = to % sizeof(T) == 0 && (height == 1 || pitch_bytes % sizeof(T) == 0);
    if (!is_aligned) return cudaErrorInvalidValue;
    return fill_values(at(to), height > 1 ? pitch_bytes : width * sizeof(T), value, sizeof(T),
                       width, height, stream);
  };
  return drive_in(stream, fill, function_called);
}

/// Copies do not wait on account of memory that the driver gave, says an H200; on account of the
/// runtime's they do.
CUresult keep_of_driver(CUdeviceptr made, CUresult result) {
  constexpr int kOrders = 6;  // CU_POINTER_ATTRIBUTE_SYNC_MEMOPS
  constexpr unsigned kNot = 0;
  return result == 0 ? cuPointerSetAttribute(&kNot, kOrders, made) : result;
}

}  // namespace

CUresult cuMemAlloc_v2(CUdeviceptr* made, std::size_t bytes) {
  clear(made);
  const CUresult result = drive(
      [&] { return bytes == 0 ? cudaErrorInvalidValue : cudaMalloc(as_pointers(made), bytes); });
  return keep_of_driver(result == 0 ? *made : 0, result);
}

CUresult cuMemAllocAsync(CUdeviceptr* made, std::size_t bytes, CUhandle stream) {
  clear(made);
  return drive_in(stream, [&] { return cudaMallocAsync(as_pointers(made), bytes, stream); });
}

CUresult cuMemAllocManaged(CUdeviceptr* made, std::size_t bytes, unsigned flags) {
  clear(made);
  const bool is_kind = flags == 1 || flags == 2;  // global, host
  if (bytes == 0 || !is_kind) return to_driver(cudaErrorInvalidValue);
  if (current_context() == 0) return kInvalidContext;
  return drive([&] { return cudaMallocManaged(as_pointers(made), bytes, flags); });
}

CUresult cuMemAllocPitch_v2(CUdeviceptr* made, std::size_t* pitch_bytes, std::size_t width_bytes,
                            std::size_t height, unsigned element_bytes) {
  clear(made, pitch_bytes);
  const bool is_element = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
  const bool is_there = width_bytes != 0 && height != 0 && is_element;
  if (current_context() != 0 && !is_there) return to_driver(cudaErrorInvalidValue);
  const CUresult result =
      drive([&] { return cudaMallocPitch(as_pointers(made), pitch_bytes, width_bytes, height); });
  return keep_of_driver(result == 0 ? *made : 0, result);
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  return drive([&] { return cudaFree(at(address)); });
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUhandle stream) {
  return drive_in(stream, [&] { return cudaFreeAsync(at(address), stream); });
}

CUresult cuMemAllocHost_v2(void** made, std::size_t bytes) {
  clear(made);
  return drive([&] { return cudaMallocHost(made, bytes); });
}

CUresult cuMemHostAlloc(void** made, std::size_t bytes, unsigned flags) {
  clear(made);
  return drive([&] {
    const bool is_wrong = bytes == 0 && (flags & ~kHostAllocFlags) != 0;
    return is_wrong ? cudaErrorInvalidValue : cudaHostAlloc(made, bytes, flags);
  });
}

CUresult cuMemFreeHost(void* pointer) {
  return drive([&] { return cudaFreeHost(pointer); });
}

CUresult cuMemHostRegister_v2(void* pointer, std::size_t bytes, unsigned flags) {
  return drive([&] { return cudaHostRegister(pointer, bytes, flags); });
}

CUresult cuMemHostUnregister(void* pointer) {
  return drive([&] { return cudaHostUnregister(pointer); });
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* device, void* host, unsigned flags) {
  clear(device);
  return drive([&] { return cudaHostGetDevicePointer(as_pointers(device), host, flags); });
}

CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
  return drive([&] { return cudaHostGetFlags(flags, pointer); });
}

CUresult cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total_bytes) {
  return drive([&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, std::size_t bytes) {
  return drive([&] { return cudaMemcpy(at(to), from, bytes, cudaMemcpyHostToDevice); });
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes,
                              CUhandle stream) {
  return drive_in(
      stream, [&] { return cudaMemcpyAsync(at(to), from, bytes, cudaMemcpyHostToDevice, stream); });
}

CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, std::size_t bytes) {
  return drive([&] { return cudaMemcpy(to, at(from), bytes, cudaMemcpyDeviceToHost); });
}

CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUhandle stream) {
  return drive_in(
      stream, [&] { return cudaMemcpyAsync(to, at(from), bytes, cudaMemcpyDeviceToHost, stream); });
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return drive([&] { return cudaMemcpy(at(to), at(from), bytes, cudaMemcpyDeviceToDevice); });
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes,
                              CUhandle stream) {
  return drive_in(stream, [&] {
    return cudaMemcpyAsync(at(to), at(from), bytes, cudaMemcpyDeviceToDevice, stream);
  });
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return drive([&] { return cudaMemcpy(at(to), at(from), bytes, cudaMemcpyDefault); });
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUhandle stream) {
  return drive_in(
      stream, [&] { return cudaMemcpyAsync(at(to), at(from), bytes, cudaMemcpyDefault, stream); });
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, std::size_t count) {
  return fill_with(to, 0, value, count, 1, nullptr);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t count, CUhandle stream) {
  return fill_with(to, 0, value, count, 1, stream);
}

CUresult cuMemsetD2D8_v2(CUdeviceptr to, std::size_t pitch_bytes, unsigned char value,
                         std::size_t width, std::size_t height) {
  return fill_with(to, pitch_bytes, value, width, height, nullptr);
}

CUresult cuMemsetD2D8Async(CUdeviceptr to, std::size_t pitch_bytes, unsigned char value,
                           std::size_t width, std::size_t height, CUhandle stream) {
  return fill_with(to, pitch_bytes, value, width, height, stream);
}

CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, std::size_t count) {
  return fill_with(to, 0, value, count, 1, nullptr);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t count,
                          CUhandle stream) {
  return fill_with(to, 0, value, count, 1, stream);
}

CUresult cuMemsetD2D16_v2(CUdeviceptr to, std::size_t pitch_bytes, unsigned short value,
                          std::size_t width, std::size_t height) {
  return fill_with(to, pitch_bytes, value, width, height, nullptr);
}

CUresult cuMemsetD2D16Async(CUdeviceptr to, std::size_t pitch_bytes, unsigned short value,
                            std::size_t width, std::size_t height, CUhandle stream) {
  return fill_with(to, pitch_bytes, value, width, height, stream);
}

CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, std::size_t count) {
  return fill_with(to, 0, value, count, 1, nullptr);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t count, CUhandle stream) {
  return fill_with(to, 0, value, count, 1, stream);
}

CUresult cuMemsetD2D32_v2(CUdeviceptr to, std::size_t pitch_bytes, unsigned value,
                          std::size_t width, std::size_t height) {
  return fill_with(to, pitch_bytes, value, width, height, nullptr);
}

CUresult cuMemsetD2D32Async(CUdeviceptr to, std::size_t pitch_bytes, unsigned value,
                            std::size_t width, std::size_t height, CUhandle stream) {
  return fill_with(to, pitch_bytes, value, width, height, stream);
}

LANESCOPE_TWIN(cuMemAllocAsync, _ptsz);
LANESCOPE_TWIN(cuMemFreeAsync, _ptsz);
LANESCOPE_TWIN(cuMemcpyAsync, _ptsz);
LANESCOPE_TWIN(cuMemcpyDtoDAsync_v2, _ptsz);
LANESCOPE_TWIN(cuMemcpyDtoD_v2, _ptds);
LANESCOPE_TWIN(cuMemcpyDtoHAsync_v2, _ptsz);
LANESCOPE_TWIN(cuMemcpyDtoH_v2, _ptds);
LANESCOPE_TWIN(cuMemcpyHtoDAsync_v2, _ptsz);
LANESCOPE_TWIN(cuMemcpyHtoD_v2, _ptds);
LANESCOPE_TWIN(cuMemcpy, _ptds);
LANESCOPE_TWIN(cuMemsetD16Async, _ptsz);
LANESCOPE_TWIN(cuMemsetD16_v2, _ptds);
LANESCOPE_TWIN(cuMemsetD2D16Async, _ptsz);
LANESCOPE_TWIN(cuMemsetD2D16_v2, _ptds);
LANESCOPE_TWIN(cuMemsetD2D32Async, _ptsz);
LANESCOPE_TWIN(cuMemsetD2D32_v2, _ptds);
LANESCOPE_TWIN(cuMemsetD2D8Async, _ptsz);
LANESCOPE_TWIN(cuMemsetD2D8_v2, _ptds);
LANESCOPE_TWIN(cuMemsetD32Async, _ptsz);
LANESCOPE_TWIN(cuMemsetD32_v2, _ptds);
LANESCOPE_TWIN(cuMemsetD8Async, _ptsz);
LANESCOPE_TWIN(cuMemsetD8_v2, _ptds);

}  // namespace lanescope::cudart

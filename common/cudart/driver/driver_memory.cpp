// SPDX-License-Identifier: MIT
// Memory of the driver API: addresses are numbers there.
#include <cstring>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/host_memory.hpp"

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
    if (to % sizeof(T) != 0 || pitch_bytes % sizeof(T) != 0) return cudaErrorInvalidValue;
    return fill_values(at(to), height > 1 ? pitch_bytes : width * sizeof(T), value, sizeof(T),
                       width, height, stream);
  };
  return drive(fill, function_called);
}

}  // namespace

CUresult cuMemAlloc_v2(CUdeviceptr* made, std::size_t bytes) {
  return drive(
      [&] { return bytes == 0 ? cudaErrorInvalidValue : cudaMalloc(as_pointers(made), bytes); });
}

CUresult cuMemAllocAsync(CUdeviceptr* made, std::size_t bytes, CUhandle stream) {
  return drive([&] { return cudaMallocAsync(as_pointers(made), bytes, stream); });
}

CUresult cuMemAllocManaged(CUdeviceptr* made, std::size_t bytes, unsigned flags) {
  return drive([&] { return cudaMallocManaged(as_pointers(made), bytes, flags); });
}

CUresult cuMemAllocPitch_v2(CUdeviceptr* made, std::size_t* pitch_bytes, std::size_t width_bytes,
                            std::size_t height, unsigned) {
  return drive(
      [&] { return cudaMallocPitch(as_pointers(made), pitch_bytes, width_bytes, height); });
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  return drive([&] { return cudaFree(at(address)); });
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUhandle stream) {
  return drive([&] { return cudaFreeAsync(at(address), stream); });
}

CUresult cuMemAllocHost_v2(void** made, std::size_t bytes) {
  return drive([&] { return cudaMallocHost(made, bytes); });
}

CUresult cuMemHostAlloc(void** made, std::size_t bytes, unsigned flags) {
  return drive([&] { return cudaHostAlloc(made, bytes, flags); });
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
  return drive([&] { return cudaHostGetDevicePointer(as_pointers(device), host, flags); });
}

CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
  return drive([&] { return cudaHostGetFlags(flags, pointer); });
}

CUresult cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total_bytes) {
  return drive([&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* begin, std::size_t* bytes, CUdeviceptr address) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  const Allocation* found = state.memory.containing(address);
  if (!found) return to_driver(cudaErrorSymbolNotFound);
  std::uint64_t mapped = 0;  // what cuMemMap has mapped is told piece by piece
  const Mapping* mapping = state.virtual_memory.at(address, mapped);
  if (begin) *begin = mapping ? mapped : found->address;
  if (bytes) *bytes = mapping ? mapping->bytes : found->bytes;
  return 0;
}

namespace {

// CUpointer_attribute. Those that are not here say how memory is shared with other processes or is
// mapped, which is not emulated.
constexpr int kContextOf = 1, kMemoryType = 2, kDevicePointer = 3, kHostPointer = 4, kOrders = 6,
              kIsManaged = 8, kOrdinal = 9, kIsShareable = 10, kBegin = 11, kBytes = 12,
              kMapped = 13, kHandleTypes = 14, kIsDirect = 15, kAccess = 16, kPool = 17, kLast = 21;

/// 0: not known here.
std::size_t bytes_of(int attribute) {
  switch (attribute) {
    case kContextOf:
    case kDevicePointer:
    case kHostPointer:
    case kBegin:
    case kBytes:
    case kHandleTypes:
    case kPool:
      return 8;
    case kMemoryType:
    case kOrders:
    case kIsManaged:
    case kOrdinal:
    case kIsShareable:
    case kMapped:
    case kIsDirect:
    case kAccess:
      return 4;
    default:
      return 0;
  }
}

CUresult pointer_attribute(void* value, int attribute, CUdeviceptr address,
                           const Allocation* found) {
  switch (attribute) {
    case kContextOf:
      return cuCtxGetCurrent(static_cast<CUhandle*>(value));
    case kBegin:
      *static_cast<CUdeviceptr*>(value) = found->address;
      return 0;
    case kBytes:
      *static_cast<std::size_t*>(value) = found->bytes;
      return 0;
    case kMapped:
      *static_cast<int*>(value) = 1;
      return 0;
    case kOrders:
      *static_cast<int*>(value) = !found->on_host() || found->kind == MemoryKind::managed;
      return 0;
    case kAccess:
      *static_cast<int*>(value) = 3;  // to read and to write
      return 0;
    case kIsShareable:
    case kIsDirect:
    case kHandleTypes:
    case kPool:
      std::memset(value, 0, bytes_of(attribute));
      return 0;
    case kMemoryType:
      *static_cast<unsigned*>(value) =
          found->kind == MemoryKind::pinned || found->kind == MemoryKind::registered ? 1 : 2;
      return 0;
    case kDevicePointer:
      *static_cast<CUdeviceptr*>(value) = address;
      return 0;
    case kHostPointer:
      if (!found->on_host()) return to_driver(cudaErrorInvalidValue);
      *static_cast<CUdeviceptr*>(value) = address;
      return 0;
    case kIsManaged:
      *static_cast<unsigned*>(value) = found->kind == MemoryKind::managed;
      return 0;
    case kOrdinal:
      *static_cast<int*>(value) = 0;
      return 0;
    default:
      return to_driver(attribute > 0 && attribute <= kLast ? cudaErrorNotSupported
                                                           : cudaErrorInvalidValue);
  }
}

/// What is said of an address that is nobody's, which is no error where much is asked at once.
void describe_nobody(void* value, int attribute, CUdeviceptr address) {
  if (attribute == kBegin || attribute == kBytes) return;
  std::memset(value, 0, bytes_of(attribute));
  if (attribute == kHostPointer) *static_cast<CUdeviceptr*>(value) = address;
  if (attribute == kOrdinal) *static_cast<int*>(value) = -2;
}

}  // namespace

CUresult cuPointerGetAttribute(void* value, int attribute, CUdeviceptr address) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  const Allocation* found = state.memory.containing(address);
  if (!value || !found) return to_driver(cudaErrorInvalidValue);
  return pointer_attribute(value, attribute, address, found);
}

CUresult cuPointerGetAttributes(unsigned count, int* attributes, void** values,
                                CUdeviceptr address) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  if (count == 0 || !is_mapped(attributes, count * sizeof *attributes) ||
      !is_mapped(values, count * sizeof *values))
    return to_driver(cudaErrorInvalidValue);
  const Allocation* found = state.memory.containing(address);
  for (unsigned k = 0; k < count; ++k) {
    const std::size_t bytes = bytes_of(attributes[k]);
    if (bytes == 0)
      return to_driver(attributes[k] > 0 && attributes[k] <= kLast ? cudaErrorNotSupported
                                                                   : cudaErrorInvalidValue);
    if (!found)
      describe_nobody(values[k], attributes[k], address);
    else if (pointer_attribute(values[k], attributes[k], address, found) != 0)
      std::memset(values[k], 0, bytes);
  }
  return 0;
}

// The order of copies can be set, which is as it is.
CUresult cuPointerSetAttribute(const void* value, int attribute, CUdeviceptr address) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  const bool can_be_set = value && attribute == kOrders && state.memory.containing(address);
  return can_be_set ? 0 : to_driver(cudaErrorInvalidValue);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, std::size_t bytes) {
  return drive([&] { return cudaMemcpy(at(to), from, bytes, cudaMemcpyHostToDevice); });
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes,
                              CUhandle stream) {
  return drive(
      [&] { return cudaMemcpyAsync(at(to), from, bytes, cudaMemcpyHostToDevice, stream); });
}

CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, std::size_t bytes) {
  return drive([&] { return cudaMemcpy(to, at(from), bytes, cudaMemcpyDeviceToHost); });
}

CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUhandle stream) {
  return drive(
      [&] { return cudaMemcpyAsync(to, at(from), bytes, cudaMemcpyDeviceToHost, stream); });
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return drive([&] { return cudaMemcpy(at(to), at(from), bytes, cudaMemcpyDeviceToDevice); });
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes,
                              CUhandle stream) {
  return drive(
      [&] { return cudaMemcpyAsync(at(to), at(from), bytes, cudaMemcpyDeviceToDevice, stream); });
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return drive([&] { return cudaMemcpy(at(to), at(from), bytes, cudaMemcpyDefault); });
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUhandle stream) {
  return drive([&] { return cudaMemcpyAsync(at(to), at(from), bytes, cudaMemcpyDefault, stream); });
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

LANESCOPE_ALIAS(cuMemAllocAsync, _ptsz);
LANESCOPE_ALIAS(cuMemFreeAsync, _ptsz);
LANESCOPE_ALIAS(cuMemcpyAsync, _ptsz);
LANESCOPE_ALIAS(cuMemcpyDtoDAsync_v2, _ptsz);
LANESCOPE_ALIAS(cuMemcpyDtoD_v2, _ptds);
LANESCOPE_ALIAS(cuMemcpyDtoHAsync_v2, _ptsz);
LANESCOPE_ALIAS(cuMemcpyDtoH_v2, _ptds);
LANESCOPE_ALIAS(cuMemcpyHtoDAsync_v2, _ptsz);
LANESCOPE_ALIAS(cuMemcpyHtoD_v2, _ptds);
LANESCOPE_ALIAS(cuMemcpy, _ptds);
LANESCOPE_ALIAS(cuMemsetD16Async, _ptsz);
LANESCOPE_ALIAS(cuMemsetD16_v2, _ptds);
LANESCOPE_ALIAS(cuMemsetD2D16Async, _ptsz);
LANESCOPE_ALIAS(cuMemsetD2D16_v2, _ptds);
LANESCOPE_ALIAS(cuMemsetD2D32Async, _ptsz);
LANESCOPE_ALIAS(cuMemsetD2D32_v2, _ptds);
LANESCOPE_ALIAS(cuMemsetD2D8Async, _ptsz);
LANESCOPE_ALIAS(cuMemsetD2D8_v2, _ptds);
LANESCOPE_ALIAS(cuMemsetD32Async, _ptsz);
LANESCOPE_ALIAS(cuMemsetD32_v2, _ptds);
LANESCOPE_ALIAS(cuMemsetD8Async, _ptsz);
LANESCOPE_ALIAS(cuMemsetD8_v2, _ptds);

}  // namespace lanescope::cudart

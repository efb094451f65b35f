// SPDX-License-Identifier: MIT
// What the driver API knows of an address: whose memory it is in, from where to where.
#include <cstring>

#include "cudart/driver/driver.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

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

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// What the driver API knows of an address: whose memory it is in, from where to where.
#include <cstring>
#include <optional>

#include "cudart/driver/driver.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

CUresult cuMemGetAddressRange_v2(CUdeviceptr* begin, std::size_t* bytes, CUdeviceptr address) {
  clear(begin, bytes);
  if (current_context() == 0) return kInvalidContext;
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

// CUpointer_attribute.
constexpr int kContextOf = 1, kMemoryType = 2, kDevicePointer = 3, kHostPointer = 4, kTokens = 5,
              kOrders = 6, kIdentity = 7, kIsManaged = 8, kOrdinal = 9, kIsShareable = 10,
              kBegin = 11, kBytes = 12, kIsMapped = 13, kHandleTypes = 14, kIsDirect = 15,
              kAccess = 16, kPool = 17, kMappedBytes = 18, kMappedBegin = 19, kBlock = 20,
              kIsDecompressed = 21;

/// 0: there is no such attribute.
std::size_t bytes_of(int attribute) {
  switch (attribute) {
    case kContextOf:
    case kDevicePointer:
    case kHostPointer:
    case kTokens:
    case kIdentity:
    case kBegin:
    case kBytes:
    case kHandleTypes:
    case kPool:
    case kMappedBytes:
    case kMappedBegin:
    case kBlock:
      return 8;
    case kMemoryType:
    case kOrders:
    case kIsManaged:
    case kOrdinal:
    case kIsShareable:
    case kIsMapped:
    case kIsDirect:
    case kAccess:
    case kIsDecompressed:
      return 4;
    default:
      return 0;
  }
}

/// The memory that an address is in, mapped where nobody may access it, too.
std::optional<Allocation> memory_at(const Context& state, CUdeviceptr address) {
  if (const Allocation* found = state.memory.containing(address)) return *found;
  std::uint64_t begin = 0;
  const Mapping* mapping = context().virtual_memory.at(address, begin);
  if (!mapping) return std::nullopt;
  return Allocation{begin, mapping->bytes};
}

/// The answer as a number, of which bytes_of() are told. What lies in one piece with the memory is
/// told in the pages of a card; what processes can share with others is asked of its memory alone.
CUresult attribute_of(std::uint64_t& value, int attribute, CUdeviceptr address,
                      const Allocation& found) {
  constexpr std::uint64_t kPage = VirtualMemory::kGranularity, kReadAndWrite = 3;
  const bool is_hosts = found.kind == MemoryKind::pinned || found.kind == MemoryKind::registered;
  const std::uint64_t first_page = found.address / kPage * kPage;
  switch (attribute) {
    case kContextOf:
      value = kPrimaryContext;
      return 0;
    case kBegin:
    case kIdentity:
    case kBlock:
      value = found.address;
      return 0;
    case kBytes:
      value = found.bytes;
      return 0;
    case kIsMapped:
      value = 1;
      return 0;
    case kOrders:
      value = found.orders_copies.value_or(!found.on_host() || found.kind == MemoryKind::managed);
      return 0;
    case kAccess:
      value = kReadAndWrite;
      return 0;
    case kIsShareable:
    case kIsDirect:
    case kIsDecompressed:
      value = !found.on_host();
      return 0;
    case kTokens:
      value = 0;
      return is_hosts ? to_driver(cudaErrorInvalidValue) : 0;
    case kHandleTypes:
    case kPool:
      value = 0;
      return 0;
    case kMappedBegin:
      value = first_page;
      return 0;
    case kMappedBytes:
      value = (found.bytes + kPage - 1) / kPage * kPage;
      return 0;
    case kMemoryType:
      value = is_hosts ? 1 : 2;
      return 0;
    case kDevicePointer:
      value = address;
      return current_context() != 0 ? 0 : kInvalidContext;
    case kHostPointer:
      value = address;
      return found.on_host() ? 0 : to_driver(cudaErrorInvalidValue);
    case kIsManaged:
      value = found.kind == MemoryKind::managed;
      return 0;
    case kOrdinal:
      value = 0;
      return 0;
    default:
      return to_driver(cudaErrorInvalidValue);
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
  const auto found = memory_at(state, address);
  if (!value || !found) return to_driver(cudaErrorInvalidValue);
  std::uint64_t answer = 0;
  const CUresult result = attribute_of(answer, attribute, address, *found);
  if (result == 0) std::memcpy(value, &answer, bytes_of(attribute));
  return result;
}

CUresult cuPointerGetAttributes(unsigned count, int* attributes, void** values,
                                CUdeviceptr address) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  if (count == 0 || !is_mapped(attributes, count * sizeof *attributes) ||
      !is_mapped(values, count * sizeof *values))
    return to_driver(cudaErrorInvalidValue);
  const auto found = memory_at(state, address);
  for (unsigned k = 0; k < count; ++k) {
    const std::size_t bytes = bytes_of(attributes[k]);
    if (bytes == 0 || attributes[k] == kTokens) return to_driver(cudaErrorInvalidValue);
    std::uint64_t answer = 0;
    if (!found)
      describe_nobody(values[k], attributes[k], address);
    else if (attribute_of(answer, attributes[k], address, *found) == 0)
      std::memcpy(values[k], &answer, bytes);
    else
      std::memset(values[k], 0, bytes);
  }
  return 0;
}

// Whether synchronous copies wait for everything: here they do, and what was said is kept.
CUresult cuPointerSetAttribute(const void* value, int attribute, CUdeviceptr address) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  const Allocation* found = state.memory.containing(address);
  if (!is_mapped(value, sizeof(int)) || attribute != kOrders || !found)
    return to_driver(cudaErrorInvalidValue);
  Allocation changed = *found;
  changed.orders_copies = *static_cast<const unsigned*>(value) != 0;
  state.memory.add(changed);
  return 0;
}

}  // namespace lanescope::cudart

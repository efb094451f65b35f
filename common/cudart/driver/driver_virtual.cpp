// SPDX-License-Identifier: MIT
// cuMemAddressReserve, cuMemCreate, cuMemMap and their like: see virtual_memory.hpp.
#include "cudart/driver/driver_virtual.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

constexpr std::uint64_t kGranularity = VirtualMemory::kGranularity;
constexpr int kPinned = 1, kOnDevice = 1, kPosixFile = 1, kNoAccess = 0, kRead = 1, kBoth = 3;

bool is_here(const cudaMemLocation& where) { return where.type == kOnDevice && where.id == 0; }

/// body(state, books) with the lock, as every call of the driver.
template <class Body>
CUresult with_books(Body&& body, const char* function_called = __builtin_FUNCTION()) {
  return drive(
      [&] {
        return call(function_called,
                    [&](Context& state) { return body(state, state.virtual_memory); });
      },
      function_called);
}

cudaError check(const Context& state, const CUmemAllocationProp* what) {
  constexpr int kFabric = 8, kOnNode = 3;
  if (!is_mapped(what, sizeof *what) || what->type != kPinned) return cudaErrorInvalidValue;
  const cudaMemLocation& where = what->location;
  if (where.type < kOnDevice || where.type > kOnNode) return cudaErrorInvalidValue;
  if (where.type == kOnDevice && where.id != 0) return cudaErrorInvalidDevice;
  const int handles = what->requestedHandleTypes;
  if ((handles & kFabric) != 0) return cudaErrorNotPermitted;
  if (handles != 0 && handles != kPosixFile) return cudaErrorInvalidValue;
  if (where.type == kOnDevice) return cudaSuccess;
  return refuse(state, cudaErrorNotSupported,
                "memory of the host's (CU_MEM_LOCATION_TYPE_HOST and its like) is not emulated");
}

}  // namespace

CUresult cuMemGetAllocationGranularity(std::size_t* bytes, const CUmemAllocationProp* what,
                                       int option) {
  return with_books([&](Context&, VirtualMemory&) {
    if (!bytes || option < 0 || option > 1 || !is_mapped(what, sizeof *what))
      return cudaErrorInvalidValue;
    *bytes = kGranularity;  // of memory that there is not, too, says an H200
    return cudaSuccess;
  });
}

CUresult cuMemAddressReserve(CUdeviceptr* made, std::size_t bytes, std::size_t alignment,
                             CUdeviceptr wanted, unsigned long long flags) {
  return with_books([&](Context&, VirtualMemory& books) {
    if (!made || bytes == 0 || bytes % kGranularity != 0 || flags != 0 ||
        (alignment & (alignment - 1)) != 0 || std::uint64_t{bytes} > std::uint64_t{1} << 46)
      return cudaErrorInvalidValue;
    const std::uint64_t address =
        reserve_addresses(bytes, std::max<std::uint64_t>(alignment, kGranularity), wanted);
    if (address == 0) return cudaErrorMemoryAllocation;
    books.reservations[address].bytes = bytes;
    *made = address;
    return cudaSuccess;
  });
}

CUresult cuMemAddressFree(CUdeviceptr address, std::size_t bytes) {
  return with_books([&](Context& state, VirtualMemory& books) {
    const auto found = books.reservations.find(address);
    if (found == books.reservations.end() || found->second.bytes != bytes)
      return refuse(state, cudaErrorInvalidValue,
                    fmt::format("{} bytes at {:#x} have not been reserved", bytes, address));
    if (!found->second.mappings.empty())
      return refuse(state, cudaErrorInvalidValue, "memory is still mapped there; cuMemUnmap it");
    give_back_addresses(address, bytes);
    books.reservations.erase(found);
    return cudaSuccess;
  });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* made, std::size_t bytes,
                     const CUmemAllocationProp* what, unsigned long long flags) {
  return with_books([&](Context& state, VirtualMemory&) {
    if (!made || flags != 0 || bytes == 0) return cudaErrorInvalidValue;
    if (const cudaError error = check(state, what); error != cudaSuccess) return error;
    if (bytes % kGranularity != 0)
      return refuse(state, cudaErrorInvalidValue,
                    fmt::format("{} bytes are no multiple of {} (cuMemGetAllocationGranularity)",
                                bytes, kGranularity));
    if (bytes > state.memory_bytes() - state.device_bytes) return cudaErrorMemoryAllocation;
    const int file = new_memory_file(bytes);
    if (file < 0) return cudaErrorMemoryAllocation;
    PhysicalMemory memory{file, bytes, what->requestedHandleTypes};
    memory.compression = what->allocFlags[0] == 1;
    memory.direct_access = what->allocFlags[1] != 0;
    return keep(state, made, memory);
  });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle memory) {
  return with_books([&](Context& state, VirtualMemory& books) {
    const auto found = books.memory.find(memory);
    if (found == books.memory.end() || found->second.holders == 0) return cudaErrorInvalidValue;
    --found->second.holders;
    let_go(state, memory);
    return cudaSuccess;
  });
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* found, void* address) {
  return with_books([&](Context&, VirtualMemory& books) {
    std::uint64_t begin = 0;
    const Mapping* mapping = books.at(address_of(address), begin);
    if (!found || !mapping) return cudaErrorInvalidValue;
    ++books.memory[mapping->memory].holders;
    *found = mapping->memory;
    return cudaSuccess;
  });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* what,
                                                CUmemGenericAllocationHandle memory) {
  return with_books([&](Context&, VirtualMemory& books) {
    const auto found = books.memory.find(memory);
    if (!what || found == books.memory.end()) return cudaErrorInvalidValue;
    *what = {};
    what->type = kPinned;
    what->requestedHandleTypes = found->second.handle_types;
    what->allocFlags[0] = found->second.compression;
    what->allocFlags[1] = found->second.direct_access;
    what->location = {kOnDevice, 0};
    return cudaSuccess;
  });
}

CUresult cuMemMap(CUdeviceptr address, std::size_t bytes, std::size_t offset_bytes,
                  CUmemGenericAllocationHandle memory, unsigned long long flags) {
  return with_books([&](Context& state, VirtualMemory& books) {
    const auto what = books.memory.find(memory);
    if (bytes == 0 || flags != 0 || what == books.memory.end()) return cudaErrorInvalidValue;
    if (offset_bytes != 0 || bytes != what->second.bytes)
      return refuse(state, cudaErrorNotSupported, "memory is mapped as a whole");
    if (address % kGranularity != 0) return cudaErrorInvalidValue;
    const auto where = books.around(address, bytes);
    if (where == books.reservations.end())
      return refuse(state, cudaErrorInvalidValue,
                    fmt::format("{} bytes at {:#x} have not been reserved", bytes, address));
    if (!is_bare(where->second, address, bytes))
      return refuse(state, cudaErrorInvalidValue,
                    fmt::format("memory is already mapped at {:#x}", address));
    if (!lay(address, bytes, what->second.file)) return cudaErrorMemoryAllocation;
    ++what->second.places;
    where->second.mappings[address] = {bytes, memory, kNoAccess};
    return cudaSuccess;
  });
}

CUresult cuMemUnmap(CUdeviceptr address, std::size_t bytes) {
  return with_books([&](Context& state, VirtualMemory& books) {
    const auto where = books.around(address, bytes);
    if (bytes == 0 || where == books.reservations.end()) return cudaErrorInvalidValue;
    if (cuts(where->second, address, bytes))  // where nothing is mapped nothing is done
      return refuse(
          state, cudaErrorInvalidValue,
          fmt::format("{} bytes at {:#x} are not what has been mapped there", bytes, address));
    state.flush_printed();
    auto& mappings = where->second.mappings;
    const auto first = mappings.lower_bound(address), last = mappings.lower_bound(address + bytes);
    for (auto place = first; place != last; ++place) {
      --books.memory[place->second.memory].places;
      let_go(state, place->second.memory);
    }
    mappings.erase(first, last);
    take_away(address, bytes);
    return show(state, where->second);
  });
}

CUresult cuMemSetAccess(CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc* access,
                        std::size_t count) {
  return with_books([&](Context& state, VirtualMemory& books) {
    if (bytes == 0 || count == 0 || !is_mapped(access, count * sizeof *access))
      return cudaErrorInvalidValue;
    const auto where = books.around(address, bytes);
    if (where == books.reservations.end() || !fills(where->second, address, bytes))
      return refuse(
          state, cudaErrorInvalidValue,
          fmt::format("{} bytes at {:#x} are not what has been mapped there", bytes, address));
    for (std::size_t k = 0; k < count; ++k) {
      const int flags = access[k].flags;
      if (flags != kNoAccess && flags != kRead && flags != kBoth) return cudaErrorInvalidValue;
      if (!is_here(access[k].location)) return cudaErrorInvalidDevice;
      auto& mappings = where->second.mappings;
      for (auto place = mappings.find(address); place != mappings.lower_bound(address + bytes);
           ++place)
        place->second.access = flags;
    }
    return show(state, where->second);
  });
}

CUresult cuMemGetAccess(unsigned long long* access, const cudaMemLocation* where,
                        CUdeviceptr address) {
  return with_books([&](Context& state, VirtualMemory& books) {
    std::uint64_t begin = 0;
    constexpr int kOnNode = 3;
    const Mapping* mapping = books.at(address, begin);
    if (!access || !is_mapped(where, sizeof *where) || address == 0) return cudaErrorInvalidValue;
    const bool is_hosts = where->type > kOnDevice && where->type <= kOnNode;
    if (!is_hosts && !is_here(*where)) return cudaErrorInvalidDevice;
    *access = mapping ? static_cast<unsigned long long>(mapping->access) : 0;
    return mapping || state.memory.containing(address) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

CUresult cuMemExportToShareableHandle(void* exported, CUmemGenericAllocationHandle memory, int type,
                                      unsigned long long flags) {
  return with_books([&](Context& state, VirtualMemory& books) {
    const auto found = books.memory.find(memory);
    if (!exported || flags != 0 || found == books.memory.end()) return cudaErrorInvalidValue;
    if (type != kPosixFile)
      return refuse(state, cudaErrorNotSupported, "memory is exported as a file descriptor alone");
    if ((found->second.handle_types & kPosixFile) == 0)
      return refuse(state, cudaErrorInvalidValue,
                    "cuMemCreate was not told of it; name the type in requestedHandleTypes");
    const int file = fcntl(found->second.file, F_DUPFD_CLOEXEC, 0);
    if (file < 0) return cudaErrorOperatingSystem;
    std::memcpy(exported, &file, sizeof file);
    return cudaSuccess;
  });
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* made, void* exported,
                                        int type) {
  return with_books([&](Context& state, VirtualMemory&) {
    if (!made || type != kPosixFile) return cudaErrorInvalidValue;
    struct stat about {};
    const int given = static_cast<int>(reinterpret_cast<std::intptr_t>(exported));
    if (fstat(given, &about) != 0 || about.st_size <= 0 ||
        static_cast<std::uint64_t>(about.st_size) % kGranularity != 0)
      return refuse(state, cudaErrorInvalidValue,
                    fmt::format("file descriptor {} is no memory that was exported", given));
    const int file = fcntl(given, F_DUPFD_CLOEXEC, 0);
    if (file < 0) return cudaErrorOperatingSystem;
    return keep(state, made, {file, static_cast<std::uint64_t>(about.st_size), kPosixFile});
  });
}

}  // namespace lanescope::cudart

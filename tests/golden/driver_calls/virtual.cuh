// SPDX-License-Identifier: MIT
// Memory apart from addresses.
#pragma once

#include <unistd.h>

#include "parameters.cuh"

namespace calls {

inline constexpr size_t kPiece = size_t(2) << 20;

inline size_t pieces() {
  const size_t odd[] = {0, 1, 4096, kPiece + 1, kPiece / 2, kPiece + 4096};
  return rarely(10) ? one_of(odd) : say_value(kPiece * (1 + below(3)));
}

/// Memory at an address and what is done with it, step by step.
inline int map_memory() {
  CUmemGenericAllocationHandle h = 0, again = 0;
  CUmemAllocationProp how{};
  how.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  how.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  how.requestedHandleTypes =
      below(2) ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE;
  const size_t room = 4 * kPiece, size = kPiece * (1 + below(3));
  say_value(size / kPiece);
  CUdeviceptr at_begin = 0;
  int e = cuMemAddressReserve(&at_begin, room, 0, 0, 0);
  put("reserve", e);
  put("create", cuMemCreate(&h, size, &how, 0));
  const size_t offsets[] = {0, 0, kPiece, 2 * kPiece, 4 * kPiece, 4096};
  for (int step = 0; step < 7; ++step) {
    const auto what = small(0, 11);
    const auto place = one_of(offsets), n = pieces();
    const CUdeviceptr where = at_begin + place;
    switch (what) {
      case 0:
      case 1:
      case 2:
        e = cuMemMap(where, n, rarely(4) ? one_of(offsets) : 0, h, rarely(20) ? 1 : 0);
        break;
      case 3:
      case 4: {
        CUmemAccessDesc access{};
        access.location = rarely(4) ? location() : how.location;
        access.flags = CUmemAccess_flags(rarely(3) ? small(0, 4) : 3);
        e = cuMemSetAccess(where, n, &access, size_t(rarely(10) ? 0 : 1));
        break;
      }
      case 5:
      case 6:
        e = cuMemsetD8(where, 1, n);
        break;
      case 7: {
        unsigned long long flags = 77;
        CUmemLocation here = rarely(4) ? location() : how.location;
        e = cuMemGetAccess(&flags, &here, where);
        put("f", flags);
        break;
      }
      case 8:
        e = cuMemUnmap(where, n);
        break;
      case 9:
        e = cuMemRetainAllocationHandle(&again, at(where));
        if (!e) put("release", cuMemRelease(again));
        break;
      case 10: {
        CUdeviceptr begin = 0;
        size_t found = 0;
        e = cuMemGetAddressRange(&begin, &found, where);
        put("before", begin ? (long long)(where - begin) : -1);
        put("n", found);
        break;
      }
      default: {
        int mapped_there = 77;
        e = cuPointerGetAttribute(&mapped_there, CU_POINTER_ATTRIBUTE_MAPPED, where);
        put("mapped", mapped_there);
      }
    }
    put("e", e);
  }
  put("free", cuMemAddressFree(at_begin, rarely(4) ? pieces() : room));
  put("unmap", cuMemUnmap(at_begin, room));
  put("free", cuMemAddressFree(at_begin, room));
  put("release", h ? cuMemRelease(h) : 77);
  put("release", h ? cuMemRelease(h) : 77);
  return e;
}

inline const Call kVirtual[] = {
    {"cuMemGetAllocationGranularity",
     []() -> int {
       const auto how = memory_kind();
       size_t n = 77;
       const auto e =
           cuMemGetAllocationGranularity(&n, &how, CUmemAllocationGranularity_flags(small(-1, 2)));
       put("n", n);
       return e;
     }},
    {"cuMemCreate",
     []() -> int {
       const auto how = memory_kind();
       const auto n = pieces();
       CUmemGenericAllocationHandle h = 0;
       const auto e = cuMemCreate(&h, n, &how, (unsigned long long)(rarely(6) ? small(0, 1) : 0));
       put("zero", h == 0);
       if (e) return e;
       CUmemAllocationProp now{};
       put("get", cuMemGetAllocationPropertiesFromHandle(&now, h));
       put("type", now.type);
       put("handles", now.requestedHandleTypes);
       put("where", now.location.type);
       put("id", now.location.id);
       put("compressed", now.allocFlags.compressionType);
       put("rdma", now.allocFlags.gpuDirectRDMACapable);
       int file = -1;
       const auto exported =
           cuMemExportToShareableHandle(&file, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                        (unsigned long long)(rarely(6) ? small(0, 1) : 0));
       put("export", exported);
       if (!exported) {
         CUmemGenericAllocationHandle other_one = 0;
         put("import", cuMemImportFromShareableHandle(&other_one, (void*)uintptr_t(file),
                                                      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
         put("same", other_one == h);
         if (other_one) put("release", cuMemRelease(other_one));
         close(file);
       }
       put("release", cuMemRelease(h));
       return e;
     }},
    {"cuMemAddressReserve",
     []() -> int {
       const auto n = pieces();
       const size_t alignments[] = {0, 0, 0, kPiece, 2 * kPiece, 1, 3, 4096, 3 * kPiece};
       const auto alignment = one_of(alignments);
       const auto wanted = rarely(4) ? named("dev", dev) : 0;
       CUdeviceptr p = 0;
       const auto e = cuMemAddressReserve(&p, n, alignment, wanted,
                                          (unsigned long long)(rarely(8) ? small(0, 1) : 0));
       put("zero", p == 0);
       if (!e) {
         put("aligned", p % (alignment ? alignment : kPiece) == 0);
         put("wrong", cuMemAddressFree(p, n + kPiece));
         put("free", cuMemAddressFree(p, n));
       }
       return e;
     }},
    {"mapped", map_memory},
    {"mapped", map_memory},
    {"mapped", map_memory},
    {"cuMemMap",
     []() -> int {
       const auto a = address();
       return cuMemMap(a, pieces(), 0, 0, 0);
     }},
    {"cuMemUnmap",
     []() -> int {
       const auto a = address();
       return cuMemUnmap(a, pieces());
     }},
    {"cuMemAddressFree",
     []() -> int {
       const auto a = address();
       return cuMemAddressFree(a, pieces());
     }},
    {"cuMemSetAccess",
     []() -> int {
       CUmemAccessDesc access{};
       access.location = location();
       access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
       const auto a = address();
       return cuMemSetAccess(a, pieces(), &access, 1);
     }},
    {"cuMemGetAccess",
     []() -> int {
       unsigned long long flags = 77;
       const auto here = location();
       const auto e = cuMemGetAccess(&flags, &here, address());
       put("f", flags);
       return e;
     }},
    {"cuMemRelease", []() -> int { return cuMemRelease(0); }},
    {"cuMemRetainAllocationHandle",
     []() -> int {
       CUmemGenericAllocationHandle h = 0;
       return cuMemRetainAllocationHandle(&h, at(address()));
     }},
};

}  // namespace calls

// SPDX-License-Identifier: MIT
// Memory: made, registered, freed, asked about; pools and managed memory.
#pragma once

#include "parameters.cuh"

namespace calls {

/// What is told of an attribute of a pointer: numbers, and addresses as distances.
inline void put_attribute(int which, uint64_t value, CUdeviceptr address) {
  switch (which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      put("primary", value == uint64_t(uintptr_t(primary)));
      break;
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
      break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      put("is", value != 0);
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      put("before", value == 0 ? -1 : (long long)(address - value));
      break;
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      put("before", value != 0 && value <= address);
      break;
    default:
      put("v", value);
  }
}

inline const Call kMemory[] = {
    {"cuMemAlloc",
     []() -> int {
       CUdeviceptr p = 1;
       const auto e = cuMemAlloc(&p, bytes());
       put("p", p < 2 ? p : 256 + p % 256);
       if (!e) cuMemFree(p);
       return e;
     }},
    {"cuMemAllocHost",
     []() -> int {
       void* p = (void*)1;
       const auto e = cuMemAllocHost(&p, bytes());
       put("p", address_of(p) < 2 ? address_of(p) : 2);
       if (!e) cuMemFreeHost(p);
       return e;
     }},
    {"cuMemHostAlloc",
     []() -> int {
       const auto n = bytes();
       void* p = (void*)1;
       const auto e = cuMemHostAlloc(&p, n, unsigned(small(0, 17)));
       put("p", address_of(p) < 2 ? address_of(p) : 2);
       if (!e) {
         unsigned f = 99;
         put("get", cuMemHostGetFlags(&f, p));
         put("flags", f);
         cuMemFreeHost(p);
       }
       return e;
     }},
    {"cuMemHostRegister",
     []() -> int {
       const auto a = pointer();
       const auto n = bytes();
       const auto e = cuMemHostRegister(a, n, unsigned(small(0, 17)));
       if (!e) put("un", cuMemHostUnregister(a));
       return e;
     }},
    {"cuMemHostUnregister", []() -> int { return cuMemHostUnregister(pointer()); }},
    {"cuMemHostGetDevicePointer",
     []() -> int {
       const auto a = pointer();
       CUdeviceptr p = 1;
       const auto e = cuMemHostGetDevicePointer(&p, a, unsigned(small(0, 1)));
       put("p", p == address_of(a) ? 2 : p);
       return e;
     }},
    {"cuMemHostGetFlags",
     []() -> int {
       unsigned f = 99;
       const auto e = cuMemHostGetFlags(&f, pointer());
       put("flags", f);
       return e;
     }},
    {"cuMemAllocManaged",
     []() -> int {
       const auto n = bytes();
       CUdeviceptr p = 1;
       const auto e = cuMemAllocManaged(&p, n, unsigned(small(0, 5)));
       put("p", p < 2 ? p : 2);
       if (!e) cuMemFree(p);
       return e;
     }},
    {"cuMemAllocPitch",
     []() -> int {
       const auto w = bytes(), h = few();
       CUdeviceptr p = 1;
       size_t q = 77;
       const auto e =
           cuMemAllocPitch(&p, &q, w, h, unsigned(below(6) ? 4 << below(3) : small(0, 17)));
       put("p", p < 2 ? p : 2);
       put("pitch", q);
       if (!e) cuMemFree(p);
       return e;
     }},
    {"cuMemFree",
     []() -> int {
       switch (below(8)) {
         case 0:
           return cuMemFree(named("null", 0));
         case 1:
           return cuMemFree(named("host", address_of(host)));
         case 2:
           return cuMemFree(named("dev+16", dev + 16));
         case 3:
           return cuMemFree(named("freed", freed));
         case 4:
           return cuMemFree(named("pinned", address_of(pinned)));
         case 5:
           return cuMemFree(named("man+8", man + 8));
         case 6:
           return cuMemFree(named("dev+1M", dev + kBytes));
         default:
           return cuMemFree(named("mapped", address_of(mapped)));
       }
     }},
    {"cuMemFreeHost",
     []() -> int {
       switch (below(5)) {
         case 0:
           return cuMemFreeHost(named("null", nullptr));
         case 1:
           return cuMemFreeHost(named("host", host));
         case 2:
           return cuMemFreeHost(named("dev", at(dev)));
         case 3:
           return cuMemFreeHost(named("pinned+8", pinned + 8));
         default:
           return cuMemFreeHost(named("man", at(man)));
       }
     }},
    {"cuMemGetInfo",
     []() -> int {
       size_t a = 0, b = 0;
       const auto e = cuMemGetInfo(&a, &b);
       put("le", a <= b);
       return e;
     }},
    {"cuMemGetAddressRange",
     []() -> int {
       const auto a = address();
       CUdeviceptr p = 1;
       size_t n = 77;
       const bool no_begin = rarely(), no_bytes = rarely();
       const auto e = cuMemGetAddressRange(no_begin ? nullptr : &p, no_bytes ? nullptr : &n, a);
       put("before", p == 1 ? -1 : (long long)(a - p));
       put("n", n);
       return e;
     }},
    {"cuPointerGetAttribute",
     []() -> int {
       const auto which = small(0, 23);
       const auto a = address();
       uint64_t v[2] = {0, 0};
       const auto e = cuPointerGetAttribute(v, CUpointer_attribute(which), a);
       if (e)
         put("v", v[0]);
       else
         put_attribute(which, v[0], a);
       return e;
     }},
    {"cuPointerGetAttributes",
     []() -> int {
       CUpointer_attribute which[3];
       uint64_t v[3][2] = {};
       void* to[3] = {v[0], v[1], v[2]};
       for (auto& one : which) one = CUpointer_attribute(small(0, rarely(6) ? 23 : 21));
       const auto n = unsigned(rarely(6) ? small(0, 3) : 3);
       const auto a = address();
       const auto e = cuPointerGetAttributes(n, which, to, a);
       for (unsigned k = 0; k < n; ++k)
         if (e)
           put("v", v[k][0] != 0);
         else
           put_attribute(which[k], v[k][0], a);
       return e;
     }},
    {"cuPointerSetAttribute",
     []() -> int {
       const unsigned v[2] = {unsigned(small(0, 2)), 0};
       const auto which = rarely(3) ? small(0, 21) : 6;
       const auto a = address();
       const auto e = cuPointerSetAttribute(v, CUpointer_attribute(which), a);
       unsigned now = 77;
       put("get", cuPointerGetAttribute(&now, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, a));
       put("now", now);
       return e;
     }},
    {"cuMemAllocAsync",
     []() -> int {
       CUdeviceptr p = 1;
       const auto n = bytes();
       const auto s = a_stream();
       const auto e = cuMemAllocAsync(&p, n, s);
       put("p", p < 2 ? p : 2);
       if (!e) put("free", p ? cuMemFreeAsync(p, s) : 0);
       return e;
     }},
    {"cuMemFreeAsync",
     []() -> int {
       const auto i = below(4);
       const auto p = i == 0   ? named("null", CUdeviceptr{})
                      : i == 1 ? named("host", address_of(host))
                      : i == 2 ? named("dev+16", dev + 16)
                               : named("pinned", address_of(pinned));
       return cuMemFreeAsync(p, a_stream());
     }},
    {"cuMemAllocFromPoolAsync",
     []() -> int {
       CUdeviceptr p = 1;
       const auto n = bytes();
       const auto q = a_pool();
       const auto s = a_stream();
       const auto e = cuMemAllocFromPoolAsync(&p, n, q, s);
       put("p", p < 2 ? p : 2);
       if (!e) put("free", p ? cuMemFreeAsync(p, s) : 0);
       return e;
     }},
    {"cuMemPoolCreate",
     []() -> int {
       CUmemPoolProps how{};
       how.allocType = CUmemAllocationType(small(0, 2));
       how.handleTypes = CUmemAllocationHandleType(small(0, 3));
       how.location = location();
       how.maxSize = bytes();
       CUmemoryPool made = nullptr;
       const auto e = cuMemPoolCreate(&made, &how);
       put("null", !made);
       if (!e) cuMemPoolDestroy(made);
       return e;
     }},
    {"cuMemPoolSetAttribute",
     []() -> int {
       const auto q = a_pool();
       const auto i = small(-1, 9);
       cuuint64_t v = i >= 1 && i <= 3 ? small(0, 1) : few();
       return cuMemPoolSetAttribute(q, CUmemPool_attribute(i), &v);
     }},
    {"cuMemPoolGetAttribute",
     []() -> int {
       const auto q = a_pool();
       const auto i = small(-1, 9);
       cuuint64_t v = 0;
       const auto e = cuMemPoolGetAttribute(q, CUmemPool_attribute(i), &v);
       if (i < 4) put("v", v);
       return e;
     }},
    {"cuMemPoolTrimTo",
     []() -> int {
       const auto q = a_pool();
       return cuMemPoolTrimTo(q, bytes());
     }},
    {"cuMemPoolDestroy",
     []() -> int {
       return cuMemPoolDestroy(below(2) ? named("null", nullptr) : named("default", default_pool));
     }},
    {"cuDeviceGetDefaultMemPool",
     []() -> int {
       CUmemoryPool q = nullptr;
       const auto e = cuDeviceGetDefaultMemPool(&q, device());
       put("default", q == default_pool);
       return e;
     }},
    {"cuDeviceSetMemPool",
     []() -> int {
       const auto d = device();
       const auto e = cuDeviceSetMemPool(d, a_pool());
       CUmemoryPool q = nullptr;
       put("get", cuDeviceGetMemPool(&q, 0));
       put("default", q == default_pool);
       cuDeviceSetMemPool(0, default_pool);
       return e;
     }},
    {"cuDeviceGetMemPool",
     []() -> int {
       CUmemoryPool q = nullptr;
       const auto e = cuDeviceGetMemPool(&q, device());
       put("default", q == default_pool);
       return e;
     }},
    {"cuMemPoolGetAccess",
     []() -> int {
       CUmemAccess_flags f{};
       auto where = location();
       const auto e = cuMemPoolGetAccess(&f, a_pool(), &where);
       put("f", f);
       return e;
     }},
    {"cuMemPoolSetAccess",
     []() -> int {
       CUmemAccessDesc how{};
       how.location = location();
       how.flags = CUmemAccess_flags(small(0, 4));
       const auto q = a_pool();
       return cuMemPoolSetAccess(q, &how, size_t(small(0, 1)));
     }},
    {"cuMemAdvise",
     []() -> int {
       const auto p = address();
       const auto n = bytes();
       const auto a = small(-1, 8);
       return cuMemAdvise(p, n, CUmem_advise(a), location());
     }},
    {"cuMemPrefetchAsync",
     []() -> int {
       const auto p = address();
       const auto n = bytes();
       const auto where = location();
       const auto f = unsigned(rarely(4) ? small(0, 1) : 0);
       return cuMemPrefetchAsync(p, n, where, f, a_stream());
     }},
    {"cuMemRangeGetAttribute",
     []() -> int {
       int v[2] = {77, 77};
       const auto z = size_t(small(0, 2)) * 4;
       const auto a = small(0, 9);
       const auto p = address();
       const auto e = cuMemRangeGetAttribute(v, z, CUmem_range_attribute(a), p, bytes());
       put("v", v[0]);
       return e;
     }},
    {"cuMemRangeGetAttributes",
     []() -> int {
       int v[2][2] = {{77, 77}, {77, 77}};
       void* to[2] = {v[0], v[1]};
       size_t sizes[2] = {size_t(small(0, 2)) * 4, 4};
       CUmem_range_attribute which[2] = {CUmem_range_attribute(small(0, 9)),
                                         CUmem_range_attribute(small(1, 4))};
       const auto n = size_t(small(0, 2));
       const auto p = address();
       const auto e = cuMemRangeGetAttributes(to, sizes, which, n, p, bytes());
       put("v", v[0][0]);
       put("w", v[1][0]);
       return e;
     }},
    {"cuMemPrefetchBatchAsync",
     []() -> int {
       CUdeviceptr p[2] = {address(), man};
       size_t sizes[2] = {bytes(), few()};
       CUmemLocation where[1] = {location()};
       size_t first[1] = {size_t(rarely(4) ? small(0, 1) : 0)};
       const auto count = size_t(small(0, 2)), places = size_t(rarely(4) ? small(0, 1) : 1);
       const auto f = (unsigned long long)(rarely(4) ? small(0, 1) : 0);
       return cuMemPrefetchBatchAsync(p, sizes, count, where, first, places, f, a_stream());
     }},
    {"cuMemDiscardBatchAsync",
     []() -> int {
       CUdeviceptr p[2] = {address(), man};
       size_t sizes[2] = {bytes(), few()};
       const auto count = size_t(small(0, 2));
       const auto f = (unsigned long long)(rarely(4) ? small(0, 1) : 0);
       return cuMemDiscardBatchAsync(p, sizes, count, f, a_stream());
     }},
    {"cuMemDiscardAndPrefetchBatchAsync",
     []() -> int {
       CUdeviceptr p[2] = {address(), man};
       size_t sizes[2] = {bytes(), few()};
       CUmemLocation where[1] = {location()};
       size_t first[1] = {size_t(rarely(4) ? small(0, 1) : 0)};
       const auto count = size_t(small(0, 2)), places = size_t(rarely(4) ? small(0, 1) : 1);
       const auto f = (unsigned long long)(rarely(4) ? small(0, 1) : 0);
       return cuMemDiscardAndPrefetchBatchAsync(p, sizes, count, where, first, places, f,
                                                a_stream());
     }},
};

}  // namespace calls

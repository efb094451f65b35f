// SPDX-License-Identifier: MIT
// Pools, advice for managed memory, textures and surfaces.
#pragma once

#include "parameters.cuh"

namespace calls {

inline const Call kPools[] = {
    {"cudaMallocAsync",
     []() -> cudaError_t {
       void* p = (void*)1;
       auto n = bytes();
       auto s = a_stream();
       auto e = cudaMallocAsync(&p, n, s);
       put("null", !p);
       put("one", p == (void*)1);
       if (!e) put("free", cudaFreeAsync(p, s));
       return e;
     }},
    {"cudaFreeAsync",
     []() -> cudaError_t {
       auto i = below(4);
       void* p = i == 0   ? named("null", nullptr)
                 : i == 1 ? named("host", host)
                 : i == 2 ? named("dev+16", dev + 16)
                          : named("pinned", pinned);
       return cudaFreeAsync(p, a_stream());
     }},
    {"cudaMallocFromPoolAsync",
     []() -> cudaError_t {
       void* p = (void*)1;
       auto n = bytes();
       auto q = a_pool();
       auto s = a_stream();
       auto e = cudaMallocFromPoolAsync(&p, n, q, s);
       put("null", !p);
       if (!e) put("free", cudaFreeAsync(p, s));
       return e;
     }},
    {"cudaMemPoolCreate",
     []() -> cudaError_t {
       cudaMemPoolProps p{};
       p.allocType = cudaMemAllocationType(small(0, 2));
       p.handleTypes = cudaMemAllocationHandleType(small(0, 3));
       p.location.type = cudaMemLocationType(small(0, 3));
       p.location.id = small(-1, 1);
       p.maxSize = bytes();
       cudaMemPool_t m = nullptr;
       auto e = cudaMemPoolCreate(&m, &p);
       put("null", !m);
       if (!e) cudaMemPoolDestroy(m);
       return e;
     }},
    {"cudaMemPoolSetAttribute",
     []() -> cudaError_t {
       auto q = a_pool();
       auto i = small(-1, 9);
       uint64_t v = i >= 1 && i <= 3 ? small(0, 1) : few();
       return cudaMemPoolSetAttribute(q, cudaMemPoolAttr(i), &v);
     }},
    {"cudaMemPoolGetAttribute",
     []() -> cudaError_t {
       auto q = a_pool();
       auto i = small(-1, 8);
       uint64_t v = 0;
       auto e = cudaMemPoolGetAttribute(q, cudaMemPoolAttr(i), &v);
       if (i < 4) put("v", v);
       return e;
     }},
    {"cudaMemPoolTrimTo",
     []() -> cudaError_t {
       auto q = a_pool();
       return cudaMemPoolTrimTo(q, bytes());
     }},
    {"cudaMemPoolDestroy",
     []() -> cudaError_t {
       auto i = below(2);
       auto q = i ? named("null", nullptr) : named("default", default_pool);
       return cudaMemPoolDestroy(q);
     }},
    {"cudaDeviceSetMemPool",
     []() -> cudaError_t {
       auto d = small(-1, 1);
       auto q = a_pool();
       auto e = cudaDeviceSetMemPool(d, q);
       cudaDeviceSetMemPool(0, default_pool);
       return e;
     }},
    {"cudaDeviceGetMemPool",
     []() -> cudaError_t {
       cudaMemPool_t q = nullptr;
       auto e = cudaDeviceGetMemPool(&q, small(-1, 1));
       put("default", q == default_pool);
       return e;
     }},
    {"cudaMemPoolGetAccess",
     []() -> cudaError_t {
       cudaMemAccessFlags f{};
       cudaMemLocation l{};
       l.type = cudaMemLocationType(small(0, 3));
       l.id = small(-1, 1);
       auto e = cudaMemPoolGetAccess(&f, a_pool(), &l);
       put("f", f);
       return e;
     }},
    {"cudaMemPoolSetAccess",
     []() -> cudaError_t {
       cudaMemAccessDesc d{};
       d.location.type = cudaMemLocationType(small(0, 3));
       d.location.id = small(-1, 1);
       d.flags = cudaMemAccessFlags(small(0, 4));
       return cudaMemPoolSetAccess(a_pool(), &d, size_t(small(0, 1)));
     }},
    {"cudaMemAdvise",
     []() -> cudaError_t {
       auto p = pointer();
       auto n = bytes();
       auto a = small(-1, 8);
       cudaMemLocation l{};
       l.type = cudaMemLocationType(small(0, 4));
       l.id = small(-1, 1);
       return cudaMemAdvise(p, n, cudaMemoryAdvise(a), l);
     }},
    {"cudaMemPrefetchAsync",
     []() -> cudaError_t {
       auto p = pointer();
       auto n = bytes();
       cudaMemLocation l{};
       l.type = cudaMemLocationType(small(0, 4));
       l.id = small(-1, 1);
       auto f = unsigned(small(0, 1));
       return cudaMemPrefetchAsync(p, n, l, f, a_stream());
     }},
    {"cudaMemRangeGetAttribute",
     []() -> cudaError_t {
       int v = 77;
       auto z = size_t(small(0, 2)) * 4;
       auto a = small(0, 6);
       auto p = pointer();
       auto e = cudaMemRangeGetAttribute(&v, z, cudaMemRangeAttribute(a), p, bytes());
       if (e) put("v", v);
       return e;
     }},
    {"cudaCreateTextureObject",
     []() -> cudaError_t {
       auto a = resource();
       auto b = texture();
       cudaTextureObject_t t = 0;
       auto e = cudaCreateTextureObject(&t, &a, &b, nullptr);
       put("zero", t == 0);
       if (!e) cudaDestroyTextureObject(t);
       return e;
     }},
    {"cudaCreateTextureObject with view",
     []() -> cudaError_t {
       auto a = resource();
       auto b = texture();
       cudaResourceViewDesc v{};
       v.format = cudaResourceViewFormat(small(0, 36));
       v.width = few();
       v.height = few();
       v.depth = below(3) ? 0 : few();
       v.firstMipmapLevel = below(3) ? 0 : unsigned(few());
       v.lastMipmapLevel = below(3) ? 0 : unsigned(few());
       v.firstLayer = below(3) ? 0 : unsigned(few());
       v.lastLayer = below(3) ? 0 : unsigned(few());
       cudaTextureObject_t t = 0;
       auto e = cudaCreateTextureObject(&t, &a, &b, &v);
       put("zero", t == 0);
       if (!e) cudaDestroyTextureObject(t);
       return e;
     }},
    {"cudaCreateSurfaceObject",
     []() -> cudaError_t {
       auto a = resource();
       cudaSurfaceObject_t t = 0;
       auto e = cudaCreateSurfaceObject(&t, &a);
       put("zero", t == 0);
       if (!e) cudaDestroySurfaceObject(t);
       return e;
     }},
    {"cudaDestroyTextureObject", []() -> cudaError_t { return cudaDestroyTextureObject(0); }},
    {"cudaGetChannelDesc",
     []() -> cudaError_t {
       cudaChannelFormatDesc d{};
       auto e = cudaGetChannelDesc(&d, an_array());
       put("x", d.x);
       put("y", d.y);
       put("f", d.f);
       return e;
     }},
    {"cudaDeviceGetTexture1DLinearMaxWidth",
     []() -> cudaError_t {
       auto f = format();
       size_t n = 7;
       auto e = cudaDeviceGetTexture1DLinearMaxWidth(&n, &f, small(-1, 1));
       put("n", n);
       return e;
     }},
};

}  // namespace calls

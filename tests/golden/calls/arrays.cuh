// SPDX-License-Identifier: MIT
// Arrays; what symbols and pointers are.
#pragma once

#include "parameters.cuh"

namespace calls {

inline const Call kArrays[] = {
    {"cudaMallocArray",
     []() -> cudaError_t {
       auto f = format();
       auto w = few() * (below(6) ? 1 : 4096);
       auto h = few() * (below(6) ? 1 : 4096);
       auto g = unsigned(below(2) ? 0 : small(0, 64));
       say_value(w);
       say_value(h);
       cudaArray_t a = nullptr;
       auto e = cudaMallocArray(&a, &f, w, h, g);
       put("null", !a);
       if (!e) {
         cudaChannelFormatDesc d{};
         cudaExtent x{};
         unsigned fl = 99;
         put("info", cudaArrayGetInfo(&d, &x, &fl, a));
         put("w", x.width);
         put("h", x.height);
         put("d", x.depth);
         put("fl", fl);
         put("dx", d.x);
         put("f", d.f);
         cudaFreeArray(a);
       }
       return e;
     }},
    {"cudaMalloc3DArray",
     []() -> cudaError_t {
       auto f = format();
       auto x = extent();
       auto g = unsigned(below(2) ? 0 : small(0, 16));
       cudaArray_t a = nullptr;
       auto e = cudaMalloc3DArray(&a, &f, x, g);
       put("null", !a);
       if (!e) {
         cudaChannelFormatDesc d{};
         cudaExtent y{};
         unsigned fl = 99;
         put("info", cudaArrayGetInfo(&d, &y, &fl, a));
         put("w", y.width);
         put("h", y.height);
         put("d", y.depth);
         put("fl", fl);
         cudaFreeArray(a);
       }
       return e;
     }},
    {"cudaMallocMipmappedArray",
     []() -> cudaError_t {
       auto f = format();
       auto x = extent();
       auto l = unsigned(small(0, 9));
       auto g = unsigned(below(2) ? 0 : small(0, 16));
       cudaMipmappedArray_t m = nullptr;
       auto e = cudaMallocMipmappedArray(&m, &f, x, l, g);
       put("null", !m);
       if (!e) {
         for (unsigned i = 0; i < 10; i += 3) {
           cudaArray_t a = nullptr;
           put("level", cudaGetMipmappedArrayLevel(&a, m, i));
           if (a) {
             cudaExtent y{};
             cudaArrayGetInfo(nullptr, &y, nullptr, a);
             put("w", y.width);
             put("h", y.height);
             put("d", y.depth);
           }
         }
         cudaFreeMipmappedArray(m);
       }
       return e;
     }},
    {"cudaArrayGetInfo",
     []() -> cudaError_t {
       auto a = an_array();
       cudaExtent x{7, 7, 7};
       unsigned f = 99;
       cudaChannelFormatDesc d{};
       auto e = cudaArrayGetInfo(&d, &x, &f, a);
       put("w", x.width);
       put("h", x.height);
       put("d", x.depth);
       put("fl", f);
       return e;
     }},
    {"cudaArrayGetPlane",
     []() -> cudaError_t {
       auto a = an_array();
       cudaArray_t p = nullptr;
       return cudaArrayGetPlane(&p, a, unsigned(small(0, 3)));
     }},
    {"cudaArrayGetMemoryRequirements",
     []() -> cudaError_t {
       auto a = an_array();
       cudaArrayMemoryRequirements q{};
       auto e = cudaArrayGetMemoryRequirements(&q, a, small(-1, 1));
       return e;
     }},
    {"cudaArrayGetSparseProperties",
     []() -> cudaError_t {
       auto a = an_array();
       cudaArraySparseProperties q{};
       return cudaArrayGetSparseProperties(&q, a);
     }},
    {"cudaGetSymbolAddress",
     []() -> cudaError_t {
       auto s = a_symbol();
       void* p = nullptr;
       auto e = cudaGetSymbolAddress(&p, s);
       put("null", !p);
       return e;
     }},
    {"cudaGetSymbolSize",
     []() -> cudaError_t {
       auto s = a_symbol();
       size_t n = 77;
       auto e = cudaGetSymbolSize(&n, s);
       put("n", n);
       return e;
     }},
    {"cudaPointerGetAttributes",
     []() -> cudaError_t {
       auto a = pointer();
       cudaPointerAttributes p{};
       memset(&p, 0x55, sizeof p);
       auto e = cudaPointerGetAttributes(&p, a);
       put("type", p.type);
       put("device", p.device);
       put("d", p.devicePointer == a);
       put("h", p.hostPointer == a);
       put("dn", !p.devicePointer);
       put("hn", !p.hostPointer);
       return e;
     }},
};

}  // namespace calls

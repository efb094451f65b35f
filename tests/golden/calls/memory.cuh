// SPDX-License-Identifier: MIT
// Memory: made, registered, freed.
#pragma once

#include "parameters.cuh"

namespace calls {

inline const Call kMemory[] = {
    {"cudaMalloc",
     []() -> cudaError_t {
       auto n = bytes();
       void* p = (void*)1;
       auto e = cudaMalloc(&p, n);
       put("null", p == nullptr);
       put("one", p == (void*)1);
       put("256", uintptr_t(p) % 256);
       if (!e) cudaFree(p);
       return e;
     }},
    {"cudaMallocHost",
     []() -> cudaError_t {
       auto n = bytes();
       void* p = (void*)1;
       auto e = cudaMallocHost(&p, n);
       put("null", p == nullptr);
       put("one", p == (void*)1);
       if (!e) cudaFreeHost(p);
       return e;
     }},
    {"cudaHostAlloc",
     []() -> cudaError_t {
       auto n = bytes();
       void* p = (void*)1;
       auto e = cudaHostAlloc(&p, n, unsigned(small(0, 17)));
       put("null", p == nullptr);
       if (!e) {
         unsigned f = 99;
         put("get", cudaHostGetFlags(&f, p));
         put("flags", f);
         cudaFreeHost(p);
       }
       return e;
     }},
    {"cudaHostRegister",
     []() -> cudaError_t {
       auto a = pointer();
       auto n = bytes();
       auto e = cudaHostRegister(a, n, unsigned(small(0, 9)));
       if (!e) put("un", cudaHostUnregister(a));
       return e;
     }},
    {"cudaHostUnregister",
     []() -> cudaError_t {
       auto a = pointer();
       return cudaHostUnregister(a);
     }},
    {"cudaHostGetDevicePointer",
     []() -> cudaError_t {
       auto a = pointer();
       void* p = nullptr;
       auto e = cudaHostGetDevicePointer(&p, a, unsigned(small(0, 1)));
       put("same", p == a);
       put("null", !p);
       return e;
     }},
    {"cudaHostGetFlags",
     []() -> cudaError_t {
       auto a = pointer();
       unsigned f = 99;
       auto e = cudaHostGetFlags(&f, a);
       put("flags", f);
       return e;
     }},
    {"cudaMallocManaged",
     []() -> cudaError_t {
       auto n = bytes();
       void* p = (void*)1;
       auto e = cudaMallocManaged(&p, n, unsigned(small(0, 5)));
       put("null", p == nullptr);
       put("one", p == (void*)1);
       if (!e) cudaFree(p);
       return e;
     }},
    {"cudaMallocPitch",
     []() -> cudaError_t {
       auto w = bytes();
       auto h = few();
       void* p = (void*)1;
       size_t q = 77;
       auto e = cudaMallocPitch(&p, &q, w, h);
       put("null", p == nullptr);
       put("pitch", q);
       if (!e) cudaFree(p);
       return e;
     }},
    {"cudaMalloc3D",
     []() -> cudaError_t {
       auto x = extent();
       cudaPitchedPtr p{(void*)1, 77, 77, 77};
       auto e = cudaMalloc3D(&p, x);
       put("null", p.ptr == nullptr);
       put("pitch", p.pitch);
       put("x", p.xsize);
       put("y", p.ysize);
       if (!e) cudaFree(p.ptr);
       return e;
     }},
    {"cudaFree",
     []() -> cudaError_t {
       auto i = below(7);
       void* p = i == 0   ? named("null", nullptr)
                 : i == 1 ? named("host", host)
                 : i == 2 ? named("dev+16", dev + 16)
                 : i == 3 ? named("freed", freed)
                 : i == 4 ? named("pinned", pinned)
                 : i == 5 ? named("man+8", man + 8)
                          : named("mapped", mapped);
       return cudaFree(p);
     }},
    {"cudaFreeHost",
     []() -> cudaError_t {
       auto i = below(5);
       void* p = i == 0   ? named("null", nullptr)
                 : i == 1 ? named("host", host)
                 : i == 2 ? named("dev", dev)
                 : i == 3 ? named("pinned+8", pinned + 8)
                          : named("man", man);
       return cudaFreeHost(p);
     }},
    {"cudaFreeArray",
     []() -> cudaError_t {
       say("null");
       return cudaFreeArray(nullptr);
     }},
};

}  // namespace calls

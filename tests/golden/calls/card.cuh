// SPDX-License-Identifier: MIT
// The card: attributes, limits, flags, peers.
#pragma once

#include "parameters.cuh"

namespace calls {

inline const Call kCard[] = {
    {"cudaDeviceGetAttribute",
     []() -> cudaError_t {
       auto a = small(-1, 150);
       int v = 77;
       auto e = cudaDeviceGetAttribute(&v, cudaDeviceAttr(a), below(8) ? 0 : small(-1, 1));
       if (e) put("v", v);
       return e;
     }},
    {"cudaSetDevice",
     []() -> cudaError_t {
       auto e = cudaSetDevice(small(-2, 2));
       int d = 77;
       cudaGetDevice(&d);
       put("d", d);
       return e;
     }},
    {"cudaGetDeviceProperties",
     []() -> cudaError_t {
       cudaDeviceProp p{};
       return cudaGetDeviceProperties(&p, small(-1, 2));
     }},
    {"cudaDeviceSetLimit",
     []() -> cudaError_t {
       auto l = small(-1, 8);
       auto v = few();
       auto e = cudaDeviceSetLimit(cudaLimit(l), v * 64);
       size_t w = 77;
       put("get", cudaDeviceGetLimit(&w, cudaLimit(l)));
       put("now", w);
       return e;
     }},
    {"cudaDeviceSetCacheConfig",
     []() -> cudaError_t {
       auto e = cudaDeviceSetCacheConfig(cudaFuncCache(small(-1, 5)));
       cudaFuncCache c{};
       put("get", cudaDeviceGetCacheConfig(&c));
       put("c", c);
       return e;
     }},
    {"cudaSetDeviceFlags",
     []() -> cudaError_t {
       auto e = cudaSetDeviceFlags(unsigned(small(0, 70)));
       return e;
     }},
    {"cudaDeviceGetStreamPriorityRange",
     []() -> cudaError_t {
       int a = 77;
       int b = 77;
       auto e = cudaDeviceGetStreamPriorityRange(&a, &b);
       put("a", a);
       put("b", b);
       return e;
     }},
    {"cudaDeviceCanAccessPeer",
     []() -> cudaError_t {
       int v = 77;
       auto a = small(-1, 1);
       auto e = cudaDeviceCanAccessPeer(&v, a, small(-1, 1));
       put("v", v);
       return e;
     }},
    {"cudaDeviceEnablePeerAccess",
     []() -> cudaError_t {
       auto a = small(-1, 1);
       return cudaDeviceEnablePeerAccess(a, unsigned(small(0, 1)));
     }},
    {"cudaDeviceDisablePeerAccess",
     []() -> cudaError_t { return cudaDeviceDisablePeerAccess(small(-1, 1)); }},
    {"cudaDeviceGetByPCIBusId",
     []() -> cudaError_t {
       int d = 77;
       auto e = cudaDeviceGetByPCIBusId(&d, below(2) ? "nonsense" : "");
       put("d", d);
       return e;
     }},
    {"cudaDeviceGetPCIBusId",
     []() -> cudaError_t {
       char b[40] = "x";
       auto n = small(-1, 14);
       auto e = cudaDeviceGetPCIBusId(b, n, 0);
       put("len", e ? (long long)strlen(b) : (long long)strlen(b) < n);
       return e;
     }},
};

}  // namespace calls

// SPDX-License-Identifier: MIT
// Launches, what kernels are set and asked, occupancy.
#pragma once

#include "parameters.cuh"

namespace calls {

inline const Call kKernels[] = {
    {"cudaLaunchKernel",
     []() -> cudaError_t {
       auto f = function();
       auto g = dims();
       auto b = dims();
       int* p = nullptr;
       void* a[] = {&p};
       auto n = bytes();
       return cudaLaunchKernel(f, g, b, a, n, a_stream());
     }},
    {"cudaLaunchCooperativeKernel",
     []() -> cudaError_t {
       auto f = function();
       auto g = dims();
       auto b = dims();
       int* p = nullptr;
       void* a[] = {&p};
       auto n = few() * 512;
       return cudaLaunchCooperativeKernel(f, g, b, a, n, a_stream());
     }},
    {"cudaLaunchKernelExC",
     []() -> cudaError_t {
       auto f = function();
       cudaLaunchConfig_t c{};
       c.gridDim = dims();
       c.blockDim = dims();
       c.dynamicSmemBytes = few() * 512;
       c.stream = a_stream();
       cudaLaunchAttribute t[2]{};
       t[0].id = cudaLaunchAttributeID(small(0, 14));
       memset(&t[0].val, 0, sizeof t[0].val);
       int a = small(0, 4);
       int b = small(0, 4);
       int d = small(0, 3);
       t[0].val.clusterDim.x = unsigned(a);
       t[0].val.clusterDim.y = unsigned(b);
       t[0].val.clusterDim.z = unsigned(d);
       if (t[0].id == 7 || t[0].id == 8 || t[0].id == 12 || t[0].id == 10 || t[0].id == 1 ||
           t[0].id == 13)
         return cudaSuccess;
       c.attrs = t;
       c.numAttrs = 1;
       int* p = nullptr;
       void* args[] = {&p};
       return cudaLaunchKernelExC(&c, f, args);
     }},
    {"cudaFuncSetAttribute",
     []() -> cudaError_t {
       auto f = function();
       auto i = small(-1, 16);
       auto v = small(-1, 3) * (below(2) ? 1 : 30000);
       say_value(v);
       return cudaFuncSetAttribute(f, cudaFuncAttribute(i), v);
     }},
    {"cudaFuncGetAttributes",
     []() -> cudaError_t {
       auto f = function();
       cudaFuncAttributes a{};
       auto e = cudaFuncGetAttributes(&a, f);
       put("shared", a.sharedSizeBytes);
       put("const", a.constSizeBytes);
       put("local", a.localSizeBytes);
       put("max", a.maxThreadsPerBlock);
       put("ptx", a.ptxVersion >= 0);
       put("cl", a.clusterDimMustBeSet);
       put("x", a.requiredClusterWidth);
       put("np", a.nonPortableClusterSizeAllowed);
       put("carve", a.preferredShmemCarveout);
       return e;
     }},
    {"cudaFuncSetCacheConfig",
     []() -> cudaError_t {
       auto f = function();
       return cudaFuncSetCacheConfig(f, cudaFuncCache(small(-1, 4)));
     }},
    {"cudaFuncGetName",
     []() -> cudaError_t {
       const char* n = nullptr;
       auto f = function();
       auto e = cudaFuncGetName(&n, f);
       told += std::string(" ") + (n ? n : "null");
       return e;
     }},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
     []() -> cudaError_t {
       auto f = function();
       int n = -7;
       auto b = small(0, 1) ? int(few() * 32) : int(few());
       say_value(b);
       auto s = few() * 2048;
       auto e = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, f, b, s,
                                                                       unsigned(small(0, 3)));
       put("n", n);
       return e;
     }},
    {"cudaOccupancyAvailableDynamicSMemPerBlock",
     []() -> cudaError_t {
       auto f = function();
       size_t n = 7;
       auto b = small(-1, 34);
       auto e = cudaOccupancyAvailableDynamicSMemPerBlock(&n, f, b, small(-1, 2000));
       put("n", n);
       return e;
     }},
    {"cudaOccupancyMaxPotentialClusterSize",
     []() -> cudaError_t {
       auto f = function();
       cudaLaunchConfig_t c{};
       c.gridDim = dims();
       c.blockDim = dims();
       c.dynamicSmemBytes = few() * 2048;
       int n = -7;
       auto e = cudaOccupancyMaxPotentialClusterSize(&n, f, &c);
       put("n", n);
       return e;
     }},
    {"cudaOccupancyMaxActiveClusters",
     []() -> cudaError_t {
       auto f = function();
       cudaLaunchConfig_t c{};
       c.gridDim = dims();
       c.blockDim = dims();
       c.dynamicSmemBytes = few() * 2048;
       cudaLaunchAttribute t{};
       t.id = cudaLaunchAttributeClusterDimension;
       t.val.clusterDim.x = unsigned(small(0, 9));
       t.val.clusterDim.y = 1;
       t.val.clusterDim.z = 1;
       c.attrs = &t;
       c.numAttrs = unsigned(small(0, 1));
       int n = -7;
       auto e = cudaOccupancyMaxActiveClusters(&n, f, &c);
       put("n", n);
       return e;
     }},
};

}  // namespace calls

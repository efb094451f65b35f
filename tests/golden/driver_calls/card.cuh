// SPDX-License-Identifier: MIT
// The card and its contexts; names of functions and of errors.
#pragma once

#include "parameters.cuh"

namespace calls {

/// Another context beside the primary one, made when it is first needed.
inline CUcontext other() {
  static CUcontext made = nullptr;
  if (!made) {
    cuCtxCreate(&made, nullptr, 0, 0);
    CUcontext popped = nullptr;
    cuCtxPopCurrent(&popped);
  }
  return made;
}
/// 0 none, 1 the primary one, 2 the other, 3 what was there before.
inline int number_of(CUcontext found) {
  return !found ? 0 : found == primary ? 1 : found == other() ? 2 : 3;
}
/// The primary one alone is on the stack again.
inline void restore() {
  CUcontext found = nullptr;
  for (int k = 0; k < 20 && cuCtxPopCurrent(&found) == 0 && found; ++k) {
  }
  cuCtxSetCurrent(primary);
}

inline const Call kCard[] = {
    {"cuInit", []() -> int { return cuInit(unsigned(small(0, 1))); }},
    {"cuDriverGetVersion",
     []() -> int {
       int v = 77;
       const auto e = cuDriverGetVersion(&v);
       put("is", v >= 13000);
       return e;
     }},
    {"cuDeviceGet",
     []() -> int {
       int d = 77;
       const auto e = cuDeviceGet(&d, small(-1, 1));
       put("d", d);
       return e;
     }},
    {"cuDeviceGetCount",
     []() -> int {
       int n = 77;
       const auto e = cuDeviceGetCount(&n);
       put("n", n);
       return e;
     }},
    {"cuDeviceGetName",
     []() -> int {
       char name[100] = "x";
       const auto n = small(-1, 30);
       const auto e = cuDeviceGetName(name, n, device());
       put("len", e ? (long long)strlen(name) : (long long)strlen(name) < n);
       return e;
     }},
    {"cuDeviceTotalMem",
     []() -> int {
       size_t n = 77;
       const auto e = cuDeviceTotalMem(&n, device());
       put("n", n == 77);
       return e;
     }},
    {"cuDeviceGetUuid",
     []() -> int {
       CUuuid id{};
       return cuDeviceGetUuid(&id, device());
     }},
    {"cuDeviceComputeCapability",
     []() -> int {
       int a = 77, b = 77;
       const auto e = cuDeviceComputeCapability(&a, &b, device());
       put("a", a);
       put("b", b);
       return e;
     }},
    {"cuDeviceGetAttribute",
     []() -> int {
       const auto a = small(-1, 155);
       int v = 77;
       const auto e = cuDeviceGetAttribute(&v, CUdevice_attribute(a), device());
       put("v", v);
       return e;
     }},
    {"cuDeviceGetAttribute",
     []() -> int {
       const auto a = small(-1, 155);
       int v = 77;
       const auto e = cuDeviceGetAttribute(&v, CUdevice_attribute(a), 0);
       put("v", v);
       return e;
     }},
    {"cuDeviceGetPCIBusId",
     []() -> int {
       char text[40] = "x";
       const auto n = small(-1, 16);
       const auto e = cuDeviceGetPCIBusId(text, n, device());
       put("len", e ? (long long)strlen(text) : (long long)strlen(text) < n);
       return e;
     }},
    {"cuDeviceGetByPCIBusId",
     []() -> int {
       const char* all[] = {"nonsense", "", "0000:00:00.0", "ffff:ff:1f.7"};
       const auto text = all[below(4)];
       int d = 77;
       const auto e = cuDeviceGetByPCIBusId(&d, named(text, text));
       put("d", d);
       return e;
     }},
    {"cuDeviceCanAccessPeer",
     []() -> int {
       int v = 77;
       const auto a = device();
       const auto e = cuDeviceCanAccessPeer(&v, a, device());
       put("v", v);
       return e;
     }},
    {"cuDeviceGetP2PAttribute",
     []() -> int {
       int v = 77;
       const auto i = small(-1, 7);
       const auto a = device();
       const auto e = cuDeviceGetP2PAttribute(&v, CUdevice_P2PAttribute(i), a, device());
       put("v", v);
       return e;
     }},
    {"cuDeviceGetTexture1DLinearMaxWidth",
     []() -> int {
       const auto f = format();
       size_t n = 77;
       const auto e = cuDeviceGetTexture1DLinearMaxWidth(&n, f.format, f.channels, device());
       put("n", n);
       return e;
     }},
    {"cuDeviceGetProperties",
     []() -> int {
       CUdevprop p{};
       const auto e = cuDeviceGetProperties(&p, device());
       for (int v : {p.maxThreadsPerBlock, p.maxThreadsDim[0], p.maxThreadsDim[2], p.maxGridSize[0],
                     p.maxGridSize[1], p.sharedMemPerBlock, p.totalConstantMemory, p.SIMDWidth,
                     p.memPitch, p.regsPerBlock, p.textureAlign})
         put("v", v);
       return e;
     }},
    {"cuDeviceGetExecAffinitySupport",
     []() -> int {
       int v = 77;
       const auto i = small(-1, 2);
       const auto e = cuDeviceGetExecAffinitySupport(&v, CUexecAffinityType(i), device());
       put("v", v);
       return e;
     }},
    {"cuDevicePrimaryCtxRetain",
     []() -> int {
       CUcontext c = nullptr;
       const auto d = device();
       const auto e = cuDevicePrimaryCtxRetain(&c, d);
       put("c", c == primary);
       if (!e) put("release", cuDevicePrimaryCtxRelease(d));
       return e;
     }},
    {"cuDevicePrimaryCtxRelease",
     []() -> int { return cuDevicePrimaryCtxRelease(below(2) ? named("-1", -1) : named("1", 1)); }},
    {"cuDevicePrimaryCtxReset",
     []() -> int { return cuDevicePrimaryCtxReset(below(2) ? named("-1", -1) : named("1", 1)); }},
    {"cuDevicePrimaryCtxSetFlags",
     []() -> int {
       const auto d = device();
       const auto e = cuDevicePrimaryCtxSetFlags(d, context_flags());
       unsigned f = 77;
       int active = 77;
       put("get", cuDevicePrimaryCtxGetState(0, &f, &active));
       put("f", f);
       put("active", active);
       return e;
     }},
    {"cuDevicePrimaryCtxGetState",
     []() -> int {
       unsigned f = 77;
       int active = 77;
       const auto e = cuDevicePrimaryCtxGetState(device(), &f, &active);
       put("f", f);
       put("active", active);
       return e;
     }},
    {"cuCtxCreate",
     []() -> int {
       CUcontext made = nullptr, now = nullptr;
       const auto f = context_flags();
       CUexecAffinityParam affinity{};
       affinity.type = CUexecAffinityType(small(0, 1));
       affinity.param.smCount.val = unsigned(small(0, 140));
       CUctxCreateParams how{&affinity, rarely(3) ? small(-1, 1) : 0, nullptr};
       const auto e = cuCtxCreate(&made, rarely(4) ? &how : nullptr, f, device());
       put("made", number_of(made));
       if (!e) {
         put("now", cuCtxGetCurrent(&now));
         put("same", now == made);
         unsigned g = 77;
         put("flags", cuCtxGetFlags(&g));
         put("f", g);
         CUdeviceptr p = 0;
         put("alloc", cuMemAlloc(&p, 64));
         put("destroy", cuCtxDestroy(made));
         put("now", cuCtxGetCurrent(&now));
         put("is", number_of(now));
       }
       restore();
       return e;
     }},
    {"cuCtxDestroy", []() -> int { return cuCtxDestroy(named("null", nullptr)); }},
    {"contexts",
     []() -> int {
       int e = 0;
       other();
       for (int step = 0; step < 5; ++step) {
         CUcontext found = nullptr;
         const auto which = small(0, 8);
         const auto c = below(4) == 0 ? CUcontext{} : below(2) ? primary : other();
         if (which < 4) say_value(number_of(c));
         if (which < 2)
           e = cuCtxPushCurrent(c);
         else if (which < 4)
           e = cuCtxSetCurrent(c);
         else if (which < 6)
           e = cuCtxPopCurrent(&found);
         else if (which == 6)
           e = cuCtxGetCurrent(&found);
         else if (which == 7) {
           int d = 77;
           e = cuCtxGetDevice(&d);
           put("d", d);
         } else
           e = cuCtxSynchronize();
         put("e", e);
         put("c", number_of(found));
       }
       restore();
       return e;
     }},
    {"cuCtxAttach",
     []() -> int {
       CUcontext c = nullptr;
       const auto e = cuCtxAttach(&c, unsigned(small(0, 1)));
       put("c", number_of(c));
       if (!e) put("detach", cuCtxDetach(c));
       return e;
     }},
    {"cuCtxGetDevice",
     []() -> int {
       int d = 77;
       const auto e = cuCtxGetDevice(&d);
       put("d", d);
       return e;
     }},
    {"cuCtxGetApiVersion",
     []() -> int {
       unsigned v = 77;
       const auto e = cuCtxGetApiVersion(a_context(), &v);
       put("v", v);
       return e;
     }},
    {"cuCtxGetFlags",
     []() -> int {
       unsigned f = 77;
       const auto e = cuCtxGetFlags(&f);
       put("f", f);
       return e;
     }},
    {"cuCtxSetFlags",
     []() -> int {
       const auto e = cuCtxSetFlags(context_flags());
       unsigned f = 77;
       put("get", cuCtxGetFlags(&f));
       put("f", f);
       return e;
     }},
    {"cuCtxGetId",
     []() -> int {
       unsigned long long n = 77;
       const auto e = cuCtxGetId(a_context(), &n);
       put("n", n == 77);
       return e;
     }},
    {"cuCtxGetExecAffinity",
     []() -> int {
       CUexecAffinityParam affinity{};
       const auto e = cuCtxGetExecAffinity(&affinity, CUexecAffinityType(small(-1, 1)));
       put("n", affinity.param.smCount.val);
       return e;
     }},
    {"cuCtxResetPersistingL2Cache", []() -> int { return cuCtxResetPersistingL2Cache(); }},
    {"cuCtxGetLimit",
     []() -> int {
       size_t v = 77;
       const auto l = small(-1, 9);
       const auto e = cuCtxGetLimit(&v, CUlimit(l));
       put("v", v);
       return e;
     }},
    {"cuCtxSetLimit",
     []() -> int {
       const auto l = small(-1, 9);
       const auto v = few();
       const auto e = cuCtxSetLimit(CUlimit(l), v * 64);
       size_t now = 77;
       put("get", cuCtxGetLimit(&now, CUlimit(l)));
       put("now", now);
       return e;
     }},
    {"cuCtxSetCacheConfig",
     []() -> int {
       const auto e = cuCtxSetCacheConfig(CUfunc_cache(small(-1, 5)));
       CUfunc_cache c{};
       put("get", cuCtxGetCacheConfig(&c));
       put("c", c);
       return e;
     }},
    {"cuCtxGetStreamPriorityRange",
     []() -> int {
       int a = 77, b = 77;
       const auto e =
           cuCtxGetStreamPriorityRange(rarely(4) ? nullptr : &a, rarely(4) ? nullptr : &b);
       put("a", a);
       put("b", b);
       return e;
     }},
    {"cuProfilerStart", []() -> int { return cuProfilerStart(); }},
    {"cuProfilerStop", []() -> int { return cuProfilerStop(); }},
    {"cuGetErrorName",
     []() -> int {
       const auto c = small(-1, 1000);
       const char *name = "x", *text = "x";
       const auto e = cuGetErrorName(CUresult(c), &name);
       put("string", cuGetErrorString(CUresult(c), &text));
       told += std::string(" ") + (name ? name : "null") + ": " + (text ? text : "null");
       return e;
     }},
    {"cuGetProcAddress",
     []() -> int {
       const char* all[] = {"cuMemAlloc",          "cuNonsense",     "",
                            "cuLaunchKernel",      "cuInit",         "cuTensorMapEncodeTiled",
                            "cuStreamSynchronize", "cuMemAlloc_v2",  "cuCtxCreate",
                            "cuGraphAddNode",      "cuMemFreeAsync", "cuLaunchKernel_ptsz",
                            "cuGetProcAddress",    "culaunchkernel", "cuMemcpyBatchAsync",
                            "cuStreamBeginCapture"};
       const char* name = all[below(16)];
       const int versions[] = {0,     -1,    2000,  3020,  4000,  5000,  7000,  10000,
                               11000, 11020, 11040, 12000, 12030, 12050, 13000, 14000};
       void* p = (void*)1;
       CUdriverProcAddressQueryResult found = CUdriverProcAddressQueryResult(77);
       say(name);
       const auto version = one_of(versions);
       const auto flags = cuuint64_t(small(0, 4));
       const auto e = cuGetProcAddress(name, &p, version, flags, &found);
       put("p", address_of(p) < 2 ? address_of(p) : 2);
       put("found", found);
       return e;
     }},
    {"cuModuleGetLoadingMode",
     []() -> int {
       CUmoduleLoadingMode m{};
       const auto e = cuModuleGetLoadingMode(&m);
       put("m", m);
       return e;
     }},
};

}  // namespace calls

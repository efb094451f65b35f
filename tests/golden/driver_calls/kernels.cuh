// SPDX-License-Identifier: MIT
// Launches, what kernels are set and asked, occupancy.
#pragma once

#include "parameters.cuh"

namespace calls {

/// Where kernels write to.
inline void put_written() {
  unsigned v = 77;
  if (cuCtxSynchronize() == 0 && cuMemcpyDtoH(&v, dev, 4) == 0) put("dev", v);
}

/// A list of what kernels may be launched with; the values that some take are not asked for.
inline unsigned attributes(CUlaunchAttribute (&made)[2]) {
  memset(made, 0, sizeof made);
  const auto count = unsigned(rarely(5) ? small(0, 2) : 1);
  for (unsigned k = 0; k < count; ++k) {
    const int usual[] = {0, 2, 3, 4, 4, 4, 5, 6, 9, 11, 14, 15};
    made[k].id = CUlaunchAttributeID(one_of(usual));
    made[k].value.clusterDim.x = unsigned(small(0, 4));
    made[k].value.clusterDim.y = unsigned(rarely(3) ? small(0, 4) : 1);
    made[k].value.clusterDim.z = unsigned(rarely(3) ? small(0, 3) : 1);
  }
  return count;
}

inline CUlaunchConfig config(CUlaunchAttribute (&list)[2]) {
  CUlaunchConfig made{};
  const Dims grid = dims(), block = dims();
  made.gridDimX = grid.x;
  made.gridDimY = grid.y;
  made.gridDimZ = grid.z;
  made.blockDimX = block.x;
  made.blockDimY = block.y;
  made.blockDimZ = block.z;
  made.sharedMemBytes = unsigned(few() * 512);
  made.hStream = a_stream();
  made.attrs = list;
  made.numAttrs = attributes(list);
  return made;
}

inline const Call kKernels[] = {
    {"cuLaunchKernel",
     []() -> int {
       const auto f = function();
       const Dims g = dims(), b = dims();
       const auto n = unsigned(bytes());
       const auto args = arguments();
       const auto s = a_stream();
       const auto e = cuLaunchKernel(f, g.x, g.y, g.z, b.x, b.y, b.z, n, s, args, nullptr);
       put_written();
       return e;
     }},
    {"cuLaunchKernel small",
     []() -> int {
       const auto f = rarely(3) ? CUfunction(kernel()) : function();
       const auto args = rarely(6) ? named("none", (void**)nullptr) : arguments();
       const auto s = a_stream();
       const auto e = cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, s, args, nullptr);
       put_written();
       return e;
     }},
    {"cuLaunchKernel extra",
     []() -> int {
       const auto f = function();
       struct {
         CUdeviceptr to;
         unsigned value[16];
       } buffer{below(6) ? dev : 0, {unsigned(small(0, 9))}};
       const size_t sizes[] = {0, 4, 8, 11, 12, 12, 12, 16, 48, 72, 80};
       size_t size = one_of(sizes);
       const auto end = rarely() ? small(0, 4) : 0;
       void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                        (void*)uintptr_t(end),          &size,   CU_LAUNCH_PARAM_END};
       const auto with_both = rarely(8);
       const auto e = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, a_stream(),
                                     with_both ? arguments() : nullptr, extra);
       put_written();
       return e;
     }},
    {"cuLaunchCooperativeKernel",
     []() -> int {
       const auto f = function();
       const Dims g = dims(), b = dims();
       const auto n = unsigned(few() * 512);
       const auto args = arguments();
       return cuLaunchCooperativeKernel(f, g.x, g.y, g.z, b.x, b.y, b.z, n, a_stream(), args);
     }},
    {"cuLaunchKernelEx",
     []() -> int {
       const auto f = function();
       CUlaunchAttribute list[2];
       const auto c = config(list);
       return cuLaunchKernelEx(&c, f, arguments(), nullptr);
     }},
    {"cuFuncSetAttribute",
     []() -> int {
       const auto f = function();
       const auto i = small(-1, 17);
       auto v = small(-1, 3) * (below(2) ? 1 : 30000);
       say_value(v);
       const auto e = cuFuncSetAttribute(f, CUfunction_attribute(i), v);
       int now = 77;
       put("get", cuFuncGetAttribute(&now, CUfunction_attribute(i), f));
       if (i != CU_FUNC_ATTRIBUTE_NUM_REGS) put("now", now);
       return e;
     }},
    {"cuFuncGetAttribute",
     []() -> int {
       const auto f = function();
       const auto i = small(-1, 17);
       int v = 77;
       const auto e = cuFuncGetAttribute(&v, CUfunction_attribute(i), f);
       if (i != CU_FUNC_ATTRIBUTE_NUM_REGS) put("v", v);
       return e;
     }},
    {"cuKernelSetAttribute",
     []() -> int {
       const auto k = kernel();
       const auto i = small(-1, 17);
       auto v = small(-1, 3) * (below(2) ? 1 : 30000);
       say_value(v);
       const auto e = cuKernelSetAttribute(CUfunction_attribute(i), v, k, device());
       int now = 77;
       put("get", cuKernelGetAttribute(&now, CUfunction_attribute(i), k, 0));
       if (i != CU_FUNC_ATTRIBUTE_NUM_REGS) put("now", now);
       return e;
     }},
    {"cuKernelGetAttribute",
     []() -> int {
       const auto k = kernel();
       const auto i = small(-1, 17);
       int v = 77;
       const auto e = cuKernelGetAttribute(&v, CUfunction_attribute(i), k, device());
       if (i != CU_FUNC_ATTRIBUTE_NUM_REGS) put("v", v);
       return e;
     }},
    {"cuFuncSetCacheConfig",
     []() -> int {
       const auto f = function();
       return cuFuncSetCacheConfig(f, CUfunc_cache(small(-1, 4)));
     }},
    {"cuKernelSetCacheConfig",
     []() -> int {
       const auto k = kernel();
       const auto c = small(-1, 4);
       return cuKernelSetCacheConfig(k, CUfunc_cache(c), device());
     }},
    {"cuFuncGetName",
     []() -> int {
       const char* name = nullptr;
       const auto e = cuFuncGetName(&name, function());
       told += std::string(" ") + (name ? name : "null");
       return e;
     }},
    {"cuKernelGetName",
     []() -> int {
       const char* name = nullptr;
       const auto e = cuKernelGetName(&name, kernel());
       told += std::string(" ") + (name ? name : "null");
       return e;
     }},
    {"cuFuncGetModule",
     []() -> int {
       CUmodule m = nullptr;
       const auto e = cuFuncGetModule(&m, function());
       put("m", m == module);
       return e;
     }},
    {"cuKernelGetLibrary",
     []() -> int {
       CUlibrary l = nullptr;
       const auto e = cuKernelGetLibrary(&l, kernel());
       put("l", l == library);
       return e;
     }},
    {"cuKernelGetFunction",
     []() -> int {
       CUfunction f = nullptr;
       const auto e = cuKernelGetFunction(&f, kernel());
       put("null", !f);
       return e;
     }},
    {"cuFuncIsLoaded",
     []() -> int {
       CUfunctionLoadingState s = CUfunctionLoadingState(77);
       const auto f = function();
       const auto loaded = rarely(3) ? cuFuncLoad(f) : 0;
       put("load", loaded);
       const auto e = cuFuncIsLoaded(&s, f);
       if (e) put("s", s);
       return e;
     }},
    {"cuFuncGetParamInfo",
     []() -> int {
       size_t o = 77, n = 77;
       const auto f = function();
       const auto i = size_t(rarely(8) ? -1 : small(0, 5));
       const auto e = cuFuncGetParamInfo(f, i, rarely() ? nullptr : &o, rarely() ? nullptr : &n);
       put("o", o);
       put("n", n);
       return e;
     }},
    {"cuKernelGetParamInfo",
     []() -> int {
       size_t o = 77, n = 77;
       const auto k = kernel();
       const auto i = size_t(rarely(8) ? -1 : small(0, 5));
       const auto e = cuKernelGetParamInfo(k, i, rarely() ? nullptr : &o, rarely() ? nullptr : &n);
       put("o", o);
       put("n", n);
       return e;
     }},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessor",
     []() -> int {
       const auto f = function();
       const auto b = small(0, 1) ? int(few() * 32) : int(few()) - 1;
       int n = -7;
       const auto e = cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, b, few() * 2048);
       put("n", n);
       return e;
     }},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
     []() -> int {
       const auto f = function();
       const auto b = small(0, 1) ? int(few() * 32) : int(few()) - 1;
       const auto s = few() * 2048;
       int n = -7;
       const auto e =
           cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, f, b, s, unsigned(small(0, 3)));
       put("n", n);
       return e;
     }},
    {"cuOccupancyAvailableDynamicSMemPerBlock",
     []() -> int {
       const auto f = function();
       const auto b = small(-1, 34);
       size_t n = 7;
       const auto e = cuOccupancyAvailableDynamicSMemPerBlock(&n, f, b, small(-1, 2000));
       put("n", n);
       return e;
     }},
    {"cuOccupancyMaxPotentialClusterSize",
     []() -> int {
       const auto f = function();
       CUlaunchAttribute list[2];
       auto c = config(list);
       c.numAttrs = rarely(2) ? 0 : c.numAttrs;
       int n = -7;
       const auto e = cuOccupancyMaxPotentialClusterSize(&n, f, &c);
       put("n", n);
       return e;
     }},
    {"cuOccupancyMaxActiveClusters",
     []() -> int {
       const auto f = function();
       CUlaunchAttribute list[2];
       const auto c = config(list);
       int n = -7;
       const auto e = cuOccupancyMaxActiveClusters(&n, f, &c);
       put("n", n);
       return e;
     }},
    {"cuOccupancyMaxPotentialBlockSize",
     []() -> int {
       const auto f = function();
       int g = -7, b = -7;
       const auto of = rarely(3) ? named("shared_of", &shared_of) : nullptr;
       const auto s = few() * 512;
       const auto e =
           cuOccupancyMaxPotentialBlockSize(&g, &b, f, of, s, rarely(2) ? small(-1, 2000) : 0);
       put("g", g);
       put("b", b);
       return e;
     }},
    {"cuOccupancyMaxPotentialBlockSizeWithFlags",
     []() -> int {
       const auto f = function();
       int g = -7, b = -7;
       const auto s = few() * 512;
       const auto l = rarely(2) ? small(-1, 2000) : 0;
       const auto e = cuOccupancyMaxPotentialBlockSizeWithFlags(&g, &b, f, nullptr, s, l,
                                                                unsigned(small(0, 3)));
       put("g", g);
       put("b", b);
       return e;
     }},
};

}  // namespace calls

// SPDX-License-Identifier: MIT
// Graphs that are made ready and done; drivers, libraries, errors.
#pragma once

#include "parameters.cuh"

namespace calls {

inline const Call kGraphs[] = {
    {"cudaGraphInstantiateWithFlags",
     []() -> cudaError_t {
       cudaGraphExec_t x = nullptr;
       auto e = cudaGraphInstantiateWithFlags(&x, graph, (unsigned long long)small(0, 20));
       put("null", !x);
       if (x) {
         unsigned long long f = 77;
         cudaGraphExecGetFlags(x, &f);
         put("f", f);
         cudaGraphExecDestroy(x);
       }
       return e;
     }},
    {"cudaGraphLaunch",
     []() -> cudaError_t {
       auto x = below(5) ? named("exec", exec) : named("null", nullptr);
       return cudaGraphLaunch(x, a_stream());
     }},
    {"cudaGraphUpload",
     []() -> cudaError_t {
       auto x = below(5) ? named("exec", exec) : named("null", nullptr);
       return cudaGraphUpload(x, a_stream());
     }},
    {"cudaGraphExecKernelNodeSetParams",
     []() -> cudaError_t {
       auto v = a_node();
       auto p = kernel_node();
       return cudaGraphExecKernelNodeSetParams(exec, v, &p);
     }},
    {"cudaGraphExecMemsetNodeSetParams",
     []() -> cudaError_t {
       auto v = a_node();
       auto p = memset_node();
       return cudaGraphExecMemsetNodeSetParams(exec, v, &p);
     }},
    {"cudaGraphExecMemcpyNodeSetParams1D",
     []() -> cudaError_t {
       auto v = a_node();
       auto a = pointer();
       auto b = pointer();
       auto n = bytes();
       return cudaGraphExecMemcpyNodeSetParams1D(exec, v, a, b, n, kind());
     }},
    {"cudaGraphNodeSetEnabled",
     []() -> cudaError_t {
       auto v = a_node();
       auto e = cudaGraphNodeSetEnabled(exec, v, unsigned(small(0, 2)));
       unsigned on = 77;
       put("get", cudaGraphNodeGetEnabled(exec, v, &on));
       put("on", on);
       return e;
     }},
    {"cudaGraphDebugDotPrint",
     []() -> cudaError_t {
       return cudaGraphDebugDotPrint(graph, below(2) ? "/nonexistent/x.dot" : "/dev/null",
                                     unsigned(small(0, 1)));
     }},
    {"cudaGraphClone",
     []() -> cudaError_t {
       cudaGraph_t g = nullptr;
       auto e = cudaGraphClone(&g, graph);
       if (g) {
         cudaGraphNode_t v = nullptr;
         put("find", cudaGraphNodeFindInClone(&v, a_node(), g));
         put("null", !v);
         cudaGraphDestroy(g);
       }
       return e;
     }},
    {"cudaGraphGetNodes",
     []() -> cudaError_t {
       cudaGraphNode_t v[5] = {};
       size_t n = size_t(small(0, 5));
       auto e = cudaGraphGetNodes(graph, v, &n);
       put("n", n);
       for (auto* p : v) put("null", !p);
       return e;
     }},
    {"cudaGraphGetEdges",
     []() -> cudaError_t {
       cudaGraphNode_t a[5] = {};
       cudaGraphNode_t b[5] = {};
       cudaGraphEdgeData d[5] = {};
       size_t n = size_t(small(0, 5));
       auto e = cudaGraphGetEdges(graph, a, b, d, &n);
       put("n", n);
       return e;
     }},
    {"cudaGraphNodeGetDependencies",
     []() -> cudaError_t {
       cudaGraphNode_t a[5] = {};
       cudaGraphEdgeData d[5] = {};
       auto v = a_node();
       size_t n = size_t(small(0, 3));
       auto e = cudaGraphNodeGetDependencies(v, a, d, &n);
       put("n", n);
       return e;
     }},
    {"cudaLaunchHostFunc",
     []() -> cudaError_t {
       auto s = a_stream();
       return cudaLaunchHostFunc(s, below(3) ? named("fn", &nothing_to_do) : named("null", nullptr),
                                 nullptr);
     }},
    {"cudaStreamAddCallback",
     []() -> cudaError_t {
       auto s = a_stream();
       auto f = unsigned(small(0, 1));
       return cudaStreamAddCallback(s, &called_back, nullptr, f);
     }},
    {"cudaCtxResetPersistingL2Cache",
     []() -> cudaError_t { return cudaCtxResetPersistingL2Cache(); }},
    {"cudaGetDriverEntryPoint",
     []() -> cudaError_t {
       void* p = nullptr;
       cudaDriverEntryPointQueryResult q{};
       const char* all[] = {"cuMemAlloc",         "cuNonsense", "",
                            "cuLaunchKernel",     "cuInit",     "cuTensorMapEncodeTiled",
                            "cuStreamSynchronize"};
       auto n = all[below(7)];
       say(n);
       auto e =
           cudaGetDriverEntryPointByVersion(n, &p, unsigned(small(0, 1) ? 12000 : small(0, 20000)),
                                            (unsigned long long)small(0, 3), &q);
       put("null", !p);
       put("q", q);
       return e;
     }},
    {"cudaGetFuncBySymbol",
     []() -> cudaError_t {
       cudaFunction_t f = nullptr;
       auto e = cudaGetFuncBySymbol(&f, function());
       put("null", !f);
       return e;
     }},
    {"cudaGetKernel",
     []() -> cudaError_t {
       cudaKernel_t f = nullptr;
       auto e = cudaGetKernel(&f, function());
       put("null", !f);
       return e;
     }},
    {"cudaLibraryLoadData",
     []() -> cudaError_t {
       cudaLibrary_t l = nullptr;
       const char* all[] = {
           "nonsense", "",
           ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n",
           ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { rot; }\n",
           ".version 99.0\n.target sm_80\n.address_size 64\n"};
       auto i = below(5);
       say_value(i);
       auto e = cudaLibraryLoadData(&l, all[i], nullptr, nullptr, 0, nullptr, nullptr, 0);
       put("null", !l);
       if (!e) {
         cudaKernel_t k = nullptr;
         put("get", cudaLibraryGetKernel(&k, l, below(2) ? named("k", "k") : named("x", "x")));
         unsigned n = 77;
         put("count", cudaLibraryGetKernelCount(&n, l));
         put("n", n);
         void* g = nullptr;
         put("global", cudaLibraryGetGlobal(&g, nullptr, l, "x"));
         cudaLibraryUnload(l);
       }
       return e;
     }},
    {"cudaMemGetInfo",
     []() -> cudaError_t {
       size_t a = 0;
       size_t b = 0;
       auto e = cudaMemGetInfo(&a, &b);
       put("le", a <= b);
       return e;
     }},
    {"cudaGetErrorName",
     []() -> cudaError_t {
       auto c = small(0, 1000);
       auto n = cudaGetErrorName(cudaError_t(c));
       auto m = cudaGetErrorString(cudaError_t(c));
       told += std::string(" ") + n + ": " + m;
       return cudaSuccess;
     }},
    {"cudaChooseDevice",
     []() -> cudaError_t {
       int d = 77;
       cudaDeviceProp p{};
       p.major = small(0, 12);
       auto e = cudaChooseDevice(&d, &p);
       put("d", d);
       return e;
     }},
    {"cudaSetValidDevices",
     []() -> cudaError_t {
       int d[2] = {small(-1, 1), 0};
       return cudaSetValidDevices(d, small(0, 2));
     }},
    {"cudaDeviceSetSharedMemConfig", []() -> cudaError_t { return cudaSuccess; }},
    {"cudaMemcpyBatchAsync",
     []() -> cudaError_t {
       const void* s[2] = {pointer(), pointer()};
       const void* d[2] = {pointer(), pointer()};
       size_t z[2] = {few(), few()};
       cudaMemcpyAttributes t[1] = {};
       t[0].srcAccessOrder = cudaMemcpySrcAccessOrder(small(0, 4));
       size_t i[1] = {size_t(small(0, 1))};
       return cudaMemcpyBatchAsync(d, s, z, size_t(small(0, 2)), t, i, size_t(small(0, 1)),
                                   below(3) ? named("stream", stream) : a_stream());
     }},
};

}  // namespace calls

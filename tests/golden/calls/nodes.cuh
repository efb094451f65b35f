// SPDX-License-Identifier: MIT
// Graphs: nodes that are added and asked.
#pragma once

#include "parameters.cuh"

namespace calls {

inline const Call kNodes[] = {
    {"cudaGraphCreate",
     []() -> cudaError_t {
       cudaGraph_t g = nullptr;
       auto e = cudaGraphCreate(&g, unsigned(small(0, 2)));
       put("null", !g);
       if (!e) cudaGraphDestroy(g);
       return e;
     }},
    {"cudaGraphAddEmptyNode",
     []() -> cudaError_t {
       cudaGraphNode_t d[2] = {a_node(), a_node()};
       auto n = size_t(small(0, 2));
       cudaGraphNode_t v = nullptr;
       auto e = cudaGraphAddEmptyNode(&v, graph, d, n);
       put("null", !v);
       if (!e) cudaGraphDestroyNode(v);
       return e;
     }},
    {"cudaGraphAddMemsetNode",
     []() -> cudaError_t {
       auto p = memset_node();
       cudaGraphNode_t v = nullptr;
       auto e = cudaGraphAddMemsetNode(&v, graph, nullptr, 0, &p);
       if (!e) cudaGraphDestroyNode(v);
       return e;
     }},
    {"cudaGraphAddMemcpyNode1D",
     []() -> cudaError_t {
       auto a = pointer();
       auto b = pointer();
       auto n = bytes();
       auto k = kind();
       cudaGraphNode_t v = nullptr;
       auto e = cudaGraphAddMemcpyNode1D(&v, graph, nullptr, 0, a, b, n, k);
       if (!e) cudaGraphDestroyNode(v);
       return e;
     }},
    {"cudaGraphAddMemcpyNode",
     []() -> cudaError_t {
       auto p = copy3d();
       cudaGraphNode_t v = nullptr;
       auto e = cudaGraphAddMemcpyNode(&v, graph, nullptr, 0, &p);
       if (!e) cudaGraphDestroyNode(v);
       return e;
     }},
    {"cudaGraphAddMemcpyNodeToSymbol",
     []() -> cudaError_t {
       auto s = a_symbol();
       auto b = pointer();
       auto n = bytes();
       auto o = few();
       cudaGraphNode_t v = nullptr;
       auto e = cudaGraphAddMemcpyNodeToSymbol(&v, graph, nullptr, 0, s, b, n, o, kind());
       if (!e) cudaGraphDestroyNode(v);
       return e;
     }},
    {"cudaGraphAddKernelNode",
     []() -> cudaError_t {
       auto p = kernel_node();
       cudaGraphNode_t v = nullptr;
       auto e = cudaGraphAddKernelNode(&v, graph, nullptr, 0, &p);
       if (!e) {
         cudaGraphExec_t x = nullptr;
         put("inst", cudaGraphInstantiate(&x, graph, 0));
         if (x) cudaGraphExecDestroy(x);
         cudaGraphDestroyNode(v);
       }
       return e;
     }},
    {"cudaGraphAddHostNode",
     []() -> cudaError_t {
       cudaHostNodeParams p{};
       p.fn = below(2) ? named("fn", &nothing_to_do) : named("null", nullptr);
       cudaGraphNode_t v = nullptr;
       auto e = cudaGraphAddHostNode(&v, graph, nullptr, 0, &p);
       if (!e) cudaGraphDestroyNode(v);
       return e;
     }},
    {"cudaGraphAddEventRecordNode",
     []() -> cudaError_t {
       cudaGraphNode_t v = nullptr;
       auto e = cudaGraphAddEventRecordNode(
           &v, graph, nullptr, 0, below(3) ? named("event", event) : named("null", nullptr));
       if (!e) cudaGraphDestroyNode(v);
       return e;
     }},
    {"cudaGraphAddMemAllocNode",
     []() -> cudaError_t {
       cudaMemAllocNodeParams p{};
       p.poolProps.allocType = cudaMemAllocationType(small(0, 2));
       p.poolProps.location.type = cudaMemLocationType(small(0, 2));
       p.poolProps.location.id = small(-1, 1);
       p.bytesize = few() * 64;
       cudaGraph_t g;
       cudaGraphCreate(&g, 0);
       cudaGraphNode_t v = nullptr;
       auto e = cudaGraphAddMemAllocNode(&v, g, nullptr, 0, &p);
       put("null", !p.dptr);
       cudaGraphDestroy(g);
       return e;
     }},
    {"cudaGraphAddMemFreeNode",
     []() -> cudaError_t {
       cudaGraph_t g;
       cudaGraphCreate(&g, 0);
       cudaGraphNode_t v = nullptr;
       auto e = cudaGraphAddMemFreeNode(&v, g, nullptr, 0, pointer());
       cudaGraphDestroy(g);
       return e;
     }},
    {"cudaGraphAddDependencies",
     []() -> cudaError_t {
       cudaGraphNode_t a = a_node();
       cudaGraphNode_t b = a_node();
       auto e = cudaGraphAddDependencies(graph, &a, &b, nullptr, size_t(small(0, 1)));
       if (!e) put("remove", cudaGraphRemoveDependencies(graph, &a, &b, nullptr, 1));
       return e;
     }},
    {"cudaGraphRemoveDependencies",
     []() -> cudaError_t {
       cudaGraphNode_t a = a_node();
       cudaGraphNode_t b = a_node();
       return cudaGraphRemoveDependencies(graph, &a, &b, nullptr, size_t(small(0, 1)));
     }},
    {"cudaGraphNodeGetType",
     []() -> cudaError_t {
       cudaGraphNodeType t{};
       auto e = cudaGraphNodeGetType(a_node(), &t);
       put("t", t);
       return e;
     }},
    {"cudaGraphMemsetNodeGetParams",
     []() -> cudaError_t {
       cudaMemsetParams p{};
       auto e = cudaGraphMemsetNodeGetParams(a_node(), &p);
       put("w", p.width);
       return e;
     }},
    {"cudaGraphMemsetNodeSetParams",
     []() -> cudaError_t {
       auto v = a_node();
       auto p = memset_node();
       auto e = cudaGraphMemsetNodeSetParams(v, &p);
       return e;
     }},
    {"cudaGraphKernelNodeGetParams",
     []() -> cudaError_t {
       cudaKernelNodeParams p{};
       auto e = cudaGraphKernelNodeGetParams(a_node(), &p);
       put("x", p.gridDim.x);
       return e;
     }},
    {"cudaGraphHostNodeGetParams",
     []() -> cudaError_t {
       cudaHostNodeParams p{};
       return cudaGraphHostNodeGetParams(a_node(), &p);
     }},
};

}  // namespace calls

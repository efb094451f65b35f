// SPDX-License-Identifier: MIT
// Graphs: how nodes hang together, executables, and objects that graphs hold.
#pragma once

#include "parameters.cuh"

namespace calls {

inline const Call kGraphs[] = {
    {"cuGraphCreate",
     []() -> int {
       CUgraph g = nullptr;
       const auto e = cuGraphCreate(&g, unsigned(small(0, 2)));
       put("null", !g);
       if (!e) cuGraphDestroy(g);
       return e;
     }},
    {"cuGraphDestroy", []() -> int { return cuGraphDestroy(named("null", nullptr)); }},
    {"cuGraphDestroyNode", []() -> int { return cuGraphDestroyNode(named("null", nullptr)); }},
    {"cuGraphExecDestroy", []() -> int { return cuGraphExecDestroy(named("null", nullptr)); }},
    {"cuGraphAddDependencies",
     []() -> int {
       CUgraphNode a = a_node(), b = a_node();
       CUgraphEdgeData how{};
       how.type = (unsigned char)(rarely(3) ? small(0, 2) : 0);
       how.from_port = (unsigned char)(rarely(4) ? small(0, 3) : 0);
       const auto edges = rarely(3) ? &how : nullptr;
       const auto e = cuGraphAddDependencies(graph, &a, &b, edges, size_t(small(0, 1)));
       if (!e) put("remove", cuGraphRemoveDependencies(graph, &a, &b, edges, 1));
       return e;
     }},
    {"cuGraphRemoveDependencies",
     []() -> int {
       CUgraphNode a = a_node(), b = node_a;
       return cuGraphRemoveDependencies(graph, &a, &b, nullptr, size_t(small(0, 1)));
     }},
    {"cuGraphGetNodes",
     []() -> int {
       CUgraphNode v[5] = {};
       size_t n = size_t(small(0, 5));
       const auto e = cuGraphGetNodes(rarely(6) ? named("null", CUgraph{}) : graph, v, &n);
       put("n", n);
       for (auto* one : v) put("null", !one);
       return e;
     }},
    {"cuGraphGetRootNodes",
     []() -> int {
       CUgraphNode v[3] = {};
       size_t n = size_t(small(0, 3));
       const auto e = cuGraphGetRootNodes(graph, v, &n);
       put("n", n);
       return e;
     }},
    {"cuGraphGetEdges",
     []() -> int {
       CUgraphNode a[5] = {}, b[5] = {};
       CUgraphEdgeData d[5] = {};
       size_t n = size_t(small(0, 5));
       const auto e = cuGraphGetEdges(graph, a, b, rarely(3) ? nullptr : d, &n);
       put("n", n);
       return e;
     }},
    {"cuGraphNodeGetDependencies",
     []() -> int {
       CUgraphNode a[5] = {};
       CUgraphEdgeData d[5] = {};
       const auto v = a_node();
       size_t n = size_t(small(0, 3));
       const auto e = cuGraphNodeGetDependencies(v, a, rarely(3) ? nullptr : d, &n);
       put("n", n);
       return e;
     }},
    {"cuGraphNodeGetDependentNodes",
     []() -> int {
       CUgraphNode a[5] = {};
       const auto v = a_node();
       size_t n = size_t(small(0, 3));
       const auto e = cuGraphNodeGetDependentNodes(v, rarely(3) ? nullptr : a, nullptr, &n);
       put("n", n);
       return e;
     }},
    {"cuGraphClone",
     []() -> int {
       CUgraph g = nullptr;
       const auto e = cuGraphClone(&g, rarely(6) ? named("null", CUgraph{}) : graph);
       if (g) {
         CUgraphNode v = nullptr;
         put("find", cuGraphNodeFindInClone(&v, a_node(), g));
         put("null", !v);
         cuGraphDestroy(g);
       }
       return e;
     }},
    {"cuGraphInstantiateWithFlags",
     []() -> int {
       CUgraphExec x = nullptr;
       const auto e = cuGraphInstantiateWithFlags(&x, graph, (unsigned long long)small(0, 20));
       put("null", !x);
       if (x) {
         cuuint64_t f = 77;
         put("get", cuGraphExecGetFlags(x, &f));
         put("f", f);
         cuGraphExecDestroy(x);
       }
       return e;
     }},
    {"cuGraphInstantiateWithParams",
     []() -> int {
       CUgraphExec x = nullptr;
       CUDA_GRAPH_INSTANTIATE_PARAMS p{};
       p.flags = cuuint64_t(small(0, 20));
       p.hUploadStream = a_stream();
       const auto e = cuGraphInstantiateWithParams(&x, graph, &p);
       put("result", p.result_out);
       put("node", p.hErrNode_out != nullptr);
       if (x) cuGraphExecDestroy(x);
       return e;
     }},
    {"cuGraphExecUpdate",
     []() -> int {
       CUgraphExecUpdateResultInfo info{};
       CUgraph g = nullptr;
       if (below(2)) cuGraphCreate(&g, 0);
       if (g) say("empty");
       const auto x = an_exec();
       const auto e = cuGraphExecUpdate(x, g ? g : graph, &info);
       put("result", info.result);
       put("node", info.errorNode != nullptr);
       if (g) cuGraphDestroy(g);
       return e;
     }},
    {"cuGraphLaunch",
     []() -> int {
       const auto x = an_exec();
       return cuGraphLaunch(x, a_stream());
     }},
    {"cuGraphUpload",
     []() -> int {
       const auto x = an_exec();
       return cuGraphUpload(x, a_stream());
     }},
    {"cuGraphNodeSetEnabled",
     []() -> int {
       const auto x = an_exec();
       const auto v = a_node();
       const auto e = cuGraphNodeSetEnabled(x, v, unsigned(small(0, 2)));
       unsigned on = 77;
       put("get", cuGraphNodeGetEnabled(x, v, &on));
       put("on", on);
       return e;
     }},
    {"cuGraphDebugDotPrint",
     []() -> int {
       return cuGraphDebugDotPrint(graph, below(2) ? "/nonexistent/x.dot" : "/dev/null",
                                   unsigned(small(0, 1)));
     }},
    {"cuGraphConditionalHandleCreate",
     []() -> int {
       CUgraphConditionalHandle h = 0;
       CUgraph g = nullptr;
       cuGraphCreate(&g, 0);
       const auto c = a_context();
       const auto v = unsigned(small(0, 2));
       const auto e = cuGraphConditionalHandleCreate(&h, g, c, v, unsigned(small(0, 2)));
       put("zero", h == 0);
       cuGraphDestroy(g);
       return e;
     }},
    {"conditional",
     []() -> int {
       CUgraphConditionalHandle h = 0;
       CUgraph g = nullptr;
       CUgraphNode v = nullptr;
       cuGraphCreate(&g, 0);
       put("handle", cuGraphConditionalHandleCreate(&h, g, primary, 0, 1));
       CUgraphNodeParams p;
       memset(&p, 0, sizeof p);
       p.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
       p.conditional.handle = rarely(6) ? 0 : h;
       p.conditional.type = CUgraphConditionalNodeType(small(0, 3));
       p.conditional.size = unsigned(small(0, 3));
       p.conditional.ctx = a_context();
       const auto e = cuGraphAddNode(&v, g, nullptr, nullptr, 0, &p);
       put("bodies", p.conditional.phGraph_out != nullptr);
       CUgraphExec x = nullptr;
       if (!e) put("inst", cuGraphInstantiateWithFlags(&x, g, 0));
       if (x) {
         put("launch", cuGraphLaunch(x, stream));
         put("sync", cuStreamSynchronize(stream));
         cuGraphExecDestroy(x);
       }
       cuGraphDestroy(g);
       return e;
     }},
    {"cuUserObject",
     []() -> int {
       CUuserObject made = nullptr;
       const auto count = unsigned(small(0, 3));
       const auto e = cuUserObjectCreate(
           &made, nullptr, below(4) ? named("fn", &nothing_to_do) : named("null", nullptr), count,
           unsigned(small(0, 1)));
       put("null", !made);
       if (e) return e;
       CUgraph g = nullptr;
       cuGraphCreate(&g, 0);
       put("retain", cuUserObjectRetain(made, 2));
       put("keep", cuGraphRetainUserObject(g, made, unsigned(small(0, 2)), unsigned(small(0, 1))));
       put("let go", cuGraphReleaseUserObject(g, made, unsigned(small(0, 2))));
       put("release", cuUserObjectRelease(made, unsigned(small(0, 2))));
       put("destroy", cuGraphDestroy(g));
       return e;
     }},
    {"cuUserObjectRetain",
     []() -> int {
       return below(2) ? cuUserObjectRetain(named("null", nullptr), 1)
                       : cuUserObjectRelease(named("nothing", nullptr), 1);
     }},
    {"cuDeviceGetGraphMemAttribute",
     []() -> int {
       cuuint64_t v = 77;
       const auto i = small(-1, 4);
       const auto e = cuDeviceGetGraphMemAttribute(device(), CUgraphMem_attribute(i), &v);
       put("v", v);
       return e;
     }},
    {"cuDeviceSetGraphMemAttribute",
     []() -> int {
       cuuint64_t v = cuuint64_t(small(0, 1));
       const auto i = small(-1, 4);
       return cuDeviceSetGraphMemAttribute(device(), CUgraphMem_attribute(i), &v);
     }},
    {"cuDeviceGraphMemTrim", []() -> int { return cuDeviceGraphMemTrim(device()); }},
};

}  // namespace calls

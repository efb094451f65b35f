// SPDX-License-Identifier: MIT
// Graphs: nodes that are added, asked and changed.
#pragma once

#include "parameters.cuh"

namespace calls {

/// Adds a node to the graph by add(&node, needs, count) and takes it away again.
template <class Add>
int add_node(Add add) {
  CUgraphNode needs[2] = {}, made = nullptr;
  const auto count = size_t(rarely(4) ? small(1, 2) : 0);
  for (size_t k = 0; k < count; ++k) needs[k] = a_node();
  const int e = add(&made, needs, count);
  put("null", !made);
  if (e || !made) return e;
  CUgraphNodeType type{};
  put("get", cuGraphNodeGetType(made, &type));
  put("type", type);
  if (rarely(3)) {
    CUgraphExec x = nullptr;
    put("inst", cuGraphInstantiateWithFlags(&x, graph, 0));
    if (x) cuGraphExecDestroy(x);
  }
  put("destroy", cuGraphDestroyNode(made));
  return e;
}

inline CUDA_HOST_NODE_PARAMS host_node() {
  CUDA_HOST_NODE_PARAMS made{};
  made.fn = below(3) ? named("fn", &nothing_to_do) : named("null", nullptr);
  return made;
}
inline CUDA_MEM_ALLOC_NODE_PARAMS alloc_node() {
  CUDA_MEM_ALLOC_NODE_PARAMS made{};
  made.poolProps.allocType = CUmemAllocationType(rarely(4) ? small(0, 2) : 1);
  made.poolProps.location = location();
  made.bytesize = few() * 64;
  return made;
}
inline CUgraphNodeParams any_node() {
  CUgraphNodeParams made;
  memset(&made, 0, sizeof made);
  const int types[] = {0, 0, 1, 2, 2, 3, 5, 6, 7, 10, 11, 4, 14, -1};
  made.type = CUgraphNodeType(one_of(types));
  if (made.type == CU_GRAPH_NODE_TYPE_KERNEL) {
    const auto k = kernel_node();
    memcpy(&made.kernel, &k, sizeof k);
  }
  if (made.type == CU_GRAPH_NODE_TYPE_MEMCPY) {
    made.memcpy.copyParams = copy3d();
    if (rarely(8)) made.memcpy.flags = small(0, 1);
    made.memcpy.copyCtx = a_context();
  }
  if (made.type == CU_GRAPH_NODE_TYPE_MEMSET) {
    const auto m = memset_node();
    memcpy(&made.memset, &m, sizeof m);
    made.memset.ctx = a_context();
  }
  if (made.type == CU_GRAPH_NODE_TYPE_HOST) made.host.fn = host_node().fn;
  if (made.type == CU_GRAPH_NODE_TYPE_WAIT_EVENT) made.eventWait.event = an_event();
  if (made.type == CU_GRAPH_NODE_TYPE_EVENT_RECORD) made.eventRecord.event = an_event();
  if (made.type == CU_GRAPH_NODE_TYPE_MEM_FREE) made.free.dptr = address();
  if (rarely(30)) made.reserved2 = small(0, 1);
  return made;
}

inline const Call kNodes[] = {
    {"cuGraphAddKernelNode",
     []() -> int {
       const auto p = kernel_node();
       return add_node([&](CUgraphNode* made, CUgraphNode* needs, size_t n) {
         return cuGraphAddKernelNode(made, graph, needs, n, &p);
       });
     }},
    {"cuGraphAddMemsetNode",
     []() -> int {
       const auto p = memset_node();
       const auto c = a_context();
       return add_node([&](CUgraphNode* made, CUgraphNode* needs, size_t n) {
         return cuGraphAddMemsetNode(made, graph, needs, n, &p, c);
       });
     }},
    {"cuGraphAddMemcpyNode",
     []() -> int {
       const auto p = copy3d();
       const auto c = a_context();
       return add_node([&](CUgraphNode* made, CUgraphNode* needs, size_t n) {
         return cuGraphAddMemcpyNode(made, graph, needs, n, &p, c);
       });
     }},
    {"cuGraphAddHostNode",
     []() -> int {
       const auto p = host_node();
       return add_node([&](CUgraphNode* made, CUgraphNode* needs, size_t n) {
         return cuGraphAddHostNode(made, graph, needs, n, &p);
       });
     }},
    {"cuGraphAddEmptyNode",
     []() -> int {
       return add_node([&](CUgraphNode* made, CUgraphNode* needs, size_t n) {
         return cuGraphAddEmptyNode(made, graph, needs, n);
       });
     }},
    {"cuGraphAddChildGraphNode",
     []() -> int {
       CUgraph child = nullptr;
       CUgraphNode inner = nullptr;
       if (below(4)) cuGraphCreate(&child, 0);
       if (child && below(2)) cuGraphAddEmptyNode(&inner, child, nullptr, 0);
       const int which = !child ? 0 : !inner ? 1 : 2;
       say_value(which);
       const auto e = add_node([&](CUgraphNode* made, CUgraphNode* needs, size_t n) {
         const auto added = cuGraphAddChildGraphNode(made, graph, needs, n, child);
         CUgraph found = nullptr;
         if (!added) put("child", cuGraphChildGraphNodeGetGraph(*made, &found));
         return added;
       });
       if (child) cuGraphDestroy(child);
       return e;
     }},
    {"cuGraphAddEventRecordNode",
     []() -> int {
       const auto v = an_event();
       return add_node([&](CUgraphNode* made, CUgraphNode* needs, size_t n) {
         const auto added = cuGraphAddEventRecordNode(made, graph, needs, n, v);
         CUevent found = nullptr;
         if (!added) {
           put("event", cuGraphEventRecordNodeGetEvent(*made, &found));
           put("same", found == v);
           put("set", cuGraphEventRecordNodeSetEvent(*made, an_event()));
         }
         return added;
       });
     }},
    {"cuGraphAddEventWaitNode",
     []() -> int {
       const auto v = an_event();
       return add_node([&](CUgraphNode* made, CUgraphNode* needs, size_t n) {
         const auto added = cuGraphAddEventWaitNode(made, graph, needs, n, v);
         CUevent found = nullptr;
         if (!added) {
           put("event", cuGraphEventWaitNodeGetEvent(*made, &found));
           put("same", found == v);
           put("set", cuGraphEventWaitNodeSetEvent(*made, an_event()));
         }
         return added;
       });
     }},
    {"cuGraphAddMemAllocNode",
     []() -> int {
       auto p = alloc_node();
       CUgraph g = nullptr;
       CUgraphNode v = nullptr, w = nullptr;
       cuGraphCreate(&g, 0);
       const auto e = cuGraphAddMemAllocNode(&v, g, nullptr, 0, &p);
       put("null", !p.dptr);
       if (!e) {
         CUDA_MEM_ALLOC_NODE_PARAMS q{};
         put("get", cuGraphMemAllocNodeGetParams(v, &q));
         put("n", q.bytesize);
         CUdeviceptr freed_there = 0;
         put("free", cuGraphAddMemFreeNode(&w, g, &v, size_t(small(0, 1)), p.dptr));
         if (w) put("get", cuGraphMemFreeNodeGetParams(w, &freed_there));
         put("same", freed_there == p.dptr);
         put("destroy", cuGraphDestroyNode(v));
       }
       put("destroy", cuGraphDestroy(g));
       return e;
     }},
    {"cuGraphAddMemFreeNode",
     []() -> int {
       CUgraph g = nullptr;
       CUgraphNode v = nullptr;
       cuGraphCreate(&g, 0);
       const auto e = cuGraphAddMemFreeNode(&v, g, nullptr, 0, address());
       cuGraphDestroy(g);
       return e;
     }},
    {"cuGraphAddNode",
     []() -> int {
       auto p = any_node();
       return add_node([&](CUgraphNode* made, CUgraphNode* needs, size_t n) {
         return cuGraphAddNode(made, graph, needs, nullptr, n, &p);
       });
     }},
    {"cuGraphNodeSetParams",
     []() -> int {
       const auto v = a_node();
       auto p = any_node();
       return cuGraphNodeSetParams(v, &p);
     }},
    {"cuGraphExecNodeSetParams",
     []() -> int {
       const auto x = an_exec();
       const auto v = a_node();
       auto p = any_node();
       return cuGraphExecNodeSetParams(x, v, &p);
     }},
    {"cuGraphKernelNodeGetParams",
     []() -> int {
       CUDA_KERNEL_NODE_PARAMS p{};
       const auto e = cuGraphKernelNodeGetParams(a_node(), &p);
       put("x", p.gridDimX);
       put("func", p.func != nullptr);
       put("kern", p.kern != nullptr);
       put("ctx", p.ctx != nullptr);
       put("params", p.kernelParams != nullptr);
       return e;
     }},
    {"cuGraphKernelNodeSetParams",
     []() -> int {
       const auto v = a_node();
       const auto p = kernel_node();
       return cuGraphKernelNodeSetParams(v, &p);
     }},
    {"cuGraphExecKernelNodeSetParams",
     []() -> int {
       const auto x = an_exec();
       const auto v = a_node();
       const auto p = kernel_node();
       return cuGraphExecKernelNodeSetParams(x, v, &p);
     }},
    {"cuGraphKernelNodeSetAttribute",
     []() -> int {
       const auto v = a_node();
       CUkernelNodeAttrValue value;
       memset(&value, 0, sizeof value);
       const int usual[] = {0, 2, 3, 4, 4, 5, 6, 9, 11, 14, 15};
       const auto i = CUkernelNodeAttrID(one_of(usual));
       value.clusterDim.x = unsigned(small(0, 4));
       value.clusterDim.y = unsigned(rarely(3) ? small(0, 4) : 1);
       value.clusterDim.z = unsigned(rarely(3) ? small(0, 3) : 1);
       const auto e = cuGraphKernelNodeSetAttribute(v, i, &value);
       CUkernelNodeAttrValue now;
       memset(&now, 0, sizeof now);
       put("get", cuGraphKernelNodeGetAttribute(v, i, &now));
       put("x", now.clusterDim.x);
       return e;
     }},
    {"cuGraphKernelNodeCopyAttributes",
     []() -> int {
       const auto to = a_node();
       return cuGraphKernelNodeCopyAttributes(to, a_node());
     }},
    {"cuGraphMemsetNodeGetParams",
     []() -> int {
       CUDA_MEMSET_NODE_PARAMS p{};
       const auto e = cuGraphMemsetNodeGetParams(a_node(), &p);
       put("w", p.width);
       return e;
     }},
    {"cuGraphMemsetNodeSetParams",
     []() -> int {
       const auto v = a_node();
       const auto p = memset_node();
       return cuGraphMemsetNodeSetParams(v, &p);
     }},
    {"cuGraphExecMemsetNodeSetParams",
     []() -> int {
       const auto x = an_exec();
       const auto v = a_node();
       const auto p = memset_node();
       return cuGraphExecMemsetNodeSetParams(x, v, &p, a_context());
     }},
    {"cuGraphMemcpyNodeSetParams",
     []() -> int {
       const auto v = a_node();
       const auto p = copy3d();
       return cuGraphMemcpyNodeSetParams(v, &p);
     }},
    {"cuGraphMemcpyNodeGetParams",
     []() -> int {
       CUDA_MEMCPY3D p{};
       return cuGraphMemcpyNodeGetParams(a_node(), &p);
     }},
    {"cuGraphExecMemcpyNodeSetParams",
     []() -> int {
       const auto x = an_exec();
       const auto v = a_node();
       const auto p = copy3d();
       return cuGraphExecMemcpyNodeSetParams(x, v, &p, a_context());
     }},
    {"cuGraphHostNodeSetParams",
     []() -> int {
       const auto v = a_node();
       const auto p = host_node();
       CUDA_HOST_NODE_PARAMS q{};
       put("get", cuGraphHostNodeGetParams(v, &q));
       return cuGraphHostNodeSetParams(v, &p);
     }},
    {"cuGraphExecHostNodeSetParams",
     []() -> int {
       const auto x = an_exec();
       const auto v = a_node();
       const auto p = host_node();
       return cuGraphExecHostNodeSetParams(x, v, &p);
     }},
    {"cuGraphExecEventRecordNodeSetEvent",
     []() -> int {
       const auto x = an_exec();
       const auto v = a_node();
       return below(2) ? cuGraphExecEventRecordNodeSetEvent(x, v, an_event())
                       : cuGraphExecEventWaitNodeSetEvent(x, v, an_event());
     }},
    {"cuGraphExecChildGraphNodeSetParams",
     []() -> int {
       const auto x = an_exec();
       const auto v = a_node();
       return cuGraphExecChildGraphNodeSetParams(x, v, graph);
     }},
    {"cuGraphNodeGetType",
     []() -> int {
       CUgraphNodeType t = CUgraphNodeType(77);
       const auto e = cuGraphNodeGetType(a_node(), &t);
       put("t", t);
       return e;
     }},
};

}  // namespace calls

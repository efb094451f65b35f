// SPDX-License-Identifier: MIT
// Streams, values that they write, captures of them, and events.
#pragma once

#include "parameters.cuh"

namespace calls {

/// A value in memory, what a stream may wait for that is there already, and whether it is.
struct Waited {
  uint64_t value;
  unsigned flags;
};
inline Waited is_there(CUdeviceptr to, unsigned bytes) {
  uint64_t now = 5;
  cuMemcpyDtoH(&now, to, bytes);
  switch (small(0, 5)) {
    case 0:
      return {now, CU_STREAM_WAIT_VALUE_GEQ};
    case 1:
      return {now - 1, CU_STREAM_WAIT_VALUE_GEQ};
    case 2:
      return {now | 1ull << 31, CU_STREAM_WAIT_VALUE_NOR};
    case 3:
      return {now, CU_STREAM_WAIT_VALUE_EQ | CU_STREAM_WAIT_VALUE_FLUSH};
    default:
      return {now, CU_STREAM_WAIT_VALUE_EQ};
  }
}
/// Where values are waited for: nobody's memory would be waited for for ever.
inline CUdeviceptr waited_for() {
  switch (below(6)) {
    case 0:
      return named("dev+4", dev + 4);
    case 1:
      return named("pinned", address_of(pinned));
    case 2:
      return named("man", man);
    default:
      return named("dev", dev);
  }
}

inline void end(CUstream s) {
  CUgraph made = nullptr;
  put("end", cuStreamEndCapture(s, &made));
  put("null", !made);
  if (!made) return;
  size_t n = 77;
  cuGraphGetNodes(made, nullptr, &n);
  put("n", n);
  cuGraphDestroy(made);
}

inline int operate_captured() {
  CUdeviceptr p = 0;
  CUevent v = nullptr;
  switch (small(0, 16)) {
    case 0: {
      const auto to = address(), from = address();
      return cuMemcpyAsync(to, from, bytes(), stream);
    }
    case 1:
      return cuEventRecord(an_event(), stream);
    case 2:
      return cuEventQuery(event);
    case 3:
      return cuMemcpyHtoD(dev, host, 16);
    case 4:
      return cuCtxSynchronize();
    case 5:
      return cuMemAlloc(&p, 16);
    case 6:
      return cuStreamWaitEvent(stream, an_event(), 0);
    case 7:
      return cuStreamWaitEvent(stream_nb, event, 0);
    case 8:
      return cuMemAllocAsync(&p, 64, stream);
    case 9:
      return cuMemFreeAsync(dev2, stream);
    case 10:
      return cuMemsetD8Async(dev, 0, 4, nullptr);
    case 11: {
      const auto to = address();
      const auto pitch = bytes(), width = few();
      return cuMemsetD2D16Async(to, pitch, 0, width, few(), stream);
    }
    case 12: {
      const auto copy = copy3d();
      return cuMemcpy3DAsync(&copy, stream);
    }
    case 13: {
      const auto f = function();
      const Dims g = dims(), b = dims();
      return cuLaunchKernel(f, g.x, g.y, g.z, b.x, b.y, b.z, 0, stream, arguments(), nullptr);
    }
    case 14: {
      const int e = cuEventCreate(&v, 0);
      if (v) cuEventDestroy(v);
      return e;
    }
    case 15: {
      CUmodule m = nullptr;
      const int e = cuModuleLoadData(&m, kPtx);
      if (m) cuModuleUnload(m);
      return e;
    }
    default:
      return cuLaunchHostFunc(stream, &nothing_to_do, nullptr);
  }
}

inline const Call kStreams[] = {
    {"cuStreamCreate",
     []() -> int {
       CUstream s = nullptr;
       const auto e = cuStreamCreate(&s, unsigned(small(0, 4)));
       put("null", !s);
       if (!e) {
         unsigned f = 77;
         cuStreamGetFlags(s, &f);
         put("f", f);
         cuStreamDestroy(s);
       }
       return e;
     }},
    {"cuStreamCreateWithPriority",
     []() -> int {
       CUstream s = nullptr;
       const auto f = unsigned(small(0, 2));
       const auto e = cuStreamCreateWithPriority(&s, f, small(-9, 3));
       put("null", !s);
       if (!e) {
         int p = 77;
         cuStreamGetPriority(s, &p);
         put("p", p);
         cuStreamDestroy(s);
       }
       return e;
     }},
    {"cuStreamDestroy",
     []() -> int {
       switch (below(3)) {
         case 0:
           return cuStreamDestroy(named("null", CUstream{}));
         case 1:
           return cuStreamDestroy(named("legacy", CU_STREAM_LEGACY));
         default:
           return cuStreamDestroy(named("perthread", CU_STREAM_PER_THREAD));
       }
     }},
    {"cuStreamGetFlags",
     []() -> int {
       unsigned f = 77;
       const auto e = cuStreamGetFlags(a_stream(), &f);
       put("f", f);
       return e;
     }},
    {"cuStreamGetPriority",
     []() -> int {
       int p = 77;
       const auto e = cuStreamGetPriority(a_stream(), &p);
       put("p", p);
       return e;
     }},
    {"cuStreamGetDevice",
     []() -> int {
       int d = 77;
       const auto e = cuStreamGetDevice(a_stream(), &d);
       put("d", d);
       return e;
     }},
    {"cuStreamGetCtx",
     []() -> int {
       CUcontext c = nullptr;
       const auto e = cuStreamGetCtx(a_stream(), &c);
       put("c", c == primary);
       return e;
     }},
    {"cuStreamGetId",
     []() -> int {
       unsigned long long a = 0, b = 0;
       const auto s = a_stream();
       const auto e = cuStreamGetId(s, &a);
       put("again", cuStreamGetId(rarely(2) ? s : a_stream(), &b));
       put("same", a == b);
       return e;
     }},
    {"cuStreamQuery", []() -> int { return cuStreamQuery(a_stream()); }},
    {"cuStreamSynchronize", []() -> int { return cuStreamSynchronize(a_stream()); }},
    {"cuStreamWaitEvent",
     []() -> int {
       const auto s = a_stream();
       const auto v = an_event();
       return cuStreamWaitEvent(s, v, unsigned(small(0, 2)));
     }},
    {"cuStreamAttachMemAsync",
     []() -> int {
       const auto s = a_stream();
       const auto p = address();
       const auto n = bytes();
       return cuStreamAttachMemAsync(s, p, n, unsigned(small(0, 5)));
     }},
    {"cuStreamSetAttribute",
     []() -> int {
       const auto s = a_stream();
       CUstreamAttrValue v{};
       const auto i = small(0, 17);
       v.syncPolicy = CUsynchronizationPolicy(small(0, 5));
       return cuStreamSetAttribute(s, CUstreamAttrID(i), &v);
     }},
    {"cuStreamGetAttribute",
     []() -> int {
       const auto s = a_stream();
       CUstreamAttrValue v{};
       return cuStreamGetAttribute(s, CUstreamAttrID(small(0, 17)), &v);
     }},
    {"cuStreamCopyAttributes",
     []() -> int {
       const auto s = a_stream();
       return cuStreamCopyAttributes(s, a_stream());
     }},
    {"cuLaunchHostFunc",
     []() -> int {
       const auto s = a_stream();
       return cuLaunchHostFunc(s, below(3) ? named("fn", &nothing_to_do) : named("null", nullptr),
                               nullptr);
     }},
    {"cuStreamAddCallback",
     []() -> int {
       const auto s = a_stream();
       return cuStreamAddCallback(s, below(3) ? named("fn", &called_back) : named("null", nullptr),
                                  nullptr, unsigned(small(0, 1)));
     }},
    {"cuStreamWriteValue32",
     []() -> int {
       const auto s = a_stream();
       const auto to = rarely(3) ? address() : waited_for();
       return cuStreamWriteValue32(s, to, unsigned(small(0, 9)), unsigned(small(0, 2)));
     }},
    {"cuStreamWriteValue64",
     []() -> int {
       const auto s = a_stream();
       const auto to = rarely(3) ? address() : waited_for();
       return cuStreamWriteValue64(s, to, unsigned(small(0, 9)), unsigned(small(0, 2)));
     }},
    {"cuStreamWaitValue32",
     []() -> int {
       const auto s = a_stream();
       const auto to = waited_for();
       const auto w = is_there(to, 4);
       return cuStreamWaitValue32(s, to, cuuint32_t(w.value), w.flags);
     }},
    {"cuStreamWaitValue64",
     []() -> int {
       const auto s = a_stream();
       const auto to = waited_for();
       const auto w = is_there(to, 8);
       return cuStreamWaitValue64(s, to, w.value, w.flags);
     }},
    {"cuStreamBatchMemOp",
     []() -> int {
       CUstreamBatchMemOpParams all[2];
       memset(all, 0, sizeof all);
       for (auto& one : all) {
         const int operations[] = {2, 2, 2, 5, 5, 6, 3, 0, 7};
         one.operation = CUstreamBatchMemOpType(one_of(operations));
         if (one.operation == 2 || one.operation == 5) {
           one.writeValue.address = waited_for();
           one.writeValue.value64 = cuuint64_t(small(0, 9));
           one.writeValue.flags = unsigned(rarely(6) ? small(0, 3) : 0);
         }
         if (one.operation == 6) one.memoryBarrier.flags = unsigned(small(0, 2));
       }
       const auto s = a_stream();
       const auto n = unsigned(small(0, 2));
       return cuStreamBatchMemOp(s, n, all, unsigned(rarely(6) ? small(0, 1) : 0));
     }},
    {"cuStreamIsCapturing",
     []() -> int {
       CUstreamCaptureStatus c = CUstreamCaptureStatus(77);
       const auto e = cuStreamIsCapturing(a_stream(), &c);
       put("c", c);
       return e;
     }},
    {"cuStreamGetCaptureInfo",
     []() -> int {
       CUstreamCaptureStatus c = CUstreamCaptureStatus(77);
       cuuint64_t id = 0;
       CUgraph g = nullptr;
       size_t n = 77;
       const auto e = cuStreamGetCaptureInfo(a_stream(), &c, &id, &g, nullptr, nullptr,
                                             rarely(3) ? nullptr : &n);
       put("c", c);
       put("n", n);
       return e;
     }},
    {"cuStreamBeginCapture",
     []() -> int {
       const auto s = a_stream();
       const auto e = cuStreamBeginCapture(s, CUstreamCaptureMode(small(-1, 4)));
       if (e) return e;
       const auto to = address();
       put("op", cuMemsetD8Async(to, 1, bytes(), s));
       put("sync", cuStreamSynchronize(s));
       put("query", cuStreamQuery(s));
       end(s);
       return e;
     }},
    {"captured",
     []() -> int {
       const auto e = cuStreamBeginCapture(stream, CUstreamCaptureMode(small(0, 2)));
       put("op", operate_captured());
       end(stream);
       return e;
     }},
    {"cuStreamBeginCaptureToGraph",
     []() -> int {
       CUgraph g = nullptr;
       CUgraphNode first = nullptr;
       cuGraphCreate(&g, 0);
       cuGraphAddEmptyNode(&first, g, nullptr, 0);
       const auto s = a_stream();
       CUgraphNode needs[1] = {rarely(4) ? a_node() : first};
       const auto n = size_t(small(0, 1));
       const auto e =
           cuStreamBeginCaptureToGraph(s, rarely(6) ? named("null", CUgraph{}) : g, needs, nullptr,
                                       n, CUstreamCaptureMode(small(0, 3)));
       if (!e) {
         put("op", cuMemsetD32Async(dev, 1, 4, s));
         CUgraphNode more[1] = {first};
         if (below(2))
           put("update", cuStreamUpdateCaptureDependencies(s, more, nullptr, size_t(small(0, 1)),
                                                           unsigned(small(0, 2))));
         put("op", cuMemsetD32Async(dev, 1, 4, s));
         CUgraph made = nullptr;
         put("end", cuStreamEndCapture(s, &made));
         put("same", made == g);
         size_t edges = 77;
         cuGraphGetEdges(g, nullptr, nullptr, nullptr, &edges);
         put("edges", edges);
       }
       cuGraphDestroy(g);
       return e;
     }},
    {"cuStreamEndCapture",
     []() -> int {
       CUgraph g = nullptr;
       const auto e = cuStreamEndCapture(a_stream(), &g);
       put("null", !g);
       return e;
     }},
    {"cuStreamUpdateCaptureDependencies",
     []() -> int {
       CUgraphNode needs[1] = {a_node()};
       return cuStreamUpdateCaptureDependencies(a_stream(), needs, nullptr, 1,
                                                unsigned(small(0, 2)));
     }},
    {"cuThreadExchangeStreamCaptureMode",
     []() -> int {
       auto m = CUstreamCaptureMode(small(-1, 4));
       const auto e = cuThreadExchangeStreamCaptureMode(&m);
       put("m", m);
       if (!e) {
         m = CU_STREAM_CAPTURE_MODE_GLOBAL;
         cuThreadExchangeStreamCaptureMode(&m);
       }
       return e;
     }},
    {"cuEventCreate",
     []() -> int {
       CUevent v = nullptr;
       const auto e = cuEventCreate(&v, unsigned(small(0, 9)));
       put("null", !v);
       if (!e) cuEventDestroy(v);
       return e;
     }},
    {"cuEventDestroy", []() -> int { return cuEventDestroy(named("null", nullptr)); }},
    {"cuEventRecord",
     []() -> int {
       const auto v = below(3) ? named("event", event) : named("null", CUevent{});
       return cuEventRecord(v, a_stream());
     }},
    {"cuEventRecordWithFlags",
     []() -> int {
       const auto v = below(3) ? named("event", event) : named("nt", event_nt);
       const auto s = a_stream();
       return cuEventRecordWithFlags(v, s, unsigned(small(0, 3)));
     }},
    {"cuEventQuery", []() -> int { return cuEventQuery(an_event()); }},
    {"cuEventSynchronize", []() -> int { return cuEventSynchronize(an_event()); }},
    {"cuEventElapsedTime",
     []() -> int {
       float t = -7;
       const auto a = an_event();
       const auto e = cuEventElapsedTime(&t, a, an_event());
       put("t", e ? (int)t : (t >= -1e9 && t != -7));
       return e;
     }},
};

}  // namespace calls

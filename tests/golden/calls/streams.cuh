// SPDX-License-Identifier: MIT
// Streams, captures of them, and events.
#pragma once

#include "parameters.cuh"

namespace calls {

inline const Call kStreams[] = {
    {"cudaStreamCreateWithFlags",
     []() -> cudaError_t {
       cudaStream_t s = nullptr;
       auto e = cudaStreamCreateWithFlags(&s, unsigned(small(0, 4)));
       put("null", !s);
       if (!e) {
         unsigned f = 77;
         cudaStreamGetFlags(s, &f);
         put("f", f);
         cudaStreamDestroy(s);
       }
       return e;
     }},
    {"cudaStreamCreateWithPriority",
     []() -> cudaError_t {
       cudaStream_t s = nullptr;
       auto f = unsigned(small(0, 2));
       auto e = cudaStreamCreateWithPriority(&s, f, small(-9, 3));
       put("null", !s);
       if (!e) {
         int p = 77;
         cudaStreamGetPriority(s, &p);
         put("p", p);
         cudaStreamDestroy(s);
       }
       return e;
     }},
    {"cudaStreamGetFlags",
     []() -> cudaError_t {
       auto s = a_stream();
       unsigned f = 77;
       auto e = cudaStreamGetFlags(s, &f);
       put("f", f);
       return e;
     }},
    {"cudaStreamGetPriority",
     []() -> cudaError_t {
       auto s = a_stream();
       int f = 77;
       auto e = cudaStreamGetPriority(s, &f);
       put("f", f);
       return e;
     }},
    {"cudaStreamGetDevice",
     []() -> cudaError_t {
       auto s = a_stream();
       int f = 77;
       auto e = cudaStreamGetDevice(s, &f);
       put("f", f);
       return e;
     }},
    {"cudaStreamQuery", []() -> cudaError_t { return cudaStreamQuery(a_stream()); }},
    {"cudaStreamWaitEvent",
     []() -> cudaError_t {
       auto s = a_stream();
       auto v = an_event();
       return cudaStreamWaitEvent(s, v, unsigned(small(0, 2)));
     }},
    {"cudaStreamAttachMemAsync",
     []() -> cudaError_t {
       auto s = a_stream();
       auto p = pointer();
       auto n = bytes();
       return cudaStreamAttachMemAsync(s, p, n, unsigned(small(0, 5)));
     }},
    {"cudaStreamSetAttribute",
     []() -> cudaError_t {
       auto s = a_stream();
       cudaStreamAttrValue v{};
       auto i = small(0, 9);
       v.syncPolicy = cudaSynchronizationPolicy(small(0, 5));
       return cudaStreamSetAttribute(s, cudaStreamAttrID(i), &v);
     }},
    {"cudaStreamGetAttribute",
     []() -> cudaError_t {
       auto s = a_stream();
       cudaStreamAttrValue v{};
       auto i = small(0, 9);
       return cudaStreamGetAttribute(s, cudaStreamAttrID(i), &v);
     }},
    {"cudaStreamCopyAttributes",
     []() -> cudaError_t {
       auto s = a_stream();
       return cudaStreamCopyAttributes(s, a_stream());
     }},
    {"cudaStreamIsCapturing",
     []() -> cudaError_t {
       auto s = a_stream();
       cudaStreamCaptureStatus c{};
       auto e = cudaStreamIsCapturing(s, &c);
       put("c", c);
       return e;
     }},
    {"cudaStreamBeginCapture",
     []() -> cudaError_t {
       auto s = a_stream();
       auto e = cudaStreamBeginCapture(s, cudaStreamCaptureMode(small(-1, 4)));
       if (!e) {
         cudaGraph_t g = nullptr;
         put("op", cudaMemsetAsync(pointer(), 1, bytes(), s));
         put("sync", cudaStreamSynchronize(s));
         put("query", cudaStreamQuery(s));
         put("end", cudaStreamEndCapture(s, &g));
         put("null", !g);
         if (g) {
           size_t n = 77;
           cudaGraphGetNodes(g, nullptr, &n);
           put("n", n);
           cudaGraphDestroy(g);
         }
       }
       return e;
     }},
    {"capture ops",
     []() -> cudaError_t {
       cudaStreamBeginCapture(stream, cudaStreamCaptureMode(small(0, 2)));
       cudaError_t e{};
       switch (small(0, 13)) {
         case 0:
           e = cudaMemcpyAsync(pointer(), pointer(), bytes(), kind(), stream);
           break;
         case 1:
           e = cudaEventRecord(an_event(), stream);
           break;
         case 2:
           e = cudaEventQuery(event);
           break;
         case 3:
           e = cudaMemcpy(dev, host, 16, cudaMemcpyHostToDevice);
           break;
         case 4:
           e = cudaDeviceSynchronize();
           break;
         case 5: {
           void* p{};
           e = cudaMalloc(&p, 16);
           break;
         }
         case 6:
           e = cudaStreamWaitEvent(stream, an_event(), 0);
           break;
         case 7:
           e = cudaStreamWaitEvent(stream_nb, event, 0);
           break;
         case 8: {
           void* p{};
           e = cudaMallocAsync(&p, 64, stream);
           break;
         }
         case 9:
           e = cudaFreeAsync(dev2, stream);
           break;
         case 10:
           e = cudaMemsetAsync(dev, 0, 4, nullptr);
           break;
         case 11:
           e = cudaMemset2DAsync(pointer(), bytes(), 0, few(), few(), stream);
           break;
         case 12: {
           auto p = copy3d();
           e = cudaMemcpy3DAsync(&p, stream);
           break;
         }
         case 13:
           nothing<<<dims(), dims(), bytes(), stream>>>();
           e = cudaGetLastError();
           break;
       }
       put("op", e);
       cudaGraph_t g = nullptr;
       auto f = cudaStreamEndCapture(stream, &g);
       if (g) {
         size_t n = 77;
         cudaGraphGetNodes(g, nullptr, &n);
         put("n", n);
         cudaGraphDestroy(g);
       }
       return f;
     }},
    {"cudaStreamEndCapture",
     []() -> cudaError_t {
       auto s = a_stream();
       cudaGraph_t g = nullptr;
       auto e = cudaStreamEndCapture(s, &g);
       put("null", !g);
       return e;
     }},
    {"cudaThreadExchangeStreamCaptureMode",
     []() -> cudaError_t {
       auto m = cudaStreamCaptureMode(small(-1, 4));
       auto e = cudaThreadExchangeStreamCaptureMode(&m);
       put("m", m);
       if (!e) {
         m = cudaStreamCaptureModeGlobal;
         cudaThreadExchangeStreamCaptureMode(&m);
       }
       return e;
     }},
    {"cudaEventCreateWithFlags",
     []() -> cudaError_t {
       cudaEvent_t v = nullptr;
       auto e = cudaEventCreateWithFlags(&v, unsigned(small(0, 9)));
       put("null", !v);
       if (!e) cudaEventDestroy(v);
       return e;
     }},
    {"cudaEventRecord",
     []() -> cudaError_t {
       auto v = below(3) ? named("event", event) : named("null", nullptr);
       return cudaEventRecord(v, a_stream());
     }},
    {"cudaEventRecordWithFlags",
     []() -> cudaError_t {
       auto v = below(3) ? named("event", event) : named("nt", event_nt);
       auto s = a_stream();
       return cudaEventRecordWithFlags(v, s, unsigned(small(0, 3)));
     }},
    {"cudaEventQuery", []() -> cudaError_t { return cudaEventQuery(an_event()); }},
    {"cudaEventSynchronize", []() -> cudaError_t { return cudaEventSynchronize(an_event()); }},
    {"cudaEventElapsedTime",
     []() -> cudaError_t {
       float t = -7;
       auto a = an_event();
       auto e = cudaEventElapsedTime(&t, a, an_event());
       put("t", e ? (int)t : (t >= -1e9 && t != -7));
       return e;
     }},
};

}  // namespace calls

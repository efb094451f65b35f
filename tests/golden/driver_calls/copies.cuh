// SPDX-License-Identifier: MIT
// Copies and fills of memory and arrays.
#pragma once

#include "parameters.cuh"

namespace calls {

inline const Call kCopies[] = {
    {"cuMemcpy",
     []() -> int {
       const auto to = address(), from = address();
       return cuMemcpy(to, from, bytes());
     }},
    {"cuMemcpyAsync",
     []() -> int {
       const auto to = address(), from = address();
       const auto n = bytes();
       return cuMemcpyAsync(to, from, n, a_stream());
     }},
    {"cuMemcpyHtoD",
     []() -> int {
       const auto to = address();
       const auto from = pointer();
       return cuMemcpyHtoD(to, from, bytes());
     }},
    {"cuMemcpyHtoDAsync",
     []() -> int {
       const auto to = address();
       const auto from = pointer();
       const auto n = bytes();
       return cuMemcpyHtoDAsync(to, from, n, a_stream());
     }},
    {"cuMemcpyDtoH",
     []() -> int {
       const auto to = pointer();
       const auto from = address();
       return cuMemcpyDtoH(to, from, bytes());
     }},
    {"cuMemcpyDtoHAsync",
     []() -> int {
       const auto to = pointer();
       const auto from = address();
       const auto n = bytes();
       return cuMemcpyDtoHAsync(to, from, n, a_stream());
     }},
    {"cuMemcpyDtoD",
     []() -> int {
       const auto to = address(), from = address();
       return cuMemcpyDtoD(to, from, bytes());
     }},
    {"cuMemcpyDtoDAsync",
     []() -> int {
       const auto to = address(), from = address();
       const auto n = bytes();
       return cuMemcpyDtoDAsync(to, from, n, a_stream());
     }},
    {"cuMemcpyPeer",
     []() -> int {
       const auto to = address();
       const auto to_context = a_context();
       const auto from = address();
       const auto from_context = a_context();
       return cuMemcpyPeer(to, to_context, from, from_context, bytes());
     }},
    {"cuMemcpyPeerAsync",
     []() -> int {
       const auto to = address();
       const auto to_context = a_context();
       const auto from = address();
       const auto from_context = a_context();
       const auto n = bytes();
       return cuMemcpyPeerAsync(to, to_context, from, from_context, n, a_stream());
     }},
    {"cuMemcpy2D",
     []() -> int {
       const auto copy = copy2d();
       return cuMemcpy2D(&copy);
     }},
    {"cuMemcpy2DUnaligned",
     []() -> int {
       const auto copy = copy2d();
       return cuMemcpy2DUnaligned(&copy);
     }},
    {"cuMemcpy2DAsync",
     []() -> int {
       const auto copy = copy2d();
       return cuMemcpy2DAsync(&copy, a_stream());
     }},
    {"cuMemcpy3D",
     []() -> int {
       const auto copy = copy3d();
       return cuMemcpy3D(&copy);
     }},
    {"cuMemcpy3DAsync",
     []() -> int {
       const auto copy = copy3d();
       return cuMemcpy3DAsync(&copy, a_stream());
     }},
    {"cuMemcpyAtoA",
     []() -> int {
       const auto to = an_array();
       const auto to_byte = few();
       const auto from = an_array();
       const auto from_byte = few();
       return cuMemcpyAtoA(to, to_byte, from, from_byte, bytes());
     }},
    {"cuMemcpyAtoD",
     []() -> int {
       const auto to = address();
       const auto from = an_array();
       const auto byte = few();
       return cuMemcpyAtoD(to, from, byte, bytes());
     }},
    {"cuMemcpyDtoA",
     []() -> int {
       const auto to = an_array();
       const auto byte = few();
       const auto from = address();
       return cuMemcpyDtoA(to, byte, from, bytes());
     }},
    {"cuMemcpyAtoH",
     []() -> int {
       const auto to = pointer();
       const auto from = an_array();
       const auto byte = few();
       return cuMemcpyAtoH(to, from, byte, bytes());
     }},
    {"cuMemcpyHtoA",
     []() -> int {
       const auto to = an_array();
       const auto byte = few();
       const auto from = pointer();
       return cuMemcpyHtoA(to, byte, from, bytes());
     }},
    {"cuMemcpyAtoHAsync",
     []() -> int {
       const auto to = pointer();
       const auto from = an_array();
       const auto byte = few();
       const auto n = bytes();
       return cuMemcpyAtoHAsync(to, from, byte, n, a_stream());
     }},
    {"cuMemcpyHtoAAsync",
     []() -> int {
       const auto to = an_array();
       const auto byte = few();
       const auto from = pointer();
       const auto n = bytes();
       return cuMemcpyHtoAAsync(to, byte, from, n, a_stream());
     }},
    {"cuMemcpyBatchAsync",
     []() -> int {
       CUdeviceptr from[2] = {address(), address()};
       CUdeviceptr to[2] = {address(), address()};
       size_t sizes[2] = {few(), few()};
       CUmemcpyAttributes how[1] = {};
       how[0].srcAccessOrder = CUmemcpySrcAccessOrder(small(0, 4));
       size_t first[1] = {size_t(rarely(4) ? small(0, 1) : 0)};
       const auto count = size_t(small(0, 2));
       const auto attributes = size_t(rarely(4) ? small(0, 1) : 1);
       return cuMemcpyBatchAsync(to, from, sizes, count, how, first, attributes,
                                 below(3) ? named("stream", stream) : a_stream());
     }},
    {"cuMemsetD8",
     []() -> int {
       const auto to = address();
       return cuMemsetD8(to, 3, bytes());
     }},
    {"cuMemsetD16",
     []() -> int {
       const auto to = address();
       return cuMemsetD16(to, 3, bytes());
     }},
    {"cuMemsetD32",
     []() -> int {
       const auto to = address();
       return cuMemsetD32(to, 3, bytes());
     }},
    {"cuMemsetD8Async",
     []() -> int {
       const auto to = address();
       const auto n = bytes();
       return cuMemsetD8Async(to, 3, n, a_stream());
     }},
    {"cuMemsetD16Async",
     []() -> int {
       const auto to = address();
       const auto n = bytes();
       return cuMemsetD16Async(to, 3, n, a_stream());
     }},
    {"cuMemsetD32Async",
     []() -> int {
       const auto to = address();
       const auto n = bytes();
       return cuMemsetD32Async(to, 3, n, a_stream());
     }},
    {"cuMemsetD2D8",
     []() -> int {
       const auto to = address();
       const auto pitch = bytes(), width = bytes();
       return cuMemsetD2D8(to, pitch, 3, width, few());
     }},
    {"cuMemsetD2D16",
     []() -> int {
       const auto to = address();
       const auto pitch = bytes(), width = bytes();
       return cuMemsetD2D16(to, pitch, 3, width, few());
     }},
    {"cuMemsetD2D32",
     []() -> int {
       const auto to = address();
       const auto pitch = bytes(), width = bytes();
       return cuMemsetD2D32(to, pitch, 3, width, few());
     }},
    {"cuMemsetD2D8Async",
     []() -> int {
       const auto to = address();
       const auto pitch = bytes(), width = bytes(), height = few();
       return cuMemsetD2D8Async(to, pitch, 3, width, height, a_stream());
     }},
    {"cuMemsetD2D16Async",
     []() -> int {
       const auto to = address();
       const auto pitch = bytes(), width = bytes(), height = few();
       return cuMemsetD2D16Async(to, pitch, 3, width, height, a_stream());
     }},
    {"cuMemsetD2D32Async",
     []() -> int {
       const auto to = address();
       const auto pitch = bytes(), width = bytes(), height = few();
       return cuMemsetD2D32Async(to, pitch, 3, width, height, a_stream());
     }},
};

}  // namespace calls

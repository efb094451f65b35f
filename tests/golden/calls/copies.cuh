// SPDX-License-Identifier: MIT
// Copies and fills of memory, arrays and variables.
#pragma once

#include "parameters.cuh"

namespace calls {

inline const Call kCopies[] = {
    {"cudaMemcpy",
     []() -> cudaError_t {
       auto a = pointer();
       auto b = pointer();
       auto n = bytes();
       auto k = kind();
       return cudaMemcpy(a, b, n, k);
     }},
    {"cudaMemcpyAsync",
     []() -> cudaError_t {
       auto a = pointer();
       auto b = pointer();
       auto n = bytes();
       auto k = kind();
       return cudaMemcpyAsync(a, b, n, k, a_stream());
     }},
    {"cudaMemcpyPeer",
     []() -> cudaError_t {
       auto a = pointer();
       int x = small(-1, 1);
       auto b = pointer();
       int y = small(-1, 1);
       return cudaMemcpyPeer(a, x, b, y, bytes());
     }},
    {"cudaMemcpy2D",
     []() -> cudaError_t {
       auto a = pointer();
       auto p = bytes();
       auto b = pointer();
       auto q = bytes();
       auto w = bytes();
       auto h = few();
       return cudaMemcpy2D(a, p, b, q, w, h, kind());
     }},
    {"cudaMemcpy2DAsync",
     []() -> cudaError_t {
       auto a = pointer();
       auto p = bytes();
       auto b = pointer();
       auto q = bytes();
       auto w = bytes();
       auto h = few();
       auto k = kind();
       return cudaMemcpy2DAsync(a, p, b, q, w, h, k, a_stream());
     }},
    {"cudaMemcpy3D",
     []() -> cudaError_t {
       auto p = copy3d();
       return cudaMemcpy3D(&p);
     }},
    {"cudaMemcpy3DAsync",
     []() -> cudaError_t {
       auto p = copy3d();
       return cudaMemcpy3DAsync(&p, a_stream());
     }},
    {"cudaMemcpy2DToArray",
     []() -> cudaError_t {
       auto a = an_array();
       auto x = few();
       auto y = few();
       auto b = pointer();
       auto p = bytes();
       auto w = bytes();
       auto h = few();
       return cudaMemcpy2DToArray(a, x, y, b, p, w, h, kind());
     }},
    {"cudaMemcpy2DFromArray",
     []() -> cudaError_t {
       auto b = pointer();
       auto p = bytes();
       auto a = an_array();
       auto x = few();
       auto y = few();
       auto w = bytes();
       auto h = few();
       return cudaMemcpy2DFromArray(b, p, a, x, y, w, h, kind());
     }},
    {"cudaMemcpy2DArrayToArray",
     []() -> cudaError_t {
       auto a = an_array();
       auto x = few();
       auto y = few();
       auto b = an_array();
       auto u = few();
       auto v = few();
       auto w = bytes();
       auto h = few();
       return cudaMemcpy2DArrayToArray(a, x, y, b, u, v, w, h, kind());
     }},
    {"cudaMemcpyToArray",
     []() -> cudaError_t {
       auto a = an_array();
       auto x = few();
       auto y = few();
       auto b = pointer();
       auto n = bytes();
       return cudaMemcpyToArray(a, x, y, b, n, kind());
     }},
    {"cudaMemcpyToSymbol",
     []() -> cudaError_t {
       auto s = a_symbol();
       auto b = pointer();
       auto n = bytes();
       auto o = bytes();
       return cudaMemcpyToSymbol(s, b, n, o, kind());
     }},
    {"cudaMemcpyFromSymbol",
     []() -> cudaError_t {
       auto b = pointer();
       auto s = a_symbol();
       auto n = bytes();
       auto o = bytes();
       return cudaMemcpyFromSymbol(b, s, n, o, kind());
     }},
    {"cudaMemset",
     []() -> cudaError_t {
       auto a = pointer();
       int v = small(-1, 300);
       return cudaMemset(a, v, bytes());
     }},
    {"cudaMemsetAsync",
     []() -> cudaError_t {
       auto a = pointer();
       int v = small(-1, 300);
       auto n = bytes();
       return cudaMemsetAsync(a, v, n, a_stream());
     }},
    {"cudaMemset2D",
     []() -> cudaError_t {
       auto a = pointer();
       auto p = bytes();
       auto w = bytes();
       return cudaMemset2D(a, p, 1, w, few());
     }},
    {"cudaMemset3D",
     []() -> cudaError_t {
       auto p = pitched();
       return cudaMemset3D(p, 1, extent());
     }},
};

}  // namespace calls

// SPDX-License-Identifier: MIT
// __device__ and __constant__ variables: where they are, copies to and from them.
#include <fmt/format.h>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/area.hpp"
#include "cudart/handle.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

namespace {

/// The part of a variable that a symbol copy means; `is_way`: its kind fits a variable at that end.
cudaError symbol_area(Context& state, const void* shadow, std::size_t bytes,
                      std::size_t offset_bytes, bool is_way, Area& area) {
  Symbol* found = state.find_symbol(shadow);
  if (!found)
    return refuse(state, cudaErrorInvalidSymbol,
                  "no __device__ or __constant__ variable of this "
                  "program; pass the variable itself, not its name");
  Symbol& symbol = *found;
  if (const cudaError error = resolve(state, symbol); error != cudaSuccess) return error;
  if (offset_bytes > symbol.bytes || bytes > symbol.bytes - offset_bytes)
    return refuse(state, cudaErrorInvalidValue,
                  fmt::format("{} bytes at offset {} of {}, which has {}", bytes, offset_bytes,
                              symbol.name, symbol.bytes));
  if (!is_way) return cudaErrorInvalidMemcpyDirection;
  area = line(reinterpret_cast<const void*>(symbol.address + offset_bytes), bytes);
  return cudaSuccess;
}

bool fits(cudaMemcpyKind kind, cudaMemcpyKind way) {
  return kind == way || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

cudaError to_symbol(Context& state, const void* symbol, const void* from, std::size_t bytes,
                    std::size_t offset_bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  Area to;
  const cudaError error =
      symbol_area(state, symbol, bytes, offset_bytes, fits(kind, cudaMemcpyHostToDevice), to);
  return error != cudaSuccess ? error : copy(state, to, line(from, bytes), kind);
}

cudaError from_symbol(Context& state, void* to, const void* symbol, std::size_t bytes,
                      std::size_t offset_bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  Area from;
  const cudaError error =
      symbol_area(state, symbol, bytes, offset_bytes, fits(kind, cudaMemcpyDeviceToHost), from);
  return error != cudaSuccess ? error : copy(state, line(to, bytes), from, kind);
}

/// A node that copies to or from a variable is one that copies to or from its address:
/// `body(address)`.
template <class Body>
cudaError at_symbol(const char* name, const void* symbol, std::size_t bytes,
                    std::size_t offset_bytes, bool is_way, Body&& body) {
  return call(name, [&](Context& state) {
    Area area;
    const cudaError error = symbol_area(state, symbol, bytes, offset_bytes, is_way, area);
    return error != cudaSuccess ? error : body(handle(area.address));
  });
}

/// What `ask` says of a variable.
template <class T, class Ask>
cudaError of_symbol(const char* name, T* answer, const void* symbol, Ask&& ask) {
  return call(name, [&](Context& state) {
    Symbol* found = state.find_symbol(symbol);
    if (!answer) return cudaErrorInvalidValue;
    if (!found) return cudaErrorInvalidSymbol;
    if (const cudaError error = resolve(state, *found); error != cudaSuccess) return error;
    *answer = ask(*found);
    return cudaSuccess;
  });
}

}  // namespace

cudaError cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return of_symbol("cudaGetSymbolAddress", pointer, symbol,
                   [](const Symbol& found) { return reinterpret_cast<void*>(found.address); });
}

cudaError cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return of_symbol("cudaGetSymbolSize", bytes, symbol,
                   [](const Symbol& found) { return found.bytes; });
}

cudaError cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                         const cudaGraphNode_t* needs, std::size_t count,
                                         const void* symbol, const void* from, std::size_t bytes,
                                         std::size_t offset_bytes, cudaMemcpyKind kind) {
  return at_symbol("cudaGraphAddMemcpyNodeToSymbol", symbol, bytes, offset_bytes,
                   fits(kind, cudaMemcpyHostToDevice), [&](void* to) {
                     return cudaGraphAddMemcpyNode1D(node, graph, needs, count, to, from, bytes,
                                                     kind);
                   });
}

cudaError cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* needs, std::size_t count,
                                           void* to, const void* symbol, std::size_t bytes,
                                           std::size_t offset_bytes, cudaMemcpyKind kind) {
  return at_symbol("cudaGraphAddMemcpyNodeFromSymbol", symbol, bytes, offset_bytes,
                   fits(kind, cudaMemcpyDeviceToHost), [&](void* from) {
                     return cudaGraphAddMemcpyNode1D(node, graph, needs, count, to, from, bytes,
                                                     kind);
                   });
}

cudaError cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                               const void* from, std::size_t bytes,
                                               std::size_t offset_bytes, cudaMemcpyKind kind) {
  return at_symbol("cudaGraphMemcpyNodeSetParamsToSymbol", symbol, bytes, offset_bytes,
                   fits(kind, cudaMemcpyHostToDevice), [&](void* to) {
                     return cudaGraphMemcpyNodeSetParams1D(node, to, from, bytes, kind);
                   });
}

cudaError cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const void* symbol,
                                                 std::size_t bytes, std::size_t offset_bytes,
                                                 cudaMemcpyKind kind) {
  return at_symbol("cudaGraphMemcpyNodeSetParamsFromSymbol", symbol, bytes, offset_bytes,
                   fits(kind, cudaMemcpyDeviceToHost), [&](void* from) {
                     return cudaGraphMemcpyNodeSetParams1D(node, to, from, bytes, kind);
                   });
}

cudaError cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                   const void* symbol, const void* from,
                                                   std::size_t bytes, std::size_t offset_bytes,
                                                   cudaMemcpyKind kind) {
  return at_symbol("cudaGraphExecMemcpyNodeSetParamsToSymbol", symbol, bytes, offset_bytes,
                   fits(kind, cudaMemcpyHostToDevice), [&](void* to) {
                     return cudaGraphExecMemcpyNodeSetParams1D(executable, node, to, from, bytes,
                                                               kind);
                   });
}

cudaError cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable,
                                                     cudaGraphNode_t node, void* to,
                                                     const void* symbol, std::size_t bytes,
                                                     std::size_t offset_bytes,
                                                     cudaMemcpyKind kind) {
  return at_symbol("cudaGraphExecMemcpyNodeSetParamsFromSymbol", symbol, bytes, offset_bytes,
                   fits(kind, cudaMemcpyDeviceToHost), [&](void* from) {
                     return cudaGraphExecMemcpyNodeSetParams1D(executable, node, to, from, bytes,
                                                               kind);
                   });
}

cudaError cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                             std::size_t offset_bytes, cudaMemcpyKind kind) {
  return in_default_stream("cudaMemcpyToSymbol", bytes, [&](Context& state) {
    return to_symbol(state, symbol, from, bytes, offset_bytes, kind);
  });
}

cudaError cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                  std::size_t offset_bytes, cudaMemcpyKind kind,
                                  cudaStream_t stream) {
  return on_stream("cudaMemcpyToSymbolAsync", stream, NodeType::memcpy, [=](Context& state) {
    return to_symbol(state, symbol, from, bytes, offset_bytes, kind);
  });
}

cudaError cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes,
                               std::size_t offset_bytes, cudaMemcpyKind kind) {
  return in_default_stream("cudaMemcpyFromSymbol", bytes, [&](Context& state) {
    return from_symbol(state, to, symbol, bytes, offset_bytes, kind);
  });
}

cudaError cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes,
                                    std::size_t offset_bytes, cudaMemcpyKind kind,
                                    cudaStream_t stream) {
  return on_stream("cudaMemcpyFromSymbolAsync", stream, NodeType::memcpy, [=](Context& state) {
    return from_symbol(state, to, symbol, bytes, offset_bytes, kind);
  });
}

LANESCOPE_TWIN(cudaMemcpyToSymbol, _ptds);
LANESCOPE_TWIN(cudaMemcpyToSymbolAsync, _ptsz);
LANESCOPE_TWIN(cudaMemcpyFromSymbol, _ptds);
LANESCOPE_TWIN(cudaMemcpyFromSymbolAsync, _ptsz);

}  // namespace lanescope::cudart

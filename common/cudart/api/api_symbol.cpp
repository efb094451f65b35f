// SPDX-License-Identifier: MIT
// Copies to and from __device__ and __constant__ variables.
#include <fmt/format.h>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/area.hpp"

namespace lanescope::cudart {

namespace {

/// The part of a variable that a symbol copy means.
cudaError symbol_area(Context& state, const void* shadow, std::size_t bytes,
                      std::size_t offset_bytes, Area& area) {
  const auto found = state.symbols.find(shadow);
  if (found == state.symbols.end())
    return refuse(state, cudaErrorInvalidSymbol,
                  "no __device__ or __constant__ variable of this "
                  "program; pass the variable itself, not its name");
  Symbol& symbol = found->second;
  if (const cudaError error = resolve(state, symbol); error != cudaSuccess) return error;
  if (offset_bytes > symbol.bytes || bytes > symbol.bytes - offset_bytes)
    return refuse(state, cudaErrorInvalidValue,
                  fmt::format("{} bytes at offset {} of {}, which has {}", bytes, offset_bytes,
                              symbol.name, symbol.bytes));
  area = line(reinterpret_cast<const void*>(symbol.address + offset_bytes), bytes);
  return cudaSuccess;
}

cudaError to_symbol(Context& state, const void* symbol, const void* from, std::size_t bytes,
                    std::size_t offset_bytes, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  Area to;
  const cudaError error = symbol_area(state, symbol, bytes, offset_bytes, to);
  return error != cudaSuccess ? error : copy(state, to, line(from, bytes), kind);
}

cudaError from_symbol(Context& state, void* to, const void* symbol, std::size_t bytes,
                      std::size_t offset_bytes, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  Area from;
  const cudaError error = symbol_area(state, symbol, bytes, offset_bytes, from);
  return error != cudaSuccess ? error : copy(state, line(to, bytes), from, kind);
}

}  // namespace

cudaError cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                             std::size_t offset_bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpyToSymbol", [&](Context& state) {
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
  return call("cudaMemcpyFromSymbol", [&](Context& state) {
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

LANESCOPE_ALIAS(cudaMemcpyToSymbol, _ptds);
LANESCOPE_ALIAS(cudaMemcpyToSymbolAsync, _ptsz);
LANESCOPE_ALIAS(cudaMemcpyFromSymbol, _ptds);
LANESCOPE_ALIAS(cudaMemcpyFromSymbolAsync, _ptsz);

}  // namespace lanescope::cudart

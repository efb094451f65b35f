// SPDX-License-Identifier: MIT
// Filling memory. Volumes are in api_volume.cpp.
#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/area.hpp"
#include "cudart/graph/node_work.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

cudaError fill_values(void* to, std::size_t pitch_bytes, unsigned value, std::size_t value_bytes,
                      std::size_t width, std::size_t height, cudaStream_t stream) {
  return on_stream("memset", stream, NodeType::memset, [=](Context& state) {
    std::size_t width_bytes = 0;
    if (__builtin_mul_overflow(width, value_bytes, &width_bytes)) return cudaErrorInvalidValue;
    return fill_rows(state, rows(to, pitch_bytes, width_bytes, height), value, value_bytes);
  });
}

cudaError cudaMemset(void* pointer, int value, std::size_t bytes) {
  return in_default_stream("cudaMemset", bytes, [&](Context& state) {
    return fill_rows(state, line(pointer, bytes), static_cast<unsigned>(value));
  });
}

cudaError cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
  return with_stream("cudaMemsetAsync", stream, [&](Context& state) {
    const unsigned byte = static_cast<unsigned>(value) & 0xff;
    if (bytes == 0 || !is_captured(state, stream))
      return fill_rows(state, line(pointer, bytes), byte);
    const cudaMemsetParams params{pointer, 0, byte, 1, bytes, 1};
    return write_down(state, stream, NodeType::memset,
                      [&](GraphNode& node) { return set_captured_fill(state, params, node); });
  });
}

cudaError cudaMemset2D(void* pointer, std::size_t pitch_bytes, int value, std::size_t width_bytes,
                       std::size_t height) {
  return cudaMemset2DAsync(pointer, pitch_bytes, value, width_bytes, height, nullptr);
}

cudaError cudaMemset2DAsync(void* pointer, std::size_t pitch_bytes, int value,
                            std::size_t width_bytes, std::size_t height, cudaStream_t stream) {
  return with_stream("cudaMemset2D", stream, [&](Context& state) {
    const unsigned byte = static_cast<unsigned>(value) & 0xff;
    const Area area = rows(pointer, pitch_bytes, width_bytes, height);
    if (is_empty(area) || !is_captured(state, stream)) return fill_rows(state, area, byte);
    const cudaMemsetParams params{pointer, pitch_bytes, byte, 1, width_bytes, height};
    return write_down(state, stream, NodeType::memset,
                      [&](GraphNode& node) { return set_captured_fill(state, params, node); });
  });
}

LANESCOPE_TWIN(cudaMemset, _ptds);
LANESCOPE_TWIN(cudaMemsetAsync, _ptsz);
LANESCOPE_TWIN(cudaMemset2D, _ptds);
LANESCOPE_TWIN(cudaMemset2DAsync, _ptsz);

}  // namespace lanescope::cudart

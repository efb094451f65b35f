// SPDX-License-Identifier: MIT
// Copies of rows into arrays, out of them, between them. Volumes are in api_volume.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/array_area.hpp"

namespace lanescope::cudart {

namespace {

/// Rows on one side that are none of an array.
struct Plain {
  const void* pointer = nullptr;
  std::size_t pitch_bytes = 0;
};

/// An array is the card's.
bool is_wrong_way(cudaMemcpyKind kind, bool to_array) {
  return kind == cudaMemcpyHostToHost ||
         kind == (to_array ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
}

cudaError copy_plain(const char* name, const void* array, const ArrayPart& part, const Plain& plain,
                     bool to_array, cudaMemcpyKind kind, cudaStream_t stream) {
  return on_stream(name, stream, NodeType::memcpy, [=](Context& state) {
    if (part.width_bytes == 0 || part.height == 0) return cudaSuccess;
    if (part.width_bytes > plain.pitch_bytes && part.height > 1)
      return refuse(state, cudaErrorInvalidPitchValue,
                    fmt::format("rows of {} bytes do not fit into a pitch of {}", part.width_bytes,
                                plain.pitch_bytes));
    if (!is_kind(kind) || is_wrong_way(kind, to_array)) return cudaErrorInvalidMemcpyDirection;
    Area inside;
    if (const cudaError error = array_rows(state, array, part, inside); error != cudaSuccess)
      return error;
    const Area outside = rows(plain.pointer, plain.pitch_bytes, part.width_bytes, part.height);
    return to_array ? copy_rows(state, inside, outside, kind)
                    : copy_rows(state, outside, inside, kind);
  });
}

/// Bytes that go on in the next row where one ends.
cudaError copy_line(const char* name, const void* array, ArrayPart part, const void* pointer,
                    std::size_t bytes, bool to_array, cudaMemcpyKind kind, cudaStream_t stream) {
  return on_stream(name, stream, NodeType::memcpy, [=](Context& state) mutable {
    if (bytes == 0) return cudaSuccess;
    if (is_wrong_way(kind, to_array)) return cudaErrorInvalidMemcpyDirection;
    if (!is_kind(kind)) return cudaSuccess;  // an H200 does nothing then
    const Array* found = state.textures.find_array(array);
    const std::size_t row_bytes =
        found ? static_cast<std::size_t>(found->image.size[0]) * found->texel_bytes() : bytes;
    for (std::size_t done = 0; done < bytes; done += part.width_bytes) {
      part.width_bytes = std::min(bytes - done, row_bytes - std::min(part.x_bytes, row_bytes));
      Area inside;
      if (const cudaError error = array_rows(state, array, part, inside); error != cudaSuccess)
        return error;
      const Area outside = line(static_cast<const char*>(pointer) + done, part.width_bytes);
      const cudaError error =
          to_array ? copy(state, inside, outside, kind) : copy(state, outside, inside, kind);
      if (error != cudaSuccess) return error;
      part.x_bytes = 0;
      ++part.y;
    }
    return cudaSuccess;
  });
}

}  // namespace

cudaError cudaMemcpy2DToArray(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from,
                              std::size_t pitch_bytes, std::size_t width_bytes, std::size_t height,
                              cudaMemcpyKind kind) {
  return cudaMemcpy2DToArrayAsync(to, x_bytes, y, from, pitch_bytes, width_bytes, height, kind,
                                  nullptr);
}

cudaError cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x_bytes, std::size_t y,
                                   const void* from, std::size_t pitch_bytes,
                                   std::size_t width_bytes, std::size_t height, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  return copy_plain("cudaMemcpy2DToArray", to, {x_bytes, y, 0, width_bytes, height},
                    {from, pitch_bytes}, true, kind, stream);
}

cudaError cudaMemcpy2DFromArray(void* to, std::size_t pitch_bytes, const void* from,
                                std::size_t x_bytes, std::size_t y, std::size_t width_bytes,
                                std::size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2DFromArrayAsync(to, pitch_bytes, from, x_bytes, y, width_bytes, height, kind,
                                    nullptr);
}

cudaError cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch_bytes, const void* from,
                                     std::size_t x_bytes, std::size_t y, std::size_t width_bytes,
                                     std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_plain("cudaMemcpy2DFromArray", from, {x_bytes, y, 0, width_bytes, height},
                    {to, pitch_bytes}, false, kind, stream);
}

cudaError cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x_bytes, std::size_t to_y,
                                   const void* from, std::size_t from_x_bytes, std::size_t from_y,
                                   std::size_t width_bytes, std::size_t height,
                                   cudaMemcpyKind kind) {
  return on_stream("cudaMemcpy2DArrayToArray", nullptr, NodeType::memcpy, [=](Context& state) {
    if (width_bytes == 0 || height == 0) return cudaSuccess;
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
      return cudaErrorInvalidMemcpyDirection;
    Area target, source;
    const ArrayPart into{to_x_bytes, to_y, 0, width_bytes, height};
    const ArrayPart out_of{from_x_bytes, from_y, 0, width_bytes, height};
    if (const cudaError error = array_rows(state, from, out_of, source); error != cudaSuccess)
      return error;
    if (!to) return cudaErrorInvalidValue;
    if (const cudaError error = array_rows(state, to, into, target); error != cudaSuccess)
      return error;
    return copy_rows(state, target, source, kind);
  });
}

cudaError cudaMemcpyToArray(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from,
                            std::size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyToArrayAsync(to, x_bytes, y, from, bytes, kind, nullptr);
}

cudaError cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x_bytes, std::size_t y,
                                 const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                 cudaStream_t stream) {
  return copy_line("cudaMemcpyToArray", to, {x_bytes, y}, from, bytes, true, kind, stream);
}

cudaError cudaMemcpyFromArray(void* to, const void* from, std::size_t x_bytes, std::size_t y,
                              std::size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyFromArrayAsync(to, from, x_bytes, y, bytes, kind, nullptr);
}

cudaError cudaMemcpyFromArrayAsync(void* to, const void* from, std::size_t x_bytes, std::size_t y,
                                   std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_line("cudaMemcpyFromArray", from, {x_bytes, y}, to, bytes, false, kind, stream);
}

LANESCOPE_TWIN(cudaMemcpy2DToArray, _ptds);
LANESCOPE_TWIN(cudaMemcpy2DToArrayAsync, _ptsz);
LANESCOPE_TWIN(cudaMemcpy2DFromArray, _ptds);
LANESCOPE_TWIN(cudaMemcpy2DFromArrayAsync, _ptsz);
LANESCOPE_TWIN(cudaMemcpy2DArrayToArray, _ptds);
LANESCOPE_TWIN(cudaMemcpyToArray, _ptds);
LANESCOPE_TWIN(cudaMemcpyToArrayAsync, _ptsz);
LANESCOPE_TWIN(cudaMemcpyFromArray, _ptds);
LANESCOPE_TWIN(cudaMemcpyFromArrayAsync, _ptsz);

}  // namespace lanescope::cudart

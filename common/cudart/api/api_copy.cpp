// SPDX-License-Identifier: MIT
// Copying memory. Variables are in api_symbol.cpp, volumes in api_volume.cpp.
#include <fmt/format.h>

#include <span>
#include <string>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/area.hpp"
#include "cudart/graph/node_work.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

namespace {

/// "" when a batch is one that an H200's driver takes, too (580.159, CUDA 13.0). Each attribute
/// holds from its first copy on; hints and flags change nothing here.
std::string impossible_batch(std::span<const std::size_t> bytes,
                             std::span<const cudaMemcpyAttributes> attributes,
                             std::span<const std::size_t> first_copies) {
  for (std::size_t k = 0; k < attributes.size(); ++k) {
    const std::size_t first = first_copies[k];
    const cudaMemcpyAttributes& given = attributes[k];
    const bool in_order = k == 0 ? first == 0 : first > first_copies[k - 1] && first < bytes.size();
    if (!in_order || given.srcAccessOrder < 1 || given.srcAccessOrder > 3 || given.flags > 1)
      return fmt::format("attribute {} begins with copy {}, srcAccessOrder {}, flags {}", k, first,
                         given.srcAccessOrder, given.flags);
  }
  for (std::size_t k = 0; k < bytes.size(); ++k)
    if (bytes[k] == 0) return fmt::format("copy {} has no bytes", k);
  return "";
}

}  // namespace

cudaError cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return in_default_stream("cudaMemcpy", bytes, [&](Context& state) {
    const cudaError error = copy(state, line(to, bytes), line(from, bytes), kind);
    return error != cudaSuccess ? error : state.launched();
  });
}

cudaError cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                          cudaStream_t stream) {
  return with_stream("cudaMemcpyAsync", stream, [&](Context& state) {
    if (bytes == 0 || !is_captured(state, stream))
      return copy(state, line(to, bytes), line(from, bytes), kind);
    return write_down(state, stream, NodeType::memcpy, [&](GraphNode& node) {
      return set_copy(state, to, from, bytes, kind, node);
    });
  });
}

cudaError cudaMemcpyBatchAsync(void* const* to, const void* const* from, const std::size_t* bytes,
                               std::size_t count, cudaMemcpyAttributes* attributes,
                               std::size_t* first_copies, std::size_t attribute_count,
                               cudaStream_t stream) {
  return with_stream("cudaMemcpyBatchAsync", stream, [&](Context& state) {
    constexpr std::uintptr_t kLegacy = 1;
    if (reinterpret_cast<std::uintptr_t>(stream) <= kLegacy)
      return refuse(state, cudaErrorInvalidValue, "not in the default stream; make one");
    if (to == nullptr || from == nullptr || bytes == nullptr || attributes == nullptr ||
        first_copies == nullptr || count == 0 || attribute_count == 0 || attribute_count > count)
      return refuse(state, cudaErrorInvalidValue,
                    fmt::format("{} copies with {} attributes", count, attribute_count));
    const std::string why = impossible_batch({bytes, count}, {attributes, attribute_count},
                                             {first_copies, attribute_count});
    if (!why.empty()) return refuse(state, cudaErrorInvalidValue, why);
    for (std::size_t k = 0; k < count; ++k) {
      const auto work = [to = line(to[k], bytes[k]), from = line(from[k], bytes[k])](
                            Context& there) { return copy(there, to, from, cudaMemcpyDefault); };
      if (const cudaError error = submit(state, stream, NodeType::memcpy, work);
          error != cudaSuccess)
        return error;
    }
    return cudaSuccess;
  });
}

cudaError cudaMemcpy2D(void* to, std::size_t to_pitch_bytes, const void* from,
                       std::size_t from_pitch_bytes, std::size_t width_bytes, std::size_t height,
                       cudaMemcpyKind kind) {
  return cudaMemcpy2DAsync(to, to_pitch_bytes, from, from_pitch_bytes, width_bytes, height, kind,
                           nullptr);
}

cudaError cudaMemcpy2DAsync(void* to, std::size_t to_pitch_bytes, const void* from,
                            std::size_t from_pitch_bytes, std::size_t width_bytes,
                            std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return with_stream("cudaMemcpy2D", stream, [&](Context& state) {
    const Area target = rows(to, to_pitch_bytes, width_bytes, height);
    const Area source = rows(from, from_pitch_bytes, width_bytes, height);
    if (is_empty(target)) return cudaSuccess;
    if (is_captured(state, stream))
      if (const cudaError error = check_copy_ahead(state, target, source, kind);
          error != cudaSuccess)
        return error;
    return submit(state, stream, NodeType::memcpy,
                  [=](Context& there) { return copy_rows(there, target, source, kind); });
  });
}

LANESCOPE_TWIN(cudaMemcpy, _ptds);
LANESCOPE_TWIN(cudaMemcpyAsync, _ptsz);
LANESCOPE_TWIN(cudaMemcpyBatchAsync, _ptsz);
LANESCOPE_TWIN(cudaMemcpy2D, _ptds);
LANESCOPE_TWIN(cudaMemcpy2DAsync, _ptsz);

}  // namespace lanescope::cudart

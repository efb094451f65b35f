// SPDX-License-Identifier: MIT
// Attributes of streams: hints about caches and priorities, remembered, nothing else.
#include <algorithm>
#include <cstring>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/launch.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

namespace {

// cudaLaunchAttributeID of what a stream has.
constexpr int kAccessPolicyWindow = 1, kSynchronizationPolicy = 3, kPriority = 8;
constexpr int kMemSyncDomainMap = 9, kMemSyncDomain = 10;
constexpr int kStreamAttributes[] = {kAccessPolicyWindow, kSynchronizationPolicy, kPriority,
                                     kMemSyncDomainMap, kMemSyncDomain};

bool has_attribute(int attribute) {
  return std::count(std::begin(kStreamAttributes), std::end(kStreamAttributes), attribute) != 0;
}

AttributeValue attribute_of(const Context& state, cudaStream_t stream, int attribute) {
  AttributeValue value{};
  if (attribute == kPriority) {
    const int priority = look_at(state, stream).priority;
    std::memcpy(value.data(), &priority, sizeof priority);
    return value;
  }
  const auto found = state.stream_attributes.find({stream_number(stream), attribute});
  return found == state.stream_attributes.end() ? value : found->second;
}

void set_attribute(Context& state, cudaStream_t stream, int attribute,
                   const AttributeValue& value) {
  const std::uint64_t handle = stream_number(stream);
  const auto found = state.streams.find(handle);
  if (attribute != kPriority) {
    state.stream_attributes[{handle, attribute}] = value;
  } else if (found != state.streams.end()) {
    int priority = 0;
    std::memcpy(&priority, value.data(), sizeof priority);
    found->second.priority = within_range(priority);
  }
}

}  // namespace

cudaError cudaStreamSetAttribute(cudaStream_t stream, int attribute, const void* value) {
  return with_stream("cudaStreamSetAttribute", stream, [&](Context& state) {
    AttributeValue kept;
    if (!is_mapped(value, kept.size()) || !has_attribute(attribute)) return cudaErrorInvalidValue;
    if (!is_possible(attribute, value)) return cudaErrorInvalidValue;
    std::memcpy(kept.data(), value, kept.size());
    set_attribute(state, stream, attribute, kept);
    return cudaSuccess;
  });
}

cudaError cudaStreamGetAttribute(cudaStream_t stream, int attribute, void* value) {
  return with_stream("cudaStreamGetAttribute", stream, [&](Context& state) {
    if (!is_mapped(value, sizeof(AttributeValue)) || !has_attribute(attribute))
      return cudaErrorInvalidValue;
    const AttributeValue kept = attribute_of(state, stream, attribute);
    std::memcpy(value, kept.data(), kept.size());
    return cudaSuccess;
  });
}

cudaError cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return with_stream("cudaStreamCopyAttributes", to, [&](Context& state) {
    if (const cudaError error = use_stream(state, from); error != cudaSuccess) return error;
    for (const int attribute : kStreamAttributes)
      set_attribute(state, to, attribute, attribute_of(state, from, attribute));
    return cudaSuccess;
  });
}

LANESCOPE_TWIN(cudaStreamCopyAttributes, _ptsz);
LANESCOPE_TWIN(cudaStreamSetAttribute, _ptsz);
LANESCOPE_TWIN(cudaStreamGetAttribute, _ptsz);

}  // namespace lanescope::cudart

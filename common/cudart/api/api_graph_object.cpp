// SPDX-License-Identifier: MIT
// User objects: what the program wants to outlive every graph that uses it.
#include <limits>

#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/handle.hpp"

namespace lanescope::cudart {

namespace {

constexpr unsigned kNoSync = 1;  // cudaUserObjectNoDestructorSync: the only one there is
constexpr unsigned kMove = 1;    // cudaGraphUserObjectMove

bool is_count(unsigned count) {
  return count > 0 && count <= static_cast<unsigned>(std::numeric_limits<int>::max());
}

}  // namespace

cudaError cudaUserObjectCreate(cudaUserObject_t* object, void* what, cudaHostFn_t destroy,
                               unsigned count, unsigned flags) {
  return call("cudaUserObjectCreate", [&](Context& state) {
    if (!object || !destroy || !is_count(count) || flags != kNoSync) return cudaErrorInvalidValue;
    const std::uint64_t made = state.next_handle++;
    state.graphs.objects.objects[made] = {what, destroy, count};
    *object = handle(made);
    return cudaSuccess;
  });
}

cudaError cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return call("cudaUserObjectRetain", [&](Context& state) {
    const bool done = is_count(count) && state.graphs.objects.retain(number(object), count);
    return done ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return call("cudaUserObjectRelease", [&](Context& state) {
    const bool done = is_count(count) && state.graphs.objects.release(number(object), count);
    return done ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                    unsigned flags) {
  return call("cudaGraphRetainUserObject", [&](Context& state) {
    UserObjects& objects = state.graphs.objects;
    if (!state.graphs.find(graph) || !is_count(count) || flags > kMove ||
        objects.objects.count(number(object)) == 0)
      return cudaErrorInvalidValue;
    if (flags != kMove) objects.retain(number(object), count);
    objects.kept[number(graph)][number(object)] += count;
    return cudaSuccess;
  });
}

cudaError cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  return call("cudaGraphReleaseUserObject", [&](Context& state) {
    UserObjects& objects = state.graphs.objects;
    const auto keeper = objects.kept.find(number(graph));
    if (keeper == objects.kept.end() || !is_count(count)) return cudaErrorInvalidValue;
    const auto kept = keeper->second.find(number(object));
    if (kept == keeper->second.end() || kept->second < count) return cudaErrorInvalidValue;
    kept->second -= count;
    if (kept->second == 0) keeper->second.erase(kept);
    return objects.release(number(object), count) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

}  // namespace lanescope::cudart

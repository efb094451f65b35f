// SPDX-License-Identifier: MIT
// See node_work.hpp.
#include "cudart/graph/node_work.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "cudart/api/api.hpp"
#include "cudart/area.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/volume.hpp"

namespace lanescope::cudart {

namespace {

bool is_on_card(const Context& context, const void* pointer) {
  const Allocation* found = context.memory.containing(number(pointer));
  return found ? !found->on_host() : context.graphs.memory.around(number(pointer));
}

/// "DtoH": by where the pointers lead, as cudaMemcpyDefault has it.
std::string_view way_of(const Context& context, const void* to, const void* from) {
  constexpr std::string_view kWays[2][2] = {{"HtoH", "HtoD"}, {"DtoH", "DtoD"}};
  return kWays[is_on_card(context, from) ? 1 : 0][is_on_card(context, to) ? 1 : 0];
}

template <class Value>
void keep(GraphNode& node, cudaLaunchAttributeID id, const Value& value) {
  static_assert(sizeof value <= sizeof(AttributeValue));
  std::memcpy(node.attributes[id].data(), &value, sizeof value);
}

/// The shape of the node's launch, with what its attributes say.
LaunchShape shape_of(const cudaKernelNodeParams& params, const GraphNode& node) {
  LaunchShape shape{params.gridDim, params.blockDim, {}, params.sharedMemBytes};
  for (const auto& [id, value] : node.attributes) {
    cudaLaunchAttribute given{static_cast<cudaLaunchAttributeID>(id), {}, {}};
    std::memcpy(given.val.bytes, value.data(), value.size());
    apply_attributes(&given, 1, shape);
  }
  return shape;
}

void set_kernel(KernelWork work, const cudaKernelNodeParams& params, GraphNode& node) {
  node.label = work.function->name;
  node.given = std::make_shared<GivenParameters>();
  node.given->values = work.parameters;
  for (const auto& parameter : work.function->kernel->parameters)
    node.given->arguments.push_back(node.given->values.data() + parameter.offset_bytes);
  node.given->all.kernel = params;
  node.given->all.kernel.kernelParams = node.given->arguments.data();
  node.given->all.kernel.extra = nullptr;
  node.work = [work = std::move(work)](Context& state) { return run(state, work); };
}

}  // namespace

cudaError submit(Context& context, cudaStream_t stream, KernelWork work, const void* function) {
  if (!is_captured(context, stream)) {
    context.next_may_begin_early = work.shape.programmatic && context.last_kernel_in == stream;
    const cudaError error = run(context, work);
    context.last_kernel_in = stream;
    return error;
  }
  GraphNode node;
  node.type = NodeType::kernel;
  const LaunchShape shape = work.shape;
  if (shape.names_cluster) keep(node, cudaLaunchAttributeClusterDimension, shape.cluster);
  if (shape.cooperative) keep(node, cudaLaunchAttributeCooperative, 1);
  node.is_programmatic = shape.programmatic;
  set_kernel(std::move(work),
             {const_cast<void*>(function), shape.asked_grid, shape.asked_block,
              static_cast<unsigned>(shape.dynamic_shared_bytes), nullptr, nullptr},
             node);
  return write_down(context, stream, std::move(node));
}

cudaError set_kernel(Context& context, const cudaKernelNodeParams* params, GraphNode& node) {
  if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
  Function* function = context.find_function(params->func);
  if (!function) return not_a_kernel(params->func);
  if (!params->kernelParams && params->extra)
    return refuse(context, cudaErrorNotSupported, "kernel nodes with `extra` are not emulated");
  KernelWork made;
  const cudaError error =
      prepare(context, *function, shape_of(*params, node), params->kernelParams, made);
  if (error != cudaSuccess) return error;
  set_kernel(std::move(made), *params, node);
  return cudaSuccess;
}

cudaError set_copy(const Context& context, const cudaMemcpy3DParms* params, GraphNode& node) {
  if (!is_mapped(params, sizeof *params) || is_empty(params->extent)) return cudaErrorInvalidValue;
  if (const cudaError error = check_volume_ahead(context, *params); error != cudaSuccess)
    return error;
  node.way = way_of(context, params->dstPtr.ptr, params->srcPtr.ptr);
  const cudaExtent& extent = params->extent;
  node.label = fmt::format("({},{})", node.way, extent.width * extent.height * extent.depth);
  node.given = std::make_shared<GivenParameters>();
  node.given->all.memcpy.copyParams = *params;
  node.work = [copy = *params](Context&) { return cudaMemcpy3D(&copy); };
  return cudaSuccess;
}

cudaError set_copy(const Context& context, void* to, const void* from, std::size_t bytes,
                   cudaMemcpyKind kind, GraphNode& node) {
  if (bytes == 0) return cudaErrorInvalidValue;
  const cudaError error = check_copy_ahead(context, line(to, bytes), line(from, bytes), kind);
  if (error != cudaSuccess) return error;
  node.way = way_of(context, to, from);
  node.label = fmt::format("({},{})", node.way, bytes);
  node.given = std::make_shared<GivenParameters>();
  cudaMemcpy3DParms& same = node.given->all.memcpy.copyParams;
  same.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
  same.dstPtr = {to, bytes, bytes, 1};
  same.extent = {bytes, 1, 1};
  same.kind = kind;
  node.work = [=](Context&) { return cudaMemcpy(to, from, bytes, kind); };
  return cudaSuccess;
}

cudaError set_fill(const Context& context, const cudaMemsetParams* params, GraphNode& node) {
  if (!is_mapped(params, sizeof *params)) return cudaErrorInvalidValue;
  const cudaMemsetParams& fill = *params;
  const bool has_size = fill.elementSize == 1 || fill.elementSize == 2 || fill.elementSize == 4;
  std::size_t width_bytes = 0;
  if (!fill.dst || fill.width == 0 || fill.height == 0 || !has_size ||
      __builtin_mul_overflow(fill.width, fill.elementSize, &width_bytes))
    return cudaErrorInvalidValue;
  const cudaError error = check_fill_ahead(
      context, rows(fill.dst, fill.pitch, width_bytes, fill.height), fill.elementSize);
  return error != cudaSuccess ? error : set_captured_fill(context, fill, node);
}

cudaError set_captured_fill(const Context& context, const cudaMemsetParams& fill, GraphNode& node) {
  if (const cudaError error = check_pitch(
          context, rows(fill.dst, fill.pitch, fill.width * fill.elementSize, fill.height));
      error != cudaSuccess)
    return error;
  node.label = fmt::format("({},{})", fill.value, fill.width * fill.elementSize * fill.height);
  node.given = std::make_shared<GivenParameters>();
  node.given->all.memset = fill;
  node.is_rows = fill.height > 1;
  node.work = [fill](Context&) {
    return fill_values(fill.dst, fill.pitch, fill.value, fill.elementSize, fill.width, fill.height,
                       nullptr);
  };
  return cudaSuccess;
}

cudaError set_host(const cudaHostNodeParams* params, GraphNode& node) {
  if (!is_mapped(params, sizeof *params) || !params->fn) return cudaErrorInvalidValue;
  node.given = std::make_shared<GivenParameters>();
  node.given->all.host = *params;
  node.host = HostWork{params->fn, params->userData};
  return cudaSuccess;
}

cudaError set_record(const Context& context, cudaEvent_t event, GraphNode& node) {
  if (context.events.count(number(event)) == 0) return cudaErrorInvalidResourceHandle;
  node.given = std::make_shared<GivenParameters>();
  node.given->all.event = event;
  node.work = [=](Context& there) {
    const auto found = there.events.find(number(event));
    if (found == there.events.end()) return cudaErrorInvalidResourceHandle;
    found->second.captured.reset();
    found->second.recorded = std::chrono::steady_clock::now();
    return cudaSuccess;
  };
  return cudaSuccess;
}

cudaError set_wait(const Context& context, cudaEvent_t event, GraphNode& node) {
  if (context.events.count(number(event)) == 0) return cudaErrorInvalidResourceHandle;
  node.given = std::make_shared<GivenParameters>();
  node.given->all.event = event;
  node.work = [=](Context& there) {  // what has been recorded has happened
    return there.events.count(number(event)) != 0 ? cudaSuccess : cudaErrorInvalidResourceHandle;
  };
  return cudaSuccess;
}

cudaError set_child(Context& context, cudaGraph_t child, GraphNode& node) {
  const Graph* inner = context.graphs.find(child);
  auto ordered = inner ? in_order(*inner) : std::nullopt;
  if (!ordered || inner->find(node.handle)) return cudaErrorInvalidValue;
  node.inner = std::move(*ordered);
  node.child = 0;
  return cudaSuccess;
}

cudaError set_parameters(Context& context, GraphNode& node, const cudaGraphNodeParams& params) {
  const bool is_reserved_zero = params.reserved0[0] == 0 && params.reserved0[1] == 0 &&
                                params.reserved0[2] == 0 && params.reserved2 == 0;
  if (params.type != static_cast<int>(node.type) || !is_reserved_zero) return cudaErrorInvalidValue;
  switch (node.type) {
    case NodeType::kernel:
      return set_kernel(context, &params.kernel, node);
    case NodeType::memcpy:
      return set_copy(context, &params.memcpy.copyParams, node);
    case NodeType::memset:
      return set_fill(context, &params.memset, node);
    case NodeType::host:
      return set_host(&params.host, node);
    case NodeType::record_event:
      return set_record(context, params.event, node);
    case NodeType::wait_event:
      return set_wait(context, params.event, node);
    case NodeType::graph:
      return set_child(context, params.graph, node);
    case NodeType::empty:
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

bool can_become(const GraphNode& node, const GraphNode& other) {
  return node.type == other.type && node.way == other.way && node.is_rows == other.is_rows;
}

}  // namespace lanescope::cudart

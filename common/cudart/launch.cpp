// SPDX-License-Identifier: MIT
// Launches: what the runtime refuses before a kernel starts, the kernel's parameters as bytes, and
// what is left behind when a kernel faults. Error codes as in "Execution Control" of the runtime
// API.
#include "cudart/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "cudart/device_launches.hpp"
#include "cudart/errors.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/occupancy.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::cudart {

namespace {

constexpr std::size_t kUsualStack = 16384;  // of a thread, for its calls
constexpr std::size_t kMostStack = std::size_t{1} << 19;

using Size = std::array<unsigned, 3>;

Size to_size(const dim3& size) { return {size.x, size.y, size.z}; }

std::string to_string(const Size& size) {
  return fmt::format("({}, {}, {})", size[0], size[1], size[2]);
}

/// "" when the block and the grid are possible.
std::string impossible_shape(const LaunchShape& shape) {
  const Size grid = to_size(shape.grid);
  const Size block = to_size(shape.block);
  std::uint64_t threads = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (grid[axis] == 0 || grid[axis] > static_cast<unsigned>(kMaxGrid[axis]))
      return fmt::format("grid {}: each must be 1 to ({}, {}, {})", to_string(grid), kMaxGrid[0],
                         kMaxGrid[1], kMaxGrid[2]);
    if (block[axis] == 0 || block[axis] > static_cast<unsigned>(kMaxBlock[axis]))
      return fmt::format("block {}: each must be 1 to ({}, {}, {})", to_string(block), kMaxBlock[0],
                         kMaxBlock[1], kMaxBlock[2]);
    threads *= block[axis];
  }
  if (threads > kMaxThreadsPerBlock)
    return fmt::format("block {} has {} threads; the most is {}", to_string(block), threads,
                       kMaxThreadsPerBlock);
  return "";
}

/// "" when the cluster fits the grid, the kernel and the card.
std::string impossible_cluster(const Function& function, const LaunchShape& shape) {
  const Size grid = to_size(shape.grid);
  const Size cluster = to_size(shape.cluster), rather = to_size(shape.rather);
  if (rather != Size{} && !shape.names_cluster && required_cluster(function)[0] == 0)
    return fmt::format("preferred cluster {}, and no cluster beside it", to_string(rather));
  std::uint64_t blocks = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (rather != Size{} &&
        (rather[axis] == 0 || rather[axis] % cluster[axis] != 0 || grid[axis] % rather[axis] != 0))
      return fmt::format(
          "preferred cluster {} is not made of clusters {}, or does not divide grid {}",
          to_string(rather), to_string(cluster), to_string(grid));
    if (cluster[axis] == 0 || grid[axis] % cluster[axis] != 0)
      return fmt::format("cluster {} does not divide grid {}", to_string(cluster), to_string(grid));
    blocks *= cluster[axis];
  }
  const std::array<int, 3> required = required_cluster(function);
  for (int axis = 0; axis < 3 && required[0] != 0; ++axis)
    if (cluster[axis] != static_cast<unsigned>(required[axis]))
      return fmt::format("cluster {}, but it was compiled for ({}, {}, {})", to_string(cluster),
                         required[0], required[1], required[2]);
  const int most = most_cluster_blocks(function);
  if (blocks <= static_cast<std::uint64_t>(most)) return "";
  return fmt::format("{} blocks in a cluster; the most is {}{}", blocks, most,
                     most < 16 ? ", 16 with cudaFuncAttributeNonPortableClusterSizeAllowed" : "");
}

/// The name is made readable only here: launches that are fine need none.
cudaError refuse_kernel(const Context& context, cudaError error, const std::string& mangled,
                        const std::string& why) {
  return refuse(context, error, trace::as_written(mangled) + ": " + why);
}

/// What the kernel itself asks for, with the code the runtime answers.
cudaError check_kernel(const Context& context, const Function& function, const LaunchShape& shape) {
  const emulator::Kernel& kernel = *function.kernel;
  const Size block = to_size(shape.block);
  const int threads = threads_of(shape.block);
  if (threads > kernel.max_threads_per_block)
    return refuse_kernel(context, cudaErrorInvalidValue, kernel.name,
                         fmt::format("block {} has {} threads, its __launch_bounds__ allow {}",
                                     to_string(block), threads, kernel.max_threads_per_block));
  if (threads > most_threads(function))
    return refuse_kernel(
        context, cudaErrorLaunchOutOfResources, kernel.name,
        fmt::format("block {} has {} threads of {} registers, there are enough for "
                    "{}; give it __launch_bounds__({})",
                    to_string(block), threads, registers_of(function), most_threads(function),
                    threads));
  const std::array<int, 3>& required = kernel.required_threads;
  if (required[0] != 0)
    for (int axis = 0; axis < 3; ++axis)
      if (block[axis] != static_cast<unsigned>(std::max(required[axis], 1)))
        return refuse_kernel(context, cudaErrorInvalidValue, kernel.name,
                             fmt::format("block {}, but it was compiled for ({}, {}, {})",
                                         to_string(block), required[0], required[1], required[2]));
  if (const std::string why = impossible_cluster(function, shape); !why.empty())
    return refuse_kernel(context, cudaErrorInvalidClusterSize, kernel.name, why);
  const std::int64_t limit = dynamic_shared_limit(function);
  if (shape.dynamic_shared_bytes <= static_cast<std::uint64_t>(limit)) return cudaSuccess;
  const auto most = static_cast<std::uint64_t>(
      std::max(context.card->shared_bytes_per_block_optin() - kernel.static_shared_bytes, 0));
  const std::string advice = shape.dynamic_shared_bytes > most
                                 ? fmt::format("sm_{} has {} for a block", context.card->sm, most)
                                 : fmt::format(
                                       "call cudaFuncSetAttribute(kernel, "
                                       "cudaFuncAttributeMaxDynamicSharedMemorySize, {}) before",
                                       shape.dynamic_shared_bytes);
  return refuse_kernel(context, cudaErrorInvalidValue, kernel.name,
                       fmt::format("{} bytes of dynamic shared memory, {} allowed; {}",
                                   shape.dynamic_shared_bytes, limit, advice));
}

}  // namespace

std::size_t parameter_bytes(const emulator::Kernel& kernel) {
  std::size_t end = 0;
  for (const auto& parameter : kernel.parameters)
    end = std::max(end, static_cast<std::size_t>(parameter.offset_bytes + parameter.size_bytes));
  return end;
}

namespace {

/// The parameters as the kernel's .param space has them. False when a pointer is wild.
bool gather(const emulator::Kernel& kernel, void** arguments, std::vector<std::byte>& bytes) {
  bytes.assign(parameter_bytes(kernel), std::byte{0});
  if (kernel.parameters.empty()) return true;
  if (!is_mapped(arguments, kernel.parameters.size() * sizeof(void*))) return false;
  for (std::size_t index = 0; index < kernel.parameters.size(); ++index) {
    const auto& parameter = kernel.parameters[index];
    const auto size_bytes = static_cast<std::size_t>(parameter.size_bytes);
    if (!is_mapped(arguments[index], size_bytes)) return false;
    std::memcpy(bytes.data() + parameter.offset_bytes, arguments[index], size_bytes);
  }
  return true;
}

/// What cooperative_groups::this_grid() finds through %envreg1 and 2: its size, and the barrier.
/// Source: struct grid_workspace in cooperative_groups/details/info.h.
cudaError prepare_grid_workspace(Context& context) {
  constexpr std::uint32_t kWorkspace[2] = {8, 0};
  if (context.grid_workspace == 0) {
    const auto made = context.machine->allocate(sizeof kWorkspace);
    if (!made.ok()) return cudaErrorMemoryAllocation;
    context.grid_workspace = made.value;
  }
  std::memcpy(reinterpret_cast<void*>(context.grid_workspace), kWorkspace, sizeof kWorkspace);
  return cudaSuccess;
}

std::array<int, 3> to_ints(const dim3& size) {
  return {static_cast<int>(size.x), static_cast<int>(size.y), static_cast<int>(size.z)};
}

}  // namespace

// Everything but the parameters, in the order in which a card looks.
cudaError check_launch(Context& context, Function& function, LaunchShape& shape) {
  if (const cudaError error = resolve(context, function); error != cudaSuccess) return error;
  complete_cluster(function, shape);
  if (const std::string why = impossible_shape(shape); !why.empty())
    return refuse_kernel(context, cudaErrorInvalidValue, function.name, why);
  if (volume(shape.cluster, 1) > 1 && context.card->sm < 90)
    return refuse_kernel(
        context, cudaErrorInvalidConfiguration, function.name,
        fmt::format("clusters need sm_90 or newer, this is sm_{}", context.card->sm));
  if (const cudaError error = check_kernel(context, function, shape); error != cudaSuccess)
    return error;
  if (!shape.cooperative) return cudaSuccess;
  const std::int64_t resident = resident_blocks(context, function, shape);
  const std::uint64_t blocks = std::uint64_t{shape.grid.x} * shape.grid.y * shape.grid.z;
  if (blocks <= static_cast<std::uint64_t>(resident)) return cudaSuccess;
  return refuse_kernel(context, cudaErrorCooperativeLaunchTooLarge, function.name,
                       fmt::format("{} blocks, and the card runs {} at a time ({} on each of {} "
                                   "multiprocessors)",
                                   blocks, resident, resident / context.card->multiprocessors,
                                   context.card->multiprocessors));
}

cudaError prepare(Context& context, Function& function, LaunchShape shape, void** arguments,
                  KernelWork& work) {
  if (const cudaError error = check_launch(context, function, shape); error != cudaSuccess)
    return error;
  work = {&function, shape, {}};
  if (gather(*function.kernel, arguments, work.parameters)) return cudaSuccess;
  return refuse_kernel(context, cudaErrorInvalidValue, function.name,
                       "a kernel argument points to memory that is not there");
}

cudaError prepare(Context& context, Function& function, LaunchShape shape,
                  std::span<const std::byte> parameters, KernelWork& work) {
  if (const cudaError error = check_launch(context, function, shape); error != cudaSuccess)
    return error;
  work = {&function, shape, {parameters.begin(), parameters.end()}};
  const std::size_t needed = parameter_bytes(*function.kernel);
  if (parameters.size() >= needed) return cudaSuccess;
  return refuse_kernel(context, cudaErrorInvalidValue, function.name,
                       fmt::format("{} bytes of parameters, it has {}", parameters.size(), needed));
}

namespace {

/// One grid; what its threads launch is in `launches` behind it.
cudaError run_grid(Context& context, const KernelWork& work, const DeviceLaunches& launches) {
  const auto& [function_pointer, shape, parameters] = work;
  Function& function = *function_pointer;
  // On an H200 the grid's barrier works in a plain launch, too.
  if (const cudaError error = prepare_grid_workspace(context); error != cudaSuccess) return error;
  context.flush_printed();
  emulator::LaunchRequest request{
      .kernel = function.kernel,
      .grid = to_ints(shape.grid),
      .block = to_ints(shape.block),
      .cluster = to_ints(shape.cluster),
      .dynamic_shared_bytes = static_cast<std::int64_t>(shape.dynamic_shared_bytes),
      .parameters = parameters,
      .device = launches.runtime(),
      .most_resident = resident_blocks(context, function, shape),
      .grid_workspace = context.grid_workspace};
  if (const auto set = context.limits.find(kLimitHeap); set != context.limits.end())
    request.heap_bytes = set->second;
  // cudaLimitStackSize, where it is more than usual here
  if (const auto set = context.limits.find(kLimitStack); set != context.limits.end())
    request.stack_bytes =
        static_cast<std::int64_t>(std::clamp(set->second, kUsualStack, kMostStack));
  context.tracing->begin(function.name, *context.machine, request);
  context.counting.begin(request);
  context.checking->begin(request);
  context.progress.begin(request);
  const emulator::LaunchReport report = context.machine->launch(request);
  context.checking->end(report);
  context.tracing->end(report);
  context.printed += report.printed;
  if (!report.warning.empty() && !function.was_warned_of) {
    function.was_warned_of = true;  // once a kernel
    say(report.warning);
  }
  if (!report.error) return cudaSuccess;

  if (report.reports.empty()) say(report.error.message);  // else it is one of them
  const cudaError error = to_cuda(report.error);
  if (!is_sticky(error)) return error;
  context.pending = error;  // a GPU would still be running: the launch itself has gone well
  return cudaSuccess;
}

}  // namespace

cudaError run(Context& context, const KernelWork& work) {
  std::vector<DeviceWork> left;  // the next one last
  left.push_back({work, {}});
  cudaError error = cudaSuccess;
  while (!left.empty() && error == cudaSuccess && context.pending == cudaSuccess) {
    const DeviceWork next = std::move(left.back());
    left.pop_back();
    if (!next.kernel) {
      error = next.other(context);
      continue;
    }
    DeviceLaunches launches(context, next.kernel->function->binary);
    error = run_grid(context, *next.kernel, launches);
    std::vector<DeviceWork> more = launches.take();
    std::move(more.begin(), more.end(), std::back_inserter(left));
  }
  return error;
}

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// Launches: the kernel's parameters as bytes, the launch, and what is left behind when a kernel
// faults. What is refused before is in launch_check.cpp.
#include "cudart/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "cudart/device_launches.hpp"
#include "cudart/errors.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/occupancy.hpp"

namespace lanescope::cudart {

namespace {

constexpr std::size_t kUsualStack = 16384;  // of a thread, for its calls
constexpr std::size_t kMostStack = std::size_t{1} << 19;

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
      .names_cluster = shape.names_cluster || required_cluster(function)[0] != 0,
      .dynamic_shared_bytes = static_cast<std::int64_t>(shape.dynamic_shared_bytes),
      .parameters = parameters,
      .device = launches.runtime(),
      .multiprocessors = context.card->multiprocessors,
      .most_resident = resident_blocks(context, function, shape),
      .grid_workspace = context.grid_workspace,
      .may_begin_early = std::exchange(context.next_may_begin_early, false)};
  if (const auto set = context.limits.find(kLimitHeap); set != context.limits.end())
    request.heap_bytes = set->second;
  // cudaLimitStackSize, where it is more than usual here
  if (const auto set = context.limits.find(kLimitStack); set != context.limits.end())
    request.stack_bytes =
        static_cast<std::int64_t>(std::clamp(set->second, kUsualStack, kMostStack));
  context.saving->begin(function, shape, parameters, *context.machine);
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

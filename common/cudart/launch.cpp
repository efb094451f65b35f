// SPDX-License-Identifier: MIT
// Launches: what the runtime refuses before a kernel starts, the kernel's parameters as bytes, and
// what is left behind when a kernel faults. Error codes as in "Execution Control" of the runtime
// API.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "cudart/context.hpp"
#include "cudart/errors.hpp"
#include "cudart/host_memory.hpp"

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
  const Size cluster = to_size(shape.cluster);
  std::uint64_t blocks = 1;
  for (int axis = 0; axis < 3; ++axis) {
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

/// What the kernel itself asks for, with the code the runtime answers.
cudaError check_kernel(const Context& context, const Function& function, const LaunchShape& shape) {
  const emulator::Kernel& kernel = *function.kernel;
  const Size block = to_size(shape.block);
  const unsigned threads = block[0] * block[1] * block[2];
  if (threads > static_cast<unsigned>(kernel.max_threads_per_block))
    return refuse(
        context, cudaErrorInvalidValue,
        fmt::format("{}: block {} has {} threads, its __launch_bounds__ allow {}", kernel.name,
                    to_string(block), threads, kernel.max_threads_per_block));
  if (threads > static_cast<unsigned>(most_threads(function)))
    return refuse(context, cudaErrorLaunchOutOfResources,
                  fmt::format("{}: block {} has {} threads of {} registers, there are enough for "
                              "{}; give it __launch_bounds__({})",
                              kernel.name, to_string(block), threads, registers_of(function),
                              most_threads(function), threads));
  const std::array<int, 3>& required = kernel.required_threads;
  if (required[0] != 0)
    for (int axis = 0; axis < 3; ++axis)
      if (block[axis] != static_cast<unsigned>(std::max(required[axis], 1)))
        return refuse(context, cudaErrorInvalidValue,
                      fmt::format("{}: block {}, but it was compiled for ({}, {}, {})", kernel.name,
                                  to_string(block), required[0], required[1], required[2]));
  if (const std::string why = impossible_cluster(function, shape); !why.empty())
    return refuse(context, cudaErrorInvalidClusterSize, kernel.name + ": " + why);
  const std::int64_t limit = dynamic_shared_limit(context, function);
  if (shape.dynamic_shared_bytes <= static_cast<std::uint64_t>(limit)) return cudaSuccess;
  const auto most = static_cast<std::uint64_t>(
      std::max(context.card->shared_bytes_per_block_optin - kernel.static_shared_bytes, 0));
  const std::string advice = shape.dynamic_shared_bytes > most
                                 ? fmt::format("sm_{} has {} for a block", context.card->sm, most)
                                 : fmt::format(
                                       "call cudaFuncSetAttribute(kernel, "
                                       "cudaFuncAttributeMaxDynamicSharedMemorySize, {}) before",
                                       shape.dynamic_shared_bytes);
  return refuse(context, cudaErrorInvalidValue,
                fmt::format("{}: {} bytes of dynamic shared memory, {} allowed; {}", kernel.name,
                            shape.dynamic_shared_bytes, limit, advice));
}

/// The parameters as the kernel's .param space has them. Empty and false when a pointer is wild.
bool gather(const emulator::Kernel& kernel, void** arguments, std::vector<std::byte>& bytes) {
  std::size_t end = 0;
  for (const auto& parameter : kernel.parameters)
    end = std::max<std::size_t>(end, static_cast<std::size_t>(parameter.offset_bytes) +
                                         static_cast<std::size_t>(parameter.size_bytes));
  bytes.assign(end, std::byte{0});
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

/// How many blocks of this launch the card runs at a time.
std::int64_t resident_blocks(const Context& context, const Function& function,
                             const LaunchShape& shape) {
  const auto threads = static_cast<int>(shape.block.x * shape.block.y * shape.block.z);
  return std::int64_t{context.card->multiprocessors} *
         blocks_per_multiprocessor(context, function, threads, shape.dynamic_shared_bytes);
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

std::array<int, 3> required_cluster(const Function& function) {
  const std::array<int, 3>& asked = function.asked_cluster;
  if (function.kernel->required_cluster[0] != 0 || asked == std::array<int, 3>{0, 0, 0})
    return function.kernel->required_cluster;
  return {std::max(asked[0], 1), std::max(asked[1], 1), std::max(asked[2], 1)};
}

int most_cluster_blocks(const Function& function) {
  return function.nonportable_cluster != 0 ? 16 : 8;
}

std::int64_t dynamic_shared_limit(const Context&, const Function& function) {
  if (function.dynamic_shared_limit_bytes >= 0) return function.dynamic_shared_limit_bytes;
  return std::max(kSharedBytesPerBlock - function.kernel->static_shared_bytes, 0);
}

int registers_of(const Function& function) {
  const auto& all = function.binary->registers;
  const auto found = all.find(function.name);
  return found == all.end() ? 0 : found->second;
}

// Registers are given to warps, 256 at a time, and lie in the four parts of a multiprocessor.
// Source: CUDA C++ Programming Guide, 5.2.3 (occupancy), and cuda_occupancy.h.
namespace {
constexpr int kParts = 4, kRegistersPerPart = 16384, kRegisterUnit = 256;

/// 0: nobody knows.
int warps_with_registers(const Function& function) {
  const int registers = registers_of(function);
  if (registers == 0) return 0;
  const int of_warp = (32 * registers + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit;
  return kRegistersPerPart / of_warp * kParts;
}
}  // namespace

int most_threads(const Function& function) {
  const int warps = warps_with_registers(function);
  const int most = function.kernel->max_threads_per_block;
  return warps == 0 ? most : std::min(most, 32 * warps);
}

int blocks_per_multiprocessor(const Context& context, const Function& function, int block_threads,
                              std::size_t dynamic_shared_bytes) {
  const Card& card = *context.card;
  // Whole warps are allocated.
  const int warp_threads = (block_threads + 31) / 32 * 32;
  // A card does not look at __launch_bounds__ here, only at registers.
  if (block_threads > kMaxThreadsPerBlock) return 0;
  if (dynamic_shared_bytes > static_cast<std::uint64_t>(dynamic_shared_limit(context, function)))
    return 0;
  const int by_threads = card.threads_per_multiprocessor / warp_threads;
  int by_registers = card.blocks_per_multiprocessor;
  if (const int warps = warps_with_registers(function); warps > 0)
    by_registers = warps * 32 / warp_threads;
  const int wanted = function.kernel->static_shared_bytes + static_cast<int>(dynamic_shared_bytes) +
                     (card.sm >= 80 ? kReservedSharedBytes : 0);
  const int given = (wanted + kSharedUnit - 1) / kSharedUnit * kSharedUnit;
  int by_shared = card.blocks_per_multiprocessor;
  if (given > 0) by_shared = shared_bytes_of_multiprocessor(card, function.carveout, given) / given;
  return std::min({by_threads, by_registers, by_shared, card.blocks_per_multiprocessor});
}

namespace {

/// Everything but the parameters, in the order in which a card looks.
cudaError check_launch(Context& context, Function& function, LaunchShape& shape) {
  if (const cudaError error = resolve(context, function); error != cudaSuccess) return error;
  const std::array<int, 3> cluster = required_cluster(function);
  if (!shape.names_cluster && cluster[0] != 0)
    shape.cluster = {static_cast<unsigned>(cluster[0]), static_cast<unsigned>(cluster[1]),
                     static_cast<unsigned>(cluster[2])};
  if (const std::string why = impossible_shape(shape); !why.empty())
    return refuse(context, cudaErrorInvalidValue, function.name + ": " + why);
  const std::uint64_t blocks_of_cluster =
      std::uint64_t{shape.cluster.x} * shape.cluster.y * shape.cluster.z;
  if (blocks_of_cluster > 1 && context.card->sm < 90)
    return refuse(context, cudaErrorInvalidConfiguration,
                  fmt::format("{}: clusters need sm_90 or newer, this is sm_{}", function.name,
                              context.card->sm));
  if (const cudaError error = check_kernel(context, function, shape); error != cudaSuccess)
    return error;
  if (!shape.cooperative) return cudaSuccess;
  const std::int64_t resident = resident_blocks(context, function, shape);
  const std::uint64_t blocks = std::uint64_t{shape.grid.x} * shape.grid.y * shape.grid.z;
  if (blocks <= static_cast<std::uint64_t>(resident)) return cudaSuccess;
  return refuse(
      context, cudaErrorCooperativeLaunchTooLarge,
      fmt::format("{}: {} blocks, and the card runs {} at a time ({} on each of {} "
                  "multiprocessors)",
                  function.name, blocks, resident, resident / context.card->multiprocessors,
                  context.card->multiprocessors));
}

}  // namespace

cudaError prepare(Context& context, Function& function, LaunchShape shape, void** arguments,
                  KernelWork& work) {
  if (const cudaError error = check_launch(context, function, shape); error != cudaSuccess)
    return error;
  work = {&function, shape, {}};
  if (gather(*function.kernel, arguments, work.parameters)) return cudaSuccess;
  return refuse(context, cudaErrorInvalidValue,
                function.name + ": a kernel argument points to memory that is not there");
}

cudaError prepare(Context& context, Function& function, LaunchShape shape,
                  std::span<const std::byte> parameters, KernelWork& work) {
  if (const cudaError error = check_launch(context, function, shape); error != cudaSuccess)
    return error;
  work = {&function, shape, {parameters.begin(), parameters.end()}};
  std::size_t needed = 0;
  for (const auto& parameter : function.kernel->parameters)
    needed =
        std::max(needed, static_cast<std::size_t>(parameter.offset_bytes + parameter.size_bytes));
  if (parameters.size() >= needed) return cudaSuccess;
  return refuse(context, cudaErrorInvalidValue,
                fmt::format("{}: {} bytes of parameters, it has {}", function.name,
                            parameters.size(), needed));
}

cudaError run(Context& context, const KernelWork& work) {
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
      .most_resident = resident_blocks(context, function, shape),
      .grid_workspace = context.grid_workspace};
  if (const auto set = context.limits.find(kLimitHeap); set != context.limits.end())
    request.heap_bytes = set->second;
  // cudaLimitStackSize, where it is more than usual here
  if (const auto set = context.limits.find(kLimitStack); set != context.limits.end())
    request.stack_bytes =
        static_cast<std::int64_t>(std::clamp(set->second, kUsualStack, kMostStack));
  context.tracing->begin(function.name, request);
  context.counting.begin(request);
  context.checking->begin(request);
  const emulator::LaunchReport report = context.machine->launch(request);
  context.checking->end(report);
  context.tracing->end(report);
  context.printed += report.printed;
  if (!report.warning.empty() && !context.checking->is_on() && !function.was_warned_of) {
    function.was_warned_of = true;  // once a kernel
    say(report.warning);
  }
  if (!report.error) return cudaSuccess;

  if (!context.checking->is_on()) say(report.error.message);  // else it is one of the reports
  const cudaError error = to_cuda(report.error);
  if (!is_sticky(error)) return error;
  context.pending = error;  // a GPU would still be running: the launch itself has gone well
  return cudaSuccess;
}

}  // namespace lanescope::cudart

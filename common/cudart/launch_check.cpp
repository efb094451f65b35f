// SPDX-License-Identifier: MIT
// What the runtime refuses before a kernel starts. Error codes as in "Execution Control" of the
// runtime API.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "cudart/launch.hpp"
#include "cudart/occupancy.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::cudart {

namespace {

using Size = std::array<unsigned, 3>;

Size to_size(const dim3& size) { return {size.x, size.y, size.z}; }

std::string to_string(const Size& size) {
  return fmt::format("({}, {}, {})", size[0], size[1], size[2]);
}

/// "" when the block is possible.
std::string impossible_block(const LaunchShape& shape) {
  const Size block = to_size(shape.block);
  std::uint64_t threads = 1;
  for (int axis = 0; axis < 3; ++axis) {
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

/// "" when a cluster that is named is one, whatever the grid.
std::string malformed_cluster(const Function& function, const LaunchShape& shape) {
  const Size cluster = to_size(shape.cluster), rather = to_size(shape.rather);
  if (rather != Size{} && !shape.names_cluster && required_cluster(function)[0] == 0)
    return fmt::format("preferred cluster {}, and no cluster beside it", to_string(rather));
  if (shape.names_cluster && (cluster[0] == 0 || cluster[1] == 0 || cluster[2] == 0))
    return fmt::format("cluster {}: each must be 1 at least", to_string(cluster));
  return "";
}

/// "" when the cluster fits the grid, the kernel and the card.
std::string impossible_cluster(const Function& function, const LaunchShape& shape) {
  const Size grid = to_size(shape.grid);
  const Size cluster = to_size(shape.cluster), rather = to_size(shape.rather);
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
  if (std::string why = unlike_kernel(function, shape); !why.empty()) return why;
  const int most = most_cluster_blocks(function);
  if (blocks <= static_cast<std::uint64_t>(most)) return "";
  return fmt::format("{} blocks in a cluster; the most is {}{}", blocks, most,
                     most < 16 ? ", 16 with cudaFuncAttributeNonPortableClusterSizeAllowed" : "");
}

/// A block of one thread stands for the one that a kernel was compiled for.
void take_required_block(const emulator::Kernel& kernel, LaunchShape& shape) {
  const auto& required = kernel.required_threads;
  if (required[0] == 0 || threads_of(shape.block) != 1) return;
  const auto size = [](int threads) { return static_cast<unsigned>(std::max(threads, 1)); };
  shape.block = {size(required[0]), size(required[1]), size(required[2])};
}

/// Whether the kernel can have blocks of that size.
cudaError check_threads(const Context& context, const Function& function,
                        const LaunchShape& shape) {
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
  return cudaSuccess;
}

/// What else the kernel asks for, with the code the runtime answers.
cudaError check_kernel(const Context& context, const Function& function, const LaunchShape& shape) {
  const emulator::Kernel& kernel = *function.kernel;
  if (const std::string why = impossible_cluster(function, shape); !why.empty())
    return refuse_kernel(context, cudaErrorInvalidClusterSize, kernel.name, why);
  const std::int64_t limit = dynamic_shared_limit(function);
  if (shape.dynamic_shared_bytes <= static_cast<std::uint64_t>(limit)) return cudaSuccess;
  // Of a cooperative launch a card says that not one block fits.
  const cudaError error =
      shape.cooperative ? cudaErrorCooperativeLaunchTooLarge : cudaErrorInvalidValue;
  const auto most = static_cast<std::uint64_t>(
      std::max(context.card->shared_bytes_per_block_optin() - kernel.static_shared_bytes, 0));
  const std::string advice = shape.dynamic_shared_bytes > most
                                 ? fmt::format("sm_{} has {} for a block", context.card->sm, most)
                                 : fmt::format(
                                       "call cudaFuncSetAttribute(kernel, "
                                       "cudaFuncAttributeMaxDynamicSharedMemorySize, {}) before",
                                       shape.dynamic_shared_bytes);
  return refuse_kernel(context, error, kernel.name,
                       fmt::format("{} bytes of dynamic shared memory, {} allowed; {}",
                                   shape.dynamic_shared_bytes, limit, advice));
}

}  // namespace

std::string impossible_grid(const dim3& asked) {
  const Size grid = to_size(asked);
  for (int axis = 0; axis < 3; ++axis)
    if (grid[axis] == 0 || grid[axis] > static_cast<unsigned>(kMaxGrid[axis]))
      return fmt::format("grid {}: each must be 1 to ({}, {}, {})", to_string(grid), kMaxGrid[0],
                         kMaxGrid[1], kMaxGrid[2]);
  return "";
}

std::string unlike_kernel(const Function& function, const LaunchShape& shape) {
  const emulator::Kernel& kernel = *function.kernel;
  const Size cluster = to_size(shape.cluster);
  const std::array<int, 3> required = required_cluster(function);
  for (int axis = 0; axis < 3 && required[0] != 0; ++axis)
    if (cluster[axis] != static_cast<unsigned>(required[axis]))
      return fmt::format("cluster {}, but it was compiled for ({}, {}, {})", to_string(cluster),
                         required[0], required[1], required[2]);
  // Whatever cudaFuncSetAttribute says, as on an H200.
  if (kernel.explicit_cluster && kernel.required_cluster[0] == 0 && !shape.names_cluster)
    return "no cluster, and its __cluster_dims__() want one; give "
           "cudaLaunchAttributeClusterDimension";
  const int blocks = volume(shape.cluster, kernel.max_cluster);
  if (kernel.max_cluster == 0 || blocks <= kernel.max_cluster) return "";
  return fmt::format("cluster {}, its __launch_bounds__ allow {} blocks", to_string(cluster),
                     kernel.max_cluster);
}

cudaError refuse_kernel(const Context& context, cudaError error, const std::string& mangled,
                        const std::string& why) {
  return refuse(context, error, trace::as_written(mangled) + ": " + why);
}

// Everything but the parameters, in the order in which a card looks.
cudaError check_launch(Context& context, Function& function, LaunchShape& shape) {
  if (const cudaError error = resolve(context, function); error != cudaSuccess) return error;
  complete_shape(function, shape);
  take_required_block(*function.kernel, shape);
  if (const std::string why = impossible_block(shape); !why.empty())
    return refuse_kernel(context, cudaErrorInvalidValue, function.name, why);
  if (const cudaError error = check_threads(context, function, shape); error != cudaSuccess)
    return error;
  if (const std::string why = malformed_cluster(function, shape); !why.empty())
    return refuse_kernel(context, cudaErrorInvalidClusterSize, function.name, why);
  if (const std::string why = impossible_grid(shape.grid); !why.empty())
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

}  // namespace lanescope::cudart

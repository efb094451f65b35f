// SPDX-License-Identifier: MIT
// What a launch may ask for: sizes of grid, block and cluster, shared memory, parameters.
//
// Source: limits.hpp; for static shared memory ptxas.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/limits.hpp"
#include "emulator/ptx/target.hpp"
#include "emulator/report.hpp"
#include "emulator/run/launch.hpp"

namespace lanescope::emulator {
namespace {

constexpr int kMostStaticShared = 48 * 1024;  // but for sm_90a and other targets with an a

std::string dimensions(const std::array<int, 3>& size) {
  return fmt::format("({},{},{})", size[0], size[1], size[2]);
}

Error refuse(const Kernel& kernel, const std::string& what, const std::string& hint) {
  return plain_error(ErrorCode::invalid_configuration,
                     fmt::format("{}, kernel {}, {}", what, kernel.name, hint));
}

Error check_shape(const Kernel& kernel, const LaunchRequest& request) {
  std::int64_t threads = 1;
  std::int64_t cluster = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (request.grid[axis] < 1 || request.grid[axis] > kMaxGrid[axis])
      return refuse(kernel, fmt::format("the grid {} is not possible", dimensions(request.grid)),
                    "use 1 to 2^31-1, 65535 and 65535 blocks");
    if (request.block[axis] < 1 || request.block[axis] > kMaxBlock[axis])
      return refuse(kernel, fmt::format("the block {} is not possible", dimensions(request.block)),
                    "use at most 1024, 1024 and 64 threads");
    if (request.cluster[axis] < 1 || request.grid[axis] % request.cluster[axis] != 0)
      return refuse(kernel,
                    fmt::format("the cluster {} does not divide the grid {}",
                                dimensions(request.cluster), dimensions(request.grid)),
                    "make each extent of the grid a multiple of the cluster's");
    cluster *= request.cluster[axis];
    threads *= request.block[axis];
  }
  if (cluster > kMaxClusterCtas)
    return refuse(kernel, fmt::format("a cluster of {} CTAs is too large", cluster),
                  fmt::format("use at most {}", kMaxClusterCtas));
  if (kernel.required_cluster[0] != 0 && kernel.required_cluster != request.cluster)
    return refuse(kernel, fmt::format("the cluster is {}", dimensions(request.cluster)),
                  fmt::format("the kernel requires {}", dimensions(kernel.required_cluster)));
  if (kernel.max_cluster != 0 && cluster > kernel.max_cluster)
    return refuse(kernel, fmt::format("a cluster of {} CTAs is too large", cluster),
                  fmt::format("the kernel has .maxclusterrank {}", kernel.max_cluster));
  if (kernel.explicit_cluster && !request.names_cluster)
    return refuse(kernel, "the launch names no cluster", "the kernel has .explicitcluster");
  if (threads > kernel.max_threads_per_block)
    return refuse(kernel, fmt::format("a block of {} threads is too large", threads),
                  fmt::format("use at most {}", kernel.max_threads_per_block));
  if (kernel.required_threads[0] != 0 && kernel.required_threads != request.block)
    return refuse(kernel, fmt::format("the block is {}", dimensions(request.block)),
                  fmt::format("the kernel requires {}", dimensions(kernel.required_threads)));
  return {};
}

Error check_shared_memory(const Kernel& kernel, const Options& options, std::int64_t dynamic) {
  const int most = max_shared_bytes(parse_target(options.arch).number);
  if (dynamic < 0 || dynamic > most || kernel.static_shared_bytes + dynamic > most)
    return refuse(kernel,
                  fmt::format("{} bytes of static and {} of dynamic shared memory are too many",
                              kernel.static_shared_bytes, dynamic),
                  fmt::format("{} has {}", options.arch, most));
  if (kernel.static_shared_bytes > kMostStaticShared && options.arch.back() != 'a')
    return refuse(
        kernel,
        fmt::format("{} bytes of static shared memory are too many", kernel.static_shared_bytes),
        fmt::format("ptxas takes {} for {}; make it dynamic (extern __shared__)", kMostStaticShared,
                    options.arch));
  return {};
}

}  // namespace

Error check_request(const Kernel& kernel, const Options& options, const LaunchRequest& request) {
  if (Error error = check_shape(kernel, request)) return error;
  if (Error error = check_shared_memory(kernel, options, request.dynamic_shared_bytes))
    return error;
  std::size_t needed = 0;
  for (const Kernel::Parameter& parameter : kernel.parameters)
    needed =
        std::max(needed, static_cast<std::size_t>(parameter.offset_bytes + parameter.size_bytes));
  if (request.parameters.size() < needed)
    return plain_error(ErrorCode::invalid_value,
                       fmt::format("{} bytes of parameters where kernel {} needs {}",
                                   request.parameters.size(), kernel.name, needed));
  return {};
}

}  // namespace lanescope::emulator

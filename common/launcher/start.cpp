// SPDX-License-Identifier: MIT
#include "launcher/start.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "launcher/driver.hpp"
#include "launcher/memories.hpp"
#include "launcher/stop.hpp"

namespace lanescope::launcher {

void start(void* function, const Shape& shape, std::vector<void*> parameters,
           const std::string& name) {
  CUlaunchConfig config{};
  std::copy_n(shape.grid.begin(), 3, config.grid);
  std::copy_n(shape.block.begin(), 3, config.block);
  config.shared_bytes = shape.shared_bytes;
  // Above 48 KiB, the kernel's own variables with it, it has to be asked for.
  if (config.shared_bytes > 0)  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    must(cuFuncSetAttribute(function, 8, static_cast<int>(config.shared_bytes)),
         fmt::format("--shared {}", config.shared_bytes), kWrongUsage);
  CUlaunchAttribute cluster{};
  if (shape.cluster[0] != 0) {
    cluster.id = 4;  // CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
    std::copy_n(shape.cluster.begin(), 3, cluster.value.dimensions);
    config.attributes = &cluster;
    config.attribute_count = 1;
  }
  constexpr int kInvalidValue = 1, kBadCluster = 912;  // CUDA_ERROR_...
  const int error = cuLaunchKernelEx(&config, function, parameters.data(), nullptr);
  must(error, name, error == kInvalidValue || error == kBadCluster ? kWrongUsage : kFailed);
  must(cuCtxSynchronize(), name);
}

}  // namespace lanescope::launcher

// SPDX-License-Identifier: MIT
// A launch: what it asks for, whether that is possible, and the launch itself.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cudart/context.hpp"

namespace lanescope::cudart {

struct LaunchShape {
  dim3 grid, block, cluster;
  std::size_t dynamic_shared_bytes = 0;
  bool cooperative = false;  // all blocks at once, with a barrier for the grid
  bool names_cluster = false;
  dim3 rather{0, 0, 0};              // the cluster that would be preferred; 0: none is named
  bool programmatic = false;         // may begin before what is ahead of it in the stream has ended
  dim3 asked_grid{}, asked_block{};  // as the program has it, before complete_shape
};
/// The launch attributes that change what is computed.
/// Whether an attribute may have that value.
bool is_possible(int id, const void* value);
/// "" when each direction is one that a grid can have.
std::string impossible_grid(const dim3& grid);
cudaError apply_attributes(const cudaLaunchAttribute* attributes, unsigned count,
                           LaunchShape& shape);

/// A launch that was found to be possible, with its parameters as bytes.
struct KernelWork {
  Function* function = nullptr;
  LaunchShape shape;
  std::vector<std::byte> parameters;
};
cudaError prepare(Context& context, Function& function, LaunchShape shape, void** arguments,
                  KernelWork& work);
/// The same, with the parameters in one piece (CU_LAUNCH_PARAM_BUFFER_POINTER).
cudaError prepare(Context& context, Function& function, LaunchShape shape,
                  std::span<const std::byte> parameters, KernelWork& work);
/// What a card refuses before it looks at the parameters.
cudaError check_launch(Context& context, Function& function, LaunchShape& shape);
/// In one line, with the kernel's name; it is made readable only here: launches that are fine need
/// none.
cudaError refuse_kernel(const Context& context, cudaError error, const std::string& mangled,
                        const std::string& why);
std::size_t parameter_bytes(const emulator::Kernel& kernel);
/// With all that the kernel's own threads launch.
cudaError run(Context& context, const KernelWork& work);

}  // namespace lanescope::cudart

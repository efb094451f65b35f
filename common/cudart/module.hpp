// SPDX-License-Identifier: MIT
// What programs load while they run: PTX, fat binaries, files; kernels and variables by their
// names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cudart/context.hpp"

namespace lanescope::cudart {

/// What to do where a program has machine code: how NVRTC and nvcc make PTX for this card.
std::string how_to_make_ptx(const Context& context);
/// Loads PTX text, or a fat binary, that lies at `image`. `name`: what messages call its PTX.
cudaError load_module(Context& context, const void* image, std::uint64_t& handle,
                      std::string_view name = "the module");
cudaError load_module_file(Context& context, const char* path, std::uint64_t& handle);
/// A module that was not loaded: whoever asks for something of it is told why.
std::uint64_t keep_broken(Context& context, cudaError error);
cudaError unload_module(Context& context, std::uint64_t handle);
cudaError module_function(Context& context, std::uint64_t module, const char* name,
                          std::uint64_t& handle);
cudaError module_kernels(Context& context, std::uint64_t module, std::vector<std::string>& names);
cudaError module_variable(Context& context, std::uint64_t module, const char* name,
                          std::uint64_t& address, std::uint64_t& bytes);

}  // namespace lanescope::cudart

// SPDX-License-Identifier: MIT
// CUDA's errors as names and sentences, and the emulator's errors as CUDA's.
#pragma once

#include "cudart/abi.hpp"
#include "emulator/machine.hpp"

namespace lanescope::cudart {

const char* error_name(int code);  // "cudaErrorInvalidValue"
const char* error_text(int code);  // "invalid argument"

/// The code a program written for a GPU would expect.
cudaError to_cuda(emulator::ErrorCode code);

/// The same for a launch, where `trap` and a failed assert are told apart.
cudaError to_cuda(const emulator::Error& error);

/// Whether the context is lost after it, as after a fault inside a kernel.
bool is_sticky(cudaError code);

}  // namespace lanescope::cudart

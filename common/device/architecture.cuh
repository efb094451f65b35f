// SPDX-License-Identifier: MIT
// What the device is called where instructions are looked up: "sm_80", "sm_90a". A lesson prints
// it, its trace has it.
//
// Source: PTX ISA 9.2, 11.1.2 ".target"; CUDA Runtime API, cudaDeviceProp.
#pragma once

#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>
#include <string>

inline bool is_emulator(const cudaDeviceProp& device) {
  return std::strcmp(device.name, "Lanescope emulator") == 0;
}

/// A card from Hopper on also runs the code that is for its own architecture alone: "sm_90a". The
/// emulator can be one without: what `lanescope run --arch` has made it.
inline std::string architecture(const cudaDeviceProp& device) {
  const char* made = std::getenv("LANESCOPE_ARCH");
  if (is_emulator(device) && made != nullptr && *made != '\0') return made;
  return "sm_" + std::to_string(device.major) + std::to_string(device.minor) +
         (device.major >= 9 ? "a" : "");
}

// SPDX-License-Identifier: MIT
// The device that a lesson runs on, in the lesson's first line.
//
//     const ThisDevice device = introduce("wgmma");  // prints "wgmma: NVIDIA H200, sm_90a"
//     if (device.arch != "sm_90a") return device.lacks("wgmma is sm_90a's alone", 9);
//     if (!device.emulator) ...                      // it has a clock
//
// Source: CUDA Runtime API, cudaDeviceProp.
#pragma once

#include <cstdio>
#include <string>

#include "architecture.cuh"
#include "check.cuh"

struct ThisDevice {
  std::string name;
  std::string arch;  // "sm_90a"
  int sm;            // 90
  bool emulator;     // Lanescope's, not a GPU

  /// Says why the lesson cannot be run here, and where it can: on the emulator as `has_it`. Gives
  /// the exit code.
  int lacks(const char* what, int lesson, const std::string& has_it = "sm_90a") const {
    std::fprintf(stderr, "lesson: %s; this is %s; `./learn lesson %d %s` has it\n", what,
                 arch.c_str(), lesson, emulator ? ("--arch " + has_it).c_str() : "--device cpu");
    return 2;
  }

  /// What follows from answers as the manual has them, of instructions that no `card` has run here.
  void print_proof(bool good, const char* card) const {
    if (!good)
      std::printf("\nSomething above is not as it should be.\n");
    else if (emulator)
      std::printf(
          "\nWhat this proves: the emulator does what the PTX ISA says, and this program is right "
          "by\n"
          "the ISA. Nobody has run it on a %s here: specified, not verified.\n",
          card);
    else
      std::printf(
          "\nWhat this proves: this was a GPU. The hardware has spoken, as the manual says.\n");
  }
};

inline ThisDevice introduce(const char* lesson) {
  cudaDeviceProp device{};
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  const std::string arch = architecture(device);
  std::printf("%s: %s, %s\n\n", lesson, device.name, arch.c_str());
  return {device.name, arch, device.major * 10 + device.minor, is_emulator(device)};
}

/// What the code was compiled for that the device has taken of a kernel: 89 on a newer card that
/// the program has nothing newer for.
template <class Kernel>
int compiled_for(Kernel* kernel) {
  cudaFuncAttributes attributes{};
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  return attributes.ptxVersion;
}
